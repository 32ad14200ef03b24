package robotics_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/internal/interpreter"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// TestAgainstInterpreter: whatever commands consist of, however they hang together and whatever happens, their nets do in each
// cycle what the ten rules say, before they are optimised and after. For more of them: go test -run AgainstInterpreter
// -rapid.checks=10000.
func TestAgainstInterpreter(t *testing.T) {
	both := []*cells.Cell{cells.New(t), cells.New(t)} // for both, as both move arms
	home := map[string][]float64{}
	for _, a := range simulated {
		home[a.name] = both[0].Where(a.name)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t, home)
		p.compare(both, t, p.script())
	})
}

// plan is a command as the interpreter knows it, with what it has no need to know.
type plan struct {
	t      *rapid.T
	root   *interpreter.Command
	all    []*interpreter.Command
	jobs   []*interpreter.Command       // with faults
	waits  map[*interpreter.Command]int // with the time that is missing to whole cycles, in tenths of one
	arms   []*interpreter.Joints        // that no command has yet
	moved  []*interpreter.Joints        // that one has
	yields bool                         // whoever is cancelled comes to an end
	raised []*interpreter.Raised
	calls  []*interpreter.Call
	watch  map[string]interpreter.State
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

// moves tells whether a command contains motions.
func moves(c *interpreter.Command) bool {
	return slices.ContainsFunc(c.All(), func(c *interpreter.Command) bool { return c.Job != nil && c.Job.Moves != nil })
}

// isJourney tells whether the commands of a transaction are motions.
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

// outer is a state that no command has.
func (p *plan) outer() interpreter.State {
	if p.chance("raised", 20) {
		return p.raised[p.pick("raised one", len(p.raised))]
	}
	return interpreter.Sensor{Input: p.pick("sensor", inputs)}
}

// state is one that handlers may be about.
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
	switch kind := p.pick("effect", 12); {
	case kind < 4 && to != c && !isJourney(c):
		return interpreter.Effect{Do: interpreter.Starts, To: to}
	case kind < 7:
		return interpreter.Effect{Do: interpreter.Cancels, To: to}
	case kind < 8 && !moves(to): // what is stopped leaves its robot to itself
		return interpreter.Effect{Do: interpreter.Stops, To: to}
	case kind < 10:
		return interpreter.Effect{Do: interpreter.Calls, Call: p.calls[p.pick("call", len(p.calls))]}
	}
	return interpreter.Effect{Do: interpreter.Raises, Raised: p.raised[p.pick("raises", len(p.raised))]}
}

