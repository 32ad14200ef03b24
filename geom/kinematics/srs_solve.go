package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Strategy is the aim of the elbow beside the pose of the tip.
type Strategy uint8

// Strategies. From where the hint has the elbow, it does not cross places wider than 0.02 that limits of joints forbid. Only
// for LeastMotion, without a step, one looks all round if the joints have to move far anyway.
const (
	KeepAlpha      Strategy = iota // as near to a given alpha as limits allow
	LeastMotion                    // where the squares of what joints move, seen from the hint, have their least sum
	AwayFromLimits                 // down to where a barrier at all limits is lowest: the sum of -log(1-x²), with limits at x = ±1
)

func (s Strategy) String() string {
	switch s {
	case KeepAlpha:
		return "keep alpha"
	case LeastMotion:
		return "least motion"
	case AwayFromLimits:
		return "away from limits"
	}
	return "unknown strategy"
}

// Elbow sets where the elbow goes.
type Elbow struct {
	Strategy Strategy
	Alpha    float64 // to be kept
	// Step is by how much the elbow may turn about the line from shoulder to wrist, counted from where that of the hint comes
	// to when it is carried along. With a step the branch is that of the hint, and joints do not go round by whole turns: calls
	// along a path, each with the answer of the one before as hint, never jump, and are OutOfLimits instead. 0 says that the
	// elbow may go anywhere, also to another branch if that of the hint has no place within limits.
	Step float64
}

// At writes the joints for a given alpha: those of the branch nearest to hint, unwound, of those within the limits, if there
// are such.
func (s *SRS) At(to *geom.Frame, alpha float64, hint, joints []float64) Status {
	t := search{arm: s}
	if status := t.begin(to, hint); status != Solved {
		return status
	}
	if !(math.Abs(alpha) <= mostValue) || len(joints) < 7 {
		return Invalid
	}
	t.spread(alpha)
	best, status := t.nearest(true)
	t.write(best, joints)
	return status
}

// BranchesAt writes all branches for a given alpha, each unwound towards hint, also those that are out of limits. It
// returns the best status of them, or why there is none.
func (s *SRS) BranchesAt(to *geom.Frame, alpha float64, hint []float64, into *Branches) Status {
	t := search{arm: s}
	into.N = 0
	if status := t.begin(to, hint); status != Solved {
		return status
	}
	if !(math.Abs(alpha) <= mostValue) {
		return Invalid
	}
	return t.branches(alpha, into)
}

// Branches writes all branches for the alpha of Nearest, whether it is allowed or not.
func (s *SRS) Branches(to *geom.Frame, hint []float64, into *Branches) Status {
	t := search{arm: s}
	into.N = 0
	if status := t.begin(to, hint); status != Solved {
		return status
	}
	return t.branches(t.circle.natural(&t.plane), into)
}

// Nearest writes the joints of the branch nearest to hint, with the alpha of the hint or one as near to it as limits allow.
// Where the wrist is close to the first axis it gives alpha up and lets the elbow be carried along, which never jumps:
// entirely where the line from shoulder to wrist is within 5.7° of the axis, and not at all beyond 11.5°.
func (s *SRS) Nearest(to *geom.Frame, hint, joints []float64) Status {
	t := search{arm: s}
	if status := t.begin(to, hint); status != Solved {
		return status
	}
	if len(joints) < 7 {
		return Invalid
	}
	t.start = t.circle.natural(&t.plane)
	t.elbow = Elbow{Alpha: t.start}
	return t.solve(joints)
}

// Solve writes the joints for a pose with the elbow where it should be, near to the hint.
func (s *SRS) Solve(to *geom.Frame, elbow Elbow, hint, joints []float64) Status {
	t := search{arm: s}
	if status := t.begin(to, hint); status != Solved {
		return status
	}
	if !(math.Abs(elbow.Alpha) <= mostValue) || !(elbow.Step >= 0) || elbow.Strategy > AwayFromLimits || len(joints) < 7 {
		return Invalid
	}
	t.start, t.elbow = t.circle.carried(&t.plane), elbow
	return t.solve(joints)
}

// search is the search for joints near to a hint.
type search struct {
	arm    *SRS
	hint   values
	plane  plane // of the hint
	circle circle
	elbow  Elbow
	start  float64 // alpha at which the elbow starts
	found  spread
	ranges Ranges
}

func (t *search) begin(to *geom.Frame, hint []float64) Status {
	var ok bool
	if t.hint, ok = valuesOf(hint); !ok {
		return Invalid
	}
	if status := t.arm.circle(to, &t.circle); status != Solved {
		return status
	}
	t.plane = t.arm.plane(&t.hint)
	return Solved
}

