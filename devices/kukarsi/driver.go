package kukarsi

import (
	"runtime"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// driver answers telegrams (cycle). Fields that the thread of the wire shares with others are atomic.
type driver struct {
	cfg    *wireConfig
	layout *channels.Layout
	reader *telegram.Reader
	writer *telegram.Writer
	values []telegram.Value
	out    []float64
	ports  *ports.Image
	smooth *setpoint.Smoother
	tools  tools
	stop   *device.Stop // of the cell

	session  session
	seen     int64 // count of late answers in the newest telegram
	counts   bool  // there is one
	offCycle bool  // the cycle has been logged
	adopting bool  // the link learns of another session, and shows its telegram again
	steps    steps

	groups [1 + channels.Axes]atomic.Pointer[group] // of the arm, then of devices with external axes
	inside atomic.Uint64                            // odd while groups are used
	axes   [allAxes]axis
	coarse float64 // unit of the last digit of measured positions in the newest telegram, degrees or mm

	relative bool    // corrections are added by the controller
	grid     float64 // ten to the power of the digits that are written
	rested   int     // cycles without motion
	rearmAt  int64   // the first telegram since the robot was re-armed

	shown
}

// axis is what is known of one, in degrees or mm.
type axis struct {
	where     float64 // newest position
	there     bool    // there is one
	measured  bool    // and it is measured
	commanded float64 // newest position that the controller commands
	ordered   bool    // there is one
	read      float64 // position in the first step of the program
	sum       float64 // of corrections that was asked for last
	held      float64 // that the controller holds for certain; of absolute corrections
}

// steps is what is known of the steps of the program (figure 11.11).
type steps struct {
	known bool        // positions have been read, since the last session that moved
	two   atomic.Bool // the program has a step in which positions are read
}

// shown is what others see of the driver (any).
type shown struct {
	phase   atomic.Uint32
	because atomic.Int32  // rule that has led to the phase, from 1
	ended   atomic.Uint32 // phase in which the session was lost
	endedAt atomic.Int64
	heard   atomic.Int64 // when the newest telegram came
	lates   atomic.Int64 // late answers of this session
	before  atomic.Int64 // those of them before it was answered
	row     atomic.Int64 // answers in a row that the controller has missed
	lateAt  atomic.Int64 // when that was last logged
	answers atomic.Int64 // of this session
	worst   atomic.Int64 // late answers of any session
	total   atomic.Uint64
	apart   atomic.Uint64 // why a start was refused: axis and distance
	axis    atomic.Int32
	cycle   atomic.Int64  // measured, ns
	known   atomic.Uint32 // counting of the session
	rough   atomic.Bool   // positions are too coarse for a controller that does not count
	wrong   atomic.Int32  // field that made a telegram garbage, from 1
	fault   atomic.Uint32
	rearm   atomic.Bool
	closing atomic.Bool
	doubt   atomic.Uint64 // an assessment of a session that is not answered, or was not

	chronicle link.EventLog
}

// Answer reads a telegram and writes the answer (cycle).
func (d *driver) Answer(text, answer []byte, at link.Stamp) (int, link.Verdict) {
	head, fault := d.reader.Read(text, d.values)
	if fault != telegram.Good {
		d.fault.Store(uint32(fault))
		d.wrong.Store(int32(head.Wrong + 1))
		return 0, link.Verdict{Kind: link.Garbage}
	}
	h := heard{stamp: head.IPOC, at: at.Time, quiet: at.Quiet}
	if late, is := d.number(d.layout.Late, 0); is {
		h.late, h.counts = int64(late), true
	}
	h.reading = d.status()&channels.ReadOnly != 0
	d.inside.Add(1)
	n, v := d.hear(&h, text, at)
	if n > 0 {
		n = d.writer.Write(answer, head.Stamp.Of(text), d.out)
	}
	if n > 0 {
		d.session.answer(at.Time, d.corrected())
		d.answers.Add(1)
	}
	d.inside.Add(1)
	return n, v
}

// hear finds out what a telegram is, and does what follows. It returns 0 when there is no answer.
func (d *driver) hear(h *heard, text []byte, at link.Stamp) (int, link.Verdict) {
	found := fresh
	if !d.adopting || at.N > 1 {
		found = d.session.hear(h, !d.now().is(silent))
	}
	if found == fresh && at.N > 1 && !d.now().is(silent) {
		d.adopting = true
		return 0, link.Verdict{Kind: link.Restart}
	}
	d.adopting = false
	d.ask(at)
	d.heard.Store(at.Time)
	if d.now().is(of(offline, between)) {
		d.enter(doubt, at.Time)
	}
	v := link.Verdict{}
	switch found {
	case repeated:
		if at.N > 1 {
			return 0, link.Verdict{Kind: link.Repeated}
		}
	case stale:
		return 0, link.Verdict{Kind: link.Outdated}
	case doubtful:
		d.enter(doubt, at.Time)
	case unknowable:
		if d.now() != unknown {
			d.doubt.Store(uint64(d.session.assessment()))
		}
		d.enter(mystery, at.Time)
	default:
		return d.follow(h, found, text, at)
	}
	d.take(text, at)
	d.account(h)
	d.wait()
	v.Cycle = d.session.patience(h)
	return 0, v
}

// follow takes a telegram of a session whose chain is known.
func (d *driver) follow(h *heard, found finding, text []byte, at link.Stamp) (int, link.Verdict) {
	v := link.Verdict{}
	if found == fresh {
		d.begin(h)
	} else {
		v.Lost = d.session.lost
	}
	d.take(text, at)
	d.account(h)
	d.enter(d.event(found, at.Time), at.Time)
	d.step(d.smooth.Next(at.Time))
	d.fill()
	v.Cycle = d.session.cycle
	d.cycle.Store(v.Cycle)
	d.known.Store(uint32(d.session.counting))
	d.noteCycle(at.Time)
	if d.now().is(silent) {
		return 0, v
	}
	return 1, v
}

// now returns the phase (cycle).
func (d *driver) now() phase { return phase(d.phase.Load()) }

// enter is an event (cycle).
func (d *driver) enter(e event, now int64) {
	was := d.now()
	p, why := was.after(e)
	if p != was {
		d.because.Store(why)
		d.phase.Store(uint32(p))
		d.note(was, p, why, now)
	}
}

// begin is a session that holds nothing (cycle).
func (d *driver) begin(h *heard) {
	d.session.adopt(h)
	d.offCycle = false
	d.doubt.Store(0)
	d.smooth.Restart()
	d.rearm.Store(false)
	d.lates.Store(h.late)
	d.before.Store(h.late)
	d.answers.Store(0)
	d.known.Store(uint32(d.session.counting))
	axes := &d.axes
	for i := range axes {
		axes[i].sum, axes[i].held = 0, 0
	}
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil {
			g.forget()
		}
	}
}

