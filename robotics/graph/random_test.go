package graph_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// family says of what primitives random nets are made.
type family struct {
	types      []graph.Type
	primitives []string // beside those that exist for every type
	constants  int      // percent of links to a constant
}

// scalar are those of which the text of a net can give every value.
var scalar = family{
	constants: 20,
	types:     []graph.Type{graph.Bool, graph.Int, graph.Double, graph.Vector, doubles},
	primitives: []string{
		"Core::BooleanAnd", "Core::BooleanOr", "Core::BooleanNot", "Core::BooleanAnd", "Core::BooleanOr", "Core::BooleanNot", "Core::EdgeDetection", "Core::Trigger",
		"Core::BooleanLastN", "Core::BooleanHistory", "Core::Clock", "Core::DoubleAverage",
		"Core::DoubleAdd", "Core::DoubleMultiply", "Core::DoubleDivide", "Core::DoubleMin", "Core::DoubleMax", "Core::DoublePower", "Core::DoubleModulo",
		"Core::DoubleGreater", "Core::DoubleEquals", "Core::DoubleAbs", "Core::DoubleSign", "Core::DoubleSquareRoot", "Core::DoubleAtan2", "Core::DoubleFromInt",
		"Core::IntAdd", "Core::IntMultiply", "Core::IntDivide", "Core::IntModulo", "Core::IntMin", "Core::IntMax", "Core::IntGreater", "Core::IntEquals", "Core::IntFromDouble",
		"World::VectorAdd", "World::VectorCross", "World::VectorDot", "World::VectorScale", "World::VectorFromXYZ", "World::VectorToXYZ",
		"Core::Lerp", "Core::CycleTime", "Core::DoubleBezier", "Motion::Trapezoid", "Core::Interval",
		"Core::DoubleArraySet", "Core::DoubleArrayGet", "Core::DoubleArraySetNull", "Core::DoubleArrayIsNull", "Motion::PTP",
	},
}

// spatial are those with rotations, of which it can give few. Their doubles show differences that their own texts hide, and
// decide.
var spatial = family{
	constants: 60,
	types:     []graph.Type{graph.Bool, graph.Double, graph.Vector, graph.Rotation, graph.Frame, graph.Twist},
	primitives: []string{
		"Core::BooleanNot", "Core::DoubleGreater", "Core::DoubleEquals", "World::VectorToXYZ", "World::VectorToXYZ", "World::RotationToABC", "World::RotationFromABC",
		"World::VectorRotate", "World::VectorAdd", "World::RotationTransform", "World::RotationTransform", "World::RotationInvert", "World::FrameTransform", "World::FrameTransform", "World::FrameTransform", "World::FrameInvert",
		"World::FrameFromPosRot", "World::FrameToPosRot", "World::TwistAdd", "World::TwistRotate", "World::TwistToVelocities",
	},
}

func (f family) names() []string {
	list := slices.Clone(f.primitives)
	for _, t := range f.types {
		if _, isArray := t.Element(); isArray {
			continue // has primitives of its own
		}
		for _, name := range []string{"Value", "Pre", "Conditional", "SetNull", "IsNull", "Snapshot", "AtTime"} {
			list = append(list, families[t]+name)
		}
	}
	return list
}

var doubles = graph.ArrayOf(graph.Double)

var families = map[graph.Type]string{
	doubles:    "Core::DoubleArray",
	graph.Bool: "Core::Boolean", graph.Int: "Core::Int", graph.Double: "Core::Double", graph.Vector: "World::Vector", graph.Rotation: "World::Rotation",
	graph.Frame: "World::Frame", graph.Twist: "World::Twist", graph.Wrench: "World::Wrench",
}

// samples are values that something is special about.
var samples = map[graph.Type][]any{
	graph.Bool: {true, false}, graph.Int: {int32(0), int32(1), int32(2), int32(-3), int32(math.MaxInt32)},
	graph.Double:   {0.0, math.Copysign(0, -1), 1.0, 0.02, -2.0, math.Inf(1), math.NaN()},
	doubles:        {[]float64{1, 2}, []float64{0, -0.5}},
	graph.Vector:   {geom.Vector{}, geom.Vector{X: 1}, geom.Vector{X: 1, Y: -2, Z: 0.5}},
	graph.Rotation: {geom.Rotation{}, geom.FromABC(0.5, 0, 0), geom.FromABC(0.3, -0.2, 0.1), geom.FromABC(-1.1, 0.7, 2)},
	graph.Frame:    {geom.Frame{}, geom.Frame{Pos: geom.Vector{Z: 2}}, geom.Frame{Pos: geom.Vector{X: 1}, Rot: geom.FromABC(0.3, -0.2, 0.1)}},
	graph.Twist:    {geom.Twist{}, geom.Twist{Vel: geom.Vector{X: 1}, Rot: geom.Vector{Z: 0.5}}},
}

