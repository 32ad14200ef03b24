package ethercat

import (
	"bytes"
	"testing"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// party is a cable on which others send as well: what they send comes in front of what is waited for.
type party struct {
	*cable.Memory
	sender wire.MAC
	others [][]byte
}

func (p *party) Sender() wire.MAC { return p.sender }

func (p *party) Receive(room []byte, until int64) (n int, ok bool) {
	if len(p.others) > 0 {
		n = copy(room, p.others[0])
		p.others = p.others[1:]
		return n, true
	}
	return p.Memory.Receive(room, until)
}

// onParty lets a bus that runs go on among others.
func onParty(t *testing.T, from wire.MAC, record *link.Recorder) (*rig, *everything, *party) {
	t.Helper()
	p := &party{sender: from}
	r := newRig(t, six(), Options{Link: p, Record: record})
	p.Memory = r.cable
	e := &everything{}
	r.m.Add(e)
	r.start()
	r.cycles(5)
	return r, e, p
}

// Frames of another master are foreign, whatever their index is and whatever they say: also those of our own kind on another rack like ours.
// Their contents are not taken for ours.
func TestFramesOfAnotherMaster(t *testing.T) {
	record := link.NewRecorder(1 << 12)
	other, _, _ := onParty(t, wire.MAC{1, 2, 3, 4, 5, 6}, record)
	r, e, p := onParty(t, wire.MAC{1, 9, 9, 9, 9, 9}, nil)
	other.do("slave EL1008-2 input 1 on", "slave EL1008-2 input 5 on")
	record.Take()
	for range 300 { // all indexes and more
		other.cycle()
		before := r.m.Statistics()
		p.others = nil
		for _, packet := range record.Take() { // both what it sends and what comes back
			p.others = append(p.others, packet.Frame)
		}
		n := uint64(len(p.others))
		r.cycle()
		r.cycle() // takes what has come behind its own
		after := r.m.Statistics()
		if n < 2 || after.Foreign != before.Foreign+n || after.Twice != before.Twice || after.Broken != before.Broken || after.Overdue != before.Overdue ||
			after.Echoes != before.Echoes || after.Lost != before.Lost || after.Received != before.Received+2 {
			t.Fatalf("%d frames: before %+v\nafter %+v", n, before, after)
		}
		if d := e.drivers[1]; d.quality != ecat.Fresh || d.in[0] != 0 {
			t.Fatalf("%v %x", d.quality, d.in)
		}
	}
}

// Frames by hand, with each index: from another address, from ours, broken, and before anything has shown that slaves keep the address.
func TestForeignFramesByHand(t *testing.T) {
	r, _, p := onParty(t, usualSender, nil)
	for index := range 256 {
		for _, from := range []wire.MAC{{2, 9, 9, 9, 9, 9}, {0, 9, 9, 9, 9, 9}, usualSender} {
			w := wire.NewWriter(make([]byte, wire.LongestFrame), from)
			w.Write(wire.FPRD, byte(index), wire.Station(0x3e9, wire.RegStatus), []byte{8, 0})
			frame := bytes.Clone(w.Frame())
			wire.SetProcessed(frame)
			p.others = append(p.others, frame)
			if from != usualSender {
				p.others = append(p.others, frame[:18]) // ends in the middle
			}
		}
	}
	n := uint64(len(p.others))
	before := r.m.Statistics()
	for len(p.others) > 0 {
		r.cycle()
	}
	r.cycles(3)
	after := r.m.Statistics()
	const cycles = 5 // in each of which a frame with our address and the index of ours could as well be ours, and damaged
	got, broken := after.Foreign-before.Foreign, after.Broken-before.Broken
	if got+broken != n || broken > cycles || after.Twice != before.Twice || after.Lost != before.Lost {
		t.Errorf("%d of %d frames are foreign: before %+v\nafter %+v", got, n, before, after)
	}
}

// Slaves that are programs may answer from an address of their own.
func TestAnswersFromAnotherAddress(t *testing.T) {
	r := newRig(t, six(), Options{})
	r.cable = cable.NewMemory(spoiled{r.chain, func(frame []byte) { copy(frame[6:], []byte{0, 7, 7, 7, 7, 7}) }}, r.cable.Now())
	r.m.options.Link, r.m.traffic.link = r.cable, r.cable
	r.start()
	r.cycles(5)
	if s := r.m.Statistics(); !r.last.Answered || s.Foreign+s.Lost != 0 {
		t.Errorf("%+v", s)
	}
}
