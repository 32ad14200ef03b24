package robotbase

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// journey is what the controllers of all bases have in common: they go from a place in the plane to another one, and get faster
// and slower as limits allow.
type journey struct {
	Dest spec.In[geom.Frame] `rcc:"inDest" required:"true" doc:"where to go; only X, Y and the angle about Z count"`
	Pos  spec.In[geom.Frame] `rcc:"inPos" required:"true" doc:"where the base is"`
	Vel  spec.In[geom.Twist] `rcc:"inVel" doc:"how the base drives, seen from itself; the first twist goes on from it, or from rest"`

	Out       spec.Out[geom.Twist] `rcc:"outVel" doc:"how to drive, seen from the base; null while a place is unknown"`
	Completed spec.Out[bool]       `rcc:"outCompleted" doc:"the base is within 1 cm and 0.01 rad of where to go"`

	// How the base has been told to drive.
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

// rest is what is left of the way, seen from the base.
type rest struct {
	way       geom.Vector
	away, yaw float64
}

// rest looks where the base is; it is unknown while a place is.
func (j *journey) rest(cy *spec.Cycle) (r rest, known bool) {
	dest, pos := j.Dest.Ref(cy), j.Pos.Ref(cy)
	if dest == nil || pos == nil {
		return rest{}, false
	}
	j.begin(cy)
	r.way = pos.Rot.Invert().Rotate(dest.Pos.Sub(pos.Pos))
	r.away = math.Hypot(r.way.X, r.way.Y)
	r.yaw, _, _ = pos.Rot.To(dest.Rot).ABC()
	return r, true
}

// tell returns how to drive, and whether the base has arrived.
func (j *journey) tell(cy *spec.Cycle, r rest) {
	j.Out.Set(cy, geom.Twist{Vel: geom.Vector{X: j.x, Y: j.y}, Rot: geom.Vector{Z: j.by}})
	j.Completed.Set(cy, r.away <= near && math.Abs(r.yaw) <= aligned)
}

// begin goes on from how the base drives when there was no twist in the cycle before.
func (j *journey) begin(cy *spec.Cycle) {
	if j.cycle+1 != cy.N || j.cycle == 0 {
		v := j.Vel.Or(cy, geom.Twist{})
		j.x, j.y, j.by = finite(v.Vel.X), finite(v.Vel.Y), finite(v.Rot.Z)
	}
	j.cycle = cy.N
}

func finite(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return v
}

// towards changes a velocity to what is wanted, as far as limits allow within a cycle. NaN means standing.
func towards(v, want, limit, period float64) float64 {
	limit = math.Abs(limit)
	want = min(max(finite(want), -limit), limit)
	step := limit * period / rise
	return min(max(want, v-step), v+step)
}

func frameOf(x, y, a string) string {
	return "{pos:{x:" + x + ",y:" + y + ",z:0},rot:{a:" + a + ",b:0,c:0}}"
}

// Examples that all controllers have.
var (
	getsFaster = spec.Example{
		Doc: "it gets faster", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin}},
		Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "{vel:{x:0.01,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false"}},
	}
	unknownPlace = spec.Example{
		Doc: "the place is unknown for a cycle", In: series{"inDest": {frameOf("1", "0", "0")}, "inPos": {origin, "null", origin}},
		Out: series{"outVel": {"{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}", "null", "{vel:{x:0.005,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outCompleted": {"false", "null", "false"}},
	}
)
