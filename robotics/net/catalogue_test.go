package net_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/devices/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/net"
)

var update = flag.Bool("update", false, "write golden files and the catalogue anew")

// TestCatalogue: the table of this package is that of the daemon.
func TestCatalogue(t *testing.T) {
	var lines []string
	for _, p := range slices.Concat(primitives.All(), testdevice.Primitives()) {
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
		t.Error("the daemon has another catalogue: go test ./robotics/net -run TestCatalogue -update")
	}
	for line := range strings.Lines(want) { // what is read is what was written
		name, _, _ := strings.Cut(line, " ")
		if d := net.Standard().Lookup(name); d == nil || d.Line()+"\n" != line {
			t.Errorf("%s is read as %v", line, d)
		}
	}
}

// declare says what this package has to know of a primitive of the daemon.
func declare(p *spec.Primitive) net.Declaration {
	d := net.Declaration{Name: p.Name, Kind: kind(p), Delays: p.Delays()}
	for _, in := range p.In {
		d.In = append(d.In, net.InPort{Name: in.Name, Type: net.Type(in.Type), Param: in.Param, Required: in.Required})
	}
	for _, out := range p.Out {
		d.Out = append(d.Out, net.OutPort{Name: out.Name, Type: net.Type(out.Type)})
	}
	for _, param := range p.Params {
		d.Params = append(d.Params, net.Param{
			Name: param.Name, Type: net.Type(param.Type), Default: param.Default, Required: param.Required,
		})
	}
	return d
}

// kind follows from the phases in which a primitive takes part (§5.3.2): what acts has an effect, what senses looks outside.
func kind(p *spec.Primitive) net.Kind {
	switch {
	case p.Pure:
		return net.Pure
	case p.Has(spec.Act):
		return net.Effect
	case strings.HasSuffix(p.Name, "NetcommIn"): // InterNetcommIn, too
		return net.Input
	case p.Has(spec.Sense) || slices.Contains(looksOutside, p.Name):
		return net.Sensor
	}
	return net.State
}

// looksOutside are primitives that the cycle itself tells something.
var looksOutside = []string{"Cancel", "Takeover", "Core::TimeNet", "Core::TimeWall", "Core::CycleTime"}
