package rsisim

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/channels"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/telegram"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Controller is a simulated controller. Begin, Take and End make up a cycle; all of it is for one goroutine at a time.
type Controller struct {
	options Options
	layout  *channels.Layout
	reader  *telegram.Reader
	values  []telegram.Value
	plant   *plant.Joints
	judge   *plant.Judge
	tell    func(Event)
	text    text

	cycle    uint64
	phase    Phase
	pause    int  // cycles until the program goes on
	readDone bool // the next session moves
	cause    string

	session Session
	command [axes]float64 // of the axes, absolute
	speed   [axes]float64 // of the command in the last cycle, 1/s
	start   [axes]float64 // of the session
	in, out [2][]float64  // digital and analog values
	tool    Tool
}

// Phase is the phase of the controller's program.
type Phase string

// Phases of the program.
const (
	Halted  Phase = "halted"  // until the operator starts it
	Waiting Phase = "waiting" // between two sessions
	Reading Phase = "reading" // a session in which positions are read
	Moving  Phase = "moving"  // a session in which corrections move the robot
)

// Session lasts from RSI_ON to RSI_OFF.
type Session struct {
	Number     int
	IPOC       uint64
	Answers    int // that were taken
	Late       int // that were not there in time
	InARow     int
	Stopped    bool // the stop bit has been set
	Message    string
	taken      bool // in this cycle
	correction [axes]float64
}

// Tool is a load that the program has set.
type Tool struct {
	Number        int
	X, Y, Z       float64 // mm
	Mass          float64
	IX, IY, IZ    float64
	Loaded        int // how many times
	valuesOffered [channels.ToolValues]float64
}

// Event is something that has happened.
type Event struct {
	Cycle uint64 `json:"cycle"`
	Event string `json:"event"`
	Text  string `json:"text,omitempty"`
}

// New makes a controller whose program runs, and which reports what happens.
func New(o Options, tell func(Event)) (*Controller, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	layout, err := o.Layout()
	if err != nil {
		return nil, err
	}
	c := &Controller{options: o, layout: layout, tell: tell, phase: Waiting, pause: 1, readDone: !o.ReadFirst}
	if c.reader, err = telegram.NewReader("Sen", layout.Sen); err != nil {
		return nil, err
	}
	c.values = make([]telegram.Value, len(layout.Sen))
	if c.plant, err = plant.New(o.Options, o.Cycle, o.Start, o.Acc); err != nil {
		return nil, err
	}
	// Answers have four digits.
	if c.judge, err = plant.NewJudge(plant.JudgeOptions{Cycle: o.Cycle.Seconds(), Vel: o.Vel, Acc: o.Acc, Rounding: 0.51e-4}, o.Start); err != nil {
		return nil, err
	}
	copy(c.command[:], o.Start)
	c.in = [2][]float64{make([]float64, layout.DigitalIn.N), make([]float64, layout.AnalogIn.N)}
	c.out = [2][]float64{make([]float64, layout.DigitalOut.N), make([]float64, layout.AnalogOut.N)}
	c.text.open(&c.options, layout)
	return c, nil
}

func (c *Controller) happen(event, format string, args ...any) {
	if c.tell != nil {
		c.tell(Event{Cycle: c.cycle, Event: event, Text: fmt.Sprintf(format, args...)})
	}
}

// on reports whether RSI runs.
func (c *Controller) on() bool { return c.phase == Reading || c.phase == Moving }

// Begin begins a cycle. It returns its telegram, nil while RSI does not run.
func (c *Controller) Begin() []byte {
	c.cycle++
	if c.phase == Waiting {
		if c.pause--; c.pause <= 0 {
			c.rsiOn()
		}
	}
	if !c.on() {
		return nil
	}
	c.session.taken = false
	return c.text.telegram(c)
}

