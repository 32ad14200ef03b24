package robotics_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// TestMisuse: what makes no sense is refused by the application, in one error of its own, and reaches no daemon.
func TestMisuse(t *testing.T) {
	arm := kr16()
	io := robotics.DigitalOutput{Device: "io"}
	wait := func() robotics.Command { return robotics.NewWait(time.Second) }
	other := wait()
	reacting := func(e robotics.Effect) func() robotics.Command {
		return func() robotics.Command {
			w := wait()
			w.OnEntered(w.Active(), e)
			return w
		}
	}
	when := func(s robotics.State) func() robotics.Command {
		return func() robotics.Command {
			w := wait()
			w.OnEntered(s, robotics.Cancel(w))
			return w
		}
	}
	nan := math.NaN()
	switchTo := func(to actuator.Control) robotics.Command {
		return robotics.NewCommand(lwr(), actuator.SwitchControl{To: to})
	}
	lin := func(in *world.Frame, params ...robotics.Param) robotics.Command {
		return robotics.NewCommand(arm, motions.LIN{In: in}, params...)
	}
	for _, tt := range []struct {
		name string
		make func() robotics.Command
		want error // that errors.Is finds, or nil
		as   any   // that errors.As finds
		text string
	}{
		{"no time", func() robotics.Command { return robotics.NewWait(0) }, robotics.ErrDuration, new(*mapping.PartError), "wait 0s: duration must be above 0"},
		{"a state for no time", func() robotics.Command {
			w := wait()
			w.OnEntered(robotics.Long(w.Active(), -1), robotics.Cancel(w))
			return w
		}, robotics.ErrDuration, nil, "wait 1s: a state that is active for -1ns: duration must be above 0"},
		{"nothing starts", func() robotics.Command { return robotics.NewTransaction(wait()) }, robotics.ErrNothingStarts, nil, "transaction: transaction starts no command; use AddStart"},
		{"twice in a transaction", func() robotics.Command { w := wait(); return robotics.Parallel(robotics.Sequence(w), w) }, robotics.ErrTwice, nil, "wait 1s: command is in several transactions, or twice in one"},
		{"within itself", func() robotics.Command {
			inner := robotics.NewTransaction()
			outer := robotics.Sequence(inner)
			inner.AddStart(outer)
			return outer
		}, robotics.ErrWithin, nil, "sequence: command contains itself"},
		{"starts what is elsewhere", func() robotics.Command {
			s := robotics.Sequence(wait())
			s.OnEntered(s.Active(), robotics.Start(other))
			return s
		}, nil, new(*robotics.EffectError), "sequence: a handler can start commands that it consists of, but not wait 1s"},
		{"stops what is elsewhere", func() robotics.Command {
			w := wait()
			w.OnEntered(w.Active(), robotics.Stop(other))
			return w
		}, nil, new(*robotics.EffectError), "wait 1s: a handler can stop itself, or commands that it consists of, but not wait 1s"},
		{"reacts to what is elsewhere", func() robotics.Command {
			w := wait()
			w.OnEntered(other.Active(), robotics.Cancel(w))
			return w
		}, nil, new(*robotics.ForeignError), "wait 1s: wait 1s is not part of the command that is executed"},
		{"a state that does not exist", func() robotics.Command {
			c := robotics.NewCommand(arm, motions.PTP{To: point})
			c.OnEntered(c.State(motions.Passed(0.5)), robotics.Cancel(c))
			return c
		}, nil, new(*robotics.StateError), "kr16 PTP: kr16 PTP has no state 0.5"},
		{"a fault that does not exist", func() robotics.Command {
			c := robotics.NewCommand(arm, motions.PTP{To: point})
			c.OnEntered(c.Fault("hungry"), robotics.Cancel(c))
			return c
		}, nil, new(*robotics.StateError), "kr16 PTP: kr16 PTP has no state hungry"},
		{"no action", func() robotics.Command { return robotics.NewCommand(arm, nil) }, robotics.ErrIncomplete, nil, "kr16 nothing: command without an actuator or an action"},
		{"no state", func() robotics.Command {
			w := wait()
			w.OnEntered(nil, robotics.Cancel(w))
			return w
		}, robotics.ErrNoState, nil, "wait 1s: no state"},
		{"too few joints", func() robotics.Command { return robotics.NewCommand(arm, motions.PTP{To: []float64{1}}) }, robotics.ErrJoints, nil, "kr16 PTP: [1]: need one value for each joint"},
		{"a joint that is not there", func() robotics.Command {
			w := wait()
			w.OnEntered(robotics.Above(arm.Measured(6), 1.0), robotics.Cancel(w))
			return w
		}, robotics.ErrJoints, nil, "wait 1s: kr16 has no joint 6: need one value for each joint"},
		{"beyond the limits of a joint", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: []float64{9, -1.5, 1.5, 0, 1, 0}})
		}, robotics.ErrBeyond, nil, "kr16 PTP: joint 0 at 9: position is out of range, it goes from -3.2288591161895095 to 3.2288591161895095"},
		{"an output that cannot move", func() robotics.Command { return robotics.NewCommand(io, motions.PTP{To: point}) }, robotics.ErrUnsuited, nil, "io/out0 PTP: the actuator cannot perform this action: it has no joints"},
		{"an arm that cannot be true", func() robotics.Command {
			return robotics.NewCommand(arm, robotics.SetDigital{Value: true})
		}, robotics.ErrUnsuited, new(*mapping.NoConverterError), "kr16 = true: the actuator cannot perform this action: no converter makes JointPositions or Load from Digital"},
		{"a missing parameter", func() robotics.Command {
			return robotics.NewCommand(actuator.NewJoints("kr16", nil), motions.LIN{In: arm.Base()})
		}, nil, new(*mapping.MissingError), ""},
		{"too fast", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point}, robotics.Speed(1.5))
		}, robotics.ErrShare, nil, "kr16 PTP: 1.5: share must be above 0 and at most 1"},
		{"too slow to end", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point}, robotics.Speed(1e-300))
		}, robotics.ErrShare, nil, "kr16 PTP: 1e-300: share must be above 0 and at most 1; below 1e-06 a motion would hardly end"},
		{"hardly accelerated", func() robotics.Command { return lin(arm.Base(), robotics.Acceleration(1e-320)) }, robotics.ErrShare, nil, ""},
		{"a default for nobody", func() robotics.Command {
			return robotics.NewCommand(actuator.NewArm("kr16", model(), actuator.BaseLimits{}), motions.PTP{To: point})
		}, robotics.ErrParam, nil, "kr16 PTP: actuator.BaseLimits as a default of kr16: the command does not use this parameter"},
		{"no default", func() robotics.Command {
			return robotics.NewCommand(actuator.NewLightweight("lwr", robots.LWR4(), nil), motions.JointHold{})
		}, robotics.ErrParam, nil, ""},
		{"a default of another kind of robot", func() robotics.Command {
			return robotics.NewCommand(actuator.NewJoints("kr16", nil, actuator.Transition(time.Second)), actuator.SetLoad{})
		}, robotics.ErrParam, nil, ""},
		{"a default twice", func() robotics.Command {
			return robotics.NewCommand(actuator.NewArm("kr16", model(), robotics.Speed(0.3), robotics.Speed(0.4)), motions.PTP{To: point})
		}, robotics.ErrParamTwice, nil, "kr16 PTP: robotics.Speed as a default of kr16: parameter is given twice"},
		{"a default of a base twice", func() robotics.Command {
			base := actuator.NewBase("base", actuator.BaseLimits{Vel: 1, RotVel: 1}, actuator.BaseLimits{Vel: 2, RotVel: 1})
			return robotics.NewCommand(base, motions.DriveTo{In: base.Origin()})
		}, robotics.ErrParamTwice, nil, ""},
		{"a default of two arms for nobody", func() robotics.Command {
			other := actuator.NewArm("other", model())
			both := actuator.NewMultiArm("both", []actuator.Carrier{{Arm: arm, By: arm.Flange()}, {Arm: other, By: other.Flange()}}, actuator.BaseLimits{})
			if _, err := world.Relate(arm.Base(), other.Base(), geom.Frame{}); err != nil {
				t.Fatal(err)
			}
			return robotics.NewCommand(both, motions.LIN{In: arm.Base()})
		}, robotics.ErrParam, nil, ""},
		{"no limits", func() robotics.Command { return lin(arm.Base(), robotics.CartesianLimits{}) }, robotics.ErrLimits, nil, ""},
		{"joints without limits", func() robotics.Command {
			j := actuator.NewJoints("kr16", []kinematics.Joint{{Min: -1, Max: 1}})
			return robotics.NewCommand(j, motions.PTP{To: []float64{0.5}})
		}, robotics.ErrLimits, nil, "kr16 PTP: joint 0: limits must be above 0"},
		{"no frame", func() robotics.Command { return lin(nil) }, world.ErrNoFrame, nil, ""},
		{"a frame that stands nowhere", func() robotics.Command { return lin(world.NewFrame("lost")) }, world.ErrUnrelated, new(*world.FrameError), `kr16 LIN: from frame "lost" to frame "kr16 flange": no path leads from one frame to the other`},
		{"a goal on the own flange", func() robotics.Command { return lin(arm.Flange()) }, robotics.ErrOwnFrame, nil, "kr16 LIN: frame kr16 flange: frame moves with the robot itself"},
		{"a motion centre on the ground", func() robotics.Command {
			return lin(arm.Base(), robotics.MotionCenter{Frame: arm.Base().Place("floor", geom.Frame{})})
		}, robotics.ErrNotCarried, nil, "kr16 LIN: frame floor: robot does not carry the frame"},
		{"a frame that nothing tells", func() robotics.Command {
			f := world.NewFrame("odd")
			if _, err := world.Couple(arm.Base(), f, 42); err != nil {
				t.Fatal(err)
			}
			return lin(f)
		}, nil, new(*mapping.CouplingError), "kr16 LIN: int couples frames but has no MapCoupling"},
		{"no arc", func() robotics.Command {
			return robotics.NewCommand(arm, motions.CIRC{Via: geom.Vector{X: 1}, To: geom.Frame{Pos: geom.Vector{X: 2}}, In: arm.Base()})
		}, robotics.ErrPath, nil, ""},
		{"no curve", func() robotics.Command { return robotics.NewCommand(arm, motions.Spline{In: arm.Base()}) }, robotics.ErrPath, nil, ""},
		{"no sensor", func() robotics.Command { return robotics.NewCommand(io, robotics.FollowDigital{}) }, robotics.ErrNoSensor, nil, ""},
		{"a primitive that does not exist", func() robotics.Command {
			w := wait()
			w.OnEntered(robotics.IsTrue(robotics.Derived(func(m *mapping.Net) graph.Signal[bool] {
				return mapping.Link[bool](m.Add("Core::Tru"), "outValue")
			})), robotics.Cancel(w))
			return w
		}, nil, new(*graph.ProblemError), ""},
		{"no command", func() robotics.Command { return nil }, robotics.ErrNoCommand, nil, "no command"},
		{"a sequence of no command", func() robotics.Command { return robotics.Sequence(nil, wait(), nil) }, robotics.ErrNoCommand, nil, ""},
		{"a pointer to no command", func() robotics.Command { return robotics.Parallel((*robotics.WaitCommand)(nil)) }, robotics.ErrNoCommand, nil, ""},
		{"a transaction of nothing", func() robotics.Command { return robotics.Sequence() }, robotics.ErrNothingStarts, nil, "sequence: transaction starts no command; use AddStart"},
		{"the same command at once", func() robotics.Command { w := wait(); return robotics.Parallel(w, w) }, robotics.ErrTwice, nil, "wait 1s: command is in several transactions, or twice in one"},
		{"never started", func() robotics.Command { s := robotics.Sequence(wait()); s.Add(wait()); return s }, robotics.ErrNeverStarted, nil, "wait 1s: nothing starts the command; use AddStart, or Start in a handler"},
		{"no actuator", func() robotics.Command { return robotics.NewCommand(nil, motions.PTP{To: point}) }, robotics.ErrIncomplete, nil, "nothing PTP: command without an actuator or an action"},
		{"a pointer to no actuator", func() robotics.Command {
			return robotics.NewCommand((*actuator.Arm)(nil), motions.PTP{To: point})
		}, robotics.ErrIncomplete, nil, ""},
		{"a pointer to no action", func() robotics.Command { return robotics.NewCommand(arm, (*motions.PTP)(nil)) }, robotics.ErrIncomplete, nil, ""},
		{"no effect", reacting(nil), robotics.ErrNoEffect, nil, "wait 1s: effect without a function or a target"},
		{"no function", reacting(robotics.External(nil)), robotics.ErrNoEffect, nil, ""},
		{"no token", reacting(robotics.Give(nil)), robotics.ErrNoEffect, nil, ""},
		{"no state to raise", reacting(robotics.Raise(nil)), robotics.ErrNoEffect, nil, ""},
		{"starts no command", reacting(robotics.Start(nil)), nil, new(*robotics.EffectError), "wait 1s: a handler can start commands that it consists of, but not <nil>"},
		{"cancels no command", reacting(robotics.Cancel(nil)), nil, new(*robotics.EffectError), ""},
		{"cancels what it is part of", func() robotics.Command {
			w := wait()
			s := robotics.Sequence(w)
			w.OnEntered(w.Active(), robotics.Cancel(s))
			return s
		}, nil, new(*robotics.EffectError), "wait 1s: a handler can cancel itself, or commands that it consists of, but not sequence"},
		{"starts what is deeper", func() robotics.Command {
			w := wait()
			s := robotics.Sequence(robotics.Sequence(w))
			s.OnEntered(s.Active(), robotics.Start(w))
			return s
		}, nil, new(*robotics.EffectError), ""},
		{"made of no state", when(robotics.And(robotics.Not(nil), nil)), robotics.ErrNoState, nil, "wait 1s: no state"},
		{"long no state", when(robotics.Long(nil, time.Second)), robotics.ErrNoState, nil, ""},
		{"a pointer to no state", when((*robotics.Raised)(nil)), robotics.ErrNoState, nil, ""},
		{"true of no sensor", when(robotics.IsTrue(nil)), robotics.ErrNoSensor, nil, "wait 1s: no sensor of bool"},
		{"computed of no sensor", when(robotics.Above(robotics.Add[float64](arm.Measured(0), nil), 1)), robotics.ErrNoSensor, nil, "wait 1s: no sensor of double"},
		{"derived by nothing", when(robotics.IsTrue(robotics.Derived[bool](nil))), robotics.ErrNoSensor, nil, ""},
		{"above NaN", when(robotics.Above(arm.Measured(0), nan)), robotics.ErrNumber, nil, "wait 1s: a sensor that says NaN: it must be a number"},
		{"near by less than nothing", when(robotics.Near(arm.Measured(0), arm.Measured(1), -1)), robotics.ErrNegative, nil, "wait 1s: a tolerance of -1: must be a number, 0 or above"},
		{"a direction that does not exist", when(robotics.Above(robotics.Component(robotics.Position(robotics.Pose(arm.Flange(), arm.Base())), "up"), 1)), nil, new(*graph.ProblemError), ""},
		{"seen from nowhere", when(robotics.Above(robotics.Length(robotics.Position(robotics.Pose(nil, arm.Base()))), 1)), world.ErrNoFrame, nil, ""},
		{"a token with an odd name", reacting(robotics.Give(robotics.NewToken("a b"))), robotics.ErrName, nil, `wait 1s: token "a b": name must consist of letters, digits and _, and be unique`},
		{"tokens of one name", func() robotics.Command {
			w := wait()
			w.OnEntered(w.Active(), robotics.Give(robotics.NewToken("a")), robotics.Give(robotics.NewToken("a")))
			return w
		}, robotics.ErrName, nil, ""},
		{"inputs of one name", when(robotics.And(robotics.IsTrue(robotics.NewInput("a", true)), robotics.Above(robotics.NewInput("a", 1.0), 0))), robotics.ErrName, nil, ""},
		{"an input without a name", when(robotics.IsTrue(robotics.NewInput("", true))), robotics.ErrName, nil, ""},
		{"NaN for a joint", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: []float64{nan, -1.5, 1.5, 0, 1, 0}})
		}, robotics.ErrBeyond, nil, ""},
		{"a synchronisation that does not exist", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point, Sync: "quickly"})
		}, robotics.ErrSync, nil, `kr16 PTP: "quickly": unknown synchronisation`},
		{"a parameter for nobody", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point}, actuator.BaseLimits{})
		}, robotics.ErrParam, nil, "kr16 PTP: actuator.BaseLimits: the command does not use this parameter"},
		{"no parameter", func() robotics.Command { return robotics.NewCommand(arm, motions.PTP{To: point}, nil) }, robotics.ErrParam, nil, ""},
		{"a parameter twice", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point}, robotics.Speed(0.5), robotics.Speed(0.6))
		}, robotics.ErrParamTwice, nil, "kr16 PTP: robotics.Speed: parameter is given twice"},
		{"more than all of a motion", func() robotics.Command {
			c := robotics.NewCommand(arm, motions.PTP{To: point})
			c.OnEntered(c.State(motions.Progress(2)), robotics.Cancel(c))
			return c
		}, robotics.ErrShare, nil, ""},
		{"a line to NaN", func() robotics.Command {
			return robotics.NewCommand(arm, motions.LIN{To: geom.Frame{Pos: geom.Vector{X: nan}}, In: arm.Base()})
		}, robotics.ErrNumber, nil, ""},
		{"a line out of reach", func() robotics.Command {
			tool := arm.Flange().Place("tool", geom.Frame{Pos: geom.Vector{Z: 0.2}})
			return robotics.NewCommand(arm, motions.LIN{To: geom.Frame{Pos: geom.Vector{X: 9}}, In: arm.Base()}, robotics.MotionCenter{Frame: tool})
		}, robotics.ErrReach, nil, "kr16 LIN: pose {pos:{x:9,y:0,z:0},rot:{a:0,b:0,c:0}}: pose is out of reach"},
		{"a curve out of reach", func() robotics.Command {
			return robotics.NewCommand(arm, motions.Spline{Through: []geom.Frame{{Pos: geom.Vector{X: 1}}, {Pos: geom.Vector{X: 2, Z: 1}}, {Pos: geom.Vector{X: 1, Z: 2}}}, In: arm.Base()})
		}, robotics.ErrReach, nil, ""},
		{"a drive out of reach", func() robotics.Command {
			return robotics.NewCommand(arm, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 9}}, In: arm.Base()})
		}, robotics.ErrReach, nil, ""},
		{"a drive to NaN", func() robotics.Command {
			base := actuator.NewBase("base")
			return robotics.NewCommand(base, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: nan}}, In: base.Origin()})
		}, robotics.ErrNumber, nil, ""},
		{"a frame at NaN", func() robotics.Command { return lin(arm.Base().Place("odd", geom.Frame{Pos: geom.Vector{X: nan}})) }, robotics.ErrNumber, nil, ""},
		{"a frame placed on none", func() robotics.Command { return lin((*world.Frame)(nil).Place("odd", geom.Frame{})) }, world.ErrUnrelated, nil, ""},
		{"an output that is NaN", func() robotics.Command {
			return robotics.NewCommand(robotics.AnalogOutput{Device: "io"}, robotics.SetAnalog{Value: nan})
		}, robotics.ErrNumber, nil, ""},
		{"fingers that stand still", func() robotics.Command {
			return robotics.NewCommand(actuator.Gripper{Device: "gripper"}, actuator.Grasp{Width: 0.01})
		}, robotics.ErrPositive, nil, "gripper grasp: speed 0: must be a number above 0"},
		{"fingers that overlap", func() robotics.Command {
			return robotics.NewCommand(actuator.Gripper{Device: "gripper"}, actuator.Grasp{Width: -0.01, Speed: 0.1})
		}, robotics.ErrNegative, nil, "gripper grasp: width -0.01: must be a number, 0 or above"},
		{"jaws that open too far", func() robotics.Command {
			return robotics.NewCommand(actuator.Jaws{Device: "jaws"}, actuator.OpenJaws{Distance: 0.03})
		}, robotics.ErrBeyond, nil, "jaws open 0.03 m: jaws at 0.03 m: position is out of range, they open up to 0.023 m"},
		{"too stiff", func() robotics.Command {
			return switchTo(actuator.JointImpedance{Stiffness: slices.Repeat([]float64{9000}, 7)})
		}, robotics.ErrSpring, nil, "lwr switch control: stiffness 9000: spring value is out of range, it can be 0.01 to 2000 Nm/rad"},
		{"too soft", func() robotics.Command {
			return switchTo(actuator.CartesianImpedance{Stiffness: geom.Wrench{Torque: geom.Vector{X: 200, Y: 200}}})
		}, robotics.ErrSpring, nil, "lwr switch control: stiffness 0: spring value is out of range, it can be 0.01 to 300 Nm/rad"},
		{"a damping of NaN", func() robotics.Command {
			return switchTo(actuator.CartesianImpedance{Damping: geom.Wrench{Force: geom.Vector{X: nan}}})
		}, robotics.ErrSpring, nil, "lwr switch control: damping NaN: spring value is out of range, it can be 0 to 1"},
		{"too few springs", func() robotics.Command { return switchTo(actuator.JointImpedance{Damping: []float64{1}}) }, robotics.ErrJoints, nil, ""},
		{"no control", func() robotics.Command { return switchTo(nil) }, robotics.ErrNoControl, nil, "lwr switch control: unknown kind of control"},
		{"a stiff arm that cannot yield", func() robotics.Command {
			return robotics.NewCommand(arm, actuator.SwitchControl{To: actuator.JointImpedance{}})
		}, robotics.ErrUnsuited, new(*mapping.NoConverterError), "kr16 switch control: the actuator cannot perform this action: no converter makes JointPositions or Load from SwitchControl"},
		{"a stiff arm under springs", func() robotics.Command {
			return robotics.NewCommand(arm, motions.PTP{To: point}, actuator.Under{Control: actuator.JointImpedance{}})
		}, robotics.ErrParam, nil, "kr16 PTP: actuator.Under: the command does not use this parameter"},
		{"springs without a transition", func() robotics.Command {
			return robotics.NewCommand(lwr(), actuator.SwitchControl{To: actuator.JointImpedance{}}, actuator.Transition(0))
		}, robotics.ErrDuration, nil, "lwr switch control: a transition of 0s: duration must be above 0"},
		{"nothing to do while it yields", func() robotics.Command { return lwr().Yield(actuator.JointImpedance{}, nil) }, robotics.ErrNoCommand, nil, "no command"},
		{"a load that lifts", func() robotics.Command {
			return robotics.NewCommand(arm, actuator.SetLoad{Load: actuator.Load{Mass: -1}})
		}, robotics.ErrNegative, nil, ""},
		{"a tool whose centre is nowhere", func() robotics.Command {
			return robotics.NewCommand(lwr(), actuator.SetTool{Load: actuator.Load{COM: geom.Vector{Z: nan}}})
		}, robotics.ErrNumber, nil, ""},
		{"a tool that somebody else carries", func() robotics.Command {
			return robotics.NewCommand(lwr(), actuator.SetTool{Tip: arm.Flange()})
		}, robotics.ErrNotCarried, nil, "lwr tool: frame kr16 flange: robot does not carry the frame, where it does not move"},
		{"two models of one arm", func() robotics.Command {
			other := robotics.NewCommand(actuator.NewArm("kr16", robots.LWR4()), motions.JointHold{})
			return robotics.Sequence(robotics.NewCommand(arm, motions.PTP{To: point}), other)
		}, robotics.ErrModels, nil, "kr16 hold joints: kr16: device has two different models"},
		{"one arm for two", func() robotics.Command {
			both := actuator.NewMultiArm("both", []actuator.Carrier{{Arm: arm, By: arm.Flange()}, {Arm: arm, By: arm.Flange()}})
			return robotics.NewCommand(both, motions.LIN{In: arm.Base()})
		}, robotics.ErrArms, nil, "both LIN: arm 1: need at least two distinct arms"},
		{"two arms that are one", func() robotics.Command {
			return robotics.NewCommand(actuator.NewMultiArm("both", []actuator.Carrier{{Arm: arm, By: arm.Flange()}}), motions.LIN{In: arm.Base()})
		}, robotics.ErrArms, nil, ""},
		{"near to nothing", when(robotics.Near(nil, nil, 1)), robotics.ErrNoSensor, nil, "wait 1s: no sensor of double"},
		{"a sensor without a signal", when(robotics.Above[float64](dumb{}, 1)), robotics.ErrNoSensor, nil, "wait 1s: dumb makes no signal: no sensor of double"},
		{"an input with an odd name", when(robotics.IsTrue(robotics.NewInput("a b", true))), robotics.ErrName, nil, ""},
		{"an actuator that understands nothing", func() robotics.Command {
			return robotics.NewCommand(deaf{}, robotics.SetDigital{Value: true})
		}, robotics.ErrUnsuited, new(*mapping.NoConverterError), "deaf = true: the actuator cannot perform this action: no converter makes a flow of the actuator from Digital"},
		{"sliding to nowhere", func() robotics.Command { return robotics.NewCommand(arm, motions.JogJoints{}) }, robotics.ErrJoints, nil, ""},
		{"an average over no time", when(robotics.Above(robotics.Average(arm.Measured(0), 0), 1)), robotics.ErrDuration, nil, "wait 1s: a sensor over 0s: duration must be above 0"},
		{"an average over an hour", when(robotics.Above(robotics.Average(arm.Measured(0), time.Hour), 1)), robotics.ErrMemory, nil, "wait 1s: a sensor over 1h0m0s: sensors remember at most 1000s"},
		{"long ago", when(robotics.Above(robotics.Ago(arm.Measured(0), time.Hour), 1)), robotics.ErrMemory, nil, ""},
		{"an input with a quote", when(robotics.IsTrue(robotics.NewInput("a'b", true))), robotics.ErrName, nil, ""},
		{"a base that cannot drive", func() robotics.Command {
			base := actuator.NewBase("base")
			return robotics.NewCommand(base, motions.DriveTo{In: base.Origin()}, actuator.BaseLimits{})
		}, robotics.ErrLimits, nil, ""},
		{"a drive to itself", func() robotics.Command {
			base := actuator.NewBase("base")
			return robotics.NewCommand(base, motions.DriveTo{In: base.Body()})
		}, robotics.ErrOwnFrame, nil, ""},
		{"an arm without a model", func() robotics.Command {
			return robotics.NewCommand(actuator.NewArm("kr16", nil), motions.PTP{To: point})
		}, robotics.ErrUnsuited, nil, "kr16 PTP: the actuator cannot perform this action: it has no joints"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := robotics.Map(tt.make(), graph.Standard())
			switch {
			case err == nil:
				t.Fatal("mapped")
			case tt.want != nil && !errors.Is(err, tt.want):
				t.Errorf("%v is not %v", err, tt.want)
			case tt.as != nil && !errors.As(err, tt.as):
				t.Errorf("%v is no %T", err, tt.as)
			case tt.text != "" && err.Error() != tt.text:
				t.Errorf("%v\nnot %s", err, tt.text)
			case tt.text == "":
				t.Log(err)
			}
		})
	}
}

