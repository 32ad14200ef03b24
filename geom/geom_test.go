package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

// samples is how many random values a law is tried with.
const samples = 20_000

// exact is what rounding may add up to, for numbers of the size of 1.
const exact = 2e-14

type maker struct{ *rand.Rand }

func newMaker() maker { return maker{rand.New(rand.NewPCG(2, 2))} }

func (m maker) vector() geom.Vector {
	return geom.Vector{X: m.NormFloat64(), Y: m.NormFloat64(), Z: m.NormFloat64()}
}

// rotation is any rotation, also none, a tiny one, and one by π.
func (m maker) rotation() geom.Rotation {
	switch m.IntN(8) {
	case 0:
		return geom.Exp(m.vector().Unit().Scale(math.Pow(10, -20*m.Float64())))
	case 1:
		return geom.FromAxisAngle(m.vector(), math.Pi-math.Pow(10, -20*m.Float64()))
	case 2:
		return []geom.Rotation{{}, geom.FromABC(math.Pi, 0, 0), geom.FromABC(0, math.Pi/2, 0), geom.FromABC(0, 0, -math.Pi)}[m.IntN(4)]
	default:
		return geom.FromQuaternion(m.NormFloat64(), m.NormFloat64(), m.NormFloat64(), m.NormFloat64())
	}
}

func (m maker) frame() geom.Frame   { return geom.Frame{Pos: m.vector(), Rot: m.rotation()} }
func (m maker) twist() geom.Twist   { return geom.Twist{Vel: m.vector(), Rot: m.vector()} }
func (m maker) wrench() geom.Wrench { return geom.Wrench{Force: m.vector(), Torque: m.vector()} }

// tried compares what a law says to be equal.
type tried struct {
	t    *testing.T
	size float64 // of the numbers, for the bound
}

func (c tried) near(law string, off float64) {
	c.t.Helper()
	if !(off <= exact*c.size) {
		c.t.Fatalf("%s: %g away", law, off)
	}
}

func (c tried) number(law string, a, b float64) {
	c.t.Helper()
	c.near(law, math.Abs(a-b))
}

func (c tried) vector(law string, a, b geom.Vector) {
	c.t.Helper()
	c.near(law, a.Sub(b).Length())
}

func (c tried) rotation(law string, a, b geom.Rotation) {
	c.t.Helper()
	c.near(law, a.To(b).Angle())
}

func (c tried) frame(law string, a, b geom.Frame) {
	c.t.Helper()
	c.vector(law, a.Pos, b.Pos)
	c.rotation(law, a.Rot, b.Rot)
}

func (c tried) twist(law string, a, b geom.Twist) {
	c.t.Helper()
	c.vector(law, a.Vel, b.Vel)
	c.vector(law, a.Rot, b.Rot)
}

func (c tried) wrench(law string, a, b geom.Wrench) {
	c.t.Helper()
	c.vector(law, a.Force, b.Force)
	c.vector(law, a.Torque, b.Torque)
}

func forAll(t *testing.T, law func(m maker, check tried)) {
	t.Helper()
	m := newMaker()
	for range samples {
		law(m, tried{t, 10})
	}
}

func TestVectors(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		u, v, w := m.vector(), m.vector(), m.vector()
		check.vector("v - v", v.Sub(v), geom.Vector{})
		check.vector("-v", v.Add(v.Neg()), geom.Vector{})
		check.vector("u×v = -v×u", u.Cross(v), v.Cross(u).Neg())
		check.number("u·(u×v)", u.Dot(u.Cross(v)), 0)
		check.vector("Jacobi", u.Cross(v.Cross(w)).Add(v.Cross(w.Cross(u))).Add(w.Cross(u.Cross(v))), geom.Vector{})
		check.number("|unit|", v.Unit().Length(), 1)
		check.vector("unit", v.Unit().Scale(v.Length()), v)
		check.vector("lerp", v.Lerp(w, 0.25).Sub(v).Scale(4), w.Sub(v))
	})
	for _, v := range []geom.Vector{{X: 1e300, Y: -1e300}, {Z: 5e-324}, {X: 1e-200, Y: 1e-200, Z: 1e-200}, {X: math.MaxFloat64, Y: math.MaxFloat64}} {
		if n := v.Unit().Length(); math.Abs(n-1) > exact {
			t.Errorf("%v: unit has the length %v", v, n)
		}
	}
	if (geom.Vector{}).Unit() != (geom.Vector{}) {
		t.Error("no direction")
	}
}

