package path_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// limits are any, some so high that they are none.
func (m maker) limits() profile.Limits {
	any := func() float64 { return math.Exp(2 * m.NormFloat64()) }
	l := profile.Limits{Vel: any(), Acc: any(), Jerk: any()}
	switch m.IntN(4) {
	case 0:
		l.Jerk = math.Inf(1)
	case 1:
		l.Acc, l.Jerk = 1e12, 1e12
	}
	return l
}

// TestLimits: whatever velocity, acceleration and jerk the law has anywhere, within what is allowed, point and orientation
// keep theirs.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, m maker, p trial) {
		translation, rotation := m.limits(), m.limits()
		keeps := func(name string, d, translation, rotation float64) {
			t.Helper()
			if limit := translation + rotation; !(d <= limit*(1+1e-9)) {
				t.Errorf("%s %v, limit %v", name, d, limit)
			}
		}
		try := func(s float64, l profile.Limits) {
			if !(l.Vel > 0 && l.Acc > 0 && l.Jerk > 0 && l.Vel <= math.MaxFloat64 && l.Acc <= math.MaxFloat64) {
				t.Fatalf("limits %v", l)
			}
			point := p.path.At(s)
			sign := func() float64 { return [...]float64{-1, 1, m.Float64()}[m.IntN(3)] }
			v, a := sign()*l.Vel, sign()*l.Acc
			velocity, acceleration := point.Velocity(v), point.Acceleration(v, a)
			keeps("velocity", velocity.Vel.Length(), translation.Vel, 0)
			keeps("angular velocity", velocity.Rot.Length(), 0, rotation.Vel)
			keeps("acceleration", acceleration.Vel.Length(), translation.Acc, 0)
			keeps("angular acceleration", acceleration.Rot.Length(), 0, rotation.Acc)
			if l.Jerk <= math.MaxFloat64 {
				jerk := point.Jerk(v, a, sign()*l.Jerk)
				keeps("jerk", jerk.Vel.Length(), translation.Jerk, 0)
				keeps("angular jerk", jerk.Rot.Length(), 0, rotation.Jerk)
			}
		}
		all := p.path.Limits(translation, rotation)
		for _, segment := range p.path.Segments() {
			own := segment.Limits(translation, rotation)
			if own.Vel < all.Vel {
				t.Errorf("all may be gone with %v, one segment with %v", all, own)
			}
			for range 50 {
				try(m.within(&segment, 0), all)
				try(m.within(&segment, 0), own)
			}
		}
	})
}

// TestLimitsAreUsed where nothing is in the way.
func TestLimitsAreUsed(t *testing.T) {
	m := newMaker()
	a, b := m.frame(), m.frame()
	b.Rot = a.Rot
	line, err := path.Line(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := profile.Limits{Vel: 0.25, Acc: 2, Jerk: 20}
	if l := line.Limits(want, profile.Limits{Vel: 1, Acc: 1, Jerk: 1}); l != want {
		t.Errorf("a line has the limits %v", l)
	}
	// On a circle of 0.5 m, 0.4 m/s need 0.32 m/s², and 0.256 m/s³.
	circle, err := path.Circle(a, a.Pos.Add(a.Rot.Rotate(vector(0.5, 0, 0))), a.Rot.Rotate(vector(0, 0, 1)), 7, path.Constant)
	if err != nil {
		t.Fatal(err)
	}
	l := circle.Limits(profile.Limits{Vel: 0.4, Acc: 1.32, Jerk: 100}, want)
	near(t, "velocity", l.Vel, 0.4, 1e-12)
	near(t, "acceleration", l.Acc, 1, 1e-9)
	near(t, "jerk", l.Jerk, 100-0.256-3*2*0.4, 1e-9)
	l = circle.Limits(profile.Limits{Vel: 4, Acc: 1, Jerk: 100}, want)
	near(t, "half of the acceleration", l.Vel*l.Vel/0.5, 0.5, 1e-9)
}
