package path

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Segment is a part of a path and the bounds of its shape.
type Segment struct {
	From, To              float64 // arc lengths
	Translation, Rotation Bounds
}

// Bounds are the largest lengths of the first three derivatives by arc length. Along a path in m the second one of the
// translation is the largest curvature, 1/m.
type Bounds struct{ First, Second, Third float64 }

// Limits returns within which velocity, acceleration and jerk the arc length of the whole path may change, in whatever
// way, so that the motion keeps to those of the point, in m and s, and of the orientation, in rad and s.
//
// With p the position by arc length s(t), v, a and j its derivatives by time, and B the bounds of |p'|, |p″| and |p‴|:
//
//	|velocity|     = |p'·v|                           ≤ B₁·v
//	|acceleration| = |p″·v² + p'·a|                   ≤ B₂·v² + B₁·a
//	|jerk|         = |p‴·v³ + 3·p″·v·a + p'·j|       ≤ B₃·v³ + 3·B₂·v·a + B₁·j
//
// and the same with the angular velocity by arc length for p'. The velocity is the largest that takes no more than half
// of the acceleration and a third of the jerk for itself, then the acceleration the largest that takes no more than another
// third of the jerk; what is left is for the jerk. Where a path has a corner no velocity keeps to an acceleration, and where
// a line meets a circle none keeps to a jerk: the limits are those of everything between.
func (p *Path) Limits(translation, rotation profile.Limits) profile.Limits {
	return limits(p.segments, translation, rotation)
}

// Limits returns the limits for the segment only.
func (s *Segment) Limits(translation, rotation profile.Limits) profile.Limits {
	return limits([]Segment{*s}, translation, rotation)
}

func limits(segments []Segment, translation, rotation profile.Limits) profile.Limits {
	l := profile.Limits{Vel: math.Inf(1), Acc: math.Inf(1), Jerk: math.Inf(1)}
	each := func(f func(b *Bounds, of *profile.Limits)) {
		for i := range segments {
			f(&segments[i].Translation, &translation)
			f(&segments[i].Rotation, &rotation)
		}
	}
	each(func(b *Bounds, of *profile.Limits) {
		v := min(share(of.Vel, 0, b.First), math.Sqrt(share(of.Acc/2, 0, b.Second)))
		l.Vel = min(l.Vel, v, math.Cbrt(share(of.Jerk/3, 0, b.Third)))
	})
	v := l.Vel
	each(func(b *Bounds, of *profile.Limits) {
		a := share(of.Acc, cost(b.Second, v*v), b.First)
		l.Acc = min(l.Acc, a, share(of.Jerk/9, 0, cost(b.Second, v)))
	})
	a := l.Acc
	each(func(b *Bounds, of *profile.Limits) {
		l.Jerk = min(l.Jerk, share(of.Jerk, cost(b.Third, v*v*v)+cost(3*b.Second, v*a), b.First))
	})
	return l
}

// share returns how much can be had for what has not been taken, also when it costs nothing.
func share(all, taken, price float64) float64 {
	if price == 0 || math.IsInf(all, 1) {
		return math.Inf(1)
	}
	return (all - taken) / price
}

// cost returns the price of an amount, also when that is infinite.
func cost(price, amount float64) float64 {
	if price == 0 {
		return 0
	}
	return price * amount
}

// segment looks at a piece everywhere.
func (p *piece) segment(rows []row, start, extent float64) Segment {
	const perRow, perTurn, least = 8, 400, 128
	each := max(perRow, least/len(rows))
	if p.carries && p.round {
		each += perTurn // what turns on a wheel does not turn with it further than once; else all stays the same
	}
	points := make([]Point, 0, each*len(rows)+1)
	look := func(u float64) {
		point := p.at(u)
		point.byLength(p.turns)
		points = append(points, point)
	}
	look(0)
	for i := range rows {
		for j := range each {
			look(rows[i].parameter(rows[i].start + float64(j+1)/float64(each)/rows[i].per))
		}
	}
	s := Segment{From: start, To: start + extent}
	s.Translation = bounds(points, func(t *geom.Twist) geom.Vector { return t.Vel })
	s.Rotation = bounds(points, func(t *geom.Twist) geom.Vector { return t.Rot })
	if p.turns {
		s.Rotation.First = 1
	} else {
		s.Translation.First = 1
	}
	return s
}

func bounds(points []Point, of func(*geom.Twist) geom.Vector) Bounds {
	return Bounds{
		largest(points, func(p *Point) float64 { return of(&p.First).Length() }),
		largest(points, func(p *Point) float64 { return of(&p.Second).Length() }),
		largest(points, func(p *Point) float64 { return of(&p.Third).Length() }),
	}
}

// largest returns the largest of a smooth function, of which some values are known: between two, it gets no higher than
// the one and half of what it has changed to either side.
func largest(points []Point, of func(*Point) float64) float64 {
	most, last, before := 0.0, of(&points[0]), 0.0
	for i := range points {
		value := of(&points[i])
		change := math.Abs(value - last)
		most = max(most, value+change/2, last+max(change, before)/2)
		last, before = value, change
	}
	return most
}
