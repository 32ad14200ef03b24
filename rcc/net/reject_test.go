package net_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

var update = flag.Bool("update", false, "write what the compiler says into the golden file")

// TestRejected checks every problem of the nets in testdata/rejected.txt: a line per net, below it a line per problem.
func TestRejected(t *testing.T) {
	const name = "testdata/rejected.txt"
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	opt := options(t)
	var got strings.Builder
	lines := bufio.NewScanner(strings.NewReader(string(want)))
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "\t") {
			continue
		}
		fmt.Fprintln(&got, line)
		if strings.HasPrefix(line, "{") {
			for _, p := range reject(t, parse(t, line), opt).Problems {
				fmt.Fprintf(&got, "\t%d %v\n", p.Minor, p)
			}
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("(-expected +reported):\n%s", diff)
	}
}

// TestWarned: a value of another type ends no net, keeps none from running, and is not passed over in silence.
func TestWarned(t *testing.T) {
	for _, tt := range []struct {
		text     string
		warnings []string
		ends     bool
		failure  int32
	}{
		{"{a=Core::IntValue(),outTerminate=a.outValue}", []string{
			"outTerminate: type differs: int from a.outValue to bool; the port counts as open, the net does not end by it",
		}, false, 0},
		{"{a=Core::BooleanValue(Value='true'),outTerminate=a.outValue,outFail=a.outValue}", []string{
			"outFail: type differs: bool from a.outValue to int; the port counts as open, the net does not fail by it",
		}, true, 0},
		{"{f={a=Core::DoubleValue(),outX=a.outValue}(),outTerminate=f.outX,outFail=f.outX}", []string{
			"outTerminate: type differs: double from f.a.outValue to bool; the port counts as open, the net does not end by it",
			"outFail: type differs: double from f.a.outValue to int; the port counts as open, the net does not fail by it",
		}, false, 0},
		{"{a=Core::BooleanValue(Value='true'),outTerminate=a.outValue,outFail=Core::IntValue(Value='3').outValue}", nil, true, 3},
	} {
		p, _ := compile(t, tt.text)
		var warnings []string
		for _, w := range p.Warnings {
			warnings = append(warnings, w.String())
		}
		if diff := cmp.Diff(tt.warnings, warnings); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
		cy := new(spec.Cycle)
		cycle(p, cy)
		if ends, failure := p.Terminates(cy); ends != tt.ends || failure != tt.failure {
			t.Errorf("%s: ends %v, failure %d", tt.text, ends, failure)
		}
	}
}

func reject(t *testing.T, tree *grammar.Node, opt net.Options) *net.Rejection {
	t.Helper()
	p, err := net.Compile(tree, opt)
	var r *net.Rejection
	if !errors.As(err, &r) || p != nil {
		t.Fatalf("%s is not rejected: %v", tree, err)
	}
	return r
}

// TestRejectedTrees has what only other front ends than the text form can ask for.
func TestRejectedTrees(t *testing.T) {
	never := grammar.Source{Inline: &grammar.Node{Type: "Core::BooleanValue"}, Port: "outValue"}
	end := []grammar.Out{{Name: "outTerminate", From: never}}
	deep := &grammar.Node{Fragment: true, Outs: end}
	for range 1001 {
		deep = &grammar.Node{Fragment: true, Outs: end, Nodes: []*grammar.Node{deep}}
	}
	guarded := &grammar.Node{Fragment: true, Outs: end}
	for range 101 {
		guarded.Args = []grammar.Arg{{Name: "inActive", From: grammar.Source{Inline: &grammar.Node{Type: "Core::BooleanValue"}, Port: "outValue"}}}
		guarded = &grammar.Node{Fragment: true, Outs: end, Nodes: []*grammar.Node{guarded}}
	}
	wide := &grammar.Node{Fragment: true, Outs: end}
	for i := range 100_000 {
		wide.Nodes = append(wide.Nodes, &grammar.Node{Name: fmt.Sprint(i), Type: "Core::BooleanValue"})
	}
	wrong := &grammar.Node{Fragment: true, Outs: end}
	for i := range 150 {
		wrong.Nodes = append(wrong.Nodes, &grammar.Node{Name: fmt.Sprint(i), Type: "Core::BooleanValues"})
	}
	tests := []struct {
		name string
		tree *grammar.Node
		n    int
		last string
	}{
		{"root in port", &grammar.Node{Fragment: true, Outs: end, Args: []grammar.Arg{{Name: "inA", From: never}}}, 1, "inA: the root fragment must not have in ports"},
		{"deep", deep, 1, "nested deeper than 1000"},
		{"guarded", guarded, 1, strings.Repeat(".", 100) + ": inActive: guards are nested deeper than 100"},
		{"wide", wide, 1, "more than 100000 primitives and fragments"},
		{"all wrong", wrong, 101, "and 50 more problems"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			problems := reject(t, test.tree, options(t)).Problems
			if last := problems[len(problems)-1].String(); len(problems) != test.n || last != test.last {
				t.Errorf("%d problems, the last one %q", len(problems), last)
			}
		})
	}
}

// TestHostile compiles what takes long if anything is done for each pair.
func TestHostile(t *testing.T) {
	const n = 20_000
	passing := strings.Builder{} // a value handed on by fragment after fragment
	for i := range n {
		from := "a.outValue"
		if i > 0 {
			from = fmt.Sprintf("f%d.outOn", i-1)
		}
		fmt.Fprintf(&passing, "f%d={outOn=parent.inOn}(inOn=%s),b%d=Core::BooleanNot(inValue=f%d.outOn),", i, from, i, n-1)
	}
	ring := strings.Builder{}
	for i := range n {
		fmt.Fprintf(&ring, "r%d=Core::BooleanNot(inValue=r%d.outValue),", i, (i+1)%n)
	}
	guards := strings.Builder{} // a guard of its own for each primitive, each of which guards the next
	for i := range n {
		fmt.Fprintf(&guards, "g%d=Core::BooleanNot(inActive=g%d.outValue),", i+1, i)
	}
	end := "a=Core::BooleanValue(),outTerminate=a.outValue}"
	compile(t, "{"+passing.String()+end)
	compile(t, "{g0=Core::BooleanValue(),"+guards.String()+end)
	if p := reject(t, parse(t, "{"+ring.String()+end), options(t)).Problems; len(p) != 1 || !strings.HasSuffix(p[0].Text, "… (20000 in all)") {
		t.Errorf("problems %v", p)
	}
}
