package world_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit"
)

// The primitives are compared with school mathematics: matrices of sines and cosines, row times column. Nothing of it is
// computed by package geom.

const period = 10 * time.Millisecond

// matrix is that of a frame: rotation and position.
type matrix [4][4]float64

func (m matrix) times(n matrix) (p matrix) {
	for i := range 4 {
		for k := range 4 {
			for j := range 4 {
				p[i][k] += m[i][j] * n[j][k]
			}
		}
	}
	return p
}

// of returns what m does to a vector: a position with w = 1, a direction with w = 0.
func (m matrix) of(v geom.Vector, w float64) geom.Vector {
	in, out := [4]float64{v.X, v.Y, v.Z, w}, [3]float64{}
	for i := range 3 {
		for k := range 4 {
			out[i] += m[i][k] * in[k]
		}
	}
	return geom.Vector{X: out[0], Y: out[1], Z: out[2]}
}

func about(axis int, angle float64) matrix {
	s, c := math.Sin(angle), math.Cos(angle)
	m := matrix{3: {3: 1}}
	m[axis][axis] = 1
	i, k := (axis+1)%3, (axis+2)%3
	m[i][i], m[i][k], m[k][i], m[k][k] = c, -s, s, c
	return m
}

// turn returns the formula of Rodrigues.
func turn(v geom.Vector) matrix {
	m := about(0, 0)
	angle := math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z)
	if angle == 0 {
		return m
	}
	k := matrix{{0, -v.Z / angle, v.Y / angle}, {v.Z / angle, 0, -v.X / angle}, {-v.Y / angle, v.X / angle, 0}}
	kk := k.times(k)
	for i := range 3 {
		for j := range 3 {
			m[i][j] += math.Sin(angle)*k[i][j] + (1-math.Cos(angle))*kk[i][j]
		}
	}
	return m
}

// pose is a frame as six numbers.
type pose struct{ x, y, z, a, b, c float64 }

func (p pose) matrix() matrix {
	m := about(2, p.a).times(about(1, p.b)).times(about(0, p.c))
	m[0][3], m[1][3], m[2][3] = p.x, p.y, p.z
	return m
}

func (p pose) pos() geom.Vector   { return geom.Vector{X: p.x, Y: p.y, Z: p.z} }
func (p pose) rot() geom.Rotation { return geom.FromABC(p.a, p.b, p.c) }
func (p pose) frame() geom.Frame  { return geom.Frame{Pos: p.pos(), Rot: p.rot()} }

// drawing draws numbers.
type drawing struct{ *rapid.T }

func (d drawing) number() float64 { return rapid.Float64Range(-3, 3).Draw(d.T, "number") }

func (d drawing) vector() geom.Vector {
	return geom.Vector{X: d.number(), Y: d.number(), Z: d.number()}
}

func (d drawing) twist() geom.Twist { return geom.Twist{Vel: d.vector(), Rot: d.vector()} }

func (d drawing) pose() pose {
	return pose{d.number(), d.number(), d.number(), d.number(), d.number(), d.number()}
}

const exact = 1e-12

func (d drawing) same(what string, got, want geom.Vector) {
	d.Helper()
	if !(math.Abs(got.X-want.X) <= exact && math.Abs(got.Y-want.Y) <= exact && math.Abs(got.Z-want.Z) <= exact) {
		d.Fatalf("%s: %v, not %v", what, got, want)
	}
}

// is compares a rotation, by where it takes the axes, with the rotation of a matrix.
func (d drawing) is(got geom.Rotation, want matrix) {
	d.Helper()
	x, y, z, w := got.Quaternion()
	columns := [3]geom.Vector{
		{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)},
		{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)},
		{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)},
	}
	for k, column := range columns {
		d.same("axis "+string("XYZ"[k]), column, geom.Vector{X: want[0][k], Y: want[1][k], Z: want[2][k]})
	}
}

func (d drawing) isFrame(got geom.Frame, want matrix) {
	d.Helper()
	d.same("position", got.Pos, want.of(geom.Vector{}, 1))
	d.is(got.Rot, want)
}

