package robotics_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/yielding"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

func lwr() *actuator.Lightweight { return actuator.NewLightweight("lwr", robots.LWR4()) }

// bent is where a lightweight robot stands well.
var bent = []float64{0, 0.5, 0, 1.5, 0, 1.1, 0}

// happen lets something happen to a lightweight robot.
func happen(t *testing.T, c *cells.Cell, what string) {
	t.Helper()
	if err := c.Core.Devices.Tell("lwr", "happen", map[string]string{"what": what}); err != nil {
		t.Fatal(err)
	}
}

// measured returns where a robot is.
func measured(c *cells.Cell, name string) (at []float64) {
	for _, j := range c.Joints(name) {
		at = append(at, j.Measured.Pos)
	}
	return at
}

// fastest executes a net, for some cycles at most, and returns the greatest velocity that a joint was measured with.
func fastest(c *cells.Cell, r *cells.Trace, cycles int) (vel float64) {
	for n := 0; n < cycles && r.Step(); n++ {
		for _, j := range c.Joints("lwr") {
			vel = max(vel, math.Abs(j.Measured.Vel))
		}
	}
	return vel
}

// ways returns all strategies.
func ways(arm *actuator.Lightweight) states {
	return states{
		"position": arm.Controlled(actuator.ByPosition), "cartesian": arm.Controlled(actuator.ByCartesianSprings),
		"joint": arm.Controlled(actuator.ByJointSprings),
	}
}

// TestYield: the robot gives way as long as a command takes, however that ends, and is commanded by position again.
func TestYield(t *testing.T) {
	for name, tt := range map[string]struct {
		do     func(arm *actuator.Lightweight) robotics.Command
		failed bool
	}{
		"done": {do: func(arm *actuator.Lightweight) robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: bent}, actuator.Under{Control: actuator.CartesianImpedance{}})
		}},
		"cancelled": {do: func(arm *actuator.Lightweight) robotics.Command {
			return cancelAfter(robotics.NewCommand(arm, motions.JointHold{}), time.Second)
		}},
		"stopped": {do: func(*actuator.Lightweight) robotics.Command {
			w := robotics.NewWaitForCancel()
			w.OnEntered(after(time.Second), robotics.Stop(w))
			return w
		}},
		"failed": {failed: true, do: func(arm *actuator.Lightweight) robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: bent, From: bent})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := cells.New(t)
			arm := lwr()
			do := tt.do(arm)
			yield := arm.Yield(actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: 500, Y: 500, Z: 100}}}, do)
			is := ways(arm)
			is["do"] = do.Active()
			r := trace(t, c, yield, is, nil)
			yielded := false
			for r.Step() {
				yielded = yielded || r.Is("cartesian")
				if r.Is("do") && !r.Is("cartesian") {
					t.Fatalf("cycle %d: it does not give way", r.Cycle)
				}
			}
			if !yielded || !r.Is("position") || r.Is("failed") != tt.failed {
				t.Errorf("%v", r.Values)
			}
			if len(c.Arm("lwr").Way(0)) > 0 {
				c.Arm("lwr").Smooth()
			}
		})
	}
}

// TestLetGo: a robot that was pushed away is commanded to where it is before springs become none, so that it does not jump
// back, and there it stays.
func TestLetGo(t *testing.T) {
	c := cells.New(t)
	arm := lwr()
	soft := actuator.JointImpedance{Stiffness: slices.Repeat([]float64{30}, 7)}
	wait := robotics.NewWait(3 * time.Second)
	r := trace(t, c, arm.Yield(soft, wait), states{"wait": wait.Active(), "over": wait.Completed()}, nil)
	for r.Step() && !r.Is("wait") {
	}
	happen(t, c, "torque 3 6")
	from := measured(c, "lwr")[3]
	for r.Step() && !r.Is("over") {
	}
	if away := measured(c, "lwr")[3] - from; !(math.Abs(away-0.2) < 0.001) {
		t.Fatalf("pushed away by %v", away)
	}
	if vel := fastest(c, r, 800); !(vel < 1) {
		t.Errorf("moves at %v while it is pushed", vel)
	}
	if r.Is("ended") {
		t.Error("springs are exchanged while somebody pushes")
	}
	happen(t, c, "torque 3 0")
	from = measured(c, "lwr")[3]
	if vel := fastest(c, r, 2000); !(vel < 1) {
		t.Errorf("jumps at %v", vel)
	}
	at := measured(c, "lwr")[3]
	if !r.Is("ended") || r.Is("failed") || math.Abs(at-from) > 0.3 {
		t.Errorf("from %v to %v: %v", from, at, r.Values)
	}
	c.Pass(500)
	if stays := measured(c, "lwr")[3]; !(math.Abs(stays-at) < 1e-3) {
		t.Errorf("goes on to %v", stays)
	}
	c.Arm("lwr").Smooth()
}

