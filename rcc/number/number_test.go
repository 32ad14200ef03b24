package number_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc/number"
)

func TestMain(m *testing.M) { leak.Main(m) }

// disk is what a daemon leaves behind.
type disk struct {
	mu     sync.Mutex
	kept   number.Counts
	broken error
	writes int
}

func (d *disk) keep(c number.Counts) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	if d.broken == nil {
		d.kept = c
	}
	return d.broken
}

func (d *disk) breaks(why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = why
}

func (d *disk) end() number.Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept
}

func open(t *testing.T, d *disk) *number.Book {
	t.Helper()
	b, err := number.Open(d.end(), d.keep)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func take(t *testing.T, b *number.Book, of number.Kind) int {
	t.Helper()
	n, err := b.Take(of)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNeverTwice lets many daemons, one after the other, give numbers to many at once. Most of them end without a word, after any
// number: none is given twice, and each is kept before it is given.
func TestNeverTwice(t *testing.T) {
	d := &disk{kept: number.First()}
	seen := map[int]bool{}
	for life := range 20 {
		b := open(t, d)
		orderly := life%5 == 4
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 37 * life {
					n, err := b.Take(number.Net)
					mu.Lock()
					if err != nil || seen[n] || n >= d.end()[number.Net] {
						t.Errorf("life %d: number %d, %v, kept up to %d", life, n, err, d.end()[number.Net])
					}
					seen[n] = true
					mu.Unlock()
				}
			})
		}
		all.Wait()
		last := take(t, b, number.Net)
		seen[last] = true
		left := d.end()
		if err := b.Close(); err != nil { // also to wait for what is being written
			t.Fatal(err)
		}
		switch end := d.end(); {
		case orderly && end[number.Net] != last+1:
			t.Errorf("after an orderly end numbers go on with %d, not with %d", end[number.Net], last+1)
		case !orderly:
			d.kept = left
		}
	}
}

// TestKindsByThemselves: each kind counts from its own first number.
func TestKindsByThemselves(t *testing.T) {
	for name, b := range map[string]*number.Book{"kept": open(t, &disk{kept: number.First()}), "not kept": number.NewBook(number.First())} {
		take(t, b, number.Net)
		b.Skip(number.Net)
		if net, session, rule := take(t, b, number.Net), take(t, b, number.Session), take(t, b, number.Rule); net != 2 || session != 1 || rule != 0 {
			t.Errorf("%s: net %d, session %d, rule %d", name, net, session, rule)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBrokenDisk: numbers that are kept are given, and no other ones until the disk works again. Calls that need no number of
// their own are not held up.
func TestBrokenDisk(t *testing.T) {
	full := errors.New("no space left")
	d := &disk{kept: number.First()}
	b := open(t, d)
	d.breaks(full)
	for range number.Block {
		take(t, b, number.Net)
	}
	for range 3 {
		if n, err := b.Take(number.Net); !errors.Is(err, full) {
			t.Fatalf("number %d, %v", n, err)
		}
	}
	b.Skip(number.Net)
	take(t, b, number.Session)
	d.breaks(nil)
	if n := take(t, b, number.Net); n != number.Block {
		t.Errorf("goes on with %d", n)
	}
	if err := b.Close(); err != nil || d.end()[number.Net] != number.Block+1 {
		t.Error(err, d.end())
	}
	if _, err := number.Open(number.First(), func(number.Counts) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestSlowDisk: nobody waits for a disk as long as numbers are left, and a skipped number never does.
func TestSlowDisk(t *testing.T) {
	work, begun := make(chan struct{}), make(chan struct{}, 10)
	first := true
	b, err := number.Open(number.First(), func(number.Counts) error {
		if first {
			first = false
			return nil
		}
		begun <- struct{}{}
		<-work
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range number.Block {
		take(t, b, number.Rule)
	}
	<-begun
	b.Skip(number.Rule)
	got := make(chan int)
	go func() {
		n, _ := b.Take(number.Rule)
		got <- n
	}()
	select {
	case n := <-got:
		t.Errorf("%d was given, and is not kept", n)
	default:
	}
	close(work)
	if n := <-got; n != number.Block {
		t.Errorf("goes on with %d", n)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if n, err := b.Take(number.Rule); err == nil {
		t.Errorf("%d was given after the end", n)
	}
}
