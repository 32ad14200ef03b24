package ethercat

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// upload reads the vendor from a slave.
func (r *rig) vendor(s *Slave) error {
	b, err := s.Upload(r.t.Context(), 0x1018, 1, false)
	if err == nil && (len(b) != 4 || b[0] != 2) {
		r.t.Errorf("the vendor is % x", b)
	}
	return err
}

// tendFor lets time pass, with supervision ten times a second.
func (r *rig) tendFor(d time.Duration) {
	for end := r.cable.Now() + int64(d); r.cable.Now() < end; r.sleep(100 * time.Millisecond) {
		_ = r.m.Tend(r.t.Context())
	}
}

// A slave in Op that has lost the SyncManagers of its mailbox, or has others, gets them back without having been asked for anything, and
// stays in Op in the meantime: process data go on.
func TestMailboxLost(t *testing.T) {
	others := make([]byte, wire.SyncManagerSize)
	wire.SyncManager{Start: 0x1400, Length: 64, Control: wire.ControlMailIn, Activate: wire.SyncEnable}.Put(others)
	for _, tt := range []struct {
		name string
		hurt func(r *rig, s *Slave)
	}{
		{"both cleared", func(r *rig, _ *Slave) { r.do("slave EL3104-4 forget mailboxes") }},
		{"the first one off", func(r *rig, s *Slave) {
			r.stranger(wire.FPWR, wire.Station(s.Station, wire.SyncManagerAt(0)+wire.SyncUseOffset), []byte{0})
		}},
		{"another area", func(r *rig, s *Slave) {
			at := wire.SyncManagerAt(1)
			r.stranger(wire.FPWR, wire.Station(s.Station, at+wire.SyncUseOffset), []byte{0})
			r.stranger(wire.FPWR, wire.Station(s.Station, at), others)
		}},
		{"after mail was repeated", func(r *rig, s *Slave) {
			r.stranger(wire.FPWR, wire.Station(s.Station, wire.SyncManagerAt(1)+wire.SyncUseOffset), []byte{wire.SyncEnable | wire.SyncRepeat})
			r.do("slave EL3104-4 forget mailboxes")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, e := running(t, six(), Options{})
			s := r.m.Slaves()[3]
			if err := r.vendor(s); err != nil {
				t.Fatal(err)
			}
			e.drivers[3].calls = nil
			tt.hurt(r, s)
			before := r.m.Statistics()
			r.tendFor(300 * time.Millisecond)
			if err := r.vendor(s); err != nil {
				t.Fatal(err)
			}
			after, st := r.m.Statistics(), s.Status()
			if st.Reopened != 1 || after.Reopened != 1 || st.Fault != "" || st.Reconfigured+st.Recoveries != 0 || len(e.drivers[3].calls) > 0 {
				t.Errorf("%+v, %v", st, e.drivers[3].calls)
			}
			if after.Incomplete != before.Incomplete || after.TimeOuts != before.TimeOuts {
				t.Errorf("before %+v\nafter %+v", before, after)
			}
			list := r.m.Repairs()
			if len(list) != 1 || list[0].Slave.Position != 3 || list[0].Done != didReopen || list[0].Took <= 0 || list[0].Took > time.Second ||
				!strings.Contains(list[0].String(), "was in Op without the SyncManagers of its mailbox; back after") {
				t.Errorf("%v", list)
			}
		})
	}
}

// Of many slaves each has its turn; one whose mailbox has not answered is looked at first.
func TestMailboxLostOfMany(t *testing.T) {
	types := []string{"EK1100"}
	for range 40 {
		types = append(types, "EL3104")
	}
	r, _ := running(t, rackOf(types...), Options{Mailbox: 20 * time.Millisecond})
	r.do("intruder mailboxes")
	last := r.m.Slaves()[40]
	if err := r.vendor(last); !errors.Is(err, ErrMailbox) {
		t.Fatal(err)
	}
	if err := r.m.Tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.vendor(last); err != nil {
		t.Error(err)
	}
	r.tendFor(time.Second)
	if n := r.m.Statistics().Reopened; n != 40 {
		t.Errorf("%d mailboxes", n)
	}
	for _, s := range r.m.Slaves()[1:] {
		if err := r.vendor(s); err != nil || s.Status().State != wire.Op {
			t.Error(s, err)
		}
	}
}

