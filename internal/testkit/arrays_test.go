package testkit

import (
	"fmt"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// reversed has an array of every kind of length: by a parameter, by its source, by an initial value.
type reversed[E any] struct {
	Array   spec.In[[]E]       `rcc:"inArray" required:"true" doc:"array"`
	Size    spec.Param[int32]  `rcc:"Size" default:"2" doc:"elements to take"`
	Initial spec.Param[[]E]    `rcc:"Value" default:"" doc:"value before the first cycle"`
	Out     spec.Out[[]E]      `rcc:"outArray" doc:"the array, backwards"`
	Kept    spec.Out[[]E]      `rcc:"outKept" doc:"the array in the cycle before"`
	Before  spec.Out[[]E]      `rcc:"outValue" doc:"the initial value"`
	Count   spec.Out[int32]    `rcc:"outCount" doc:"elements there are"`
	Key     spec.Param[string] `rcc:"Key" default:"" doc:"key"`

	codec *value.Codec[[]E]
	kept  []E
	any   bool
}

func (p *reversed[E]) Init(*spec.Env) (err error) {
	if p.Out.V, err = value.NewArray[E](p.Size.V); err != nil {
		return fmt.Errorf("parameter Size: %w", err)
	}
	p.codec = value.Of[[]E]()
	p.Kept.V = p.codec.Clone(*p.Array.Source())
	p.kept = p.codec.Clone(*p.Array.Source())
	p.Before.V = p.codec.Clone(p.Initial.V)
	return nil
}

func reverse[E any](run []reversed[E], cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		v := p.Array.Ref(cy)
		if v == nil {
			continue
		}
		for k := 0; k < len(*v) && k < len(p.Out.V); k++ {
			p.Out.V[len(p.Out.V)-1-k] = (*v)[k]
		}
		p.Out.Touch(cy)
		if p.any {
			spec.SetElements(&p.Kept, cy, p.kept)
		}
		p.codec.Copy(&p.kept, v)
		p.any = true
		p.Before.Touch(cy)
		p.Count.Set(cy, int32(len(*v)))
	}
}

func declareReversed[E any](name, a, b, zero string) *spec.Primitive {
	return spec.Declare(spec.Decl{
		Name: name, Doc: "arrays", Extension: "test",
		Examples: []spec.Example{
			{
				Doc: "three", Params: map[string]string{"Size": "3", "Value": "[" + b + "]"},
				In: map[string][]string{"inArray": {"[" + a + "," + b + "," + a + "]", "null", "[" + a + "," + a + "," + b + "]"}},
				Out: map[string][]string{
					"outArray": {"[" + a + "," + b + "," + a + "]", "null", "[" + b + "," + a + "," + a + "]"},
					"outKept":  {"null", "null", "[" + a + "," + b + "," + a + "]"},
					"outValue": {"[" + b + "]", "null", "[" + b + "]"}, "outCount": {"3", "null", "3"},
				},
			},
			{
				Doc: "too few", In: map[string][]string{"inArray": {"[" + a + "]"}},
				Out: map[string][]string{"outArray": {"[" + zero + "," + a + "]"}, "outValue": {"[]"}},
			},
			{Doc: "no size", Params: map[string]string{"Size": "-1"}, In: map[string][]string{"inArray": {"[]"}}, Reject: "parameter Size: an array has 0 to 65536 elements, not -1"},
		},
	}, spec.Kernels[reversed[E]]{Run: reverse[E]})
}

var arrays = Kit{Primitives: []*spec.Primitive{
	declareReversed[bool]("Bool", "true", "false", "false"),
	declareReversed[float64]("Double", "1.5", "-2", "0"),
	declareReversed[geom.Frame]("Frame", "{pos:{x:1,y:2,z:3},rot:{a:0.1,b:0.2,c:0.3}}", "{pos:{x:0,y:0,z:0},rot:{a:0,b:1.5707963267948966,c:0}}",
		"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}"),
}}

func TestArrays(t *testing.T) {
	arrays.Examples(t)
	arrays.Documented(t)
	arrays.Allocations(t)
	arrays.Stress(t, 30)
}

// TestChaosFeedsArrays: nothing is found in arrays that are always empty.
func TestChaosFeedsArrays(t *testing.T) {
	r, err := arrays.rig(arrays.Primitives[2], setup{
		instances: 1, period: time.Millisecond, params: map[string]string{"Size": "7"}, linked: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if in := r.in[0][0].(*spec.Out[[]geom.Frame]); len(in.V) != 7 {
		t.Errorf("%d elements", len(in.V))
	}
}

// TestRepeated: matrices are as large as their primitives expect.
func TestRepeated(t *testing.T) {
	for want, of := range map[string]value.Type{
		"[[0,0],[0,0]]": value.TypeMatrix, "[false,false]": value.ArrayOf(value.TypeBool), "[{},{}]": value.ArrayOf(value.TypeTwist),
		"[0,0]": value.ArrayOf(value.TypeTime),
	} {
		if got := repeated(of, 2); got != want {
			t.Errorf("%s: %s", of, got)
		}
	}
	if got := repeated(value.TypeMatrix, 0); got != "[]" {
		t.Error(got)
	}
}

// TestOtherNet publishes every data type.
func TestOtherNet(t *testing.T) {
	for of, variable := range zeros {
		v := variable(OtherKey)
		if v.Type != of {
			t.Errorf("%s is published as %s", of, v.Type)
		}
		if words, err := v.Parse(string(v.Text(nil, v.Initial))); err != nil || len(words) != len(v.Initial) {
			t.Errorf("%s: %v", of, err)
		}
	}
}
