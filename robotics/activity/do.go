package activity

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/robotics"
)

// Actions and commands that this package has no function for become activities, too (the ActuatorInterface of §10.1.2).

// Do returns a motion by any action, also one of the application. It must say where it ends, so that the next motion can take it
// over; of one that ends it is unknown where the next one waits for the rest. Parameters override those of the robot.
func (r *Robot) Do(a robotics.Action, ends robotics.End, params ...robotics.Param) *Motion {
	m := &Motion{robot: r, action: a, end: ends, params: params, lasts: ends.Joints == nil && (ends.Of == nil || ends.In == nil)}
	if r.blend != nil && !m.lasts {
		m.Blend(*r.blend)
	}
	return m
}

// single is a command as an activity.
type single struct {
	runtime *robotics.Runtime
	command robotics.Command
}

// Of makes an activity of a command, such as that of a gripper between two motions, or of several robots and tools at once. Robots of this
// package know nothing of it: arms that it commands must rest.
func Of(runtime *robotics.Runtime, command robotics.Command) Activity {
	return single{runtime, command}
}

func (s single) String() string { return fmt.Sprint(s.command) }

// Begin returns when the command is in its first cycle.
func (s single) Begin(ctx context.Context) (*Execution, error) { return s.begin(ctx, live{}) }

func (s single) begin(ctx context.Context, on stage) (*Execution, error) {
	h, err := on.start(ctx, s.runtime, s.command)
	if h == nil {
		return nil, err
	}
	return &Execution{handle: h}, err
}

func (s single) Execute(ctx context.Context) error { return execute(ctx, s) }