// bench runs one primitive for a cycle at a time.
type bench struct {
	*testkit.Single
	t testing.TB
}

func newBench(t testing.TB, name string, linked ...string) bench {
	return bench{kit.Single(t, "World::"+name, period, nil, linked...), t}
}

func feed[T any](b bench, port string, v T) { testkit.In[T](b.t, b.Single, port).Set(b.Cy, v) }

// result returns what an out port gives in the cycle that ends.
func result[T any](b bench, port string) T {
	out := testkit.Out[T](b.t, b.Single, port)
	if !out.Current(b.Cy) {
		b.t.Fatalf("%s is null", port)
	}
	return out.V
}

func TestFramesAsMatrices(t *testing.T) {
	transform, invert := newBench(t, "FrameTransform", "inFirst", "inSecond"), newBench(t, "FrameInvert", "inValue")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		f, g := d.pose(), d.pose()
		transform.Next()
		feed(transform, "inFirst", f.frame())
		feed(transform, "inSecond", g.frame())
		transform.Phases()
		d.isFrame(result[geom.Frame](transform, "outValue"), f.matrix().times(g.matrix()))

		invert.Next()
		feed(invert, "inValue", f.frame())
		invert.Phases()
		back := result[geom.Frame](invert, "outValue")
		transform.Next()
		feed(transform, "inFirst", back)
		feed(transform, "inSecond", f.frame())
		transform.Phases()
		d.isFrame(result[geom.Frame](transform, "outValue"), about(0, 0))
	})
}

func TestFramePartsAsMatrices(t *testing.T) {
	compose, apart := newBench(t, "FrameFromPosRot", "inPos", "inRot"), newBench(t, "FrameToPosRot", "inValue")
	ofXYZ, toXYZ := newBench(t, "FrameFromXYZ", "inX", "inY", "inZ", "inRot"), newBench(t, "FrameToXYZ", "inValue")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		p := d.pose()
		compose.Next()
		feed(compose, "inPos", p.pos())
		feed(compose, "inRot", p.rot())
		compose.Phases()
		d.isFrame(result[geom.Frame](compose, "outValue"), p.matrix())
		ofXYZ.Next()
		for port, v := range map[string]float64{"inX": p.x, "inY": p.y, "inZ": p.z} {
			feed(ofXYZ, port, v)
		}
		feed(ofXYZ, "inRot", p.rot())
		ofXYZ.Phases()
		d.isFrame(result[geom.Frame](ofXYZ, "outValue"), p.matrix())
		apart.Next()
		feed(apart, "inValue", p.frame())
		apart.Phases()
		d.isFrame(geom.Frame{Pos: result[geom.Vector](apart, "outPosition"), Rot: result[geom.Rotation](apart, "outRotation")}, p.matrix())
		toXYZ.Next()
		feed(toXYZ, "inValue", p.frame())
		toXYZ.Phases()
		pos := geom.Vector{X: result[float64](toXYZ, "outX"), Y: result[float64](toXYZ, "outY"), Z: result[float64](toXYZ, "outZ")}
		d.isFrame(geom.Frame{Pos: pos, Rot: result[geom.Rotation](toXYZ, "outRot")}, p.matrix())
	})
}

func TestFrameLerpAsMatrices(t *testing.T) {
	lerp := newBench(t, "FrameLerp", "inFrom", "inTo", "inAmount")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		from, way := d.pose(), d.twist()
		for way.Rot.Length() > 3 {
			way.Rot = way.Rot.Scale(0.5)
		}
		to := geom.Frame{Pos: from.pos().Add(way.Vel), Rot: geom.Exp(way.Rot).Mul(from.rot())}
		share := rapid.Float64Range(-1, 2).Draw(r, "share")
		lerp.Next()
		feed(lerp, "inFrom", from.frame())
		feed(lerp, "inTo", to)
		feed(lerp, "inAmount", share)
		lerp.Phases()
		want := turn(scaled(way.Rot, share)).times(pose{a: from.a, b: from.b, c: from.c}.matrix())
		for i, v := range [3]float64{from.x + share*way.Vel.X, from.y + share*way.Vel.Y, from.z + share*way.Vel.Z} {
			want[i][3] = v
		}
		d.isFrame(result[geom.Frame](lerp, "outValue"), want)
	})
}

