package pages

import (
	"encoding/json"
	"html/template"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// hostile is a name or a text that must not become part of a page.
const hostile = `<script>"&'`

// times returns a distribution with as many times in a few classes.
func times(counts ...uint64) facts.Distribution {
	histogram := make([]uint64, 60)
	copy(histogram[48:], counts)
	return facts.Describe(20*time.Microsecond, 3*time.Microsecond, 17*time.Microsecond, 29*time.Microsecond, histogram)
}

func executorsOfAllKinds() []facts.Executor {
	third := 3
	list := []facts.Executor{
		{
			Period: "1ms", Realtime: true, Detached: true, CPU: &third, Priority: 80, Nets: 2, Ticks: 1234567, Late: 3, Missed: 1,
			Load: 0.02, Share: 1.25, Wakeup: times(7, 0, 2), Busy: times(1, 8),
		},
		{Period: "2ms", Realtime: true, Detached: true, Priority: 79, Nets: 1, Ticks: 1, Wakeup: times(1), Busy: times(1)},
		{Period: "4ms", Reason: "no thread: " + hostile, Nets: 1, Ticks: 1, Wakeup: times(1), Busy: times(1)},
		{Period: "8ms", Rests: true, Wakeup: times(), Busy: times()},
	}
	for i, e := range list {
		list[i] = e.InWords()
	}
	return list
}

func incidentsOfAllKinds(c *cell) []facts.Incident {
	at := time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC).UnixNano()
	return []facts.Incident{
		c.incidentOf(rcc.Incident{Net: "rpinet1", Incident: sched.Incident{
			Kind: sched.LongCycle, Cause: sched.TooMuch, Time: at + 4e6, Period: 4 * time.Millisecond, Amount: 1234567, Cycle: 4711,
		}}),
		c.incidentOf(rcc.Incident{Net: "rpinet1", Reason: "rpinet1 is ended: " + hostile, Incident: sched.Incident{
			Kind: sched.Overload, Cause: sched.TooMuch, Time: at + 35e5, Period: 4 * time.Millisecond, Cycle: 12,
		}}),
		c.incidentOf(rcc.Incident{Net: "rpinet0", Incident: sched.Incident{
			Cause: sched.KeptOff, Time: at + 3e6, Period: time.Millisecond, Realtime: true, Amount: 3e6, Missed: 2000, Cycle: 5,
		}}),
		c.incidentOf(rcc.Incident{Incident: sched.Incident{Time: at + 2e6, Period: time.Millisecond, Realtime: true, Amount: 9e5, Missed: 1}}),
		c.incidentOf(rcc.Incident{Incident: sched.Incident{Time: at, Period: time.Millisecond, Realtime: true, Amount: 6e5}}),
		c.incidentOf(rcc.Incident{Net: hostile, Incident: sched.Incident{Time: at, Period: time.Millisecond}}),
	}
}

// incidentOf describes an incident; rpinet0 is there, rpinet1 has gone.
func (c *cell) incidentOf(i rcc.Incident) facts.Incident {
	return facts.IncidentOf(c.Core, i)
}

// checkView compares a view in all forms.
func (c *cell) checkView(page string, view any) {
	c.t.Helper()
	s := &site{core: c.Core, opt: Options{Version: "1.2.3", Realtime: degraded}, pages: func() templates { return parseTemplates("") }}
	for name, accept := range allForms {
		w := httptest.NewRecorder()
		x := &exchange{site: s, w: w, r: request("GET", "/", "", "Accept", accept)}
		if err := x.show(200, page, view); err != nil {
			c.t.Fatal(err)
		}
		a := read(c.t, w.Result())
		a.asked = "a view in " + name
		checkExactly(c.t, "view_"+page+"."+name, a)
	}
}

// TestRealtimePages: what is told does not depend on what the machine has done to this test.
func TestRealtimePages(t *testing.T) {
	c := newCell(t, Options{})
	c.load(counting, "", "")
	cpu := 3
	full := realtimeView{
		State: "degraded", Reason: hostile, Facts: factsOf(degraded()), Total: 12345, CPUs: []cpuView{{CPU: &cpu, Taken: 61.25, Limit: 80}, {Taken: 1.5}}, Executors: executorsOfAllKinds(), Incidents: incidentsOfAllKinds(c),
		Notes: []noteView{{What: "priorities " + hostile, Command: "sudo " + hostile}, {What: "others use CPU 1"}},
	}
	c.checkView("realtime", full)
	c.checkView("stats", netStats{
		Name: "rpinet0", URI: "/nets/rpinet0/", statsView: statsView{Cycles: 9, Missed: 2000, Cycle: times(8), Execution: times(4, 5)},
		Phases:    []phasesView{{Cycle: 8, Sense: 0.001, Run: 0.004, Act: 0.002}, {Cycle: 9, Sense: 0.002, Run: 0.008, Act: 0.001}},
		Incidents: incidentsOfAllKinds(c)[2:3],
	})
}

