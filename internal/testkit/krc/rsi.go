package krc

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Axes of an arm.
const Axes = 6

// RSIOptions say how a controller is configured. The zero value of a field stands for what is written there.
type RSIOptions struct {
	Cycle    time.Duration // 4 ms (#IPO_FAST) or 12 ms (#IPO); 4 ms
	Exchange time.Duration // above 0: IPOC counts exchanges, and each waits that long for its answer, as simulators do
	Resend   bool          // with Exchange: after a time-out IPOC is the same again
	FromZero bool          // the first IPOC is 0

	First, Step uint64 // IPOC of the first telegram, and from one to the next; 4485717 and the cycle in ms
	GoesOn      bool   // IPOC goes on with time between sessions, instead of beginning at First again

	HoldOn   Hold
	Relative bool // RSI_ON(#RELATIVE): corrections are added in every cycle

	Delay        Delay
	Timeout      int           // missing answers that end RSI; 100
	Again        int           // cycles after which the operator begins RSI again when it has ended; 0: never
	TimeoutInRow bool          // only missing answers in a row count for it
	Window       time.Duration // after the beginning of a cycle in which its answer is accepted; the whole cycle

	Setpoint  Setpoint // what ASPos says
	NoActual  bool     // telegrams have no AIPos
	Lag       int      // cycles by which AIPos stays behind
	Precision int      // digits of numbers in telegrams; 4

	SenType string // of answers; "ImFree"
	Element string // with the corrections A1 to A6 as attributes; "AK"
	Stop    string // element whose text 1 ends RSI; "Stop"
	Digits  int    // of corrections in answers, for the judge's tolerance; 4

	Start    []float64 // degrees; 0, -90, 90, 0, 0, 0
	Vel, Acc []float64 // limits, degrees/s and /s²; those of a KR 16, and five times the velocity
	Slack    float64   // of the Judge
}

// Hold is what becomes of a correction when an answer is missing (HOLDON of the RECEIVE element).
type Hold uint8

// Kinds of Hold. HoldUsual is what makes silence safe: 1 for absolute corrections, which stay, 0 for relative ones, which are
// not added again.
const (
	HoldUsual Hold = iota
	Hold0          // absolute corrections drop to 0
	Hold1          // relative corrections are added again
)

// Delay is what the Delay element of telegrams says.
type Delay uint8

// Kinds of Delay.
const (
	DelayTotal  Delay = iota // missing answers since RSI began
	DelayInRow               // those in a row
	DelayZero                // always 0
	DelayAbsent              // there is no such element
)

// Setpoint is what the ASPos element of telegrams says.
type Setpoint uint8

// Kinds of Setpoint.
const (
	SetpointSum        Setpoint = iota // commanded axes, corrections included
	SetpointProgrammed                 // those of the program: they stay where RSI began
	SetpointAbsent                     // there is no such element
)

// RSI is a controller on which RSI runs. All of it is for one goroutine; times are Unix times in ns.
type RSI struct {
	options RSIOptions
	judge   *plant.Judge

	on       bool
	off      int // cycles until RSI begins again; below 0: until Restart
	frozen   int // cycles in which everything but time stands still
	why      string
	begun    int64 // the newest cycle
	open     bool  // a cycle is
	ipoc     uint64
	sessions int
	cycles   uint64 // of the controller, since New

	taken      bool
	stopping   bool          // the answer that was taken ends RSI
	correction [Axes]float64 // newest ones
	sum        [Axes]float64 // what is applied
	base       [Axes]float64 // where RSI began
	missed     int
	row        int
	history    [][Axes]float64 // commanded positions, newest last
	figures    RSIFigures
}

// RSIFigures count what a controller has seen.
type RSIFigures struct {
	Telegrams, Accepted, Missed, Late, Repeated, Garbage uint64
	Timeouts, Sessions                                   uint64
	Drifts                                               uint64  // cycles in which silence moved an axis
	Travel                                               float64 // of all axes, commanded by answers, degrees
}

// NewRSI makes a controller on which RSI begins with the first cycle.
func NewRSI(o RSIOptions) *RSI {
	o.complete()
	judge, err := plant.NewJudge(plant.JudgeOptions{
		Cycle: o.Cycle.Seconds(), Vel: o.Vel, Acc: o.Acc, Slack: o.Slack, Rounding: 0.51 * math.Pow10(-o.Digits),
	}, o.Start)
	if err != nil {
		panic(err)
	}
	c := &RSI{options: o, judge: judge, ipoc: o.First}
	copy(c.base[:], o.Start)
	c.history = append(c.history, c.base)
	return c
}

