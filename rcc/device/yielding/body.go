package yielding

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// Body is a simulated arm that feels torques and gives way to them.
//
// Under position control its joints are those of every simulated arm. Under impedance control they are masses that springs pull
// to where they are commanded: each joint by its own, or the tip by six, with a soft one that keeps the elbow. The weight of
// arm and payload is compensated; links weigh nothing.
type Body struct {
	chain  *kinematics.Chain
	joints *plant.Joints
	masses masses
	stops  [Joints]kinematics.Joint

	tip      geom.Frame    // where it is
	jacobian geom.Jacobian // of the tip
	rows     rows          // along the axes of the tool
	weight   vector        // torques that carry the payload
	seen     sight         // of the newest look
	cause    cause         // of the newest feeling
	feeling  Feeling
}

// sight is what the place of the tip depends on.
type sight struct {
	positions vector
	tool      geom.Frame
	looks     uint64 // that have found something else than the one before
}

// cause is what a feeling depends on. A body that rests feels the same in each cycle, which is most of what it does.
type cause struct {
	looks     uint64
	push      geom.Wrench
	load      device.Payload
	torques   vector
	movements vector
}

// Masses and friction of joints are assumed: an arm of 15 kg that is easily led.
var light = masses{
	inertia:  vector{2, 2, 1, 1, 0.3, 0.3, 0.1},
	friction: vector{2, 2, 1, 1, 0.3, 0.3, 0.1},
}

// postural is the share of a joint's inertia that its spring has under Cartesian impedance, in 1/s²: it brings the elbow back
// within a second, and does not act on the tip.
const postural = 25

// NewBody makes an arm of joints that has a payload (load).
func NewBody(chain *kinematics.Chain, joints *plant.Joints, load *device.Payload) *Body {
	b := &Body{chain: chain, joints: joints, masses: light}
	for i := range b.stops {
		b.stops[i] = chain.Joint(i)
	}
	b.look(load)
	return b
}

// Act is the input of a body for a step.
type Act struct {
	Strategy device.Strategy
	Commands []float64 // positions
	Springs  *Springs
	Load     *device.Payload
	Push     geom.Wrench // on the tip from outside, along the axes of the base
	Beside   geom.Wrench // that the tip exerts beside its springs under Cartesian impedance, along the axes of the tool
	Period   float64     // s
}

// Step moves the arm, and returns what it feels then (cycle).
func (b *Body) Step(a *Act) Feeling {
	var push vector
	b.jacobian.Torques(a.Push, push[:])
	if a.Strategy == device.PositionControl {
		for i, torque := range push {
			b.joints.Burden(i, torque)
		}
	} else {
		for i := range push {
			push[i] += b.joints.Torque(i)
		}
		b.yield(a, &push)
	}
	b.joints.Step(a.Commands)
	b.look(a.Load)
	return b.feel(a)
}

// commanded returns where a joint is commanded (cycle).
func (a *Act) commanded(joint int) float64 {
	if c := a.Commands; uint(joint) < uint(len(c)) {
		return c[joint]
	}
	return 0
}

// yield lets springs and torques move the joints (cycle).
func (b *Body) yield(a *Act, torques *vector) {
	s := springs{torque: *torques}
	var q, v vector
	for i := range q {
		m := b.joints.Motion(i)
		q[i], v[i] = m.Pos, m.Vel
	}
	if a.Strategy == device.JointCompliance {
		for i := range q {
			is := a.Springs.JointImpedance(i)
			s.hold(i, b.masses.inertia[i], is.Stiffness, is.Damping, a.commanded(i)-q[i])
			s.torque[i] += is.Add
		}
	} else {
		b.pull(a, &s, &q)
	}
	period := a.Period
	next := b.masses.step(&s, &v, period)
	for i := range q {
		to := device.JointMotion{Pos: q[i] + period*next[i], Vel: next[i], Acc: (next[i] - v[i]) / period}
		if stop := &b.stops[i]; to.Pos < stop.Min || to.Pos > stop.Max {
			to = device.JointMotion{Pos: min(max(to.Pos, stop.Min), stop.Max)}
		}
		b.joints.Lead(i, to)
	}
}

