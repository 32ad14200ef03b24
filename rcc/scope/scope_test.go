package scope_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

func must(t interface{ Fatal(args ...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

const ms = int64(time.Millisecond)

// two is a setup with a fast channel, which triggers, and a slow one.
func two(mode scope.Mode, before, after float64) *scope.Setup {
	return &scope.Setup{
		Name: "two", Mode: mode, Before: before, After: after,
		Channels: []scope.Channel{
			{Name: "fast", Source: scope.Source{Net: "n1", Port: "outValue"}},
			{Name: "slow", Source: scope.Source{Net: "n2", Port: "outValue"}},
		},
		Trigger: scope.Trigger{Kind: scope.Edge, Channel: "fast", Level: 3},
	}
}

func number(period int64) scope.Form {
	return scope.Form{Type: "double", Components: []string{""}, Period: period}
}

func groups(fast, slow int64) []scope.Group {
	return []scope.Group{{Channels: []int{0}, Forms: []scope.Form{number(fast)}}, {Channels: []int{1}, Forms: []scope.Form{number(slow)}}}
}

func block(points ...point) *scope.Block {
	b := &scope.Block{Columns: make([]scope.Column, 1)}
	for _, p := range points {
		b.Ticks = append(b.Ticks, p.tick)
		b.Columns[0].Given = append(b.Columns[0].Given, p.given)
		b.Columns[0].Words = append(b.Columns[0].Words, p.x)
	}
	return b
}

func collect(s *scope.Scope) (all []*scope.Capture) {
	for c := s.Next(); c != nil; c = s.Next() {
		all = append(all, c)
	}
	return all
}

// shots says which triggers count, and where captures are made without one, for signals that have all come.
func shots(s *scope.Setup, fast []point) (ticks []int64, forced []bool) {
	after, holdoff := seconds(s.After), seconds(s.Holdoff)
	patience := max(seconds(s.Before)+after, 100*ms)
	found := model(s.Trigger, fast)
	if len(fast) == 0 {
		return nil, nil
	}
	from := fast[0].tick
	for i, p := range fast {
		if s.Mode == scope.Single && len(ticks) == 1 {
			break
		}
		hit := p.tick >= from && slices.Contains(found, i)
		if !hit && (s.Mode != scope.Auto || p.tick < from+patience) {
			continue
		}
		ticks, forced = append(ticks, p.tick), append(forced, !hit)
		from = max(p.tick+after+1, p.tick+holdoff)
	}
	return ticks, forced
}

func seconds(s float64) int64 { return int64(math.Round(s * 1e9)) }

// expected is what a capture has to show, looked up sample by sample.
func expected(s *scope.Setup, number int, tick int64, forced bool, signals [][]point, periods []int64) *scope.Capture {
	begin, end := tick-seconds(s.Before), tick+seconds(s.After)
	c := &scope.Capture{Setup: s.Name, Number: number, Trigger: tick, Forced: forced, Before: seconds(s.Before), After: seconds(s.After)}
	if !forced {
		c.Why = "edge"
	}
	for _, signal := range signals {
		for _, p := range signal {
			if p.tick >= begin && p.tick <= end && !slices.Contains(c.Ticks, p.tick) {
				c.Ticks = append(c.Ticks, p.tick)
			}
		}
	}
	slices.Sort(c.Ticks)
	for i, signal := range signals {
		t := scope.Trace{Name: s.Channels[i].Name, Form: scope.Form{Type: "double", Components: []string{""}, Period: periods[i]}, Values: make([][]float64, 1)}
		for _, tick := range c.Ticks {
			mark, x := scope.Null, 0.0
			for _, p := range signal {
				switch {
				case p.tick == tick && p.given:
					mark, x = scope.Value, p.x
				case p.tick == tick:
					mark, x = scope.Null, 0
				case p.tick < tick && p.given && 2*(tick-p.tick) <= 3*periods[i]:
					mark, x = scope.Held, p.x
				case p.tick < tick:
					mark, x = scope.Null, 0
				}
			}
			t.Marks, t.Values[0] = append(t.Marks, mark), append(t.Values[0], x)
		}
		c.Channels = append(c.Channels, t)
	}
	return c
}

// TestScopeIsTheModel feeds random signals in random pieces, and looks up what must come of them.
func TestScopeIsTheModel(t *testing.T) {
	made, held, free := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		periods := []int64{10 * ms, 10 * ms * int64(rapid.IntRange(1, 4).Draw(t, "slower"))}
		signals := [][]point{randomSignal(t, periods[0]), randomSignal(t, periods[1])}
		mode := rapid.SampledFrom([]scope.Mode{scope.Auto, scope.Normal, scope.Single}).Draw(t, "mode")
		setup := two(mode, float64(rapid.IntRange(0, 8).Draw(t, "before"))/100, float64(rapid.IntRange(1, 8).Draw(t, "after"))/100)
		setup.Holdoff = float64(rapid.IntRange(0, 30).Draw(t, "holdoff")) / 100
		setup.Trigger = randomTrigger(t)
		setup.Trigger.Kind, setup.Trigger.Channel = scope.Edge, "fast"
		s, err := scope.New(setup, groups(periods[0], periods[1]))
		must(t, err)
		var got []*scope.Capture
		left := [][]point{signals[0], signals[1]}
		// The fast group begins, so that its first tick is where the scope begins.
		for g := 0; len(left[0])+len(left[1]) > 0; g = rapid.IntRange(0, 1).Draw(t, "group") {
			n := min(rapid.IntRange(1, 9).Draw(t, "piece"), len(left[g]))
			if g == 1 && len(left[0]) == len(signals[0]) && n > 0 && len(signals[0]) > 0 {
				continue
			}
			// Nobody is further ahead of the other than a scope waits for.
			for other := left[1-g]; n > 0 && len(other) > 0 && left[g][n-1].tick > other[0].tick+int64(scope.Grace)/2; n-- {
			}
			s.Feed(g, block(left[g][:n]...))
			if left[g] = left[g][n:]; len(left[g]) == 0 {
				s.End(g)
			}
			if len(left[g]) == 0 || len(left[1-g]) == 0 || rapid.Bool().Draw(t, "look") {
				got = append(got, collect(s)...)
			}
		}
		s.End(0)
		s.End(1)
		got = append(got, collect(s)...)
		var want []*scope.Capture
		ticks, forced := shots(setup, signals[0])
		for i := range ticks {
			want = append(want, expected(setup, i+1, ticks[i], forced[i], signals, periods))
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })); diff != "" {
			t.Fatalf("-want +got: %s", diff)
		}
		made += len(got)
		for _, c := range got {
			if slices.Contains(c.Channels[1].Marks, scope.Held) {
				held++
			}
			if c.Forced {
				free++
			}
		}
	})
	if made == 0 || held == 0 || free == 0 {
		t.Errorf("%d captures, %d with held values, %d without a trigger", made, held, free)
	}
}