func (t *search) spread(alpha float64) {
	t.arm.spread(&t.circle, alpha, &t.hint, t.elbow.Step > 0, &t.found)
}

// branch is a branch of what has been found last.
type branch struct {
	first, last *part3
	middle      *part1
}

func (s *spread) branch(configuration int) branch {
	return branch{&s.first[configuration&3], &s.last[configuration>>1&3], &s.middle[configuration>>1&1]}
}

func (b *branch) away() float64 { return b.first.away + b.middle.away + b.last.away }
func (b *branch) within() bool  { return b.first.ok && b.middle.ok && b.last.ok }
func (b *branch) twin() bool    { return b.first.twin || b.last.twin }

func (b *branch) values() values { return values{b.first.joints, b.middle.joint, b.last.joints} }

func (t *search) write(configuration int, joints []float64) {
	b := t.found.branch(configuration)
	v := b.values()
	v.write(joints)
}

// nearest returns the branch nearest to the hint; if limits count, of those within them, if there are such.
func (t *search) nearest(limits bool) (configuration int, status Status) {
	least, within := math.Inf(1), false
	for i := range MaxBranches {
		b := t.found.branch(i)
		ok := b.within() || !limits
		if b.twin() || within && !ok {
			continue
		}
		if away := b.away(); away < least || ok && !within {
			configuration, least, within = i, away, ok
		}
	}
	if !within {
		return configuration, OutOfLimits
	}
	return configuration, t.found.status
}

func (t *search) branches(alpha float64, into *Branches) Status {
	t.spread(alpha)
	best := OutOfLimits
	for i := range MaxBranches {
		b := t.found.branch(i)
		if b.twin() || into.N < 0 || into.N >= len(into.Of) {
			continue
		}
		to := &into.Of[into.N]
		into.N++
		to.Configuration, to.Status = uint8(i), OutOfLimits
		if b.within() {
			best, to.Status = t.found.status, t.found.status
		}
		v := b.values()
		v.write(to.Joints[:])
	}
	return best
}

// solve looks for a place of the elbow in the branch nearest to the hint. Without a step it tries the others too, in the
// order of how far they are away.
func (t *search) solve(joints []float64) Status {
	t.spread(t.start)
	own, _ := t.nearest(false)
	var away [MaxBranches]float64
	for i := range away {
		b := t.found.branch(i)
		if away[i] = b.away(); b.twin() {
			away[i] = math.Inf(1)
		}
	}
	next, status := own, t.beside(own)
	if !status.Good() {
		status = t.place(own)
	}
	if t.elbow.Step > 0 {
		t.write(next, joints)
		return status
	}
	if t.elbow.Strategy == LeastMotion {
		next, status = t.survey(next, status)
	}
	for !status.Good() {
		away[next&(MaxBranches-1)] = math.Inf(1)
		least := math.Inf(1)
		for i := range away {
			if away[i] < least {
				next, least = i, away[i]
			}
		}
		if math.IsInf(least, 1) {
			t.spread(t.start)
			t.write(own, joints)
			return OutOfLimits
		}
		status = t.place(next)
	}
	t.write(next, joints)
	return status
}

// survey looks all round for a place from which less motion is needed, in whatever branch, unless what has been found is near
// already.
func (t *search) survey(found int, status Status) (configuration int, _ Status) {
	const places = 24
	least := math.Inf(1)
	if b := t.found.branch(found); status.Good() {
		least = b.away()
	}
	if least < leap {
		return found, status
	}
	from, start := t.start, t.start
	for i := range places {
		alpha := from + float64(i)*(2*math.Pi/places)
		t.spread(alpha)
		nearest, s := t.nearest(true)
		if b := t.found.branch(nearest); s.Good() && b.away() < least {
			found, start, least = nearest, alpha, b.away()
		}
	}
	t.start = start
	return found, t.place(found)
}

// The square of how far joints may move, and how far the elbow may turn, without it being asked whether the elbow has crossed
// a place that is forbidden.
const (
	leap = 0.25
	hop  = 0.02
)

// window returns where the elbow may go in a call.
func (t *search) window() Range {
	reach := t.elbow.Step
	if reach == 0 {
		reach = math.Pi
	}
	return Range{t.start - reach, t.start + reach}
}

