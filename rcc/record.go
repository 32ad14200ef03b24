package rcc

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// Record is the reason why a rule was decided, or why it still waits. The rule keeps it, whatever becomes of its nets.
type Record struct {
	State     RuleState
	Reason    string    // why it has failed or can no longer fire
	Tick      time.Time // at whose end the condition was last evaluated; zero before
	Value     string    // of the condition: true, false or indeterminate
	Variables []RuleVariable
	Failed    *Precondition // of a rule that has failed (§6.1)
	Changes   []RuleChange  // of a rule that has fired: what it has done
	From      time.Time     // first tick of the nets that it has started; zero when there are none
}

// RuleVariable is a variable of a condition as the rule found it.
type RuleVariable struct {
	Net, Key string // without a key: the net's own end, which the rule waits for (dialect 1)
	Value    string // true, false or indeterminate
	Why      string // why it has no value
	Cycle    uint64 // newest one of the net, 0 before the first
	State    string // of the net
}

// Precondition is the condition that kept a rule from firing.
type Precondition struct {
	Net      string // that could not be started
	State    string // of it, when it was not ready
	Resource string // that was in use
	Holder   string // net that owns it
	Message  string
}

// RuleChange is an action of a rule on a net.
type RuleChange struct {
	Action string // stop, cancel or start
	Net    string
	Before string // state of the net
	Done   bool   // false when the net had already ended or been cancelled
}

var lackWords = map[sched.Lack]string{
	sched.NotLooked:   "the rule has not evaluated it yet",
	sched.NotStarted:  "the net has not run yet",
	sched.NotWritten:  "the net has not given it a value in its newest cycle",
	sched.Lost:        "the net has ended, and another one has taken a resource of it since",
	sched.Unloaded:    "the net is unloaded",
	sched.NotFollowed: "the net has not ended",
}

// partWords are the states of nets in the words of the wire.
var partWords = map[sched.State]State{
	sched.Ready: Ready, sched.Running: Running, sched.Cancelling: Cancelling, sched.Ended: Terminated, sched.Barred: Rejected, sched.Retiring: Unloaded,
}

// Record returns the record of the rule so far.
func (r *Rule) Record() Record {
	r.rules.mu.Lock()
	defer r.rules.mu.Unlock()
	found := r.evidence.Read()
	record := Record{State: r.state, Reason: r.reason, Failed: r.failed, From: r.from, Value: truth(found.Value)}
	if found.Tick != 0 {
		record.Tick = time.Unix(0, found.Tick)
	}
	for i, look := range found.Looks {
		v := RuleVariable{
			Value: truth(look.Value), Why: lackWords[look.Lack], Cycle: look.Cycle,
		}
		if v.Net = r.request.After; i < len(r.variables) {
			v.Net, v.Key = r.variables[i].Net, r.variables[i].Key
		}
		v.State = r.word(v.Net, look.State).String()
		record.Variables = append(record.Variables, v)
	}
	if r.state == RuleFired {
		record.Changes = r.changes(found.Parts)
	}
	return record
}

// changes gives the parts of a rule that has fired their names.
func (r *Rule) changes(parts []sched.Part) []RuleChange {
	var list []RuleChange
	for _, set := range []struct {
		action string
		nets   []string
	}{{"stop", r.request.Stop}, {"cancel", r.request.Cancel}, {"start", r.request.Start}} {
		for _, name := range set.nets {
			part := parts[len(list)]
			list = append(list, RuleChange{
				Action: set.action, Net: name, Before: r.word(name, part.State).String(), Done: part.Affected,
			})
		}
	}
	return list
}

// word is the state of a net as clients know it: the scheduler does not tell apart which nets that are ready a rule waits for.
// ground.mu is held.
func (r *Rule) word(net string, s sched.State) State {
	n := r.rules.nets.byName[net]
	switch {
	case s != sched.Ready:
		return partWords[s]
	case slices.Contains(r.request.Start, net), r.scheduled[net],
		r.state == RuleActive && n != nil && n.state == Scheduled:
		return Scheduled
	}
	return Ready
}

// noteScheduled keeps which nets were scheduled when the rule was decided. ground.mu is held.
func (r *Rule) noteScheduled() {
	r.scheduled = map[string]bool{}
	for _, name := range r.names() {
		if n := r.rules.nets.byName[name]; n != nil && n.state == Scheduled {
			r.scheduled[name] = true
		}
	}
}

// truth is a value of three-valued logic as a word.
func truth(v rule.Value) string {
	switch v {
	case rule.True:
		return "true"
	case rule.False:
		return "false"
	default:
		return "indeterminate"
	}
}

// fail keeps why a rule has changed nothing. ground.mu is held.
func (r *Rule) fail(err error) {
	var taken *sched.TakenError
	var state *sched.NotStartableError
	var gone *sched.UnknownError
	var load *sched.LoadError
	p := &Precondition{}
	switch {
	case errors.As(err, &load):
		p.Net = r.nameOf(load.Net)
		p.Message = load.Told(p.Net)
	case errors.As(err, &taken):
		p.Net, p.Resource, p.Holder = r.nameOf(taken.Net), taken.Resource.String(), r.rules.nets.nameOf(taken.Holder)
		p.Message = fmt.Sprintf("%s cannot be started: %s is held by %s", p.Net, p.Resource, p.Holder)
	case errors.As(err, &state):
		p.Net, p.State = r.nameOf(state.Net), partWords[state.State].String()
		p.Message = fmt.Sprintf("%s cannot be started, it is %s", p.Net, p.State)
	case errors.As(err, &gone):
		p.Net, p.State = r.nameOf(gone.Net), Unloaded.String()
		p.Message = fmt.Sprintf("%s cannot be started, it is %s", p.Net, p.State)
	default:
		p.Message = err.Error()
	}
	r.state, r.failed, r.reason = RuleFailed, p, p.Message
}

// nameOf is the name under which the rule knows a net, which may be gone by now.
func (r *Rule) nameOf(ref sched.Ref) string {
	for i, start := range r.start {
		if start == ref {
			return r.request.Start[i]
		}
	}
	return r.rules.nets.nameOf(ref)
}
