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

const (
	fresh   origin = iota // a session that has just begun
	goneOn                // one that has been controlled from here: corrections are relative to its start
	unknown               // perhaps one with corrections that nobody here knows
)

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

const (
	asRead      should = iota // in the first step of the program
	asCommanded               // by the controller
	asTold                    // by this driver
)

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
