package spec

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Recorder keeps the values of ports in the newest cycles of a net (§7.7.1). Ports that are kept for the same number of cycles
// share a tape, a ring of rows, one row for each cycle. The cycle writes atomic words and never waits; a reader copies rows and
// sees by their heads which ones were overwritten in between.
//
// A port that is null, or whose fragment is inactive, has no value in its row.
type Recorder struct {
	Samples bool // rows have the times of their ticks, and are read by Sample; otherwise by Copy. Set before the first port

	tapes  []tape
	tapeOf map[int]int // by the cycles that were asked for; load only
	ports  []recorded
	extra  int64         // bytes, see Overhead
	first  atomic.Uint64 // the first cycle that was kept
	newest atomic.Uint64 // the last cycle that is complete
}

// tape is a ring of rows: the cycle as head, 0 while the row is written, with samples the time, a bit for each port that has a
// value, the values.
type tape struct {
	asked  int // rows that were asked for
	rows   int // that can be read; one more is being written
	ports  int
	values int // words of all values
	head   int // words of head and time
	marks  int // words with bits
	width  int // words of a row
	w      []atomic.Uint64

	// cycle only
	at     int      // where the row of this cycle begins
	marked []uint64 // bits of this row
}

// recorded is a port of a recorder.
type recorded struct {
	name   string
	cell   recordable // none for a port that is open
	tape   int
	bit    int
	offset int // in the row
	words  int
	texts  func() printer
}

// printer appends the value that stands in words. It belongs to one reader.
type printer func(dst []byte, words []uint64) []byte

// recordable is an out port as a recorder sees it.
type recordable interface {
	Cell
	printers() func() printer
	kernel(t *tape, ports []recorded) func(cy *Cycle)
}

// Record adds a port that is to be kept for some cycles, and returns its number (load). The cell is a *Out[T] whose value has
// its final length, or nil for a port that is open. Ports with equal numbers of cycles share a tape.
func (r *Recorder) Record(name string, cell any, cycles int) int {
	k, known := r.tapeOf[cycles]
	if !known {
		if r.tapeOf == nil {
			r.tapeOf = map[int]int{}
		}
		k = len(r.tapes)
		r.tapeOf[cycles] = k
		r.tapes = append(r.tapes, tape{asked: cycles, rows: cycles, head: r.head()})
	}
	p := recorded{name: name, tape: k, bit: r.tapes[k].ports}
	if c, ok := cell.(recordable); ok {
		p.cell, p.words = c, c.Words()
		if !r.Samples {
			p.texts = c.printers()
		}
	}
	r.extra += recordedBytes + budget.Object(int64(len(name))) + 2*budget.Object(8*int64(p.words))
	r.tapes[k].ports++
	r.tapes[k].values += p.words
	r.ports = append(r.ports, p)
	return len(r.ports) - 1
}

// head returns how many words a row has before its bits.
func (r *Recorder) head() int {
	if r.Samples {
		return 2
	}
	return 1
}

// recordedBytes is what a recorded port takes besides its rows, its name and two copies of its value.
const recordedBytes = 512

// Overhead returns how much memory the ports take besides the rows (load).
func (r *Recorder) Overhead() int64 { return r.extra }

// Bytes returns how much memory the rows take (load).
func (r *Recorder) Bytes() int64 { return r.bytesOf(math.MaxInt) }

// bytesOf returns what the rows take if none of the tapes keeps more than so many cycles.
func (r *Recorder) bytesOf(most int) int64 {
	sum := int64(0)
	for i := range r.tapes {
		t := &r.tapes[i]
		if rows := min(t.rows, most); rows > 0 {
			sum += 8 * int64(rows+1) * t.rowWords()
		}
	}
	return sum
}

// rowWords returns the length of a row while ports are added.
func (t *tape) rowWords() int64 { return int64(t.head + (t.ports+63)/64 + t.values) }

