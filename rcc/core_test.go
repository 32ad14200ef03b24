package rcc_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// cell is a core with a virtual clock that stands still until it is told to go on.
type cell struct {
	*rcc.Core
	t     *testing.T
	clock *rt.Virtual
}

func newCell(t *testing.T, change ...func(*rcc.Config)) *cell {
	t.Helper()
	c := newCellWithout(t, change...)
	t.Cleanup(func() {
		if err := c.Close(closed()); err != nil {
			t.Errorf("close: %v", err)
		}
		leak.None(t)
	})
	return c
}

// newCellWithout is newCell for a test that closes the cell itself.
func newCellWithout(t *testing.T, change ...func(*rcc.Config)) *cell {
	t.Helper()
	catalogue, err := spec.NewCatalogue(core.Primitives(), testdevice.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	clock := rt.NewVirtual(time.Unix(1_000_000, 0))
	cfg := rcc.Config{Catalogue: catalogue, Clock: clock, DeviceTypes: []device.Type{testdevice.Type}}
	for _, f := range change {
		f(&cfg)
	}
	c, err := rcc.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &cell{Core: c, t: t, clock: clock}
}

// closed is a context without patience: nets are aborted at once.
func closed() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func (c *cell) advance(d time.Duration) {
	c.t.Helper()
	c.must(c.Clock.Advance(c.t.Context(), d))
}

func (c *cell) load(text string) *rcc.Net {
	c.t.Helper()
	n, err := c.Nets.Load(rcc.LoadRequest{Text: text, Period: 10 * time.Millisecond})
	if err != nil {
		c.t.Fatal(err)
	}
	if p := n.Problems(); len(p) > 0 {
		c.t.Fatalf("rejected: %v", p)
	}
	return n
}

func (c *cell) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *cell) states(n *rcc.Net) string {
	transitions, _ := n.Since(0)
	var words []string
	for _, t := range transitions {
		words = append(words, t.State.String())
	}
	return strings.Join(words, " ")
}

// onRequest ends when its input stop is true, or one cycle after it was cancelled.
const onRequest = `{stop=Core::BooleanNetcommIn(Key='stop'), c=Cancel(), was=Core::BooleanPre(inValue=c.outCancel),
	end=Core::BooleanOr(inFirst=stop.outValue,inSecond=was.outValue), outTerminate=end.outValue,
	out=Core::BooleanNetcommOut(Key='stopped',inValue=stop.outValue)}`

const arm = `{v=Core::DoubleValue(Value='1'), a=Test::Actuator(Device='arm',inValue=v.outValue), outTerminate=Core::BooleanValue().outValue}`

