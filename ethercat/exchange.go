package ethercat

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/clock"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/figures"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Outcome is how an exchange went.
type Outcome struct {
	Next     int64 // instant at which the next one is to begin
	Answered bool  // all frames came back
}

// cycle is what is exchanged, and how.
type cycle struct {
	count     *counters
	incidents incidents
	period    int64
	answer    int64 // how long answers are waited for
	patience  int64 // cycles

	// Made at load, for one run of the bus.
	layout  *image.Layout
	frames  []cyclicFrame
	parts   []part
	devices []Seat
	out, in []byte
	view    *shownLayout
	photo   *picture

	// The same for others.
	shown   atomic.Pointer[shownLayout]
	picture atomic.Pointer[picture]

	// cycle only
	moment  ecat.Moment
	planned int64 // instant of this cycle
	waiting int   // frames of this cycle that are not back
	inRow   int64 // cycles without all frames
	sync    syncCycle

	// What the cycle sees of all slaves.
	answered atomic.Uint32 // how many slaves there are
	states   atomic.Uint32 // their states, put together
	heard    atomic.Uint64 // newest cycle in which both were read
	trips    figures.Times // of all frames of a cycle
	slaves   uint32        // that there should be
	running  atomic.Bool   // all have been in Op: other states are worth an incident
}

// cyclicFrame is a frame of the cycle: clock, segments of the image, states.
type cyclicFrame struct {
	writer       *wire.Writer
	clock        bool
	status       bool
	first, count int // segments
	back         bool
	index        uint8
	spare        int // bytes that orders may take
}

// part is the process data of one slave.
type part struct {
	driver  ecat.Driver
	guard   Guard
	out, in image.Range
	runs    atomic.Bool    // is in Safe-Op or Op, as far as known
	quality *atomic.Uint32 // of the newest cycle, in the slave
	lacking bool           // cycle only: something of it did not come
	age     int64          // cycle only: cycles since it was whole
}

// Sizes of frames of the cycle.
const (
	mostSegment = 1400
	clockSize   = 8
	statusSize  = 2
	mostSpare   = 128 // more would make frames of the cycle noticeably longer
)

// plan makes frames out of segments.
func (c *cycle) plan(clocked bool) {
	c.frames = nil
	room := 0
	for i := -1; i < len(c.layout.Segments); i++ {
		size := 0
		if i >= 0 {
			size = c.layout.Segments[i].Length + wire.Overhead
		}
		if len(c.frames) == 0 || size > room {
			f := cyclicFrame{writer: wire.NewWriter(make([]byte, wire.LongestFrame), ownAddress), first: max(i, 0)}
			if room = f.writer.Room() + wire.Overhead; len(c.frames) == 0 {
				f.clock, f.status = clocked, true
				room -= clockSize + statusSize + 2*wire.Overhead
			}
			c.frames = append(c.frames, f)
		}
		if i >= 0 {
			c.frames[len(c.frames)-1].count++
			room -= size
		}
	}
	c.frames[len(c.frames)-1].spare = max(0, min(room, mostSpare))
}

// frame is one of the cycle, nil for those of orders (cycle).
func (c *cycle) frame(n int8) *cyclicFrame {
	if c == nil || n < 0 || int(n) >= len(c.frames) {
		return nil
	}
	return &c.frames[n]
}

// datagrams is how many a frame has before those of orders (cycle).
func (c *cycle) datagrams(n int8) int {
	f := c.frame(n)
	if f == nil {
		return 0
	}
	count := f.count
	if f.clock {
		count++
	}
	if f.status {
		count++
	}
	return count
}

// place is what a datagram of a frame is, by where it stands.
type place uint8

const (
	placeClock place = iota
	placeSegment
	placeStatus
)

// at tells what a datagram of a frame is, and which segment (cycle).
func (f *cyclicFrame) at(n int) (what place, segment int) {
	if f.clock {
		if n == 0 {
			return placeClock, 0
		}
		n--
	}
	if n < f.count {
		return placeSegment, f.first + n
	}
	return placeStatus, 0
}

func (c *cycle) segment(n int) *image.Segment {
	if l := c.layout; l != nil && uint(n) < uint(len(l.Segments)) {
		return &l.Segments[n]
	}
	return nil
}

// slice is a part of the image, empty where there is none (cycle).
func slice(b []byte, r image.Range) image.View {
	from, end := uint(r.From), uint(r.From+r.Length)
	if from > end || end > uint(len(b)) {
		return nil
	}
	return b[from:end]
}

