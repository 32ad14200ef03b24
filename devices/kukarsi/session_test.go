package kukarsi_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// states are what the device goes through while cycles pass, each once.
type states []string

func (s *states) look(d device.Device) {
	is := d.Status()
	text := is.State.String()
	if is.Cause != "" {
		text += ": " + is.Cause
	}
	if n := len(*s); n == 0 || (*s)[n-1] != text {
		*s = append(*s, text)
	}
}

// watch lets cycles pass and looks at the device after each of them.
func (c *cell) watch(n int) (seen states) {
	seen.look(c.arm)
	for range n {
		c.run(1)
		seen.look(c.arm)
	}
	return seen
}

// listening is what the device is while the first telegrams of a session are not answered.
const listening = "safe-operational: listening until it is clear which corrections the controller holds"

// probe is how many telegrams of a session are not answered, to see whether the controller counts them.
const probe = 2

// TestBeginning is figure 11.11: positions are read, then the robot is controlled.
func TestBeginning(t *testing.T) {
	c := open(t, nil, nil)
	want := states{
		"offline: no controller has called at 192.168.10.1:49152",
		listening,
		"safe-operational: the program is having positions read",
		"safe-operational: the program is between two sessions",
		listening,
		"operational",
	}
	if diff := cmp.Diff(want, c.watch(100)); diff != "" {
		t.Error(diff)
	}
	if s := c.station.Status(); s.Phase != rsisim.Moving || s.Late != probe || s.Message != "rccd: control" {
		t.Errorf("%+v", s)
	}
	for i, at := range []float64{0, -90, 90, 0, 0, 0} {
		if j := c.arm.Joint(i); math.Abs(j.Commanded.Pos-at*math.Pi/180) > 1e-5 || j.Commanded.Pos != j.Measured.Pos {
			t.Errorf("joint %d begins at %+v", i, j)
		}
	}
	c.smooth()
}

// drive moves a joint all the time while things happen, and looks at what the robot is commanded. The net begins again when it
// is refused, as a client does, once the arm is operational again.
func (c *cell) drive(cycles int, happen func(k int)) (refused int) {
	c.t.Helper()
	s := c.swing(1, 0.3, 2)
	quiet := 0
	for k := range cycles {
		if happen != nil {
			happen(k)
		}
		if quiet > 0 {
			quiet--
			c.run(1)
			if quiet == 0 {
				s = c.swing(1, 0.3, 2)
			}
			continue
		}
		c.cycle(s)
		if c.arm.Joint(1).Fault != device.JointGood {
			refused++
			quiet = 300
		}
	}
	return refused
}

// TestLosses loses, delays and repeats telegrams and answers in full motion: the net is not disturbed, the robot never jumps,
// and what was late is reported.
func TestLosses(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		late          int
	}{
		{"one telegram", "lose 1", 1},
		{"five telegrams", "lose 5", 5},
		{"one answer", "lose-answers 1", 1},
		{"five answers", "lose-answers 5", 5},
		{"one late answer", "late 5ms 1", 1},
		{"late answers", "late 7ms 6", 6},
		{"repeated telegrams", "repeat 50", 0},
	} {
		for _, change := range []func(o *rsisim.Options){nil, func(o *rsisim.Options) { o.Forgiving = true }} {
			t.Run(fmt.Sprintf("%s/%t", tt.name, change != nil), func(t *testing.T) {
				c := ready(t, change, nil)
				worst := 0
				n := c.drive(900, func(k int) {
					if k%97 == 50 && k < 500 {
						c.command(tt.command)
					}
					worst = max(worst, c.station.Status().Late)
				})
				c.smooth()
				if n > 0 || c.arm.Status().State != device.Operational {
					t.Errorf("%d times refused, %+v", n, c.arm.Status())
				}
				if want := probe + 5*tt.late; change == nil && worst != want {
					t.Errorf("%d late answers, not %d", worst, want)
				}
			})
		}
	}
}

