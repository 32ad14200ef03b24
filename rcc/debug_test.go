package rcc_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
)

// counted counts cycles; its sum is recorded for three cycles of 10 ms, and only while it is even, for two.
const counted = `{sum=Core::IntAdd(inFirst[0.03]=last.outValue,Second='1'),pre=Core::IntPre(inValue=sum.outValue),first=Core::IntIsNull(inValue=pre.outValue),
	last=Core::IntConditional(inCondition=first.outValue,True='0',inFalse=pre.outValue),
	half=Core::IntDivide(inFirst=sum.outValue,Second='2'),twice=Core::IntMultiply(inFirst=half.outValue,Second='2'),even=Core::IntEquals(inFirst=sum.outValue,inSecond=twice.outValue),
	f={not=Core::IntIsNull(inValue[0.02]=parent.inSum)}(inActive=even.outValue,inSum=sum.outValue),
	stop=Core::BooleanNetcommIn(Key='stop'),outTerminate[.01]=stop.outValue}`

// tableOf is the debugging log of a net as text.
func tableOf(t *testing.T, n *rcc.Net) string {
	t.Helper()
	d := debug(t, n, 0)
	return string(d.AppendTable(d.AppendHeader(nil)))
}

func TestDebugLog(t *testing.T) {
	c := newCell(t)
	n := c.load(counted)
	const header = "time\tcycle\toutTerminate\tsum.inFirst\tf.not.inValue\n"
	if got := tableOf(t, n); got != header {
		t.Errorf("before the start: %q", got)
	}
	c.must(n.Start(t.Context()))
	c.advance(70 * time.Millisecond)
	want := header + "0.04\t5\t\t4\t\n" + "0.05\t6\t\t5\t6\n" + "0.06\t7\tfalse\t6\t\n"
	if got := tableOf(t, n); got != want {
		t.Errorf("running:\n%s\nwant\n%s", got, want)
	}
	c.must(n.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.advance(time.Second)
	want = header + "0.05\t6\t\t5\t\n" + "0.06\t7\t\t6\t\n" + "0.07\t8\ttrue\t7\t8\n"
	if got := tableOf(t, n); got != want || n.State() != rcc.Terminated {
		t.Errorf("%v:\n%s\nwant\n%s", n.State(), got, want)
	}
	d := debug(t, n, 7)
	if first, last := d.Cycles(); first != 8 || last != 8 {
		t.Errorf("after cycle 7 there are %d to %d", first, last)
	}
	for row := range d.Rows() {
		if got, want := fmt.Sprintf("%+v", *row), "{Time:0.07 Cycle:8 Values:[true 7 8] Given:[true true true]}"; got != want {
			t.Errorf("row %s, want %s", got, want)
		}
	}
	if got, want := fmt.Sprint(d.Ports), "[{outTerminate bool 10ms 10ms} {sum.inFirst int 30ms 30ms} {f.not.inValue int 20ms 20ms}]"; got != want {
		t.Errorf("ports %s, want %s", got, want)
	}
	if d.Shortened() {
		t.Error("it is shortened")
	}
}

func TestDebugLevels(t *testing.T) {
	for _, tt := range []struct {
		level rcc.DebugLevel
		ports int
		kept  time.Duration // of sum.inFirst
	}{
		{rcc.DebugOff, 0, 0}, {rcc.DebugRequested, 3, 30 * time.Millisecond}, {rcc.DebugAll, 11, 500 * time.Millisecond},
	} {
		t.Run(fmt.Sprint(tt.level), func(t *testing.T) {
			c := newCell(t, func(cfg *rcc.Config) { cfg.Debug = rcc.Debugging{Level: tt.level, Time: 500 * time.Millisecond} })
			d := debug(t, c.load(counted), 0)
			if len(d.Ports) != tt.ports || tt.ports > 0 && (d.Ports[1].Name != "sum.inFirst" || d.Ports[1].Kept != tt.kept) {
				t.Errorf("%d ports %v", len(d.Ports), d.Ports)
			}
		})
	}
}

// TestDebugMemoryIsLimited loads nets until there is no memory left for their recorders: they run all the same, and what is
// unloaded or rejected gives its memory back.
func TestDebugMemoryIsLimited(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) { cfg.Debug = rcc.Debugging{NetBytes: 10_000, Bytes: 24_000} })
	const long = `{c=Core::Clock(inIncrement[10]=d.outValue),d=Core::DoubleValue(Value='1'),outTerminate=Core::BooleanValue().outValue}`
	bytes := func(want ...int64) {
		t.Helper()
		for i, n := range c.Nets.All() {
			d := debug(t, n, 0)
			if d.Bytes != want[i] || !d.Shortened() {
				t.Errorf("net %d has %d bytes, want %d", i, d.Bytes, want[i])
			}
		}
	}
	nets := []*rcc.Net{c.load(long), c.load(long), c.load(long), c.load(long)}
	bytes(9984, 9984, 24*166, 0)
	for _, n := range nets {
		c.must(n.Start(t.Context()))
	}
	c.advance(50 * time.Millisecond)
	for i, n := range nets {
		if first, last := debug(t, n, 0).Cycles(); n.State() != rcc.Running || last+1-first != []uint64{5, 5, 5, 0}[i] {
			t.Errorf("net %d is %v, cycles %d to %d", i, n.State(), first, last)
		}
	}
	c.must(nets[0].Abort(t.Context()))
	c.must(nets[0].Unload(t.Context()))
	c.advance(50 * time.Millisecond)
	if _, err := c.Nets.Load(rcc.LoadRequest{Text: strings.Replace(long, "{", "{w=Core::DoubleAdd(Third='1'),", 1)}); err != nil {
		t.Fatal(err) // rejected
	}
	c.load(long)
	if d := debug(t, c.Nets.All()[4], 0); d.Bytes != 9984 {
		t.Errorf("what an unloaded net had is not there for the next one: %d bytes", d.Bytes)
	}
}

