package activity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

// sequence is one activity after the other.
type sequence []Activity

// Sequence executes activities one after the other. Motions of a robot that have Blend blend into the next one. When one cannot
// begin, those after it are not begun either. Mistakes that do not depend on the robots, such as a share beyond 1, are reported
// before the first begins.
func Sequence(activities ...Activity) Activity { return sequence(activities) }

func (s sequence) String() string { return "sequence of " + names(s) }

// Begin returns when the last activity has begun. One of another robot begins when what was begun before has ended.
func (s sequence) Begin(ctx context.Context) (*Execution, error) {
	if err := s.mistake(); err != nil {
		return nil, err
	}
	return live{}.begin(ctx, s)
}

func (s sequence) begin(ctx context.Context, on stage) (x *Execution, err error) {
	if len(s) == 0 {
		return nil, ErrNothing
	}
	for i, a := range s {
		if i > 0 && !sameRobot(s[i-1], a) {
			switch err := on.wait(ctx, x); {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				return nil, &AfterError{a.String(), err}
			}
		}
		if x, err = on.begin(ctx, a); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// sameRobot reports whether the second of two activities comes after the first by itself.
func sameRobot(a, b Activity) bool {
	first, isMotion := a.(*Motion)
	second, areMotions := b.(*Motion)
	return isMotion && areMotions && first.robot == second.robot
}

func (s sequence) Execute(ctx context.Context) error {
	if err := s.mistake(); err != nil {
		return err
	}
	return execute(ctx, s)
}

// parallel is motions of several robots in one command.
type parallel struct {
	of     []*Motion
	inStep bool
}

// Parallel executes activities of several robots, when all of the robots rest. Motions begin in the same cycle. If an activity is
// more than a motion, such as a sequence, each begins as soon as it can, and goes on by itself. It ends when all have ended;
// when one fails, or is cancelled, the others come to rest. None of them blends into the next activity. A robot has a part in one of
// them only. Robots that have nothing to do with each other are begun each by itself.
func Parallel(activities ...Activity) Activity {
	motions := make([]*Motion, len(activities))
	for i, a := range activities {
		m, is := a.(*Motion)
		if !is && a != nil {
			return abreast(activities)
		}
		motions[i] = m
	}
	return parallel{motions, false}
}

// Together is Parallel for motions that also end in the same cycle, and are at the same share of their paths in each cycle (§11.2.1).
// When one of them is cancelled or fails, all come to rest at the same share of their paths.
func Together(motions ...*Motion) Activity { return parallel{motions, true} }

func (p parallel) String() string {
	if p.inStep {
		return names(p.of) + " together"
	}
	return names(p.of) + " at once"
}

func (p parallel) Execute(ctx context.Context) error { return execute(ctx, p) }

// Begin returns when all motions have begun.
func (p parallel) Begin(ctx context.Context) (*Execution, error) { return live{}.begin(ctx, p) }

// armInfos returns those of all robots.
func (p parallel) armInfos() (all []*armInfo) {
	for _, m := range p.of {
		if m != nil {
			all = append(all, m.robot.armInfos...)
		}
	}
	return all
}

func (p parallel) begin(ctx context.Context, on stage) (*Execution, error) {
	if err := p.unfit(); err != nil {
		return nil, err
	}
	armInfos := p.armInfos()
	inOrder(armInfos)
	runtime := p.of[0].robot.runtime
	give, err := on.take(ctx, runtime, armInfos)
	if err != nil {
		return nil, err
	}
	defer give()
	if err := on.rest(ctx, armInfos); err != nil {
		return nil, err
	}
	commands, speed, err := p.commands(ctx, on)
	if err != nil {
		return nil, err
	}
	h, err := on.start(ctx, runtime, robotics.Parallel(commands...))
	if h == nil {
		return nil, err
	}
	x := &Execution{handle: h, speed: speed}
	on.began(x, armInfos)
	return x, err
}

// unfit returns why robots cannot begin at once.
func (p parallel) unfit() error {
	if len(p.of) == 0 || slices.Contains(p.of, nil) {
		return ErrNothing
	}
	for _, m := range p.of {
		if m.robot.wrong != nil {
			return m.robot.wrong
		}
	}
	armInfos := p.armInfos()
	inOrder(armInfos)
	for i := range armInfos {
		if i > 0 && armInfos[i].arm.Device() == armInfos[i-1].arm.Device() {
			return fmt.Errorf("%v: %w", p, ErrSameRobot)
		}
	}
	return nil
}

// inOrder sorts arms into the order in which all activities ask for them.
func inOrder(armInfos []*armInfo) {
	slices.SortFunc(armInfos, func(a, b *armInfo) int { return cmp.Compare(a.arm.Device(), b.arm.Device()) })
}

// commands returns those of all motions, of which the slowest was slowed down to a share of its speed.
func (p parallel) commands(ctx context.Context, on stage) (all []robotics.Command, speed float64, err error) {
	var params []robotics.Param
	if p.inStep {
		params = append(params, actuator.InStep{Step: actuator.NewStep()})
	}
	for _, m := range p.of {
		from, err := m.robot.where(ctx, m, on)
		if err != nil {
			return nil, 0, err
		}
		if m, _, err = m.check(from, 1); err != nil {
			return nil, 0, err
		}
		if m.speed > 0 && !(speed > 0 && speed < m.speed) {
			speed = m.speed
		}
		action, err := m.now(ctx, on)
		if err != nil {
			return nil, 0, err
		}
		c, err := m.command(action, params...)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, c)
	}
	return all, speed, nil
}

// names returns those of activities.
func names[A Activity](of []A) string {
	texts := make([]string, len(of))
	for i, a := range of {
		texts[i] = a.String()
	}
	return strings.Join(texts, ", ")
}
