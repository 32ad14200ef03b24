package scopes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/robotarm"
	"github.com/softrobot-rcc/rccd/primitives/world"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestMain(m *testing.M) { leak.Main(m) }

// counting counts its cycles; hit is true in the hundredth one only, and the vector is (n, n, n).
const counting = `{sum=Core::IntAdd(inFirst=last.outValue,Second='1'),pre=Core::IntPre(inValue=sum.outValue),first=Core::IntIsNull(inValue=pre.outValue),` +
	`last=Core::IntConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),hit=Core::IntEquals(inFirst=sum.outValue,Second='100'),` +
	`d=Core::DoubleFromInt(inValue=sum.outValue),v=World::VectorFromXYZ(inX=d.outValue,inY=d.outValue,inZ=d.outValue),` +
	`c=Core::DoubleValue(Value='2.5'),x=Core::DoubleNetcommOut(inValue=c.outValue,Key='c'),` +
	`h=Core::BooleanNetcommOut(inValue=hit.outValue,Key='hit'),outTerminate=Core::BooleanNetcommIn(Key='end').outValue}`

// cell is a core in virtual time with scopes.
type cell struct {
	*testing.T
	core   *rcc.Core
	scopes *Scopes
}

func newCell(t *testing.T) *cell {
	t.Helper()
	catalogue, err := spec.NewCatalogue(core.Primitives(), world.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	c, err := rcc.New(rcc.Config{
		Catalogue: catalogue, Clock: rt.NewVirtual(time.Unix(1_700_000_000, 0)),
		DeviceTypes: simarm.Types(), Interfaces: robotarm.Interfaces(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.Close(ctx) // what still runs is aborted
	})
	return &cell{T: t, core: c, scopes: New(c, nil)}
}

func (c *cell) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *cell) load(period time.Duration) *rcc.Net {
	c.Helper()
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: counting, Period: period})
	c.must(err)
	return n
}

// run runs a scope that is closed with the test.
func (c *cell) run(setup *scope.Setup) *Running {
	c.Helper()
	r, err := c.scopes.Start(c.Context(), setup, func() {})
	c.must(err)
	c.Cleanup(r.Close)
	return r
}

// pass lets time pass in steps, and the scope read after each.
func (c *cell) pass(r *Running, d time.Duration) {
	c.Helper()
	for ; d > 0; d -= 20 * time.Millisecond {
		c.must(c.core.Clock.Advance(c.Context(), 20*time.Millisecond))
		r.Read()
	}
}

func port(name string, n *rcc.Net, path, port string) scope.Channel {
	return scope.Channel{Name: name, Source: scope.Source{Net: n.Name(), Path: path, Port: port}}
}

// TestSpike catches what lasts for one cycle of a net that runs, with channels of another net, on one axis.
func TestSpike(t *testing.T) {
	c := newCell(t)
	fast, slow := c.load(time.Millisecond), c.load(5*time.Millisecond)
	setup := &scope.Setup{
		Name: "spike", Before: 0.02, After: 0.03, Mode: scope.Single,
		Channels: []scope.Channel{
			port("hit", fast, "hit", "outValue"), port("count", fast, "sum", "outValue"), port("slow", slow, "sum", "outValue"),
			port("constant", fast, "c", "outValue"), port("vector", fast, "v", "outValue"),
		},
		Trigger: scope.Trigger{Kind: scope.Edge, Channel: "hit"},
	}
	r := c.run(setup)
	c.must(fast.Start(t.Context()))
	c.must(slow.Start(t.Context()))
	c.pass(r, 300*time.Millisecond)
	got, left := r.After(0)
	if got == nil || left != 0 {
		t.Fatalf("no capture; left %d", left)
	}
	if n := len(got.Ticks); n != 51 {
		t.Errorf("%d ticks: the nets have not one axis", n)
	}
	for i := range got.Ticks {
		hit := got.Ticks[i] == got.Trigger
		if count := 80 + float64(i); got.Channels[1].Values[0][i] != count || got.Channels[0].Values[0][i] != b2f(count == 100) || hit != (count == 100) {
			t.Fatalf("tick %d: count %v, hit %v", i, got.Channels[1].Values[0][i], got.Channels[0].Values[0][i])
		}
		if got.Channels[3].Values[0][i] != 2.5 || got.Channels[4].Values[2][i] != 80+float64(i) {
			t.Fatalf("tick %d: %v", i, got.Channels[3:])
		}
		// Each fifth tick is one of the slow net as well; in between it has the value of its last one.
		if due := (int64(i)-at(got, 2))%5 == 0; due != (got.Channels[2].Marks[i] == scope.Value) || !due && got.Channels[2].Marks[i] != scope.Held {
			t.Fatalf("tick %d of the slow net: %v", i, got.Channels[2].Marks)
		}
	}
	if phase, _ := r.Phase(); phase != scope.Stopped || got.Late != nil || got.Lost != 0 {
		t.Errorf("%s, %+v", phase, got)
	}
	if kept, err := c.scopes.Newest("spike"); err != nil || kept != got || r.Capture(1) != got || r.Capture(2) != nil {
		t.Error(kept, err)
	}
}

