package path

import "github.com/softrobot-rcc/rccd/geom"

// piece is what one formula describes, for a parameter u from 0 to 1:
//
//	position     centre + exp(u·wheel)·position(u)
//	orientation  exp(turn(u))·base, or where the wheel carries it exp(u·wheel)·exp(turn(u))·base
type piece struct {
	position, turn polynomial
	base           geom.Rotation
	centre, wheel  geom.Vector
	round          bool // there is a wheel
	carries        bool // the orientation turns with the wheel
	straight       bool // position is linear
	oneAxis        bool // turn is linear
	turns          bool // the piece is measured by its orientation
}

// at returns the point at a parameter, with derivatives by the parameter.
func (p *piece) at(u float64) Point {
	position := p.positionAt(u)
	rotation, velocity := p.orientationAt(u)
	return Point{
		Frame:  geom.Frame{Pos: p.centre.Add(position[0]), Rot: rotation},
		First:  geom.Twist{Vel: position[1], Rot: velocity[0]},
		Second: geom.Twist{Vel: position[2], Rot: velocity[1]},
		Third:  geom.Twist{Vel: position[3], Rot: velocity[2]},
	}
}

// positionAt returns the position as seen from the centre, and its derivatives.
func (p *piece) positionAt(u float64) derivatives {
	position := p.position.at(u, p.straight)
	if p.round {
		position.carry(geom.Exp(p.wheel.Scale(u)), p.wheel)
	}
	return position
}

// orientationAt returns the orientation, and the angular velocity with its derivatives.
func (p *piece) orientationAt(u float64) (geom.Rotation, derivatives) {
	turn := p.turn.at(u, p.oneAxis)
	rotation := geom.Exp(turn[0]).Mul(p.base)
	velocity := derivatives{turn[1], turn[2], turn[3]}
	if !p.oneAxis {
		velocity = angular(&turn)
	}
	if p.carries {
		wheel := geom.Exp(p.wheel.Scale(u))
		rotation = wheel.Mul(rotation)
		velocity.carry(wheel, p.wheel)
		velocity[0] = velocity[0].Add(p.wheel)
	}
	return rotation, velocity
}

// speed returns the speed of what the piece is measured by.
func (p *piece) speed(u float64) float64 {
	if p.turns {
		_, velocity := p.orientationAt(u)
		return velocity[0].Length()
	}
	return p.positionAt(u)[1].Length()
}

// derivatives are a value and its derivatives, the first at 1.
type derivatives [4]geom.Vector

// carry turns d into what it is on a wheel, which is turned to a place and turns on with a velocity: there each derivative
// is that on the wheel and that by the wheel, velocity × value.
func (d *derivatives) carry(wheel geom.Rotation, velocity geom.Vector) {
	y0, y1, y2, y3 := wheel.Rotate(d[0]), wheel.Rotate(d[1]), wheel.Rotate(d[2]), wheel.Rotate(d[3])
	d[0] = y0
	y0, y1, y2 = y1.Add(velocity.Cross(y0)), y2.Add(velocity.Cross(y1)), y3.Add(velocity.Cross(y2))
	d[1] = y0
	y0, y1 = y1.Add(velocity.Cross(y0)), y2.Add(velocity.Cross(y1))
	d[2] = y0
	d[3] = y1.Add(velocity.Cross(y0))
}

// polynomial has the coefficients of 1, u, u² …
type polynomial [6]geom.Vector

func (p *polynomial) isLinear() bool {
	return p[2] == geom.Vector{} && p[3] == geom.Vector{} && p[4] == geom.Vector{} && p[5] == geom.Vector{}
}

// at is the scheme of Horner for a value and three derivatives.
func (p *polynomial) at(u float64, linear bool) derivatives {
	if linear {
		return derivatives{p[0].Add(p[1].Scale(u)), p[1]}
	}
	var f0, f1, f2, f3 geom.Vector
	for i := len(p) - 1; i >= 0; i-- {
		f3 = f3.Scale(u).Add(f2)
		f2 = f2.Scale(u).Add(f1)
		f1 = f1.Scale(u).Add(f0)
		f0 = f0.Scale(u).Add(p[i])
	}
	return derivatives{f0, f1, f2.Scale(2), f3.Scale(6)}
}

// knot is a value with its first and second derivative.
type knot struct{ value, first, second geom.Vector }

// scale returns k by a parameter that passes h while that of k passes 1.
func (k knot) scale(h float64) knot { return knot{k.value, k.first.Scale(h), k.second.Scale(h * h)} }

// hermite returns the polynomial with the given values and derivatives at 0 and at 1.
func hermite(a, b knot) polynomial {
	half := a.second.Scale(0.5)
	value := b.value.Sub(a.value).Sub(a.first).Sub(half)
	first := b.first.Sub(a.first).Sub(a.second)
	second := b.second.Sub(a.second).Scale(0.5)
	return polynomial{
		a.value, a.first, half,
		value.Scale(10).Sub(first.Scale(4)).Add(second),
		first.Scale(7).Sub(value.Scale(15)).Sub(second.Scale(2)),
		value.Scale(6).Sub(first.Scale(3)).Add(second),
	}
}