// keeping is a guard whose device has something to lose.
type keeping struct{ what string }

func (k *keeping) Open() bool                 { return true }
func (k *keeping) Holds() string              { return k.what }
func (k *keeping) Startup([]ecat.Slave) error { return nil }
func (k *keeping) Shutdown()                  {}
func (k *keeping) Call(ctx context.Context, f func(ctx context.Context) error) error {
	return f(ctx)
}

// A slave that has switched its mailbox off by itself is configured again, as only that makes it open it; but not while its device has
// something to lose, as its process data are as they should be.
func TestMailboxClosed(t *testing.T) {
	for _, manager := range []string{"0", "1"} {
		r, e := running(t, six(), Options{Mailbox: 50 * time.Millisecond})
		s, guard := r.m.Slaves()[3], &keeping{"it is in motion"}
		s.guard = guard
		e.drivers[3].calls = nil
		r.do("slave EL3104-4 close " + manager)
		r.tendFor(2 * time.Second)
		if st := s.Status(); st.State != wire.Op || !strings.Contains(st.Fault, "switched off; it is configured again when its device lets it (it is in motion)") || s.Quality() != ecat.Fresh {
			t.Errorf("%+v", st)
		}
		if len(e.drivers[3].calls) > 0 || len(r.m.Repairs()) > 0 {
			t.Error(e.drivers[3].calls, r.m.Repairs())
		}
		guard.what = ""
		r.tendFor(time.Second)
		if err := r.vendor(s); err != nil {
			t.Error(err)
		}
		if st := s.Status(); st.Fault != "" || st.Reconfigured != 1 || strings.Join(e.drivers[3].calls, " ") != "Pre-Op Safe-Op" {
			t.Errorf("%+v, %v", st, e.drivers[3].calls)
		}
		if list := r.m.Repairs(); len(list) != 1 || list[0].Done != didReconfigure || list[0].Took < 2*time.Second {
			t.Errorf("%v", list)
		}
	}
}

// Process data whose SyncManager the slave has switched off are configured again.
func TestProcessDataClosed(t *testing.T) {
	r, _ := running(t, six(), Options{})
	r.do("slave EL4132-5 close 2")
	r.tendFor(time.Second)
	if st := r.m.Slaves()[4].Status(); st.Reconfigured != 1 || st.State != wire.Op || st.Fault != "" {
		t.Errorf("%+v", st)
	}
}

// foreignMail writes a request as another master does, whose counter is its own.
func (r *rig) foreignMail(s *Slave, counter int, begin func(c *coe.Client)) {
	c := coe.NewClient(int(s.mailbox.area.OutSize))
	for range counter {
		begin(c)
	}
	mail, _ := c.Request()
	d := s.written(s.mailbox, mail)
	r.stranger(d.command, d.address, d.data)
}

