package robotics_test

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// goldenJoints are motions of joints.
func goldenJoints() goldens {
	ptp := func(p motions.PTP, params ...robotics.Param) func(s *scene) robotics.Command {
		return func(s *scene) robotics.Command { return robotics.NewCommand(s.arm, p, params...) }
	}
	turn := func(s *scene) []robotics.Sensor[float64] {
		var goals []robotics.Sensor[float64]
		for i, v := range point {
			goals = append(goals, robotics.Constant(v))
			if i == 0 {
				goals[0] = robotics.Add(robotics.Constant(v), robotics.Mul(robotics.Min(clock(), robotics.Constant(0.5)), robotics.Constant(0.1)))
			}
		}
		return goals
	}
	return goldens{
		"ptp":                     ptp(motions.PTP{To: corner}),
		"ptp asynchronous":        ptp(motions.PTP{To: corner, Sync: robotics.Asynchronous}, robotics.Speed(0.5), robotics.Acceleration(0.5)),
		"ptp synchronous":         ptp(motions.PTP{To: corner, Sync: robotics.Synchronous}),
		"ptp on a line of joints": ptp(motions.PTP{To: corner, From: point, Sync: robotics.FullySynchronous}),
		"ptp within limits": ptp(motions.PTP{To: corner}, robotics.JointLimits{
			Vel: []float64{0.5, 0, 0, 0, 0, 0}, Acc: []float64{2, 2, 2, 2, 2, 2}, Jerk: []float64{20, 20, 20, 20, 20, 20},
		}),
		"ptp cancelled": func(s *scene) robotics.Command {
			m := robotics.NewCommand(s.arm, motions.PTP{To: corner})
			m.OnEntered(robotics.Above(s.arm.Measured(0), 0.302), robotics.Cancel(m))
			return m
		},
		"ptp twice": func(s *scene) robotics.Command {
			first, second := robotics.NewCommand(s.arm, motions.PTP{To: corner}), robotics.NewCommand(s.arm, motions.PTP{To: point})
			tc := robotics.NewTransaction(first, second)
			tc.AddStart(first)
			tc.OnFirstEntered(first.Completed(), robotics.Start(second))
			return tc
		},
		"joints without kinematics": func(*scene) robotics.Command {
			return robotics.NewCommand(actuator.NewJoints("kr16", jointsOf("kr16")), motions.PTP{To: corner})
		},
		"override": func(s *scene) robotics.Command {
			s.set(150, "override", "0.5")
			return robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()}, slow)
		},
		"hold joints": func(s *scene) robotics.Command {
			s.cancel(10)
			return robotics.NewCommand(s.arm, motions.JointHold{})
		},
		"jog joints": func(s *scene) robotics.Command {
			s.cancel(200)
			none := robotics.Constant(0.0)
			return robotics.NewCommand(s.arm, motions.JogJoints{Velocities: []robotics.Sensor[float64]{robotics.Constant(0.2), none, none, robotics.Constant(-0.1), none, none}})
		},
		"follow joints": func(s *scene) robotics.Command {
			s.cancel(300)
			return robotics.NewCommand(s.arm, motions.FollowJoints{Goals: turn(s), Smooth: true})
		},
		"take over": func(s *scene) robotics.Command {
			half := robotics.NewToken("half")
			first := robotics.NewCommand(s.arm, motions.PTP{To: corner}, robotics.HandOver(true))
			first.OnFirstEntered(first.State(motions.Progress(0.5)), robotics.Give(half))
			h, err := s.cell.Connect().Start(s.t.Context(), first)
			if err != nil {
				s.t.Fatal(err)
			}
			s.relieve = func(n *rcc.Net) { s.relieved(h, h.Given(half), n) }
			return robotics.NewCommand(s.arm, motions.PTP{To: point}, robotics.TakeOver{Of: h, End: robotics.End{Joints: corner}})
		},
		"hand over": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.PTP{To: corner}, robotics.HandOver(true))
		},
	}
}

// relieved has a net relieve a command on a condition.
func (s *scene) relieved(h *robotics.Handle, when robotics.Condition, n *rcc.Net) {
	s.t.Helper()
	r := rcc.RuleRequest{Condition: string(when), Stop: []string{h.Net().Name}, Start: []string{n.Name()}}
	if _, err := s.cell.Core.Rules.Add(s.t.Context(), r); err != nil {
		s.t.Fatal(err)
	}
}

