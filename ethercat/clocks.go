package ethercat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/clock"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Sync has the options of clocks. The zero value of a field stands for the default in its comment.
type Sync struct {
	Shift  time.Duration // by which SYNC0 comes later than multiples of the cycle
	Phase  time.Duration // after SYNC0 at which frames pass the reference; half a cycle
	Limit  time.Duration // below which differences of clocks are as they should be; 1 µs
	Static int           // frames at most that distribute the time before anything else happens; 15000
	Ahead  time.Duration // by which SYNC0 begins in the future; as long as it takes to say so to all slaves, with a margin
	Settle time.Duration // how long clocks and phase may take; 10 s
	Wanted bool          // only where some slave wants SYNC0 (ecat.Setup.Clock)
}

func (s *Sync) complete(cycle time.Duration) {
	if s.Phase <= 0 || s.Phase >= cycle {
		s.Phase = cycle / 2
	}
	if s.Limit <= 0 {
		s.Limit = time.Microsecond
	}
	if s.Static <= 0 {
		s.Static = 15_000
	}
	s.Ahead = min(s.Ahead, 2*time.Second) // further on clocks of 32 bits take it for a time that is past
	if s.Settle <= 0 {
		s.Settle = 10 * time.Second
	}
}

// Errors of clocks.
var (
	ErrNoClock   = errors.New("no slave has a distributed clock")
	ErrLate      = errors.New("SYNC0 would have begun in the past")
	ErrUnsettled = errors.New("the clocks do not synchronize")
	ErrNoSync    = errors.New("SYNC0 is wanted of a slave that has no distributed clock")
)

// clocked returns the slaves with clocks, the reference first.
func clocked(slaves []*Slave) (list []*Slave) {
	for _, s := range slaves {
		if s.HasClock() {
			list = append(list, s)
		}
	}
	return list
}

// system returns the time that the clocks are set to, ns since 2000.
func (m *Master) system() int64 { return m.options.Epoch + m.now() }

// latched is what slaves have latched when one frame passed them.
type latched struct {
	delays []int64
	local  []uint64 // 0x0918 of those with a clock
	system int64    // of the master
}

// latch lets all slaves note when a frame passes.
func (m *Master) latch(slaves []*Slave) (*latched, error) {
	const ports, unit, each = 16, 8, 3
	begin := m.system()
	if err := m.do(writeAll(wire.RegReceived, 0, 0, 0, 0)); err != nil {
		return nil, err
	}
	l := &latched{system: begin, local: make([]uint64, len(slaves))}
	var list []datagram
	clocks := clocked(slaves)
	for _, s := range clocks {
		list = append(list, readFrom(s.Station, wire.RegReceived, ports), readFrom(s.Station, wire.RegReceivedUnit, unit),
			readFrom(s.Station, wire.RegLinkStatus, 2))
	}
	if err := m.do(list...); err != nil {
		return nil, err
	}
	shape := make([]clock.Slave, len(slaves))
	for i, s := range slaves {
		c := &shape[i]
		c.Parent, c.ParentPort, c.Entry = s.Parent, s.ParentPort, s.EntryPort
	}
	for i, s := range clocks {
		times, local, status := &list[each*i], &list[each*i+1], &list[each*i+2]
		if times.counter != 1 || local.counter != 1 || status.counter != 1 {
			continue // lost: part of the cable
		}
		c := &shape[s.Position]
		c.HasClock = true
		links := wire.LinkStatus(binary.LittleEndian.Uint16(status.data)) // as they are now: slaves may be missing
		for p := range c.Received {
			c.Open[p] = links.Open(p)
			c.Received[p] = binary.LittleEndian.Uint32(times.data[4*p:])
		}
		if l.local[s.Position] = binary.LittleEndian.Uint64(local.data); !s.Wide() {
			l.local[s.Position] &= 1<<32 - 1
		}
	}
	l.delays = clock.Delays(shape)
	return l, nil
}

// measure measures delays, which are averaged over several frames because ports latch with some noise.
func (m *Master) measure(slaves []*Slave) (*latched, error) {
	const passes = 8
	sum := make([]int64, len(slaves))
	var newest *latched
	for range passes {
		l, err := m.latch(slaves)
		if err != nil {
			return nil, err
		}
		for i, d := range l.delays {
			sum[i] += d
		}
		newest = l
	}
	for i := range slaves {
		newest.delays[i] = (sum[i] + passes/2) / passes
	}
	return newest, nil
}

