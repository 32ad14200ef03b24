package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Activity is a task of robots: a motion, or a sequence of activities, or several at once.
type Activity interface {
	fmt.Stringer
	// Begin returns when the activity has begun, of a sequence its last part. What robots already do goes on until then, and also if that
	// does not begin: it is brought to rest by Robot.Cancel.
	Begin(ctx context.Context) (*Execution, error)
	// Execute waits for the end. When ctx ends first, or one of several parts does not begin, what has begun is cancelled, and robots have
	// come to rest when it returns.
	Execute(ctx context.Context) error
}

// Motion is a motion of a robot. It is a description, and may be executed any number of times, but not at once.
type Motion struct {
	robot  *Robot
	action robotics.Action
	from   func(begin geom.Frame) robotics.Action // of one that says where it begins
	way    func(begin geom.Frame) (*path.Path, error)
	line   bool // of joints of the arm that leads several
	end    robotics.End
	params []robotics.Param
	speed  float64 // share of it to which it was slowed down; 0: not at all
	leave  any     // state in which it blends into the next one; nil: it does not
	alone  bool    // it needs more of the joints than there is in a blend
	lasts  bool
	wrong  error
	events []event
}

// event is what the command has handlers for.
type event struct {
	add func(*robotics.RuntimeCommand)
	own bool // the application adds them
}

func (m *Motion) String() string { return fmt.Sprintf("%v %v", m.robot, m.action) }

// PTP moves the joints to a point, all of them together; those of the leading arm of several on a straight line of joints, so that the
// path is known. Parameters override those of the robot.
func (r *Robot) PTP(to []float64, params ...robotics.JointParam) *Motion {
	to = slices.Clone(to)
	if len(r.armInfos) == 1 {
		return r.Do(motions.PTP{To: to}, robotics.End{Joints: to}, general(params)...)
	}
	m := r.Do(motions.PTP{To: to, Sync: robotics.FullySynchronous}, robotics.End{Joints: to}, general(params)...)
	m.line = true
	return m
}

// Lin moves the motion centre on a straight line to a pose, seen from a frame. Parameters override those of the robot.
func (r *Robot) Lin(to geom.Frame, in *world.Frame, params ...robotics.SpaceParam) *Motion {
	m := r.inSpace(motions.LIN{To: to, In: in}, to, in, general(params))
	m.way = func(begin geom.Frame) (*path.Path, error) { return path.Line(begin, to) }
	return m
}

// Circ moves the motion centre on an arc through a position to a pose, seen from a frame. The orientation turns on the shortest way, if the parameters
// have no other Orientation.
func (r *Robot) Circ(via geom.Vector, to geom.Frame, in *world.Frame, params ...robotics.ArcParam) *Motion {
	rest, turning := apart(params)
	m := r.inSpace(motions.CIRC{Via: via, To: to, In: in, Orientation: turning}, to, in, rest)
	m.from = func(begin geom.Frame) robotics.Action {
		return motions.CIRC{From: begin, Via: via, To: to, In: in, Orientation: turning}
	}
	m.way = func(begin geom.Frame) (*path.Path, error) { return path.Arc(begin, via, to, turning) }
	return m
}

// Spline moves the motion centre on a smooth curve through poses to the last of them, seen from a frame.
func (r *Robot) Spline(through []geom.Frame, in *world.Frame, params ...robotics.SpaceParam) *Motion {
	through = slices.Clone(through)
	if len(through) == 0 {
		return &Motion{robot: r, action: motions.Spline{}, wrong: fmt.Errorf("a spline: %w", ErrNothing)}
	}
	m := r.inSpace(motions.Spline{Through: through, In: in}, through[len(through)-1], in, general(params))
	m.from = func(begin geom.Frame) robotics.Action {
		return motions.Spline{Through: append([]geom.Frame{begin}, through...), In: in}
	}
	m.way = func(begin geom.Frame) (*path.Path, error) {
		return path.Spline(append([]geom.Frame{begin}, through...), path.Ends{})
	}
	return m
}

// Hold keeps the motion centre where it is, seen from a frame that may move, until it is cancelled. The next motion waits for
// that.
func (r *Robot) Hold(in *world.Frame, params ...robotics.SpaceParam) *Motion {
	return r.Do(motions.CartesianHold{In: in}, robotics.End{}, general(params)...)
}

func (r *Robot) inSpace(a robotics.Action, to geom.Frame, in *world.Frame, params []robotics.Param) *Motion {
	limits, _ := param[robotics.CartesianLimits](r, params)
	return r.Do(a, robotics.End{Pose: to, Of: r.center(params), In: in, Limits: limits}, params...)
}

// Orientation is how the motion centre turns on an arc (path.Turning if it is not given).
type Orientation path.Orientation

// Parameter marks a parameter of commands.
func (Orientation) Parameter() {}

// OnArc marks a parameter of arcs.
func (Orientation) OnArc() {}

// apart takes the orientation of an arc out of its parameters: commands have it in their action.
func apart(params []robotics.ArcParam) (rest []robotics.Param, o path.Orientation) {
	o = path.Turning
	for _, p := range params {
		if v, is := p.(Orientation); is {
			o = path.Orientation(v)
			continue
		}
		rest = append(rest, p)
	}
	return rest, o
}

// general returns parameters of some purpose as those of any command.
func general[P robotics.Param](params []P) []robotics.Param {
	all := make([]robotics.Param, len(params))
	for i, p := range params {
		all[i] = p
	}
	return all
}

// center returns what Cartesian motions move.
func (r *Robot) center(params []robotics.Param) *world.Frame {
	if c, given := param[robotics.MotionCenter](r, params); given {
		return c.Frame
	}
	return r.arm.Flange()
}

