package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

func made(p *path.Path, err error) *path.Path {
	if err != nil {
		panic(err)
	}
	return p
}

func place(x, y, a float64) geom.Frame {
	return geom.Frame{Pos: geom.Vector{X: x, Y: y}, Rot: geom.FromABC(a, 0, 0)}
}

// Limits of points and orientations.
var (
	translation = profile.Limits{Vel: 0.5, Acc: 2, Jerk: 20}
	rotation    = profile.Limits{Vel: 2, Acc: 10, Jerk: 100}
)

// fromAbove returns the way of a motion, with its place every tenth of a second.
func fromAbove(label string, m trip) []picture.Line {
	way, ticks := picture.Line{Label: label}, picture.Line{Dots: true}
	for k := range picture.Samples + 1 {
		p := m.at(m.law.Duration() * float64(k) / picture.Samples).Frame.Pos
		way.Points = append(way.Points, picture.Point{X: p.X, Y: p.Y})
	}
	for t := 0.0; t <= m.law.Duration(); t += 0.1 {
		p := m.at(t).Frame.Pos
		ticks.Points = append(ticks.Points, picture.Point{X: p.X, Y: p.Y})
	}
	return []picture.Line{way, ticks}
}

// speeds draws velocity and acceleration of point and orientation.
func speeds(f *picture.Figure, m trip) *picture.Figure {
	f.Duration = 1.03 * m.law.Duration()
	f.Panels = append(f.Panels,
		picture.Panel{Label: "velocity, m/s", Limit: translation.Vel, Size: true, Curves: []picture.Curve{{At: func(t float64) float64 { return m.velocity(t).Vel.Length() }}}},
		picture.Panel{Label: "acc., m/s²", Limit: translation.Acc, Size: true, Curves: []picture.Curve{{At: func(t float64) float64 { return m.acceleration(t).Vel.Length() }}}},
		picture.Panel{Label: "ang. vel., rad/s", Limit: rotation.Vel, Curves: []picture.Curve{{At: func(t float64) float64 { return m.velocity(t).Rot.Z }}}},
	)
	return f
}

// trip goes along a path by a law.
type trip struct {
	path *path.Path
	law  *profile.Profile
}

func along(p *path.Path) trip {
	return trip{p, plan(rest(0), rest(p.Length()), p.Limits(translation, rotation))}
}

func (m trip) at(t float64) path.Point { return m.path.At(m.law.At(t).Pos) }

func (m trip) velocity(t float64) geom.Twist {
	p := m.at(t)
	return p.Velocity(m.law.At(t).Vel)
}

func (m trip) acceleration(t float64) geom.Twist {
	p, s := m.at(t), m.law.At(t)
	return p.Acceleration(s.Vel, s.Acc)
}

// paths are motions along the kinds of paths that there are.
func paths() []*picture.Figure {
	line := along(made(path.Line(place(0, 0, 0), place(0.6, 0.3, math.Pi/3))))
	circle := along(made(path.Circle(place(0.3, 0, 0), geom.Vector{}, geom.Vector{Z: 1}, 1.5*math.Pi, path.FixedOnWheel)))
	spline := along(made(path.Spline([]geom.Frame{place(0, 0, 0), place(0.2, 0.25, 0.5), place(0.5, 0.2, 0), place(0.6, -0.1, -0.5), place(0.9, 0, 0)}, path.Ends{})))
	figures := []*picture.Figure{}
	for _, k := range []struct {
		name, title string
		trip        trip
	}{
		{"line", "A straight line, turning by 60°", line},
		{"circle", "Three quarters of a circle", circle},
		{"spline", "A spline through five frames, with constant speed", spline},
	} {
		f := &picture.Figure{Name: k.name, Title: k.title, Panels: []picture.Panel{{Label: "y over x, m", Plane: &picture.Plane{Lines: fromAbove("", k.trip)}}}}
		figures = append(figures, speeds(f, k.trip))
	}
	return figures
}
