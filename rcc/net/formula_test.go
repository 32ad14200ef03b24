package net_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

func TestFormulas(t *testing.T) {
	const of = `{
		a=Core::BooleanNetcommIn(Key='a'),b=Core::BooleanNetcommIn(Key='b'),x=Core::DoubleNetcommIn(Key='x'),yes=Core::BooleanValue(Value='true'),
		both=Core::BooleanAnd(inFirst=either.outValue,inSecond=Core::BooleanNot(inValue=b.outValue).outValue),
		either=Core::BooleanOr(inFirst=a.outValue,inSecond=yes.outValue),
		outBoth=both.outValue,
		shared=Core::DoubleAdd(inFirst=x.outValue,inSecond=x.outValue),
		square=Core::DoubleMultiply(inFirst=shared.outValue,inSecond=shared.outValue),
		minus=Core::DoublePower(inFirst=Core::DoubleValue(Value='-2').outValue,Second='2'),
		group=Core::DoubleMultiply(inFirst=Core::DoubleAdd(inFirst=x.outValue,Second='+1').outValue,inSecond=Core::DoubleDivide(inFirst=x.outValue,inSecond=square.outValue).outValue),
		near=Core::DoubleEquals(inFirst=x.outValue,Second='1e9',Epsilon='0.5'),
		given=Core::DoubleAdd(inFirst=x.outValue,First='7',inSecond=minus.outValue),
		kept=Core::BooleanAnd(inFirst=Core::BooleanOr(inFirst=a.outValue,inActive=b.outValue).outValue,inActive=a.outValue),
		part={
			chosen=Core::DoubleConditional(inCondition=parent.inA,inTrue=Core::DoubleSquareRoot(inValue=parent.inX).outValue,inFalse=Core::DoublePre(inValue=parent.inX).outValue),
			outChosen=chosen.outValue
		}(inA=a.outValue,inX=x.outValue),
		outTerminate=near.outValue
	}`
	s, err := net.Describe(parse(t, of), options(t))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"both":         "(a.outValue || true) && !b.outValue",
		"shared":       "x.outValue + x.outValue",
		"group":        "(x.outValue + 1) * (x.outValue / (shared.outValue * shared.outValue))",
		"near":         "x.outValue == 1e+09 ± 0.5",
		"given":        "(x.outValue ?? 7) + (-2) ^ 2",
		"kept":         "kept.inFirst.outValue && true",
		"kept.inFirst": "a.outValue || false",
		"part.chosen":  "inA ? sqrt(inX) : chosen.inFalse.outValue",
	}
	for _, n := range s.Nodes {
		var got string
		if n.Formula != nil {
			got = n.Formula.Text
		}
		if got != want[n.Path] {
			t.Errorf("%s: got %q, want %q", n.Path, got, want[n.Path])
		}
	}
}

// TestFormulasBounded keeps formulas short, and takes in every operator but once.
func TestFormulasBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("{x=Core::DoubleNetcommIn(Key='x'),n0=Core::DoubleAdd(inFirst=x.outValue,Second='1')")
	const all = 1000
	for i := 1; i < all; i++ {
		text.WriteString(",n" + strconv.Itoa(i) + "=Core::DoubleAdd(inFirst=n" + strconv.Itoa(i-1) + ".outValue,Second='1')")
	}
	text.WriteString(",outSum=n999.outValue,outTerminate=Core::BooleanValue().outValue}")
	s, err := net.Describe(parse(t, text.String()), options(t))
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, n := range s.Nodes {
		if n.Formula == nil {
			continue
		}
		if got := strings.Count(n.Formula.Text, "+"); got > 12 || got != len(n.Formula.Parts)+1 {
			t.Errorf("%s has %d operators and %d parts: %s", n.Path, got, len(n.Formula.Parts), n.Formula.Text)
		}
		taken += 1 + len(n.Formula.Parts)
	}
	if taken != all {
		t.Errorf("%d operators stand in formulas, want %d", taken, all)
	}
}

