package device_test

import (
	"sync"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// TestLatestHammer: what is read has been put as it is, and never is older than what was read before.
func TestLatestHammer(t *testing.T) {
	const sets = 200_000
	l := device.NewLatest(5)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			var words [5]uint64
			for last := uint64(0); last < sets; {
				if !l.Get(0, words[:]) {
					continue
				}
				for i, w := range words {
					if w != words[0]*uint64(i+1) || words[0] < last {
						t.Errorf("%v after %d", words, last)
						return
					}
				}
				last = words[0]
			}
		})
	}
	var words [5]uint64
	for n := uint64(1); n <= sets; n++ {
		for i := range words {
			words[i] = n * uint64(i+1)
		}
		l.Put(words[:])
	}
	readers.Wait()
	if l.Turn() != sets {
		t.Errorf("%d sets, not %d", l.Turn(), sets)
	}
}

func TestLatestOfParts(t *testing.T) {
	l := device.NewLatest(3)
	words := []uint64{7, 8, 9, 10}
	l.Put(words)
	part := []uint64{1, 1}
	if !l.Get(2, part) || part[0] != 9 || part[1] != 1 {
		t.Errorf("%v: there are three words", part)
	}
	if n := alloc.Least(func() { l.Put(words); l.Get(0, part) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}
