package ethercat

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// clockRack returns a coupler with terminals and a drive, each with a clock of its own.
func clockRack(clocks ...sim.ClockGiven) *sim.Rack {
	r := rackOf("EK1100", "EL3104", "EL4132", "drive")
	r.Slaves[3].Name = "arm"
	r.Slaves[3].Drive = sim.DriveYAML{Axes: 6, Vendor: 0x1234, Product: 0x5678}
	for i, c := range clocks {
		r.Slaves[i].Clock = c
	}
	return r
}

// withSync0 is a rack whose drive and analog inputs use SYNC0.
type withSync0 struct{ everything }

func (w *withSync0) Startup(slaves []ecat.Slave) error {
	for _, s := range slaves {
		if s.HasClock() && (s.About().Name == "arm" || s.About().Position == 3 || s.About().Name == "EL3104") {
			s.(*Slave).Setup.Clock = &ecat.Clock{Activate: 0x0300}
		}
	}
	return w.everything.Startup(slaves)
}

// Clocks of all widths, with whatever errors, started shortly before they go round, come together, and so does the phase of the
// master. It stays so while they go round.
func TestClocks(t *testing.T) {
	const wrap = math.MaxUint32
	tests := []struct {
		name   string
		clocks []sim.ClockGiven
	}{
		{"64 bits, all right", nil},
		{"64 bits, errors of ppm", []sim.ClockGiven{{Bits: 64, PPM: 120, Start: 5}, {Bits: 64, PPM: -80, Start: 1 << 40}, {Bits: 64, PPM: 33}, {Bits: 64, PPM: -150, Start: 77777}}},
		{"32 bits behind 64", []sim.ClockGiven{{Bits: 64, PPM: -50}, {Bits: 32, PPM: 90, Start: wrap - 3e8}, {Bits: 32, PPM: -90}, {Bits: 64, PPM: 10}}},
		{"64 bits behind 32", []sim.ClockGiven{{Bits: 32, PPM: 70, Start: wrap - 2e8}, {Bits: 64, PPM: -60, Start: 12345}, {Bits: 32, PPM: 5, Start: wrap - 4e8}, {Bits: 64, PPM: 100}}},
		{"reference behind a coupler without clock", []sim.ClockGiven{{Bits: -1}, {Bits: 64, PPM: 100}, {Bits: 32, PPM: -100}, {Bits: 64}}},
		{"reference behind a coupler that measures delays only, and another such part", []sim.ClockGiven{{DelaysOnly: true}, {Bits: 64, PPM: 100}, {DelaysOnly: true}, {Bits: 32, PPM: -60}}},
		{"noise of ports", []sim.ClockGiven{{Bits: 64, PPM: 40, Jitter: 10}, {Bits: 64, PPM: -40, Jitter: 10}, {Bits: 64, Jitter: 10}, {Bits: 64, Jitter: 10}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const cycle = 2 * time.Millisecond
			r := newRig(t, clockRack(tt.clocks...), Options{Cycle: cycle, Sync: &Sync{}})
			w := &withSync0{}
			r.m.Add(w)
			r.start()
			t.Logf("%.0f ms, %+v", float64(r.cable.Now()-startOfTime)/1e6, r.m.Clocks())
			for range 30 { // nine seconds: every clock of 32 bits goes round
				r.cycles(150)
				if err := r.m.Tend(t.Context()); err != nil {
					t.Fatal(err)
				}
				r.together(1500)
				if c := r.m.Clocks(); c.Error > 5*time.Microsecond || c.Error < -5*time.Microsecond {
					t.Fatalf("frames are %v from their phase", c.Error)
				}
			}
			if c, now := r.m.Clocks(), r.m.SystemTime(); c.Sync <= now || c.Sync > now+int64(cycle) || c.Sync%int64(cycle) != 0 {
				t.Errorf("now it is %d, and the next SYNC0 at %d", now, c.Sync)
			}
			p := r.slave("arm").Phases()
			t.Logf("%+v", p)
			if p.Last < int64(cycle)/2-20_000 || p.Last > int64(cycle)/2+20_000 {
				t.Errorf("the last frame came %d ns after SYNC0", p.Last)
			}
			arm := w.drivers[3]
			system := int64(r.slave("arm").SystemTime(arm.moment.Now))
			if off := int64(int32(uint32(arm.moment.System) - uint32(system))); off > 20_000 || off < -20_000 {
				t.Errorf("at the beginning of the cycle it is taken to be %d ns too late", off)
			}
			if d := arm.moment.Sync - arm.moment.Now; d <= 0 || d > int64(cycle) || arm.moment.SyncTime%int64(cycle) != 0 {
				t.Errorf("the next SYNC0 in %d ns, at %d", d, arm.moment.SyncTime)
			}
		})
	}
}

