package rcc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// RuleRequest describes a synchronization rule (C, ω, ψ, α) by the names of its nets (§6.1).
type RuleRequest struct {
	Condition           string
	After               string // instead of Condition: the net whose own end is waited for (dialect 1)
	Stop, Cancel, Start []string
	Description         string
}

// Rule is a synchronization rule.
type Rule struct {
	core    *Core
	number  int
	request RuleRequest

	variables []rule.Variable // of the condition
	start     []sched.Ref
	evidence  *sched.Evidence

	// under core.mu
	state  RuleState
	reason string // why it failed or can no longer fire
	failed *Precondition

	scheduled map[string]bool // nets that were, when it was decided
	from      time.Time       // first tick of the nets that it has started
}

// longestCondition bounds what rules keep; conditions that people or clients write have a few hundred bytes.
const longestCondition = 16 << 10

// keptRules is how many rules are kept, with those that are over, for those who ask what became of them.
const keptRules = 1000

// AddRule puts a rule into force. The rule uses up a number even when it is refused.
func (c *Core) AddRule(ctx context.Context, req RuleRequest) (*Rule, error) {
	n, err := c.number(number.Rule, "rule")
	if err != nil {
		return nil, err
	}
	req.Description = shorten(req.Description)
	r := &Rule{core: c, number: n, request: req}
	c.mu.Lock()
	closing := c.closing
	c.mu.Unlock()
	if closing {
		return nil, refuse(ErrClosed, "rule", "nothing starts any more, the daemon is ending")
	}

	if len(req.Condition) > longestCondition {
		return nil, refuse(ErrCondition, "condition", "it has %d bytes, limit %d", len(req.Condition), longestCondition)
	}
	cond, err := grammar.ParseCond(req.Condition, c.cfg.Limits)
	if err != nil {
		return nil, fmt.Errorf("condition: %w", explain.Explain(explain.Cond, req.Condition, err))
	}
	nets, err := c.ruleNets(r, cond)
	if err != nil {
		return nil, err
	}
	order := sched.Rule{
		ID: sched.RuleID(r.number), Stop: refs(nets.stop), Cancel: refs(nets.cancel), Start: refs(nets.start),
	}
	if nets.after != nil {
		order.After = nets.after.ref
	} else if order.Condition, order.Variables, err = compileCond(cond, nets.named); err != nil {
		return nil, err
	}
	r.start, r.evidence = order.Start, order.Observe()
	if order.Condition != nil {
		r.variables = order.Condition.Variables()
	}
	if err := c.sched.Check(order); err != nil {
		return nil, c.explain(err, "rule") // before anybody sees that the nets are scheduled
	}
	c.schedule(r, nets.start)
	err = c.sched.AddRule(ctx, order)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) { // otherwise the rule may be in force by now
		c.mu.Lock()
		defer c.mu.Unlock()
		c.rules.remove(r.name())
		c.unschedule(r)
		return nil, c.explainLocked(err, "rule")
	}
	return r, err
}

type ruleNets struct {
	stop, cancel, start, named []*Net
	after                      *Net
}

// ruleNets finds the nets of a rule and refuses those that it cannot be about.
func (c *Core) ruleNets(r *Rule, cond *grammar.Cond) (s ruleNets, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var why reasons
	seen := map[string]bool{}
	find := func(names []string, disjoint bool, states ...State) (list []*Net) {
		for _, name := range names {
			n, e := c.net(name)
			switch {
			case e != nil:
				why.add(e)
			case disjoint && seen[name]:
				why.add(refuse(ErrOverlap, n.place(), "it is named twice in the rule"))
			case !slices.Contains(states, n.state):
				why.add(refuse(ErrState, n.place(), "it is %s", n.state))
			default:
				list = append(list, n)
			}
			seen[name] = seen[name] || disjoint
		}
		return list
	}
	known := []State{Ready, Scheduled, Running, Terminated}
	s.stop = find(r.request.Stop, true, known...)
	s.cancel = find(r.request.Cancel, true, known...)
	s.start = find(r.request.Start, true, Ready, Scheduled)
	for _, n := range s.start {
		if n.promised {
			why.add(refuse(ErrState, n.place(), "it has been started, and waits for its first tick"))
		}
	}
	s.named = find(condNets(cond), false, known...)
	if r.request.After != "" {
		if after := find([]string{r.request.After}, false, append(known, Cancelling)...); len(after) > 0 {
			s.after = after[0]
		}
	}
	return s, why.err()
}

func condNets(cond *grammar.Cond) []string {
	var names []string
	seen := map[string]bool{}
	walkCond(cond, func(v *grammar.Cond) {
		if !seen[v.Net] {
			seen[v.Net] = true
			names = append(names, v.Net)
		}
	})
	return names
}

func walkCond(cond *grammar.Cond, visit func(*grammar.Cond)) {
	if cond.Op == grammar.Var {
		visit(cond)
	}
	for _, operand := range cond.Operands {
		walkCond(operand, visit)
	}
}

func refs(nets []*Net) []sched.Ref {
	list := make([]sched.Ref, len(nets))
	for i, n := range nets {
		list[i] = n.ref
	}
	return list
}

