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

// Outcome is the result of an exchange.
type Outcome struct {
	Next     int64 // instant at which the next one is to begin
	Answered bool  // all frames came back
}

// cycle is what is exchanged, and how.
type cycle struct {
	count     *counters
	incidents incidents
	period    int64
	answer    int64 // how long answers are waited for, at most
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
	work    int64 // what a cycle takes beside waiting, ns
	waiting int   // frames of this cycle that are not back
	caught  int   // frames that came after they had been given up
	inRow   int64 // cycles without all frames
	sync    syncCycle

	// The view of all slaves in the cycle.
	answered atomic.Uint32 // how many slaves there are
	states   atomic.Uint32 // their states, put together
	heard    atomic.Uint64 // newest cycle in which both were read
	heardAt  atomic.Int64  // and when that was
	newest   atomic.Int64  // when the newest cycle began
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
	overdue      bool // given up, and may come until the next is sent
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
	op      *obedience     // in the slave
	dropped int64          // time without exchange after which its watchdog may have ended Op, ns
	missing int            // cycle only: shares of it that did not come
	age     int64          // cycle only: cycles since it was whole
	shows   presence       // cycle only: what the newest frame shows of it

	// Cycles in a row, of those whose frames came, in which it took no part: as its inputs show, or as counters show of it or of another.
	silent, doubted atomic.Uint32
}

// presence is what frames of a cycle show of a slave.
type presence uint8

const (
	unseen   presence = iota // they did not come
	present                  // it took part
	doubtful                 // it or another did not
	absent                   // it did not
)

// Sizes of frames of the cycle.
const (
	mostSegment = 1400
	clockSize   = 8
	statusSize  = 2
	mostSpare   = 128 // more would make frames of the cycle noticeably longer
)

