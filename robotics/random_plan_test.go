package robotics_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/robotics/internal/interpreter"
)

// plan is a command as the interpreter knows it, with what it has no need to know.
type plan struct {
	t      *rapid.T
	root   *interpreter.Command
	all    []*interpreter.Command
	jobs   []*interpreter.Command       // with faults
	waits  map[*interpreter.Command]int // with the time that is missing to whole cycles, in tenths of one
	arms   []*interpreter.Joints        // that no command has yet
	moved  []*interpreter.Joints        // that one has
	yields bool                         // a cancelled command ends
	raised []*interpreter.Raised
	calls  []*interpreter.Call
	tokens []*interpreter.Token
	watch  map[string]interpreter.State
	script []interpreter.Inputs // what comes from outside, in each cycle
}

const (
	inputs   = 3
	short    = 32  // cycles
	long     = 400 // cycles, of those in which arms move, or which have to end
	mostly   = 75  // percent
	seldom   = 25
	maxDepth = 3
)

func (p *plan) pick(what string, n int) int { return rapid.IntRange(0, n-1).Draw(p.t, what) }

func (p *plan) chance(what string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(p.t, what) >= 100-percent // shrinks to false
}

func drawPlan(t *rapid.T, home map[string][]float64) *plan {
	p := &plan{t: t, waits: map[*interpreter.Command]int{}, watch: map[string]interpreter.State{}}
	p.raised = []*interpreter.Raised{{Name: "r0"}, {Name: "r1"}}
	p.calls = []*interpreter.Call{{Name: "c0"}, {Name: "c1"}}
	p.tokens = []*interpreter.Token{{Name: "t0"}, {Name: "t1"}}
	p.yields = p.chance("all yield", 40)
	p.arms = arms(home)
	p.root = p.command("c", 0)
	p.all = p.root.All()
	p.starts(p.root)
	for _, c := range p.all {
		p.handlers(c)
	}
	for _, c := range p.all {
		for life, name := range []string{"active", "started", "completed", "cancelled", "failed"} {
			p.watch[c.Name+name] = interpreter.Is{Of: c, It: interpreter.Life(life)}
		}
	}
	for i := range 3 {
		p.watch[fmt.Sprint("s", i)] = p.state(3)
	}
	for _, r := range p.raised {
		p.watch[r.Name] = r
	}
	p.script = p.inputs()
	return p
}

// command makes a command and all that it contains, without anything that refers to others.
func (p *plan) command(name string, depth int) *interpreter.Command {
	c := &interpreter.Command{Name: name}
	if depth < maxDepth && p.chance("transaction", map[int]int{0: 95, 1: 40, 2: 20}[depth]) {
		for i := range 1 + p.pick("children", 4) {
			c.Children = append(c.Children, p.command(name+strconv.Itoa(i), depth+1))
		}
		return c
	}
	if len(p.arms) > 0 && p.chance("journey", 15) {
		p.journey(c)
		return c
	}
	c.Job = &interpreter.Job{Takes: p.pick("takes", 7), Yields: p.pick("yields", 4)}
	if p.yields && c.Job.Yields == 0 {
		c.Job.Yields = 1
	}
	if p.chance("wait", 40) {
		p.waits[c] = p.pick("part", 10)
		c.Job.Yields = 1
		return c
	}
	for i := range p.pick("faults", 3) {
		c.Job.Faults = append(c.Job.Faults, interpreter.Fault{Name: fmt.Sprint("fault", i), When: interpreter.Sensor{Input: p.pick("fault of", inputs)}})
	}
	if len(c.Job.Faults) > 0 {
		p.jobs = append(p.jobs, c)
	}
	return c
}

// journey makes a command motions of an arm, one after the other. Nothing else commands the arm.
func (p *plan) journey(c *interpreter.Command) {
	arm := p.arms[0]
	p.arms, p.moved = p.arms[1:], append(p.moved, arm)
	for i := range 1 + p.pick("motions", 3) {
		m := &interpreter.Motion{Of: arm, Sync: motion.Sync(p.pick("sync", 3))}
		for k, at := range arm.At {
			joint := jointsOf(arm.Device)[k]
			m.Goal = append(m.Goal, min(max(at+float64(p.pick("way", 21)-10)/50, joint.Min), joint.Max))
		}
		c.Children = append(c.Children, &interpreter.Command{Name: c.Name + strconv.Itoa(i), Job: &interpreter.Job{Moves: m}})
	}
}

// moves reports whether a command contains motions.
func moves(c *interpreter.Command) bool {
	return slices.ContainsFunc(c.All(), func(c *interpreter.Command) bool { return c.Job != nil && c.Job.Moves != nil })
}

// isJourney reports whether the commands of a transaction are motions.
func isJourney(c *interpreter.Command) bool {
	return len(c.Children) > 0 && c.Children[0].Job != nil && c.Children[0].Job.Moves != nil
}

