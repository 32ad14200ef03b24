package sim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// planned lets a rack suffer for some seconds of frames, and returns what has happened and what came back.
func planned(t *testing.T, p Schedule, d time.Duration) (m *master, incidents []Incident, count uint64, answers []byte) {
	t.Helper()
	m = newMaster(t, smallRack)
	m.start(wire.Op)
	m.chain.Plan(p)
	for end := m.now + int64(d); m.now < end; {
		answer, _ := m.try(wire.LRW, wire.Logical(0), m.image)
		answers = append(answers, byte(answer.Counter), byte(len(answer.Data)))
		m.now = (m.now/cycleTime + 1) * cycleTime
	}
	incidents, count = m.chain.Incidents()
	return m, incidents, count, answers
}

// The same seed gives the same faults with the same consequences, another one gives others, and every kind happens.
func TestSchedule(t *testing.T) {
	p := Schedule{Seed: 7, Every: 5 * time.Millisecond, Longest: 50 * time.Millisecond}
	_, first, count, answers := planned(t, p, 2*time.Second)
	_, second, again, repeated := planned(t, p, 2*time.Second)
	if !slices.Equal(first, second) || count != again || !slices.Equal(answers, repeated) {
		t.Errorf("%d and %d faults\n%v\n%v", count, again, first, second)
	}
	p.Seed++
	if _, other, _, _ := planned(t, p, 2*time.Second); slices.Equal(first, other) {
		t.Error("another seed gives the same faults")
	}
	happened := map[string]bool{}
	for _, kind := range []FaultKinds{FrameFaults, CableFaults, SlaveFaults, DataFaults, MailFaults} { // alone: slaves are not brought back here
		p.Kinds = kind
		_, list, _, _ := planned(t, p, 3*time.Second)
		for _, i := range list {
			words := strings.Fields(i.Command)
			if words[0] == "slave" {
				words = words[2:]
			}
			happened[words[0]] = true
		}
	}
	for _, f := range allPlanned {
		command := strings.Fields(f.begin(newMaster(t, smallRack).chain.slaves[0].random))[0]
		if command != "sync" && !happened[command] { // SYNC0 is not on here
			t.Errorf("%s does not happen: %v", command, happened)
		}
	}
}

// Kinds and slaves that are spared are left out, and the end of a plan ends what it has done.
func TestScheduleEnds(t *testing.T) {
	p := Schedule{Seed: 1, Every: time.Millisecond, Longest: time.Hour, Kinds: SlaveFaults, Spare: []string{"arm", "head"}}
	m, list, _, _ := planned(t, p, time.Second)
	if len(list) == 0 {
		t.Fatal("nothing happens")
	}
	for _, i := range list {
		if words := strings.Fields(i.Command); words[0] != "slave" || words[1] == "arm" || words[1] == "head" {
			t.Errorf("%v", i)
		}
	}
	m.chain.Plan(Schedule{})
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); int(n) != len(m.chain.slaves) {
		t.Errorf("%d of %d slaves are there", n, len(m.chain.slaves))
	}
	_, before := m.chain.Incidents()
	m.now += int64(time.Second)
	m.chain.Advance(m.now)
	if _, after := m.chain.Incidents(); after != before {
		t.Errorf("%d faults after the end of the plan", after-before)
	}
}

// Effects of a silent cable: watchdogs expire, since slaves hear nothing.
func TestSilence(t *testing.T) {
	m := newMaster(t, smallRack)
	m.start(wire.Op)
	m.do("silence 150ms")
	for range 150 {
		m.try(wire.LRW, wire.Logical(0), m.image)
	}
	if is, code := m.slave("arm").State(); is != wire.SafeOp|wire.ErrorBit || code != wire.CodeWatchdog {
		t.Errorf("%v %v", is, code)
	}
	if n, _ := m.send(wire.BRD, wire.Broadcast(wire.RegType), 0); int(n) != len(m.chain.slaves) {
		t.Errorf("%d slaves hear again", n)
	}
}

// Slaves that lose what maps their process data stay in Op; only the working counter, or what comes, says so.
func TestForgottenSettings(t *testing.T) {
	for _, command := range []string{"slave in forget fmmus", "slave in forget all", "intruder fmmus", "intruder all"} {
		m := newMaster(t, smallRack)
		m.start(wire.Op)
		whole := m.expected
		m.do(command)
		if got := m.exchange(); got >= whole {
			t.Errorf("%s: working counter %d of %d", command, got, whole)
		}
		if is, code := m.slave("in").State(); is != wire.Op || code != wire.NoCode {
			t.Errorf("%s: %v %v", command, is, code)
		}
	}
	// Without its SyncManager the memory is still there to be read, and counts, but nothing is put into it.
	m := newMaster(t, smallRack)
	m.start(wire.Op)
	m.do("slave in forget managers")
	m.do("slave in input 1 on")
	if got := m.exchange(); got != m.expected {
		t.Errorf("working counter %d of %d", got, m.expected)
	}
	if got := m.place(m.slave("in"), wire.FMMURead); got[0] != 0 {
		t.Errorf("% x", got)
	}
}

// Frames of others come before the answer, and none of them is it.
func TestForeignFrames(t *testing.T) {
	m := newMaster(t, smallRack)
	m.do("foreign 100")
	for range 100 {
		m.w.Clear()
		m.w.Add(wire.BRD, 1, wire.Broadcast(wire.RegType), 1)
		sent := slices.Clone(m.w.Frame())
		m.link.Send(sent, m.now)
		m.now += cycleTime
		var mine int
		var frames [][]byte
		for frame, _, ok := m.link.Receive(m.now); ok; frame, _, ok = m.link.Receive(m.now) {
			frames = append(frames, frame)
			if slices.Equal(frame[7:12], sent[7:12]) {
				mine++
			}
		}
		if len(frames) != 2 || mine != 1 {
			t.Fatalf("% x", frames)
		}
	}
}

// A frame that is dropped has reached no slave; one that is not answered has reached them all.
func TestLostOnOneWay(t *testing.T) {
	for command, want := range map[string]uint16{"drop": 0, "unanswered": 0x1234} {
		m := newMaster(t, "slaves:\n  - {type: EK1100, name: head}\n")
		m.do(command)
		if _, ok := m.try(wire.APWR, wire.Position(0, wire.RegStation), word(0x1234)); ok {
			t.Errorf("%s: an answer", command)
		}
		if got := m.slave("head").Station(); got != want {
			t.Errorf("%s: the slave has address %04x, want %04x", command, got, want)
		}
	}
}

// A leap of a year is not caught up with, fault by fault.
func TestScheduleLeaps(t *testing.T) {
	m := newMaster(t, smallRack)
	m.chain.Plan(Schedule{Seed: 1, Every: time.Millisecond, Kinds: FrameFaults})
	m.chain.Advance(m.now + 365*24*int64(time.Hour))
	if _, n := m.chain.Incidents(); n == 0 || n > mostAtOnce {
		t.Errorf("%d faults", n)
	}
}
