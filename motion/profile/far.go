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
	slow           float64 // 1/jerk

	c        float64
	noise    float64    // what rounding makes of c, y1 and y2 when they are 0
	blur     float64    // by how much the times where a part begins or ends may be wrong because of that
	regular  float64    // time at which the regular part begins
	capped   float64    // time from which on the limit of velocity is reached
	y1       float64    // of that moment
	early    [2]float64 // times between which the irregular part lies
	hasEarly bool
}

// width is what a stretch up to acceleration a or, with a hold, up to the limit, contributes to k.
func (f *far) width(y float64) float64 {
	acc, hold := f.peak(y)
	return acc + f.jerk*hold/2
}

// unsure is what noise makes of the time for a width: more where little acceleration takes long to change a velocity.
func (f *far) unsure(y float64) float64 {
	const atMost = 1e-10
	if y <= f.noise {
		return 0
	}
	return min(f.noise/(f.jerk*math.Sqrt(y)), atMost)
}

// time is the inverse of k.
func (f *far) time(k float64) float64 {
	return max(0, (2*k-f.from.Acc+f.to.Acc)/f.jerk)
}

// set prepares the family. Both states must be viable (brake.go). Their velocities have been calculated from some of the given size.
func (f *far) set(from, to State, vel float64, l Limits, size float64) {
	f.from, f.to = from, to
	f.vel, f.acc, f.jerk, f.slow = vel, l.Acc, l.Jerk, 1/l.Jerk
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
	f.y1 = f.jerk*(vel-from.Vel) + a0*a0/2
	least1, least2 := square(max(a0, 0)), square(min(af, 0)) // of y1 and y2 in the regular part
	y1 := min(max(least1, least2+f.c), f.y1)                 // except for rounding the last one is not less
	f.regular = f.time(f.width(y1) + f.width(y1-f.c))
	f.blur = f.unsure(y1) + f.unsure(y1-f.c)
	f.capped = f.time(f.width(f.y1) + f.width(f.y1-f.c))

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
	k := func(y float64) float64 { return f.width(y+math.Abs(f.c)) - math.Sqrt(y) }
	f.hasEarly = true
	f.early = [2]float64{f.time(k(most)), f.regular}
	if least > f.noise {
		f.early[1] = f.time(k(min(least, most)))
		f.blur += f.unsure(least)
	}
	f.blur += f.unsure(most) + f.unsure(most+math.Abs(f.c)) + f.unsure(square(k(most)))
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
	p := f.peaks(t)
	up, down := f.jerk, -f.jerk
	c[0] = leg{max(0, (p.a1-f.from.Acc)/f.jerk), f.from.Acc, up}
	c[1] = leg{p.hold1, p.a1, 0}
	if p.a1 >= 0 && p.a2 <= 0 {
		c[2] = leg{p.a1 / f.jerk, p.a1, down}
		c[3] = leg{p.cruise, 0, 0}
		c[4] = leg{-p.a2 / f.jerk, 0, down}
	} else {
		c[2] = leg{max(0, (p.a1-p.a2)/f.jerk), p.a1, down}
		c[3], c[4] = leg{}, leg{}
	}
	c[5] = leg{p.hold2, p.a2, 0}
	c[6] = leg{max(0, (f.to.Acc-p.a2)/f.jerk), p.a2, up}
}

// way returns how far the course of a time leads, and by how much that grows with the time. That is the Hamiltonian of the
// problem: the velocity at the end of the first hold and half of what is gained from there to a2, or the velocity of the cruise.
func (f *far) way(t float64) (way, growth float64) {
	if f.jerk > math.MaxFloat64 {
		peak, cruise := f.summit(t)
		return (peak*peak-(square(f.from.Vel)+square(f.to.Vel))/2)/f.acc + f.vel*cruise, peak
	}
	p := f.peaks(t)
	there, held := f.rise(f.from.Vel, f.from.Acc, p.a1, p.hold1)
	back, _ := f.rise(f.to.Vel, -f.to.Acc, -p.a2, p.hold2) // seen from the end, in time that runs back
	growth = f.vel
	if t < f.capped {
		growth = held + p.a1*(p.a1-p.a2)*f.slow/2
	}
	return there + f.vel*p.cruise + back, growth
}

// rise returns the way from a velocity and an acceleration up to an acceleration, through a hold, and down to acceleration
// 0, and the velocity at the end of the hold. Where the acceleration is negative the way to 0 is one back in time, which another
// rise from 0 covers once more: the sums are right nevertheless.
func (f *far) rise(vel, acc, peak, hold float64) (way, held float64) {
	up, down := (peak-acc)*f.slow, peak*f.slow
	before := vel + up*(acc+peak)/2
	held = before + hold*peak
	return up*(vel+up*(2*acc+peak)/6) + hold*(before+held)/2 + down*(held+down*peak/3), held
}

// summit is the highest velocity of a time and the cruise at it, when acceleration may jump.
func (f *far) summit(t float64) (vel, cruise float64) {
	if t >= f.capped {
		return f.vel, t - f.capped
	}
	return (f.acc*t + f.from.Vel + f.to.Vel) / 2, 0
}

// peaks are what a time settles.
type peaks struct{ a1, a2, hold1, hold2, cruise float64 }

func (f *far) peaks(t float64) (p peaks) {
	a := f.acc
	if f.hasEarly && t > f.early[1] && t-f.early[1] < f.regular-t {
		t = f.early[1] // there is nothing in between, but rounding may lead there
	}
	if t >= f.capped {
		p.a1, p.hold1 = f.peak(f.y1)
		p.a2, p.hold2 = f.peak(f.y1 - f.c)
		p.a2, p.cruise = -p.a2, t-f.capped
		return p
	}
	k := (f.jerk*t + f.from.Acc - f.to.Acc) / 2
	if k <= rounding*(f.jerk*t+f.acc) { // straight up from a0 to af
		return peaks{a1: f.from.Acc, a2: f.from.Acc}
	}
	// The greater one of y1 and y2 comes to the limit first.
	p.a1, p.a2 = (k+f.c/k)/2, (f.c/k-k)/2
	switch both := k - 2*a - math.Abs(f.c)/(2*a); {
	case both >= 0:
		p.a1, p.hold1 = a, (both+max(0, f.c)/a)*f.slow
		p.a2, p.hold2 = -a, (both+max(0, -f.c)/a)*f.slow
	case f.c >= 0 && p.a1 > a:
		p.a1, p.a2 = a, a-math.Sqrt(max(0, 2*a*k-f.c))
		p.hold1 = max(0, p.a2*p.a2+f.c-a*a) / a * f.slow
	case f.c < 0 && p.a2 < -a:
		p.a1, p.a2 = math.Sqrt(max(0, 2*a*k+f.c))-a, -a
		p.hold2 = max(0, p.a1*p.a1-f.c-a*a) / a * f.slow
	}
	if k < 1e-9*f.acc { // too little for c/k to say much, but jerk goes up first and last
		up, down := max(0, f.from.Acc-p.a1), max(0, p.a2-f.to.Acc)
		p.a1, p.a2 = p.a1+up-down, p.a2+up-down
	}
	return p
}

// peak returns the acceleration and the hold that make up y.
func (f *far) peak(y float64) (acc, hold float64) {
	switch {
	case y <= f.noise:
		return 0, 0
	case y <= f.acc*f.acc:
		return math.Sqrt(y), 0
	}
	return f.acc, (y - f.acc*f.acc) / (f.acc * f.jerk)
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
