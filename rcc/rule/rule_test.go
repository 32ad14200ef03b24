package rule

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

func TestTable6_1(t *testing.T) {
	f, i, tr := False, Indeterminate, True
	tests := []struct {
		name string
		op   grammar.Op
		want [3][3]Value
	}{
		{"and", grammar.And, [3][3]Value{{f, f, f}, {f, i, i}, {f, i, tr}}},
		{"or", grammar.Or, [3][3]Value{{f, i, tr}, {i, i, tr}, {tr, tr, tr}}},
	}
	for _, tt := range tests {
		p := mustCompile(t, &grammar.Cond{Op: tt.op, Operands: []*grammar.Cond{variable("a"), variable("b")}})
		for row, a := range order {
			for column, b := range order {
				if got := eval(p, a, b); got != tt.want[row][column] {
					t.Errorf("%v %s %v = %v, want %v", a, tt.name, b, got, tt.want[row][column])
				}
			}
		}
	}
	not := mustCompile(t, &grammar.Cond{Op: grammar.Not, Operands: []*grammar.Cond{variable("a")}})
	for k, want := range [3]Value{tr, i, f} {
		if got := eval(not, order[k]); got != want {
			t.Errorf("not %v = %v, want %v", order[k], got, want)
		}
	}
}

func variable(key string) *grammar.Cond { return &grammar.Cond{Op: grammar.Var, Net: "n", Key: key} }

func mustCompile(t *testing.T, c *grammar.Cond) *Program {
	t.Helper()
	p, err := Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eval evaluates a program over values, the rest of which is indeterminate.
func eval(p *Program, values ...Value) Value { return p.Eval(cells(p, values...)) }

func cells(p *Program, values ...Value) []uint64 {
	words := make([]uint64, Words(p.Cells()))
	for i := range p.Cells() {
		Put(words, i, Indeterminate)
		if i < len(values) {
			Put(words, i, values[i])
		}
	}
	return words
}

func TestTexts(t *testing.T) {
	tests := []struct {
		text   string
		values []Value
		want   Value
	}{
		{"", nil, True},
		{"t", nil, True},
		{"!t", nil, False},
		{"a.x", []Value{True}, True},
		{"a.x", nil, Indeterminate},
		{"a.x & !a.y | b.x", []Value{True, False, Indeterminate}, True},
		{"a.x & !(a.y | b.x)", []Value{True, False, Indeterminate}, Indeterminate},
		{"a.x & (a.x | b.x) & a.x", []Value{True, False}, True},
		{"!!a.x", []Value{False}, False},
	}
	for _, tt := range tests {
		c, err := grammar.ParseCond(tt.text, grammar.DefaultLimits)
		if err != nil {
			t.Fatalf("%q: %v", tt.text, err)
		}
		if got := eval(mustCompile(t, c), tt.values...); got != tt.want {
			t.Errorf("%q with %v = %v, want %v", tt.text, tt.values, got, tt.want)
		}
	}
}

func TestVariables(t *testing.T) {
	c, err := grammar.ParseCond("b.x | a.y & b.x", grammar.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{{"b", "x"}, {"a", "y"}}
	if diff := cmp.Diff(want, mustCompile(t, c).Variables()); diff != "" {
		t.Error(diff)
	}
}

func TestBadTrees(t *testing.T) {
	for _, c := range []*grammar.Cond{
		{Op: grammar.Not},
		{Op: grammar.And},
		{Op: grammar.True, Operands: []*grammar.Cond{variable("a")}},
		{Op: grammar.Or + 1},
		{Op: grammar.Not, Operands: []*grammar.Cond{{Op: grammar.Or}}},
	} {
		if _, err := Compile(c); err == nil {
			t.Errorf("%+v was compiled", c)
		}
	}
}

// TestTooManyCells refuses conditions whose words cannot be counted, and nothing shorter.
func TestTooManyCells(t *testing.T) {
	if testing.Short() {
		t.Skip("skip: short: conditions of two million operands take seconds")
	}
	either := &grammar.Cond{Op: grammar.Or, Operands: []*grammar.Cond{variable("a"), variable("b")}}
	longest := &grammar.Cond{Op: grammar.And, Operands: slices.Repeat([]*grammar.Cond{either}, mostCells-3)} // a, b, and the result
	if p, err := Compile(longest); err != nil || p.Cells() != mostCells {
		t.Errorf("a condition of %d cells: %v", mostCells, err)
	}
	longer := &grammar.Cond{Op: grammar.And, Operands: append(longest.Operands, either)}
	if _, err := Compile(longer); err == nil {
		t.Error("a condition of one cell more was compiled")
	}
}

func TestWords(t *testing.T) {
	for values, want := range map[int]int{0: 0, 1: 2, 64: 2, 65: 4, 128: 4, 129: 6} {
		if got := Words(values); got != want {
			t.Errorf("%d values take %d words, not %d", values, got, want)
		}
	}
}

// Programs say what a walk over the tree says.
func TestAgainstWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := tree(t, 5)
		values := map[string]Value{}
		for _, key := range keys {
			values[key] = rapid.SampledFrom(order).Draw(t, key)
		}
		p, err := Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		var args []Value
		for _, v := range p.Variables() {
			args = append(args, values[v.Key])
		}
		if got, want := eval(p, args...), walk(c, values); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// keys are of more variables than a word has values.
var keys = func() (list []string) {
	for i := range 100 {
		list = append(list, fmt.Sprint("v", i))
	}
	return list
}()

func tree(t *rapid.T, depth int) *grammar.Cond {
	most := grammar.Or
	if depth == 0 {
		most = grammar.Var
	}
	c := &grammar.Cond{Op: grammar.Op(rapid.IntRange(0, int(most)).Draw(t, "op"))}
	operands := 0
	switch c.Op {
	case grammar.Var:
		c.Net, c.Key = "n", rapid.SampledFrom(keys).Draw(t, "key")
	case grammar.Not:
		operands = 1
	case grammar.And, grammar.Or:
		operands = rapid.IntRange(2, 6).Draw(t, "operands")
	}
	for range operands {
		c.Operands = append(c.Operands, tree(t, depth-1))
	}
	return c
}

// order is that of table 6.1: and is the least operand, or the greatest, and not the one at the other end.
var order = []Value{False, Indeterminate, True}

func walk(c *grammar.Cond, values map[string]Value) Value {
	switch c.Op {
	case grammar.True:
		return True
	case grammar.Var:
		return values[c.Key]
	}
	var ranks []int
	for _, o := range c.Operands {
		ranks = append(ranks, slices.Index(order, walk(o, values)))
	}
	switch c.Op {
	case grammar.Not:
		return order[len(order)-1-ranks[0]]
	case grammar.And:
		return order[slices.Min(ranks)]
	default:
		return order[slices.Max(ranks)]
	}
}

// BenchmarkEval measures conditions of eight variables, compiled and as a walk over the tree.
func BenchmarkEval(b *testing.B) {
	for _, text := range []string{
		"n.a & n.b & n.c & n.d & n.e & n.f & n.g & n.h",
		"(n.a | !n.b) & (n.c | !(n.d & n.e)) & !(n.f & !n.g | n.h)",
	} {
		c, err := grammar.ParseCond(text, grammar.DefaultLimits)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Compile(c)
		if err != nil {
			b.Fatal(err)
		}
		named := map[string]Value{}
		values := cells(p)
		for i, v := range p.Variables() {
			named[v.Key] = order[i%len(order)]
			Put(values, i, named[v.Key])
		}
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				p.Eval(values)
			}
		})
		b.Run(text+"/walk", func(b *testing.B) {
			for b.Loop() {
				walk(c, named)
			}
		})
	}
}