// send writes and sends the frames of a cycle (cycle).
func (c *cycle) send(t *traffic) {
	c.waiting = 0
	frames := c.frames
	for n := range frames {
		f := &frames[n]
		now := t.link.Now()
		w := f.writer
		w.Clear()
		index := t.take(now, int8(n))
		f.index, f.back = index, false
		if f.clock {
			size := clockSize
			if !c.sync.wide {
				size /= 2
			}
			w.Add(wire.FRMW, index, c.sync.reference, size)
			c.sync.sent = now
		}
		for i := f.first; i < f.first+f.count; i++ {
			if s := c.segment(i); s != nil {
				w.Write(s.Command, index, wire.Logical(logicalBase+uint32(s.From)), slice(c.out, s.Range))
			}
		}
		if f.status {
			w.Add(wire.BRD, index, wire.Broadcast(wire.RegStatus), statusSize)
		}
		if f.spare > 0 {
			t.ride(w, index, f.spare)
		}
		t.send(w.Frame())
		c.waiting++
	}
}

// logicalBase is where the image begins, so that nothing is at zero, where a slave that was not configured would look.
const logicalBase = 0x10000

// fits tells whether a datagram is the one that was sent there (cycle).
func (c *cycle) fits(n int8, at int, d *wire.Datagram) bool {
	f := c.frame(n)
	if f == nil {
		return false
	}
	switch what, i := f.at(at); what {
	case placeClock:
		return d.Command == wire.FRMW && d.Address == c.sync.reference && len(d.Data) >= clockSize/2
	case placeSegment:
		s := c.segment(i)
		return s != nil && d.Command == s.Command && d.Address.Logical() == logicalBase+uint32(s.From) && len(d.Data) == s.Length
	default:
		return d.Command == wire.BRD && d.Address.Register() == wire.RegStatus && len(d.Data) == statusSize
	}
}

// landed is called when a frame of the cycle has come back. One of an earlier cycle has been given up by then (cycle).
func (c *cycle) landed(fl *flight) {
	if f := c.frame(fl.frame); f != nil && !f.back {
		f.back = true
		c.waiting--
	}
}

// take keeps what a datagram has brought (cycle).
func (c *cycle) take(n int8, at int, d *wire.Datagram) {
	f := c.frame(n)
	if f == nil {
		return
	}
	switch what, i := f.at(at); what {
	case placeClock:
		if gap := c.sync.take(d); gap > 0 {
			c.incident(TimeBridged, gap)
		}
	case placeSegment:
		if s := c.segment(i); s != nil {
			c.counted(i, d.Counter)
			c.takeSegment(s, d)
		}
	case placeStatus:
		c.takeStatus(d)
	}
}

// counted keeps a working counter (cycle).
func (c *cycle) counted(segment int, counter uint16) {
	if v := c.view; v != nil && uint(segment) < uint(len(v.counters)) {
		v.counters[segment].Store(uint32(counter))
	}
}

func (c *cycle) takeStatus(d *wire.Datagram) {
	if len(d.Data) < statusSize {
		return
	}
	answered, states := uint32(d.Counter), uint32(binary.LittleEndian.Uint16(d.Data))
	if before := c.answered.Swap(answered); before != answered && answered != c.slaves {
		c.incident(CountDiffers, int64(answered))
	}
	if before := c.states.Swap(states); before != states && c.running.Load() && states != uint32(wire.Op) {
		c.incident(StateDiffers, int64(states))
	}
	c.heard.Store(c.moment.Cycle)
}

func (c *cycle) incident(kind IncidentKind, value int64) {
	c.incidents.add(c.moment.Now, c.moment.Cycle, kind, value)
}

// takeSegment copies inputs out of a datagram. When fewer slaves have taken part than should have, those are looked for whose
// inputs are as they were sent, upside down: nobody has written them. If these and those that are known not to run explain
// the counter, all others are as good as ever. If it takes those that have only outputs, by which nothing can be seen, all of them are
// doubted, and inputs that somebody has written are as good as ever; otherwise nobody is believed (cycle).
func (c *cycle) takeSegment(s *image.Segment, d *wire.Datagram) {
	all, doubt, shares := d.Counter == s.Expected, false, s.Shares
	if !all {
		c.count.wrongCounter.Add(1)
		explained, hidden := uint32(d.Counter), uint32(0)
		for i := range shares {
			switch h := &shares[i]; {
			case c.silent(s, h, d.Data):
				explained += uint32(h.Counts)
			case h.Inputs.Length == 0:
				hidden += uint32(h.Counts)
			}
		}
		if doubt = explained < uint32(s.Expected); doubt {
			c.count.unexplained.Add(1)
			if explained+hidden < uint32(s.Expected) {
				c.distrust(s)
				return
			}
		}
	}
	for i := range shares {
		h := &shares[i]
		if !all && (doubt && h.Inputs.Length == 0 || c.silent(s, h, d.Data)) {
			c.lack(h)
			continue
		}
		from, to, back := slice(d.Data, within(s, h)), slice(c.in, h.Inputs), slice(c.out, h.Inputs)
		copy(to, from)
		if len(back) == len(from) {
			for i, b := range from {
				back[i] = ^b
			}
		}
	}
}