// TestEvents: an event that matches triggers, whatever signals do, and may come after the samples of its tick.
func TestEvents(t *testing.T) {
	for _, test := range []struct {
		trigger scope.Trigger
		event   scope.Event
		want    string // why; empty where it does not match
	}{
		{scope.Trigger{Kind: scope.Rule}, scope.Event{Kind: scope.Rule, Rule: "r3"}, "rule r3"},
		{scope.Trigger{Kind: scope.Rule, Rule: "r3"}, scope.Event{Kind: scope.Rule, Rule: "r4"}, ""},
		{scope.Trigger{Kind: scope.State, Net: "n1", State: "running"}, scope.Event{Kind: scope.State, Net: "n1", State: "running"}, "state n1 running"},
		{scope.Trigger{Kind: scope.State, Net: "n1", State: "running"}, scope.Event{Kind: scope.State, Net: "n1", State: "ready"}, ""},
		{scope.Trigger{Kind: scope.Incident}, scope.Event{Kind: scope.Incident, Net: "n1"}, "incident n1"},
		{scope.Trigger{Kind: scope.Fault, Device: "arm"}, scope.Event{Kind: scope.Fault, Device: "arm"}, "fault arm"},
		{scope.Trigger{Kind: scope.Fault, Device: "arm"}, scope.Event{Kind: scope.Incident, Device: "arm"}, ""},
	} {
		setup := two(scope.Normal, 0.002, 0.002)
		setup.Trigger = test.trigger
		must(t, setup.Check())
		s, err := scope.New(setup, groups(ms, ms))
		must(t, err)
		for g := range 2 {
			for i := range int64(20) {
				s.Feed(g, block(point{tick: i * ms, given: true, x: float64(i)}))
			}
		}
		test.event.Tick = 10 * ms
		s.Event(&test.event)
		c := s.Next()
		switch {
		case c == nil:
			if test.want != "" {
				t.Errorf("%+v: no capture", test.trigger)
			}
		case c.Why != test.want || c.Trigger != 10*ms || len(c.Ticks) != 5 || c.Channels[0].Values[0][2] != 10:
			t.Errorf("%+v: %+v", test.trigger, c)
		}
	}
}

