package ethercat

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// stranger is another master on the cable: it sends one frame of its own.
func (r *rig) stranger(c wire.Command, at wire.Address, data []byte) {
	w := wire.NewWriter(make([]byte, wire.LongestFrame), wire.MAC{2, 9, 9, 9, 9, 9})
	w.Write(c, 0x7f, at, data)
	r.chain.Process(bytes.Clone(w.Frame()), r.cable.Now(), func([]byte, int64) {})
}

// Slaves that have lost FMMUs or SyncManagers while they stay in Op are in trouble, say why, and are configured again; the others go on.
func TestForgetfulSlaves(t *testing.T) {
	for _, tt := range []struct {
		name     string
		register wire.Register
		position int
		fault    string
	}{
		{"FMMU of inputs", wire.FMMUAt(0), 1, faultForgot},
		{"FMMU of outputs", wire.FMMUAt(0), 2, faultForgot},
		{"SyncManager of inputs", wire.SyncManagerAt(3), 3, faultForgot},
		{"SyncManager of outputs", wire.SyncManagerAt(2), 4, faultForgot},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, e := running(t, six(), Options{})
			s := r.m.Slaves()[tt.position]
			r.stranger(wire.FPWR, wire.Station(s.Station, tt.register), make([]byte, 8))
			r.cycles(50)
			if silent := tt.register < wire.SyncManagerAt(0); silent && (e.drivers[tt.position].quality != ecat.Invalid || !s.Unheard()) {
				t.Error(e.drivers[tt.position].quality, s.Unheard())
			}
			for range 2 { // of those of which it does not show some are looked at in each round
				if err := errors.Join(r.m.findSilent(), r.m.readHealth()); err != nil {
					t.Error(err)
				}
			}
			if err := r.m.findSilent(); err != nil || s.Status().Fault != tt.fault {
				t.Error(err, s.Status().Fault)
			}
			e.drivers[tt.position].calls = nil
			for range 3 {
				if err := r.m.Tend(t.Context()); err != nil {
					t.Error(err)
				}
				r.cycles(20)
			}
			st := s.Status()
			if st.Fault != "" || st.Reconfigured != 1 || r.m.Statistics().Reconfigured != 1 || s.Unheard() || s.Quality() != ecat.Fresh {
				t.Errorf("%+v, %v", st, s.Quality())
			}
			if got := strings.Join(e.drivers[tt.position].calls, " "); got != "Pre-Op Safe-Op" {
				t.Error(got)
			}
			for i, other := range r.m.Slaves() {
				if st := other.Status(); i != tt.position && (st.Reconfigured != 0 || st.Recoveries != 0 || st.Fault != "") {
					t.Errorf("%v: %+v", other, st)
				}
			}
		})
	}
}

// A second master that clears all FMMUs takes the exchange from all slaves, and the bus gets it back.
func TestSecondMasterClearsAll(t *testing.T) {
	r, _ := running(t, six(), Options{})
	for n := range 3 {
		r.stranger(wire.BWR, wire.Broadcast(wire.FMMUAt(n)), make([]byte, wire.FMMUSize))
	}
	for range 20 {
		r.sleep(50 * time.Millisecond)
		if err := r.m.Tend(t.Context()); err != nil {
			t.Error(err)
		}
	}
	r.cycles(20)
	for _, s := range r.m.Slaves()[1:] {
		if st := s.Status(); st.Reconfigured != 1 || st.Fault != "" || s.Quality() != ecat.Fresh {
			t.Errorf("%v: %+v %v", s, st, s.Quality())
		}
	}
}

// A slave whose settings are as they were, and whose inputs show that it takes no part, is configured again after a while, and more and more
// rarely when that does not help.
func TestSilentForNoReason(t *testing.T) {
	r, _ := running(t, six(), Options{})
	s := r.m.Slaves()[1]
	at := s.Place().Inputs.From + logicalBase
	r.cable.Faults = nil
	silence := func(frame []byte) {
		reader := wire.Open(frame)
		for d, ok := reader.Next(); ok; d, ok = reader.Next() {
			from := at - int(d.Address.Logical())
			if d.Command == wire.LRW && from >= 0 && from < len(d.Data) {
				d.Data[from] = r.m.cycle.out[s.Place().Inputs.From]
				d.Counter--
				d.Update(frame)
			}
		}
	}
	r.cable = cable.NewMemory(spoiled{r.chain, silence}, r.cable.Now())
	r.m.options.Link, r.m.traffic.link = r.cable, r.cable
	for range 100 {
		r.sleep(100 * time.Millisecond)
		_ = r.m.Tend(t.Context())
	}
	if st := s.Status(); st.Fault != faultSilent || st.Reconfigured < 3 || st.Reconfigured > 8 {
		t.Errorf("%+v", st)
	}
}

// spoiled are slaves of whose answers something is changed.
type spoiled struct {
	link.Slaves
	change func(frame []byte)
}

func (s spoiled) Process(frame []byte, now int64, deliver func(frame []byte, at int64)) {
	s.Slaves.Process(frame, now, func(answer []byte, at int64) {
		s.change(answer)
		deliver(answer, at)
	})
}

// Knowledge of slaves ages from the moment in which the cable dies, and is not relied on as soon as inputs are invalid.
func TestAgeOfWhatIsKnown(t *testing.T) {
	r, _ := running(t, six(), Options{Patience: 5})
	r.cycles(30)
	coupler, terminal := r.m.Slaves()[0], r.m.Slaves()[1]
	if terminal.Age() > 2*time.Millisecond || terminal.Unheard() || coupler.Unheard() || r.m.Mute() != 0 {
		t.Error(terminal.Age(), terminal.Unheard(), coupler.Unheard(), r.m.Mute())
	}
	r.cable.Unplugged = true
	last := coupler.Age()
	for range 12 {
		r.cycle()
		if age := coupler.Age(); age <= last {
			t.Errorf("%v, then %v", last, age)
		} else {
			last = age
		}
	}
	for _, s := range r.m.Slaves() {
		if st := s.Status(); !s.Unheard() || st.State != wire.Op || s.Age() < 10*time.Millisecond {
			t.Errorf("%v: %v %v %v", s, s.Unheard(), st.State, s.Age())
		}
	}
	if r.m.Mute() < 10*time.Millisecond {
		t.Error(r.m.Mute())
	}
	r.cable.Unplugged = false
	r.cycles(3)
	if coupler.Unheard() || terminal.Unheard() || terminal.Age() > 2*time.Millisecond || r.m.Mute() != 0 {
		t.Error(coupler.Unheard(), terminal.Age(), r.m.Mute())
	}
}
