package geom_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

var orders = map[geom.Order]string{
	geom.XYX: "XYX", geom.XYZ: "XYZ", geom.XZX: "XZX", geom.XZY: "XZY", geom.YXY: "YXY", geom.YXZ: "YXZ",
	geom.YZX: "YZX", geom.YZY: "YZY", geom.ZXY: "ZXY", geom.ZXZ: "ZXZ", geom.ZYX: "ZYX", geom.ZYZ: "ZYZ",
}

// TestEuler in all orders, also at and close to where a and c turn about the same axis: angles in, the same rotation out.
func TestEuler(t *testing.T) {
	axis := map[rune]geom.Vector{'X': {X: 1}, 'Y': {Y: 1}, 'Z': {Z: 1}}
	for order, name := range orders {
		proper := name[0] == name[2]
		forAll(t, func(m maker, check tried) {
			a, b, c := 7*m.NormFloat64(), 7*m.NormFloat64(), 7*m.NormFloat64()
			if m.IntN(2) == 0 {
				b = math.Pi/2*float64(m.IntN(5)-2) + math.Copysign(math.Pow(10, -18*m.Float64()), c)*float64(m.IntN(2))
			}
			r, want := geom.FromEuler(order, a, b, c), geom.Rotation{}
			for i, angle := range []float64{a, b, c} {
				want = want.Mul(geom.FromAxisAngle(axis[rune(name[i])], angle))
			}
			check.rotation(name, r, want)
			for _, r := range []geom.Rotation{r, m.rotation()} {
				a, b, c = r.Euler(order)
				if off := geom.FromEuler(order, a, b, c).To(r).Angle(); !(off < 4e-15) {
					t.Fatalf("%s: %v has the angles %v, %v, %v, which are %g away", name, r, a, b, c, off)
				}
				if math.Abs(a) > math.Pi || math.Abs(c) > math.Pi || proper && (b < 0 || b > math.Pi) || !proper && math.Abs(b) > math.Pi/2 {
					t.Fatalf("%s: angles %v, %v, %v", name, a, b, c)
				}
			}
			a, b, c = m.Float64()*6-3, m.Float64()*3-1.5, m.Float64()*6-3
			if proper {
				b = m.Float64() + 1
			}
			ra, rb, rc := geom.FromEuler(order, a, b, c).Euler(order)
			check.vector("same angles", geom.Vector{X: ra, Y: rb, Z: rc}, geom.Vector{X: a, Y: b, Z: c})
		})
		for _, b := range map[bool][]float64{true: {0, math.Pi}, false: {math.Pi / 2, -math.Pi / 2}}[proper] {
			if ra, rb, rc := geom.FromEuler(order, 0.3, b, 0).Euler(order); math.Abs(ra-0.3) > 1e-15 || rb != b || rc != 0 {
				t.Errorf("%s at %v: %v %v %v", name, b, ra, rb, rc)
			}
		}
	}
}

func TestEulerAndABC(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		r := m.rotation()
		a, b, c := r.ABC()
		ea, eb, ec := r.Euler(geom.ZYX)
		check.vector("ZYX", geom.Vector{X: ea, Y: eb, Z: ec}, geom.Vector{X: a, Y: b, Z: c})
		if ea, eb, ec := r.Euler(geom.Order(12 + m.IntN(244))); math.IsNaN(ea + eb + ec) {
			t.Fatal("no order")
		}
	})
}

// nearly returns a vector whose direction is hardly away from that of v, or from the opposite one.
func (m maker) nearly(v geom.Vector) geom.Vector {
	v = v.Scale(math.Copysign(0.1+m.Float64(), m.NormFloat64()))
	return v.Add(m.vector().Scale(math.Pow(10, -20*m.Float64()) * float64(m.IntN(2))))
}

func TestBetween(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		v := m.vector()
		for _, w := range []geom.Vector{m.vector(), m.nearly(v)} {
			r := geom.Between(v, w)
			check.vector("turned", r.Rotate(v.Unit()), w.Unit())
			check.number("shortest", r.Angle(), v.Angle(w))
			check.number("angle", v.Angle(w), w.Angle(v))
		}
	})
	for _, v := range []geom.Vector{{X: 1}, {Y: -1}, {Z: 1}, {X: 1, Y: 1, Z: 1}} {
		if geom.Between(v, v) != (geom.Rotation{}) || geom.Between(v, geom.Vector{}) != (geom.Rotation{}) {
			t.Error("there is nothing between", v)
		}
	}
}

