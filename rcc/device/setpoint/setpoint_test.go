package setpoint_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

const (
	zero = int64(1_700_000_000_000_000_000)
	ms   = int64(time.Millisecond)
)

// joint has limits that are easy to reckon with.
var joint = kinematics.Joint{Name: "A1", Min: -2, Max: 2, Velocity: 1, Acceleration: 10}

// rig is an actuator of equal joints, with a net and a bus whose cycles the test makes.
type rig struct {
	t      testing.TB
	axes   *setpoint.Axes
	values []float64
	cycle  uint64
}

func newRig(t testing.TB, n int, o setpoint.Options, change ...func(*kinematics.Joint)) *rig {
	t.Helper()
	joints := make([]kinematics.Joint, n)
	for i := range joints {
		joints[i] = joint
		for _, f := range change {
			f(&joints[i])
		}
	}
	axes, err := setpoint.New(joints, make([]float64, n), o)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, axes: axes, values: make([]float64, n)}
}

func (r *rig) command(j int, pos float64, at int64, period time.Duration) {
	r.cycle++
	r.axes.Command(j, pos, device.Instant{Time: at, Period: period.Seconds(), Cycle: r.cycle})
}

func (r *rig) bus(at int64) float64 {
	r.axes.Values(at, r.values)
	return r.values[0]
}

// profileTo returns a motion within the limits of joint.
func profileTo(t testing.TB, to, jerk float64) *profile.Profile {
	t.Helper()
	var p profile.Profile
	if r := p.Plan(profile.State{}, profile.Goal{State: profile.State{Pos: to}}, profile.Limits{Vel: 1, Acc: 10, Jerk: jerk}); r != profile.Solved {
		t.Fatal(r)
	}
	return &p
}

// TestEquation: values are those of equation 9.1 in every process data cycle, with look-ahead, whatever the phase of the
// clocks.
func TestEquation(t *testing.T) {
	for name, tt := range map[string]struct {
		phase, bus int64
		ahead      time.Duration
	}{
		"same instants":      {0, 2 * ms, 0},
		"half a cycle later": {ms, 2 * ms, 0},
		"look-ahead":         {ms / 2, 2 * ms, 3 * time.Millisecond},
		"a slower bus":       {ms / 3, 5 * ms, 0},
		"a bus that drifts":  {0, 2*ms + 1000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			// The slack is so large that only the equation decides.
			r := newRig(t, 1, setpoint.Options{Cycle: time.Duration(tt.bus), Ahead: tt.ahead, Slack: 1e6, Lapse: 10})
			p := profileTo(t, 1.5, 100)
			net := func(k int64) float64 { return p.At(float64(k) * 0.002).Pos }
			jl, tl, jc, tc := 0.0, zero-tt.bus+tt.phase+int64(tt.ahead), 0.0, int64(0)
			k := int64(0)
			for x := range int64(600) {
				at := zero + tt.phase + x*tt.bus
				for zero+k*2*ms <= at {
					r.command(0, net(k), zero+k*2*ms, 2*time.Millisecond)
					k++
				}
				now := at + int64(tt.ahead)
				newest, when := net(k-1), zero+(k-1)*2*ms
				if when != tc {
					if tc != 0 {
						jl, tl = jc, tc
					}
					jc, tc = newest, when
				}
				want := jc
				if tc > tl {
					want = jl + (jc-jl)/float64(tc-tl)*float64(now-tl)
				}
				if got := r.bus(at); x > 0 && math.Abs(got-want) > 1e-9 {
					t.Fatalf("cycle %d: %v, not %v", x, got, want)
				}
			}
			if f := r.axes.Fault(0); f != device.JointGood {
				t.Error(f, r.axes.Trouble())
			}
		})
	}
}