// starts says what starts with a transaction, or after what.
func (p *plan) starts(t *interpreter.Command) {
	for i, c := range t.Children {
		switch {
		case i > 0 && (isJourney(t) || p.chance("started by the one before", 40)):
			t.Handlers = append(t.Handlers, &interpreter.Handler{
				On: interpreter.FirstEntered, Of: interpreter.Is{Of: t.Children[i-1], It: interpreter.Completed},
				Effects: []interpreter.Effect{{Do: interpreter.Starts, To: c}},
			})
		case i == 0 || p.chance("starts", mostly) || !p.startedBy(t, c):
			s := interpreter.Start{Of: c}
			if p.chance("starts when", seldom) {
				s.When = p.state(2)
			}
			t.Starts = append(t.Starts, s)
		}
		p.starts(c)
	}
	if p.yields {
		for _, c := range t.Children {
			t.Handlers = append(t.Handlers, &interpreter.Handler{
				On: interpreter.FirstEntered, Of: interpreter.Is{Of: t, It: interpreter.Cancelled},
				Effects: []interpreter.Effect{{Do: interpreter.Cancels, To: c}},
			})
		}
	}
}

// startedBy has a handler of a transaction start a command, whatever it is about.
func (p *plan) startedBy(t, c *interpreter.Command) bool {
	t.Handlers = append(t.Handlers, &interpreter.Handler{
		On: interpreter.Event(p.pick("event", 4)), Of: p.state(2), Effects: []interpreter.Effect{{Do: interpreter.Starts, To: c}},
	})
	return true
}

// outer returns a state that no command has.
func (p *plan) outer() interpreter.State {
	if p.chance("raised", 20) {
		return p.raised[p.pick("raised one", len(p.raised))]
	}
	return interpreter.Sensor{Input: p.pick("sensor", inputs)}
}

// state returns one that handlers may be about.
func (p *plan) state(depth int) interpreter.State {
	return p.composed(depth, func() interpreter.State {
		switch kind := p.pick("kind", 10); {
		case kind < 5:
			return interpreter.Is{Of: p.all[p.pick("command", len(p.all))], It: interpreter.Life(p.pick("life", 5))}
		case kind < 7 && len(p.jobs) > 0:
			c := p.jobs[p.pick("faulty", len(p.jobs))]
			return interpreter.FaultOf{Of: c, Name: c.Job.Faults[p.pick("fault", len(c.Job.Faults))].Name}
		}
		return p.outer()
	})
}

func (p *plan) composed(depth int, simple func() interpreter.State) interpreter.State {
	if depth == 0 || p.chance("simple", 55) {
		return simple()
	}
	inner := func() interpreter.State { return p.composed(depth-1, simple) }
	switch p.pick("composed", 5) {
	case 0:
		return &interpreter.Not{Of: inner()}
	case 1:
		return &interpreter.And{Of: []interpreter.State{inner(), inner()}}
	case 2:
		return &interpreter.Or{Of: []interpreter.State{inner(), inner()}}
	case 3:
		return &interpreter.Ever{Of: inner()}
	}
	return &interpreter.Long{Of: inner(), Cycles: 1 + p.pick("long", 5)}
}

func (p *plan) handlers(c *interpreter.Command) {
	for range p.pick("handlers", 4) {
		h := &interpreter.Handler{On: interpreter.Event(p.pick("event", 4)), Of: p.state(2)}
		for range 1 + p.pick("effects", 2) {
			h.Effects = append(h.Effects, p.effect(c))
		}
		c.Handlers = append(c.Handlers, h)
	}
}

func (p *plan) effect(c *interpreter.Command) interpreter.Effect {
	to := c
	if len(c.Children) > 0 && p.chance("of a child", mostly) {
		to = c.Children[p.pick("child", len(c.Children))]
	}
	switch kind := p.pick("effect", 13); {
	case kind < 4 && to != c && !isJourney(c):
		return interpreter.Effect{Do: interpreter.Starts, To: to}
	case kind < 7:
		return interpreter.Effect{Do: interpreter.Cancels, To: to}
	case kind < 8 && !moves(to): // what is stopped leaves its robot to itself
		return interpreter.Effect{Do: interpreter.Stops, To: to}
	case kind < 10:
		return interpreter.Effect{Do: interpreter.Calls, Call: p.calls[p.pick("call", len(p.calls))]}
	case kind < 11:
		return interpreter.Effect{Do: interpreter.Gives, Token: p.tokens[p.pick("token", len(p.tokens))]}
	}
	return interpreter.Effect{Do: interpreter.Raises, Raised: p.raised[p.pick("raises", len(p.raised))]}
}

