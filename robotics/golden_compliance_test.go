package robotics_test

import (
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// goldenCompliance returns those of arms that give way.
func goldenCompliance() goldens {
	all := func(v float64) []float64 { return slices.Repeat([]float64{v}, 7) }
	along := func(v float64) geom.Wrench { return geom.Wrench{Force: geom.Vector{X: v, Y: v, Z: v}} }
	switched := func(s *scene, to actuator.Control, params ...robotics.Param) robotics.Command {
		s.watch("position", s.lwr.Controlled(actuator.ByPosition))
		s.watch("springs of the tip", s.lwr.Controlled(actuator.ByCartesianSprings))
		s.watch("springs of joints", s.lwr.Controlled(actuator.ByJointSprings))
		return robotics.NewCommand(s.lwr, actuator.SwitchControl{To: to}, params...)
	}
	return goldens{
		"control by position": func(s *scene) robotics.Command { return switched(s, actuator.PositionControl{}) },
		"control by springs of the tip": func(s *scene) robotics.Command {
			return switched(s, actuator.CartesianImpedance{Stiffness: along(500), Damping: along(1), Force: along(1)})
		},
		"control by springs of joints": func(s *scene) robotics.Command {
			s.number("stiffness", s.lwr.Stiffness(2))
			return switched(s, actuator.JointImpedance{Stiffness: all(200), Damping: all(0.5), Torque: all(0.1)}, actuator.Transition(time.Second))
		},
		"control without power": func(s *scene) robotics.Command {
			s.happen(1, "lwr", "off")
			c := switched(s, actuator.JointImpedance{}).(*robotics.RuntimeCommand) //nolint:forcetypeassert // it makes one
			s.watch("no power", s.lwr.NoPower())
			s.watch("cannot", c.Fault(actuator.FaultNoPower))
			c.OnEntered(c.Fault(actuator.FaultNoPower), robotics.Stop(c))
			c.OnEntered(robotics.Or(c.Fault(actuator.FaultApart), c.Fault(actuator.FaultSwitch)), s.called("needs somebody"))
			return c
		},
		"yield": func(s *scene) robotics.Command {
			s.number("pressed by", s.lwr.ExternalTorque(3))
			s.happen(200, "lwr", "torque 3 2")
			s.happen(400, "lwr", "torque 3 0")
			return s.lwr.Yield(actuator.JointImpedance{Stiffness: all(200)}, robotics.NewWait(time.Second))
		},
		"under springs": func(s *scene) robotics.Command {
			move := robotics.NewCommand(s.lwr, motions.PTP{To: bent}, actuator.Under{Control: actuator.JointImpedance{}})
			return robotics.Sequence(switched(s, actuator.JointImpedance{}), move)
		},
		"under springs that there are not": func(s *scene) robotics.Command {
			c := robotics.NewCommand(s.lwr, motions.PTP{To: bent}, actuator.Under{Control: actuator.JointImpedance{}})
			s.watch("in another way", c.Fault(actuator.FaultControl))
			return c
		},
		"tip of a tool": func(s *scene) robotics.Command {
			tip := s.lwr.Flange().Place("tip", geom.Frame{Pos: geom.Vector{Z: 0.1}})
			c := robotics.NewCommand(s.lwr, actuator.SetTool{Load: actuator.Load{Mass: 1}, Tip: tip})
			s.watch("refused", c.Fault(actuator.FaultLoad))
			return c
		},
		"state of a lightweight robot": func(s *scene) robotics.Command {
			s.number("height", robotics.Component(robotics.Position(s.lwr.MeasuredPose()), robotics.Z))
			s.watch("rated", robotics.Above(s.lwr.Quality(), -1))
			return robotics.NewWait(4 * period)
		},
		"ready": func(s *scene) robotics.Command {
			s.happen(1, "kr16", "off")
			s.happen(20, "kr16", "on")
			s.watch("no power", s.arm.NoPower())
			s.watch("base", s.base.Ready())
			return robotics.NewWaitUntil(robotics.And(s.arm.Ready(), s.arm.At(point, 1e-3)))
		},
		"all joints": func(s *scene) robotics.Command {
			first := func(of robotics.Sensor[[]float64]) robotics.Sensor[float64] {
				return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] { return m.Elements(robotics.Read(m, of), 6)[0] })
			}
			s.number("commanded", first(s.arm.CommandedAll()))
			s.number("measured", first(s.arm.MeasuredAll()))
			s.number("velocity", first(s.arm.MeasuredVelocities()))
			s.number("commanded velocity", s.arm.CommandedVelocity(0))
			return robotics.NewCommand(s.arm, motions.PTP{To: corner})
		},
	}
}
