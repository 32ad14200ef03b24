package graph_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// TestOptimise: the optimised form of small nets that publish a signal.
func TestOptimise(t *testing.T) {
	type signal = graph.Signal[bool]
	for name, c := range map[string]struct {
		of   func(g *graph.Graph, x, y signal) signal
		want string
	}{
		"true and x": {func(g *graph.Graph, x, _ signal) signal { return graph.And(graph.Const(g, true), x) }, `OUT=0.outValue`},
		"false or x": {func(g *graph.Graph, x, _ signal) signal { return graph.Or(x, graph.Const(g, false)) }, `OUT=0.outValue`},
		"false and x": {
			func(g *graph.Graph, x, _ signal) signal { return graph.And(x, graph.Const(g, false)) },
			`0=Core::BooleanValue(),OUT=0.outValue`,
		},
		"not not x":        {func(_ *graph.Graph, x, _ signal) signal { return graph.Not(graph.Not(x)) }, `OUT=0.outValue`},
		"x and x":          {func(_ *graph.Graph, x, _ signal) signal { return graph.And(x, x) }, `OUT=0.outValue`},
		"x and not x":      {func(_ *graph.Graph, x, _ signal) signal { return graph.And(x, graph.Not(x)) }, `0=Core::BooleanValue(),OUT=0.outValue`},
		"x or (x and y)":   {func(_ *graph.Graph, x, y signal) signal { return graph.Or(x, graph.And(x, y)) }, `OUT=0.outValue`},
		"a choice of true": {func(g *graph.Graph, x, y signal) signal { return graph.If(graph.Const(g, true), y, x) }, `0=Core::BooleanNetcommIn(Key='y'),OUT=0.outValue`},
		"both the same":    {func(_ *graph.Graph, x, y signal) signal { return graph.If(y, x, x) }, `OUT=0.outValue`},
		"null counts: true and what is late is not what is late": {
			func(g *graph.Graph, x, _ signal) signal { return graph.And(graph.Const(g, true), graph.Pre(x)) },
			`1=Core::BooleanPre(inValue=0.outValue),2=Core::BooleanAnd(inFirst=1.outValue),OUT=2.outValue`,
		},
		"a value in place of null": {
			func(g *graph.Graph, x, _ signal) signal {
				return graph.If(graph.IsNull(graph.Pre(x)), graph.Const(g, false), graph.Pre(x))
			},
			`1=Core::BooleanPre(inValue=0.outValue),2=Core::BooleanIsNull(inValue=1.outValue),` +
				`3=Core::BooleanConditional(inCondition=2.outValue,inFalse=1.outValue),OUT=3.outValue`,
		},
		"never null": {func(_ *graph.Graph, x, _ signal) signal { return graph.Or(graph.IsNull(x), x) }, `OUT=0.outValue`},
		"what never starts": {
			func(g *graph.Graph, x, y signal) signal {
				active := graph.NewWire[bool](g)
				active.Connect(graph.And(graph.Or(graph.Const(g, false), graph.Pre(active.Signal)), graph.Not(y)))
				return graph.Or(x, graph.Rising(active.Signal))
			}, `OUT=0.outValue`,
		},
		"loops that are there twice": {
			func(g *graph.Graph, x, y signal) signal {
				loop := func() signal {
					active := graph.NewWire[bool](g)
					active.Connect(graph.And(graph.Or(x, graph.Pre(active.Signal)), graph.Not(y)))
					return active.Signal
				}
				return graph.And(loop(), loop())
			},
			`2=Core::BooleanPre(inValue=5.outValue),3=Core::BooleanOr(inFirst=0.outValue,inSecond=2.outValue),` +
				`4=Core::BooleanNot(inValue=1.outValue),5=Core::BooleanAnd(inFirst=3.outValue,inSecond=4.outValue),OUT=5.outValue`,
		},
		"the other way round": {
			func(_ *graph.Graph, x, y signal) signal {
				return graph.Rising(graph.Or(graph.Pre(graph.And(x, y)), graph.Pre(graph.And(y, x))))
			},
			`2=Core::BooleanAnd(inFirst=0.outValue,inSecond=1.outValue),3=Core::BooleanPre(inValue=2.outValue),` +
				`4=Core::BooleanOr(inFirst=3.outValue,inSecond=3.outValue),5=Core::EdgeDetection(inValue=4.outValue),OUT=5.outValue`,
		},
		"a state that is there twice": {
			func(_ *graph.Graph, x, _ signal) signal { return graph.And(graph.Rising(x), graph.Rising(x)) },
			`1=Core::EdgeDetection(inValue=0.outValue),OUT=1.outValue`,
		},
		"what is never switched on is null": {
			func(g *graph.Graph, x, _ signal) signal {
				not := g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", graph.Const(g, false).Port)
				return graph.IsNull(graph.As[bool](not.Out("outValue")))
			}, `0=Core::BooleanValue(Value='true'),OUT=0.outValue`,
		},
		"what stands in for null stays as it was given": {
			func(g *graph.Graph, x, _ signal) signal {
				p := g.Add("Core::BooleanAnd").Set("First", true).Set("Second", false)
				return graph.As[bool](p.Link("inFirst", graph.Pre(x).Port).Link("inSecond", x.Port).Out("outValue"))
			},
			`1=Core::BooleanAnd(Second='true',inFirst=0.outValue,inSecond=2.outValue),2=Core::BooleanPre(inValue=0.outValue),OUT=1.outValue`,
		},
		"arithmetic": {
			func(g *graph.Graph, _, _ signal) signal {
				return graph.Greater(graph.Mul(graph.Const(g, 3.0), graph.Const(g, 0.5)), graph.Const(g, 1.0))
			}, `0=Core::BooleanValue(Value='true'),OUT=0.outValue`,
		},
		"into a parameter": {
			func(g *graph.Graph, _, _ signal) signal {
				limit := graph.Add(graph.Const(g, 1.0), graph.Const(g, 0.5))
				return graph.Greater(graph.Mul(graph.As[float64](g.Add("Core::CycleTime").Out("outValue")), graph.Const(g, 1.0)), limit)
			}, `0=Core::CycleTime(),1=Core::DoubleGreater(Second='1.5',inFirst=0.outValue),OUT=1.outValue`,
		},
		"frames": {
			func(g *graph.Graph, _, _ signal) signal {
				up, side := graph.Const(g, geom.Frame{Pos: geom.Vector{Z: 1}}), graph.Const(g, geom.Frame{Pos: geom.Vector{X: 2}})
				both := g.Add("World::FrameTransform").Link("inFirst", up.Port).Link("inSecond", side.Port).Out("outValue")
				same := g.Add("World::FrameTransform").Link("inFirst", both).Link("inSecond", graph.Const(g, geom.Frame{}).Port).Out("outValue")
				graph.Publish(g, "frame", graph.As[geom.Frame](same))
				return graph.IsNull(graph.As[geom.Frame](same))
			},
			`0=World::FrameNetcommOut(Key='frame',inValue=1.outValue),1=World::FrameValue(Value='{pos:{x:2,y:0,z:1},rot:{a:0,b:0,c:0}}'),` +
				`2=Core::BooleanValue(),OUT=2.outValue`,
		},
		"what is always on is not switched": {
			func(g *graph.Graph, x, _ signal) signal {
				return graph.As[bool](g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", graph.Const(g, true).Port).Out("outValue"))
			}, `1=Core::BooleanNot(inValue=0.outValue),OUT=1.outValue`,
		},
		"what is switched is null, and is no other": {
			func(g *graph.Graph, x, y signal) signal {
				not := g.Add("Core::BooleanAnd").Link("inFirst", x.Port).Link("inActive", y.Port).Out("outValue")
				return graph.Pre(graph.As[bool](not))
			}, `2=Core::BooleanAnd(inFirst=0.outValue,inActive=1.outValue),3=Core::BooleanPre(inValue=2.outValue),OUT=3.outValue`,
		},
		"what is switched together knows no null of each other": {
			func(g *graph.Graph, x, y signal) signal {
				first := g.Add("Core::BooleanAnd").Link("inFirst", x.Port).Link("inActive", y.Port).Out("outValue")
				second := g.Add("Core::BooleanNot").Link("inValue", first).Link("inActive", y.Port).Out("outValue")
				return graph.As[bool](second)
			}, `2=Core::BooleanNot(inValue=0.outValue,inActive=1.outValue),OUT=2.outValue`,
		},
		"one times what may be null is NaN then": {
			func(g *graph.Graph, x, _ signal) signal {
				late := graph.Pre(graph.As[float64](g.Add("Core::CycleTime").Out("outValue")))
				graph.Publish(g, "v", graph.Mul(late, graph.Const(g, 1.0)))
				return x
			},
			`1=Core::CycleTime(),2=Core::DoublePre(inValue=1.outValue),3=Core::DoubleMultiply(Second='1',inFirst=2.outValue),` +
				`4=Core::DoubleNetcommOut(Key='v',inValue=3.outValue),OUT=0.outValue`,
		},
		"null switches a trigger on whose parameter says so": {
			func(g *graph.Graph, x, y signal) signal {
				never := g.Add("Core::BooleanPre").Out("outValue")
				on := g.Add("Core::Trigger").Set("On", true).Link("inOn", never).Link("inOff", x.Port).Out("outActive")
				return graph.Or(graph.As[bool](on), graph.Rising(y))
			},
			`2=Core::BooleanPre(),3=Core::Trigger(On='true',inOn=2.outValue,inOff=0.outValue),4=Core::EdgeDetection(inValue=1.outValue),` +
				`5=Core::BooleanOr(inFirst=3.outActive,inSecond=4.outValue),OUT=5.outValue`,
		},
		"inputs of one key share what the first says": {
			func(g *graph.Graph, x, _ signal) signal {
				graph.In(g, "level", 1.0)
				graph.Publish(g, "v", graph.In(g, "level", 2.0))
				return x
			},
			`1=Core::DoubleNetcommIn(Key='level',Value='1'),2=Core::DoubleNetcommIn(Key='level',Value='2'),` +
				`3=Core::DoubleNetcommOut(Key='v',inValue=2.outValue),OUT=0.outValue`,
		},
		"rotations of NaN": {
			func(g *graph.Graph, x, _ signal) signal {
				p := g.Add("World::RotationFromABC").Link("inA", graph.Const(g, math.NaN()).Port)
				graph.Publish(g, "v", graph.As[geom.Rotation](p.Out("outValue")))
				return x
			},
			`1=World::RotationNetcommOut(Key='v',inValue=2.outValue),2=World::RotationValue(Value='{a:nan,b:nan,c:nan}'),OUT=0.outValue`,
		},
		"sensors": {
			func(g *graph.Graph, x, _ signal) signal {
				read := func() signal {
					p := g.Add("RobotArm::JointMonitor").Set("Robot", "arm").Set("Axis", 1).Out("outMeasuredPosition")
					return graph.Greater(graph.As[float64](p), graph.Const(g, 1.0))
				}
				return graph.Rising(graph.And(read(), read(), x))
			},
			`1=RobotArm::JointMonitor(Robot='arm',Axis='1'),2=Core::DoubleGreater(Second='1',inFirst=1.outMeasuredPosition),` +
				`3=Core::BooleanAnd(inFirst=0.outValue,inSecond=2.outValue),4=Core::EdgeDetection(inValue=3.outValue),OUT=4.outValue`,
		},
		"inputs and actuators are each their own": {
			func(g *graph.Graph, x, _ signal) signal {
				for range 2 {
					g.Add("RobotArm::JointPosition").Set("Robot", "arm").Set("Axis", 1).Link("inPosition", graph.In(g, "a", 0.0).Port)
				}
				return x
			},
			`1=RobotArm::JointPosition(Robot='arm',Axis='1',inPosition=2.outValue),2=Core::DoubleNetcommIn(Key='a'),` +
				`3=RobotArm::JointPosition(Robot='arm',Axis='1',inPosition=4.outValue),4=Core::DoubleNetcommIn(Key='a'),OUT=0.outValue`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph.New()
			x, y := graph.In(g, "x", false), graph.In(g, "y", false)
			g.Out("outResult", c.of(g, x, y).Port)
			before := text(t, g)
			smaller, report, err := g.Optimise()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.NewReplacer(`0=Core::BooleanNetcommIn(Key='x'),`, "", `1=Core::BooleanNetcommIn(Key='y'),`, "", "outResult", "OUT", "{", "", "}", "").Replace(text(t, smaller))
			want := strings.NewReplacer("{", "", "}", "").Replace(c.want)
			if got != want {
				t.Errorf("%s\nnot\n%s\n%v", got, want, report)
			}
			if again, _, err := smaller.Optimise(); err != nil || text(t, again) != text(t, smaller) {
				t.Errorf("%v: it is not done: %s", err, text(t, again))
			}
			if text(t, g) != before {
				t.Error("the original has changed")
			}
		})
	}
}

