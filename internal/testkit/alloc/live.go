package alloc

import (
	"math"
	"runtime"
)

// Live returns how many bytes stay in use of what f makes and returns, at least: allocations of others are not in every try. It
// stops trying when only some bytes are left.
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
