package kukafri_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/internal/testkit/krc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// hostile is a driver, and nets that use it, in a scenario of package krc.
type hostile struct {
	t       testing.TB
	params  params
	net     *link.Virtual
	robot   *kukafri.Robot
	cycle   time.Duration // of nets
	speed   float64       // of joints, as a share of their limits
	next    int64         // tick of nets
	ticks   uint64
	from    [krc.FRIJoints]float64
	n       int // set-points of this net
	resting int // ticks in which the net waits before it begins
	led     int // set-points that were taken
}

var at = netip.MustParseAddrPort("0.0.0.0:49938")

func newHostile(t testing.TB, s *krc.Scenario, p params) *hostile {
	t.Helper()
	h := &hostile{
		t: t, net: link.NewVirtual(time.Unix(0, krc.Start)), cycle: 2 * time.Millisecond, next: krc.Start, speed: 0.25,
		params: params{"ip": krc.Home().String(), "cycle": max(s.Believes, time.Millisecond).String(), "program": "numbers"},
	}
	for name, v := range p {
		h.params[name] = v
	}
	kind, err := krl.KindOf(h.params["program"])
	if err != nil {
		t.Fatal(err)
	}
	s.FRI.Program = programs[kind]()
	h.open()
	return h
}

func (h *hostile) open() {
	h.t.Helper()
	kind := kukafri.Over(h.net.Open)
	if wrong := kind.Check(h.params); len(wrong) > 0 {
		h.t.Fatal(wrong)
	}
	d, err := kind.Open(&device.Env{Name: "lwr", Stop: device.NewStop(false)}, h.params)
	if err != nil {
		h.t.Fatal(err)
	}
	h.robot, h.n, h.resting = d.(*kukafri.Robot), 0, 0
}

func (h *hostile) driver() krc.Driver {
	return krc.Driver{
		Answer: func(from netip.AddrPort, telegram []byte, arrived, taken int64) []byte {
			return h.net.SendQueued(from, at, telegram, arrived)
		},
		Tick: h.tick,
		Kill: func(int64) {
			_ = h.robot.Close()
			h.open()
		},
	}
}

// tick lets time go on for the driver and for nets.
func (h *hostile) tick(now int64) {
	h.net.Advance(time.Duration(now - h.net.Now()))
	if now < h.next {
		return
	}
	h.next = now - (now-krc.Start)%int64(h.cycle) + int64(h.cycle)
	h.ticks++
	h.move(device.Instant{Time: now, Period: h.cycle.Seconds(), Cycle: h.ticks})
}

// move is a tick of nets: each joint swings about where it was, in 1.5 s. A net whose joint has a fault ends, and another one begins.
func (h *hostile) move(now device.Instant) {
	for j := range h.from {
		if h.robot.Joint(j).Fault != device.JointGood {
			h.n, h.resting = 0, 50
			return
		}
	}
	if h.resting > 0 {
		h.resting--
		return
	}
	for j := range h.from {
		is := h.robot.Joint(j)
		if h.n == 0 {
			h.from[j] = is.Commanded.Pos
		}
		const rhythm = 2 * math.Pi / 1.5
		s, way := float64(h.n)*now.Period, h.speed*1.7/rhythm
		ramp := min(s/0.5, 1)
		ramp *= ramp * (3 - 2*ramp)
		if h.from[j] > 0 {
			way = -way
		}
		h.robot.CommandPosition(j, h.from[j]+ramp*way*(1-math.Cos(rhythm*s))/2, now)
	}
	h.n++
	h.led++
}