func TestLifeOfANet(t *testing.T) {
	c := newCell(t)
	n := c.load(onRequest)
	c.must(n.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	c.must(n.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.advance(30 * time.Millisecond)
	c.must(n.Unload(t.Context()))
	c.advance(10 * time.Millisecond)

	if got, want := c.states(n), "READY RUNNING TERMINATED TERMINATED UNLOADED"; got != want {
		t.Errorf("states %s, want %s", got, want)
	}
	if e, ok := n.Ended(); !ok || e.Cycle != 4 {
		t.Errorf("ended %v after cycle %d, want 4", ok, e.Cycle)
	}
	transitions, _ := n.Since(0)
	want := []rcc.KeyValue{{Key: "outstopped", Value: "true"}}
	if diff := cmp.Diff(want, transitions[2].Values.Reported(nil)); diff != "" {
		t.Errorf("values at the end: %s", diff)
	}
	if _, err := c.Nets.Get(n.Name()); !errors.Is(err, rcc.ErrNoNet) {
		t.Errorf("an unloaded net is found: %v", err)
	}
}

func TestCancelAndAbort(t *testing.T) {
	c := newCell(t)
	cancelled, aborted := c.load(onRequest), c.load(onRequest)
	for _, n := range []*rcc.Net{cancelled, aborted} {
		c.must(n.Start(t.Context()))
	}
	c.advance(20 * time.Millisecond)
	c.must(cancelled.Cancel(t.Context()))
	c.must(aborted.Abort(t.Context()))
	c.advance(50 * time.Millisecond)
	if got, want := c.states(cancelled), "READY RUNNING CANCELLING TERMINATED"; got != want {
		t.Errorf("cancelled: %s, want %s", got, want)
	}
	if got, want := c.states(aborted), "READY RUNNING TERMINATED"; got != want {
		t.Errorf("aborted: %s, want %s", got, want)
	}
}

func TestIllegalTransitionsAreRefusedWithAReason(t *testing.T) {
	c := newCell(t)
	n := c.load(onRequest)
	ctx := t.Context()
	check := func(what string, err error, kind error, reason string) {
		t.Helper()
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", what, err, reason)
		}
	}
	check("cancel before start", n.Cancel(ctx), rcc.ErrState, `net "rpinet0": cannot cancel while READY`)
	check("abort before start", n.Abort(ctx), rcc.ErrState, "cannot abort while READY")
	c.must(n.Start(ctx))
	check("second start", n.Start(ctx), rcc.ErrState, "cannot start while RUNNING")
	c.must(n.Abort(ctx))
	check("start after the end", n.Start(ctx), rcc.ErrState, "cannot start while TERMINATED")
	c.must(n.Unload(ctx))
	check("second unload", n.Unload(ctx), rcc.ErrNoNet, "being unloaded")
}

func TestRejectedNetsStayWithTheirProblems(t *testing.T) {
	c := newCell(t)
	n, err := c.Nets.Load(rcc.LoadRequest{Text: `{a=Core::DoubelAdd(), b=Core::DoubleAdd(inFirst=c.outValue)}`})
	c.must(err)
	if n.State() != rcc.Rejected || len(n.Problems()) != 3 {
		t.Errorf("%v: %v", n.State(), n.Problems())
	}
	if err := n.Start(t.Context()); !errors.Is(err, rcc.ErrState) {
		t.Errorf("start: %v", err)
	}
	if err := n.Set([]rcc.KeyValue{{Key: "inx", Value: "1"}}); !errors.Is(err, rcc.ErrState) {
		t.Errorf("set: %v", err)
	}
	c.must(n.Unload(t.Context()))
	if got, want := c.states(n), "REJECTED TERMINATED UNLOADED"; got != want {
		t.Errorf("states %s, want %s", got, want)
	}
}

func TestTextThatDoesNotParse(t *testing.T) {
	c := newCell(t)
	_, err := c.Nets.Load(rcc.LoadRequest{Text: "{a=}"})
	var refused *grammar.Error
	if !errors.As(err, &refused) || refused.Pos != (grammar.Pos{Line: 1, Column: 4}) {
		t.Errorf("error %v", err)
	}
	if n := c.load(onRequest); n.Name() != "rpinet1" {
		t.Errorf("the refused text used up no number: next is %s", n.Name())
	}
}

func TestCycleTimes(t *testing.T) {
	c := newCell(t)
	for _, tt := range []struct {
		seconds float64
		want    time.Duration // zero: rejected
	}{
		{0, 2 * time.Millisecond},
		{0.003, 3 * time.Millisecond},
		{0.0333, 33300 * time.Microsecond},
		{0.000125, 125 * time.Microsecond},
		{1e-6, 0},
		{-1, 0},
		{1e9, 0},
		{61, 0},
	} {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Period: rcc.Seconds(tt.seconds)})
		c.must(err)
		if rejected := n.State() == rcc.Rejected; rejected != (tt.want == 0) || !rejected && n.Period() != tt.want {
			t.Errorf("%v s: %v, %v %v", tt.seconds, n.Period(), n.State(), n.Problems())
		}
	}
}

func TestValuesThatDoNotFit(t *testing.T) {
	c := newCell(t)
	n := c.load(`{x=Core::DoubleNetcommIn(Key='x',Value='2'), y=Core::DoubleNetcommIn(Key='y'), outTerminate=Core::BooleanValue().outValue}`)
	for _, tt := range []struct {
		key, value string
		want       error
	}{
		{"inx", "fast", rcc.ErrValue}, {"inz", "1", rcc.ErrNoKey}, {"x", "1", rcc.ErrNoKey},
	} {
		err := n.Set([]rcc.KeyValue{{Key: "iny", Value: "7"}, {Key: tt.key, Value: tt.value}})
		if !errors.Is(err, tt.want) {
			t.Errorf("%s=%s: %v", tt.key, tt.value, err)
		}
	}
	c.must(n.Set([]rcc.KeyValue{{Key: "inx", Value: "-Infinity"}}))
	want := []rcc.KeyValue{{Key: "inx", Value: "-inf"}, {Key: "iny", Value: "0"}}
	if diff := cmp.Diff(want, n.Inputs()); diff != "" {
		t.Error(diff)
	}
}