// TestDebugHammer reads the log of nets that run on the real clock and are ended and unloaded at the same time.
func TestDebugHammer(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) { cfg.Clock = rt.NewReal() })
	var readers sync.WaitGroup
	for range 20 {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: counted, Period: 200 * time.Microsecond})
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			readers.Go(func() { readUntil(t, n, 20) })
		}
		readUntil(t, n, 10)
		if err := n.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}); err != nil {
			t.Fatal(err)
		}
		readers.Wait()
		if err := n.Unload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// readUntil reads the log of a net until it has seen some cycles, or the net does not run any more.
func readUntil(t *testing.T, n *rcc.Net, cycles uint64) {
	for {
		ended := n.State() == rcc.Terminated
		d := debug(t, n, 0)
		for row := range d.Rows() {
			even := row.Cycle%2 == 0
			if row.Given[2] && (!even || row.Values[2] != fmt.Sprint(row.Cycle)) || row.Given[1] && row.Values[1] != fmt.Sprint(row.Cycle-1) {
				t.Errorf("row %v", *row)
				return
			}
		}
		if _, last := d.Cycles(); ended || last >= cycles {
			return
		}
	}
}

// TestDebugMemoryOfNetsThatFindNoPlace is given back: they are refused when they have been compiled.
func TestDebugMemoryOfNetsThatFindNoPlace(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) {
		cfg.MaxNets = 1
		cfg.Debug = rcc.Debugging{NetBytes: 10_000, Bytes: 20_000}
	})
	const long = `{c=Core::Clock(inIncrement[10]=d.outValue),d=Core::DoubleValue(Value='1'),outTerminate=Core::BooleanValue().outValue}`
	first := c.load(long)
	for range 3 {
		n, err := c.Nets.Load(rcc.LoadRequest{Text: long})
		if err != nil || n.State() != rcc.Rejected || n.Recorded() != 0 {
			t.Fatalf("a second net: %v, %d ports, %v", n.State(), n.Recorded(), err)
		}
	}
	c.must(first.Unload(t.Context()))
	c.advance(50 * time.Millisecond)
	if d := debug(t, c.load(long), 0); d.Bytes != 9984 {
		t.Errorf("%d bytes are left", d.Bytes)
	}
}

// debug is the log of a net that stands still.
func debug(t *testing.T, n *rcc.Net, after uint64) *rcc.DebugLog {
	t.Helper()
	d, err := n.Debug(after)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