// plan makes frames out of segments, from a sender.
func (c *cycle) plan(clocked bool, from wire.MAC) {
	c.frames = nil
	room := 0
	for i := -1; i < len(c.layout.Segments); i++ {
		size := 0
		if i >= 0 {
			size = c.layout.Segments[i].Length + wire.Overhead
		}
		if len(c.frames) == 0 || size > room {
			f := cyclicFrame{writer: wire.NewWriter(make([]byte, wire.LongestFrame), from), first: max(i, 0)}
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

// frame returns one of the cycle, nil for those of orders (cycle).
func (c *cycle) frame(n int8) *cyclicFrame {
	if c == nil || n < 0 || int(n) >= len(c.frames) {
		return nil
	}
	return &c.frames[n]
}

// datagrams returns how many a frame has before those of orders (cycle).
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

// at returns what a datagram of a frame is, and which segment (cycle).
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

// slice returns a part of the image, empty where there is none (cycle).
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

// fits reports whether a datagram is the one that was sent there (cycle).
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

// landed is called when a frame of the cycle has come back, before the next one is sent (cycle).
func (c *cycle) landed(fl *flight) {
	f := c.frame(fl.frame)
	switch {
	case f == nil || f.back:
		return
	case f.overdue:
		f.overdue = false
		c.caught++
	default:
		c.waiting--
	}
	f.back = true
}

// take keeps what a datagram has brought (cycle).
func (c *cycle) take(n int8, at int, d *wire.Datagram) {
	f := c.frame(n)
	if f == nil {
		return
	}
	switch what, i := f.at(at); what {
	case placeClock:
		held := c.sync.correction
		if gap := c.sync.take(d); gap > 0 {
			c.incident(TimeBridged, gap)
		}
		if f.overdue { // the next cycle was planned without it
			c.planned += c.sync.correction - held
		}
	case placeSegment:
		if s := c.segment(i); s != nil {
			c.counted(i, d.Counter)
			if f.overdue {
				c.release(s)
			}
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
	c.heardAt.Store(c.moment.Now)
}

func (c *cycle) incident(kind IncidentKind, value int64) {
	c.incidents.add(c.moment.Now, c.moment.Cycle, kind, value)
}

// takeSegment copies inputs out of a datagram. When fewer slaves have taken part than should have, those are looked for whose
// inputs are as they were sent, upside down: no slave has written them. If these and those without inputs that are known not to
// run explain the counter, all others are as good as before. If it takes those that have only outputs, by which nothing can be seen, all of them are
// doubted, and inputs that were written are as good as before; otherwise none are trusted (cycle).
func (c *cycle) takeSegment(s *image.Segment, d *wire.Datagram) {
	all, doubt, shares := d.Counter == s.Expected, false, s.Shares
	if !all {
		c.count.wrongCounter.Add(1)
		explained, hidden := uint32(d.Counter), uint32(0)
		for i := range shares {
			switch h := &shares[i]; {
			case h.Inputs.Length > 0:
				if c.unwritten(s, h, d.Data) {
					explained += uint32(h.Counts)
				}
			case !c.runs(h):
				explained += uint32(h.Counts)
			default:
				hidden += uint32(h.Counts)
			}
		}
		if doubt = explained < uint32(s.Expected); doubt {
			c.count.unexplained.Add(1)
			if explained+hidden < uint32(s.Expected) {
				c.doubt(s, d.Data)
				return
			}
		}
	}
	for i := range shares {
		h := &shares[i]
		switch {
		case all:
		case c.silent(s, h, d.Data):
			c.keepInputs(h, absent)
			continue
		case doubt && h.Inputs.Length == 0:
			c.keepInputs(h, doubtful)
			continue
		}
		c.shows(h, present)
		from, to, back := slice(d.Data, within(s, h)), slice(c.in, h.Inputs), slice(c.out, h.Inputs)
		copy(to, from)
		if len(back) == len(from) {
			for i, b := range from {
				back[i] = ^b
			}
		}
	}
}

// within returns where the inputs of a share are in the datagram (cycle).
func within(s *image.Segment, h *image.Share) image.Range {
	return image.Range{From: h.Inputs.From - s.From, Length: h.Inputs.Length}
}

// silent reports whether a slave has not taken part (cycle).
func (c *cycle) silent(s *image.Segment, h *image.Share, data []byte) bool {
	return !c.runs(h) || h.Inputs.Length > 0 && c.unwritten(s, h, data)
}

// runs reports whether a slave is known to (cycle).
func (c *cycle) runs(h *image.Share) bool {
	p := c.part(h.Slave)
	return p != nil && p.runs.Load()
}

// unwritten reports whether inputs have come back as they were sent. One that is not known to run may have written them
// nevertheless: it is on its way back, and does not explain that another one is missing (cycle).
func (c *cycle) unwritten(s *image.Segment, h *image.Share, data []byte) bool {
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

// shows keeps what a frame shows of a slave; of several frames, the worst (cycle).
func (c *cycle) shows(h *image.Share, is presence) {
	if p := c.part(h.Slave); p != nil && is > p.shows {
		p.shows = is
	}
}

// keepInputs leaves the inputs of a share as they were (cycle).
func (c *cycle) keepInputs(h *image.Share, is presence) {
	c.shows(h, is)
	if p := c.part(h.Slave); p != nil {
		p.missing++
	}
}

// doubt leaves all inputs of a segment as they were: it is unknown which of its slaves did not take part, beside those whose inputs show
// it (cycle).
func (c *cycle) doubt(s *image.Segment, data []byte) {
	shares := s.Shares
	for i := range shares {
		is := doubtful
		if c.silent(s, &shares[i], data) {
			is = absent
		}
		c.keepInputs(&shares[i], is)
	}
}

// distrust does so with a segment that did not come, and release takes that back (cycle).
func (c *cycle) distrust(s *image.Segment) {
	shares := s.Shares
	for i := range shares {
		c.keepInputs(&shares[i], unseen)
	}
}

func (c *cycle) release(s *image.Segment) {
	shares := s.Shares
	for i := range shares {
		if p := c.part(shares[i].Slave); p != nil {
			p.missing--
		}
	}
}

// begin is the start of a cycle at an instant (cycle).
func (c *cycle) begin(now int64) {
	if off := now - c.planned; c.planned == 0 || off > c.period/2 || off < -c.period/2 {
		c.planned = now // the grid begins again: the thread was late
	}
	m := &c.moment
	m.Cycle++
	m.Now, m.Period, m.Operating, m.Obeyed = now, c.period, c.running.Load(), false
	c.sync.predict(m)
	parts := c.parts
	for i := range parts {
		parts[i].missing, parts[i].shows = 0, unseen
	}
	c.newest.Store(now)
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
		switch c.moment.Obeyed = p.op.known(); {
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
	incomplete, invalid, allInOp := false, false, c.allInOp()
	for i := range parts {
		p := &parts[i]
		if p.in.Length+p.out.Length > 0 {
			q := c.judge(i, p)
			incomplete = incomplete || q != ecat.Fresh
			invalid = invalid || q == ecat.Invalid
		}
		p.tally()
		c.moment.Obeyed = c.obeyed(p, allInOp)
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

// allInOp reports whether the frames of this cycle have shown all slaves in Op (cycle).
func (c *cycle) allInOp() bool {
	return c.heard.Load() == c.moment.Cycle && c.answered.Load() == c.slaves && c.states.Load() == uint32(wire.Op)
}

// obedience is what is known of whether a slave is in Op, in which alone its outputs count: the newest reading of its state says so, unless
// the slave was without outputs for so long since then that its watchdog may have expired.
type obedience struct {
	read atomic.Int64 // when the newest reading began, if that was Op, otherwise 0
	away atomic.Int64 // when it was last without outputs for so long, 0 when all slaves have been seen in Op since
}

// known reports whether the slave is in Op (cycle).
func (o *obedience) known() bool { return o.read.Load() > o.away.Load() }

// obeyed finds out whether a slave is in Op (cycle).
func (c *cycle) obeyed(p *part, allInOp bool) bool {
	switch {
	case allInOp:
		if p.op.away.Load() != 0 {
			p.op.away.Store(0)
		}
	case p.age*c.period > p.dropped:
		p.op.away.Store(c.moment.Now)
	}
	return allInOp || p.op.known()
}

// giveUp goes on without a frame (cycle).
func (c *cycle) giveUp(t *traffic, f *cyclicFrame) {
	f.overdue = true
	t.flights[f.index].state = overdue
	for i := f.first; i < f.first+f.count; i++ {
		if s := c.segment(i); s != nil {
			c.distrust(s)
		}
	}
	if f.clock {
		c.sync.hold()
	}
}

// settle ends the time in which frames of a cycle may come: the next ones are about to be sent. Those that came late have brought their
// inputs, which drivers learn before they write; those that did not are lost (cycle).
func (c *cycle) settle(t *traffic) {
	frames, gone := c.frames, false
	for n := range frames {
		if f := &frames[n]; f.overdue {
			f.overdue, gone = false, true
			t.flights[f.index].state = missing
			c.count.lost.Add(1)
		}
	}
	if gone {
		c.inRow++
		c.incident(FrameLost, c.inRow)
	} else {
		c.inRow = 0
	}
	if c.caught > 0 {
		c.incident(FrameLate, int64(c.caught))
		c.caught = 0
		c.revise()
	}
}

// revise hands inputs of the last cycle to those slaves for which late frames have brought all that was missing (cycle).
func (c *cycle) revise() {
	parts := c.parts
	for i := range parts {
		p := &parts[i]
		whole := p.age > 0 && p.missing == 0 && p.shows != unseen && p.runs.Load()
		p.tally()
		if !whole {
			continue
		}
		p.age = 0
		p.quality.Store(uint32(ecat.Fresh))
		c.incident(SlaveBack, int64(i))
		c.moment.Obeyed = c.obeyed(p, c.allInOp())
		if p.driver != nil && (p.guard == nil || p.guard.Open()) {
			p.driver.Read(slice(c.in, p.in), ecat.Fresh, &c.moment)
		}
	}
}

// tally counts cycles without a slave (cycle).
func (p *part) tally() {
	switch {
	case p.shows == unseen || !p.runs.Load():
	case p.shows == absent:
		p.silent.Add(1)
	case p.shows == doubtful:
		p.doubted.Add(1)
	case p.silent.Load()|p.doubted.Load() != 0:
		p.silent.Store(0)
		p.doubted.Store(0)
	}
	p.shows = unseen
}

// judge says what the inputs of a slave are worth. A frame that is lost once is normal, so they are held for a while; those of a
// slave that is known not to run are not (cycle).
func (c *cycle) judge(n int, p *part) ecat.Quality {
	before := ecat.Quality(p.quality.Load())
	q := ecat.Fresh
	switch {
	case !p.runs.Load():
		q, p.age = ecat.Invalid, c.patience+1
	case p.missing > 0:
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

// Exchange executes one cycle: devices are notified, slaves write, frames go out and come back, slaves read (figure 9.5). It belongs to
// the thread of the bus, which calls it at the instants that it returns; as long as nothing is cyclic it does nothing (cycle).
func (m *Master) Exchange(now int64) Outcome {
	begin, until, cyclic := m.out(now)
	for cyclic && m.cycle.waiting > 0 && m.traffic.receive(until) {
	}
	return m.in(now, begin, cyclic)
}

// ExchangeOrdinary is Exchange for a thread that is not detached.
func (m *Master) ExchangeOrdinary(now int64) Outcome {
	begin, until, cyclic := m.out(now)
	for cyclic && m.cycle.waiting > 0 && m.traffic.await(until) {
	}
	return m.in(now, begin, cyclic)
}

// patient returns the instant until which frames that began to be sent at another are waited for: what is left of the cycle is needed for its
// own work (cycle).
func (c *cycle) patient(begin int64) int64 {
	return min(begin+c.answer, c.planned+c.period-min(c.work, c.period/2))
}

// worked keeps what a cycle took beside waiting: the recent maximum, which decays (cycle).
func (c *cycle) worked(took int64) {
	const forget = 64
	if took > c.work {
		c.work = took
	} else {
		c.work -= (c.work - took) / forget
	}
}

// out returns the first half of a cycle, up to the frames. It returns when these began to be sent and up to when they are waited for, and
// whether there are any (cycle).
func (m *Master) out(now int64) (begin, until int64, cyclic bool) {
	c, t := m.cycle, m.traffic
	if !m.cyclic.Load() {
		return now, now, false
	}
	if m.leaving.Load() {
		c.settle(t)
		m.cyclic.Store(false)
		return now, now, false
	}
	t.drain(now)
	c.settle(t)
	c.begin(now)
	c.write()
	begin = t.link.Now()
	c.send(t)
	t.sendOrders(now, 1)
	return begin, c.patient(begin), true
}

// in returns the second half, when frames have come or have not (cycle).
func (m *Master) in(now, begin int64, cyclic bool) Outcome {
	c, t := m.cycle, m.traffic
	if !cyclic {
		return Outcome{Next: now + c.period}
	}
	waited := t.link.Now()
	if took := waited - begin; c.waiting == 0 {
		c.trips.Add(took, took)
	}
	answered := c.end(t)
	if c.photo != nil {
		c.photo.take(c.out, c.in)
	}
	t.finish(now)
	c.worked(begin - now + t.link.Now() - waited)
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
// bits is right however long frames did not come; a gap that is too long for it is returned, otherwise 0 (cycle).
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

// predict says what time it is, and when SYNC0 comes (cycle).
func (s *syncCycle) predict(m *ecat.Moment) {
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
