package ethercat

import (
	"bytes"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Faults of slaves that are in Op nevertheless.
const (
	faultForgot = "in Op, but its SyncManagers or FMMUs are gone (another master on the cable?); it is configured again"
	faultSilent = "in Op, but takes no part in the exchange of process data"
	faultDoubt  = "in Op, but it or another slave takes no part in the exchange of process data"
)

// silentTime is how long a slave that has its settings may take no part in the exchange until it is configured again.
const silentTime = time.Second

// findSilent looks at slaves that are in Op and answer at their address, and take no part in the exchange: with a second master on the
// cable they lose SyncManagers and FMMUs, and their state does not show it. Those whose settings are gone, or whose inputs have shown
// for long that they are not there, are to be configured again. Without a SyncManager, memory that is not filled goes on being
// exchanged, so those that take part are looked at as well, some in each round (readHealth).
func (m *Master) findSilent() error {
	var suspects []*Slave
	for _, s := range m.slaves {
		p, st := m.cycle.part(s.Position), s.Status()
		s.forgot = false
		fault := s.unused
		if p != nil && !st.Lost && st.State == wire.Op {
			silent, doubted := int64(p.silent.Load()), int64(p.doubted.Load())
			switch {
			case silent > m.cycle.patience:
				fault, s.forgot = faultSilent, silent*m.cycle.period > int64(silentTime)
				suspects = append(suspects, s)
			case silent+doubted > m.cycle.patience:
				fault = faultDoubt
				suspects = append(suspects, s)
			default:
				s.forgets = 0
			}
		}
		s.setFault(fault)
	}
	c := m.comparison(suspects)
	c.boxes(nil)
	err := m.do(c.read...)
	if err == nil {
		c.judge()
	}
	for _, s := range m.slaves {
		holds := ""
		if s.box.beyond {
			holds = s.holds()
		}
		switch {
		case s.differs:
			s.forgot = true
			s.setFault(faultForgot)
		case holds != "":
			s.setFault(fmt.Sprintf("%v; it is configured again when its device lets it (%s)", ErrClosed, holds))
		case s.box.beyond:
			s.forgot = true
			s.setFault(ErrClosed.Error() + "; it is configured again")
		case s.box.differs:
			s.setFault(fmt.Sprintf(faultMailbox, s.Status().State))
		}
		s.forgot = s.forgot && m.now() >= s.spared
	}
	return err
}

// noteForgot counts that a slave is configured again. When that does not help it is tried again later and later.
func (m *Master) noteForgot(s *Slave) {
	switch {
	case s.differs:
		s.lapsed("was in Op without its SyncManagers and FMMUs", true)
	case s.box.beyond:
		s.lapsed("was in Op with a mailbox that it keeps closed", true)
	default:
		s.lapsed("was in Op and took no part in the exchange of process data", true)
	}
	s.forgets++
	s.differs, s.box = false, boxHealth{}
	s.spared = m.now() + pause(2*steps+s.forgets)
	m.count.reconfigured.Add(1)
	s.change(func(st *ecat.Status) { st.Reconfigured++ })
}

// comparison is settings as written and as slaves have them.
type comparison struct {
	of            []*Slave
	written, read []datagram
	first         int // of mailboxes
}

func (m *Master) comparison(slaves []*Slave) (c comparison) {
	for _, s := range slaves {
		for _, w := range s.mappings() {
			c.add(s, w)
		}
	}
	return c
}

func (c *comparison) add(s *Slave, written datagram) {
	c.of, c.written = append(c.of, s), append(c.written, written)
	c.read = append(c.read, readFrom(s.Station, written.address.Register(), len(written.data)))
}

// boxes adds the SyncManagers of mailboxes.
func (c *comparison) boxes(slaves []*Slave) {
	c.first = len(c.of)
	for _, s := range slaves {
		for _, w := range s.managers() {
			c.add(s, w)
		}
	}
}

// judge keeps which slaves do not have what was written, when it has been read.
func (c *comparison) judge() {
	for i, s := range c.of {
		if c.read[i].counter != 1 || sameSetting(c.read[i].data, c.written[i].data) {
			continue
		}
		if i < c.first {
			s.differs = true
		} else {
			s.box.differs = true
		}
	}
}

// sameSetting compares what masters write of a SyncManager (ETG.1000.4 table 59) or an FMMU (table 57), and that the slave has not
// switched it off.
func sameSetting(is, want []byte) bool {
	if len(want) == wire.SyncManagerSize {
		const given, use, slave = wire.SyncStatusOffset, wire.SyncUseOffset, wire.SyncManagerSize - 1
		return bytes.Equal(is[:given], want[:given]) && (is[use]^want[use])&wire.SyncEnable == 0 && is[slave]&wire.SyncClosed == 0
	}
	return bytes.Equal(is, want)
}

func (s *Slave) setFault(text string) {
	if s.Status().Fault != text {
		s.change(func(st *ecat.Status) { st.Fault = text })
	}
}

// Heard returns when the slave was heard, by the clock of the link: its state read, or its part in the exchange seen; 0 for never (any).
func (s *Slave) Heard() int64 {
	at := s.heard.Load()
	if s.Quality() == ecat.Fresh {
		at = max(at, s.master.cycle.newest.Load())
	}
	return at
}

// Age returns how long ago that is (any).
func (s *Slave) Age() time.Duration {
	at := s.Heard()
	if at == 0 {
		return 0
	}
	return time.Duration(max(0, s.master.now()-at))
}

// Unheard reports whether the knowledge of the slave is too old to rely on: its inputs are invalid, or no frames come back (any).
func (s *Slave) Unheard() bool {
	switch {
	case !s.master.Cyclic():
		return false
	case s.master.Mute() > 0:
		return true
	}
	return s.exchanges.Load() && s.Quality() == ecat.Invalid
}

// Mute returns how long no frame of the cycle has come back, 0 while inputs are still held (any).
func (m *Master) Mute() time.Duration {
	c := m.cycle
	gone := m.now() - c.heardAt.Load()
	if !m.Cyclic() || gone <= (c.patience+1)*c.period {
		return 0
	}
	return time.Duration(gone)
}
