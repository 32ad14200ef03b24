package activity_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// swings is a sensor of a joint that swings for ever.
type swings struct{}

func (swings) MapSensor(m *mapping.Net) graph.Signal[float64] {
	angle := m.Add("Core::Clock").Set("Increment", 2.0).Out("outValue")
	return graph.Mul(mapping.Link[float64](m.Add("Core::DoubleSin").Link("inValue", angle), "outValue"), m.Real(0.05))
}

// TestBlendMoving: motions in a frame that moves for ever, as another arm swings it, take over others and are taken over, and the last
// one comes to rest.
func TestBlendMoving(t *testing.T) {
	race.Skip(t, "blends of all kinds one after another; TestLimitsInFlight races some")
	point := []float64{0.5, -1.4, 1.4, 0.2, 0.9, 0.3}
	for name, of := range map[string][2]func(r *activity.Robot, to func(y float64) geom.Frame, in *world.Frame) *activity.Motion{
		"PTP LIN": {
			func(r *activity.Robot, _ func(float64) geom.Frame, _ *world.Frame) *activity.Motion {
				return r.PTP(point).Blend(0.6)
			},
			func(r *activity.Robot, to func(float64) geom.Frame, in *world.Frame) *activity.Motion {
				return r.Lin(to(0.1), in, slow)
			},
		},
		"LIN LIN": {
			func(r *activity.Robot, to func(float64) geom.Frame, in *world.Frame) *activity.Motion {
				return r.Lin(to(0.1), in, slow).Blend(0.5)
			},
			func(r *activity.Robot, to func(float64) geom.Frame, in *world.Frame) *activity.Motion {
				return r.Lin(to(-0.1), in, slow)
			},
		},
		"LIN PTP": {
			func(r *activity.Robot, to func(float64) geom.Frame, in *world.Frame) *activity.Motion {
				return r.Lin(to(0.1), in, slow).Blend(0.5)
			},
			func(r *activity.Robot, _ func(float64) geom.Frame, _ *world.Frame) *activity.Motion {
				return r.PTP(home)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCell(t)
			robot, guide := c.kr16(), c.tx90()
			stands := geom.Frame{Pos: geom.Vector{X: 2}}
			if _, err := world.Relate(robot.Arm().Base(), guide.Arm().Base(), stands); err != nil {
				t.Fatal(err)
			}
			goals := make([]robotics.Sensor[float64], 6)
			for i, at := range c.Where("tx90") {
				goals[i] = robotics.Constant(at)
			}
			goals[0] = robotics.Add(goals[0], robotics.Sensor[float64](swings{}))
			in := guide.Arm().Flange()
			at := stands.Mul(robots.TX90L().Forward(c.Where("tx90")))
			to := func(y float64) geom.Frame { return at.Invert().Mul(place(0, y, 0)) }
			c.Free()
			if err := robot.PTP(home).Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			h, err := c.r.Start(t.Context(), robotics.NewCommand(guide.Arm(), motions.FollowJoints{Goals: goals, Smooth: true}))
			if err != nil {
				t.Fatal(err)
			}
			c.Hold()
			c.pass(of[0](robot, to, in))
			waits, early := c.start(of[1](robot, to, in))
			if early != nil {
				t.Fatal(early.err)
			}
			c.end(c.finish(waits))
			c.Arm("kr16").Smooth()
			c.Free()
			if err := h.Cancel(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := h.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if moved := math.Abs(c.Where("tx90")[0]); moved > 0.06 {
				t.Errorf("the other arm is at %v", moved)
			}
		})
	}
}
