package profile

import "math"

// Transfer is the task to bring an axis from one state to another, ready to be asked which times there are for it.
type Transfer struct {
	from  State // in the frame of the goal
	to    State
	drift float64 // of the frame

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
	x.from, x.to = from, to.State
	high, low := l.Vel-x.drift, -l.Vel-x.drift
	start := x.lead.leave(from, low, high, l)
	x.up.set(start, to.State, high, l, size)
	x.down.set(start.mirror(), to.State.mirror(), -low, l, size)
	x.way = to.Pos - start.Pos
	x.parts()

	x.slack = rounding*(math.Abs(from.Pos)+math.Abs(to.Pos)) + size*(rounding*x.begin+max(x.up.blur, x.down.blur))
	first, share := x.earliest(0)
	x.fastest, x.share = x.lead.time+first, share
	if !finite(x.fastest) {
		x.result = NoCourse
	}
	return x.result
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

// first is the least time of a family.
func (f *far) first() float64 {
	if f.hasEarly {
		return f.early[0]
	}
	return f.regular
}

// Earliest returns the shortest time, but not a shorter one than given, in which the goal can be reached. It is NaN when the transfer cannot be done.
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
		turns, last := f.turns(), min(end, f.early[1])
		for from.t < last {
			next := f.reached(following(&turns, from.t, last))
			if next.way >= way-slack {
				return f.solve(min(way, next.way), from, next.t)
			}
			from = next
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

// following is the first one of some times after t, or the last.
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
