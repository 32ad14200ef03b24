package kukafri_test

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
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
	missed  int64 // ns of ticks
	from    [krc.FRIJoints]float64
	n       int // set-points of this net
	resting int // ticks in which the net waits before it begins
	people  int // in one of this many ticks the robot is armed, disarmed, or the emergency stop of the cell is pressed; 0: never
	random  *rand.Rand
	button  *device.Button
	ended   int // nets that have moved joints and heard of a fault
}

var at = netip.MustParseAddrPort("0.0.0.0:49938")

func newHostile(t testing.TB, s *krc.Scenario, p params) *hostile {
	t.Helper()
	h := &hostile{
		t: t, net: link.NewVirtual(time.Unix(0, krc.Start)), cycle: 2 * time.Millisecond, next: krc.Start, speed: 0.25,
		random: rand.New(rand.NewPCG(s.Seed, 21)),
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
	stop := device.NewStop(false)
	h.button = stop.Button()
	d, err := kind.Open(&device.Env{Name: "lwr", Stop: stop}, h.params)
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
	h.missed += (now - h.next) / int64(h.cycle) * int64(h.cycle)
	h.next = now - (now-krc.Start)%int64(h.cycle) + int64(h.cycle)
	h.ticks++
	if h.people > 0 && h.random.IntN(h.people) == 0 {
		h.meddle()
	}
	h.move(device.Instant{Time: h.next - int64(h.cycle), Period: h.cycle.Seconds(), Cycle: h.ticks, Missed: h.missed})
}

// meddle is what people do.
func (h *hostile) meddle() {
	switch h.random.IntN(4) {
	case 0:
		tell(h.t, h.robot, "false")
	case 1:
		h.button.Press(true)
	default:
		h.button.Press(false)
		tell(h.t, h.robot, "true")
	}
}

// move is a tick of nets: each joint swings about where it was, in 1.5 s. A net whose joint has a fault ends, and another one begins.
func (h *hostile) move(now device.Instant) {
	for j := range h.from {
		if h.robot.Joint(j).Fault != device.JointGood {
			if h.n > 0 {
				h.ended++
			}
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

// watched returns a program whose operator acknowledges a fall after 100 cycles.
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
	travel, led, falls, starts := 0.0, uint64(0), uint64(0), uint64(0)
	for left := steps; left > 0; seed++ {
		s := krc.Random(krc.ProtocolFRI, seed)
		random := rand.New(rand.NewPCG(seed, 20))
		if random.IntN(4) == 0 {
			s.Cycles *= 4
		}
		left -= s.Cycles
		h := newHostile(t, &s, params{
			"program": krl.Names[random.IntN(len(krl.Names))], "resume": strconv.FormatBool(random.IntN(4) != 0), "switch_timeout": "2s",
			"loss_limit": strconv.Itoa([]int{3, 10, 50, 100}[random.IntN(4)]),
		})
		if random.IntN(5) == 0 {
			off, lasts := uint64(300+random.IntN(s.Cycles)), uint64(1+random.IntN(300))
			s.FRI.Power = func(cycle uint64) bool { return cycle-off >= lasts }
		}
		h.people = []int{0, 0, 0, 0, 0, 2000, 500}[random.IntN(7)]
		h.cycle = []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond}[random.IntN(3)]
		h.speed = []float64{0.1, 0.3, 0.6, 0.9}[random.IntN(4)]
		r := krc.Run(t, s, h.driver())
		_ = h.robot.Close()
		if t.Failed() {
			t.Fatalf("%v, speed %v, cycle of nets %v; %+v", h.params, h.speed, h.cycle, h.robot.Status())
		}
		f := r.FRI.Figures()
		travel, led, falls, starts = travel+f.Travel, led+f.Commanded, falls+f.Falls, starts+f.Starts
		if n := r.FRI.Judge().Brakes(); f.Beyond != 0 || f.Flags != 0 || n != 0 {
			t.Fatalf("seed %d: %d answers stop joints harder than they can; %+v", seed, n, f)
		}
	}
	t.Logf("up to seed %d: %d of %d cycles in command mode, %.0f rad, %d starts, %d falls", seed, led, steps, travel, starts, falls)
	if travel < float64(steps)/10_000 || led < uint64(steps)/10 {
		t.Errorf("all robots together moved by %v rad, in %d cycles", travel, led)
	}
}

// TestEvents: single things that happen during a motion at 0.5 rad/s. Whether control goes on depends on how many missing answers the
// controller bridges; the invariant does not.
func TestEvents(t *testing.T) {
	const when = 700 // cycle, of 2 ms
	patient := krc.FRIOptions{Bridge: 100, Lenient: true}
	for _, tt := range []struct {
		name   string
		o      krc.FRIOptions
		event  krc.Event
		goesOn bool // the net goes on, as if nothing had happened
		state  device.State
		says   string // the device at the end
	}{
		{"five telegrams lost", krc.FRIOptions{Bridge: 5}, krc.Event{What: krc.Lose, N: 5}, true, device.Operational, ""},
		{"five telegrams lost, three are bridged", krc.FRIOptions{}, krc.Event{What: krc.Lose, N: 5}, false, device.SafeOperational, "the controller left command mode: answers were late or missing; arm the robot"},
		{"five answers lost", krc.FRIOptions{Bridge: 5}, krc.Event{What: krc.Lose, Way: krc.In, N: 5}, true, device.Operational, ""},
		{"two telegrams lost, joints held", krc.FRIOptions{Holds: true}, krc.Event{What: krc.Lose, N: 2}, true, device.Operational, ""},
		{"one telegram 300 ms old", krc.FRIOptions{}, krc.Event{What: krc.Replay, Ago: 150, N: 1}, true, device.Operational, ""},
		{"a copy of the newest telegram", krc.FRIOptions{}, krc.Event{What: krc.Replay, Ago: 1, N: 1}, true, device.Operational, ""},
		{"telegrams 8 to 16 ms old, in order", krc.FRIOptions{}, krc.Event{What: krc.Replay, Ago: 8, N: 5}, true, device.Operational, ""},
		{"telegrams 1 s old, in a burst", krc.FRIOptions{}, krc.Event{What: krc.Replay, Ago: 500, N: 200}, true, device.Operational, ""},
		{"telegrams held up for 60 ms", patient, krc.Event{What: krc.HoldUp, For: 60 * time.Millisecond}, true, device.Operational, ""},
		{"telegrams held up for 60 ms, three are bridged", krc.FRIOptions{}, krc.Event{What: krc.HoldUp, For: 60 * time.Millisecond}, false, device.SafeOperational, "left command mode: answers were late or missing"},
		{"answers held up for 60 ms", patient, krc.Event{What: krc.HoldUp, Way: krc.In, For: 60 * time.Millisecond}, true, device.Operational, ""},
		{"telegrams held up for 150 ms", patient, krc.Event{What: krc.HoldUp, For: 150 * time.Millisecond}, false, device.SafeOperational, "the session ended in command mode; arm the robot"},
		{"the driver hangs for 7 ms", krc.FRIOptions{Bridge: 5}, krc.Event{What: krc.Hang, For: 7 * time.Millisecond}, true, device.Operational, ""},
		{"the driver hangs for 60 ms", patient, krc.Event{What: krc.Hang, For: 60 * time.Millisecond}, true, device.Operational, ""},
		{"the driver is killed and started again", patient, krc.Event{What: krc.Kill, For: 10 * time.Millisecond}, false, device.SafeOperational, "the controller left command mode: answers were late or missing; arm the robot"},
		{"the driver is killed and started again, joints held", krc.FRIOptions{Bridge: 100, Lenient: true, Holds: true}, krc.Event{What: krc.Kill, For: 10 * time.Millisecond}, true, device.Operational, ""},
		{"another caller", krc.FRIOptions{}, krc.Event{What: krc.Stranger, N: 50}, true, device.Operational, ""},
		{"junk", krc.FRIOptions{}, krc.Event{What: krc.Junk, N: 100}, true, device.Operational, ""},
		{"counters begin again", krc.FRIOptions{}, krc.Event{What: krc.Restart, N: 3}, false, device.SafeOperational, "the session ended in command mode; arm the robot"},
		{"another port of the controller", krc.FRIOptions{}, krc.Event{What: krc.RestartAt, N: 3}, false, device.SafeOperational, "the session ended in command mode; arm the robot"},
		{"the controller says nothing for 20 cycles", patient, krc.Event{What: krc.Freeze, N: 20}, true, device.Operational, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.event.Cycle = when
			s := krc.Scenario{Seed: 1, Protocol: krc.ProtocolFRI, FRI: tt.o, Cycles: 1600, Believes: 2 * time.Millisecond, Events: []krc.Event{tt.event}}
			h := newHostile(t, &s, nil)
			h.speed = 0.65
			d := h.driver()
			speed, last, back := 0.0, math.NaN(), 0
			answer := d.Answer
			d.Answer = func(from netip.AddrPort, telegram []byte, arrived, taken int64) []byte {
				b := answer(from, telegram, arrived, taken)
				var a wire.Answer
				if a.Decode(b) == wire.Good {
					is := float64(a.Joint[0])
					if cycle := (taken - krc.Start) / 2e6; cycle > when && cycle < when+100 && (is-last)*speed < -1e-6 {
						back++
					}
					last = is
				}
				return b
			}
			d.Tick = func(now int64) {
				h.tick(now)
				if cycle := (now - krc.Start) / 2e6; cycle == when-1 {
					speed = h.robot.Joint(0).Commanded.Vel
				}
			}
			r := krc.Run(t, s, d)
			defer func() { _ = h.robot.Close() }()
			if math.Abs(speed) < 0.4 {
				t.Fatalf("the joint moves at %v rad/s", speed)
			}
			f, is := r.FRI.Figures(), h.robot.Status()
			if goesOn := h.ended == 0 && f.Falls == 0; goesOn != tt.goesOn || is.State != tt.state || !strings.Contains(is.Cause, tt.says) || tt.says == "" && is.Cause != "" {
				t.Errorf("it goes on: %t, %d nets have ended; %v, %q; %+v; %+v", goesOn, h.ended, is.State, is.Cause, f, h.robot.Link().Sessions())
			}
			// A daemon that stands still makes its nets late: the controller has gone on farther than they command.
			if own := tt.event.What == krc.Hang || tt.event.What == krc.Kill; tt.goesOn && !own && back > 0 {
				t.Errorf("the joint goes back in %d cycles", back)
			}
			if n := r.FRI.Judge().Brakes(); n != 0 {
				t.Errorf("%d answers stop joints harder than they can", n)
			}
		})
	}
}

// TestLeadsAgain: with every hand-shake command mode begins, and where that is wanted also after it was lost.
func TestLeadsAgain(t *testing.T) {
	for _, program := range krl.Names {
		for _, event := range []krc.Event{{What: krc.Lose, N: 10}, {What: krc.Restart, N: 3}, {What: krc.Restart, N: 300}, {What: krc.Kill, For: 200 * time.Millisecond}} {
			event.Cycle = 1000
			s := krc.Scenario{Seed: 1, Protocol: krc.ProtocolFRI, Cycles: 3500, Believes: 2 * time.Millisecond, Events: []krc.Event{event}}
			h := newHostile(t, &s, params{"program": program, "resume": "true"})
			r := krc.Run(t, s, h.driver())
			if is, f := h.robot.Status(), r.FRI.Figures(); is.State != device.Operational || f.Starts != 2 || f.Travel < 4 || h.n < 200 {
				t.Errorf("%s, %v: %+v, %+v, the net is at %d", program, event, is, f, h.n)
			}
			_ = h.robot.Close()
		}
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