func scaled(v geom.Vector, s float64) geom.Vector {
	return geom.Vector{X: v.X * s, Y: v.Y * s, Z: v.Z * s}
}

func TestMotionAsMatrices(t *testing.T) {
	add, between := newBench(t, "FrameAddTwist", "inFrame", "inTwist"), newBench(t, "TwistFromFrames", "inPrevFrame", "inFrame")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		f, motion := d.pose(), d.twist()
		add.Next()
		feed(add, "inFrame", f.frame())
		feed(add, "inTwist", motion)
		add.Phases()
		moved := result[geom.Frame](add, "outValue")
		want := turn(scaled(motion.Rot, period.Seconds())).times(f.matrix())
		for i, v := range [3]float64{f.x + motion.Vel.X*0.01, f.y + motion.Vel.Y*0.01, f.z + motion.Vel.Z*0.01} {
			want[i][3] = v
		}
		d.isFrame(moved, want)

		between.Next()
		feed(between, "inPrevFrame", f.frame())
		feed(between, "inFrame", moved)
		between.Phases()
		got := result[geom.Twist](between, "outValue")
		d.same("velocity", got.Vel, motion.Vel)
		d.same("angular velocity", got.Rot, motion.Rot)
	})
}

func TestTwistsAsMatrices(t *testing.T) {
	center, rotate := newBench(t, "TwistChangeCenter", "inValue", "inVector"), newBench(t, "TwistRotate", "inValue", "inRot")
	add := newBench(t, "TwistAdd", "inFirst", "inSecond")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		motion, other, v, p := d.twist(), d.twist(), d.vector(), d.pose()
		center.Next()
		feed(center, "inValue", motion)
		feed(center, "inVector", v)
		center.Phases()
		w := motion.Rot
		cross := matrix{{0, -w.Z, w.Y, motion.Vel.X}, {w.Z, 0, -w.X, motion.Vel.Y}, {-w.Y, w.X, 0, motion.Vel.Z}}
		moved := result[geom.Twist](center, "outValue")
		d.same("velocity of the point", moved.Vel, cross.of(v, 1))
		d.same("angular velocity", moved.Rot, w)

		rotate.Next()
		feed(rotate, "inValue", motion)
		feed(rotate, "inRot", p.rot())
		rotate.Phases()
		turned := result[geom.Twist](rotate, "outValue")
		d.same("rotated velocity", turned.Vel, p.matrix().of(motion.Vel, 0))
		d.same("rotated angular velocity", turned.Rot, p.matrix().of(motion.Rot, 0))

		add.Next()
		feed(add, "inFirst", motion)
		feed(add, "inSecond", other)
		add.Phases()
		sum := result[geom.Twist](add, "outValue")
		d.same("sum", sum.Vel, geom.Vector{X: motion.Vel.X + other.Vel.X, Y: motion.Vel.Y + other.Vel.Y, Z: motion.Vel.Z + other.Vel.Z})
		d.same("sum", sum.Rot, geom.Vector{X: motion.Rot.X + other.Rot.X, Y: motion.Rot.Y + other.Rot.Y, Z: motion.Rot.Z + other.Rot.Z})
	})
}

