package ethercat

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

var update = flag.Bool("update", false, "write golden files")

// small returns a rack whose start-up people can read.
func small() *sim.Rack { return rackOf("EK1100", "EL1008", "EL2008") }

// The frames from the first one to Op and some cycles are byte for byte those that were reviewed, and the
// recording alone is enough for the master to come to Op again.
func TestRecordedStart(t *testing.T) {
	for _, tt := range []struct {
		file string
		rack *sim.Rack
		sync *Sync
	}{
		{"start.pcap", small(), nil},
		{"clocks.pcap", rackOf("EK1100", "EL2008", "EL3102"), &Sync{}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			record := link.NewRecorder(1 << 12)
			r := newRig(t, tt.rack, Options{Record: record, Sync: tt.sync})
			want := play(t, r.m, r.cycles)
			var now bytes.Buffer
			if err := link.WritePcap(&now, record.Take()); err != nil || record.Missed() > 0 {
				t.Fatal(err, record.Missed())
			}
			file := filepath.Join("testdata", tt.file)
			if *update {
				if err := os.WriteFile(file, now.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			packets, err := cable.ReadPcap(bytes.NewReader(golden))
			if err != nil {
				t.Fatal(err)
			}
			got := replay(t, packets, tt.sync)
			for i := range want {
				if diff := cmp.Diff(want[i].SII, got[i].SII); diff != "" || want[i].Status() != got[i].Status() || want[i].Place() != got[i].Place() {
					t.Errorf("%v: %v %v %s", want[i], want[i].Status(), got[i].Status(), diff)
				}
			}
			if !bytes.Equal(golden, now.Bytes()) {
				t.Error("the recording is another one (go test -update, if that is intended)")
			}
		})
	}
}

// play starts a bus, and lets some cycles pass.
func play(t *testing.T, m *Master, cycles func(n int)) []*Slave {
	t.Helper()
	c := &pulsed{}
	m.Add(c)
	if err := m.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, d := range c.list {
		d.out[0] = 0x5a
	}
	cycles(5)
	return m.Slaves()
}

// replay lets a master live through a recording.
func replay(t *testing.T, packets []link.Packet, sync *Sync) []*Slave {
	t.Helper()
	again := cable.NewReplay(packets)
	var m *Master
	next := int64(0)
	cycle := func() {
		next = max(next, again.Now())
		again.Advance(next)
		next = m.Exchange(again.Now()).Next
	}
	m, err := New(Options{Link: again, Sync: sync, Epoch: epoch, Sleep: func(d time.Duration) {
		until := again.Now() + int64(d)
		for m.cyclic.Load() && next <= until {
			cycle()
		}
		again.Advance(until)
	}})
	if err != nil {
		t.Fatal(err)
	}
	slaves := play(t, m, func(n int) {
		for range n {
			cycle()
		}
	})
	if err := again.Err(); err != nil {
		t.Error(err)
	}
	return slaves
}

// Connections follow from open ports, whatever the shape.
func TestConnect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var slaves []*Slave
		var parents, ports []int
		var grow func(parent, port, depth int)
		grow = func(parent, port, depth int) {
			i := len(slaves)
			s := &Slave{Label: ecat.Label{Position: i}}
			slaves, parents, ports = append(slaves, s), append(parents, parent), append(ports, port)
			s.Links = wire.LinkReady.WithPort(0, true)
			for _, p := range wire.PortOrder[1:] {
				open := depth < 6 && len(slaves) < 40 && rapid.Bool().Draw(t, "open")
				if s.Links = s.Links.WithPort(p, open); open {
					grow(i, p, depth+1)
				}
			}
		}
		grow(-1, 0, 0)
		connect(slaves)
		for i, s := range slaves {
			if s.Parent != parents[i] || s.ParentPort != ports[i] || s.EntryPort != 0 {
				t.Fatalf("slave %d at port %d of %d, not %d of %d", i, s.ParentPort, s.Parent, ports[i], parents[i])
			}
		}
	})
	backwards := &Slave{Links: wire.LinkReady.WithPort(0, false).WithPort(1, true)}
	connect([]*Slave{backwards})
	if backwards.EntryPort != 1 {
		t.Error(backwards.EntryPort)
	}
}

// noLRW takes LRW from some slaves.
type noLRW struct{ everything }

func (n *noLRW) Startup(slaves []ecat.Slave) error {
	for _, i := range []int{1, 2, 4} {
		slaves[i].(*Slave).Features |= wire.FeatureNoLRW
	}
	return n.everything.Startup(slaves)
}

// Slaves that cannot be read and written at once have datagrams of their own.
func TestWithoutLRW(t *testing.T) {
	r := newRig(t, six(), Options{})
	n := &noLRW{}
	r.m.Add(n)
	r.start()
	r.do("slave EL1008-2 input 3 on")
	n.drivers[2].out[0] = 0x81
	before := r.m.Statistics().WrongCounter
	r.cycles(20)
	if diff := cmp.Diff([]byte{4}, n.drivers[1].in); diff != "" || n.drivers[1].quality != ecat.Fresh {
		t.Error(diff, n.drivers[1].quality)
	}
	if on, _ := r.slave("EL2008-3").Digital(8); !on {
		t.Error("nothing comes out")
	}
	if got := r.m.Statistics().WrongCounter; got != before {
		t.Error(got)
	}
	r.do("slave EL1008-2 deaf")
	r.cycle()
	if q := n.drivers[1].quality; q != ecat.Held {
		t.Error(q)
	}
}

