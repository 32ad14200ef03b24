package kukarsi_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/krc"
)

// TestNothingJumpsWhen has what has made the driver jump, or might: each case while a net swings two joints. Each event begins in
// cycle 500, when the correction of A2 is at least as large as given here.
func TestNothingJumpsWhen(t *testing.T) {
	at := func(cycle int, what krc.What, e krc.Event) krc.Event {
		e.Cycle, e.What = cycle, what
		return e
	}
	mirror := func(old, cycles int, alone bool) (list []krc.Event) {
		for k := range cycles {
			list = append(list, at(500+k, krc.Replay, krc.Event{N: 1, Ago: old}))
			if alone {
				list = append(list, at(500+k, krc.Lose, krc.Event{N: 1}))
			}
		}
		return list
	}
	one := func(what krc.What, e krc.Event) []krc.Event { return []krc.Event{at(500, what, e)} }
	exchange := krc.RSIOptions{Exchange: 20 * time.Millisecond, GoesOn: true}
	silent := krc.RSIOptions{Delay: krc.DelayAbsent, Timeout: 1000}
	for _, tt := range []struct {
		name   string
		rsi    krc.RSIOptions
		params params
		events []krc.Event
		least  float64 // degrees of correction before
		then   string  // status at the end
		on     bool    // the controller has not ended the session
	}{
		{"nothing", krc.RSIOptions{}, nil, nil, 5, "operational", true},
		{"junk", krc.RSIOptions{}, nil, one(krc.Junk, krc.Event{N: 50}), 5, "operational", true},
		{"flood of a stranger", krc.RSIOptions{}, nil, one(krc.Stranger, krc.Event{N: 200}), 5, "operational", true},
		{"30 ms without telegrams", krc.RSIOptions{}, nil, one(krc.Lose, krc.Event{N: 7}), 5, "operational", true},
		{"driver stopped for 20 ms", krc.RSIOptions{}, nil, one(krc.Hang, krc.Event{For: 20 * time.Millisecond}), 5, "operational", true},
		{"driver stopped for 300 ms", krc.RSIOptions{}, nil, one(krc.Hang, krc.Event{For: 300 * time.Millisecond}), 5, "operational", true},

		{"one telegram, 60 ms old", krc.RSIOptions{}, nil, one(krc.Replay, krc.Event{N: 1, Ago: 15}), 5, "operational", true},
		{"three telegrams, 8 to 16 ms old", krc.RSIOptions{}, nil, one(krc.Replay, krc.Event{N: 3, Ago: 2}), 5, "operational", true},
		{"mirrored, 16 ms old", krc.RSIOptions{}, nil, mirror(4, 300, false), 5, "operational", true},
		{"mirrored, 1.6 s old", krc.RSIOptions{}, nil, mirror(400, 300, false), 5, "operational", true},
		{"the beginning again, nothing else", krc.RSIOptions{}, nil, mirror(500, 40, true), 5, "", false},
		{"16 ms old, nothing else", krc.RSIOptions{}, nil, mirror(4, 4, true), 5, "operational", true},
		{"held up for 60 ms", krc.RSIOptions{}, nil, one(krc.HoldUp, krc.Event{For: 60 * time.Millisecond}), 5, "re-arm the robot", true},
		{"held up for 100 ms", krc.RSIOptions{}, nil, one(krc.HoldUp, krc.Event{For: 100 * time.Millisecond}), 5, "re-arm the robot", true},
		{"answers held up for 100 ms", krc.RSIOptions{}, nil, one(krc.HoldUp, krc.Event{For: 100 * time.Millisecond, Way: krc.In}), 5, "operational", true},
		{"600 ms without telegrams", krc.RSIOptions{Timeout: 1000}, nil, one(krc.Lose, krc.Event{N: 150}), 5, "re-arm the robot", true},
		{"paused for 0.6 s, IPOC counts exchanges", exchange, nil, one(krc.Freeze, krc.Event{N: 150}), 5, "re-arm the robot", true},
		{"paused for 0.6 s, IPOC and Delay say nothing", krc.RSIOptions{Exchange: 20 * time.Millisecond, GoesOn: true, Delay: krc.DelayInRow}, nil, one(krc.Freeze, krc.Event{N: 150}), 5, "", false},
		{"paused for 30 ms, IPOC counts exchanges", exchange, nil, one(krc.Freeze, krc.Event{N: 7}), 5, "operational", true},
		{"program started again at once", krc.RSIOptions{}, nil, one(krc.Restart, krc.Event{N: 1}), 5, "operational", true},
		{"program started again, IPOC goes on", krc.RSIOptions{GoesOn: true}, nil, one(krc.Restart, krc.Event{N: 1}), 5, "operational", true},
		{"program started again from another port", krc.RSIOptions{}, nil, one(krc.RestartAt, krc.Event{N: 50}), 5, "operational", true},
		{"arm jogged, program started again", krc.RSIOptions{}, nil, one(krc.Jog, krc.Event{N: 100}), 5, "operational", true},
		{"driver killed for 50 ms", krc.RSIOptions{}, nil, one(krc.Kill, krc.Event{For: 50 * time.Millisecond}), 5, "", false},
		{"driver killed for 300 ms", krc.RSIOptions{Timeout: 1000}, nil, one(krc.Kill, krc.Event{For: 300 * time.Millisecond}), 5, "not known", true},
		{"replaced, and then the first telegram once more", krc.RSIOptions{Exchange: 20 * time.Millisecond, Delay: krc.DelayInRow}, nil, []krc.Event{
			at(500, krc.Kill, krc.Event{For: 1}), at(506, krc.Replay, krc.Event{N: 1, Ago: 5}),
		}, 5, "", false},
		{"replaced, and then the first telegram once more, 12 ms", krc.RSIOptions{Cycle: 12 * time.Millisecond, Delay: krc.DelayInRow}, params{"cycle": "4ms"}, []krc.Event{
			at(500, krc.Kill, krc.Event{For: 1}), at(510, krc.Replay, krc.Event{N: 1, Ago: 9}),
		}, 2, "", false},
		{"ten telegrams of a simulator that waits are lost", waiting(nil), nil, one(krc.Lose, krc.Event{N: 10}), 5, "not known", true},
		{"replaced, a simulator that waits", waiting(nil), nil, one(krc.Kill, krc.Event{For: time.Millisecond}), 5, "not known", true},
		{"replaced, a simulator that waits and counts in a row", waiting(func(o *krc.RSIOptions) { o.Delay = krc.DelayInRow }), nil, one(krc.Kill, krc.Event{For: time.Millisecond}), 5, "not known", true},
		{"replaced, a simulator that waits with the same IPOC", waiting(func(o *krc.RSIOptions) { o.Resend = true }), nil, one(krc.Kill, krc.Event{For: time.Millisecond}), 5, "not known", true},
		{"a simulator that waits is started again, and its IPOC goes on", waiting(func(o *krc.RSIOptions) { o.Resend, o.GoesOn = true, true }), nil, one(krc.Restart, krc.Event{N: 20}), 5, "operational", true},
		{"in a row, program started again", krc.RSIOptions{Delay: krc.DelayInRow}, nil, one(krc.Restart, krc.Event{N: 20}), 5, "operational", true},

		{"no Delay", silent, nil, nil, 0.03, "slow", true},
		{"Delay is always 0", krc.RSIOptions{Delay: krc.DelayZero}, nil, nil, 0.03, "slow", true},
		{"no Delay, 600 ms without telegrams", silent, nil, one(krc.Lose, krc.Event{N: 150}), 0.03, "not known", true},
		{"no Delay, 12 ms instead of 4, five telegrams lost", krc.RSIOptions{Delay: krc.DelayAbsent, Timeout: 1000, Cycle: 12 * time.Millisecond}, params{"cycle": "4ms"}, one(krc.Lose, krc.Event{N: 5}), 0.03, "slow", true},
		{"no Delay, driver killed for 50 ms", silent, nil, one(krc.Kill, krc.Event{For: 50 * time.Millisecond}), 0.03, "not known", true},
		{"no Delay, driver stopped for 100 ms", silent, nil, one(krc.Hang, krc.Event{For: 100 * time.Millisecond}), 0.03, "slow", true},
		{"no Delay, one telegram 60 ms old", silent, nil, one(krc.Replay, krc.Event{N: 1, Ago: 15}), 0.03, "slow", true},
		{"no Delay, program started again", silent, nil, one(krc.Restart, krc.Event{N: 100}), 0.03, "not known", true},
		{"no Delay, coarse positions", krc.RSIOptions{Delay: krc.DelayAbsent, Precision: 1, Timeout: 1000}, nil, nil, 0, "too coarsely", true},
		{"no Delay, no measured positions", krc.RSIOptions{Delay: krc.DelayAbsent, NoActual: true, Timeout: 1000}, nil, nil, 0, "lack the position", true},
		{"relative, one telegram 60 ms old", krc.RSIOptions{Relative: true}, nil, one(krc.Replay, krc.Event{N: 1, Ago: 15}), 5, "operational", true},
		{"relative, driver stopped for 300 ms", krc.RSIOptions{Relative: true}, nil, one(krc.Hang, krc.Event{For: 300 * time.Millisecond}), 5, "operational", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rsi.Lag = 30
			s := krc.Scenario{Protocol: krc.ProtocolRSI, RSI: tt.rsi, Cycles: 500, Seed: 1}
			if s.RSI.Cycle == 0 {
				s.RSI.Cycle = 4 * time.Millisecond
			}
			l := newLed(t, &s, tt.params)
			if sum, _ := krc.Run(t, s, l.driver()).RSI.Held(); math.Abs(sum[1]) < tt.least {
				t.Fatalf("before that the correction is %v degrees, not %v at least", sum[1], tt.least)
			}
			s.Cycles, s.Events = 1000, tt.events
			l = newLed(t, &s, tt.params)
			r := krc.Run(t, s, l.driver())
			if is := l.arm.Status(); !strings.Contains(is.State.String()+": "+is.Cause, tt.then) || r.RSI.On() != tt.on {
				t.Errorf("at the end %v, RSI is on: %t, %s", is, r.RSI.On(), r.RSI.Why())
			}
		})
	}
}
