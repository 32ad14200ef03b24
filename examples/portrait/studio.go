package main

import (
	"math"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// studio is two arms that stand opposite of each other.
type studio struct {
	artist, holder *actuator.Lightweight
	pen, board     *world.Frame
	apart          geom.Frame // base of the holder, seen from that of the artist
	record         *program.Recording
}

// Where both begin: the artist points down, the holder up, the elbows outside.
var (
	above = []float64{0, 0.3, 0, -1.2, 0, math.Pi - 1.5, 0}
	below = []float64{0, 0.9, 0, -0.6, 0, -1.5, 0}
)

// The tools at the flanges.
var (
	tip     = geom.Frame{Pos: geom.Vector{Z: 0.1}}
	surface = geom.Frame{Pos: geom.Vector{Z: 0.02}}
	onto    = geom.Frame{Rot: geom.FromABC(0, 0, math.Pi)} // the pen, seen from the board: it points to it
)

// newStudio places the holder such that the pen is in the middle of the board, 2 cm above, when both begin.
func newStudio() (*studio, error) {
	model := robots.LWR4()
	s := &studio{artist: actuator.NewLightweight("lwr", model), holder: actuator.NewLightweight("holder", model)}
	s.pen, s.board = s.artist.Flange().Place("pen", tip), s.holder.Flange().Place("board", surface)
	pen, board := model.Forward(above).Mul(tip), model.Forward(below).Mul(surface)
	s.apart = pen.Mul(geom.Frame{Pos: geom.Vector{Z: up}, Rot: onto.Rot}.Invert()).Mul(board.Invert())
	_, err := world.Relate(s.artist.Base(), s.holder.Base(), s.apart)
	return s, err
}

// over returns a place above the board.
func over(place geom.Vector) geom.Vector { return place.Add(geom.Vector{Z: up}) }

const up = 0.02 // m

func (s *studio) home() robotics.Command {
	return robotics.Parallel(
		robotics.NewCommand(s.artist, motions.PTP{To: above}), robotics.NewCommand(s.holder, motions.PTP{To: below}),
	)
}

// portrait draws all strokes, while the holder sways.
func (s *studio) portrait(sway float64) robotics.Command {
	var places []geom.Vector
	for _, stroke := range face() {
		places = append(append(append(places, over(stroke[0])), stroke...), over(stroke[len(stroke)-1]))
	}
	center := robotics.MotionCenter{Frame: s.pen}
	drawing := robotics.Sequence(
		robotics.NewCommand(s.artist, motions.LIN{To: geom.Frame{Pos: places[0], Rot: onto.Rot}, In: s.board}, center),
		robotics.NewCommand(s.artist, Draw{Places: places, In: s.board}, center, Limits{Vel: 0.2, Acc: 1, Jerk: 20}),
	)
	var joints []robotics.Sensor[float64]
	for i, middle := range below {
		joints = append(joints, swing(middle, sway*sways[i].wide, sways[i].often))
	}
	swaying := robotics.NewCommand(s.holder, motions.FollowJoints{Goals: joints, Smooth: true})
	both := robotics.NewTransaction()
	both.AddStart(drawing, swaying)
	both.OnFirstEntered(drawing.Completed(), robotics.Cancel(swaying))
	both.OnFirstEntered(both.Cancelled(), robotics.Cancel(drawing), robotics.Cancel(swaying))
	return both
}

// sways are how far each joint of the holder sways, rad, and how often, Hz.
var sways = [...]struct{ wide, often float64 }{{0.08, 0.11}, {0.03, 0.13}, {}, {0.03, 0.17}, {}, {0.05, 0.19}, {0.2, 0.07}}

// swing returns a sensor: a sine around a value.
func swing(middle, wide, often float64) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		angle := m.Add("Core::Clock").Set("Increment", 2*math.Pi*often).Out("outValue")
		sine := mapping.Link[float64](m.Add("Core::DoubleSin").Link("inValue", angle), "outValue")
		return graph.Add(m.Real(middle), graph.Mul(sine, m.Real(wide)))
	})
}

// show draws what was drawn: ink, as seen from the board and from the ground.
func (s *studio) show() error {
	way := func(x, y int) []picture.Point { return s.record.Way("", x, y, 0, s.record.Len()).Points }
	height := way(penX, penZ)
	inked := func(from []picture.Point) *picture.Plane {
		ink := picture.Line{Dots: true}
		for i, p := range from {
			if height[i].Y < touching {
				ink.Points = append(ink.Points, p)
			}
		}
		return &picture.Plane{Lines: []picture.Line{ink}}
	}
	return program.Save(&picture.Figure{Name: "portrait", Title: "A drawing on a board that moves", Panels: []picture.Panel{
		{Label: "seen from the board, m", Plane: inked(way(penX, penY))},
		{Label: "seen from the ground, m", Plane: inked(way(groundX, groundY))},
	}})
}