// goldenWays are motions in space.
func goldenWays() goldens {
	by := geom.Frame{Pos: geom.Vector{X: -0.02, Z: 0.02}, Rot: geom.FromABC(0.05, 0, 0)}
	return goldens{
		"lin": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()}, slow)
		},
		"lin cancelled": func(s *scene) robotics.Command {
			s.cancel(200)
			return robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()}, slow)
		},
		"lin by": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.LINBy{By: by, In: s.table})
		},
		"lin by of tool": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.LINBy{By: by, In: s.arm.Flange()})
		},
		"circ": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.CIRC{
				From: s.start, Via: s.start.Pos.Add(geom.Vector{X: -0.02, Y: 0.02}), To: moved(s.start, geom.Vector{Y: 0.04}, 0.1, 0, 0), In: s.arm.Base(),
				Orientation: path.TurningOnWheel,
			})
		},
		"spline": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.Spline{
				Through: []geom.Frame{s.start, moved(s.start, geom.Vector{Y: 0.02, Z: 0.02}, 0, 0, 0), moved(s.start, geom.Vector{Y: 0.04}, 0.1, 0, 0)}, In: s.arm.Base(),
			})
		},
		"hold": func(s *scene) robotics.Command {
			s.cancel(10)
			return robotics.NewCommand(s.arm, motions.CartesianHold{In: s.table})
		},
		"jog": func(s *scene) robotics.Command {
			s.cancel(150)
			return robotics.NewCommand(s.arm, motions.Jog{Velocity: robotics.NewInput("jog", geom.Twist{Vel: geom.Vector{Z: 0.05}}), In: s.table})
		},
		"follow": func(s *scene) robotics.Command {
			s.cancel(150)
			return robotics.NewCommand(s.arm, motions.Follow{Goal: robotics.Constant(moved(s.start, geom.Vector{Z: 0.03}, 0, 0, 0)), In: s.arm.Base()})
		},
		"follow a way": func(s *scene) robotics.Command {
			s.cancel(150)
			goal := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
				rises := m.Add("World::FrameFromXYZ").Link("inZ", graph.Mul(robotics.Read(m, clock()), m.Real(0.05)).Port).Out("outValue")
				return m.Mul(graph.As[geom.Frame](rises), graph.Const(m.Graph, s.start))
			})
			return robotics.NewCommand(s.arm, motions.Follow{Goal: goal, In: s.arm.Base(), Smooth: true})
		},
		"take over in space": func(s *scene) robotics.Command {
			first := robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()}, slow, robotics.HandOver(true))
			half := robotics.NewToken("half")
			first.OnFirstEntered(first.State(motions.Passed(0.5)), robotics.Give(half))
			h, err := s.cell.Connect().Start(s.t.Context(), first)
			if err != nil {
				s.t.Fatal(err)
			}
			s.relieve = func(n *rcc.Net) { s.relieved(h, h.Given(half), n) }
			end := robotics.End{Pose: poseAt(corner), Of: s.arm.Flange(), In: s.arm.Base(), Limits: slow}
			return robotics.NewCommand(s.arm, motions.LIN{To: s.start, In: s.arm.Base()}, slow, robotics.TakeOver{Of: h, End: end})
		},
	}
}