// TestSetPointsArriveAsTheyAre: where a bus asks for the instants of the net, no digit is lost.
func TestSetPointsArriveAsTheyAre(t *testing.T) {
	r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond})
	p := profileTo(t, 0.7, math.Inf(1))
	for k := range int64(1500) {
		at, want := zero+k*ms, p.At(float64(k)*1e-3).Pos
		r.command(0, want, at, time.Millisecond)
		if got := r.bus(at); got != want {
			t.Fatalf("cycle %d: %v, not %v", k, got, want)
		}
	}
}

// TestJointsOfOneInstant: while a net is in the middle of its commands, those who have got theirs wait for the others.
func TestJointsOfOneInstant(t *testing.T) {
	r := newRig(t, 3, setpoint.Options{Cycle: time.Millisecond})
	p := profileTo(t, 0.7, 100)
	for k := range int64(400) {
		at, pos := zero+k*ms, p.At(float64(k)*1e-3).Pos
		r.command(0, pos, at, time.Millisecond)
		if k%7 == 3 { // here the bus comes
			r.bus(at)
			if r.values[0] != r.values[1] || r.values[1] != r.values[2] {
				t.Fatalf("cycle %d: %v are of different instants", k, r.values)
			}
			r.command(1, pos, at, time.Millisecond)
			r.command(2, pos, at, time.Millisecond)
			continue
		}
		r.command(1, pos, at, time.Millisecond)
		r.command(2, pos, at, time.Millisecond)
		r.bus(at)
	}
}

// TestNetsOfTheirOwn: a joint does not wait for those that other nets command.
func TestNetsOfTheirOwn(t *testing.T) {
	r := newRig(t, 2, setpoint.Options{Cycle: time.Millisecond})
	p := profileTo(t, 0.7, 100)
	for k := range int64(400) {
		at := zero + k*ms
		r.command(0, p.At(float64(k)*1e-3).Pos, at, time.Millisecond)
		if k%5 == 0 {
			r.command(1, p.At(float64(k)*1e-3).Pos, at, 5*time.Millisecond)
		}
		if got, want := r.bus(at), p.At(float64(k)*1e-3).Pos; got != want {
			t.Fatalf("cycle %d: %v, not %v", k, got, want)
		}
	}
}

// TestComesToRest: when the net is gone, the joint decelerates within its limits and stays.
func TestComesToRest(t *testing.T) {
	for name, jerk := range map[string]float64{"acceleration": 0, "jerk": 200} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Lapse: 5}, func(j *kinematics.Joint) { j.Jerk = jerk })
			limit := jerk
			if limit == 0 {
				limit = math.Inf(1)
			}
			p := profileTo(t, 1.5, limit)
			var last, vel float64
			for k := range int64(1200) {
				at := zero + k*ms
				if k < 500 { // in full motion
					r.command(0, p.At(float64(k)*1e-3).Pos, at, time.Millisecond)
				}
				got := r.bus(at)
				if v := (got - last) / 1e-3; math.Abs(v) > 1.0001 || k > 0 && math.Abs(v-vel) > 10*1e-3*1.0001+1e-9 {
					t.Fatalf("cycle %d: the velocity goes from %v to %v", k, vel, v)
				} else {
					last, vel = got, v
				}
			}
			at500 := p.At(0.499).Pos
			least, most := at500+0.005, at500+0.005+0.05+0.2
			if last < least || last > most || vel != 0 {
				t.Errorf("rests at %v with %v, not between %v and %v", last, vel, least, most)
			}
			if c := r.axes.Commanded(0); c.Pos != last || c.Vel != 0 || c.Acc != 0 || r.axes.Fault(0) != device.JointGood {
				t.Errorf("%+v %v", c, r.axes.Fault(0))
			}
		})
	}
}

