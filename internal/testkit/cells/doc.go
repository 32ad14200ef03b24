// Package cells has robot cells for tests: a daemon in the process with simulated devices, in a time that stands still until the test
// lets it pass. Applications connect with it as with any daemon, nets are executed in it cycle by cycle, and it remembers
// what devices are told.
//
//	c := cells.New(t).Free()          // time passes as fast as it can be computed
//	err := c.Connect().Execute(t.Context(), command)
//	c.Arm("kr16").Smooth()            // nothing has jumped, no limit was exceeded
//
//	r := cells.New(t).Trace(text)     // time stands still
//	for r.Step() {                    // a cycle
//		fmt.Println(r.Cycle, r.Is("done"), r.Number("q0"))
//	}
package cells
