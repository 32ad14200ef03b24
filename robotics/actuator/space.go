package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Cartesian returns the limits in space that a command may use, and its motion centre.
func Cartesian(c *mapping.Context) (robotics.CartesianLimits, *world.Frame) {
	l := mapping.Param[robotics.CartesianLimits](c)
	for _, limit := range []float64{l.Vel, l.Acc, l.Jerk, l.RotVel, l.RotAcc, l.RotJerk} {
		if !(limit > 0) {
			c.Fail(fmt.Errorf("%+v: %w", l, robotics.ErrLimits))
			break
		}
	}
	speed, rise := shares(c)
	return l.Shares(robotics.Speed(speed), robotics.Acceleration(rise)), mapping.Param[robotics.MotionCenter](c).Frame
}

// pairs are limits of translation and rotation.
func pairs(l robotics.CartesianLimits) limits {
	return limits{[]float64{l.Vel, l.RotVel}, []float64{l.Acc, l.RotAcc}, []float64{l.Jerk, l.RotJerk}}
}
