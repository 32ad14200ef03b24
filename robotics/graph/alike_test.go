package graph_test

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// TestAlike: small nets that an optimiser is tempted to change. They say the same bit by bit in every cycle, optimised or not.
func TestAlike(t *testing.T) {
	for name, make := range map[string]func(g *graph.Graph, x graph.Signal[bool], v graph.Signal[float64]){
		// Few products of quaternions have angles that are read as all their bits. The first one found was a LIN of length 0.
		"a product whose text is another quaternion": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			turn := product(g, constFrame(g, geom.Frame{Rot: geom.FromABC(0.5, 0.2, 0.3)}), constFrame(g, geom.Frame{Rot: geom.FromABC(0.1, -0.7, 0.9)}))
			point := g.Add("World::VectorFromXYZ").Set("X", 1).Set("Y", 2).Link("inZ", v.Port).Out("outValue")
			turned := g.Add("World::FrameToPosRot").Link("inValue", turn).Out("outRotation")
			vector(g, "turned", g.Add("World::VectorRotate").Link("inValue", point).Link("inRot", turned).Out("outValue"))
		},
		"a rotation whose text is another quaternion": func(g *graph.Graph, _ graph.Signal[bool], _ graph.Signal[float64]) {
			turn := g.Add("World::RotationTransform").Link("inFirst", graph.Const(g, geom.FromABC(0.5, 0.2, 0.3)).Port).Link("inSecond", graph.Const(g, geom.FromABC(0.1, -0.7, 0.9)).Port)
			point := g.Add("World::VectorFromXYZ").Set("X", 1).Set("Y", 2).Set("Z", 3).Out("outValue")
			vector(g, "turned", g.Add("World::VectorRotate").Link("inValue", point).Link("inRot", turn.Out("outValue")).Out("outValue"))
		},
		"a turn back, which has a -0": func(g *graph.Graph, _ graph.Signal[bool], _ graph.Signal[float64]) {
			back := g.Add("World::RotationInvert").Link("inValue", graph.Const(g, geom.FromABC(0, math.Pi, 0)).Port).Out("outValue")
			angles := g.Add("World::RotationToABC").Link("inValue", back)
			for _, port := range []string{"outA", "outB", "outC"} {
				graph.Publish(g, port, graph.As[float64](angles.Out(port)))
			}
		},
		"frames times nothing make 0 of -0": func(g *graph.Graph, _ graph.Signal[bool], _ graph.Signal[float64]) {
			minus := graph.In(g, "minus", geom.Frame{Pos: geom.Vector{X: math.Copysign(0, -1)}})
			frame := product(g, minus.Port, constFrame(g, geom.Frame{}))
			vector(g, "v", g.Add("World::FrameToPosRot").Link("inValue", frame).Out("outPosition"))
		},
		"infinities turned by nothing are NaN": func(g *graph.Graph, _ graph.Signal[bool], _ graph.Signal[float64]) {
			far := graph.In(g, "far", geom.Vector{X: math.Inf(1)})
			vector(g, "v", g.Add("World::VectorRotate").Link("inValue", far.Port).Link("inRot", graph.Const(g, geom.Rotation{}).Port).Out("outValue"))
		},
		"doubles that change nothing, and that do": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			operands(g, graph.Mul(v, graph.Const(g, -1.0)), math.Copysign(0, -1), 0, 1)
		},
		"ints that change nothing, and that do": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			n := graph.As[int32](g.Add("Core::IntFromDouble").Link("inValue", v.Port).Out("outValue"))
			operands(g, graph.If(graph.IsNull(n), graph.Const[int32](g, 7), n), 0, 1)
			operands(g, graph.In[int32](g, "n", 3), 0, 1)
		},
		"equals that read different ports": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			parts := g.Add("World::VectorToXYZ").Link("inValue", graph.In(g, "point", geom.Vector{X: 1, Y: -2}).Port)
			for _, port := range []string{"outX", "outY"} {
				graph.Publish(g, port, graph.Add(v, graph.As[float64](parts.Out(port))))
			}
		},
		"a factor that is 1 or null": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			graph.Publish(g, "v", graph.Mul(graph.Pre(graph.Const(g, 1.0)), v))
		},
		"what is switched on a cycle late": func(g *graph.Graph, x graph.Signal[bool], _ graph.Signal[float64]) {
			on := graph.Pre(graph.Const(g, true))
			watch(g, "v", g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", on.Port).Out("outValue"))
		},
		"what is switched off a cycle late": func(g *graph.Graph, x graph.Signal[bool], _ graph.Signal[float64]) {
			off := graph.NewWire[bool](g)
			late := graph.Pre(off.Signal)
			on := graph.If(graph.IsNull(late), graph.Const(g, true), late)
			watch(g, "v", g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", on.Port).Out("outValue"))
			off.Connect(graph.Not(graph.Const(g, true)))
		},
		"only one of two equal Pre resets itself": func(g *graph.Graph, x graph.Signal[bool], _ graph.Signal[float64]) {
			reset, value := graph.NewWire[bool](g), graph.Not(x)
			own := g.Add("Core::BooleanPre").Link("inValue", value.Port).Link("inReset", reset.Port).Out("outValue")
			other := g.Add("Core::BooleanPre").Link("inValue", value.Port).Link("inReset", reset.Port).Out("outValue")
			unless := g.Add("Core::BooleanSetNull").Link("inValue", own).Link("inNull", value.Port).Out("outValue")
			reset.Connect(graph.Or(x, graph.As[bool](unless)))
			watch(g, "own", own)
			watch(g, "other", other)
		},
		"a Pre resets itself by what is never true": func(g *graph.Graph, x graph.Signal[bool], _ graph.Signal[float64]) {
			reset := graph.NewWire[bool](g)
			own := g.Add("Core::BooleanPre").Link("inValue", graph.Not(x).Port).Link("inReset", reset.Port).Out("outValue")
			reset.Connect(graph.Or(x, graph.And(graph.As[bool](own), graph.Const(g, false))))
			watch(g, "own", own)
		},
		"a Pre switches itself by what is never true": func(g *graph.Graph, x graph.Signal[bool], _ graph.Signal[float64]) {
			active := graph.NewWire[bool](g)
			own := g.Add("Core::BooleanPre").Link("inValue", graph.Not(x).Port).Link("inActive", active.Port).Out("outValue")
			active.Connect(graph.Or(x, graph.And(graph.As[bool](own), graph.Const(g, false))))
			watch(g, "own", own)
		},
		"an array that is never there": func(g *graph.Graph, _ graph.Signal[bool], v graph.Signal[float64]) {
			empty := g.Add("Core::DoubleArray").Set("Size", 3).Out("outArray")
			array := g.Add("Core::DoubleArraySet").Set("Size", 3).Set("Index", 1).Link("inArray", empty).Link("inValue", v.Port).
				Link("inActive", graph.Const(g, false).Port).Out("outArray")
			element := g.Add("Core::DoubleArrayGet").Set("Size", 3).Set("Index", 1).Link("inArray", array).Out("outValue")
			graph.Publish(g, "null", graph.IsNull(graph.As[float64](element)))
			g.Add("Core::DoubleArrayNetcommOut").Set("Key", "a").Link("inValue", array)
			g.Add("Core::DoubleArrayNetcommOut").Set("Key", "b").Link("inValue", empty)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph.New()
			x, v := graph.In(g, "x", false), graph.In(g, "v", 0.0)
			make(g, x, v)
			g.Terminate(graph.Cancelled(g))
			smaller, _, err := g.Optimise()
			if err != nil {
				t.Fatal(err)
			}
			what := [8]happening{}
			for i := range what {
				what[i].writes = map[string]string{"inx": strconv.FormatBool(i%3 == 2), "inv": strconv.Itoa(i)}
			}
			d := newDaemon(t)
			want, got := d.run(t, g, what[:]), d.run(t, smaller, what[:])
			for i := range want {
				if !maps.Equal(want[i], got[i]) {
					t.Fatalf("cycle %d: %v, not %v\n%s\n%s", i+1, got[i], want[i], text(t, g), text(t, smaller))
				}
			}
		})
	}
}