// schedule puts a rule on record and its start nets into the state Scheduled.
func (c *Core) schedule(r *Rule, start []*Net) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rules.put(r.name(), r)
	c.forget()
	for _, n := range start {
		if n.state == Ready {
			n.enter(Scheduled)
		}
	}
	c.ring()
}

// forget drops the oldest rules that are over, when there are too many. core.mu is held.
func (c *Core) forget() {
	if len(c.rules.byName) <= keptRules {
		return
	}
	for _, name := range c.rules.names() {
		if c.rules.byName[name].state != RuleActive {
			c.rules.remove(name)
		}
		if len(c.rules.byName) <= keptRules {
			return
		}
	}
}

// compileCond makes a program of a condition, with the places of its variables.
func compileCond(cond *grammar.Cond, nets []*Net) (*rule.Program, []sched.Variable, error) {
	program, err := rule.Compile(cond)
	if err != nil {
		return nil, nil, fmt.Errorf("condition: %w", err)
	}
	var places []sched.Variable
	var why reasons
	for _, v := range program.Variables() {
		n := nets[slices.IndexFunc(nets, func(n *Net) bool { return n.name == v.Net })]
		place, err := n.variable(v.Key)
		why.add(err)
		places = append(places, place)
	}
	return program, places, why.err()
}

// variable finds a bool variable of the net for a condition.
func (n *Net) variable(key string) (sched.Variable, error) {
	v, ok := n.program.Board.Find(key)
	if !ok {
		hint := ""
		if _, ok := n.program.Board.Find("out" + key); ok {
			hint = fmt.Sprintf(", did you mean %q?", "out"+key)
		}
		return sched.Variable{}, refuse(ErrNoKey, n.place(), "it has no variable %q%s", key, hint)
	}
	if v.Type != value.TypeBool {
		return sched.Variable{}, refuse(ErrCondition, n.place(), "variable %q is %s, not bool", key, v.Type)
	}
	return sched.Variable{Net: n.ref, Offset: v.Offset()}, nil
}

// onRuleEvent hears what became of a rule. core.mu is held.
func (c *Core) onRuleEvent(e sched.Event) {
	r := c.rules.byName[fmt.Sprint(uint64(e.Rule))]
	if r == nil {
		return
	}
	r.noteScheduled()
	defer c.bells.note(r)
	switch e.Kind {
	case sched.RuleFired:
		r.state = RuleFired
		if len(r.start) > 0 {
			r.from = time.Unix(0, e.Time)
		}
		for _, ref := range r.start {
			if n := c.bySlot[ref]; n != nil {
				n.promise()
			}
		}
	case sched.RuleFailed:
		r.fail(e.Err)
		for _, ref := range r.start {
			if n := c.bySlot[ref]; n != nil {
				n.left = true
			}
		}
	case sched.RuleInactive:
		r.state, r.reason = RuleInactive, r.idle()
		if r.request.After == "" {
			c.unschedule(r)
		} else {
			c.orphan(r)
		}
	}
}

// idle says why the rule cannot fire any more.
func (r *Rule) idle() string {
	switch {
	case r.request.After != "":
		return fmt.Sprintf("%s did not come to its own end", r.request.After)
	case len(r.variables) == 0:
		return "the condition is never true"
	default:
		return "the condition cannot become true any more"
	}
}

// unschedule takes the nets that only this rule wanted to start back to Ready.
func (c *Core) unschedule(r *Rule) {
	for _, name := range r.request.Start {
		n := c.nets.byName[name]
		if n == nil || n.state != Scheduled || n.left || n.promised || c.awaited(name) {
			continue
		}
		n.enter(Ready)
	}
}

// awaited reports whether a rule in force wants to start the net.
func (c *Core) awaited(net string) bool {
	for _, r := range c.rules.byName {
		if r.state == RuleActive && slices.Contains(r.request.Start, net) {
			return true
		}
	}
	return false
}

func (r *Rule) name() string { return fmt.Sprint(r.number) }

// Number is the rule's number.
func (r *Rule) Number() int { return r.number }

// Request is the rule as it was asked for.
func (r *Rule) Request() RuleRequest { return r.request }

// About reports whether the rule names a net.
func (r *Rule) About(net string) bool { return slices.Contains(r.names(), net) }

// names are those of all nets that the rule is about.
func (r *Rule) names() []string {
	list := slices.Concat(r.request.Stop, r.request.Cancel, r.request.Start)
	if r.request.After != "" {
		list = append(list, r.request.After)
	}
	for _, v := range r.variables {
		list = append(list, v.Net)
	}
	return list
}

// State tells what became of the rule, and why when that is not obvious.
func (r *Rule) State() (RuleState, string) {
	r.core.mu.Lock()
	defer r.core.mu.Unlock()
	return r.state, r.reason
}

// Rule returns the rule of that number.
func (c *Core) Rule(number int) (*Rule, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.rules.byName[fmt.Sprint(number)]
	if !ok {
		return nil, refuse(ErrNoRule, fmt.Sprintf("rule %d", number), "")
	}
	return r, nil
}

// Rules returns the rules in force and the recent ones, oldest first.
func (c *Core) Rules() []*Rule {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rules.all()
}