// setClocks makes clocks show the same time: those of the given slaves, where the reference is one of them the time of the
// master, otherwise that of the reference (facts of offsets, policy a).
func (m *Master) setClocks(slaves, these []*Slave) error {
	clocks := clocked(slaves)
	if len(clocks) == 0 {
		return ErrNoClock
	}
	l, err := m.measure(slaves)
	if err != nil {
		return err
	}
	reference, at := clocks[0], l.system
	for _, s := range these {
		if s == reference {
			reference = nil
		}
	}
	if reference != nil { // it goes on as it was set
		d := []datagram{readFrom(reference.Station, wire.RegOffset, 8)}
		if err := m.ask(d...); err != nil {
			return err
		}
		raw := l.local[reference.Position] + binary.LittleEndian.Uint64(d[0].data)
		var r clock.Reading
		r.Seed(m.SystemTime())
		at = r.Take(raw, reference.Wide())
	}
	var list []datagram
	for _, s := range clocked(these) {
		s.delay.Store(l.delays[s.Position])
		delay := s.Delay()
		offset := clock.Offset(at+delay, l.local[s.Position], s.Wide())
		list = append(list, writeTo(s.Station, wire.RegOffset, timeBytes(offset, s.Wide())...),
			writeTo(s.Station, wire.RegDelay, binary.LittleEndian.AppendUint32(nil, uint32(delay))...),
			writeTo(s.Station, wire.RegSpeed, 0x00, 0x10)) // resets its filters
	}
	return m.ask(list...)
}

// timeBytes returns a time as a clock takes it.
func timeBytes(t uint64, wide bool) []byte {
	if wide {
		return binary.LittleEndian.AppendUint64(nil, t)
	}
	return binary.LittleEndian.AppendUint32(nil, uint32(t))
}

// distribute sends the time of the reference until all clocks follow it, one frame after another (static drift compensation).
// Clocks that still differ then are corrected in the cycle.
func (m *Master) distribute(slaves []*Slave) error {
	clocks := clocked(slaves)
	const glances = 50
	for n, look := 0, 8; n < m.options.Sync.Static; n++ {
		if err := m.do(m.timeDatagram(clocks[0])); err != nil {
			return err
		}
		if n+1 < look {
			continue
		}
		worst, err := m.readDifferences(slaves)
		if err != nil {
			return err
		}
		if worst <= int64(m.options.Sync.Limit) {
			return nil
		}
		look += min(look, glances)
	}
	return nil
}

func (m *Master) timeDatagram(reference *Slave) datagram {
	return toStation(wire.FRMW, reference.Station, wire.RegSystemTime, timeBytes(0, reference.Wide()))
}

// readDifferences asks clocks how far they are from the system time, and returns the largest, ns.
func (m *Master) readDifferences(slaves []*Slave) (worst int64, err error) {
	var list []datagram
	clocks := clocked(slaves)
	for _, s := range clocks[min(1, len(clocks)):] {
		list = append(list, readFrom(s.Station, wire.RegDifference, 4))
	}
	if err := m.do(list...); err != nil {
		return 0, err
	}
	for i := range list {
		if list[i].counter != 1 {
			continue
		}
		d := wire.Difference(binary.LittleEndian.Uint32(list[i].data))
		clocks[i+1].change(func(st *ecat.Status) { st.Difference = d })
		worst = max(worst, int64(d), -int64(d))
	}
	return worst, nil
}

// readReference asks the reference for its time.
func (m *Master) readReference(reference *Slave, about int64) (int64, error) {
	d := []datagram{readFrom(reference.Station, wire.RegSystemTime, 8)}
	if err := m.ask(d...); err != nil {
		return 0, err
	}
	var r clock.Reading
	r.Seed(about)
	return r.Take(binary.LittleEndian.Uint64(d[0].data), reference.Wide()), nil
}

// startSync switches SYNC0 of slaves on, on the one grid that all of them have: multiples of their cycle, and the shift. That the
// start was still ahead when the last of them was written is looked at, because one that is past never comes.
func (m *Master) startSync(slaves, these []*Slave) error {
	clocks := clocked(slaves)
	if len(clocks) == 0 {
		return ErrNoClock
	}
	reference, ahead := clocks[0], int64(m.options.Sync.Ahead)
	for range tries {
		begin := m.now()
		now, err := m.readReference(reference, m.SystemTime())
		if err != nil {
			return err
		}
		if ahead <= 0 {
			ahead = leadFor(len(these), m.now()-begin)
		}
		first := now + ahead
		var list []datagram
		for _, s := range these {
			start, settings := m.syncSettings(s, now, ahead)
			list = append(list, settings...)
			first = min(first, start)
		}
		if err := m.ask(list...); err != nil {
			return err
		}
		after, err := m.readReference(reference, now)
		if err != nil {
			return err
		}
		if after < first-syncMargin {
			return nil
		}
		ahead = max(2*ahead, usualLead)
	}
	return ErrLate
}

