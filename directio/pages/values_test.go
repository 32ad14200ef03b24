package pages

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestValuesHaveATick: every address that has values of a net tells the tick that has left them, and the values are those of
// that tick.
func TestValuesHaveATick(t *testing.T) {
	c := newWholeCell(t)
	if _, err := c.Sessions.Open("clock"); err != nil {
		t.Fatal(err)
	}
	n := c.load(`{t=Core::DoubleNetcommOut(inValue=Core::Clock().outValue,Key='T'),outTerminate=Core::BooleanValue(Value='false').outValue}`, "", "s1")
	type valued struct {
		State  string
		Tick   *struct{ Cycle, Time int64 }
		Values map[string]string
	}
	get := func(path string) (v valued) {
		t.Helper()
		a := c.answer(request("GET", path, "", "Accept", forJSON))
		if err := json.Unmarshal([]byte(a.text), &v); err != nil || a.StatusCode != 200 {
			t.Fatalf("%s: %v\n%s", path, err, a.text)
		}
		return v
	}
	if v := get("/nets/rpinet0/values"); v.Tick != nil || v.State != "READY" || v.Values["outT"] != "0" {
		t.Errorf("before the first cycle: %+v", v)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var begin int64
	for range 3 {
		c.advance(5 * n.Period())
		v := get("/nets/rpinet0/values")
		if v.Tick == nil || v.State != "RUNNING" {
			t.Fatalf("%+v", v)
		}
		if begin == 0 {
			begin = v.Tick.Time - (v.Tick.Cycle-1)*int64(n.Period())
		}
		age := time.Duration(v.Tick.Time-begin) + n.Period() // a clock counts from the beginning of its first cycle to the end
		var shown float64
		if err := json.Unmarshal([]byte(v.Values["outT"]), &shown); err != nil || time.Duration(shown*1e9+0.5) != age {
			t.Errorf("the clock shows %v s in the tick that ends after %v", shown, age)
		}
		if same := get("/nets/rpinet0/"); *same.Tick != *v.Tick {
			t.Errorf("%+v is not %+v", *same.Tick, *v.Tick)
		}
		var cell struct{ Nets []valued }
		if err := json.Unmarshal([]byte(c.answer(request("GET", "/cell/", "", "Accept", forJSON)).text), &cell); err != nil || *cell.Nets[0].Tick != *v.Tick {
			t.Errorf("%v %+v", err, cell)
		}
	}
	for _, of := range []struct{ path, accept, tick string }{
		{"/nets/rpinet0/", forXML, `<tick cycle="15" time="1577836800030000000"></tick>`},
		{"/nets/rpinet0/", browser, `<p id="tick" class="hint">cycle 15, 2020-01-01T00:00:00.030Z</p>`},
		{"/cell/", forXML, `<tick cycle="15" time="1577836800030000000"></tick>`},
		{"/cell/", browser, `<p class="hint tick">cycle 15, 2020-01-01T00:00:00.030Z</p>`},
		{"/sessions/s1/", forXML, `<n id="rpinet0" s="RUNNING" cycle="15" time="1577836800030000000">`},
	} {
		if a := c.answer(request("GET", of.path, "", "Accept", of.accept)); !strings.Contains(a.text, of.tick) {
			t.Errorf("%s as %s:\n%s", of.path, of.accept, a.text)
		}
	}
	if a := c.answer(request("GET", "/nets/rpinet7/values", "", "Accept", forJSON)); a.StatusCode != 404 {
		t.Error(a.StatusCode)
	}
}

// TestEvaluationsHaveATime, in which there is one cycle. Older clients are told values and nothing else.
func TestEvaluationsHaveATime(t *testing.T) {
	c := newWholeCell(t)
	const doubtful = `{b=Core::DoubleAdd(First='1'),c=Core::DoubleAdd(First='2'),outB=b.outValue}`
	for _, of := range []struct {
		path, accept string
		want         []string
		old          bool
	}{
		{"/eval/", forJSON, []string{`{"time":1577836800000000000,"values":{"outB":"1"},"warnings":[{"kind":`, `"block":"c"`}, false},
		{"/eval/", forXML, []string{`<eval time="1577836800000000000">`, `<data key="outB">1</data>`, `<warning kind="`, `block="c"`}, false},
		{"/eval/", browser, []string{`<p class="hint">2020-01-01T00:00:00.000Z</p>`, `Warnings</h2>`, `<td>c`}, false},
		{"/eval/", forXML, []string{"<eval>", `<data key="outB">1</data>`}, true},
	} {
		r := request("POST", of.path, doubtful, "Accept", of.accept, "Content-Type", "text/plain")
		if of.old {
			r.Header.Set("User-Agent", "Java/1.8.0_292")
		}
		a := c.answer(r)
		for _, want := range of.want {
			if !strings.Contains(a.text, want) {
				t.Errorf("%s as %s has no %s:\n%s", of.path, of.accept, want, a.text)
			}
		}
		if of.old && strings.Contains(a.text, "warning") {
			t.Errorf("an older client is told warnings:\n%s", a.text)
		}
	}
}