// Shorten makes the rows fit into a number of bytes: the longest tapes are cut to a common length, which may be 0 (load).
func (r *Recorder) Shorten(bytes int64) {
	longest := 0
	for i := range r.tapes {
		longest = max(longest, r.tapes[i].rows)
	}
	most := sort.Search(longest, func(rows int) bool { return r.bytesOf(rows+1) > bytes })
	for i := range r.tapes {
		r.tapes[i].rows = min(r.tapes[i].rows, most)
	}
}

// Seal allocates the memory when all ports are known (load).
func (r *Recorder) Seal() {
	offsets := make([]int, len(r.tapes))
	for i := range r.tapes {
		t := &r.tapes[i]
		t.marks = (t.ports + 63) / 64
		t.width = int(t.rowWords())
		t.marked = make([]uint64, t.marks)
		if t.rows > 0 {
			t.w = make([]atomic.Uint64, (t.rows+1)*t.width)
			clear(t.w) // so that the system has given the memory before a cycle asks for it
		}
		offsets[i] = t.head + t.marks
	}
	for i := range r.ports {
		p := &r.ports[i]
		p.offset = offsets[p.tape]
		offsets[p.tape] += p.words
	}
}

// Keeps reports whether values of a port are kept: it is not open, and there is memory for it (load).
func (r *Recorder) Keeps(port int) bool {
	p := &r.ports[port]
	return p.cell != nil && r.tapes[p.tape].rows > 0
}

// Compare orders ports so that ports that can share a kernel are adjacent: those of one type on one tape. Both must be kept
// (load).
func (r *Recorder) Compare(a, b int) int {
	p, q := &r.ports[a], &r.ports[b]
	return cmp.Or(cmp.Compare(p.tape, q.tape), cmp.Compare(p.cell.Type(), q.cell.Type()))
}

// Kernel returns the function that keeps the values of ports that are equal by Compare (load).
func (r *Recorder) Kernel(ports []int) func(cy *Cycle) {
	list := make([]recorded, len(ports))
	for i, k := range ports {
		list[i] = r.ports[k]
	}
	return list[0].cell.kernel(&r.tapes[list[0].tape], list)
}

// Begin opens the row of a cycle on every tape, End closes it (cycle).
func (r *Recorder) Begin(cy *Cycle) {
	tapes := r.tapes
	for i := range tapes {
		t := &tapes[i]
		rows := uint64(t.rows) + 1
		if len(t.w) == 0 || rows == 0 {
			continue
		}
		t.at = int(cy.N%rows) * t.width
		if head := from(t.w, t.at); len(head) > 0 {
			head[0].Store(0)
			if t.head > 1 && len(head) > 1 {
				head[1].Store(uint64(cy.Due))
			}
		}
	}
}

// End closes the rows (cycle).
func (r *Recorder) End(cy *Cycle) {
	tapes := r.tapes
	for i := range tapes {
		t := &tapes[i]
		row, marked := from(t.w, t.at), t.marked
		if len(row) == 0 {
			continue
		}
		body := from(row, t.head)
		for k := range marked {
			if k < len(body) && body[k].Load() != marked[k] {
				body[k].Store(marked[k])
			}
			marked[k] = 0
		}
		row[0].Store(cy.N)
	}
	if r.newest.Load() == 0 {
		r.first.Store(cy.N)
	}
	r.newest.Store(cy.N)
}

// mark notes that a port has a value in this row (cycle).
func (t *tape) mark(bit int) {
	if k := uint(bit) >> 6; k < uint(len(t.marked)) {
		t.marked[k] |= 1 << (bit & 63)
	}
}

// printers remembers how long the value is: later the cycle writes it.
func (p *Out[T]) printers() func() printer {
	codec := value.Of[T]()
	like := codec.Clone(p.V)
	return func() printer {
		v := codec.Clone(like)
		return func(dst []byte, words []uint64) []byte {
			codec.Get(words, &v)
			return codec.Append(dst, v)
		}
	}
}

// track is a port of which a kernel keeps the value.
type track[T any] struct {
	from               *Out[T]
	offset, words, bit int
}

