package net_test

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

// TestAlike: small nets that an optimiser is tempted to change. They say the same bit by bit in every cycle, optimised or not.
func TestAlike(t *testing.T) {
	for name, make := range map[string]func(g *net.Graph, x net.Signal[bool], v net.Signal[float64]){
		// Few products of quaternions have angles that are read as all their bits. What was found first was a LIN of length 0.
		"a product whose text is another quaternion": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			turn := product(g, constFrame(g, geom.Frame{Rot: geom.FromABC(0.5, 0.2, 0.3)}), constFrame(g, geom.Frame{Rot: geom.FromABC(0.1, -0.7, 0.9)}))
			point := g.Add("World::VectorFromXYZ").Set("X", 1).Set("Y", 2).Link("inZ", v.Port).Out("outValue")
			turned := g.Add("World::FrameToPosRot").Link("inValue", turn).Out("outRotation")
			vector(g, "turned", g.Add("World::VectorRotate").Link("inValue", point).Link("inRot", turned).Out("outValue"))
		},
		"a rotation whose text is another quaternion": func(g *net.Graph, _ net.Signal[bool], _ net.Signal[float64]) {
			turn := g.Add("World::RotationTransform").Link("inFirst", net.Const(g, geom.FromABC(0.5, 0.2, 0.3)).Port).Link("inSecond", net.Const(g, geom.FromABC(0.1, -0.7, 0.9)).Port)
			point := g.Add("World::VectorFromXYZ").Set("X", 1).Set("Y", 2).Set("Z", 3).Out("outValue")
			vector(g, "turned", g.Add("World::VectorRotate").Link("inValue", point).Link("inRot", turn.Out("outValue")).Out("outValue"))
		},
		"a turn back, which has a -0": func(g *net.Graph, _ net.Signal[bool], _ net.Signal[float64]) {
			back := g.Add("World::RotationInvert").Link("inValue", net.Const(g, geom.FromABC(0, math.Pi, 0)).Port).Out("outValue")
			angles := g.Add("World::RotationToABC").Link("inValue", back)
			for _, port := range []string{"outA", "outB", "outC"} {
				net.Publish(g, port, net.As[float64](angles.Out(port)))
			}
		},
		"frames times nothing make 0 of -0": func(g *net.Graph, _ net.Signal[bool], _ net.Signal[float64]) {
			minus := net.In(g, "minus", geom.Frame{Pos: geom.Vector{X: math.Copysign(0, -1)}})
			frame := product(g, minus.Port, constFrame(g, geom.Frame{}))
			vector(g, "v", g.Add("World::FrameToPosRot").Link("inValue", frame).Out("outPosition"))
		},
		"infinities turned by nothing are NaN": func(g *net.Graph, _ net.Signal[bool], _ net.Signal[float64]) {
			far := net.In(g, "far", geom.Vector{X: math.Inf(1)})
			vector(g, "v", g.Add("World::VectorRotate").Link("inValue", far.Port).Link("inRot", net.Const(g, geom.Rotation{}).Port).Out("outValue"))
		},
		"doubles that change nothing, and that do": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			operands(g, net.Mul(v, net.Const(g, -1.0)), math.Copysign(0, -1), 0, 1)
		},
		"ints that change nothing, and that do": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			n := net.As[int32](g.Add("Core::IntFromDouble").Link("inValue", v.Port).Out("outValue"))
			operands(g, net.If(net.IsNull(n), net.Const[int32](g, 7), n), 0, 1)
			operands(g, net.In[int32](g, "n", 3), 0, 1)
		},
		"equals that read different ports": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			parts := g.Add("World::VectorToXYZ").Link("inValue", net.In(g, "point", geom.Vector{X: 1, Y: -2}).Port)
			for _, port := range []string{"outX", "outY"} {
				net.Publish(g, port, net.Add(v, net.As[float64](parts.Out(port))))
			}
		},
		"a factor that is 1 or null": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			net.Publish(g, "v", net.Mul(net.Pre(net.Const(g, 1.0)), v))
		},
		"what is switched on a cycle late": func(g *net.Graph, x net.Signal[bool], _ net.Signal[float64]) {
			on := net.Pre(net.Const(g, true))
			watch(g, "v", g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", on.Port).Out("outValue"))
		},
		"what is switched off a cycle late": func(g *net.Graph, x net.Signal[bool], _ net.Signal[float64]) {
			off := net.NewWire[bool](g)
			late := net.Pre(off.Signal)
			on := net.If(net.IsNull(late), net.Const(g, true), late)
			watch(g, "v", g.Add("Core::BooleanNot").Link("inValue", x.Port).Link("inActive", on.Port).Out("outValue"))
			off.Connect(net.Not(net.Const(g, true)))
		},
		"only one of two equal Pre resets itself": func(g *net.Graph, x net.Signal[bool], _ net.Signal[float64]) {
			reset, value := net.NewWire[bool](g), net.Not(x)
			own := g.Add("Core::BooleanPre").Link("inValue", value.Port).Link("inReset", reset.Port).Out("outValue")
			other := g.Add("Core::BooleanPre").Link("inValue", value.Port).Link("inReset", reset.Port).Out("outValue")
			unless := g.Add("Core::BooleanSetNull").Link("inValue", own).Link("inNull", value.Port).Out("outValue")
			reset.Connect(net.Or(x, net.As[bool](unless)))
			watch(g, "own", own)
			watch(g, "other", other)
		},
		"a Pre resets itself by what is never true": func(g *net.Graph, x net.Signal[bool], _ net.Signal[float64]) {
			reset := net.NewWire[bool](g)
			own := g.Add("Core::BooleanPre").Link("inValue", net.Not(x).Port).Link("inReset", reset.Port).Out("outValue")
			reset.Connect(net.Or(x, net.And(net.As[bool](own), net.Const(g, false))))
			watch(g, "own", own)
		},
		"a Pre switches itself by what is never true": func(g *net.Graph, x net.Signal[bool], _ net.Signal[float64]) {
			active := net.NewWire[bool](g)
			own := g.Add("Core::BooleanPre").Link("inValue", net.Not(x).Port).Link("inActive", active.Port).Out("outValue")
			active.Connect(net.Or(x, net.And(net.As[bool](own), net.Const(g, false))))
			watch(g, "own", own)
		},
		"an array that is never there": func(g *net.Graph, _ net.Signal[bool], v net.Signal[float64]) {
			empty := g.Add("Core::DoubleArray").Set("Size", 3).Out("outArray")
			array := g.Add("Core::DoubleArraySet").Set("Size", 3).Set("Index", 1).Link("inArray", empty).Link("inValue", v.Port).
				Link("inActive", net.Const(g, false).Port).Out("outArray")
			element := g.Add("Core::DoubleArrayGet").Set("Size", 3).Set("Index", 1).Link("inArray", array).Out("outValue")
			net.Publish(g, "null", net.IsNull(net.As[float64](element)))
			g.Add("Core::DoubleArrayNetcommOut").Set("Key", "a").Link("inValue", array)
			g.Add("Core::DoubleArrayNetcommOut").Set("Key", "b").Link("inValue", empty)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := net.New()
			x, v := net.In(g, "x", false), net.In(g, "v", 0.0)
			make(g, x, v)
			g.Terminate(net.Cancelled(g))
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

// operands publishes what becomes of a signal with constants on both sides of operators.
func operands[T net.Number](g *net.Graph, v net.Signal[T], constants ...T) {
	for i, c := range constants {
		c := net.Const(g, c)
		for k, result := range []net.Signal[T]{net.Add(v, c), net.Add(c, v), net.Mul(v, c), net.Mul(c, v), net.Div(v, c), net.Div(c, v)} {
			net.Publish(g, fmt.Sprintf("%s%v-%d-%d", net.TypeOf[T](), v.Port, i, k), result)
		}
	}
}

func constFrame(g *net.Graph, f geom.Frame) net.Port { return net.Const(g, f).Port }

func product(g *net.Graph, a, b net.Port) net.Port {
	return g.Add("World::FrameTransform").Link("inFirst", a).Link("inSecond", b).Out("outValue")
}

// vector publishes the numbers of a vector.
func vector(g *net.Graph, key string, v net.Port) {
	parts := g.Add("World::VectorToXYZ").Link("inValue", v)
	for _, port := range []string{"outX", "outY", "outZ"} {
		net.Publish(g, key+port, net.As[float64](parts.Out(port)))
	}
}

// watch publishes a signal, and whether it is null.
func watch(g *net.Graph, key string, p net.Port) {
	net.Publish(g, key, net.As[bool](p))
	net.Publish(g, key+"null", net.IsNull(net.As[bool](p)))
}