// TestFormulasByTheirText reads the formulas of random nets again and reckons with them cycle by cycle: as the primitives do.
func TestFormulasByTheirText(t *testing.T) {
	for name, made := range map[string]func(t *rapid.T) string{
		"nets":  func(t *rapid.T) string { return makeNet(t).String() },
		"trees": makeTrees,
	} {
		t.Run(name, func(t *testing.T) {
			opt := options(t)
			compared := 0
			rapid.Check(t, func(t *rapid.T) { compared += reckonNet(t, made(t), opt) })
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// reckonNet returns how many values were compared.
func reckonNet(t *rapid.T, text string, opt net.Options) (compared int) {
	tree := parse(t, text)
	p, probes, err := net.CompileProbed(tree, opt)
	if rejection := (*net.Rejection)(nil); errors.As(err, &rejection) {
		return 0 // a cycle
	} else if err != nil {
		t.Fatal(err)
	}
	s, err := net.Describe(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := reckoner{t: t, s: s, cells: map[string]spec.Cell{}, links: map[net.End]net.Link{}, types: map[net.End]value.Type{}}
	for _, probe := range probes {
		r.cells[probe.Path] = probe.Cell
	}
	for _, l := range s.Links {
		r.links[l.To], r.types[l.From] = l, l.Type
	}
	for range 6 {
		cycle(p, &r.cy)
		for i := range s.Nodes {
			compared += r.compare(&s.Nodes[i], text)
		}
	}
	return compared
}

// makeTrees makes trees of operators over values that change and are null now and then.
func makeTrees(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(`{now=Test::Clock(Increment='1'),odd=Core::DoubleGreater(inFirst=Core::DoubleModulo(inFirst=now.outValue,Second='3').outValue,Second='1'),` +
		`b=Core::BooleanSetNull(inValue=odd.outValue,inNull=Core::DoubleEquals(inFirst=now.outValue,Second='3').outValue),` +
		`i=Core::IntSetNull(inValue=Core::IntFromDouble(inValue=now.outValue).outValue,inNull=odd.outValue),d=Core::DoubleSetNull(inValue=now.outValue,inNull=odd.outValue)`)
	for i := range 3 {
		b.WriteString(",tree" + strconv.Itoa(i) + "=" + strings.TrimSuffix(makeTree(t, "BID"[i], 4), ".outValue"))
	}
	b.WriteString(",outTerminate=Core::BooleanValue().outValue}")
	return b.String()
}

func makeTree(t *rapid.T, of byte, depth int) string {
	operators := map[byte][]string{
		'B': {"BooleanAnd BB", "BooleanOr BB", "BooleanNot B", "DoubleGreater DD", "IntGreater II", "IntEquals II", "BooleanConditional BBB"},
		'I': {"IntAdd II", "IntMultiply II", "IntAdd II", "IntConditional BII"},
		'D': {"DoubleAdd DD", "DoubleMultiply DD", "DoubleDivide DD", "DoubleConditional BDD"},
	}[of]
	name, types, _ := strings.Cut(rapid.SampledFrom(operators).Draw(t, "operator"), " ")
	ports := map[int][]string{1: {"inValue"}, 2: {"inFirst", "inSecond"}, 3: {"inCondition", "inTrue", "inFalse"}}[len(types)]
	var args []string
	for k := range len(types) {
		from := strings.ToLower(types[k:k+1]) + ".outValue"
		switch what := rapid.IntRange(0, 5).Draw(t, "operand"); {
		case what == 0 && ports[k] != "inCondition":
			args = append(args, ports[k][2:]+"='"+rapid.SampledFrom(samples[types[k]]).Draw(t, "value")+"'")
			if rapid.Bool().Draw(t, "open") {
				continue // the parameter is all there is; otherwise it stands in for null
			}
		case what > 1 && depth > 0:
			from = makeTree(t, types[k], depth-1)
		}
		args = append(args, ports[k]+"="+from)
	}
	return "Core::" + name + "(" + strings.Join(args, ",") + ").outValue"
}

// reckoner evaluates formulas with the values of a cycle.
type reckoner struct {
	t     *rapid.T
	s     *net.Structure
	cells map[string]spec.Cell
	links map[net.End]net.Link
	types map[net.End]value.Type
	cy    spec.Cycle
}

// compare returns how many formulas it has compared.
func (r *reckoner) compare(n *net.Node, text string) int {
	if n.Formula == nil {
		return 0
	}
	for _, g := range n.Guards {
		if g.Node < 0 || r.valueOf(g) != true {
			return 0 // not executed
		}
	}
	p := &formulaParser{words: words(n.Formula.Text)}
	tree := p.choice()
	if len(p.words) > 0 {
		r.t.Fatalf("%s: %q is not read after %q", n.Path, p.words, n.Formula.Text)
	}
	terms := map[string]net.End{}
	for _, end := range n.Formula.Terms {
		terms[r.name(n.Parent, end)] = end
	}
	of := n.Out[0].Type
	if !r.known(tree, terms, of) {
		return 0
	}
	if got, want := r.value(tree, terms, of), current(r.cells[n.Path], &r.cy); !same(got, want) {
		r.t.Fatalf("%s\ncycle %d: %s = %s is %v, want %v", text, r.cy.N, n.Path, n.Formula.Text, got, want)
	}
	return 1
}

func (r *reckoner) name(parent int, end net.End) string {
	if end.Node == parent {
		return end.Port
	}
	path := r.s.Nodes[end.Node].Path
	if around := r.s.Nodes[parent].Path; around != "" {
		path = strings.TrimPrefix(path, around+".")
	}
	return path + "." + end.Port
}

// valueOf follows an end to the primitive whose value it has.
func (r *reckoner) valueOf(end net.End) any {
	for r.s.Nodes[end.Node].Fragment {
		l, connected := r.links[end]
		if !connected {
			return nil
		}
		end = l.From
	}
	return current(r.cells[r.s.Nodes[end.Node].Path], &r.cy)
}

// formula is what is read of a text.
type formula struct {
	op   string // empty for a name or a number
	text string
	args []*formula
}

func words(text string) (list []string) {
	for _, s := range []string{"(", ")", ",", "!"} {
		text = strings.ReplaceAll(text, s, " "+s+" ")
	}
	return strings.Fields(text)
}

type formulaParser struct{ words []string }

func (p *formulaParser) take(any ...string) string {
	if len(p.words) == 0 || !slices.Contains(any, p.words[0]) {
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

func (p *formulaParser) choice() *formula {
	left := p.infix(0)
	if p.take("?") == "" {
		return left
	}
	yes := p.infix(0)
	p.take(":")
	return &formula{op: "?", args: []*formula{left, yes, p.infix(0)}}
}

var levels = [][]string{{"??"}, {"||"}, {"&&"}, {">", "=="}, {"+"}, {"*", "/", "%"}, {"^"}}

func (p *formulaParser) infix(level int) *formula {
	if level == len(levels) {
		return p.prefix()
	}
	left := p.infix(level + 1)
	for {
		op := p.take(levels[level]...)
		if op == "" {
			return left
		}
		left = &formula{op: op, args: []*formula{left, p.infix(level + 1)}}
	}
}

func (p *formulaParser) prefix() *formula {
	switch {
	case p.take("!") != "":
		return &formula{op: "!", args: []*formula{p.prefix()}}
	case p.take("(") != "":
		inner := p.choice()
		p.take(")")
		return inner
	}
	f := &formula{text: p.words[0]}
	p.words = p.words[1:]
	if p.take("(") != "" {
		f.op = f.text
		for f.args = append(f.args, p.choice()); p.take(",") != ""; {
			f.args = append(f.args, p.choice())
		}
		p.take(")")
	}
	return f
}

// typeOf is the type of a formula, empty for numbers that may be of either.
func (r *reckoner) typeOf(f *formula, terms map[string]net.End) value.Type {
	switch f.op {
	case "":
		if end, ok := terms[f.text]; ok {
			return r.types[end]
		}
		if f.text == "true" || f.text == "false" {
			return "bool"
		}
		return ""
	case ">", "==", "&&", "||", "!", "isNull":
		return "bool"
	case "int":
		return "int"
	}
	for _, a := range f.args[len(f.args)-min(2, len(f.args)):] {
		if of := r.typeOf(a, terms); of != "" {
			return of
		}
	}
	return ""
}

// known reports whether the text says of what type everything in it is: 2147483647 + 1 > 0 may be an int or a double.
func (r *reckoner) known(f *formula, terms map[string]net.End, of value.Type) bool {
	if f.op == "" {
		return of != ""
	}
	for i, a := range f.args {
		if !r.known(a, terms, r.operandType(f, i, terms, of)) {
			return false
		}
	}
	return true
}

func (r *reckoner) operandType(f *formula, i int, terms map[string]net.End, of value.Type) value.Type {
	switch f.op {
	case ">", "==":
		if left := r.typeOf(f.args[0], terms); left != "" {
			return left
		}
		return r.typeOf(f.args[1], terms)
	case "isNull":
		return r.typeOf(f.args[0], terms)
	case "int":
		return "double"
	case "?":
		if i == 0 {
			return "bool"
		}
	}
	return of
}

func (r *reckoner) value(f *formula, terms map[string]net.End, of value.Type) any {
	if f.op == "" {
		return r.leaf(f.text, terms, of)
	}
	args := make([]any, len(f.args))
	for i, a := range f.args {
		args[i] = r.value(a, terms, r.operandType(f, i, terms, of))
	}
	switch f.op {
	case "?":
		if args[0] == true {
			return args[1]
		}
		return args[2]
	case "??":
		if args[0] == nil {
			return args[1]
		}
		return args[0]
	case "&&":
		return args[0] != false && args[1] != false
	case "||":
		return args[0] == true || args[1] == true
	case "!":
		return args[0] != true
	case "isNull":
		return args[0] == nil
	case "int":
		if v, ok := args[0].(float64); ok {
			return int32(v)
		}
		return nil
	}
	if number := r.operandType(f, 0, terms, of); number == "int" {
		return reckonInts(f.op, args[0], args[1])
	}
	return reckonDoubles(f.op, args[0], args[1])
}

func (r *reckoner) leaf(text string, terms map[string]net.End, of value.Type) any {
	if end, ok := terms[text]; ok {
		return r.valueOf(end)
	}
	switch {
	case text == "null":
		return nil
	case of == "bool":
		return text == "true"
	case of == "int":
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			r.t.Fatal(err)
		}
		return int32(n)
	default:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			r.t.Fatal(err)
		}
		return n
	}
}

func reckonInts(op string, a, b any) any {
	x, okX := a.(int32)
	y, okY := b.(int32)
	var v int64
	switch op {
	case ">":
		return okX && okY && x > y
	case "==":
		return okX && okY && x == y
	case "+":
		v = int64(x) + int64(y)
	case "*":
		v = int64(x) * int64(y)
	}
	if !okX || !okY || v != int64(int32(v)) {
		return nil
	}
	return int32(v)
}

func reckonDoubles(op string, a, b any) any {
	x, okX := a.(float64)
	y, okY := b.(float64)
	if !okX {
		x = math.NaN()
	}
	if !okY {
		y = math.NaN()
	}
	switch op {
	case ">":
		return x > y
	case "==":
		return x == y
	case "+":
		return x + y
	case "*":
		return x * y
	case "%":
		return math.Mod(x, y)
	default:
		return x / y
	}
}
