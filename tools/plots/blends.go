package main

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/motion"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

func no(err error) {
	if err != nil {
		panic(err)
	}
}

// ofAxes blends two motions of axes, one of which is left and the other one entered at shares of their times.
func ofAxes(first, second motion.InJoints, leave, enter float64, limits []profile.Limits) *motion.Blend {
	b := motion.NewBlend(first, second, len(limits))
	solved(b.Plan(leave*first.Duration(), enter*second.Duration(), limits))
	return b
}

func pointToPoint(from, to []float64, limits []profile.Limits) *motion.Joints {
	m := motion.NewJoints(len(limits))
	starts, goals := make([]profile.State, len(limits)), make([]profile.Goal, len(limits))
	for k := range limits {
		starts[k], goals[k].State = rest(from[k]), rest(to[k])
	}
	solved(m.Plan(motion.FullySynchronous, starts, goals, limits))
	return m
}

func blends() []*picture.Figure {
	return append(overlaps(), blendOfJoints(), blendOfKinds(), leftOnTheWay())
}

// blendOfJoints is one from point to point and on to another one, with two axes.
func blendOfJoints() *picture.Figure {
	limits := []profile.Limits{usual, usual}
	b := ofAxes(pointToPoint([]float64{0, 0}, []float64{1, 0.2}, limits), pointToPoint([]float64{1, 0.2}, []float64{1.2, 1}, limits), 0.65, 0.35, limits)
	left, entered := b.Between()
	f := &picture.Figure{Name: "blend-ptp", Title: "Blend from point to point to point", Duration: 1.03 * b.Duration(), Marks: []float64{left, entered}}
	at := of(b, 2)
	var l picture.Line
	for k := range picture.Samples + 1 {
		s := at(b.Duration() * float64(k) / picture.Samples)
		l.Points = append(l.Points, picture.Point{X: s[0].Pos, Y: s[1].Pos})
	}
	corners := picture.Line{Dots: true, Points: []picture.Point{{X: 0, Y: 0}, {X: 1, Y: 0.2}, {X: 1.2, Y: 1}}}
	f.Panels = []picture.Panel{{Label: "axis 2 over axis 1", Plane: &picture.Plane{Lines: []picture.Line{l, corners}}}}
	return over(f, at, threeAxes[:2], usual)
}

// blendOfKinds is a straight line in space, then one from point to point, with the joints of a robot.
func blendOfKinds() *picture.Figure {
	arm := robots.KR6R900()
	start := []float64{0.2, -1.2, 1.6, 0.1, 0.8, -0.2}
	from := arm.Forward(start)
	to := from
	to.Pos = to.Pos.Add(geom.Vector{Y: 0.25, Z: -0.1})
	slow := profile.Limits{Vel: 0.4, Acc: 1.5, Jerk: 15}
	straight := motion.NewAlong(made(path.Line(from, to)))
	must(straight.Plan(rest(0), rest(straight.Path().Length()), straight.Path().Limits(slow, slow)))
	line, err := motion.NewByArm(straight, arm, start)
	no(err)
	var limits []profile.Limits
	end := make([]profile.State, arm.Len())
	line.At(line.Duration(), end)
	var here, there []float64
	for k := range arm.Len() {
		limits = append(limits, profile.Limits{Vel: 2, Acc: 8, Jerk: 80})
		here, there = append(here, end[k].Pos), append(there, end[k].Pos+[]float64{0.6, 0.2, -0.3, 0.1, -0.2, 0.4}[k])
	}
	b := ofAxes(line, pointToPoint(here, there, limits), 0.75, 0.25, limits)
	left, entered := b.Between()
	f := &picture.Figure{Name: "blend-lin-ptp", Title: "Blend from a straight line into point to point", Duration: 1.03 * b.Duration(), Marks: []float64{left, entered}}
	var labels []string
	for k := range arm.Len() {
		labels = append(labels, fmt.Sprintf("joint %d", k+1))
	}
	return over(f, of(b, arm.Len()), labels, profile.Limits{Vel: 2, Acc: 8})
}

// gently goes along a path with less than the accelerations that there are, so that motions can overlap.
func gently(p *path.Path) *motion.Along {
	less := func(l profile.Limits) profile.Limits {
		return profile.Limits{Vel: l.Vel, Acc: 0.6 * l.Acc, Jerk: 0.6 * l.Jerk}
	}
	a := motion.NewAlong(p)
	must(a.Plan(rest(0), rest(p.Length()), p.Limits(less(translation), less(rotation))))
	return a
}

// overlaps are blends in space.
func overlaps() (figures []*picture.Figure) {
	first := gently(made(path.Line(place(0, 0, 0), place(0.5, 0, 0))))
	for _, k := range []struct {
		name, title string
		second      *motion.Along
	}{
		{"overlap-lines", "Overlap of two straight lines", gently(made(path.Line(place(0.5, 0, 0), place(0.5, 0.3, math.Pi/2))))},
		{"overlap-circle", "Overlap of a straight line and a circle", gently(made(path.Arc(place(0.5, 0, 0), geom.Vector{X: 0.7, Y: 0.1}, place(0.8, 0.3, math.Pi/4), path.Turning)))},
	} {
		o, err := motion.NewOverlap(first, k.second)
		no(err)
		begin := o.Plan(motion.Arriving(first, 0.1), translation, rotation)
		f := &picture.Figure{Name: k.name, Title: k.title, Marks: []float64{begin, first.Duration()}}
		f.Panels = []picture.Panel{{Label: "y over x, m", Plane: &picture.Plane{Lines: fromAbove("", o)}}}
		figures = append(figures, speeds(f, o))
	}
	return figures
}

// leftOnTheWay is a circle that is left in full motion for a place beside it.
func leftOnTheWay() *picture.Figure {
	circle := along(made(path.Circle(place(0.3, 0, 0), geom.Vector{}, geom.Vector{Z: 1}, 1.5*math.Pi, path.FixedOnWheel)))
	const left = 1.2
	settle := motion.NewSettle()
	must(settle.Plan(circle.At(left), place(-0.7, 0.2, 2), translation, rotation))
	both := chained{circle, settle, left}
	f := &picture.Figure{Name: "settle", Title: "A circle is left on the way, for a place beside it", Marks: []float64{left}}
	f.Panels = []picture.Panel{{Label: "y over x, m", Plane: &picture.Plane{Lines: fromAbove("", both)}}}
	return speeds(f, both)
}

// chained is a motion in space until a time, then another one.
type chained struct {
	first, then motion.InSpace
	left        float64
}

func (c chained) Duration() float64 { return c.left + c.then.Duration() }

func (c chained) At(t float64) motion.Pose {
	if t < c.left {
		return c.first.At(t)
	}
	return c.then.At(t - c.left)
}
