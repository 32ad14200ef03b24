package profile

import "math"

// Profile is the course of an axis over time, from 0 to its duration. The zero value rests at 0.
type Profile struct {
	phases   [maxPhases]phase
	n        int
	end      State
	duration float64
}

// maxPhases is a power of 2 that is not less than the legs of a lead and those of two courses, one of which ends together.
const maxPhases = 16

// phase is a part of a profile with constant jerk.
type phase struct {
	begin float64
	at    State // at the beginning
	jerk  float64
}

// Plan makes the fastest profile.
func (p *Profile) Plan(from State, to Goal, l Limits) Result {
	var x Transfer
	if r := x.Set(from, to, l); r != Solved {
		return r
	}
	return x.In(x.Earliest(0), p)
}

// PlanIn makes a profile that takes a given time. When there is none for just this time the result is NoCourse, and
// the profile is left alone; Transfer.Earliest knows the next time for which there is one.
func (p *Profile) PlanIn(duration float64, from State, to Goal, l Limits) Result {
	var x Transfer
	if r := x.Set(from, to, l); r != Solved {
		return r
	}
	if x.Earliest(duration) != duration {
		return NoCourse
	}
	return x.In(duration, p)
}

// In writes the profile that takes a time that Earliest has returned.
func (x *Transfer) In(duration float64, p *Profile) Result {
	if x.result != Solved {
		return x.result
	}
	if !finite(duration) {
		return NoCourse
	}
	if x.still {
		x.rest.write(duration, x.from.Pos, x.to.Pos, p)
		p.finish(x.to, duration, 0)
		return Solved
	}
	t := max(0, duration-x.lead.time)
	share := x.share
	if duration != x.fastest || math.IsNaN(share) {
		x.complete()
		share = x.mixture(t)
	}
	p.begin(x.from)
	if x.lead.time > 0 {
		p.addAll(x.lead.legs[:], 1)
	}
	switch share {
	case 1:
		p.follow(&x.up, t, 1)
	case 0:
		p.follow(&x.down, t, -1)
	default:
		p.mix(&x.up, &x.down, t, share)
	}
	p.finish(x.to, duration, x.drift)
	return Solved
}

// mixture returns the share of the longest course in the one that takes a time.
func (x *Transfer) mixture(t float64) float64 {
	longest, _ := x.up.way(t)
	shortest, _ := x.down.way(t)
	switch {
	case x.way >= longest-x.slack:
		return 1
	case x.way <= -shortest+x.slack:
		return 0
	}
	return (x.way + shortest) / (longest + shortest)
}

// Velocity makes the profile that brings an axis to a velocity and an acceleration as soon as possible, at whatever position.
func (p *Profile) Velocity(from State, velocity, acceleration float64, l Limits) Result {
	to := State{0, velocity, acceleration}
	switch {
	case !l.valid():
		return BadLimits
	case !from.valid() || !to.valid():
		return BadState
	case !l.Keeps(to):
		return BeyondLimit
	}
	if l.steep() {
		from.Acc, to.Acc = 0, 0
	}
	var first lead
	start := first.leave(from, math.Inf(-1), math.Inf(1), l)
	var f far
	f.set(start, to, math.Inf(1), l, math.Abs(from.Vel)+math.Abs(velocity))
	t := f.first()
	p.begin(from)
	p.addAll(first.legs[:], 1)
	p.follow(&f, t, 1)
	to.Pos = p.end.Pos
	p.finish(to, first.time+t, 0)
	return Solved
}

// Stop makes the profile that brings an axis to rest as soon as possible.
func (p *Profile) Stop(from State, l Limits) Result { return p.Velocity(from, 0, 0, l) }

// begin makes a profile that has no phases yet. Until it is finished, end and duration are those of its last phase.
func (p *Profile) begin(at State) { p.n, p.duration, p.end = 0, 0, at }

