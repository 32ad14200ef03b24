package rcc_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
)

// probe attaches a probe that keeps a second.
func (c *cell) probe(n *rcc.Net, ports ...rcc.ProbePort) *rcc.Probe {
	c.t.Helper()
	p, err := n.Probe(c.t.Context(), ports, time.Second)
	c.must(err)
	return p
}

var sum = rcc.ProbePort{Path: "sum", Port: "outValue"}

// TestProbe attaches a probe in a tick, which sees the next one first, and every cycle after.
func TestProbe(t *testing.T) {
	c := newCell(t)
	n := c.load(counted)
	c.must(n.Start(t.Context()))
	c.advance(50 * time.Millisecond)
	begun := n.Debugged()
	tick := c.clock.Unix(c.clock.Now())
	p := c.probe(n, sum, rcc.ProbePort{Path: "f.not", Port: "outValue"}, rcc.ProbePort{Path: "f", Port: "inSum"}, rcc.ProbePort{Port: "outTerminate"})
	c.advance(40 * time.Millisecond)
	var s rcc.Samples
	c.must(p.Read(0, &s))
	if len(s.Cycle) != 4 || s.Cycle[0] != begun+1 || s.Lost != 0 || p.Kept() != time.Second {
		t.Fatalf("cycles %v, %d lost, kept for %v; attached in cycle %d", s.Cycle, s.Lost, p.Kept(), begun)
	}
	for i, cycle := range s.Cycle {
		even := cycle%2 == 0
		if s.Columns[0].Words[i] != cycle || !s.Columns[0].Given[i] || s.Columns[1].Given[i] != even || s.Columns[2].Words[i] != cycle {
			t.Errorf("cycle %d: %v", cycle, s.Columns)
		}
		if want := tick + int64(i+1)*int64(10*time.Millisecond); s.Time[i] != want {
			t.Errorf("cycle %d at %d, want %d", cycle, s.Time[i], want)
		}
	}
	if got, want := fmt.Sprint(p.Ports()), "[{sum.outValue int 1 false  []} {f.not.outValue bool 1 false  []} {f.inSum int 1 false  []} {outTerminate bool 1 false  []}]"; got != want {
		t.Errorf("ports %s, want %s", got, want)
	}
	c.must(p.Read(s.Cycle[3], &s))
	if len(s.Cycle) != 0 {
		t.Errorf("nothing has happened, and there are cycles %v", s.Cycle)
	}
	p.Close()
	p.Close()
	c.advance(40 * time.Millisecond)
	if err := p.Read(begun+4, &s); !errors.Is(err, rcc.ErrState) {
		t.Errorf("closed: %v, cycles %v", err, s.Cycle)
	}
}

