package robotbase

import (
	"math"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// differential goes to a place in the plane with a base that drives ahead, back, and turns. On the way it turns so that it
// arrives as it should stand (M. Aicardi et al., "Closed loop steering of unicycle-like vehicles via Lyapunov techniques", 1995);
// where it is near enough, it only turns.
type differential struct {
	journey

	VelX   spec.Param[float64] `rcc:"velX" default:"0.25" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"limit of velocity ahead and back, m/s"`
	VelYaw spec.Param[float64] `rcc:"velYaw" default:"0.3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"limit of turning, rad/s"`
	PX     spec.Param[float64] `rcc:"pX" default:"1" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"velocity for each m that is missing, 1/s"`
	PYaw   spec.Param[float64] `rcc:"pYaw" default:"3" must:"finite" should:"> 0 -- the base does not get to where it should be" doc:"turning for each rad that is missing, 1/s"`

	turning bool // it is where it should be, and has not left it
}

// left is how far from there it must be to go there again.
const left = 2 * near

func steer(run []differential, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		r, known := p.rest(cy)
		if !known {
			continue
		}
		p.turning = r.away <= near/2 || p.turning && r.away <= left
		ahead, about := 0.0, p.PYaw.V*r.yaw
		if !p.turning {
			ahead, about = p.towards(r)
		}
		p.x = towards(p.x, ahead, p.VelX.V, cy.Period)
		p.by = towards(p.by, about, p.VelYaw.V, cy.Period)
		p.y = 0 // it cannot go sideways
		p.tell(cy, r)
	}
}

// towards returns how fast to drive and to turn. A turn beyond the limit of turning slows the base down on the same curve.
func (p *differential) towards(r rest) (ahead, about float64) {
	side := math.Atan2(r.way.Y, r.way.X)
	lean := math.Remainder(side-r.yaw, 2*math.Pi) // of the way, seen from how the base should stand
	speed := min(p.PX.V*r.away, math.Abs(p.VelX.V))
	curve := 1.0 // sin·cos/angle at 0
	if math.Abs(side) > 1e-6 {
		curve = math.Sin(side) * math.Cos(side) / side
	}
	ahead = speed * math.Cos(side)
	about = p.PYaw.V*side + speed/r.away*curve*(side+lean)
	if limit := math.Abs(p.VelYaw.V); math.Abs(about) > limit {
		ahead *= limit / math.Abs(about)
	}
	return ahead, about
}

var differentialController = spec.Declare(spec.Decl{
	Name: "RobotBase::DifferentialDriveController", Extension: extension, Doc: "drives a base that cannot go sideways to a place in the plane",
	Unrelated: "directions are controlled each for itself",
	Examples: []spec.Example{
		getsFaster,
		{
			Doc: "near enough, it turns only", In: series{"inDest": {frameOf("0.001", "0", "0.001")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0.003}}"}, "outCompleted": {"true"}},
		},
		unknownPlace,
	},
}, spec.Kernels[differential]{Run: steer})
