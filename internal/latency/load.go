package latency

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Load keeps the machine busy in all the ways in which a Go program can, until stop is called: on every processor one
// goroutine makes garbage and one computes without a break, and another one collects garbage all the time. Stop waits
// until all of them have ended.
func Load() (stop func()) {
	var l load
	l.goOn.Store(true)
	for range runtime.GOMAXPROCS(0) {
		l.workers.Go(l.litter)
		l.workers.Go(l.spin)
	}
	l.workers.Go(l.collect)
	return func() {
		l.goOn.Store(false)
		l.workers.Wait()
	}
}

type load struct {
	goOn    atomic.Bool
	workers sync.WaitGroup
}

func (l *load) collect() {
	for l.goOn.Load() {
		runtime.GC()
	}
}

// litter keeps a few thousand small objects and replaces them one by one.
func (l *load) litter() {
	var kept [1 << 12]*[256]byte
	for i := 0; l.goOn.Load(); i++ {
		kept[i%len(kept)] = new([256]byte)
	}
}

func (l *load) spin() {
	for l.goOn.Load() {
	}
}
