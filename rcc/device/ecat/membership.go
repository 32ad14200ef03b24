package ecat

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Membership is the place of a device with one slave on a bus: which slave it has between start and stop, why it cannot be
// used, how good its inputs are, and whether its outputs were off in between. Devices embed one.
type Membership struct {
	bus     Master
	name    string // of the bus
	changed func()

	mu      sync.Mutex
	slave   Slave
	trouble string

	quality atomic.Uint32 // of the newest cycle
	losses  atomic.Uint64
	restart atomic.Bool // outputs were off
	dropped int64       // ns after which outputs that could not be reached are taken to be off
	reached int64       // instant of the newest exchange in which the slave took part; of the thread of the bus
}

// usualWatchdog is that of slaves whose watchdog is not set.
const usualWatchdog = 100 * time.Millisecond

// Join makes a membership of a slave that switches its outputs off when it is not reached for the time of its watchdog, 0 for the usual
// one (load).
func (m *Membership) Join(env *device.Env, bus Master, name string, watchdog time.Duration) {
	m.bus, m.name, m.changed = bus, name, env.Changed
	m.dropped = int64(Dropped(watchdog, bus.Period()))
}

// Dropped returns the time without exchange after which outputs are taken to be off, by a watchdog, 0 for the usual one. Rather off
// too early than on again unasked; a single missed exchange does not count as a loss.
func Dropped(watchdog, period time.Duration) time.Duration {
	if watchdog == 0 {
		watchdog = usualWatchdog
	}
	return max(watchdog/2, 3*period/2)
}

// Take keeps the slave that was found at Startup, or why there is none.
func (m *Membership) Take(s Slave, err error) {
	if err != nil {
		s = nil
	}
	m.mu.Lock()
	m.slave, m.trouble = s, ""
	m.mu.Unlock()
	m.Refuse(err)
}

// Refuse keeps why the slave cannot be used; nil means that it can.
func (m *Membership) Refuse(err error) {
	m.mu.Lock()
	m.trouble = ""
	if err != nil {
		m.trouble = err.Error()
	}
	m.mu.Unlock()
	if m.changed != nil {
		m.changed()
	}
}

// Leave forgets the slave, at Shutdown. Why it could not be used stays.
func (m *Membership) Leave() {
	m.mu.Lock()
	m.slave = nil
	m.mu.Unlock()
	m.quality.Store(uint32(Invalid))
	if m.changed != nil {
		m.changed()
	}
}

// Slave returns the slave between start and stop, otherwise nil (any).
func (m *Membership) Slave() Slave {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.slave
}

// Trouble returns why the slave cannot be used (any).
func (m *Membership) Trouble() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}

// Restart says that outputs are off and begin again, in SafeOp.
func (m *Membership) Restart() { m.restart.Store(true) }

// WereOff reports whether outputs have been off since they were written before, in Write (cycle).
func (m *Membership) WereOff(at *Moment) bool {
	return m.restart.Swap(false) || at.Now-m.reached > m.dropped
}

// Heard keeps the quality of inputs, in Read; it is true when they have just lost their values (cycle).
func (m *Membership) Heard(q Quality, at *Moment) (lost bool) {
	if q == Fresh {
		m.reached = at.Now
	}
	if before := Quality(m.quality.Load()); q == before {
		return false
	}
	m.quality.Store(uint32(q))
	if q == Invalid {
		m.losses.Add(1)
	}
	return q == Invalid
}

// Inputs returns the quality of inputs (any).
func (m *Membership) Inputs() Quality { return Quality(m.quality.Load()) }

// Reached reports whether the slave takes part in the exchange: its outputs get what is written (cycle).
func (m *Membership) Reached() bool { return m.Inputs() != Invalid }

// Losses returns how often the slave has dropped out of the exchange (any).
func (m *Membership) Losses() uint64 { return m.losses.Load() }

// Standing returns the status of the device, with remarks where it works. A slave without process data takes no part in the exchange (any).
func (m *Membership) Standing(remarks string, takesPart bool) device.Status {
	s, trouble := m.Slave(), m.Trouble()
	switch {
	case trouble != "":
		return device.Status{Cause: trouble}
	case s == nil:
		cause := m.bus.Trouble()
		if cause == "" {
			cause = "it has not been started yet"
		}
		return device.Status{Cause: fmt.Sprintf("%s: %s", m.name, cause)}
	}
	st, who := s.Status(), s.About()
	switch base := st.State.Base(); {
	case st.Lost:
		return device.Status{Cause: fmt.Sprintf("%v does not answer", who)}
	case st.Configuring && st.State != wire.Op:
		return device.Status{Cause: fmt.Sprintf("%v is being configured (%v)", who, st.State)}
	case st.State == wire.Op && takesPart && m.Inputs() == Invalid:
		return device.Status{Cause: fmt.Sprintf("%v takes no part in the exchange", who)}
	case s.Unheard():
		return device.Status{Cause: fmt.Sprintf("%v was last heard %v ago, then in %v", who, s.Age().Round(time.Millisecond), st.State)}
	case st.State == wire.Op && !s.Obeys():
		return device.Status{State: device.SafeOperational, Cause: Returning(who)}
	case st.State == wire.Op:
		return device.Status{State: device.Operational, Cause: remarks}
	case base == wire.SafeOp || base == wire.Op:
		return device.Status{State: device.SafeOperational, Cause: hindrance(who, &st)}
	default:
		return device.Status{Cause: hindrance(who, &st)}
	}
}

// Returning describes a slave that was in Op before it was away, and whose state has not been read since.
func Returning(who Label) string {
	return fmt.Sprintf("%v was away, and may have left Op: its state is being read", who)
}

// hindrance returns why a slave is not in Op.
func hindrance(who Label, st *Status) string {
	text := fmt.Sprintf("%v is in %v", who, st.State.Base())
	switch {
	case st.Code != wire.NoCode:
		text += fmt.Sprintf(": %v: %s", st.Code, st.Code.Remedy())
	case st.Trouble != "":
		text += ": " + st.Trouble
	}
	return text
}
