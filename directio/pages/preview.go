package pages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc/preview"
)

// Limits of previews that run at a time, of those that wait, and of the time of one, which takes as much of a CPU as it
// gets.
const (
	previewsAtOnce  = 1
	previewsWaiting = 16
	previewTime     = 20 * time.Second
)

// previews have their places.
type previews struct {
	places  chan struct{} // one for each that goes on
	waiting chan struct{} // and one for each that goes on or waits
}

func newPreviews() previews {
	return previews{make(chan struct{}, previewsAtOnce), make(chan struct{}, previewsAtOnce+previewsWaiting)}
}

// enter waits for a place; leave gives it back. Clients that have gone in the meantime are not served.
func (p *previews) enter(ctx context.Context) (leave func(), err error) {
	select {
	case p.waiting <- struct{}{}:
	default:
		return nil, refuse(codeBusy, "preview", "%d previews are running or waiting", cap(p.waiting))
	}
	select {
	case p.places <- struct{}{}:
		return func() { <-p.places; <-p.waiting }, nil
	case <-ctx.Done():
		<-p.waiting
		return nil, context.Cause(ctx)
	}
}

// previewView is what people are shown of a plan with one net. Programs get the result as it is.
type previewView struct {
	XMLName xml.Name `xml:"preview" json:"-"`

	Asked   bool            `xml:"-" json:"-"`
	Text    string          `xml:"-" json:"-"`
	Problem *problem        `xml:"-" json:"-"` //nolint:staticcheck // as that of evalView
	Result  *preview.Result `xml:"-" json:"-"`
}

// Warned returns the warnings of the net that was tried out.
func (v previewView) Warned() []reason {
	if v.Result == nil {
		return nil
	}
	return reasonsOf(v.Result.Nets[0].Warnings)
}

// showPreview has the form for people; for programs there is nothing to try out.
func showPreview(x *exchange) error {
	view := previewView{}
	view.Text, _ = x.query().get("dionet") // of a link to try something; only the form does
	return x.show(http.StatusOK, "preview", view)
}

// tryOut runs a plan with a twin of the daemon, and reports the outcome. Nothing of the daemon changes. Programs send the plan in
// JSON and get JSON, whatever else they accept; people a form with one net.
func tryOut(x *exchange) error {
	plan, asForm, err := x.sentPlan()
	if err != nil {
		return err
	}
	result, err := x.preview(plan)
	if asForm && x.form() == asHTML {
		view := previewView{Asked: true, Text: plan.Nets[0].Text, Result: result}
		status := http.StatusOK
		if err != nil {
			view.Problem = problemOf(err)
			status = view.Problem.Status
		}
		return x.show(status, "preview", view)
	}
	if err != nil {
		return err
	}
	body, err := facts.JSON(result)
	if err != nil {
		return err
	}
	x.write(http.StatusOK, typeJSON, body)
	return nil
}

// sentPlan reads a plan.
func (x *exchange) sentPlan() (plan *preview.Plan, asForm bool, err error) {
	media, _, err := x.media()
	if err != nil {
		return nil, false, err
	}
	switch media {
	case mediaJSON, "":
		body, err := x.body()
		if err != nil {
			return nil, false, err
		}
		plan, err = planOf(body)
		return plan, false, err
	case mediaForm, mediaMultipart:
		f, err := x.fields()
		if err != nil {
			return nil, true, err
		}
		from, err := formSource(f)
		if err != nil {
			return nil, true, err
		}
		return &preview.Plan{Nets: []preview.Net{{Text: from.text, Start: true}}}, true, nil
	}
	return nil, false, refuse(codeMedia, "header Content-Type", "a plan does not come as %q, but as %s", short(media), mediaJSON)
}

// planOf reads JSON. A member that is unknown is refused: what it says would not be tried out.
func planOf(body []byte) (*preview.Plan, error) {
	var plan preview.Plan
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(&plan)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the plan")
		}
	}
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		return nil, refuse(codePlan, cmp.Or(short(kind.Field), "body"), "no %s belongs there", short(kind.Value))
	}
	if err == nil {
		err = spelled(body, reflect.TypeFor[preview.Plan]())
	}
	if err == nil {
		if p := twice(body, codePlan); p != nil {
			return nil, p
		}
	}
	if err != nil {
		return nil, refuse(codePlan, "body", "not a plan in JSON: %s", short(strings.TrimPrefix(err.Error(), "json: ")))
	}
	return &plan, nil
}

// spelled returns an error for a member whose name is spelled differently: encoding/json takes capital letters for small ones.
func spelled(text []byte, as reflect.Type) error {
	switch as.Kind() {
	case reflect.Slice:
		var list []json.RawMessage
		err := json.Unmarshal(text, &list)
		for _, one := range list {
			err = errors.Join(err, spelled(one, as.Elem()))
		}
		return err
	case reflect.Struct:
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return err
		}
		for i := range as.NumField() {
			name := as.Field(i).Tag.Get("json")
			if is, there := members[name]; there {
				if err := spelled(is, as.Field(i).Type); err != nil {
					return err
				}
			}
			delete(members, name)
		}
		if unknown := slices.Sorted(maps.Keys(members)); len(unknown) > 0 {
			return fmt.Errorf("unknown field %q", unknown[0])
		}
	}
	return nil
}

// preview runs a plan when it is its turn, as long as its sender waits and the daemon is there, and not for ever.
func (x *exchange) preview(plan *preview.Plan) (*preview.Result, error) {
	_ = http.NewResponseController(x.w).SetReadDeadline(time.Time{}) // that of the body, which has been read
	alive, forget := x.core.Alive(x.r.Context())
	defer forget()
	leave, err := x.previews.enter(alive)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(alive, previewTime)
	defer cancel()
	result, err := preview.Run(ctx, x.core, plan)
	var wrong *preview.Error
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, refuse(codeBusy, "preview", "it takes more than %v to compute; try out less at once, or for less time", previewTime)
	case errors.As(err, &wrong):
		return nil, refusedPlan(plan, wrong)
	}
	return result, err
}

// refusedPlan returns the mistakes of a plan in the form of those of nets and rules, with their places.
func refusedPlan(plan *preview.Plan, e *preview.Error) *problem {
	if n := e.Rejected; n != nil {
		p := rejected(n)
		p.Net, p.Where = "", e.Place
		return p
	}
	p := problemOf(e.Err)
	switch {
	case e.Rule >= 0 && p.Code != codeClosing:
		p = problemOf(refusedRule(e.Err, plan.Rules[e.Rule].Condition))
	case p.Code == codeSyntax:
		p = source{text: plan.Nets[e.Net].Text}.problem(e.Err)
	case p.Code != codeClosing:
		p = refuse(codePlan, "", "%v", e.Err)
	}
	p.Where = e.Place
	return p
}
