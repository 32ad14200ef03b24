package activity

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// NewMultiArm returns robots that move as one and keep the relation of their arms in every cycle, in flight too: what a
// robot can do, they can do, with what they carry. They are in use by it as long as it moves; in between, each may do
// something by itself, but must be back in its relation then.
func NewMultiArm(arms *actuator.MultiArm, robots ...*Robot) *Robot {
	r := &Robot{arm: arms.Arm, actuator: arms}
	all := arms.Arms()
	fit := len(robots) == len(all) && len(all) > 0
	for i, of := range robots {
		fit = fit && of.actuator == robotics.Actuator(all[i]) && of.runtime == robots[0].runtime && !slices.Contains(robots[:i], of)
		r.runtime = of.runtime
		r.armInfos = append(r.armInfos, of.armInfos...)
	}
	if !fit {
		r.wrong = fmt.Errorf("%v: %w", arms, ErrMembers)
	}
	inOrder(r.armInfos)
	return r
}

// Link makes robots one that keep the relation in which they stand now. The first one leads: what it moves is what all move. The bases of
// the arms must be related.
func Link(ctx context.Context, name string, robots ...*Robot) (*Robot, error) {
	var carriers []actuator.Carrier
	for i, r := range robots {
		own := r.center(nil)
		if i == 0 {
			carriers = append(carriers, actuator.Carrier{Arm: r.arm, By: own})
			continue
		}
		if err := rest(ctx, slices.Concat(robots[0].armInfos, r.armInfos)); err != nil {
			return nil, err
		}
		if err := robots[0].stand(ctx); err != nil {
			return nil, err
		}
		at, err := r.value(ctx, carriers[0].By, own)
		if err != nil {
			return nil, fmt.Errorf("%s: how %v stands to %v: %w", name, r, robots[0], err)
		}
		carriers = append(carriers, actuator.Carrier{Arm: r.arm, By: own.Place(name, at)})
	}
	m := NewMultiArm(actuator.NewMultiArm(name, carriers), robots...)
	return m, m.wrong
}

// stand waits until devices report what they were commanded last, which takes some cycles.
func (r *Robot) stand(ctx context.Context) error {
	const late = 50 * time.Millisecond
	wait := robotics.NewWaitForCancel()
	still := robotics.Not(wait.Cancelled())
	for _, s := range r.armInfos {
		for i := range s.arm.Len() {
			now := s.arm.Commanded(i)
			still = robotics.And(still, robotics.Near(now, robotics.Ago(now, late), 0))
		}
	}
	wait.OnEntered(still, robotics.Cancel(wait))
	return r.runtime.Execute(ctx, wait)
}

// value returns where a frame is, seen from another one, when the robot stands still.
func (r *Robot) value(ctx context.Context, of, in *world.Frame) (geom.Frame, error) {
	if err := r.stand(ctx); err != nil {
		return geom.Frame{}, err
	}
	return robotics.Value(ctx, r.runtime, robotics.Pose(of, in))
}
