package motion

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/motion/path"
	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// journey is a motion along a path, from rest to rest. Both are known when the net is loaded; frames that are known later, as
// that of a workpiece, are put before it by World::FrameTransform.
type journey struct {
	MaxTransVel  spec.Param[float64] `rcc:"MaxTransVel" default:"1" must:"> 0" doc:"limit of velocity, m/s"`
	MaxTransAcc  spec.Param[float64] `rcc:"MaxTransAcc" default:"1" must:"> 0" doc:"limit of acceleration, m/s²"`
	MaxTransJerk spec.Param[float64] `rcc:"MaxTransJerk" default:"10" must:"> 0" doc:"limit of jerk, m/s³"`
	MaxRotVel    spec.Param[float64] `rcc:"MaxRotVel" default:"1" must:"> 0" doc:"limit of angular velocity, rad/s"`
	MaxRotAcc    spec.Param[float64] `rcc:"MaxRotAcc" default:"1" must:"> 0" doc:"limit of angular acceleration, rad/s²"`
	MaxRotJerk   spec.Param[float64] `rcc:"MaxRotJerk" default:"10" must:"> 0" doc:"limit of angular jerk, rad/s³"`
	Takes        spec.Param[float64] `rcc:"Duration" default:"0" must:">= 0; finite" doc:"time to take at least, s"`
	clock
	Pos spec.Out[geom.Frame] `rcc:"outPos" doc:"frame on the path"`
	Vel spec.Out[geom.Twist] `rcc:"outVel" doc:"its motion, seen from the reference, m/s and rad/s"`
	Acc spec.Out[geom.Twist] `rcc:"outAcc" doc:"by how much its motion changes, m/s² and rad/s²"`
	Way spec.Out[float64]    `rcc:"outWay" doc:"length of the path so far, m, or rad of a path that only turns"`

	path *path.Path
	law  profile.Profile
}

// Init plans the motion along a path, if that can be made.
func (j *journey) Init(env *spec.Env, p *path.Path, err error) error {
	if err != nil {
		return err
	}
	const bytes = 512 // of a way between two frames
	if err := env.Take(bytes); err != nil {
		return err
	}
	l := p.Limits(
		profile.Limits{Vel: j.MaxTransVel.V, Acc: j.MaxTransAcc.V, Jerk: j.MaxTransJerk.V},
		profile.Limits{Vel: j.MaxRotVel.V, Acc: j.MaxRotAcc.V, Jerk: j.MaxRotJerk.V},
	)
	var x profile.Transfer
	r := x.Set(profile.State{}, profile.Goal{State: profile.State{Pos: p.Length()}}, l)
	if r == profile.Solved {
		r = x.In(x.Earliest(j.Takes.V), &j.law)
	}
	if r != profile.Solved {
		return fmt.Errorf("no motion along the path: %v", r)
	}
	j.path = p
	return j.clock.Init(env)
}

// step shows where the frame is (cycle).
func (j *journey) step(cy *spec.Cycle) {
	if j.Reset.Get(cy) {
		j.cycles = 0
	}
	t, there := j.now(j.path != nil, j.law.Duration(), cy)
	if !there {
		return
	}
	s := j.law.At(t)
	p := j.path.At(s.Pos)
	j.Pos.Set(cy, p.Frame)
	j.Vel.Set(cy, p.Velocity(s.Vel))
	j.Acc.Set(cy, p.Acceleration(s.Vel, s.Acc))
	j.Way.Set(cy, s.Pos)
}

type lineMotion struct {
	From spec.Param[geom.Frame] `rcc:"From" default:"{}" must:"finite" doc:"frame at the start"`
	To   spec.Param[geom.Frame] `rcc:"To" default:"{}" must:"finite" doc:"frame at the end"`
	journey
}

func (p *lineMotion) Init(env *spec.Env) error {
	way, err := path.Line(p.From.V, p.To.V)
	return p.journey.Init(env, way, err)
}

func goStraight(run []lineMotion, cy *spec.Cycle) {
	for i := range run {
		run[i].step(cy)
	}
}

