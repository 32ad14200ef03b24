package pages

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// ruleView is a synchronization rule.
type ruleView struct {
	XMLName     xml.Name `xml:"rule" json:"-"`
	ID          int      `xml:"id,attr" json:"id"`
	URI         string   `xml:"uri,attr" json:"uri"`
	State       string   `xml:"status,attr" json:"state"`
	Description string   `xml:"desc,attr,omitempty" json:"description,omitempty"`
	Condition   string   `xml:"condition,attr" json:"condition"`
	After       string   `xml:"after,attr,omitempty" json:"after,omitempty"` // net whose own end is waited for instead
	Reason      string   `xml:"reason,attr,omitempty" json:"reason,omitempty"`
	Stop        names    `xml:"stop" json:"stop"`
	Cancel      names    `xml:"cancel" json:"cancel"`
	Start       names    `xml:"start" json:"start"`
}

type rulesView struct {
	XMLName xml.Name   `xml:"rules" json:"-"`
	Rules   []ruleView `xml:"rule" json:"rules"`
}

func ruleURI(number int) string { return "/rules/" + strconv.Itoa(number) }

func ruleOf(r *rcc.Rule) ruleView {
	req := r.Request()
	state, why := r.State()
	return ruleView{
		ID: r.Number(), URI: ruleURI(r.Number()), State: state.String(), Reason: why, Description: req.Description,
		Condition: req.Condition, After: req.After,
		Stop: namesOf(req.Stop), Cancel: namesOf(req.Cancel), Start: namesOf(req.Start),
	}
}

// rulesOf returns the rules that name a net.
func (x *exchange) rulesOf(net string) []ruleView {
	var list []ruleView
	for _, r := range x.core.Rules.All() {
		if r.About(net) {
			list = append(list, ruleOf(r))
		}
	}
	return list
}

func listRules(x *exchange) error {
	view := rulesView{Rules: []ruleView{}}
	for _, r := range x.core.Rules.All() {
		view.Rules = append(view.Rules, ruleOf(r))
	}
	return x.show(http.StatusOK, "rules", view)
}

// recordedRule is a rule with what it has gone by.
type recordedRule struct {
	ruleView
	Record recordView `xml:"record" json:"record"`
}

type recordView struct {
	Account   string         `xml:"account" json:"account"` // all of it in a sentence
	Value     string         `xml:"value,attr" json:"value"`
	Tick      string         `xml:"tick,attr,omitempty" json:"tick,omitempty"`
	From      string         `xml:"from,attr,omitempty" json:"from,omitempty"`
	Variables []variableView `xml:"variable" json:"variables"`
	Failed    *failedView    `xml:"failed" json:"failed,omitempty"`
	Changes   []changeView   `xml:"change" json:"changes,omitempty"`
}

// variableView is a variable of the condition; without a key it is the own end of a net.
type variableView struct {
	Net   string `xml:"net,attr" json:"net"`
	Key   string `xml:"key,attr,omitempty" json:"key,omitempty"`
	Value string `xml:"value,attr" json:"value"`
	Cycle uint64 `xml:"cycle,attr" json:"cycle"`
	State string `xml:"status,attr" json:"state"`
	Why   string `xml:"why,attr,omitempty" json:"why,omitempty"`
}

// failedView is the precondition that did not hold.
type failedView struct {
	Net      string `xml:"net,attr,omitempty" json:"net,omitempty"`
	State    string `xml:"status,attr,omitempty" json:"state,omitempty"`
	Resource string `xml:"resource,attr,omitempty" json:"resource,omitempty"`
	Holder   string `xml:"holder,attr,omitempty" json:"holder,omitempty"`
	Message  string `xml:",chardata" json:"message"`
}

type changeView struct {
	Action string `xml:"action,attr" json:"action"`
	Net    string `xml:"net,attr" json:"net"`
	Before string `xml:"before,attr" json:"before"`
	Done   bool   `xml:"done,attr" json:"done"`
}

// What returns the change in words.
func (c changeView) What() string {
	if !c.Done {
		return "nothing to " + c.Action
	}
	return map[string]string{"stop": "stopped", "cancel": "cancelled", "start": "started"}[c.Action]
}

func recordedRuleOf(r *rcc.Rule) recordedRule {
	record := r.Record()
	view := recordedRule{ruleView: ruleOf(r), Record: recordView{
		Account: account(record), Value: record.Value, Tick: instant(record.Tick), From: instant(record.From), Variables: []variableView{},
	}}
	view.State, view.Reason = record.State.String(), record.Reason // of the same moment
	for _, v := range record.Variables {
		view.Record.Variables = append(view.Record.Variables, variableView{
			Net: v.Net, Key: v.Key, Value: v.Value, Cycle: v.Cycle, State: v.State, Why: v.Why,
		})
	}
	if f := record.Failed; f != nil {
		view.Record.Failed = &failedView{Net: f.Net, State: f.State, Resource: f.Resource, Holder: f.Holder, Message: f.Message}
	}
	for _, c := range record.Changes {
		view.Record.Changes = append(view.Record.Changes, changeView(c))
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

func (x *exchange) rule() (*rcc.Rule, error) {
	number, err := strconv.Atoi(x.value("rule"))
	if err != nil || strconv.Itoa(number) != x.value("rule") {
		return nil, refuse(codeNoThing, "rule "+short(x.value("rule")), "no such rule")
	}
	return x.core.Rules.Get(number)
}

func showRule(x *exchange) error {
	r, err := x.rule()
	if err != nil {
		return err
	}
	return x.show(http.StatusOK, "rule", recordedRuleOf(r))
}

// addRule takes a rule from a form, or from the query. Programs get it as it is now, with its address; people are sent
// to its page.
func addRule(x *exchange) error {
	f, err := x.fields()
	if err != nil {
		return err
	}
	f = append(f, x.query()...)
	if err := checkRuleFields(f); err != nil {
		return err
	}
	condition := f.or("condition", "")
	ctx := context.WithoutCancel(x.r.Context()) // a rule in force is on record, also when its sender has hung up
	r, err := x.core.Rules.Add(ctx, rcc.RuleRequest{
		Condition: condition, Stop: f.list("stop"), Cancel: f.list("cancel"), Start: f.list("start"), Description: f.or("description", ""),
	})
	if err != nil {
		return refusedRule(err, condition)
	}
	if x.form() == asHTML {
		x.redirect(http.StatusSeeOther, ruleURI(r.Number()))
		return nil
	}
	x.w.Header().Set("Location", ruleURI(r.Number()))
	return x.show(http.StatusCreated, "rule", recordedRuleOf(r))
}

// checkRuleFields refuses what is no field of a rule: it may be the rest of a condition, which its sender has not encoded.
func checkRuleFields(f fields) error {
	conditions := 0
	for _, kv := range f {
		switch kv.Key {
		case "condition":
			conditions++
		case "stop", "cancel", "start", "description":
		default:
			return refuse(codeRule, "field "+short(kv.Key), "a rule has condition, stop, cancel, start and description; an & in the condition is sent as %%26")
		}
	}
	if conditions != 1 {
		return refuse(codeRule, "field condition", "it is there %d times instead of once; t holds at once", conditions)
	}
	return nil
}

// refusedRule says all that is wrong with a rule.
func refusedRule(err error, condition string) error {
	if errors.Is(err, rcc.ErrClosed) {
		return err
	}
	p := refuse(codeRule, "rule", "%s", strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", "; "), "rule: "))
	if syntax := new(grammar.Error); errors.As(err, &syntax) {
		p = problemOf(syntax)
		p.Where, p.Source = "condition", excerpt(condition, syntax.Pos)
	}
	return p
}
