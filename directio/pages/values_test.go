package pages

import (
	"encoding/json"
	"testing"
	"time"
)

// TestValuesHaveATick: every address that has values of a net in JSON tells the tick that has left them, and the values are those of
// that tick.
func TestValuesHaveATick(t *testing.T) {
	c := newWholeCell(t)
	n := c.load(`{t=Core::DoubleNetcommOut(inValue=Core::Clock().outValue,Key='T'),outTerminate=Core::BooleanValue(Value='false').outValue}`, "", "")
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
	if a := c.answer(request("GET", "/nets/rpinet7/values", "", "Accept", forJSON)); a.StatusCode != 404 {
		t.Error(a.StatusCode)
	}
}