func TestRotationsAsMatrices(t *testing.T) {
	transform, invert := newBench(t, "RotationTransform", "inFirst", "inSecond"), newBench(t, "RotationInvert", "inValue")
	fromABC, toABC := newBench(t, "RotationFromABC", "inA", "inB", "inC"), newBench(t, "RotationToABC", "inValue")
	fromAxis, toAxis := newBench(t, "RotationFromAxisAngle", "inAxis", "inAngle"), newBench(t, "RotationToAxisAngle", "inValue")
	fromXYZW, toXYZW := newBench(t, "RotationFromQuaternion", "inX", "inY", "inZ", "inW"), newBench(t, "RotationToQuaternion", "inValue")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		p, q := pose{a: d.number(), b: d.number(), c: d.number()}, pose{a: d.number(), b: d.number(), c: d.number()}
		transform.Next()
		feed(transform, "inFirst", p.rot())
		feed(transform, "inSecond", q.rot())
		transform.Phases()
		d.is(result[geom.Rotation](transform, "outValue"), p.matrix().times(q.matrix()))
		invert.Next()
		feed(invert, "inValue", p.rot())
		invert.Phases()
		d.is(result[geom.Rotation](invert, "outValue"), about(0, -p.c).times(about(1, -p.b)).times(about(2, -p.a)))

		fromABC.Next()
		for port, angle := range map[string]float64{"inA": p.a, "inB": p.b, "inC": p.c} {
			feed(fromABC, port, angle)
		}
		fromABC.Phases()
		made := result[geom.Rotation](fromABC, "outValue")
		d.is(made, p.matrix())
		toABC.Next()
		feed(toABC, "inValue", made)
		toABC.Phases()
		d.is(made, pose{a: result[float64](toABC, "outA"), b: result[float64](toABC, "outB"), c: result[float64](toABC, "outC")}.matrix())

		axis, angle := d.vector(), d.number()
		if axis.Length() < 1e-3 {
			axis.X = 1
		}
		fromAxis.Next()
		feed(fromAxis, "inAxis", axis)
		feed(fromAxis, "inAngle", angle)
		fromAxis.Phases()
		d.is(result[geom.Rotation](fromAxis, "outValue"), turn(scaled(axis, angle/math.Sqrt(axis.X*axis.X+axis.Y*axis.Y+axis.Z*axis.Z))))
		toAxis.Next()
		feed(toAxis, "inValue", made)
		toAxis.Phases()
		d.is(made, turn(scaled(result[geom.Vector](toAxis, "outAxis"), result[float64](toAxis, "outAngle"))))

		toXYZW.Next()
		feed(toXYZW, "inValue", made)
		toXYZW.Phases()
		fromXYZW.Next()
		for _, name := range []string{"X", "Y", "Z", "W"} {
			feed(fromXYZW, "in"+name, 3*result[float64](toXYZW, "out"+name))
		}
		fromXYZW.Phases()
		d.is(result[geom.Rotation](fromXYZW, "outValue"), p.matrix())
	})
}

func TestVectorsAsMatrices(t *testing.T) {
	rotate, cross := newBench(t, "VectorRotate", "inValue", "inRot"), newBench(t, "VectorCross", "inFirst", "inSecond")
	dot, scale := newBench(t, "VectorDot", "inFirst", "inSecond"), newBench(t, "VectorScale", "inValue", "inFactor")
	rapid.Check(t, func(r *rapid.T) {
		d := drawing{r}
		v, w, p, factor := d.vector(), d.vector(), d.pose(), d.number()
		rotate.Next()
		feed(rotate, "inValue", v)
		feed(rotate, "inRot", p.rot())
		rotate.Phases()
		d.same("rotated", result[geom.Vector](rotate, "outValue"), p.matrix().of(v, 0))
		cross.Next()
		feed(cross, "inFirst", v)
		feed(cross, "inSecond", w)
		cross.Phases()
		d.same("cross", result[geom.Vector](cross, "outValue"), matrix{{0, -v.Z, v.Y}, {v.Z, 0, -v.X}, {-v.Y, v.X, 0}}.of(w, 0))
		dot.Next()
		feed(dot, "inFirst", v)
		feed(dot, "inSecond", w)
		dot.Phases()
		d.same("dot", geom.Vector{X: result[float64](dot, "outValue")}, matrix{{v.X, v.Y, v.Z}}.of(w, 0))
		scale.Next()
		feed(scale, "inValue", v)
		feed(scale, "inFactor", factor)
		scale.Phases()
		d.same("scaled", result[geom.Vector](scale, "outValue"), matrix{{factor}, {0, factor}, {0, 0, factor}}.of(v, 0))
	})
}
