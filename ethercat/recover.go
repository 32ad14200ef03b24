package ethercat

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Tend looks after a bus that runs: whether all slaves are in Op, what their mailboxes say and how far their clocks are apart. Slaves
// that have left Op are brought back, each by the shortest way (facts of the recovery ladder), and those that are in Op without taking part in
// the exchange are configured again. A goroutine calls it repeatedly, some
// ten times a second; the cycle goes on in the meantime. The error is about what could not be mended this time.
func (m *Master) Tend(ctx context.Context) error {
	if !m.cyclic.Load() {
		return nil
	}
	if err := m.readStates(m.slaves); err != nil {
		return err
	}
	m.notice()
	m.arrived()
	errs := []error{m.findSilent(), m.lift(ctx), m.repair(ctx), m.listenAll()}
	if m.cycle.sync.on {
		_, err := m.readDifferences(m.slaves)
		errs = append(errs, err)
	}
	errs = append(errs, m.readHealth(), m.reopenAll(ctx), m.strangers())
	return errors.Join(errs...)
}

// lift asks all slaves for Op that are in Safe-Op, with or without an error: the first two rungs of the ladder.
func (m *Master) lift(ctx context.Context) error {
	var low []*Slave
	for _, s := range m.slaves {
		st := s.Status()
		if base := st.State.Base(); !st.Lost && st.State != wire.Op && base >= wire.SafeOp && !forClock(st.Code) && st.Failures < steps {
			low = append(low, s)
		}
	}
	var errs []error
	ready := low[:0]
	for _, s := range low {
		if err := s.inSafeOp(ctx); err != nil {
			errs = append(errs, s.noteTend(m, err))
			continue
		}
		if s.lapse.done = didAsk; s.Status().State.Error() {
			s.lapse.done = didAcknowledge
		}
		ready = append(ready, s)
	}
	if len(ready) == 0 {
		return errors.Join(errs...)
	}
	failed, err := m.request(ctx, ready, wire.Op, withOthers, m.checkSlaves(ready))
	if errors.Is(err, errElsewhere) {
		return errors.Join(errs...) // what they were asked for they do also later
	}
	errs = append(append(errs, failed...), err)
	for _, s := range ready {
		var failed error
		if st := s.Status(); st.State != wire.Op {
			failed = s.fail("going to Op", &StateError{wire.Op, st.State.Base(), st.Code})
		}
		_ = s.noteTend(m, failed) // is noted already
	}
	return errors.Join(errs...)
}

// errElsewhere is returned when waiting for slaves has ended because of others. It is not a failure.
var errElsewhere = errors.New("other slaves were lost or came back")

// checkSlaves looks at all slaves while some are waited for, which can take as long as changes of state may: the cycle has to know who is
// gone, and slaves that go or come in the meantime must not wait for them.
func (m *Master) checkSlaves(busy []*Slave) func() error {
	next := m.now() + int64(watchEvery)
	good := make([]bool, len(m.slaves))
	for i, s := range m.slaves {
		good[i] = s.good() && !slices.Contains(busy, s)
	}
	return func() error {
		if m.now() < next {
			return nil
		}
		next = m.now() + int64(watchEvery)
		if err := m.readStates(m.slaves); err != nil {
			return err
		}
		m.notice()
		if m.arrived() {
			return errElsewhere
		}
		for i, s := range m.slaves {
			if good[i] && !s.good() {
				return errElsewhere
			}
		}
		return nil
	}
}

// arrived reports whether more slaves answer than before. One of those that are tried again later may be among them.
func (m *Master) arrived() bool {
	before := m.present
	m.present = m.cycle.answered.Load()
	if m.present <= before {
		return false
	}
	m.Retry()
	return true
}

// good reports whether a slave is where it should be.
func (s *Slave) good() bool {
	st := s.Status()
	return !st.Lost && st.State == wire.Op
}

// inSafeOp informs its driver that Op will be requested.
func (s *Slave) inSafeOp(ctx context.Context) error {
	return s.fail("starting its driver", s.callDriver(ctx, ecat.Driver.SafeOp))
}

