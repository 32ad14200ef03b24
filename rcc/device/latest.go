package device

import "sync/atomic"

// Latest is the newest set of words that one thread writes and any thread may read. Neither side waits: the writer fills
// one of two sets while readers take the other, and one that is stopped in the middle holds up no other.
type Latest struct {
	turn atomic.Uint64 // sets that are complete; the lowest bit is where the newest one stands
	sets [2][]atomic.Uint64
}

// NewLatest makes room for sets of n words, which are 0 until something is put (load).
func NewLatest(n int) *Latest {
	return &Latest{sets: [2][]atomic.Uint64{make([]atomic.Uint64, n), make([]atomic.Uint64, n)}}
}

// Put hands over a set. There is one writer at a time (cycle).
func (l *Latest) Put(words []uint64) {
	turn := l.turn.Load() + 1
	set := l.sets[turn&1]
	for i := 0; i < len(set) && i < len(words); i++ {
		if set[i].Load() != words[i] { // which costs a fraction of a store
			set[i].Store(words[i])
		}
	}
	l.turn.Store(turn)
}

// tries are enough: each failed one takes a writer that puts two sets while some words are read.
const tries = 16

// Get copies words of the newest set, from the given one on. It is false, and words are of no use, when the writer was
// faster all the time (cycle).
func (l *Latest) Get(from int, words []uint64) bool {
	for range tries {
		turn := l.turn.Load()
		set := l.sets[turn&1]
		for i := range words {
			if k := from + i; k >= 0 && k < len(set) {
				words[i] = set[k].Load()
			}
		}
		if l.turn.Load() == turn {
			return true
		}
	}
	return false
}

// Turn returns how many sets have been put (cycle).
func (l *Latest) Turn() uint64 { return l.turn.Load() }
