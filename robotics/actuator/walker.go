package actuator

import (
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// The speed of joints on a path follows from their change with the place on it, and from the limits of the place in time: with q
// the position of a joint by the place s(t), q', q″ and q‴ its derivatives, and v, a and j the limits of the place,
//
//	|velocity|     ≤ |q'|·v
//	|acceleration| ≤ |q'|·a + |q″|·v²
//	|jerk|         ≤ |q'|·j + 3·|q″|·v·a + |q‴|·v³
//
// whatever the override is, and wherever the motion is cancelled. A path at a share of the speed has v, a and j of that share,
// its square and its cube, and so have the joints.

// walker follows a path with the model of an arm, step by step.
type walker struct {
	arm     *Arm
	pose    func(share float64) geom.Frame // of what follows the path
	length  float64
	steps   int
	limits  profile.Limits // of the place, from 0 to the length
	joints  limits
	slowest robotics.Slowest

	before, behind geom.Frame // the reference of the pose, seen from the base of the arm; the flange, seen from what follows the path

	speed float64    // the share of the speed at which joints can follow, so far
	worst *PathError // where they cannot be faster
}

// stepsOf returns how many steps a length in m or rad has.
func stepsOf(length float64) int {
	const least, most, fine = 60, 5000, 0.001
	return int(math.Ceil(min(most, max(least, length/fine))))
}

// between follows a path that is seen from one frame, of something that another frame holds.
func (w *walker) between(in *world.Frame, held geom.Frame, by *world.Frame, from []float64) (end []float64, share float64, err error) {
	if w.arm.model == nil || len(from) != w.arm.Len() {
		return nil, 1, nil
	}
	if _, searches := w.arm.model.Solver.(*kinematics.Numeric); searches {
		return nil, 1, nil
	}
	ground, stands := fixed(w.arm.base, in)
	tool, carried := fixed(by, w.arm.flange)
	if !stands || !carried {
		return nil, 1, nil
	}
	if math.IsInf(w.limits.Jerk, 1) {
		for i := range w.joints.jerk { // as is wished for
			w.joints.jerk[i] = infinite
		}
	}
	w.before, w.behind = ground, held.Mul(tool)
	return w.walk(from)
}

// window is the number of steps from which third derivatives are computed.
const window = 4

// walk goes all steps.
func (w *walker) walk(from []float64) (end []float64, share float64, err error) {
	if w.slowest == 0 {
		w.slowest = 1
	}
	if err := checkSlowest(w.slowest); err != nil {
		return nil, 1, err
	}
	w.speed = 1
	var last [window][]float64 // where the joints were, the newest first
	at := slices.Clone(from)
	for k := range w.steps + 1 {
		next := make([]float64, len(from))
		if err := w.step(k, at, next); err != nil {
			return nil, 1, err
		}
		copy(last[1:], last[:])
		last[0], at = next, next
		if last[window-1] != nil {
			w.look(k, &last)
		}
	}
	if w.speed < float64(w.slowest) {
		return nil, 1, w.worst
	}
	return at, w.speed, nil
}

// step finds where joints are after a step.
func (w *walker) step(k int, at, next []float64) error {
	share := float64(k) / float64(w.steps)
	if err := w.find(share, at, next); err != nil || k == 0 {
		return err
	}
	// A joint that moves much in a step either moves much less in a part of it, or jumps.
	const much, parts = 0.1, 64
	if largest(at, next) < much {
		return nil
	}
	old, part := slices.Clone(at), make([]float64, len(at))
	for i := range parts {
		place := (float64(k-1) + float64(i+1)/parts) / float64(w.steps)
		if err := w.find(place, old, part); err != nil {
			return err
		}
		if largest(old, part) > much {
			return w.wrong(place, farthest(old, part), robotics.ErrTooFast)
		}
		old, part = part, old
	}
	copy(next, old)
	return nil
}

// find solves the inverse kinematics at a place, next to where joints are.
func (w *walker) find(share float64, hint, into []float64) error {
	flange := w.before.Mul(w.pose(share)).Mul(w.behind)
	switch w.arm.model.Nearest(&flange, hint, into) {
	case kinematics.Solved, kinematics.Singular:
		return nil
	case kinematics.OutOfLimits:
		return w.wrong(share, -1, robotics.ErrBeyond)
	default:
		return w.wrong(share, -1, robotics.ErrReach)
	}
}

func (w *walker) wrong(share float64, joint int, err error) *PathError {
	return &PathError{Arm: w.arm.name, Share: share, Pose: w.pose(share), Joint: joint, Err: err}
}

// look returns how fast the last steps may be.
func (w *walker) look(k int, last *[window][]float64) {
	middle := (float64(k) - (window-1)/2.0) / float64(w.steps)
	perStep := w.length / float64(w.steps)
	v, a, j := w.fastest(middle*w.length, window/2*perStep), w.limits.Acc, w.limits.Jerk
	for i := range last[0] {
		first, second, third := derivatives(last[3][i], last[2][i], last[1][i], last[0][i], perStep)
		speed := min(
			most(w.joints.vel[i], first*v),
			math.Sqrt(most(w.joints.acc[i], cost(first, a)+second*v*v)),
			math.Cbrt(most(w.joints.jerk[i], cost(first, j)+3*cost(second*v, a)+third*v*v*v)),
		)
		if speed < w.speed {
			w.speed, w.worst = speed, w.wrong(middle, i, robotics.ErrTooFast)
			w.worst.Speed = speed
		}
	}
}

// most returns the share of what is needed that there is, and a bit less where it is not enough: what happens between steps is not seen.
func most(limit, needs float64) float64 {
	const reserve = 0.98
	if needs <= limit {
		return 1
	}
	return reserve * limit / needs
}

// cost returns what an amount costs that may be infinite; nothing is free.
func cost(price, amount float64) float64 {
	if price == 0 {
		return 0
	}
	return price * amount
}

// fastest returns how fast the place may be within some distance of where it is, from rest and to rest.
func (w *walker) fastest(place, about float64) float64 {
	gone, l := min(place, w.length-place)+about, &w.limits
	v := min(l.Vel, math.Sqrt(2*l.Acc*gone))                           //nolint:mnd // v² = 2·a·s
	if rise := l.Jerk / 2 * math.Pow(6*gone/l.Jerk, 2.0/3); rise < v { // v = j·t²/2 and s = j·t³/6
		return rise
	}
	return v
}

// derivatives returns the largest sizes of the first three derivatives of what has had four values one after the other.
func derivatives(a, b, c, d, step float64) (first, second, third float64) {
	u, v, w := (b-a)/step, (c-b)/step, (d-c)/step
	first = max(math.Abs(u), math.Abs(v), math.Abs(w))
	second = max(math.Abs(v-u), math.Abs(w-v)) / step
	return first, second, math.Abs(w-2*v+u) / (step * step)
}

// farthest returns the joint that has moved most, and largest by how much.
func farthest(a, b []float64) (joint int) {
	for i := range a {
		if math.Abs(b[i]-a[i]) > math.Abs(b[joint]-a[joint]) {
			joint = i
		}
	}
	return joint
}

func largest(a, b []float64) float64 {
	i := farthest(a, b)
	return math.Abs(b[i] - a[i])
}

// jointLine is a straight line of joints.
type jointLine struct{ from, to []float64 }

func (l jointLine) at(share float64) []float64 {
	at := make([]float64, len(l.to))
	for i := range at {
		at[i] = l.from[i] + share*(l.to[i]-l.from[i])
	}
	return at
}

func (l jointLine) longest() float64 { return largest(l.from, l.to) }

// limits returns those of the share of the line that has been gone.
func (l jointLine) limits(of limits) profile.Limits {
	least := func(of []float64) float64 {
		most := infinite
		for i, limit := range of {
			if way := math.Abs(l.to[i] - l.from[i]); way > 0 {
				most = min(most, limit/way)
			}
		}
		return most
	}
	return profile.Limits{Vel: least(of.vel), Acc: least(of.acc), Jerk: least(of.jerk)}
}
