package activity

import (
	"context"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// stage is where activities are begun: on the robots (live), or on paper. The commands and their order are the same; the stage
// knows what has gone before.
type stage interface {
	begin(ctx context.Context, a Activity) (*Execution, error)

	// take waits for the turns of arms, so that one begins something at a time.
	take(ctx context.Context, r *robotics.Runtime, armInfos []*armInfo) (give func(), err error)
	// newest is what was begun with an arm last; nil if nothing was.
	newest(s *armInfo) *Execution
	// goes reports whether something goes on.
	goes(x *Execution) bool
	// rest waits until arms rest, wait until something has ended.
	rest(ctx context.Context, armInfos []*armInfo) error
	wait(ctx context.Context, x *Execution) error

	// joints are where those of an arm rest, pose where a robot carries a frame then, seen from another one.
	joints(ctx context.Context, r *Robot, a *actuator.Arm) ([]float64, error)
	pose(ctx context.Context, r *Robot, of, in *world.Frame) (geom.Frame, error)

	// start starts a command, relieve has a rule start that of a motion when the one before can be left, and began says what goes on now.
	start(ctx context.Context, r *robotics.Runtime, c robotics.Command) (*robotics.Handle, error)
	relieve(ctx context.Context, m *Motion, c robotics.Command, x, before *Execution) (*Execution, error)
	// abreast begins activities of different robots at once.
	abreast(ctx context.Context, all []Activity) (*Execution, error)
	began(x *Execution, armInfos []*armInfo)
}

// staged is an activity that can be begun on any stage.
type staged interface {
	begin(ctx context.Context, on stage) (*Execution, error)
}

// live is where robots move.
type live struct {
	begun *[]*Execution // what has begun, if that is to be known
}

func (l live) begin(ctx context.Context, a Activity) (x *Execution, err error) {
	switch of := a.(type) { // what others have made of motions begins as they say
	case *Motion:
		x, err = l.try(ctx, of, of.robot.armInfos)
	case parallel:
		x, err = l.try(ctx, of, of.armInfos())
	case abreast:
		x, err = l.try(ctx, of, of.armInfos())
	case sequence:
		x, err = l.try(ctx, of, abreast(of).armInfos())
	default:
		x, err = a.Begin(ctx)
	}
	if x != nil && l.begun != nil {
		*l.begun = append(*l.begun, x)
	}
	return x, err
}

func (l live) try(ctx context.Context, of staged, armInfos []*armInfo) (*Execution, error) {
	return try(ctx, armInfos, func(ctx context.Context) (*Execution, error) { return of.begin(ctx, l) })
}

func (live) take(ctx context.Context, _ *robotics.Runtime, armInfos []*armInfo) (give func(), err error) {
	return take(ctx, armInfos)
}

func (live) newest(s *armInfo) *Execution                        { return s.newest() }
func (live) goes(x *Execution) bool                              { return !x.isOver() }
func (live) rest(ctx context.Context, armInfos []*armInfo) error { return rest(ctx, armInfos) }
func (live) wait(ctx context.Context, x *Execution) error        { return x.Wait(ctx) }
func (live) began(x *Execution, armInfos []*armInfo)             { began(x, armInfos) }

func (live) joints(ctx context.Context, r *Robot, a *actuator.Arm) ([]float64, error) {
	return robotics.Value(ctx, r.runtime, a.CommandedAll())
}

func (live) pose(ctx context.Context, r *Robot, of, in *world.Frame) (geom.Frame, error) {
	return r.value(ctx, of, in)
}

// start starts a command. When ctx ends in between the command may have begun nevertheless, if the daemon is there: a caller that
// does not want it then knows what to cancel.
func (live) start(ctx context.Context, r *robotics.Runtime, c robotics.Command) (*robotics.Handle, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		wait, end := context.WithTimeout(later, patience)
		defer end()
		<-wait.Done()
		cancel()
	})
	defer stop()
	return r.Start(later, c)
}

func (live) relieve(ctx context.Context, m *Motion, c robotics.Command, x, before *Execution) (*Execution, error) {
	return m.robot.relieve(ctx, m, c, x, before)
}
