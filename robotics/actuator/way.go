package actuator

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// slowest is what ways are slowed down to if nobody says otherwise. Slower than that are those near singular poses, which had better be
// avoided.
const slowest robotics.Slowest = 0.1

// checkSlowest reports an error for what is not a share.
func checkSlowest(s robotics.Slowest) error {
	if !(s > 0 && s <= 1) {
		return fmt.Errorf("%v: %w", float64(s), robotics.ErrShare)
	}
	return nil
}

// WayError is that an arm cannot go a way, and where on it that is.
type WayError struct {
	Arm   string
	Share float64    // of the length
	Pose  geom.Frame // there
	Joint int        // -1 if it is none in particular
	Speed float64    // of one that is too fast: the share of its speed at which joints could follow, 0 if however slow it is they cannot
	Err   error
}

func (e *WayError) Error() string {
	joint, slower := "", ""
	if e.Joint >= 0 {
		joint = fmt.Sprintf(", joint %d", e.Joint)
	}
	if e.Speed > 0 {
		slower = fmt.Sprintf("; it could at %.2g %% of the speed", 100*e.Speed) //nolint:mnd // percent
	}
	return fmt.Sprintf("%s: after %.1f %% of the way, at %v%s: %v%s", e.Arm, 100*e.Share, e.Pose, joint, e.Err, slower) //nolint:mnd // percent
}

// Unwrap returns what is wrong there.
func (e *WayError) Unwrap() error { return e.Err }

// Walk goes along a way with the model of the arm, from where its joints are, and tells where they are at the end, and at which share of
// its speed all of them can follow: 1 if they can as it is. A way that is slower by a share has limits of that share, its square and its
// cube (CartesianLimits.Slower). Joints are within their limits of velocity, acceleration and jerk then wherever the way is slowed down or
// cancelled; a path without a limit of jerk has none for joints either.
//
// The error is a WayError if the path is impossible: a pose is out of reach, a joint would have to be beyond its limits, or
// slower than the path may be, as near singular poses, or changes at once. Without knowledge beforehand nothing is checked, and
// there are no joints: frames that move, and arms without a model, or whose solver searches.
func (a *Arm) Walk(w Way, from []float64) (end []float64, share float64, err error) {
	return a.walk(w, geom.Frame{}, w.Of, from)
}

// Walk does so with all arms, each from where its joints are. Limits of joints of the way are those of the arm that leads.
func (m *MultiArm) Walk(w Way, from [][]float64) (end [][]float64, share float64, err error) {
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

// each has all arms go, and tells the share of speed that is right for all.
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

// part is a share of limits; 0 is all of them.
func (l limits) part(share float64) limits {
	if share == 0 {
		return l
	}
	each := robotics.JointLimits{Vel: l.vel, Acc: l.acc, Jerk: l.jerk}.Shares(robotics.Speed(share), robotics.Acceleration(share))
	return limits{each.Vel, each.Acc, each.Jerk}
}

// walk goes along a way that something has that is held by a frame.
func (a *Arm) walk(w Way, held geom.Frame, by *world.Frame, from []float64) (end []float64, share float64, err error) {
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

// Way is a way of a frame that an arm carries, seen from another one, which can be looked at before anything moves (Walk).
type Way struct {
	Path    *path.Path
	Of, In  *world.Frame
	Limits  robotics.CartesianLimits
	Joints  robotics.JointLimits
	Slowest robotics.Slowest // 1 if left out
	Share   float64          // of the limits of joints that it may use, as others may be added to it; all of them if left out
}