// pull adds the springs of the tip, and those of the elbow without what they would do to the tip (cycle).
func (b *Body) pull(a *Act, s *springs, q *vector) {
	is := a.Springs.CartesianImpedance()
	stiffness, damping, add := six(is.Stiffness), six(is.Damping), six(is.Add.Add(a.Beside))
	to := b.tip.To(b.chain.Forward(a.Commands).Mul(a.Load.TCP))
	away := six(geom.Wrench{Force: to.Pos, Torque: to.Rot.Log()})
	var posture, mobility vector
	for i := range q {
		mobility[i] = 1 / b.masses.inertia[i]
		posture[i] = postural * b.masses.inertia[i] * (a.commanded(i) - q[i])
		s.hold(i, b.masses.inertia[i], postural*b.masses.inertia[i], 1, 0)
	}
	s.pull(&b.rows, &b.masses, &stiffness, &damping, &away)
	tip := b.rows.wrenchOf(&posture, &mobility)
	lost, exerted := b.rows.torquesOf(&tip), b.rows.torquesOf(&add)
	for i := range q {
		s.torque[i] += posture[i] - lost[i] + exerted[i]
	}
}

// look finds out where the tip is (cycle).
func (b *Body) look(load *device.Payload) {
	var q vector
	for i := range q {
		q[i] = b.joints.Position(i)
	}
	if b.seen.looks > 0 && b.seen.positions == q && b.seen.tool == load.TCP {
		return
	}
	b.seen = sight{q, load.TCP, b.seen.looks + 1}
	flange := b.chain.Jacobian(q[:], &b.jacobian)
	b.tip = flange.Mul(load.TCP)
	b.jacobian.At(b.tip.Pos.Sub(flange.Pos))
	along := b.jacobian
	along.Rotate(b.tip.Rot.Invert())
	b.rows = rowsOf(&along)
}

// gravity is what acts on a mass, m/s².
const gravity = 9.80665

// feel returns what sensors of the joints do, and what is estimated of it (cycle).
func (b *Body) feel(a *Act) Feeling {
	now := cause{looks: b.seen.looks, push: a.Push, load: *a.Load}
	for i := range now.torques {
		now.torques[i], now.movements[i] = b.joints.Torque(i), b.joints.Motion(i).Acc
	}
	if now != b.cause {
		b.cause = now
		b.feeling = b.feelAgain(a)
	}
	return b.feeling
}

func (b *Body) feelAgain(a *Act) (f Feeling) {
	var outside, same vector
	b.jacobian.Torques(a.Push, outside[:])
	centre := b.tip.Mul(a.Load.TCP.Invert()).Point(a.Load.COM.Pos).Sub(b.tip.Pos)
	up := geom.Wrench{Force: geom.Vector{Z: gravity * a.Load.Mass}}
	b.jacobian.Torques(up.At(centre.Neg()), b.weight[:])
	for i := range outside {
		outside[i] += b.joints.Torque(i)
		same[i] = 1
		f.Measured[i] = b.masses.inertia[i]*b.joints.Motion(i).Acc + b.weight[i] - outside[i]
		f.External[i] = outside[i]
	}
	w := b.rows.wrenchOf(&outside, &same)
	f.Tip = wrench(&w)
	return f
}

// Tip returns where the tip of the tool is, seen from the base (cycle).
func (b *Body) Tip() geom.Frame { return b.tip }

// Jacobian returns the jacobian of the tip, along the axes of the base (cycle).
func (b *Body) Jacobian() *geom.Jacobian { return &b.jacobian }

// Weight returns the torques by which joints carry the payload (cycle).
func (b *Body) Weight() [Joints]float64 { return b.weight }

// Inertia returns the inertia of a joint, kg·m² (cycle).
func (b *Body) Inertia(joint int) float64 {
	if uint(joint) < Joints {
		return b.masses.inertia[joint]
	}
	return 0
}
