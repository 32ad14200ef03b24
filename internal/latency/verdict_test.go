package latency

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wakeups makes figures: most a few microseconds late, some by more, and one worst of all.
func wakeups(some, worst time.Duration) *Wakeups {
	w := &Wakeups{}
	for range 9980 {
		w.add(int64(3 * time.Microsecond))
	}
	for range 19 {
		w.add(int64(some))
	}
	w.add(int64(worst))
	return w
}

const us = time.Microsecond

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name        string
		some, worst time.Duration
		measured    time.Duration
		want        string
	}{
		{"a machine made for it", 9 * us, 19 * us, 250 * us, `
4ms yes: the worst wake-up is 19 µs late, 0 % of the cycle
2ms yes: the worst wake-up is 19 µs late, 1 % of the cycle
1ms yes: the worst wake-up is 19 µs late, 2 % of the cycle
500µs yes: the worst wake-up is 19 µs late, 4 % of the cycle
250µs yes: the worst wake-up is 19 µs late, 8 % of the cycle
125µs yes: the worst wake-up is 19 µs late, 15 % of the cycle
`},
		{"a virtual machine", 65 * us, 1300 * us, 3 * time.Millisecond, `
4ms with care: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms, 32 % of the cycle
3ms with care: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms, 43 % of the cycle
2ms with care: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms, 65 % of the cycle
1ms with care: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: a tick would be missed
500µs with care: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 2 ticks in a row would be missed
250µs no: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 26 % of the cycle and more are lost
125µs no: 1 of 1000 wake-ups is 66 µs late or later, the worst 1.3 ms: 53 % of the cycle and more are lost
`},
		{"hopeless", 8 * time.Millisecond, 2 * time.Second, time.Millisecond, `
4ms no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 200 % of the cycle and more are lost
2ms no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 400 % of the cycle and more are lost
1ms no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 800 % of the cycle and more are lost
500µs no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 1600 % of the cycle and more are lost
250µs no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 3200 % of the cycle and more are lost
125µs no: 1 of 1000 wake-ups is 8 ms late or later, the worst 2 s: 6401 % of the cycle and more are lost
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			got.WriteByte('\n')
			for _, v := range wakeups(tt.some, tt.worst).Verdicts(tt.measured) {
				fmt.Fprintf(&got, "%v %s: %s\n", v.Period, v.Grade, v.Why)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of a few wake-ups nothing is said about one in a thousand.
func TestFewWakeups(t *testing.T) {
	few := &Wakeups{}
	few.add(int64(20 * us))
	few.add(int64(400 * us))
	want := Verdict{time.Millisecond, No, "the worst of 2 wake-ups is 400 µs late: 40 % of the cycle and more are lost"}
	if diff := cmp.Diff(want, few.Verdicts(time.Millisecond)[2]); diff != "" {
		t.Error(diff)
	}
}

func TestBeside(t *testing.T) {
	tests := []struct {
		own, its *Wakeups
		want     string
	}{
		{
			wakeups(65*us, 1300*us), wakeups(59*us, 1700*us),
			"1 of 1000 wake-ups is 66 µs late or later, 1.1 times the 60 µs of cyclictest; the worst is 1.3 ms beside 1.7 ms: " +
				"as good as a program in C; more than that is up to the machine (rccctl doctor)",
		},
		{
			wakeups(5*time.Millisecond, 20*time.Millisecond), wakeups(49*us, 1700*us),
			"1 of 1000 wake-ups is 5 ms late or later, 100 times the 50 µs of cyclictest; the worst is 20 ms beside 1.7 ms: " +
				"the machine could do better",
		},
		{
			&Wakeups{}, &Wakeups{},
			"1 of 1000 wake-ups is 0 µs late or later, 0 times the 0 µs of cyclictest; the worst is 0 µs beside 0 µs",
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.own.Beside(tt.its)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDoubt(t *testing.T) {
	few := &Wakeups{Ticks: 200}
	if got := few.Doubt(); !strings.HasPrefix(got, "200 wake-ups say little") {
		t.Error(got)
	}
	if got := wakeups(us, us).Doubt(); got != "" {
		t.Error(got)
	}
}
