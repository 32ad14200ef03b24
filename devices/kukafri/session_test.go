package kukafri_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// arm asks for command mode, or ends it, by the driver's page.
func (c *cell) arm(on string) {
	c.t.Helper()
	tell(c.t, c.Robot, on)
}

func tell(t testing.TB, r *kukafri.Robot, on string) {
	t.Helper()
	kind := kukafri.Type
	for i := range kind.Pages {
		if p := &kind.Pages[i]; p.Path == "fri" {
			if err := p.Tell(r, params{"arm": on}); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("there is no page")
}

// net moves joints as a net does: each on its own curve, from where it was when the net began, without end.
type net struct {
	c     *cell
	from  [wire.Joints]float64
	begun bool
	n     int
}

func (n *net) cycle() {
	at := n.c.now()
	for j := range n.from {
		if !n.begun {
			n.from[j] = n.c.Joint(j).Commanded.Pos
		}
		s := float64(n.n) * at.Period
		rise := 1 - math.Cos(2*math.Pi*s/3)
		n.c.CommandPosition(j, n.from[j]+0.05*rise*float64(j%3-1), at)
	}
	n.begun = true
	n.n++
	n.c.Run(n.c.Cycle())
}

func (n *net) run(d time.Duration) {
	for range d / n.c.Cycle() {
		n.cycle()
	}
}

// expect looks at the state of the driver, of the controller, and at the words of the cause.
func (c *cell) expect(when string, state device.State, mode wire.State, cause string) {
	c.t.Helper()
	s := c.Status()
	if s.State != state || c.State() != mode || !strings.Contains(s.Cause, cause) || cause == "" && s.Cause != "" {
		c.t.Errorf("%s: %v (%s), the controller in %v; not %v (%s), %v", when, s.State, s.Cause, c.State(), state, cause, mode)
	}
}

// moving returns a robot that a net moves.
func moving(t *testing.T, change func(c *frisim.Config), p params) (*cell, *net) {
	t.Helper()
	c := open(t, change, p).operational()
	n := &net{c: c}
	n.run(time.Second)
	c.expect("in motion", device.Operational, wire.Command, "")
	if v := c.Joint(0).Measured.Vel; v == 0 {
		t.Fatal("nothing moves")
	}
	return c, n
}

func TestStart(t *testing.T) {
	c := open(t, nil, nil)
	c.expect("before the first telegram", device.Offline, wire.Monitor, "no telegrams at 127.0.0.1:49938")
	if f := c.Joint(3).Fault; f == device.JointGood {
		t.Error("joints can be commanded before there is a robot")
	}
	c.Run(20 * time.Millisecond)
	c.expect("at first", device.SafeOperational, wire.Monitor, "monitor mode, the controller is rating answers")
	if f := c.Joint(3).Fault; f == device.JointGood {
		t.Error("joints can be commanded in monitor mode")
	}
	c.await("asked", func() bool { return strings.Contains(c.Status().Cause, "asking for command mode") })
	c.operational()
	c.expect("then", device.Operational, wire.Command, "")
	for j := range wire.Joints {
		if s := c.Joint(j); s.Fault != device.JointGood || math.Abs(s.Commanded.Pos-s.Measured.Pos) > 1e-6 {
			t.Errorf("joint %d: %+v", j, s)
		}
	}
	c.sound()
}

// TestMotion over minutes, with other cycles of the interface than those of the driver's configuration, and bad networks.
func TestMotion(t *testing.T) {
	for name, change := range map[string]func(*frisim.Config){
		"1ms":        func(c *frisim.Config) { c.Cycle = time.Millisecond },
		"2ms":        func(*frisim.Config) {},
		"12ms":       func(c *frisim.Config) { c.Cycle = 12 * time.Millisecond },
		"100ms":      func(c *frisim.Config) { c.Cycle = 100 * time.Millisecond },
		"jitter":     func(c *frisim.Config) { c.Jitter = 900 * time.Microsecond },
		"loss":       func(c *frisim.Config) { c.Loss, c.Bridge = 0.01, 5 },
		"duplicates": func(c *frisim.Config) { c.Duplicate, c.Jitter = 0.3, 800*time.Microsecond },
		"all of it": func(c *frisim.Config) {
			c.Loss, c.Duplicate, c.Delay, c.Jitter, c.Bridge = 0.005, 0.1, 200*time.Microsecond, 700*time.Microsecond, 6
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, n := moving(t, change, params{"cycle": "5ms"})
			span := c.Cycle()
			for range 600 {
				n.run(max(span, 50*time.Millisecond))
				if s := c.Status(); s.State != device.Operational || s.Cause != "" {
					t.Fatalf("%+v, %+v", s, c.Figures())
				}
			}
			is, commanded := c.Wire.Joint(0)
			if math.Abs(is-commanded) > 0.05 || n.from[0] == is {
				t.Errorf("joint at %v, commanded %v", is, commanded)
			}
			c.sound()
		})
	}
}

// TestLostPackets: as many as the controller bridges change nothing; with more it falls back to monitor mode, and the robot
// stays there until it is requested again.
func TestLostPackets(t *testing.T) {
	for _, what := range []string{"lose 5", "mute 5"} {
		c, n := moving(t, func(c *frisim.Config) { c.Bridge = 5 }, nil)
		c.do(what)
		n.run(time.Second)
		c.expect(what+", bridged", device.Operational, wire.Command, "")
		c.sound()

		c, n = moving(t, nil, nil)
		c.do(what)
		n.run(time.Second)
		c.expect(what, device.SafeOperational, wire.Monitor, "the controller left command mode: answers were late or missing; arm the robot")
		stands, _ := c.Wire.Joint(2)
		c.arm("true")
		n.run(2 * time.Second)
		if is, _ := c.Wire.Joint(2); math.Abs(is-stands) > 1e-6 {
			t.Errorf("%s: it goes on by itself, from %v to %v", what, stands, is)
		}
		if f := c.Joint(2).Fault; f == device.JointGood {
			t.Errorf("%s: who moved the robot before may go on", what)
		}
		c.Run(100 * time.Millisecond)
		c.expect(what+", armed", device.Operational, wire.Command, "")
		(&net{c: c}).run(time.Second)
		c.expect(what+", another net", device.Operational, wire.Command, "")
		c.sound()
	}
}

// TestRough lets things happen at random at the simulated controller while nets move joints under all strategies: joints and frames
// of answers stay continuous, and agree.
func TestRough(t *testing.T) {
	led := map[device.Strategy]int{}
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 9))
		c := open(t, func(c *frisim.Config) {
			c.Loss, c.Duplicate = []float64{0, 0.01, 0.05}[random.IntN(3)], []float64{0, 0.2}[random.IntN(2)]
			c.Jitter, c.Bridge, c.Seed = time.Duration(random.IntN(4))*time.Millisecond, []int{1, 3, 20}[random.IntN(3)], seed
		}, params{"resume": "true", "switch_timeout": "5s", "tcp": "{pos:{x:0.02,y:0.03,z:0.2},rot:{a:0.3,b:0.2,c:0.1}}"})
		n := &net{c: c}
		for range 40 {
			switch random.IntN(8) {
			case 0:
				c.SetStrategy([]device.Strategy{device.PositionControl, device.CartesianCompliance, device.JointCompliance}[random.IntN(3)])
			case 1, 2:
				c.do([]string{"lose 2", "mute 2", "lose 4", "mute 9", "late 3", "late 40", "restart 5", "restart 300", "off"}[random.IntN(9)])
			default:
				_ = c.Do([]string{"on", "run", "release"}[random.IntN(3)])
			}
			for range 100 {
				if c.Joint(0).Fault != device.JointGood {
					c.Run(10 * c.Cycle())
					n = &net{c: c}
					continue
				}
				n.cycle()
				led[c.Strategy()]++
			}
		}
		c.sound()
	}
	for _, is := range []device.Strategy{device.PositionControl, device.CartesianCompliance, device.JointCompliance} {
		if led[is] < 1000 {
			t.Errorf("nets moved joints in %v cycles", led)
		}
	}
}