// TestProbesOfConstants shows what has been folded: there is nothing to wait for.
func TestProbesOfConstants(t *testing.T) {
	c := newCell(t)
	n := c.load(`{two=Core::DoubleValue(Value='2'),four=Core::DoubleMultiply(inFirst=two.outValue,inSecond=two.outValue),
		clock=Core::Clock(inIncrement=four.outValue),outTerminate=Core::BooleanValue().outValue}`)
	p := c.probe(n, rcc.ProbePort{Path: "four", Port: "outValue"}, rcc.ProbePort{Path: "clock", Port: "outValue"}, rcc.ProbePort{Path: "clock", Port: "inReset"})
	if got, want := fmt.Sprint(p.Ports()), "[{four.outValue double 1 true 4 [4616189618054758400]} {clock.outValue double 1 false  []} {clock.inReset  0 false  []}]"; got != want {
		t.Errorf("ports %s, want %s", got, want)
	}
	c.must(n.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	var s rcc.Samples
	c.must(p.Read(0, &s))
	if len(s.Cycle) != 2 || len(s.Columns) != 3 || len(s.Columns[0].Words) != 0 || math.Float64frombits(s.Columns[1].Words[1]) == 0 {
		t.Errorf("%+v", s)
	}
}

// TestProbeOfANullConstant: an overflow is null in every cycle, and not the number that stands in the port.
func TestProbeOfANullConstant(t *testing.T) {
	c := newCell(t)
	n := c.load(`{most=Core::IntAdd(First='2147483647',Second='1'),outTerminate=Core::BooleanValue().outValue}`)
	p := c.probe(n, rcc.ProbePort{Path: "most", Port: "outValue"})
	if is := p.Ports()[0]; !is.Constant || is.Value != "" || is.Constants != nil {
		t.Errorf("%+v", is)
	}
}

// TestProbesEndWithTheirNets says why there is nothing more to come, after the last samples have been read.
func TestProbesEndWithTheirNets(t *testing.T) {
	c := newCell(t)
	var s rcc.Samples
	n := c.load(counted)
	p := c.probe(n, sum)
	c.must(p.Read(0, &s))
	c.must(n.Start(t.Context()))
	c.advance(20 * time.Millisecond)
	c.must(n.Set([]rcc.KeyValue{{Key: "instop", Value: "true"}}))
	c.advance(50 * time.Millisecond)
	c.must(n.Unload(t.Context()))
	c.must(p.Read(0, &s))
	if !slices.Equal(s.Cycle, []uint64{1, 2, 3}) {
		t.Errorf("cycles %v", s.Cycle)
	}
	if err := p.Read(3, &s); err == nil || err.Error() != `net "rpinet0": it has ended: terminated after 3 cycles` {
		t.Errorf("after the end: %v", err)
	}
	if _, err := n.Probe(t.Context(), []rcc.ProbePort{sum}, time.Second); !errors.Is(err, rcc.ErrState) && !errors.Is(err, rcc.ErrNoNet) {
		t.Errorf("a probe of a net that is gone: %v", err)
	}
	waits := c.load(counted)
	p = c.probe(waits, sum)
	c.must(waits.Unload(t.Context()))
	c.advance(10 * time.Millisecond)
	if err := p.Read(0, &s); !errors.Is(err, rcc.ErrNoNet) || err.Error() != `net "rpinet1": it is unloaded` {
		t.Errorf("unloaded before the start: %v", err)
	}
}

// TestProbesThatAreRefused: each has a reason, and leaves nothing behind.
func TestProbesThatAreRefused(t *testing.T) {
	memory := budget.New(1 << 20)
	c := newCell(t, func(cfg *rcc.Config) {
		cfg.Probes = rcc.Probing{NetWords: 4, Words: 6, Bytes: 65_536}
		cfg.Quotas.Memory = memory
	})
	a, b := c.load(counted), c.load(counted)
	used := memory.Usage().Used
	first := c.probe(a, sum, sum, sum)
	many := func(n int) []rcc.ProbePort { return slices.Repeat([]rcc.ProbePort{sum}, n) }
	for _, test := range []struct {
		net   *rcc.Net
		ports []rcc.ProbePort
		kind  error
		want  string
	}{
		{a, many(2), rcc.ErrTooMany, `net "rpinet0": the probe takes 2 words a cycle, 4 are allowed for a net, 3 are in use`},
		{b, many(4), rcc.ErrTooMany, `net "rpinet1": the probe takes 4 words a cycle, 6 are allowed for all nets, 3 are in use`},
		{b, many(5), rcc.ErrTooMany, `net "rpinet1": 5 ports are too many for a probe, 4 are allowed`},
		{b, nil, rcc.ErrValue, `net "rpinet1": a probe needs a port`},
		{b, []rcc.ProbePort{{Path: "sum", Port: "outSum"}}, rcc.ErrNoPort, `net "rpinet1": it has no port sum.outSum; sum has outValue, inFirst, inSecond`},
		{b, []rcc.ProbePort{{Path: strings.Repeat("x", 5000), Port: "outSum"}}, rcc.ErrNoPort, ""},
	} {
		_, err := test.net.Probe(t.Context(), test.ports, time.Second)
		if !errors.Is(err, test.kind) || test.want != "" && err.Error() != test.want || len(err.Error()) > 2500 {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	first.Close()
	c.advance(10 * time.Millisecond)
	if now := memory.Usage().Used; now != used {
		t.Errorf("%d bytes are used, %d before there were probes", now, used)
	}
	for range 20 { // places, words and memory are there again
		c.probe(b, many(4)...).Close()
		c.advance(0)
	}
}

// TestProbesKeepForAsLongAsThereIsMemory shortens probes, and refuses one that could not keep the least.
func TestProbesKeepForAsLongAsThereIsMemory(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) { cfg.Probes = rcc.Probing{NetWords: 5, Bytes: 8000} })
	n := c.load(counted)
	c.must(n.Start(t.Context()))
	var probes []*rcc.Probe
	for range 4 {
		p, err := n.Probe(t.Context(), []rcc.ProbePort{sum}, time.Minute)
		c.must(err)
		probes = append(probes, p)
		if kept := p.Kept(); kept != 610*time.Millisecond { // a row has four words, and one is being written
			t.Errorf("kept for %v", kept)
		}
	}
	for range 3 {
		if _, err := n.Probe(t.Context(), []rcc.ProbePort{sum}, time.Minute); !errors.Is(err, rcc.ErrMemory) {
			t.Errorf("without memory: %v", err)
		}
	}
	c.advance(time.Second)
	var s rcc.Samples
	c.must(probes[0].Read(0, &s))
	if len(s.Cycle) != 61 || s.Lost != 39 || s.Cycle[60] != 100 {
		t.Errorf("%d cycles up to %d, %d lost", len(s.Cycle), s.Cycle[len(s.Cycle)-1], s.Lost)
	}
	c.must(probes[0].Read(30, &s))
	if s.Lost != 9 {
		t.Errorf("after cycle 30 %d are lost", s.Lost)
	}
}

// TestProbesWhenTheCoreEnds closes a core with probes.
func TestProbesWhenTheCoreEnds(t *testing.T) {
	memory := budget.New(1 << 20)
	c := newCellWithout(t, func(cfg *rcc.Config) { cfg.Quotas.Memory = memory })
	runs, waits := c.load(counted), c.load(counted)
	c.must(runs.Start(t.Context()))
	c.advance(30 * time.Millisecond)
	p, q := c.probe(runs, sum), c.probe(waits, sum)
	c.must(c.Close(closed()))
	var s rcc.Samples
	if used := memory.Usage().Used; used != 0 {
		t.Errorf("%d bytes are not given back", used)
	}
	for _, probe := range []*rcc.Probe{p, q} {
		if err := probe.Read(0, &s); err == nil {
			t.Error("a probe of a core that has ended goes on")
		}
		probe.Close()
	}
	if _, err := waits.Probe(t.Context(), []rcc.ProbePort{sum}, time.Second); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("a probe of a core that has ended: %v", err)
	}
}

