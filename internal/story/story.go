package story

import (
	"context"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

// Tell has two arms carry something around until somebody pushes one of them: then both give way for a while, and start again.
func Tell(ctx context.Context, robot *robotics.Runtime) error {
	a, b := activity.NewRobot(robot, left.Arm), activity.NewRobot(robot, right.Arm)
	for {
		if err := carry(ctx, robot, a, b); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

func carry(ctx context.Context, robot *robotics.Runtime, a, b *activity.Robot) error {
	if err := activity.Together(a.PTP(ready), b.PTP(ready)).Execute(ctx); err != nil {
		return err
	}
	both, err := activity.Link(ctx, "both", a, b) // from here on they keep the relation in which they stand
	if err != nil {
		return err
	}
	yielding, err := robot.Load(ctx, robotics.Parallel(giveWay(left), giveWay(right)))
	defer leave(yielding)
	if err != nil {
		return err
	}
	undisturbed, push := context.WithCancel(ctx)
	watch, token := watching(push)
	watched, rule, err := whenGiven(ctx, robot, watch, token, yielding) // a rule, which switches in real time
	defer leave(watched)
	for corner := 0; undisturbed.Err() == nil && err == nil; corner++ {
		_, err = both.Lin(corners[corner%4], left.Base(), gently).Blend(0.8).With(cancelWhenPushed).Begin(undisturbed)
	}
	if ctx.Err() != nil {
		return both.Cancel(context.WithoutCancel(ctx)) // when it returns both are at rest
	}
	if undisturbed.Err() == nil {
		return err
	}
	return givenWay(ctx, both, rule, yielding)
}
