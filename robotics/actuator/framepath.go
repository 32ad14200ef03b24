package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// slowest is the default of robotics.Slowest. Paths that would be slower are those near singular poses, which are better avoided.
const slowest robotics.Slowest = 0.1

// checkSlowest returns an error for a value that is not a share.
func checkSlowest(s robotics.Slowest) error {
	if !(s > 0 && s <= 1) {
		return fmt.Errorf("%v: %w", float64(s), robotics.ErrShare)
	}
	return nil
}

// PathError is returned when an arm cannot follow a path. It says where on the path.
type PathError struct {
	Arm   string
	Share float64    // of the length
	Pose  geom.Frame // there
	Joint int        // -1 if no joint in particular
	Speed float64    // of a path that is too fast: the share of its speed at which joints could follow, 0 if they cannot at any speed
	Err   error
}

func (e *PathError) Error() string {
	joint, slower := "", ""
	if e.Joint >= 0 {
		joint = fmt.Sprintf(", joint %d", e.Joint)
	}
	if e.Speed > 0 {
		slower = fmt.Sprintf("; it could at %.2g %% of the speed", 100*e.Speed) //nolint:mnd // percent
	}
	return fmt.Sprintf("%s: after %.1f %% of the path, at %v%s: %v%s", e.Arm, 100*e.Share, e.Pose, joint, e.Err, slower) //nolint:mnd // percent
}

// Unwrap returns the cause.
func (e *PathError) Unwrap() error { return e.Err }

// Walk follows a path with the model of the arm, beginning with some positions of joints. It returns their positions at the end,
// and the share of the speed at which all joints can follow: 1 if they can at full speed. A path at a share of the speed has
// limits of velocity, acceleration and jerk of that share, its square and its cube (CartesianLimits.Slower). Joints are then
// within their limits wherever the path is slowed down or cancelled; a path without a limit of jerk has none for joints either.
//
// The error is a PathError if the path is impossible: a pose is out of reach, a joint would have to be beyond its limits, or
// slower than the path may be, as near singular poses, or changes at once. If frames move, or an arm has no model, or its solver
// searches, nothing can be checked, and Walk returns no joints.
func (a *Arm) Walk(w FramePath, from []float64) (end []float64, share float64, err error) {
	return a.walk(w, geom.Frame{}, w.Of, from)
}

// Walk is Arm.Walk for all arms, each from its own joints. The limits of joints are those of the arm that leads.
func (m *MultiArm) Walk(w FramePath, from [][]float64) (end [][]float64, share float64, err error) {
	held, known := fixed(w.Of, m.carriers[0].By)
	if !known {
		return nil, 1, nil
	}
	return m.each(from, func(by Carrier, from []float64) ([]float64, float64, error) {
		own := w
		if by != m.carriers[0] {
			own.Joints = robotics.JointLimits{}
		}
		return by.Arm.walk(own, held, by.By, from)
	})
}

// WalkJoints does so on a straight line of joints of the arm that leads, as PTP goes that is FullySynchronous.
// Others may use a share of the limits of their joints.
func (m *MultiArm) WalkJoints(to []float64, l robotics.JointLimits, slowest robotics.Slowest, use float64, from [][]float64) (end [][]float64, share float64, err error) {
	lead := m.carriers[0]
	tool, held := fixed(lead.Arm.flange, lead.By)
	if lead.Arm.model == nil || len(from) == 0 || len(to) != lead.Arm.Len() || len(from[0]) != len(to) || !held {
		return nil, 1, nil
	}
	line := jointLine{from[0], to}
	return m.each(from, func(by Carrier, from []float64) ([]float64, float64, error) {
		if by == lead {
			return to, 1, nil
		}
		w := walker{
			arm: by.Arm, length: 1, steps: stepsOf(line.longest()), limits: line.limits(lead.Arm.limitsOf(l)),
			joints: by.Arm.limitsOf(robotics.JointLimits{}).part(use), slowest: slowest,
			pose: func(share float64) geom.Frame { return lead.Arm.model.Forward(line.at(share)).Mul(tool) },
		}
		return w.between(lead.Arm.base, geom.Frame{}, by.By, from)
	})
}

// each moves all arms, and returns the share of speed that all can keep.
func (m *MultiArm) each(from [][]float64, walk func(Carrier, []float64) ([]float64, float64, error)) (end [][]float64, share float64, err error) {
	share = 1
	for i, by := range m.carriers {
		if i >= len(from) {
			return nil, 1, nil
		}
		last, slower, err := walk(by, from[i])
		if last == nil || err != nil {
			return nil, 1, err
		}
		end, share = append(end, last), min(share, slower)
	}
	return end, share, nil
}

// part returns a share of limits; 0 is all of them.
func (l limits) part(share float64) limits {
	if share == 0 {
		return l
	}
	each := robotics.JointLimits{Vel: l.vel, Acc: l.acc, Jerk: l.jerk}.Shares(robotics.Speed(share), robotics.Acceleration(share))
	return limits{each.Vel, each.Acc, each.Jerk}
}

// walk follows the path of something that a frame holds.
func (a *Arm) walk(w FramePath, held geom.Frame, by *world.Frame, from []float64) (end []float64, share float64, err error) {
	l := w.Path.Limits(
		profile.Limits{Vel: w.Limits.Vel, Acc: w.Limits.Acc, Jerk: w.Limits.Jerk},
		profile.Limits{Vel: w.Limits.RotVel, Acc: w.Limits.RotAcc, Jerk: w.Limits.RotJerk},
	)
	length := w.Path.Length()
	along := walker{
		arm: a, length: length, steps: stepsOf(length), limits: l, joints: a.limitsOf(w.Joints).part(w.Share), slowest: w.Slowest,
		pose: func(share float64) geom.Frame { return w.Path.At(share * length).Frame },
	}
	return along.between(w.In, held, by, from)
}

// FramePath is the path of a frame that an arm carries, seen from another one. It can be checked before anything moves (Walk).
type FramePath struct {
	Path    *path.Path
	Of, In  *world.Frame
	Limits  robotics.CartesianLimits
	Joints  robotics.JointLimits
	Slowest robotics.Slowest // 1 if left out
	Share   float64          // of the limits of joints that it may use, as others may be added to it; all of them if left out
}