func (o *RSIOptions) complete() {
	if o.Cycle == 0 {
		o.Cycle = 4 * time.Millisecond
	}
	if o.FromZero {
		o.First = 0
	} else if o.First == 0 {
		o.First = 4_485_717
	}
	if o.Step == 0 {
		o.Step = uint64(o.Cycle / time.Millisecond)
	}
	if o.Timeout == 0 {
		o.Timeout = 100
	}
	if o.Window == 0 || o.Window > o.Cycle {
		o.Window = o.Cycle
	}
	if o.Precision == 0 {
		o.Precision = 4
	}
	if o.SenType == "" {
		o.SenType = "ImFree"
	}
	if o.Element == "" {
		o.Element = "AK"
	}
	if o.Stop == "" {
		o.Stop = "Stop"
	}
	if o.Digits == 0 {
		o.Digits = 4
	}
	if o.Start == nil {
		o.Start = []float64{0, -90, 90, 0, 0, 0}
	}
	if o.Vel == nil {
		o.Vel = []float64{156, 156, 156, 330, 330, 615}
	}
	if o.Acc == nil {
		for _, v := range o.Vel {
			o.Acc = append(o.Acc, 5*v)
		}
	}
	if o.HoldOn == HoldUsual {
		o.HoldOn = Hold1
		if o.Relative {
			o.HoldOn = Hold0
		}
	}
}

// again returns how many cycles it takes until RSI begins again after it has ended, -1 for ever.
func (c *RSI) again() int {
	if c.options.Again == 0 {
		return -1
	}
	return max(c.pause(), c.options.Again)
}

// Options returns those in force.
func (c *RSI) Options() RSIOptions { return c.options }

// Begin begins a cycle and returns its telegram, or nil while RSI does not run.
func (c *RSI) Begin(now int64) []byte {
	c.begun, c.open = now, true
	c.cycles++
	if c.frozen > 0 || !c.on && c.off < 0 {
		return nil
	}
	if !c.on && c.off > 0 {
		c.off--
		if c.options.Exchange == 0 {
			c.ipoc += c.options.Step
		}
		return nil
	}
	if !c.on {
		c.start()
	}
	c.taken = false
	c.figures.Telegrams++
	return c.telegram()
}

// start is RSI_ON. The program has brought commanded and measured axes into agreement before.
func (c *RSI) start() {
	c.on, c.why = true, ""
	c.sessions++
	c.figures.Sessions++
	if c.sessions > 1 && !c.options.GoesOn {
		c.ipoc = c.options.First
	}
	c.correction, c.sum = [Axes]float64{}, [Axes]float64{}
	c.missed, c.row = 0, 0
	c.judge.Place(c.base[:])
	c.history = append(c.history[:0], c.base)
}

// stop is RSI_OFF: the axes stay where they are commanded.
func (c *RSI) stop(off int, why string) {
	if c.on {
		for i := range c.base {
			c.base[i] += c.sum[i]
		}
	}
	c.sum, c.correction = [Axes]float64{}, [Axes]float64{}
	c.on, c.off, c.why = false, off, why
}

// Take is an answer that reaches the controller.
func (c *RSI) Take(answer []byte, now int64) {
	if !c.on || !c.open || c.frozen > 0 {
		return
	}
	ipoc, correction, stop, err := readSen(answer, &c.options)
	switch {
	case err != nil:
		c.figures.Garbage++
	case ipoc != c.ipoc || c.options.Exchange == 0 && now-c.begun > int64(c.options.Window):
		c.figures.Late++
	case c.taken:
		c.figures.Repeated++
	default:
		c.taken = true
		c.figures.Accepted++
		c.correction, c.stopping = correction, stop
	}
}

// End closes the cycle: the answer that has come takes effect, or its absence does.
func (c *RSI) End(now int64) {
	if !c.open {
		return
	}
	c.open = false
	switch {
	case c.frozen > 0: // no cycle of the controller, whose axes do not see it
		c.frozen--
		return
	case !c.on:
		return
	case c.taken:
		c.apply()
		c.row = 0
		if c.stopping {
			c.stop(c.again(), "stopped by the driver")
		}
	default:
		c.miss()
	}
	if c.on && (c.taken || !c.options.Resend || c.options.Exchange == 0) {
		c.ipoc += c.options.Step
	}
	c.remember()
}

