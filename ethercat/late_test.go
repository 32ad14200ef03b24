package ethercat

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// diary is a driver that writes down what happens to it, by cycle.
type diary struct{ lines []string }

func (*diary) PreOp(context.Context, ecat.Slave) error  { return nil }
func (*diary) SafeOp(context.Context, ecat.Slave) error { return nil }

func (d *diary) Write(_ image.View, at *ecat.Moment) {
	d.lines = append(d.lines, fmt.Sprintf("%d write", at.Cycle))
}

func (d *diary) Read(in image.View, q ecat.Quality, at *ecat.Moment) {
	d.lines = append(d.lines, fmt.Sprintf("%d %v %x", at.Cycle, q, []byte(in)))
}

// kept gives one slave a diary.
type kept struct {
	diary
	slave int
}

func (k *kept) Startup(slaves []ecat.Slave) error { return slaves[k.slave].Attach(&k.diary) }
func (*kept) Shutdown()                           {}
func (*kept) Prepare(*ecat.Moment)                {}

// A frame that comes when its cycle is over brings its inputs, as those of its cycle, before any driver writes in the next. Only
// what does not come by then is lost.
func TestLateFrameProvidesInputs(t *testing.T) {
	for _, tt := range []struct {
		delay  time.Duration
		answer time.Duration
		want   []string
		late   uint64
		lost   uint64
	}{
		{0, 0, []string{"0 write", "0 fresh 01", "1 write", "1 fresh 02"}, 0, 0},
		{700 * time.Microsecond, 0, []string{"0 write", "0 held 00", "0 fresh 01", "1 write", "1 fresh 02"}, 1, 0},
		{700 * time.Microsecond, 800 * time.Microsecond, []string{"0 write", "0 fresh 01", "1 write", "1 fresh 02"}, 0, 0},
		{1200 * time.Microsecond, 0, []string{"0 write", "0 held 00", "1 write", "1 fresh 02"}, 0, 1},
		{1200 * time.Microsecond, time.Hour, []string{"0 write", "0 held 00", "1 write", "1 fresh 02"}, 0, 1},
	} {
		t.Run(fmt.Sprint(tt.delay, " ", tt.answer), func(t *testing.T) {
			r := newRig(t, six(), Options{Answer: tt.answer})
			k := &kept{slave: 1}
			r.m.Add(k)
			r.start()
			r.cycles(5)
			before, first := r.m.Statistics(), r.m.cycle.moment.Cycle+1
			hit := r.cable.Sent()
			r.cable.Faults = func(n uint64, _ []byte) (f cable.Fault) {
				if n == hit {
					f.Delay = int64(tt.delay)
				}
				return f
			}
			k.lines = nil
			for i := range 2 { // what is there to be read is another thing in each cycle
				if i == 1 {
					r.do("slave EL1008-2 input 1 off")
				}
				r.do(fmt.Sprintf("slave EL1008-2 input %d on", i+1))
				r.cable.Advance(r.next - 1)
				r.cycle()
			}
			var want []string
			for _, line := range tt.want {
				var n uint64
				var rest string
				if _, err := fmt.Sscanf(line, "%d", &n); err != nil {
					t.Fatal(err)
				}
				rest = line[1:]
				want = append(want, fmt.Sprint(first+n)+rest)
			}
			if diff := cmp.Diff(want, k.lines); diff != "" {
				t.Error(diff)
			}
			r.cycle()
			after := r.m.Statistics()
			if after.Late-before.Late != tt.late || after.Lost-before.Lost != tt.lost {
				t.Errorf("%d late, %d lost", after.Late-before.Late, after.Lost-before.Lost)
			}
		})
	}
}

// A bus all of whose frames are late is one cycle behind, and loses nothing: no inputs, no mails, no clocks, no time.
func TestAllFramesLate(t *testing.T) {
	r, e := running(t, six(), Options{Sync: &Sync{}})
	before, begin := r.m.Statistics(), r.cable.Now()
	r.cable.Latency = 650_000
	r.cycles(3) // what is on its way comes earlier than what was sent before
	for range 100 {
		r.cycle()
		if q := e.drivers[1].quality; q == ecat.Invalid {
			t.Fatal(q)
		}
		if _, err := r.m.Slaves()[3].Upload(t.Context(), 0x1018, 1, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.m.Tend(t.Context()); err != nil {
		t.Error(err)
	}
	after := r.m.Statistics()
	if lost, invalid := after.Lost-before.Lost, after.Invalid-before.Invalid; lost > 0 || invalid > 0 || after.Late-before.Late < 100 {
		t.Errorf("%d lost, %d invalid, %d late", lost, invalid, after.Late-before.Late)
	}
	if kinds := r.m.Incidents(); !slices.ContainsFunc(kinds, func(i Incident) bool { return i.Kind == FrameLate }) {
		t.Error("no incident")
	}
	if c := r.m.Clocks(); c.Error > 20*time.Microsecond || c.Error < -20*time.Microsecond || c.Settled < 100 {
		t.Errorf("%+v", c)
	}
	cycles, took := int64(after.Cycles-before.Cycles), r.cable.Now()-begin
	if off := took/int64(time.Millisecond) - cycles; off < -2 || off > 2 {
		t.Errorf("%d cycles in %v", cycles, time.Duration(took))
	}
}
