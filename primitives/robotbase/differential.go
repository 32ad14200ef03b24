package robotbase

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// differential goes to a place in the plane with a base that drives ahead, back, and turns. On the way it turns so that it
// arrives as it shall stand (M. Aicardi et al., "Closed loop steering of unicycle-like vehicles via Lyapunov techniques", 1995);
// where it is near enough, it only turns.
type differential struct {
	Dest spec.In[geom.Frame] `rcc:"inDest" required:"true" doc:"where to go; only X, Y and the angle about Z count"`
	Pos  spec.In[geom.Frame] `rcc:"inPos" required:"true" doc:"where the base is"`
	Vel  spec.In[geom.Twist] `rcc:"inVel" doc:"how the base drives, seen from itself; the first twist goes on from it, or from rest"`

	VelX   spec.Param[float64] `rcc:"velX" default:"0.25" doc:"limit of velocity ahead and back, m/s"`
	VelYaw spec.Param[float64] `rcc:"velYaw" default:"0.3" doc:"limit of turning, rad/s"`
	PX     spec.Param[float64] `rcc:"pX" default:"1" doc:"velocity for each m that is missing, 1/s"`
	PYaw   spec.Param[float64] `rcc:"pYaw" default:"3" doc:"turning for each rad that is missing, 1/s"`

	Out       spec.Out[geom.Twist] `rcc:"outVel" doc:"how to drive, seen from the base; null while a place is unknown"`
	Completed spec.Out[bool]       `rcc:"outCompleted" doc:"the base is within 1 cm and 0.01 rad of where to go"`

	pace
	turning bool // it is where it shall be, and has not left it
}

// left is how far from there it must be to go there again.
const left = 2 * near

func steer(run []differential, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		dest, pos := p.Dest.Ref(cy), p.Pos.Ref(cy)
		if dest == nil || pos == nil {
			continue
		}
		p.begin(cy, &p.Vel)
		way := pos.Rot.Invert().Rotate(dest.Pos.Sub(pos.Pos))
		yaw, _, _ := pos.Rot.To(dest.Rot).ABC()
		away := math.Hypot(way.X, way.Y)
		p.turning = away <= near/2 || p.turning && away <= left
		ahead, about := 0.0, p.PYaw.V*yaw
		if !p.turning {
			ahead, about = p.towards(way, yaw, away)
		}
		p.x = towards(p.x, ahead, p.VelX.V, cy.Period)
		p.by = towards(p.by, about, p.VelYaw.V, cy.Period)
		p.Out.Set(cy, geom.Twist{Vel: geom.Vector{X: p.x}, Rot: geom.Vector{Z: p.by}})
		p.Completed.Set(cy, away <= near && math.Abs(yaw) <= aligned)
	}
}

// towards is how fast to drive and to turn. What is faster than the limit of turning slows the base down on the same curve.
func (p *differential) towards(way geom.Vector, yaw, away float64) (ahead, about float64) {
	side := math.Atan2(way.Y, way.X)
	lean := math.Remainder(side-yaw, 2*math.Pi) // of the way, seen from how the base shall stand
	speed := min(p.PX.V*away, math.Abs(p.VelX.V))
	curve := 1.0 // sin·cos/angle at 0
	if math.Abs(side) > 1e-6 {
		curve = math.Sin(side) * math.Cos(side) / side
	}
	ahead = speed * math.Cos(side)
	about = p.PYaw.V*side + speed/away*curve*(side+lean)
	if limit := math.Abs(p.VelYaw.V); math.Abs(about) > limit {
		ahead *= limit / math.Abs(about)
	}
	return ahead, about
}

var differentialController = spec.Declare(spec.Decl{
	Name: "RobotBase::DifferentialDriveController", Extension: extension, Doc: "drives a base that cannot go sideways to a place in the plane",
	Examples: []spec.Example{
		{
			Doc: "it gets faster", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0.01,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false"}},
		},
		{
			Doc: "near enough, it turns only", In: series{"inDest": {frameOf("0.001", "0", "0.001")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0.003}}"}, "outCompleted": {"true"}},
		},
		{
			Doc: "the place is unknown for a cycle", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin, "null", origin}},
			Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "null", "{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false", "null", "false"}},
		},
	},
}, spec.Kernels[differential]{Run: steer})
