package kukarsi

import (
	"math"
	"runtime"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// controller is the driver of the wire: it answers telegrams (cycle). What the thread of the wire shares with others is atomic.
type controller struct {
	cfg    *wireConfig
	layout *channels.Layout
	reader *telegram.Reader
	writer *telegram.Writer
	values []telegram.Value
	out    []float64
	ports  *ports.Image
	order  order
	smooth *setpoint.Smoother
	tools  tools

	relative bool    // corrections are added by the controller
	grid     float64 // ten to the power of the digits that are written

	groups  [1 + channels.Axes]atomic.Pointer[group] // of the arm, then of devices with external axes
	inside  atomic.Uint64                            // odd while groups are used
	where   [allAxes]float64                         // newest positions, degrees or mm
	there   [allAxes]bool
	command [allAxes]float64 // newest positions that the controller commands
	ordered [allAxes]bool
	by      [allAxes]float64 // newest corrections, degrees or mm
	read    [allAxes]float64 // where the axes were when they were read
	known   bool             // they have been, since the last session that moved
	took    bool             // the start of corrections has been taken in this session
	refuse  bool
	stop    *device.Stop // of the cell
	latch   bool         // an emergency stop, loss of power or of too many telegrams in this session
	gap     bool         // it was telegrams
	rested  int          // cycles without motion
	change  bool         // the session ends because of a tool
	strange bool         // the session may have corrections that are not known
	late    int64
	asked   bool  // the session was to end
	heard   int64 // when the newest telegram came

	twoSteps atomic.Bool   // the program has a step in which positions are read
	phase    atomic.Uint32 // for everybody
	lost     atomic.Uint32 // phase in which the session was lost
	lostAt   atomic.Int64
	lates    atomic.Int64 // late answers of this session
	answers  atomic.Int64 // of this session
	worst    atomic.Int64 // late answers of any session
	total    atomic.Uint64
	apart    atomic.Uint64 // why a start was refused: axis and distance
	axis     atomic.Int32
	wrong    atomic.Int32 // field that made a telegram garbage, from 1
	fault    atomic.Uint32
	rearm    atomic.Bool
	closing  atomic.Bool
}

// Answer is a telegram and its answer (cycle).
func (c *controller) Answer(text, answer []byte, at link.Stamp) (int, link.Verdict) {
	h, fault := c.reader.Read(text, c.values)
	if fault != telegram.Good {
		c.fault.Store(uint32(fault))
		c.wrong.Store(int32(h.Wrong + 1))
		return 0, link.Verdict{Kind: link.Garbage}
	}
	v := link.Verdict{}
	if at.N > 1 {
		v = c.order.judge(h.IPOC, float64(at.Span)*1e-9/c.cfg.Cycle.Seconds(), c.cfg.Silence)
		if v.Kind != link.InOrder {
			return 0, v
		}
	}
	c.inside.Add(1)
	if at.N <= 1 {
		v.Lost = c.begin(h.IPOC, at.Time)
	}
	c.heard = at.Time
	c.take(at)
	p := c.decide(at)
	c.account(v.Lost)
	c.answers.Add(1)
	c.step(p, c.smooth.Next(at.Time))
	c.fill(p)
	c.inside.Add(1)
	if p == strange {
		return 0, v // the controller ends its session
	}
	return c.writer.Write(answer, h.Stamp.Of(text), c.out), v
}

// Lost is the end of a session (cycle).
func (c *controller) Lost(at link.Stamp, _ link.Cause) {
	c.inside.Add(1)
	was := phase(c.phase.Load())
	c.asked = was.stops(c.twoSteps.Load())
	next := offline
	if c.asked && was != leaving {
		next = between
	}
	c.lost.Store(uint32(was))
	c.lostAt.Store(at.Taken)
	c.phase.Store(uint32(next))
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.block(next)
			g.publish(next)
		}
	}
	c.inside.Add(1)
}