// goldenFrames are goals that are seen from frames: fixed, configured, carried by a robot, or seen by a sensor.
func goldenFrames() goldens {
	lin := func(s *scene, in *world.Frame, seen geom.Frame, params ...robotics.Param) robotics.Command {
		goal := seen.Invert().Mul(moved(s.start, geom.Vector{Z: 0.02}, 0, 0, 0))
		return robotics.NewCommand(s.arm, motions.LIN{To: goal, In: in}, append(params, slow)...)
	}
	return goldens{
		"fixed frame": func(s *scene) robotics.Command {
			return lin(s, s.table, geom.Frame{Pos: geom.Vector{X: -0.25}})
		},
		"configured frame": func(s *scene) robotics.Command {
			hall, elsewhere := world.NewFrame("hall"), world.NewFrame("elsewhere")
			stood, err := world.Relate(elsewhere, s.arm.Base(), geom.Frame{})
			if err != nil {
				s.t.Fatal(err)
			}
			stood.Break()
			stands, err := world.Relate(hall, s.arm.Base(), geom.Frame{Pos: geom.Vector{X: 1}})
			if err != nil {
				s.t.Fatal(err)
			}
			if err := stands.Set(geom.Frame{Pos: geom.Vector{X: 2}}); err != nil {
				s.t.Fatal(err)
			}
			return lin(s, hall, geom.Frame{Pos: geom.Vector{X: -2}})
		},
		"tool": func(s *scene) robotics.Command {
			tool := s.arm.Flange().Place("tool", geom.Frame{Pos: geom.Vector{Z: 0.2}})
			goal := moved(s.start, geom.Vector{Z: 0.02}, 0, 0, 0).Mul(geom.Frame{Pos: geom.Vector{Z: 0.2}})
			return robotics.NewCommand(s.arm, motions.LIN{To: goal, In: s.arm.Base()}, robotics.MotionCenter{Frame: tool}, slow)
		},
		"frame that a sensor sees": func(s *scene) robotics.Command {
			part := world.NewFrame("part")
			seen := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
				slowly := graph.Mul(robotics.Read(m, clock()), m.Real(0.01))
				return mapping.Link[geom.Frame](m.Add("World::FrameFromXYZ").Link("inX", slowly.Port), "outValue")
			})
			if _, err := world.Couple(s.arm.Base(), part, robotics.Seen{By: seen}); err != nil {
				s.t.Fatal(err)
			}
			return lin(s, part, geom.Frame{})
		},
		"frame that a robot carries": func(s *scene) robotics.Command {
			if _, err := world.Relate(s.arm.Base(), s.other.Base(), geom.Frame{Pos: geom.Vector{X: 2}}); err != nil {
				s.t.Fatal(err)
			}
			at := s.cell.Where("tx90")
			at[0] += 0.02
			follow := robotics.NewCommand(s.arm, motions.CartesianHold{In: s.other.Flange()})
			lead := robotics.NewCommand(s.other, motions.PTP{To: at}, robotics.Speed(0.05))
			both := robotics.Parallel(follow, lead)
			both.OnEntered(lead.Completed(), robotics.Cancel(follow))
			return both
		},
		"arms in a relation": func(s *scene) robotics.Command {
			to := s.start
			to.Pos.Z += 0.02
			m := robotics.NewCommand(s.pair(), motions.LIN{To: to, In: s.arm.Base()}, slow)
			m.OnFirstEntered(m.State(motions.Distance(0.01)), s.called("half way"))
			return m
		},
		"arms out of their relation": func(s *scene) robotics.Command {
			pair := s.pair()
			m := robotics.NewCommand(pair, motions.PTP{To: corner})
			m.OnEntered(m.Fault(actuator.FaultRelation), s.called("out of it"), robotics.Stop(m))
			return robotics.Sequence(robotics.NewCommand(s.other, motions.PTP{To: []float64{0.01, 0.3, 1, 0, 0.5, 0}}), m)
		},
		"in step": func(s *scene) robotics.Command {
			step := actuator.InStep{Step: actuator.NewStep()}
			to := s.start
			to.Pos.Z += 0.02
			return robotics.Parallel(
				robotics.NewCommand(s.arm, motions.LIN{To: to, In: s.arm.Base()}, slow, step),
				robotics.NewCommand(s.other, motions.PTP{To: []float64{0.01, 0.3, 1, 0, 0.5, 0}}, step),
			)
		},
		"two arms": func(s *scene) robotics.Command {
			if _, err := world.Relate(s.arm.Base(), s.other.Base(), geom.Frame{Pos: geom.Vector{X: 2}}); err != nil {
				s.t.Fatal(err)
			}
			at := s.cell.Where("tx90")
			at[0] += 0.1
			there := robots.TX90L().Forward(at)
			return robotics.Parallel(
				robotics.NewCommand(s.arm, motions.LIN{To: poseAt(corner), In: s.arm.Base()}, slow),
				robotics.NewCommand(s.other, motions.LIN{To: there, In: s.other.Base()}, slow),
			)
		},
	}
}