func TestRotationsAreAGroup(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		r, s, u := m.rotation(), m.rotation(), m.rotation()
		v, w := m.vector(), m.vector()
		if r.Mul(geom.Rotation{}) != r || (geom.Rotation{}).Mul(r) != r {
			t.Fatal("no rotation is not neutral")
		}
		check.rotation("(rs)u = r(su)", r.Mul(s).Mul(u), r.Mul(s.Mul(u)))
		check.rotation("r⁻¹r", r.Invert().Mul(r), geom.Rotation{})
		check.rotation("r(r→s)", r.Mul(r.To(s)), s)
		check.vector("(rs)v = r(sv)", r.Mul(s).Rotate(v), r.Rotate(s.Rotate(v)))
		check.number("|rv|", r.Rotate(v).Length(), v.Length())
		check.vector("rv×rw", r.Rotate(v).Cross(r.Rotate(w)), r.Rotate(v.Cross(w)))
		x, y, z, q := r.Quaternion()
		check.number("|r|", x*x+y*y+z*z+q*q, 1)
	})
}

// TestRotationStaysUnit: errors of a long chain do not grow beyond those of its steps.
func TestRotationStaysUnit(t *testing.T) {
	m, r := newMaker(), geom.Rotation{}
	for range 1_000_000 {
		r = r.Mul(geom.Exp(m.vector()))
	}
	if x, y, z, w := r.Quaternion(); math.Abs(x*x+y*y+z*z+w*w-1) > 5e-15 {
		t.Errorf("length of %v", r)
	}
}

func TestMatrix(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		r, v := m.rotation(), m.vector()
		a := r.Matrix()
		check.rotation("from matrix", geom.FromMatrix(a), r)
		row := func(i int) geom.Vector { return geom.Vector{X: a[i][0], Y: a[i][1], Z: a[i][2]} }
		check.vector("matrix·v", geom.Vector{X: row(0).Dot(v), Y: row(1).Dot(v), Z: row(2).Dot(v)}, r.Rotate(v))
		check.vector("orthogonal", row(0).Cross(row(1)), row(2))
	})
	for _, half := range []geom.Vector{{X: 1}, {Y: 1}, {Z: 1}, {X: 1, Y: 1}, {Y: 1, Z: -1}, {X: -1, Z: 1}} {
		r := geom.FromAxisAngle(half, math.Pi)
		tried{t, 1}.rotation("by π", geom.FromMatrix(r.Matrix()), r)
	}
}

// elementary is Rz(a)·Ry(b)·Rx(c) by its three parts.
func elementary(a, b, c float64) geom.Rotation {
	return geom.FromAxisAngle(geom.Vector{Z: 1}, a).Mul(geom.FromAxisAngle(geom.Vector{Y: 1}, b)).Mul(geom.FromAxisAngle(geom.Vector{X: 1}, c))
}

// TestABC also close to where a and c turn about the same axis, and beyond: angles in, the same rotation out.
func TestABC(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		a, b, c := 7*m.NormFloat64(), 7*m.NormFloat64(), 7*m.NormFloat64()
		if m.IntN(2) == 0 {
			b = math.Copysign(math.Pi/2, b) + math.Copysign(math.Pow(10, -18*m.Float64()), c)
		}
		r := geom.FromABC(a, b, c)
		check.rotation("elementary", r, elementary(a, b, c))
		for _, r := range []geom.Rotation{r, m.rotation()} {
			a, b, c = r.ABC()
			if off := geom.FromABC(a, b, c).To(r).Angle(); !(off < 3e-15) {
				t.Fatalf("%v has the angles %v, %v, %v, which are %g away", r, a, b, c, off)
			}
			if math.Abs(a) > math.Pi || math.Abs(b) > math.Pi/2 || math.Abs(c) > math.Pi {
				t.Fatalf("angles %v, %v, %v", a, b, c)
			}
		}
		a, b, c = m.Float64()*6-3, m.Float64()*3-1.5, m.Float64()*6-3
		ra, rb, rc := geom.FromABC(a, b, c).ABC()
		check.vector("same angles", geom.Vector{X: ra, Y: rb, Z: rc}, geom.Vector{X: a, Y: b, Z: c})
	})
	for _, b := range []float64{math.Pi / 2, -math.Pi / 2} {
		ra, rb, rc := geom.FromABC(0.3, b, 0).ABC()
		if math.Abs(ra-0.3) > 1e-15 || rb != b || rc != 0 {
			t.Errorf("at the pole: %v %v %v", ra, rb, rc)
		}
	}
	if a, b, c := (geom.Rotation{}).ABC(); a != 0 || b != 0 || c != 0 {
		t.Error("no rotation", a, b, c)
	}
}

