package pages

import (
	"encoding/xml"
	"net/http"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
)

// evalView is a net that was evaluated once. Existing clients ask for every value that they need just now in this way,
// and read nothing but keys with values; an error is a value, too, and the status is 200 whatever becomes of the net. The full
// error stands beside it.
type evalView struct {
	XMLName  xml.Name  `xml:"eval" json:"-"`
	Time     int64     `xml:"time,attr,omitempty" json:"time,omitempty"` // of the cycle, Unix, ns
	Data     keyValues `xml:"data" json:"values"`
	Problem  *problem  `xml:"error" json:"error,omitempty"`
	Warnings []reason  `xml:"warning" json:"warnings,omitempty"`

	Asked bool   `xml:"-" json:"-"` // the rest is for pages
	Text  string `xml:"-" json:"-"`
}

// TimeText returns the time for people.
func (v evalView) TimeText() string { return facts.InstantText(v.Time) }

// evalErrors are the words by which existing clients know the stage of the evaluation.
var evalErrors = map[rcc.EvalStage]string{
	rcc.EvalParse:     "Failed to parse net.",
	rcc.EvalBuild:     "Failed to build fragment.",
	rcc.EvalConfigure: "Failed to configure fragment.",
}

// showEval has the form for people; for programs there is nothing to evaluate.
func showEval(x *exchange) error {
	view := evalView{Data: keyValues{}}
	if text, ok := x.query().get("dionet"); ok {
		view.Text = text // of a link to try something; only the form evaluates
	}
	return x.show(http.StatusOK, "eval", view)
}

// evaluate does one cycle of a net (§7.6.2). The net touches neither the scheduler nor the list of nets.
func evaluate(x *exchange) error {
	from, _, err := x.anyNet()
	if err != nil {
		return err
	}
	view := evalView{Data: keyValues{}, Asked: true, Text: from.text}
	result, err := x.evaluate(from)
	if stage, about := rcc.StageOf(err); about {
		view.Problem = evalProblem(from, err)
		view.Problem.Status = http.StatusOK
		if x.form() == asXML {
			view.Data = keyValues{{"error", evalErrors[stage]}}
		}
	} else if err != nil {
		return err
	}
	view.Data = append(view.Data, keyValuesOf(result.Values)...)
	if x.form() != asXML || !x.older() { // they know values and nothing else
		view.Time, view.Warnings = result.Time, reasonsOf(result.Warnings)
	}
	return x.show(http.StatusOK, "eval", view)
}

func (x *exchange) evaluate(from source) (rcc.Evaluated, error) {
	return x.core.Nets.Eval(x.r.Context(), rcc.EvalRequest{Text: from.text, Parse: from.parser()})
}

// evalProblem says in full what the fixed words of the protocol leave out.
func evalProblem(from source, err error) *problem {
	stage, _ := rcc.StageOf(err)
	if stage == rcc.EvalParse {
		return from.problem(err)
	}
	p := refuse(codeRejected, "net", "%s", evalErrors[stage])
	list, warnings := rcc.ProblemsOf(err)
	p.Reasons, p.Warnings = reasonsOf(list), reasonsOf(warnings)
	if len(list) > 0 {
		p.Line, p.Column, p.Source = list[0].Line, list[0].Column, excerpt(from.text, list[0].Pos)
	}
	return p
}