// Lost ends a session (cycle).
func (d *driver) Lost(at link.Stamp, why link.Cause) link.Cause {
	d.inside.Add(1)
	was := d.now()
	why = d.ending(was, at, why)
	e := lost
	if was.stops(d.steps.two.Load()) {
		e = ended
	}
	d.ended.Store(uint32(was))
	d.endedAt.Store(at.Taken)
	if !d.adopting && !was.is(silent) {
		d.session.lapse()
	}
	d.enter(e, at.Taken)
	d.wait()
	d.inside.Add(1)
	return why
}

// wait is a time in which nothing is answered: joints stay (cycle).
func (d *driver) wait() {
	p := d.now()
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil {
			g.block(p)
			g.publish(p)
		}
	}
}

// number returns a value of a telegram (cycle).
func (d *driver) number(r channels.Range, i int) (v float64, seen bool) {
	values := d.values
	if k := r.At + i; i < r.N && uint(k) < uint(len(values)) && values[k].Seen {
		return values[k].Num, true
	}
	return 0, false
}

// status returns what the program reports of itself and of the drives (cycle).
func (d *driver) status() int {
	if status, told := d.number(d.layout.Status, 0); told {
		return int(status)
	}
	return channels.DrivesOn
}

// take reads positions and inputs (cycle).
func (d *driver) take(text []byte, at link.Stamp) {
	l, axes := d.layout, &d.axes
	d.coarse = 0
	for i := range axes {
		a, k := &axes[i], i
		actual, setpoint := l.Actual, l.Setpoint
		if k >= channels.Axes {
			actual, setpoint, k = l.ActualExt, l.SetpointExt, k-channels.Axes
		}
		a.where, a.measured = d.number(actual, k)
		a.commanded, a.ordered = d.number(setpoint, k)
		if a.there = a.measured || a.ordered; !a.measured {
			a.where = a.commanded
		} else {
			d.coarse = max(d.coarse, d.unit(actual, k, text))
		}
	}
	span := float64(at.Span) * 1e-9
	for i := range d.groups {
		g := d.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			if a := g.first + k; uint(a) < allAxes && axes[a].there {
				joints[k].measure(axes[a].where, span)
			}
		}
	}
	for i := range l.DigitalIn.N {
		if v, seen := d.number(l.DigitalIn, i); seen {
			d.ports.SetDigitalIn(i, v != 0)
		}
	}
	for i := range l.AnalogIn.N {
		if v, seen := d.number(l.AnalogIn, i); seen {
			d.ports.SetAnalogIn(i, v)
		}
	}
}

