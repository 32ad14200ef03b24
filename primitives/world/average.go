package world

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives/generic"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

type average[T any] struct {
	Value    spec.In[T]          `rcc:"inValue" wanted:"true" doc:"value to average; null is not a sample"`
	Reset    spec.InOr[bool]     `rcc:"inReset" or:"=false" doc:"forgets the samples before this cycle"`
	Duration spec.Param[float64] `rcc:"Duration" default:"1" must:"> 0" doc:"time to average over, s"`
	Out      spec.Out[T]         `rcc:"outValue" doc:"mean of the samples that there are, null without any"`

	samples int
	window  generic.Window[T]
}

func (p *average[T]) Init(env *spec.Env) (err error) {
	p.samples, err = generic.CyclesWithin(env, "Duration", p.Duration.V)
	return err
}

// sample takes the value of a cycle into the window and returns what there is in it, or nil (cycle).
func (p *average[T]) sample(cy *spec.Cycle) *generic.Part[T] {
	if p.Reset.Get(cy) {
		p.window.Reset()
	}
	if v, ok := p.Value.Get(cy); ok {
		p.window.Add(v)
	} else {
		p.window.Skip()
	}
	return p.window.All()
}

type vectorAverage struct{ average[geom.Vector] }

func (p *vectorAverage) Init(env *spec.Env) error {
	err := p.average.Init(env)
	if err == nil {
		p.window, err = generic.NewWindow(env, p.samples, sum)
	}
	return err
}

func sum(a, b *generic.Part[geom.Vector]) geom.Vector { return a.V.Add(b.V) }

func averageVectors(run []vectorAverage, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if all := p.sample(cy); all != nil {
			n := float64(all.Count)
			p.Out.Set(cy, geom.Vector{X: all.V.X / n, Y: all.V.Y / n, Z: all.V.Z / n})
		}
	}
}

type rotationAverage struct{ average[geom.Rotation] }

func (p *rotationAverage) Init(env *spec.Env) error {
	err := p.average.Init(env)
	if err == nil {
		p.window, err = generic.NewWindow(env, p.samples, between)
	}
	return err
}

// between returns the mean of two means: on the shortest way between them, nearer to that of more samples. Of rotations about
// one axis this is the mean of their angles. Else it differs from the mean of the rotation vectors by the third power
// of what the rotations differ by, and takes a logarithm of steps.
func between(a, b *generic.Part[geom.Rotation]) geom.Rotation {
	return a.V.Slerp(b.V, float64(b.Count)/float64(a.Count+b.Count))
}

func averageRotations(run []rotationAverage, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if all := p.sample(cy); all != nil {
			p.Out.Set(cy, all.V)
		}
	}
}

func averages() []*spec.Primitive {
	shorter := spec.Example{Doc: "less than a cycle", Params: params{"Duration": "0.001"}, Reject: "0.001 s is shorter than a cycle"}
	return []*spec.Primitive{
		spec.Declare(spec.Decl{
			Name: "World::VectorAverage", Extension: extension, Doc: "mean of a vector over the last time",
			Examples: []spec.Example{
				{
					Doc: "three cycles", Params: params{"Duration": "0.03"}, In: series{"inValue": {"{x:1,y:0,z:0}", "{x:2,y:6,z:0}", "{x:6,y:0,z:3}", "{x:1,y:0,z:0}"}},
					Out: series{"outValue": {"{x:1,y:0,z:0}", "{x:1.5,y:3,z:0}", "{x:3,y:2,z:1}", "{x:3,y:2,z:1}"}},
				},
				{
					Doc: "null and reset", Params: params{"Duration": "0.02"},
					In:  series{"inValue": {"null", "{x:4,y:0,z:0}", "{x:2,y:0,z:0}", "null", "null"}, "inReset": {"false", "false", "true", "false"}},
					Out: series{"outValue": {"null", "{x:4,y:0,z:0}", "{x:2,y:0,z:0}", "{x:2,y:0,z:0}", "null"}},
				},
				shorter,
			},
		}, spec.Kernels[vectorAverage]{Run: averageVectors}),
		spec.Declare(spec.Decl{
			Name: "World::RotationAverage", Extension: extension, Doc: "mean of a rotation over the last time, on shortest ways",
			Examples: []spec.Example{
				{
					Doc: "three cycles", Params: params{"Duration": "0.03"}, In: series{"inValue": {"{a:0.1,b:0,c:0}", "{a:0.2,b:0,c:0}", "{a:0.6,b:0,c:0}", "{a:0.1,b:0,c:0}"}},
					Out: series{"outValue": {"{a:0.1,b:0,c:0}", "{a:0.15,b:0,c:0}", "{a:0.3,b:0,c:0}", "{a:0.3,b:0,c:0}"}},
				},
				{
					Doc: "across ±π, null and reset", Params: params{"Duration": "0.02"},
					In:  series{"inValue": {"{a:3.1,b:0,c:0}", "{a:-3,b:0,c:0}", "null", "{a:1,b:0,c:0}"}, "inReset": {"false", "false", "false", "true"}},
					Out: series{"outValue": {"{a:3.1,b:0,c:0}", "{a:-3.0915926535897933,b:0,c:0}", "{a:-3,b:0,c:0}", "{a:1,b:0,c:0}"}},
				},
				shorter,
			},
		}, spec.Kernels[rotationAverage]{Run: averageRotations}),
	}
}