func TestLatePacket(t *testing.T) {
	c, n := moving(t, nil, nil)
	for _, late := range []string{"late 1", "late 3", "late 5"} {
		c.do(late)
		n.run(500 * time.Millisecond)
		c.expect(late, device.Operational, wire.Command, "")
	}
	if s := c.Link().Statistics(); s.Outdated == 0 || s.Lost == 0 {
		t.Errorf("%+v", s)
	}
	c.sound()
}

// TestRestart: whether the controller is away for long or for a moment, another session begins.
func TestRestart(t *testing.T) {
	for what, why := range map[string]string{"restart 300": "telegrams stopped: cable or power of the controller, or its program closed the interface (friClose)", "restart 6": "another session began: the controller counts from the beginning"} {
		c, n := moving(t, nil, nil)
		c.do(what)
		n.run(2 * time.Second)
		c.expect(what, device.SafeOperational, wire.Monitor, "arm the robot (rccctl device tell lwr fri arm=true)")
		if s := c.Link().Sessions(); len(s) != 2 || s[1].Why != why {
			t.Errorf("%s: %+v", what, s)
		}
		c.arm("true")
		c.Run(time.Second)
		c.expect(what+", armed", device.Operational, wire.Command, "")
		c.sound()
	}
	c, n := moving(t, nil, params{"resume": "true"})
	c.do("restart 300")
	n.run(3 * time.Second)
	c.expect("where that is wanted", device.Operational, wire.Command, "")
	c.do("close")
	c.Run(time.Second)
	c.expect("closed", device.Offline, wire.Off, "the session ended: telegrams stopped: cable or power of the controller")
	c.sound()
}

