// Package alloc counts what a piece of code allocates. The runtime counts for the whole process, so that a single
// observation proves nothing: other goroutines and the runtime itself may allocate at the same time.
package alloc

import (
	"math"
	"runtime"
)

// repeats is how often code has to be seen allocating before it is believed.
const repeats = 20

// Least runs f, once for what is only done the first time and then until a run has allocated nothing, and returns the
// least of the counts: what others allocate is not in every one.
func Least(f func()) uint64 {
	f()
	return LeastOf(func() uint64 { return Count(f) })
}

// LeastOf is Least of counts that are taken otherwise, for example of code that needs something new each time.
func LeastOf(count func() uint64) uint64 {
	least := uint64(math.MaxUint64)
	for range repeats {
		if least = min(least, count()); least == 0 {
			break
		}
	}
	return least
}

// Count returns one observation: the allocations of the process while f runs, with few others beside it.
func Count(f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}
