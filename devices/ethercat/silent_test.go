package ethercat

import (
	"maps"
	"regexp"
	"slices"
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
		if n.Mood != device.Bad || !strings.HasSuffix(n.Detail, " ago, then in Op") {
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

// TestSecondMaster: slaves from which another master has taken the exchange are in trouble, although they are in Op, until they have it
// again.
func TestSecondMaster(t *testing.T) {
	r := newRig(t, map[string]string{"cycle": "1ms"})
	r.pass(3 * time.Second)
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2, 9, 9, 9, 9, 9})
	w.Write(wire.BWR, 0x7f, wire.Broadcast(wire.FMMUAt(0)), make([]byte, wire.FMMUSize))
	r.table.chain.Process(w.Frame(), r.table.now(), func([]byte, int64) {})
	r.table.sleep(30 * time.Millisecond)
	r.is(device.SafeOperational, "ago, then in Op")
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

// replug pulls the cable for some time, with looks at the bus, and plugs it again.
func (r *rig) replug(away time.Duration, look func()) {
	r.table.pulled, r.table.cable.Unplugged = true, true
	r.pass(30 * time.Millisecond)
	for end := r.table.now() + int64(away); r.table.now() < end; {
		r.pass(round)
		look()
	}
	r.table.pulled, r.table.cable.Unplugged = false, false
}

// TestLastKnown: what was known of slaves stays when the cable has died, also when the link is opened again and again, with an age that
// grows, until slaves are found again.
func TestLastKnown(t *testing.T) {
	r := newRig(t, nil)
	r.pass(3 * time.Second)
	before, begin := 0.0, r.table.now()
	r.replug(30*time.Second, func() {
		list, nodes := r.slavesView().Slaves, r.topology().Topology.Nodes
		if len(list) != 3 || len(nodes) != 3 {
			t.Fatalf("%d slaves, %d nodes after %v", len(list), len(nodes), time.Duration(r.table.now()-begin))
		}
		for i, s := range list {
			if s.Number != i+1 || s.State != "Op" && s.State != "Pre-Op" || !strings.Contains(s.Trouble, "was last heard") || s.Inputs == "fresh" || i == 2 && s.Age < before {
				t.Fatalf("%+v", s)
			}
			if nodes[i].Mood != device.Bad || nodes[i].Detail != s.Trouble {
				t.Errorf("%+v", nodes[i])
			}
		}
		before = list[2].Age
	})
	if r.table.opened < 3 || before < 29 {
		t.Errorf("opened %d times, the slaves are %v s old", r.table.opened, before)
	}
	if last := r.slavesView().Slaves[2]; !strings.Contains(last.Trouble, `slave 3 "EL2008-3" was last heard `) || !strings.HasSuffix(last.Trouble, "s ago, then in Op") {
		t.Error(last.Trouble)
	}
	r.pass(15 * time.Second)
	r.is(device.Operational, "")
	for _, s := range r.slavesView().Slaves {
		if s.Trouble != "" || s.State != "Op" || s.Age > 1 {
			t.Errorf("%+v", s)
		}
	}
}

// TestCauseAfterReturn: as soon as frames come back nothing says any more that they do not, however long slaves take to come back.
func TestCauseAfterReturn(t *testing.T) {
	for _, away := range []time.Duration{2 * time.Second, 20 * time.Second} {
		r := newRig(t, map[string]string{"rack": "EK1100,EL2008,EL3104,drive", "restart": "manual"})
		r.pass(3 * time.Second)
		r.replug(away, func() {})
		stale, looks := 0, 0
		r.table.each = func() {
			s := r.table.session
			if s == nil || s.master.Mute() > 0 || len(s.master.Slaves()) == 0 {
				return
			}
			looks++
			if text := r.Status().Cause + r.Trouble() + r.stateView().Trouble + r.stateView().Waiting; strings.Contains(text, "frames") {
				stale++
				t.Log(text)
			}
		}
		r.pass(15 * time.Second)
		if stale > 0 || looks < 100 {
			t.Errorf("away for %v: %d of %d looks show what is over", away, stale, looks)
		}
	}
}

// TestNotInOpAfterReturn: when frames come back the bus is not said to be in operation before all its slaves are in Op again.
func TestNotInOpAfterReturn(t *testing.T) {
	r := newRig(t, map[string]string{"rack": "EK1100,EL2008,EL3104", "restart": "manual"})
	r.pass(3 * time.Second)
	good, wrong := 0, 0
	r.table.each = func() {
		if r.Status().State != device.Operational {
			return
		}
		good++
		for s := range r.table.chain.Slaves() {
			if state, _ := s.State(); state != wire.Op {
				wrong++
			}
		}
	}
	r.replug(2*time.Second, func() { good = 0 })
	r.pass(5 * time.Second)
	if wrong > 0 || good < 100 {
		t.Errorf("%d looks show a bus in operation whose slaves are not in Op, %d are right", wrong, good)
	}
}

// TestDiary: what is done about slaves and the cable is logged once each, with the slave as people count it, why, what and how long; the
// incidents of the page have the same.
func TestDiary(t *testing.T) {
	r := newRig(t, map[string]string{"cycle": "1ms"})
	r.pass(3 * time.Second)
	if list := r.Diary(); len(list) != 0 {
		t.Errorf("after the start: %q", list)
	}
	if err := r.table.chain.Do("slave EL2008-3 error 0x001b safeop"); err != nil {
		t.Fatal(err)
	}
	r.pass(time.Second)
	list := r.Diary()
	if len(list) != 1 || !strings.Contains(list[0], ` slave 3 "EL2008-3" was in Safe-Op: 0x001b SyncManager watchdog; back after `) ||
		!strings.HasSuffix(list[0], ": acknowledged its error and asked for Op") {
		t.Fatalf("%q", list)
	}
	noticed := false
	for _, i := range r.framesView().Incidents {
		noticed = noticed || i.What == "slave back" && i.Slave != nil && *i.Slave == 3 && *i.Value == 3 && i.Name == "EL2008-3"
	}
	if !noticed {
		t.Errorf("%+v", r.framesView().Incidents)
	}
	r.replug(20*time.Second, func() {})
	r.pass(15 * time.Second)
	after := r.Diary()
	if len(after) < 3 || after[0] != list[0] || !strings.Contains(after[1], "frames do not come back") || !strings.Contains(after[2], "frames come back again, after 2") {
		t.Errorf("%q", after)
	}
	found := map[string]incidentView{}
	for _, i := range r.framesView().Incidents {
		found[i.What] = i
	}
	if i := found["slave repaired"]; i.Slave == nil || *i.Slave != 3 || i.Name != "EL2008-3" || *i.Took <= 0 || !strings.Contains(i.Cause, "0x001b") || i.Done == "" || i.Time == "" {
		t.Errorf("%+v", found)
	}

	r = newRig(t, map[string]string{"cycle": "1ms"})
	r.pass(3 * time.Second)
	for range 100 {
		if err := r.table.chain.Do("slave EL2008-3 error 0x001b safeop"); err != nil {
			t.Fatal(err)
		}
		r.pass(200 * time.Millisecond)
	}
	if n := len(r.Diary()); n != mostTold {
		t.Errorf("%d entries", n)
	}
}

// TestBeingConfigured: a slave that is configured again says so; it is not lost.
func TestBeingConfigured(t *testing.T) {
	r := newRig(t, map[string]string{"rack": "EK1100,EL2008,EL3104"})
	r.pass(3 * time.Second)
	if err := r.table.chain.Do("slave EL3104-3 cycle"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	r.table.each = func() {
		line, node := r.slavesView().Slaves[2], r.topology().Topology.Nodes[2]
		text := ageOf.ReplaceAllString(line.Trouble, "T ago")
		seen[text] = true
		if strings.Contains(text, "configured") && (node.Mood != device.Busy || node.Detail != line.Trouble || !strings.Contains(r.Status().Cause, text)) {
			t.Errorf("%q, %+v, %q", text, node, r.Status().Cause)
		}
	}
	r.pass(3 * time.Second)
	for _, state := range []string{"Init", "Pre-Op", "Safe-Op"} {
		if !seen[`slave 3 "EL3104-3" is being configured (`+state+")"] || seen[`slave 3 "EL3104-3" was last heard T ago, then in `+state] {
			t.Errorf("%q", slices.Collect(maps.Keys(seen)))
		}
	}
}

var ageOf = regexp.MustCompile(`[0-9.]+m?s ago`)