type circleMotion struct {
	From        spec.Param[geom.Frame]  `rcc:"From" default:"{}" must:"finite" doc:"frame at the start"`
	Via         spec.Param[geom.Vector] `rcc:"Via" default:"{}" must:"finite" doc:"position on the way"`
	To          spec.Param[geom.Frame]  `rcc:"To" default:"{}" must:"finite" doc:"frame at the end"`
	Orientation spec.Param[string]      `rcc:"Orientation" default:"turning" must:"one of turning, constant, turning on wheel, fixed on wheel" doc:"turning: on the shortest way; constant: as at the start; turning on wheel, fixed on wheel: the same, carried round by the circle"`
	journey
}

// orientations are the words for path.Orientation.
var orientations = []string{
	path.Turning: "turning", path.Constant: "constant", path.TurningOnWheel: "turning on wheel", path.FixedOnWheel: "fixed on wheel",
}

func (p *circleMotion) Init(env *spec.Env) error {
	for o, word := range orientations {
		if p.Orientation.V == word {
			way, err := path.Arc(p.From.V, p.Via.V, p.To.V, path.Orientation(o))
			return p.journey.Init(env, way, err)
		}
	}
	return fmt.Errorf("parameter Orientation: %q is not one of %q", p.Orientation.V, orientations)
}

func goRound(run []circleMotion, cy *spec.Cycle) {
	for i := range run {
		run[i].step(cy)
	}
}

type splineMotion struct {
	Via    spec.Param[[]geom.Frame] `rcc:"Via" default:"[]" must:"finite" doc:"frames to pass, at least two"`
	Closed spec.Param[bool]         `rcc:"Closed" default:"false" doc:"true: from the last frame back to the first"`
	journey
}

func (p *splineMotion) Init(env *spec.Env) error {
	const (
		most   = 1000
		memory = 1 << 14 // of the way from one frame to the next, about
	)
	if n := len(p.Via.V); n > most {
		return fmt.Errorf("parameter Via: %d frames; at most %d are possible", n, most)
	}
	if err := env.Take(int64(len(p.Via.V)) * memory); err != nil {
		return err
	}
	way, err := path.Spline(p.Via.V, path.Ends{Closed: p.Closed.V})
	return p.journey.Init(env, way, err)
}

func goThrough(run []splineMotion, cy *spec.Cycle) {
	for i := range run {
		run[i].step(cy)
	}
}

