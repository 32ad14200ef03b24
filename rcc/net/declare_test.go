package net_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// typist turns fragments of a net into types, and puts primitives of these types in their place.
type typist struct {
	*rapid.T
	catalogue *spec.Catalogue
	types     int
}

func (m *typist) chance(what string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(m.T, what) >= 100-percent
}

// inside goes through a fragment, inner ones first.
func (m *typist) inside(at *place) {
	for i, child := range at.node.Nodes {
		inner := at.in[child.Name]
		if !child.Fragment {
			continue
		}
		m.inside(inner)
		if m.chance("a type", 70) {
			at.node.Nodes[i] = m.typed(inner)
		}
	}
}

// typed declares the type of a fragment and returns the primitive that stands for it.
func (m *typist) typed(at *place) *grammar.Node {
	m.types++
	p := spec.Primitive{Name: fmt.Sprint("Made::T", m.types), Extension: "made"}
	made := &grammar.Node{Name: at.node.Name, Type: p.Name}
	body := &grammar.Node{Fragment: true, Nodes: at.node.Nodes, Outs: at.node.Outs}
	for i := range at.node.Args {
		a := at.node.Args[i]
		made.Args = append(made.Args, a)
		if a.Name != "inActive" {
			p.In = append(p.In, m.port(a.Name, at.up, &a.From))
		}
	}
	for i := range body.Outs {
		p.Out = append(p.Out, m.port(body.Outs[i].Name, at, &body.Outs[i].From))
	}
	for _, child := range body.Nodes {
		m.hoist(child, made, &p)
	}
	p.Net = body
	declared, err := net.Declare(p, m.catalogue)
	if err != nil {
		m.Fatalf("%s: %v", body, err)
	}
	if m.catalogue, err = m.catalogue.With(declared); err != nil {
		m.Fatal(err)
	}
	return made
}

// port is a port with the type of what it is connected to.
func (m *typist) port(name string, frag *place, from *grammar.Source) spec.Port {
	o, ok := resolve(frag, from)
	if !ok {
		m.Fatalf("%s is open", name)
	}
	p := m.catalogue.Lookup(o.at.node.Type)
	return spec.Port{Name: name, Type: p.Out[p.OutPort(o.port)].Type}
}

// hoist makes parameters of a node parameters of the type around it, with their value as default or not.
func (m *typist) hoist(n, made *grammar.Node, p *spec.Primitive) {
	if n.Fragment {
		return
	}
	for i := range n.Args {
		a := &n.Args[i]
		if a.Connected() || !m.chance("a parameter", 50) {
			continue
		}
		param := spec.Parameter{Name: fmt.Sprint("P", len(p.Params)), Default: a.Value}
		if m.chance("not the default", 70) {
			of := m.catalogue.Lookup(n.Type)
			param.Default = map[value.Type]string{value.TypeBool: "true", value.TypeInt: "7", value.TypeDouble: "-7"}[of.Params[of.Param(a.Name)].Type]
			made.Args = append(made.Args, grammar.Arg{Name: param.Name, Value: a.Value})
		}
		p.Params = append(p.Params, param)
		a.Value = "$" + param.Name
	}
}

// TestTypeIsItsFragment compares nets in which fragments have become types, with parameters and types within types, with
// the reference of the net as it was before: values and paths are the same.
func TestTypeIsItsFragment(t *testing.T) {
	opt := options(t)
	used := 0
	rapid.Check(t, func(t *rapid.T) {
		text := makeNet(t).String()
		t.Log(text)
		ref := newReference(parse(t, text))
		if ref.hasCycle() {
			return
		}
		m := &typist{T: t, catalogue: opt.Catalogue}
		tree := parse(t, text)
		m.inside(newReference(tree).root)
		t.Log(tree.String())
		used += m.types
		opt := opt
		opt.Catalogue = m.catalogue
		p, probes, err := net.CompileProbed(tree, opt)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, p, probes, ref)
		for _, typ := range p.Types {
			if !slices.Contains(m.catalogue.All(), typ) {
				t.Fatalf("type %s is not of the catalogue", typ.Name)
			}
		}
	})
	if used == 0 {
		t.Error("no net had a type")
	}
}

