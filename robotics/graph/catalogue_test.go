package graph_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

var update = flag.Bool("update", false, "rewrite golden files and the catalogue")

// TestCatalogue: the table of this package is that of the daemon.
func TestCatalogue(t *testing.T) {
	var lines []string
	for _, p := range primitives.All() {
		d := declare(p)
		lines = append(lines, d.Line()+"\n")
	}
	slices.Sort(lines)
	want := strings.Join(lines, "")
	if *update {
		if err := os.WriteFile("catalogue.txt", []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile("catalogue.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("the daemon has another catalogue: go test ./robotics/graph -run TestCatalogue -update")
	}
	for line := range strings.Lines(want) { // what is read is what was written
		name, _, _ := strings.Cut(line, " ")
		if d := graph.Standard().Lookup(name); d == nil || d.Line()+"\n" != line {
			t.Errorf("%s is read as %v", line, d)
		}
	}
}

// declare says what this package has to know of a primitive of the daemon.
func declare(p *spec.Primitive) graph.Declaration {
	d := graph.Declaration{Name: p.Name, Kind: kind(p), Delays: p.Delays()}
	for _, in := range p.In {
		d.In = append(d.In, graph.InPort{Name: in.Name, Type: graph.Type(in.Type), Param: in.Param, Required: in.Required})
	}
	for _, out := range p.Out {
		d.Out = append(d.Out, graph.OutPort{Name: out.Name, Type: graph.Type(out.Type)})
	}
	for _, param := range p.Params {
		d.Params = append(d.Params, graph.Param{
			Name: param.Name, Type: graph.Type(param.Type), Default: param.Default, Required: param.Required,
		})
	}
	return d
}

// kind follows from the phases in which a primitive takes part (§5.3.2): what acts has an effect, what senses looks outside.
func kind(p *spec.Primitive) graph.Kind {
	switch {
	case p.Pure:
		return graph.Pure
	case p.Has(spec.Act):
		return graph.Effect
	case strings.HasSuffix(p.Name, "NetcommIn"): // InterNetcommIn, too
		return graph.Input
	case p.Has(spec.Sense) || slices.Contains(looksOutside, p.Name):
		return graph.Sensor
	}
	return graph.State
}

// looksOutside are primitives that depend on the cycle itself.
var looksOutside = []string{"Cancel", "Takeover", "Core::TimeNet", "Core::TimeWall", "Core::CycleTime"}