// put adds a phase that begins with a state, if it takes any time.
func (p *Profile) put(time, pos, vel, acc, jerk float64) {
	if time > 0 && p.n < maxPhases {
		f := &p.phases[p.n&(maxPhases-1)]
		f.begin, f.at.Pos, f.at.Vel, f.at.Acc, f.jerk = p.duration, pos, vel, acc, jerk
		p.n++
		p.duration += time
	}
}

// follow adds the course of a family that takes a time, or what it is in the mirror.
func (p *Profile) follow(f *far, t, sign float64) {
	var c [legs]leg
	f.course(t, &c)
	p.addAll(c[:], sign)
}

// addAll adds legs, or what they are in the mirror.
func (p *Profile) addAll(c []leg, sign float64) {
	at := p.end
	for i := range c {
		l := &c[i]
		if l.time > 0 {
			at.Acc = sign * l.acc
			p.put(l.time, at.Pos, at.Vel, at.Acc, sign*l.jerk)
			at = at.after(l.time, sign*l.jerk)
		}
	}
	p.end = at
}

// mix adds the mixture of the courses of two families that take a time, the second one of which is seen in a mirror.
func (p *Profile) mix(longest, shortest *far, t, share float64) {
	var up, down [legs]leg
	longest.course(t, &up)
	shortest.course(t, &down)
	const together = 1e-14   // of the time so far: legs that end as close to each other end together
	i, j := uint(0), uint(0) // as ints the compiler takes them for numbers that may be negative
	a, b := up[0], down[0]
	for range 2 * legs {
		t := min(a.time, b.time)
		p.addAll([]leg{{t, share*a.acc - (1-share)*b.acc, share*a.jerk - (1-share)*b.jerk}}, 1)
		near := together * p.duration
		if a = a.rest(t); a.time <= near {
			if i++; i >= legs {
				return
			}
			a = up[i]
		}
		if b = b.rest(t); b.time <= near {
			if j++; j >= legs {
				return
			}
			b = down[j]
		}
	}
}

// rest returns what is left of a leg after a time.
func (l leg) rest(t float64) leg { return leg{l.time - t, l.acc + l.jerk*t, l.jerk} }

// finish ends the profile where it should end, up to rounding, and adds the movement of the frame.
func (p *Profile) finish(to State, duration, drift float64) {
	p.end, p.duration = to, duration
	if p.n == 0 {
		p.phases[0], p.n = phase{0, to, 0}, 1
	}
	if drift == 0 {
		return
	}
	p.end.Vel += drift
	p.end.Pos += drift * duration
	for i := range min(p.n, maxPhases) {
		f := &p.phases[i]
		f.at.Pos += drift * f.begin
		f.at.Vel += drift
	}
}

// Duration returns the time at which the end is reached.
func (p *Profile) Duration() float64 { return p.duration }

// End returns the state at the end.
func (p *Profile) End() State { return p.end }

// At returns the state at a time: before 0 that at 0, and after the end one that goes on with the velocity of the end.
func (p *Profile) At(t float64) State {
	s, _ := p.at(t)
	return s
}

// Jerk returns the jerk at a time.
func (p *Profile) Jerk(t float64) float64 {
	_, jerk := p.at(t)
	return jerk
}

func (p *Profile) at(t float64) (s State, jerk float64) {
	if t >= p.duration {
		s = p.end
		if rest := t - p.duration; rest > 0 {
			s.Pos += s.Vel * rest
			s.Acc = 0
		}
		return s, 0
	}
	f := &p.phases[0]
	for i := 1; i < maxPhases && i < p.n && t >= p.phases[i].begin; i++ {
		f = &p.phases[i]
	}
	t = max(0, t-f.begin)
	return f.at.after(t, f.jerk), f.jerk
}

// Phases returns how many phases of constant jerk there are.
func (p *Profile) Phases() int { return p.n }

// Phase returns one of them: when it begins, with which state, and its jerk.
func (p *Profile) Phase(i int) (begin float64, at State, jerk float64) {
	f := &p.phases[i&(maxPhases-1)]
	return f.begin, f.at, f.jerk
}
