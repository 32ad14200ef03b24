package main

import (
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/answers"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// BenchmarkAnswer measures how fast robots are answered whose simulated controllers call, one and four at a time: an LWR over
// FRI every millisecond, a KR 16 over RSI every four. They stand still.
func BenchmarkAnswer(b *testing.B) {
	for _, robots := range []int{1, 4} {
		b.Run(fmt.Sprintf("FRI_1ms_%d", robots), func(b *testing.B) { answerAll(b, robots, time.Millisecond, callOverFRI) })
		b.Run(fmt.Sprintf("RSI_4ms_%d", robots), func(b *testing.B) { answerAll(b, robots, 4*time.Millisecond, callOverRSI) })
	}
}

// callers opens a device over a wire, and the robot that calls it.
type callers func(b *testing.B, env *device.Env, open link.Opener) (device.Device, answers.Robot)

func answerAll(b *testing.B, robots int, cycle time.Duration, open callers) {
	c := answers.Calls{Cycle: cycle, Thread: *answers.Thread(b)}
	var spent []*stopwatch
	var links []*link.Link
	var devices []device.Device
	for i := range robots {
		env := &device.Env{Name: fmt.Sprintf("robot%d", i), Clock: rt.NewReal(), Thread: answers.Thread(b)}
		watch := new(stopwatch)
		d, robot := open(b, env, func(o link.Options, driver link.Driver) (*link.Link, error) {
			o.Clock, o.Thread = env.Clock, env.Thread
			o.Listen = netip.MustParseAddrPort("127.0.0.1:0")
			watch.Driver = driver
			return link.Open(o, watch)
		})
		b.Cleanup(func() { _ = d.Close() })
		spent, links, devices = append(spent, watch), append(links, d.(link.Linked).Link()), append(devices, d)
		c.Calls = append(c.Calls, answers.Call{Robot: robot, To: links[i].Address()})
	}
	b.ResetTimer()
	f, err := c.Measure(b.N)
	if err != nil {
		b.Fatal(err)
	}
	var times []answers.Times
	var mean time.Duration
	for i, l := range links {
		s := l.Statistics()
		if s.Received > 10 && s.Answered < s.Received*9/10 {
			b.Logf("of %d telegrams %d were answered: %d repeated, %d outdated, %d not understood", s.Received, s.Answered, s.Repeated, s.Outdated, s.Garbage)
		}
		if is := devices[i].Status(); is.State != device.Operational && b.N > 1000 {
			b.Logf("at the end: %v, %s", is.State, is.Cause)
		}
		times = append(times, s.Answer)
		mean += spent[i].mean() / time.Duration(len(links))
	}
	f.Report(b, times, mean)
}

// stopwatch is a driver that looks now and then for how long its thread has been executed.
type stopwatch struct {
	link.Driver
	calls, first, last, number atomic.Int64
}

func (s *stopwatch) Answer(telegram, answer []byte, at link.Stamp) (int, link.Verdict) {
	if n := s.calls.Add(1); n%64 == 1 {
		now := rt.ThreadTime()
		if n == 1 {
			s.first.Store(now)
		}
		s.last.Store(now)
		s.number.Store(n)
	}
	return s.Driver.Answer(telegram, answer, at)
}

// mean returns the time of a CPU for each telegram.
func (s *stopwatch) mean() time.Duration {
	n := s.number.Load() - 1
	if n <= 0 {
		return 0
	}
	return time.Duration((s.last.Load() - s.first.Load()) / n)
}

func callOverFRI(b *testing.B, env *device.Env, open link.Opener) (device.Device, answers.Robot) {
	b.Helper()
	cfg := frisim.Usual()
	cfg.Cycle, cfg.AutoStart = time.Millisecond, true
	sim, err := frisim.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	return opened(b, kukafri.Over(open), env, map[string]string{"resume": "true"}), lwr{sim}
}

// lwr is a simulated controller of FRI, which needs no network.
type lwr struct{ *frisim.KRC }

func (l lwr) Telegram(into []byte) int {
	now := rt.Stopwatch()
	l.Step(now)
	n, _ := l.Next(now, into)
	return n
}

func (l lwr) Take(answer []byte) { l.Receive(answer, rt.Stopwatch()) }

func callOverRSI(b *testing.B, env *device.Env, open link.Opener) (device.Device, answers.Robot) {
	b.Helper()
	o := rsisim.Usual()
	o.Timeout = 20              // the program starts again when it has been waiting for long
	o.GoesOn, o.Pause = true, 1 // there is no time between its two steps
	sim, err := rsisim.New(o, nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := sim.Start(); err != nil {
		b.Fatal(err)
	}
	port := opened(b, typeNamed(b, "ethernet_udp_standard"), &device.Env{Name: "udp"}, map[string]string{"port": "49152"})
	env.Device = func(string) (device.Device, error) { return port, nil }
	kinds := kukarsi.Over(open, typeNamed(b, "kuka_kr_arm_sim"), typeNamed(b, "kuka_kr_extaxis"))
	return opened(b, kinds[0], env, map[string]string{"ethernet": "udp"}), &kr{Controller: sim}
}

// kr is a simulated controller of RSI, which needs no network.
type kr struct {
	*rsisim.Controller
	on bool
}

func (k *kr) Telegram(into []byte) int {
	if k.on {
		k.End() // of the cycle before
	}
	k.on = true
	for {
		if telegram := k.Begin(); telegram != nil {
			return copy(into, telegram)
		}
		k.End()
		if k.Phase() == rsisim.Halted {
			_ = k.Start() // which nothing keeps from it
		}
	}
}

func opened(b *testing.B, kind device.Type, env *device.Env, params map[string]string) device.Device {
	b.Helper()
	d, err := kind.Open(env, params)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func typeNamed(b *testing.B, name string) device.Type {
	b.Helper()
	for _, t := range builtIn().devices {
		if t.Name == name {
			return t
		}
	}
	b.Fatalf("no type %s", name)
	return device.Type{}
}
