package rt

import (
	"os"
	"strings"
	"testing"
)

// The counters of interrupts, soft interrupts and the host are added, for one CPU or for all.
func TestOutside(t *testing.T) {
	const stat = "cpu  9 9 9 9 9 10 200 3000 5 5\ncpu0 1 1 1 1 1 1 20 300 7 7\ncpu1 2 2 2 2 2 0 0 4 0 0\ncpu12 1 1 1 1 1 5 0 0 1 1\nintr 77 8 9 1 1 1 1 1 1 1\nctxt 5\n"
	for cpu, want := range map[int]int64{AnyCPU: 3210, 0: 321, 1: 4, 12: 5} {
		if got, known := outsideTicks([]byte(stat), cpu); got != want || !known {
			t.Errorf("CPU %d: %d, %t", cpu, got, known)
		}
	}
	for text, cpu := range map[string]int{stat: 2, "": AnyCPU, "cpu 1 1 1 1 1 1 1 1": AnyCPU, "cpu 1 1 1 1 1 1 1\n": AnyCPU, "cpu0\n": 0} {
		if got, known := outsideTicks([]byte(text), cpu); known {
			t.Errorf("CPU %d of %q: %d", cpu, text, got)
		}
	}
}

// The figures of the system only grow; those of all CPUs are not less than those of one; a CPU that does not exist has none.
func TestOutsideOfTheMachine(t *testing.T) {
	if text, err := os.ReadFile("/proc/stat"); err != nil || !strings.Contains(string(text), "cpu0 ") {
		t.Skip("skip: the system does not tell what CPU 0 does")
	}
	o, room := NewOutside(), new(OutsideRoom)
	defer o.Close()
	before, known := o.Time(0, room)
	all, allKnown := o.Time(AnyCPU, room)
	if after, _ := o.Time(0, room); !known || !allKnown || after < before || all+o.Blur() < before {
		t.Errorf("CPU 0 %d to %d, %t, all %d, %t", before, after, known, all, allKnown)
	}
	if ns, known := o.Time(MaxCPUs, room); known {
		t.Errorf("a CPU that there is not: %d", ns)
	}
}