// maker makes nets whose links go in all ways that the types allow.
type maker struct {
	family
	t     *rapid.T
	g     *graph.Graph
	ports map[graph.Type][]graph.Port
	loops []loop
}

// loop is an in port that is fed by whatever there is in the end.
type loop struct {
	p  *graph.Primitive
	in string
	t  graph.Type
}

func (m *maker) pick(what string, n int) int { return rapid.IntRange(0, n-1).Draw(m.t, what) }

func (m *maker) chance(what string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(m.t, what) >= 100-percent // shrinks to false
}

func (m *maker) sample(t graph.Type) any { return samples[t][m.pick(string(t), len(samples[t]))] }

func makeNet(t *rapid.T, f family) (g *graph.Graph, inputs map[string]graph.Type) {
	m := &maker{family: f, t: t, g: graph.New(), ports: map[graph.Type][]graph.Port{}}
	inputs = map[string]graph.Type{}
	for _, typ := range f.types {
		for i := range 1 + m.pick("inputs", 2) {
			key := fmt.Sprint(typ, i)
			inputs["in"+key] = typ
			p := m.g.Add(families[typ]+"NetcommIn").Set("Key", key).Set("Value", m.sample(typ))
			m.ports[typ] = append(m.ports[typ], p.Out("outValue"))
		}
	}
	if m.chance("cancel", 50) {
		m.ports[graph.Bool] = append(m.ports[graph.Bool], graph.Cancelled(m.g).Port)
	}
	names := f.names()
	for range 1 + m.pick("primitives", 40) {
		m.add(names[m.pick("type", len(names))])
	}
	for _, l := range m.loops {
		if m.chance("looped", 80) {
			m.link(l.p, l.in, l.t, false)
		}
	}
	m.observe(f)
	return m.g, inputs
}

func (m *maker) add(name string) {
	d := graph.Standard().Lookup(name)
	p := m.g.Add(name)
	twice := m.chance("twice", 25)
	var q *graph.Primitive
	if twice {
		q = m.g.Add(name)
	}
	values := map[string]any{}
	for _, param := range d.Params {
		if v, has := m.param(name, param); has {
			values[param.Name] = v
		}
	}
	within(name, values)
	for param, v := range values {
		p.Set(param, v)
		if twice {
			q.Set(param, v)
		}
	}
	for _, in := range append(slices.Clone(d.In), graph.InPort{Name: "inActive", Type: graph.Bool}) {
		switch percent := map[bool]int{true: 20, false: 75}[in.Name == "inActive" || in.Name == "inReset"]; {
		case d.Delays && in.Name == "inValue":
			m.loops = append(m.loops, loop{p, in.Name, in.Type})
			if twice {
				m.loops = append(m.loops, loop{q, in.Name, in.Type})
			}
		case in.Required || m.chance(in.Name, percent):
			from := m.link(p, in.Name, in.Type, limited(name, in.Name))
			if twice {
				q.Link(in.Name, from)
			}
		}
	}
	for _, out := range d.Out {
		if samples[out.Type] != nil {
			m.ports[out.Type] = append(m.ports[out.Type], p.Out(out.Name))
			if twice {
				m.ports[out.Type] = append(m.ports[out.Type], q.Out(out.Name))
			}
		}
	}
}

func (m *maker) param(name string, param graph.Param) (v any, has bool) {
	switch {
	case param.Name == "Count":
		return 1 + m.pick("count", 3), true
	case param.Name == "Duration" && name != "Motion::Trapezoid", param.Name == "MaxAge":
		return 0.03, true
	case param.Name == "Size":
		return 2, true
	case param.Name == "Index":
		return m.pick("index", 2), true
	case param.Name == "Age":
		return 0.01, true
	case samples[param.Type] == nil || !m.chance("parameter", 60):
		return nil, false
	}
	return m.sample(param.Type), true
}

// link links an in port. One whose value must be within limits gets no constant, as that could be beyond them.
func (m *maker) link(p *graph.Primitive, in string, t graph.Type, changing bool) graph.Port {
	if changing {
		p.Link(in, m.ports[t][0])
		return m.ports[t][0]
	}
	if _, isArray := t.Element(); !isArray && (len(m.ports[t]) == 0 || m.chance("constant", m.constants)) {
		from := m.g.Add(families[t]+"Value").Set("Value", m.sample(t)).Out("outValue")
		p.Link(in, from)
		return from
	}
	from := m.ports[t][m.pick("source", len(m.ports[t]))]
	p.Link(in, from)
	return from
}

