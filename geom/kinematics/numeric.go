package kinematics

import (
	"errors"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Numeric finds values of joints for chains of any kind, by steps that come nearer to the pose. See NewNumeric.
type Numeric struct {
	chain     *Chain
	weights   weights // of directions, seen from the tip; those of positions by Length
	tries     int
	partial   bool // not all directions count alike
	rank      int  // of a Jacobian that is not singular
	posture   [MaxJoints]float64
	pull      float64
	low, high [MaxJoints]float64
	reach     float64 // of the tip from the first joint
	starts    [starts]start
}

// Options are further aims of Numeric. The zero value has none.
type Options struct {
	// Along and About weigh displacements along and rotations about the axes of the tip. A direction of weight 0 does
	// not count, which is what arms with fewer than six joints need. If all are 0, all directions count.
	Along, About geom.Vector
	// Length in m is as important as 1 rad. 0 takes a quarter of the reach of the arm.
	Length float64
	// Posture is where joints should go as far as the pose leaves it open. Nil stands for the middle of their ranges.
	// Each call of Nearest goes by Pull towards it, a share from 0 to 1 of the way.
	Posture []float64
	Pull    float64
	// Tries is the number of restarts elsewhere if the search does not succeed from the hint. 0 stands for 24, and
	// less than 0 for never.
	Tries int
}

// A start is where the search begins when it does not succeed from the hint.
type start struct {
	joints [MaxJoints]float64
	at     geom.Frame
}

const (
	starts     = 128
	tries      = 24
	iterations = 40 // of each try
	idle       = 4  // iterations without progress after which a try ends

	closeEnough = 1e-11 // rad, or in lengths times Length
	nearEnough  = 1e-8  // the same, if it does not come closer: in singular poses each step brings less
	bias        = 1e-12 // keeps the equations of a singular arm solvable
	singular    = 1e-5  // a singular value that is taken for 0
)

// NewNumeric makes a solver for a chain.
//
// It is the method of Levenberg and Marquardt with a damping that falls with the square of the error (T. Sugihara,
// "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", IEEE Transactions on Robotics 27, 2011):
// no step is greater than about 1.6 rad, and the last ones double the number of digits. A joint that a step would lead
// beyond a limit is put there, and the others do the rest. Steps are the shortest ones, so that joints of redundant arms
// stay near the hint. When the search does not succeed from the hint, it begins again at those of 128 fixed poses that
// are next to the goal. Thus the time is bounded, and the same call always has the same result. From nearby a search
// takes a few steps of less than 1 µs each; for a pose that cannot be reached some hundreds, if Tries is not small.
//
// A search cannot prove that there is no solution. Unreachable says that the pose is farther away than the arm is long,
// or that no try came to it even without the limits of joints; OutOfLimits that one did, but none within the limits;
// Singular that the pose was found, and that joints could move there for which, to first order, the tip does not,
// beyond those that a redundant arm has everywhere.
func NewNumeric(c *Chain, o Options) (*Numeric, error) {
	n := &Numeric{chain: c, pull: o.Pull, tries: tries}
	if o.Tries != 0 {
		n.tries = min(o.Tries, starts)
	}
	if o.Posture != nil && len(o.Posture) != c.n {
		return nil, errors.New("the posture needs one value for each joint of the chain")
	}
	if !(o.Pull >= 0 && o.Pull <= 1) {
		return nil, errors.New("the pull towards the posture is not a share from 0 to 1")
	}
	if err := n.measure(o); err != nil {
		return nil, err
	}
	for i := range c.n {
		j := &c.joints[i]
		n.low[i], n.high[i] = j.Min, j.Max
		least, most := bounded(j)
		n.posture[i] = (least + most) / 2
		if o.Posture != nil {
			n.posture[i] = max(j.Min, min(j.Max, o.Posture[i]))
		}
		for s := range n.starts {
			n.starts[s].joints[i] = least + halton(s+1, i)*(most-least)
		}
	}
	for s := range n.starts {
		n.starts[s].at = c.Forward(n.starts[s].joints[:])
	}
	return n, nil
}

// measure decides how errors are measured.
func (n *Numeric) measure(o Options) error {
	c := n.chain
	for i := range c.m {
		s := &c.steps[i]
		n.reach += s.by.Length()
		if s.slides {
			least, most := c.joints[s.from].Min, c.joints[s.from].Max
			n.reach += max(math.Abs(least*s.factor), math.Abs(most*s.factor))
		}
	}
	unit := o.Length
	if unit == 0 {
		unit = n.reach / 4
		if !(unit > 0) || math.IsInf(unit, 0) {
			unit = 1
		}
	}
	w := weightsOf(o.Along, o.About, unit)
	if !w.valid() || !(unit <= math.MaxFloat64) {
		return errors.New("weights, and the length that compares with 1 rad, must be 0 or more")
	}
	n.partial = w[0] != w[1] || w[1] != w[2] || w[3] != w[4] || w[4] != w[5]
	n.weights, n.rank = w, min(w.count(), c.n)
	return nil
}

// bounded returns the limits of a joint, or a turn or 1 m where there are none.
func bounded(j *Joint) (least, most float64) {
	least, most = j.Min, j.Max
	wide := 2 * math.Pi
	if j.Kind == Prismatic {
		wide = 1
	}
	switch {
	case math.IsInf(least, 0) && math.IsInf(most, 0):
		return -wide / 2, wide / 2
	case math.IsInf(least, 0):
		return most - wide, most
	case math.IsInf(most, 0):
		return least, least + wide
	}
	return least, most
}

// halton returns the number s of a sequence that fills the range from 0 to 1 evenly, another one for each dimension
// (J. H. Halton, 1960).
func halton(s, dimension int) float64 {
	base := [MaxJoints]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53}[dimension]
	sum, digit := 0.0, 1.0
	for ; s > 0; s /= base {
		digit /= float64(base)
		sum += digit * float64(s%base)
	}
	return sum
}

