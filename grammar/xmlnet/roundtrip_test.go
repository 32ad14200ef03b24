package xmlnet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
	"github.com/softrobot-rcc/rccd/internal/testkit/trees"
)

// The names are few, so that they meet: nodes with the name of their fragment, of another node, of none.
var (
	names = rapid.SampledFrom([]string{"a", "b", "f", "13", "parent", "Core::Leaf", "Leaf1", "Leaf2", "fragment1", "::", "_"})
	texts = rapid.OneOf(rapid.SampledFrom([]string{"", `\`, `'"<&>`, "\n\t\r\n ", "é…😀", "\x01", "]]>", "&#0;"}), rapid.String())
)

// TestReadsBack writes random nets as XML and reads them.
func TestReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { thereAndBack(t, trees.Of{Names: names, Texts: texts}.Fragment(t, 3)) })
}

// thereAndBack writes a net as XML and reads it; put back in their places, the nodes that have got names make the same
// net.
func thereAndBack(t rapid.TB, root *grammar.Node) {
	t.Helper()
	document, err := xmlnet.Append(nil, root)
	if (err != nil) != unsayable(root, "") {
		t.Fatalf("%s: %v", root, err)
	}
	if err != nil {
		return
	}
	got, err := xmlnet.Parse(string(document), grammar.Limits{})
	if err != nil {
		t.Fatalf("%s\n%v", document, err)
	}
	again, err := xmlnet.Append(nil, got)
	if err != nil {
		t.Fatalf("%s\n%v", document, err)
	}
	if _, err := grammar.ParseNet(got.String(), grammar.Limits{}); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	old := map[string]bool{}
	collect(root, old)
	fold(got, old)
	if diff := cmp.Diff(root.String(), got.String()); diff != "" {
		t.Fatalf("%s\n(-want +got)\n%s", document, diff)
	}
	if again, err := xmlnet.Parse(string(again), grammar.Limits{}); err != nil {
		t.Fatal(err)
	} else if fold(again, old); again.String() != got.String() {
		t.Fatalf("%s: the second time %s", got, again)
	}
}

// unsayable reports whether XML cannot express a net.
func unsayable(n *grammar.Node, within string) bool {
	sources := func(from *grammar.Source, fragment *grammar.Node) bool {
		return from.Inline == nil && from.Name == fragment.Name && fragment.Name != grammar.Parent && fragment.Name != "" &&
			!slices.ContainsFunc(fragment.Nodes, func(n *grammar.Node) bool { return n.Name == from.Name })
	}
	bad := false
	var visit func(n, fragment *grammar.Node)
	visit = func(n, fragment *grammar.Node) {
		for i := range n.Args {
			a := &n.Args[i]
			if !a.Connected() {
				bad = bad || strings.ContainsFunc(a.Value, func(c rune) bool {
					return c < ' ' && !strings.ContainsRune("\t\n\r", c) || c == 0xFFFE || c == 0xFFFF
				})
				continue
			}
			bad = bad || sources(&a.From, fragment)
			if a.From.Inline != nil {
				visit(a.From.Inline, fragment)
			}
		}
		for _, inner := range n.Nodes {
			visit(inner, n)
		}
		for i := range n.Outs {
			bad = bad || sources(&n.Outs[i].From, n)
			if n.Outs[i].From.Inline != nil {
				visit(n.Outs[i].From.Inline, n)
			}
		}
	}
	visit(n, &grammar.Node{Name: within})
	return bad
}

// collect finds the names of nodes, also of those that are only used.
func collect(n *grammar.Node, found map[string]bool) {
	found[n.Name] = true
	source := func(from *grammar.Source) {
		found[from.Name] = true
		if from.Inline != nil {
			collect(from.Inline, found)
		}
	}
	for i := range n.Args {
		source(&n.Args[i].From)
	}
	for _, inner := range n.Nodes {
		collect(inner, found)
	}
	for i := range n.Outs {
		source(&n.Outs[i].From)
	}
}

// fold puts nodes with new names in the places where they are used.
func fold(fragment *grammar.Node, old map[string]bool) {
	fresh := map[string]*grammar.Node{}
	fragment.Nodes = slices.DeleteFunc(fragment.Nodes, func(n *grammar.Node) bool {
		if !old[n.Name] {
			fresh[n.Name] = n
		}
		return !old[n.Name]
	})
	put := func(from *grammar.Source) {
		if n := fresh[from.Name]; n != nil {
			delete(fresh, from.Name) // used once
			n.Name, from.Name, from.Inline = "", "", n
		}
	}
	var args func(n *grammar.Node)
	args = func(n *grammar.Node) {
		for i := range n.Args {
			put(&n.Args[i].From)
			if inner := n.Args[i].From.Inline; inner != nil {
				args(inner)
			}
		}
		if n.Fragment {
			fold(n, old)
		}
	}
	for _, n := range fragment.Nodes {
		args(n)
	}
	for i := range fragment.Outs {
		put(&fragment.Outs[i].From)
		if inner := fragment.Outs[i].From.Inline; inner != nil {
			args(inner)
		}
	}
	if len(fragment.Nodes) == 0 {
		fragment.Nodes = nil
	}
}

// FuzzRead takes what is accepted there and back, in both forms.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"testdata/ok.txtar", "testdata/err.txtar"} {
		for _, text := range inputs(f, file) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := xmlnet.Parse(text, grammar.Limits{})
		if err != nil {
			if root != nil || err.Error() == "" {
				t.Fatalf("%v with %v", root, err)
			}
			return
		}
		if unsayable(root, "") {
			t.Fatalf("%s cannot have been read", root)
		}
		rereads(t, root)
	})
}

// FuzzWrite writes nets as XML that came as text.
func FuzzWrite(f *testing.F) {
	for _, text := range netsOfTheProject(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if root, err := grammar.ParseNet(text, grammar.Limits{}); err == nil {
			thereAndBack(t, root)
		}
	})
}