// declared is what the daemon knows of primitives.
var declared = sync.OnceValues(func() (*spec.Catalogue, error) { return spec.NewCatalogue(primitives.All()) })

// within replaces values with which the daemon would reject the net, as they can never work.
func within(name string, values map[string]any) {
	all, err := declared()
	if err != nil {
		panic(err)
	}
	of := all.Lookup(name)
	usual := map[string]any{"double": 1.0, "int": int32(1), "array<double>": []float64{1, 2}}
	for range of.Params { // what one is compared with may be wrong, too
		for _, f := range broken(of, values) {
			delete(values, of.Params[f].Name)
			if slices.Contains(broken(of, values), f) {
				values[of.Params[f].Name] = usual[string(of.Params[f].Type)]
			}
		}
	}
}

// impossible reports whether the daemon rejects a primitive with some of its parameters.
func impossible(name string, values map[string]any) bool {
	all, err := declared()
	if err != nil {
		panic(err)
	}
	of := all.Lookup(name)
	if of.Param("Size") >= 0 {
		values["Size"] = int32(2)
	}
	return len(broken(of, values)) > 0
}

// broken returns the parameters with impossible values.
func broken(of *spec.Primitive, values map[string]any) (list []int) {
	known := func(i int) (string, bool) {
		if v, set := values[of.Params[i].Name]; set {
			text, err := client.Format(v)
			return text, err == nil
		}
		return of.Params[i].Default, !of.Params[i].Required
	}
	for _, f := range of.Findings(known) {
		if !f.Doubtful {
			list = append(list, f.Param)
		}
	}
	return list
}

// limited reports whether a constant that comes in by a port must be within limits.
func limited(name, in string) bool {
	all, err := declared()
	if err != nil {
		panic(err)
	}
	of := all.Lookup(name)
	k := of.InPort(in)
	if k < 0 || of.In[k].Param == "" {
		return false
	}
	return len(of.Params[of.Param(of.In[k].Param)].Limits) > 0
}

// observe publishes some ports, and whether they are null.
func (m *maker) observe(f family) {
	n := 0
	for _, t := range f.types {
		for _, from := range m.ports[t] {
			if m.chance("observed", 30) {
				n++
				m.g.Add(families[t]+"NetcommOut").Set("Key", strconv.Itoa(n)).Link("inValue", from)
				null := m.g.Add(families[t]+"IsNull").Link("inValue", from).Out("outValue")
				m.g.Add("Core::BooleanNetcommOut").Set("Key", strconv.Itoa(n)+"null").Link("inValue", null)
			}
		}
	}
	bools := m.ports[graph.Bool]
	m.g.Terminate(graph.As[bool](bools[m.pick("end", len(bools))]))
}

// TestSameValues: with and without the optimiser a net says the same in every cycle.
func TestSameValues(t *testing.T) {
	d := newDaemon(t)
	for name, f := range map[string]family{"scalar": scalar, "spatial": spatial} {
		t.Run(name, func(t *testing.T) {
			trials := rapid.Custom(func(t *rapid.T) trial {
				g, inputs := makeNet(t, f)
				return trial{g, happenings(t, inputs, 8)}
			})
			rapid.Check(t, func(t *rapid.T) {
				of := trials.Draw(t, "net")
				smaller, _, err := of.net.Optimise()
				if err != nil {
					t.Fatal(err)
				}
				want, got := d.run(t, of.net, of.what), d.run(t, smaller, of.what)
				for i := range want {
					if !maps.Equal(want[i], got[i]) {
						t.Logf("optimised:\n%s", text(t, smaller))
						t.Fatalf("cycle %d: %v, not %v", i+1, got[i], want[i])
					}
				}
			})
		})
	}
}

// trial is a net, and what happens while it runs.
type trial struct {
	net  *graph.Graph
	what []happening
}

// GoString returns how rapid prints a trial that has failed.
func (t trial) GoString() string {
	said, err := t.net.Text()
	if err != nil {
		return err.Error()
	}
	for i, h := range t.what {
		said += fmt.Sprintf("\ncycle %d: %v, cancel %v", i+1, h.writes, h.cancel)
	}
	return said
}

func text(t fataler, g *graph.Graph) string {
	s, err := g.Text()
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

func happenings(t *rapid.T, inputs map[string]graph.Type, cycles int) []happening {
	list := make([]happening, cycles)
	for i := range list {
		list[i].cancel = rapid.IntRange(0, 9).Draw(t, "cancel") == 9
		list[i].writes = map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(inputs)) {
			if rapid.IntRange(0, 2).Draw(t, "written") == 2 {
				of := samples[inputs[key]]
				list[i].writes[key] = graph.Text(of[rapid.IntRange(0, len(of)-1).Draw(t, key)])
			}
		}
	}
	return list
}