// apply brings the corrections of an answer into effect.
func (c *RSI) apply() {
	c.add()
	pos := c.Commanded()
	for i := range pos {
		c.figures.Travel += math.Abs(pos[i] - c.judge.Position(i))
	}
	c.judge.Ask(pos[:])
}

func (c *RSI) add() {
	if !c.options.Relative {
		c.sum = c.correction
		return
	}
	for i := range c.sum {
		c.sum[i] += c.correction[i]
	}
}

// miss is a cycle without answer.
func (c *RSI) miss() {
	c.figures.Missed++
	c.missed++
	c.row++
	before := c.sum
	switch {
	case c.options.HoldOn == Hold0:
		c.correction = [Axes]float64{}
		c.add()
	case c.options.Relative:
		c.add()
	}
	if pos := c.Commanded(); c.sum != before {
		c.figures.Drifts++
		c.judge.Ask(pos[:])
	} else {
		c.judge.Hold()
	}
	count := c.missed
	if c.options.TimeoutInRow {
		count = c.row
	}
	if count >= c.options.Timeout {
		c.figures.Timeouts++
		c.stop(c.again(), "RSITimeout")
	}
}

func (c *RSI) remember() {
	c.history = append(c.history, c.Commanded())
	if keep := c.options.Lag + 1; len(c.history) > keep {
		c.history = c.history[len(c.history)-keep:]
	}
}

// Due returns when the cycle that is open ends and the next one begins.
func (c *RSI) Due() int64 {
	cycle := int64(c.options.Cycle)
	if c.options.Exchange == 0 || !c.on || c.taken || c.frozen > 0 {
		return c.begun + cycle
	}
	return c.begun + max(cycle, int64(c.options.Exchange))
}

// Restart ends RSI and begins it again some cycles later, where the axes are then, as the operator does. It takes a cycle at
// least: the program goes through RSI_OFF and RSI_ON.
func (c *RSI) Restart(cycles int) { c.stop(max(c.pause(), cycles), "restarted") }

// pause returns the least number of cycles from RSI_OFF to RSI_ON. Where IPOC goes on and telegrams do not count missing answers, the
// next session looks like the one before with as many telegrams lost, to everybody. It is taken to begin later than such losses are
// waited for: programs need longer than that for RSI_CREATE and for the motion to where the axes are. Counted in either way, Delay
// tells: with n telegrams lost it is n at least, and less where a session began between. Counted in a row it does not where IPOC counts
// exchanges, as between two sessions there are none: Delay is 0 on both sides.
func (c *RSI) pause() int {
	counts := c.options.Delay == DelayTotal || c.options.Delay == DelayInRow && c.options.Exchange == 0
	if !c.options.GoesOn || counts {
		return 1
	}
	return longestLoss
}

// longestLoss is how many cycles drivers wait for a telegram of a session.
const longestLoss = 12

// Jog moves the axes while RSI is off, as an operator does by hand.
func (c *RSI) Jog(by [Axes]float64) {
	if c.on {
		return
	}
	for i := range c.base {
		c.base[i] += by[i]
	}
	c.judge.Place(c.base[:])
}

// Freeze lets everything but time stand still for some cycles: no telegrams, IPOC and Delay do not count, corrections and speeds
// stay. So does a simulator that is paused. A real controller does not.
func (c *RSI) Freeze(cycles int) { c.frozen = cycles }

// On reports whether RSI runs; Why is why it does not.
func (c *RSI) On() bool { return c.on }

// Why returns why RSI does not run.
func (c *RSI) Why() string { return c.why }

// IPOC returns the i p o c of the newest telegram.
func (c *RSI) IPOC() uint64 { return c.ipoc }

// Cycles returns how many cycles have begun.
func (c *RSI) Cycles() uint64 { return c.cycles }

// Held returns the sum of corrections that the controller holds, and the speed of each axis, degrees and degrees/s.
func (c *RSI) Held() (sum, speed [Axes]float64) {
	for i := range speed {
		speed[i] = c.judge.Speed(i)
	}
	return c.sum, speed
}

