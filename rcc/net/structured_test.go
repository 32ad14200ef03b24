package net_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/world"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// structured is a net of primitives over structured values and arrays of seven, each kind as often as any other, each in
// port linked to one of those before at random.
type structured struct {
	name       string
	kind       func(p *spec.Primitive) bool
	primitives int
}

func named(parts ...string) func(p *spec.Primitive) bool {
	return func(p *spec.Primitive) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(p.Name, part) })
	}
}

func isArray(p *spec.Primitive) bool {
	return strings.Contains(p.Name, "Array") && named("Core::Boolean", "Core::Int", "Core::Double", "World::")(p)
}

// isAlgorithm reports whether a primitive does more than a formula: a trajectory, or a mean over a window.
func isAlgorithm(p *spec.Primitive) bool {
	return p.Name == "World::FrameOTG" || strings.HasSuffix(p.Name, "Average")
}

func valuesOf(types ...string) func(p *spec.Primitive) bool {
	return func(p *spec.Primitive) bool { return !isArray(p) && !isAlgorithm(p) && named(types...)(p) }
}

func arraysOf(types ...string) func(p *spec.Primitive) bool {
	return func(p *spec.Primitive) bool { return isArray(p) && named(types...)(p) }
}

var structuredNets = []structured{
	{"mixed", func(p *spec.Primitive) bool { return isArray(p) || named("World::")(p) }, 1000},
	{"vectors", valuesOf("World::Vector"), 1000},
	{"rotations", valuesOf("World::Rotation"), 1000},
	{"frames", valuesOf("World::Frame"), 1000},
	{"twists and wrenches", valuesOf("World::Twist", "World::Wrench"), 1000},
	{"arrays of seven doubles", arraysOf("Core::Double"), 1000},
	{"arrays of seven rotations", arraysOf("World::Rotation"), 1000},
	{"arrays of seven frames", arraysOf("World::Frame"), 1000},
	{"trajectories and averages", func(p *spec.Primitive) bool { return isAlgorithm(p) && named("World::")(p) }, 1000},
}

// structuredTypes are the data types of the values, with a value of each that comes from outside and is not a constant.
var structuredTypes = []struct{ of, family, value string }{
	{"bool", "Core::Boolean", "true"},
	{"int", "Core::Int", "3"},
	{"double", "Core::Double", "0.3"},
	{"vector", "World::Vector", "{x:1,y:2,z:-0.5}"},
	{"rotation", "World::Rotation", "{a:0.5,b:-0.25,c:1}"},
	{"frame", "World::Frame", "{pos:{x:1,y:2,z:-0.5},rot:{a:0.5,b:-0.25,c:1}}"},
	{"twist", "World::Twist", "{vel:{x:1,y:2,z:-0.5},rot:{x:0.5,y:-0.25,z:1}}"},
	{"wrench", "World::Wrench", "{force:{x:1,y:2,z:-0.5},torque:{x:0.5,y:-0.25,z:1}}"},
}

// text writes the net. Messages are left out except for the sources: they are measured with their transport.
func (s structured) text() string {
	random := rand.New(rand.NewPCG(5, 5))
	entries := []string{"never=Core::BooleanNetcommIn(Key='never')"}
	ports := map[value.Type][]string{}
	for i, t := range structuredTypes {
		seven := "[" + strings.TrimSuffix(strings.Repeat(t.value+",", 7), ",") + "]"
		entries = append(entries,
			fmt.Sprintf("s%d=%sNetcommIn(Key='s%d',Value='%s')", i, t.family, i, t.value),
			fmt.Sprintf("a%d=%sArrayNetcommIn(Key='a%d',Value='%s')", i, t.family, i, seven))
		of := value.Type(t.of)
		ports[of] = []string{fmt.Sprintf("s%d.outValue", i)}
		ports[value.ArrayOf(of)] = []string{fmt.Sprintf("a%d.outValue", i)}
	}
	var kinds []*spec.Primitive
	for _, p := range slices.Concat(core.Primitives(), world.Primitives()) {
		if s.kind(p) && !strings.Contains(p.Name, "etcomm") {
			kinds = append(kinds, p)
		}
	}
	for i := range s.primitives - len(entries) {
		p := kinds[i%len(kinds)]
		var args []string
		for _, port := range p.In {
			from := ports[port.Type]
			switch {
			case port.Name == "inNull", port.Name == "inReset": // null costs nothing
				from = []string{"never.outValue"}
			case port.Name == "inAge":
				continue
			case random.IntN(2) == 0:
				from = from[:1] // numbers stay those of the world
			}
			args = append(args, fmt.Sprintf("%s=%s", port.Name, from[random.IntN(len(from))]))
		}
		for _, param := range [][2]string{{"Size", "7"}, {"Index", "3"}, {"MaxAge", "0.05"}, {"Age", "0.02"}, {"Duration", "0.05"}} {
			if p.Param(param[0]) >= 0 {
				args = append(args, fmt.Sprintf("%s='%s'", param[0], param[1]))
			}
		}
		entries = append(entries, fmt.Sprintf("p%d=%s(%s)", i, p.Name, strings.Join(args, ",")))
		for _, port := range p.Out {
			ports[port.Type] = append(ports[port.Type], fmt.Sprintf("p%d.%s", i, port.Name))
		}
	}
	return "{" + strings.Join(entries, ",") + ",outTerminate=s0.outValue}"
}

func TestStructuredAllocatesNothing(t *testing.T) {
	for _, s := range structuredNets {
		p, probes := compile(t, s.text())
		var cy spec.Cycle
		if n := alloc.Least(func() {
			for range 100 {
				cycle(p, &cy)
			}
		}); n != 0 {
			t.Errorf("%s: %d allocations in 100 cycles", s.name, n)
		}
		values := 0
		for _, probe := range probes {
			if probe.Cell.Current(&cy) {
				values++
			}
		}
		if p.Primitives != s.primitives || values < len(probes)/2 {
			t.Errorf("%s: %d primitives, %d values at %d ports", s.name, p.Primitives, values, len(probes))
		}
	}
}

// BenchmarkStructured measures cycles one after another, BenchmarkLiveStructured one per millisecond as in a controller.
func BenchmarkStructured(b *testing.B) {
	for _, s := range structuredNets {
		b.Run(s.name, func(b *testing.B) {
			p, _ := compile(b, s.text())
			var cy spec.Cycle
			b.ReportAllocs()
			for b.Loop() {
				cycle(p, &cy)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Primitives), "ns/primitive")
		})
	}
}

// BenchmarkLiveStructured has products of as many frames as there are primitives beside it, by plain calls of package geom.
func BenchmarkLiveStructured(b *testing.B) {
	for _, s := range structuredNets {
		b.Run(s.name, func(b *testing.B) {
			p, _ := compile(b, s.text())
			l := &live{program: p, reference: productOfFrames(p.Primitives)}
			l.measure(b)
		})
	}
}

func productOfFrames(n int) func() {
	frames := make([]geom.Frame, n)
	for i := range frames {
		frames[i] = geom.Frame{Pos: geom.Vector{X: 1, Y: float64(i)}, Rot: geom.FromABC(float64(i), 1, 2)}
	}
	return func() {
		for i := 2; i < len(frames); i++ {
			frames[i] = frames[i-1].Mul(frames[i-2])
		}
	}
}
