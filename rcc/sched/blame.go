package sched

import "github.com/softrobot-rcc/rccd/internal/rt"

// Outside reports how long CPUs have worked for interrupts and hosts, not for threads (rt.Outside).
type Outside interface {
	Time(cpu int, room *rt.OutsideRoom) (ns int64, known bool) // (cycle)
	Blur() int64                                               // (cycle)
}

// undisturbed is virtual time, and a machine on which there is nothing else.
type undisturbed struct{}

func (*undisturbed) Time(int, *rt.OutsideRoom) (ns int64, known bool) { return 0, true }
func (*undisturbed) Blur() int64                                      { return 0 }

// observer reads how long CPUs have worked for no thread. It belongs to one thread, or to the turn.
type observer struct {
	of   Outside
	cpu  int // of what it asks last
	room rt.OutsideRoom
}

// doubt is in whose time something was too long: of a thread, or of interrupts and the host of a virtual machine, which its
// clock cannot tell apart. The counts of the system say how much these can have taken at most.
type doubt struct {
	before int64 // what the CPU had worked for no thread when it began
	known  bool
	looked int64 // how long it was too long when it was looked at last
	seen   int64 // what the CPU had worked for no thread by then, since it began
}

// begin is to be called when time begins that is in doubt (cycle).
func (d *doubt) begin(o *observer, cpu int) {
	d.before, d.known = o.of.Time(cpu, &o.room)
	d.looked, d.seen = 0, 0
}

// dispelled reports whether so much time cannot have been outside of threads since it began (cycle).
func (d *doubt) dispelled(o *observer, cpu int, ns int64) bool {
	blur := o.of.Blur()
	if !d.known || ns <= d.seen+blur {
		return false
	}
	now, known := o.of.Time(cpu, &o.room)
	if d.known = known; known {
		d.looked, d.seen = ns, now-d.before
	}
	return known && ns > d.seen+blur
}

// explained reports whether it was looked at, and what was too long may all have been outside, or whether nothing is known (cycle).
func (d *doubt) explained() bool { return !d.known || d.looked > 0 && d.looked <= d.seen }

// row is of the newest cycles of a net, each of which was longer than the period by the clock of its thread.
type row struct {
	cycles int
	excess int64 // by which those after the first were too long together
	proven bool  // the net has taken it
	doubt
}

// enough is how many cycles in a row are too long when a net is blamed for them. Interrupts, and the host of a virtual
// machine, lengthen a cycle now and then; a net that has too much to do has it in every cycle.
const enough = 3

// add counts a cycle that took longer than the period, or ends the row. The net is blamed when it was too long by more than interrupts and the
// host can have taken. Their share of the first cycle is not known (cycle).
func (r *row) add(x *executor, over int64) {
	switch {
	case over <= 0:
		r.cycles, r.proven = 0, false
	case r.cycles == 0:
		r.cycles, r.excess = 1, 0
		r.begin(&x.observer, x.observer.cpu)
	default:
		r.cycles++
		r.excess += over
		r.proven = r.proven || r.cycles >= enough && r.dispelled(&x.observer, x.observer.cpu, r.excess)
	}
}

// overrun is what is known of a net that took too long.
type overrun struct {
	cycles          int
	excess, outside int64
}

func (r *row) overrun() overrun { return overrun{r.cycles, r.excess, r.seen} }