// Nearest writes the joints that the search comes to from the hint. If it did not succeed from there, they are those of
// the first try that did. Without success they stay unchanged. Hints above 1e9 are invalid.
func (n *Numeric) Nearest(to *geom.Frame, hint, joints []float64) Status {
	s := descent{n: n}
	if !s.begin(to, hint) || len(joints) < n.chain.n {
		return Invalid
	}
	if s.beyond() {
		return Unreachable
	}
	s.pull = n.pull
	for more := true; more; more = s.next() {
		if s.descend() {
			return s.end(hint, joints)
		}
	}
	return s.why(hint)
}

// Branches writes the different solutions to which the tries lead. Of arms with more joints than the pose needs there
// are infinitely many others.
func (n *Numeric) Branches(to *geom.Frame, hint []float64, into *Branches) Status {
	into.N = 0
	s := descent{n: n}
	if !s.begin(to, hint) {
		return Invalid
	}
	if s.beyond() {
		return Unreachable
	}
	best := Singular
	for more := true; more && into.N < MaxBranches; more = s.next() {
		if !s.descend() {
			continue
		}
		var b Branch
		if b.Status = s.end(hint, b.Joints[:]); !b.Status.Good() || into.has(&b, n.chain.n) {
			continue
		}
		if b.Status == Solved {
			best = Solved
		}
		if i := into.N; i >= 0 && i < len(into.Of) {
			into.Of[i] = b
			into.N++
		}
	}
	if into.N == 0 {
		return s.why(hint)
	}
	return best
}

// has reports whether there is this branch already.
func (b *Branches) has(other *Branch, joints int) bool {
	for i := range b.Of {
		if i >= b.N {
			break
		}
		apart := 0.0
		for k := range b.Of[i].Joints {
			if k < joints {
				apart = max(apart, math.Abs(b.Of[i].Joints[k]-other.Joints[k]))
			}
		}
		if apart < 1e-6 {
			return true
		}
	}
	return false
}

// Name returns nothing: the solutions of a search have no names.
func (n *Numeric) Name(uint8) string { return "" }

// descent is the search for one pose.
type descent struct {
	n         *Numeric
	to        geom.Frame
	q         [MaxJoints]float64
	low, high [MaxJoints]float64
	pull      float64 // of the first step
	cols      columns // at q
	e         vector6 // from there to the pose

	left     int             // tries
	ordered  bool            // the starts have distances
	distance [starts]float64 // of the starts from the pose, infinite when they have been tried
}

func (s *descent) begin(to *geom.Frame, hint []float64) bool {
	s.to, s.low, s.high, s.left = *to, s.n.low, s.n.high, s.n.tries
	if !finite(*to) || len(hint) < s.n.chain.n {
		return false
	}
	return s.from(hint)
}

// from goes to the place within the limits that is next to a hint.
func (s *descent) from(hint []float64) bool {
	for i := range s.q {
		if i >= s.n.chain.n || i >= len(hint) {
			break
		}
		if !(math.Abs(hint[i]) <= mostTurned) {
			return false
		}
		s.q[i] = max(s.low[i], min(s.high[i], hint[i]))
	}
	return true
}