// TestDeclared: of types that users declare only what is declared is known.
func TestDeclared(t *testing.T) {
	own := func(kind graph.Kind) *graph.Catalogue {
		return graph.Standard().With(graph.Declaration{
			Name: "My::Filter", Kind: kind, Out: []graph.OutPort{{Name: "outValue", Type: graph.Double}},
			In:     []graph.InPort{{Name: "inValue", Type: graph.Double, Param: "Value", Required: true}},
			Params: []graph.Param{{Name: "Value", Type: graph.Double, Default: "0"}},
		})
	}
	for kind, want := range map[graph.Kind]string{
		graph.State:  `{0=My::Filter(inValue=1.outValue),1=Core::DoubleValue(Value='1'),2=Core::DoubleNetcommOut(Key='0',inValue=0.outValue),3=Core::DoubleNetcommOut(Key='1',inValue=0.outValue)}`,
		graph.Effect: `{0=My::Filter(inValue=1.outValue),1=Core::DoubleValue(Value='1'),2=Core::DoubleNetcommOut(Key='0',inValue=0.outValue),3=My::Filter(inValue=1.outValue),4=Core::DoubleNetcommOut(Key='1',inValue=3.outValue)}`,
	} {
		g := graph.Of(own(kind))
		for i := range 2 {
			p := g.Add("My::Filter").Link("inValue", graph.Const(g, 1.0).Port)
			graph.Publish(g, fmt.Sprint(i), graph.As[float64](p.Out("outValue")))
		}
		smaller, _, err := g.Optimise()
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, smaller); got != want {
			t.Errorf("%v: %s\nnot\n%s", kind, got, want)
		}
	}
}

