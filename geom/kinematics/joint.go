package kinematics

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
)

// MaxJoints is the largest number of segments of a chain.
const MaxJoints = geom.MaxJoints

// Kind is the kind of motion of a joint.
type Kind uint8

// The kinds of joints.
const (
	Revolute  Kind = iota // turns about its axis; values in rad
	Prismatic             // slides along its axis; values in m
)

func (k Kind) String() string {
	switch k {
	case Revolute:
		return "revolute"
	case Prismatic:
		return "prismatic"
	}
	return "unknown kind"
}

// Joint describes a joint without its place. Limits of velocity and above are amounts; 0 means that
// nothing is known.
type Joint struct {
	Name     string
	Kind     Kind
	Min, Max float64 // range of values; ±Inf without limit

	Velocity, Acceleration, Jerk float64 // rad or m per s, s², s³
	Effort                       float64 // Nm or N
}

// slack is by how much a value may be beyond a limit and is taken for the limit: what rounding does to a pose that has
// been reached at the limit.
const slack = 1e-9

// Unwind returns the value that means the same as value for the pose, is within the limits, and of those the nearest to
// hint: an angle may be whole turns away. It reports whether there is one; if not, the value nearest to hint is
// returned whatever the limits are.
func (j *Joint) Unwind(value, hint float64) (float64, bool) {
	if j.Kind == Prismatic {
		return j.hold(value)
	}
	s := spanOf(j)
	return s.near(value, hint)
}

// hold reports whether a value is within the limits, and brings one that is beyond by no more than rounding to the limit.
func (j *Joint) hold(value float64) (float64, bool) {
	switch {
	case value >= j.Min && value <= j.Max:
		return value, true
	case value > j.Max && value <= j.Max+slack:
		return j.Max, true
	case value < j.Min && value >= j.Min-slack:
		return j.Min, true
	}
	return value, false
}

// Margin returns the distance of a value from the nearer limit, which is less than 0 beyond it.
func (j *Joint) Margin(value float64) float64 {
	return min(value-j.Min, j.Max-value)
}

func (j *Joint) check() error {
	switch {
	case j.Kind > Prismatic:
		return fmt.Errorf("kind %d is neither revolute nor prismatic", j.Kind)
	case !(j.Min < j.Max):
		return fmt.Errorf("range %v to %v is not possible; without limits it is -Inf to +Inf", j.Min, j.Max)
	}
	for _, v := range [...]float64{j.Velocity, j.Acceleration, j.Jerk, j.Effort} {
		if !(v >= 0) {
			return errors.New("limits of velocity, acceleration, jerk and effort must be above 0, or 0 if unknown")
		}
	}
	return nil
}
