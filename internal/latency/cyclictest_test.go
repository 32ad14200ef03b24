package latency

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// The file is what cyclictest 2.40 has printed on a virtual machine with 2 CPUs:
// cyclictest -q --default-system -p 81 -a 1 -t 1 -i 1000 -h 40 -D 1
func TestParseCyclictest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "cyclictest-2.40.txt"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := parseCyclictest(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if w.Ticks != 879+119 || w.Over != 119 || w.Max != 1807*time.Microsecond || w.Classes[19] != 117 || w.Missed != 0 {
		t.Errorf("%d ticks, %d of them over, max %v, %d in 19 µs", w.Ticks, w.Over, w.Max, w.Classes[19])
	}
	if got := []time.Duration{w.Quantile(0.5), w.Quantile(0.999)}; !cmp.Equal(got, []time.Duration{22 * time.Microsecond, w.Max}) {
		t.Errorf("median and 99.9 %%: %v", got)
	}
}

func TestParseCyclictestRefuses(t *testing.T) {
	tests := map[string]string{
		"":                                    "cyclictest measured nothing in this time",
		"000000 000000\n# Total: 000000000\n": "cyclictest measured nothing in this time",
		"000001 00000x\n":                     `cyclictest says "000001 00000x": strconv.ParseUint: parsing "00000x": invalid syntax`,
		"010000 000001\n":                     `cyclictest says "010000 000001": no class`,
		"000001 000001\n# Max Latencies: -1":  `cyclictest says "# Max Latencies: -1": strconv.ParseUint: parsing "-1": invalid syntax`,
	}
	for text, want := range tests {
		_, err := parseCyclictest(text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestCyclictestArgs(t *testing.T) {
	tests := []struct {
		thread *rt.Thread
		want   string
	}{
		{nil, ""},
		{&rt.Thread{CPU: rt.AnyCPU}, ""},
		{&rt.Thread{CPU: 3, Priority: 80}, " -a 3 -p 81"},
		{&rt.Thread{CPU: 0, Priority: 99}, " -a 0 -p 99"},
	}
	for _, tt := range tests {
		args := cyclictestArgs(Pace{Thread: tt.thread, Period: 250 * time.Microsecond, For: time.Minute})
		want := "--default-system -q -t 1 -i 250 -h 10000 -D 65" + tt.want
		if diff := cmp.Diff(want, strings.Join(args, " ")); diff != "" {
			t.Error(diff)
		}
	}
}

func TestComplaint(t *testing.T) {
	got := complaint("WARN: not setting cpu_dma_latency from cyclictest\nUnable to change scheduling policy!\n\nEither run as root\n")
	if got != "Unable to change scheduling policy! Either run as root" {
		t.Error(got)
	}
}

// Cyclictest may be missing or fail, but not silently.
func TestCyclictest(t *testing.T) {
	p := Pace{Period: time.Millisecond, For: 200 * time.Millisecond}
	stop, err := Cyclictest(p)
	if errors.Is(err, ErrNoCyclictest) {
		t.Skip("skip:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(p); err != nil {
		t.Error(err)
	}
	w, err := stop()
	if err != nil && !strings.HasPrefix(err.Error(), "cyclictest") || err == nil && w.Ticks == 0 {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestCyclictestIsMissing(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := Cyclictest(Pace{Period: 1, For: 1}); !errors.Is(err, ErrNoCyclictest) {
		t.Error(err)
	}
}