// begin is the first telegram of a session, or of one that the controller has never ended, and then it returns how many
// telegrams of it were lost (cycle).
func (c *controller) begin(stamp uint64, now int64) (lost uint32) {
	late, counted := c.number(c.layout.Late, 0)
	from := c.origin(stamp, now, int64(late), counted)
	c.smooth.Restart()
	c.rearm.Store(false)
	c.lates.Store(int64(late))
	c.answers.Store(0)
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.forget()
		}
	}
	if from == goneOn {
		lost = c.order.resume(stamp)
		c.latch, c.gap = true, true
		return lost
	}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.began = false
		}
	}
	c.by = [allAxes]float64{}
	c.order.begin(stamp)
	c.strange, c.took, c.refuse, c.latch, c.gap, c.change = from == unknown, false, false, false, false, false
	c.late = int64(late)
	return 0
}

// origin is what a telegram belongs to that is the first one in some time.
type origin uint8

const (
	fresh   origin = iota // a session that has just begun
	goneOn                // one that has been controlled from here: corrections are relative to its start
	unknown               // perhaps one with corrections that nobody here knows
)

// origin finds out by IPOC, by time and by the controller's count of late answers (cycle). To take a session that goes on for a
// new one, or the other way round, would be a jump of the robot: when in doubt it is not answered, so that the controller ends
// it.
func (c *controller) origin(stamp uint64, now, late int64, counted bool) origin {
	since, later := c.order.since(stamp)
	led := c.took && !c.refuse && !c.asked // corrections are not zero, and nobody has ended the session
	ended := now-c.heard > int64(c.cfg.Timeout)*int64(c.cfg.Cycle)
	switch {
	case c.heard == 0 && counted && late > 0:
		return unknown
	case c.heard == 0, !led, !later:
		return fresh
	case late > 0 && (late-c.late == since || late-c.late == since-1):
		return goneOn
	case late > 0 && late < since-1, ended, c.apartInTime(since, now):
		return fresh
	}
	return unknown
}

// apartInTime tells whether cycles are not those that have passed since the newest telegram.
func (c *controller) apartInTime(cycles, now int64) bool {
	passed := float64(now-c.heard) / float64(c.cfg.Cycle)
	return math.Abs(passed-float64(cycles)) > 2+passed/10
}

// number is a value of a telegram (cycle).
func (c *controller) number(r channels.Range, i int) (v float64, seen bool) {
	values := c.values
	if k := r.At + i; i < r.N && uint(k) < uint(len(values)) && values[k].Seen {
		return values[k].Num, true
	}
	return 0, false
}

// take reads positions and inputs (cycle).
func (c *controller) take(at link.Stamp) {
	l := c.layout
	for i := range channels.Axes {
		c.where[i], c.there[i] = c.number(l.Actual, i)
		c.command[i], c.ordered[i] = c.number(l.Setpoint, i)
		e := i + channels.Axes
		c.where[e], c.there[e] = c.number(l.ActualExt, i)
		c.command[e], c.ordered[e] = c.number(l.SetpointExt, i)
	}
	for i := range c.where {
		if !c.there[i] {
			c.where[i], c.there[i] = c.command[i], c.ordered[i]
		}
	}
	span := float64(at.Span) * 1e-9
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			if a := g.first + k; uint(a) < allAxes && c.there[a] {
				joints[k].measure(c.where[a], span)
			}
		}
	}
	for i := range l.DigitalIn.N {
		if v, seen := c.number(l.DigitalIn, i); seen {
			c.ports.SetDigitalIn(i, v != 0)
		}
	}
	for i := range l.AnalogIn.N {
		if v, seen := c.number(l.AnalogIn, i); seen {
			c.ports.SetAnalogIn(i, v)
		}
	}
}

