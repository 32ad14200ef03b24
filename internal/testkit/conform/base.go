package conform

import (
	"math"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Drive is a base with what a suite must know of it.
type Drive struct {
	device.Base
	// Step lets a cycle of the device pass, and returns the instant in which a net of the same period is executed then.
	Step func() device.Instant
	// Vel and Acc are limits that the base keeps: ahead, to the left, and of turning. Where it cannot go they are 0.
	Vel, Acc [3]float64
}

// Base checks a base that rests.
func Base(t *testing.T, open func(t *testing.T) Drive) {
	t.Helper()
	for _, part := range []struct {
		name string
		test func(t *testing.T, d *Drive)
	}{
		{"announced", baseAnnounced},
		{"velocities", baseVelocities},
		{"stops", baseStops},
		{"refuses", baseRefuses},
		{"wheels", baseWheels},
		{"poses", basePoses},
		{"jump", baseJump},
		{"allocations", baseAllocations},
	} {
		t.Run(part.name, func(t *testing.T) {
			d := open(t)
			part.test(t, &d)
		})
	}
}

func baseAnnounced(t *testing.T, d *Drive) {
	t.Helper()
	announces := func(name string) bool {
		return slices.ContainsFunc(d.Interfaces(), func(i device.Interface) bool { return i.Name == name })
	}
	if !announces(device.RobotBaseName) {
		t.Errorf("%v does not announce %s", d.Interfaces(), device.RobotBaseName)
	}
	if _, is := d.Base.(device.Cartesian); is != announces(device.CartesianName) {
		t.Errorf("%v, and takes poses: %v", d.Interfaces(), is)
	}
	if s := d.Status(); s.State != device.Operational {
		t.Errorf("status %+v", s)
	}
}

// along returns a twist in one of the three directions.
func along(direction int, v float64) geom.Twist {
	var parts [3]float64
	parts[direction] = v
	return geom.Twist{Vel: geom.Vector{X: parts[0], Y: parts[1]}, Rot: geom.Vector{Z: parts[2]}}
}

func partsOf(v geom.Twist) [3]float64 { return [3]float64{v.Vel.X, v.Vel.Y, v.Rot.Z} }

// enough cycles for everything that a base does here.
func (d *Drive) enough(period float64) int {
	longest := 1.0
	for i, v := range d.Vel {
		if d.Acc[i] > 0 {
			longest = max(longest, 4*v/d.Acc[i])
		}
	}
	return int(longest/period) + 10
}

// watch looks at the base in each cycle: it keeps its limits, and does not jump.
type watch struct {
	d    *Drive
	vel  [3]float64
	pos  geom.Frame
	seen bool
}

func (w *watch) look(t *testing.T, at device.Instant) {
	t.Helper()
	s := w.d.BaseState()
	vel := partsOf(s.Measured)
	if w.seen {
		for i, v := range vel {
			if change := math.Abs(v-w.vel[i]) / at.Period; change > w.d.Acc[i]*(1+1e-6)+1e-6 {
				t.Fatalf("direction %d: acceleration %v of %v", i, change, w.d.Acc[i])
			}
			if math.Abs(v) > w.d.Vel[i]*(1+1e-6)+1e-9 {
				t.Fatalf("direction %d: velocity %v of %v", i, v, w.d.Vel[i])
			}
		}
		way := s.Pos.Pos.Sub(w.pos.Pos).Length() / at.Period
		if most := math.Hypot(w.d.Vel[0], w.d.Vel[1]); way > most*1.01+1e-9 {
			t.Fatalf("it has moved with %v m/s", way)
		}
	}
	w.vel, w.pos, w.seen = vel, s.Pos, true
}

func (w *watch) rests() bool { return w.vel == [3]float64{} }

// baseVelocities drives in each direction and back.
func baseVelocities(t *testing.T, d *Drive) {
	t.Helper()
	w := watch{d: d}
	at := d.Step()
	for i, limit := range d.Vel {
		for _, share := range []float64{1, -0.5} {
			want := along(i, limit*share)
			if limit == 0 {
				continue
			}
			for range d.enough(at.Period) {
				w.look(t, at)
				d.CommandVelocity(want, at)
				at = d.Step()
			}
			s := d.BaseState()
			for k, v := range partsOf(s.Measured) {
				if math.Abs(v-partsOf(want)[k]) > 1e-3*limit {
					t.Errorf("commanded %v, drives %v", want, s.Measured)
				}
			}
			if s.Commanded != want || s.Fault != device.BaseGood {
				t.Errorf("commanded %v, told %+v", want, s)
			}
		}
	}
}

// baseStops leaves a base alone that drives.
func baseStops(t *testing.T, d *Drive) {
	t.Helper()
	w := watch{d: d}
	at := d.Step()
	for range d.enough(at.Period) {
		d.CommandVelocity(along(0, d.Vel[0]/2), at)
		at = d.Step()
	}
	last := at.Time
	for range d.enough(at.Period) {
		w.look(t, at)
		if told := d.BaseState().Commanded; float64(at.Time-last) > 0.1e9 && told != (geom.Twist{}) {
			t.Fatalf("0.1 s after the last command %v is commanded", told)
		}
		at = d.Step()
	}
	w.look(t, at)
	if !w.rests() {
		t.Errorf("it still drives %v", w.vel)
	}
}

// baseRefuses commands what is not possible.
func baseRefuses(t *testing.T, d *Drive) {
	t.Helper()
	nan := math.NaN()
	for _, tt := range []struct {
		v    geom.Twist
		want device.PositionFault
	}{
		{geom.Twist{}, device.PositionGood},
		{along(0, d.Vel[0]), device.PositionGood},
		{along(0, -1.01*d.Vel[0]), device.PositionOutOfRange},
		{along(2, 1.01*d.Vel[2]), device.PositionOutOfRange},
		{geom.Twist{Vel: geom.Vector{Z: 0.1}}, device.PositionOutOfRange},
		{geom.Twist{Rot: geom.Vector{X: 0.1}}, device.PositionOutOfRange},
		{along(1, nan), device.PositionNotANumber},
		{along(2, math.Inf(1)), device.PositionNotANumber},
	} {
		if got := d.CheckVelocity(tt.v); got != tt.want {
			t.Errorf("%v: %v, not %v", tt.v, got, tt.want)
		}
	}
	at := d.Step()
	for range 20 {
		d.CommandVelocity(along(0, nan), at)
		at = d.Step()
		d.CommandVelocity(along(0, 2*d.Vel[0]), at)
		at = d.Step()
	}
	if s := d.BaseState(); s.Measured != (geom.Twist{}) || s.Pos != (geom.Frame{}) {
		t.Errorf("it drives %+v", s)
	}
}

// baseWheels turns: wheels turn as long as the base drives, and their angles are what their velocities make of time.
func baseWheels(t *testing.T, d *Drive) {
	t.Helper()
	if d.Wheel(-1) != (device.WheelState{}) || d.Wheel(d.Wheels()) != (device.WheelState{}) {
		t.Error("there are wheels that are not there")
	}
	sums := make([]float64, d.Wheels())
	at := d.Step()
	turned := false
	for range d.enough(at.Period) {
		d.CommandVelocity(along(2, d.Vel[2]/2), at)
		at = d.Step()
		for i := range sums {
			sums[i] += d.Wheel(i).Vel * at.Period
			turned = turned || d.Wheel(i).Vel != 0
		}
	}
	for i, sum := range sums {
		if got := d.Wheel(i).Pos; math.Abs(got-sum) > 1e-3*max(1, math.Abs(sum)) {
			t.Errorf("wheel %d is at %v, not %v", i, got, sum)
		}
	}
	if len(sums) > 0 && !turned {
		t.Error("the base turns and no wheel does")
	}
}

// basePoses leads the base on a curve and stops there.
func basePoses(t *testing.T, d *Drive) {
	t.Helper()
	c, ok := d.Base.(device.Cartesian)
	if !ok {
		return
	}
	w := watch{d: d}
	at := d.Step()
	begin := at.Time
	length := 8 * (d.Vel[0]/d.Acc[0] + d.Vel[2]/d.Acc[2])
	goal := geom.Frame{}
	for n := range int(1.5 * length / at.Period) {
		x := min(float64(at.Time-begin)*1e-9/length, 1)
		rise := x - math.Sin(2*math.Pi*x)/(2*math.Pi) // from rest to rest
		a := rise * d.Vel[2] * length / 6
		goal = geom.Frame{Pos: geom.Vector{X: rise * d.Vel[0] * length / 8}, Rot: geom.FromABC(a, 0, 0)}
		if d.Vel[1] == 0 {
			goal.Rot = geom.Rotation{}
		}
		c.CommandPose(goal, at)
		at = d.Step()
		w.look(t, at)
		s := c.Pose()
		if s.Fault != device.BaseGood {
			t.Fatalf("cycle %d: %v", n, s.Fault)
		}
		if away := s.Measured.Pos.Sub(s.Commanded.Pos).Length(); away > 0.02 {
			t.Fatalf("cycle %d: it is %v m away", n, away)
		}
	}
	if s := c.Pose(); s.Measured.Pos.Sub(goal.Pos).Length() > 1e-4 || s.Measured.Rot.To(goal.Rot).Angle() > 1e-4 {
		t.Errorf("it is at %v, not %v", s.Measured, goal)
	}
	if !w.rests() && math.Abs(w.vel[0])+math.Abs(w.vel[1])+math.Abs(w.vel[2]) > 1e-4 {
		t.Errorf("it still drives %v", w.vel)
	}
}

// baseJump commands a pose that is too far away: the base stays, says so, and can be commanded again after a while.
func baseJump(t *testing.T, d *Drive) {
	t.Helper()
	c, ok := d.Base.(device.Cartesian)
	if !ok {
		return
	}
	if c.CheckPose(geom.Frame{Pos: geom.Vector{Z: 0.1}}) != device.PositionOutOfRange ||
		c.CheckPose(geom.Frame{Pos: geom.Vector{X: math.NaN()}}) != device.PositionNotANumber {
		t.Error("poses that a base cannot have were accepted")
	}
	at := d.Step()
	for range d.enough(at.Period) {
		c.CommandPose(geom.Frame{Pos: geom.Vector{X: 1}}, at)
		at = d.Step()
		if s := c.Pose(); s.Fault != device.BaseElsewhere || s.Measured != (geom.Frame{}) {
			t.Fatalf("%+v after a pose that is too far away", s)
		}
	}
	for range d.enough(at.Period) {
		at = d.Step()
	}
	c.CommandPose(geom.Frame{}, at)
	d.Step()
	if s := c.Pose(); s.Fault != device.BaseGood {
		t.Errorf("%v after it has been left alone", s.Fault)
	}
}

func baseAllocations(t *testing.T, d *Drive) {
	t.Helper()
	c, poses := d.Base.(device.Cartesian)
	n := alloc.Least(func() {
		at := d.Step()
		_, _ = d.BaseState(), d.Wheel(0)
		d.CommandVelocity(along(0, d.Vel[0]/10), at)
		if poses {
			c.CommandPose(c.Pose().Measured, at)
		}
	})
	if n != 0 {
		t.Errorf("%d allocations in a cycle", n)
	}
}
