package triple

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestIndex goes through all orders in which both sides can act: nobody ever has the buffer of another one, and the reader
// gets the newest one.
func TestIndex(t *testing.T) {
	const acts = 12
	for order := range 1 << acts {
		var x Index
		var buffers [Buffers]int
		for i := range acts {
			if order>>i&1 == 0 {
				buffers[x.Writer()] = i + 1
				x.Publish()
			} else {
				newest := slices.Max(buffers[:])
				newer := buffers[x.Reader()] != newest
				if x.Take() != newer || buffers[x.Reader()] != newest {
					t.Fatalf("order %0*b, act %d: reader has %d, newest of %v expected", acts, order, i, buffers[x.Reader()], buffers)
				}
			}
			if between := x.between.Load() &^ fresh; x.Writer()+x.Reader()+between != 0+1+2 || x.Writer() == x.Reader() {
				t.Fatalf("order %0*b, act %d: writer %d, reader %d, between %d", acts, order, i, x.Writer(), x.Reader(), between)
			}
		}
	}
}

// numbered makes words of which all are the number of their edition.
func numbered(words int) *Words {
	w := new(Words)
	w.Make(make([]uint64, words))
	return w
}

func write(w *Words, number uint64) {
	for i := range w.Len() {
		w.Set(i, []uint64{number})
	}
	w.Publish(number)
}

// TestReaderStoppedAnywhere stops a reader before each word that it copies, while the writer goes on for some editions.
func TestReaderStoppedAnywhere(t *testing.T) {
	const words = 5
	for editions := range uint64(8) {
		for stop := range words + 1 {
			w := numbered(words)
			n := uint64(1)
			write(w, n)
			page, number := w.take()
			got := make([]uint64, words)
			for i := range got {
				if i == stop {
					for range editions {
						n++
						write(w, n)
					}
				}
				got[i] = page[i].Load()
			}
			if number != 1 || slices.ContainsFunc(got, func(word uint64) bool { return word != 1 }) {
				t.Errorf("stopped before word %d for %d editions: %v of edition %d", stop, editions, got, number)
			}
			if number = w.Copy(got); number != n && stop < words {
				t.Errorf("then edition %d was the newest, not %d", number, n)
			}
		}
	}
}

// TestWriterStoppedAnywhere stops the writer after each of its steps: readers get the edition before, at once.
func TestWriterStoppedAnywhere(t *testing.T) {
	const words = 5
	w := numbered(words)
	for n := range uint64(20) {
		if n == 0 {
			continue
		}
		look := func(step string) {
			t.Helper()
			got := make([]uint64, words)
			number := w.Copy(got)
			if number != n-1 || slices.ContainsFunc(got, func(word uint64) bool { return word != n-1 }) {
				t.Fatalf("edition %d, stopped %s: %v of edition %d", n, step, got, number)
			}
			e := w.Newest()
			page := w.Page(e)
			for i := range page {
				if word := page[i].Load(); word != n-1 || e.Number() != n-1 || !w.Unchanged(e) {
					t.Fatalf("edition %d, stopped %s: word %d is %d of edition %d", n, step, i, word, e.Number())
				}
			}
		}
		for i := range words {
			w.Set(i, []uint64{n})
			look(fmt.Sprintf("after word %d was set", i))
		}
		for i := range words { // Publish brings the page up to date first
			w.pages[w.index.Writer()][i].Store(n)
			look(fmt.Sprintf("after word %d was stored", i))
		}
		w.Publish(n)
	}
}

// TestPeers: what was loaded of an edition that is still the newest one belongs together, at whatever word the reader was stopped;
// one that was lapped finds out.
func TestPeers(t *testing.T) {
	const words = 4
	for editions := range uint64(6) {
		for stop := range words {
			w := numbered(words)
			n := uint64(1)
			write(w, n)
			e := w.Newest()
			for i := range words {
				if i == stop {
					for range editions {
						n++
						write(w, n)
					}
				}
				if word := w.Page(e)[i].Load(); word != 1 && w.Unchanged(e) {
					t.Errorf("word %d of edition 1 is %d", i, word)
				}
			}
			if w.Unchanged(e) != (editions == 0) {
				t.Errorf("after %d more editions: unchanged is %t", editions, w.Unchanged(e))
			}
		}
	}
}