// TestLimits: what breaks a limit is not commanded, the joint comes to rest, and the limit is reported by its name. A net that
// does not stop is not heard; the next one begins where the joint is.
func TestLimits(t *testing.T) {
	for name, tt := range map[string]struct {
		bad   func(good float64) float64
		fault device.JointFault
		told  string
	}{
		"position":     {func(float64) float64 { return 2.5 }, device.JointLimitPosition, "joint A1: limit of position: 2.5 rad, 2 is allowed, in cycle 51 at 2023-11-14T22:13:20.05Z"},
		"no number":    {func(float64) float64 { return math.NaN() }, device.JointLimitPosition, "limit of position: NaN rad"},
		"velocity":     {func(good float64) float64 { return good + 0.01 }, device.JointLimitVelocity, "limit of velocity: 10."},
		"acceleration": {func(good float64) float64 { return good + 0.0001 }, device.JointLimitAcceleration, "rad/s², 10 is allowed"},
		"jerk":         {func(good float64) float64 { return good - 0.000001 }, device.JointLimitJerk, "rad/s³, 500 is allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Lapse: 5}, func(j *kinematics.Joint) { j.Jerk = 500 })
			p := profileTo(t, 1.5, 500)
			var at int64
			var got, last float64
			for k := range int64(900) {
				at = zero + k*ms
				pos := p.At(float64(k) * 1e-3).Pos
				if k == 50 {
					pos = tt.bad(pos)
				}
				r.command(0, pos, at, time.Millisecond)
				last, got = got, r.bus(at)
				switch f := r.axes.Fault(0); {
				case k < 50 && (f != device.JointGood || got != pos):
					t.Fatalf("cycle %d: %v %v", k, f, r.axes.Trouble())
				case k >= 50 && f != tt.fault:
					t.Fatalf("cycle %d: %v instead of %v", k, f, tt.fault)
				}
			}
			if trouble := r.axes.Trouble(); !strings.Contains(trouble, tt.told) {
				t.Errorf("told is %q", trouble)
			}
			if got != last {
				t.Error("the joint moves")
			}
			// No net commands for a while, then another net does.
			for range 8 {
				at += ms
				r.bus(at)
			}
			if f, trouble := r.axes.Fault(0), r.axes.Trouble(); f != device.JointGood || trouble != "" {
				t.Errorf("still %v: %s", f, trouble)
			}
			at += ms
			r.command(0, got, at, time.Millisecond)
			if r.bus(at) != got || r.axes.Fault(0) != device.JointGood {
				t.Error("the next net is refused")
			}
			if refusal, ok := r.axes.Refusal(0); !ok || refusal.Fault != tt.fault || refusal.Cycle != 51 || refusal.Time != zero+50*ms {
				t.Errorf("%+v %t", refusal, ok)
			}
		})
	}
}

// TestTakingOver: a net may begin only where the joint is, and from how it moves.
func TestTakingOver(t *testing.T) {
	t.Run("elsewhere", func(t *testing.T) {
		r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond})
		r.bus(zero)
		r.command(0, 0.1, zero, time.Millisecond)
		if got := r.bus(zero + ms); got != 0 || r.axes.Fault(0) != device.JointElsewhere {
			t.Errorf("%v %v", got, r.axes.Fault(0))
		}
		if want := "a net began where the joint was not: 0.1 rad instead of 0, and its limits do not let it make up for that in a few cycles; if it still moves or brakes, wait until it rests"; !strings.Contains(r.axes.Trouble(), want) {
			t.Error(r.axes.Trouble())
		}
	})
	// A joint that comes to rest is taken over by a net that goes on from what is commanded, and refused to one that stands.
	for name, tt := range map[string]struct {
		next  func(c device.JointMotion) float64
		fault device.JointFault
	}{
		"in motion":         {func(c device.JointMotion) float64 { return c.Pos + (c.Vel-0.01)*1e-3 }, device.JointGood},
		"from where it was": {func(c device.JointMotion) float64 { return c.Pos - 0.01 }, device.JointElsewhere},
		"with a stop":       {func(c device.JointMotion) float64 { return c.Pos }, device.JointElsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Lapse: 5})
			p := profileTo(t, 1.5, math.Inf(1))
			k := int64(0)
			for ; k < 500; k++ {
				r.command(0, p.At(float64(k)*1e-3).Pos, zero+k*ms, time.Millisecond)
				r.bus(zero + k*ms)
			}
			for range 20 {
				r.bus(zero + k*ms)
				k++
			}
			c := r.axes.Commanded(0)
			if c.Vel < 0.5 || c.Vel > 0.9 || math.Abs(c.Acc+10) > 1e-6 {
				t.Fatalf("it is not braking: %+v", c)
			}
			r.command(0, tt.next(c), zero+k*ms, time.Millisecond)
			r.bus(zero + k*ms)
			if f := r.axes.Fault(0); f != tt.fault {
				t.Errorf("%v", f)
			}
		})
	}
}