// TestLossWithoutCount: a controller does not count late answers: axes stay near where they are measured. A net that is slow
// enough is not disturbed by losses, a faster one is refused.
func TestLossWithoutCount(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.Late = "" }, params{"late": ""})
	lead := func(amp, rate float64) (fault device.JointFault) {
		s := c.swing(1, amp, rate)
		for k := range 1500 {
			if k%97 == 50 {
				c.command("lose 4")
			}
			c.cycle(s)
			if f := c.arm.Joint(1).Fault; f != device.JointGood {
				fault = f
			}
		}
		c.run(500)
		return fault
	}
	from := c.arm.Joint(1).Commanded.Pos
	if f := lead(0.005, 0.3); f != device.JointGood {
		t.Error(f)
	}
	if to := c.arm.Joint(1).Commanded.Pos; math.Abs(to-from) < 0.001 {
		t.Errorf("from %v to %v", from, to)
	}
	if f := lead(0.3, 2); f == device.JointGood {
		t.Error("a fast net is not refused")
	}
	c.smooth()
}

// TestWarning: the state speaks of late answers before they end the session, and only as long as they matter.
func TestWarning(t *testing.T) {
	c := ready(t, nil, nil)
	c.run(100)
	c.command("lose-answers 20")
	c.until(device.Operational, "10 answers in a row were late or missing: at 100 the controller ends the session")
	c.run(12) // answers arrive again
	if s := c.arm.Status(); s.Cause != "answers are late or missing, 22 of this session so far" {
		t.Error(s)
	}
	c.run(300)
	if s := c.arm.Status(); s.Cause != "" {
		t.Errorf("a second after the last one: %v", s)
	}
	c.command("lose-answers 40")
	c.run(350)
	if s := c.arm.Status(); s.Cause != "62 answers of this session were late or missing: a controller that counts all of them ends the session at 100" {
		t.Error(s)
	}

	c.command("type Another")
	c.until(device.Offline, "RSITimeout: 100 answers were late or missing")
	if c.happened("RSITimeout") != 1 || c.happened("wrong type") == 0 {
		t.Error(c.events)
	}
}

// TestWrongType: when the controller takes no answer at all, the state says what may be the reason.
func TestWrongType(t *testing.T) {
	c := open(t, func(o *rsisim.Options) { o.SenType = "Other"; o.ReadFirst = false }, nil)
	c.until(device.Operational, "it takes none at all: they do not arrive, or SENTYPE of its XML file and the parameter sen_type differ")
	c.until(device.Offline, "the session ended under control: RSITimeout: the controller took none of the answers: they do not arrive, or SENTYPE")
}

// stoppedCalling is what the state says when telegrams stop and nothing had been wrong before.
const stoppedCalling = "the session ended under control: telegrams stopped without notice: network, cable, power, emergency stop, or the program was halted"

