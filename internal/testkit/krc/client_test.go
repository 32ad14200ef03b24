package krc

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"regexp"
	"strconv"
	"testing"
)

// rsiClient is a driver that answers only when the telegram shows what the controller holds: its number and Delay say whether
// the newest answer was taken. It shows that the models ask for nothing that cannot be done.
type rsiClient struct {
	options RSIOptions // those that are configured on both sides
	goal    [Axes]float64

	opened   int64
	knows    bool   // what the controller holds
	ipoc     uint64 // of the newest telegram
	delay    int
	arrived  int64
	answered bool
	rested   bool          // the controller may have stood still since
	held     [Axes]float64 // before the newest answer
	speed    [Axes]float64 // per cycle
	asked    [Axes]float64 // by the newest answer: the sum, and the step to it
	step     [Axes]float64
	led      int
}

var (
	ipocOf  = regexp.MustCompile(`<IPOC>(\d+)</IPOC></Rob>$`)
	delayOf = regexp.MustCompile(`<Delay D="(\d+)"/>`)
)

func (c *rsiClient) answer(_ netip.AddrPort, telegram []byte, arrived, _ int64) []byte {
	ipocText, delayText := ipocOf.FindSubmatch(telegram), delayOf.FindSubmatch(telegram)
	if ipocText == nil || delayText == nil {
		return nil
	}
	ipoc, _ := strconv.ParseUint(string(ipocText[1]), 10, 64)
	delay, _ := strconv.Atoi(string(delayText[1]))
	if !c.understand(ipoc, delay, arrived) {
		return nil
	}
	c.lead()
	return sen(ipoc, c.written())
}

// understand takes in a telegram and reports whether it shows what the controller holds.
func (c *rsiClient) understand(ipoc uint64, delay int, arrived int64) bool {
	o := &c.options
	quiet := arrived - c.arrived // since the newest telegram
	before := c.ipoc
	switch {
	case c.arrived == 0:
		// RSI has just begun if nothing came for longer than it waits for answers, and if none is missing yet.
		c.knows = arrived-c.opened > int64(o.Timeout+1)*int64(o.Cycle) && delay == 0 && o.Delay != DelayZero
	case o.Resend && (ipoc == before || delay != c.delay): // which answer was taken, if any, nobody can tell by these two numbers
		c.knows = false
	case ipoc <= before:
		return false
	default:
		c.follow(int((ipoc-before)/o.Step), delay, quiet)
	}
	c.ipoc, c.delay, c.arrived, c.answered = ipoc, delay, arrived, false
	return c.knows
}

// follow finds out what became of the newest answer, some telegrams ago.
func (c *rsiClient) follow(telegrams, delay int, quiet int64) {
	missed := delay - c.delay
	if c.options.Delay == DelayInRow {
		missed = delay
	}
	switch {
	case missed == telegrams: // also the one that was answered
		c.speed = [Axes]float64{}
	case missed == telegrams-1 && c.answered:
		c.held, c.speed = c.asked, c.step
		if telegrams > 1 {
			c.speed = [Axes]float64{}
		}
	default: // RSI has begun again
		c.knows = delay < telegrams && delay < c.delay
		c.held, c.speed = [Axes]float64{}, [Axes]float64{}
	}
	c.rested = quiet > int64(c.options.Cycle)*3/2
}

// lead goes a cycle's way towards the goal. Written digits are what the controller gets.
func (c *rsiClient) lead() {
	o, cycle := &c.options, c.options.Cycle.Seconds()
	for i := range c.goal {
		least, most := o.Vel[i]*cycle, o.Acc[i]*cycle*cycle
		away := c.goal[i] - c.held[i]
		if math.Abs(away) < 2*most {
			c.goal[i] = 12 * math.Sin(float64(c.led+7*i))
		}
		want := math.Copysign(min(least, math.Sqrt(o.Acc[i]*math.Abs(away))*cycle), away)
		if c.rested { // perhaps: what is allowed must be so with and without
			want = min(max(want, -most), most)
			if want*c.speed[i] < 0 {
				want = 0
			}
			c.step[i] = want
		} else {
			c.step[i] = min(max(want, c.speed[i]-most), c.speed[i]+most)
		}
		c.asked[i] = math.Round((c.held[i]+c.step[i])*1e4) / 1e4
		c.step[i] = c.asked[i] - c.held[i]
	}
	c.answered = true
	c.led++
}

func (c *rsiClient) written() [Axes]float64 {
	if c.options.Relative {
		return c.step
	}
	return c.asked
}

func sen(ipoc uint64, by [Axes]float64) []byte {
	return fmt.Appendf(nil, `<Sen Type="ImFree"><AK A1="%.4f" A2="%.4f" A3="%.4f" A4="%.4f" A5="%.4f" A6="%.4f"/><IPOC>%d</IPOC></Sen>`,
		by[0], by[1], by[2], by[3], by[4], by[5], ipoc)
}

