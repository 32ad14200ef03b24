package motion

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// Settle is a motion in space from any state, in the middle of another motion for instance, to rest at a pose. Between
// the two lies an offset – a vector, and a rotation vector as seen from the pose at which it is to rest – whose
// parts are brought to 0 in a common time. A motion that begins at this pose can follow in an Overlap: that is a blend
// from wherever a motion has been left.
//
// Where an offset is not all in one direction, first its acceleration comes to its end, with all the jerk that there is.
// Then the parts of the vector get shares of its limits, as it must not be longer than the limit in any direction: the
// direction in which it is moving the largest one. So limits of velocity, acceleration and jerk are kept from states that
// keep them, except for a velocity at its limit with an acceleration across it, which nothing can take back at once.
//
// A rotation vector r turns with the angular velocity J(r)·r'. Its left Jacobian makes nothing longer, and is 1 for all
// that is parallel to r. Its changes take some of the acceleration, up to k·|r'|²: where turns are not
// about one axis, half of the acceleration and of the jerk is left to it, and r' is kept below what takes the half. Only a
// faster start takes more. Then limits of rotation can be passed for a while, that of velocity as well: across a way of half
// a turn r' begins π/2 times as fast as the body turns, and comes to its own limit only by and by. A body that must not pass them
// stops turning first.
type Settle struct {
	to        geom.Frame
	way, turn offset
	duration  float64
}

// offset is a vector that is brought to 0 in three directions at right angles. First, if it is not all in one direction,
// its acceleration comes to an end.
type offset struct {
	start      derivatives
	jerk       geom.Vector // until first
	first      float64
	directions [3]geom.Vector
	axes       *Joints
	from       []profile.State
	to         []profile.Goal
	limits     []profile.Limits
	states     []profile.State
}

// NewSettle makes a motion that rests at the reference.
func NewSettle() *Settle { return &Settle{way: newOffset(), turn: newOffset()} }

func newOffset() offset {
	const n = 3
	return offset{
		axes: NewJoints(n), from: make([]profile.State, n), to: make([]profile.Goal, n),
		limits: make([]profile.Limits, n), states: make([]profile.State, n),
	}
}

// Plan makes the motion. Translation and rotation end at the same time. When there is no motion, the result says why; then
// Settle is not to be used. It is fit for the cycle.
func (s *Settle) Plan(from Pose, to geom.Frame, translation, rotation profile.Limits) profile.Result {
	s.to = to
	way := derivatives{from.Frame.Pos.Sub(to.Pos), from.Velocity.Vel, from.Acceleration.Vel}
	turn := turning(from.Frame.Rot.Mul(to.Rot.Invert()).Log(), from.Velocity.Rot, from.Acceleration.Rot)
	s.way.aim(way, translation)
	if s.turn.aim(turn, rotation) {
		s.turn.slower(turn[0].Length(), rotation)
	}
	a, b := &s.way, &s.turn
	if out := a.plan(); !out.Solved() {
		return out.Result
	}
	if out := b.plan(); !out.Solved() {
		return out.Result
	}
	// Times that one can do and the other one cannot are passed over.
	const passes = 8
	t := 0.0
	for range passes {
		both := b.duration(a.duration(t))
		if both <= t*(1+rounding) {
			break
		}
		t = both
	}
	if !finite(t) {
		return profile.NoCourse
	}
	a.in(t)
	b.in(t)
	s.duration = t
	return profile.Solved
}

// Duration is the time at which it rests.
func (s *Settle) Duration() float64 { return s.duration }

// At returns the pose at a time. It is fit for the cycle, but not for several at the same time.
func (s *Settle) At(t float64) Pose {
	if t >= s.duration {
		return Pose{Frame: s.to}
	}
	way, turn := s.way.at(t), s.turn.at(t)
	velocity, acceleration := spin(turn)
	return Pose{
		Frame:        geom.Frame{Pos: s.to.Pos.Add(way[0]), Rot: geom.Exp(turn[0]).Mul(s.to.Rot)},
		Velocity:     geom.Twist{Vel: way[1], Rot: velocity},
		Acceleration: geom.Twist{Vel: way[2], Rot: acceleration},
	}
}

// derivatives are a vector, and its first and second derivatives by time.
type derivatives [3]geom.Vector

// aim finds directions and limits, and reports whether there is more than one direction.
func (o *offset) aim(d derivatives, l profile.Limits) (several bool) {
	o.start, o.jerk, o.first = d, geom.Vector{}, 0
	if several = !d.straight(); several && !steep(l) && d[2] != (geom.Vector{}) {
		o.first = d[2].Length() / l.Jerk
		o.jerk = d[2].Scale(-1 / o.first)
		d = d.after(o.first, o.jerk)
		d[2] = geom.Vector{}
	}
	e := direction(d[1], d[0], d[2])
	across := func(v geom.Vector) geom.Vector { return v.Sub(e.Scale(e.Dot(v))) }
	second := direction(across(d[0]), across(geom.Vector{X: 1}), across(geom.Vector{Y: 1}))
	o.directions = [3]geom.Vector{e, second, e.Cross(second)}
	shares := [3]float64{math.Sqrt2 / 2, 0.5, 0.5}
	if !several {
		shares = [3]float64{1, 1, 1} // the others rest
	}
	from, limits := o.from, o.limits
	for i, e := range o.directions {
		if i >= len(from) || i >= len(limits) {
			break
		}
		from[i] = profile.State{Pos: e.Dot(d[0]), Vel: e.Dot(d[1]), Acc: e.Dot(d[2])}
		limits[i] = profile.Limits{Vel: shares[i] * l.Vel, Acc: shares[i] * l.Acc, Jerk: shares[i] * l.Jerk}
	}
	return several
}

