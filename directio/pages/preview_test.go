package pages

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/softrobot-rcc/rccd/rcc"
)

// ending counts for some cycles.
const ending = `{in=Core::DoubleNetcommIn(Key='Step',Value='0.5'),t=Core::Clock(),e=Core::DoubleGreater(inFirst=t.outValue,Second='0.0199'),` +
	`out=Core::DoubleNetcommOut(inValue=in.outValue,Key='Sum'),over=Core::BooleanNetcommOut(inValue=e.outValue,Key='Over'),outTerminate=e.outValue}`

func planWith(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{"nets":[{"text":` + string(quoted) + `,"start":true,"inputs":{"inStep":"2"}}]}`
}

// TestPreview tries out plans in the ways in which they are sent. Nothing is left in the daemon.
func TestPreview(t *testing.T) {
	const urlencoded = "application/x-www-form-urlencoded"
	with := func(text, member string) string { return strings.TrimSuffix(planWith(text), "}") + "," + member + "}" }
	form := func(text string) string { return "dionet=" + url.QueryEscape(text) }
	for _, tt := range []struct{ name, media, accept, body string }{
		{"json", forJSON, forJSON, planWith(ending)},
		{"xml", forJSON, "", planWith(ending)},
		{"untyped", "", "", planWith(ending)},
		{"html", urlencoded, browser, form(ending)},
		{"form", urlencoded, forJSON, form(ending)},
		{"broken", forJSON, forJSON, planWith("{a=")},
		{"broken_html", urlencoded, browser, form("{a=</textarea><script>")},
		{"rejected", forJSON, forJSON, planWith(`{x=Core::NoSuch(),y=Core::DoubleAdd(inFirst=z.outValue)}`)},
		{"rejected_html", urlencoded, browser, form(`{x=Core::NoSuch(a='</textarea><script>')}`)},
		{"device", forJSON, forJSON, planWith(`{x=Test::Sensor(Device='none'),outTerminate=b.outValue,b=Core::BooleanValue(Value='true')}`)},
		{"empty", forJSON, forJSON, `{}`},
		{"no_json", forJSON, forJSON, ending},
		{"more", forJSON, forJSON, `{"nets":[]}{}`},
		{"member", forJSON, forJSON, `{"nets":[],"form":{}}`},
		{"capitals", forJSON, forJSON, `{"NETS":[]}`},
		{"capitals_within", forJSON, forJSON, `{"nets":[{"text":"{}"},{"Text":"{}"}]}`},
		{"type", forJSON, forJSON, `{"nets":"` + strings.Repeat("x", 2000) + `"}`},
		{"rule", forJSON, forJSON, with(ending, `"rules":[{"condition":"rpinet1.outX & "}]`)},
		{"rule_net", forJSON, "", with(ending, `"rules":[{"condition":"rpinet9.outX"}]`)},
		{"input", forJSON, forJSON, `{"nets":[{"text":"{outTerminate=b.outValue,b=Core::BooleanValue(Value='true')}","inputs":{"inX":"1"}}]}`},
		{"from", forJSON, forJSON, `{"nets":[{"text":"{}"}],"from":{"<b>":[1]}}`},
		{"long", forJSON, forJSON, `{"nets":[{"text":"{}"}],"for":1e9}`},
		{"image", "image/png", "", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := request("POST", "/preview/", tt.body, "Accept", tt.accept)
			if tt.media != "" {
				r.Header.Set("Content-Type", tt.media)
			}
			c := newWholeCell(t)
			before := c.condition()
			checkGolden(t, "preview_"+tt.name, c.answer(r))
			if after := c.condition(); !slices.Equal(after, before) {
				t.Errorf("from %v to %v", before, after)
			}
		})
	}
	inAllForms(t, newCell(t, Options{}), "/preview/")
}

// TestPreviewsInTurn: one preview goes on at a time, some wait, and those who have gone are not served.
func TestPreviewsInTurn(t *testing.T) { synctest.Test(t, inTurn) }

func inTurn(t *testing.T) {
	p := newPreviews()
	leave, err := p.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	for range previewsWaiting {
		go func() {
			_, err := p.enter(gone)
			failed <- err
		}()
	}
	synctest.Wait()
	if _, err := p.enter(t.Context()); problemOf(err).Code != codeBusy {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	for range previewsWaiting {
		if err := <-failed; err == nil {
			t.Error("somebody who has gone has got a place")
		}
	}
	ending, end := context.WithCancelCause(t.Context())
	go func() {
		_, err := p.enter(ending)
		failed <- err
	}()
	synctest.Wait()
	end(rcc.ErrClosed)
	if err := <-failed; !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("the daemon ends: %v", err)
	}
	leave()
	if leave, err = p.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave()
}

// TestPreviewWhenTheDaemonEnds: nobody is kept waiting then.
func TestPreviewWhenTheDaemonEnds(t *testing.T) {
	c := newCell(t, Options{})
	if err := c.Core.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := c.answer(request("POST", "/preview/", planWith(ending), "Accept", forJSON, "Content-Type", forJSON))
	if a.StatusCode != http.StatusServiceUnavailable || !strings.Contains(a.text, `"closing"`) {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
}

// FuzzPlan: whatever is sent as a plan, there is an answer, and the daemon is as it was. Plans that take their time are cut short.
func FuzzPlan(f *testing.F) {
	f.Add(planWith(ending))
	f.Add(`{"nets":[{"text":"{outTerminate=a.outValue,a=Core::BooleanValue(Value='true')}","start":true,"cycle":0.01}],"rules":[{"condition":"t","cancel":["rpinet1"]}],"from":{"arm":[0]},"for":0.1}`)
	f.Add(`{"NETS":[{"TEXT":"{}"}],"FOR":600}`)
	f.Add(`{"nets":[{"text":"{n=Core::DoubleDivide(inFirst=z.outValue,inSecond=z.outValue),z=Core::DoubleValue(Value='0'),o=Core::DoubleNetcommOut(inValue=n.outValue,Key='n'),outTerminate=b.outValue,b=Core::BooleanValue(Value='true')}","start":true}],"for":1e-9}`)
	f.Fuzz(func(t *testing.T, body string) {
		if plan, err := planOf([]byte(body)); err == nil && plan.For >= 0 {
			plan.For = 0.01
			for i := range plan.Nets {
				plan.Nets[i].Cycle = max(plan.Nets[i].Cycle, 0.02) // of those that do not end there are 10 s
			}
			text, err := json.Marshal(plan)
			if err != nil {
				t.Fatal(err)
			}
			body = string(text)
		}
		c := newWholeCell(t)
		if a := c.answer(request("POST", "/preview/", body, "Accept", forJSON, "Content-Type", forJSON)); a.StatusCode == http.StatusInternalServerError {
			t.Errorf("%s: %s", body, a.text)
		}
		if n := len(c.Nets.All()); n > 0 {
			t.Errorf("%d nets are left", n)
		}
	})
}