func TestExpAndLog(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		r := m.rotation()
		check.rotation("exp log", geom.Exp(r.Log()), r)
		check.number("angle", r.Log().Length(), r.Angle())
		v := m.vector().Unit().Scale(m.Float64() * 3.14)
		check.vector("log exp", geom.Exp(v).Log(), v)
		tiny := v.Scale(math.Pow(10, -300*m.Float64()))
		if off := geom.Exp(tiny).Log().Sub(tiny).Length(); off > 1e-15*tiny.Length() {
			t.Fatalf("log exp of %v is %g away", tiny, off)
		}
		check.rotation("axis and angle", geom.FromAxisAngle(r.AxisAngle()), r)
		axis, angle := r.AxisAngle()
		check.number("|axis|", axis.Length(), 1)
		if angle < 0 || angle > math.Pi {
			t.Fatalf("angle %v", angle)
		}
	})
	if axis, angle := (geom.Rotation{}).AxisAngle(); axis != (geom.Vector{X: 1}) || angle != 0 {
		t.Error("axis of no rotation", axis, angle)
	}
	if geom.FromAxisAngle(geom.Vector{}, 1) != (geom.Rotation{}) {
		t.Error("about no axis")
	}
}

func TestFramesAreAGroup(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		f, g, h, v := m.frame(), m.frame(), m.frame(), m.vector()
		check.frame("neutral", f.Mul(geom.Frame{}), f)
		check.frame("(fg)h = f(gh)", f.Mul(g).Mul(h), f.Mul(g.Mul(h)))
		check.frame("f⁻¹f", f.Invert().Mul(f), geom.Frame{})
		check.frame("f(f→g)", f.Mul(f.To(g)), g)
		check.vector("(fg)v = f(gv)", f.Mul(g).Point(v), f.Point(g.Point(v)))
	})
}

func TestFrameExpAndLog(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		f := m.frame()
		check.frame("exp log", f.Log().Exp(), f)
		w := m.twist()
		w.Rot = w.Rot.Unit().Scale(3.14 * math.Pow(10, -20*m.Float64()*float64(m.IntN(2))))
		check.twist("log exp", w.Exp().Log(), w)
		check.frame("half and half", w.Scale(0.5).Exp().Mul(w.Scale(0.5).Exp()), w.Exp())
		check.size = 100
		check.twist("adjoint", f.Mul(w.Exp()).Mul(f.Invert()).Log(), f.Twist(w))
	})
	// About Z with the lever 1: a quarter of a circle.
	got := geom.Twist{Vel: geom.Vector{X: math.Pi / 2}, Rot: geom.Vector{Z: math.Pi / 2}}.Exp()
	tried{t, 1}.frame("screw", got, geom.Frame{Pos: geom.Vector{X: 1, Y: 1}, Rot: geom.FromABC(math.Pi/2, 0, 0)})
}

func TestInterpolation(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		f, g, share := m.frame(), m.frame(), m.Float64()
		check.frame("at 0", f.Lerp(g, 0), f)
		check.frame("at 1", f.Lerp(g, 1), g)
		part := f.Lerp(g, share)
		check.number("share of the way", f.Pos.Sub(part.Pos).Length(), share*f.Pos.Sub(g.Pos).Length())
		check.number("share of the turn", f.Rot.To(part.Rot).Angle(), share*f.Rot.To(g.Rot).Angle())
		check.number("shortest way", f.Rot.To(part.Rot).Angle()+part.Rot.To(g.Rot).Angle(), f.Rot.To(g.Rot).Angle())
	})
}

func TestMotion(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		f, g, w, time := m.frame(), m.frame(), m.twist(), m.Float64()+0.1
		check.frame("from f to g", f.Add(f.Velocity(g, time), time), g)
		check.frame("along with the reference", f.Add(w, time), geom.Frame{Pos: f.Pos.Add(w.Vel.Scale(time)), Rot: geom.Exp(w.Rot.Scale(time)).Mul(f.Rot)})
		w.Rot = w.Rot.Unit().Scale(m.Float64() * 3)
		check.twist("velocity", f.Velocity(f.Add(w, 1), 1), w)
	})
}