// TestBlocked: a joint that cannot be commanded is where the driver says, and nothing happens when that ends.
func TestBlocked(t *testing.T) {
	r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond})
	p := profileTo(t, 1.5, math.Inf(1))
	k := int64(0)
	for ; k < 300; k++ {
		r.command(0, p.At(float64(k)*1e-3).Pos, zero+k*ms, time.Millisecond)
		if k > 200 {
			r.axes.Block(0, device.JointDrivesOff, 0.123)
		}
		got := r.bus(zero + k*ms)
		if k > 200 && (got != 0.123 || r.axes.Fault(0) != device.JointDrivesOff) {
			t.Fatalf("cycle %d: %v %v", k, got, r.axes.Fault(0))
		}
	}
	r.axes.Unblock(0)
	for ; k < 400; k++ {
		if got := r.bus(zero + k*ms); got != 0.123 || r.axes.Fault(0) != device.JointGood {
			t.Fatalf("cycle %d: %v %v", k, got, r.axes.Fault(0))
		}
	}
	r.command(0, 0.123, zero+k*ms, time.Millisecond)
	if got := r.bus(zero + k*ms); got != 0.123 || r.axes.Fault(0) != device.JointGood {
		t.Errorf("%v %v", got, r.axes.Fault(0))
	}
}

// TestSlack: corners of the line and steps back onto it are bounded, and the line is reached again.
func TestSlack(t *testing.T) {
	r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Lapse: 10, Slack: 4})
	p := profileTo(t, 1.5, math.Inf(1))
	var last, vel float64
	exact := 0
	for k := range int64(1900) {
		at := zero + k*ms
		if k%10 == 0 { // a net that is ten times slower than the bus
			r.command(0, p.At(float64(k)*1e-3).Pos, at, 10*time.Millisecond)
		}
		got := r.bus(at)
		v := (got - last) / 1e-3
		if math.Abs(v) > 1.0101 || k > 0 && math.Abs(v-vel) > 4*10*1e-3+1e-9 {
			t.Fatalf("cycle %d: the velocity goes from %v to %v", k, vel, v)
		}
		if away := math.Abs(got - p.At(float64(k)*1e-3).Pos); away > 0.003 {
			t.Fatalf("cycle %d: %v away from the motion", k, away)
		} else if away < 1e-12 {
			exact++
		}
		last, vel = got, v
	}
	if exact < 500 || r.axes.Fault(0) != device.JointGood {
		t.Errorf("%d values are exact; %s", exact, r.axes.Trouble())
	}
}

func TestNewRefuses(t *testing.T) {
	for text, change := range map[string]func(j *kinematics.Joint, at []float64, o *setpoint.Options){
		"2 positions of 1 joints":       func(*kinematics.Joint, []float64, *setpoint.Options) {},
		"no cycle time":                 func(_ *kinematics.Joint, _ []float64, o *setpoint.Options) { o.Cycle = 0 },
		"joint A1: no position between": func(j *kinematics.Joint, _ []float64, _ *setpoint.Options) { j.Min = 3 },
		"joint A1: cannot be brought t": func(j *kinematics.Joint, _ []float64, _ *setpoint.Options) { j.Acceleration = 0 },
		"joint A1: 9 is not between":    func(_ *kinematics.Joint, at []float64, _ *setpoint.Options) { at[0] = 9 },
	} {
		j, at, o := joint, []float64{0}, setpoint.Options{Cycle: time.Millisecond}
		if strings.HasPrefix(text, "2") {
			at = []float64{0, 0}
		}
		change(&j, at, &o)
		if _, err := setpoint.New([]kinematics.Joint{j}, at, o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, not %q", err, text)
		}
	}
}