// A bus is started, stopped and started again, also when its slaves were left running by a master that has gone.
func TestAgain(t *testing.T) {
	r := newRig(t, clockRack(), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	w := &withSync0{}
	r.m.Add(w)
	r.start()
	if _, err := r.m.Scan(t.Context()); err == nil {
		t.Error("scans a bus that runs")
	}
	if err := r.m.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := r.m.Exchange(r.cable.Now()); out.Answered || out.Next <= r.cable.Now() {
		t.Error(out)
	}
	r.start()
	r.cycles(10)
	if !r.whole() || w.ended != 1 {
		t.Error(r.states(), w.ended)
	}
	m, err := New(Options{Link: r.cable, Cycle: 2 * time.Millisecond, Sync: &Sync{}, Sleep: r.sleep})
	if err != nil {
		t.Fatal(err)
	}
	r.m = m
	r.m.Add(&withSync0{})
	r.start()
	r.cycles(10)
	if !r.whole() {
		t.Error(r.states())
	}
}

// An axis is heard when it speaks without being asked, and a robot without SYNC0 is reported as waiting for it.
func TestArm(t *testing.T) {
	r := newRig(t, clockRack(), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	r.m.Add(&withSync0{})
	r.start()
	arm := r.m.Slaves()[3]
	r.do("slave arm fault 2 0x8611")
	for range 5 {
		r.cycles(10)
		if err := r.m.Tend(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if list := arm.Emergencies(); len(list) != 1 || list[0].Code != 0x8611 || r.m.Statistics().Emergencies != 1 {
		t.Errorf("%+v", list)
	}
	if n := len(arm.Emergencies()); n != 1 || arm.Status().Emergencies != 1 {
		t.Error(n, arm.Status())
	}
	without := newRig(t, clockRack(), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	without.m.Add(&setUp{position: 3, setup: ecat.Setup{Limit: 100 * time.Millisecond}})
	err := without.m.Start(t.Context())
	var state *StateError
	var slave *SlaveError
	if !errors.As(err, &state) || !errors.As(err, &slave) || slave.Position != 3 || state.Got != wire.SafeOp || state.Code != wire.NoCode {
		t.Error(err)
	}
}

// refuser does not find what it needs.
type refuser struct{ hasty }

var errRefused = errors.New("there is no arm")

func (refuser) Startup([]ecat.Slave) error { return errRefused }

// Only devices that know of slaves are shut down, once.
func TestDevicesAreShutDown(t *testing.T) {
	r := newRig(t, small(), Options{})
	first, last := &everything{}, &everything{}
	r.m.Add(first)
	r.m.Add(refuser{})
	r.m.Add(last)
	if err := r.m.Stop(t.Context()); err != nil || first.ended != 0 {
		t.Error(err, first.ended)
	}
	if err := r.m.Start(t.Context()); !errors.Is(err, errRefused) {
		t.Error(err)
	}
	if err := r.m.Stop(t.Context()); err != nil || first.ended != 1 || last.ended != 0 {
		t.Error(err, first.ended, last.ended)
	}
}

// liar changes what comes back: bytes three by three are a frame, a place in it, and what is exclusive-ored there.
type liar struct {
	chain *sim.Chain
	bytes []byte
	n     int
}

func (l *liar) Process(frame []byte, now int64, deliver func([]byte, int64)) {
	n := l.n
	l.n++
	l.chain.Process(frame, now, func(back []byte, at int64) {
		for b := l.bytes; len(b) >= 4; b = b[4:] {
			if number := int(b[0]) | int(b[1])<<8; number == n || b[1] == 0xff && n%16 == int(b[0]&15) {
				back[wire.EthernetHeader+int(b[2])%max(1, len(back)-wire.EthernetHeader)] ^= b[3]
			}
		}
		deliver(back, at)
	})
}

// hasty has no time for slaves that wait.
type hasty struct{}

func (hasty) Startup(slaves []ecat.Slave) error {
	for _, s := range slaves {
		s.(*Slave).Setup.Limit = 50 * time.Millisecond
	}
	return nil
}

func (hasty) Shutdown()            {}
func (hasty) Prepare(*ecat.Moment) {}

// Whatever slaves answer, starting ends, and so does looking after them; nothing grows without bound and nothing panics.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 10, 0xff})
	f.Add([]byte{3, 0xff, 20, 1, 9, 0xff, 12, 0x80, 40, 1, 30, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 400 {
			return
		}
		r := newRig(t, rackOf("EK1100", "EL1008", "EL3102"), Options{Mailbox: 50 * time.Millisecond})
		r.m.Add(hasty{})
		l := &liar{chain: r.chain, bytes: b}
		r.cable = cable.NewMemory(l, startOfTime)
		r.m.options.Link, r.m.traffic.link = r.cable, r.cable
		ctx := t.Context()
		if r.m.Start(ctx) != nil {
			return
		}
		for range 3 {
			_ = r.m.Tend(ctx)
			r.cycles(5)
		}
		_ = r.m.Stop(ctx)
	})
}
