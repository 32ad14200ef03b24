package robotics

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// State is something that is active or not, in each cycle: of a sensor (IsTrue), of a command or of what it consists of, or made
// of other states. An unknown state is not active.
type State interface {
	// signal is true while the state is active, and never null.
	signal(b *builder) graph.Signal[bool]
	// parts are the states that it is made of.
	parts() []State
}

// leaf is a state that is made of no others.
type leaf struct{}

func (leaf) parts() []State { return nil }

// life distinguishes the states of commands.
type life uint8

const (
	active life = iota
	started
	completed
	cancelled
	failed
)

type commandState struct {
	of Command
	is life
}

func (s commandState) parts() []State { return nil }

func (s commandState) signal(b *builder) graph.Signal[bool] {
	of := b.find(s.of)
	if of == nil {
		return b.m.False()
	}
	return of.state(b, s.is)
}

// partState is a state of an action or actuator.
type partState struct {
	of  *RuntimeCommand
	key any
}

func (s partState) parts() []State { return nil }

func (s partState) signal(b *builder) graph.Signal[bool] {
	of := b.find(s.of)
	if of == nil {
		return b.m.False()
	}
	for _, p := range of.partsOf {
		if p.States == nil {
			continue
		}
		if is := p.States(s.key); !is.Open() {
			return b.m.Definite(is)
		}
	}
	b.m.Fail(&StateError{s.of, s.key})
	return b.m.False()
}

type faultState struct {
	of   *RuntimeCommand
	name string
}

func (s faultState) parts() []State { return nil }

func (s faultState) signal(b *builder) graph.Signal[bool] {
	of := b.find(s.of)
	if of == nil {
		return b.m.False()
	}
	var all []graph.Signal[bool]
	for _, f := range of.faults {
		if f.Name == s.name {
			all = append(all, f.Is)
		}
	}
	if len(all) == 0 {
		b.m.Fail(&StateError{s.of, s.name})
		return b.m.False()
	}
	return b.m.And(of.active, graph.Or(all...))
}

// IsTrue returns the state in which a sensor says true.
func IsTrue(s Sensor[bool]) State { return sensorState{of: s} }

type sensorState struct {
	leaf
	of Sensor[bool]
}

func (s sensorState) signal(b *builder) graph.Signal[bool] { return b.m.Definite(Read(b.m, s.of)) }

// And is active while all states are.
func And(first State, more ...State) State {
	return composed{append([]State{first}, more...), (*mapping.Net).And}
}

// Or is active while one of the states is.
func Or(first State, more ...State) State {
	return composed{append([]State{first}, more...), func(_ *mapping.Net, of ...graph.Signal[bool]) graph.Signal[bool] { return graph.Or(of...) }}
}

// Not is active while a state is not.
func Not(s State) State {
	return composed{[]State{s}, func(_ *mapping.Net, of ...graph.Signal[bool]) graph.Signal[bool] { return graph.Not(of[0]) }}
}

// Ever is active from the first cycle on in which a state is.
func Ever(s State) State {
	return composed{[]State{s}, func(m *mapping.Net, of ...graph.Signal[bool]) graph.Signal[bool] { return m.Latch(of[0]) }}
}

// Long is active while a state has been active for a time without interruption, in whole cycles: from the cycle on at whose end
// it has been.
func Long(s State, d time.Duration) State {
	return composed{[]State{s}, func(m *mapping.Net, of ...graph.Signal[bool]) graph.Signal[bool] {
		if d <= 0 {
			m.Fail(fmt.Errorf("a state that is active for %v: %w", d, ErrDuration))
		}
		return m.Long(of[0], d)
	}}
}

type composed struct {
	of   []State
	make func(m *mapping.Net, of ...graph.Signal[bool]) graph.Signal[bool]
}

func (s composed) parts() []State { return s.of }

func (s composed) signal(b *builder) graph.Signal[bool] {
	of := make([]graph.Signal[bool], len(s.of))
	for i := range s.of {
		of[i] = b.state(s.of[i])
	}
	return s.make(b.m, of...)
}

// Raised is a state that is active in the cycle after one in which it has been raised (Raise).
type Raised struct {
	leaf
	name string
}

// NewRaised returns a state that only handlers make active.
func NewRaised(name string) *Raised { return &Raised{name: name} }

func (r *Raised) String() string { return r.name }

func (r *Raised) signal(b *builder) graph.Signal[bool] { return b.raised(r).Signal }