// param returns the parameter of a motion, if it is given: its own, or that of the robot.
func param[T robotics.Param](r *Robot, params []robotics.Param) (value T, given bool) {
	for _, p := range slices.Concat(params, r.actuator.Defaults()) {
		if v, is := p.(T); is {
			return v, true
		}
	}
	return value, false
}

// after returns what the motion does after one that ends somewhere, as far as that is known.
func (m *Motion) after(end robotics.End) (a robotics.Action, known bool) {
	if m.from == nil {
		return m.action, true
	}
	begin, known := m.robot.arm.Seen(end, m.end.Of, m.end.In)
	return m.from(begin), known
}

// now returns what the motion does from where the robot rests. That is asked: devices go on a little when a motion has ended (equation 9.1).
func (m *Motion) now(ctx context.Context, on stage) (robotics.Action, error) {
	if m.from == nil {
		return m.action, nil
	}
	begin, err := on.pose(ctx, m.robot, m.end.Of, m.end.In)
	if err != nil {
		return nil, fmt.Errorf("%v: where it begins: %w", m, err)
	}
	return m.from(begin), nil
}

// Blend says that the motion blends into the next one when a share of its time has passed, above 0 and below 1.
func (m *Motion) Blend(share float64) *Motion {
	if !(share > 0 && share < 1) && m.wrong == nil {
		m.wrong = fmt.Errorf("%v at %v: %w", m, share, ErrShare)
	}
	m.leave = motions.Progress(share)
	return m
}

// BlendBefore says that a motion along a path blends into the next one a distance before its end, m, or rad of a path that only
// turns. A path that is not longer blends at once.
func (m *Motion) BlendBefore(distance float64) *Motion {
	if !(distance > 0) && m.wrong == nil {
		m.wrong = fmt.Errorf("%v %v before its end: %w", m, distance, ErrDistance)
	}
	m.leave = motions.Distance(-distance)
	return m
}

// Rest says that the motion comes to rest at its goal, also where the robot blends (Robot.SetBlend).
func (m *Motion) Rest() *Motion {
	m.leave = nil
	return m
}

// At calls a function of the application, soon after a share of the time of the motion has passed.
func (m *Motion) At(share float64, do func()) *Motion {
	return m.on(motions.Progress(share), do)
}

// AtDistance calls a function of the application, soon after the motion has covered a distance on its path, m, or rad of a path that only
// turns; below 0, when it is that far before its end. Joints have no path.
func (m *Motion) AtDistance(distance float64, do func()) *Motion {
	return m.on(motions.Distance(distance), do)
}

func (m *Motion) on(state any, do func()) *Motion {
	return m.with(event{add: func(c *robotics.RuntimeCommand) { c.OnFirstEntered(c.State(state), robotics.External(do)) }})
}

// With calls a function that adds handlers to the command that the motion becomes, for what happens in real time.
func (m *Motion) With(add func(c *robotics.RuntimeCommand)) *Motion { return m.with(event{add, true}) }

func (m *Motion) with(e event) *Motion {
	m.events = append(m.events, e)
	return m
}

// Execute executes the motion and waits until it has ended.
func (m *Motion) Execute(ctx context.Context) error { return execute(ctx, m) }

// Begin returns when the motion has begun.
func (m *Motion) Begin(ctx context.Context) (*Execution, error) { return live{}.begin(ctx, m) }

func (m *Motion) begin(ctx context.Context, on stage) (*Execution, error) {
	return m.robot.begin(ctx, m, on)
}

// execute executes an activity. Whatever of it goes on when it cannot begin all, or is to end, is brought to rest.
func execute(ctx context.Context, a Activity) error {
	var begun []*Execution
	x, err := live{&begun}.begin(ctx, a)
	if err == nil {
		select {
		case <-x.Done():
			return x.Wait(ctx)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	return errors.Join(err, stop(context.WithoutCancel(ctx), begun))
}

// stop brings to rest what goes on.
func stop(ctx context.Context, all []*Execution) error {
	all = slices.DeleteFunc(all, (*Execution).isOver)
	err := cancel(ctx, all)
	if err != nil {
		return err
	}
	for _, x := range all {
		err = errors.Join(err, x.Wait(ctx))
	}
	return err
}

// command makes the command of a motion.
func (m *Motion) command(action robotics.Action, params ...robotics.Param) (*robotics.RuntimeCommand, error) {
	if m.wrong != nil {
		return nil, m.wrong
	}
	c := robotics.NewCommand(m.robot.actuator, action, slices.Concat(m.params, params)...)
	for _, e := range m.events {
		e.add(c)
	}
	return c, nil
}

// tokens are what rules wait for: the moment at which a motion can be left, and its rest at the goal. One that is cancelled gives none.
type tokens struct{ leave, rest *robotics.Token }

// linked makes the command of a motion that takes over another one, if there is one, and can be taken over itself, and what its execution
// will be, of which the joints are known at the end or not.
func (m *Motion) linked(action robotics.Action, from robotics.TakeOver, joints [][]float64) (*robotics.RuntimeCommand, *Execution, error) {
	c, err := m.command(action, robotics.HandOver(true), from)
	if err != nil {
		return nil, nil, err
	}
	x := &Execution{by: m.robot, end: m.end, joints: joints, speed: m.speed, alone: m.alone}
	if m.lasts {
		return c, x, nil
	}
	x.rest = robotics.NewToken("rest")
	goesOn := robotics.Not(robotics.Or(c.Cancelled(), c.Failed()))
	if m.leave != nil {
		x.leave = robotics.NewToken("leave")
		c.OnFirstEntered(robotics.And(c.State(m.leave), goesOn), robotics.Give(x.leave))
	}
	c.OnFirstEntered(robotics.And(c.Completed(), goesOn), robotics.Give(x.rest))
	return c, x, nil
}
