package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// A way in space is walked along with the models of the arms before it is begun, from where the joints are then: as the motion before ends,
// or as the robot is asked. So is the way of several arms that keep a relation while the joints of one go to a point. Where joints cannot be
// as fast as it says, the motion is slower as a whole.

// fit returns the motion as it can follow the one before it, if that is not at rest, and blend into the next one. A motion that
// would be too slow for that is not blended.
func (m *Motion) fit(before *Execution, from [][]float64) (fit *Motion, end [][]float64, err error) {
	share := m.share(before)
	fit, end, err = m.check(from, share)
	if share == 1 || !errors.Is(err, robotics.ErrTooFast) {
		return fit, end, err
	}
	alone := *m
	alone.leave, alone.alone = nil, true
	return alone.check(from, 1)
}

// share is how much of what joints can do the motion may use. In a blend of two ways in space both are added, so each has half of it. A third
// has what is no line, as it comes to rest beside its way, and what one goes over into and that goes over into one, as all three may be added.
func (m *Motion) share(before *Execution) float64 {
	const half, third = 1.0 / 2, 1.0 / 3
	leaves := m.leave != nil
	inFlight := before != nil && before.leave != nil && (before.end.Joints == nil || len(m.robot.armInfos) > 1)
	switch {
	case !leaves && !inFlight:
		return 1
	case leaves && inFlight || m.from != nil:
		return third
	default:
		return half
	}
}

// check tells what is wrong with a motion that begins where joints are, those of each arm, how all joints can follow it, also in a blend, and
// where they are at its end; nil if that is not known.
func (m *Motion) check(from [][]float64, use float64) (fit *Motion, end [][]float64, err error) {
	if m.end.Joints != nil && len(m.robot.armInfos) == 1 {
		return m, [][]float64{m.end.Joints}, nil
	}
	slowest, _ := param[robotics.Slowest](m.robot, m.params)
	if !(slowest > 0) {
		return nil, nil, fmt.Errorf("%v, %v: %w", m, slowest, robotics.ErrShare)
	}
	if !m.walked() || len(from) == 0 {
		return m, nil, nil
	}
	var share float64
	if m.line {
		end, share, err = m.walkJoints(from, slowest, use)
	} else {
		end, share, err = m.walk(from, slowest, use)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%v: %w", m, err)
	}
	return m.slower(share), end, nil
}

// walked reports whether the motion can be looked at beforehand, and needs it.
func (m *Motion) walked() bool { return m.way != nil || m.line }

// walkJoints goes along a line of joints of the arm that leads.
func (m *Motion) walkJoints(from [][]float64, slowest robotics.Slowest, use float64) (end [][]float64, share float64, err error) {
	all, several := m.robot.actuator.(*actuator.MultiArm)
	if !several {
		return nil, 1, nil
	}
	speed, rise := m.shares()
	return all.WalkJoints(m.end.Joints, m.joints().Shares(speed, rise), slowest, use, from)
}

// walk goes along a way in space.
func (m *Motion) walk(from [][]float64, slowest robotics.Slowest, use float64) (end [][]float64, share float64, err error) {
	begin, known := m.robot.arm.Seen(robotics.End{Joints: from[0]}, m.end.Of, m.end.In)
	if !known {
		return nil, 1, nil
	}
	way, none := m.way(begin)
	if none != nil { // a line to where it begins, and what mapping tells
		return nil, 1, nil //nolint:nilerr // see above
	}
	speed, rise := m.shares()
	w := actuator.Way{
		Path: way, Of: m.end.Of, In: m.end.In, Limits: m.end.Limits.Shares(speed, rise), Joints: m.joints(), Slowest: slowest, Share: use,
	}
	if all, several := m.robot.actuator.(*actuator.MultiArm); several {
		return all.Walk(w, from)
	}
	last, share, err := m.robot.arm.Walk(w, from[0])
	if last != nil {
		end = [][]float64{last}
	}
	return end, share, err
}

// shares are those of the limits that the motion may use.
func (m *Motion) shares() (robotics.Speed, robotics.Acceleration) {
	speed, _ := param[robotics.Speed](m.robot, m.params)
	rise, _ := param[robotics.Acceleration](m.robot, m.params)
	return speed, rise
}

// joints are the limits of the joints of the arm that leads.
func (m *Motion) joints() robotics.JointLimits {
	lower, _ := param[robotics.JointLimits](m.robot, m.params)
	return m.robot.arm.Limits(lower)
}

// slower is the motion at a share of its speed.
func (m *Motion) slower(share float64) *Motion {
	if share == 1 {
		return m
	}
	slow := *m
	slow.speed = share
	if m.line {
		slow.params = instead(m.params, m.joints().Slower(share))
		return &slow
	}
	slow.end.Limits = m.end.Limits.Slower(share)
	slow.params = instead(m.params, slow.end.Limits)
	return &slow
}

// instead are parameters with one in the place of those of its type.
func instead[T robotics.Param](params []robotics.Param, value T) []robotics.Param {
	rest := slices.DeleteFunc(slices.Clone(params), func(p robotics.Param) bool { _, is := p.(T); return is })
	return append(rest, value)
}

// where is where the joints of all arms rest, for a way that is to begin there: as the motion before should have ended, or as is asked.
func (r *Robot) where(ctx context.Context, m *Motion, on stage) (all [][]float64, err error) {
	if !m.walked() || m.wrong != nil {
		return nil, nil //nolint:nilerr // making the command returns the error
	}
	if x := on.newest(r.armInfos[0]); x != nil && x.by == r && x.joints != nil && !x.isCancelled() && x.handle.End(ctx) == nil {
		return x.joints, nil
	}
	for _, a := range r.arms() {
		at, err := on.joints(ctx, r, a)
		if err != nil {
			return nil, fmt.Errorf("%v: where it begins: %w", m, err)
		}
		all = append(all, at)
	}
	return all, nil
}

// arms are those that move, the one that leads first.
func (r *Robot) arms() []*actuator.Arm {
	if all, several := r.actuator.(*actuator.MultiArm); several {
		return all.Arms()
	}
	return []*actuator.Arm{r.arm}
}
