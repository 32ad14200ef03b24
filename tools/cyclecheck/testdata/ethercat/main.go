// Command ethercat has a bus whose thread is detached, with a driver that keeps to the rules of the cycle and one that does not. It
// is never run: the checker reads it.
package main

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// strict keeps to the rules.
type strict struct{ seen uint64 }

func (*strict) PreOp(context.Context, ecat.Slave) error  { return nil }
func (*strict) SafeOp(context.Context, ecat.Slave) error { return nil }

func (s *strict) Write(outputs image.View, at *ecat.Moment) {
	outputs.Set(0, 16, s.seen)
	outputs.SetBit(16, at.Sync > at.Now)
}

func (s *strict) Read(inputs image.View, q ecat.Quality, _ *ecat.Moment) {
	if q == ecat.Fresh && inputs.Bit(7) {
		s.seen = inputs.Get(8, 16) + uint64(inputs.Signed(0, 7))
	}
}

// loose does in each of its functions something that it must not.
type loose struct {
	strict
	seen  [][]byte
	names map[ecat.Quality]int
}

func (l *loose) Write(outputs image.View, _ *ecat.Moment) { l.seen = append(l.seen, outputs) }

func (l *loose) Read(_ image.View, q ecat.Quality, _ *ecat.Moment) { l.names[q]++ }

// rack is a device of both.
type rack struct{ cycles uint64 }

func (r *rack) Startup(slaves []ecat.Slave) error {
	for i, s := range slaves {
		var d ecat.Driver = &strict{}
		if i%2 != 0 {
			d = &loose{names: map[ecat.Quality]int{}}
		}
		if err := s.Attach(d); err != nil {
			return err
		}
	}
	return nil
}

func (*rack) Shutdown() {}

func (r *rack) Prepare(at *ecat.Moment) { r.cycles = at.Cycle }

// bus is the thread.
type bus struct {
	m     *ethercat.Master
	clock *rt.Real
	alarm rt.Alarm
}

func (b *bus) run() {
	for next := b.clock.Now(); b.clock.SleepDetached(next, 0, &b.alarm); {
		next = b.m.Exchange(b.clock.Now()).Next
	}
}

func main() {
	clock := rt.NewReal()
	here := netip.MustParseAddrPort("127.0.0.1:0")
	udp, err := cable.DialUDP(here, here, clock)
	if err != nil {
		fmt.Println(err)
		return
	}
	raw, err := link.OpenRaw("eth1", clock, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range []link.Link{udp, raw} {
		run(l, clock)
	}
}

func run(l link.Link, clock *rt.Real) {
	m, err := ethercat.New(ethercat.Options{Link: l, Record: link.NewRecorder(100), Sync: &ethercat.Sync{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Add(&rack{})
	b := &bus{m: m, clock: clock}
	go func() { _ = rt.Thread{CPU: rt.AnyCPU}.Detach(b.run) }()
	fmt.Println(m.Start(context.Background()))
	b.alarm.Ring()
}