func newRSIClient(s *Scenario) *rsiClient {
	o := s.RSI
	o.complete()
	return &rsiClient{options: o, opened: Start}
}

// TestRSIClient: a driver that answers only when it knows what the controller holds never violates the invariant, in any
// scenario, and without slack.
func TestRSIClient(t *testing.T) {
	travel, answers := 0.0, uint64(0)
	seed, left := Sweeps(t)
	for ; left > 0; seed++ {
		s := Random(ProtocolRSI, seed)
		s.RSI.Slack = 1.001
		left -= s.Cycles
		c := newRSIClient(&s)
		r := Run(t, s, Driver{Answer: c.answer, Kill: func(now int64) { *c = *newRSIClient(&s); c.opened = now }})
		if t.Failed() {
			return
		}
		travel, answers = travel+r.RSI.Figures().Travel, answers+r.Answers
	}
	if travel < 1000 {
		t.Errorf("all arms together moved by %v degrees with %d answers", travel, answers)
	}
	t.Logf("%.0f degrees, %d answers", travel, answers)
}

// friClient is a driver that commands from where it knows that the robot is commanded: where it has asked for when no answer is
// missing, and otherwise where telegrams say when that has not changed for a while, since they may be a cycle late.
type friClient struct {
	options FRIOptions
	goal    [FRIJoints]float64
	count   uint16
	newest  uint16
	any     bool
	missed  uint32
	asked   [FRIJoints]float64
	speed   [FRIJoints]float64 // in a cycle
	told    [FRIJoints]float64
	still   int  // telegrams without gap that have told the same
	leading bool // the newest telegram was answered by a command
	led     int
}

func (c *friClient) answer(_ netip.AddrPort, b []byte, _, _ int64) []byte {
	if len(b) != friTelegram {
		return nil
	}
	number := binary.LittleEndian.Uint16(b)
	step := int16(number - c.newest)
	if c.any && step <= 0 && step > -1000 {
		return nil
	}
	f32 := func(at int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at:]))) }
	missed, command := binary.LittleEndian.Uint32(b[176:]), binary.LittleEndian.Uint16(b[144:]) == 2
	told := [FRIJoints]float64{}
	for i := range told {
		told[i] = f32(292+4*i) + f32(320+4*i)
	}
	if c.still++; told != c.told || step != 1 {
		c.still = 0
	}
	c.told = told
	switch {
	case c.leading && step == 1 && missed == c.missed && command: // it was taken
	case c.still >= 2:
		c.asked, c.speed = told, [FRIJoints]float64{}
	case command:
		c.newest, c.missed, c.any, c.leading = number, missed, true, false
		return nil
	default:
		c.asked, c.speed = told, [FRIJoints]float64{}
	}
	c.newest, c.missed, c.any, c.leading = number, missed, true, command
	if command {
		c.lead()
	}
	c.count++
	answer := make([]byte, friAnswerSize)
	for i, v := range [...]uint16{c.count, number, friAnswerSize, friAnswerID} {
		binary.LittleEndian.PutUint16(answer[2*i:], v)
	}
	answer[140] = 1
	for i, to := range c.asked {
		binary.LittleEndian.PutUint32(answer[144+4*i:], math.Float32bits(float32(to)))
	}
	return answer
}

// lead goes a cycle's way towards the goal.
func (c *friClient) lead() {
	cycle := c.options.Cycle.Seconds()
	for i := range c.goal {
		most := c.options.Acc[i] * cycle * cycle
		away := c.goal[i] - c.asked[i]
		if math.Abs(away) < 3*most {
			c.goal[i] = 0.8 * math.Sin(float64(c.led+7*i))
		}
		want := math.Copysign(min(0.99*c.options.Limits*c.options.Vel[i], math.Sqrt(c.options.Acc[i]*math.Abs(away)))*cycle, away)
		c.speed[i] = min(max(want, c.speed[i]-most), c.speed[i]+most)
		c.asked[i] += c.speed[i]
		c.led++
	}
}

func newFRIClient(s *Scenario) *friClient {
	o := s.FRI
	o.complete()
	return &friClient{options: o}
}

// TestFRIClient: the same for FRI.
func TestFRIClient(t *testing.T) {
	travel := 0.0
	seed, left := Sweeps(t)
	for ; left > 0; seed++ {
		s := Random(ProtocolFRI, seed)
		s.FRI.Slack = 1.1
		left -= s.Cycles
		c := newFRIClient(&s)
		r := Run(t, s, Driver{Answer: c.answer, Kill: func(int64) { *c = *newFRIClient(&s) }})
		if t.Failed() {
			return
		}
		travel += r.FRI.Figures().Travel
	}
	if travel < 10 {
		t.Errorf("all arms together moved by %v rad", travel)
	}
	t.Logf("%.0f rad", travel)
}
