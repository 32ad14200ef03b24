package latency

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// Every tick of the grid is either one of a wake-up or a missed one, and no wake-up is for a tick that has passed.
func TestEveryTickCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Int64Range(1, 1e7).Draw(t, "period")
		w := watcher{period: period, due: period}
		for range rapid.IntRange(1, 100).Draw(t, "wake-ups") {
			now := w.due + rapid.Int64Range(0, 5*period).Draw(t, "late")
			w.woken(now)
			if w.due <= now || w.due > now+period || w.due%period != 0 {
				t.Fatalf("woken at %d, next tick at %d", now, w.due)
			}
			if all := w.wakeups.all(); int64(all) != w.due/period-1 {
				t.Fatalf("%d ticks up to %d", all, w.due)
			}
		}
	})
}

// The ticks that are measured are those of the time that was asked for.
func TestMeasure(t *testing.T) {
	paces := map[string]*rt.Thread{"ordinary": nil}
	if rt.Detachable() == nil {
		paces["detached"] = &rt.Thread{Name: "latency test", CPU: rt.AnyCPU}
	}
	for name, thread := range paces {
		t.Run(name, func(t *testing.T) {
			stop := Load()
			w, err := Measure(Pace{Thread: thread, Period: 100 * time.Microsecond, For: 20 * time.Millisecond, Spin: 10 * time.Microsecond})
			stop()
			if err != nil || w.Ticks == 0 || w.all() < 200 {
				t.Errorf("%d and %d ticks, %v", w.Ticks, w.Missed, err)
			}
			var counted uint64
			for _, n := range w.Classes {
				counted += n
			}
			if counted+w.Over != w.Ticks || w.Quantile(1) != w.Max {
				t.Errorf("%d ticks are in classes of %d, the last at %v of %v", counted+w.Over, w.Ticks, w.Quantile(1), w.Max)
			}
		})
	}
}

func TestMeasureRefuses(t *testing.T) {
	for _, p := range []Pace{{}, {Period: 1}, {Period: 2, For: 1}, {Period: -1, For: 1}} {
		if _, err := Measure(p); err == nil {
			t.Errorf("%+v is measured", p)
		}
	}
	_, err := Measure(Pace{Thread: &rt.Thread{CPU: rt.MaxCPUs - 1}, Period: time.Millisecond, For: time.Millisecond})
	if err == nil {
		t.Error("a CPU that is not there is measured")
	}
}

func TestWakingAllocatesNothing(t *testing.T) {
	w := &watcher{clock: rt.NewReal(), period: 1000}
	if n := alloc.Least(func() {
		w.begin(10_000)
		w.detached()
		w.begin(10_000)
		w.ordinary()
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func TestSelftestJudges(t *testing.T) {
	tests := map[string]struct {
		missed []uint64 // of 200, try by try
		want   string
	}{
		"at once":           {[]uint64{25}, ""},
		"in the second try": {[]uint64{200, 3}, ""},
		"in the last try":   {[]uint64{30, 26, 0}, ""},
		"never":             {[]uint64{150, 26, 199}, "self-test: the thread missed 26 of 200 ticks of 250µs while garbage was collected"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tried := 0
			_, err := keepsPace(func() (*Wakeups, error) {
				tried++
				return &Wakeups{Ticks: 200 - tt.missed[tried-1], Missed: tt.missed[tried-1]}, nil
			})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || tried != len(tt.missed) {
				t.Errorf("%d tries: %s", tried, diff)
			}
		})
	}
}

// A cycle time is kept whose verdict is not no.
func TestKeeps(t *testing.T) {
	w := &Wakeups{}
	for range 200 {
		w.add(int64(60 * time.Microsecond))
	}
	for period, want := range map[time.Duration]bool{time.Millisecond: true, 250 * time.Microsecond: false} {
		if ok, text := w.Keeps(period); ok != want || text != w.verdict(period).Why {
			t.Errorf("%v: %v, %s", period, ok, text)
		}
	}
}

// A thread that cannot be had does not matter of pace.
func TestSelftestWithoutThread(t *testing.T) {
	if _, err := Selftest(rt.Thread{CPU: rt.MaxCPUs - 1}); err == nil {
		t.Error("a CPU that is not there keeps its pace")
	}
}