// operands publishes a signal combined with constants on both sides of operators.
func operands[T graph.Number](g *graph.Graph, v graph.Signal[T], constants ...T) {
	for i, c := range constants {
		c := graph.Const(g, c)
		for k, result := range []graph.Signal[T]{graph.Add(v, c), graph.Add(c, v), graph.Mul(v, c), graph.Mul(c, v), graph.Div(v, c), graph.Div(c, v)} {
			graph.Publish(g, fmt.Sprintf("%s%v-%d-%d", graph.TypeOf[T](), v.Port, i, k), result)
		}
	}
}

func constFrame(g *graph.Graph, f geom.Frame) graph.Port { return graph.Const(g, f).Port }

func product(g *graph.Graph, a, b graph.Port) graph.Port {
	return g.Add("World::FrameTransform").Link("inFirst", a).Link("inSecond", b).Out("outValue")
}

// vector publishes the numbers of a vector.
func vector(g *graph.Graph, key string, v graph.Port) {
	parts := g.Add("World::VectorToXYZ").Link("inValue", v)
	for _, port := range []string{"outX", "outY", "outZ"} {
		graph.Publish(g, key+port, graph.As[float64](parts.Out(port)))
	}
}

// watch publishes a signal, and whether it is null.
func watch(g *graph.Graph, key string, p graph.Port) {
	graph.Publish(g, key, graph.As[bool](p))
	graph.Publish(g, key+"null", graph.IsNull(graph.As[bool](p)))
}