// TestSilence: when the controller is gone in full motion, the robot stays where it was commanded to be, and a net that goes on is
// not followed when there is a new session.
func TestSilence(t *testing.T) {
	c := ready(t, nil, nil)
	s := c.swing(0, 0.5, 2)
	for range 100 {
		c.cycle(s)
	}
	told := c.arm.Joint(0).Commanded
	if told.Vel == 0 {
		t.Fatal("it does not move")
	}
	c.command("lose 50")
	for range 30 {
		c.cycle(s)
	}
	j := c.arm.Joint(0)
	if j.Commanded.Pos != told.Pos || j.Commanded.Vel != 0 || j.Fault == device.JointGood {
		t.Errorf("after the loss %+v, before %+v", j, told)
	}
	if is := c.arm.Status(); is.State != device.Offline || is.Cause != stoppedCalling {
		t.Error(is)
	}
	seen := states{}
	for range 300 { // the controller has not ended the session, but the program goes back
		c.cycle(s)
		seen.look(c.arm)
	}
	want := states{
		"offline: " + stoppedCalling,
		listening,
		"safe-operational: telegrams were missing for too long: the program is sent back to where positions are read",
		"safe-operational: the program is between two sessions",
		listening,
		"safe-operational: the program is having positions read",
		"safe-operational: the program is between two sessions",
		listening,
		"safe-operational: nets that commanded joints before control began must end first",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if j := c.arm.Joint(0); j.Fault == device.JointGood || j.Commanded.Vel != 0 {
		t.Errorf("the net goes on: %+v", j)
	}
	c.until(device.Operational, "")
	c.drive(300, nil)
	if c.arm.Joint(1).Fault != device.JointGood {
		t.Error("a new net is refused")
	}
	c.smooth()
}

// TestGapInOneSession: a program without the first step cannot be sent back. It has to be re-armed, and goes on from where the robot
// was commanded to be.
func TestGapInOneSession(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.ReadFirst = false }, nil)
	s := c.swing(0, 0.5, 2)
	for range 100 {
		c.cycle(s)
	}
	c.command("lose 50")
	c.run(60)
	c.until(device.SafeOperational, "telegrams were missing for too long, and the session goes on: re-arm the robot (rccctl device tell arm rsi rearm=true)")
	told := c.arm.Joint(0).Commanded.Pos
	c.run(200)
	c.tell("rsi", params{"rearm": "true"})
	c.until(device.Operational, "")
	if at := c.arm.Joint(0).Commanded.Pos; at != told {
		t.Errorf("at %v instead of %v", at, told)
	}
	if n := c.drive(300, nil); n != 0 || c.station.Status().Session != 1 {
		t.Errorf("%d times refused, %+v", n, c.station.Status())
	}
	c.smooth()
}

// TestRearmInPauses: who re-arms the robot means it also when another pause begins at that moment; but neither a stop that is to come
// nor one that is long over is meant.
func TestRearmInPauses(t *testing.T) {
	rearm := func(c *cell) { c.tell("rsi", params{"rearm": "true"}) }
	pause := func(c *cell) { c.command("lose 50") }
	for _, tt := range []struct {
		name   string
		happen func(c *cell)
		armed  bool
	}{
		{"before another pause", func(c *cell) { rearm(c); pause(c); c.run(200) }, true},
		{"in another pause", func(c *cell) { pause(c); c.run(30); rearm(c); c.run(200) }, true},
		{"in two other pauses", func(c *cell) {
			pause(c)
			c.run(30)
			rearm(c)
			c.run(22)
			pause(c)
			c.run(200)
		}, true},
		{"twice, before another pause", func(c *cell) {
			rearm(c)
			c.run(20)
			rearm(c)
			c.run(20)
			pause(c)
			c.run(200)
		}, false},
		{"as the robot was pushed away, which is over later", func(c *cell) {
			c.station.Push(1, 3e4)
			c.run(100)
			rearm(c)
			c.run(1500)
			c.station.Push(1, 0)
			c.run(500)
		}, false},
		{"as the robot was pushed away, which is over soon", func(c *cell) {
			c.station.Push(1, 3e4)
			c.run(100)
			rearm(c)
			c.run(100)
			c.station.Push(1, 0)
			c.run(500)
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, func(o *rsisim.Options) { o.ReadFirst, o.Timeout = false, 1000 }, params{"timeout": "1000"})
			s := c.swing(0, 0.5, 2)
			for range 100 {
				c.cycle(s)
			}
			pause(c)
			c.run(60)
			c.until(device.SafeOperational, "re-arm the robot")
			tt.happen(c)
			if is := c.arm.Status(); (is.State == device.Operational) != tt.armed || !tt.armed && !strings.Contains(is.Cause, "re-arm the robot") {
				t.Error(is)
			}
			c.smooth()
		})
	}
}