// TestNoSuchJoint: joints that are not there do nothing.
func TestNoSuchJoint(t *testing.T) {
	r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond})
	for _, j := range []int{-1, 1, math.MaxInt} {
		r.command(j, 0, zero, time.Millisecond)
		r.axes.Block(j, device.JointFailed, 1)
		r.axes.Unblock(j)
		if r.axes.Check(j, 0) == device.PositionGood || r.axes.Fault(j) == device.JointGood || r.axes.Commanded(j) != (device.JointMotion{}) {
			t.Errorf("joint %d", j)
		}
	}
	if _, ok := r.axes.Refusal(7); ok || r.axes.Len() != 1 {
		t.Error("a refusal of nobody")
	}
}

func TestAllocations(t *testing.T) {
	r := newRig(t, 7, setpoint.Options{Cycle: time.Millisecond, Smooth: 50})
	k := int64(0)
	if n := alloc.Least(func() {
		for range 100 {
			at := zero + k*ms
			for j := range 7 {
				r.command(j, 1e-6*float64(k%1000), at, time.Millisecond) // and back again, which is refused
			}
			r.bus(at)
			k++
		}
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// TestMissedTicks: ticks that a net has missed are not in its time. It goes on as if they had not been, and so does the joint,
// whether the driver has stood still as well or has led the joint on.
func TestMissedTicks(t *testing.T) {
	for name, tt := range map[string]struct {
		every, ticks int64 // ticks that are missed, and how often
		together     bool  // the driver misses them too
	}{
		"one, both":          {20, 1, true},
		"three, both":        {50, 3, true},
		"for long, both":     {100, 400, true},
		"one, the net":       {20, 1, false},
		"three, the net":     {100, 3, false},
		"all but one, net":   {2, 1, false},
		"all but one, both":  {2, 1, true},
		"again and again":    {5, 3, true},
		"the net, for a bit": {40, 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Ahead: 1500 * time.Microsecond}, func(j *kinematics.Joint) { j.Jerk = 100 })
			p := profileTo(t, 1.5, 100)
			at, missed, last, vel := zero, int64(0), 0.0, 0.0
			step := func() {
				got := r.bus(at - ms)
				if v := (got - last) * 1000; math.Abs(v) > 1.0101 || math.Abs(v-vel) > 0.04*1.01 || tt.together && math.Abs(v-vel) > 0.011 {
					t.Fatalf("at %d ms: velocity from %v to %v", (at-zero)/ms, vel, v)
				} else {
					vel = v
				}
				last = got
			}
			for k := int64(0); float64(k)/1000 < p.Duration()+0.1; k++ {
				step()
				r.axes.Command(0, p.At(float64(k)/1000).Pos, device.Instant{Time: at, Missed: missed, Period: 0.001, Cycle: uint64(k + 1)})
				if f := r.axes.Fault(0); f != device.JointGood {
					t.Fatalf("cycle %d, %d ms missed: %v: %s", k, missed/ms, f, r.axes.Trouble())
				}
				at += ms
				for i := int64(0); k%tt.every == tt.every-1 && i < tt.ticks; i++ {
					if !tt.together {
						step()
					}
					at, missed = at+ms, missed+ms
				}
			}
			if math.Abs(last-1.5) > 1e-9 || vel != 0 {
				t.Errorf("at %v with %v", last, vel)
			}
		})
	}
}

