package rcc_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// probe attaches a probe that keeps a second.
func (c *cell) probe(n *rcc.Net, ports ...rcc.ProbePort) *rcc.Probe {
	c.t.Helper()
	p, err := n.Probe(c.t.Context(), ports, time.Second)
	c.must(err)
	return p
}

// TestProbe attaches a probe in a tick, which sees the next one first, and every cycle after.
func TestProbe(t *testing.T) {
	c := newCell(t)
	n := c.load(counted)
	c.must(n.Start(t.Context()))
	c.advance(50 * time.Millisecond)
	begun := n.Debugged()
	p := c.probe(n, rcc.ProbePort{Path: "sum", Port: "outValue"}, rcc.ProbePort{Path: "f.not", Port: "outValue"}, rcc.ProbePort{Path: "f", Port: "inSum"})
	c.advance(40 * time.Millisecond)
	var s rcc.Samples
	c.must(p.Read(0, &s))
	if len(s.Cycle) != 4 || s.Cycle[0] != begun+1 || s.Lost != 0 {
		t.Fatalf("cycles %v, lost %d, begun %d", s.Cycle, s.Lost, begun)
	}
	for i, cycle := range s.Cycle {
		even := cycle%2 == 0
		if s.Columns[0].Words[i] != cycle || !s.Columns[0].Given[i] || s.Columns[1].Given[i] != even {
			t.Errorf("cycle %d: %v", cycle, s.Columns)
		}
	}
	p.Close()
	p.Close()
	c.advance(40 * time.Millisecond)
	if err := p.Read(0, &s); err != nil || len(s.Cycle) != 4 {
		t.Errorf("closed: %v, %v", err, s.Cycle)
	}
}
