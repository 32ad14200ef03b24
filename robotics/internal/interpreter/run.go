package interpreter

import (
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Truth is what an input says in a cycle.
type Truth uint8

// Values of inputs.
const (
	False Truth = iota
	True
	Null
)

// Inputs is what a run does not know by itself.
type Inputs struct {
	Sensors []Truth
	Cancel  bool // the application has cancelled the command
}

// Run is a command that is executed.
type Run struct {
	root   *Command
	all    []*Command
	cycle  time.Duration
	inputs []Inputs // of each cycle, from 1
	known  map[question]bool
	moving map[*Command]*motion.Online
}

// question is something that has one answer in a cycle.
type question struct {
	what  any // Is or over of a command, a *Handler, a State that remembers
	cycle int
}

// New returns a run of a command, which has not begun.
func New(root *Command, cycle time.Duration) *Run {
	r := &Run{
		root: root, all: root.All(), cycle: cycle, inputs: make([]Inputs, 1), known: map[question]bool{},
		moving: map[*Command]*motion.Online{},
	}
	for _, c := range r.all {
		for _, child := range c.Children {
			child.parent = c
		}
	}
	return r
}

// Step executes a cycle.
func (r *Run) Step(in Inputs) {
	r.inputs = append(r.inputs, in)
	for _, c := range r.all {
		r.ends(c, r.Cycles()) // joints move once, whether that is read or not
	}
}

// Is reports whether a state is active in the last cycle.
func (r *Run) Is(s State) bool { return s.in(r, r.Cycles()) }

// Ended reports whether the command has ended with the last cycle. One that is stopped by a handler has a cycle more, in which it has
// completed.
func (r *Run) Ended() bool {
	n, c := r.Cycles(), r.root
	return r.started(c, n) && (!r.active(c, n) || r.ends(c, n) || c.Job != nil && r.failed(c, n))
}

// Calls counts the events that the application hears of, up to the last cycle.
func (r *Run) Calls(of *Call) (count int) {
	for n := 1; n <= r.Cycles(); n++ {
		count += r.effects(n, func(e Effect) bool { return e.Do == Calls && e.Call == of })
	}
	return count
}

// Given reports whether a token is given in the last cycle.
func (r *Run) Given(t *Token) bool {
	return r.effects(r.Cycles(), func(e Effect) bool { return e.Do == Gives && e.Token == t }) > 0
}

// Cycles counts the cycles that have been executed.
func (r *Run) Cycles() int { return len(r.inputs) - 1 }

// once answers a question in the way in which it was answered before. A question that asks itself has no answer.
func (r *Run) once(what any, n int, answer func() bool) bool {
	q := question{what, n}
	if a, asked := r.known[q]; asked {
		return a
	}
	a := answer()
	r.known[q] = a
	return a
}

// effects counts what events of a cycle lead to: those of handlers whose command is active (rule 2).
func (r *Run) effects(n int, is func(Effect) bool) (count int) {
	for _, c := range r.all {
		for _, h := range c.Handlers {
			for _, e := range h.Effects {
				if is(e) && r.happens(c, h, n) {
					count++
				}
			}
		}
	}
	return count
}

func (r *Run) told(do Verb, c *Command, n int) bool {
	return r.effects(n, func(e Effect) bool { return e.Do == do && e.To == c }) > 0
}

// happens reports whether the event of a handler is in a cycle.
func (r *Run) happens(c *Command, h *Handler, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(h, n, func() bool {
		if !r.active(c, n) {
			return false
		}
		// A handler sees a state from the first cycle of its command on.
		is, was := h.Of.in(r, n), r.active(c, n-1) && h.Of.in(r, n-1)
		switch h.On {
		case Entered:
			return is && !was
		case FirstEntered:
			return is && !was && !r.happened(c, h, n)
		case Left:
			return !is && was
		default:
			return !is && was && !r.happened(c, h, n)
		}
	})
}

// happened reports whether the event was in a cycle before.
func (r *Run) happened(c *Command, h *Handler, n int) bool {
	return n > 1 && (r.happens(c, h, n-1) || r.happened(c, h, n-1))
}

// active is rule 1, 3, 4 and 6.
func (r *Run) active(c *Command, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(Is{Of: c, It: Active}, n, func() bool {
		if c.parent != nil && !r.active(c.parent, n) {
			return false
		}
		if r.stopped(c, n) {
			return false
		}
		if r.started(c, n-1) {
			return r.active(c, n-1) && !r.ends(c, n-1)
		}
		return r.begins(c, n)
	})
}

// begins reports whether there is a reason for a command to start.
func (r *Run) begins(c *Command, n int) bool {
	if c.parent == nil {
		return n == 1
	}
	first, second := !r.active(c.parent, n-1), !r.active(c.parent, n-2) // cycle of the transaction, which is active now
	for _, s := range c.parent.Starts {
		if s.Of == c && (s.When == nil && first || s.When != nil && !first && second && s.When.in(r, n-1)) {
			return true
		}
	}
	return r.told(Starts, c, n-1)
}

// stopped reports whether a command has been stopped, before or by now: by an effect, or by an unhandled fault (rule 10).
func (r *Run) stopped(c *Command, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(over{c, "stopped"}, n, func() bool {
		return r.stopped(c, n-1) || r.told(Stops, c, n-1) || c.Job != nil && r.failed(c, n-1)
	})
}

// over is something that stays.
type over struct {
	of   *Command
	what string
}

func (r *Run) started(c *Command, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(Is{Of: c, It: Started}, n, func() bool { return r.started(c, n-1) || r.active(c, n) })
}

// ends reports whether a command ends by itself in a cycle, which is its last active one.
func (r *Run) ends(c *Command, n int) bool {
	return r.once(over{c, "ends"}, n, func() bool {
		switch {
		case !r.active(c, n):
			return false
		case c.Job == nil:
			return r.idle(c, n)
		case c.Job.Moves != nil:
			return r.move(c, r.cancelled(c, n))
		}
		passed, yielding := 0, 0
		for k := 1; k <= n; k++ {
			if r.active(c, k) {
				passed++
				if r.cancelled(c, k) {
					yielding++
				}
			}
		}
		return c.Job.Takes > 0 && passed >= c.Job.Takes || c.Job.Yields > 0 && yielding >= c.Job.Yields
	})
}

// idle reports whether nothing of a transaction is active, and nothing is about to be started with it.
func (r *Run) idle(t *Command, n int) bool {
	if !r.active(t, n-1) && slices.ContainsFunc(t.Starts, func(s Start) bool { return s.When != nil }) {
		return false
	}
	return !slices.ContainsFunc(t.Children, func(c *Command) bool { return r.active(c, n) })
}

// move moves joints for a cycle, and reports whether they have come to rest (rules 8 and 9).
func (r *Run) move(c *Command, cancelled bool) bool {
	m, j := c.Job.Moves, c.Job.Moves.Of
	states := make([]profile.State, len(j.At))
	goals := make([]profile.Goal, len(j.At))
	for i := range states {
		states[i].Pos, goals[i].Pos = j.At[i], m.Goal[i]
	}
	if r.moving[c] == nil {
		r.moving[c] = motion.NewOnline(len(j.At), m.Sync)
		r.moving[c].Set(states)
	}
	if cancelled {
		r.moving[c].Stop(j.Limits)
	} else {
		r.moving[c].Aim(goals, j.Limits)
	}
	r.moving[c].Step(r.cycle.Seconds(), states)
	for i := range states {
		j.At[i] = states[i].Pos
	}
	return r.moving[c].Left() == 0
}

// completed is rule 6, but not after a failure (rule 10). A command that was stopped has completed one cycle later.
func (r *Run) completed(c *Command, n int) bool {
	if r.failed(c, n) || !r.started(c, n) {
		return false
	}
	return !r.active(c, n) || r.ends(c, n)
}

// cancelled is rule 5.
func (r *Run) cancelled(c *Command, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(Is{Of: c, It: Cancelled}, n, func() bool {
		return r.cancelled(c, n-1) || c.parent == nil && r.inputs[n].Cancel || r.told(Cancels, c, n-1) || r.broughtDown(c, n)
	})
}

// broughtDown is rule 10: a command beside it has failed, or beside a transaction around it that has no way of its own.
func (r *Run) broughtDown(c *Command, n int) bool {
	if c.parent == nil {
		return false
	}
	for _, other := range c.parent.Children {
		if other != c && r.failed(other, n-1) && !r.minds(c.parent, other) {
			return true
		}
	}
	return r.broughtDown(c.parent, n) && !handles(c.parent, func(s State) bool { return s == Is{Of: c.parent, It: Cancelled} })
}

// failed is rule 10.
func (r *Run) failed(c *Command, n int) bool {
	if n < 1 {
		return false
	}
	return r.once(Is{Of: c, It: Failed}, n, func() bool {
		if r.failed(c, n-1) {
			return true
		}
		if c.Job != nil {
			for _, f := range c.Job.Faults {
				name := f.Name
				if r.active(c, n) && f.When.in(r, n) && !handles(c, func(s State) bool { return s == FaultOf{Of: c, Name: name} }) {
					return true
				}
			}
			return false
		}
		for _, child := range c.Children {
			if r.failed(child, n) && !r.minds(c, child) {
				return true
			}
		}
		return false
	})
}

// minds reports whether a handler of a transaction is about the failure of a command of it.
func (r *Run) minds(t, c *Command) bool {
	return handles(t, func(s State) bool { return s == Is{Of: c, It: Failed} })
}

func handles(c *Command, what func(State) bool) bool {
	for _, h := range c.Handlers {
		if about(h.Of, what) {
			return true
		}
	}
	return false
}

func (s Is) in(r *Run, n int) bool {
	switch s.It {
	case Active:
		return r.active(s.Of, n)
	case Started:
		return r.started(s.Of, n)
	case Completed:
		return r.completed(s.Of, n)
	case Cancelled:
		return r.cancelled(s.Of, n)
	default:
		return r.failed(s.Of, n)
	}
}

func (s FaultOf) in(r *Run, n int) bool {
	if !r.active(s.Of, n) {
		return false
	}
	for _, f := range s.Of.Job.Faults {
		if f.Name == s.Name && f.When.in(r, n) {
			return true
		}
	}
	return false
}

// in is rule 7: what is null is not active.
func (s Sensor) in(r *Run, n int) bool { return n >= 1 && r.inputs[n].Sensors[s.Input] == True }

func (s *And) in(r *Run, n int) bool {
	for _, part := range s.Of {
		if !part.in(r, n) {
			return false
		}
	}
	return n >= 1
}

func (s *Or) in(r *Run, n int) bool {
	for _, part := range s.Of {
		if part.in(r, n) {
			return true
		}
	}
	return false
}

func (s *Not) in(r *Run, n int) bool { return n >= 1 && !s.Of.in(r, n) }

func (s *Ever) in(r *Run, n int) bool {
	return n >= 1 && r.once(s, n, func() bool { return s.in(r, n-1) || s.Of.in(r, n) })
}

func (s *Long) in(r *Run, n int) bool {
	for k := n - s.Cycles + 1; k <= n; k++ {
		if k < 1 || !s.Of.in(r, k) {
			return false
		}
	}
	return true
}

func (s *Raised) in(r *Run, n int) bool {
	return r.once(s, n, func() bool {
		return r.effects(n-1, func(e Effect) bool { return e.Do == Raises && e.Raised == s }) > 0
	})
}