// TestLate: a capture does not wait for a group that is silent, and says so.
func TestLate(t *testing.T) {
	s, err := scope.New(two(scope.Normal, 0.002, 0.002), groups(ms, ms))
	must(t, err)
	for i := range int64(20) {
		s.Feed(0, block(point{tick: i * ms, given: true, x: float64(i % 10)}))
	}
	if c := s.Next(); c != nil || s.Phase() != scope.Triggered {
		t.Fatalf("the slow channel has no samples yet: %v, %s", c, s.Phase())
	}
	s.Now(5*ms + int64(scope.Grace) - 1)
	if c := s.Next(); c != nil {
		t.Fatal("too early")
	}
	s.Now(5*ms + int64(scope.Grace))
	c := s.Next()
	if c == nil || !slices.Equal(c.Late, []string{"slow"}) || c.Trigger != 3*ms || len(c.Ticks) != 5 {
		t.Fatalf("%+v", c)
	}
	if slices.Max(c.Channels[1].Marks) != scope.Null {
		t.Error("a channel without samples has values")
	}
}

// TestSilent: auto shows what there is when the trigger's channel is silent.
func TestSilent(t *testing.T) {
	setup := two(scope.Auto, 0.1, 0.1)
	s, err := scope.New(setup, groups(ms, ms))
	must(t, err)
	s.Now(0)
	for i := range int64(2000) {
		s.Feed(1, block(point{tick: i * ms, given: true, x: 1}))
		s.Now(i * ms)
	}
	all := collect(s)
	if len(all) < 3 || !all[0].Forced || !slices.Equal(all[0].Late, []string{"fast"}) || slices.Max(all[1].Channels[1].Marks) != scope.Value {
		t.Fatalf("%d captures", len(all))
	}
}

// TestLost: an edge does not begin before samples that nobody has, and the capture says how many they are.
func TestLost(t *testing.T) {
	for lost, want := range []int{1, 0} {
		s, err := scope.New(two(scope.Normal, 0.001, 0), groups(ms, ms))
		must(t, err)
		s.End(1)
		s.Feed(0, block(point{tick: 0, given: true, x: 0}))
		b := block(point{tick: ms, given: true, x: 9})
		b.Lost = lost
		s.Feed(0, b)
		if got := len(collect(s)); got != want {
			t.Errorf("%d lost: %d captures", lost, got)
		}
		s.Feed(0, block(point{tick: 2 * ms, given: true, x: 0}, point{tick: 3 * ms, given: true, x: 9}))
		if all := collect(s); len(all) != 1 || want == 0 && all[0].Lost != lost {
			t.Errorf("%d lost: %+v", lost, all)
		}
	}
}

// TestNone: captures without any trigger follow each other without a gap.
func TestNone(t *testing.T) {
	setup := two(scope.Auto, 0.003, 0.004)
	setup.Trigger = scope.Trigger{Kind: scope.None}
	s, err := scope.New(setup, groups(ms, ms))
	must(t, err)
	for i := range int64(100) {
		s.Feed(0, block(point{tick: i * ms, given: true, x: float64(i)}))
		s.Feed(1, block(point{tick: i * ms, given: true, x: float64(i)}))
	}
	var ticks []int64
	for _, c := range collect(s) {
		ticks = append(ticks, c.Ticks...)
	}
	for i, tick := range ticks {
		if tick != int64(i)*ms {
			t.Fatalf("tick %d is %d", i, tick)
		}
	}
	if len(ticks) < 90 {
		t.Errorf("%d ticks", len(ticks))
	}
}

// TestSingle: one capture, until it is armed again.
func TestSingle(t *testing.T) {
	s, err := scope.New(two(scope.Single, 0.001, 0.001), groups(ms, ms))
	must(t, err)
	s.End(1)
	feed := func(from, to int64) {
		for i := from; i < to; i++ {
			s.Feed(0, block(point{tick: i * ms, given: true, x: float64(i % 5)}))
		}
	}
	feed(0, 50)
	if all := collect(s); len(all) != 1 || all[0].Trigger != 3*ms || s.Phase() != scope.Stopped {
		t.Fatalf("%d captures, %s", len(all), s.Phase())
	}
	s.Arm()
	if s.Phase() != scope.Armed {
		t.Error(s.Phase())
	}
	feed(50, 100)
	if all := collect(s); len(all) != 1 || all[0].Trigger != 53*ms || all[0].Number != 2 {
		t.Fatalf("%d captures", len(all))
	}
}

