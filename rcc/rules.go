package rcc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Rules are the synchronization rules of a core.
type Rules struct {
	*ground
	registry[*Rule]

	nets *Nets
}

// longestCondition bounds what rules keep; conditions that people or clients write have a few hundred bytes.
const longestCondition = 16 << 10

// keptRules is how many rules are kept, with those that are over, for those who ask what became of them.
const keptRules = 1000

// Add puts a rule into force. The rule uses up a number even when it is refused.
func (rs *Rules) Add(ctx context.Context, req RuleRequest) (*Rule, error) {
	n, err := rs.number(number.Rule, "rule")
	if err != nil {
		return nil, err
	}
	req.Description = shorten(req.Description)
	r := &Rule{rules: rs, number: n, request: req}
	rs.mu.Lock()
	closing := rs.closing
	rs.mu.Unlock()
	if closing {
		return nil, refuse(ErrClosed, "rule", "nothing starts any more, the daemon is ending")
	}

	if len(req.Condition) > longestCondition {
		return nil, refuse(ErrCondition, "condition", "it has %d bytes, limit %d", len(req.Condition), longestCondition)
	}
	cond, err := grammar.ParseCond(req.Condition, rs.cfg.Limits)
	if err != nil {
		return nil, fmt.Errorf("condition: %w", explain.Explain(explain.Cond, req.Condition, err))
	}
	nets, err := rs.netsOf(r, cond)
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
	if err := rs.sched.Check(order); err != nil {
		return nil, rs.nets.explain(err, "rule") // before anybody sees that the nets are scheduled
	}
	rs.schedule(r, nets.start)
	err = rs.sched.AddRule(ctx, order)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) { // otherwise the rule may be in force by now
		rs.mu.Lock()
		defer rs.mu.Unlock()
		rs.remove(r.name())
		rs.unschedule(r)
		return nil, rs.nets.explainLocked(err, "rule")
	}
	return r, err
}

type ruleNets struct {
	stop, cancel, start, named []*Net
	after                      *Net
}

// netsOf finds the nets of a rule and refuses those that it cannot be about.
func (rs *Rules) netsOf(r *Rule, cond *grammar.Cond) (s ruleNets, err error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var why reasons
	seen := map[string]bool{}
	find := func(names []string, disjoint bool, states ...State) (list []*Net) {
		for _, name := range names {
			n, e := rs.nets.get(name)
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
func (rs *Rules) schedule(r *Rule, start []*Net) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.put(r.name(), r)
	rs.forget()
	for _, n := range start {
		if n.state == Ready {
			n.enter(Scheduled)
		}
	}
	rs.ring()
}

// forget drops the oldest rules that are over, when there are too many. ground.mu is held.
func (rs *Rules) forget() {
	if len(rs.byName) <= keptRules {
		return
	}
	for _, name := range rs.names() {
		if rs.byName[name].state != RuleActive {
			rs.remove(name)
		}
		if len(rs.byName) <= keptRules {
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

// onEvent hears what became of a rule. ground.mu is held.
func (rs *Rules) onEvent(e sched.Event) {
	r := rs.byName[fmt.Sprint(uint64(e.Rule))]
	if r == nil {
		return
	}
	r.noteScheduled()
	defer rs.bells.note(r)
	switch e.Kind {
	case sched.RuleFired:
		r.state = RuleFired
		if len(r.start) > 0 {
			r.from = time.Unix(0, e.Time)
		}
		for _, ref := range r.start {
			if n := rs.nets.bySlot[ref]; n != nil {
				n.promise()
			}
		}
	case sched.RuleFailed:
		r.fail(e.Err)
		for _, ref := range r.start {
			if n := rs.nets.bySlot[ref]; n != nil {
				n.left = true
			}
		}
	case sched.RuleInactive:
		r.state, r.reason = RuleInactive, r.idle()
		if r.request.After == "" {
			rs.unschedule(r)
		} else {
			rs.orphan(r)
		}
	}
}

// unschedule takes the nets that only this rule wanted to start back to Ready.
func (rs *Rules) unschedule(r *Rule) {
	for _, name := range r.request.Start {
		n := rs.nets.byName[name]
		if n == nil || n.state != Scheduled || n.left || n.promised || rs.awaited(name) {
			continue
		}
		n.enter(Ready)
	}
}

// awaited reports whether a rule in force wants to start the net.
func (rs *Rules) awaited(net string) bool {
	for _, r := range rs.byName {
		if r.state == RuleActive && slices.Contains(r.request.Start, net) {
			return true
		}
	}
	return false
}

// Get returns the rule with a number.
func (rs *Rules) Get(number int) (*Rule, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.byName[fmt.Sprint(number)]
	if !ok {
		return nil, refuse(ErrNoRule, fmt.Sprintf("rule %d", number), "")
	}
	return r, nil
}

// All returns the rules in force and the recent ones, oldest first.
func (rs *Rules) All() []*Rule {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.all()
}

// Follow starts a net when another one has come to its own end, in the next cycle (dialect 1: nesc with two nets). Until
// then it is scheduled; when the predecessor ends in any other way it is rejected.
func (rs *Rules) Follow(ctx context.Context, follower, predecessor string) error {
	rs.mu.Lock()
	n, err := rs.nets.get(follower)
	before, errBefore := rs.nets.get(predecessor)
	rs.mu.Unlock()
	switch {
	case err != nil:
		return err
	case errBefore != nil:
		return errBefore
	case n == before:
		return refuse(ErrOverlap, n.place(), "it cannot follow itself")
	case n.period != before.period || n.realtime != before.realtime:
		return refuse(ErrState, n.place(), "its cycle time or class differs from that of %s", before.name)
	}
	_, err = rs.Add(ctx, RuleRequest{After: predecessor, Start: []string{follower}})
	return err
}

// orphan rejects the nets that waited for the end of a net which was not the one they waited for.
func (rs *Rules) orphan(r *Rule) {
	for _, name := range r.request.Start {
		if n := rs.nets.byName[name]; n != nil && n.state == Scheduled && !n.promised {
			n.problems = append(n.problems, net.Problem{
				Minor: net.ParentAborted, Text: fmt.Sprintf("%s, which it was to follow, did not terminate by itself", r.request.After),
			})
			n.enter(Rejected)
		}
	}
}
