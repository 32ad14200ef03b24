package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// versor is a rotation as a quaternion, or a part of one. Other than a geom.Rotation it need not have the length 1, so that
// it can be the sum of two, and a product of what has not been brought to that length.
type versor struct{ w, x, y, z float64 }

func (a *versor) mul(b *versor) versor {
	return versor{
		a.w*b.w - a.x*b.x - a.y*b.y - a.z*b.z,
		a.w*b.x + a.x*b.w + a.y*b.z - a.z*b.y,
		a.w*b.y + a.y*b.w + a.z*b.x - a.x*b.z,
		a.w*b.z + a.z*b.w + a.x*b.y - a.y*b.x,
	}
}

// aboutX, aboutY and aboutZ turn after a, by twice an angle: a·Rx(2·half), a·Ry(2·half), a·Rz(2·half). The half may be of
// any length above 0; that of the versor changes alike.
func (a versor) aboutX(half angle) versor {
	s, c := half.sin, half.cos
	return versor{a.w*c - a.x*s, a.x*c + a.w*s, a.y*c + a.z*s, a.z*c - a.y*s}
}

func (a versor) aboutY(half angle) versor {
	s, c := half.sin, half.cos
	return versor{a.w*c - a.y*s, a.x*c - a.z*s, a.y*c + a.w*s, a.z*c + a.x*s}
}

func (a versor) aboutZ(half angle) versor {
	s, c := half.sin, half.cos
	return versor{a.w*c - a.z*s, a.x*c + a.y*s, a.y*c - a.x*s, a.z*c + a.w*s}
}

// rotate turns a vector by a, which has the length 1.
func (a *versor) rotate(v geom.Vector) geom.Vector {
	q := geom.Vector{X: a.x, Y: a.y, Z: a.z}
	t := q.Cross(v).Scale(2)
	return v.Add(t.Scale(a.w)).Add(q.Cross(t))
}

// halfTurn is a·Rz(π).
func (a *versor) halfTurn() versor { return versor{-a.z, a.y, -a.x, a.w} }

func (a *versor) invert() versor { return versor{a.w, -a.x, -a.y, -a.z} }

// turns are the angles of Rz(first)·Ry(tilt)·Rz(last), with a tilt from 0 to π. The other two are kept as half their sum
// and half their difference, which are what a quaternion has: each is as exact as the pose allows also where the other is
// not determined. That is so of the difference at the tilt 0, and of the sum at the tilt π, where both turn about one axis.
type turns struct {
	sum, difference, tilt float64
	up, across            float64 // cosine and sine of half the tilt, times the length of the versor
}

// aligned is the tangent or cotangent of half the tilt up to which what it belongs to is noise.
const aligned = 1e-13

func (a *versor) turns() (t turns) {
	up, across := math.Sqrt(a.w*a.w+a.z*a.z), math.Sqrt(a.x*a.x+a.y*a.y)
	t.up, t.across = up, across
	if up > aligned*across {
		t.sum = arc(a.z, a.w)
	}
	if across > aligned*up {
		t.difference = arc(-a.x, a.y)
	}
	t.tilt = 2 * arc(across, up)
	return t
}

func (t *turns) first() float64 { return t.sum + t.difference }
func (t *turns) last() float64  { return t.sum - t.difference }

// free reports whether first and last are undetermined.
func (t *turns) free() bool { return t.across <= aligned*t.up || t.up <= aligned*t.across }

// rates returns how fast the three angles change when the versor, of length 1, changes by d. Where two are not determined they rest.
func (t *turns) rates(a, d *versor) (first, tilt, last float64) {
	if t.free() {
		return 0, 0, 0
	}
	sum := (a.w*d.z - a.z*d.w) / (t.up * t.up)
	difference := (a.x*d.y - a.y*d.x) / (t.across * t.across)
	tilt = 2 * ((a.x*d.x+a.y*d.y)/t.across*t.up - (a.w*d.w+a.z*d.z)/t.up*t.across)
	return sum + difference, tilt, sum - difference
}

// pencil are the rotations that there are while something turns about a fixed line by an angle: cos(angle/2)·from +
// sin(angle/2)·half, where half is the rotation after a half turn.
type pencil struct{ from, half versor }

// at returns the rotation for half an angle, and what it changes by with the angle.
func (p *pencil) at(half angle) (a, change versor) {
	f, h := &p.from, &p.half
	sin, cos := half.sin, half.cos
	a = versor{cos*f.w + sin*h.w, cos*f.x + sin*h.x, cos*f.y + sin*h.y, cos*f.z + sin*h.z}
	sin, cos = sin/2, cos/2
	change = versor{cos*h.w - sin*f.w, cos*h.x - sin*f.x, cos*h.y - sin*f.y, cos*h.z - sin*f.z}
	return a, change
}
