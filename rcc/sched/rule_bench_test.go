package sched

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// The rules that are measured: each has eight variables of its own.
const (
	manyRules     = 100
	ruleVariables = 8
)

// conditions name their variables by letters.
var conditions = map[string]string{
	"and":   "a & b & c & d & e & f & g & h",
	"mixed": "(a | !b) & (c | !(d & e)) & !(f & !g | h)",
}

// crowd are rules that stay false whatever changes, over nets of one executor. The test has the turn, so that it can
// measure what is decided at the end of a tick apart from the tick.
type crowd struct {
	s       *Scheduler
	x       *executor
	due     int64
	nets    []*writer
	objects []*ruleObject
}

// writer is a net that writes all of its variables in each cycle.
type writer struct {
	ref     Ref
	board   *spec.Board
	offsets []int
	values  []bool
}

func (w *writer) act(*spec.Cycle) {
	var word [1]uint64
	for i, v := range w.values {
		word[0] = 0
		if v {
			word[0] = 1
		}
		w.board.Write(w.offsets[i], word[:])
	}
}

// newCrowd makes rules over variables that are spread over some nets: those of a rule are of different ones, as far as
// there are so many.
func newCrowd(b *testing.B, rules, nets int, text string) *crowd {
	w := &crowd{s: newByHand(b, Config{})}
	for range nets {
		n := &writer{board: new(spec.Board)}
		for i := range (rules*ruleVariables + nets - 1) / nets {
			offset, err := n.board.Add(spec.NewVar(fmt.Sprintf("outV%d", i), false))
			if err != nil {
				b.Fatal(err)
			}
			n.offsets, n.values = append(n.offsets, offset), append(n.values, false)
		}
		n.board.Seal()
		p := net.NewProgram(ms, nil, nil, n.act, nil)
		p.Board = n.board
		var err error
		if n.ref, err = w.s.Admit(p, Options{}); err != nil {
			b.Fatal(err)
		}
		w.nets = append(w.nets, n)
	}
	if nets > 0 {
		w.x = w.s.executorOf(w.nets[0].ref.slot)
	}
	for r := range rules {
		w.add(b, r, text)
	}
	if err := w.s.Start(b.Context(), w.refs()...); err != nil {
		b.Fatal(err)
	}
	w.s.turn.Store(1)
	b.Cleanup(func() {
		w.s.turn.Store(0)
		w.s.pass()
		if left := w.s.active.n; left != rules {
			b.Errorf("%d of %d rules still wait", left, rules)
		}
	})
	return w
}

func (w *crowd) refs() (list []Ref) {
	for _, n := range w.nets {
		list = append(list, n.ref)
	}
	return list
}

// place is where variable v of rule r is.
func (w *crowd) place(r, v int) (n *writer, i int) {
	k := r*ruleVariables + v
	return w.nets[k%len(w.nets)], k / len(w.nets)
}

func (w *crowd) add(b *testing.B, r int, text string) {
	c, err := grammar.ParseCond(letters.Replace(text), grammar.DefaultLimits)
	if err != nil {
		b.Fatal(err)
	}
	p, err := rule.Compile(c)
	if err != nil {
		b.Fatal(err)
	}
	pattern := neverTrue(b, p)
	variables := make([]Variable, ruleVariables)
	for i, v := range p.Variables() {
		k := int(v.Key[0] - 'a')
		n, at := w.place(r, k)
		variables[i] = Variable{Net: n.ref, Offset: n.offsets[at]}
		n.values[at] = pattern[i] == rule.True
	}
	if err := w.s.AddRule(b.Context(), Rule{ID: RuleID(r), Condition: p, Variables: variables}); err != nil {
		b.Fatal(err)
	}
	w.objects = append(w.objects, w.object(c, p, variables))
}

// letters of a condition, and what they stand for.
var letters = strings.NewReplacer("a", "n.a", "b", "n.b", "c", "n.c", "d", "n.d", "e", "n.e", "f", "n.f", "g", "n.g", "h", "n.h")

// neverTrue finds values for which a condition is false, also when one of them changes, or all do.
func neverTrue(b *testing.B, p *rule.Program) []rule.Value {
	values := make([]rule.Value, ruleVariables)
	words := make([]uint64, rule.Words(p.Cells()))
	is := func(bits int) bool {
		for i := range values {
			values[i] = rule.Of(bits>>i&1 != 0)
			rule.Put(words, i, values[i])
		}
		return p.Eval(words) == rule.True
	}
	const all = 1<<ruleVariables - 1
search:
	for bits := range all {
		for i := range values {
			if is(bits ^ 1<<i) {
				continue search
			}
		}
		if !is(bits^all) && !is(bits) {
			return values
		}
	}
	b.Fatal("there are none")
	return nil
}

// tick lets all nets run a cycle, and leaves what is to be decided after it.
func (w *crowd) tick() {
	w.due += w.x.period
	w.x.tick(w.due, w.due, 0)
}

// changes of the variables before a tick.
var changes = []struct {
	name   string
	change func(w *crowd, tick int)
}{
	{"none", func(*crowd, int) {}},
	{"one", func(w *crowd, tick int) {
		k := tick / 2 // there and back
		n := w.nets[k%len(w.nets)]
		i := k / len(w.nets) % len(n.values)
		n.values[i] = !n.values[i]
	}},
	{"all", func(w *crowd, _ int) {
		for _, n := range w.nets {
			for i := range n.values {
				n.values[i] = !n.values[i]
			}
		}
	}},
}

