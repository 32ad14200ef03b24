package sched

import (
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// Stats are the figures of table 11.2 for one net, since it was admitted.
type Stats struct {
	Cycles    uint64
	Cycle     Distribution // time between the beginnings of two cycles; its histogram is of the deviation from the period
	Execution Distribution // time that the three phases of a cycle took, on the machine's clock
	Overruns  uint64       // cycles that took more time of the CPU than the period has
	Late      uint64       // cycles that began more than half a period after their tick
	Missed    uint64       // ticks without a cycle, because of late ones
}

// Distribution describes measured times.
type Distribution struct {
	Count        uint64
	Min, Max     time.Duration
	Mean, StdDev time.Duration
	Histogram    [Buckets]uint64
}

// Buckets is the number of classes of a histogram: four to every doubling, so that a class is at most 25 % wide.
const Buckets = 160

// BucketStart is the shortest time that is counted in a class.
func BucketStart(i int) time.Duration {
	if i < 4 {
		return time.Duration(i)
	}
	return time.Duration(4+i%4) << (i/4 - 1)
}

func bucket(ns int64) int {
	if ns < 4 {
		return int(max(0, ns))
	}
	doublings := bits.Len64(uint64(ns)) - 3
	return min(4*doublings+int(ns>>doublings), Buckets-1)
}

// stats are written by one executor and read by anybody: atomic words under a sequence number that is odd while they
// are written.
type stats struct {
	seq                    atomic.Uint64
	first                  atomic.Int64 // logical Unix time of the first cycle
	cycles                 atomic.Uint64
	cycle, execution       distribution
	overruns, late, missed atomic.Uint64
}

type distribution struct {
	count, mean, squares atomic.Uint64 // mean and sum of squared deviations from it are float64 (Welford)
	min, max             atomic.Int64
	histogram            [Buckets]atomic.Uint64
}

func (d *distribution) add(ns, class int64) {
	n := d.count.Load() + 1
	mean := math.Float64frombits(d.mean.Load())
	delta := float64(ns) - mean
	mean += delta / float64(n)
	d.mean.Store(math.Float64bits(mean))
	d.squares.Store(math.Float64bits(math.Float64frombits(d.squares.Load()) + delta*(float64(ns)-mean)))
	if n == 1 || ns < d.min.Load() {
		d.min.Store(ns)
	}
	if n == 1 || ns > d.max.Load() {
		d.max.Store(ns)
	}
	if i := bucket(class); i >= 0 && i < Buckets {
		d.histogram[i].Add(1)
	}
	d.count.Store(n)
}

func (d *distribution) read() Distribution {
	r := Distribution{
		Count: d.count.Load(), Min: time.Duration(d.min.Load()), Max: time.Duration(d.max.Load()),
		Mean: time.Duration(math.Round(math.Float64frombits(d.mean.Load()))),
	}
	if r.Count > 1 {
		r.StdDev = time.Duration(math.Round(math.Sqrt(math.Float64frombits(d.squares.Load()) / float64(r.Count-1))))
	}
	for i := range d.histogram {
		r.Histogram[i] = d.histogram[i].Load()
	}
	return r
}

// executorStats are the figures of an executor, kept like those of nets.
type executorStats struct {
	seq                 atomic.Uint64
	ticks, late, missed atomic.Uint64
	wakeup, busy        distribution
}

// record adds a tick (cycle).
func (t *executorStats) record(x *executor, late, missed, busy int64) {
	if x.n == 0 && missed <= 0 {
		return
	}
	t.seq.Add(1)
	t.missed.Add(uint64(max(0, missed)))
	if x.n > 0 {
		t.ticks.Add(1)
		if x.isLate(0, late) {
			t.late.Add(1)
		}
		t.wakeup.add(late, late)
		t.busy.add(busy, busy)
	}
	t.seq.Add(1)
}

func (t *executorStats) read(d *Executor) {
	steady(&t.seq, func() {
		d.Ticks, d.Late, d.Missed = t.ticks.Load(), t.late.Load(), t.missed.Load()
		d.Wakeup, d.Busy = t.wakeup.read(), t.busy.read()
	})
}

// steady copies figures as one cycle left them. After very many failed tries they may be torn, which figures survive: a
// thread that is kept off its CPU for some milliseconds while it records is no reason yet.
func steady(seq *atomic.Uint64, take func()) {
	for range 1_000_000 {
		before := seq.Load()
		if take(); before&1 == 0 && seq.Load() == before {
			return
		}
		runtime.Gosched()
	}
}

// record adds a cycle that has just been completed (cycle).
func (t *stats) record(x *executor, e *entry) {
	t.seq.Add(1)
	if e.cycle.N == 1 {
		t.first.Store(e.first)
	} else {
		t.cycle.add(e.took, max(e.took-x.period, x.period-e.took))
	}
	t.missed.Add(uint64(e.missed))
	t.execution.add(e.spent, e.spent)
	if e.late {
		t.late.Add(1)
	}
	if x.overrun(e) {
		t.overruns.Add(1)
	}
	t.cycles.Store(e.cycle.N)
	t.seq.Add(1)
}

func (t *stats) read() (r Stats) {
	steady(&t.seq, func() {
		r = Stats{
			Cycles: t.cycles.Load(), Cycle: t.cycle.read(), Execution: t.execution.read(),
			Overruns: t.overruns.Load(), Late: t.late.Load(), Missed: t.missed.Load(),
		}
	})
	return r
}
