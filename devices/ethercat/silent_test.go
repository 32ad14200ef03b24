package ethercat

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestDeadCable: some cycles after the last frame nothing is called good any more, and everything says how old it is.
func TestDeadCable(t *testing.T) {
	r := newRig(t, map[string]string{"cycle": "1ms"})
	r.pass(3 * time.Second)
	r.is(device.Operational, "")
	r.table.cable.Unplugged = true
	r.table.sleep(30 * time.Millisecond)
	r.is(device.Offline, "no frame has come back for")
	for _, n := range r.topology().Topology.Nodes {
		if n.Mood != device.Bad || !strings.Contains(n.Detail, "was in Op when it was heard") {
			t.Errorf("%+v", n)
		}
	}
	for _, s := range r.slavesView().Slaves {
		if s.Age < 0.025 || s.State != "Op" || !strings.Contains(s.Trouble, " ago") {
			t.Errorf("%+v", s)
		}
	}
	r.table.cable.Unplugged = false
	r.pass(3 * time.Second)
	r.is(device.Operational, "")
}

// TestSecondMaster: slaves that somebody else has taken the exchange from are in trouble, although they are in Op, until they have it
// again.
func TestSecondMaster(t *testing.T) {
	r := newRig(t, map[string]string{"cycle": "1ms"})
	r.pass(3 * time.Second)
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2, 9, 9, 9, 9, 9})
	w.Write(wire.BWR, 0x7f, wire.Broadcast(wire.FMMUAt(0)), make([]byte, wire.FMMUSize))
	r.table.chain.Process(w.Frame(), r.table.now(), func([]byte, int64) {})
	r.table.sleep(30 * time.Millisecond)
	r.is(device.SafeOperational, "was in Op when it was heard")
	for _, n := range r.topology().Topology.Nodes[1:] {
		if n.Mood != device.Bad {
			t.Errorf("%+v", n)
		}
	}
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	for i, s := range r.slavesView().Slaves {
		if i > 0 && s.Reconfigured != 1 {
			t.Errorf("%+v", s)
		}
	}
	for _, m := range r.Metrics() {
		if m.Which == "reconfigured" && m.Value != 2 {
			t.Errorf("%+v", m)
		}
	}
}
