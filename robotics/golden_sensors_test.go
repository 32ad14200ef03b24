package robotics_test

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// goldenSensors are sensors of devices, of the application, and made of others.
func goldenSensors() goldens {
	numbers := func(of func(s *scene) values) func(s *scene) robotics.Command {
		return func(s *scene) robotics.Command {
			all := of(s)
			for _, name := range keys(all) {
				s.number(name, all[name])
			}
			return robotics.NewWait(cyclesOf(5))
		}
	}
	now, two := clock(), robotics.Constant(2.0)
	return goldens{
		"arithmetic": numbers(func(*scene) values {
			ms := robotics.Mul(now, robotics.Constant(1000.0))
			return values{
				"add": robotics.Add(ms, two), "sub": robotics.Sub(two, ms), "div": robotics.Div(ms, two), "min": robotics.Min(ms, robotics.Constant(5.0)),
				"max": robotics.Max(ms, robotics.Constant(5.0)), "abs": robotics.Abs(robotics.Sub(two, ms)),
			}
		}),
		"comparison": func(s *scene) robotics.Command {
			five := robotics.Constant(0.005)
			s.watch("greater", robotics.Greater(now, five))
			s.watch("less", robotics.Less(now, five))
			s.watch("above", robotics.Above(now, 0.007))
			s.watch("below", robotics.Below(now, 0.003))
			s.watch("near", robotics.Near(now, five, 0.0011))
			return robotics.NewWait(cyclesOf(5))
		},
		"over time": numbers(func(*scene) values {
			return values{"average": robotics.Average(now, cyclesOf(2)), "ago": robotics.Ago(now, cyclesOf(2)), "change": robotics.Change(now)}
		}),
		"parts of types": numbers(func(s *scene) values {
			seen := robotics.Position(robotics.Pose(s.arm.Flange(), s.table))
			return values{
				"x": robotics.Component(seen, robotics.X), "y": robotics.Component(seen, robotics.Y), "z": robotics.Component(seen, robotics.Z),
				"length": robotics.Length(seen),
			}
		}),
		"own sensor": numbers(func(*scene) values {
			return values{"own": robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
				return graph.Mul(robotics.Read(m, now), m.Real(2))
			})}
		}),
		"input": func(s *scene) robotics.Command {
			s.set(3, "xlevel", "0.5")
			level := robotics.NewInput("level", 0.25)
			s.number("level", level)
			return robotics.NewWait(cyclesOf(5))
		},
		"sensors of joints": func(s *scene) robotics.Command {
			s.number("commanded", s.arm.Commanded(0))
			s.number("measured", s.arm.Measured(0))
			s.number("velocity", s.arm.MeasuredVelocity(0))
			return robotics.NewCommand(s.arm, motions.PTP{To: []float64{0.301, -1.5, 1.5, 0, 1, 0}})
		},
		"sensors of a tip": func(s *scene) robotics.Command {
			s.happen(3, "lwr", "tip 0 0 25 0 0 0")
			s.number("force", robotics.Length(s.lwr.Force()))
			s.number("moment", robotics.Length(s.lwr.Moment()))
			s.number("torque", s.lwr.Torque(1))
			return robotics.NewWait(cyclesOf(5))
		},
		"sensors of a gripper": func(s *scene) robotics.Command {
			s.number("width", s.hand.Width())
			s.number("force", s.hand.Force())
			return robotics.NewWait(cyclesOf(5))
		},
		"inputs and outputs": func(s *scene) robotics.Command {
			on, off := robotics.DigitalOutput{Device: "io", Port: 3}, robotics.AnalogOutput{Device: "io", Port: 4}
			s.watch("input", robotics.IsTrue(robotics.DigitalInput{Device: "io", Port: 3}))
			s.watch("output", robotics.IsTrue(on))
			s.number("analog input", robotics.AnalogInput{Device: "io", Port: 4})
			s.number("analog output", off)
			return robotics.Sequence(robotics.NewCommand(on, robotics.SetDigital{Value: true}), robotics.NewCommand(off, robotics.SetAnalog{Value: 1.5}), robotics.NewWait(cyclesOf(3)))
		},
		"seen frame": func(s *scene) robotics.Command {
			part := world.NewFrame("part")
			camera := robotics.Derived(func(m *mapping.Net) graph.Signal[geom.Frame] {
				return mapping.Link[geom.Frame](m.Add("World::FrameFromXYZ").Link("inX", robotics.Read(m, now).Port), "outValue")
			})
			if _, err := world.Couple(s.table, part, robotics.Seen{By: camera}); err != nil {
				s.t.Fatal(err)
			}
			s.number("x of the part", robotics.Component(robotics.Position(robotics.Pose(part, s.arm.Base())), robotics.X))
			return robotics.NewWait(cyclesOf(5))
		},
	}
}