// TestStrategyChange while nets hold joints: it is done without a jump, and refused while joints are pushed away.
func TestStrategyChange(t *testing.T) {
	c := open(t, nil, nil).operational()
	hold := func(d time.Duration) {
		for range d / c.Cycle() {
			at := c.now()
			for j := range wire.Joints {
				c.CommandPosition(j, c.Joint(j).Commanded.Pos, at)
			}
			c.Run(c.Cycle())
			for j := range wire.Joints {
				if f := c.Joint(j).Fault; f != device.JointGood {
					t.Fatalf("joint %d: %v", j, f)
				}
			}
		}
	}
	hold(100 * time.Millisecond)
	ticket := c.SetStrategy(device.JointCompliance)
	hold(3 * time.Second)
	if done, fault := c.StrategyDone(ticket); !done || c.Strategy() != device.JointCompliance {
		t.Fatal(fault)
	}
	for j := range wire.Joints {
		c.SetJointImpedance(j, device.JointImpedance{Stiffness: 20, Damping: 0.7})
	}
	c.Push(3, 5)
	hold(3 * time.Second)
	if s := c.Joint(3); math.Abs(s.Measured.Pos-s.Commanded.Pos-0.25) > 1e-3 {
		t.Errorf("pushed: %+v", s)
	}
	ticket = c.SetStrategy(device.PositionControl)
	hold(time.Second)
	if done, fault := c.StrategyDone(ticket); done || fault != device.StrategyApart || c.Strategy() != device.JointCompliance {
		t.Errorf("pushed away: %v %v", done, fault)
	}
	c.expect("pushed away", device.Operational, wire.Command, "")
	c.sound()
}

// TestFailedSwitch: the robot needs an operator.
func TestFailedSwitch(t *testing.T) {
	c := open(t, nil, nil).operational()
	c.do("fail 1")
	ticket := c.SetStrategy(device.CartesianCompliance)
	c.await("answered", func() bool { _, fault := c.StrategyDone(ticket); return fault != device.StrategyGood })
	if done, fault := c.StrategyDone(ticket); done || fault != device.StrategyFailed || c.Strategy() != device.PositionControl {
		t.Errorf("%v %v", done, fault)
	}
	c.expect("failed", device.SafeOperational, wire.Monitor, "drives are off; the KRL program did not do what it was asked")
	c.do("on")
	c.Run(2 * time.Second)
	c.expect("with power", device.SafeOperational, wire.Monitor, "arm the robot (rccctl device tell lwr fri arm=true)")
	c.arm("true")
	c.operational()

	c = open(t, nil, params{"switch_timeout": "2s"}).operational()
	c.do("halt")
	ticket = c.SetStrategy(device.JointCompliance)
	c.await("answered", func() bool { _, fault := c.StrategyDone(ticket); return fault != device.StrategyGood })
	if _, fault := c.StrategyDone(ticket); fault != device.StrategyFailed {
		t.Error(fault)
	}
	c.sound()
}