// account finds out by the controller's count of late answers, and by telegrams that were lost, what the robot has been told
// (cycle).
func (c *controller) account(lost uint32) {
	missing := int64(lost)
	if late, seen := c.number(c.layout.Late, 0); seen {
		missing = int64(late) - c.late
		c.late = int64(late)
		c.lates.Store(c.late)
		c.worst.Store(max(c.worst.Load(), c.late))
	}
	if missing <= 0 && lost == 0 {
		c.landed(true, false)
		return
	}
	c.total.Add(uint64(max(missing, 0)))
	c.smooth.Restart()
	c.landed(missing <= int64(lost), true)
}

func (c *controller) landed(reached, still bool) {
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.arrived(reached, still)
		}
	}
}

// decide tells what may be done with the robot (cycle).
func (c *controller) decide(at link.Stamp) phase {
	p := c.judge()
	c.tools.ask(at.Time, c.twoSteps.Load())
	if c.rested++; !c.rests() {
		c.rested = 0
	}
	if p == ready && c.tools.wanted() && (c.change || c.rested > turning) {
		c.change = true
		p = changing
	}
	if p == ready && c.closing.Load() {
		p = leaving
	}
	c.phase.Store(uint32(p))
	return p
}

// turning is how many cycles a robot may rest at a point where it turns.
const turning = 25

func (c *controller) judge() phase {
	status, told := c.number(c.layout.Status, 0)
	is := channels.DrivesOn
	if told {
		is = int(status)
	}
	armed := c.rearm.Swap(false)
	c.strange = c.strange && is&channels.ReadOnly == 0
	switch {
	case c.strange:
		return strange
	case is&channels.EmergencyStop != 0:
		c.latch, c.gap = true, false
		return stopped
	case is&channels.DrivesOn == 0:
		c.latch, c.gap = true, false
		return unpowered
	case c.gap && c.twoSteps.Load(): // where the program reads positions, nothing is left of this session
		return broken
	case c.latch && (!armed || c.stop.Pressed() || !c.together(asTold)):
		return disarmed
	}
	c.latch, c.gap = false, false
	if !c.complete() {
		return blind
	}
	if is&channels.ReadOnly != 0 {
		c.readPositions()
		return reading
	}
	if !c.took {
		c.startMoving()
	}
	switch {
	case c.refuse:
		return refused
	case c.stop.Pressed() && c.rests():
		c.latch = true
		return disarmed
	}
	return ready
}

// complete tells whether the telegram has the positions of all joints there are (cycle).
func (c *controller) complete() bool {
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		for k := range g.joints {
			if a := g.first + k; uint(a) >= allAxes || !c.there[a] {
				c.axis.Store(int32(a))
				return false
			}
		}
	}
	return true
}

// readPositions is the first step of figure 11.11 (cycle).
func (c *controller) readPositions() {
	c.twoSteps.Store(true)
	c.known, c.read, c.took, c.refuse = true, c.where, false, false
	c.beginGroups()
}

// beginGroups begins without corrections (cycle).
func (c *controller) beginGroups() {
	c.by = [allAxes]float64{}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil {
			g.begin(&c.by)
		}
	}
}

// startMoving takes where the robot is as the start of corrections, if it is where it should be (cycle).
func (c *controller) startMoving() {
	c.took = true
	c.refuse = !c.together(asRead) || !c.together(asCommanded)
	c.known = false
	c.beginGroups()
	if !c.refuse {
		c.tools.loaded()
	}
}

// should is where joints should be.
type should uint8

const (
	asRead      should = iota // in the first step of the program
	asCommanded               // by the controller
	asTold                    // by this driver
)

// place is where an axis should be, if that is known (cycle).
func (c *controller) place(s should, a int, j *joint) (float64, bool) {
	if uint(a) >= allAxes {
		return 0, false
	}
	switch s {
	case asRead:
		return c.read[a], c.known
	case asCommanded:
		return c.command[a], c.ordered[a]
	default:
		return j.told * j.unit, true
	}
}