// scaled is a type with a parameter and an in port.
func scaled(t *testing.T, opt net.Options) *spec.Primitive {
	t.Helper()
	p, err := net.Declare(spec.Primitive{
		Name: "Made::Scaled",
		Net:  parse(t, `{by=Core::DoubleMultiply(inFirst=parent.inValue,Second='$Factor'),outValue=by.outValue}`),
		In:   []spec.Port{{Name: "inValue", Type: value.TypeDouble}}, Out: []spec.Port{{Name: "outValue", Type: value.TypeDouble}},
		Params: []spec.Parameter{{Name: "Factor", Default: "2"}},
		Examples: []spec.Example{
			{Doc: "twice", In: map[string][]string{"inValue": {"1", "null", "-2"}}, Out: map[string][]string{"outValue": {"2", "nan", "-4"}}},
			{Doc: "other", Params: map[string]string{"Factor": "3"}, In: map[string][]string{"inValue": {"1"}}, Out: map[string][]string{"outValue": {"3"}}},
			{Doc: "wrong", Params: map[string]string{"Factor": "x"}, Reject: `Factor: "x"`},
		},
	}, opt.Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExamplesOfTypes(t *testing.T) {
	opt := options(t)
	p := scaled(t, opt)
	for i := range p.Examples {
		if err := net.RunExample(p, &p.Examples[i], opt.Catalogue); err != nil {
			t.Errorf("%s: %v", p.Examples[i].Doc, err)
		}
	}
	in := map[string][]string{"inValue": {"1", "2"}}
	for _, tt := range []struct {
		e    spec.Example
		want string
	}{
		{spec.Example{In: in, Out: map[string][]string{"outValue": {"2", "5"}}}, "cycle 2: outValue is 4, not 5"},
		{spec.Example{In: in, Out: map[string][]string{"outValue": {"null"}}}, "cycle 1: outValue is 2, not null"},
		{spec.Example{In: map[string][]string{"inOther": {"1"}}}, "there is no in port inOther"},
		{spec.Example{Out: map[string][]string{"outOther": {"1"}}}, "there is no out port outOther"},
		{spec.Example{Out: map[string][]string{"outValue": {}}}, "no values for outValue"},
		{spec.Example{In: map[string][]string{"inValue": {"x"}}}, `net "Made::Scaled": inValue: First: "x" is not a number`},
		{spec.Example{Cycle: "fast"}, `"fast" is not a cycle time`},
		{spec.Example{Params: map[string]string{"Factor": "x"}}, `net "Made::Scaled": Factor: "x" is not a number`},
		{spec.Example{In: in, Reject: "no"}, `accepted, but must be refused with "no"`},
	} {
		if err := net.RunExample(p, &tt.e, opt.Catalogue); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// TestWrongUseOfTypes looks what is said about a primitive whose type is written as a net: once, at its place.
func TestWrongUseOfTypes(t *testing.T) {
	opt := options(t)
	var err error
	if opt.Catalogue, err = opt.Catalogue.With(scaled(t, opt)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{`{s=Made::Scaled(Factor='x'),outTerminate=Cancel().outCancel}`, `s: Factor: "x" is not a number`},
		{`{s=Made::Scaled(Faktor='1')}`, `s: Faktor: Made::Scaled has no parameter Faktor, did you mean Factor?`},
		{`{s=Made::Scaled(inValue='1')}`, `s: inValue: it is an in port, not a parameter`},
		{`{s=Made::Scaled(Factor='1',Factor='2')}`, `s: Factor: the parameter is given twice`},
		{`{s=Made::Scaled(inOther=s.outValue)}`, `s: inOther: Made::Scaled has no in port inOther; it has inActive, inValue`},
		{`{s=Made::Scaled(Factor=s.outValue)}`, `s: Factor: Made::Scaled has no such in port, it is a parameter`},
		{`{b=Core::BooleanValue(),s=Made::Scaled(inValue=b.outValue)}`, `s: inValue: type differs: bool from b.outValue to double`},
		{`{s=Made::Scaled(inValue=s.outValue)}`, `s.by: cycle without a Pre: s.by.inFirst <- s.by.outValue`},
		{`{s=Made::Scaled(),b=Core::BooleanNot(inValue=s.outOther)}`, `b: inValue: s has no out port outOther; it has outValue`},
	} {
		opt.Once = true
		r := reject(t, parse(t, tt.text), opt)
		if got := r.Problems[0].String(); got != tt.want || len(r.Problems) != 1 {
			t.Errorf("%s: got %v, want %s", tt.text, r.Problems, tt.want)
		}
	}
}

// TestTypesWithinTypesAreLimited nests types that use each other twice: what would have a million primitives is refused
// without being written out.
func TestTypesWithinTypesAreLimited(t *testing.T) {
	opt := options(t)
	name := "Core::DoubleValue"
	for i := range 40 {
		p, err := net.Declare(spec.Primitive{
			Name: fmt.Sprint("Made::Level", i), Net: parse(t, fmt.Sprintf(`{a=%[1]s(),b=%[1]s(),outValue=a.outValue}`, name)),
			Out: []spec.Port{{Name: "outValue", Type: value.TypeDouble}},
		}, opt.Catalogue)
		var r *net.Rejection
		if errors.As(err, &r) {
			if want := "more than 100000 primitives and fragments"; i < 10 || r.Problems[0].Text != want {
				t.Errorf("level %d: %v, want %s", i, err, want)
			}
			return
		}
		if opt.Catalogue, err = opt.Catalogue.With(p); err != nil {
			t.Fatal(err)
		}
		name = p.Name
	}
	t.Error("a net without limits")
}

func TestWrongDeclarations(t *testing.T) {
	opt := options(t)
	double := func(name string) []spec.Port { return []spec.Port{{Name: name, Type: value.TypeDouble}} }
	const text = `{by=Core::DoubleMultiply(inFirst=parent.inValue,Second='$Factor'),outValue=by.outValue}`
	factor := []spec.Parameter{{Name: "Factor", Default: "2"}}
	const twice = `{by=Core::DoubleMultiply(First='1',Second='$Both'),not=Core::BooleanNot(Value='$Both'),outValue=by.outValue}`
	for _, tt := range []struct {
		p    spec.Primitive
		want []string
	}{
		{spec.Primitive{Out: double("outValue"), Params: factor}, []string{"inValue: the net uses parent.inValue, which is not declared"}},
		{spec.Primitive{In: double("inOther"), Out: double("outValue"), Params: factor}, []string{
			"inOther: the net does not use it", "inValue: the net uses parent.inValue, which is not declared",
		}},
		{spec.Primitive{In: double("inValue"), Params: factor}, []string{"outValue: the net has the out port outValue, which is not declared"}},
		{spec.Primitive{In: double("inValue"), Out: double("outOther"), Params: factor}, []string{
			"outOther: the net has no such out port", "outValue: the net has the out port outValue, which is not declared",
		}},
		{spec.Primitive{In: double("inValue"), Out: double("outValue")}, []string{
			"Factor: the net uses '$Factor', which is not declared; a value that begins with $ has two of them",
		}},
		{spec.Primitive{In: double("inValue"), Out: double("outValue"), Params: append(factor, spec.Parameter{Name: "Other"})}, []string{
			"Other: the net does not use it; to give its value to a parameter, write '$Other'",
		}},
		{spec.Primitive{In: double("inValue"), Out: double("outValue"), Params: []spec.Parameter{{Name: "Factor", Default: "x"}}}, []string{
			`Factor: the default: "x" is not a number`,
		}},
		{spec.Primitive{In: double("inValue"), Out: double("outValue"), Params: []spec.Parameter{{Name: "Factor", Required: true}}}, []string{
			"Factor: a parameter without default needs an example that gives it a value",
		}},
		{spec.Primitive{In: []spec.Port{{Name: "inValue", Type: "doubel"}}, Out: double("outValue"), Params: factor}, []string{
			`inValue: "doubel" is not a data type, did you mean double?`,
		}},
		{spec.Primitive{In: []spec.Port{{Name: "inValue", Type: "int"}}, Out: double("outValue"), Params: factor}, []string{
			"by: inFirst: type differs: int from inValue.outValue to double",
		}},
		{spec.Primitive{In: double("inValue"), Out: []spec.Port{{Name: "outValue", Type: "int"}}, Params: factor}, []string{
			"outValue: it is declared as int, but is double",
		}},
		{spec.Primitive{In: append(double("inValue"), double("inActive")...), Out: double("outValue"), Params: factor}, []string{
			"inActive: the name of an in port must begin with in, and not be inActive, which every primitive has",
		}},
		{spec.Primitive{Name: "Core::DoubleAdd", Extension: "made", In: double("inValue"), Out: double("outValue"), Params: factor}, []string{
			"primitive Core::DoubleAdd is declared twice, in rpicore and in made",
		}},
		{spec.Primitive{Net: parse(t, twice), Out: double("outValue"), Params: []spec.Parameter{{Name: "Both", Default: "true"}}}, []string{
			"Both: it is used as double and, for Value of Core::BooleanNot, as bool", `Both: the default: "true" is not a number`,
		}},
	} {
		if tt.p.Name == "" {
			tt.p.Name = "Made::Wrong"
		}
		if tt.p.Net == nil {
			tt.p.Net = parse(t, text)
		}
		_, err := net.Declare(tt.p, opt.Catalogue)
		var r *net.Rejection
		if !errors.As(err, &r) {
			t.Fatalf("accepted: %v", tt.want)
		}
		var got []string
		for _, p := range r.Problems {
			got = append(got, p.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
