package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Activity is something that robots do: a motion, or a sequence of activities, or several at once.
type Activity interface {
	fmt.Stringer
	// Begin returns when the activity has begun, of a sequence its last part. What robots do already goes on until then.
	Begin(ctx context.Context) (*Execution, error)
	// Execute waits for the end. When ctx ends first the activity is cancelled, and robots have come to rest when it returns.
	Execute(ctx context.Context) error
}

// Motion is a motion of a robot. It is a description, and may be executed any number of times, but not at once.
type Motion struct {
	robot  *Robot
	action robotics.Action
	end    robotics.End
	params []any
	share  float64 // at which it goes over into the next one; 1: it does not
	events []func(*robotics.RuntimeCommand)
}

func (m *Motion) String() string { return fmt.Sprintf("%v %v", m.robot, m.action) }

// PTP moves the joints to a point, all of them together. Parameters override those of the robot.
func (r *Robot) PTP(to []float64, params ...any) *Motion {
	to = slices.Clone(to)
	return &Motion{robot: r, action: robotics.PTP{To: to}, end: robotics.End{Joints: to}, params: params, share: 1}
}

// Lin moves the motion centre on a straight line to a pose, seen from a frame. Parameters override those of the robot.
func (r *Robot) Lin(to geom.Frame, in *world.Frame, params ...any) *Motion {
	return &Motion{
		robot: r, action: robotics.LIN{To: to, In: in}, end: robotics.End{Pose: to, Of: r.center(params), In: in}, params: params, share: 1,
	}
}

// center is what Cartesian motions move.
func (r *Robot) center(params []any) *world.Frame {
	for _, p := range slices.Concat(params, r.arm.Defaults()) {
		if c, ok := p.(robotics.MotionCenter); ok {
			return c.Frame
		}
	}
	return r.arm.Flange()
}

// Blend says that the motion goes over into the next one when a share of its time has passed, above 0 and below 1.
func (m *Motion) Blend(share float64) *Motion {
	m.share = share
	return m
}

// At has a function of the application called, soon, when a share of the time of the motion has passed.
func (m *Motion) At(share float64, do func()) *Motion {
	return m.With(func(c *robotics.RuntimeCommand) {
		c.OnFirstEntered(c.State(robotics.Progress(share)), robotics.External(do))
	})
}

// With has a function add handlers to the command that the motion becomes, for what happens in real time.
func (m *Motion) With(add func(c *robotics.RuntimeCommand)) *Motion {
	m.events = append(m.events, add)
	return m
}

// Execute executes the motion and waits until it has come to its end.
func (m *Motion) Execute(ctx context.Context) error { return execute(ctx, m) }

// Begin returns when the motion has begun.
func (m *Motion) Begin(ctx context.Context) (*Execution, error) { return m.robot.begin(ctx, m) }

func execute(ctx context.Context, a Activity) error {
	x, err := a.Begin(ctx)
	if err != nil {
		return err
	}
	select {
	case <-x.Done():
		return x.Wait(ctx)
	case <-ctx.Done():
	}
	later := context.WithoutCancel(ctx)
	if err := x.Cancel(later); err != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	return errors.Join(context.Cause(ctx), x.Wait(later))
}

// command makes the command of a motion.
func (m *Motion) command(params ...any) (*robotics.RuntimeCommand, error) {
	if !(m.share > 0 && m.share <= 1) {
		return nil, fmt.Errorf("%v at %v: %w", m, m.share, ErrShare)
	}
	c := robotics.NewCommand(m.robot.arm, m.action, slices.Concat(m.params, params)...)
	for _, add := range m.events {
		add(c)
	}
	return c, nil
}

// tokens are what rules wait for: the moment at which a motion can be left, and its rest at the goal. One that is cancelled gives none.
type tokens struct{ leave, rest *robotics.Token }

// linked makes the command of a motion that takes over another one, if there is one, and can be taken over itself.
func (m *Motion) linked(from robotics.TakeOver) (*robotics.RuntimeCommand, tokens, error) {
	c, err := m.command(robotics.HandOver(true), from)
	if err != nil {
		return nil, tokens{}, err
	}
	t := tokens{rest: robotics.NewToken("rest")}
	goesOn := robotics.Not(robotics.Or(c.Cancelled(), c.Failed()))
	if m.share < 1 {
		t.leave = robotics.NewToken("leave")
		c.OnFirstEntered(robotics.And(c.State(robotics.Progress(m.share)), goesOn), robotics.Give(t.leave))
	}
	c.OnFirstEntered(robotics.And(c.Completed(), goesOn), robotics.Give(t.rest))
	return c, t, nil
}
