// Package client talks DirectIO (§7.6.3) with a daemon, for applications and tools. It imports nothing of the daemon.
//
//	d, err := client.Keep(ctx, "http://127.0.0.1:8080", client.Options{})
//	n, err := d.Run(ctx, text, client.NetOptions{Inputs: map[string]string{"inSpeed": "0.5"}})
//	for u := range n.Updates(ctx) {
//		fmt.Println(u.State, u.Values["outPosition"])
//	}
//
// A Daemon is a connection that is kept: when it is lost, it comes back. Nets, rules, sessions and devices are known by it, and
// are watched again whenever the connection is back; changes since then are reported at once. Three things are as they are for
// the sake of machines:
//
//   - While there is no connection, commands fail at once with a *LostError. None is carried out later, when its caller thinks of something else.
//     Await waits until there is one.
//   - A command whose answer was lost may have been carried out: LostError.Sent says so. To cancel, abort, unload and set once more is harmless;
//     whether a net was started is told by its state.
//   - A daemon that was started again counts its nets from 0, unless it has a state directory, and its rpinet0 is somebody else's. It is noticed, and everything that
//     belonged to the earlier one says ErrRestarted and commands nothing any more. So do requests over HTTP that were meant for the earlier one.
//
// Errors are a *RefusedError, with the words of the daemon, a *RejectedError, with everything that is wrong with a net, a *LostError, and
// that of the context.
//
// # Beneath
//
// A Client is a single connection with the bare protocol: Call and Subscribe. It carries statements, tag=command(parameters). Every call has a tag of
// its own; its answer, and whatever a subscription sends later, carries the same tag. Calls may be made from any number of
// goroutines, and each may be given up by its context without harm to the others.
//
// Parameters are strings, whole numbers, float64, []any and map[string]any of such. The protocol has neither signs nor
// exponents, and no negative number that would be needed: values of nets travel as strings, which Format and Parse know.
package client