// together tells whether all joints are where they should be, and keeps which one is not (cycle).
func (c *controller) together(s should) bool {
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		joints := g.joints
		for k := range joints {
			a := g.first + k
			at, known := c.place(s, a, &joints[k])
			if !known || uint(a) >= allAxes {
				continue
			}
			if away := math.Abs(c.where[a]-at) / joints[k].unit; !(away <= c.cfg.Apart) {
				c.axis.Store(int32(a))
				c.apart.Store(math.Float64bits(away))
				return false
			}
		}
	}
	return true
}

// rests tells whether nothing moves (cycle).
func (c *controller) rests() bool {
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil && !g.rests() {
			return false
		}
	}
	return true
}

// step moves the joints (cycle).
func (c *controller) step(p phase, now int64) {
	for i := range c.groups {
		g := c.groups[i].Load()
		if g == nil {
			continue
		}
		if !g.began && p == ready { // it has come during the session
			g.begin(&c.by)
		}
		if p == ready && c.stop.Pressed() { // joints come to rest within their limits
			g.expel()
		}
		g.step(p, now)
		g.publish(p)
	}
}

// put writes a value of the answer (cycle).
func (c *controller) put(r channels.Range, i int, v float64) {
	out := c.out
	if k := r.At + i; i < r.N && uint(k) < uint(len(out)) {
		out[k] = v
	}
}

// fill writes what the answer says (cycle).
func (c *controller) fill(p phase) {
	l := c.layout
	for i := range channels.Axes {
		c.putAxis(i, c.by[i])
		c.putAxis(i+channels.Axes, c.by[i+channels.Axes]) // of a device that has gone, for ever
	}
	for i := range c.groups {
		if g := c.groups[i].Load(); g != nil && g.began {
			c.correct(g)
		}
	}
	stop := 0.0
	if p.stops(c.twoSteps.Load()) {
		stop = 1
	}
	c.put(l.Stop, 0, stop)
	c.put(l.Message, 0, float64(p))
	for i := range l.DigitalOut.N {
		on := 0.0
		if c.ports.DigitalOut(i) {
			on = 1
		}
		c.put(l.DigitalOut, i, on)
	}
	for i := range l.AnalogOut.N {
		c.put(l.AnalogOut, i, c.ports.AnalogOut(i))
	}
	if out := c.out; p == reading && l.Tool.N > 0 && uint(l.Tool.At) < uint(len(out)) {
		c.tools.offer(out[l.Tool.At:])
	}
}

// correct writes the corrections of the joints of a device (cycle).
func (c *controller) correct(g *group) {
	joints := g.joints
	for k := range joints {
		j := &joints[k]
		a, by := g.first+k, j.unit*(j.told-j.start)
		if uint(a) >= allAxes {
			continue
		}
		if c.relative {
			by = c.rounded(by) - c.rounded(j.unit*(j.kept-j.start)) // what is rounded away in one cycle comes in the next
		} else {
			c.by[a] = by
		}
		c.putAxis(a, by)
	}
}

// putAxis writes the correction of an axis (cycle).
func (c *controller) putAxis(a int, by float64) {
	if a < channels.Axes {
		c.put(c.layout.Correction, a, by)
	} else {
		c.put(c.layout.CorrectionExt, a-channels.Axes, by)
	}
}

// rounded is a value as it is written (cycle).
func (c *controller) rounded(v float64) float64 { return math.Round(v*c.grid) / c.grid }

// attach lets the joints of a device take part; it is false when there is no place.
func (c *controller) attach(g *group) bool {
	for i := 1; i < len(c.groups); i++ {
		if c.groups[i].CompareAndSwap(nil, g) {
			return true
		}
	}
	return false
}

// detach returns when the thread of the wire does not use the joints any more.
func (c *controller) detach(g *group) {
	for i := range c.groups {
		c.groups[i].CompareAndSwap(g, nil)
	}
	for was := c.inside.Load(); was%2 == 1 && c.inside.Load() == was; {
		runtime.Gosched()
	}
}
