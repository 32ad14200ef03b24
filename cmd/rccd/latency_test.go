package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/latency"
	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// The net that is measured can be loaded, has the size that was asked for, and goes on.
func TestSwing(t *testing.T) {
	p := builtIn()
	clock := rt.NewVirtual(epoch)
	clock.SetSpeed(0)
	c, err := openCell(config.Default(), p, surroundings{clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		now, cancel := context.WithCancel(context.Background())
		cancel() // the clock stands still, nets would not end
		if err := c.Close(now); err != nil {
			t.Error(err)
		}
	}()
	for _, primitives := range []int{size, 670, 1350} {
		n, err := c.load(rcc.LoadRequest{Text: swing(primitives), Period: 10 * time.Millisecond}, "swing")
		if err != nil {
			t.Fatal(err)
		}
		if n.Primitives() != primitives {
			t.Errorf("%d primitives, want %d", n.Primitives(), primitives)
		}
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := clock.Advance(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if n.State() != rcc.Running {
			t.Errorf("%d primitives: %v", primitives, n.State())
		}
	}
}

// measured are figures that were made up.
func measured() *figures {
	wakeups := func(ticks uint64, most time.Duration) *latency.Wakeups {
		w := &latency.Wakeups{Ticks: ticks, Missed: 1, Max: most}
		w.Classes[20] = ticks - 20
		w.Classes[65] = 19
		w.Classes[most.Microseconds()] = 1
		return w
	}
	times := func(d time.Duration) sched.Distribution {
		return sched.Distribution{Mean: d, StdDev: d / 100, Min: d / 2, Max: 2 * d}
	}
	cfg := config.Default()
	cfg.Realtime.Spin = 50 * time.Microsecond
	return &figures{
		measurement: &measurement{cfg: cfg, period: time.Millisecond, all: 20 * time.Second, load: true},
		state: realtime.State{Word: "full", Notes: []realtime.Note{
			{What: "memory is not locked", Command: "ulimit -l unlimited"}, {What: "executors have no CPU of their own"},
		}},
		thread:  &rt.Thread{CPU: 3, Priority: 80},
		wakeups: wakeups(9999, 1300*time.Microsecond), cyclictest: wakeups(10_000, 1700*time.Microsecond),
		primitives: size,
		net:        sched.Stats{Cycles: 9998, Missed: 2, Late: 1, Cycle: times(time.Millisecond), Execution: times(2500)},
	}
}

func TestLatencyForPeople(t *testing.T) {
	var out strings.Builder
	if err := measured().show(&out); err != nil {
		t.Fatal(err)
	}
	want := `a tick every 1ms, 20s in all, beside goroutines that compute, make garbage and collect it
realtime=full, CPU 3, SCHED_FIFO 80, spin 50µs

  woken late by     50 %     99 %   99.9 %    99.99 %       most  ticks  missed
           rccd  21.0 µs  21.0 µs  66.0 µs  1300.0 µs  1300.0 µs   9999       1
     cyclictest  21.0 µs  21.0 µs  66.0 µs    66.0 µs  1700.0 µs  10000       -

  net of 457 primitives       mean  deviation     least       most  cycles  missed  late  overruns
             cycle time  1000.0 µs    10.0 µs  500.0 µs  2000.0 µs    9998       2     1         0
         execution time     2.5 µs     0.0 µs    1.2 µs     5.0 µs

nets with a cycle time of
  4ms    with care  1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms, 32 % of the cycle
  2ms    with care  1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms, 65 % of the cycle
  1ms    with care  1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: a tick would be missed
  500µs  with care  1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 2 ticks in a row would be missed
  250µs  no         1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 26 % of the cycle and more are lost
  125µs  no         1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 53 % of the cycle and more are lost

1 of 1000 wake-ups is 66 µs late or later, 1 times the 66 µs of cyclictest; the worst is 1.3 ms beside 1.7 ms
9999 wake-ups say little about rare delays; measure for a minute, better for hours under the load of the cell
memory is not locked
  ulimit -l unlimited
executors have no CPU of their own
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// Without cyclictest and threads the report says so.
func TestLatencyWithLess(t *testing.T) {
	f := measured()
	f.cyclictest, f.without, f.thread, f.load = nil, latency.ErrNoCyclictest, nil, false
	f.state = realtime.State{Word: "degraded", Reason: "no right to SCHED_FIFO"}
	var out strings.Builder
	if err := f.show(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nrealtime=degraded (no right to SCHED_FIFO), ordinary goroutine\n",
		"\ncyclictest is not installed; sudo apt install rt-tests\n",
		"\nan ordinary goroutine loses most of its ticks when the daemon is busy, whatever it does without load (--load)\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "beside 1.7 ms") {
		t.Errorf("is compared with nothing:\n%s", out.String())
	}
	v := f.view()
	if v.Cyclictest != nil || v.Beside != "" || v.Thread != nil || v.Without != latency.ErrNoCyclictest.Error() || v.Reason != f.state.Reason {
		t.Errorf("%+v", v)
	}
}

// Programs get the same figures, in milliseconds.
func TestLatencyForPrograms(t *testing.T) {
	var out strings.Builder
	if err := measured().write(&out); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	verdicts := got["verdict"].([]any)
	if len(verdicts) != 6 || !cmp.Equal(verdicts[2], map[string]any{
		"period": 1.0, "grade": "with care",
		"why": "1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: a tick would be missed",
	}) {
		t.Errorf("verdicts: %v", verdicts)
	}
	delete(got, "verdict")
	late := func(rare, most float64) any {
		return map[string]any{"p50": 0.021, "p99": 0.021, "p99.9": 0.066, "p99.99": rare, "max": most}
	}
	want := map[string]any{
		"unit": "ms", "period": 1.0, "for": 20_000.0, "load": true, "realtime": "full",
		"notes":      []any{"memory is not locked", "executors have no CPU of their own"},
		"thread":     map[string]any{"cpu": 3.0, "priority": 80.0, "spin": 0.05},
		"wakeups":    map[string]any{"ticks": 9999.0, "missed": 1.0, "late": late(1.3, 1.3)},
		"cyclictest": map[string]any{"ticks": 10_000.0, "missed": 1.0, "late": late(0.066, 1.7)},
		"net": map[string]any{
			"primitives": 457.0, "cycles": 9998.0, "missed": 2.0, "late": 1.0, "overruns": 0.0,
			"cycle":     map[string]any{"mean": 1.0, "stddev": 0.01, "min": 0.5, "max": 2.0},
			"execution": map[string]any{"mean": 0.0025, "stddev": 0.000025, "min": 0.00125, "max": 0.005},
		},
		"besideCyclictest": "1 of 1000 wake-ups is 66 µs late or later, 1 times the 66 µs of cyclictest; the worst is 1.3 ms beside 1.7 ms",
		"doubts": []any{
			"9999 wake-ups say little about rare delays; measure for a minute, better for hours under the load of the cell",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A terminal that has gone is reported.
func TestLatencyIntoNothing(t *testing.T) {
	if err := measured().show(full{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
