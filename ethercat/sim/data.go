package sim

import (
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// processData is SyncManagers and FMMUs, and what is exchanged through them.
type processData struct {
	slave    *Slave
	managers []manager
	roles    [2]int // the SyncManagers of outputs and inputs as the SII has it, -1 where there is none
	fmmus    []wire.FMMU
	reading  []int // FMMUs that are active and map inputs
	writing  []int
	fields   [2][]field // where in the areas of outputs and inputs which entry stands
	bits     [2]int
	seen     bool  // outputs have come since Safe-Op
	last     int64 // when that was
	frames   uint64
	since    uint64 // frames since the last SYNC0
	phases   Phases
}

// Directions of process data.
const (
	out = 0
	in  = 1
)

// manager is a SyncManager with what it remembers.
type manager struct {
	wire.SyncManager
	begun bool // the first byte was touched, the last one not yet
}

func (m *manager) enabled() bool { return m.covers() && m.PDIControl&wire.SyncClosed == 0 }

// covers reports whether it has an area, which may be closed.
func (m *manager) covers() bool { return m.Activate&wire.SyncEnable != 0 && m.Length > 0 }
func (m *manager) end() int     { return int(m.Start) + int(m.Length) }

// field is an entry in the process data.
type field struct {
	at, bits int
	entry    *entry // nil for a gap
}

func (d *processData) powerOn(s *Slave) {
	*d = processData{slave: s, managers: make([]manager, s.kind.managers), fmmus: make([]wire.FMMU, s.kind.fmmus), roles: [2]int{-1, -1}}
	for i, m := range s.kind.description.SyncManagers {
		for direction, use := range [...]sii.Use{out: sii.Outputs, in: sii.Inputs} {
			if m.Use == use && d.roles[direction] < 0 {
				d.roles[direction] = i
			}
		}
	}
}

// configure takes the settings that the master has written. Status survives, as settings that did not change are written again.
func (d *processData) configure() {
	m := d.slave.memory
	for i := range d.managers {
		settings := wire.ParseSyncManager(m[wire.SyncManagerAt(i):])
		if settings.Activate&wire.SyncEnable == 0 || settings.PDIControl&wire.SyncClosed != 0 { // what is off is reset
			d.managers[i].begun = false
			settings.Status &^= wire.SyncFull
			settings.Put(m[wire.SyncManagerAt(i):])
		}
		d.managers[i].SyncManager = settings
	}
	d.reading, d.writing = d.reading[:0], d.writing[:0]
	for i := range d.fmmus {
		f := wire.ParseFMMU(m[wire.FMMUAt(i):])
		d.fmmus[i] = f
		if f.Active && f.Type&wire.FMMURead != 0 {
			d.reading = append(d.reading, i)
		}
		if f.Active && f.Type&wire.FMMUWrite != 0 {
			d.writing = append(d.writing, i)
		}
	}
}

// close switches a SyncManager off, as the processor of a slave can, and open switches those on again that were.
func (d *processData) close(n int) {
	d.slave.memory[int(wire.SyncManagerAt(n))+wire.SyncManagerSize-1] |= wire.SyncClosed
	d.configure()
	d.slave.mail.configured()
}

func (d *processData) open(from, to int) {
	for n := from; n < min(to, len(d.managers)); n++ {
		d.slave.memory[int(wire.SyncManagerAt(n))+wire.SyncManagerSize-1] &^= wire.SyncClosed
	}
	d.configure()
}

// locked reports whether a byte is a setting of a SyncManager that is on: start, length and control are written while it is off (facts).
func (d *processData) locked(at int) bool {
	n, offset := (at-int(wire.RegSyncManager))/wire.SyncManagerSize, (at-int(wire.RegSyncManager))%wire.SyncManagerSize
	return at >= int(wire.RegSyncManager) && n < len(d.managers) && offset < wire.SyncStatusOffset && d.managers[n].Activate&wire.SyncEnable != 0
}

// mayRead reports whether a read of memory is let through by the SyncManagers that it touches.
func (d *processData) mayRead(at, end int) bool {
	for i := range d.managers {
		m := &d.managers[i]
		if !m.covers() || !touches(at, end, int(m.Start), m.end()) {
			continue
		}
		if m.Control.Written() || !m.enabled() {
			return false
		}
		if m.Control.Mailbox() && (m.Status&wire.SyncFull == 0 || at > int(m.Start) && !m.begun) {
			return false
		}
	}
	return true
}

func (d *processData) mayWrite(at, end int) bool {
	for i := range d.managers {
		m := &d.managers[i]
		if !m.covers() || !touches(at, end, int(m.Start), m.end()) {
			continue
		}
		if !m.Control.Written() || !m.enabled() {
			return false
		}
		if m.Control.Mailbox() && (m.Status&wire.SyncFull != 0 || at > int(m.Start) && !m.begun) {
			return false
		}
	}
	return true
}

// beforeRead puts fresh inputs where they are about to be read.
func (d *processData) beforeRead(at, end int) {
	m := d.manager(in)
	if m == nil || !m.enabled() || m.Control.Mailbox() || !covers(at, end, wire.Register(m.Start)) {
		return
	}
	if base := d.slave.state.status.Base(); base != wire.SafeOp && base != wire.Op {
		return
	}
	d.slave.device.inputs()
	d.pack(d.slave.memory[m.Start:min(m.end(), len(d.slave.memory))])
}

// haveRead and haveWritten hand areas over when their last byte was touched.
func (d *processData) haveRead(_ int64, at, end int) {
	s := d.slave
	if covers(at, end, wire.RegLinkStatus) {
		s.lower(eventLink)
	}
	if covers(at, end, wire.RegStatus) {
		s.lower(eventState)
	}
	for i := range d.managers {
		m := &d.managers[i]
		if m.enabled() && !m.Control.Written() && touches(at, end, int(m.Start), m.end()) {
			m.begun = end < m.end()
		}
	}
}

func (d *processData) haveWritten(now int64, at, end int) {
	for i := range d.managers {
		m := &d.managers[i]
		if !m.enabled() || !m.Control.Written() || !touches(at, end, int(m.Start), m.end()) {
			continue
		}
		if m.begun = end < m.end(); !m.begun && !m.Control.Mailbox() {
			d.handOver(now, m)
		}
	}
}

// handOver is a frame with outputs.
func (d *processData) handOver(now int64, m *manager) {
	s := d.slave
	base := s.state.status.Base()
	if m != d.manager(out) || base != wire.SafeOp && base != wire.Op || s.state.status.Error() {
		return
	}
	d.seen, d.last = true, now
	d.frames++
	d.since++
	s.setWord(wire.RegWatchdogState, 1)
	d.phases.add(&s.clock, now)
	if base == wire.Op {
		d.unpack(s.memory[m.Start:min(m.end(), len(s.memory))])
		s.device.outputs()
	}
}

// manager returns the SyncManager for outputs or inputs, nil when there is none.
func (d *processData) manager(direction int) *manager {
	i := d.roles[direction]
	if i < 0 || i >= len(d.managers) {
		return nil
	}
	return &d.managers[i]
}

// layOut finds out where each entry stands.
func (d *processData) layOut() {
	for direction := range d.fields {
		d.fields[direction], d.bits[direction] = d.slave.objects.layOut(direction)
	}
}

// size returns how many bytes there are in a direction.
func (d *processData) size(direction int) int { return (d.bits[direction] + 7) / 8 }

func (d *processData) pack(area []byte) {
	clear(area)
	for _, f := range d.fields[in] {
		if f.entry != nil {
			putBits(area, f.at, f.bits, f.entry.value)
		}
	}
}

func (d *processData) unpack(area []byte) {
	for _, f := range d.fields[out] {
		if f.entry != nil {
			f.entry.value = getBits(area, f.at, f.bits)
		}
	}
}

// putBits writes a little-endian number at a bit of an area; what is outside is dropped.
func putBits(area []byte, at, bits int, v uint64) {
	for i := 0; i < bits; {
		place, shift := (at+i)/8, (at+i)%8
		n := min(8-shift, bits-i)
		if place < len(area) {
			mask := byte(1<<n-1) << shift
			area[place] = area[place]&^mask | byte(v>>i)<<shift&mask
		}
		i += n
	}
}

func getBits(area []byte, at, bits int) (v uint64) {
	for i := 0; i < bits; {
		place, shift := (at+i)/8, (at+i)%8
		n := min(8-shift, bits-i)
		if place < len(area) {
			v |= uint64(area[place]>>shift&byte(1<<n-1)) << i
		}
		i += n
	}
	return v
}

// logical lets the FMMUs of a slave take part in a logical datagram and returns what they add to the working counter. Outputs are
// those that have come, whatever inputs are put in their place.
func (s *Slave) logical(now int64, c wire.Command, address uint32, data, scratch []byte) (counter uint16) {
	reading, writing := s.data.reading, s.data.writing
	if !c.Reads() {
		reading = nil
	}
	if !c.Writes() {
		writing = nil
	}
	original := data
	if len(reading) > 0 && len(writing) > 0 {
		original = scratch[:copy(scratch, data)]
	}
	read, write := false, false
	for _, i := range reading {
		read = s.mapIn(now, &s.data.fmmus[i], address, data) || read
	}
	for _, i := range writing {
		write = s.mapOut(now, &s.data.fmmus[i], address, original) || write
	}
	if read {
		counter += wire.CountRead
	}
	switch {
	case write && c == wire.LRW:
		counter += wire.CountLogicalWrite
	case write:
		counter += wire.CountWrite
	}
	return counter
}

// overlap returns what an FMMU and a datagram have in common: bits from here to there in both.
func overlap(f *wire.FMMU, address uint32, size int) (inData, inMemory, bits int) {
	first := (int64(f.Logical)-int64(address))*8 + int64(f.StartBit)
	last := first + int64(f.Bits())
	from, to := max(first, 0), min(last, int64(size)*8)
	if from >= to {
		return 0, 0, 0
	}
	return int(from), int(f.Physical)*8 + int(f.PhysicalBit) + int(from-first), int(to - from)
}

func (s *Slave) mapIn(now int64, f *wire.FMMU, address uint32, data []byte) bool {
	inData, inMemory, bits := overlap(f, address, len(data))
	at, end := inMemory/8, (inMemory+bits+7)/8
	if bits == 0 || end > len(s.memory) || !s.data.mayRead(at, end) {
		return false
	}
	s.beforeRead(now, at, end)
	if inData%8 == 0 && inMemory%8 == 0 && bits%8 == 0 {
		copy(data[inData/8:], s.memory[at:end])
	} else {
		copyBits(data, inData, s.memory, inMemory, bits)
	}
	s.data.haveRead(now, at, end)
	s.mail.haveRead(at, end)
	return true
}

func (s *Slave) mapOut(now int64, f *wire.FMMU, address uint32, data []byte) bool {
	inData, inMemory, bits := overlap(f, address, len(data))
	at, end := inMemory/8, (inMemory+bits+7)/8
	if bits == 0 || end > len(s.memory) || at < int(wire.RegMemory)-0x100 || !s.data.mayWrite(at, end) {
		return false
	}
	if inData%8 == 0 && inMemory%8 == 0 && bits%8 == 0 {
		copy(s.memory[at:end], data[inData/8:])
	} else {
		copyBits(s.memory, inMemory, data, inData, bits)
	}
	s.data.haveWritten(now, at, end)
	s.mail.haveWritten(now, at, end)
	return true
}

func copyBits(to []byte, toAt int, from []byte, fromAt, bits int) {
	const most = 56 // so that a shifted part fits into 64 bits
	for bits > 0 {
		n := min(bits, most)
		putBits(to, toAt, n, getBits(from, fromAt, n))
		toAt, fromAt, bits = toAt+n, fromAt+n, bits-n
	}
}
