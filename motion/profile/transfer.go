package profile

import "math"

// Transfer is the task to bring an axis from one state to another, ready to be asked for its possible times.
type Transfer struct {
	from  State // in the frame of the goal
	to    State
	drift float64 // of the frame

	start  State // after the lead
	limits Limits
	size   float64 // of velocities
	half   bool    // only one family is prepared
	isUp   bool    // which one that is

	still bool // from rest to rest: only rest, slack and fastest count
	rest  rest

	lead  lead
	up    far     // the courses with the longest way
	down  far     // those with the shortest one, in the mirror
	way   float64 // to be covered by the courses
	slack float64 // what rounding may be missing of it

	early    [2]float64 // times of courses between which there may be one, apart from the others
	hasEarly bool
	begin    float64 // of all others
	fastest  float64 // of all
	share    float64 // of the longest course in the fastest one, NaN while that has not been looked at
	result   Result
}

// Set prepares the transfer and reports whether it can be done.
func (x *Transfer) Set(from State, to Goal, l Limits) Result {
	x.result = x.check(from, to, l)
	if x.result != Solved {
		return x.result
	}
	x.still = from.Vel == 0 && to.Vel == 0 && (from.Acc == 0 && to.Acc == 0 && !l.steep())
	if x.still {
		x.from, x.to = from, to.State
		x.slack = rounding * (math.Abs(from.Pos) + math.Abs(to.Pos))
		x.fastest = x.rest.set(to.Pos-from.Pos, x.slack, l)
		return Solved
	}
	size := math.Abs(from.Vel) + math.Abs(to.Vel)
	if to.Moving {
		x.drift = to.Vel
		to.Vel, to.Acc = 0, 0
		from.Vel -= x.drift
	}
	if l.steep() {
		from.Acc, to.Acc = 0, 0
	}
	x.from, x.to, x.limits, x.size = from, to.State, l, size
	x.start = x.lead.leave(from, -l.Vel-x.drift, l.Vel-x.drift, l)
	x.way = to.Pos - x.start.Pos
	first, share := x.oneSided()
	if math.IsNaN(first) {
		x.complete()
		first, share = x.earliest(0)
	}
	x.fastest, x.share = x.lead.time+first, share
	if !finite(x.fastest) {
		x.result = NoCourse
	}
	return x.result
}

// family prepares the courses with the longest way, or those with the shortest one.
func (x *Transfer) family(up bool) *far {
	if up {
		x.up.set(x.start, x.to, x.limits.Vel-x.drift, x.limits, x.size)
		return &x.up
	}
	x.down.set(x.start.mirror(), x.to.mirror(), x.limits.Vel+x.drift, x.limits, x.size)
	return &x.down
}

// oneSided is earliest(0) where the other family does not matter, and NaN otherwise: where the way is longer than that of
// the first course, and there is no gap between the times of courses. Without a gap both families begin at the same time.
func (x *Transfer) oneSided() (first, share float64) {
	// The side is guessed: about so far it goes while velocity changes.
	x.half, x.isUp = true, x.way > (x.start.Vel+x.to.Vel)*math.Abs(x.to.Vel-x.start.Vel)/(2*x.limits.Acc)
	f, way := x.family(x.isUp), x.way
	share = 1
	if !x.isUp {
		way, share = -way, 0
	}
	if f.hasEarly && f.early[1] < f.regular {
		return math.NaN(), 0
	}
	begin := f.first()
	longest, growth := f.way(begin)
	if slack := x.rounding(begin, f.blur); way > longest+slack {
		return f.reach(way, slack, reached{begin, longest, growth}, math.Inf(1)), share
	}
	return math.NaN(), 0
}

// rounding returns what rounding may be missing of a way, where courses begin at a time that may be wrong by blur.
func (x *Transfer) rounding(begin, blur float64) float64 {
	return rounding*(math.Abs(x.from.Pos)+math.Abs(x.to.Pos)) + x.size*(rounding*begin+blur)
}

// complete prepares the other family, which oneSided has not looked at.
func (x *Transfer) complete() {
	if !x.half {
		return
	}
	x.half = false
	x.family(!x.isUp)
	x.parts()
	x.slack = x.rounding(x.begin, max(x.up.blur, x.down.blur))
}

// rounding is what calculated times and ways are wrong by, relative to their size.
const rounding = 4e-15

func (x *Transfer) check(from State, to Goal, l Limits) Result {
	x.drift = 0
	switch {
	case !l.valid():
		return BadLimits
	case !from.valid() || !to.valid():
		return BadState
	case to.Moving && !(math.Abs(to.Vel) < l.Vel), !to.Moving && !l.Keeps(to.State):
		return BeyondLimit
	}
	return Solved
}

