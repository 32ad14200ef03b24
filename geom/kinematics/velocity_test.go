package kinematics_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

var inverse = kinematics.Inverse{Length: 0.5, Least: 0.05}

func size(t geom.Twist) float64 {
	v, w := t.Vel.Scale(1/inverse.Length), t.Rot
	return math.Sqrt(v.Dot(v) + w.Dot(w))
}

func length(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// TestInverse: away from singularities the tip has the twist that is wanted; nowhere velocities are above their bound;
// and in the null space the joints do what is wished.
func TestInverse(t *testing.T) {
	m := newMaker(6)
	exactly := 0
	for _, c := range []*kinematics.Chain{kr16(), panda(), lwr(), ur5(), youBot()} {
		for range 4000 {
			q := anywhere(c, m.Rand)
			if m.IntN(4) == 0 { // near a singularity: two axes of the wrist on one line
				q[len(q)-2] = math.Pow(10, -12*m.Float64())
			}
			var j geom.Jacobian
			c.Jacobian(q, &j)
			want := geom.Twist{Vel: m.vector(), Rot: m.vector()}
			got := make([]float64, c.Len())
			exact := inverse.Velocities(&j, want, nil, got)
			if l := length(got); !(l <= size(want)/inverse.Least*(1+1e-9)) {
				t.Fatalf("velocities %v, %v for a twist of %v", got, l, size(want))
			}
			_, least := inverse.Dexterity(&j)
			if c.Len() >= 6 && least > inverse.Least*1.001 && !exact {
				t.Fatalf("not exact, but the least singular value is %v", least)
			}
			if off := size(j.Twist(got).Sub(want)); exact && !(off <= 1e-9*size(want)) {
				t.Fatalf("%v away from the twist", off)
			}
			if !exact {
				continue
			}
			exactly++
			wish, other := m.values(c.Len()), make([]float64, c.Len())
			if !inverse.Velocities(&j, want, wish, other) || !(size(j.Twist(other).Sub(want)) <= 1e-9*(size(want)+length(wish))) {
				t.Fatalf("a wish changes the twist by %v", size(j.Twist(other).Sub(want)))
			}
			// Of all velocities with this twist, none are nearer: what is left of the wish has no part in the null space.
			apart := make([]float64, c.Len())
			for i := range apart {
				apart[i] = wish[i] - other[i]
			}
			if inside := nullPart(&j, apart); !(inside <= 1e-8*(1+length(apart))) {
				t.Fatalf("the wish was %v away", inside)
			}
		}
	}
	if exactly < 10_000 {
		t.Errorf("only %d twists are exact", exactly)
	}
}

// nullPart returns what of velocities moves the joints and not the tip, by relaxation: the rest is removed along the
// columns bit by bit.
func nullPart(j *geom.Jacobian, v []float64) float64 {
	v = append([]float64(nil), v...)
	rows := make([][]float64, 6)
	for r := range rows {
		rows[r] = make([]float64, len(v))
		for i := range v {
			c := j.Columns[i]
			rows[r][i] = [...]float64{c.Vel.X, c.Vel.Y, c.Vel.Z, c.Rot.X, c.Rot.Y, c.Rot.Z}[r]
		}
		for _, other := range rows[:r] { // Gram and Schmidt
			remove(rows[r], other)
			remove(rows[r], other)
		}
		if l := length(rows[r]); l > 1e-9 {
			remove(v, rows[r])
		}
	}
	return length(v)
}

// remove removes from v what it has in the direction of u.
func remove(v, u []float64) {
	along, square := 0.0, 0.0
	for i := range u {
		along += u[i] * v[i]
		square += u[i] * u[i]
	}
	for i := range u {
		if square > 1e-18 {
			v[i] -= along / square * u[i]
		}
	}
}

// TestInverseIsContinuous goes through singularities.
func TestInverseIsContinuous(t *testing.T) {
	c := kr16()
	want := geom.Twist{Vel: geom.Vector{X: 0.1, Y: -0.2, Z: 0.3}, Rot: geom.Vector{X: 0.3, Y: 0.1, Z: -0.2}}
	var before []float64
	const step = 1e-5
	for bend := -0.2; bend < 0.2; bend += step {
		var j geom.Jacobian
		c.Jacobian([]float64{0.1, -1.2, 1.1, 0.4, bend, 0.7}, &j)
		v := make([]float64, 6)
		inverse.Velocities(&j, want, nil, v)
		if before != nil {
			change := make([]float64, 6)
			for i := range v {
				change[i] = v[i] - before[i]
			}
			// The slope of velocities is 1/Least² at most, times how fast the Jacobian changes.
			if l := length(change); !(l <= 5*step*size(want)/inverse.Least/inverse.Least) {
				t.Fatalf("at %v velocities jump by %v", bend, l)
			}
		}
		before = v
	}
}

// TestAcceleration: with Drift, accelerations lead to the derivative of the twist that is wanted.
func TestAcceleration(t *testing.T) {
	m := newMaker(7)
	c := kr16()
	for range 2000 {
		q, v := anywhere(c, m.Rand), m.values(c.Len())
		q[4] = 0.5 + m.Float64()
		var j geom.Jacobian
		c.Jacobian(q, &j)
		want := geom.Twist{Vel: m.vector(), Rot: m.vector()}
		a := make([]float64, c.Len())
		if !inverse.Velocities(&j, want.Sub(c.Drift(q, v)), nil, a) {
			continue
		}
		const short = 1e-5
		at := func(time float64) geom.Twist {
			return c.Twist(ahead(ahead(q, v, time), a, time*time/2), ahead(v, a, time))
		}
		got := at(short / 2).Sub(at(-short / 2)).Scale(1 / short)
		if scale := 1 + length(v) + length(a); !(size(got.Sub(want)) <= 1e-8*scale*scale*scale) {
			t.Fatalf("acceleration %v, want %v", got, want)
		}
	}
}

// TestDexterity compares with what is known of simple arms: of two equal links that turn in a plane, the manipulability
// is the product of their lengths and the sine between them.
func TestDexterity(t *testing.T) {
	c := must(kinematics.Standard(geom.Frame{}, []kinematics.Row{{A: 0.5, Joint: free("1")}, {A: 0.4, Joint: free("2")}}, geom.Frame{}))
	measure := kinematics.Inverse{Length: 1e-4, Least: 0.1} // so small that rotations hardly count
	for _, bend := range []float64{0.3, 1, math.Pi / 2, 3} {
		var j geom.Jacobian
		c.Jacobian([]float64{0.2, bend}, &j)
		all, least := measure.Dexterity(&j)
		if want := 0.5 * 0.4 * math.Sin(bend) * 1e8; math.Abs(all-want) > 1e-4*want || !(least*least <= all) {
			t.Errorf("bent by %v: %v, want %v; the least is %v", bend, all, want, least)
		}
	}
	var j geom.Jacobian
	p := panda()
	p.Jacobian([]float64{0, 0, 0, -1.5, 0, 0, 0}, &j) // axes 5 and 7 are parallel, but not on one line
	if _, least := inverse.Dexterity(&j); !(least > 1e-3) {
		t.Errorf("least %v", least)
	}
	k := kr16()
	k.Jacobian([]float64{0.1, -1.2, 1.1, 0.4, 0, 0.7}, &j) // axes 4 and 6 are on one line: roots of what rounding leaves
	if all, least := inverse.Dexterity(&j); !(least < 1e-6) || !(all < 1e-6) {
		t.Errorf("in a singularity the least is %v, and all %v", least, all)
	}
	j.Columns[3].Vel.X = math.NaN()
	if all, least := inverse.Dexterity(&j); all == all || least == least {
		t.Error("of what is not a number", all, least)
	}
	if v := []float64{7}; inverse.Velocities(&j, geom.Twist{}, nil, v) || v[0] != 7 {
		t.Error("without room", v)
	}
}

// TestInverseWeighs: an arm with five joints, which bends in a plane, follows every twist as far as it counts, when turns
// out of this plane do not.
func TestInverseWeighs(t *testing.T) {
	m, c := newMaker(16), youBot()
	free := inverse
	free.Along, free.About = geom.Vector{X: 1, Y: 1, Z: 1}, geom.Vector{Y: 1, Z: 1}
	exactly := 0
	for range 2000 {
		q, v := anywhere(c, m.Rand), make([]float64, c.Len())
		q[1], q[2], q[3], q[4] = 0.5+m.Float64()/2, 0.5+m.Float64()/2, 0.5, 0 // bent, and away from the first axis
		var j geom.Jacobian
		at := c.Jacobian(q, &j)
		j.Rotate(at.Rot.Invert()) // seen from the tip
		want := geom.Twist{Vel: m.vector(), Rot: m.vector()}
		if inverse.Velocities(&j, want, nil, v) {
			t.Fatalf("five joints follow %v", want)
		}
		if !free.Velocities(&j, want, nil, v) {
			continue
		}
		exactly++
		off := j.Twist(v).Sub(want)
		off.Rot.X = 0
		if !(size(off) <= 1e-9*(1+size(want)+length(v))) {
			t.Fatalf("%v away from the twist", off)
		}
	}
	if exactly < 1000 {
		t.Errorf("only %d twists are exact", exactly)
	}
	free.Along.X = -1
	if v := make([]float64, c.Len()); free.Velocities(&geom.Jacobian{Len: 5}, geom.Twist{}, nil, v) {
		t.Error("a weight below 0")
	}
}
