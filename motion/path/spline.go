package path

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
)

// Ends are the conditions at the ends of a spline.
type Ends struct {
	// First derivatives by arc length, as those of a Point: the direction, and the rotation for each m (of a path that only
	// turns: the direction of the rotation). Without a direction the end is free: there the path is straight and turns evenly.
	Start, End geom.Twist

	// Closed leads from the last via point back to the first, as smoothly as through the others. Start and End do not count.
	Closed bool
}

// Spline returns a smooth path through at least two poses; from each to the next the orientation turns about on the shortest
// way. Where all differ in orientation only, it is a smooth turn. Between points that lie close to each other and others far
// away a spline swings out; where it would have to turn back on the spot it is refused.
func Spline(via []geom.Frame, ends Ends) (*Path, error) {
	s, err := newSteps(via, ends)
	if err != nil {
		return nil, named("spline", err)
	}
	start, end := s.direction(ends.Start), s.direction(ends.End)
	positions := s.knots(s.ways, start, end, func(t *geom.Twist) geom.Vector { return t.Vel })
	rotations := s.knots(s.turns, start, end, func(t *geom.Twist) geom.Vector { return t.Rot })
	pieces := make([]piece, len(s.lengths))
	for i, h := range s.lengths {
		a, b := positions[i].scale(h), positions[i+1].scale(h)
		b.value = s.ways[i]
		ra, rb := rotations[i].scale(h), rotations[i+1].scale(h)
		pieces[i] = newPiece(&piece{
			centre:   via[i].Pos,
			position: hermite(a, b),
			turn:     hermite(ra, rotationVector(s.turns[i], rb.first, rb.second)),
			base:     via[i].Rot,
			turns:    s.onlyTurns,
		})
	}
	return finish("spline", pieces...)
}

// steps are the ways from each via point to the next.
type steps struct {
	ways, turns []geom.Vector
	lengths     []float64 // of what the path is measured by
	onlyTurns   bool
	closed      bool
}

func newSteps(via []geom.Frame, ends Ends) (*steps, error) {
	n := len(via)
	if n < 2 || ends.Closed && n < 3 {
		return nil, fmt.Errorf("%d points are too few; a spline needs 2, a closed one 3", n)
	}
	for _, t := range [...]geom.Twist{ends.Start, ends.End} {
		if !t.Vel.Finite() || !t.Rot.Finite() {
			return nil, errors.New("a direction is not a number")
		}
	}
	s := &steps{onlyTurns: true, closed: ends.Closed}
	for i := range via {
		if !finite(via[i]) {
			return nil, fmt.Errorf("point %d is not a number", i+1)
		}
		s.onlyTurns = s.onlyTurns && via[i].Pos.Sub(via[0].Pos).Length() <= nanometre
	}
	if !ends.Closed {
		n--
	}
	for i := range n {
		next := (i + 1) % len(via)
		way, turn := via[next].Pos.Sub(via[i].Pos), between(via[i].Rot, via[next].Rot)
		length := way.Length()
		if s.onlyTurns {
			length = turn.Length()
		}
		if !(length > nanometre) {
			return nil, fmt.Errorf("points %d and %d are the same", i+1, next+1)
		}
		s.ways, s.turns, s.lengths = append(s.ways, way), append(s.turns, turn), append(s.lengths, length)
	}
	return s, nil
}

// direction brings what an end asks for to the speed 1 that a spline over the lengths of its chords about has. It is nil
// where an end is free.
func (s *steps) direction(t geom.Twist) *geom.Twist {
	length := t.Vel.Length()
	if s.onlyTurns {
		length = t.Rot.Length()
	}
	if !(length > 0) {
		return nil
	}
	t = t.Scale(1 / length)
	return &t
}

// settled is after how many points nothing is left of what a spline does at an end: of each point at most half reaches the
// next.
const settled = 64

// knots returns the derivatives that the cubic spline of steps has at the via points. A closed one goes round often enough
// for its ends not to matter in the round that is taken.
func (s *steps) knots(by []geom.Vector, start, end *geom.Twist, of func(*geom.Twist) geom.Vector) []knot {
	lengths, n := s.lengths, len(by)
	if s.closed {
		rounds := (settled+n-1)/n*2 + 1
		var all []geom.Vector
		lengths = nil
		for range rounds {
			all, lengths = append(all, by...), append(lengths, s.lengths...)
		}
		k := cubic(lengths, all, nil, nil)[rounds/2*n:][:n+1]
		k[n] = k[0]
		return k
	}
	given := func(t *geom.Twist) *geom.Vector {
		if t == nil {
			return nil
		}
		v := of(t)
		return &v
	}
	return cubic(lengths, by, given(start), given(end))
}

// cubic returns the derivatives of the cubic spline of steps at its points: the second ones are the same on both sides,
// which leads to one equation for the first ones of each point and its neighbours. Steps of rotations do not add up
// exactly; there the second ones are the mean of both sides.
func cubic(lengths []float64, steps []geom.Vector, start, end *geom.Vector) []knot {
	n := len(steps)
	slope := func(i int) geom.Vector { return steps[i].Scale(1 / lengths[i]) }
	k, upper := make([]knot, n+1), make([]float64, n+1)
	// lower·first[i-1] + diagonal·first[i] + next·first[i+1] = right, from the first to the last equation
	eliminate := func(i int, lower, diagonal, next float64, right geom.Vector) {
		if i > 0 {
			diagonal -= lower * upper[i-1]
			right = right.Sub(k[i-1].first.Scale(lower))
		}
		upper[i], k[i].first = next/diagonal, right.Scale(1/diagonal)
	}
	if start != nil {
		eliminate(0, 0, 1, 0, *start)
	} else {
		eliminate(0, 0, 2, 1, slope(0).Scale(3))
	}
	for i := 1; i < n; i++ {
		before, behind := lengths[i-1], lengths[i]
		eliminate(i, behind, 2*(before+behind), before, slope(i-1).Scale(3*behind).Add(slope(i).Scale(3*before)))
	}
	if end != nil {
		eliminate(n, 0, 1, 0, *end)
	} else {
		eliminate(n, 1, 2, 0, slope(n-1).Scale(3))
	}
	for i := n - 1; i >= 0; i-- {
		k[i].first = k[i].first.Sub(k[i+1].first.Scale(upper[i]))
	}
	behind := func(i int) geom.Vector {
		return slope(i).Scale(6).Sub(k[i].first.Scale(4)).Sub(k[i+1].first.Scale(2)).Scale(1 / lengths[i])
	}
	before := func(i int) geom.Vector {
		return k[i-1].first.Scale(2).Add(k[i].first.Scale(4)).Sub(slope(i - 1).Scale(6)).Scale(1 / lengths[i-1])
	}
	k[0].second, k[n].second = behind(0), before(n)
	for i := 1; i < n; i++ {
		k[i].second = before(i).Lerp(behind(i), 0.5)
	}
	return k
}