// at is the first tick at which a channel has a value of its own.
func at(c *scope.Capture, channel int) int64 {
	return int64(slices.Index(c.Channels[channel].Marks, scope.Value))
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// TestEventsOfTheCell: states of nets, rules and faults of devices trigger, and nothing that was there before the scope.
func TestEventsOfTheCell(t *testing.T) {
	c := newCell(t)
	c.must(c.core.Devices.Create("arm", "kuka_lwr_sim", map[string]string{"faults": "0.2s off"}))
	n, other := c.load(time.Millisecond), c.load(time.Millisecond)
	c.must(n.Start(t.Context()))
	c.must(c.core.Clock.Advance(t.Context(), 50*time.Millisecond))
	setup := func(of scope.Trigger) *scope.Setup {
		return &scope.Setup{Name: "a", Before: 0.01, After: 0.01, Mode: scope.Normal, Channels: []scope.Channel{port("n", n, "sum", "outValue")}, Trigger: of}
	}
	running := c.run(setup(scope.Trigger{Kind: scope.State, Net: other.Name(), State: "RUNNING"}))
	ends := c.run(setup(scope.Trigger{Kind: scope.State, Net: other.Name(), State: "TERMINATED"}))
	fires := c.run(setup(scope.Trigger{Kind: scope.Rule}))
	before := c.run(setup(scope.Trigger{Kind: scope.State, Net: n.Name(), State: "RUNNING"}))
	_, err := c.core.Rules.Add(t.Context(), rcc.RuleRequest{Condition: n.Name() + ".outhit", Start: []string{other.Name()}})
	c.must(err)
	fails := c.run(setup(scope.Trigger{Kind: scope.Fault, Device: "arm"}))
	amiss := c.run(setup(scope.Trigger{Kind: scope.Incident}))
	all := []*Running{running, ends, fires, before, fails, amiss}
	pass := func() {
		for range 20 {
			c.must(c.core.Clock.Advance(c.Context(), 20*time.Millisecond))
			for _, r := range all {
				r.Read()
			}
		}
	}
	pass()
	c.must(other.Abort(t.Context()))
	pass()
	for name, r := range map[string]*Running{"running": running, "ends": ends, "fires": fires, "fails": fails} {
		got, _ := r.After(0)
		if got == nil {
			t.Errorf("%s: no capture", name)
			continue
		}
		if len(got.Ticks) < 20 || got.Why == "" {
			t.Errorf("%s: %+v", name, got)
		}
		t.Logf("%s: %s", name, got.Why)
	}
	// The other net runs from the tick after the one in which the rule has fired, however late that was seen.
	started, _ := running.After(0)
	fired, _ := fires.After(0)
	if started.Trigger-fired.Trigger != int64(time.Millisecond) {
		t.Errorf("the rule fired in the tick %d, the net that it starts runs from %d on", fired.Trigger, started.Trigger)
	}
	for _, r := range []*Running{before, amiss} {
		if got, _ := r.After(0); got != nil {
			t.Errorf("what was so before the scope, or did not happen, has triggered: %s", got.Why)
		}
	}
}

// TestIncidents: of those that are kept, only what is new triggers.
func TestIncidents(t *testing.T) {
	c := newCell(t)
	w := watch(c.core)
	defer w.close()
	kept := []string{"a", "b", "c"}
	for n, want := range [][]string{{}, {"c"}, {"b", "c"}, kept, kept} {
		if got := newest(kept, uint64(n)); !slices.Equal(got, want) {
			t.Errorf("%d new: %v", n, got)
		}
	}
	w.amiss(func(e *scope.Event) { t.Errorf("nothing has happened: %+v", e) })
}

// TestFigures: what pages of devices and executors show can be channels.
func TestFigures(t *testing.T) {
	c := newCell(t)
	c.must(c.core.Devices.Create("arm", "kuka_lwr_sim", nil))
	n := c.load(time.Millisecond)
	c.must(n.Start(t.Context()))
	c.must(c.core.Clock.Advance(t.Context(), 10*time.Millisecond))
	names, err := c.scopes.figuresOfDevice("arm")
	c.must(err)
	if _, ok := names["robotarm/joints/6/measured"]; !ok || names["state"] == nil {
		t.Fatalf("figures of an arm: %s", some(names))
	}
	list := c.scopes.figures()
	executor := ""
	for _, f := range list.Executors {
		if slices.Contains(f.Figures, "load") {
			executor = f.Name
		}
	}
	r := c.run(&scope.Setup{
		Name: "figures", Before: 0.2, After: 0.2, Mode: scope.Auto,
		Channels: []scope.Channel{
			{Name: "joint", Source: scope.Source{Device: "arm", Figure: "robotarm/joints/6/measured"}},
			{Name: "state", Source: scope.Source{Device: "arm", Figure: "state"}},
			{Name: "load", Source: scope.Source{Executor: executor, Figure: "load"}},
			port("count", n, "sum", "outValue"),
		},
		Trigger: scope.Trigger{Kind: scope.None},
	})
	c.pass(r, time.Second)
	got, _ := r.After(0)
	if got == nil {
		t.Fatal("no capture")
	}
	for i, want := range []scope.Form{{Type: "double", Figure: true}, {Type: "state", Figure: true}, {Type: "double", Figure: true}, {Type: "int"}} {
		tr := got.Channels[i]
		if tr.Type != want.Type || tr.Figure != want.Figure || !slices.Contains(tr.Marks, scope.Value) {
			t.Errorf("%s: %+v", tr.Name, tr.Form)
		}
	}
	state := &got.Channels[1]
	if i := slices.Index(state.Marks, scope.Value); state.States[int(state.Values[0][i])] != "operational" {
		t.Errorf("state %v", state.Values[0][i])
	}
	if figures := c.scopes.figures(); len(figures.Devices) < 2 || len(figures.Executors) == 0 {
		t.Errorf("%+v", figures)
	}
}

// TestChange: a scope goes on with another setup, or as it was when that cannot be.
func TestChange(t *testing.T) {
	c := newCell(t)
	n := c.load(time.Millisecond)
	c.must(n.Start(t.Context()))
	setup := &scope.Setup{
		Name: "a", Before: 0.01, After: 0.01, Mode: scope.Auto, Channels: []scope.Channel{port("n", n, "sum", "outValue")},
		Trigger: scope.Trigger{Kind: scope.None},
	}
	r := c.run(setup)
	c.pass(r, time.Second)
	first := r.Capture(0)
	if first == nil {
		t.Fatal("no capture")
	}
	for _, test := range []struct {
		change func(s *scope.Setup)
		want   string
	}{
		{func(s *scope.Setup) { s.Channels[0].Source.Port = "nothing" }, "nothing"},
		{func(s *scope.Setup) { s.Channels[0].Source.Net = "n99" }, `net "n99": no such net`},
		{func(s *scope.Setup) { s.Channels[0].Source = scope.Source{Device: "rcc", Figure: "x"} }, `device rcc: it has no figure "x"; there are state`},
		{func(s *scope.Setup) { s.Channels[0].Source = scope.Source{Device: "q", Figure: "x"} }, `device "q"`},
		{func(s *scope.Setup) { s.Channels[0].Source = scope.Source{Executor: "q", Figure: "x"} }, `executor q: there is none of this name now`},
		{func(s *scope.Setup) { s.Channels[0].Component = "x" }, `setup /channels/0/component: component "x" is not one of a int`},
		{func(s *scope.Setup) { s.After = 3600 }, "setup /after: "},
		{func(s *scope.Setup) { s.Mode = "" }, "setup /mode: "},
	} {
		other := *setup
		other.Channels = slices.Clone(setup.Channels)
		test.change(&other)
		if err := r.Change(t.Context(), &other); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, not %s", err, test.want)
		}
	}
	c.pass(r, 100*time.Millisecond)
	second := r.Capture(0)
	if second.Number <= first.Number {
		t.Fatal("it does not go on")
	}
	other := *setup
	other.Name, other.Channels = "b", []scope.Channel{port("hit", n, "hit", "outValue")}
	c.must(r.Change(t.Context(), &other))
	c.pass(r, 100*time.Millisecond)
	third := r.Capture(0)
	if third.Number <= second.Number || third.Setup != "b" || third.Channels[0].Type != "bool" {
		t.Errorf("%+v", third)
	}
	if got, left := r.After(0); got == nil || left != got.Number-1 || left == 0 {
		t.Errorf("%d captures are left out", left)
	}
	// A net that has gone leaves the scope without values.
	c.must(n.Abort(t.Context()))
	c.pass(r, 2*time.Second)
	if got := r.Capture(0); len(got.Ticks) != 0 {
		t.Errorf("ticks after the end of the net: %d", len(got.Ticks))
	}
}