// TestSilence: when a net and its driver have not run for longer than a lapse, the joint rests and the net that goes on is refused.
// That is shown until a net moves the joint, and remains in the diary. Another net that begins elsewhere is a different case.
func TestSilence(t *testing.T) {
	for _, tt := range []struct {
		name  string
		again bool // it is the same net
		told  string
	}{
		{"the same net", true, "the net of A1, A1 was refused at 22:13:20.400: its set-points had not been followed for 301ms, so that joints came to rest; start it again from where they are"},
		{"another net", false, "a net began where the joint was not"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, 2, setpoint.Options{Cycle: time.Millisecond, Lapse: 5})
			p, cycle := profileTo(t, 1.5, math.Inf(1)), uint64(0)
			command := func(k int64, missed int64) {
				cycle++
				for j := range 2 {
					r.axes.Command(j, p.At(float64(k)*1e-3).Pos, device.Instant{Time: zero + (k*ms + missed), Period: 1e-3, Cycle: cycle, Missed: missed})
				}
			}
			for k := range int64(100) {
				command(k, 0)
				r.bus(zero + k*ms)
			}
			for k := int64(100); k < 400; k++ { // the bus takes what has queued
				r.bus(zero + k*ms)
			}
			if text := r.axes.Trouble() + strings.Join(r.axes.Diary(), ""); text != "" {
				t.Errorf("before it goes on: %s", text)
			}
			if !tt.again {
				cycle = 0
			}
			command(100, 300*ms)
			trouble, diary := r.axes.Trouble(), strings.Join(r.axes.Diary(), "\n")
			if !strings.Contains(trouble, tt.told) || (diary == trouble) != tt.again {
				t.Errorf("state %q, diary %q", trouble, diary)
			}
			at := zero + 400*ms
			for range 40 { // nor does it run for a while, and goes on
				r.bus(at)
				at += ms
			}
			command(101, 340*ms)
			if after := r.axes.Trouble(); (after == trouble) != tt.again {
				t.Errorf("when it goes on once more: %q, before %q", after, trouble)
			}
			for range 10 { // the net has ended
				r.bus(at)
				at += ms
			}
			if after := r.axes.Trouble(); (after == trouble) != tt.again {
				t.Errorf("when it has ended: %q", after)
			}
			rest := r.bus(at)
			for k := range int64(20) {
				r.command(0, rest+p.At(float64(k)*1e-3).Pos, at+k*ms, time.Millisecond)
				r.command(1, rest+p.At(float64(k)*1e-3).Pos, at+k*ms, time.Millisecond)
				r.bus(at + k*ms)
			}
			if after := r.axes.Trouble(); after != "" || strings.Join(r.axes.Diary(), "\n") != diary {
				t.Errorf("when another net moves: %q, diary %q", after, r.axes.Diary())
			}
		})
	}
}

// TestHeldUp: what comes to the driver is held up for longer than a lapse, and comes at once then, while the net goes on. The driver's
// time is behind that of the net by more than it follows, so that joints come to rest; the net hears why it is refused.
func TestHeldUp(t *testing.T) {
	r := newRig(t, 1, setpoint.Options{Cycle: time.Millisecond, Lapse: 5})
	p := profileTo(t, 1.5, math.Inf(1))
	command := func(k int64) {
		r.axes.Command(0, p.At(float64(k)*1e-3).Pos, device.Instant{Time: zero + k*ms, Period: 1e-3, Cycle: uint64(k)})
	}
	for k := int64(1); k < 100; k++ {
		command(k)
		r.bus(zero + k*ms)
	}
	for k := int64(100); k < 107; k++ {
		command(k)
	}
	for k := int64(100); k < 107; k++ {
		r.bus(zero + k*ms)
	}
	command(107)
	const want = "the net of A1 was refused at 22:13:20.107: its set-points had not been followed for 5ms"
	if got := r.axes.Trouble(); !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin with %q", got, want)
	}
}
