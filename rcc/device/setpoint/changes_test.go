package setpoint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// relay is nets that follow each other on a joint: each is planned with exactly the limits, from where the one before was to end, and is
// stopped in the cycle in which its motion completes.
type relay struct {
	rnd    *rand.Rand
	rig    *rig
	limits profile.Limits
	o      setpoint.Options
	net    int64 // cycle of the nets
	bus    int64
	phase  int64 // of the bus
	jitter float64

	at, next  int64 // next tick of nets, time of the next cycle of the bus
	missed    int64 // by the net
	misses    bool  // nets miss ticks
	commanded int64 // newest tick in which a net has commanded the joint
	last, vel float64
	when      int64
	left      profile.State // by the newest net, for the next one
}

func newRelay(t testing.TB, seed uint64) *relay {
	rnd := rand.New(rand.NewPCG(seed, 32))
	cycles := []int64{ms / 2, ms, 2 * ms, 4 * ms, 12 * ms, 50 * ms}
	r := &relay{rnd: rnd, net: cycles[rnd.IntN(6)], bus: cycles[rnd.IntN(4)], at: zero, left: profile.State{Pos: rnd.Float64() - 0.5}}
	r.limits = profile.Limits{Vel: 0.5 + 2*rnd.Float64(), Acc: 1 + 30*rnd.Float64(), Jerk: math.Inf(1)}
	r.o = setpoint.Options{Cycle: time.Duration(r.bus), Ahead: time.Duration(rnd.Int64N(3) * ms)}
	if rnd.IntN(2) == 0 {
		r.phase, r.jitter = rnd.Int64N(r.bus), 0.3*rnd.Float64()
	}
	r.misses = rnd.IntN(3) == 0
	if rnd.IntN(3) == 0 { // a joint that need not be spared jerk, but has a limit of it
		r.limits.Jerk = r.limits.Acc / 0.05
	}
	j := kinematics.Joint{Name: "A1", Min: -2, Max: 2, Velocity: r.limits.Vel, Acceleration: r.limits.Acc, Jerk: r.limits.Jerk}
	axes, err := setpoint.New([]kinematics.Joint{j}, []float64{r.left.Pos}, r.o)
	if err != nil {
		t.Fatal(err)
	}
	r.rig = &rig{t: t, axes: axes, values: make([]float64, 1)}
	r.last, r.next, r.when = r.left.Pos, zero+r.phase, 0
	return r
}

// drive lets the bus run up to a time, and looks at its commands.
func (r *relay) drive(until int64) error {
	for ; r.next <= until; r.next += r.bus {
		got := r.rig.bus(r.next - int64(r.jitter*float64(r.bus)*r.rnd.Float64()))
		now := r.rig.axes.Now()
		if r.when != 0 {
			span := float64(now-r.when) * 1e-9
			v := (got - r.last) / span
			if change := math.Abs(v - r.vel); math.Abs(v) > r.limits.Vel*1.0101 || change > r.limits.Acc*4*span*1.0001+1e-6 {
				return fmt.Errorf("at %v ms: velocity from %v to %v in %v ms", float64(r.next-zero)/1e6, r.vel, v, span*1000)
			}
			r.vel = v
		}
		r.last, r.when = got, now
	}
	return nil
}

// tick executes the k-th cycle of a net.
func (r *relay) tick(k int64, pos float64) error {
	if r.misses && k > 0 && r.rnd.IntN(40) == 0 {
		lost := (1 + r.rnd.Int64N(3)) * r.net
		r.missed += lost
		r.at += lost
		if err := r.drive(r.at - 1); err != nil {
			return err
		}
	}
	r.rig.axes.Command(0, pos, device.Instant{Time: r.at, Missed: r.missed, Period: float64(r.net) * 1e-9, Cycle: uint64(k + 1)})
	if f := r.rig.axes.Fault(0); f != device.JointGood {
		return fmt.Errorf("in cycle %d at %v ms: %s", k+1, float64(r.at-zero)/1e6, r.rig.axes.Trouble())
	}
	r.commanded = r.at
	r.at += r.net
	return r.drive(r.at - 1)
}

// pass lets ticks pass without a command.
func (r *relay) pass(ticks int64) error {
	r.at += ticks * r.net
	return r.drive(r.at - 1)
}

// run executes a net to somewhere, which begins off by something from where the one before has left the joint, and leaves it at a
// share of its time, or at its end.
func (r *relay) run(to, off, leave float64) error {
	var p profile.Profile
	from := r.left
	from.Pos += off
	if s := p.Plan(from, profile.Goal{State: profile.State{Pos: to}}, r.limits); s != profile.Solved {
		return fmt.Errorf("no motion: %v", s)
	}
	r.missed = 0
	begin := int64(0) // whether the clock of the net begins at 0 or after a cycle
	if r.left.Vel == 0 && off == 0 {
		begin = r.rnd.Int64N(2)
	}
	for k := begin; ; k++ {
		passed := float64(k*r.net) * 1e-9
		if err := r.tick(k-begin, p.At(passed).Pos); err != nil {
			return err
		}
		switch next := passed + float64(r.net)*1e-9; {
		case passed > p.Duration(): // it is complete, and a rule stops it
			r.left = profile.State{Pos: to}
			return nil
		case next < p.Duration() && passed >= leave*p.Duration():
			r.left = p.At(next)
			return nil
		}
	}
}

