package primitives_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// ofDevices are the families whose primitives come with devices, not with this package.
var ofDevices = []string{"GNSS"}

// TestReference: every type that clients know is there, with the ports, parameters and defaults that they know.
func TestReference(t *testing.T) {
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for name, known := range reference(t) {
		switch p := catalogue.Lookup(name); {
		case p != nil && describe(p) != known:
			t.Errorf("clients know  %s\nthere is here %s", known, describe(p))
		case p == nil && !slices.Contains(ofDevices, family(name)):
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("%d types are missing: %s", len(missing), strings.Join(missing, " "))
	}
}

// family returns the name before the first colon: there is a type that has but one.
func family(name string) string {
	family, _, _ := strings.Cut(name, ":")
	return family
}

// reference reads the types that clients know, by name.
func reference(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, _, _ := strings.Cut(line, " "); name != "#" {
			types[name] = line
		}
	}
	if len(types) < 305 {
		t.Fatalf("the reference has %d types", len(types))
	}
	return types
}

// describe returns the line of a primitive in the reference.
func describe(p *spec.Primitive) string {
	ports := func(of []spec.Port) (list []string) {
		for _, port := range of {
			list = append(list, fmt.Sprintf("%s:%s", port.Name, port.Type))
		}
		return list
	}
	var params []string
	for _, param := range p.Params {
		rest := "!"
		if !param.Required {
			rest = "=" + param.Default
		}
		params = append(params, fmt.Sprintf("%s:%s%s", param.Name, param.Type, rest))
	}
	line := p.Name
	for _, part := range []struct {
		title string
		list  []string
	}{{"in", ports(p.In)}, {"out", ports(p.Out)}, {"param", params}} {
		if len(part.list) > 0 {
			slices.Sort(part.list)
			line += " | " + part.title + " " + strings.Join(part.list, " ")
		}
	}
	return line
}
