// Package interpreter says what commands do in each cycle, by the ten rules of package robotics and nothing else. It knows nothing
// of nets, and remembers everything: it is plain, and slow. The nets that commands are mapped to are compared with it.
package interpreter

import (
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Command is a command: one with a job, or a transaction.
type Command struct {
	Name     string
	Job      *Job // nil: a transaction
	Children []*Command
	Starts   []Start
	Handlers []*Handler

	parent *Command
}

// Start is a command that is started with its transaction.
type Start struct {
	Of   *Command
	When State // nil: always
}

// Job is what a command does that contains no others, as far as it is visible from outside.
type Job struct {
	Takes  int // active cycles until it has done it; 0: it never has
	Yields int // active cycles in which it is cancelled until it is at rest; 0: it does what it does nevertheless
	Moves  *Motion
	Faults []Fault
}

// Motion is a job that takes as long as joints need to a goal, or to come to rest when it is cancelled.
type Motion struct {
	Of   *Joints
	Goal []float64
	Sync motion.Sync
}

// Joints are moved by motions. One of them is active at a time.
type Joints struct {
	Device string
	Limits []profile.Limits
	At     []float64 // where they are to be at the end of the last cycle
}

// Fault is something that is wrong with a job while a state is active.
type Fault struct {
	Name string
	When State
}

// Handler has effects when something happens to a state while its command is active.
type Handler struct {
	On      Event
	Of      State
	Effects []Effect
}

// Event is what happens to a state.
type Event uint8

// The events.
const (
	Entered Event = iota
	Left
	FirstEntered
	FirstLeft
)

// Effect is what an event leads to: something that a command receives, or a state that is raised, or a call, or a token.
type Effect struct {
	Do     Verb
	To     *Command // Starts, Stops, Cancels
	Raised *Raised  // Raises
	Call   *Call    // Calls
	Token  *Token   // Gives
}

// Verb is what an effect does.
type Verb uint8

// The verbs.
const (
	Starts Verb = iota
	Stops
	Cancels
	Raises
	Calls
	Gives
)

// Call is something that the application hears of.
type Call struct{ Name string }

// Token is something that rules hear of, in the cycle of the event.
type Token struct{ Name string }

// State is something that is active in a cycle or not.
type State interface {
	// in takes a cycle of a run, from 1.
	in(r *Run, n int) bool
	// parts are the states that it is made of.
	parts() []State
}

type leaf struct{}

func (leaf) parts() []State { return nil }

// Life is what a state says of a command.
type Life uint8

// Facts of commands that states are about.
const (
	Active Life = iota
	Started
	Completed
	Cancelled
	Failed
)

// Is is a state of a command.
type Is struct {
	leaf
	Of *Command
	It Life
}

// FaultOf is the state in which something is wrong with a command that is active.
type FaultOf struct {
	leaf
	Of   *Command
	Name string
}

// Sensor is the state in which an input is true, by its number.
type Sensor struct {
	leaf
	Input int
}

// And is active while all are.
type And struct{ Of []State }

// Or is active while any is.
type Or struct{ Of []State }

// Not is active while another state is not.
type Not struct{ Of State }

// Ever is active since a state has been.
type Ever struct{ Of State }

// Long is active while a state has been for some cycles.
type Long struct {
	Of     State
	Cycles int
}

// Raised is active in the cycle after one in which it is raised.
type Raised struct {
	leaf
	Name string
}

func (s *And) parts() []State  { return s.Of }
func (s *Or) parts() []State   { return s.Of }
func (s *Not) parts() []State  { return []State{s.Of} }
func (s *Ever) parts() []State { return []State{s.Of} }
func (s *Long) parts() []State { return []State{s.Of} }

// about reports whether a state is made of one for which something holds.
func about(s State, holds func(State) bool) bool {
	if holds(s) {
		return true
	}
	for _, part := range s.parts() {
		if about(part, holds) {
			return true
		}
	}
	return false
}

// All returns a command and all that it contains.
func (c *Command) All() []*Command {
	list := []*Command{c}
	for _, child := range c.Children {
		list = append(list, child.All()...)
	}
	return list
}
