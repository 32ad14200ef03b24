package simarm

import (
	"errors"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// A field of an embedded structure that is called Arm would hide the method.
var _ = []device.ArmKinematics{(*Robot)(nil), (*RobotWithPorts)(nil), (*Lightweight)(nil), (*IIWA)(nil), (*YouBot)(nil)}

// Robot is a simulated arm.
type Robot struct {
	*Drives
	arm      *kinematics.Arm
	controls bool // its controller can move external axes
	beside   arm.Beside
}

// Arm returns the kinematics (any).
func (a *Robot) Arm() *kinematics.Arm { return a.arm }

// Interfaces returns those that applications look for (any).
func (a *Robot) Interfaces() []device.Interface {
	return multijoint.Announce(a)
}

// controller is an arm with all that is around it.
type controller interface{ controller() *Robot }

func (a *Robot) controller() *Robot { return a }

// RobotWithPorts is an arm whose controller has inputs and outputs.
type RobotWithPorts struct {
	*Robot
	*ports.Image
}

// Interfaces returns those that applications look for (any).
func (a *RobotWithPorts) Interfaces() []device.Interface {
	return multijoint.Announce(a)
}

// Status returns the status of the arm, with what is wrong with outputs when nothing else is (any).
func (a *RobotWithPorts) Status() device.Status {
	s := a.Robot.Status()
	if s.Cause == "" {
		s.Cause = a.Trouble()
	}
	return s
}

// take reserves external axes.
func (a *Robot) take(first, count int) (give func(), err error) {
	if !a.controls {
		return nil, errors.New("the controller of the arm moves no external axes")
	}
	return a.beside.Take(first, count)
}

// External are axes beside an arm.
type External struct {
	*Drives
	arm  *Robot
	give func() // axes back
}

// Tick executes a cycle of the drives, which have power when those of the arm have (cycle).
func (e *External) Tick(t device.Tick) {
	e.plant.Power(e.arm.plant.Powered())
	e.Drives.Tick(t)
}

// Status returns the status of the axes; the arm's status says why drives are off (any).
func (e *External) Status() device.Status {
	if of := e.arm.plant; !of.Powered() {
		return e.arm.Status()
	}
	return e.Drives.Status()
}

// Close returns the axes to the controller.
func (e *External) Close() error {
	e.give()
	return nil
}
