package ethercat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// running returns a rig in Op with a driver at each slave.
func running(t testing.TB, rack *sim.Rack, o Options) (*rig, *everything) {
	t.Helper()
	r := newRig(t, rack, o)
	e := &everything{}
	r.m.Add(e)
	r.start()
	r.cycles(5)
	return r, e
}

// A frame that is lost, late, cut, changed, stale or twice costs one cycle at most: inputs are held, nothing is taken from it, and
// it is counted as what it was.
func TestFrameFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault cable.Fault
		count func(s *Statistics) uint64
		held  bool
	}{
		{"lost", cable.Fault{Lost: true}, func(s *Statistics) uint64 { return s.Lost }, true},
		{"not heard", cable.Fault{Unheard: true}, func(s *Statistics) uint64 { return s.Lost }, true},
		{"late", cable.Fault{Delay: 900_000}, func(s *Statistics) uint64 { return s.Late }, true},
		{"two cycles late", cable.Fault{Delay: 1_800_000}, func(s *Statistics) uint64 { return s.Overdue }, true},
		{"twice", cable.Fault{Twice: true}, func(s *Statistics) uint64 { return s.Twice }, false},
		{"stale", cable.Fault{Stale: true}, func(s *Statistics) uint64 { return s.Twice }, true},
		{"cut", cable.Fault{Cut: 40}, func(s *Statistics) uint64 { return s.Broken }, true},
		{"wrong index", cable.Fault{Index: 0x80}, func(s *Statistics) uint64 { return s.Foreign + s.Twice }, true},
		{"counter too low", cable.Fault{Counter: -5}, func(s *Statistics) uint64 { return s.WrongCounter }, true},
		{"counter low by those with outputs only", cable.Fault{Counter: -2}, func(s *Statistics) uint64 { return s.WrongCounter }, false},
		{"counter too high", cable.Fault{Counter: 1}, func(s *Statistics) uint64 { return s.WrongCounter }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, e := running(t, six(), Options{})
			before := r.m.Statistics()
			hit := r.cable.Sent()
			r.cable.Faults = func(n uint64, _ []byte) (f cable.Fault) {
				if n == hit {
					f = tt.fault
				}
				return f
			}
			want := ecat.Fresh
			if tt.held {
				want = ecat.Held
			}
			r.cycle()
			if q := e.drivers[1].quality; q != want {
				t.Errorf("%v", q)
			}
			r.cycles(4)
			after := r.m.Statistics()
			if tt.count(&after) != tt.count(&before)+1 {
				t.Errorf("before %+v\nafter %+v", before, after)
			}
			if q := e.drivers[1].quality; q != ecat.Fresh || after.Invalid != before.Invalid {
				t.Errorf("afterwards %v, %+v", q, after)
			}
			if !r.last.Answered || len(r.m.Incidents()) == 0 {
				t.Error(r.last, r.m.Incidents())
			}
		})
	}
}

// Outputs that were written are those that come out, and inputs are those that go in.
func TestProcessData(t *testing.T) {
	r, e := running(t, six(), Options{})
	r.do("slave EL1008-2 input 1 on", "slave EL1018-6 input 8 on")
	e.drivers[2].out[0] = 0xa5
	r.cycles(30)
	for channel := range 8 {
		if on, err := r.slave("EL2008-3").Digital(channel + 1); err != nil || on != (0xa5>>channel&1 != 0) {
			t.Errorf("channel %d: %v %v", channel+1, on, err)
		}
	}
	if diff := cmp.Diff([]byte{0x01}, e.drivers[1].in); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]byte{0x80}, e.drivers[5].in); diff != "" {
		t.Error(diff)
	}
}

