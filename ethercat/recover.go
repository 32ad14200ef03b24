package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Tend looks after a bus that runs: whether all slaves are in Op, what their mailboxes say and how far their clocks are apart. Slaves
// that have left Op are brought back, each by the shortest way (facts of the recovery ladder). A goroutine calls it again and again, some
// ten times a second; the cycle goes on meanwhile. The error is about what could not be mended this time.
func (m *Master) Tend(ctx context.Context) error {
	if !m.cyclic.Load() {
		return nil
	}
	if err := m.readStates(m.slaves); err != nil {
		return err
	}
	errs := []error{m.lift(ctx)}
	for _, s := range m.slaves {
		if st := s.Status(); st.Lost || st.State.Base() < wire.SafeOp || st.forClock() || st.Failures >= steps {
			errs = append(errs, s.tended(m, m.mend(ctx, s)))
		}
		if st := s.Status(); !st.Lost && s.mailbox != nil && st.State.Base() >= wire.PreOp {
			errs = append(errs, s.fail("reading its mailbox", s.listen()))
		}
	}
	if m.cycle.sync.on {
		_, err := m.readDifferences(m.slaves)
		errs = append(errs, err)
	}
	errs = append(errs, m.strangers())
	return errors.Join(errs...)
}

// lift asks all slaves for Op that are in Safe-Op, with or without an error: the first two rungs of the ladder.
func (m *Master) lift(ctx context.Context) error {
	var low []*Slave
	for _, s := range m.slaves {
		st := s.Status()
		if base := st.State.Base(); !st.Lost && st.State != wire.Op && base >= wire.SafeOp && !st.forClock() && st.Failures < steps {
			low = append(low, s)
		}
	}
	if len(low) == 0 {
		return nil
	}
	err := m.climb(ctx, low, wire.Op)
	for _, s := range low {
		var failed error
		if st := s.Status(); st.State != wire.Op {
			failed = &StateError{wire.Op, st.State.Base(), st.Code}
		}
		_ = s.tended(m, failed) // is in err as well
	}
	return err
}

// tended keeps how looking after a slave has ended.
func (s *Slave) tended(m *Master, err error) error {
	if err != nil {
		s.change(func(st *Status) { st.Failures, st.Trouble = st.Failures+1, err.Error() })
		return err
	}
	if s.Status().State == wire.Op {
		m.count.recovered.Add(1)
		s.change(func(st *Status) { st.Failures, st.Trouble, st.Recoveries = 0, "", st.Recoveries+1 })
	}
	return nil
}

// mend takes one slave up the upper rungs: it is found, and configured again unless it comes back as it was.
func (m *Master) mend(ctx context.Context, s *Slave) error {
	st := s.Status()
	if st.Lost {
		if err := m.find(s); err != nil {
			return s.fail("looking for it", err)
		}
		if err := m.readStates([]*Slave{s}); err != nil {
			return err
		}
		if st = s.Status(); st.Lost {
			return s.fail("looking for it", ErrLost)
		}
		if st.State.Base() >= wire.SafeOp {
			return nil // only its address was gone: the next round lifts it
		}
	}
	return m.restart(ctx, s)
}

// steps is how often the shortest way is tried before a slave is configured again.
const steps = 2

// forClock tells whether a slave has left Op because of SYNC0, which is set in Pre-Op only.
func (st *Status) forClock() bool {
	switch st.Code {
	case wire.CodeFatalSync, wire.CodeNoSync, wire.CodeClockSync, wire.CodePLL, wire.CodeClockCycle, wire.CodeSync0Cycle:
		return true
	}
	return false
}

// restart configures a slave again that has forgotten everything, while the others go on. Its process data stay where they are.
func (m *Master) restart(ctx context.Context, s *Slave) error {
	these := []*Slave{s}
	if err := m.climb(ctx, these, wire.Init); err != nil {
		return err
	}
	if err := m.do(s.clean()...); err != nil {
		return err
	}
	if err := m.toPreOp(ctx, these); err != nil {
		return err
	}
	if err := m.ask(s.settings()...); err != nil {
		return s.fail("writing SyncManagers and FMMUs", err)
	}
	if m.cycle.sync.on && s.HasClock() {
		if err := m.restartClock(s); err != nil {
			return s.fail("setting its clock", err)
		}
	}
	if err := m.climb(ctx, these, wire.SafeOp); err != nil {
		return err
	}
	if s.driver != nil {
		if err := s.driver.SafeOp(ctx, s); err != nil {
			return s.fail("starting its driver", err)
		}
	}
	return m.climb(ctx, these, wire.Op)
}

