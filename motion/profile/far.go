package profile

import "math"

// far is the family of courses with which the way is longest, one for each time.
//
// With u for jerk up and d for jerk down, the course is
//
//	u from a0 to a1, hold, d from a1 to 0, cruise, d from 0 to a2, hold, u from a2 to af
//
// It holds at a1 when that is the limit of acceleration, at a2 when that is the negative limit, and it cruises when velocity is
// at its limit. With y1 = a1² + jerk·acc·hold1, and y2 alike, the change of velocity says that
//
//	y1 - y2 = c = jerk·(vf-v0) - (af²-a0²)/2
//
// which leaves one unknown, and the time
//
//	k = (jerk·T + a0 - af)/2 = a1 - a2 + jerk·(hold1+hold2)/2
//
// settles that. As long as a1 ≥ 0 ≥ a2 (the regular part) a longer time leads to a greater a1 and a lower a2.
// Where an acceleration of the start or of the end is there to be used, shorter times are possible, in which a1 and a2 have
// the sign of that acceleration (the irregular part). The irregular part may join the regular one or be apart from it: then there are
// times between the two that are too long for the one and too short for the other.
type far struct {
	from, to       State // positions are of no interest
	vel, acc, jerk float64
	slow, ease     float64 // 1/jerk, 1/acc

	c        float64
	noise    float64    // what rounding makes of c, y1 and y2 when they are 0
	blur     float64    // by how much the times where a part begins or ends may be wrong because of that
	regular  float64    // time at which the regular part begins
	capped   float64    // time from which on the limit of velocity is reached
	top      peaks      // of that moment
	early    [2]float64 // times between which the irregular part lies
	hasEarly bool
}

// width returns what a stretch up to an acceleration, and a hold there, contribute to k.
func (f *far) width(acc, hold float64) float64 { return acc + f.jerk*hold/2 }

// unsure returns what noise makes of the time for a width: more where little acceleration takes long to change a velocity.
func (f *far) unsure(acc float64) float64 {
	const atMost = 1e-10
	if acc*acc <= f.noise {
		return 0
	}
	return min(f.noise*f.slow/math.Abs(acc), atMost)
}

// time returns the inverse of k.
func (f *far) time(k float64) float64 {
	return max(0, (2*k-f.from.Acc+f.to.Acc)*f.slow)
}

// set prepares the family. Both states must be viable (brake.go). Their velocities have been calculated from some of the given size.
func (f *far) set(from, to State, vel float64, l Limits, size float64) {
	f.from, f.to = from, to
	f.vel, f.acc, f.jerk, f.slow, f.ease = vel, l.Acc, l.Jerk, 1/l.Jerk, 1/l.Acc
	f.hasEarly = false
	if l.steep() {
		f.regular = math.Abs(to.Vel-from.Vel) / f.acc
		f.blur = rounding * size / f.acc
		f.capped = max(f.regular, (2*vel-from.Vel-to.Vel)/f.acc)
		return
	}
	a0, af := from.Acc, to.Acc
	f.c = f.jerk*(to.Vel-from.Vel) - (af*af-a0*a0)/2
	f.noise = 8e-16 * (f.jerk*size + a0*a0 + af*af)
	if math.Abs(f.c) <= f.noise {
		f.c = 0
	}
	most := f.jerk*(vel-from.Vel) + a0*a0/2                  // y1 where velocity is at its limit
	least1, least2 := square(max(a0, 0)), square(min(af, 0)) // of y1 and y2 in the regular part
	y1 := min(max(least1, least2+f.c), most)                 // except for rounding the last one is not less
	a1, hold1 := f.peak(y1)
	a2, hold2 := f.peak(y1 - f.c)
	f.regular = f.time(f.width(a1, hold1) + f.width(a2, hold2))
	f.blur = f.unsure(a1) + f.unsure(a2)
	a1, hold1 = f.peak(most)
	a2, hold2 = f.peak(most - f.c)
	f.top = peaks{a1: a1, a2: -a2, hold1: hold1, hold2: hold2}
	f.capped = f.time(f.width(a1, hold1) + f.width(a2, hold2))

	// The irregular part: a2 between 0 and af, or a1 between a0 and 0.
	switch {
	case af > 0 && f.c >= 0:
		f.irregular(least1-f.c, af*af)
	case a0 < 0 && f.c <= 0:
		f.irregular(least2+f.c, a0*a0)
	}
}

