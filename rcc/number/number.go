// Package number gives the numbers of nets, sessions and rules, none of them twice.
//
// Clients know nets, sessions and rules by their numbers. Where those outlast the daemon, a name that a client still has from before a
// restart is nobody's, and never that of somebody else. For that a Book writes down the end of a block of numbers before it gives the first of them: whatever
// becomes of the daemon, the next one begins behind the block.
package number

import (
	"errors"
	"sync"

	"github.com/softrobot-rcc/rccd/internal/guard"
)

// Kind is what has a number.
type Kind int

// The kinds. Each has numbers of its own.
const (
	Net Kind = iota
	Session
	Rule
	kinds
)

// Counts has a number for each kind.
type Counts [kinds]int

// First returns the numbers that clients know from daemons that remember nothing.
func First() Counts { return Counts{Net: 0, Session: 1, Rule: 0} }

// Block is how many numbers of each kind are written down at once. After a power failure up to so many are left out.
const Block = 1000

// early is how many numbers are left when more are written down, so that hardly anybody waits for a disk.
const early = Block / 2

// ErrClosed is returned after Close.
var ErrClosed = errors.New("numbers are closed")

// Book gives numbers. Any goroutine may ask it.
type Book struct {
	keep func(Counts) error // makes durable that numbers below these are used up; nil where each daemon starts from 0

	mu      sync.Mutex
	next    Counts
	kept    Counts        // numbers below may be given
	keeping chan struct{} // closed when what is being written is; nil while nothing is
	failed  error         // why it was not, the last time
	closed  bool
}

// NewBook gives numbers from the first ones on, which mean nothing outside of this process.
func NewBook(first Counts) *Book { return &Book{next: first} }

// Open gives numbers that are given once and for all. Those before first have been used up, as keep was told before. It returns when the first block is kept.
func Open(first Counts, keep func(Counts) error) (*Book, error) {
	b := &Book{next: first, kept: first, keep: keep}
	want := b.wanted()
	if err := keep(want); err != nil {
		return nil, err
	}
	b.kept = want
	return b, nil
}

// Take uses up a number. It waits for numbers to be written down when none is left, and fails when that fails.
func (b *Book) Take(of Kind) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.keep != nil && b.next[of] >= b.kept[of] {
		if b.closed {
			return 0, ErrClosed
		}
		b.wait()
		if b.failed != nil && b.next[of] >= b.kept[of] {
			return 0, b.failed
		}
	}
	return b.give(of), nil
}

// Skip uses up a number that nobody gets to see, if there is one without waiting.
func (b *Book) Skip(of Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keep == nil || b.next[of] < b.kept[of] {
		b.give(of)
	}
}

// give returns the next number, and sees to it that others follow. b.mu is held.
func (b *Book) give(of Kind) int {
	n := b.next[of]
	b.next[of]++
	if b.keep != nil && b.kept[of]-b.next[of] < early {
		b.extend()
	}
	return n
}

// wait returns when numbers have been written down, or that has failed. b.mu is held, but not while it waits.
func (b *Book) wait() {
	kept := b.extend()
	b.mu.Unlock()
	defer b.mu.Lock()
	<-kept
}

// extend begins to write down more numbers, unless that goes on already. b.mu is held.
func (b *Book) extend() (kept <-chan struct{}) {
	if b.keeping != nil || b.closed {
		return b.keeping
	}
	done, want := make(chan struct{}), b.wanted()
	b.keeping = done
	guard.Go("numbers", func() {
		err := b.keep(want)
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.failed = err; err == nil {
			b.kept = want
		}
		b.keeping = nil
		close(done)
	})
	return done
}

// wanted is up to where numbers are to be kept. b.mu is held.
func (b *Book) wanted() Counts {
	want := b.next
	for k := range want {
		want[k] = max(want[k]+Block, b.kept[k])
	}
	return want
}

// Close gives no number any more that is kept, and writes down which ones have been used up, so that none is left out after an orderly end.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keep == nil || b.closed {
		return nil
	}
	b.closed = true
	for b.keeping != nil {
		keeping := b.keeping
		b.mu.Unlock()
		<-keeping
		b.mu.Lock()
	}
	b.kept = b.next
	return b.keep(b.next)
}
