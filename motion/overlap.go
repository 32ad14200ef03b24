package motion

import (
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Overlap is a motion in space that begins a second motion before the first one has come to its end: what is left of the
// first is added to the second, until nothing is left. Between two straight lines the way is a plane curve inside of the
// corner.
//
// With A the first motion, B the second one, which starts at rest where A ends at rest, and D = B(t)·B(0)⁻¹ what B has
// turned so far,
//
//	position              A + B - B(0)
//	rotation              D·A
//	velocity              A' + B'
//	angular velocity      B' + D·A'
//	acceleration          A″ + B″
//	angular acceleration  B″ + D·A″ + B'×(D·A')
//
// which is exact: everything is as continuous as A and B are, and the end is that of B.
//
// Where A brakes while B speeds up in the same direction, both cancel out and the overlap is free; the sharper the corner,
// the more they add up. Motions that are planned for 0.7 of the accelerations and jerks that there are can overlap in full
// at a right angle, planned for half of them at any. Otherwise B has to wait for A to brake less, which Plan finds out.
type Overlap struct {
	first, second InSpace
	begin         float64    // of the second
	start         geom.Frame // of the second
	back          geom.Rotation
}

// NewOverlap makes an overlap of two motions. Until it is planned one begins when the other has ended.
func NewOverlap(first, second InSpace) (*Overlap, error) {
	const (
		same = 1e-9 // m and rad
		rest = 1e-9 // m/s and rad/s
	)
	end, start := first.At(first.Duration()), second.At(0)
	switch off := end.Frame.Velocity(start.Frame, 1); {
	case !(off.Vel.Length() <= same && off.Rot.Length() <= same):
		return nil, fmt.Errorf("the second motion begins %v m and %v rad from the end of the first", off.Vel.Length(), off.Rot.Length())
	case !still(end.Velocity, rest) || !still(start.Velocity, rest):
		return nil, errors.New("the first motion must end at rest, and the second begin at rest")
	}
	return &Overlap{first, second, first.Duration(), start.Frame, start.Frame.Rot.Invert()}, nil
}

func still(t geom.Twist, rest float64) bool { return t.Vel.Length() <= rest && t.Rot.Length() <= rest }

// Begin lets the second motion begin at a time of the first one, whatever limits that leads beyond. It is fit for the
// cycle.
func (o *Overlap) Begin(at float64) { o.begin = min(max(at, 0), o.first.Duration()) }

// Plan lets the second motion begin at a time, or as soon after it as limits allow, and returns when that is. It looks at
// a thousand places of the overlap, and takes jerk for what acceleration changes between them. It is for loading. No limit
// is passed where none is without overlap.
func (o *Overlap) Plan(earliest float64, translation, rotation profile.Limits) float64 {
	o.Begin(earliest)
	if o.begin < o.first.Duration() && !o.keeps(o.begin, translation, rotation) {
		fits := func(t float64) bool { return o.keeps(t, translation, rotation) }
		o.Begin(change(o.first.Duration(), o.begin, fits))
	}
	return o.begin
}

// keeps looks at all of the overlap. Between two looks a value is taken to be greater by half of what it changes.
func (o *Overlap) keeps(begin float64, translation, rotation profile.Limits) bool {
	before := o.begin
	defer func() { o.begin = before }()
	o.begin = begin
	end := min(o.first.Duration(), begin+o.second.Duration())
	step := (end - begin) / looks
	last := o.At(begin)
	for i := range looks {
		next := o.At(begin + step*float64(i+1))
		if !within(last.Velocity.Vel, next.Velocity.Vel, last.Acceleration.Vel, next.Acceleration.Vel, step, translation) ||
			!within(last.Velocity.Rot, next.Velocity.Rot, last.Acceleration.Rot, next.Acceleration.Rot, step, rotation) {
			return false
		}
		last = next
	}
	return true
}

// within tells that velocity, acceleration and jerk are within limits between two looks.
func within(v, w, a, b geom.Vector, time float64, l profile.Limits) bool {
	most := func(a, b geom.Vector) float64 {
		return max(a.Length(), b.Length()) + b.Sub(a).Length()/2
	}
	const rounding = 1 + 1e-9
	jerk := b.Sub(a).Length() / time
	return most(v, w) <= l.Vel*rounding && most(a, b) <= l.Acc*rounding && (jerk <= l.Jerk*rounding || time == 0)
}

// Begins returns the time at which the second motion begins.
func (o *Overlap) Begins() float64 { return o.begin }

// Duration is the time at which both motions have ended.
func (o *Overlap) Duration() float64 { return max(o.first.Duration(), o.begin+o.second.Duration()) }

// At returns the pose at a time. It is fit for the cycle if both motions are.
func (o *Overlap) At(t float64) Pose {
	if t < o.begin {
		return o.first.At(t)
	}
	at := t - o.begin
	if t >= o.begin+o.second.Duration() {
		at = max(at, o.second.Duration()) // not missed by rounding
	}
	b := o.second.At(at)
	if t >= o.first.Duration() {
		return b
	}
	a := o.first.At(t)
	turned := b.Frame.Rot.Mul(o.back)
	spin := turned.Rotate(a.Velocity.Rot)
	return Pose{
		Frame: geom.Frame{Pos: a.Frame.Pos.Add(b.Frame.Pos.Sub(o.start.Pos)), Rot: turned.Mul(a.Frame.Rot)},
		Velocity: geom.Twist{
			Vel: a.Velocity.Vel.Add(b.Velocity.Vel),
			Rot: b.Velocity.Rot.Add(spin),
		},
		Acceleration: geom.Twist{
			Vel: a.Acceleration.Vel.Add(b.Acceleration.Vel),
			Rot: b.Acceleration.Rot.Add(turned.Rotate(a.Acceleration.Rot)).Add(b.Velocity.Rot.Cross(spin)),
		},
	}
}
