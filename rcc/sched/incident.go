package sched

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

// Incident is a tick that was late or took too long. The newest incidents are kept as long as the scheduler, also those
// of nets and executors that have gone.
type Incident struct {
	Kind     IncidentKind
	Cause    IncidentCause
	Time     int64 // Unix time of the tick
	Period   time.Duration
	Realtime bool          // class of the executor
	Amount   time.Duration // how late after the first tick that was missed, or how much longer than the period
	Missed   uint64        // ticks before it that were left out
	Net      uint64        // Options.Label of the net, or of the one that took longest
	Cycle    uint64        // of the net
	Load     Load          // of an overload
}

// IncidentKind is the kind of an incident.
type IncidentKind uint8

// The kinds.
const (
	LateTick  IncidentKind = iota // it began late; ticks before it may have been missed
	LongCycle                     // a cycle of a net took longer than its period
	Overload                      // nets took more of a CPU than they may; Net is the net that had to make room
)

// String returns the kind for messages.
func (k IncidentKind) String() string {
	switch k {
	case LongCycle:
		return "overrun"
	case Overload:
		return "overload"
	default:
		return "late"
	}
}

// IncidentCause is the cause of an incident.
type IncidentCause uint8

// The causes.
const (
	WokenLate IncidentCause = iota // the system woke the thread late
	KeptOff                        // the thread lost its CPU in the middle of a tick
	TooMuch                        // the net, or all together, had more to do than there was time for
	Unclear                        // nets, interrupts or the host of a virtual machine: it is not known which
)

// String returns the cause for messages.
func (c IncidentCause) String() string {
	switch c {
	case WokenLate:
		return "woken late by the system"
	case KeptOff:
		return "kept off the CPU"
	case TooMuch:
		return "too much to do"
	default:
		return "nets, interrupts or the host: it cannot be told which"
	}
}

// incidents are those of the executors that have had the same place, one after another. The kinds are kept apart: a storm of
// late ticks must not push out what a net did.
type incidents struct {
	late, long recent
}

func (kept *incidents) add(i *Incident) {
	if i.Kind == LongCycle {
		kept.long.add(i)
	} else {
		kept.late.add(i)
	}
}

// recent is a list of the newest ones, written by one executor at a time and read by anybody.
type recent struct {
	count   atomic.Uint64
	missed  atomic.Uint64 // ticks, of all that there have been
	records [keptIncidents]incident
}

// keptIncidents is how many of a kind are kept, a power of two.
const keptIncidents = 256

// incident is an Incident in atomic words under a sequence number, which is zero while they are written.
type incident struct {
	seq   atomic.Uint64
	words [11]atomic.Uint64
}

// add keeps an incident in the place of the oldest one (cycle).
func (log *recent) add(i *Incident) {
	n := log.count.Load() + 1
	r := &log.records[n%keptIncidents]
	r.seq.Store(0)
	what := uint64(i.Kind) | uint64(i.Cause)<<8
	if i.Realtime {
		what |= 1 << 16
	}
	r.words[0].Store(what)
	r.words[1].Store(uint64(i.Time))
	r.words[2].Store(uint64(i.Period))
	r.words[3].Store(uint64(i.Amount))
	r.words[4].Store(i.Missed)
	r.words[5].Store(i.Net)
	r.words[6].Store(i.Cycle)
	r.words[7].Store(uint64(i.Load.CPU+1)<<40 | uint64(i.Load.Limit))
	r.words[8].Store(uint64(i.Load.Taken))
	r.words[9].Store(uint64(i.Load.Share))
	r.words[10].Store(uint64(i.Load.Period))
	r.seq.Store(n)
	log.missed.Add(i.Missed)
	log.count.Store(n)
}

// read returns the record in a place, unless it is just being written, or never was.
func (log *recent) read(place int) (Incident, bool) {
	r := &log.records[place]
	seq := r.seq.Load()
	what := r.words[0].Load()
	i := Incident{
		Kind: IncidentKind(what), Cause: IncidentCause(what >> 8), Realtime: what>>16&1 != 0,
		Time: int64(r.words[1].Load()), Period: time.Duration(r.words[2].Load()), Amount: time.Duration(r.words[3].Load()),
		Missed: r.words[4].Load(), Net: r.words[5].Load(), Cycle: r.words[6].Load(),
	}
	limit := r.words[7].Load()
	i.Load = Load{
		CPU: int(limit>>40) - 1, Limit: Share(limit & (1<<40 - 1)), Taken: Share(r.words[8].Load()), Share: Share(r.words[9].Load()),
		Period: time.Duration(r.words[10].Load()),
	}
	return i, seq != 0 && r.seq.Load() == seq
}

func (log *recent) appendTo(list []Incident) []Incident {
	for place := range log.records {
		if i, ok := log.read(place); ok {
			list = append(list, i)
		}
	}
	return list
}

// Incidents returns the number of incidents so far, and those that are kept, oldest first.
func (s *Scheduler) Incidents() (count uint64, kept []Incident) {
	s.mu.Lock()
	lists := s.incidents
	s.mu.Unlock()
	all := []*recent{&s.overloads}
	for _, l := range lists {
		if l != nil {
			all = append(all, &l.late, &l.long)
		}
	}
	for _, r := range all {
		count += r.count.Load()
		kept = r.appendTo(kept)
	}
	slices.SortStableFunc(kept, func(a, b Incident) int { return cmp.Compare(a.Time, b.Time) })
	return count, kept
}

// noteLate keeps a tick that began late, after missed ones, or after ticks that were lost to a net (cycle).
func (x *executor) noteLate(due, woken, missed, lost int64) {
	if missed <= 0 && lost <= 0 && (x.n == 0 || !x.isLate(due, woken)) {
		return
	}
	i := Incident{
		Kind: LateTick, Time: x.s.clock.Unix(due), Period: time.Duration(x.period), Realtime: x.realtime,
		Missed: uint64(max(0, missed, lost)),
	}
	first := due - max(0, missed)*x.period
	i.Amount = time.Duration(woken - first)
	if x.idle > first && x.longest.ran {
		i.Net, i.Cycle = x.longest.net, x.longest.cycle
		i.Cause = causeOf(x.idle-x.stalled <= first, x.longest.blamed)
	}
	x.incidents.add(&i)
}

// noteLong keeps a cycle that took longer than its period, without what kept the thread off its CPU by over (cycle).
func (x *executor) noteLong(e *entry, over int64, blamed bool) {
	x.incidents.add(&Incident{
		Kind: LongCycle, Cause: causeOf(over <= 0, blamed), Time: e.cycle.Time, Period: time.Duration(x.period), Realtime: x.realtime,
		Amount: time.Duration(e.spent - x.period), Net: e.label, Cycle: e.cycle.N,
	})
}

// causeOf is where the time of a net went (cycle).
func causeOf(keptOff, blamed bool) IncidentCause {
	switch {
	case keptOff:
		return KeptOff
	case blamed:
		return TooMuch
	default:
		return Unclear
	}
}