// When all frames are lost inputs are held for some cycles and invalid from then on; the slaves fall to Safe-Op by their
// watchdogs, and come back when frames do.
func TestCablePulled(t *testing.T) {
	r, e := running(t, six(), Options{Patience: 4})
	r.cable.Unplugged = true
	var got []string
	for range 6 {
		r.cycle()
		got = append(got, e.drivers[3].quality.String())
	}
	if diff := cmp.Diff("held held held held invalid invalid", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
	r.cycles(300)
	if r.m.Statistics().Lost < 300 {
		t.Errorf("%+v", r.m.Statistics())
	}
	r.cable.Unplugged = false
	r.cycles(2)
	if state, code := r.slave("EL2008-3").State(); state != wire.SafeOp|wire.ErrorBit || code != wire.CodeWatchdog {
		t.Error(state, code)
	}
	r.tend(5 * time.Second)
	r.cycles(2)
	if q := e.drivers[3].quality; q != ecat.Fresh {
		t.Error(q)
	}
}

// The reactions to what happens to a slave, by the ladder of the facts.
func TestRecovery(t *testing.T) {
	tests := []struct {
		name     string
		commands []string
		lost     bool // the slave does not take part in the meantime
		back     []string
	}{
		{"(a) Safe-Op with an error", []string{"slave EL3104-4 error 0x001b safeop"}, false, nil},
		{"(a) Safe-Op with an error, without a processor", []string{"slave EL2008-3 error 0x001b safeop"}, false, nil},
		{"(c) fallen to Pre-Op", []string{"slave EL3104-4 error 0x0011 preop"}, false, nil},
		{"(c) fallen to Init", []string{"slave EL3104-4 error 0x0011 init"}, false, nil},
		{"(d) switched off and on", []string{"slave EL3104-4 cycle"}, true, nil},
		{"(d) a terminal without mailbox switched off and on", []string{"slave EL1008-2 cycle"}, true, nil},
		{"taken out and put back", []string{"slave EL1018-6 vanish"}, true, []string{"slave EL1018-6 return"}},
		{"several taken out and put back", []string{"slave EL3104-4 vanish"}, true, []string{"slave EL3104-4 return"}},
		{"by itself: cable broken and mended", []string{"slave EL2008-3 break"}, true, []string{"slave EL2008-3 mend"}},
		{"by itself: deaf for a while", []string{"slave EL4132-5 deaf"}, true, []string{"slave EL4132-5 hear"}},
	}
	for _, tt := range tests {
		for _, o := range []Options{{}, {Sync: &Sync{}}} {
			name := tt.name
			if o.Sync != nil {
				name += ", with clocks"
			}
			t.Run(name, func(t *testing.T) {
				r, e := running(t, six(), o)
				r.do(tt.commands...)
				r.cycles(20)
				if tt.lost {
					if err := r.m.Tend(t.Context()); err == nil && tt.back != nil {
						t.Error("nothing is missing")
					}
				}
				if got := e.drivers[5].quality; tt.back != nil && strings.Contains(tt.commands[0], "EL1018") && got != ecat.Invalid {
					t.Errorf("inputs of a slave that is gone are %v", got)
				}
				if got := e.drivers[1].quality; !strings.Contains(tt.commands[0], "EL1008") && got != ecat.Fresh {
					t.Errorf("inputs of another slave are %v", got)
				}
				r.do(tt.back...)
				r.tend(10 * time.Second)
				r.cycles(3)
				for i, d := range e.drivers {
					if len(r.m.Slaves()[i].Inputs) > 0 && d.quality != ecat.Fresh {
						t.Errorf("%v: %v", r.m.Slaves()[i], d.quality)
					}
				}
				if itself := strings.HasPrefix(name, "by itself"); r.m.Statistics().Recovered == 0 && !itself {
					t.Error("not counted")
				}
			})
		}
	}
}

// When the answer to a request is lost it is made again. The slave may have followed the first one: an acknowledgement of the state in
// which it was would send it back there.
func TestRequestedTwice(t *testing.T) {
	r, _ := running(t, six(), Options{})
	const name, position = "EL3104-4", 3
	r.do("slave " + name + " error 0x002c safeop")
	station, lost := r.m.Slaves()[position].Station, 0
	r.cable.Faults = func(_ uint64, frame []byte) (f cable.Fault) {
		reader := wire.Open(frame)
		for d, ok := reader.Next(); ok; d, ok = reader.Next() {
			if lost == 0 && d.Command == wire.FPWR && d.Address == wire.Station(station, wire.RegControl) && wire.State(d.Data[0]) == wire.Init {
				f.Lost, lost = true, 1
			}
		}
		return f
	}
	if err := r.m.Tend(t.Context()); err != nil || lost == 0 {
		t.Error(err, lost)
	}
	if state, code := r.slave(name).State(); state != wire.Op {
		t.Error(state, code)
	}
}

// A slave that says it has more FMMUs and SyncManagers than there can be does not make the master write to other registers.
func TestTooMany(t *testing.T) {
	r, _ := running(t, six(), Options{})
	s := r.m.Slaves()[3]
	s.FMMUs, s.SyncManagers = 255, 255
	r.do("slave EL3104-4 cycle")
	r.tend(5 * time.Second)

	d := *s.SII
	d.SyncManagers = append(slices.Clone(d.SyncManagers), make([]sii.SyncManager, 100)...)
	image, err := sii.Encode(&d)
	if err != nil {
		t.Fatal(err)
	}
	other := &Slave{Image: image}
	if other.identify(); len(other.SII.SyncManagers) != 16 || !strings.Contains(other.Status().Trouble, "104 SyncManagers") {
		t.Error(len(other.SII.SyncManagers), other.Status().Trouble)
	}
}

// Slaves that take long for each state come back at the same time, and one that never gets there does not keep the others from it.
func TestSlowOnes(t *testing.T) {
	rack := six()
	for _, i := range []int{2, 3, 4} {
		rack.Slaves[i].Transition = time.Second
	}
	r, _ := running(t, rack, Options{})
	r.do("slave EL2008-3 cycle", "slave EL3104-4 cycle", "slave EL4132-5 cycle")
	begin := r.cable.Now()
	r.tend(time.Minute)
	if took := r.cable.Now() - begin; took > 5e9 { // three states each
		t.Errorf("took %d ms", took/1e6)
	}
	r.do("slave EL2008-3 cycle", "slave EL3104-4 cycle", "slave EL3104-4 abort 0x1a00 0x08000000", "slave EL3104-4 losemail 1000")
	_ = r.m.Tend(t.Context())
	for i, want := range []wire.State{wire.Op, wire.Op, wire.Op, wire.PreOp, wire.Op, wire.Op} {
		if got := r.m.Slaves()[i].Status(); got.State != want {
			t.Errorf("slave %d: %+v, not %v", i, got, want)
		}
	}
}

// A slave that vanishes takes no other with it: which one it is shows at once, not at the next check.
func TestWhoIsGone(t *testing.T) {
	r, e := running(t, six(), Options{})
	r.do("slave EL1018-6 vanish")
	r.cycle()
	for i, want := range []ecat.Quality{ecat.Invalid, ecat.Fresh, ecat.Invalid, ecat.Fresh, ecat.Invalid, ecat.Held} {
		if len(r.m.Slaves()[i].Inputs) > 0 && e.drivers[i].quality != want {
			t.Errorf("slave %d: %v, not %v", i, e.drivers[i].quality, want)
		}
	}
	r.cycles(20)
	if q := r.m.Slaves()[5].Quality(); q != ecat.Invalid {
		t.Error(q)
	}
	found := false
	for _, i := range r.m.Incidents() {
		found = found || i.Kind == SlaveInvalid && i.Value == 5
	}
	if !found {
		t.Error(r.m.Incidents())
	}
}

// The same with one that has only outputs, by which nothing can be seen: it is doubted with those that are like it, but no inputs are.
func TestOutputsAreGone(t *testing.T) {
	r, e := running(t, six(), Options{})
	r.do("slave EL4132-5 deaf")
	r.cycle()
	for i, want := range []ecat.Quality{ecat.Invalid, ecat.Fresh, ecat.Held, ecat.Fresh, ecat.Held, ecat.Fresh} {
		if e.drivers[i].quality != want {
			t.Errorf("slave %d: %v, not %v", i, e.drivers[i].quality, want)
		}
	}
	r.cycles(20)
	if q := e.drivers[1].quality; q != ecat.Fresh {
		t.Error(q)
	}
	r.do("slave EL1008-2 deaf", "slave EL1018-6 deaf")
	r.cycle()
	for i, want := range []ecat.Quality{ecat.Invalid, ecat.Held, ecat.Invalid, ecat.Fresh, ecat.Invalid, ecat.Held} {
		if e.drivers[i].quality != want {
			t.Errorf("slave %d with three that are gone: %v, not %v", i, e.drivers[i].quality, want)
		}
	}
	r.do("slave EL4132-5 hear", "slave EL1008-2 hear", "slave EL1018-6 hear")
	r.cycle()
	for i, want := range []ecat.Quality{ecat.Invalid, ecat.Fresh, ecat.Fresh, ecat.Fresh, ecat.Fresh, ecat.Fresh} {
		if e.drivers[i].quality != want {
			t.Errorf("slave %d when all are back: %v, not %v", i, e.drivers[i].quality, want)
		}
	}
}

// One that does not get to Op does not keep others waiting: in the meantime a slave that is gone shows, and one that has come
// back is brought back.
func TestWhileOneIsWaitedFor(t *testing.T) {
	rack := rackOf("EK1100", "EL1008", "EL2008", "EL2008")
	rack.Slaves = append(rack.Slaves, sim.SlaveGiven{Type: "drive"}) // without SYNC0
	r, _ := running(t, rack, Options{Partial: true})
	stuck, gone := r.m.Slaves()[4], r.m.Slaves()[3]
	tend := func(limit time.Duration, until func() bool) {
		t.Helper()
		for end := r.cable.Now() + int64(limit); !until(); r.sleep(100 * time.Millisecond) {
			if r.cable.Now() > end {
				t.Fatal(r.states())
			}
			_ = r.m.Tend(t.Context())
		}
	}
	tend(10*time.Second, func() bool { return stuck.Status().Failures > steps })

	begun, pulled, noticed := int64(0), int64(0), int64(0) // of being waited for
	r.each = func() {
		switch now := r.cable.Now(); {
		case stuck.Status().State != wire.SafeOp:
			begun = now
		case pulled == 0 && begun != 0 && now-begun > 1e9:
			pulled = now
			r.do("slave EL2008-4 vanish")
		case pulled != 0 && noticed == 0 && gone.Status().Lost:
			noticed = now
		}
	}
	tend(20*time.Second, func() bool { return noticed != 0 })
	if d := time.Duration(noticed - pulled); d > 50*time.Millisecond {
		t.Errorf("that it is gone is noticed after %v", d)
	}
	r.each = nil
	for range 20 {
		_ = r.m.Tend(t.Context())
		r.sleep(100 * time.Millisecond)
	}
	begin, back := r.cable.Now(), int64(0)
	r.do("slave EL2008-4 return")
	r.each = func() {
		if back == 0 && gone.Status().State == wire.Op && !gone.Status().Lost {
			back = r.cable.Now()
		}
	}
	tend(20*time.Second, func() bool { return back != 0 })
	if d := time.Duration(back - begin); d > time.Second {
		t.Errorf("it is back after %v", d)
	}
}

// Slaves that were not there at the start do not disturb, and are reported.
func TestStrangers(t *testing.T) {
	r := newRig(t, six(), Options{})
	r.do("slave EL1018-6 vanish")
	r.start()
	if n := len(r.m.Slaves()); n != 5 {
		t.Fatal(n)
	}
	r.do("slave EL1018-6 return")
	r.cycles(10)
	if err := r.m.Tend(context.Background()); !errors.Is(err, ErrStrangers) {
		t.Error(err)
	}
	if !r.whole() || !r.last.Answered {
		t.Error(r.states())
	}
}

// Each difference of a rack is an error of its own.
func TestRackRefused(t *testing.T) {
	const beckhoff = 2
	rack := []Expected{
		{Name: "coupler", Identity: sii.Identity{Vendor: beckhoff, Product: 0x044c2c52}},
		{Name: "inputs", Identity: sii.Identity{Vendor: beckhoff, Product: 0x03f03052, Revision: 0xffff0000}},
		{Name: "outputs", Identity: sii.Identity{Vendor: 3, Product: 0x07d83052}},
		{Name: "analog", Identity: sii.Identity{Vendor: beckhoff, Product: 0x0c203053}, Alias: 7},
		{Name: "volts", Identity: sii.Identity{Vendor: beckhoff, Product: 0x10243052, Serial: 9}, Alias: 8},
		{Name: "fast", Identity: sii.Identity{Vendor: beckhoff, Product: 0x03fa3052}},
		{Name: "more", Identity: sii.Identity{Vendor: beckhoff, Product: 1}},
	}
	r := newRig(t, six(), Options{Rack: rack})
	err := r.m.Start(context.Background())
	if err == nil {
		t.Fatal("starts")
	}
	text := err.Error()
	for _, want := range []string{
		`slave 2 "inputs": revision 0x`, `slave 3 "outputs": vendor 0x00000002 instead of 0x00000003`,
		`slave 4 "analog": product 0x0c203052 instead of 0x0c203053`, `slave 5 "volts": serial number 0x00000000 instead of 0x00000009`,
		`slave 5 "volts": alias 0 instead of 8`, `slave 7 "more" is missing`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Count(text, "slave ") != 6 {
		t.Error(text)
	}
	if err := Compare(rack[:1], r.m.Slaves()[:2]); err == nil || err.Error() != `slave 2 "EL1008" is connected but not configured` {
		t.Error(err)
	}
}

// A driver is called each time before its slave goes to Op: outputs were off in the meantime.
func TestDriversAreToldOfSafeOp(t *testing.T) {
	r := newRig(t, six(), Options{})
	e := &everything{}
	r.m.Add(e)
	r.start()
	const outputs = 2
	r.do("slave EL2008-3 error 0x1d safeop")
	r.tend(time.Second)
	if diff := cmp.Diff([]string{"Pre-Op", "Safe-Op", "Safe-Op"}, e.drivers[outputs].calls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Pre-Op", "Safe-Op"}, e.drivers[outputs-1].calls); diff != "" {
		t.Error("of a neighbour", diff)
	}
}

// Objects are read and written while the cycle runs, in all ways that there are, and nothing of it disturbs the cycle.
func TestObjects(t *testing.T) {
	r, _ := running(t, six(), Options{})
	s := r.m.Slaves()[3]
	ctx := context.Background()
	before := r.m.Statistics()
	name, err := s.Upload(ctx, 0x1008, 0, false)
	if err != nil || !strings.HasPrefix(string(name), "EL3104") {
		t.Errorf("%q %v", name, err)
	}
	vendor, err := s.Upload(ctx, 0x1018, 1, false)
	if diff := cmp.Diff([]byte{2, 0, 0, 0}, vendor); diff != "" || err != nil {
		t.Error(diff, err)
	}
	var abort coe.Abort
	if _, err := s.Upload(ctx, 0x5fff, 0, false); !errors.As(err, &abort) || abort != coe.AbortNoObject {
		t.Error(err)
	}
	if err := s.Download(ctx, 0x1018, 1, false, []byte{1, 2, 3, 4}); !errors.As(err, &abort) {
		t.Error(err)
	}
	list, err := s.Objects(ctx, coe.ListAll)
	if len(list) < 5 || err != nil {
		t.Errorf("%x %v", list, err)
	}
	if o, err := s.Object(ctx, 0x1018); err != nil || o.Index != 0x1018 || o.MaxSub < 4 {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := s.Entry(ctx, 0x1018, 1); err != nil || o.Bits != 32 {
		t.Errorf("%+v %v", o, err)
	}
	if _, err := r.m.Slaves()[1].Upload(ctx, 0x1008, 0, false); !errors.Is(err, ErrNoMailbox) {
		t.Error(err)
	}
	after := r.m.Statistics()
	if after.Lost != before.Lost || after.Incomplete != before.Incomplete || after.Cycles == before.Cycles {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
}

// Mails whose frames are lost are repeated, those that a slave never answers end as time-outs, and the next transfer does not take
// a late answer for its own.
func TestMailFaults(t *testing.T) {
	ctx := context.Background()
	t.Run("frames lost", func(t *testing.T) {
		for lost := range uint64(12) {
			r, _ := running(t, six(), Options{})
			hit := r.cable.Sent() + lost
			r.cable.Faults = func(n uint64, _ []byte) (f cable.Fault) {
				f.Lost = n == hit
				return f
			}
			if name, err := r.m.Slaves()[3].Upload(ctx, 0x1008, 0, false); err != nil || !strings.HasPrefix(string(name), "EL3104") {
				t.Errorf("frame %d: %q %v", lost, name, err)
			}
		}
	})
	t.Run("answer lost", func(t *testing.T) {
		r, _ := running(t, six(), Options{Mailbox: 50 * time.Millisecond})
		s := r.m.Slaves()[3]
		r.do("slave EL3104-4 losemail 1")
		if _, err := s.Upload(ctx, 0x1008, 0, false); !errors.Is(err, ErrMailbox) {
			t.Error(err)
		}
		if v, err := s.Upload(ctx, 0x1018, 1, false); err != nil || len(v) != 4 {
			t.Error(v, err)
		}
		if r.m.Statistics().TimeOuts != 1 {
			t.Errorf("%+v", r.m.Statistics())
		}
	})
	t.Run("emergencies without end", func(t *testing.T) {
		const limit = 50 * time.Millisecond
		r, _ := running(t, six(), Options{Mailbox: limit})
		r.do("slave EL3104-4 emergency 0x8130 4000")
		begin := r.cable.Now()
		if _, err := r.m.Slaves()[3].Upload(ctx, 0x1018, 1, false); !errors.Is(err, ErrMailbox) {
			t.Error(err)
		}
		if took := time.Duration(r.cable.Now() - begin); took > 2*limit || r.m.Slaves()[3].Status().Emergencies < 5 {
			t.Error(took, r.m.Slaves()[3].Status())
		}
	})
	t.Run("some emergencies before the answer", func(t *testing.T) {
		r, _ := running(t, six(), Options{})
		r.do("slave EL3104-4 emergency 0x8130 10")
		if v, err := r.m.Slaves()[3].Upload(ctx, 0x1018, 1, false); err != nil || len(v) != 4 {
			t.Error(v, err)
		}
	})
	t.Run("given up by the caller", func(t *testing.T) {
		r, _ := running(t, six(), Options{})
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := r.m.Slaves()[3].Upload(gone, 0x1008, 0, false); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if v, err := r.m.Slaves()[3].Upload(ctx, 0x1018, 1, false); err != nil || len(v) != 4 {
			t.Error(v, err)
		}
	})
}

// A memory that refuses some accesses, as those do that are not ready yet, is read nevertheless; each time its error is cleared.
func TestRefusedSII(t *testing.T) {
	record := link.NewRecorder(1 << 12)
	r := newRig(t, six(), Options{Record: record})
	const refused = 50
	r.do(fmt.Sprintf("slave EL3104-4 refuse %d", refused))
	slaves, err := r.m.Scan(context.Background())
	if err != nil || slaves[3].Name != "EL3104" || slaves[3].Identity.Product != 0x0c203052 {
		t.Fatal(err, slaves)
	}
	cleared := 0
	for _, d := range datagramsOf(t, record) {
		if d.Command == wire.FPWR && d.Address == wire.Station(slaves[3].Station, wire.RegSIIControl) && len(d.Data) == 2 && d.Counter == 1 {
			cleared++
		}
	}
	if cleared != refused {
		t.Errorf("cleared %d times", cleared)
	}
}

// FMMUs and SyncManagers are cleared one by one: there are parts that take no write that goes beyond those that they have.
func TestClearedOneByOne(t *testing.T) {
	record := link.NewRecorder(1 << 12)
	r := newRig(t, small(), Options{Record: record})
	if _, err := r.m.Scan(context.Background()); err != nil {
		t.Fatal(err)
	}
	cleared := map[wire.Register]int{}
	for _, d := range datagramsOf(t, record) {
		if d.Command == wire.BWR && d.Counter == 3 {
			cleared[d.Address.Register()] = len(d.Data)
		}
	}
	for i := range 16 {
		if a, b := cleared[wire.FMMUAt(i)], cleared[wire.SyncManagerAt(i)]; a != wire.FMMUSize || b != wire.SyncManagerSize {
			t.Errorf("%d: %d and %d bytes", i, a, b)
		}
	}
}

// datagramsOf returns all that have been recorded, as they were sent and as they came back.
func datagramsOf(t *testing.T, record *link.Recorder) (list []wire.Datagram) {
	t.Helper()
	if record.Missed() > 0 {
		t.Fatal("too many frames")
	}
	for _, p := range record.Take() {
		r := wire.Open(p.Frame)
		for d, ok := r.Next(); ok; d, ok = r.Next() {
			list = append(list, d)
		}
	}
	return list
}

// An error that keeps a bus from starting names the slave and says what to do.
func TestStartRefused(t *testing.T) {
	tests := []struct {
		name     string
		commands []string
		options  Options
		setup    ecat.Setup
		want     string
	}{
		{"SII busy for ever", []string{"slave EL3104-4 stuck on"}, Options{}, ecat.Setup{}, "the memory stays busy"},
		{"SII refused for ever", []string{"slave EL3104-4 refuse 1000000"}, Options{}, ecat.Setup{}, "the memory refuses access"},
		{"no answer", []string{"slave EK1100-1 vanish"}, Options{}, ecat.Setup{}, "frames do not come back"},
		{"object refused", []string{"slave EL3104-4 abort 0x8000 0x06010000"}, Options{}, ecat.Setup{Start: []ecat.Write{{Index: 0x8000, Sub: 6, Data: []byte{1}}}}, "writing start-up objects"},
		{"assignment refused", nil, Options{}, ecat.Setup{Inputs: []ecat.PDO{{Index: 0x1aff}}}, "assigning process data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, six(), tt.options)
			r.m.Add(&setUp{position: 3, setup: tt.setup})
			r.do(tt.commands...)
			err := r.m.Start(context.Background())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, not %q", err, tt.want)
			}
		})
	}
	t.Run("no clock", func(t *testing.T) {
		rack := rackOf("EK1100", "EL1008")
		rack.Slaves[0].Clock.Bits = -1
		if err := newRig(t, rack, Options{Sync: &Sync{}}).m.Start(context.Background()); !errors.Is(err, ErrNoClock) {
			t.Error(err)
		}
	})
	t.Run("no clock at a slave that is to have SYNC0", func(t *testing.T) {
		rack := six()
		rack.Slaves[3].Clock.DelaysOnly = true
		r := newRig(t, rack, Options{Sync: &Sync{}})
		r.m.Add(&setUp{position: 3, setup: ecat.Setup{Clock: &ecat.Clock{Activate: 0x0300}}})
		if err := r.m.Start(context.Background()); !errors.Is(err, ErrNoSync) || !strings.Contains(err.Error(), "EL3104") {
			t.Error(err)
		}
	})
	t.Run("no cycle", func(t *testing.T) {
		r := newRig(t, six(), Options{})
		r.idle = true
		if err := r.m.Start(context.Background()); !errors.Is(err, ErrNoCycle) {
			t.Error(err)
		}
	})
	t.Run("no link", func(t *testing.T) {
		if _, err := New(Options{}); err == nil {
			t.Error("there is none")
		}
	})
}

// setUp gives one slave a set-up.
type setUp struct {
	everything
	position int
	setup    ecat.Setup
}

func (s *setUp) Startup(slaves []ecat.Slave) error {
	if s.position < len(slaves) {
		slaves[s.position].(*Slave).Setup = s.setup
	}
	return s.everything.Startup(slaves)
}
