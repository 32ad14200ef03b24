package rcc

import (
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/rule"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// RuleRequest describes a synchronization rule (C, ω, ψ, α) by the names of its nets (§6.1).
type RuleRequest struct {
	Condition           string
	After               string // instead of Condition: the net whose own end the rule waits for (dialect 1)
	Stop, Cancel, Start []string
	Description         string
}

// Rule is a synchronization rule.
type Rule struct {
	rules   *Rules
	number  int
	request RuleRequest

	variables []rule.Variable // of the condition
	start     []sched.Ref
	evidence  *sched.Evidence

	// under ground.mu
	state  RuleState
	reason string // why it failed or can no longer fire
	failed *Precondition

	scheduled map[string]bool // nets that were, when it was decided
	from      time.Time       // first tick of the nets that it has started
}

// RuleState is the state of a synchronization rule.
type RuleState uint8

// The states of a rule. All but RuleActive are final.
const (
	RuleActive RuleState = iota
	RuleFired
	RuleFailed
	RuleInactive
)

var ruleWords = [...]string{"ACTIVE", "FIRED", "FIREFAILED", "INACTIVE"}

// String returns the word of the protocol.
func (s RuleState) String() string {
	if int(s) < len(ruleWords) {
		return ruleWords[s]
	}
	return "INVALIDRULE"
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

func (r *Rule) name() string { return fmt.Sprint(r.number) }

// Number returns the rule's number.
func (r *Rule) Number() int { return r.number }

// Request returns the rule as it was requested.
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

// Reads returns the keys of a net that the condition reads.
func (r *Rule) Reads(net string) (keys []string) {
	for _, v := range r.variables {
		if v.Net == net {
			keys = append(keys, v.Key)
		}
	}
	return keys
}

// State returns the state of the rule, and a reason unless it is obvious.
func (r *Rule) State() (RuleState, string) {
	r.rules.mu.Lock()
	defer r.rules.mu.Unlock()
	return r.state, r.reason
}