// TestProbesOnTheRealClock attaches probes from several goroutines, reads and closes them, while nets run, end and are unloaded.
func TestProbesOnTheRealClock(t *testing.T) {
	c := newCell(t, func(cfg *rcc.Config) { cfg.Clock = rt.NewReal() })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				n, err := c.Nets.Load(rcc.LoadRequest{Text: counted, Period: time.Millisecond})
				if err != nil || n.State() != rcc.Ready {
					t.Errorf("%v: %v", err, n.Problems())
					return
				}
				readAndEnd(t, n)
			}
		})
	}
	all.Wait()
}

// readAndEnd reads probes of a net while it runs, and ends both in any order.
func readAndEnd(t *testing.T, n *rcc.Net) {
	ports := []rcc.ProbePort{sum, {Path: "f.not", Port: "outValue"}}
	early, err := n.Probe(t.Context(), ports, 10*time.Second)
	if err != nil {
		t.Error(err)
		return
	}
	defer early.Close()
	if err := n.Start(t.Context()); err != nil {
		t.Error(err)
		return
	}
	late, err := n.Probe(t.Context(), ports, 10*time.Second)
	if err != nil {
		t.Error(err)
		return
	}
	for _, p := range []*rcc.Probe{early, late} {
		var s rcc.Samples
		for seen := uint64(0); seen < 20; {
			if err := p.Read(seen, &s); err != nil {
				t.Error(err)
				return
			}
			for i, cycle := range s.Cycle {
				if seen > 0 && cycle != seen+1 || s.Columns[0].Words[i] != cycle {
					t.Errorf("cycle %d after %d, the sum is %d, lost %d", cycle, seen, s.Columns[0].Words[i], s.Lost)
				}
				seen = cycle
			}
		}
	}
	if err := errors.Join(n.Abort(t.Context()), n.Unload(t.Context())); err != nil {
		t.Error(err)
	}
	late.Close()
}