// TestStopped: when the daemon has not run for longer than a lapse, the net that goes on is refused. State and log say why, the state
// until a net moves the joint.
func TestStopped(t *testing.T) {
	c := ready(t, nil, nil)
	start, missed := c.arm.Joint(0).Commanded.Pos, int64(0)
	k := 0
	lead := func() {
		now := c.now()
		now.Time, now.Missed = now.Time+int64(c.period), missed
		now.Cycle = uint64(k + 1)
		at := float64(k) * c.period.Seconds()
		c.arm.CommandPosition(0, start+0.3*(1-math.Exp(-at*at))*(1-math.Cos(at)), now)
		k++
	}
	for range 200 {
		lead()
		c.run(1)
	}
	const why = "the net of A1 was refused at"
	told := func() bool { return strings.Contains(c.arm.Status().Cause, why) }
	if diary := strings.Join(c.arm.Diary(), "\n"); told() || strings.Contains(diary, why) {
		t.Errorf("before: %+v, %s", c.arm.Status(), diary)
	}
	c.run(50) // telegrams that have queued are answered
	missed = 50 * int64(c.period)
	lead()
	c.run(100)
	if diary := strings.Join(c.arm.Diary(), "\n"); !told() || !strings.Contains(diary, why) {
		t.Errorf("afterwards: %+v, %s", c.arm.Status(), diary)
	}
	again := c.swing(0, 0.3, 2)
	for range 100 {
		c.cycle(again)
	}
	if told() {
		t.Errorf("when another net moves: %+v", c.arm.Status())
	}
	c.smooth()
}

// TestUnknownCorrections: where it is unknown whether the controller still adds corrections to the start of an old session, it is not
// answered, and ends that session. A new one is controlled.
func TestUnknownCorrections(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(o *rsisim.Options)
		params params
		happen func(c *cell)
	}{
		{"the device is another one", nil, nil, func(c *cell) {
			if err := c.arm.Close(); err != nil {
				c.t.Fatal(err)
			}
			c.run(5)
			d, err := c.create("arm", "kuka_kr_arm_rsi", params{"ethernet": "udp"})
			if err != nil {
				c.t.Fatal(err)
			}
			c.arm = d.(*kukarsi.Arm)
		}},
		{"no count of late answers", func(o *rsisim.Options) { o.Late = "" }, params{"late": ""}, func(c *cell) {
			c.command("lose 15")
			c.run(15)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, tt.change, tt.params)
			s := c.swing(0, 0.5, 2)
			for range 200 {
				c.cycle(s)
			}
			tt.happen(c)
			c.until(device.SafeOperational, "not answering, as it is not known which corrections the controller holds")
			answers := c.station.Status().Answers
			c.until(device.Offline, "")
			if s := c.station.Status(); s.Phase != rsisim.Halted || s.Cause != "RSITimeout" || s.Answers != answers {
				t.Errorf("%+v", s)
			}
			c.command("start")
			c.until(device.Operational, "")
			c.drive(300, nil)
			c.smooth()
		})
	}
}

// TestSessionsBeginAnew: restarts are noticed by IPOC, whether it falls, jumps or begins again after a few telegrams, by the port
// and by time.
func TestSessionsBeginAnew(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(o *rsisim.Options)
		after  int
	}{
		{"IPOC from the beginning", nil, 500},
		{"soon", nil, 3},
		{"IPOC goes on", func(o *rsisim.Options) { o.GoesOn = true }, 500},
		{"steps of one", func(o *rsisim.Options) { o.Step, o.Stamp = 1, 0 }, 200},
		{"large", func(o *rsisim.Options) { o.Stamp = 1 << 62 }, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, tt.change, nil)
			c.run(tt.after)
			sessions := c.arm.Link().Statistics().Sessions
			c.drive(200, nil)
			c.command("restart")
			refused := c.drive(700, nil)
			c.until(device.Operational, "")
			if got := c.arm.Link().Statistics().Sessions - sessions; got < 2 || refused == 0 {
				t.Errorf("%d sessions, %d times refused", got, refused)
			}
			c.smooth()
		})
	}
}