func TestResourcesHaveOneOwner(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	first, second := c.load(arm), c.load(arm)
	c.must(first.Start(t.Context()))
	err := second.Start(t.Context())
	if !errors.Is(err, rcc.ErrResource) || !strings.Contains(err.Error(), "held by rpinet0") || second.State() != rcc.Ready {
		t.Fatalf("start of the second: %v, %v", err, second.State())
	}
	if err := c.Devices.Remove("arm"); err == nil || !strings.Contains(err.Error(), "2 nets use it") {
		t.Errorf("a device in use was removed: %v", err)
	}
	c.must(first.Abort(t.Context()))
	c.must(second.Start(t.Context()))
	c.must(second.Abort(t.Context()))
	for _, n := range []*rcc.Net{first, second} {
		c.must(n.Unload(t.Context()))
	}
	c.advance(20 * time.Millisecond)
	c.must(c.Devices.Remove("arm"))
}

func TestARejectedNetGivesItsDevicesBack(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	n, err := c.Nets.Load(rcc.LoadRequest{Text: strings.Replace(arm, "outTerminate", "outOther", 1)})
	c.must(err)
	if n.State() != rcc.Rejected {
		t.Fatal(n.State())
	}
	c.must(c.Devices.Remove("arm"))
}

func TestDevices(t *testing.T) {
	c := newCell(t)
	for name, typ := range map[string]string{"rcc": "test", "": "test", "a/b": "test", "a\x01": "test", "x": "unknown"} {
		if err := c.Devices.Create(name, typ, nil); err == nil {
			t.Errorf("device %q of type %s was created", name, typ)
		}
	}
	c.must(c.Devices.Create("my arm", "test", nil))
	if err := c.Devices.Create("my arm", "test", nil); err == nil {
		t.Error("a name was used twice")
	}
	var names []string
	for _, d := range c.Devices.All() {
		names = append(names, fmt.Sprintf("%s %s %s", d.Name, d.Type, d.State.Wire()))
	}
	if want := []string{"rcc rcc op", "my arm test op"}; !slices.Equal(names, want) {
		t.Errorf("devices %q, want %q", names, want)
	}
	c.must(c.Devices.Remove("my arm"))
	if err := c.Devices.Remove("my arm"); !errors.Is(err, spec.ErrNoDevice) {
		t.Errorf("removing it again: %v", err)
	}
}

func TestSessionsGroupNets(t *testing.T) {
	c := newCell(t)
	s, err := c.Sessions.Open("app@host")
	c.must(err)
	if s.Name() != "s1" {
		t.Errorf("first session is %s", s.Name())
	}
	mine, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Session: "s1"})
	c.must(err)
	other, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Session: "s99"})
	c.must(err)
	if mine.Session() != "s1" || other.Session() != "" {
		t.Errorf("sessions %q and %q", mine.Session(), other.Session())
	}
	c.must(mine.Start(t.Context()))
	c.must(other.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(s.End(t.Context()))
	c.advance(20 * time.Millisecond)
	if mine.State() != rcc.Unloaded || other.State() != rcc.Running {
		t.Errorf("after the end of the session: %v and %v", mine.State(), other.State())
	}
	if err := s.End(t.Context()); !errors.Is(err, rcc.ErrNoSession) {
		t.Errorf("ended twice: %v", err)
	}
}