// TestNamesake: a user's type that has the name of one of the daemon's is not taken for it.
func TestNamesake(t *testing.T) {
	value := []graph.OutPort{{Name: "outValue", Type: graph.Bool}}
	g := graph.Of(graph.Standard().With(
		graph.Declaration{Name: "Core::BooleanValue", Kind: graph.Sensor, Out: value, Params: []graph.Param{{Name: "Value", Type: graph.Bool, Required: true}}},
		graph.Declaration{Name: "Core::BooleanNot", Kind: graph.State, Out: value, In: []graph.InPort{{Name: "inValue", Type: graph.Bool}}},
	))
	sensed := g.Add("Core::BooleanValue").Set("Value", false).Out("outValue")
	graph.Publish(g, "not", graph.Not(graph.As[bool](sensed)))
	graph.Publish(g, "twice", graph.Not(graph.Not(graph.In(g, "y", false))))
	graph.Publish(g, "never", graph.Rising(graph.IsNull(graph.In(g, "x", 0.0))))
	smaller, _, err := g.Optimise()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{0=Core::BooleanValue(Value='false'),1=Core::BooleanNot(inValue=0.outValue),2=Core::BooleanNetcommOut(Key='not',inValue=1.outValue),` +
		`3=Core::BooleanNetcommIn(Key='y'),4=Core::BooleanNot(inValue=3.outValue),5=Core::BooleanNot(inValue=4.outValue),6=Core::BooleanNetcommOut(Key='twice',inValue=5.outValue),` +
		`7=Core::DoubleNetcommIn(Key='x'),8=Core::DoubleIsNull(inValue=7.outValue),9=Core::EdgeDetection(inValue=8.outValue),10=Core::BooleanNetcommOut(Key='never',inValue=9.outValue)}`
	if got := text(t, smaller); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

// TestFormulas: what is computed beforehand is what the daemon computes, by its own examples.
func TestFormulas(t *testing.T) {
	computed := 0
	for _, p := range primitives.All() {
		for _, e := range p.Examples {
			if !graph.Computes(p.Name) || e.Reject != "" {
				continue
			}
			computed++
			folds(t, p.Name, e)
		}
	}
	if computed < 120 {
		t.Errorf("only %d examples were computed", computed)
	}
}

// folds makes a net of constants of each cycle of an example, which the optimiser must know the result of.
func folds(t *testing.T, name string, e spec.Example) {
	t.Helper()
	cycles := 1
	for _, series := range e.In {
		cycles = max(cycles, len(series))
	}
	for cycle := range cycles {
		at := func(series []string) string { return series[min(cycle, len(series)-1)] }
		g := graph.New()
		p := g.Add(name)
		d := graph.Standard().Lookup(name)
		for _, param := range d.Params {
			if v, set := e.Params[param.Name]; set {
				p.Set(param.Name, graph.Parsed(v, param.Type))
			}
		}
		for _, port := range d.In {
			if series, linked := e.In[port.Name]; linked {
				source := g.Add(families[port.Type] + "Pre") // of nothing, null
				if v := at(series); v != "null" {
					source = g.Add(families[port.Type]+"Value").Set("Value", graph.Parsed(v, port.Type))
				}
				p.Link(port.Name, source.Out("outValue"))
			}
		}
		for port := range e.Out {
			g.Out(port, p.Out(port))
		}
		smaller, _, err := g.Optimise()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, port := range d.Out {
			if e.Out[port.Name] == nil {
				continue
			}
			want := at(e.Out[port.Name])
			if want != "null" {
				want = graph.Text(graph.Parsed(want, d.Out[i].Type))
			}
			got, known := graph.Constant(smaller, port.Name)
			if rotates := d.Out[i].Type == graph.Rotation || d.Out[i].Type == graph.Frame; rotates && !known && want != "null" {
				continue // its text does not give it bit by bit
			}
			if !known || got != want && !nearDoubles(got, want) {
				t.Errorf("%s %v %v in cycle %d: %s is %s, not %s", name, e.Params, e.In, cycle+1, port.Name, got, want)
			}
		}
	}
}

// nearDoubles passes over last digits: examples are held to a tolerance as well.
func nearDoubles(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return errA == nil && errB == nil && math.Abs(x-y) < 1e-12
}

// TestReport: the numbers add up.
func TestReport(t *testing.T) {
	g := graph.New()
	x := graph.In(g, "x", 0.0)
	for i := range 10 {
		limited := graph.Min(graph.Mul(x, graph.Const(g, 1.0)), graph.Add(graph.Const(g, 1.0), graph.Const(g, 2.0)))
		graph.Publish(g, fmt.Sprint(i), limited)
		graph.Not(graph.Cancelled(g))
	}
	g.Terminate(graph.Cancelled(g))
	smaller, r, err := g.Optimise()
	if err != nil {
		t.Fatal(err)
	}
	if r.Before.Primitives != g.Len() || r.After.Primitives != smaller.Len() || r.Before.Bytes != len(text(t, g)) || r.After.Bytes != len(text(t, smaller)) {
		t.Error(r)
	}
	if gone := r.Merged + r.Unreachable; smaller.Len() != 13 || r.Before.Primitives-r.After.Primitives > gone {
		t.Errorf("%d primitives, %v", smaller.Len(), r)
	}
	if _, _, err := graph.New().Under("x").Add("Nothing").Out("outValue").Graph().Optimise(); err == nil {
		t.Error("a wrong graph was taken")
	}
}

// TestNeverNull: types that are taken to have values always have them in the daemon, even while all that comes in is null.
func TestNeverNull(t *testing.T) {
	d := newDaemon(t)
	total := 0
	for name, decl := range graph.Standard().All() {
		if !graph.Total(decl) {
			continue
		}
		total++
		g := graph.New()
		p := g.Add(name)
		for _, in := range decl.In {
			p.Link(in.Name, g.Add(families[in.Type]+"Pre").Out("outValue"))
		}
		for _, out := range decl.Out {
			if families[out.Type] == "" {
				continue // points in time have no IsNull
			}
			null := g.Add(families[out.Type]+"IsNull").Link("inValue", p.Out(out.Name)).Out("outValue")
			g.Add("Core::BooleanNetcommOut").Set("Key", out.Name).Link("inValue", null)
		}
		g.Terminate(graph.Cancelled(g))
		for cycle, told := range d.run(t, g, make([]happening, 3)) {
			for key, null := range told {
				if null != "false" {
					t.Errorf("%s: %s is null in cycle %d", name, key, cycle+1)
				}
			}
		}
	}
	if total < 45 {
		t.Errorf("there are only %d", total)
	}
}

// TestParametersStandIn: a constant at an in port and the parameter that stands in for the port mean the same to every primitive, so
// that the one may become the other. (A Motion::Pace is refused without limits, and has one such port, the rate of a cycle.)
func TestParametersStandIn(t *testing.T) {
	d := newDaemon(t)
	compared := 0
	for name, decl := range graph.Standard().All() {
		if name == "Motion::Pace" || decl.Kind != graph.Pure && decl.Kind != graph.State || slices.ContainsFunc(decl.Params, func(p graph.Param) bool { return p.Required }) {
			continue
		}
		if slices.ContainsFunc(decl.In, func(in graph.InPort) bool { return in.Type == graph.Matrix }) {
			continue
		}
		for _, port := range decl.In {
			if families[port.Type] == "" || port.Type == doubles || port.Param == "" {
				continue
			}
			for _, v := range samples[port.Type] {
				if impossible(name, map[string]any{port.Param: v}) {
					continue // the daemon rejects both
				}
				compared++
				linked := d.run(t, alone(decl, port.Name, func(g *graph.Graph, p *graph.Primitive) {
					p.Link(port.Name, g.Add(families[port.Type]+"Value").Set("Value", v).Out("outValue"))
				}), make([]happening, 4))
				set := d.run(t, alone(decl, port.Name, func(_ *graph.Graph, p *graph.Primitive) { p.Set(port.Param, v) }), make([]happening, 4))
				for i := range linked {
					if !maps.Equal(linked[i], set[i]) {
						t.Errorf("%s: %s=%v in cycle %d: %v linked, %v as parameter", name, port.Name, v, i+1, linked[i], set[i])
					}
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d were compared", compared)
	}
}

// alone returns a net that publishes the outputs of a primitive, to which something is done. Ports that must be linked are.
func alone(decl *graph.Declaration, but string, do func(g *graph.Graph, p *graph.Primitive)) *graph.Graph {
	g := graph.New()
	p := g.Add(decl.Name)
	for _, in := range decl.In {
		if in.Required && in.Name != but {
			of := samples[in.Type]
			p.Link(in.Name, g.Add(families[in.Type]+"NetcommIn").Set("Key", in.Name).Set("Value", of[len(of)-1]).Out("outValue"))
		}
	}
	for _, param := range decl.Params {
		if param.Name == "Size" { // of arrays that nothing else says the length of
			p.Set(param.Name, 2)
		}
	}
	do(g, p)
	for _, out := range decl.Out {
		if families[out.Type] != "" && out.Type != doubles {
			g.Add(families[out.Type]+"NetcommOut").Set("Key", out.Name).Link("inValue", p.Out(out.Name))
		}
	}
	g.Terminate(graph.Cancelled(g))
	return g
}
