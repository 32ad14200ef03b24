package path

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Orientation is how the orientation changes along a circle. The reference of a change is the space ($CIRC_TYPE =
// #BASE of the language KRL) or the circle (#PATH); there is a change ($ORI_TYPE = #VAR) or none (#CONSTANT).
type Orientation uint8

// The orientations along a circle.
const (
	Turning        Orientation = iota // from that of the start to that of the end, on the shortest way as seen from the space
	Constant                          // that of the start
	TurningOnWheel                    // carried round by the circle, and on it from that of the start to that of the end
	FixedOnWheel                      // that of the start, carried round by the circle
)

// Arc returns the part of a circle from a start through a point to an end. The argument o says what the orientation at the end is.
func Arc(from geom.Frame, via geom.Vector, to geom.Frame, o Orientation) (*Path, error) {
	const place = "circle"
	if !finite(from) || !finite(to) || !via.Finite() {
		return nil, named(place, errNotFinite)
	}
	a, b := via.Sub(from.Pos), to.Pos.Sub(from.Pos)
	switch {
	case a.Length() <= nanometre:
		return nil, named(place, errors.New("the start and the via point are the same"))
	case b.Sub(a).Length() <= nanometre:
		return nil, named(place, errors.New("the via point and the end are the same"))
	case b.Length() <= nanometre:
		return nil, named(place, errors.New("start and end are the same; a full circle needs a centre and an axis"))
	}
	axis := a.Cross(b)
	if onALine(a, b, axis) {
		return nil, named(place, errors.New("the three points lie on a line"))
	}
	// The centre has the same distance from all three.
	square := axis.Dot(axis)
	toCentre := b.Scale(a.Dot(a) / square).Sub(a.Scale(b.Dot(b) / square)).Cross(axis).Scale(0.5)
	radius, end := toCentre.Neg(), b.Sub(toCentre)
	axis = axis.Unit()
	angle := math.Atan2(axis.Dot(radius.Cross(end)), radius.Dot(end))
	if angle <= 0 {
		angle += 2 * math.Pi
	}
	return circle(from, from.Pos.Add(toCentre), axis.Scale(angle), to.Rot, o)
}

// onALine reports whether the height of a triangle is less than a millionth of its longest side.
func onALine(a, b, cross geom.Vector) bool {
	const flat = 1e-6
	longest := max(a.Dot(a), b.Dot(b), b.Sub(a).Dot(b.Sub(a)))
	return !(cross.Length() > flat*longest)
}

// Circle returns the part of a circle about an axis, of any length, through a centre: by an angle, that may be negative and
// more than a whole turn. The orientation is Constant or FixedOnWheel.
func Circle(from geom.Frame, centre, axis geom.Vector, angle float64, o Orientation) (*Path, error) {
	const place = "circle"
	if !finite(from) || !centre.Finite() || !axis.Finite() || !(math.Abs(angle) <= math.MaxFloat64) {
		return nil, named(place, errNotFinite)
	}
	if o != Constant && o != FixedOnWheel {
		return nil, named(place, errors.New("a circle about an axis needs a constant orientation, or one that turns with it"))
	}
	axis = axis.Unit()
	if axis == (geom.Vector{}) {
		return nil, named(place, errors.New("the axis has no direction"))
	}
	off := from.Pos.Sub(centre)
	centre = centre.Add(axis.Scale(axis.Dot(off))) // in the plane of the circle
	if from.Pos.Sub(centre).Length() <= nanometre {
		return nil, named(place, errors.New("the start lies on the axis"))
	}
	if math.Abs(angle)*from.Pos.Sub(centre).Length() <= nanometre {
		return nil, named(place, errors.New("start and end are the same"))
	}
	return circle(from, centre, axis.Scale(angle), from.Rot, o)
}

func circle(from geom.Frame, centre, wheel geom.Vector, end geom.Rotation, o Orientation) (*Path, error) {
	p := piece{position: polynomial{from.Pos.Sub(centre)}, base: from.Rot, centre: centre, wheel: wheel}
	switch o {
	case Turning:
		p.turn[1] = between(from.Rot, end)
	case Constant:
	case TurningOnWheel:
		p.turn[1], p.carries = between(from.Rot, geom.Exp(wheel).Invert().Mul(end)), true
	case FixedOnWheel:
		p.carries = true
	default:
		return nil, named("circle", fmt.Errorf("unknown orientation %d", o))
	}
	return finish("circle", newPiece(&p))
}