// straight tells that all derivatives have the same direction.
func (d *derivatives) straight() bool {
	const little = 1e-9
	e := direction(d[1], d[0], d[2])
	for _, v := range d {
		if off := v.Sub(e.Scale(e.Dot(v))); !(off.Length() <= little*v.Length()) {
			return false
		}
	}
	return true
}

// after returns the derivatives after a time with constant jerk.
func (d *derivatives) after(t float64, jerk geom.Vector) derivatives {
	return derivatives{
		d[0].Add(d[1].Scale(t)).Add(d[2].Scale(t * t / 2)).Add(jerk.Scale(t * t * t / 6)),
		d[1].Add(d[2].Scale(t)).Add(jerk.Scale(t * t / 2)),
		d[2].Add(jerk.Scale(t)),
	}
}

// slower leaves room to what the Jacobian of a rotation vector adds.
func (o *offset) slower(angle float64, l profile.Limits) {
	k := angle/6 + angle*angle/24 + angle*angle*angle/120 // bounds what spin adds to the acceleration
	vel := min(1, math.Sqrt(l.Acc/(2*k))/l.Vel)
	limits := o.limits
	for i := range limits {
		limits[i].Vel *= vel
		limits[i].Acc /= 2
		limits[i].Jerk /= 2
	}
}

// direction returns that of the first of some vectors that has one.
func direction(of ...geom.Vector) geom.Vector {
	const nothing = 1e-12
	for _, v := range of {
		if v.Length() > nothing {
			return v.Unit()
		}
	}
	return geom.Vector{X: 1}
}

func (o *offset) plan() Outcome {
	return o.axes.Plan(Synchronous, o.from, o.to, o.limits)
}

// duration is how long the offset needs, or the first time from t on that is possible.
func (o *offset) duration(t float64) float64 {
	t, _ = o.axes.common(max(0, t-o.first))
	return o.first + t
}

func (o *offset) in(t float64) { o.axes.together(max(0, t-o.first)) }

func (o *offset) at(t float64) (d derivatives) {
	if t < o.first {
		return o.start.after(max(0, t), o.jerk)
	}
	o.axes.At(t-o.first, o.states)
	states := o.states
	for i, e := range o.directions {
		if i >= len(states) {
			break
		}
		s := &states[i]
		d[0], d[1], d[2] = d[0].Add(e.Scale(s.Pos)), d[1].Add(e.Scale(s.Vel)), d[2].Add(e.Scale(s.Acc))
	}
	return d
}

// spin returns angular velocity and acceleration of a body whose rotation vector moves:
//
//	ω = r' + b·r×r' + c·r×(r×r'),  b = (1-cos α)/α², c = (α-sin α)/α³, α = |r|
//
// and its derivative.
func spin(d derivatives) (velocity, acceleration geom.Vector) {
	r, v, a := d[0], d[1], d[2]
	angle := r.Length()
	b, c, b1, c1 := 0.5, 1.0/6, -1.0/12, -1.0/60 // b1 and c1 are the derivatives by α, over α
	if square := angle * angle; angle > 0.03 {
		sin, cos := math.Sincos(angle)
		half := math.Sin(angle / 2)
		b, c = 2*half*half/square, (angle-sin)/(square*angle)
		b1, c1 = (sin/angle-2*b)/square, ((1-cos)/square-3*c)/square
	} else {
		b, c = b-square/24, c-square/120
		b1, c1 = b1+square/180, c1+square/1260
	}
	along := r.Dot(v)
	rv := r.Cross(v)
	rrv := r.Cross(rv)
	velocity = v.Add(rv.Scale(b)).Add(rrv.Scale(c))
	ra := r.Cross(a)
	acceleration = a.Add(ra.Scale(b)).Add(r.Cross(ra).Scale(c)).Add(v.Cross(rv).Scale(c))
	return velocity, acceleration.Add(rv.Scale(b1 * along)).Add(rrv.Scale(c1 * along))
}

// turning returns the derivatives of a rotation vector whose body has an angular velocity and acceleration: spin
// backwards.
func turning(r, velocity, acceleration geom.Vector) derivatives {
	angle := r.Length()
	k := 1.0 / 12 // (1 - α/2·cot α/2)/α²
	if angle > 1e-3 {
		sin, cos := math.Sincos(angle / 2)
		k = (1 - angle/2*cos/sin) / (angle * angle)
	}
	inverse := func(w geom.Vector) geom.Vector {
		rw := r.Cross(w)
		return w.Sub(rw.Scale(0.5)).Add(r.Cross(rw).Scale(k))
	}
	d := derivatives{r, inverse(velocity), {}}
	_, added := spin(d)
	d[2] = inverse(acceleration.Sub(added))
	return d
}