// beyond reports whether the pose is farther away than the arm is long.
func (s *descent) beyond() bool {
	w := &s.n.weights
	return w[0] > 0 && w[1] > 0 && w[2] > 0 && s.to.Pos.Sub(s.n.chain.start.at).Length() > s.n.reach+slack
}

// next goes to the start that is next to the pose, of those that have not been tried.
func (s *descent) next() bool {
	if s.left <= 0 {
		return false
	}
	s.left--
	if !s.ordered {
		s.ordered = true
		for i := range s.distance {
			e := s.n.away(&s.n.starts[i].at, &s.to)
			s.distance[i] = e.dot(&e)
		}
	}
	next, nearest := &s.n.starts[0], &s.distance[0]
	for i := range s.distance {
		if s.distance[i] < *nearest {
			next, nearest = &s.n.starts[i], &s.distance[i]
		}
	}
	*nearest = math.Inf(1)
	return s.from(next.joints[:])
}

// away returns what leads from one pose to another one, as it counts.
func (n *Numeric) away(from, to *geom.Frame) vector6 {
	t := from.Velocity(*to, 1)
	if n.partial {
		t = t.Rotate(from.Rot.Invert())
	}
	return n.weights.of(t)
}

// look computes where the tip is, how it moves, and what is missing to the pose.
func (s *descent) look() (missing float64) {
	var j geom.Jacobian
	at := s.n.chain.Jacobian(s.q[:], &j)
	if s.n.partial {
		j.Rotate(at.Rot.Invert())
	}
	for i := range s.cols {
		if i < j.Len {
			s.cols[i] = s.n.weights.of(j.Columns[i])
		}
	}
	s.e = s.n.away(&at, &s.to)
	return s.e.dot(&s.e)
}

// descend goes from q to the pose, and reports whether it arrives.
func (s *descent) descend() bool {
	least, without := math.Inf(1), 0
	for range iterations {
		missing := s.look()
		if missing <= closeEnough*closeEnough && s.pull == 0 {
			return true
		}
		if missing < 0.9*least {
			least, without = missing, 0
		} else if without++; without > idle {
			break
		}
		s.step(missing)
		s.pull = 0
	}
	return s.look() <= nearEnough*nearEnough
}

// step goes nearer to the pose.
func (s *descent) step(missing float64) {
	var wish, by [MaxJoints]float64
	if s.pull > 0 {
		for i := range wish {
			wish[i] = s.pull * (s.n.posture[i] - s.q[i])
		}
	}
	cols, e := s.cols, s.e
	moved := cols.times(&wish)
	e.add(&moved, -1)
	for range by { // each time but the last puts a joint to its limit
		g := cols.gram(s.n.chain.n)
		l, ok := g.factor(missing/10 + bias)
		if !ok {
			return // not a number
		}
		x := l.solve(e)
		if !s.limit(&cols, &e, &x, &wish, &by) {
			break
		}
	}
	for i := range by {
		s.q[i] = max(s.low[i], min(s.high[i], s.q[i]+by[i]))
	}
}

// limit computes the step from x, and puts joints that it would lead beyond a limit there. It reports whether there are
// such: then they have no column any more, and the others have to do what they cannot.
func (s *descent) limit(cols *columns, e, x *vector6, wish, by *[MaxJoints]float64) (some bool) {
	for i := range by {
		c := &cols[i]
		if *c == (vector6{}) {
			continue
		}
		by[i] = wish[i] + c.dot(x)
		there := max(s.low[i], min(s.high[i], s.q[i]+by[i]))
		if there == s.q[i]+by[i] {
			continue
		}
		by[i], some = there-s.q[i], true
		e.add(c, wish[i]-by[i])
		*c = vector6{}
	}
	return some
}

// end writes what has been found.
func (s *descent) end(hint, joints []float64) Status {
	for i := range s.q {
		if i < s.n.chain.n && i < len(joints) {
			joints[i] = s.q[i]
		}
	}
	if status := s.n.chain.Unwind(joints, hint); status != Solved {
		return status
	}
	g := s.cols.gram(s.n.chain.n)
	if _, ok := g.factor(-singular * singular); ok {
		return Solved
	}
	values, _ := g.eigen()
	if _, least := dexterity(values, s.n.rank); least < singular {
		return Singular
	}
	return Solved
}

// why looks for the pose without limits.
func (s *descent) why(hint []float64) Status {
	for i := range s.low {
		s.low[i], s.high[i] = math.Inf(-1), math.Inf(1)
	}
	s.left, s.ordered = s.n.tries/4, false // it is only for the word
	s.from(hint)
	for more := true; more; more = s.next() {
		if s.descend() {
			return OutOfLimits
		}
	}
	return Unreachable
}
