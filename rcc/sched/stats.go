package sched

import (
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/figures"
)

// Stats are the figures of table 11.2 for one net, since it was admitted.
type Stats struct {
	Cycles    uint64
	Cycle     Distribution // time between the beginnings of two cycles; its histogram is of the deviation from the period
	Execution Distribution // time of the three phases of a cycle, on the machine's clock: of the cycles that were measured
	Overruns  uint64       // cycles that took more time of the CPU than their period
	Late      uint64       // cycles that began more than half a period after their tick
	Missed    uint64       // ticks without a cycle, because of late ones
	Share     Share        // of the CPU: what the net takes, or is expected to take
}

// Distribution describes measured times.
type Distribution = figures.Distribution

// stats are written by one executor and read by anybody: atomic words under a sequence number that is odd while they
// are written.
type stats struct {
	// what each cycle needs lies together
	seq                    atomic.Uint64
	cycles                 atomic.Uint64
	first                  atomic.Int64 // logical Unix time of the first cycle
	overruns, late, missed atomic.Uint64
	phases                 atomic.Pointer[phases] // nil while nobody wants them
	share                  atomic.Int64           // Share that it takes, or is expected to take

	cycle, execution figures.Times
	cost             atomic.Int64 // of a cycle as measured last, in nanoseconds; 0 before that
	pretended        atomic.Int64 // the same in virtual time
	window           window       // cycle only
	row              row          // cycle only
}

// executorStats are the figures of an executor, kept like those of nets.
type executorStats struct {
	seq                 atomic.Uint64
	ticks, late, missed atomic.Uint64
	wakeup, busy        figures.Times
}

// record adds a tick (cycle).
func (xs *executorStats) record(x *executor, late, missed, busy int64) {
	if x.n == 0 && missed <= 0 {
		return
	}
	xs.seq.Add(1)
	xs.missed.Add(uint64(max(0, missed)))
	if x.n > 0 {
		xs.ticks.Add(1)
		if x.isLate(0, late) {
			xs.late.Add(1)
		}
		xs.wakeup.Add(late, late)
		xs.busy.Add(busy, busy)
	}
	xs.seq.Add(1)
}

func (xs *executorStats) read(d *Executor) {
	figures.Steady(&xs.seq, func() {
		d.Ticks, d.Late, d.Missed = xs.ticks.Load(), xs.late.Load(), xs.missed.Load()
		d.Wakeup, d.Busy = xs.wakeup.Read(), xs.busy.Read()
	})
}

// record adds a cycle that has just been completed (cycle).
func (t *stats) record(x *executor, e *entry, overrun bool) {
	t.seq.Add(1)
	if e.cycle.N == 1 {
		t.first.Store(e.first)
	} else {
		t.cycle.Add(e.took, max(e.took-x.period, x.period-e.took))
	}
	if e.missed > 0 {
		t.missed.Add(uint64(e.missed))
	}
	if e.measured {
		t.execution.Add(e.spent, e.spent)
		t.measure(x, e)
	}
	if e.late {
		t.late.Add(1)
	}
	if overrun {
		t.overruns.Add(1)
	}
	t.cycles.Store(e.cycle.N)
	if p := t.phases.Load(); p != nil && e.measured {
		p.record(e)
	}
	t.seq.Add(1)
}

func (t *stats) read() (r Stats) {
	figures.Steady(&t.seq, func() {
		r = Stats{
			Cycles: t.cycles.Load(), Cycle: t.cycle.Read(), Execution: t.execution.Read(),
			Overruns: t.overruns.Load(), Late: t.late.Load(), Missed: t.missed.Load(), Share: Share(t.share.Load()),
		}
	})
	return r
}