// goldenFaults are errors of robots, their effects on commands, and their handlers.
func goldenFaults() goldens {
	hold := func(s *scene) *robotics.RuntimeCommand { return robotics.NewCommand(s.arm, motions.JointHold{}) }
	return goldens{
		"fault": func(s *scene) robotics.Command {
			s.happen(5, "kr16", "off")
			return hold(s)
		},
		"fault cancels the others": func(s *scene) robotics.Command {
			s.happen(5, "kr16", "off")
			return robotics.Parallel(robotics.Sequence(hold(s), robotics.NewWait(cyclesOf(3))), robotics.NewWaitForCancel())
		},
		"fault handled by its command": func(s *scene) robotics.Command {
			s.happen(5, "kr16", "off")
			m := hold(s)
			m.OnEntered(m.Fault(robotics.FaultFailed), robotics.Cancel(m))
			return m
		},
		"fault handled by its transaction": func(s *scene) robotics.Command {
			s.happen(5, "kr16", "off")
			m, instead := hold(s), robotics.NewWait(cyclesOf(3))
			tc := robotics.NewTransaction(instead)
			tc.AddStart(m)
			tc.OnEntered(m.Failed(), robotics.Start(instead))
			return tc
		},
		"two commands for one arm": func(s *scene) robotics.Command {
			m := hold(s)
			s.watch("commanded by several", m.Fault(robotics.FaultConcurrent))
			return robotics.Parallel(m, robotics.NewCommand(s.arm, motions.PTP{To: corner}))
		},
		"fault reaches into transactions": func(s *scene) robotics.Command {
			s.happen(5, "kr16", "off")
			return robotics.Parallel(hold(s), robotics.Sequence(robotics.NewWaitForCancel(), robotics.NewWait(cyclesOf(3))))
		},
		"two commands for one output": func(*scene) robotics.Command {
			lamp := robotics.DigitalOutput{Device: "io", Port: 2}
			return robotics.Parallel(robotics.NewCommand(lamp, robotics.SetDigital{Value: true}), robotics.NewCommand(lamp, robotics.FollowDigital{Value: robotics.Constant(false)}))
		},
		"not at the beginning": func(s *scene) robotics.Command {
			m := robotics.NewCommand(s.arm, motions.PTP{From: corner, To: point})
			s.watch("not where it begins", m.Fault(motions.FaultStart))
			return m
		},
		"out of reach": func(s *scene) robotics.Command {
			raft := world.NewFrame("raft")
			if _, err := world.Couple(s.arm.Base(), raft, calm{}); err != nil {
				s.t.Fatal(err)
			}
			m := robotics.NewCommand(s.arm, motions.Follow{Goal: robotics.Constant(geom.Frame{Pos: geom.Vector{X: 9}}), In: raft})
			s.watch("out of reach", m.Fault(actuator.FaultReach))
			return m
		},
		"a singular place": func(s *scene) robotics.Command {
			come := robotics.NewCommand(s.arm, motions.PTP{To: []float64{0, -1.5, 1.5, 0, 0, 0}})
			turn := robotics.NewCommand(s.arm, motions.LINBy{By: geom.Frame{Rot: geom.FromABC(0.2, 0, 0)}, In: s.arm.Base()})
			s.watch("too near", turn.Fault(actuator.FaultSingular))
			return robotics.Sequence(come, turn)
		},
		"refused by the device": func(s *scene) robotics.Command {
			m := robotics.NewCommand(s.arm, leap{0.1})
			s.watch("refused", m.Fault(robotics.FaultRefused))
			return m
		},
		"beyond a joint": func(s *scene) robotics.Command {
			m := robotics.NewCommand(s.arm, leap{9})
			s.watch("out of range", m.Fault(robotics.FaultIllegal))
			return m
		},
		"a gripper without power": func(s *scene) robotics.Command {
			s.happen(1, "gripper", "off")
			m := robotics.NewCommand(s.hand, actuator.Grasp{Width: 0.02, Speed: 0.1})
			s.watch("not done", m.Fault(actuator.FaultGripper))
			return m
		},
	}
}

// leap is an action that moves the first joint at once.
type leap struct{ by float64 }

func (l leap) MapAction(c *mapping.Context) mapping.Part {
	pos := actuator.LastPositions(c)
	pos[0] = graph.Add(pos[0], c.Real(l.by))
	return mapping.Part{Flow: mapping.JointPositions{Pos: pos}, Done: c.Cancelled}
}