// TestRealtimeOfACell looks at what runs, and what is told of it.
func TestRealtimeOfACell(t *testing.T) {
	c := furnished(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: counting, Period: 4 * time.Millisecond, NotRealtime: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.advance(16 * time.Millisecond)
	var view realtimeView
	if err := json.Unmarshal([]byte(c.answer(request("GET", "/realtime/", "", "Accept", forJSON)).text), &view); err != nil {
		t.Fatal(err)
	}
	want := []facts.Executor{{Period: "2ms", Realtime: true, Nets: 2}, {Period: "4ms", Nets: 1}}
	for i := range view.Executors {
		e := &view.Executors[i]
		if e.Ticks == 0 || e.Load <= 0 || len(e.Wakeup.Histogram) == 0 || len(e.Busy.Histogram) == 0 {
			t.Errorf("%+v", e)
		}
		view.Executors[i] = facts.Executor{Period: e.Period, Realtime: e.Realtime, Detached: e.Detached, CPU: e.CPU, Priority: e.Priority, Rests: e.Rests, Nets: e.Nets}
	}
	if diff := cmp.Diff(want, view.Executors, cmp.AllowUnexported(facts.Executor{})); diff != "" {
		t.Errorf("executors (-want +got):\n%s", diff)
	}
	if view.State != "degraded" || view.Reason != "no rights" || len(view.Notes) != 1 || view.Notes[0].Command != "grant them" {
		t.Errorf("state %q, reason %q, notes %v", view.State, view.Reason, view.Notes)
	}
	if page := c.answer(request("GET", "/realtime", "", "Accept", browser)); page.Header.Get("Location") != "/realtime/" {
		t.Errorf("%s to %q", page.Status, page.Header.Get("Location"))
	}
	if page := c.answer(request("GET", "/realtime/", "", "Accept", browser)); !strings.Contains(page.text, "<h1>Real time") {
		t.Errorf("%s: %s", page.Status, page.text)
	}
}

// TestRealtimeState: the pages show the state and its facts as they are when they are asked for. Green is only what is full and has a
// clean record.
func TestRealtimeState(t *testing.T) {
	var state State
	c := newCell(t, Options{Realtime: func() State { return state }})
	for _, tt := range []struct {
		word       string
		fit, clean bool
		mood       string
		status     string
	}{
		{"full", true, true, "good", "ok"},
		{"full", true, false, "busy", "late"},
		{"checking", true, true, "busy", "ok"},
		{"degraded", false, true, "busy", "ok"},
		{"degraded", false, false, "busy", "late"},
		{"off", true, true, "calm", "ok"},
	} {
		state = State{Word: tt.word, Facts: threeFacts(tt.fit, tt.clean)}
		badge := `<a class="state ` + tt.mood + `" href="/realtime/" title="` + template.HTMLEscapeString(state.Title()) + `">real-time <b>` + tt.word + `</b></a>`
		for _, path := range []string{"/", "/realtime/", "/nowhere"} {
			if page := c.answer(request("GET", path, "", "Accept", browser)); !strings.Contains(page.text, badge) {
				t.Errorf("%s: no %s\n%s", path, badge, page.text)
			}
		}
		heading := `<span class="state ` + tt.mood + `">` + tt.word + `</span>`
		if page := c.answer(request("GET", "/realtime/", "", "Accept", browser)); !strings.Contains(page.text, heading) {
			t.Errorf("no %s\n%s", heading, page.text)
		}
		var health struct {
			Status, Realtime string
			Facts            []Fact
		}
		if err := json.Unmarshal([]byte(c.answer(request("GET", "/healthz", "")).text), &health); err != nil {
			t.Fatal(err)
		}
		if health.Status != tt.status || health.Realtime != tt.word || !slices.Equal(health.Facts, state.Facts) {
			t.Errorf("%+v of %+v", health, state)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567"} {
		if got := facts.Grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestHalf(t *testing.T) {
	for _, tt := range []struct {
		counts []uint64
		class  int // whose end it is
	}{{[]uint64{1}, 0}, {[]uint64{2, 2}, 0}, {[]uint64{2, 3}, 1}, {[]uint64{1, 0, 0, 9}, 3}} {
		d := times(tt.counts...)
		if got, want := d.Half(), d.Histogram[tt.class].To; got != want {
			t.Errorf("%v: %v, not %v", tt.counts, got, want)
		}
	}
	if got := times().Half(); got != 0 {
		t.Error(got)
	}
}
