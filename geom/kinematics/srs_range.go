package kinematics

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// MaxRanges is the largest number of ranges of alpha: each of six joints keeps the elbow out of two arcs of its circle
// at most.
const MaxRanges = 13

// Range is an arc on the circle of the elbow. From is from -π to π, To up to a turn more.
type Range struct{ From, To float64 }

// all reports whether the arc is the whole circle.
func (r *Range) all() bool { return r.To-r.From >= 2*math.Pi-narrow }

// narrow is the width of an arc below which it is noise.
const narrow = 1e-12

// Ranges are the arcs that limits of joints allow.
type Ranges struct {
	N  int
	Of [MaxRanges]Range
}

// Ranges writes the ranges of alpha in which all joints of a configuration are within their limits. If there is none it is
// OutOfLimits. That is in closed form: the sines and cosines of joints 1, 3, 5 and 7, times a positive number, and the
// cosines of joints 2 and 6 are of the form a·cos α + b·sin α + c, and so is what becomes 0 where a joint comes to a limit.
func (s *SRS) Ranges(to *geom.Frame, configuration uint8, into *Ranges) Status {
	var c circle
	into.N = 0
	if status := s.circle(to, &c); status != Solved {
		return status
	}
	return s.ranges(&c, configuration, into)
}

func (s *SRS) ranges(c *circle, configuration uint8, into *Ranges) Status {
	shoulder, elbow, wrist := configuration&1 != 0, configuration>>1&1 != 0, configuration>>2&1 != 0
	into.N = 0
	angle := c.bend
	if elbow {
		angle = -angle
	}
	if _, ok := s.middle.Unwind(s.middle.value(angle), centre(&s.middle.Joint)); !ok {
		return OutOfLimits
	}
	var f forbidden
	f.joints(&s.first, &c.first, shoulder, shoulder, shoulder != elbow)
	f.joints(&s.last, &c.last, wrist != elbow, wrist, wrist)
	f.rest(into)
	if into.N == 0 {
		return OutOfLimits
	}
	return Solved
}

// harmonic is a·cos α + b·sin α + c.
type harmonic struct{ a, b, c float64 }

func (h *harmonic) at(alpha angle) float64 { return h.a*alpha.cos + h.b*alpha.sin + h.c }

// mix returns g times h plus i times j.
func mix(g float64, h *harmonic, i float64, j *harmonic) harmonic {
	return harmonic{g*h.a + i*j.a, g*h.b + i*j.b, g*h.c + i*j.c}
}

// The elements of the matrix of a rotation are sums of products of two parts of the quaternion: w·y + x·z for example. For
// a pencil, where the parts are from·cos(α/2) + half·sin(α/2), such a sum is harmonic. These are those sums that are sine
// and cosine of the first angle, and of the last one, times half the sine of the tilt, and the cosine of the tilt.
func (p *pencil) harmonics() (first, last [2]harmonic, tilt harmonic) {
	f, h := &p.from, &p.half
	wx, yz := product(f.w, h.w, f.x, h.x), product(f.y, h.y, f.z, h.z)
	wy, xz := product(f.w, h.w, f.y, h.y), product(f.x, h.x, f.z, h.z)
	ww, xx := product(f.w, h.w, f.w, h.w), product(f.x, h.x, f.x, h.x)
	yy, zz := product(f.y, h.y, f.y, h.y), product(f.z, h.z, f.z, h.z)
	up, across := mix(1, &ww, 1, &zz), mix(1, &xx, 1, &yy)
	return [2]harmonic{mix(1, &yz, -1, &wx), mix(1, &xz, 1, &wy)},
		[2]harmonic{mix(1, &yz, 1, &wx), mix(1, &wy, -1, &xz)},
		mix(1, &up, -1, &across)
}

// product is (f·cos(α/2) + h·sin(α/2))·(g·cos(α/2) + i·sin(α/2)).
func product(f, h, g, i float64) harmonic {
	return harmonic{(f*g - h*i) / 2, (f*i + h*g) / 2, (f*g + h*i) / 2}
}

// forbidden are the arcs in which some joint is beyond a limit, from -π to π.
type forbidden struct {
	n  int
	of [64]Range
}

// joints adds the arcs that the joints of the shoulder or the wrist forbid, if the first or the last one is turned further
// by π, or the one between turns negatively.
func (f *forbidden) joints(axes *[3]axis, p *pencil, first, tilt, last bool) {
	a, b, t := p.harmonics()
	f.turning(&axes[0], &a, first)
	f.tilting(&axes[1], &t, tilt)
	f.turning(&axes[2], &b, last)
}

