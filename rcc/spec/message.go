package spec

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/triple"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Var is a named value that a net exchanges with the outside (§7.6.1): its place in the words of an Inbox or a Board.
type Var struct {
	Key    string // with the prefix in or out, as on the wire
	Type   value.Type
	Report bool // applications receive it; otherwise only other nets see the value

	WhenGiven bool // it is not reported before it has a value

	Initial []uint64
	Parse   func(text string) ([]uint64, error)
	Text    func(dst []byte, words []uint64) []byte

	offset int
}

// NewVar describes a variable of a data type. Arrays keep the length of the initial value.
func NewVar[T any](key string, initial T) Var {
	codec := value.Of[T]()
	initial = codec.Clone(initial)
	words := func(v T) []uint64 {
		w := make([]uint64, codec.Words(v))
		codec.Put(w, &v)
		return w
	}
	return Var{
		Key: key, Type: codec.Type, Report: true, Initial: words(initial),
		Parse: func(text string) ([]uint64, error) {
			v, err := codec.Parse(text)
			if err == nil {
				err = codec.Fits(v, initial)
			}
			if err != nil {
				return nil, err
			}
			return words(v), nil
		},
		Text: func(dst []byte, w []uint64) []byte {
			v := codec.Clone(initial)
			codec.Get(w, &v)
			return codec.Append(dst, v)
		},
	}
}

// InitialOf returns a copy of the initial value of a variable whose type is T (load). A reader of an array of another net takes
// its length from it.
func InitialOf[T any](v *Var) (T, error) {
	return value.Of[T]().Parse(string(v.Text(nil, v.Initial)))
}

// vars is the directory that Inbox and Board have in common. Each variable has a head word before its value: the time
// of its last update in an Inbox, the cycle that wrote it last on a Board; zero means never.
type vars struct {
	list  []Var
	words int

	memory *budget.Account // until it is sealed; nil where nobody accounts for it
	copies int64           // of its value that a variable takes
	taken  int64
}

// Bytes of a variable besides its value, including the text that observers share, and copies of the value that its primitive keeps.
const (
	varBytes  = 512 + 300
	ownCopies = 6
)

// take accounts for a variable, or for one more primitive that shares it.
func (d *vars) take(v *Var, fresh bool) error {
	bytes := budget.Object(8 * ownCopies * int64(1+len(v.Initial)))
	if fresh {
		bytes += varBytes + budget.Object(int64(len(v.Key))) + budget.Object(8*d.copies*int64(1+len(v.Initial)))
	}
	if err := d.memory.Take(budget.Values, bytes); err != nil {
		return err
	}
	d.taken += bytes
	return nil
}

// Bytes returns how much memory the variables take.
func (d *vars) Bytes() int64 { return d.taken }

// add gives a variable its place, or the place of the variable that already has its key (several primitives may share
// one). It returns the index of the head word.
func (d *vars) add(v Var) (int, error) {
	for i := range d.list {
		if have := &d.list[i]; have.Key == v.Key {
			if have.Type != v.Type || len(have.Initial) != len(v.Initial) {
				return 0, fmt.Errorf("key %s is used with type %s and with type %s", v.Key, have.Type, v.Type)
			}
			have.Report = have.Report || v.Report
			return have.offset, d.take(&v, false)
		}
	}
	if err := d.take(&v, true); err != nil {
		return 0, err
	}
	v.offset = d.words
	d.words += 1 + len(v.Initial)
	d.list = append(d.list, v)
	return v.offset, nil
}

// Vars returns the variables in the order of their declaration.
func (d *vars) Vars() []Var { return d.list }

// Find returns the variable of that key.
func (d *vars) Find(key string) (*Var, bool) {
	for i := range d.list {
		if d.list[i].Key == key {
			return &d.list[i], true
		}
	}
	return nil, false
}

// Offset returns the place of the variable's head word.
func (v *Var) Offset() int { return v.offset }

// initial returns the words before the first update.
func (d *vars) initial() []uint64 {
	w := make([]uint64, d.words)
	for i := range d.list {
		copy(w[d.list[i].offset+1:], d.list[i].Initial)
	}
	return w
}

// Inbox carries values from the application into a net: a triple buffer, so that neither side ever waits and a change of
// several values arrives in one cycle. Other nets write through a second door, one value at a time (InterNetcommOut).
type Inbox struct {
	vars

	mu     sync.Mutex // orders the application's writers
	latest []uint64

	index   triple.Index // the application writes, the net reads
	buffers [triple.Buffers][]uint64
	peer    []atomic.Uint64 // per variable: sequence in the head word (odd while it is written), value

	sent    atomic.Uint64 // values that other nets have sent
	heard   uint64        // cycle only: those that were sent before this cycle, and one more
	changed bool          // cycle only
}