// TestEveryEditionIsComplete compares what readers get with a plain copy, whichever words have changed and whenever they read.
func TestEveryEditionIsComplete(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, words := range []int{0, 1, 63, 64, 65, 200} {
		w := numbered(words)
		want, got := make([]uint64, words), make([]uint64, words)
		for n := uint64(1); n < 3000; n++ {
			for range random.IntN(4) {
				if words == 0 {
					break
				}
				from := random.IntN(words)
				part := make([]uint64, 1+random.IntN(words-from))
				for i := range part {
					part[i] = random.Uint64N(3)
				}
				if copy(want[from:], part); len(part) == 1 {
					w.SetOne(uint(from), part[0])
				} else {
					w.Set(from, part)
				}
			}
			w.Publish(n)
			page := w.Page(w.Newest())
			for i := range page {
				if page[i].Load() != want[i] {
					t.Fatalf("%d words, edition %d: peers see word %d as %d, not %d", words, n, i, page[i].Load(), want[i])
				}
			}
			if random.IntN(3) == 0 {
				if number := w.Copy(got); number != n || !slices.Equal(got, want) {
					t.Fatalf("%d words: edition %d is\n%v, want edition %d\n%v", words, number, got, n, want)
				}
			}
		}
	}
}

// TestOutside: words that are not there are left alone, as nothing may panic in the cycle.
func TestOutside(t *testing.T) {
	w := numbered(2)
	for _, from := range []int{-1 << 62, -1, 2, 3, 1 << 62} {
		w.Set(from, []uint64{7})
		w.SetOne(uint(from), 7)
	}
	w.Set(1, []uint64{5, 7, 7})
	w.Publish(1)
	got := make([]uint64, 3)
	if w.Copy(got); !slices.Equal(got, []uint64{0, 5, 0}) {
		t.Errorf("%v", got)
	}
}

// TestCycleDoesNotAllocate: Set and Publish are called in the cycle.
func TestCycleDoesNotAllocate(t *testing.T) {
	w := numbered(100)
	n := uint64(0)
	if allocs := testing.AllocsPerRun(1000, func() { n++; write2(w, n) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func write2(w *Words, n uint64) {
	words := [...]uint64{n, n, n}
	w.Set(10, words[:])
	w.SetOne(99, n)
	w.Publish(n)
}

// TestWordsHammer has the writer as fast as it can be and readers that are stopped anywhere: each gets one edition, and none that is
// older than the one it has seen before.
func TestWordsHammer(t *testing.T) {
	const words, editions = 40, 20_000
	w := numbered(words)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := uint64(1); n <= editions; n++ {
			write(w, n)
		}
	}()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			got := make([]uint64, words)
			last, running := uint64(0), true
			for running {
				select {
				case <-done:
					running = false
				default:
				}
				number := w.Copy(got)
				if number < last || slices.ContainsFunc(got, func(word uint64) bool { return word != number }) {
					t.Errorf("edition %d after %d: %v", number, last, got)
					return
				}
				last = number
				runtime.Gosched()
			}
			if last != editions {
				t.Errorf("edition %d was the last one, not %d", last, editions)
			}
		})
		readers.Go(func() {
			for e := w.Newest(); e.Number() < editions; e = w.Newest() {
				page := w.Page(e)
				first := page[0].Load()
				runtime.Gosched()
				second := page[words-1].Load()
				if w.Unchanged(e) && (first != e.Number() || second != first) {
					t.Errorf("edition %d: %d and %d", e.Number(), first, second)
					return
				}
			}
		})
	}
	readers.Wait()
}

// BenchmarkPublish is what it costs the cycle to publish, of 100 words, so many that have changed.
func BenchmarkPublish(b *testing.B) {
	for _, changed := range []int{0, 1, 10, 100} {
		b.Run(fmt.Sprint(changed), func(b *testing.B) {
			w := numbered(100)
			words := make([]uint64, changed)
			for n := uint64(1); b.Loop(); n++ {
				for i := range words {
					words[i] = n
				}
				w.Set(0, words)
				w.Publish(n)
			}
		})
	}
}