// within is where the inputs of a share are in the datagram (cycle).
func within(s *image.Segment, h *image.Share) image.Range {
	return image.Range{From: h.Inputs.From - s.From, Length: h.Inputs.Length}
}

// silent tells whether a slave has not taken part (cycle).
func (c *cycle) silent(s *image.Segment, h *image.Share, data []byte) bool {
	if p := c.part(h.Slave); p == nil || !p.runs.Load() {
		return true
	}
	if h.Inputs.Length == 0 {
		return false
	}
	came, sent := slice(data, within(s, h)), slice(c.out, h.Inputs)
	if len(came) != len(sent) {
		return true
	}
	for i, b := range came {
		if b != sent[i] {
			return false
		}
	}
	return true
}

func (c *cycle) part(n int) *part {
	if uint(n) < uint(len(c.parts)) {
		return &c.parts[n]
	}
	return nil
}

func (c *cycle) lack(h *image.Share) {
	if p := c.part(h.Slave); p != nil {
		p.lacking = true
	}
}

func (c *cycle) distrust(s *image.Segment) {
	shares := s.Shares
	for i := range shares {
		c.lack(&shares[i])
	}
}

// begin is the start of a cycle at an instant (cycle).
func (c *cycle) begin(now int64) {
	if off := now - c.planned; c.planned == 0 || off > c.period/2 || off < -c.period/2 {
		c.planned = now // the grid begins anew: somebody has slept
	}
	m := &c.moment
	m.Cycle++
	m.Now, m.Period, m.Operating = now, c.period, c.running.Load()
	c.sync.foretell(m)
	parts := c.parts
	for i := range parts {
		parts[i].lacking = false
	}
	c.count.cycles.Add(1)
}

// write asks devices and slaves for their outputs (figure 9.5, steps 9 and 10) (cycle).
func (c *cycle) write() {
	devices := c.devices
	for i := range devices {
		devices[i].prepare(&c.moment)
	}
	parts := c.parts
	for i := range parts {
		p := &parts[i]
		switch {
		case p.driver == nil:
		case p.guard == nil || p.guard.Open():
			p.driver.Write(slice(c.out, p.out), &c.moment)
		default:
			outputs := slice(c.out, p.out)
			for k := range outputs {
				if outputs[k] != 0 {
					outputs[k] = 0
				}
			}
		}
	}
}

// end judges what has come, and hands it to the slaves (figure 9.5, step 11) (cycle).
func (c *cycle) end(t *traffic) (answered bool) {
	answered = c.waiting == 0
	frames, parts := c.frames, c.parts
	for n := range frames {
		if f := &frames[n]; !f.back {
			c.giveUp(t, f)
		}
	}
	if answered {
		c.inRow = 0
	} else {
		c.inRow++
		c.incident(FrameLost, c.inRow)
	}
	incomplete, invalid := false, false
	for i := range parts {
		p := &parts[i]
		if p.in.Length+p.out.Length > 0 {
			q := c.judge(i, p)
			incomplete = incomplete || q != ecat.Fresh
			invalid = invalid || q == ecat.Invalid
		}
		if p.driver != nil && (p.guard == nil || p.guard.Open()) {
			p.driver.Read(slice(c.in, p.in), ecat.Quality(p.quality.Load()), &c.moment)
		}
	}
	if incomplete {
		c.count.incomplete.Add(1)
	}
	if invalid {
		c.count.invalid.Add(1)
	}
	return answered
}

// giveUp marks a frame as lost: what comes of it later is dropped (cycle).
func (c *cycle) giveUp(t *traffic, f *cyclicFrame) {
	c.count.lost.Add(1)
	t.flights[f.index].state = missing
	for i := f.first; i < f.first+f.count; i++ {
		if s := c.segment(i); s != nil {
			c.distrust(s)
		}
	}
	if f.clock {
		c.sync.hold()
	}
}

// judge says what the inputs of a slave are worth. A frame that is lost once is normal, so they are held for a while; those of a
// slave that is known not to run are not (cycle).
func (c *cycle) judge(n int, p *part) ecat.Quality {
	before := ecat.Quality(p.quality.Load())
	q := ecat.Fresh
	switch {
	case !p.runs.Load():
		q, p.age = ecat.Invalid, c.patience+1
	case p.lacking:
		q = ecat.Held
		if p.age++; p.age > c.patience || before == ecat.Invalid {
			q = ecat.Invalid
		}
	default:
		p.age = 0
	}
	if q != before {
		p.quality.Store(uint32(q))
		switch {
		case q == ecat.Fresh:
			c.incident(SlaveBack, int64(n))
		case q == ecat.Held:
			c.incident(SlaveSilent, int64(n))
		default:
			c.incident(SlaveInvalid, int64(n))
		}
	}
	return q
}

