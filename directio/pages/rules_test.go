package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
)

// moving commands an actuator, tells when it is told to have come to B, and never ends.
const moving = `{v=Core::DoubleValue(Value='1'),a=Test::Actuator(Device='arm',inValue=v.outValue),` +
	`in=Core::BooleanNetcommIn(Key='B'),out=Core::BooleanNetcommOut(Key='Blend',inValue=in.outValue),` +
	`outTerminate=Core::BooleanValue(Value='false').outValue}`

// ruled returns a cell with a rule of every kind: 0 has failed, 1 has fired, 2 can no longer fire, 3 and 4 wait.
func ruled(t *testing.T) *cell {
	t.Helper()
	c := newCellOf(t, Options{Version: "1.2.3", Realtime: degraded}, slices.Concat(core.Primitives(), testdevice.Primitives()))
	if err := c.Devices.Create("arm", testdevice.Type.Name, nil); err != nil {
		t.Fatal(err)
	}
	first := c.load(moving, "A to C", "")
	for _, description := range []string{"B to E", "C to E", "another"} {
		c.load(moving, description, "")
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rule := func(req rcc.RuleRequest) {
		t.Helper()
		_, err := c.Rules.Add(t.Context(), req)
		must(err)
	}
	must(first.Start(t.Context())) // is rule 0 of this cell
	rule(rcc.RuleRequest{Condition: "rpinet0.outBlend", Start: []string{"rpinet2"}, Description: `forgets to <stop>`})
	rule(rcc.RuleRequest{Condition: "rpinet0.outBlend", Stop: []string{"rpinet0", "rpinet3"}, Start: []string{"rpinet1"}, Description: "blend"})
	rule(rcc.RuleRequest{Condition: "!(rpinet0.outBlend | t)", Stop: []string{"rpinet0"}, Start: []string{"rpinet2"}})
	rule(rcc.RuleRequest{Condition: "rpinet1.outBlend & rpinet3.outBlend", Cancel: []string{"rpinet1"}})
	must(c.Rules.Follow(t.Context(), "rpinet3", "rpinet1"))
	c.advance(5 * time.Millisecond)
	must(first.Set([]rcc.KeyValue{{Key: "inB", Value: "true"}}))
	c.advance(5 * time.Millisecond)
	return c
}

// TestRecords compares what is told about rules in every state.
func TestRecords(t *testing.T) {
	c := ruled(t)
	for _, path := range []string{"/rules/1", "/rules/2", "/rules/3", "/rules/4", "/rules/5", "/rules/9", "/rules/01"} {
		inAllForms(t, c, path)
	}
	for _, accept := range allForms { // with a slash it is the same page
		with, without := c.answer(request("GET", "/rules/1/", "", "Accept", accept)), c.answer(request("GET", "/rules/1", "", "Accept", accept))
		if with.Status != without.Status || with.text != without.text {
			t.Errorf("%s: %s %s", accept, with.Status, cmp.Diff(without.text, with.text))
		}
	}
	net := c.answer(request("GET", "/nets/rpinet0/", "", "Accept", browser))
	for _, number := range []string{"1", "2", "3"} {
		if !strings.Contains(net.text, `<a href="/rules/`+number+`">`) {
			t.Errorf("the page of the net does not lead to rule %s", number)
		}
	}
}

// TestAddingRules compares the answers to rules that programs and people send.
func TestAddingRules(t *testing.T) {
	const urlencoded = "application/x-www-form-urlencoded"
	tests := []struct {
		name, path, media, accept, body string
	}{
		{"program", "/rules/", urlencoded, forJSON, "condition=rpinet1.outBlend%26t&stop=rpinet1&stop=rpinet0, rpinet3&start=rpinet2&description=a%2Bb"},
		{"query", "/rules/?condition=rpinet1.outBlend&cancel=rpinet1", "", forXML, ""},
		{"browser", "/rules/", urlencoded, browser, "condition=rpinet1.outBlend&stop=rpinet1&cancel=&start=&description="},
		{"at_once", "/rules/", urlencoded, forJSON, "condition=&stop=rpinet1"},
		{"no_condition", "/rules/", urlencoded, forJSON, "stop=rpinet1"},
		{"syntax", "/rules/", urlencoded, forJSON, "condition=rpinet1.outBlend %26 %26 t&stop=rpinet1"},
		{"raw_ampersand", "/rules/", urlencoded, forJSON, "condition=rpinet1.outBlend & t&stop=rpinet1"},
		{"two_conditions", "/rules/?condition=t", urlencoded, forJSON, "condition=rpinet1.outBlend"},
		{"syntax_html", "/rules/", urlencoded, browser, "condition=rpinet1.outBlend %26 %26 t"},
		{"unknown", "/rules/", urlencoded, forJSON, "condition=rpinet1.Blend&stop=rpinet8&start=rpinet9"},
		{"key", "/rules/", urlencoded, forXML, "condition=rpinet1.Blend"},
		{"overlap", "/rules/", urlencoded, forJSON, "condition=t&stop=rpinet1&start=rpinet1"},
		{"resource", "/rules/", urlencoded, browser, "condition=t&start=rpinet2,rpinet3"},
		{"image", "/rules/", "image/png", forJSON, "x"},
		{"broken_form", "/rules/", "multipart/form-data; boundary=x", forJSON, "--x\r\nContent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := ruled(t)
			r := request("POST", tt.path, tt.body, "Accept", tt.accept)
			if tt.media != "" {
				r.Header.Set("Content-Type", tt.media)
			}
			checkGolden(t, "rule_"+tt.name, c.answer(r))
		})
	}
}

// TestRulesOfThoseWhoHangUp: what has been asked for is done and on record, whether its sender waits for the answer or not.
// Otherwise it would be left to chance whether a rule in force can be found.
func TestRulesOfThoseWhoHangUp(t *testing.T) {
	c := ruled(t)
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	const rules = 20
	known := len(c.Rules.All())
	for range rules {
		c.answer(request("POST", "/rules/", "condition=rpinet1.outBlend&start=rpinet2").WithContext(gone))
	}
	c.load(moving, "to be followed", "")
	c.answer(request("POST", "/nets/rpinet3/", "action=SCHEDULE&takeovernet=rpinet4").WithContext(gone))
	if got := len(c.Rules.All()) - known; got != rules+1 {
		t.Errorf("%d rules of %d are on record", got, rules+1)
	}
}

// TestForeignRules: a page from elsewhere switches nothing.
func TestForeignRules(t *testing.T) {
	c := ruled(t)
	known := len(c.Rules.All())
	a := c.answer(request("POST", "/rules/", "condition=t&stop=rpinet1", "Origin", "http://evil.example"))
	if a.StatusCode != http.StatusForbidden || len(c.Rules.All()) != known {
		t.Errorf("%s, and %d rules", a.Status, len(c.Rules.All())-known)
	}
}
