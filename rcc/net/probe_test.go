package net_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// all grants what is asked for.
func all(bytes int64) int64 { return bytes }

// portNames are names of ports, as they are written with their paths.
func portNames(ports ...string) []net.PortName {
	list := make([]net.PortName, len(ports))
	for i, port := range ports {
		k := strings.LastIndexByte(port, '.')
		list[i] = net.PortName{Path: port[:max(0, k)], Port: port[k+1:]}
	}
	return list
}

// compiled is a net with the text and the options with which its ports are found.
type compiled struct {
	*net.Program
	opt net.Options
}

func compileToProbe(t *testing.T, text string) *compiled {
	t.Helper()
	c := &compiled{opt: options(t)}
	var err error
	if c.Program, err = net.Compile(parse(t, text), c.opt); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *compiled) find(t *testing.T, text string, ports ...string) (*net.Found, error) {
	t.Helper()
	return c.Find(parse(t, text), nil, portNames(ports...))
}

const probed = `{
	on=Core::BooleanValue(Value='true'),
	clock=Test::Clock(Increment='2'),
	part={
		sum=Core::DoubleAdd(inFirst=parent.inValue,Second='1'),
		inner={not=Core::BooleanNot(inValue=on.outValue),on=Core::BooleanValue(),outNot=not.outValue}(),
		outSum=sum.outValue
	}(inActive=on.outValue,inValue=clock.outValue,inSpare=clock.outValue),
	vector=World::VectorFromXYZ(inX=clock.outValue,inY=part.outSum),
	late=Core::DoubleGreater(inFirst=part.outSum,inSecond=Core::DoublePre(inValue=part.outSum).outValue,inActive=on.outValue),
	outTerminate=late.outValue
}`