// An answer to another master that was not fetched keeps the mailbox full. It is taken out, and never for ours, although it is about the
// same object.
func TestForeignAnswer(t *testing.T) {
	r, _ := running(t, six(), Options{})
	s := r.m.Slaves()[3]
	counter := 3
	leave := func() {
		counter++
		r.foreignMail(s, counter, func(c *coe.Client) { c.Upload(0x1018, 1, false) })
		r.cycles(3)
	}
	full := func() bool {
		is, err := s.full(speaker{m: r.m}, s.mailbox)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	leave()
	if !full() {
		t.Fatal("it is empty")
	}
	if err := r.m.Tend(t.Context()); err != nil || full() || r.m.Statistics().Unasked != 1 {
		t.Error(err, full(), r.m.Statistics().Unasked)
	}

	leave()
	r.do("slave EL3104-4 abort 0x1018 0x08000000") // what is asked now is answered in another way
	var abort coe.Abort
	if err := r.vendor(s); !errors.As(err, &abort) || abort != coe.AbortGeneral || r.m.Statistics().Unasked != 2 {
		t.Error(err, r.m.Statistics().Unasked)
	}
	r.do("slave EL3104-4 abort 0x1018 0")
	if err := r.vendor(s); err != nil || r.m.Statistics().TimeOuts != 0 {
		t.Error(err, r.m.Statistics())
	}

	r.do("slave EL3104-4 emergency 0x1234") // is there before the request as well, and counts
	if err := r.vendor(s); err != nil || len(s.Emergencies()) != 1 || r.m.Statistics().Unasked != 2 {
		t.Error(err, s.Emergencies(), r.m.Statistics().Unasked)
	}
}

// Another master has inverted the repeat bit: what is repeated is not an answer, and ours has mail repeated nevertheless.
func TestForeignRepeat(t *testing.T) {
	r, _ := running(t, six(), Options{})
	s := r.m.Slaves()[3]
	for range 3 {
		if err := r.vendor(s); err != nil {
			t.Fatal(err)
		}
		at := wire.Station(s.Station, wire.SyncManagerAt(1)+wire.SyncUseOffset)
		r.stranger(wire.FPWR, at, []byte{wire.SyncEnable | wire.SyncRepeat})
		if err := r.m.Tend(t.Context()); err != nil {
			t.Error(err)
		}
		b := s.mailbox
		mail, err := []byte(nil), s.repeat(speaker{m: r.m}, b)
		if err == nil {
			mail, err = s.fetch(speaker{m: r.m}, b, 20*time.Millisecond)
		}
		if err != nil || mail == nil {
			t.Errorf("it is not repeated: %v", err)
		}
		r.stranger(wire.FPWR, at, []byte{wire.SyncEnable})
	}
}

// withDrive returns a terminal with outputs only, and a drive behind it.
func withDrive() *sim.Rack {
	rack := rackOf("EK1100", "EL2008", "drive")
	rack.Slaves[2].Drive = sim.DriveYAML{FreeRun: true}
	return rack
}

// A slave that is not known to run yet, and takes part nevertheless, does not explain that one with outputs only is missing.
func TestMissingBehindOneThatReturns(t *testing.T) {
	r, e := running(t, withDrive(), Options{})
	r.m.cycle.part(2).runs.Store(false)
	r.cycles(15)
	if q := e.drivers[1].quality; q != ecat.Fresh {
		t.Errorf("%v while it is there", q)
	}
	r.do("slave EL2008-2 deaf")
	r.cycles(15)
	if q := e.drivers[1].quality; q != ecat.Invalid || !r.m.Slaves()[1].Unheard() {
		t.Errorf("%v while it is away", q)
	}
}

// A slave that goes while another one is being configured is known to be gone at once, also without inputs and without process data.
func TestGoneWhileOthersAreConfigured(t *testing.T) {
	rack := withDrive()
	rack.Slaves[2].MailDelay = 30 * time.Millisecond
	r, _ := running(t, rack, Options{})
	r.do("slave drive-3 cycle")
	var vanished, noticed int64
	watched := 0
	r.each = func() {
		now := r.cable.Now()
		drive := r.m.Slaves()[2].Status()
		switch {
		case !drive.Configuring || drive.State != wire.PreOp:
			return
		case vanished == 0:
			if watched++; watched == 50 {
				r.do("slave EL2008-2 deaf", "slave EK1100-1 deaf")
				vanished = now
			}
		case noticed == 0 && r.m.Slaves()[1].Status().Lost && r.m.Slaves()[0].Status().Lost:
			noticed = now
		}
	}
	_ = r.m.Tend(t.Context())
	if vanished == 0 || noticed == 0 || noticed-vanished > int64(2*watchEvery) {
		t.Errorf("gone at %v, noticed after %v", vanished, time.Duration(noticed-vanished))
	}
}