// TestManyScopes: no more run than are allowed, and one that is closed makes room.
func TestManyScopes(t *testing.T) {
	c := newCell(t)
	n := c.load(time.Millisecond)
	setup := &scope.Setup{
		Name: "a", Before: 0.01, After: 0.01, Mode: scope.Auto, Channels: []scope.Channel{port("n", n, "sum", "outValue")},
		Trigger: scope.Trigger{Kind: scope.None},
	}
	var all []*Running
	for range mostRunning {
		r, err := c.scopes.Start(t.Context(), setup, func() {})
		c.must(err)
		all = append(all, r)
	}
	if _, err := c.scopes.Start(t.Context(), setup, func() {}); err == nil || !strings.Contains(err.Error(), "8 scopes run") {
		t.Error(err)
	}
	all[0].Close()
	all[0].Close()
	all[0].Read()
	bad := *setup
	bad.Mode = "x"
	for range 2 * mostRunning { // one that is refused takes no room
		if _, err := c.scopes.Start(t.Context(), &bad, func() {}); err == nil || strings.Contains(err.Error(), "scopes run") {
			t.Error(err)
		}
	}
	r, err := c.scopes.Start(t.Context(), setup, func() {})
	c.must(err)
	for _, r := range append(all[1:], r) {
		r.Close()
	}
	if err := r.Change(t.Context(), setup); err == nil {
		t.Error("a closed scope was changed")
	}
}

// TestNewest: captures of so many names are kept.
func TestNewest(t *testing.T) {
	s := New(nil, nil)
	for i := range mostNewest + 1 {
		s.keep(&scope.Capture{Setup: fmt.Sprint(i), Number: i})
	}
	s.keep(&scope.Capture{Setup: "5", Number: 100})
	if _, err := s.Newest("0"); err == nil {
		t.Error("the oldest one is still kept")
	}
	if got, err := s.Newest("5"); err != nil || got.Number != 100 || len(s.newest) != mostNewest {
		t.Error(got, err)
	}
}
