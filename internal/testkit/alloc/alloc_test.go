package alloc

import "testing"

var sink *[64]byte

func TestLeast(t *testing.T) {
	if n := Least(func() {}); n != 0 {
		t.Errorf("nothing allocates %d times", n)
	}
	if n := Least(func() { sink = new([64]byte) }); n != 1 {
		t.Errorf("an allocation is %d", n)
	}
	first := true
	if n := Least(func() {
		if first {
			sink = new([64]byte)
		}
		first = false
	}); n != 0 {
		t.Errorf("what is only done the first time is counted: %d", n)
	}
}

// TestNoiseIsNotCounted lets others allocate in all observations but one.
func TestNoiseIsNotCounted(t *testing.T) {
	counts := []uint64{3, 1, 7, 1, 0, 5}
	taken := 0
	if n := LeastOf(func() uint64 { taken++; return counts[taken-1] }); n != 0 || taken != 5 {
		t.Errorf("%d after %d observations", n, taken)
	}
	if n := LeastOf(func() uint64 { taken++; return uint64(2 + taken%3) }); n != 2 {
		t.Errorf("%d, but every run allocates", n)
	}
}