func (*Out[T]) kernel(t *tape, ports []recorded) func(cy *Cycle) {
	tracks, longest := make([]track[T], len(ports)), 0
	for i, p := range ports {
		tracks[i] = track[T]{p.cell.(*Out[T]), p.offset, p.words, p.bit}
		longest = max(longest, p.words)
	}
	if doubles, ok := any(tracks).([]track[float64]); ok {
		return func(cy *Cycle) { recordDoubles(t, doubles, cy) }
	}
	put, room := value.Of[T]().Put, make([]uint64, longest)
	return func(cy *Cycle) { record(t, tracks, put, room, cy) }
}

// record keeps values of any type. An atomic store costs more than most primitives, so that equal words are left alone (cycle).
func record[T any](t *tape, tracks []track[T], put func([]uint64, *T), room []uint64, cy *Cycle) {
	for i := range tracks {
		c := &tracks[i]
		if !c.from.Current(cy) {
			continue
		}
		put(room, &c.from.V)
		body := from(t.w, t.at+c.offset)
		for k := 0; k < c.words && k < len(room) && k < len(body); k++ {
			if body[k].Load() != room[k] {
				body[k].Store(room[k])
			}
		}
		t.mark(c.bit)
	}
}

// recordDoubles is record for the type of which nets are full, without a call for each port (cycle).
func recordDoubles(t *tape, tracks []track[float64], cy *Cycle) {
	for i := range tracks {
		c := &tracks[i]
		if !c.from.Current(cy) {
			continue
		}
		word := math.Float64bits(c.from.V)
		if body := from(t.w, t.at+c.offset); len(body) > 0 && body[0].Load() != word {
			body[0].Store(word)
		}
		t.mark(c.bit)
	}
}

// RecordedPort describes a port of a recorder.
type RecordedPort struct {
	Name        string
	Type        value.Type // empty for a port that is open
	Asked, Kept int        // cycles
}

// Ports returns the ports in the order in which they were added (any).
func (r *Recorder) Ports() []RecordedPort {
	list := make([]RecordedPort, len(r.ports))
	for i := range r.ports {
		p := &r.ports[i]
		t := &r.tapes[p.tape]
		list[i] = RecordedPort{Name: p.name, Asked: t.asked, Kept: t.rows}
		if p.cell != nil {
			list[i].Type = p.cell.Type()
		}
	}
	return list
}

// Newest returns the number of the newest cycle that has been kept, 0 for none (any).
func (r *Recorder) Newest() uint64 { return r.newest.Load() }

// copyTries are enough: each one that is in vain takes a net that goes through all rows of a tape while they are copied.
const copyTries = 100

// Copy returns the record of the cycles after some cycle (any). When the net overwrites rows during the copying, the oldest
// are missing. It returns false when the net has overwritten all of them.
func (r *Recorder) Copy(after uint64) (c *Recording, ok bool) {
	c = &Recording{ports: r.ports, tapes: make([]copied, len(r.tapes))}
	for i := range r.ports {
		var p printer
		if r.ports[i].cell != nil {
			p = r.ports[i].texts()
		}
		c.printers = append(c.printers, p)
	}
	for range copyTries {
		newest := r.newest.Load()
		c.first, c.last = newest+1, newest
		for i := range r.tapes {
			first := c.tapes[i].take(&r.tapes[i], max(after, newest-min(newest, uint64(r.tapes[i].rows))), newest)
			c.first = min(c.first, first)
		}
		if c.first <= newest || newest <= after || !r.keepsRows() {
			return c, true
		}
		runtime.Gosched() // the rows are few and the net is fast: all of them were overwritten
	}
	return c, false
}

// keepsRows reports whether there is memory for any row.
func (r *Recorder) keepsRows() bool {
	for i := range r.tapes { // not by value: the cycle writes a part of each
		if r.tapes[i].rows > 0 {
			return true
		}
	}
	return false
}

// Recording is a copy of a record: cycles first to last. It belongs to one reader.
type Recording struct {
	first, last uint64
	ports       []recorded
	tapes       []copied
	printers    []printer
}

// copied are the rows of a tape from one cycle on.
type copied struct {
	first       uint64
	rows        int
	width, head int
	w           []uint64
}

