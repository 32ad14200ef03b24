package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// abreast is activities of several robots at once, each of which goes on by itself.
type abreast []Activity

func (s abreast) String() string {
	texts := make([]string, len(s))
	for i, a := range s {
		if texts[i] = a.String(); !isMotion(a) {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return strings.Join(texts, ", ") + " at once"
}

func isMotion(a Activity) bool {
	_, is := a.(*Motion)
	return is
}

// Begin returns when the last parts of all activities have begun.
func (s abreast) Begin(ctx context.Context) (*Execution, error) {
	if err := s.mistake(); err != nil {
		return nil, err
	}
	return live{}.begin(ctx, s)
}

func (s abreast) Execute(ctx context.Context) error {
	if err := s.mistake(); err != nil {
		return err
	}
	return execute(ctx, s)
}

func (s abreast) begin(ctx context.Context, on stage) (*Execution, error) {
	if err := s.unfit(); err != nil {
		return nil, err
	}
	if err := on.rest(ctx, s.armInfos()); err != nil {
		return nil, err
	}
	return on.abreast(ctx, s)
}

// unfit returns why robots cannot do these things at once.
func (s abreast) unfit() error {
	if slices.ContainsFunc(s, func(a Activity) bool { return a == nil || a == Activity((*Motion)(nil)) }) {
		return ErrNothing
	}
	by := map[string]int{} // which of them moves the device
	for i, a := range s {
		for _, armInfo := range armInfosOf(a) {
			if other, taken := by[armInfo.arm.Device()]; taken && other != i {
				return fmt.Errorf("%v: %w", s, ErrSameRobot)
			}
			by[armInfo.arm.Device()] = i
		}
	}
	return nil
}

func (s abreast) armInfos() (all []*armInfo) {
	for _, a := range s {
		all = append(all, armInfosOf(a)...)
	}
	return all
}

// armInfosOf returns those of the robots that have a part in an activity, as far as they are known.
func armInfosOf(a Activity) (all []*armInfo) {
	switch of := a.(type) {
	case *Motion:
		if of != nil {
			all = of.robot.armInfos
		}
	case parallel:
		all = of.armInfos()
	case abreast:
		all = of.armInfos()
	case sequence:
		all = abreast(of).armInfos()
	}
	return all
}

// abreast begins activities each by itself. When one cannot begin, all that have begun come to rest.
func (live) abreast(ctx context.Context, all []Activity) (*Execution, error) {
	life, halt := context.WithCancelCause(context.WithoutCancel(ctx))
	release := context.AfterFunc(ctx, func() { halt(context.Cause(ctx)) })
	s := &several{halt: halt, done: make(chan struct{})}
	begun := make(chan *Execution, len(all))
	var lanes sync.WaitGroup
	for _, a := range all {
		lanes.Go(func() { s.goOn(life, a, begun) })
	}
	go func() {
		lanes.Wait()
		if cause := context.Cause(life); !errors.Is(cause, errHalted) {
			s.err = errors.Join(cause, s.err)
		}
		halt(nil)
		close(s.done)
	}()
	together := &Execution{several: s}
	complete := true
	for range all {
		x := <-begun
		switch {
		case x == nil:
			complete = false
		case x.speed > 0 && !(together.speed > 0 && together.speed < x.speed):
			together.speed = x.speed
		}
	}
	if complete = release() && complete; !complete {
		<-s.done
		return nil, s.err
	}
	return together, nil
}

// several is the course of activities that go on each by itself.
type several struct {
	halt context.CancelCauseFunc // brings all to rest
	done chan struct{}

	mu  sync.Mutex
	err error // of those that come to rest because of another one; of all when done is closed
}

// errHalted is returned when the activity was cancelled, which is not a failure.
var errHalted = errors.New("cancelled")

// goOn executes one of the activities, until life ends. It says what has begun, nil if that could not.
func (s *several) goOn(life context.Context, a Activity, begun chan<- *Execution) {
	var parts []*Execution
	x, err := live{&parts}.begin(life, a)
	if err != nil {
		s.halt(err) // before its end is known
		x = nil
	}
	begun <- x
	calm := context.WithoutCancel(life)
	if x != nil {
		select {
		case <-x.Done():
			switch err := x.Wait(calm); {
			case err != nil:
				s.halt(err)
			case x.isCancelled():
				s.halt(errHalted)
			}
			return
		case <-life.Done():
		}
	}
	if err := stop(calm, parts); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err = errors.Join(s.err, err)
	}
}

// Wait waits until all have ended. The error is that of the first one that failed.
func (s *several) Wait(ctx context.Context) error {
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cancel brings all to rest. It does not wait for that.
func (s *several) Cancel(context.Context) error {
	s.halt(errHalted)
	return nil
}

// Done is closed when all have ended, Ended as well.
func (s *several) Done() <-chan struct{}  { return s.done }
func (s *several) Ended() <-chan struct{} { return s.done }

// abreast rehearses activities as if they began in one cycle, which is so as long as none of them waits for rest in between.
func (p *paper) abreast(ctx context.Context, all []Activity) (x *Execution, err error) {
	seen := p.seen
	for _, a := range all {
		if x, err = p.begin(ctx, a); err != nil {
			return nil, err
		}
		if p.seen != seen {
			return nil, fmt.Errorf("%v: %w", a, ErrWaits)
		}
	}
	return x, nil
}
