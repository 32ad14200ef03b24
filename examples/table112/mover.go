package main

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// mover is an arm that moves between where it stands well and a place beside it.
type mover struct {
	*actuator.Arm
	near, far []float64
	here      geom.Frame
}

func newMover(device string, model *kinematics.Arm, home ...float64) *mover {
	m := &mover{Arm: actuator.NewArm(device, model), near: home, here: model.Forward(home)}
	for _, joint := range home {
		m.far = append(m.far, joint+0.5)
	}
	return m
}

func (m *mover) home() robotics.Command { return robotics.NewCommand(m.Arm, motions.PTP{To: m.near}) }

func (m *mover) point(far bool) robotics.Command {
	to := m.near
	if far {
		to = m.far
	}
	return robotics.NewCommand(m.Arm, motions.PTP{To: to})
}

func (m *mover) line(far bool) robotics.Command {
	to := m.here
	if far {
		to.Pos.Y += 0.4
	}
	return robotics.NewCommand(m.Arm, motions.LIN{To: to, In: m.Base()})
}
