package facts

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// RuleURI returns the address of a rule.
func RuleURI(number int) string { return "/rules/" + strconv.Itoa(number) }

// Rule is a synchronization rule.
type Rule struct {
	XMLName     xml.Name `xml:"rule" json:"-"`
	ID          int      `xml:"id,attr" json:"id"`
	URI         string   `xml:"uri,attr" json:"uri"`
	State       string   `xml:"status,attr" json:"state"`
	Description string   `xml:"desc,attr,omitempty" json:"description,omitempty"`
	Condition   string   `xml:"condition,attr" json:"condition"`
	After       string   `xml:"after,attr,omitempty" json:"after,omitempty"` // net whose own end the rule waits for instead
	Reason      string   `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Stop        Names    `xml:"stop" json:"stop"`
	Cancel      Names    `xml:"cancel" json:"cancel"`
	Start       Names    `xml:"start" json:"start"`
}

// RuleOf describes a rule.
func RuleOf(r *rcc.Rule) Rule {
	req := r.Request()
	state, why := r.State()
	return Rule{
		ID: r.Number(), URI: RuleURI(r.Number()), State: state.String(), Reason: why, Description: req.Description,
		Condition: req.Condition, After: req.After,
		Stop: NamesOf(req.Stop), Cancel: NamesOf(req.Cancel), Start: NamesOf(req.Start),
	}
}

// RecordedRule is a rule with its record.
type RecordedRule struct {
	Rule
	Record Evidence `xml:"record" json:"record"`
}

// Evidence is the record of a rule: what it has read, and what it has done.
type Evidence struct {
	Account   string     `xml:"account" json:"account"` // all of it in a sentence
	Value     string     `xml:"value,attr" json:"value"`
	Tick      string     `xml:"tick,attr,omitempty" json:"tick,omitempty"`
	From      string     `xml:"from,attr,omitempty" json:"from,omitempty"`
	Variables []Variable `xml:"variable" json:"variables"`
	Failed    *Failed    `xml:"failed" json:"failed,omitempty"`
	Changes   []Change   `xml:"change" json:"changes,omitempty"`
}

// Variable is a variable of the condition; without a key it is the own end of a net.
type Variable struct {
	Net   string `xml:"net,attr" json:"net"`
	Key   string `xml:"key,attr,omitempty" json:"key,omitempty"`
	Value string `xml:"value,attr" json:"value"`
	Cycle uint64 `xml:"cycle,attr" json:"cycle"`
	State string `xml:"status,attr" json:"state"`
	Why   string `xml:"why,attr,omitempty" json:"why,omitempty"`
}

// Failed is the precondition that did not hold.
type Failed struct {
	Net      string `xml:"net,attr,omitempty" json:"net,omitempty"`
	State    string `xml:"status,attr,omitempty" json:"state,omitempty"`
	Resource string `xml:"resource,attr,omitempty" json:"resource,omitempty"`
	Holder   string `xml:"holder,attr,omitempty" json:"holder,omitempty"`
	Message  string `xml:",chardata" json:"message"`
}

// Change is an action of a rule on a net.
type Change struct {
	Action string `xml:"action,attr" json:"action"`
	Net    string `xml:"net,attr" json:"net"`
	Before string `xml:"before,attr" json:"before"`
	Done   bool   `xml:"done,attr" json:"done"`
	What   string `xml:"-" json:"what"` // in words
}

// changeOf describes what a rule did with a net, or found nothing to do.
func changeOf(c rcc.RuleChange) Change {
	what := "nothing to " + c.Action
	if c.Done {
		what = map[string]string{"stop": "stopped", "cancel": "cancelled", "start": "started"}[c.Action]
	}
	return Change{Action: c.Action, Net: c.Net, Before: c.Before, Done: c.Done, What: what}
}

// RecordedRuleOf describes a rule and its record.
func RecordedRuleOf(r *rcc.Rule) RecordedRule {
	record := r.Record()
	view := RecordedRule{Rule: RuleOf(r), Record: Evidence{
		Account: account(record), Value: record.Value, Tick: instant(record.Tick), From: instant(record.From), Variables: []Variable{},
	}}
	view.State, view.Reason = record.State.String(), record.Reason // of the same moment
	for _, v := range record.Variables {
		view.Record.Variables = append(view.Record.Variables, Variable{
			Net: v.Net, Key: v.Key, Value: v.Value, Cycle: v.Cycle, State: v.State, Why: v.Why,
		})
	}
	if f := record.Failed; f != nil {
		view.Record.Failed = &Failed{Net: f.Net, State: f.State, Resource: f.Resource, Holder: f.Holder, Message: f.Message}
	}
	for _, c := range record.Changes {
		view.Record.Changes = append(view.Record.Changes, changeOf(c))
	}
	return view
}

// instant returns a logical time, empty when there is none.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// account answers why a rule has switched, or why not.
func account(r rcc.Record) string {
	tick := instant(r.Tick)
	switch r.State {
	case rcc.RuleFired:
		text := fmt.Sprintf("The condition was true at the end of tick %s.", tick)
		if from := instant(r.From); from != "" {
			text += fmt.Sprintf(" The nets that it started run from tick %s on.", from)
		}
		return text
	case rcc.RuleFailed:
		return fmt.Sprintf("The condition was true at the end of tick %s, but %s. Nothing was changed.", tick, r.Reason)
	case rcc.RuleInactive:
		return fmt.Sprintf("It can no longer fire since tick %s: %s.", tick, r.Reason)
	}
	switch {
	case tick == "":
		return "It waits, and has not evaluated its condition yet."
	case len(r.Variables) == 1 && r.Variables[0].Key == "":
		return fmt.Sprintf("It waits: %s had not come to its own end at tick %s.", r.Variables[0].Net, tick)
	}
	return fmt.Sprintf("It waits: the condition was %s at the end of tick %s.", r.Value, tick)
}
