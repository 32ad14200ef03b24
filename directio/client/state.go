package client

import (
	"context"
	"iter"
	"sync"
)

// State is a state of a net (§5.3.3), in the word of the protocol.
type State string

// The states of nets.
const (
	Loading    State = "LOADING"
	Rejected   State = "REJECTED"
	Ready      State = "READY"
	Scheduled  State = "SCHEDULED"
	Running    State = "RUNNING"
	Cancelling State = "CANCELLING"
	Terminated State = "TERMINATED"
	Unloaded   State = "UNLOADED"
)

// Active reports whether a net runs.
func (s State) Active() bool { return s == Running || s == Cancelling }

// Over reports whether a net will not run any more.
func (s State) Over() bool { return s == Terminated || s == Rejected || s == Unloaded }

// Begun reports whether a net in that state has had a cycle, as far as the state says so.
func (s State) Begun() bool { return s == Running || s == Cancelling || s == Terminated }

// RuleState is a state of a rule, in the word of the protocol.
type RuleState string

// The states of rules.
const (
	RuleActive   RuleState = "ACTIVE"     // it waits for its condition
	RuleFired    RuleState = "FIRED"      // it has done what it was to do
	RuleFailed   RuleState = "FIREFAILED" // its condition was true, but a net could not be started: nothing was done
	RuleInactive RuleState = "INACTIVE"   // its condition cannot become true any more
)

// subject is what subscriptions report on: something that changes until it is over. Every change wakes those who wait.
type subject struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by every change
	cause   error         // why the subscription has ended
}

func newSubject() subject { return subject{changed: make(chan struct{})} }

// change changes something and wakes who waits.
func (s *subject) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// read looks at something.
func (s *subject) read(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// await waits until something is found; done says so, and with an error that it will never be.
func (s *subject) await(ctx context.Context, look func() (done bool, err error)) error {
	for {
		s.mu.Lock()
		done, err := look()
		if !done && err == nil {
			err = s.cause
		}
		changed := s.changed
		s.mu.Unlock()
		if done || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow yields what a look finds, each time that there is something, until it says that this was the last.
func follow[T any](ctx context.Context, s *subject, look func() (v T, found, last bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for last := false; !last; {
			var v T
			err := s.await(ctx, func() (found bool, _ error) {
				v, found, last = look()
				return found, nil
			})
			if err != nil || !yield(v) {
				return
			}
		}
	}
}
