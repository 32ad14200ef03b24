package grammar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/testkit/trees"
)

var ignorePos = cmpopts.IgnoreTypes(grammar.Pos{})

var (
	netNames = rapid.OneOf(rapid.SampledFrom([]string{"13", "a", "parent", "Core::X", "::", "_", "t"}),
		rapid.StringMatching(`[A-Za-z0-9:_]{1,5}`))
	texts = rapid.OneOf(rapid.SampledFrom([]string{"", `\`, `'`, `"`, `\'\`, "\n\t", "é…😀", `[2.0]`}), rapid.String())
)

func TestNetReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := trees.Of{Names: netNames, Texts: texts}.Fragment(t, 3)
		text := want.String()
		got, err := grammar.ParseNet(text, grammar.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, ignorePos); diff != "" {
			t.Fatalf("%s: (-want +got)\n%s", text, diff)
		}
		if again := string(got.AppendText([]byte("net "))); again != "net "+text {
			t.Fatalf("%s: printed again %s", text, again)
		}
	})
}

func TestStatementReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &grammar.Statement{Tag: identifiers.Draw(t, "tag"), Command: identifiers.Draw(t, "command")}
		want.Params = drawParams(t, 3)
		text := want.String()
		got, err := grammar.ParseStatement(text, grammar.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: (-want +got)\n%s", text, diff)
		}
	})
}

var (
	identifiers = rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,4}`)
	integers    = rapid.StringMatching(`[+-]?[0-9]{1,4}`)
	floats      = rapid.StringMatching(`[+-]?([0-9]{0,3}\.[0-9]{1,3}|[0-9]{1,3}[eE][+-]?[0-9]{1,2})`)
)

func drawParams(t *rapid.T, depth int) []grammar.Param {
	var params []grammar.Param
	for range rapid.IntRange(0, 3).Draw(t, "params") {
		params = append(params, drawParam(t, depth))
	}
	return params
}

func drawParam(t *rapid.T, depth int) grammar.Param {
	kinds := []grammar.ParamKind{grammar.String, grammar.Int, grammar.Float, grammar.List, grammar.Map}
	if depth == 0 {
		kinds = kinds[:3]
	}
	p := grammar.Param{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch p.Kind {
	case grammar.String:
		p.Text = texts.Draw(t, "string")
	case grammar.Int:
		p.Text = integers.Draw(t, "int")
	case grammar.Float:
		p.Text = floats.Draw(t, "float")
	case grammar.List:
		p.Items = drawParams(t, depth-1)
	case grammar.Map:
		p.Items = drawParams(t, depth-1)
		for range p.Items {
			p.Keys = append(p.Keys, rapid.OneOf(identifiers, texts).Draw(t, "key"))
		}
	}
	return p
}

// The parsers of existing clients must be able to read the text, so its form matters to the letter.
func TestStatementText(t *testing.T) {
	st := grammar.Statement{Tag: "c1", Command: "da", Params: []grammar.Param{
		grammar.Str(`say "hi" \`),
		grammar.Strs(),
		grammar.Strs("rpinet0", ""),
		grammar.MapOf([]string{"arm_1", "left arm", "2nd", ""}, []grammar.Param{
			grammar.MapOf(nil, nil), grammar.Str("a"), grammar.Str("b"), grammar.Strs("c"),
		}),
		{Kind: grammar.Int, Text: "7"},
		{Kind: grammar.Float, Text: "0.5"},
	}}
	want := `c1=da("say \"hi\" \\",[],["rpinet0",""],{arm_1:{},"left arm":"a","2nd":"b","":["c"]},7,0.5)`
	if got := st.String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := (&grammar.Statement{Tag: "c2", Command: "ok"}).String(); got != "c2=ok()" {
		t.Errorf("got %s", got)
	}
}

func TestNodeText(t *testing.T) {
	root, err := grammar.ParseNet(" { a = X , b = Y ( in = { } ( P = 'v' ) . o , in2[ .5 ] = a . o ) , o = b . o } ",
		grammar.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		node *grammar.Node
		want string
	}{
		{root, "{a=X(),b=Y(in={}(P='v').o,in2[.5]=a.o),o=b.o}"},
		{root.Nodes[0], "a=X()"},
		{root.Nodes[1].Args[0].From.Inline, "{}(P='v')"},
	}
	for _, tt := range tests {
		if got := tt.node.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestCondReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawCond(t, 4, grammar.True)
		text := want.String()
		got, err := grammar.ParseCond(text, grammar.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, ignorePos); diff != "" {
			t.Fatalf("%s: (-want +got)\n%s", text, diff)
		}
	})
}

// drawCond avoids the operator that it is in, as conditions are flat.
func drawCond(t *rapid.T, depth int, within grammar.Op) *grammar.Cond {
	ops := []grammar.Op{grammar.True, grammar.Var, grammar.Not, grammar.And, grammar.Or}
	if depth == 0 {
		ops = ops[:2]
	}
	c := &grammar.Cond{Op: rapid.SampledFrom(ops).Draw(t, "op")}
	if c.Op == within {
		c.Op = grammar.Var
	}
	operands := 0
	switch c.Op {
	case grammar.True:
	case grammar.Var:
		c.Net, c.Key = netNames.Draw(t, "net"), netNames.Draw(t, "key")
	case grammar.Not:
		operands = 1
	case grammar.And, grammar.Or:
		operands = rapid.IntRange(2, 3).Draw(t, "operands")
	}
	for range operands {
		c.Operands = append(c.Operands, drawCond(t, depth-1, c.Op))
	}
	return c
}

func TestCondText(t *testing.T) {
	tests := map[string]string{
		"":                       "t",
		"( ( t ) )":              "t",
		"a.x & ( b.y & c.z )":    "a.x&b.y&c.z",
		"(a.x & b.y) | c.z":      "a.x&b.y|c.z",
		"a.x & (b.y | c.z)":      "a.x&(b.y|c.z)",
		"! (a.x | ! (b.y & t))":  "!(a.x|!(b.y&t))",
		"!(!(a.x))":              "!!a.x",
		"t.out & 13.Core::out:1": "t.out&13.Core::out:1",
	}
	for text, want := range tests {
		c, err := grammar.ParseCond(text, grammar.Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := c.String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