// dumb is a sensor that says nothing, deaf an actuator that hears nothing.
type (
	dumb struct{}
	deaf struct{}
)

func (dumb) MapSensor(*mapping.Net) (none graph.Signal[float64]) { return none }

func (deaf) String() string                                                 { return "deaf" }
func (deaf) Understands() []mapping.Flow                                    { return nil }
func (deaf) MapActuator(*mapping.Context, mapping.Flow) (none mapping.Part) { return none }
func (deaf) Defaults() []robotics.Param                                     { return nil }

// TestMisuseOfRuntime: other nonsense is refused as well, and harms nothing that runs.
func TestMisuseOfRuntime(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect(nil, robotics.Catalogue(nil))
	level, out := robotics.NewInput("level", 1.0), robotics.AnalogOutput{Device: "io"}
	h, err := r.Start(t.Context(), robotics.NewCommand(out, robotics.FollowAnalog{Value: level}))
	if err != nil {
		t.Fatal(err)
	}
	connect := func(address string, options ...robotics.Option) error {
		_, err := robotics.Connect(t.Context(), address, options...)
		return err
	}
	when := func(condition robotics.Condition, do robotics.Switch) error {
		_, err := r.Synchronize(t.Context(), condition, do)
		return err
	}
	second := func(_ any, err error) error { return err }
	refused := new(client.RefusedError)
	for _, tt := range []struct {
		name string
		err  error
		want error
		as   any
		text string
	}{
		{"an address of another kind", connect("ftp://robot"), nil, nil, `address "ftp://robot": expected an address such as http://127.0.0.1:8080`},
		{"no address", connect(""), nil, nil, `address "": expected an address such as http://127.0.0.1:8080`},
		{"nobody is there for short", connect("127.0.0.1:1"), nil, new(*client.LostError), ""},
		{"nobody is there", connect("http://127.0.0.1:1"), nil, new(*client.LostError), ""},
		{"time backwards", connect(c.URL(), robotics.Cycle(-time.Second)), robotics.ErrDuration, nil, "a cycle of -1s: duration must be above 0 (at least 1µs)"},
		{"time that hardly passes", connect(c.URL(), robotics.Cycle(1)), robotics.ErrDuration, nil, "a cycle of 1ns: duration must be above 0 (at least 1µs)"},
		{"an arm without a name", r.Execute(t.Context(), robotics.NewCommand(actuator.NewArm("", model()), motions.PTP{To: point})), robotics.ErrNoDevice, nil, "no device name"},
		{"the arm without a name", second(actuator.FindArm(t.Context(), r, "")), robotics.ErrNoDevice, nil, ""},
		{"a sensor too short", r.Execute(t.Context(), robotics.NewWaitUntil(robotics.Above(robotics.Average(out, time.Microsecond), 1))), nil, new(*client.RejectedError), ""},
		{"the input of no command", robotics.Set(t.Context(), nil, level, 1), robotics.ErrNoCommand, nil, ""},
		{"no command", r.Execute(t.Context(), nil), robotics.ErrNoCommand, nil, "no command"},
		{"no command to load", second(r.Load(t.Context(), nil)), robotics.ErrNoCommand, nil, ""},
		{"started twice", h.Start(t.Context()), nil, &refused, ""},
		{"too fast", h.SetOverride(t.Context(), 1.5), robotics.ErrOverride, nil, "1.5: override must be from 0 to 1"},
		{"all too fast", r.SetOverride(t.Context(), math.NaN()), robotics.ErrOverride, nil, ""},
		{"no input", robotics.Set[float64](t.Context(), h, nil, 1), robotics.ErrNoInput, nil, "the command has no such input"},
		{"the input of another command", robotics.Set(t.Context(), h, robotics.NewInput("other", 1.0), 1), robotics.ErrNoInput, nil, ""},
		{"an input that is not a number", robotics.Set(t.Context(), h, level, math.NaN()), robotics.ErrNumber, nil, `input "level": NaN: it must be a number`},
		{"the value of nothing", second(robotics.Value[float64](t.Context(), r, nil)), robotics.ErrNoSensor, nil, ""},
		{"listening to nothing", second(robotics.Listen(t.Context(), r, nil, func(float64) {})), robotics.ErrNoSensor, nil, ""},
		{"listening without ears", second(robotics.Listen[float64](t.Context(), r, out, nil)), robotics.ErrNoEffect, nil, ""},
		{"listening to all without ears", second(robotics.ListenAll[float64](t.Context(), r, out, nil)), robotics.ErrNoEffect, nil, ""},
		{"a rule about no command", when(robotics.Now, robotics.Switch{Start: []*robotics.Handle{nil}}), robotics.ErrNoCommand, nil, "a rule: no command"},
		{"a rule about no token", when(h.Given(nil).And(robotics.Now), robotics.Switch{}), robotics.ErrToken, nil, "no token: the command does not give the token"},
		{"a token that is not given", when(h.Given(robotics.NewToken("half")), robotics.Switch{}), robotics.ErrToken, nil, "token half: the command does not give the token"},
		{"taking over what is not handed over", func() error {
			_, err := robotics.Map(robotics.NewCommand(kr16(), motions.PTP{To: point}, robotics.TakeOver{Of: h}), nil)
			return err
		}(), robotics.ErrHandOver, nil, "kr16 PTP: kr16: the command before does not hand over the device; give it HandOver(true)"},
		{"an odd condition", when("((", robotics.Switch{}), nil, &refused, ""},
	} {
		switch {
		case tt.err == nil:
			t.Errorf("%s: no error", tt.name)
		case tt.want != nil && !errors.Is(tt.err, tt.want), tt.as != nil && !errors.As(tt.err, tt.as), tt.text != "" && tt.err.Error() != tt.text:
			t.Errorf("%s: %v", tt.name, tt.err)
		}
	}
	if j := kr16().Joint(99); j.Name != "" {
		t.Errorf("joint 99 is %v", j)
	}
	if err := errors.Join(h.Cancel(t.Context()), h.Wait(t.Context())); err != nil {
		t.Errorf("what ran all the time: %v", err)
	}
}