// clean is what the scan does for all.
func (s *Slave) clean() []datagram {
	zero := make([]byte, 256)
	return []datagram{
		writeTo(s.Station, wire.RegFMMU, zero[:s.FMMUs*wire.FMMUSize]...),
		writeTo(s.Station, wire.RegSyncManager, zero[:s.SyncManagers*wire.SyncManagerSize]...),
		writeTo(s.Station, wire.RegActivation, 0),
	}
}

// restartClock sets the clock of a slave to that of the bus.
func (m *Master) restartClock(s *Slave) error {
	if err := m.setClocks(m.slaves, []*Slave{s}); err != nil {
		return err
	}
	if s.Setup.Clock == nil {
		return nil
	}
	return m.startSync(m.slaves, []*Slave{s})
}

// find looks for a slave that does not answer at its address: one that was switched off has none. Of those positions where
// somebody without a known address stands, it is the one with the right identity; its own position counts first.
func (m *Master) find(s *Slave) error {
	n, err := m.countSlaves()
	if err != nil {
		return err
	}
	var list []datagram
	for i := range n {
		list = append(list, readAt(i, wire.RegStation, 2))
	}
	if err := m.do(list...); err != nil {
		return err
	}
	positions := []int{}
	for i := range list {
		if list[i].counter == 1 && !m.known(binary.LittleEndian.Uint16(list[i].data)) {
			positions = append(positions, i)
		}
	}
	for i, p := range positions {
		if p == s.Position {
			positions[0], positions[i] = positions[i], positions[0]
		}
	}
	for _, p := range positions {
		identity, err := m.identityAt(p)
		if err != nil {
			return err
		}
		if identity == s.Identity {
			return m.ask(writeAt(p, wire.RegStation, byte(s.Station), byte(s.Station>>8)))
		}
	}
	return ErrLost
}

// known tells whether a station address is one of those that were given.
func (m *Master) known(station uint16) bool {
	return station >= firstStation && int(station) < firstStation+len(m.slaves)
}

// identityAt reads the identity of a slave by its position, under an address that it keeps only meanwhile.
func (m *Master) identityAt(position int) (sii.Identity, error) {
	const meanwhile = firstStation - 1
	visitor := &Slave{Position: position, Station: meanwhile, master: m}
	if err := m.ask(writeAt(position, wire.RegStation, meanwhile&0xff, meanwhile>>8)); err != nil {
		return sii.Identity{}, err
	}
	if err := m.ask(writeTo(meanwhile, wire.RegSIIOwner, 2), writeTo(meanwhile, wire.RegSIIOwner, 0)); err != nil {
		return sii.Identity{}, err // as at the scan: the slave may have taken it
	}
	r := &siiReader{slave: visitor}
	for r.err == nil && len(r.image) < sii.Head {
		if err := m.readWords([]*siiReader{r}); err != nil {
			return sii.Identity{}, err
		}
	}
	if r.err != nil {
		return sii.Identity{}, r.err
	}
	b := r.image[16:]
	identity := sii.Identity{
		Vendor: binary.LittleEndian.Uint32(b), Product: binary.LittleEndian.Uint32(b[4:]), Revision: binary.LittleEndian.Uint32(b[8:]),
		Serial: binary.LittleEndian.Uint32(b[12:]),
	}
	return identity, m.ask(writeTo(meanwhile, wire.RegStation, 0, 0))
}

// ErrStrangers is that there are more slaves than there were at the start. They are left in Init until the bus is started again.
var ErrStrangers = errors.New("slaves were connected that do not belong to the bus")

func (m *Master) strangers() error {
	if n := int(m.cycle.answered.Load()); n > len(m.slaves) {
		return fmt.Errorf("%w: %d instead of %d", ErrStrangers, n, len(m.slaves))
	}
	return nil
}
