package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// Before a path in space begins, the models of the arms walk along it, from the joints at that time: those at the end of the
// motion before, or those that the robot reports. So do they for several arms that keep a relation while the joints of one go to
// a point. If joints cannot be as fast as the path needs, the whole motion is slower.

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

// share returns how much of what joints can do the motion may use. In a blend of two paths in space both are added, so each has
// half of it. A path that is not a line has a third, as it comes to rest beside its path, and so has one that blends at both
// ends, as all three may be added.
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

// check returns what is wrong with a motion that begins where joints are, those of each arm, how all joints can follow it, also in a blend, and
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

// walk follows a path in space.
func (m *Motion) walk(from [][]float64, slowest robotics.Slowest, use float64) (end [][]float64, share float64, err error) {
	begin, known := m.robot.arm.Seen(robotics.End{Joints: from[0]}, m.end.Of, m.end.In)
	if !known {
		return nil, 1, nil
	}
	way, none := m.way(begin)
	if none != nil { // a line to where it begins, and what mapping reports
		return nil, 1, nil //nolint:nilerr // see above
	}
	speed, rise := m.shares()
	w := actuator.FramePath{
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

// shares returns those of the limits that the motion may use.
func (m *Motion) shares() (robotics.Speed, robotics.Acceleration) {
	speed, _ := param[robotics.Speed](m.robot, m.params)
	rise, _ := param[robotics.Acceleration](m.robot, m.params)
	return speed, rise
}

// joints returns the limits of the joints of the arm that leads.
func (m *Motion) joints() robotics.JointLimits {
	lower, _ := param[robotics.JointLimits](m.robot, m.params)
	return m.robot.arm.Limits(lower)
}

// slower returns the motion at a share of its speed.
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

// where returns the joints of all arms at rest, for a path that begins there: as the motion before should have ended, or as the
// robot reports.
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

// arms returns those that move, the one that leads first.
func (r *Robot) arms() []*actuator.Arm {
	if all, several := r.actuator.(*actuator.MultiArm); several {
		return all.Arms()
	}
	return []*actuator.Arm{r.arm}
}
