package ethercat

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Repair describes how a slave was brought back, or says that it could not be so far.
type Repair struct {
	Time  int64 // of the clock of the link, when it ended
	Took  time.Duration
	Slave ecat.Label
	Cause string // why it was needed
	Done  string // what was done in the end
	Err   error  // why that has not helped; nil when it has
}

func (r *Repair) String() string {
	if r.Err != nil {
		return fmt.Sprintf("%v %s; not back after %v: %v", r.Slave, r.Cause, brief(r.Took), r.Err)
	}
	return fmt.Sprintf("%v %s; back after %v: %s", r.Slave, r.Cause, brief(r.Took), r.Done)
}

// brief returns a duration as people read it.
func brief(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

// lapse is the time in which a slave is not as it should be.
type lapse struct {
	since int64 // 0 for none
	cause string
	inOp  bool // although it is in Op
	done  string
	told  bool // that it could not be brought back
}

// Repairs of slaves.
const (
	didAcknowledge = "acknowledged its error and asked for Op"
	didAsk         = "asked for Op"
	didReconfigure = "configured again from Init"
	didReopen      = "wrote the SyncManagers of its mailbox again, in Op"
	didNothing     = "it came back by itself"
)

// mostRepairs is how many are kept.
const mostRepairs = 64

// Repairs returns the newest ones, oldest first (any).
func (m *Master) Repairs() []Repair {
	m.journal.Lock()
	defer m.journal.Unlock()
	return append([]Repair{}, m.repairs...)
}

// notice looks which slaves have stopped being as they should be, and which have come back by themselves.
func (m *Master) notice() {
	for _, s := range m.slaves {
		switch st := s.Status(); {
		case !s.good():
			s.lapsed(s.plight(), false)
		case st.Failures == 0 && st.Fault == s.unused && !s.forgot && !s.differs && !s.box.differs:
			m.restored(s)
		}
	}
}

// plight is in what state a slave is that is not in Op, in words.
func (s *Slave) plight() string {
	switch st := s.Status(); {
	case st.Lost:
		return "did not answer"
	case st.Code != wire.NoCode:
		return fmt.Sprintf("was in %v: %v", st.State.Base(), st.Code)
	default:
		return fmt.Sprintf("was in %v without an error", st.State.Base())
	}
}

// lapsed keeps since when and why a slave is not as it should be.
func (s *Slave) lapsed(cause string, inOp bool) {
	if s.lapse.since == 0 {
		s.lapse = lapse{since: max(1, s.master.now()), cause: cause, inOp: inOp}
	}
}

// restored ends the lapse of a slave.
func (m *Master) restored(s *Slave) {
	if s.lapse.since == 0 {
		return
	}
	if s.lapse.done == "" {
		s.lapse.done = didNothing
	}
	m.keepRepair(s, nil)
	s.lapse = lapse{}
}

// beyond reports, once in a lapse, a slave that could not be brought back although attempts have become rare.
func (m *Master) beyond(s *Slave, err error) {
	if s.lapse.since != 0 && !s.lapse.told {
		s.lapse.told = true
		m.keepRepair(s, err)
	}
}

func (m *Master) keepRepair(s *Slave, err error) {
	now, l := m.now(), &s.lapse
	m.journal.Lock()
	defer m.journal.Unlock()
	m.repairs = append(m.repairs, Repair{now, time.Duration(now - l.since), s.Label, l.cause, l.done, err})
	if n := len(m.repairs) - mostRepairs; n > 0 {
		m.repairs = append(m.repairs[:0], m.repairs[n:]...)
	}
}