// rsiOn begins a session. A motion to where the axes are measured comes first, so that command and axes agree.
func (c *Controller) rsiOn() {
	c.phase = Reading
	if c.readDone {
		c.phase = Moving
	}
	stamp := c.options.Stamp
	if c.options.GoesOn && c.session.Number > 0 {
		stamp = c.session.IPOC + uint64(max(1, c.options.Pause))*c.options.Step
	}
	c.session = Session{Number: c.session.Number + 1, IPOC: stamp}
	for i := range axes {
		c.start[i] = c.plant.Position(i)
		c.command[i], c.speed[i] = c.start[i], 0
	}
	c.judge.Place(c.start[:])
	c.cause = ""
	c.happen(string(c.phase), "session %d", c.session.Number)
}

// rsiOff ends it, and lets the program go on after a pause.
func (c *Controller) rsiOff(next Phase) {
	c.phase, c.pause = next, max(1, c.options.Pause)
	for i := range axes {
		c.speed[i] = 0
	}
}

// fail ends the session for a reason that the operator has to see to.
func (c *Controller) fail(event, format string, args ...any) {
	if !c.on() {
		return
	}
	c.cause = event
	c.rsiOff(Halted)
	c.happen(event, format, args...)
}

// Take takes an answer that has come.
func (c *Controller) Take(answer []byte) {
	if !c.on() {
		return
	}
	h, fault := c.reader.Read(answer, c.values)
	switch {
	case fault != telegram.Good:
		c.happen("not understood", "%v", fault)
	case string(h.Type.Of(answer)) != c.options.SenType:
		c.happen("wrong type", "%q instead of %q", h.Type.Of(answer), c.options.SenType)
	case h.IPOC != c.session.IPOC:
		c.happen("late", "the answer to %d has come at %d", h.IPOC, c.session.IPOC)
	case c.session.taken:
		c.happen("repeated", "the answer to %d has come again", h.IPOC)
	default:
		c.session.taken = true
		c.session.Answers++
		c.take(answer)
	}
}

// value returns what an answer says of a channel; one that it does not have keeps its value.
func (c *Controller) value(r channels.Range, i int, old float64) float64 {
	if i < r.N && c.values[r.At+i].Seen {
		return c.values[r.At+i].Num
	}
	return old
}

func (c *Controller) take(answer []byte) {
	s, l := &c.session, c.layout
	if l.Message.N > 0 && c.values[l.Message.At].Seen {
		s.Message = telegram.Unescape(string(c.values[l.Message.At].Text.Of(answer)))
	}
	for i := range channels.Axes {
		s.correction[i] = c.value(l.Correction, i, s.correction[i])
		s.correction[channels.Axes+i] = c.value(l.CorrectionExt, i, s.correction[channels.Axes+i])
	}
	for i := range c.out[0] {
		c.out[0][i] = c.value(l.DigitalOut, i, c.out[0][i])
	}
	for i := range c.out[1] {
		c.out[1][i] = c.value(l.AnalogOut, i, c.out[1][i])
	}
	s.Stopped = s.Stopped || c.value(l.Stop, 0, 0) != 0
	if c.phase == Reading && l.Tool.N > 0 {
		for i := range c.tool.valuesOffered {
			c.tool.valuesOffered[i] = c.value(l.Tool, i, 0)
		}
	}
}

// End ends a cycle: answers take effect.
func (c *Controller) End() {
	if c.on() && (c.plant.Powered() || !c.options.Stays) {
		c.cycleOfRSI()
	} else if c.on() {
		c.count()
	}
	c.plant.Step(c.command[:])
	if c.on() {
		c.session.IPOC += c.options.Step
	}
	if c.options.Looped {
		for k := range c.in {
			copy(c.in[k], c.out[k])
		}
	}
}

// count keeps account of answers that are not there. It is false when there have been too many.
func (c *Controller) count() bool {
	s := &c.session
	if s.taken {
		s.InARow = 0
		if c.options.Forgiving {
			s.Late = 0
		}
		return true
	}
	s.Late++
	s.InARow++
	if s.Late < c.options.Timeout {
		return true
	}
	c.fail("RSITimeout", "%s late", device.Counted(s.Late, "answer was", "answers were"))
	return false
}