func TestUnloadOfARunningNetWaitsForItsEnd(t *testing.T) {
	c := newCell(t)
	n := c.load(onRequest)
	c.must(n.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(n.Unload(t.Context()))
	c.advance(20 * time.Millisecond)
	if n.State() != rcc.Running {
		t.Fatalf("after unload it is %v", n.State())
	}
	c.must(n.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	bell, stop := c.Changes.Watch()
	defer stop()
	c.advance(20 * time.Millisecond)
	for n.State() != rcc.Unloaded {
		<-bell
	}
	if got, want := c.states(n), "READY RUNNING TERMINATED TERMINATED UNLOADED"; got != want {
		t.Errorf("states %s, want %s", got, want)
	}
}

func TestNetsTalkToEachOther(t *testing.T) {
	c := newCell(t)
	source := c.load(`{x=Core::DoubleNetcommIn(Key='x',Value='1'), out=Core::DoubleNetcommOut(Key='x',Report='false',inValue=x.outValue),
		outTerminate=Core::BooleanValue().outValue}`)
	reader := c.load(`{x=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='rpinet0',RemoteKey='x'),
		out=Core::DoubleNetcommOut(Key='y',inValue=x.outValue), back=Core::DoubleNetcommIn(Key='back'),
		o=Core::DoubleNetcommOut(Key='back',inValue=back.outValue), outTerminate=Core::BooleanValue().outValue}`)
	writer := c.load(`{v=Core::DoubleValue(Value='5'), x=Core::DoubleInterNetcommOut(RemoteRCC='',RemoteNet='rpinet1',RemoteKey='back',inValue=v.outValue),
		outTerminate=Core::BooleanValue().outValue}`)
	for _, n := range []*rcc.Net{source, reader, writer} {
		c.must(n.Start(t.Context()))
	}
	c.advance(50 * time.Millisecond)
	want := []rcc.KeyValue{{Key: "outy", Value: "1"}, {Key: "outback", Value: "5"}}
	if diff := cmp.Diff(want, reader.Values().Reported(nil)); diff != "" {
		t.Error(diff)
	}
	if got := source.Values().Reported(nil); len(got) != 0 {
		t.Errorf("an unreported value was reported: %v", got)
	}
	missing, err := c.Nets.Load(rcc.LoadRequest{Text: `{x=Core::DoubleInterNetcommIn(RemoteRCC='',RemoteNet='rpinet0',RemoteKey='z'),outTerminate=Core::BooleanValue().outValue}`})
	c.must(err)
	if missing.State() != rcc.Rejected {
		t.Error("a net that reads a value that is not there was loaded")
	}
}

func TestRuleThatHoldsAtOnce(t *testing.T) {
	c := newCell(t)
	c.must(c.Devices.Create("arm", "test", nil))
	first, second, third := c.load(arm), c.load(arm), c.load(arm)
	c.must(first.Start(t.Context()))
	c.advance(20 * time.Millisecond)

	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{Condition: "t", Start: []string{second.Name()}})
	c.must(err)
	if state, reason := r.State(); state != rcc.RuleFailed || !strings.Contains(reason, "held by rpinet0") {
		t.Errorf("start without the resource: %v %s", state, reason)
	}
	if second.State() != rcc.Scheduled || first.State() != rcc.Running {
		t.Errorf("after the failure: %v, %v", second.State(), first.State())
	}
	r, err = c.Rules.Add(t.Context(), rcc.RuleRequest{Stop: []string{first.Name()}, Start: []string{third.Name()}})
	c.must(err)
	c.advance(20 * time.Millisecond)
	if state, _ := r.State(); state != rcc.RuleFired || first.State() != rcc.Terminated || third.State() != rcc.Running || r.Number() != 2 {
		t.Errorf("rule %d %v: %v, %v", r.Number(), state, first.State(), third.State())
	}
}

func TestRefusedRules(t *testing.T) {
	c := newCell(t)
	n := c.load(onRequest)
	for _, tt := range []struct {
		name string
		req  rcc.RuleRequest
		want string
	}{
		{"syntax", rcc.RuleRequest{Condition: "rpinet0."}, "line 1, column 9"},
		{"unknown net", rcc.RuleRequest{Start: []string{"rpinet9"}}, `net "rpinet9": no such net`},
		{"named twice", rcc.RuleRequest{Start: []string{"rpinet0"}, Stop: []string{"rpinet0"}}, "named twice"},
		{"unknown net in the condition", rcc.RuleRequest{Condition: "rpinet8.outx"}, `net "rpinet8"`},
	} {
		_, err := c.Rules.Add(t.Context(), tt.req)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if n.State() != rcc.Ready {
		t.Errorf("a refused rule left the net %v", n.State())
	}
	r, err := c.Rules.Add(t.Context(), rcc.RuleRequest{})
	c.must(err)
	if r.Number() != 4 {
		t.Errorf("refused rules use up a number; next is %d", r.Number())
	}
}

func TestCloseAbortsWhatDoesNotEnd(t *testing.T) {
	c := newCell(t)
	n := c.load(`{outTerminate=Core::BooleanValue().outValue}`)
	c.must(n.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(c.Close(closed()))
	if e, ok := n.Ended(); !ok || n.State() != rcc.Terminated {
		t.Errorf("after close: %v %v", n.State(), e)
	}
	if _, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest}); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("load after close: %v", err)
	}
}

