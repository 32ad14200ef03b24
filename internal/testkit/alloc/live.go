package alloc

import (
	"math"
	"runtime"
)

// Live returns how many bytes stay in use of what f makes and returns, at least: what others allocate meanwhile is not in every
// try. It stops trying when they are no more than some bytes.
func Live(atMost func() int64, f func() any) int64 {
	const tries = 5
	least := int64(math.MaxInt64)
	for range tries {
		before := inUse()
		kept := f()
		least = min(least, inUse()-before)
		runtime.KeepAlive(kept)
		if least <= atMost() {
			break
		}
	}
	return least
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