// Commanded returns where the axes are commanded, degrees.
func (c *RSI) Commanded() (pos [Axes]float64) {
	for i := range pos {
		pos[i] = c.base[i] + c.sum[i]
	}
	return pos
}

// Figures count what the controller has seen.
func (c *RSI) Figures() RSIFigures { return c.figures }

// Violations returns those of the invariant, the first ones.
func (c *RSI) Violations() []plant.Violation { return c.judge.Violations() }

// Judge returns who counts them.
func (c *RSI) Judge() *plant.Judge { return c.judge }

// telegram writes the telegram of a cycle.
func (c *RSI) telegram() []byte {
	o := &c.options
	var b bytes.Buffer
	b.WriteString(`<Rob Type="KUKA"><RIst X="0.0000" Y="0.0000" Z="0.0000" A="0.0000" B="0.0000" C="0.0000"/>`)
	axes := func(name string, of [Axes]float64) {
		fmt.Fprintf(&b, "<%s", name)
		for i, v := range of {
			fmt.Fprintf(&b, ` A%d="%s"`, i+1, strconv.FormatFloat(v, 'f', o.Precision, 64))
		}
		b.WriteString("/>")
	}
	if !o.NoActual {
		axes("AIPos", c.history[0])
	}
	switch o.Setpoint {
	case SetpointSum:
		axes("ASPos", c.Commanded())
	case SetpointProgrammed:
		axes("ASPos", c.base)
	}
	switch o.Delay {
	case DelayTotal:
		fmt.Fprintf(&b, `<Delay D="%d"/>`, c.missed)
	case DelayInRow:
		fmt.Fprintf(&b, `<Delay D="%d"/>`, c.row)
	case DelayZero:
		b.WriteString(`<Delay D="0"/>`)
	}
	fmt.Fprintf(&b, "<IPOC>%d</IPOC></Rob>", c.ipoc)
	return b.Bytes()
}

// senXML is an answer as encoding/xml reads it.
type senXML struct {
	XMLName  xml.Name `xml:"Sen"`
	Type     string   `xml:"Type,attr"`
	IPOC     string   `xml:"IPOC"`
	Elements []struct {
		XMLName xml.Name
		Attrs   []xml.Attr `xml:",any,attr"`
		Text    string     `xml:",chardata"`
	} `xml:",any"`
}

// readSen reads IPOC, corrections and the stop bit of an answer. Corrections that it does not have are 0.
func readSen(answer []byte, o *RSIOptions) (ipoc uint64, by [Axes]float64, stop bool, err error) {
	var s senXML
	if err := xml.Unmarshal(answer, &s); err != nil {
		return 0, by, false, err
	}
	if s.Type != o.SenType {
		return 0, by, false, fmt.Errorf("type %q", s.Type)
	}
	if ipoc, err = strconv.ParseUint(s.IPOC, 10, 64); err != nil {
		return 0, by, false, err
	}
	for _, e := range s.Elements {
		stop = stop || e.XMLName.Local == o.Stop && e.Text == "1"
		if e.XMLName.Local != o.Element {
			continue
		}
		for _, a := range e.Attrs {
			n, err := strconv.Atoi(a.Name.Local[1:])
			if err != nil || n < 1 || n > Axes {
				return 0, by, false, fmt.Errorf("attribute %s", a.Name.Local)
			}
			if by[n-1], err = strconv.ParseFloat(a.Value, 64); err != nil {
				return 0, by, false, err
			}
		}
	}
	return ipoc, by, stop, nil
}

// happen does what the operator does.
func (c *RSI) happen(e Event) {
	switch e.What {
	case Restart, RestartAt:
		c.Restart(e.N)
	case Freeze:
		c.Freeze(e.N)
	case Jog:
		c.Restart(e.N)
		by := [Axes]float64{}
		for i := range by {
			by[i] = float64((e.Cycle*(i+3))%41) - 20
		}
		c.Jog(by)
	}
}

// session tells answers of one from those of others, whose IPOC may be the same.
func (c *RSI) session() int { return c.sessions }

func (c *RSI) story() (format string, args []any) {
	if !c.on {
		return "RSI is off, %s", []any{c.why}
	}
	return "IPOC then %d, taken %t, sum %.4f", []any{c.ipoc, c.taken, c.sum}
}