// TestBezier: the curve begins and ends at its ends and with its velocities, and is the same from every frame.
func TestBezier(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		r, s, v, w, at := m.rotation(), m.rotation(), m.vector(), m.vector(), m.Float64()
		check.rotation("at 0", r.Bezier(v, w, s, 0), r)
		check.rotation("at 1", r.Bezier(v, w, s, 1), s)
		const short = 1e-7
		if off := r.Velocity(r.Bezier(v, w, s, short), short).Sub(v).Length(); !(off < 1e-4) {
			t.Fatalf("begins with a velocity that is %g away", off)
		}
		if off := r.Bezier(v, w, s, 1-short).Velocity(s, short).Sub(w).Length(); !(off < 1e-4) {
			t.Fatalf("ends with a velocity that is %g away", off)
		}
		if r.To(s).Angle() < 3 && v.Length() < 2 && w.Length() < 2 { // else its middle may have next to no length
			check.rotation("backwards", s.Bezier(w.Neg(), v.Neg(), r, 1-at), r.Bezier(v, w, s, at))
			u := m.rotation()
			check.rotation("rotated", u.Mul(r).Bezier(u.Rotate(v), u.Rotate(w), u.Mul(s), at), u.Mul(r.Bezier(v, w, s, at)))
		}
	})
}

// TestPower: the power of a wrench on a motion depends neither on the point of reference nor on who looks.
func TestPower(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		w, v, f, p := m.wrench(), m.twist(), m.frame(), m.vector()
		check.size = 100
		check.number("another point", w.At(p).Power(v.At(p)), w.Power(v))
		check.number("rotated", w.Rotate(f.Rot).Power(v.Rotate(f.Rot)), w.Power(v))
		check.number("another frame", f.Wrench(w).Power(f.Twist(v)), w.Power(v))
		check.twist("there and back", v.At(p).At(p.Neg()), v)
		check.wrench("there and back", w.At(p).At(p.Neg()), w)
		check.twist("frame and back", f.Invert().Twist(f.Twist(v)), v)
		check.wrench("frame and back", f.Invert().Wrench(f.Wrench(w)), w)
		u, x := m.twist(), m.wrench()
		check.twist("sum", v.Add(u).Sub(u).Add(v.Neg()), geom.Twist{})
		check.wrench("sum", w.Add(x).Sub(x).Add(w.Neg()), geom.Wrench{})
		check.number("scale", w.Scale(2).Power(v.Scale(3)), 6*w.Power(v))
	})
}

// TestVelocityOfAPoint: what At says is how the point moves.
func TestVelocityOfAPoint(t *testing.T) {
	forAll(t, func(m maker, _ tried) {
		w, p := m.twist(), m.vector()
		const short = 1e-6
		moved := w.Scale(short).Exp().Point(p)
		if off := moved.Sub(p).Scale(1 / short).Sub(w.At(p).Vel).Length(); !(off < 1e-4) {
			t.Fatalf("%v at %v: %g away", w, p, off)
		}
	})
}

// TestTotal: any numbers may come in. NaN comes out, nothing panics, and a quaternion without length is not a rotation.
func TestTotal(t *testing.T) {
	extremes := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e-160, 1e160, math.Pi}
	m := newMaker()
	any := func() float64 { return extremes[m.IntN(len(extremes))] }
	for range samples {
		f := geom.Frame{Pos: geom.Vector{X: any(), Y: any(), Z: any()}, Rot: geom.FromQuaternion(any(), any(), any(), any())}
		x, y, z, w := f.Rot.Quaternion()
		if n := x*x + y*y + z*z + w*w; !(math.Abs(n-1) < 1e-14) && !math.IsNaN(n) {
			t.Fatalf("%v has the length %v", f.Rot, n)
		}
		if ok := !math.IsNaN(x + y + z + w); f.Rot.Finite() != ok {
			t.Fatalf("%v is finite: %t", f.Rot, !ok)
		}
		if ok := !math.IsNaN(0*f.Pos.X + 0*f.Pos.Y + 0*f.Pos.Z); f.Pos.Finite() != ok { // 0 times infinity is NaN
			t.Fatalf("%v is finite: %t", f.Pos, !ok)
		}
		a, b, c := f.Rot.ABC()
		g := geom.Frame{Pos: f.Pos.Unit(), Rot: geom.FromABC(any(), b, c).Mul(geom.FromAxisAngle(f.Pos, a))}
		g = f.Lerp(g, any()).Mul(geom.Frame{Rot: geom.FromMatrix([3][3]float64{{any(), any(), any()}, {any(), any(), any()}, {any(), any(), any()}})})
		g.Add(f.Velocity(g, any()), any()).Log().Exp()
		g.Rot.Bezier(f.Pos, g.Pos, f.Rot, any())
	}
	for _, tiny := range []float64{0, 5e-324, 1e-200} {
		if r := geom.FromQuaternion(0, 0, 0, tiny); r != (geom.Rotation{}) {
			t.Errorf("quaternion %v: %v", tiny, r)
		}
	}
	tried{t, 1}.rotation("any length", geom.FromQuaternion(1e200, 0, 0, 1e200), geom.FromABC(0, 0, math.Pi/2))
}