// irregular finds the irregular part, in which the smaller one of y1 and y2 goes from most down to least, if there is one.
func (f *far) irregular(least, most float64) {
	if least > most+f.noise {
		return
	}
	longest, k, greater := f.junction(most)
	f.hasEarly = true
	f.early = [2]float64{f.time(k), f.regular}
	if least > f.noise {
		smaller, k, _ := f.junction(min(least, most))
		f.early[1] = f.time(k)
		f.blur += f.unsure(smaller)
	}
	f.blur += f.unsure(longest) + f.unsure(greater) + f.unsure(k)
}

// junction returns k of the irregular part and the two accelerations, where the smaller one of y1 and y2 is y.
func (f *far) junction(y float64) (smaller, k, greater float64) {
	greater, hold := f.peak(y + math.Abs(f.c))
	smaller = math.Sqrt(y)
	return smaller, f.width(greater, hold) - smaller, greater
}

func square(v float64) float64 { return v * v }

// leg is a stretch of a course with constant jerk. Its acceleration is that at its beginning.
type leg struct{ time, acc, jerk float64 }

// legs is how many a course has.
const legs = 7

// course writes the legs of a time.
func (f *far) course(t float64, c *[legs]leg) {
	if f.jerk > math.MaxFloat64 {
		peak, cruise := f.summit(t)
		*c = [legs]leg{
			{max(0, peak-f.from.Vel) / f.acc, f.acc, 0},
			{cruise, 0, 0},
			{max(0, peak-f.to.Vel) / f.acc, -f.acc, 0},
		}
		return
	}
	a1, a2, hold1, hold2, cruise := f.peaks(t)
	up, down := f.jerk, -f.jerk
	c[0] = leg{max(0, (a1-f.from.Acc)*f.slow), f.from.Acc, up}
	c[1] = leg{hold1, a1, 0}
	if a1 >= 0 && a2 <= 0 {
		c[2] = leg{a1 * f.slow, a1, down}
		c[3] = leg{cruise, 0, 0}
		c[4] = leg{-a2 * f.slow, 0, down}
	} else {
		c[2] = leg{max(0, (a1-a2)*f.slow), a1, down}
		c[3], c[4] = leg{}, leg{}
	}
	c[5] = leg{hold2, a2, 0}
	c[6] = leg{max(0, (f.to.Acc-a2)*f.slow), a2, up}
}

// way returns how far the course of a time leads, and by how much that grows with the time. That is the Hamiltonian of the
// problem: the velocity at the end of the first hold and half of what is gained from there to a2, or the velocity of the cruise.
func (f *far) way(t float64) (way, growth float64) {
	if f.jerk > math.MaxFloat64 {
		peak, cruise := f.summit(t)
		return (peak*peak-(square(f.from.Vel)+square(f.to.Vel))/2)/f.acc + f.vel*cruise, peak
	}
	a1, a2, hold1, hold2, cruise := f.peaks(t)
	there, held := f.rise(f.from.Vel, f.from.Acc, a1, hold1)
	back, _ := f.rise(f.to.Vel, -f.to.Acc, -a2, hold2) // seen from the end, in time that runs back
	growth = f.vel
	if t < f.capped {
		growth = held + a1*(a1-a2)*f.slow/2
	}
	return there + f.vel*cruise + back, growth
}

// rise returns the way from a velocity and an acceleration up to an acceleration, through a hold, and down to acceleration
// 0, and the velocity at the end of the hold. Where the acceleration is negative the way to 0 is one back in time, which another
// rise from 0 covers again: the sums are right nevertheless.
func (f *far) rise(vel, acc, peak, hold float64) (way, held float64) {
	up, down := (peak-acc)*f.slow, peak*f.slow
	before := vel + up*(acc+peak)/2
	held = before + hold*peak
	return up*(vel+up*(2*acc+peak)*sixth) + hold*(before+held)/2 + down*(held+down*peak*third), held
}