// inputs returns what comes from outside, in each cycle.
func (p *plan) inputs() []interpreter.Inputs {
	script := make([]interpreter.Inputs, short)
	if len(p.moved) > 0 || p.yields {
		script = make([]interpreter.Inputs, long)
	}
	for i := range script {
		script[i].Sensors = make([]interpreter.Truth, inputs)
	}
	for s := range inputs {
		at := 0
		for range p.pick("changes", 7) {
			at += p.pick("after", 9)
			to := []interpreter.Truth{interpreter.True, interpreter.False, interpreter.True, interpreter.Null}[p.pick("to", 4)]
			for i := at; i < len(script); i++ {
				script[i].Sensors[s] = to
			}
		}
	}
	cancel := p.pick("cancel", short+short/2)
	if len(p.moved) > 0 {
		cancel *= 4
	}
	for i := range script {
		script[i].Cancel = i >= cancel
	}
	return script
}

// String writes a plan for people.
func (p *plan) String() string {
	var text strings.Builder
	for _, c := range p.all {
		fmt.Fprintf(&text, "%s%s:", strings.Repeat("  ", len(c.Name)-1), c.Name)
		if c.Job != nil {
			if c.Job.Moves != nil {
				fmt.Fprintf(&text, " moves %s %v to %v", c.Job.Moves.Of.Device, c.Job.Moves.Sync, c.Job.Moves.Goal)
			} else {
				fmt.Fprintf(&text, " takes %d, yields %d", c.Job.Takes, c.Job.Yields)
			}
			for _, f := range c.Job.Faults {
				fmt.Fprintf(&text, ", %s by %s", f.Name, describe(f.When))
			}
		}
		for _, s := range c.Starts {
			fmt.Fprintf(&text, " starts %s", s.Of.Name)
			if s.When != nil {
				fmt.Fprintf(&text, " when %s", describe(s.When))
			}
		}
		for _, h := range c.Handlers {
			fmt.Fprintf(&text, "; %s(%s)", []string{"entered", "left", "first entered", "first left"}[h.On], describe(h.Of))
			for _, e := range h.Effects {
				to := ""
				switch {
				case e.To != nil:
					to = e.To.Name
				case e.Call != nil:
					to = e.Call.Name
				case e.Token != nil:
					to = e.Token.Name
				default:
					to = e.Raised.Name
				}
				fmt.Fprintf(&text, " %s %s", []string{"starts", "stops", "cancels", "raises", "calls", "gives"}[e.Do], to)
			}
		}
		text.WriteString("\n")
	}
	for _, key := range keys(p.watch) {
		if key[0] == 's' {
			fmt.Fprintf(&text, "%s: %s\n", key, describe(p.watch[key]))
		}
	}
	return text.String()
}

// GoString returns how rapid prints a plan that has failed: on few lines.
func (p *plan) GoString() string {
	const most = 28
	lines := append(strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n"), p.changes())
	if more := len(lines) - most; more > 0 {
		lines = slices.Replace(lines, most-1, len(lines)-1, fmt.Sprintf("and %d lines more", more+1))
	}
	return "\n" + strings.Join(lines, "\n")
}

// changes returns those of what comes from outside, on a line.
func (p *plan) changes() string {
	var list []string
	was := interpreter.Inputs{Sensors: make([]interpreter.Truth, inputs)}
	for i, is := range p.script {
		for s, v := range is.Sensors {
			if v != was.Sensors[s] {
				list = append(list, fmt.Sprintf("cycle %d: sensor%d %s", i+1, s, map[interpreter.Truth]string{interpreter.False: "false", interpreter.True: "true", interpreter.Null: "null"}[v]))
			}
		}
		if is.Cancel && !was.Cancel {
			list = append(list, fmt.Sprintf("cycle %d: cancel", i+1))
		}
		was = is
	}
	return "outside: " + strings.Join(list, ", ")
}

func describe(s interpreter.State) string {
	switch s := s.(type) {
	case interpreter.Is:
		return s.Of.Name + [...]string{"active", "started", "completed", "cancelled", "failed"}[s.It]
	case interpreter.FaultOf:
		return s.Of.Name + s.Name
	case interpreter.Sensor:
		return fmt.Sprint("sensor", s.Input)
	case *interpreter.And:
		return "(" + describe(s.Of[0]) + " and " + describe(s.Of[1]) + ")"
	case *interpreter.Or:
		return "(" + describe(s.Of[0]) + " or " + describe(s.Of[1]) + ")"
	case *interpreter.Not:
		return "not " + describe(s.Of)
	case *interpreter.Ever:
		return "ever " + describe(s.Of)
	case *interpreter.Long:
		return fmt.Sprintf("long %d %s", s.Cycles, describe(s.Of))
	case *interpreter.Raised:
		return s.Name
	}
	return "?"
}
