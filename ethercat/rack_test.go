package ethercat

import (
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// thirty returns a rack of 30 slaves: two couplers, terminals of all kinds, a robot.
func thirty() *sim.Rack {
	r := rackOf("EK1100")
	kinds := []string{"EL1008", "EL2008", "EL3104", "EL1018", "EL4132", "EL1809", "EL2809", "EL3062", "EL4004", "EL3154", "EL2024", "EL3102", "EL3064", "EL4102"}
	for i := range 28 {
		r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: kinds[i%len(kinds)]})
	}
	r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: "drive", Name: "arm", Drive: sim.DriveYAML{Axes: 6, Vendor: 0x1234, Product: 0x5678}})
	for i := range r.Slaves {
		r.Slaves[i].Clock.PPM = float64(i%7*30 - 90)
	}
	return r
}

// A rack of 30 slaves starts with clocks, and runs for ten seconds of virtual time without a cycle lost.
func TestThirty(t *testing.T) {
	r := newRig(t, thirty(), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	w := &withSync0{}
	r.m.Add(w)
	r.start()
	t.Logf("%.0f ms, %d frames, %d bytes", float64(r.cable.Now()-startOfTime)/1e6, r.cable.Sent(), r.m.cycle.layout.Size)
	before := r.m.Statistics()
	for range 50 {
		r.cycles(100)
		if err := r.m.Tend(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	after := r.m.Statistics()
	if after.Lost != before.Lost || after.Incomplete != before.Incomplete || after.Recovered != 0 || !r.whole() {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	r.together(1500)
}

// Each fault on command, one after another on the same rack: the bus comes back from all of them by itself.
func TestThirtyFaults(t *testing.T) {
	r := newRig(t, thirty(), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	w := &withSync0{}
	r.m.Add(w)
	r.start()
	for _, commands := range [][]string{
		{"drop 1"},
		{"drop 200"},
		{"twice 5"},
		{"stale 3"},
		{"cut 4"},
		{"index 3"},
		{"late 1ms 4"},
		{"late 3ms 4"},
		{"counter -3 3"},
		{"counter 2 3"},
		{"slave arm error 0x001b safeop"},
		{"slave arm error 0x0011 init"},
		{"slave arm cycle"},
		{"slave EL3104-4 cycle", "slave EL4132-6 cycle", "slave EL1008-2 cycle"},
		{"slave EL3064-14 vanish", "", "slave EL3064-14 return"},
		{"slave EL2008-3 break", "", "slave EL2008-3 mend"},
		{"slave EL3154-11 losemail 3"},
		{"slave arm sync off"},
		{"slave arm deaf", "", "slave arm hear"},
	} {
		t.Run(fmt.Sprint(commands), func(t *testing.T) {
			for _, c := range commands {
				if c == "" {
					for range 4 {
						_ = r.m.Tend(t.Context()) // in the middle of it
						r.cycles(50)
					}
					continue
				}
				if err := r.chain.Do(c); err != nil {
					t.Fatal(err)
				}
			}
			r.t = t
			r.cycles(100)
			r.tend(20 * time.Second)
			r.cycles(100)
			for i, d := range w.drivers {
				if len(r.m.Slaves()[i].Inputs) > 0 && d.quality != ecat.Fresh {
					t.Errorf("%v: %v", r.m.Slaves()[i], d.quality)
				}
			}
			r.together(3000)
		})
	}
}

// An image that is too long for a frame goes in several. When one of them is lost only the slaves in it have nothing fresh.
func TestSeveralFrames(t *testing.T) {
	rack := rackOf("EK1100")
	for range 110 {
		rack.Slaves = append(rack.Slaves, sim.SlaveGiven{Type: "EL3104"})
	}
	r, e := running(t, rack, Options{Cycle: 4 * time.Millisecond})
	if n := len(r.m.cycle.frames); n != 2 {
		t.Fatalf("%d frames for %d bytes", n, r.m.cycle.layout.Size)
	}
	hit := r.cable.Sent() + 1
	r.cable.Faults = func(n uint64, _ []byte) cable.Fault { return cable.Fault{Lost: n == hit} }
	r.cycle()
	if r.last.Answered {
		t.Error("a frame is missing")
	}
	border := r.m.cycle.layout.Segments[1].From
	for i, d := range e.drivers[1:] {
		want := ecat.Fresh
		if r.m.Slaves()[i+1].Place().Inputs.From >= border {
			want = ecat.Held
		}
		if d.quality != want {
			t.Fatalf("slave %d: %v, not %v", i+1, d.quality, want)
		}
	}
	r.cycle()
	if q := e.drivers[110].quality; q != ecat.Fresh || !r.last.Answered {
		t.Error(q, r.last)
	}
}

// An exchange allocates nothing.
func TestNoAllocation(t *testing.T) {
	r, _ := running(t, six(), Options{Sync: &Sync{}})
	echo := newEcho(r)
	now := echo.now
	if n := alloc.Least(func() {
		for range 100 {
			now = r.m.Exchange(now).Next
			echo.now = now
		}
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
	if s := r.m.Statistics(); s.Lost > 0 {
		t.Errorf("%+v", s)
	}
}

// echo is a link that answers with the working counters that are expected, without a simulation: what is measured with it is the
// master alone.
type echo struct {
	m     *Master
	now   int64
	ring  [8][wire.LongestFrame]byte
	sizes [8]int
	head  int
	tail  int
}

// newEcho takes the place of the link of a bus that runs.
func newEcho(r *rig) *echo {
	e := &echo{m: r.m, now: r.cable.Now()}
	r.m.traffic.link = e
	return e
}

func (e *echo) Send(frame []byte) bool {
	to := e.ring[e.head%8][:]
	e.sizes[e.head%8] = copy(to, frame)
	r := wire.Open(to[:len(frame)])
	segment := 0
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		switch d.Command {
		case wire.LRW, wire.LRD, wire.LWR:
			for i := range e.m.cycle.layout.Segments {
				if s := &e.m.cycle.layout.Segments[i]; logicalBase+uint32(s.From) == d.Address.Logical() {
					d.Counter = s.Expected
				}
			}
			segment++
		case wire.BRD:
			d.Counter, d.Data[0] = uint16(len(e.m.slaves)), byte(wire.Op)
		default:
			d.Counter = 1
			for i := range 8 {
				d.Data[i] = byte(e.now >> (8 * i))
			}
		}
		d.Update(to[:len(frame)])
	}
	wire.SetProcessed(to)
	e.head++
	return true
}

func (e *echo) Receive(room []byte, _ int64) (int, bool) {
	if e.tail == e.head {
		return 0, false
	}
	n := copy(room, e.ring[e.tail%8][:e.sizes[e.tail%8]])
	e.tail++
	return n, true
}

func (e *echo) Now() int64   { return e.now }
func (e *echo) Close() error { return nil }

var _ link.Link = (*echo)(nil)

// hundred returns a rack of 100 slaves with 1,012 bytes of process data.
func hundred() *sim.Rack {
	r := rackOf("EK1100")
	for i := range 99 {
		kind := "EL3104"
		if i < 78 {
			kind = []string{"EL3104", "EL4134", "EL1809"}[i%3]
		}
		r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: kind})
	}
	return r
}

// The work of a cycle: 100 slaves and 1,000 bytes; the answers are there at once.
func BenchmarkExchange(b *testing.B) {
	for name, rack := range map[string]*sim.Rack{"six slaves": six(), "100 slaves": hundred()} {
		b.Run(name, func(b *testing.B) {
			r, _ := running(b, rack, Options{Sync: &Sync{}})
			if name == "100 slaves" && (len(r.m.Slaves()) != 100 || r.m.cycle.layout.Size < 1000) {
				b.Fatalf("%d slaves, %d bytes", len(r.m.Slaves()), r.m.cycle.layout.Size)
			}
			e := newEcho(r)
			own := &echo{m: r.m, now: e.now}
			frames := len(r.m.cycle.frames)
			frame := append([]byte{}, r.m.cycle.frames[0].writer.Frame()...)
			b.Run("cycle", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e.now = r.m.Exchange(e.now).Next
				}
			})
			b.Run("answers alone", func(b *testing.B) { // a part of the former that is not the master's
				room := make([]byte, wire.LongestFrame)
				for b.Loop() {
					for range frames {
						own.Send(frame)
						own.Receive(room, 0)
					}
				}
			})
			if s := r.m.Statistics(); s.Lost > 0 || s.Broken > 0 {
				b.Errorf("%+v", s)
			}
		})
	}
}

// Scan and start of six slaves: the work of master and simulation, and how long it takes in virtual time.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		r := newRig(b, six(), Options{})
		r.start()
		b.ReportMetric(float64(r.cable.Now()-startOfTime)/1e6, "virtual-ms/op")
	}
}