// TestTransition: an arm that leans against something comes up slowly when its springs become stiff, and at once when it is commanded
// to.
func TestTransition(t *testing.T) {
	race.Skip(t, "long motions one after another; TestYield races one")
	velocity := func(params ...robotics.Param) float64 {
		c := cells.New(t)
		arm := lwr()
		all := func(v float64) actuator.JointImpedance {
			return actuator.JointImpedance{Stiffness: slices.Repeat([]float64{v}, 7)}
		}
		run := func(command robotics.Command) *cells.Trace {
			return trace(t, c, command, nil, values{"stiffness": arm.Stiffness(3)})
		}
		for r := run(robotics.NewCommand(arm, actuator.SwitchControl{To: all(30)})); r.Step(); {
		}
		happen(t, c, "torque 3 6")
		c.Pass(2000)
		r := run(robotics.NewCommand(arm, actuator.SwitchControl{To: all(1000)}, params...))
		vel := 0.0
		for range 2000 {
			if !r.Step() {
				c.Pass(1)
			}
			vel = max(vel, math.Abs(c.Joints("lwr")[3].Measured.Vel))
		}
		if !r.Is("ended") || r.Is("failed") || math.Abs(r.Number("stiffness")-1000) > 50 { // one cycle before
			t.Errorf("%v", r.Values)
		}
		return vel
	}
	// It leans by 0.2 rad, of which it comes up nearly all.
	if slowly, suddenly := velocity(actuator.Transition(2*time.Second)), velocity(actuator.Transition(time.Millisecond)); !(slowly < 0.15 && suddenly > 2) {
		t.Errorf("at %v, and at %v at once", slowly, suddenly)
	}
}

// TestUnder: a motion sets springs, and does not begin if the robot has none.
func TestUnder(t *testing.T) {
	c := cells.New(t)
	arm := lwr()
	soft := actuator.Under{Control: actuator.JointImpedance{Stiffness: slices.Repeat([]float64{200}, 7)}}
	move := func() *robotics.RuntimeCommand { return robotics.NewCommand(arm, motions.PTP{To: bent}, soft) }
	before := c.Where("lwr")
	r := trace(t, c, move(), nil, nil)
	for r.Step() {
	}
	if now := c.Where("lwr"); !r.Is("failed") || r.Cycle != 1 || !near(before, now, 0) {
		t.Errorf("%v, from %v to %v", r.Values, before, now)
	}
	r = trace(t, c, robotics.Sequence(robotics.NewCommand(arm, actuator.SwitchControl{To: actuator.JointImpedance{}}), move()), nil, values{"stiffness": arm.Stiffness(6)})
	for r.Step() {
	}
	if r.Is("failed") || r.Number("stiffness") != 200 || !near(c.Where("lwr"), bent, 1e-6) {
		t.Errorf("%v at %v", r.Values, c.Where("lwr"))
	}
	c.Arm("lwr").Smooth()
}

