// Package protocol holds the conversations of DirectIO (§7.6.3): commands, their answers, and the messages that keep
// applications informed. It serves both generations of clients at once; they differ in the arguments of nesc only.
//
// A conversation runs in three goroutines: one reads statements, one writes, and one does everything else: it carries
// out a command, sends what the command has changed, answers, and between commands looks at what the client has
// subscribed to. It looks at what has changed when the core rings its bell, and at values at the first beat at which the refresh
// interval of a subscription has passed; all conversations have the same beats, and the messages of one look go out together
// (agenda.go, parcel.go, docs/adr/0035). A client that asks for values more often than others also hears when the first ones of a net are there. Nothing waits for a client: values are only looked at while there is room for them on the way to the client,
// so that a slow client gets fewer of them and always the newest, and one that stops reading loses its connection.
//
// # Order
//
// States that a command has brought about come before its answer, values that later cycles compute come after it. The
// values that belong to a state come before it, except for RUNNING, whose values do not exist yet. UNLOADED follows the
// answer of neun.
//
// # Older clients
//
// Clients of the older generations lose results when states come in a burst. They are informed by looks, one every 10 ms and one
// after each command, before its answer: the newest state of a net only, one of a connection in 15 ms, nets in turn
// (pace.go, docs/adr/0028). All others hear every state at once.
package protocol