// unrest is a device that tells how many nets were active when it was closed.
type unrest struct {
	testdevice.Device
	core    **rcc.Core
	atClose *[]int
}

func (d *unrest) Close() error {
	active := 0
	for _, n := range (*d.core).Nets.All() {
		if n.State().Active() {
			active++
		}
	}
	*d.atClose = append(*d.atClose, active)
	return nil
}

func TestCloseBringsDevicesToRestWhenNothingRuns(t *testing.T) {
	var core *rcc.Core
	var atClose []int
	c := newCell(t, func(cfg *rcc.Config) {
		cfg.DeviceTypes = []device.Type{{Name: "unrest", Open: func(*device.Env, map[string]string) (device.Device, error) {
			return &unrest{core: &core, atClose: &atClose}, nil
		}}}
	})
	core = c.Core
	c.must(c.Devices.Create("arm", "unrest", nil))
	c.must(c.Devices.Create("leg", "unrest", nil))
	c.must(c.load(`{outTerminate=Core::BooleanValue().outValue}`).Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(c.Close(closed()))
	if diff := cmp.Diff([]int{0, 0}, atClose); diff != "" {
		t.Errorf("nets that were active when a device was closed: %s", diff)
	}
}

// Nets of clients are bounded in number and size, and give their room back.
func TestLoadedNetsAreLimited(t *testing.T) {
	const text = `{outTerminate=Core::BooleanValue().outValue}`
	c := newCell(t, func(cfg *rcc.Config) { cfg.MaxNets, cfg.MaxBytes = 2, 3*len(text) })
	first, second := c.load(text), c.load(text)
	c.must(first.Start(t.Context()))
	third, err := c.Nets.Load(rcc.LoadRequest{Text: text})
	c.must(err)
	if third.State() != rcc.Rejected || len(third.Problems()) != 1 || !strings.Contains(third.Problems()[0].Text, "too many nets") {
		t.Errorf("one net too many is %v: %v", third.State(), third.Problems())
	}
	if _, err := c.Nets.Load(rcc.LoadRequest{Text: text + strings.Repeat(" ", len(text))}); !errors.Is(err, rcc.ErrTooMany) {
		t.Errorf("one text too many: %v", err)
	}
	if first.State() != rcc.Running || second.State() != rcc.Ready {
		t.Errorf("those that were there are %v and %v", first.State(), second.State())
	}
	for _, n := range []*rcc.Net{second, third} {
		c.must(n.Unload(t.Context()))
	}
	c.advance(20 * time.Millisecond)
	c.load(text)
}

func TestRejectedNetsAreNotKeptForEver(t *testing.T) {
	c := newCell(t)
	for range 300 {
		if _, err := c.Nets.Load(rcc.LoadRequest{Text: "{}"}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.Nets.All()); n != 200 {
		t.Errorf("%d rejected nets are kept", n)
	}
	if _, err := c.Nets.Get("rpinet299"); err != nil {
		t.Errorf("the newest is not among them: %v", err)
	}
}

func TestSessionsAreLimited(t *testing.T) {
	c := newCell(t)
	const limit = 1000
	for range limit {
		s, err := c.Sessions.Open(strings.Repeat("x", 5000))
		c.must(err)
		if d := s.Description(); len(d) > 1100 {
			t.Fatalf("a description of %d bytes is kept", len(d))
		}
	}
	load := func(session string) {
		if _, err := c.Nets.Load(rcc.LoadRequest{Text: onRequest, Session: session}); err != nil {
			t.Fatal(err)
		}
	}
	load("s1")
	_, err := c.Sessions.Open("one more")
	c.must(err)
	if n := len(c.Sessions.All()); n != limit {
		t.Errorf("there are %d", n)
	}
	if _, err := c.Sessions.Get("s1"); err != nil {
		t.Errorf("one with a net is gone: %v", err)
	}
	if _, err := c.Sessions.Get("s2"); !errors.Is(err, rcc.ErrNoSession) {
		t.Errorf("the oldest without nets: %v", err)
	}
	for _, s := range c.Sessions.All()[1:] {
		load(s.Name())
	}
	if _, err := c.Sessions.Open("too many"); !errors.Is(err, rcc.ErrTooMany) {
		t.Errorf("all have nets: %v", err)
	}
}