// TestTool changes the load: the program is stopped when the robot rests, reads positions, loads, and goes on.
func TestTool(t *testing.T) {
	c := ready(t, nil, nil)
	tool := device.Tool{Mass: 5}
	tool.COM.Y, tool.COM.Z, tool.Inertia.X = 0.01, 0.04, 0.3
	s := c.swing(5, 0.2, 3)
	for range 100 {
		c.cycle(s)
	}
	ticket := c.arm.SetTool(5, tool)
	for range 100 { // not while it moves
		c.cycle(s)
		if done, _ := c.arm.ToolDone(5, ticket); done || c.arm.Status().State != device.Operational {
			t.Fatal("a tool is loaded while the robot moves")
		}
	}
	seen := c.watch(1000)
	want := states{
		"operational",
		"safe-operational: the program is ending the session to load a tool",
		"safe-operational: the program is between two sessions",
		listening,
		"safe-operational: the program is having positions read",
		"safe-operational: the program is between two sessions",
		listening,
		"operational",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if done, fault := c.arm.ToolDone(5, ticket); !done || fault != 0 {
		t.Errorf("done %t, fault %d", done, fault)
	}
	is := c.station.Status().Tool
	if is.X != 0 || is.Y != 10 || is.Z != 40 || is.Mass != 5 || is.IX != 0.3 || is.Loaded != 1 {
		t.Errorf("loaded %+v", is)
	}
	c.run(500)
	if got := c.station.Status().Tool.Loaded; got != 1 {
		t.Errorf("loaded %d times", got)
	}
	c.smooth()
}

// TestFirstTool: the load of the configuration is in use when control begins.
func TestFirstTool(t *testing.T) {
	c := ready(t, nil, params{"mass": "3", "com": "{pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}"})
	if is := c.station.Status().Tool; is.Mass != 3 || is.Z != 100 || is.Number != 1 {
		t.Errorf("%+v", is)
	}
}

// TestToolsThatCannotBe have a fault instead of waiting for ever.
func TestToolsThatCannotBe(t *testing.T) {
	fault := func(c *cell, tool device.Tool) int32 {
		c.t.Helper()
		ticket := c.arm.SetTool(5, tool)
		for range 2000 {
			if done, fault := c.arm.ToolDone(5, ticket); done || fault != 0 {
				return fault
			}
			c.run(1)
		}
		c.t.Fatal("neither done nor failed")
		return 0
	}
	if f := fault(ready(t, nil, nil), device.Tool{Mass: -1}); f != 1 {
		t.Errorf("a negative mass: %d", f)
	}
	if f := fault(ready(t, func(o *rsisim.Options) { o.ReadFirst = false }, nil), device.Tool{Mass: 1}); f != 2 {
		t.Errorf("a program without the first step: %d", f)
	}
	if f := fault(ready(t, func(o *rsisim.Options) { o.Tool = "" }, params{"tool": ""}), device.Tool{Mass: 1}); f != 2 {
		t.Errorf("no channel: %d", f)
	}
	c := ready(t, nil, params{"tool_time": "400ms"})
	s := c.swing(0, 0.2, 1)
	for range 50 {
		c.cycle(s)
	}
	ticket := c.arm.SetTool(5, device.Tool{Mass: 1})
	for range 150 { // the robot never rests
		c.cycle(s)
	}
	if done, f := c.arm.ToolDone(5, ticket); done || f != 3 {
		t.Errorf("too late: done %t, fault %d", done, f)
	}
}

// TestPowerInMotion: without power RSI stops; when the operator has switched on and started the program, nothing moves by
// itself.
func TestPowerInMotion(t *testing.T) {
	for _, tt := range []struct{ name, off, on string }{
		{"power", "power off", "power on"},
		{"emergency stop", "estop", "release"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := ready(t, nil, nil)
			s := c.swing(2, 0.4, 3)
			for range 150 {
				c.cycle(s)
			}
			c.command(tt.off)
			for range 100 {
				c.cycle(s)
			}
			if is := c.arm.Status(); is.State != device.Offline {
				t.Error(is)
			}
			c.command(tt.on)
			if err := c.station.Start(); (err == nil) != (tt.name == "power") {
				t.Fatal(err) // an emergency stop leaves drives off
			}
			c.command("power on")
			c.command("start")
			for range 300 {
				c.cycle(s)
				if j := c.arm.Joint(2); j.Commanded.Vel != 0 {
					t.Fatalf("it moves by itself: %+v", j)
				}
			}
			if is := c.arm.Status(); is.State != device.SafeOperational || !strings.Contains(is.Cause, "must end first") {
				t.Error(is)
			}
			c.until(device.Operational, "")
			c.smooth()
		})
	}
}