// BenchmarkRules measures what is decided at the end of a tick, beside a plain way to evaluate the same conditions: rules
// over one net, eight, or 64, of whose variables none changes in a tick, one, or all. Cold: other memory is touched in between.
func BenchmarkRules(b *testing.B) {
	for _, nets := range []int{1, 8, 64} {
		for _, text := range []string{"and", "mixed"} {
			for _, c := range changes {
				b.Run(fmt.Sprintf("%d/%s/%s", nets, text, c.name), func(b *testing.B) {
					w := newCrowd(b, manyRules, nets, conditions[text])
					w.measure(b, func(tick int) { c.change(w, tick) })
				})
			}
		}
	}
	memory := make([]uint64, 8<<20/8)
	b.Run("8/mixed/all/cold", func(b *testing.B) {
		w := newCrowd(b, manyRules, 8, conditions["mixed"])
		w.measure(b, func(tick int) {
			changes[2].change(w, tick)
			for i := 0; i < len(memory); i += 8 {
				memory[i]++
			}
		})
	})
	b.Run("none", func(b *testing.B) { newCrowd(b, 0, 8, "").measure(b, func(int) {}) })
}

// BenchmarkRulesOfOthers measures the end of a tick of a net that no rule names, beside 1,000 rules of nets that do not
// tick then.
func BenchmarkRulesOfOthers(b *testing.B) {
	w := newCrowd(b, 1000, 8, conditions["mixed"])
	w.s.turn.Store(0)
	other := w.s.startedEvery(b, 2*ms, nil, nil)
	w.s.turn.Store(1)
	w.x, w.objects = w.s.executorOf(other.slot), nil
	w.measure(b, func(int) {})
}

// measure decides after some ticks, and evaluates the plain way after as many others: neither finds the caches full of what the
// other has used.
func (w *crowd) measure(b *testing.B, between func(tick int)) {
	decided, plain := make([]int64, 0, b.N), make([]int64, 0, b.N)
	for tick := 0; b.Loop(); tick++ {
		between(tick)
		w.tick()
		start := rt.Stopwatch()
		if tick/64%2 == 0 {
			w.s.decide()
			decided = append(decided, rt.Stopwatch()-start)
			continue
		}
		for _, o := range w.objects {
			o.look(w.due)
		}
		plain = append(plain, rt.Stopwatch()-start)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(decided)), "ns/tick")
	if len(w.objects) > 0 {
		b.ReportMetric(float64(median(plain)), "plain-ns/tick")
	}
}

func median(list []int64) int64 {
	slices.Sort(list)
	return append(list, 0)[len(list)/2]
}

// ruleObject is a rule as one would write it first: a tree of objects whose leaves ask their nets, and a record under a lock.
type ruleObject struct {
	condition node
	seen      []Look

	mu    sync.Mutex
	tick  int64
	value rule.Value
	looks []Look
}

func (o *ruleObject) look(tick int64) {
	v := o.condition.value()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tick, o.value = tick, v
	copy(o.looks, o.seen)
}

type node interface{ value() rule.Value }

type variableNode struct {
	s     *Scheduler
	net   Ref
	board *spec.Board
	at    int
	into  *Look
}

func (n *variableNode) value() rule.Value {
	l := n.s.life(n.net)
	if l == nil || l.state != Running {
		*n.into = Look{Value: rule.Indeterminate, Lack: NotStarted}
		return rule.Indeterminate
	}
	var word [1]uint64
	*n.into = Look{Value: rule.Indeterminate, Lack: NotWritten, State: l.state}
	written, published, ok := n.board.Read(n.at, word[:])
	if n.into.Cycle = published; ok && written == published {
		n.into.Value, n.into.Lack = rule.Of(word[0] != 0), Present
	}
	return n.into.Value
}

type (
	notNode struct{ of node }
	andNode []node
	orNode  []node
)

func (n notNode) value() rule.Value {
	switch n.of.value() {
	case rule.False:
		return rule.True
	case rule.True:
		return rule.False
	default:
		return rule.Indeterminate
	}
}

func (n andNode) value() rule.Value {
	v := rule.True
	for _, operand := range n {
		v = min(v, operand.value())
	}
	return v
}

func (n orNode) value() rule.Value {
	v := rule.False
	for _, operand := range n {
		v = max(v, operand.value())
	}
	return v
}

func (w *crowd) object(c *grammar.Cond, p *rule.Program, places []Variable) *ruleObject {
	o := &ruleObject{seen: make([]Look, len(places)), looks: make([]Look, len(places))}
	o.condition = w.node(c, p, places, o.seen)
	return o
}

func (w *crowd) node(c *grammar.Cond, p *rule.Program, places []Variable, seen []Look) node {
	if c.Op == grammar.Var {
		i := slices.Index(p.Variables(), rule.Variable{Net: c.Net, Key: c.Key})
		r := places[i].Net
		return &variableNode{w.s, r, w.s.program(r.slot).Board, places[i].Offset, &seen[i]}
	}
	var operands []node
	for _, operand := range c.Operands {
		operands = append(operands, w.node(operand, p, places, seen))
	}
	switch c.Op {
	case grammar.Not:
		return notNode{operands[0]}
	case grammar.And:
		return andNode(operands)
	default:
		return orNode(operands)
	}
}
