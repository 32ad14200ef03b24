package kukarsi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/krc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// waiting returns a simulator that counts exchanges and waits for each answer for a second.
func waiting(change func(o *krc.RSIOptions)) krc.RSIOptions {
	o := krc.RSIOptions{Cycle: 4 * time.Millisecond, Exchange: time.Second, Timeout: 1 << 20}
	if change != nil {
		change(&o)
	}
	return o
}

// alone are events that let a controller call for some cycles before there is a driver.
func alone(cycles int) []krc.Event {
	return []krc.Event{{What: krc.Lose, N: cycles}, {Cycle: cycles, What: krc.Kill}}
}

// TestLeads: not only does nothing jump, the driver also leads, with its default parameters.
func TestLeads(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rsi    krc.RSIOptions
		events []krc.Event
		missed uint64 // answers
	}{
		{"a controller", krc.RSIOptions{Cycle: 4 * time.Millisecond}, nil, 2},
		{"a simulator that waits", waiting(nil), nil, 2},
		{"it counts in a row", waiting(func(o *krc.RSIOptions) { o.Delay = krc.DelayInRow }), nil, 2},
		{"IPOC is the same until there is an answer", waiting(func(o *krc.RSIOptions) { o.Resend = true }), nil, 2},
		{"first telegrams are lost", waiting(nil), []krc.Event{{What: krc.Lose, N: 4}}, 6},
		{"IPOC from 0, before the driver", waiting(func(o *krc.RSIOptions) { o.FromZero = true }), alone(20), 22},
		{"IPOC from 0 and the same, before the driver", waiting(func(o *krc.RSIOptions) { o.FromZero, o.Resend = true, true }), alone(20), 22},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := krc.Scenario{Protocol: krc.ProtocolRSI, RSI: tt.rsi, Events: tt.events, Cycles: 500, Seed: 1}
			l := newLed(t, &s, nil)
			r := krc.Run(t, s, l.driver())
			if is := l.arm.Status(); is.State != device.Operational || *l.moved < 0.1 || r.RSI.Figures().Missed != tt.missed {
				t.Errorf("%v, the joint moved by %v rad, %+v", is, *l.moved, r.RSI.Figures())
			}
		})
	}
}

// TestLeadsAgain: a program that is started again is led again, whether what it was led before is known or not.
func TestLeadsAgain(t *testing.T) {
	for name, rsi := range map[string]krc.RSIOptions{
		"a controller":                       {Cycle: 4 * time.Millisecond},
		"a simulator that waits":             waiting(nil),
		"it counts in a row":                 waiting(func(o *krc.RSIOptions) { o.Delay = krc.DelayInRow }),
		"IPOC is the same":                   waiting(func(o *krc.RSIOptions) { o.Resend = true }),
		"IPOC is the same, counts in a row":  waiting(func(o *krc.RSIOptions) { o.Resend, o.Delay = true, krc.DelayInRow }),
		"IPOC goes on, and it counts in all": waiting(func(o *krc.RSIOptions) { o.GoesOn = true }),
	} {
		for _, after := range []int{1, 300} {
			t.Run(fmt.Sprintf("%s, after %d cycles", name, after), func(t *testing.T) {
				s := krc.Scenario{Protocol: krc.ProtocolRSI, RSI: rsi, Cycles: after + 600, Seed: 1}
				s.Events = []krc.Event{{Cycle: after + 3, What: krc.Restart, N: 1}}
				l := newLed(t, &s, nil)
				r := krc.Run(t, s, l.driver())
				if is := l.arm.Status(); is.State != device.Operational || *l.moved < 0.1 || r.RSI.Figures().Sessions != 2 || r.RSI.Figures().Missed > 8 {
					t.Errorf("%v, the joint moved by %v rad, %+v", is, *l.moved, r.RSI.Figures())
				}
			})
		}
	}
}

// TestWaitingGoesOn: a simulator that waits has once waited without an answer. It has to be re-armed, and goes on then.
func TestWaitingGoesOn(t *testing.T) {
	for name, same := range map[string]bool{"IPOC goes on": false, "IPOC is the same": true} {
		for way, what := range map[string]krc.Way{"telegram": krc.Out, "answer": krc.In} {
			if same && what == krc.Out {
				continue // which answers were taken is unknown then
			}
			t.Run(name+", lost "+way, func(t *testing.T) {
				s := krc.Scenario{Protocol: krc.ProtocolRSI, Cycles: 1000, Seed: 1, RSI: waiting(func(o *krc.RSIOptions) { o.Resend = same })}
				s.Events = []krc.Event{{Cycle: 300, What: krc.Lose, N: 1, Way: what}}
				l := newLed(t, &s, nil)
				d, armed := l.driver(), 0
				tick := d.Tick
				d.Tick = func(now int64) {
					if tick(now); armed == 0 && strings.Contains(l.arm.Status().Cause, "re-arm the robot") {
						l.tell("rsi", params{"rearm": "true"})
						armed++
					}
				}
				r := krc.Run(t, s, d)
				if is := l.arm.Status(); armed != 1 || is.State != device.Operational || r.RSI.Figures().Missed > 6 {
					t.Errorf("armed %d times, %v, %+v", armed, is, r.RSI.Figures())
				}
			})
		}
	}
}

// TestWhyNot: the status says why an arm is not led, and what to do.
func TestWhyNot(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rsi    krc.RSIOptions
		events []krc.Event
		cycles int
		parts  []string
	}{
		{
			"just after the device",
			krc.RSIOptions{},
			[]krc.Event{{What: krc.Kill}},
			50,
			[]string{"safe-operational", "it called 0s after the device was opened, so another driver may have led it until then", "restart its program"},
		},
		{
			"before the device",
			krc.RSIOptions{},
			alone(20), 50,
			[]string{"safe-operational", "Delay was already 20 when the device began to listen", "restart its program"},
		},
		{
			"before the device, and over",
			krc.RSIOptions{},
			alone(20), 150,
			[]string{"offline: the session ended: RSITimeout: the driver did not answer", "Delay was already 20", "start the program again"},
		},
		{
			"without Delay",
			krc.RSIOptions{Delay: krc.DelayAbsent},
			[]krc.Event{{What: krc.Kill}},
			50,
			[]string{"it called 0s after the device was opened and does not count late answers (Delay)"},
		},
		{
			"the driver was replaced, a simulator that waits", waiting(nil),
			[]krc.Event{{Cycle: 300, What: krc.Kill}},
			320,
			[]string{"safe-operational", "Delay was already 2 when"},
		},
		{
			"telegrams are lost, the simulator is another one", waiting(func(o *krc.RSIOptions) { o.Resend = true }),
			[]krc.Event{{Cycle: 300, What: krc.Lose, N: 1}},
			320,
			[]string{"safe-operational", "it may hold what it was answered before"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rsi.Cycle == 0 {
				tt.rsi.Cycle = 4 * time.Millisecond
			}
			s := krc.Scenario{Protocol: krc.ProtocolRSI, RSI: tt.rsi, Events: tt.events, Cycles: tt.cycles, Seed: 1}
			l := newLed(t, &s, nil)
			krc.Run(t, s, l.driver())
			is := l.arm.Status()
			for _, part := range tt.parts {
				if text := is.State.String() + ": " + is.Cause; !strings.Contains(text, part) {
					t.Errorf("%s, without %q", text, part)
				}
			}
			if diary := strings.Join(l.arm.Diary(), "\n"); is.State == device.SafeOperational && !strings.Contains(diary, tt.parts[min(1, len(tt.parts)-1)]) {
				t.Errorf("in the log: %s", diary)
			}
		})
	}
}
