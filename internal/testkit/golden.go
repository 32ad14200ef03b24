package testkit

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Golden compares names, types and defaults with a file that holds what clients know. The port inActive, which every
// primitive has, is not in it.
func (k Kit) Golden(t *testing.T, path string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range slices.SortedFunc(slices.Values(k.Primitives), func(a, b *spec.Primitive) int { return strings.Compare(a.Name, b.Name) }) {
		got.WriteString(render(p))
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("clients know other names, types or defaults (-known +declared):\n%s", diff)
	}
}

func render(p *spec.Primitive) string {
	var lines []string
	for _, port := range p.In {
		lines = append(lines, fmt.Sprintf("\tin %s %s\n", port.Name, port.Type))
	}
	for _, port := range p.Out {
		lines = append(lines, fmt.Sprintf("\tout %s %s\n", port.Name, port.Type))
	}
	for _, param := range p.Params {
		def := "= " + param.Default
		if param.Required {
			def = "required"
		}
		lines = append(lines, fmt.Sprintf("\tparam %s %s %s\n", param.Name, param.Type, def))
	}
	slices.Sort(lines)
	return p.Name + "\n" + strings.Join(lines, "")
}

// Documented checks that every primitive, port and parameter has its line of documentation, and that there is an example
// that works.
func (k Kit) Documented(t *testing.T) {
	t.Helper()
	for _, p := range k.Primitives {
		docs := map[string]string{"the primitive": p.Doc}
		for _, port := range slices.Concat(p.In, p.Out) {
			docs["port "+port.Name] = port.Doc
		}
		for _, param := range p.Params {
			docs["parameter "+param.Name] = param.Doc
		}
		for what, doc := range docs {
			if doc == "" || strings.HasSuffix(doc, ".") || strings.Contains(doc, "\n") {
				t.Errorf("%s: %s: %q is not a line of documentation", p.Name, what, doc)
			}
		}
		if p.Extension == "" {
			t.Errorf("%s belongs to no extension", p.Name)
		}
		if !slices.ContainsFunc(p.Examples, func(e spec.Example) bool { return e.Reject == "" }) {
			t.Errorf("%s has no example that works", p.Name)
		}
	}
}