// TestStopOfTheCell: joints come to rest within their limits, the controller goes on, and nothing moves until an operator arms the
// robot after the release.
func TestStopOfTheCell(t *testing.T) {
	c := ready(t, nil, nil)
	s := c.swing(2, 0.4, 3)
	for range 150 {
		c.cycle(s)
	}
	c.button.Press(true)
	for range 200 {
		c.cycle(s)
	}
	if is, j := c.arm.Status(), c.arm.Joint(2); is.State != device.SafeOperational || is.Cause != "emergency stop of the cell" || j.Commanded.Vel != 0 || j.Fault == device.JointGood {
		t.Errorf("%+v, %+v", is, j)
	}
	c.tell("rsi", params{"rearm": "true"})
	c.run(20)
	c.button.Press(false)
	at := c.arm.Joint(2).Commanded.Pos
	c.run(20)
	if is := c.arm.Status(); is.State != device.SafeOperational || !strings.Contains(is.Cause, "re-arm the robot") || c.arm.Joint(2).Commanded.Pos != at {
		t.Errorf("after the release: %+v", is)
	}
	c.tell("rsi", params{"rearm": "true"})
	c.until(device.Operational, "")
	c.smooth()
}

// TestPowerInSession: a controller whose telegrams go on reports what it is; the same session has to be re-armed.
func TestPowerInSession(t *testing.T) {
	c := ready(t, func(o *rsisim.Options) { o.Stays = true }, nil)
	s := c.swing(2, 0.05, 1)
	for range 150 {
		c.cycle(s)
	}
	c.command("estop")
	c.until(device.SafeOperational, "emergency stop")
	if f := c.arm.Joint(2).Fault; f != device.JointDrivesOff {
		t.Error(f)
	}
	c.command("release")
	c.until(device.SafeOperational, "drives are off")
	c.command("power on")
	c.until(device.SafeOperational, "drives have power again, and the session goes on: re-arm the robot (rccctl device tell arm rsi rearm=true)")
	c.run(300)
	if is := c.arm.Status(); is.State != device.SafeOperational {
		t.Error(is)
	}
	c.tell("rsi", params{"rearm": "true"})
	c.until(device.Operational, "")
	if n := c.drive(300, nil); n != 0 {
		t.Error("refused")
	}
	c.smooth()
}

// TestRefusedStart: a robot that is not where it was read, or where the controller commands it to be, is not moved; the program
// reads again.
func TestRefusedStart(t *testing.T) {
	c := open(t, nil, nil)
	c.until(device.SafeOperational, "having positions read")
	c.until(device.SafeOperational, "between two sessions")
	c.station.Push(1, 1e4*3) // by 3 degrees, until it is noticed
	c.until(device.SafeOperational, "start refused: axis A2 is")
	c.run(1)
	if c.station.Phase() == rsisim.Moving {
		t.Error("the program goes on")
	}
	c.station.Push(1, 0)
	c.until(device.Operational, "")
	c.smooth()
}

// TestForeigners: who is not the robot is not answered, and floods of garbage disturb nothing.
func TestForeigners(t *testing.T) {
	c := ready(t, nil, nil)
	n := c.drive(1000, func(k int) {
		switch k {
		case 100:
			c.command("foreign 5 300")
		case 600:
			c.command("garbage 20 100")
		}
	})
	stats := c.arm.Link().Statistics()
	if n != 0 || stats.Foreign != 1500 || stats.Garbage != 2000 || c.station.Status().Late != probe {
		t.Errorf("%d times refused, %+v, %+v", n, stats, c.station.Status())
	}
	c.smooth()
}

