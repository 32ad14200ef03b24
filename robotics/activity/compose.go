package activity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics"
)

// sequence is one activity after the other.
type sequence []Activity

// Sequence executes activities one after the other. Motions of a robot that have Blend go over into the next one. When one cannot begin,
// those after it are not begun either.
func Sequence(activities ...Activity) Activity { return sequence(activities) }

func (s sequence) String() string { return "sequence of " + names(s) }

// Begin returns when the last activity has begun. One of another robot begins when what was begun before is over.
func (s sequence) Begin(ctx context.Context) (x *Execution, err error) {
	if len(s) == 0 {
		return nil, ErrNothing
	}
	for i, a := range s {
		if i > 0 && !sameRobot(s[i-1], a) {
			if err := x.Wait(ctx); err != nil {
				return nil, &AfterError{a.String(), err}
			}
		}
		if x, err = a.Begin(ctx); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// sameRobot tells whether the second of two activities comes after the first by itself.
func sameRobot(a, b Activity) bool {
	first, isMotion := a.(*Motion)
	second, areMotions := b.(*Motion)
	return isMotion && areMotions && first.robot == second.robot
}

func (s sequence) Execute(ctx context.Context) error { return execute(ctx, s) }

// parallel is motions of several robots in one command.
type parallel []*Motion

// Parallel executes motions of several robots, which begin in the same cycle, when all of the robots rest. It ends when all have come
// to their ends; when one fails the others come to rest. None of them goes over into what comes after it.
func Parallel(motions ...*Motion) Activity { return parallel(motions) }

func (p parallel) String() string { return names(p) + " at once" }

func (p parallel) Execute(ctx context.Context) error { return execute(ctx, p) }

// Begin returns when all motions have begun.
func (p parallel) Begin(ctx context.Context) (*Execution, error) {
	if len(p) == 0 {
		return nil, ErrNothing
	}
	// Whoever wants several robots asks for them in the same order, so that nobody waits for ever.
	byName := slices.SortedFunc(slices.Values(p), func(a, b *Motion) int { return cmp.Compare(a.robot.String(), b.robot.String()) })
	for i, m := range byName {
		if i > 0 && m.robot.String() == byName[i-1].robot.String() {
			return nil, fmt.Errorf("%v: %w", p, ErrSameRobot)
		}
	}
	for _, m := range byName {
		if err := m.robot.take(ctx); err != nil {
			return nil, err
		}
		defer m.robot.give()
		if err := m.robot.rests(ctx); err != nil {
			return nil, err
		}
	}
	commands := make([]robotics.Command, len(p))
	for i, m := range p {
		c, err := m.command()
		if err != nil {
			return nil, err
		}
		commands[i] = c
	}
	h, err := p[0].robot.runtime.Start(ctx, robotics.Parallel(commands...))
	if h == nil {
		return nil, err
	}
	x := &Execution{handle: h}
	for _, m := range p {
		m.robot.began(x)
	}
	return x, err
}

// names are those of activities.
func names[A Activity](of []A) string {
	texts := make([]string, len(of))
	for i, a := range of {
		texts[i] = a.String()
	}
	return strings.Join(texts, ", ")
}