// goldenTools are outputs, grippers and loads.
func goldenTools() goldens {
	lamp, level := robotics.DigitalOutput{Device: "io", Port: 2}, robotics.AnalogOutput{Device: "io", Port: 1}
	do := func(a robotics.Actuator, action robotics.Action) func(s *scene) robotics.Command {
		return func(*scene) robotics.Command { return robotics.NewCommand(a, action) }
	}
	hand := actuator.Gripper{Device: "gripper"}
	return goldens{
		"open jaws": func(s *scene) robotics.Command {
			s.number("distance", actuator.Jaws{Device: "jaws"}.Distance())
			return robotics.NewCommand(actuator.Jaws{Device: "jaws"}, actuator.OpenJaws{Distance: 0.01})
		},
		"arm on a base": func(s *scene) robotics.Command {
			if _, err := world.Relate(s.base.Body(), s.other.Base(), geom.Frame{Pos: geom.Vector{Z: 0.4}}); err != nil {
				s.t.Fatal(err)
			}
			hold := robotics.NewCommand(s.other, motions.CartesianHold{In: s.base.Origin()})
			drive := robotics.NewCommand(s.base, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 0.05}}, In: s.base.Origin()})
			both := robotics.Parallel(hold, drive)
			both.OnEntered(drive.Completed(), robotics.Cancel(hold))
			return both
		},
		"set digital": do(lamp, robotics.SetDigital{Value: true}),
		"set analog":  do(level, robotics.SetAnalog{Value: 2}),
		"follow digital": func(s *scene) robotics.Command {
			s.cancel(6)
			blink := robotics.Derived(func(m *mapping.Net) graph.Signal[bool] {
				return graph.Greater(robotics.Read(m, clock()), m.Real(0.005))
			})
			return robotics.NewCommand(lamp, robotics.FollowDigital{Value: blink})
		},
		"follow analog": func(s *scene) robotics.Command {
			s.cancel(4)
			return robotics.NewCommand(level, robotics.FollowAnalog{Value: clock()})
		},
		"home":         do(hand, actuator.Home{}),
		"home inwards": do(hand, actuator.Home{Inwards: true}),
		"move fingers": do(hand, actuator.MoveFingers{Width: 0.05, Speed: 0.4}),
		"grasp": func(s *scene) robotics.Command {
			s.happen(1, "gripper", "part 0.04")
			return robotics.Sequence(
				robotics.NewCommand(hand, actuator.MoveFingers{Width: 0.05, Speed: 0.4}), robotics.NewCommand(hand, actuator.Grasp{Width: 0.04, Speed: 0.4}),
			)
		},
		"release": do(hand, actuator.Release{Width: 0.06, Speed: 0.4}),
		"load": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, actuator.SetLoad{Load: actuator.Load{Mass: 2, COM: geom.Vector{Z: 0.1}, Inertia: geom.Vector{X: 0.01, Y: 0.01, Z: 0.02}}})
		},
		"lightweight": func(s *scene) robotics.Command {
			at := s.cell.Where("lwr")
			at[3] += 0.05
			return robotics.NewCommand(s.lwr, motions.PTP{To: at})
		},
	}
}

// goldenBases are mobile bases.
func goldenBases() goldens {
	goal := geom.Frame{Pos: geom.Vector{X: 0.1}}
	return goldens{
		"drive to": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.base, motions.DriveTo{To: goal, In: s.base.Origin()}, actuator.BaseLimits{Vel: 0.2, RotVel: 0.3})
		},
		"drive to by an arm": func(s *scene) robotics.Command {
			return robotics.NewCommand(s.arm, motions.DriveTo{To: poseAt(corner), In: s.arm.Base()})
		},
		"follow by a base": func(s *scene) robotics.Command {
			s.cancel(150)
			ahead := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
				way := graph.Mul(robotics.Read(m, clock()), m.Real(0.1))
				return mapping.Link[geom.Frame](m.Add("World::FrameFromXYZ").Link("inX", way.Port), "outValue")
			})
			return robotics.NewCommand(s.base, motions.Follow{Goal: ahead, In: s.base.Origin()})
		},
		"drive to in a hall": func(s *scene) robotics.Command {
			hall := world.NewFrame("hall")
			if _, err := world.Relate(hall, s.base.Origin(), geom.Frame{Pos: geom.Vector{X: 5}}); err != nil {
				s.t.Fatal(err)
			}
			return robotics.NewCommand(s.base, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 5, Y: 0.1}}, In: hall})
		},
		"drive to cancelled": func(s *scene) robotics.Command {
			s.cancel(100)
			return robotics.NewCommand(s.base, motions.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 1}}, In: s.base.Origin()})
		},
		"drive": func(s *scene) robotics.Command {
			s.cancel(100)
			return robotics.NewCommand(s.base, motions.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{X: 0.1}}), In: s.base.Body()})
		},
		"differential": func(*scene) robotics.Command {
			b := actuator.NewDifferentialBase("base")
			return robotics.NewCommand(b, motions.DriveTo{To: goal, In: b.Origin()})
		},
	}
}

// pair is both arms, whose flanges are in one place.
func (s *scene) pair() *actuator.MultiArm {
	s.t.Helper()
	stands := s.start.Mul(robots.TX90L().Forward([]float64{0, 0.3, 1, 0, 0.5, 0}).Invert())
	if _, err := world.Relate(s.arm.Base(), s.other.Base(), stands); err != nil {
		s.t.Fatal(err)
	}
	return actuator.NewMultiArm("both", []actuator.Carrier{{Arm: s.arm, By: s.arm.Flange()}, {Arm: s.other, By: s.other.Flange()}})
}