// parts finds the times for which there are courses at all. Whether the irregular parts of both families lie apart is the same question for
// both; they begin and end in the same courses.
func (x *Transfer) parts() {
	u, d := &x.up, &x.down
	x.begin, x.hasEarly = max(u.regular, d.regular), false
	if u.hasEarly && d.hasEarly && u.early[1] < u.regular && d.early[1] < d.regular {
		x.early[0] = max(u.early[0], d.early[0])
		x.early[1] = max(x.early[0], min(u.early[1], d.early[1]))*(1+rounding) + max(u.blur, d.blur)
		x.hasEarly = true
		return
	}
	x.begin = max(u.first(), d.first())
}

// first returns the least time of a family.
func (f *far) first() float64 {
	if f.hasEarly {
		return f.early[0]
	}
	return f.regular
}

// Earliest returns the shortest time, but not a shorter one than given, in which the goal can be reached. It is NaN when the
// transfer is impossible.
func (x *Transfer) Earliest(notBefore float64) float64 {
	if x.result != Solved {
		return math.NaN()
	}
	if notBefore <= x.fastest {
		return x.fastest
	}
	if x.still {
		return notBefore
	}
	x.complete()
	t, _ := x.earliest(notBefore - x.lead.time)
	return max(x.lead.time+t, notBefore)
}

// earliest is Earliest without the lead, and the share of the longest course in the one of that time, as far as it is known.
func (x *Transfer) earliest(t float64) (first, share float64) {
	if x.hasEarly && t <= x.early[1] {
		if first, share = x.within(max(t, x.early[0]), x.early[1]); !math.IsNaN(first) {
			return first, share
		}
	}
	return x.within(max(t, x.begin), math.Inf(1))
}

// within returns the first time from begin to end in whose interval the way is, NaN when there is none.
func (x *Transfer) within(begin, end float64) (first, share float64) {
	longest, growth := x.up.way(begin)
	if x.way > longest+x.slack {
		return x.up.reach(x.way, x.slack, reached{begin, longest, growth}, end), 1
	}
	shortest, growth := x.down.way(begin)
	if x.way < -shortest-x.slack {
		return x.down.reach(-x.way, x.slack, reached{begin, shortest, growth}, end), 0
	}
	return begin, math.NaN()
}

// reached is what is known of the longest way of a time.
type reached struct{ t, way, growth float64 }

// reach returns the first time until end with a way, which from does not have yet. NaN stands for none.
func (f *far) reach(way, slack float64, from reached, end float64) float64 {
	if f.hasEarly && from.t < f.early[1] {
		last := min(end, f.early[1])
		// The way grows by no more than the largest velocity, and mostly lies farther than that.
		if far := way-slack > from.way+max(f.vel, f.from.Vel)*(last-from.t); !far {
			turns := f.turns()
			for from.t < last {
				next := f.reached(following(&turns, from.t, last))
				if next.way >= way-slack {
					return f.solve(min(way, next.way), from, next.t)
				}
				from = next
			}
		} else if end > f.regular {
			from = f.reached(last)
		}
	}
	if end <= f.regular {
		return math.NaN()
	}
	// From here on the way grows ever faster, until the limit of velocity is reached.
	if from.t < f.capped {
		there := f.reached(f.capped)
		if there.way >= way {
			return f.solve(way, from, f.capped)
		}
		from = there
	}
	return from.t + (way-from.way)/f.vel
}

func (f *far) reached(t float64) reached {
	way, growth := f.way(t)
	return reached{t, way, growth}
}

// following returns the first one of some times after t, or the last.
func following(times *[5]float64, t, last float64) float64 {
	for _, next := range times {
		if next > t && next < last {
			last = next
		}
	}
	return last
}

// solve returns the time at which the way is the one that is wanted, which from does not have yet, but end has. That is
// Newton's method, kept from leaving the interval.
func (f *far) solve(way float64, from reached, end float64) float64 {
	const (
		steps   = 80
		epsilon = 2.3e-16
	)
	begin := from.t
	t := min(begin+f.guess(way-from.way, from.growth), end)
	for range steps {
		there, growth := f.way(t)
		if there < way {
			begin = t
		} else {
			end = t
		}
		next := t + (way-there)/growth
		noise := epsilon * (math.Abs(way) + (math.Abs(f.from.Vel)+math.Abs(growth))*t)
		if math.Abs(next-t) <= epsilon*t || math.Abs(there-way) <= noise {
			return t
		}
		if !(next > begin && next < end) {
			next = (begin + end) / 2
		}
		t = next
	}
	return t
}

// guess is about how long a rest of a way takes: less than with the velocity that is there, and about what it takes
// from rest, where the way is jerk·t³/32 or acc·t²/4.
func (f *far) guess(rest, growth float64) float64 {
	guess := 2 * math.Sqrt(rest/f.acc)
	if f.jerk <= math.MaxFloat64 {
		guess = max(guess, math.Cbrt(32*rest/f.jerk))
	}
	if growth > 0 {
		guess = min(guess, rest/growth)
	}
	return guess
}