// unit returns the unit of the last digit of a value (cycle).
func (d *driver) unit(r channels.Range, i int, text []byte) float64 {
	values := d.values
	k := r.At + i
	if uint(k) >= uint(len(values)) {
		return 1
	}
	unit, behind := 1.0, false
	for _, c := range values[k].Text.Of(text) {
		switch {
		case c == '.':
			behind = true
		case c == 'e' || c == 'E':
			return unit
		case behind && c >= '0' && c <= '9':
			unit /= 10
		}
	}
	return unit
}

// account takes over what became of the answer before: whether the controller holds it, and whether it has held still since
// (cycle).
func (d *driver) account(h *heard) {
	s := &d.session
	d.missed(h, h.at)
	if !s.linked {
		return
	}
	if h.counts {
		if grown := h.late - d.lates.Load(); grown > 0 {
			d.total.Add(uint64(grown))
		}
		d.lates.Store(h.late)
		d.worst.Store(max(d.worst.Load(), h.late))
	} else {
		d.total.Add(uint64(s.lost))
	}
	if s.lost > 0 || !s.applied {
		d.smooth.Restart()
	}
	axes := &d.axes
	for i := range axes {
		if a := &axes[i]; s.applied {
			a.held = a.sum
		} else {
			a.sum = a.held
		}
	}
	for i := range d.groups {
		if g := d.groups[i].Load(); g != nil {
			g.arrived(s.applied, s.still)
		}
	}
}

// step moves the joints (cycle).
func (d *driver) step(now int64) {
	p := d.now()
	leave := d.stop.Pressed() || d.closing.Load()
	for i := range d.groups {
		g := d.groups[i].Load()
		if g == nil {
			continue
		}
		if !g.began && p == ready { // it has come during the session
			g.begin(&d.axes)
		}
		if p == ready && leave { // joints come to rest within their limits
			g.revoke()
		}
		g.step(p, now, d.reach())
		g.publish(p)
	}
}

// reach returns by how much the joints may be led in a cycle (cycle).
func (d *driver) reach() reach {
	s := &d.session
	return reach{span: float64(s.short) * 1e-9, blindfold: s.counting == uncounted, coarse: d.coarse}
}

// corrected reports whether a sum of corrections that was asked for is not 0 (cycle).
func (d *driver) corrected() bool {
	axes := &d.axes
	for i := range axes {
		if axes[i].sum != 0 {
			return true
		}
	}
	return false
}

// attach lets the joints of a device take part; it is false when there is no place.
func (d *driver) attach(g *group) bool {
	for i := 1; i < len(d.groups); i++ {
		if d.groups[i].CompareAndSwap(nil, g) {
			return true
		}
	}
	return false
}

// detach returns when the thread of the wire does not use the joints any more.
func (d *driver) detach(g *group) {
	for i := range d.groups {
		d.groups[i].CompareAndSwap(g, nil)
	}
	for was := d.inside.Load(); was%2 == 1 && d.inside.Load() == was; {
		runtime.Gosched()
	}
}