// inboxCopies are the buffers, the newest values, those of other nets, and the initial ones of the directory.
const inboxCopies = triple.Buffers + 4

// NewInbox makes an inbox without variables whose memory is accounted.
func NewInbox(memory *budget.Account) *Inbox {
	return &Inbox{vars: vars{memory: memory, copies: inboxCopies}}
}

// Add declares a variable while the net is loaded.
func (b *Inbox) Add(v Var) (int, error) { return b.add(v) }

// Seal allocates the buffers when all variables are known.
func (b *Inbox) Seal() {
	b.latest = b.initial()
	for i := range b.buffers {
		b.buffers[i] = b.initial()
	}
	b.peer = make([]atomic.Uint64, b.words)
	clear(b.peer) // so that the system has given the memory before a cycle asks for it
}

// Update is a new value for one variable.
type Update struct {
	Var   *Var
	Words []uint64
}

// Put hands the updates to the net, which takes them all in its next cycle (any). now is their Unix time in ns.
func (b *Inbox) Put(now int64, updates ...Update) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, u := range updates {
		b.latest[u.Var.offset] = uint64(now)
		copy(b.latest[u.Var.offset+1:], u.Words)
	}
	copy(b.buffers[b.index.Writer()], b.latest)
	b.index.Publish()
}

// Latest returns the newest value that was put (any).
func (b *Inbox) Latest(v *Var) []uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]uint64(nil), b.latest[v.offset+1:v.offset+1+len(v.Initial)]...)
}

// Take makes the newest values the ones that Read returns (cycle).
func (b *Inbox) Take() {
	heard := b.sent.Load() + 1 // none is as new as some, once
	b.changed = heard != b.heard
	b.heard = heard
	if b.index.Take() {
		b.changed = true
	}
}

// Changed reports whether Read or Received may return other values than in the previous cycle. Mostly nothing has come, and
// checking every variable would take longer than a short net (cycle).
func (b *Inbox) Changed() bool { return b.changed }

// Read copies head and value of the variable at offset (cycle).
func (b *Inbox) Read(offset int, dst []uint64) {
	from := b.buffers[b.index.Reader()%triple.Buffers]
	if offset >= 0 && offset <= len(from) {
		copy(dst, from[offset:])
	}
}

// from returns the words from an offset on, none when it is outside: a bounds check that fails in the cycle would end the
// process.
func from(all []atomic.Uint64, offset int) []atomic.Uint64 {
	if offset < 0 || offset > len(all) {
		return nil
	}
	return all[offset:]
}

// Send writes a variable from the cycle of another net. When two nets write at the same moment one of the values is
// dropped; neither waits (cycle).
func (b *Inbox) Send(offset int, words []uint64) {
	p := from(b.peer, offset)
	if len(p) == 0 {
		return
	}
	seq := p[0].Load()
	if seq&1 != 0 || !p[0].CompareAndSwap(seq, seq+1) {
		return
	}
	body := p[1:]
	for i := range words {
		if i < len(body) {
			body[i].Store(words[i])
		}
	}
	p[0].Store(seq + 2)
	b.sent.Add(1)
}

// Received copies a value that another net has sent since the sequence number seen, and returns its number; or seen
// when there is none (cycle).
func (b *Inbox) Received(offset int, seen uint64, dst []uint64) uint64 {
	p := from(b.peer, offset)
	if len(p) == 0 {
		return seen
	}
	seq := p[0].Load()
	if seq == seen || seq&1 != 0 {
		return seen
	}
	body := p[1:]
	for i := range dst {
		if i < len(body) {
			dst[i] = body[i].Load()
		}
	}
	if p[0].Load() != seq {
		return seen
	}
	return seq
}

// Board carries values out of a net, those of one cycle at a time: a reader gets the values of the newest complete cycle,
// also while the net writes the next one, or is stopped in the middle of writing.
type Board struct {
	vars
	published triple.Words // per variable: newest or the cycle that wrote it last, value; then the time of the tick

	// cycle only, a bit for each head word
	now, before []uint64 // variables written in this cycle and in the one before
}

// newest in the head of a variable says that the cycle published last has written it.
const newest = ^uint64(0)

// boardCopies are the pages, the words that are being written, the initial ones of the directory, and those that observers are
// shown of changes in the life of a net (Observed), and of the newest cycle.
const boardCopies = triple.Buffers + 4 + Observed + 1