// TestSwitchFaults: what may be in the way of another strategy has a name.
func TestSwitchFaults(t *testing.T) {
	for fault, tt := range map[string]struct {
		params map[string]string
		before string
	}{
		actuator.FaultSwitch:  {params: map[string]string{"switch_fails": "1"}},
		actuator.FaultNoPower: {before: "off"},
		actuator.FaultApart:   {params: map[string]string{"switch_apart": "0.000001"}, before: "torque 3 20"},
	} {
		t.Run(fault, func(t *testing.T) {
			c := cells.New(t, cells.With(cells.Device{Name: "lwr", Kind: "kuka_lwr_sim", Params: tt.params}))
			if tt.before != "" {
				happen(t, c, tt.before)
			}
			c.Pass(100)
			arm := lwr()
			err := c.Free().Connect().Execute(t.Context(), robotics.NewCommand(arm, actuator.SwitchControl{To: actuator.JointImpedance{}}))
			if !contains(err, fault) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestSetTool: springs hold the tip of the tool, and the load is carried.
func TestSetTool(t *testing.T) {
	c := cells.New(t)
	arm := lwr()
	tip := arm.Flange().Place("tip", geom.Frame{Pos: geom.Vector{Z: 0.2}})
	tool := actuator.SetTool{Load: actuator.Load{Mass: 2, COM: geom.Vector{Z: 0.1}}, Tip: tip}
	soft := actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: 1000, Y: 1000, Z: 1000}, Torque: geom.Vector{X: 300, Y: 300, Z: 300}}}
	both := robotics.Sequence(robotics.NewCommand(arm, tool), robotics.NewCommand(arm, actuator.SwitchControl{To: soft}))
	r := trace(t, c, both, nil, nil)
	for r.Step() {
	}
	if r.Is("failed") {
		t.Fatal(r.Values)
	}
	at := func() geom.Frame {
		return robots.LWR4().Forward(measured(c, "lwr")).Mul(geom.Frame{Pos: geom.Vector{Z: 0.2}})
	}
	before := at()
	happen(t, c, "tip 10 0 0 0 0 0")
	c.Pass(3000)
	if moved := at().Pos.Sub(before.Pos); !moved.Near(geom.Vector{X: 0.01}, 5e-4) {
		t.Errorf("the tip gives way by %v", moved)
	}
}

// TestSprings: what commands may ask for is what robots can have.
func TestSprings(t *testing.T) {
	s := yielding.NewSprings()
	all := func(v float64) geom.Wrench {
		return geom.Wrench{Force: geom.Vector{X: v, Y: v, Z: v}, Torque: geom.Vector{X: v, Y: v, Z: v}}
	}
	for _, v := range []float64{1e9, -1e9} {
		s.SetJointImpedance(0, device.JointImpedance{Stiffness: v, Damping: v, Add: v})
		s.SetCartesianImpedance(device.CartesianImpedance{Stiffness: all(v), Damping: all(v), Add: all(v)})
		joint, tip := s.JointImpedance(0), s.CartesianImpedance()
		beyond := func(limit float64) float64 { return limit + math.Copysign(1e-6, v) }
		for name, of := range map[string]struct {
			limit float64
			by    func(v float64) actuator.Control
		}{
			"joint": {joint.Stiffness, func(v float64) actuator.Control {
				return actuator.JointImpedance{Stiffness: slices.Repeat([]float64{v}, 7)}
			}},
			"damping": {joint.Damping, func(v float64) actuator.Control {
				return actuator.JointImpedance{Damping: slices.Repeat([]float64{v}, 7)}
			}},
			"torque": {joint.Add, func(v float64) actuator.Control {
				return actuator.JointImpedance{Torque: slices.Repeat([]float64{v}, 7)}
			}},
			"along": {tip.Stiffness.Force.X, func(v float64) actuator.Control {
				return actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: v, Y: v, Z: v}}}
			}},
			"about": {tip.Stiffness.Torque.Z, func(v float64) actuator.Control {
				return actuator.CartesianImpedance{Stiffness: geom.Wrench{Torque: geom.Vector{X: v, Y: v, Z: v}}}
			}},
			"force": {tip.Add.Force.Y, func(v float64) actuator.Control { return actuator.CartesianImpedance{Force: all(v)} }},
		} {
			for at, good := range map[float64]bool{of.limit: true, beyond(of.limit): false} {
				_, err := robotics.Map(robotics.NewCommand(lwr(), actuator.SwitchControl{To: of.by(at)}), nil)
				if good != (err == nil) || !good && !errors.Is(err, robotics.ErrSpring) {
					t.Errorf("%s %v: %v", name, at, err)
				}
			}
		}
	}
}
