package setpoint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// story is a net and a bus whose clocks have nothing to do with each other.
type story struct {
	rnd    *rand.Rand
	o      setpoint.Options
	rig    *rig
	jerk   float64
	net    int64   // cycle of the net
	bus    float64 // cycle of the bus, ns: it drifts
	jitter float64 // of the bus, share of its cycle
	gaps   float64 // how often the net is silent for some cycles
	jumps  float64 // how often it jumps
	away   bool    // it has jumped, or is silent
	silent int
	moves  profile.Profile
	began  int64
}

func newStory(t testing.TB, seed uint64) *story {
	rnd := rand.New(rand.NewPCG(seed, 99))
	cycles := []int64{ms / 2, ms, 2 * ms, 4 * ms}
	s := &story{rnd: rnd, net: cycles[rnd.IntN(4)], jitter: 0.4 * rnd.Float64() * float64(rnd.IntN(2))}
	s.bus = float64(cycles[rnd.IntN(4)]) * (1 + 0.01*(rnd.Float64()-0.5))
	s.jerk = [...]float64{0, 100, 1000}[rnd.IntN(3)]
	if rnd.IntN(2) == 0 {
		s.gaps = 0.003
	}
	if rnd.IntN(2) == 0 {
		s.jumps = 0.002
	}
	s.o = setpoint.Options{
		Cycle: time.Duration(s.bus), Lapse: 2 + rnd.IntN(9), Slack: 2 + 4*rnd.Float64(), Smooth: [...]int{1, 10, 50}[rnd.IntN(3)],
		Ahead: time.Duration(rnd.Int64N(8*ms) - 2*ms),
	}
	s.rig = newRig(t, 1, s.o, func(j *kinematics.Joint) { j.Jerk = s.jerk })
	return s
}

// plan makes the next motion of the net, from where the joint is commanded.
func (s *story) plan(now int64, to float64) {
	limits := profile.Limits{Vel: 1, Acc: 10, Jerk: s.jerk}
	if s.jerk == 0 {
		limits.Jerk = math.Inf(1)
	}
	from := profile.State{Pos: s.rig.axes.Commanded(0).Pos}
	if !s.away {
		from = s.moves.At(1e9)
		from.Vel, from.Acc = 0, 0
	}
	if s.moves.Plan(from, profile.Goal{State: profile.State{Pos: to}}, limits) != profile.Solved {
		panic("no motion")
	}
	s.began, s.away = now, false
}

// command is a cycle of the net.
func (s *story) command(at int64, last bool) {
	if s.silent > 0 {
		s.silent--
		return
	}
	passed := float64(at-s.began) * 1e-9
	rests := s.rig.axes.Commanded(0).Vel == 0 && s.rig.axes.Fault(0) == device.JointGood
	if s.away && !rests {
		return // it waits until it may begin again
	}
	if s.away || passed > s.moves.Duration()+0.05 && !last {
		s.plan(at, 3*s.rnd.Float64()-1.5)
		passed = 0
	}
	pos := s.moves.At(passed).Pos
	switch p := s.rnd.Float64(); {
	case last:
	case p < s.jumps:
		pos += s.rnd.NormFloat64()
		s.away = true
	case p < s.jumps+s.gaps:
		s.silent = s.rnd.IntN(3 * s.o.Lapse)
		s.away = s.silent > 0
	}
	s.rig.command(0, pos, at, time.Duration(s.net))
}

// TestStories: whatever nets do and however clocks run, values are continuous, within limits, and come to rest where the net
// has, or where it has left the joint.
func TestStories(t *testing.T) {
	for seed := range uint64(120) {
		checkStory(t, seed)
	}
}

func FuzzStories(f *testing.F) { f.Fuzz(checkStory) }

func checkStory(t *testing.T, seed uint64) {
	s := newStory(t, seed)
	if err := s.tell(); err != nil {
		t.Errorf("story %d: %v (%+v, net %d ns, bus %.0f ns, jitter %.2f, jerk %v)", seed, err, s.o, s.net, s.bus, s.jitter, s.jerk)
	}
}

func (s *story) tell() error {
	const told = 6000 * ms
	s.away = true
	last, vel, when := 0.0, 0.0, int64(0)
	net := zero
	for x := 0; ; x++ {
		at := zero + int64(float64(x)*s.bus+s.jitter*s.bus*s.rnd.Float64())
		if at > zero+told+1000*ms {
			break
		}
		for ; x > 0 && net <= at; net += s.net {
			s.command(net, net > zero+told-2500*ms)
		}
		got, now := s.rig.bus(at), s.rig.axes.Now()
		span := float64(now-when) * 1e-9
		if x > 0 {
			v := (got - last) / span
			if math.Abs(v) > 1.0101 || math.Abs(v-vel) > 10*s.o.Slack*span*1.0001+1e-6 {
				return fmt.Errorf("at %v ms: velocity from %v to %v in %v ms; %s", (at-zero)/ms, vel, v, span*1000, s.rig.axes.Trouble())
			}
			vel = v
		}
		if got < -2.3 || got > 2.3 {
			return fmt.Errorf("%v is far beyond the limit", got)
		}
		last, when = got, now
	}
	switch {
	case vel != 0:
		return fmt.Errorf("does not rest, but moves with %v", vel)
	case !s.away && s.rig.axes.Fault(0) == device.JointGood && math.Abs(last-s.moves.At(1e9).Pos) > 1e-9:
		return fmt.Errorf("%v is not where the net has led it, %v", last, s.moves.At(1e9).Pos)
	}
	return nil
}

// TestValuesHammer: nets and bus in threads of their own, as fast as they can. Values of the bus are continuous, and both joints
// of the net are always at the same place.
func TestValuesHammer(t *testing.T) {
	r := newRig(t, 2, setpoint.Options{Cycle: time.Millisecond, Slack: 10, Lapse: 10})
	p := profileTo(t, 1.5, 100)
	const cycles = 20_000
	at := make(chan int64, 1) // of the clock, which the bus moves
	var threads sync.WaitGroup
	threads.Go(func() {
		for now := range at {
			pos := p.At(float64(now-zero) * 1e-10).Pos // ten times slower than it could be
			r.command(0, pos, now, time.Millisecond)
			r.command(1, pos, now, time.Millisecond)
		}
	})
	threads.Go(func() {
		defer close(at)
		last := 0.0
		for k := range int64(cycles) {
			now := zero + k*ms
			select {
			case at <- now:
			default: // the net is late
			}
			got := r.bus(now)
			if away := math.Abs(got - last); away > 1.02e-3 || math.Abs(r.values[0]-r.values[1]) > 1e-3 {
				t.Errorf("cycle %d: from %v to %v", k, last, r.values)
				return
			}
			last = got
			if c := r.axes.Commanded(1); math.Abs(c.Pos-got) > 1e-3 {
				t.Errorf("cycle %d: told is %v", k, c)
			}
		}
	})
	threads.Wait()
}