func paths() []*spec.Primitive {
	steep := func(more params) params {
		return with(more, params{"MaxTransVel": "1", "MaxTransAcc": "1", "MaxTransJerk": "+inf", "MaxRotJerk": "+inf"})
	}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "Motion::Line", Extension: extension, Doc: "moves a frame on a straight line within limits of translation and rotation",
			Unrelated: "whether there is a motion along the path depends on all of them, and loading plans it",
			Examples: []spec.Example{
				{
					Doc: "speed up, brake, rest", Cycle: "500ms", Params: steep(params{"From": "{pos:{x:1}}", "To": "{pos:{x:1,z:1}}"}),
					Out: series{
						"outPos": {
							"{pos:{x:1,y:0,z:0.125},rot:{a:0,b:0,c:0}}", "{pos:{x:1,y:0,z:0.5},rot:{a:0,b:0,c:0}}", "{pos:{x:1,y:0,z:0.875},rot:{a:0,b:0,c:0}}",
							"{pos:{x:1,y:0,z:1},rot:{a:0,b:0,c:0}}", "{pos:{x:1,y:0,z:1},rot:{a:0,b:0,c:0}}",
						},
						"outVel": {"{vel:{x:0,y:0,z:0.5},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:1},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:0.5},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"},
						"outAcc": {"{vel:{x:0,y:0,z:1},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:-1},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:-1},rot:{x:0,y:0,z:0}}", "{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"},
						"outWay": {"0.125", "0.5", "0.875", "1"}, "outTime": {"0.5", "1", "1.5", "2", "2.5"}, "outDuration": {"2"}, "outFinished": {"false", "false", "false", "true"},
					},
				},
				{
					Doc: "in a given time, by a time that comes in", Params: params{"To": "{pos:{x:1},rot:{a:0.5}}", "Duration": "8"}, In: series{"inTime": {"4", "8", "null", "0"}},
					Out: series{"outPos": {"{pos:{x:0.5,y:0,z:0},rot:{a:0.25,b:0,c:0}}", "{pos:{x:1,y:0,z:0},rot:{a:0.5,b:0,c:0}}", "null", "{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"}},
				},
				{
					Doc: "once again", Cycle: "500ms", Params: steep(params{"To": "{pos:{x:1}}"}), In: series{"inReset": {"false", "false", "true", "false"}},
					Out: series{"outWay": {"0.125", "0.5", "0.125", "0.5"}},
				},
				{Doc: "no way to go", Params: params{"From": "{pos:{x:1}}", "To": "{pos:{x:1}}"}, Reject: "line"},
				{Doc: "no limit", Params: params{"To": "{pos:{x:1}}", "MaxTransVel": "0"}, Reject: "parameter MaxTransVel: it is 0, but must be above 0"},
				{Doc: "no end", Params: params{"To": "{pos:{x:1}}", "Duration": "+inf"}, Reject: "parameter Duration: it is +Inf, but must be finite"},
				{Doc: "no time", Params: params{"To": "{pos:{x:1}}", "Duration": "nan"}, Reject: "parameter Duration: it is NaN, but must be"},
			},
		}, spec.Kernels[lineMotion]{Run: goStraight}),
		spec.Declare(spec.Decl{
			Name: "Motion::Circle", Extension: extension, Doc: "moves a frame on a circle within limits of translation and rotation",
			Unrelated: "whether there is a motion along the path depends on all of them, and loading plans it",
			Examples: []spec.Example{
				{
					Doc: "half of a circle, at a quarter and at the end", Params: params{"From": "{pos:{x:1}}", "Via": "{y:1}", "To": "{pos:{x:-1}}", "Orientation": "constant", "Duration": "20"},
					In: series{"inTime": {"10", "20"}},
					Out: series{
						"outPos": {"{pos:{x:0,y:1,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:-1,y:0,z:0},rot:{a:0,b:0,c:0}}"}, "outWay": {"1.5707963267948966", "3.141592653589793"},
						"outFinished": {"false", "true"}, "outDuration": {"20"}, "outTime": {"10", "20"},
					},
				},
				{
					Doc: "at rest at the end", Params: params{"From": "{pos:{x:1}}", "Via": "{y:1}", "To": "{pos:{x:-1}}", "Orientation": "fixed on wheel"}, In: series{"inTime": {"99"}},
					Out: series{"outPos": {"{pos:{x:-1,y:0,z:0},rot:{a:3.141592653589793,b:0,c:0}}"}, "outVel": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outAcc": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"}},
				},
				{Doc: "three positions on a line", Params: params{"Via": "{x:1}", "To": "{pos:{x:2}}"}, Reject: "circle"},
				{Doc: "no word for it", Params: params{"Via": "{x:1,y:1}", "To": "{pos:{x:2}}", "Orientation": "free"}, Reject: `it is "free", but must be one of`},
			},
		}, spec.Kernels[circleMotion]{Run: goRound}),
		spec.Declare(spec.Decl{
			Name: "Motion::Spline", Extension: extension, Doc: "moves a frame through others on a smooth curve within limits of translation and rotation",
			Unrelated: "whether there is a motion along the path depends on all of them, and loading plans it",
			Examples: []spec.Example{
				{
					Doc: "through the middle one", Params: params{"Via": "[{},{pos:{x:1,y:1},rot:{a:0.5}},{pos:{x:2,y:0}}]", "Duration": "20"},
					In: series{"inTime": {"0", "10", "20"}},
					Out: series{
						"outPos":  {"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}", "{pos:{x:1,y:1,z:0},rot:{a:0.5,b:0,c:0}}", "{pos:{x:2,y:0,z:0},rot:{a:0,b:0,c:0}}"},
						"outTime": {"0", "10", "20"}, "outDuration": {"20"}, "outFinished": {"false", "false", "true"},
					},
				},
				{
					Doc: "at rest at the start", Params: params{"Via": "[{},{pos:{x:1,y:1}},{pos:{x:2}}]", "Closed": "true"}, In: series{"inTime": {"0"}},
					Out: series{"outVel": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outAcc": {"{vel:{x:0,y:0,z:0},rot:{x:0,y:0,z:0}}"}, "outWay": {"0"}},
				},
				{Doc: "one frame only", Params: params{"Via": "[{}]"}, Reject: "spline"},
			},
		}, spec.Kernels[splineMotion]{Run: goThrough}),
	}
}