// TestComponents: a channel shows a vector, one of its components or its norm; a constant has its value at each tick.
func TestComponents(t *testing.T) {
	setup := two(scope.Single, 0.001, 0.001)
	source := setup.Channels[0].Source
	setup.Channels = []scope.Channel{
		{Name: "all", Source: source},
		{Name: "y", Source: source, Component: "y"},
		{Name: "norm", Source: source, Component: "norm"},
		{Name: "constant", Source: source},
		{Name: "never", Source: source},
	}
	setup.Trigger = scope.Trigger{Kind: scope.Edge, Channel: "norm", Level: 5}
	vector := scope.Form{Type: "vector", Components: []string{"x", "y", "z"}, Normed: 3, Period: ms}
	list := []scope.Group{
		{Channels: []int{0, 1, 2}, Forms: []scope.Form{vector, vector, vector}},
		{Channels: []int{3, 4}, Forms: []scope.Form{number(0), number(0)}, Constants: [][]float64{{7}, nil}},
	}
	s, err := scope.New(setup, list)
	must(t, err)
	b := &scope.Block{Ticks: []int64{0, ms, 2 * ms}}
	column := scope.Column{Given: []bool{true, true, true}, Words: []float64{0, 0, 0, 1, 2, 2, 0, 3, 4}}
	b.Columns = []scope.Column{column, column, column}
	s.Feed(0, b)
	b.Ticks = []int64{3 * ms, 4 * ms, 5 * ms}
	s.Feed(0, b)
	c := s.Next()
	if c == nil || c.Trigger != 2*ms {
		t.Fatalf("%+v", c)
	}
	for i, want := range [][][]float64{{{1, 0, 0}, {2, 3, 0}, {2, 4, 0}}, {{2, 3, 0}}, {{3, 5, 0}}, {{7, 7, 7}}, {{0, 0, 0}}} {
		if diff := cmp.Diff(want, c.Channels[i].Values); diff != "" {
			t.Errorf("%s: %s", c.Channels[i].Name, diff)
		}
	}
	if c.Channels[3].Marks[0] != scope.Value || c.Channels[4].Marks[0] != scope.Null {
		t.Error("marks of constants")
	}
	for _, test := range []struct{ component, want string }{
		{"w", `setup /channels/0/component: component "w" is not one of a vector; it has x, y, z, norm`},
		{"", `setup /trigger/channel: "all" has 3 components; give the channel one of them`},
	} {
		setup.Channels[0].Component, setup.Trigger.Channel = test.component, "all"
		if _, err := scope.New(setup, list); err == nil || err.Error() != test.want {
			t.Error(err)
		}
	}
}

// TestBounded: what a scope takes has a limit, before anything is sampled and while it is.
func TestBounded(t *testing.T) {
	setup := two(scope.Normal, 3600, 0)
	_, err := scope.New(setup, groups(ms, ms))
	var is *scope.SetupError
	if !errors.As(err, &is) || !strings.Contains(err.Error(), "MiB, 16 MiB are allowed") {
		t.Fatal(err)
	}
	setup.Before = 20
	if _, err := scope.New(setup, groups(ms/10, ms/10)); !errors.As(err, &is) || !strings.Contains(err.Error(), "a capture of 20 s has up to 10 MiB, 8 MiB are allowed") {
		t.Fatal(err)
	}
	setup.Before, setup.After = 0, 0.000001
	setup.Trigger = scope.Trigger{Kind: scope.Level, Channel: "fast", Above: true}
	s, err := scope.New(setup, groups(ms, ms))
	must(t, err)
	// Nobody takes captures, and the slow group is silent: triggers that cannot be kept are counted.
	for i := range int64(5000) {
		s.Feed(0, block(point{tick: i * ms, given: true, x: 1}))
	}
	if got := len(collect(s)); got != 0 {
		t.Errorf("%d captures without the slow group", got)
	}
	if s.Missed() != 5000-64 {
		t.Errorf("%d triggers are left out", s.Missed())
	}
	s.End(1)
	if got := len(collect(s)); got != 64 {
		t.Errorf("%d captures", got)
	}
}