// turning adds arcs for an angle with the given sine and cosine. It is within its limits where it is not farther from the
// centre of its range than half the range, thus where cos(angle - centre) is not less than the cosine of that.
func (f *forbidden) turning(x *axis, h *[2]harmonic, turned bool) {
	if !x.limited {
		return
	}
	sign := 1.0
	if turned {
		sign = -1
	}
	var c cuts
	for i := range x.ends {
		edge := mix(x.ends[i].cos, &h[0], -x.ends[i].sin, &h[1]) // ∝ sin(angle - end)
		c.zeros(&edge)
	}
	along := mix(sign*x.centre.sin, &h[0], sign*x.centre.cos, &h[1])
	for i := range c.of {
		if i >= c.arcs() {
			break
		}
		arc, m := c.arc(i)
		y, z := h[0].at(m), h[1].at(m)
		if along.at(m) < x.least*math.Sqrt(y*y+z*z) {
			f.add(arc)
		}
	}
}

// tilting adds arcs for an angle from 0 to π with the given cosine, or for its negative.
func (f *forbidden) tilting(x *axis, h *harmonic, negative bool) {
	if !x.limited {
		return
	}
	var c cuts
	for i := range x.ends {
		edge := harmonic{h.a, h.b, h.c - x.ends[i].cos}
		c.zeros(&edge)
	}
	sin := x.centre.sin
	if negative {
		sin = -sin
	}
	for i := range c.of {
		if i >= c.arcs() {
			break
		}
		arc, m := c.arc(i)
		z := h.at(m)
		if x.centre.cos*z+sin*math.Sqrt(max(1-z*z, 0)) < x.least {
			f.add(arc)
		}
	}
}

// cuts are up to four angles that cut the circle into arcs, sorted.
type cuts struct {
	n  int
	of [4]float64
}

// zeros adds where something harmonic is 0, if that is anywhere.
func (c *cuts) zeros(h *harmonic) {
	size := math.Sqrt(h.a*h.a + h.b*h.b)
	rest := (size - h.c) * (size + h.c)
	if !(rest > 0) {
		return
	}
	at, off := arc(h.b, h.a), arc(math.Sqrt(rest), -h.c)
	c.add(at - off)
	c.add(at + off)
}

func (c *cuts) add(x float64) {
	x = towards(0, x)
	for i := range c.of {
		if i >= c.n {
			c.of[i] = x
			break
		}
		c.of[i], x = min(c.of[i], x), max(c.of[i], x)
	}
	c.n++
}

func (c *cuts) arcs() int { return max(c.n, 1) }

// arc returns an arc between cuts, and its middle.
func (c *cuts) arc(i int) (arc Range, middle angle) {
	if c.n == 0 {
		return Range{-math.Pi, math.Pi}, angle{0, 1}
	}
	arc = Range{c.of[i&3], c.of[0] + 2*math.Pi}
	if i+1 < c.n {
		arc.To = c.of[(i+1)&3]
	}
	return arc, angleOf((arc.From + arc.To) / 2)
}

// add adds an arc that begins between -π and π.
func (f *forbidden) add(arc Range) {
	if arc.To > math.Pi {
		f.insert(Range{-math.Pi, arc.To - 2*math.Pi})
		arc.To = math.Pi
	}
	f.insert(arc)
}

// insert keeps the arcs sorted by where they begin.
func (f *forbidden) insert(arc Range) {
	for i := range f.of {
		at := &f.of[i]
		if i >= f.n {
			*at = arc
			break
		}
		if arc.From < at.From {
			*at, arc = arc, *at
		}
	}
	f.n++
}

// rest writes what is left of the circle.
func (f *forbidden) rest(into *Ranges) {
	end := -math.Pi
	for i := range f.of {
		if i >= f.n {
			break
		}
		into.add(Range{end, f.of[i].From})
		end = max(end, f.of[i].To)
	}
	into.add(Range{end, math.Pi})
	if n := into.N; n > 1 && n <= len(into.Of) && into.Of[0].From == -math.Pi && into.Of[n-1].To == math.Pi {
		into.Of[n-1].To = into.Of[0].To + 2*math.Pi
		for i := range into.Of[:MaxRanges-1] {
			into.Of[i] = into.Of[i+1]
		}
		into.N--
	}
}

func (r *Ranges) add(arc Range) {
	if arc.To-arc.From > narrow && r.N >= 0 && r.N < len(r.Of) {
		r.Of[r.N] = arc
		r.N++
	}
}

// around returns the range that alpha is in or next to, as a range about alpha without jumps: it may go beyond ±π.
func (r *Ranges) around(alpha float64) Range {
	best, least := Range{alpha, alpha}, math.Inf(1)
	for i := range r.Of {
		if i >= r.N {
			break
		}
		arc := &r.Of[i]
		if arc.all() {
			return Range{math.Inf(-1), math.Inf(1)}
		}
		middle, half := (arc.From+arc.To)/2, (arc.To-arc.From)/2
		middle = towards(alpha, middle)
		if away := math.Abs(alpha-middle) - half; away < least {
			best, least = Range{middle - half, middle + half}, max(away, 0)
		}
	}
	return best
}