// Exchange is one cycle: devices are notified, slaves write, frames go out and come back, slaves read (figure 9.5). It belongs to
// the thread of the bus, which calls it at the instants that it returns; as long as nothing is cyclic it does nothing (cycle).
func (m *Master) Exchange(now int64) Outcome {
	begin, cyclic := m.out(now)
	for until := begin + m.cycle.answer; cyclic && m.cycle.waiting > 0 && m.traffic.receive(until); {
	}
	return m.in(now, begin, cyclic)
}

// ExchangeOrdinary is Exchange for a thread that is not detached.
func (m *Master) ExchangeOrdinary(now int64) Outcome {
	begin, cyclic := m.out(now)
	for until := begin + m.cycle.answer; cyclic && m.cycle.waiting > 0 && m.traffic.await(until); {
	}
	return m.in(now, begin, cyclic)
}

// out is the first half of a cycle, up to the frames. It returns when these began to be sent, and whether there are any (cycle).
func (m *Master) out(now int64) (begin int64, cyclic bool) {
	c, t := m.cycle, m.traffic
	if !m.cyclic.Load() {
		return now, false
	}
	if m.leaving.Load() {
		m.cyclic.Store(false)
		return now, false
	}
	t.drain(now)
	c.begin(now)
	c.write()
	begin = t.link.Now()
	c.send(t)
	t.sendOrders(now, 1)
	return begin, true
}

// in is the second half, when frames have come or have not (cycle).
func (m *Master) in(now, begin int64, cyclic bool) Outcome {
	c, t := m.cycle, m.traffic
	if !cyclic {
		return Outcome{Next: now + c.period}
	}
	if took := t.link.Now() - begin; c.waiting == 0 {
		c.trips.Add(took, took)
	}
	answered := c.end(t)
	if c.photo != nil {
		c.photo.take(c.out, c.in)
	}
	t.finish(now)
	c.planned += c.period + c.sync.correction
	return Outcome{c.planned, answered}
}

// syncCycle is the part of the distributed clocks that is done in each cycle.
type syncCycle struct {
	reference  wire.Address // of its system time; valid when on
	on         bool
	wide       bool
	reading    clock.Reading
	grid       clock.Grid // of SYNC0
	lock       clock.Lock
	correction int64

	sent    int64 // when the frame that reads it left
	instant int64 // when the frame left that has read it last
	system  int64 // what it was
	shown   syncShown
}

// syncShown is what others may read of it.
type syncShown struct {
	system, instant, error, correction, settled, clocks atomic.Int64
}

// take keeps the time of the reference. Since the newest reading it has gone on about as the clock of the link has, so that one of 32
// bits is right however long frames did not come; longer than it can tell by itself is returned, otherwise 0 (cycle).
func (s *syncCycle) take(d *wire.Datagram) (bridged int64) {
	data := d.Data
	if d.Counter == 0 || len(data) < clockSize/2 {
		s.hold()
		return 0
	}
	if !s.wide && s.instant != 0 {
		gone := s.sent - s.instant
		s.reading.Seed(s.system + gone)
		if gone > clock.MostApart {
			bridged = gone
		}
	}
	raw := uint64(binary.LittleEndian.Uint32(data))
	if s.wide && len(data) >= clockSize {
		raw = binary.LittleEndian.Uint64(data)
	}
	s.system, s.instant = s.reading.Take(raw, s.wide), s.sent
	s.correction = 0
	if s.grid.Cycle > 0 {
		s.correction = s.lock.Correct(s.grid.Phase(s.system))
	}
	s.shown.system.Store(s.system)
	s.shown.instant.Store(s.instant)
	s.shown.error.Store(s.lock.Error())
	s.shown.correction.Store(s.correction)
	s.shown.settled.Store(s.lock.Settled())
	s.shown.clocks.Store(int64(d.Counter))
	return bridged
}

// hold goes on with the rate that was learnt (cycle).
func (s *syncCycle) hold() {
	if s.correction = 0; s.on && s.grid.Cycle > 0 {
		s.correction = s.lock.Hold()
	}
}

// foretell says what time it is, and when SYNC0 comes (cycle).
func (s *syncCycle) foretell(m *ecat.Moment) {
	if !s.on || s.instant == 0 {
		m.System, m.Sync, m.SyncTime = 0, 0, 0
		return
	}
	m.System = s.system + (m.Now - s.instant)
	m.Sync, m.SyncTime = 0, 0
	if s.grid.Cycle > 0 {
		m.SyncTime = s.grid.Next(m.System)
		m.Sync = m.Now + (m.SyncTime - m.System)
	}
}