// TestGarbageOnly: what was wrong is reported while nothing else has come.
func TestGarbageOnly(t *testing.T) {
	c := open(t, func(o *rsisim.Options) { o.Actual = "Pos"; o.Setpoint = "" }, params{"setpoint": ""})
	c.until(device.SafeOperational, "telegrams lack the position of axis A1")
	c = open(t, nil, nil)
	c.net.Send(c.wire.From(), c.wire.To(), []byte(`<Rob><AIPos A1="x"/><IPOC>1</IPOC></Rob>`))
	if is := c.arm.Status(); is.Cause != "cannot read the telegrams that come to 192.168.10.1:49152: a value is not of its kind: AIPos.A1" {
		t.Error(is)
	}
}

// TestEverythingAtOnce is a bad network for twenty seconds: nothing that the robot would not bear is ever commanded.
func TestEverythingAtOnce(t *testing.T) {
	for seed := range 2 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := ready(t, func(o *rsisim.Options) {
				o.Seed, o.Timeout, o.Forgiving, o.Shuffled, o.Spaced = seed, 30, true, true, true
			}, params{"timeout": "30"})
			c.station.Loss, c.station.AnswerLoss, c.station.Repeat = 0.02, 0.02, 0.05
			c.station.Jitter, c.station.Delay = 2500*time.Microsecond, 500*time.Microsecond
			c.drive(5000, func(k int) {
				switch {
				case k%1000 == 300:
					c.command("lose 7")
				case k%1000 == 500:
					c.command("late 9ms 3")
				case k%2500 == 900:
					c.command("restart")
				}
				if c.station.Phase() == rsisim.Halted {
					c.command("start")
				}
			})
			c.smooth()
		})
	}
}

// TestInputsAndOutputs go over the wire.
func TestInputsAndOutputs(t *testing.T) {
	names := params{"digin": "In.a In.b", "digout": "Out.a Out.b", "anin": "Force", "anout": "Speed.v Level"}
	c := ready(t, func(o *rsisim.Options) {
		o.DigitalIn, o.DigitalOut, o.AnalogIn, o.AnalogOut = names["digin"], names["digout"], names["anin"], names["anout"]
	}, names)
	c.arm.SetDigitalOut(1, true, 0)
	c.arm.SetAnalogOut(0, -1.5, 0)
	c.command("input 0 1")
	c.command("analog 0 12.25")
	c.run(2)
	if s := c.station.Status(); s.Outputs[0] != 0 || s.Outputs[1] != 1 || s.Analog[0] != -1.5 {
		t.Errorf("%+v", s)
	}
	if !c.arm.DigitalIn(0) || c.arm.DigitalIn(1) || c.arm.AnalogIn(0) != 12.25 {
		t.Error("inputs")
	}
}

// TestClosing: the session ends cleanly, and leaves the network.
func TestClosing(t *testing.T) {
	c := ready(t, nil, nil)
	if err := c.arm.Close(); err != nil {
		t.Fatal(err)
	}
	list := c.arm.Link().Sessions()
	if list[0].Cause != link.Closed {
		t.Error(list)
	}
}

// TestStaysWhereItStarts: whatever the first session begins with, the robot is not led to where it was taken to be before.
func TestStaysWhereItStarts(t *testing.T) {
	for name, first := range map[string]bool{"with a step in which positions are read": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			start := []float64{15, -80, 110, 0, -30, 40}
			c := ready(t, func(o *rsisim.Options) { o.Start, o.ReadFirst = start, first }, nil)
			c.run(500)
			for i, is := range c.station.Status().Commands[:len(start)] {
				if math.Abs(is-start[i]) > 1e-6 {
					t.Errorf("axis %d began at %v and is commanded %v", i+1, start[i], is)
				}
			}
			c.smooth()
		})
	}
}
