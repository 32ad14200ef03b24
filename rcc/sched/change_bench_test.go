package sched

import (
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// BenchmarkExchange decides while nets wait for the common tick at which as many others take over from them: what every tick
// costs until then.
func BenchmarkExchange(b *testing.B) {
	for _, nets := range []int{1, 10, 100, 500} {
		b.Run(fmt.Sprint(nets), func(b *testing.B) {
			s := exchanging(b, nets)
			s.turn.Add(1)
			b.ReportAllocs()
			for b.Loop() {
				s.decide()
			}
			s.serve()
		})
	}
}

// exchanging returns a scheduler in the midst of a change.
func exchanging(b *testing.B, nets int) *Scheduler {
	b.Helper()
	s := newByHand(b, Config{})
	admit := func(period time.Duration) (list []Ref) {
		for i := range nets {
			p := net.NewProgram(period, nil, nil, nil, nil)
			for joint := range 6 {
				p.Resources = append(p.Resources, device.Resource{Device: fmt.Sprint(i), Channel: fmt.Sprint(joint)})
			}
			r, err := s.Admit(p, Options{Period: period})
			if err != nil {
				b.Fatal(err)
			}
			list = append(list, r)
		}
		return list
	}
	before, after := admit(ms), admit(4*ms)
	if err := s.Start(b.Context(), before...); err != nil {
		b.Fatal(err)
	}
	x := s.executorOf(before[0].slot)
	x.tick(x.period, x.period, 0)
	s.turn.Add(1)
	if _, r := s.change(&command{stop: before, start: after}, Replaced); r.reason != fine {
		b.Fatal(s.errorOf(r))
	}
	s.serve()
	return s
}