func TestEvalAllocatesNothing(t *testing.T) {
	c, err := grammar.ParseCond("a.x & (!b.y | c.z & t) | !(a.x | b.y)", grammar.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	p := mustCompile(t, c)
	values := cells(p, True, Indeterminate, False)
	if n := alloc.Least(func() { p.Eval(values) }); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

// If some values make a condition true, Any in their place may become true.
func TestWhatMayBecomeTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var names []string
		for i := range rapid.IntRange(1, 6).Draw(t, "variables") {
			names = append(names, fmt.Sprint("v", i))
		}
		used := map[string]int{}
		var tree func(depth int, once bool) *grammar.Cond
		tree = func(depth int, once bool) *grammar.Cond {
			switch k := rapid.IntRange(0, 4).Draw(t, "operator"); {
			case depth == 0 || k == 0:
				name := rapid.SampledFrom(names).Draw(t, "variable")
				if used[name]++; once && used[name] > 1 {
					return &grammar.Cond{Op: grammar.True}
				}
				return variable(name)
			case k == 1:
				return &grammar.Cond{Op: grammar.Not, Operands: []*grammar.Cond{tree(depth-1, once)}}
			case k == 2:
				return &grammar.Cond{Op: grammar.And, Operands: []*grammar.Cond{tree(depth-1, once), tree(depth-1, once)}}
			default:
				return &grammar.Cond{Op: grammar.Or, Operands: []*grammar.Cond{tree(depth-1, once), tree(depth-1, once)}}
			}
		}
		once := rapid.Bool().Draw(t, "each variable once")
		p, err := Compile(tree(4, once))
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.Variables())
		now, open := make([]Value, n), make([]int, 0, n)
		for i := range now {
			now[i] = rapid.SampledFrom([]Value{False, Indeterminate, True, Any}).Draw(t, "value")
			if now[i] == Any {
				open = append(open, i)
			}
		}
		got, want := eval(p, now...).MayBeTrue(), false
		for choice := range 1 << len(open) {
			for bit, i := range open {
				now[i] = Of(choice>>bit&1 != 0)
			}
			want = want || eval(p, now...) == True
		}
		if got != want && (once || want) {
			t.Errorf("it may be true: %v, there are such values: %v", got, want)
		}
		if all := len(open) == n; all && p.Satisfiable() != want {
			t.Errorf("it is satisfiable: %v, there are such values: %v", !want, want)
		}
	})
}

// A contradiction in one of the first variables is found in a condition of any length, as in a short one; those in others are
// only looked for as long as that takes no time to speak of.
func TestSatisfiableInBoundedTime(t *testing.T) {
	long := ""
	for i := range 1000 {
		long += fmt.Sprintf("(n.a%d | !n.b%d) & ", i, i)
	}
	for text, want := range map[string]bool{
		"n.x & !n.x":                   false,
		"n.x & !n.x & " + long + "n.y": false,
		long[:6*len("(n.a0 | !n.b0) & ")] + "n.x & !n.x & " + long + "n.y": true,
		long[:10*len("(n.a0 | !n.b0) & ")] + "n.y":                         true,
	} {
		c, err := grammar.ParseCond(text, grammar.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Satisfiable(); got != want {
			t.Errorf("%.20s… of %d bytes: %v", text, len(text), got)
		}
	}
}