// A reference of 32 bits that was not read for longer than it takes to go round is still known: its time goes on by the master's
// clock in the meantime, which is reported.
func TestReferenceUnread(t *testing.T) {
	r := newRig(t, clockRack(sim.ClockGiven{Bits: 32, PPM: 60, Start: math.MaxUint32 - 3e8}), Options{Cycle: 2 * time.Millisecond, Sync: &Sync{}})
	w := &withSync0{}
	r.m.Add(w)
	r.start()
	r.cycles(20)
	r.cable.Unplugged = true
	for end := r.cable.Now() + 7e9; r.cable.Now() < end; {
		r.cycle()
	}
	r.cable.Unplugged = false
	r.tend(20 * time.Second)
	r.cycles(200)
	m := w.drivers[0].moment
	if off := m.System - (epoch + m.Now); off > 2e6 || off < -2e6 {
		t.Errorf("%d ns from the time that it was set to", off)
	}
	r.together(1500)
	if d := m.SyncTime % 2e6; d != 0 {
		t.Errorf("SYNC0 at %d", m.SyncTime)
	}
	var bridged int64
	for _, i := range r.m.Incidents() {
		if i.Kind == TimeBridged {
			bridged = i.Value
		}
	}
	if bridged < 7e9 || bridged > 71e8 {
		t.Errorf("bridged %d ns", bridged)
	}
}

// A clock that comes back while others are missing gets the delay that it had.
func TestDelayOfOneThatComesBack(t *testing.T) {
	r := newRig(t, six(), Options{Sync: &Sync{}})
	r.m.Add(&everything{})
	r.start()
	s := r.m.Slaves()[3]
	before := s.Delay()
	if before <= 0 || r.m.Slaves()[0].Delay() != 0 || r.m.Slaves()[4].Delay() <= before {
		t.Error(before, r.m.Slaves()[4].Delay())
	}
	r.do("slave EL1018-6 vanish", "slave EL4132-5 vanish", "slave EL3104-4 cycle")
	for range 10 {
		r.cycles(20)
		_ = r.m.Tend(t.Context()) // about those that are missing
	}
	if st := s.Status(); st.State != wire.Op || st.Recoveries != 1 {
		t.Errorf("%+v", st)
	}
	if d := s.Delay() - before; d > 100 || d < -100 { // ports that turn frames round are faster
		t.Errorf("%d ns, not %d", s.Delay(), before)
	}
}

// together checks that all clocks of the simulation agree, modulo the range of the small ones.
func (r *rig) together(limit int64) {
	r.t.Helper()
	var reference *Slave
	now := r.cable.Now()
	for i, s := range r.m.Slaves() {
		if !s.HasClock() {
			continue
		}
		if reference == nil {
			reference = s
			continue
		}
		of := func(s *Slave) uint32 { return uint32(r.slave(r.name(s.Position)).SystemTime(now)) }
		if d := int64(int32(of(s) - of(reference))); d > limit || d < -limit {
			r.t.Fatalf("clock of slave %d is %d ns ahead", i, d)
		}
	}
}

func (r *rig) name(position int) string {
	i := 0
	for s := range r.chain.Slaves() {
		if i == position {
			return s.Name()
		}
		i++
	}
	return fmt.Sprint(position)
}