// noteTend keeps how looking after a slave has ended.
func (s *Slave) noteTend(m *Master, err error) error {
	if err != nil {
		s.change(func(st *ecat.Status) { st.Failures, st.Trouble = st.Failures+1, err.Error() })
		failures := s.Status().Failures
		s.again = m.now() + pause(failures)
		if failures == 2*steps {
			m.beyond(s, err)
		}
		return err
	}
	if s.Status().State == wire.Op {
		m.count.recovered.Add(1)
		s.change(func(st *ecat.Status) { st.Failures, st.Trouble, st.Recoveries = 0, "", st.Recoveries+1 })
		m.restored(s)
	}
	return nil
}

// pause returns how long a slave is left alone that could not be brought back: others may need help in the meantime, and each attempt can take
// as long as changes of state may.
func pause(failures int) int64 {
	const most = 10 * time.Second
	if failures <= 2*steps {
		return 0
	}
	return int64(min(most, 100*time.Millisecond<<min(failures-2*steps, 8)))
}

// Retry lets Tend try at once what it would try again later. It belongs to the goroutine that calls Tend.
func (m *Master) Retry() {
	for _, s := range m.slaves {
		s.again = 0
	}
}

// repair takes slaves up the upper rungs, all of them at the same time: they are found, and configured again unless they come back as they
// were.
func (m *Master) repair(ctx context.Context) error {
	t := &team{m: m}
	for _, s := range m.slaves {
		if st := s.Status(); !st.Lost && st.State == wire.Op && st.Failures > 0 { // later than it should
			_ = s.noteTend(m, nil)
		}
		st := s.Status()
		whole := !st.Lost && st.State.Base() >= wire.SafeOp && !forClock(st.Code) && st.Failures < steps && !s.forgot
		if whole || m.now() < s.again {
			continue
		}
		if s.forgot {
			m.noteForgot(s)
		}
		if again, err := m.locate(s); again {
			t.slaves = append(t.slaves, s)
		} else {
			t.errs = append(t.errs, s.noteTend(m, err))
		}
	}
	if len(t.slaves) > 0 {
		t.restart(ctx)
	}
	return errors.Join(t.errs...)
}

// locate finds a slave that does not answer, and reports whether it has to be configured again.
func (m *Master) locate(s *Slave) (again bool, err error) {
	if !s.Status().Lost {
		return true, nil
	}
	if err := m.find(s); err != nil {
		return false, s.fail("looking for it", err)
	}
	if err := m.readStates([]*Slave{s}); err != nil {
		return false, err
	}
	st := s.Status()
	if st.Lost {
		return false, s.fail("looking for it", ErrLost)
	}
	return st.State.Base() < wire.SafeOp, nil // otherwise only its address was gone: the next round lifts it
}

// steps is how often the shortest way is tried before a slave is configured again.
const steps = 2

// forClock reports whether a slave has left Op because of SYNC0, which is set in Pre-Op only.
func forClock(code wire.Code) bool {
	switch code {
	case wire.CodeFatalSync, wire.CodeNoSync, wire.CodeClockSync, wire.CodePLL, wire.CodeClockCycle, wire.CodeSync0Cycle:
		return true
	}
	return false
}

// team is slaves that are configured again, all of them step by step together, so that their waits overlap. With those
// that fail it ends for this time, with all when others need help.
type team struct {
	m      *Master
	slaves []*Slave
	errs   []error
}

// each is a step that slaves do one after the other.
func (t *team) each(do func(s *Slave) error) {
	left := t.slaves[:0]
	for _, s := range t.slaves {
		if err := do(s); err != nil {
			t.errs = append(t.errs, s.noteTend(t.m, err))
			continue
		}
		left = append(left, s)
	}
	t.slaves = left
}