// tolerance returns what a joint at rest makes up for in five cycles within its limits: as fast as it can, and at rest again.
func (r *relay) tolerance() float64 {
	cycle := float64(max(r.net, r.bus)) * 1e-9
	soon := max(min(5*cycle, 0.02), 2*cycle)
	return min(r.limits.Acc*soon*soon/4, r.limits.Jerk*soon*soon*soon/32)
}

// TestNetsFollowEachOther: whatever the cycles, the limits and the times between nets, a joint rests on the last set-point of a net, a net
// that begins there, or near it, or in flight, is never refused though it is planned with exactly the limits, and the joint never jumps.
// One that begins elsewhere is always refused.
func TestNetsFollowEachOther(t *testing.T) {
	for seed := range uint64(60) {
		checkRelay(t, seed)
	}
}

func FuzzRelay(f *testing.F) { f.Fuzz(checkRelay) }

func checkRelay(t *testing.T, seed uint64) {
	r := newRelay(t, seed)
	if err := r.tell(); err != nil {
		t.Errorf("relay %d: %v (%+v, net %v, bus %v, phase %v, jitter %.2f, %+v)", seed, err, r.o, time.Duration(r.net), time.Duration(r.bus), time.Duration(r.phase), r.jitter, r.limits)
	}
}

func (r *relay) tell() error {
	if err := r.pass(10); err != nil {
		return err
	}
	for range 6 {
		off, leave := 0.0, 1.0
		if r.left.Vel == 0 && r.rnd.IntN(2) == 0 {
			off = (2*r.rnd.Float64() - 1) * 0.9 * r.tolerance()
		}
		if r.rnd.IntN(3) == 0 {
			leave = r.rnd.Float64()
		}
		if err := r.run(3*r.rnd.Float64()-1.5, off, leave); err != nil {
			return err
		}
		if r.left.Vel != 0 {
			continue // in flight, by a rule
		}
		rest := 20 * max(1, r.bus/r.net)
		gap := [...]int64{0, 1, 2, 4, 5, 6, rest}[r.rnd.IntN(7)]
		if err := r.pass(gap); err != nil {
			return err
		}
		if at := r.rig.axes.Commanded(0); gap == rest && (math.Abs(at.Pos-r.left.Pos) > 1e-9 || at.Vel != 0) {
			return fmt.Errorf("it is at %v with %v, and the last set-point was %v", at.Pos, at.Vel, r.left.Pos)
		}
	}
	return r.strays()
}

// strays executes a net that begins elsewhere, at once, in flight or when the joint rests.
func (r *relay) strays() error {
	if r.left.Vel == 0 {
		if err := r.pass([...]int64{0, 2, 60}[r.rnd.IntN(3)]); err != nil {
			return err
		}
	}
	cycle, longer := float64(r.net)*1e-9, float64(max(r.net, r.bus))*1e-9
	passed := min(float64(r.at-r.commanded)*1e-9, 5*longer) // it may have moved since
	away := 1.1*r.tolerance() + r.limits.Acc*(6*cycle*longer+passed*passed) + 2*cycle*math.Abs(r.left.Vel)
	if away > 1 {
		return nil // nowhere is farther
	}
	err := r.run(0, math.Copysign(away*(1+r.rnd.Float64()), -r.left.Pos), 1)
	if err == nil || !strings.Contains(err.Error(), "a net began where the joint was not") || !strings.Contains(err.Error(), "in cycle 1 ") {
		return fmt.Errorf("a net that begins %v away, with a velocity of %v, is not refused: %w", away, r.left.Vel, err)
	}
	return nil
}

// TestRestsOnTheLastSetPoint stops a net in the cycle in which its motion completes, where the bus asks for the instants of the net: the
// joint does not coast past the last set-point, whatever of the last cycle the motion took.
func TestRestsOnTheLastSetPoint(t *testing.T) {
	for part := range 20 {
		r := newRig(t, 1, setpoint.Options{Cycle: 2 * time.Millisecond})
		goal := 0.3 + 1e-4*float64(part)
		p := profileTo(t, goal, math.Inf(1))
		k := int64(0)
		for ; ; k++ {
			r.command(0, p.At(float64(k)*0.002).Pos, zero+2*k*ms, 2*time.Millisecond)
			r.bus(zero + 2*k*ms)
			if float64(k)*0.002 > p.Duration() {
				break
			}
		}
		for i := range int64(50) {
			k++
			if got := r.bus(zero + 2*k*ms); got != goal {
				t.Errorf("%d cycles after a net that ended at %v it is at %v", i+1, goal, got)
				break
			}
		}
	}
}

// TestOneSetPoint: a net that is stopped after its first cycle leads a joint to its set-point and no farther, whenever the bus comes.
func TestOneSetPoint(t *testing.T) {
	for phase := range int64(12) {
		r := newRig(t, 1, setpoint.Options{Cycle: 4 * time.Millisecond})
		for k := range int64(60) {
			at := zero + 4*k*ms
			if k == 20 {
				r.command(0, 0.0004, at-4*ms+(phase+1)*ms/4, 12*time.Millisecond)
			}
			if got := r.bus(at); got < 0 || got > 0.001 || k > 50 && got != 0.0004 {
				t.Fatalf("phase %d, cycle %d: %v", phase, k, got)
			}
		}
	}
}
