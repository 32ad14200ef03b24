package triple

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Words are values that one thread, the writer, publishes together: whoever reads them gets those of one edition.
//
// There are three pages, handed over by an Index. The writer fills one that is neither the newest one nor in the hands of
// readers, and needs no more atomic stores for that than words have changed. There are two ways to read:
//
//   - Copy is for everybody. Readers wait for each other, as the Index knows only one of them, but never for the writer, and
//     the writer never for them: the page they copy from is theirs.
//   - Newest, Page and Unchanged are for the cycle, which waits for nobody: they look at the newest page as it is. The writer
//     may use that page again two editions later; who looks finds out by Unchanged.
type Words struct {
	newest atomic.Uint64 // Edition
	index  Index
	pages  [Buffers + 1][]atomic.Uint64 // one more than there are, so that two bits are an index

	// writer only
	now      []uint64 // words of the edition that is being made
	changed  []uint64 // a bit for each word that has changed since Publish
	stale    [Buffers][]uint64
	editions [Buffers]uint64 // number of the edition in each page; of whoever has the page

	mu sync.Mutex // orders readers
}

// Edition stands for what was published at one moment. The zero value is what there was before.
type Edition uint64

const pageBits = 2

// Number returns the number that the edition was published with.
func (e Edition) Number() uint64 { return uint64(e) >> pageBits }

// Make sets the words of the first edition, number 0 (load).
func (w *Words) Make(initial []uint64) {
	for i := range Buffers {
		w.pages[i] = make([]atomic.Uint64, len(initial))
		for k, word := range initial {
			w.pages[i][k].Store(word)
		}
	}
	n := (len(initial) + 63) / 64
	w.now = append([]uint64(nil), initial...)
	w.changed = make([]uint64, n)
	for i := range w.stale {
		w.stale[i] = make([]uint64, n)
	}
}

// Len returns the number of words.
func (w *Words) Len() int { return len(w.now) }

// Set changes words of the next edition, from the given one on (writer, cycle).
func (w *Words) Set(from int, words []uint64) {
	if from < 0 || from > len(w.now) {
		return
	}
	now := w.now[from:]
	for i := range words {
		if i < len(now) && now[i] != words[i] {
			now[i] = words[i]
			w.mark(uint(from + i))
		}
	}
}

// SetOne changes a word of the next edition (writer, cycle).
func (w *Words) SetOne(i uint, word uint64) {
	if now := w.now; i < uint(len(now)) && now[i] != word {
		now[i] = word
		w.mark(i)
	}
}

func (w *Words) mark(i uint) {
	if k := i / 64; k < uint(len(w.changed)) {
		w.changed[k] |= 1 << (i % 64)
	}
}

// Publish makes the words that were set the newest edition. Its number differs from those before (writer, cycle).
func (w *Words) Publish(number uint64) {
	mine := w.index.Writer() % Buffers
	w.refresh(w.pages[mine], mine)
	w.editions[mine] = number
	w.index.Publish()
	// Only now, so that nobody who knows of the edition gets an older copy. The writer does not touch the page that was the
	// newest one until it is not.
	w.newest.Store(number<<pageBits | uint64(mine))
}

// refresh brings a page of the writer up to date: an atomic store costs more than most primitives, so that only words are
// stored that the page does not have (cycle).
func (w *Words) refresh(page []atomic.Uint64, mine uint32) {
	now, changed := w.now, w.changed
	a, b, c := w.stale[0], w.stale[1], w.stale[2]
	own := w.stale[mine%Buffers]
	for k := range changed {
		if k >= len(a) || k >= len(b) || k >= len(c) || k >= len(own) {
			break
		}
		if m := changed[k]; m != 0 {
			changed[k] = 0
			a[k], b[k], c[k] = a[k]|m, b[k]|m, c[k]|m
		}
		m := own[k]
		for own[k] = 0; m != 0; m &= m - 1 {
			i := uint(64*k + bits.TrailingZeros64(m))
			if i < uint(len(page)) && i < uint(len(now)) {
				page[i].Store(now[i])
			}
		}
	}
}

// Copy copies the words of the newest edition and returns its number (any).
func (w *Words) Copy(dst []uint64) (number uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	page, number := w.take()
	for i := range min(len(dst), len(page)) {
		dst[i] = page[i].Load()
	}
	return number
}

// take makes the newest page that of the readers. The mutex is held.
func (w *Words) take() (page []atomic.Uint64, number uint64) {
	w.index.Take()
	mine := w.index.Reader()
	return w.pages[mine], w.editions[mine]
}

// Newest returns the edition that was published last (cycle).
func (w *Words) Newest() Edition { return Edition(w.newest.Load()) }

// Page returns the words of an edition that Newest has returned just now: what was loaded from there counts when Unchanged
// says so afterwards (cycle).
func (w *Words) Page(e Edition) []atomic.Uint64 { return w.pages[e&(1<<pageBits-1)] }

// Unchanged reports whether an edition still is the newest one (cycle).
func (w *Words) Unchanged(e Edition) bool { return w.Newest() == e }