// beside finds a place of the elbow for a branch so near that limits need not be considered, as in nearly
// every cycle of a motion.
func (t *search) beside(configuration int) Status {
	if t.elbow.Strategy == AwayFromLimits {
		return OutOfLimits // which it cannot do without
	}
	alpha := t.choose(configuration, t.start, t.window())
	t.spread(alpha)
	if b := t.found.branch(configuration); b.within() && b.away() < leap && math.Abs(alpha-t.start) < hop {
		return t.found.status
	}
	return OutOfLimits
}

// place finds a place of the elbow for a branch.
func (t *search) place(configuration int) Status {
	if t.arm.ranges(&t.circle, uint8(configuration), &t.ranges) != Solved {
		return OutOfLimits
	}
	window, allowed := t.window(), t.ranges.around(t.start)
	window = Range{max(window.From, allowed.From), min(window.To, allowed.To)}
	if !(window.From <= window.To) {
		return OutOfLimits
	}
	alpha := t.choose(configuration, clamp(t.start, window.From, window.To), window)
	// At an edge a joint is at its limit. Where it depends on alpha very much, rounding brings it beyond.
	for _, inside := range [...]float64{0, 1e-9, 1e-7, 1e-5} {
		if allowed.To-allowed.From < 2*inside {
			break
		}
		t.spread(clamp(alpha, allowed.From+inside, allowed.To-inside))
		if b := t.found.branch(configuration); b.within() {
			return t.found.status
		}
	}
	return OutOfLimits
}

// choose returns the alpha that the strategy wants.
func (t *search) choose(configuration int, from float64, window Range) float64 {
	if t.elbow.Strategy == KeepAlpha {
		return clamp(towards(t.start, t.elbow.Alpha), window.From, window.To)
	}
	return t.descend(configuration, from, window)
}

// descend goes down from an alpha to where the slope of what the strategy wants to be small is 0, or to the end of the
// window: by Newton's steps, with secants for the second derivative, and halving where they lead outside.
func (t *search) descend(configuration int, from float64, window Range) float64 {
	const steps, stride, exact = 24, 0.3, 1e-12
	x, before, slopeBefore := from, math.NaN(), 0.0
	least, most, open := window.From, window.To, [2]bool{true, true}
	for range steps {
		slope, curve := t.slope(configuration, x)
		switch {
		case slope > 0:
			most, open[1] = x, false
		case slope < 0:
			least, open[0] = x, false
		default:
			return x
		}
		if secant := (slope - slopeBefore) / (x - before); secant > 0 {
			curve = secant
		}
		before, slopeBefore = x, slope
		step := clamp(-slope/curve, -stride, stride)
		if math.Abs(step) <= exact {
			return x
		}
		next := x + step
		switch {
		case next >= most && open[1]:
			next = most
		case next <= least && open[0]:
			next = least
		case !(next > least && next < most):
			next = (least + most) / 2
		}
		if next == x { // the end of the window
			return x
		}
		x = next
	}
	return x
}

// slope returns the derivative by alpha of half of what the strategy wants to be small, and about that of the derivative.
func (t *search) slope(configuration int, alpha float64) (slope, curve float64) {
	shoulder, elbow, wrist := configuration&1 != 0, configuration>>1&1, configuration>>2&1 != 0
	half := angleOf(alpha / 2)
	a, da := t.circle.first.at(half)
	b, db := t.circle.last.at(half)
	s1, c1 := t.slope3(&t.arm.first, &a, &da, 0, halfTurns(elbow), shoulder, &t.hint.first)
	s2, c2 := t.slope3(&t.arm.last, &b, &db, halfTurns(elbow), 0, wrist, &t.hint.last)
	return s1 + s2, c1 + c2
}

func (t *search) slope3(axes *[3]axis, a, da *versor, before, after float64, negative bool, hint *[3]float64) (slope, curve float64) {
	turns := a.turns()
	var p part3
	solve3(axes, &turns, before, after, negative, hint, t.elbow.Step > 0, &p)
	first, tilt, last := turns.rates(a, da)
	if negative {
		tilt = -tilt
	}
	for i, rate := range [3]float64{first, tilt, last} {
		x := &axes[i]
		rate *= x.turn
		if t.elbow.Strategy == LeastMotion {
			slope += (p.joints[i] - hint[i]) * rate
			curve += rate * rate
			continue
		}
		middle, half := (x.Max+x.Min)/2, (x.Max-x.Min)/2
		if !(half <= math.MaxFloat64) {
			continue
		}
		way := (p.joints[i] - middle) / half
		room := max(1-way*way, 1e-6)
		rate /= half
		slope += way / room * rate
		curve += (1 + way*way) / (room * room) * rate * rate
	}
	return slope, curve
}
