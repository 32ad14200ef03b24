// Package client talks DirectIO (§7.6.3) with a daemon, for applications and tools. It imports nothing of the daemon.
//
// A connection carries statements, tag=command(parameters). Every call has a tag of its own; its answer, and whatever a
// subscription sends later, carries the same tag. Calls may be made from any number of goroutines, and each may be
// given up by its context without harm to the others.
//
// Parameters are strings, whole numbers, float64, []any and map[string]any of such. The protocol has neither signs nor
// exponents, and no negative number that would be needed: values of nets travel as strings.
package client