func TestToolChange(t *testing.T) {
	c := open(t, nil, params{"mass": "1.5", "tcp": "{pos:{x:0,y:0,z:0.1},rot:{a:0,b:0,c:0}}"}).operational()
	if is := c.KRC.Load(); is.Mass != 1.5 || math.Abs(is.TCP.Pos.Z-0.1) > 1e-6 {
		t.Errorf("at the start the controller knows of %+v", is)
	}
	want := device.Payload{
		Mass: 2.25, COM: geom.Frame{Pos: geom.Vector{X: 0.01, Y: -0.02, Z: 0.05}, Rot: geom.FromABC(0.1, 0.2, 0.3)},
		Inertia: geom.Vector{X: 0.01, Y: 0.02, Z: 0.03}, TCP: geom.Frame{Pos: geom.Vector{X: 0.03, Z: 0.2}, Rot: geom.FromABC(1, -0.5, 0.25)},
	}
	ticket := c.SetPayload(want)
	c.await("done", func() bool { done, _ := c.PayloadDone(ticket); return done })
	is := c.KRC.Load()
	if is.Mass != want.Mass || !is.COM.Near(want.COM, 1e-6, 1e-6) || !is.TCP.Near(want.TCP, 1e-6, 1e-6) || !is.Inertia.Near(want.Inertia, 1e-6) {
		t.Errorf("the controller knows of %+v instead of %+v", is, want)
	}
	ticket = c.SetTool(6, device.Tool{Mass: 3, COM: geom.Vector{Z: 0.1}})
	c.await("done", func() bool { done, _ := c.ToolDone(6, ticket); return done })
	if is := c.KRC.Load(); is.Mass != 3 || !is.TCP.Near(want.TCP, 1e-6, 1e-6) {
		t.Errorf("the tool has become %+v", is)
	}
	c.operational()
	c.sound()

	c = open(t, func(c *frisim.Config) { c.Program = krl.Numbers }, nil).operational()
	ticket = c.SetPayload(want)
	c.Run(100 * time.Millisecond)
	if done, fault := c.PayloadDone(ticket); done || fault != device.PayloadFailed {
		t.Errorf("a program that cannot be told: %v %v", done, fault)
	}
}

// TestPowerLoss in motion: the robot stands, answers mirror where it is, and with power again nothing goes on by itself.
func TestPowerLoss(t *testing.T) {
	c, n := moving(t, nil, nil)
	c.do("off")
	n.run(time.Second)
	c.expect("without power", device.SafeOperational, wire.Command, "drives are off")
	if f := c.Joint(1).Fault; f != device.JointDrivesOff {
		t.Errorf("%v", f)
	}
	stands, _ := c.Wire.Joint(0)
	c.do("on")
	n.run(3 * time.Second)
	c.expect("with power", device.Operational, wire.Command, "")
	if is, _ := c.Wire.Joint(0); math.Abs(is-stands) > 1e-6 || c.Joint(0).Fault == device.JointGood {
		t.Errorf("it goes on by itself, from %v to %v: %+v", stands, is, c.Joint(0))
	}
	c.Run(100 * time.Millisecond)
	next := &net{c: c}
	next.run(time.Second)
	if f := c.Joint(0).Fault; f != device.JointGood {
		t.Errorf("another net: %v", f)
	}
	c.sound()
}

func TestEmergencyStop(t *testing.T) {
	c, n := moving(t, nil, nil)
	c.do("estop")
	n.run(time.Second)
	c.expect("stopped", device.SafeOperational, wire.Monitor, "drives are off; the controller left command mode: drives lost power")
	for _, line := range []string{"release", "on", "run"} {
		c.do(line)
		c.Run(time.Second)
	}
	c.expect("all is well again at the robot", device.SafeOperational, wire.Monitor, "arm the robot (rccctl device tell lwr fri arm=true)")
	stands, _ := c.Wire.Joint(1)
	c.arm("true")
	c.Run(time.Second)
	c.expect("armed", device.Operational, wire.Command, "")
	if is, _ := c.Wire.Joint(1); math.Abs(is-stands) > 1e-6 {
		t.Errorf("it has moved from %v to %v", stands, is)
	}
	c.arm("false")
	c.Run(time.Second)
	c.expect("taken out of command mode", device.SafeOperational, wire.Monitor, "the robot was taken out of command mode")
	c.sound()
}

// TestClose in motion: joints come to rest within their limits, and the program leaves command mode, before answers are missing.
func TestClose(t *testing.T) {
	c, n := moving(t, nil, params{"resume": "true"})
	c.Leave()
	n.run(2 * time.Second)
	c.expect("being closed", device.SafeOperational, wire.Monitor, "the device is being closed")
	if f := c.Figures(); f.Interruptions != 0 || f.Missed > 3 {
		t.Errorf("%+v", f)
	}
	c.sound()
}