// summit returns the highest velocity of a time and the cruise at it, when acceleration may jump.
func (f *far) summit(t float64) (vel, cruise float64) {
	if t >= f.capped {
		return f.vel, t - f.capped
	}
	return (f.acc*t + f.from.Vel + f.to.Vel) / 2, 0
}

// peaks are accelerations, and how long they are held.
type peaks struct{ a1, a2, hold1, hold2 float64 }

// peaks returns what a time settles, number by number, which stay in registers: a struct of five would not.
func (f *far) peaks(t float64) (a1, a2, hold1, hold2, cruise float64) {
	a, c := f.acc, f.c
	if f.hasEarly && t > f.early[1] && t-f.early[1] < f.regular-t {
		t = f.early[1] // there is nothing in between, but rounding may lead there
	}
	if t >= f.capped {
		p := &f.top
		return p.a1, p.a2, p.hold1, p.hold2, t - f.capped
	}
	k := (f.jerk*t + f.from.Acc - f.to.Acc) / 2
	if k <= rounding*(f.jerk*t+a) { // straight up from a0 to af
		return f.from.Acc, f.from.Acc, 0, 0, 0
	}
	// The greater one of y1 and y2 comes to the limit first.
	off := c / k
	a1, a2 = (k+off)/2, (off-k)/2
	switch both := k - 2*a - math.Abs(c)*f.ease/2; {
	case both >= 0:
		a1, hold1 = a, (both+max(0, c)*f.ease)*f.slow
		a2, hold2 = -a, (both+max(0, -c)*f.ease)*f.slow
	case c >= 0 && a1 > a:
		a1, a2 = a, a-math.Sqrt(max(0, 2*a*k-c))
		hold1 = max(0, a2*a2+c-a*a) * f.ease * f.slow
	case c < 0 && a2 < -a:
		a1, a2 = math.Sqrt(max(0, 2*a*k+c))-a, -a
		hold2 = max(0, a1*a1-c-a*a) * f.ease * f.slow
	}
	if k < 1e-9*a { // too little for c/k to say much, but jerk goes up first and last
		up, down := max(0, f.from.Acc-a1), max(0, a2-f.to.Acc)
		a1, a2 = a1+up-down, a2+up-down
	}
	return a1, a2, hold1, hold2, 0
}

// peak returns the acceleration and the hold that make up y.
func (f *far) peak(y float64) (acc, hold float64) {
	switch {
	case y <= f.noise:
		return 0, 0
	case y <= f.acc*f.acc:
		return math.Sqrt(y), 0
	}
	return f.acc, (y - f.acc*f.acc) * f.ease * f.slow
}

// turns returns the times in the irregular part at which the way may stop growing or begin to grow again, in no order: where
// it holds no longer, and where the growth is 0. NaN stands for none.
func (f *far) turns() [5]float64 {
	a, c, a0 := f.acc, f.c, f.from.Acc
	rest := f.jerk*f.from.Vel - a0*a0/2 // of the growth
	var k [5]float64

	// Without hold: the growth is (3z/8 + c/2 + c²/8z + rest)/jerk with z = k².
	z1, z2 := roots(3, 4*c+8*rest, c*c)
	k[0], k[1] = math.Sqrt(z1), math.Sqrt(z2)
	if c >= 0 { // a hold at a1: (a2² - a·a2/2 + c + rest)/jerk
		a21, a22 := roots(1, -a/2, c+rest)
		k[2], k[3] = (square(a-a21)+c)/(2*a), (square(a-a22)+c)/(2*a)
		k[4] = a - math.Sqrt(a*a-c)
	} else { // a hold at a2: (a1² + a·a1/2 + rest)/jerk
		a11, a12 := roots(1, a/2, rest)
		k[2], k[3] = (square(a+a11)-c)/(2*a), (square(a+a12)-c)/(2*a)
		k[4] = a - math.Sqrt(a*a+c)
	}
	for i := range k {
		k[i] = f.time(k[i])
	}
	return k
}

// roots returns the real roots of ax² + bx + c, NaN when there are none.
func roots(a, b, c float64) (x1, x2 float64) {
	q := -(b + math.Copysign(math.Sqrt(b*b-4*a*c), b)) / 2
	return q / a, c / q
}