// cycleOfRSI moves the command by the corrections, and stops when asked.
func (c *Controller) cycleOfRSI() {
	if !c.count() {
		return
	}
	if !c.session.taken && !c.options.Hold {
		c.session.correction = [axes]float64{}
	}
	c.look()
	for i := range axes {
		if !c.correct(i) {
			return
		}
	}
	if !c.session.Stopped {
		return
	}
	c.happen("stopped", "the stop bit is set")
	switch {
	case c.phase == Reading:
		c.loadTool()
		c.readDone = true
		c.rsiOff(Waiting)
	case c.options.ReadFirst:
		c.readDone = false
		c.rsiOff(Waiting)
	default:
		c.cause = "the program has ended"
		c.rsiOff(Halted)
	}
}

// look lets the judge look at what this cycle asks of the axes, before any limit of the controller applies.
func (c *Controller) look() {
	var to [axes]float64
	for i := range to {
		to[i] = c.start[i] + c.asked(i)
	}
	if !c.session.taken && to == c.command {
		c.judge.Hold()
		return
	}
	if n := c.judge.Ask(to[:]); n > 0 {
		c.happen("jump", "%v", c.judge.Newest())
	}
}

// asked returns the sum of corrections of an axis that this cycle asks for.
func (c *Controller) asked(i int) float64 {
	if c.options.Relative {
		return c.session.correction[i] + c.command[i] - c.start[i]
	}
	return c.session.correction[i]
}

// correct applies the correction of an axis and checks whether a robot would bear it.
func (c *Controller) correct(i int) bool {
	o, s := &c.options, &c.session
	by := c.asked(i)
	if by < o.Lower[i] || by > o.Upper[i] {
		c.happen("limited", "axis %d: a correction of %v is beyond AXISCORR", i+1, by)
		by = min(max(by, o.Lower[i]), o.Upper[i])
		c.judge.Stop(i, c.start[i]+by)
	}
	goal := c.start[i] + by
	period := o.Cycle.Seconds()
	unit := 1.1 * math.Pow10(-o.Precision) // of what is written
	speed := (goal - c.command[i]) / period
	change := math.Abs(speed - c.speed[i])
	switch {
	case i >= channels.Axes+o.External && by != 0:
		c.fail("no such axis", "E%d is corrected by %v", i-channels.Axes+1, by)
	case c.phase == Reading && math.Abs(by) > unit:
		c.fail("moved", "axis %d is corrected by %v while positions are read", i+1, by)
	case math.Abs(by) > o.Most[i]:
		c.fail("AXISCORRMON", "axis %d: the correction is %v", i+1, by)
	case math.Abs(speed) > 1.02*o.Vel[i]+2*unit/period:
		c.fail("KSS01102", "axis %d: a step of %v in one cycle, %v is allowed", i+1, goal-c.command[i], o.Vel[i]*period)
	case s.taken && change > o.Harsh*o.Acc[i]*period+4*unit/period:
		c.fail("KSS01073", "axis %d: the speed changes from %v to %v in one cycle", i+1, c.speed[i], speed)
	default:
		c.command[i], c.speed[i] = goal, speed
		return true
	}
	return false
}

// loadTool is what the program does between the two sessions.
func (c *Controller) loadTool() {
	v := c.tool.valuesOffered
	if n := int(v[channels.ToolNumber]); n == 0 || n == c.tool.Number {
		return
	}
	c.tool = Tool{
		Number: int(v[channels.ToolNumber]), X: v[channels.ToolX], Y: v[channels.ToolY], Z: v[channels.ToolZ], Mass: v[channels.ToolMass],
		IX: v[channels.ToolIX], IY: v[channels.ToolIY], IZ: v[channels.ToolIZ], Loaded: c.tool.Loaded + 1,
	}
	c.happen("tool", "number %d, %v kg", c.tool.Number, c.tool.Mass)
}