func TestVersion(t *testing.T) {
	c := open(t, nil, nil)
	c.do("version 0x2005")
	c.Run(time.Second)
	c.expect("another version", device.Offline, wire.Monitor, "was refused: its id is of another version of FRI")
	c.do("version 0x2006")
	c.do("length 915")
	c.Run(time.Second)
	c.expect("another size", device.Offline, wire.Monitor, "was refused: its size is not one of FRI 1.0")
	c.do("length 916")
	c.operational()
	c.do("version 0x2007")
	c.Run(time.Second)
	c.expect("another one in motion", device.Offline, wire.Monitor, "its id is of another version of FRI")
	c.sound()
}

func TestForeigner(t *testing.T) {
	c, n := moving(t, nil, params{"ip": "127.0.0.1"})
	var m wire.Measurement
	m.State, m.Quality, m.Power, m.Count = wire.Command, wire.Perfect, 0x7F, 9000
	b := make([]byte, wire.MeasurementSize)
	m.Encode(b)
	for _, from := range []string{"127.0.0.1:7001", "10.1.2.3:7000"} {
		for range 100 {
			if answer := c.net.Send(netip.MustParseAddrPort(from), here, b); answer != nil {
				t.Fatalf("%s gets an answer", from)
			}
			n.cycle()
		}
	}
	c.expect("beside a foreigner", device.Operational, wire.Command, "dropping telegrams of 127.0.0.1:7001 and 10.1.2.3:7000: 127.0.0.1:7000 is calling")
	if s := c.Link().Statistics(); s.Foreign != 200 {
		t.Errorf("%d foreign telegrams", s.Foreign)
	}
	c.sound()
}

// TestFlood of garbage from whom the robot calls and from others, of telegrams again, and of some that are damaged.
func TestFlood(t *testing.T) {
	c, n := moving(t, nil, nil)
	random := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, 2000)
	for range 200 {
		for range 100 {
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			size := random.IntN(len(b))
			if random.IntN(2) == 0 {
				size = wire.MeasurementSize
			}
			if random.IntN(4) == 0 {
				binary.LittleEndian.PutUint16(b[6:], wire.MeasurementID)
			}
			c.net.Send(robotAt, here, b[:size])
		}
		n.cycle()
	}
	c.expect("in a flood", device.Operational, wire.Command, "")
	if s := c.Link().Statistics(); s.Garbage < 15_000 {
		t.Errorf("%+v", s)
	}
	c.sound()
}

// TestNonsense: telegrams that are well formed and full of nonsense command nothing.
func TestNonsense(t *testing.T) {
	c := open(t, nil, nil)
	random := rand.New(rand.NewPCG(5, 6))
	b := make([]byte, wire.MeasurementSize)
	var a wire.Answer
	for n := range 20_000 {
		for i := 8; i < len(b); i++ {
			b[i] = byte(random.Uint32())
		}
		m := wire.Measurement{}
		m.Encode(b[:])
		for i := 8; i < len(b); i++ {
			b[i] = byte(random.Uint32())
		}
		binary.LittleEndian.PutUint16(b, uint16(n))
		binary.LittleEndian.PutUint16(b[144:], uint16(random.IntN(3)))
		binary.LittleEndian.PutUint16(b[146:], uint16(random.IntN(4)))
		if random.IntN(2) == 0 {
			binary.LittleEndian.PutUint16(b[180:], 0x7F)
		}
		if answer := c.net.Send(robotAt, here, b); answer != nil && a.Decode(answer) != wire.Good {
			t.Fatal("an answer that is none")
		}
		c.net.Advance(2 * time.Millisecond)
	}
	for j := range wire.Joints {
		_ = c.Joint(j)
	}
}

