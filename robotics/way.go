package robotics

import (
	"fmt"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Way is a way of a frame that an arm carries, seen from another one, which can be looked at before anything moves (Walk).
type Way struct {
	Path   *path.Path
	Of, In *world.Frame
	Limits CartesianLimits
}

// WayError is that an arm cannot go a way, and where on it that is.
type WayError struct {
	Arm   string
	Share float64    // of the length
	Pose  geom.Frame // there
	Joint int        // -1 if it is none in particular
	Err   error
}

func (e *WayError) Error() string {
	joint := ""
	if e.Joint >= 0 {
		joint = fmt.Sprintf(", joint %d", e.Joint)
	}
	return fmt.Sprintf("%s: after %.1f %% of the way, at %v%s: %v", e.Arm, 100*e.Share, e.Pose, joint, e.Err) //nolint:mnd // percent
}

// Unwrap returns what is wrong there.
func (e *WayError) Unwrap() error { return e.Err }

// Walk goes along a way with the model of the arm, from where its joints are, and tells where they are at the end. The error is a WayError
// where there is none: a pose is out of reach, a joint would have to be beyond its limits, or faster than it can be at the speed that
// the motion may have there, as near singular poses. What cannot be known beforehand is not looked at, and there are no joints then:
// frames that move, and arms without a model, or whose solver searches.
func (a *Arm) Walk(w Way, from []float64) (end []float64, err error) {
	return a.walk(w, geom.Frame{}, w.Of, from)
}

// Walk does so with all arms, each from where its joints are.
func (m *MultiArm) Walk(w Way, from [][]float64) (end [][]float64, err error) {
	held, known := fixed(w.Of, m.carriers[0].By)
	for i, by := range m.carriers {
		if !known || i >= len(from) {
			return nil, nil
		}
		last, err := by.Arm.walk(w, held, by.By, from[i])
		if last == nil || err != nil {
			return nil, err
		}
		end = append(end, last)
	}
	return end, nil
}

// walk goes along a way that something has that is held by a frame.
func (a *Arm) walk(w Way, held geom.Frame, by *world.Frame, from []float64) ([]float64, error) {
	if a.model == nil || len(from) != a.Len() {
		return nil, nil
	}
	if _, searches := a.model.Solver.(*kinematics.Numeric); searches {
		return nil, nil
	}
	ground, stands := fixed(a.base, w.In)
	tool, carried := fixed(by, a.flange)
	if !stands || !carried {
		return nil, nil
	}
	const least, most, fine = 20, 2000, 0.005 // steps, and m or rad for each
	l := w.Path.Limits(
		profile.Limits{Vel: w.Limits.Vel, Acc: w.Limits.Acc, Jerk: w.Limits.Jerk},
		profile.Limits{Vel: w.Limits.RotVel, Acc: w.Limits.RotAcc, Jerk: w.Limits.RotJerk},
	)
	length := w.Path.Length()
	steps := math.Ceil(min(most, max(least, length/fine)))
	at, next := slices.Clone(from), make([]float64, len(from))
	for k := range int(steps) + 1 {
		share := float64(k) / steps
		pose := w.Path.At(share * length).Frame
		wrong := func(joint int, err error) error { return &WayError{a.name, share, pose, joint, err} }
		flange := ground.Mul(pose).Mul(held).Mul(tool)
		switch a.model.Nearest(&flange, at, next) {
		case kinematics.Solved, kinematics.Singular:
		case kinematics.OutOfLimits:
			return nil, wrong(-1, ErrBeyond)
		default:
			return nil, wrong(-1, ErrReach)
		}
		speed := min(l.Vel, math.Sqrt(2*l.Acc*min(share, 1-share)*length)) //nolint:mnd // as fast as it can have become, and can still brake
		for i := range next {
			if joint := a.Joint(i); k > 0 && math.Abs(next[i]-at[i])*steps/length*speed > joint.Velocity {
				return nil, wrong(i, ErrTooFast)
			}
		}
		at, next = next, at
	}
	return at, nil
}
