package activity

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
)

// A way in space is walked along with the models of the arms before it is begun, from where the joints are then: as the motion before ends,
// or as the robot is asked.

// check tells what is wrong with a motion that begins where joints are, those of each arm, and where they are at its end; nil if that is not
// known.
func (m *Motion) check(from [][]float64) (end [][]float64, err error) {
	switch {
	case m.end.Joints != nil && len(m.robot.seats) == 1:
		return [][]float64{m.end.Joints}, nil
	case m.way == nil || len(from) == 0:
		return nil, nil
	}
	begin, known := robotics.End{Joints: from[0]}.Seen(m.robot.arm, m.end.Of, m.end.In)
	if !known {
		return nil, nil
	}
	way, none := m.way(begin)
	if none != nil { // a line to where it begins, and what mapping tells
		return nil, nil //nolint:nilerr // see above
	}
	w := robotics.Way{Path: way, Of: m.end.Of, In: m.end.In, Limits: m.end.Limits}
	if all, several := m.robot.actuator.(*robotics.MultiArm); several {
		end, err = all.Walk(w, from)
	} else {
		var last []float64
		if last, err = m.robot.arm.Walk(w, from[0]); last != nil {
			end = [][]float64{last}
		}
	}
	if err != nil {
		err = fmt.Errorf("%v: %w", m, err)
	}
	return end, err
}

// where is where the joints of all arms rest, for a way that is to begin there: as the motion before should have ended, or as is asked.
func (r *Robot) where(ctx context.Context, m *Motion, on stage) (all [][]float64, err error) {
	if m.way == nil || m.wrong != nil {
		return nil, nil //nolint:nilerr // what is wrong is told when the command is made
	}
	if x := on.newest(r.seats[0]); x != nil && x.by == r && x.joints != nil && !x.isCancelled() && x.handle.Wait(ctx) == nil {
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
func (r *Robot) arms() []*robotics.Arm {
	if all, several := r.actuator.(*robotics.MultiArm); several {
		return all.Arms()
	}
	return []*robotics.Arm{r.arm}
}