// prepare is the step in Pre-Op, which all do at the same time.
func (t *team) prepare(ctx context.Context) {
	errs := t.m.prepareEach(ctx, t.slaves, t.m.beside)
	n := -1
	t.each(func(*Slave) error { n++; return errs[n] })
}

// climb is a step to a state.
func (t *team) climb(ctx context.Context, to wire.State) {
	failed, err := t.m.request(ctx, t.slaves, to, forEver, t.m.checkSlaves(t.slaves))
	if errors.Is(err, errElsewhere) {
		t.slaves = nil
		return
	}
	t.each(func(s *Slave) error {
		for _, f := range failed {
			var of *SlaveError
			if errors.As(f, &of) && of.Position == s.Position {
				return f
			}
		}
		return err
	})
}

// restart configures slaves again that have forgotten everything, while the others go on. Their process data stay where they are.
func (t *team) restart(ctx context.Context) {
	m, all := t.m, slices.Clone(t.slaves)
	configuring(all, true)
	defer configuring(all, false)
	for _, s := range all {
		s.lapse.done = didReconfigure
	}
	t.climb(ctx, wire.Init)
	t.each(func(s *Slave) error { return m.do(s.clean()...) })
	t.each(func(s *Slave) error { return m.ask(s.openMailbox()...) })
	t.climb(ctx, wire.PreOp)
	t.prepare(ctx)
	t.each(func(s *Slave) error {
		return s.fail("writing SyncManagers and FMMUs", m.ask(s.settings()...))
	})
	t.each(func(s *Slave) error {
		if !m.cycle.sync.on || !s.HasClock() {
			return nil
		}
		return s.fail("setting its clock", m.restartClock(s))
	})
	t.climb(ctx, wire.SafeOp)
	t.each(func(s *Slave) error { return s.inSafeOp(ctx) })
	t.climb(ctx, wire.Op)
	t.each(func(s *Slave) error { return s.noteTend(m, nil) })
}

// configuring says of slaves that they are being configured, or not any more.
func configuring(slaves []*Slave, are bool) {
	for _, s := range slaves {
		s.change(func(st *ecat.Status) { st.Configuring = are })
	}
}

// clean returns what the scan does for all.
func (s *Slave) clean() []datagram {
	write := func(r wire.Register, data ...byte) datagram { return writeTo(s.Station, r, data...) }
	return append(blank(s.FMMUs, s.SyncManagers, write), write(wire.RegActivation, 0))
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
// a slave without a known address stands, it is the one with the right identity; its own position counts first.
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

// known reports whether a station address is one of those that were given.
func (m *Master) known(station uint16) bool {
	return station >= firstStation && int(station) < firstStation+len(m.slaves)
}

// identityAt reads the identity of a slave by its position, under an address that it keeps only in the meantime.
func (m *Master) identityAt(position int) (sii.Identity, error) {
	const meanwhile = firstStation - 1
	visitor := &Slave{Label: ecat.Label{Position: position, Station: meanwhile}, master: m}
	if err := m.ask(writeAt(position, wire.RegStation, meanwhile&0xff, meanwhile>>8)); err != nil {
		return sii.Identity{}, err
	}
	if err := m.ask(writeTo(meanwhile, wire.RegSIIOwner, 2), writeTo(meanwhile, wire.RegSIIOwner, 0)); err != nil {
		return sii.Identity{}, err // as at the scan: the slave may have taken it
	}
	r := &siiReader{slave: visitor}
	head := func(r *siiReader) bool { return r.err != nil || len(r.image) >= sii.Head }
	if err := m.readMemories(context.Background(), []*siiReader{r}, head); err != nil {
		return sii.Identity{}, err
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

// ErrStrangers is returned when there are more slaves than there were at the start. They are left in Init until the bus is started again.
var ErrStrangers = errors.New("more slaves are connected than at the start")

func (m *Master) strangers() error {
	if n := int(m.cycle.answered.Load()); n > len(m.slaves) {
		return fmt.Errorf("%w: %d instead of %d", ErrStrangers, n, len(m.slaves))
	}
	return nil
}
