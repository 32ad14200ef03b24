package kukarsi_test

import (
	"maps"
	"math"
	"net/netip"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi"
	"github.com/softrobot-rcc/rccd/internal/testkit/krc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// TestNothingJumps is the invariant: random controllers, networks and events against the driver, while a net swings two joints. It is
// 10^5 cycles, or RCCD_STEPS, from the seed RCCD_SEED on.
func TestNothingJumps(t *testing.T) {
	moved, scenarios := 0.0, 0
	krc.Sweep(t, krc.ProtocolRSI, func(t testing.TB, s *krc.Scenario) krc.Driver {
		l := newLed(t, s, nil)
		l.moved = &moved
		scenarios++
		return l.driver()
	})
	if mean := moved / float64(scenarios); !t.Failed() && mean < 0.3 {
		t.Errorf("in %d scenarios the second joint was led by %v rad on average: the driver is silent where it need not be", scenarios, mean)
	}
	t.Logf("%d scenarios, %v rad on average", scenarios, moved/float64(scenarios))
}

// TestKept are scenarios that have made a driver jump that trusted silences too much, that let the controller turn round between two
// answers of which it knew too little, that took a telegram of an earlier session for one of the future,
// and a simulator for gone that had waited for answers.
func TestKept(t *testing.T) {
	for _, seed := range []uint64{700_848, 701_060, 701_175, 500_000_438, 500_002_684, 1_000_001_636} {
		s := krc.Random(krc.ProtocolRSI, seed)
		krc.Run(t, s, newLed(t, &s, nil).driver())
	}
}

// TestNothingJumpsWaiting is the same for simulators only that count exchanges and wait a second for each answer, with more replaced
// drivers: a fifth as many cycles.
func TestNothingJumpsWaiting(t *testing.T) {
	seed, left := krc.Sweeps(t)
	moved, scenarios := 0.0, 0
	for left /= 5; left > 0; seed++ {
		s := krc.Random(krc.ProtocolRSI, seed)
		o := &s.RSI
		o.Exchange, o.Resend, o.FromZero, o.Delay = time.Second, seed%2 == 0, seed%3 == 0, krc.DelayTotal
		if o.GoesOn = seed%5 == 0; seed%7 < 3 {
			o.Delay, o.GoesOn = krc.DelayInRow, false
		}
		for i := range s.Events {
			if e := &s.Events[i]; e.What == krc.Junk || e.What == krc.Stranger || e.What == krc.Freeze {
				e.What, e.For = krc.Kill, time.Duration(e.N)*20*time.Millisecond
			}
		}
		left -= s.Cycles
		l := newLed(t, &s, nil)
		l.moved = &moved
		scenarios++
		if krc.Run(t, s, l.driver()); t.Failed() {
			return
		}
	}
	if mean := moved / float64(scenarios); mean < 0.3 {
		t.Errorf("in %d scenarios the second joint was led by %v rad on average", scenarios, mean)
	}
	t.Logf("%d scenarios, %v rad on average", scenarios, moved/float64(scenarios))
}

// hung is after what time without a tick the driver has not taken what has come.
const hung = int64(30 * time.Millisecond)

// led is the driver with a net that moves two joints, for a scenario.
type led struct {
	*cell
	params params
	to     netip.AddrPort
	tick   int64 // of the net
	ticked int64 // of the driver
	nets   [2]*swing
	quiet  int
	moved  *float64 // way of the second joint, rad
	last   float64
}

func newLed(t testing.TB, s *krc.Scenario, more params) *led {
	t.Helper()
	o := &s.RSI
	l := &led{cell: newCell(t), moved: new(float64), to: netip.MustParseAddrPort("192.168.10.1:49152")}
	l.net = link.NewVirtual(time.Unix(0, krc.Start).Add(-10 * time.Second))
	l.period = 4 * time.Millisecond
	l.params = params{"ethernet": "udp", "cycle": o.Cycle.String()}
	if s.Seed%5 == 0 {
		l.params["cycle"] = "4ms"
	}
	if o.Relative {
		l.params["mode"] = "relative"
	}
	maps.Copy(l.params, more)
	l.open()
	l.net.Advance(10 * time.Second)
	l.tick = krc.Start
	return l
}

// open creates the arm.
func (l *led) open() {
	d, err := l.create("arm", "kuka_kr_arm_rsi", l.params)
	if err != nil {
		l.t.Fatal(err)
	}
	l.arm = d.(*kukarsi.Arm)
	l.nets, l.quiet = [2]*swing{}, 0
}

func (l *led) driver() krc.Driver {
	return krc.Driver{
		Answer: func(from netip.AddrPort, telegram []byte, arrived, _ int64) []byte {
			l.net.Advance(time.Duration(arrived - l.net.Now()))
			return l.net.SendQueued(from, l.to, telegram, arrived)
		},
		Tick: func(now int64) {
			if now-l.ticked < hung { // or telegrams wait that came before
				l.net.Advance(time.Duration(now - l.net.Now()))
			}
			l.ticked = now
			for ; l.tick+int64(l.period) <= now; l.tick += int64(l.period) {
				l.command()
			}
		},
		Kill: func(int64) {
			if err := l.arm.Close(); err != nil {
				l.t.Fatal(err)
			}
			l.open()
		},
	}
}

// command is a cycle of the net. It begins again some time after a joint was refused.
func (l *led) command() {
	l.cycles++
	if at := l.arm.Joint(1).Commanded.Pos; l.arm.Joint(1).Fault == device.JointGood {
		*l.moved += min(math.Abs(at-l.last), 0.02)
		l.last = at
	}
	if l.quiet > 0 {
		l.quiet--
		return
	}
	for i, joint := range []int{1, 4} {
		if l.nets[i] == nil {
			if l.arm.Joint(joint).Fault != device.JointGood {
				return
			}
			l.nets[i] = l.swing(joint, 0.5, 2)
		}
		s := l.nets[i]
		t := float64(s.k) * l.period.Seconds() * s.rate
		l.arm.CommandPosition(joint, s.from+s.amp*(1-math.Exp(-t*t/4))*(1-math.Cos(t))/2, device.Instant{
			Time: l.tick + int64(l.period), Period: l.period.Seconds(), Cycle: l.cycles,
		})
		s.k++
	}
	if l.arm.Joint(1).Fault != device.JointGood || l.arm.Joint(4).Fault != device.JointGood {
		l.nets, l.quiet = [2]*swing{}, 50
	}
}
