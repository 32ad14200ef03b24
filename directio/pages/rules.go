package pages

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

type rulesView struct {
	XMLName xml.Name     `xml:"rules" json:"-"`
	Rules   []facts.Rule `xml:"rule" json:"rules"`
}

// rulesOf returns the rules that name a net.
func (x *exchange) rulesOf(net string) []facts.Rule {
	var list []facts.Rule
	for _, r := range x.core.Rules.All() {
		if r.About(net) {
			list = append(list, facts.RuleOf(r))
		}
	}
	return list
}

func listRules(x *exchange) error {
	view := rulesView{Rules: []facts.Rule{}}
	for _, r := range x.core.Rules.All() {
		view.Rules = append(view.Rules, facts.RuleOf(r))
	}
	return x.show(http.StatusOK, "rules", view)
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
	return x.show(http.StatusOK, "rule", facts.RecordedRuleOf(r))
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
		x.redirect(http.StatusSeeOther, facts.RuleURI(r.Number()))
		return nil
	}
	x.w.Header().Set("Location", facts.RuleURI(r.Number()))
	return x.show(http.StatusCreated, "rule", facts.RecordedRuleOf(r))
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
