package robotbase

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// omnidirectional goes to a place in the plane: velocities are proportional to what is missing, seen from the base.
type omnidirectional struct {
	Dest spec.In[geom.Frame] `rcc:"inDest" required:"true" doc:"where to go; only X, Y and the angle about Z count"`
	Pos  spec.In[geom.Frame] `rcc:"inPos" required:"true" doc:"where the base is"`
	Vel  spec.In[geom.Twist] `rcc:"inVel" doc:"how the base drives, seen from itself; the first twist goes on from it, or from rest"`

	VelX   spec.Param[float64] `rcc:"velX" default:"0.25" doc:"limit of velocity ahead, m/s"`
	VelY   spec.Param[float64] `rcc:"velY" default:"0.25" doc:"limit of velocity to the sides, m/s"`
	VelYaw spec.Param[float64] `rcc:"velYaw" default:"0.3" doc:"limit of turning, rad/s"`
	PX     spec.Param[float64] `rcc:"pX" default:"3" doc:"velocity ahead for each m that is missing, 1/s"`
	PY     spec.Param[float64] `rcc:"pY" default:"3" doc:"velocity to the left for each m that is missing, 1/s"`
	PYaw   spec.Param[float64] `rcc:"pYaw" default:"3" doc:"turning for each rad that is missing, 1/s"`

	Out       spec.Out[geom.Twist] `rcc:"outVel" doc:"how to drive, seen from the base; null while a place is unknown"`
	Completed spec.Out[bool]       `rcc:"outCompleted" doc:"the base is within 1 cm and 0.01 rad of where to go"`

	pace
}

// pace is how a base has been told to drive.
type pace struct {
	cycle    uint64 // of the newest twist
	x, y, by float64
}

const (
	// near and aligned are what is left when the base is there.
	near    = 0.01 // m
	aligned = 0.01 // rad
	// rise is how long it takes to get from rest to a limit of velocity.
	rise = 0.5 // s
)

func drive(run []omnidirectional, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		dest, pos := p.Dest.Ref(cy), p.Pos.Ref(cy)
		if dest == nil || pos == nil {
			continue
		}
		p.begin(cy, &p.Vel)
		way := pos.Rot.Invert().Rotate(dest.Pos.Sub(pos.Pos))
		yaw, _, _ := pos.Rot.To(dest.Rot).ABC()
		p.x = towards(p.x, p.PX.V*way.X, p.VelX.V, cy.Period)
		p.y = towards(p.y, p.PY.V*way.Y, p.VelY.V, cy.Period)
		p.by = towards(p.by, p.PYaw.V*yaw, p.VelYaw.V, cy.Period)
		p.Out.Set(cy, geom.Twist{Vel: geom.Vector{X: p.x, Y: p.y}, Rot: geom.Vector{Z: p.by}})
		p.Completed.Set(cy, math.Hypot(way.X, way.Y) <= near && math.Abs(yaw) <= aligned)
	}
}

// begin goes on from how the base drives when there was no twist in the cycle before.
func (p *pace) begin(cy *spec.Cycle, vel *spec.In[geom.Twist]) {
	if p.cycle+1 != cy.N || p.cycle == 0 {
		v := vel.Or(cy, geom.Twist{})
		p.x, p.y, p.by = finite(v.Vel.X), finite(v.Vel.Y), finite(v.Rot.Z)
	}
	p.cycle = cy.N
}

func finite(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return v
}

// towards changes a velocity to what is wanted, as far as limits allow within a cycle. What is no number means standing.
func towards(v, want, limit, period float64) float64 {
	limit = math.Abs(limit)
	want = min(max(finite(want), -limit), limit)
	step := limit * period / rise
	return min(max(want, v-step), v+step)
}

func frameOf(x, y, a string) string {
	return "{pos:{x:" + x + ",y:" + y + ",z:0},rot:{a:" + a + ",b:0,c:0}}"
}

var controller = spec.Declare(spec.Decl{
	Name: "RobotBase::OmnidirectionalBaseController", Extension: extension, Doc: "drives a base that can go in all directions to a place in the plane",
	Examples: []spec.Example{
		{
			Doc: "it gets faster", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0.01,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false"}},
		},
		{
			Doc: "near enough", In: series{"inDest": {frameOf("0.001", "0", "0.001")}, "inPos": {origin}},
			Out: series{"outVel": {"{vel:{x:0.003,y:0,z:0},rot:{x:0,y:0,z:0.003}}"}, "outCompleted": {"true"}},
		},
		{
			Doc: "the place is unknown for a cycle", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin, "null", origin}},
			Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "null", "{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false", "null", "false"}},
		},
	},
}, spec.Kernels[omnidirectional]{Run: drive})