// TestPorts: inputs and outputs are variables, beside those of the hand-shake.
func TestPorts(t *testing.T) {
	for first, program := range []string{"values", "commands"} {
		c := open(t, func(c *frisim.Config) {
			c.Program = map[string]krl.Kind{"values": krl.Values, "commands": krl.Commands}[program]
		}, nil).operational()
		c.do("bool " + string(rune('2'+first)) + " 1")
		c.do("real 3 -2.5")
		c.SetDigitalOut(4, true, 0)
		c.SetAnalogOut(7, 0.75, 0)
		c.Run(50 * time.Millisecond)
		if !c.DigitalIn(2) || c.DigitalIn(3) || c.AnalogIn(3) != -2.5 {
			t.Errorf("%s: inputs %v %v %v", program, c.DigitalIn(2), c.DigitalIn(3), c.AnalogIn(3))
		}
		if v := c.Variable(); !v.Bit(4+first) || v.Bit(3+first) || v.Real[7] != 0.75 {
			t.Errorf("%s: the controller has %016b %v", program, v.Bool, v.Real)
		}
		c.expect(program, device.Operational, wire.Command, "")
	}
}

// TestApart: as long as joints are not where they are commanded, command mode is not asked for.
func TestApart(t *testing.T) {
	c := open(t, nil, nil)
	c.Push(4, 10_000) // by 1 rad, as stiff as drives are
	c.Run(5 * time.Second)
	c.expect("pushed away", device.SafeOperational, wire.Monitor, "joints are not where they are commanded")
	c.Push(4, 0)
	c.operational()
	c.sound()
}

// TestParameters: what clients send is taken, and what cannot be is refused with the name of the parameter.
func TestParameters(t *testing.T) {
	seven := "[1,1,1,1,1,1,1]"
	c := open(t, nil, params{
		"link_lengths": "[0.31,0,0.4,0,0.39,0,0.078,0]", "min_joint": "[-2.9,-2,-2.9,-2,-2.9,-2,-2.9]", "max_joint": "[2.9,2,2.9,2,2.9,2,2.9]",
		"home_joint": "[0,0,0,0,0,0,0]", "max_vel": seven, "max_acc": "[4,4,4,4,4,4,4]", "mass": "1", "moi": "{x:0,y:0,z:0}",
		"com": "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}", "tcp": "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}", "ip": "127.0.0.1", "port": "49938",
		"handshake": "15", "communication": "14", "iportsdig": "8", "oportsdig": "8", "iportsan": "8", "oportsan": "8",
	}).operational()
	if p := c.Ports(); p.DigitalIn != 8 || p.DigitalOut != 8 || p.AnalogIn != 8 || p.AnalogOut != 8 {
		t.Errorf("%+v", p)
	}
	for want, wrong := range map[string]params{
		"parameter ip":                  {"ip": "nowhere"},
		"parameter listen":              {"listen": "nowhere"},
		"both are variable 3":           {"handshake": "3", "communication": "3", "iportsdig": "1", "oportsdig": "1"},
		"leaves Booleans 0 to 4, not 8": {"handshake": "5"},
		"parameter oportsan":            {"communication": "5"},
		"parameter link_lengths":        {"link_lengths": "[1]"},
		"parameter max_vel":             {"max_vel": "[1]"},
		"parameter home_joint":          {"home_joint": "[1]"},
		"cannot be brought to rest":     {"max_acc": "[0,0,0,0,0,0,0]"},
	} {
		kind := kukafri.Over(c.net.Open)
		all := params{"port": "0"}
		for name, v := range wrong {
			all[name] = v
		}
		if _, err := kind.Open(&device.Env{Name: "other"}, all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}

// TestStopOfTheCell: joints come to rest within their limits, and stay until the robot is armed after the release.
func TestStopOfTheCell(t *testing.T) {
	c, n := moving(t, nil, params{"resume": "true"})
	c.button.Press(true)
	n.run(time.Second)
	c.expect("stopped", device.SafeOperational, wire.Monitor, "the cell's emergency stop was pressed")
	at := c.Joint(1)
	if at.Commanded.Vel != 0 || at.Fault == device.JointGood {
		t.Errorf("%+v", at)
	}
	c.arm("true")
	c.Run(time.Second)
	c.expect("armed too early", device.SafeOperational, wire.Monitor, "the cell's emergency stop was pressed")
	c.button.Press(false)
	c.Run(time.Second)
	c.expect("released", device.SafeOperational, wire.Monitor, "arm the robot (rccctl device tell lwr fri arm=true)")
	if now := c.Joint(1).Commanded.Pos; math.Abs(now-at.Commanded.Pos) > 1e-6 {
		t.Errorf("from %v to %v", at.Commanded.Pos, now)
	}
	c.arm("true")
	c.operational()
	c.sound()
}