// Leads of SYNC0: the time that must remain when all slaves have been set up, and what masters usually take (facts of distributed
// clocks), when less was not enough.
const (
	syncMargin = int64(time.Millisecond)
	usualLead  = int64(100 * time.Millisecond)
)

// leadFor returns the time to set up SYNC0 in a number of slaves, if one order takes took; it leaves
// room for slower ones.
func leadFor(slaves int, took int64) int64 {
	const several = 4
	batches := int64(slaves*syncOrders/mostOrders + 1)
	return min(2*syncMargin+several*(batches+1)*took, usualLead)
}

// syncOrders is the number of datagrams that set up SYNC0 in a slave.
const syncOrders = 6

// syncSettings returns those of one slave, from off to on.
func (m *Master) syncSettings(s *Slave, now, ahead int64) (start int64, list []datagram) {
	c := s.Setup.Clock
	cycle := c.Cycle
	if cycle <= 0 {
		cycle = m.options.Cycle
	}
	start = clock.NewGrid(now, ahead, int64(cycle), int64(m.options.Sync.Shift+c.Shift)).Start
	long := func(d time.Duration) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(d)) }
	return start, []datagram{
		writeTo(s.Station, wire.RegActivation, 0),
		writeTo(s.Station, wire.RegSyncOwner, 0),
		writeTo(s.Station, wire.RegSyncStart, timeBytes(uint64(start), s.Wide())...),
		writeTo(s.Station, wire.RegSync0Cycle, long(cycle)...),
		writeTo(s.Station, wire.RegSync1Cycle, long(c.Cycle1)...),
		writeTo(s.Station, wire.RegSyncOwner, byte(c.Activate), byte(c.Activate>>8)),
	}
}

// canSync reports slaves that are to have SYNC0 and cannot.
func canSync(slaves []*Slave) error {
	var errs []error
	for _, s := range slaves {
		if s.Setup.Clock != nil && !s.HasClock() {
			errs = append(errs, s.fail("setting its clock", ErrNoSync))
		}
	}
	return errors.Join(errs...)
}

// synced returns the slaves that want SYNC0.
func synced(slaves []*Slave) (list []*Slave) {
	for _, s := range slaves {
		if s.HasClock() && s.Setup.Clock != nil {
			list = append(list, s)
		}
	}
	return list
}

// settle waits until all clocks agree and frames come at their phase.
func (m *Master) settle(slaves []*Slave) error {
	const cycles = 10
	worst := int64(0)
	ok, err := m.waitFor(m.options.Sync.Settle, func() (bool, error) {
		var err error
		worst, err = m.readDifferences(slaves)
		return worst <= int64(m.options.Sync.Limit) && m.cycle.sync.shown.settled.Load() >= cycles, err
	})
	if err == nil && !ok {
		return fmt.Errorf("%w: they are %v apart, and frames %v from their phase", ErrUnsettled, time.Duration(worst),
			time.Duration(m.cycle.sync.shown.error.Load()))
	}
	return err
}

// Clocks is the state of distributed clocks.
type Clocks struct {
	Reference  int           // position, -1 where there is none
	Wide       bool          // it has 64 bits
	System     int64         // its time, ns since 2000, when it was read last
	Instant    int64         // and when that was, by the clock of the link
	Answering  int           // clocks that the newest frame has reached
	Error      time.Duration // by which the newest frame was behind its phase
	Correction time.Duration // of the newest cycle of the master
	Settled    int64         // cycles for which the error has been small
	Sync       int64         // time of the next SYNC0 after now, 0 where there is none
}

// Clocks returns the state of distributed clocks (any).
func (m *Master) Clocks() Clocks {
	s := &m.cycle.sync.shown
	c := Clocks{
		Reference: int(m.reference.Load()), System: s.system.Load(), Instant: s.instant.Load(), Answering: int(s.clocks.Load()),
		Error: time.Duration(s.error.Load()), Correction: time.Duration(s.correction.Load()), Settled: s.settled.Load(),
	}
	c.Wide = m.wide.Load()
	if c.Reference >= 0 {
		grid := clock.NewGrid(c.System, 0, int64(m.options.Cycle), int64(m.options.Sync.Shift))
		c.Sync = grid.Next(m.SystemTime())
	}
	return c
}

// SystemTime returns the system time of the bus: by the newest reading of the reference, or as the master would set it (any).
func (m *Master) SystemTime() int64 {
	s := &m.cycle.sync.shown
	if at := s.instant.Load(); at != 0 {
		return s.system.Load() + m.now() - at
	}
	return m.system()
}
