package motion

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/profile"
)

// ByArm is a motion in space as the joints of an arm do it. When it is made the whole way is tried in steps, each solved
// next to the one before, so that At finds the same branch for any time. The arm has six joints or fewer, or seven of
// which the elbow keeps its alpha (kinematics.SRS): of others a pose does not say what they do.
//
// At is fit for the cycle, but not for several at the same time.
type ByArm struct {
	motion  InSpace
	chain   *kinematics.Chain
	solver  kinematics.Solver
	elbow   *kinematics.SRS // of an arm with seven joints
	alpha   float64
	inverse kinematics.Inverse
	hints   [][]float64 // joints, in equal steps of time

	// what At works on
	frame      geom.Frame
	jacobian   geom.Jacobian
	q, vel, ac []float64
	lift, free []float64 // by what alpha changes, and the motion of joints that lifts the elbow alone
}

// NewByArm makes the motion, with the joints that it should begin next to. A place of the way where the arm cannot be is an
// error.
func NewByArm(m InSpace, arm *kinematics.Arm, start []float64) (*ByArm, error) {
	const (
		step  = 0.01 // s
		steps = 100  // at least
		most  = 100_000
	)
	n := arm.Len()
	elbow, _ := arm.Solver.(*kinematics.SRS)
	switch {
	case n > 6 && elbow == nil:
		return nil, fmt.Errorf("arm with %d joints: a pose does not determine more than 6", n)
	case len(start) < n:
		return nil, fmt.Errorf("start with %d of %d joints", len(start), n)
	}
	b := &ByArm{
		motion: m, chain: arm.Chain, solver: arm.Solver, elbow: elbow, inverse: kinematics.Inverse{Length: 1, Least: 1e-6},
		q: make([]float64, n), vel: make([]float64, n), ac: make([]float64, n), lift: make([]float64, n), free: make([]float64, n),
	}
	if elbow != nil {
		b.alpha = elbow.Alpha(start, 0)
	}
	count := int(min(most, max(steps, math.Ceil(m.Duration()/step))))
	hint := start
	for i := range count + 1 {
		t := m.Duration() * float64(i) / float64(count)
		b.frame = m.At(t).Frame
		q := make([]float64, n)
		if s := b.solve(hint, q); !s.Good() {
			return nil, fmt.Errorf("at %v s of %v s: %v", t, m.Duration(), s)
		}
		b.hints = append(b.hints, q)
		hint = q
	}
	return b, nil
}

// Duration is that of the motion in space.
func (b *ByArm) Duration() float64 { return b.motion.Duration() }

// At writes the states of the joints at a time. Where they cannot have one, at a singularity, velocities are those that
// Inverse gives; where there are no joints, all is NaN.
func (b *ByArm) At(t float64, into []profile.State) {
	pose := b.motion.At(t)
	hint := b.hint(t)
	b.frame = pose.Frame
	good := b.solve(hint, b.q).Good()
	b.chain.Jacobian(b.q, &b.jacobian)
	b.inverse.Velocities(&b.jacobian, pose.Velocity, nil, b.vel)
	if b.elbow != nil {
		b.lifting()
		b.keep(b.vel, 0)
	}
	b.inverse.Velocities(&b.jacobian, pose.Acceleration.Sub(b.chain.Drift(b.q, b.vel)), nil, b.ac)
	if b.elbow != nil {
		b.keep(b.ac, b.carried())
	}
	q, vel, ac := b.q, b.vel, b.ac
	for i := range into {
		if i >= len(q) || i >= len(vel) || i >= len(ac) {
			break
		}
		if into[i] = (profile.State{Pos: q[i], Vel: vel[i], Acc: ac[i]}); !good {
			into[i] = profile.State{Pos: math.NaN(), Vel: math.NaN(), Acc: math.NaN()}
		}
	}
}

// solve finds the joints of the pose that are next to others.
func (b *ByArm) solve(hint, q []float64) kinematics.Status {
	if b.elbow != nil {
		return b.elbow.At(&b.frame, b.alpha, hint, q)
	}
	return b.solver.Nearest(&b.frame, hint, q)
}

// lifting finds by what each joint changes alpha, and a motion of all joints that changes alpha and not the pose.
func (b *ByArm) lifting() {
	var one [kinematics.MaxJoints]float64
	lift := b.lift
	for i := range lift {
		if i >= len(one) {
			break
		}
		one[i] = 1
		lift[i] = b.elbow.AlphaVelocity(b.q, one[:])
		one[i] = 0
	}
	b.inverse.Velocities(&b.jacobian, geom.Twist{}, b.lift, b.free)
}

// keep adds what makes velocities, or accelerations, of joints keep alpha, which changes by some more without them.
func (b *ByArm) keep(of []float64, more float64) {
	changes, by := more, 0.0
	lift, free := b.lift, b.free
	for i := range of {
		if i >= len(lift) || i >= len(free) {
			break
		}
		changes += lift[i] * of[i]
		by += lift[i] * free[i]
	}
	if by == 0 {
		return // the elbow cannot be lifted, or not without the tip
	}
	for i := range of {
		if i >= len(free) {
			break
		}
		of[i] -= changes / by * free[i]
	}
}

// carried is the change of the velocity of alpha that velocities of joints bring about without accelerations, from a
// moment before and one after.
func (b *ByArm) carried() float64 {
	const moment = 1e-5 // s: what is neglected and what is rounded are about the same
	var before, after [kinematics.MaxJoints]float64
	q, vel := b.q, b.vel
	for i := range q {
		if i >= len(vel) || i >= len(before) {
			break
		}
		before[i], after[i] = q[i]-moment*vel[i], q[i]+moment*vel[i]
	}
	return (b.elbow.AlphaVelocity(after[:], vel) - b.elbow.AlphaVelocity(before[:], vel)) / (2 * moment)
}

// hint returns joints near to those of a time.
func (b *ByArm) hint(t float64) []float64 {
	at := 0
	if d := b.motion.Duration(); t > 0 && d > 0 {
		at = int(min(t/d, 1)*float64(len(b.hints)-1) + 0.5)
	}
	if hints := b.hints; uint(at) < uint(len(hints)) {
		return hints[at]
	}
	return nil
}

// OfTip is the motion in space of the tip of a chain whose joints move.
//
// At is fit for the cycle, but not for several at the same time.
type OfTip struct {
	motion InJoints
	chain  *kinematics.Chain

	// what At works on
	states     []profile.State
	q, vel, ac []float64
	jacobian   geom.Jacobian
}

// NewOfTip makes the motion.
func NewOfTip(m InJoints, chain *kinematics.Chain) *OfTip {
	n := chain.Len()
	return &OfTip{
		motion: m, chain: chain, states: make([]profile.State, n),
		q: make([]float64, n), vel: make([]float64, n), ac: make([]float64, n),
	}
}

// Duration is that of the joints.
func (o *OfTip) Duration() float64 { return o.motion.Duration() }

// At returns the pose at a time.
func (o *OfTip) At(t float64) Pose {
	o.motion.At(t, o.states)
	states, q, vel, ac := o.states, o.q, o.vel, o.ac
	for i := range states {
		if i >= len(q) || i >= len(vel) || i >= len(ac) {
			break
		}
		q[i], vel[i], ac[i] = states[i].Pos, states[i].Vel, states[i].Acc
	}
	frame := o.chain.Jacobian(q, &o.jacobian)
	return Pose{frame, o.jacobian.Twist(vel), o.jacobian.Twist(ac).Add(o.chain.Drift(q, vel))}
}