// script says what comes from outside, in each cycle.
func (p *plan) script() []interpreter.Inputs {
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

// arms are those of a cell, where they are when it begins.
func arms(home map[string][]float64) (list []*interpreter.Joints) {
	for _, a := range simulated {
		j := &interpreter.Joints{Device: a.name, At: slices.Clone(home[a.name])}
		for i := range a.model.Len() {
			joint := a.model.Joint(i)
			l := profile.Limits{Vel: joint.Velocity, Acc: joint.Acceleration, Jerk: joint.Jerk}
			if l.Jerk == 0 {
				l.Jerk = math.Inf(1)
			}
			j.Limits = append(j.Limits, l)
		}
		list = append(list, j)
	}
	return list
}

var simulated = []struct {
	name, kind string
	model      *kinematics.Arm
}{{"kr16", "kuka_kr_arm_sim", robots.KR16()}, {"tx90", "staubli_tx90_sim", robots.TX90L()}, {"lwr", "kuka_lwr_sim", robots.LWR4()}}

func jointsOf(device string) (list []kinematics.Joint) {
	for _, a := range simulated {
		for i := range a.model.Len() {
			if a.name == device {
				list = append(list, a.model.Joint(i))
			}
		}
	}
	return list
}

// built is a plan as applications would write it.
type built struct {
	*plan
	commands map[*interpreter.Command]robotics.Command
	raises   map[*interpreter.Raised]*robotics.Raised
	arms     map[*interpreter.Joints]*robotics.Joints
	heard    *interpreter.Call
}

func (p *plan) build() *built {
	b := &built{
		plan: p, commands: map[*interpreter.Command]robotics.Command{}, raises: map[*interpreter.Raised]*robotics.Raised{},
		arms: map[*interpreter.Joints]*robotics.Joints{},
	}
	for _, j := range p.moved {
		b.arms[j] = robotics.NewJoints(j.Device, jointsOf(j.Device))
	}
	for _, r := range p.raised {
		b.raises[r] = robotics.NewRaised(r.Name)
	}
	for _, c := range slices.Backward(p.all) { // children first
		b.commands[c] = b.command(c)
	}
	for _, c := range p.all {
		if t, ok := b.commands[c].(*robotics.TransactionCommand); ok {
			for _, s := range c.Starts {
				if s.When == nil {
					t.AddStart(b.commands[s.Of])
				} else {
					t.AddStartWhen(b.commands[s.Of], b.state(s.When))
				}
			}
		}
		for _, h := range c.Handlers {
			effects := make([]robotics.Effect, len(h.Effects))
			for i, e := range h.Effects {
				effects[i] = b.effect(e)
			}
			on := b.commands[c]
			[]func(robotics.State, ...robotics.Effect){on.OnEntered, on.OnLeft, on.OnFirstEntered, on.OnFirstLeft}[h.On](b.state(h.Of), effects...)
		}
	}
	return b
}

func (b *built) command(c *interpreter.Command) robotics.Command {
	if c.Job == nil {
		t := robotics.NewTransaction()
		for _, child := range c.Children {
			t.Add(b.commands[child])
		}
		return t
	}
	if m := c.Job.Moves; m != nil {
		return robotics.NewCommand(b.arms[m.Of], robotics.PTP{To: m.Goal, Sync: robotics.Sync(m.Sync.String())})
	}
	if missing, wait := b.waits[c]; wait {
		if c.Job.Takes == 0 {
			return robotics.NewWaitForCancel()
		}
		return robotics.NewWait(time.Duration(c.Job.Takes)*period - time.Duration(missing)*period/10)
	}
	return robotics.NewCommand(player(c.Name), play{b, c.Job})
}

func (b *built) effect(e interpreter.Effect) robotics.Effect {
	switch e.Do {
	case interpreter.Starts:
		return robotics.Start(b.commands[e.To])
	case interpreter.Stops:
		return robotics.Stop(b.commands[e.To])
	case interpreter.Cancels:
		return robotics.Cancel(b.commands[e.To])
	case interpreter.Raises:
		return robotics.Raise(b.raises[e.Raised])
	}
	return robotics.External(func() { b.heard = e.Call })
}

func (b *built) state(s interpreter.State) robotics.State {
	switch s := s.(type) {
	case interpreter.Is:
		c := b.commands[s.Of]
		return []func() robotics.State{c.Active, c.Started, c.Completed, c.Cancelled, c.Failed}[s.It]()
	case interpreter.FaultOf:
		return b.commands[s.Of].(*robotics.RuntimeCommand).Fault(s.Name)
	case interpreter.Sensor:
		return robotics.IsTrue(b.sensor(s.Input))
	case *interpreter.And:
		return robotics.And(b.state(s.Of[0]), b.state(s.Of[1]))
	case *interpreter.Or:
		return robotics.Or(b.state(s.Of[0]), b.state(s.Of[1]))
	case *interpreter.Not:
		return robotics.Not(b.state(s.Of))
	case *interpreter.Ever:
		return robotics.Ever(b.state(s.Of))
	case *interpreter.Long:
		return robotics.Long(b.state(s.Of), time.Duration(s.Cycles)*period)
	case *interpreter.Raised:
		return b.raises[s]
	}
	return nil
}

// sensor is true, false or null as an input says by 1, 0 and 2.
func (b *built) sensor(i int) robotics.Sensor[bool] {
	return robotics.Derived(func(m *mapping.Net) net.Signal[bool] {
		v := robotics.Read(m, robotics.NewInput(strconv.Itoa(i), 0.0))
		null := net.Greater(v, m.Real(1.5))
		return mapping.Link[bool](m.Add("Core::BooleanSetNull").Link("inValue", net.Greater(v, m.Real(0.5)).Port).Link("inNull", null.Port), "outValue")
	})
}

// play is an action that does nothing but take its time.
type play struct {
	of  *built
	job *interpreter.Job
}

type nothing struct{}

func (a play) MapAction(c *mapping.Context) mapping.Part {
	passed := func(while net.Signal[bool], cycles int) net.Signal[bool] {
		if cycles == 0 {
			return c.False()
		}
		clock := mapping.Link[float64](c.Add("Core::Clock").Link("inActive", while.Port), "outValue")
		return net.Greater(clock, c.Real((float64(cycles)-0.5)*period.Seconds()))
	}
	part := mapping.Part{Flow: nothing{}, Done: net.Or(passed(c.Active, a.job.Takes), passed(c.And(c.Active, c.Cancelled), a.job.Yields))}
	for _, f := range a.job.Faults {
		is := robotics.Read(c.Net, a.of.sensor(f.When.(interpreter.Sensor).Input))
		part.Faults = append(part.Faults, mapping.Fault{Name: f.Name, Of: "script", Is: is})
	}
	return part
}

// player is an actuator that nothing can be seen of.
type player string

func (p player) String() string                                               { return string(p) }
func (player) Understands() []mapping.Flow                                    { return []mapping.Flow{nothing{}} }
func (player) MapActuator(*mapping.Context, mapping.Flow) (none mapping.Part) { return none }
func (player) Defaults() []any                                                { return nil }

// performance is a net that is executed in step with the interpreter.
type performance struct {
	*plan
	t     *rapid.T
	cell  *cells.Cell
	net   *rcc.Net
	calls map[string]*interpreter.Call // by key of their counts
	of    string
}

func (p *plan) perform(c *cells.Cell, t *rapid.T, optimise bool) *performance {
	b := p.build()
	watch, at := states{}, values{}
	for key, s := range p.watch {
		watch[key] = b.state(s)
	}
	for _, j := range p.moved {
		for i := range j.At {
			at[j.Device+strconv.Itoa(i)] = b.arms[j].Next(i)
		}
	}
	text, externals, err := robotics.Traced(b.commands[p.root], watch, at, optimise)
	if err != nil {
		t.Fatalf("%s\n%v", p, err)
	}
	n := &performance{plan: p, t: t, cell: c, calls: map[string]*interpreter.Call{}, of: map[bool]string{true: "optimised", false: "as mapped"}[optimise]}
	for key, do := range externals {
		do()
		n.calls[key] = b.heard
	}
	if n.net, err = c.Core.Load(rcc.LoadRequest{Text: text, Description: "random"}); err != nil {
		t.Fatal(err)
	}
	if n.net.State() != rcc.Ready {
		t.Fatalf("%s\n%v: %v", p, n.net.State(), n.net.Problems())
	}
	return n
}

// compare executes a plan as the interpreter does.
func (p *plan) compare(both []*cells.Cell, t *rapid.T, script []interpreter.Inputs) {
	nets := []*performance{p.perform(both[0], t, true), p.perform(both[1], t, false)}
	defer func() {
		for _, n := range nets {
			n.leave()
		}
	}()
	want := interpreter.New(p.root, period)
	var limits []*limit
	for _, j := range p.moved {
		limits = append(limits, &limit{of: j, before: [][]float64{slices.Clone(j.At)}})
	}
	for i, in := range script {
		want.Step(in)
		for _, n := range nets {
			n.step(in, i == 0, in.Cancel && (i == 0 || !script[i-1].Cancel))
			if wrong := n.differences(want); len(wrong) > 0 {
				t.Fatalf("%s\n%v\ncycle %d, %s: %s", p, script[:i+1], i+1, n.of, strings.Join(wrong, ", "))
			}
		}
		for _, l := range limits {
			if wrong := l.exceeded(); wrong != "" {
				t.Fatalf("%s\n%v\ncycle %d: %s", p, script[:i+1], i+1, wrong)
			}
		}
		if want.Ended() {
			break
		}
	}
	if !want.Ended() {
		if p.yields && script[len(script)-1].Cancel {
			t.Fatalf("%s\n%v\nhas no end", p, script)
		}
		return
	}
	for _, n := range nets {
		n.advance()
		if at := int(n.net.Values().Cycle); at != want.Cycles() {
			t.Fatalf("%s\n%v\n%s: in cycle %d, not ended in %d", p, script[:want.Cycles()], n.of, at, want.Cycles())
		}
	}
}

// step executes a cycle.
func (n *performance) step(in interpreter.Inputs, start, cancel bool) {
	for s, v := range in.Sensors {
		text := map[interpreter.Truth]string{interpreter.False: "0", interpreter.True: "1", interpreter.Null: "2"}[v]
		if key := fmt.Sprint("inx", s); n.net.HasInput(key) {
			n.must(n.net.Set([]rcc.KeyValue{{Key: key, Value: text}}))
		}
	}
	ctx := context.Background()
	if start {
		n.must(n.net.Start(ctx))
	}
	if cancel {
		n.must(n.net.Cancel(ctx))
	}
	n.advance()
}

func (n *performance) advance() { n.must(n.cell.Clock.Advance(context.Background(), period)) }

func (n *performance) must(err error) {
	if err != nil {
		n.t.Fatal(err)
	}
}

// differences tells what a net says that the rules do not.
func (n *performance) differences(want *interpreter.Run) (list []string) {
	v := n.net.Values()
	if int(v.Cycle) != want.Cycles() {
		return []string{fmt.Sprintf("the net is in cycle %d", v.Cycle)}
	}
	got := map[string]string{}
	for _, kv := range v.All() {
		got[kv.Key] = kv.Value
	}
	for _, key := range keys(n.watch) {
		if is, should := got["out"+key] == "true", want.Is(n.watch[key]); is != should {
			list = append(list, fmt.Sprintf("%s is %v", key, is))
		}
	}
	for _, call := range n.plan.calls {
		sum, used := 0.0, false
		for key, of := range n.calls {
			if of == call {
				sum, used = sum+number(got[key]), true
			}
		}
		if used && int(math.Round(sum)) != want.Calls(call) {
			list = append(list, fmt.Sprintf("%s %v times, not %d", call.Name, sum, want.Calls(call)))
		}
	}
	for _, j := range n.moved {
		exact := 1e-4 // as the device tells, which is behind
		if slices.ContainsFunc(n.all, func(c *interpreter.Command) bool {
			return c.Job != nil && c.Job.Moves != nil && c.Job.Moves.Of == j && want.Is(interpreter.Is{Of: c, It: interpreter.Active})
		}) {
			exact = 1e-9
		}
		for i, should := range j.At {
			if is := number(got["out"+j.Device+strconv.Itoa(i)]); !(math.Abs(is-should) <= exact) {
				list = append(list, fmt.Sprintf("joint %d of %s at %v, not at %v", i, j.Device, is, should))
			}
		}
	}
	return list
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// limit looks after the limits of joints, by where they were in the last cycles.
type limit struct {
	of     *interpreter.Joints
	before [][]float64
}

func (l *limit) exceeded() string {
	const almost = 1e-6
	l.before = append(l.before, slices.Clone(l.of.At))
	n, cycle := len(l.before)-1, period.Seconds()
	for i, joint := range jointsOf(l.of.Device) {
		at := func(k int) float64 { return l.before[max(0, k)][i] }
		vel, last := (at(n)-at(n-1))/cycle, (at(n-1)-at(n-2))/cycle
		switch {
		case at(n) < joint.Min-almost || at(n) > joint.Max+almost:
			return fmt.Sprintf("joint %d of %s at %v", i, l.of.Device, at(n))
		case math.Abs(vel) > joint.Velocity*(1+almost):
			return fmt.Sprintf("joint %d of %s goes with %v", i, l.of.Device, vel)
		case math.Abs(vel-last) > joint.Acceleration*cycle*(1+almost):
			return fmt.Sprintf("joint %d of %s accelerates by %v", i, l.of.Device, (vel-last)/cycle)
		}
	}
	return ""
}

// leave takes a net away. When arms have moved, and are at rest, they are where they were.
func (n *performance) leave() {
	ctx := context.Background()
	n.must(n.cell.Core.Settle(ctx))
	if _, ended := n.net.Ended(); !ended && n.net.State() != rcc.Ready {
		n.must(n.net.Abort(ctx))
		n.advance()
	}
	n.must(n.net.Unload(ctx))
	if len(n.moved) == 0 {
		return
	}
	n.must(n.cell.Clock.Advance(ctx, 300*time.Millisecond))
	n.must(n.cell.Core.Settle(ctx))
	for _, j := range n.moved {
		for i, s := range n.cell.Joints(j.Device) {
			if s.Commanded.Vel != 0 || s.Fault != 0 {
				n.t.Errorf("%s: joint %d: %+v", j.Device, i, s)
			}
		}
		n.must(n.cell.Core.RemoveDevice(j.Device))
		for _, a := range simulated {
			if a.name == j.Device {
				n.must(n.cell.Core.CreateDevice(a.name, a.kind, nil))
			}
		}
	}
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
				default:
					to = e.Raised.Name
				}
				fmt.Fprintf(&text, " %s %s", []string{"starts", "stops", "cancels", "raises", "calls"}[e.Do], to)
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