// programs are KRL programs that know the hand-shakes, as docs/guide-kuka.md has them. The operator acknowledges a fall.
var programs = map[krl.Kind]func() func(in *krc.KRL, command bool, quality int) (out krc.KRL, start, stop bool){
	krl.Numbers: func() func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		edge := true
		return watched(func(in, out *krc.KRL, command, ready bool) (start, stop bool) {
			switch {
			case in.Ints[1] == 0:
				edge, stop = true, command
			case ready && !command && edge:
				edge, start = false, true
			}
			out.Ints[1] = flag(command && !stop, 1, 0)
			return start, stop
		})
	},
	krl.Codes: func() func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		edge := true
		return watched(func(in, out *krc.KRL, command, ready bool) (start, stop bool) {
			switch {
			case in.Ints[15] == 20:
				edge, stop = true, command
			case in.Ints[15] == 10 && ready && !command && edge:
				edge, start = false, true
			}
			out.Ints[15] = flag(command && !stop, 20, 10)
			return start, stop
		})
	},
	krl.Request: func() func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		busy := int32(0)
		return watched(func(in, out *krc.KRL, command, ready bool) (start, stop bool) {
			wants := in.Bools&1 != 0
			switch {
			case busy == 0 && wants:
				busy = in.Ints[0]
			case busy == 1 && command, busy == 2 && !command:
				if !wants {
					busy = 0
				}
			}
			start, stop = busy == 1 && ready && !command, busy == 2 && command
			out.Bools = uint16(flag(busy != 0, 1, 0))
			return start, stop
		})
	},
	krl.Commands: func() func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		acknowledged := false
		return watched(func(in, out *krc.KRL, command, ready bool) (start, stop bool) {
			valid, order := in.Bools&1 != 0, in.Ints[15]
			switch {
			case !valid:
				acknowledged = false
			case !acknowledged:
				start, stop = order == 1 && ready && !command, order == 2 && command
				acknowledged = order == 1 && command || order == 2 && !command || order == 30
			}
			out.Ints[14], out.Ints[15] = order, 100
			out.Bools = uint16(flag(acknowledged, 1, 0))
			return start, stop
		})
	},
	krl.Values: func() func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		listens, next, strategy := false, int32(1), int32(0)
		return watched(func(in, out *krc.KRL, command, ready bool) (start, stop bool) {
			asks := in.Bools>>15 != 0
			switch {
			case asks && !listens:
				listens, next = true, 1
			case asks && in.Ints[15] == next && next <= 17:
				if next == 1 {
					strategy = in.Ints[14]
				}
				out.Ints[15] = next
				next++
			case !asks && listens && next == 18:
				start, stop = strategy > 0 && ready && !command, strategy == 0 && command
				if command == (strategy > 0) {
					listens = false
				}
			case !asks:
				listens = false
			}
			out.Bools = uint16(flag(listens, 1<<15, 0))
			return start, stop
		})
	},
}

func flag(is bool, yes, no int32) int32 {
	if is {
		return yes
	}
	return no
}

// watched is a program whose operator acknowledges a fall after 100 cycles.
func watched(step func(in, out *krc.KRL, command, ready bool) (start, stop bool)) func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
	var out krc.KRL
	before, asked, fallen := false, false, 0
	return func(in *krc.KRL, command bool, quality int) (krc.KRL, bool, bool) {
		if before && !command && !asked {
			fallen = 100
		}
		fallen = max(0, fallen-1)
		start, stop := step(in, &out, command, quality == krc.Perfect && fallen == 0)
		before, asked = command, stop
		return out, start, stop
	}
}

// TestHostile drives random controllers through random networks: whatever comes, no answer asks for more than a joint can do in a
// cycle.
func TestHostile(t *testing.T) {
	seed, steps := uint64(setting(t, "RCCD_SEED", 1)), setting(t, "RCCD_STEPS", 100_000)
	travel, falls, starts := 0.0, uint64(0), uint64(0)
	for left := steps; left > 0; seed++ {
		s := krc.Random(krc.ProtocolFRI, seed)
		random := rand.New(rand.NewPCG(seed, 20))
		if random.IntN(4) == 0 {
			s.Cycles *= 4
		}
		left -= s.Cycles
		h := newHostile(t, &s, params{
			"program": krl.Names[random.IntN(len(krl.Names))], "resume": fmt.Sprint(random.IntN(4) != 0), "switch_timeout": "2s",
			"loss_limit": strconv.Itoa([]int{3, 10, 50, 100}[random.IntN(4)]),
		})
		h.cycle = []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond}[random.IntN(3)]
		h.speed = []float64{0.1, 0.3, 0.6, 0.9}[random.IntN(4)]
		r := krc.Run(t, s, h.driver())
		_ = h.robot.Close()
		if t.Failed() {
			t.Fatalf("%v, speed %v, cycle of nets %v; %+v", h.params, h.speed, h.cycle, h.robot.Status())
		}
		f := r.FRI.Figures()
		travel, falls, starts = travel+f.Travel, falls+f.Falls, starts+f.Starts
		if f.Beyond != 0 || f.Flags != 0 {
			t.Fatalf("seed %d: %+v", seed, f)
		}
	}
	t.Logf("up to seed %d: %.0f rad, %d starts, %d falls", seed, travel, starts, falls)
	if travel < float64(steps)/2000 {
		t.Errorf("all robots together moved by %v rad", travel)
	}
}

func setting(t testing.TB, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}