// Observed is how many states of a board are kept for observers while its net lives.
const Observed = 5

// NewBoard makes a board without variables whose memory is accounted.
func NewBoard(memory *budget.Account) *Board {
	return &Board{vars: vars{memory: memory, copies: boardCopies}}
}

// Add declares a variable while the net is loaded.
func (b *Board) Add(v Var) (int, error) { return b.add(v) }

// Seal allocates the words when all variables are known.
func (b *Board) Seal() {
	b.published.Make(append(b.initial(), 0))
	n := (b.words + 63) / 64
	bits := make([]uint64, 2*n)
	b.now, b.before = bits[:n:n], bits[n:]
}

// Write sets the value of the variable at offset, which End publishes (cycle).
func (b *Board) Write(offset int, words []uint64) {
	b.published.Set(offset+1, words)
	if now, i := b.now, uint(offset)>>6; i < uint(len(now)) {
		now[i] |= 1 << (offset & 63)
	}
}

// Tick sets the Unix time, in ns, of the tick whose cycle End publishes (cycle).
func (b *Board) Tick(due int64) { b.published.SetOne(uint(b.words), uint64(due)) }

// TickOf returns the time that goes with the words of a snapshot, 0 before the first cycle (any).
func (b *Board) TickOf(words []uint64) int64 { return int64(words[b.words]) }

// End publishes what cycle n has written. It updates the heads of variables that begin or cease to be written (cycle).
func (b *Board) End(n uint64) {
	now, before := b.now, b.before
	for i := range now {
		if i >= len(before) {
			break
		}
		for changed := now[i] ^ before[i]; changed != 0; changed &= changed - 1 {
			head := n - 1
			if now[i]&changed&-changed != 0 {
				head = newest
			}
			b.published.SetOne(uint(64*i+bits.TrailingZeros64(changed)), head)
		}
		before[i], now[i] = now[i], 0
	}
	b.published.Publish(n)
}

// readTries are enough: each one that is in vain takes a net that completes a cycle while a value is copied.
const readTries = 16

// Read copies the value of the variable at offset and returns the cycle that wrote it, 0 for never, and the newest one.
// It returns false when there is none, or when the net overwrote the value during each attempt (cycle).
func (b *Board) Read(offset int, value []uint64) (written, published uint64, ok bool) {
	for range readTries {
		e := b.published.Newest()
		w := from(b.published.Page(e), offset)
		if len(w) == 0 {
			return 0, 0, false
		}
		written, published = w[0].Load(), e.Number()
		if written == newest {
			written = published
		}
		body := w[1:]
		for i := range value {
			if i < len(body) {
				value[i] = body[i].Load()
			}
		}
		if b.published.Unchanged(e) {
			return written, published, true
		}
	}
	return 0, 0, false
}

// Edition returns what the newest cycle has published; its number is that of the cycle (cycle).
func (b *Board) Edition() triple.Edition { return b.published.Newest() }

// Unchanged reports whether nothing has been published since an edition (cycle).
func (b *Board) Unchanged(e triple.Edition) bool { return b.published.Unchanged(e) }

// Truth is a Boolean variable of a board at a known place: rules read many in every tick, and finding the place takes longer than
// reading the value.
type Truth struct {
	board *Board
	at    [4]*[2]atomic.Uint64 // head and value by page; as many as two bits can tell apart
}

// Truth returns the Boolean variable at an offset, or, if it does not exist, one that is never written (any).
func (b *Board) Truth(offset int) Truth {
	t := Truth{board: b}
	for page := range t.at {
		if w := from(b.published.Page(triple.Edition(page)), offset); len(w) >= 2 {
			t.at[page] = (*[2]atomic.Uint64)(w)
		} else {
			t.at[page] = new([2]atomic.Uint64)
		}
	}
	return t
}

// Read returns two bits, the highest ones of words of which the others are 0: whether the newest cycle has written true, and
// whether it has not written false. Several variables belong together if Unchanged says afterwards that they are of one edition
// (cycle).
func (t *Truth) Read() (is, may uint64) {
	const bit = 1 << 63 // set in the head only when it is newest
	at := t.at[t.board.published.Newest()&3]
	written, value := at[0].Load(), at[1].Load()<<63
	return value & written, value | ^written&bit
}

// Snapshot copies all words of the newest cycle and returns the number of that cycle. The head of a variable that was never
// written is 0 (any).
func (b *Board) Snapshot(dst []uint64) (cycle uint64) { return b.published.Copy(dst) }

// Size returns the number of words of a snapshot.
func (b *Board) Size() int { return b.words + 1 }