func TestFromAxes(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		x := m.vector()
		for _, y := range []geom.Vector{m.vector(), m.nearly(x)} {
			r, found := geom.FromAxes(x, y)
			if across := x.Unit().Cross(y.Unit()).Length(); found && across < 0.9e-12 || !found && across > 1.1e-12 {
				t.Fatalf("%v, %v: found %t", x, y, found)
			}
			if !found {
				continue
			}
			back := r.Invert()
			check.vector("X", back.Rotate(x.Unit()), geom.Vector{X: 1})
			inside := back.Rotate(y)
			if inside.Y < 0 || math.Abs(inside.Z) > 1e-14 {
				t.Fatalf("%v lies at %v", y, inside)
			}
		}
	})
}

func TestFromPoints(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		want := m.frame()
		onX := want.Point(geom.Vector{X: 0.1 + m.Float64()})
		inXY := want.Point(geom.Vector{X: m.NormFloat64(), Y: 0.1 + m.Float64()})
		got, found := geom.FromPoints(want.Pos, onX, inXY)
		if !found {
			t.Fatal("not found")
		}
		check.size = 100
		check.frame("three points", got, want)
		if !got.Near(want, 1e-12, 1e-12) || got.Near(want.Mul(geom.Frame{Pos: geom.Vector{X: 1e-9}}), 1e-12, 1e-12) ||
			got.Near(want.Mul(geom.Frame{Rot: geom.FromABC(0, 0, 1e-9)}), 1e-12, 1e-12) {
			t.Fatal("near", got, want)
		}
	})
	if _, found := geom.FromPoints(geom.Vector{X: 1}, geom.Vector{X: 2}, geom.Vector{X: 5}); found {
		t.Error("points on a line")
	}
	nan := geom.Vector{X: math.NaN()}
	if _, found := geom.FromPoints(nan, geom.Vector{X: 2}, geom.Vector{Y: 5}); found || nan.Near(nan, math.Inf(1)) {
		t.Error("NaN is not a place to fit")
	}
}

func TestMean(t *testing.T) {
	forAll(t, func(m maker, check tried) {
		center := m.rotation()
		var of []geom.Rotation
		for range m.IntN(5) + 1 { // each with its opposite
			v := m.vector().Unit().Scale(1.5 * m.Float64())
			of = append(of, center.Mul(geom.Exp(v)), center.Mul(geom.Exp(v.Neg())))
		}
		check.rotation("mean", geom.Mean(of...), center)
		axis := m.vector()
		check.rotation("of angles", geom.Mean(geom.FromAxisAngle(axis, 0.3), geom.FromAxisAngle(axis, -0.6), geom.FromAxisAngle(axis, 0.6)), geom.FromAxisAngle(axis, 0.1))
	})
	if geom.Mean() != (geom.Rotation{}) {
		t.Error("the mean of none")
	}
}

func ExampleFromPoints() {
	corner := geom.Vector{X: 0.5, Y: 0.2, Z: 0.8}
	f, found := geom.FromPoints(corner, corner.Add(geom.Vector{Y: 0.3}), corner.Add(geom.Vector{X: -0.1}))
	a, b, c := f.Rot.ABC()
	fmt.Printf("%t %v %.0f° %.0f° %.0f°\n", found, f.Pos, a/geom.Degree, b/geom.Degree, c/geom.Degree)
	// Output: true {x:0.5,y:0.2,z:0.8} 90° 0° 0°
}

func ExampleParseFrame() {
	_, err := geom.ParseFrame("{pos:{x:1,y:0},rot:{z:1}}")
	fmt.Println(err)
	f, err := geom.ParseFrame("{pos:{x:1},rot:{a:0.5}}")
	fmt.Println(f, err)
	// Output:
	// "{pos:{x:1,y:0},rot:{z:1}}" is no frame: "z" is none of its members a b c, at 20
	// {pos:{x:1,y:0,z:0},rot:{a:0.5,b:0,c:0}} <nil>
}
