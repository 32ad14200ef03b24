package sched

import (
	"time"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// Estimated cost of a net that has not run yet: a fixed part, and a part for each primitive, in nanoseconds.
const (
	netCost       = 1000
	primitiveCost = 2
)

// expectedCost is what a cycle of a net is going to take: what is said, what one like it takes or took last, or a guess. In virtual time
// nothing depends on other nets. The mutex is held.
func (s *Scheduler) expectedCost(p *net.Program, said time.Duration) int64 {
	if said > 0 {
		return int64(said)
	}
	if cost := s.costLike(p.Shape); cost > 0 {
		return cost
	}
	return netCost + primitiveCost*int64(p.Primitives)
}

// costLike is the most that a net of a shape takes which has been measured and has not gone, or what one took last that has; 0 if there was none.
// The mutex is held.
func (s *Scheduler) costLike(shape uint64) (most int64) {
	if shape == 0 || s.virtual != nil {
		return 0
	}
	for i := range s.slots.of {
		if p := &s.slots.of[i]; p.admitted && p.program.Shape == shape {
			most = max(most, p.figures.cost.Load())
		}
	}
	if most > 0 {
		return most
	}
	return s.costs[shape]
}

// expectCost looks once more what nets are going to take that have not run yet: others like them may have been measured since they were loaded. The
// mutex is held.
func (s *Scheduler) expectCost(nets []Ref) {
	if s.virtual != nil {
		return
	}
	for _, n := range nets {
		if p := s.slots.at(n.slot); p.figures.cost.Load() == 0 {
			p.figures.share.Store(s.executorOf(n.slot).shareOfCost(s.expectedCost(p.program, p.cost)))
		}
	}
}

// keptCosts is of how many shapes of nets the costs are kept.
const keptCosts = 4096

// learn keeps what a cycle of a net took that has ended, for nets of its shape. The mutex is held.
func (s *Scheduler) learn(slot uint32) {
	p := s.slots.at(slot)
	if s.virtual != nil || p.program == nil || p.program.Shape == 0 {
		return
	}
	cost := p.figures.cost.Load()
	if cost == 0 {
		return
	}
	if _, known := s.costs[p.program.Shape]; !known && len(s.costs) >= keptCosts {
		for any := range s.costs {
			delete(s.costs, any)
			break
		}
	}
	s.costs[p.program.Shape] = cost
}

// shareOfCost is the part of a period that a cost is (cycle).
func (x *executor) shareOfCost(cost int64) int64 { return max(1, int64(float64(cost)*x.perNanosecond)) }

// measureEvery is how many cycles of a net make a measurement, a power of two. It is the mean of the middle half of them: what keeps
// a quarter of them from their work, such as interrupts or the host of a virtual machine, does not count.
const measureEvery = 16

// window is what the newest cycles of a net took.
type window struct {
	at   [measureEvery]int64
	n    uint
	last int64 // mean of the measurement before
}

// add counts a cycle (cycle).
func (w *window) add(ns int64) {
	w.at[w.n%measureEvery] = ns
	w.n++
}

// full reports whether there are enough new cycles for a measurement (cycle).
func (w *window) full() bool { return w.n > 0 && w.n%measureEvery == 0 }

// take returns what two measurements in a row have found at least (cycle).
func (w *window) take() int64 {
	at := w.at
	for i := range at {
		for k := uint(i); k > 0 && k < measureEvery && at[k-1] > at[k]; k-- {
			at[k-1], at[k] = at[k], at[k-1]
		}
	}
	mean := int64(0)
	for _, ns := range at[measureEvery/4 : measureEvery*3/4] {
		mean += ns
	}
	mean /= measureEvery / 2
	found := mean
	if w.last > 0 {
		found = min(mean, w.last)
	}
	w.last = max(1, mean)
	return max(1, found)
}

// own is the time that a net has used in the current cycle: of what the phases took, the part in which the thread was
// executed. In virtual time it is what the net is said to take (cycle).
func (x *executor) own(e *entry) int64 {
	if x.s.virtual != nil {
		return x.s.stats(e.net.slot).pretended.Load()
	}
	return int64(float64(e.spent) * x.executed)
}

// measure counts a cycle that was measured, and finds what the net takes when there are enough of them (cycle).
func (t *stats) measure(x *executor, e *entry) {
	if t.window.add(x.own(e)); t.window.full() {
		cost := t.window.take()
		t.cost.Store(cost)
		t.share.Store(x.shareOfCost(cost))
		x.remeasured = true
	}
}

// tellMeasured says that nets have been measured, all at once, as the turn looks at all when one has changed: after as many ticks as it takes to
// measure each (cycle).
func (x *executor) tellMeasured() {
	if x.beats++; x.remeasured && x.beats >= measureEvery*(1+uint(max(0, x.n-1))/measuredNets) {
		x.beats, x.remeasured = 0, false
		x.measurements.Add(1)
	}
}

// perNanosecond is the share of a nanosecond in each period.
func perNanosecond(period int64) float64 { return float64(WholeCPU) / float64(max(1, period)) }