// TestFind finds ports of all sorts: of primitives, anonymous ones, fragments and the net, out ports and in ports.
func TestFind(t *testing.T) {
	p := compileToProbe(t, probed)
	found, err := p.find(t, probed, "outTerminate", "clock.outValue", "part.outSum", "part.inValue", "part.inSpare", "part.inActive", "part.sum.outValue",
		"part.sum.inFirst", "part.sum.inSecond", "part.inner.outNot", "part.inner.not.inValue", "late.inSecond.outValue", "late.inSecond.inValue",
		"late.inActive", "vector.outValue")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{outTerminate bool 1 false  []}
{clock.outValue double 1 false  []}
{part.outSum double 1 false  []}
{part.inValue double 1 false  []}
{part.inSpare double 1 false  []}
{part.inActive bool 1 true true [1]}
{part.sum.outValue double 1 false  []}
{part.sum.inFirst double 1 false  []}
{part.sum.inSecond  0 false  []}
{part.inner.outNot bool 1 true true [1]}
{part.inner.not.inValue bool 1 true false [0]}
{late.inSecond.outValue double 1 false  []}
{late.inSecond.inValue double 1 false  []}
{late.inActive bool 1 true true [1]}
{vector.outValue vector 3 false  []}
`
	var got strings.Builder
	for _, port := range found.Ports {
		fmt.Fprintf(&got, "%v\n", port)
	}
	if got.String() != want {
		t.Errorf("found\n%swant\n%s", got.String(), want)
	}
	if n := found.Words(); n != 12 {
		t.Errorf("%d words", n)
	}
}

// TestFindMissing says what there is instead.
func TestFindMissing(t *testing.T) {
	p := compileToProbe(t, probed)
	for port, want := range map[string]string{
		"clock.outvalue":   "it has no port clock.outvalue; clock has outValue, inIncrement, inReset",
		"nobody.outValue":  "it has no port nobody.outValue",
		"part.outsum":      "it has no port part.outsum; part has inActive, inValue, inSpare, outSum",
		"outEnd":           "it has no port outEnd; the net has outTerminate",
		".outValue":        "it has no port outValue; the net has outTerminate",
		"art.sum.outValue": "it has no port art.sum.outValue",
		"sum.outValue":     "it has no port sum.outValue",
	} {
		_, err := p.find(t, probed, port)
		if missing := (*net.MissingError)(nil); !errors.As(err, &missing) || err.Error() != want {
			t.Errorf("%s: %v", port, err)
		}
	}
}

// TestFindInAnotherText does not take the ports of another net for those of this one.
func TestFindInAnotherText(t *testing.T) {
	p := compileToProbe(t, probed)
	for _, other := range []string{
		strings.Replace(probed, "clock=", "more=Test::Clock(),clock=", 1),
		strings.Replace(probed, "DoubleGreater", "DoubleLess", 1),
		strings.Replace(probed, "DoubleGreater", "NoSuchType", 1),
	} {
		if _, err := p.find(t, other, "clock.outValue"); !errors.Is(err, net.OtherError{}) {
			t.Errorf("%v of\n%s", err, other)
		}
	}
}

// TestFindInTypes finds what stands in types that are written as nets, by what they meant when the program was compiled.
func TestFindInTypes(t *testing.T) {
	opt := options(t)
	declare := func(name, body string) {
		p, err := net.Declare(spec.Primitive{
			Name: name, Extension: "made", In: []spec.Port{{Name: "inValue", Type: "double"}}, Out: []spec.Port{{Name: "outValue", Type: "double"}}, Net: parse(t, body),
		}, opt.Catalogue)
		if err != nil {
			t.Fatal(err)
		}
		if opt.Catalogue, err = opt.Catalogue.With(p); err != nil {
			t.Fatal(err)
		}
	}
	declare("Made::T", `{x=Core::DoubleAdd(inFirst=parent.inValue,Second='1'),y=Core::DoubleAdd(inFirst=parent.inValue,Second='2'),outValue=y.outValue}`)
	declare("Made::U", `{x=Core::DoubleAdd(inFirst=parent.inValue,Second='3'),inner=Made::T(inValue=x.outValue),outValue=inner.outValue}`)
	tree := parse(t, `{clock=Test::Clock(),made=Made::U(inValue=clock.outValue),outTerminate=Core::BooleanValue().outValue}`)
	p, err := net.Compile(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Find(tree, nil, portNames("clock.outValue", "made.inner.inValue", "made.inner.x.outValue", "made.outValue"))
	if err != nil {
		t.Fatal(err)
	}
	probe, err := found.Probe(1, all)
	if err != nil {
		t.Fatal(err)
	}
	var cy spec.Cycle
	cycle(p, &cy)
	probe.Keep(&cy)
	var s spec.Samples
	probe.Recorder.Sample(0, &s)
	clock := math.Float64frombits(s.Columns[0].Words[0])
	for i, more := range []float64{0, 3, 4, 5} {
		if got := math.Float64frombits(s.Columns[i].Words[0]); got != clock+more {
			t.Errorf("%s is %g, want %g more than %g", found.Ports[i].Name, got, more, clock)
		}
	}
}

// markAll marks all ports of a net.
func markAll(n *grammar.Node) {
	for i := range n.Args {
		if a := &n.Args[i]; a.Connected() {
			a.Debug = "1"
			if a.From.Inline != nil {
				markAll(a.From.Inline)
			}
		}
	}
	for _, child := range n.Nodes {
		markAll(child)
	}
	for i := range n.Outs {
		n.Outs[i].Debug = "1"
		if inline := n.Outs[i].From.Inline; inline != nil {
			markAll(inline)
		}
	}
}

// probedPort is a port with a probe, and what the reference says about it.
type probedPort struct {
	name string
	of   func() any // in this cycle
}

// portsOf are all ports of a net that can be probed.
func portsOf(ref *reference, probes []net.Probed) (list []*probedPort) {
	places := map[string]*place{}
	for _, at := range ref.all {
		places[at.path] = at
	}
	for _, probe := range probes {
		list = append(list, &probedPort{name: probe.Path + "." + probe.Port, of: func() any { return ref.values[outRef{places[probe.Path], probe.Port}] }})
	}
	marked := map[string]*referencePort{}
	recordedPorts(ref.root, 0, marked)
	for _, name := range slices.Sorted(maps.Keys(marked)) {
		port := marked[name]
		list = append(list, &probedPort{name: name, of: func() any {
			port.values = port.values[:0]
			port.step(ref)
			return port.values[0]
		}})
	}
	return list
}

// TestProbesAgainstReference attaches a probe to all ports of random nets in a random cycle, and compares it with an interpreter of the tree.
func TestProbesAgainstReference(t *testing.T) {
	opt := options(t)
	rapid.Check(t, func(t *rapid.T) {
		tree := makeNet(t)
		markAll(tree)
		text := tree.String()
		t.Log(text)
		tree = parse(t, text)
		ref := newReference(tree)
		if ref.hasCycle() {
			return
		}
		p, probes, err := net.CompileProbed(tree, opt)
		if err != nil {
			t.Fatal(err)
		}
		plain, outs, _ := net.CompileProbed(tree, opt)
		ports := portsOf(ref, probes)
		names := make([]string, len(ports))
		for i, port := range ports {
			names[i] = port.name
		}
		attached := rapid.Uint64Range(0, 6).Draw(t, "attached")
		var probe *net.Probe
		var found *net.Found
		var cy, other spec.Cycle
		wants := make([][]any, len(ports))
		for range 12 {
			if cy.N == attached {
				if found, err = p.Find(parse(t, text), nil, portNames(names...)); err != nil {
					t.Fatal(err)
				}
				if probe, err = found.Probe(20, all); err != nil {
					t.Fatal(err)
				}
			}
			cy.Due = int64(cy.N) * 1000
			cycle(p, &cy)
			cycle(plain, &other)
			ref.step()
			if probe == nil {
				continue
			}
			probe.Keep(&cy)
			for i, port := range ports {
				wants[i] = append(wants[i], port.of())
			}
		}
		for i := range outs {
			if a, b := current(probes[i].Cell, &cy), current(outs[i].Cell, &other); !same(a, b) {
				t.Fatalf("with a probe %s.%s is %v, without %v", probes[i].Path, probes[i].Port, a, b)
			}
		}
		var s spec.Samples
		probe.Recorder.Sample(0, &s)
		compareSamples(t, &s, found.Ports, wants, attached)
	})
}

func compareSamples(t *rapid.T, s *spec.Samples, ports []net.FoundPort, wants [][]any, attached uint64) {
	if n := len(wants[0]); len(s.Cycle) != n || s.Cycle[0] != attached+1 || s.Time[n-1] != int64(s.Cycle[n-1]-1)*1000 || s.Lost != 0 {
		t.Fatalf("cycles %v at %v, %d lost, want %d from %d on", s.Cycle, s.Time, s.Lost, n, attached+1)
	}
	for i, port := range ports {
		column := s.Columns[i]
		for k, want := range wants[i] {
			switch {
			case port.Constant && want != nil && port.Value != textOf(want):
				t.Fatalf("%s is always %q, and in cycle %d %v", port.Name, port.Value, s.Cycle[k], want)
			case !port.Constant && column.Given[k] != (want != nil),
				!port.Constant && want != nil && !sameWord(column.Words[k], want):
				t.Fatalf("%s in cycle %d is %t %x, want %v", port.Name, s.Cycle[k], column.Given[k], column.Words[k], want)
			}
		}
		if port.Constant && len(column.Words) > 0 {
			t.Fatalf("%s is constant and has %d words", port.Name, len(column.Words))
		}
	}
}

func sameWord(word uint64, want any) bool {
	switch want := want.(type) {
	case bool:
		return (word == 1) == want && word <= 1
	case int32:
		return int32(uint32(word)) == want
	default:
		return same(math.Float64frombits(word), want)
	}
}

// motionProbe is a probe of all that varies in a motion.
func motionProbe(tb testing.TB) (*net.Program, *net.Probe) {
	tb.Helper()
	tree := parse(tb, motion.PTP.Text(types))
	opt := options(tb)
	p, probes, err := net.CompileProbed(tree, opt)
	if err != nil {
		tb.Fatal(err)
	}
	var names []net.PortName
	for _, probe := range probes {
		names = append(names, net.PortName{Path: probe.Path, Port: probe.Port})
	}
	found, err := p.Find(tree, opt.Memory, names)
	if err != nil {
		tb.Fatal(err)
	}
	probe, err := found.Probe(1000, all)
	if err != nil {
		tb.Fatal(err)
	}
	return p, probe
}

// TestProbeAllocatesNothing executes a probe of values of many types.
func TestProbeAllocatesNothing(t *testing.T) {
	p, probe := motionProbe(t)
	var cy spec.Cycle
	if n := alloc.Least(func() {
		for range 100 {
			cycle(p, &cy)
			probe.Keep(&cy)
		}
	}); n != 0 {
		t.Errorf("%d allocations in 100 cycles", n)
	}
}

// TestProbesAreAccounted compares what probes take with what is accounted for them, and refuses one for which there is no memory.
func TestProbesAreAccounted(t *testing.T) {
	tree := parse(t, motion.PTP.Text(types))
	opt := options(t)
	p, probes, err := net.CompileProbed(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	var names []net.PortName
	for _, probe := range probes {
		names = append(names, net.PortName{Path: probe.Path, Port: probe.Port})
	}
	accounted := int64(0)
	const copies = 20
	live := alloc.Live(func() int64 { return accounted }, func() any {
		quota := budget.New(math.MaxInt64)
		opt.Memory = quota.Open("probe", "", 0)
		var list [copies]*net.Probe
		for i := range list {
			found, err := p.Find(tree, opt.Memory, names)
			if err != nil {
				t.Fatal(err)
			}
			if list[i], err = found.Probe(100, all); err != nil {
				t.Fatal(err)
			}
		}
		accounted = quota.Usage().Used
		return &list
	})
	if live > accounted || float64(accounted) > 2*float64(live) {
		t.Errorf("probes take %d bytes, %d are accounted", live, accounted)
	}
	opt.Memory = budget.New(10_000).Open("probe", "", 0)
	found, err := p.Find(tree, opt.Memory, names)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found.Probe(100, all); !errors.As(err, new(*budget.ExceededError)) {
		t.Errorf("a probe without memory: %v", err)
	}
	opt.Memory = nil
	if found, err = p.Find(tree, opt.Memory, names); err != nil {
		t.Fatal(err)
	}
	short, err := found.Probe(100, func(bytes int64) int64 { return bytes / 2 })
	if err != nil {
		t.Fatal(err)
	}
	if kept := short.Recorder.Ports()[0].Kept; kept < 40 || kept > 50 {
		t.Errorf("with half of the memory %d cycles of 100 are kept", kept)
	}
}

// BenchmarkFind finds a port of a net of 20,000 primitives.
func BenchmarkFind(b *testing.B) {
	text := "{c=Core::Clock()," + many(20_000, func(i int) string { return fmt.Sprintf("a%d=Core::DoubleAdd(inFirst=c.outValue),", i) }) +
		"outTerminate=Core::BooleanValue().outValue}"
	tree := parse(b, text)
	opt := options(b)
	p, err := net.Compile(tree, opt)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Find(tree, opt.Memory, portNames("a19999.outValue")); err != nil {
			b.Fatal(err)
		}
	}
}

// TestProbeOfAPreThatEndsItsFragment looks at a Pre whose value keeps the fragment around it inactive: the value is there, for it has that effect.
func TestProbeOfAPreThatEndsItsFragment(t *testing.T) {
	const text = `{part={last=Core::BooleanPre(inValue=parent.inValue),out=last.outValue}(inValue=Core::DoubleGreater().outValue,inActive=none.outValue),` +
		`none=Core::BooleanIsNull(inValue=part.out),outTerminate=Core::BooleanValue().outValue}`
	p, _, err := net.CompileProbed(parse(t, text), options(t))
	if err != nil {
		t.Fatal(err)
	}
	found, err := p.Find(parse(t, text), nil, portNames("part.last.outValue", "none.outValue"))
	if err != nil {
		t.Fatal(err)
	}
	probe, err := found.Probe(20, all)
	if err != nil {
		t.Fatal(err)
	}
	var cy spec.Cycle
	for range 2 {
		cycle(p, &cy)
		probe.Keep(&cy)
	}
	var s spec.Samples
	probe.Recorder.Sample(0, &s)
	if last, none := s.Columns[0], s.Columns[1]; last.Given[0] || !last.Given[1] || last.Words[1] != 0 || none.Words[1] != 0 {
		t.Errorf("the Pre %v, whether it is null %v", last, none)
	}
}