func TestSetups(t *testing.T) {
	good := `{"name":"a","channels":[{"name":"c","source":{"net":"n1","path":"sum","port":"outValue"}}],"before":1,"after":1,"mode":"auto","trigger":{"kind":"none"}}`
	s, err := scope.ParseSetup([]byte(good))
	must(t, err)
	if s.Channels[0].Source.Path != "sum" || s.Before != 1 {
		t.Errorf("%+v", s)
	}
	for _, test := range []struct{ old, new, want string }{
		{`"name":"a"`, `"name":""`, "setup /name: it is empty"},
		{`"name":"a"`, `"name":"../a"`, `setup /name: "../a" cannot have '.' there; use letters, digits and, behind the first, blanks and ._-()[]`},
		{`"name":"a"`, `"name":"a/b"`, `setup /name: "a/b" cannot have '/' there`},
		{`"name":"c"`, `"name":"=1"`, `setup /channels/0/name: "=1" cannot have '=' there`},
		{`"name":"a"`, `"name":"` + strings.Repeat("a", 65) + `"`, "setup /name: it has 65 bytes, 64 are allowed"},
		{`"before":1`, `"before":-1`, "setup /before: -1 s is outside 0..3600"},
		{`"before":1`, `"before":"x"`, "setup /before: string is not a float64"},
		{`"before":1,"after":1`, `"before":0,"after":0`, "setup /after: before and after are both 0"},
		{`"auto"`, `"slow"`, `setup /mode: "slow" is not one of auto, normal, single`},
		{`"auto"`, `"normal"`, "setup /mode: normal waits for a trigger, and its kind is none"},
		{`"kind":"none"`, `"kind":"edge","channel":"d"`, `setup /trigger/channel: "d" is not the name of a channel`},
		{`"kind":"none"`, `"kind":"window","channel":"c","low":2,"high":1`, "setup /trigger/low: 2 is not below high, 1"},
		{`"kind":"none"`, `"kind":"window","channel":"c","low":0,"high":1,"hysteresis":0.5`, "setup /trigger/hysteresis: 0.5 leaves nothing of the window"},
		{`"kind":"none"`, `"kind":"edge","channel":"c","hysteresis":-1`, "setup /trigger/hysteresis: it is negative"},
		{`"kind":"none"`, `"kind":"state","net":"n1"`, "setup /trigger: kind state needs the net and its state"},
		{`"kind":"none"`, `"kind":"pulse"`, `setup /trigger/kind: "pulse" is not one of none, edge`},
		{`"port":"outValue"`, `"figure":"x"`, "setup /channels/0/source: give net, path and port"},
		{`"mode"`, `"colour":1,"mode"`, `setup /: unknown field "colour"`},
		{`"trigger":{"kind":"none"}}`, `"trigger":{"kind":"none"}} {}`, "setup /: something follows it"},
		{`[{"name"`, `[{"name":"c","source":{"net":"n1","port":"o"}},{"name"`, `setup /channels/1/name: another channel has the name "c"`},
		{good, strings.Repeat(" ", 70000), "setup /: it has 70000 bytes, 65536 are allowed"},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		if _, err := scope.ParseSetup([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", test.new[:min(60, len(test.new))], err, test.want)
		}
	}
}

// BenchmarkFeed is what a scope does with 50 ms of 32 channels at 1 kHz, of which one is looked at for triggers.
func BenchmarkFeed(b *testing.B) {
	setup := two(scope.Normal, 0.5, 0.5)
	setup.Channels = nil
	group := scope.Group{}
	blk := &scope.Block{Ticks: make([]int64, 50)}
	for i := range scope.MostChannels {
		setup.Channels = append(setup.Channels, scope.Channel{Name: fmt.Sprint(i), Source: scope.Source{Net: "n", Port: "o"}})
		group.Channels, group.Forms = append(group.Channels, i), append(group.Forms, number(ms))
		blk.Columns = append(blk.Columns, scope.Column{Given: make([]bool, 50), Words: make([]float64, 50)})
	}
	setup.Trigger.Channel = "0"
	s, err := scope.New(setup, []scope.Group{group})
	must(b, err)
	at := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		for i := range blk.Ticks {
			at += ms
			blk.Ticks[i] = at
		}
		s.Feed(0, blk)
		s.Now(at)
	}
}
