// Package client talks DirectIO (§7.6.3) with a daemon, for applications and tools. It imports nothing of the daemon.
//
//	d, err := client.Keep(ctx, "http://127.0.0.1:8080", client.Options{})
//	n, err := d.Run(ctx, text, client.NetOptions{Inputs: map[string]string{"inSpeed": "0.5"}})
//	for u := range n.Updates(ctx) {
//		fmt.Println(u.State, u.Values["outPosition"])
//	}
//
// A Daemon is a connection that comes back when it is lost. It knows nets, rules, sessions and devices, and watches them again
// whenever the connection is back; changes in between are reported at once. Three rules protect machines:
//
//   - Without a connection, commands fail at once with a *LostError. None is carried out later, when it is not expected any more.
//     Await waits for a connection.
//   - A command whose answer was lost may have been carried out: LostError.Sent says so. It is harmless to cancel, abort, unload
//     and set again; the state of a net says whether it was started.
//   - A restarted daemon counts its nets from 0, unless it has a state directory, and its rpinet0 is another net. A Daemon
//     notices that: everything that belonged to the earlier instance returns ErrRestarted and has no effect. So do HTTP requests
//     that were meant for the earlier one.
//
// An error is a *RefusedError with the words of the daemon, a *RejectedError with all mistakes of a net, a *LostError, or that of
// the context.
//
// # The bare protocol
//
// A Client is a single connection with Call and Subscribe. It carries statements, tag=command(parameters). Every call has a tag
// of its own; its answer, and the messages of a subscription, carry the same tag. Any number of goroutines may make calls, and a
// context can end each of them without harm to the others.
//
// Parameters are strings, whole numbers, float64, []any and map[string]any of such. The protocol has neither signs nor exponents,
// and needs no negative numbers: values of nets travel as strings; see Format and Parse.
package client