// take copies the rows behind the cycle after, up to the newest one, and returns the first cycle that it has got.
func (c *copied) take(t *tape, after, newest uint64) uint64 {
	*c = copied{first: newest + 1, width: t.width, head: t.head, w: c.w[:0]}
	if t.rows <= 0 || newest <= after {
		return c.first
	}
	c.w = slices.Grow(c.w, int(newest-after)*t.width)
	for n := after + 1; n <= newest; n++ {
		row := t.w[int(n%uint64(t.rows+1))*t.width:][:t.width]
		if row[0].Load() != n {
			c.w = c.w[:0]
			continue
		}
		for i := range row {
			c.w = append(c.w, row[i].Load())
		}
		if row[0].Load() != n {
			c.w = c.w[:0] // rows are overwritten in their order: those before this one are gone as well
		}
	}
	c.rows = len(c.w) / max(1, t.width)
	c.first = newest + 1 - uint64(c.rows)
	return c.first
}

// Cycles returns the numbers of the first and the last cycle; the first is greater than the last when there is none.
func (c *Recording) Cycles() (first, last uint64) { return c.first, c.last }

// Ports returns the number of ports.
func (c *Recording) Ports() int { return len(c.ports) }

// Text appends the value of a port in a cycle. It returns false when the port was null, or its value is not kept any more.
func (c *Recording) Text(dst []byte, cycle uint64, port int) ([]byte, bool) {
	p := &c.ports[port]
	t := &c.tapes[p.tape]
	if p.cell == nil || cycle < t.first || cycle > c.last {
		return dst, false
	}
	row := t.row(int(cycle - t.first))
	if !t.given(row, p) {
		return dst, false
	}
	return c.printers[port](dst, row[p.offset:][:p.words]), true
}

func (c *copied) row(i int) []uint64 { return c.w[i*c.width:][:c.width] }

// given reports whether a port has a value in a row.
func (c *copied) given(row []uint64, p *recorded) bool {
	return row[c.head+p.bit>>6]>>(p.bit&63)&1 != 0
}

// Samples are cycles of the ports of a recorder, port by port. They belong to one reader, which may use their memory again.
type Samples struct {
	Cycle   []uint64 // numbers of the cycles
	Time    []int64  // Unix time of their ticks, ns
	Lost    uint64   // cycles before the first one that were overwritten
	Columns []Column // by port

	rows copied
}

// Column is a port: whether it has a value, and the words of its values, one after another. A cycle without a value has as many words. A
// word is the bits of a double, the 32 bits of an int, 0 or 1 of a bool, the nanoseconds of a time.
type Column struct {
	Given []bool
	Words []uint64
}

// Sample reads the record of the cycles after some cycle (any). When the net overwrites all of them during the reading, there are none:
// a later call counts them as lost.
func (r *Recorder) Sample(after uint64, s *Samples) {
	s.empty(len(r.ports))
	newest := r.newest.Load()
	if len(r.tapes) == 0 || newest <= after {
		return
	}
	t := &r.tapes[0]
	after = max(after, r.first.Load()-1)
	first := s.rows.take(t, max(after, newest-min(newest, uint64(t.rows))), newest)
	if s.rows.rows == 0 {
		return
	}
	s.Lost = first - 1 - after
	for i := range s.rows.rows {
		row := s.rows.row(i)
		s.Cycle, s.Time = append(s.Cycle, row[0]), append(s.Time, int64(row[1]))
		for k := range r.ports {
			p, c := &r.ports[k], &s.Columns[k]
			c.Given = append(c.Given, s.rows.given(row, p))
			c.Words = append(c.Words, row[p.offset:][:p.words]...)
		}
	}
}

// empty makes room for the columns of some ports.
func (s *Samples) empty(ports int) {
	s.Cycle, s.Time, s.Lost = s.Cycle[:0], s.Time[:0], 0
	if cap(s.Columns) < ports {
		s.Columns = make([]Column, ports)
	}
	s.Columns = s.Columns[:ports]
	for i := range s.Columns {
		c := &s.Columns[i]
		c.Given, c.Words = c.Given[:0], c.Words[:0]
	}
}
