package net_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// recordedOf are the ports of a program that are recorded, each with how many cycles.
func recordedOf(p *net.Program) string {
	if p.Markers == nil {
		return ""
	}
	var list []string
	for _, port := range p.Markers.Recorder.Ports() {
		list = append(list, fmt.Sprintf("%s %s %d", port.Name, port.Type, port.Kept))
	}
	return strings.Join(list, ", ")
}

// TestRecordedPorts asks for ports in all ways: of primitives, of fragments, of the root, open, over Pre, of all types.
func TestRecordedPorts(t *testing.T) {
	const text = `{c=Test::Clock(),n=Core::DoubleAdd(inFirst[2.0]=c.outValue,inSecond[.05]=parent.inNone,inActive[0]=on.outValue),` +
		`on=Core::BooleanValue(Value='true'),f={g=Core::BooleanNot(inValue[1]=parent.inA,inActive[0.001]=parent.inOpen),outB[3]=g.outValue}(inA[99999999999999]=on.outValue),` +
		`outTerminate[10]=Core::BooleanNot(inValue=f.outB).outValue}`
	tree := parse(t, strings.Replace(text, "inSecond[.05]=parent.inNone,", "", 1))
	for _, test := range []struct {
		record *net.Recording
		want   string
	}{
		{nil, ""},
		{&net.Recording{}, "outTerminate bool 1000, n.inFirst double 200, f.inA bool 1000, f.outB bool 300, f.g.inValue bool 100, f.g.inActive  1"},
		{
			&net.Recording{All: 500 * time.Millisecond},
			"outTerminate bool 1000, n.inFirst double 200, n.inActive bool 50, f.inA bool 1000, f.outB bool 300, f.g.inValue bool 100, f.g.inActive  50, outTerminate.inValue bool 50",
		},
		{&net.Recording{Grant: func(int64) int64 { return 0 }}, "outTerminate bool 0, n.inFirst double 0, f.inA bool 0, f.outB bool 0, f.g.inValue bool 0, f.g.inActive  0"},
	} {
		opt := options(t)
		opt.Record = test.record
		p, err := net.Compile(tree, opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := recordedOf(p); got != test.want {
			t.Errorf("recorded\n%s\nwant\n%s", got, test.want)
		}
	}
}

// TestRecordingIsGranted asks for memory once, before it is taken, and takes no more than is granted.
func TestRecordingIsGranted(t *testing.T) {
	tree := parse(t, `{c=Test::Clock(inIncrement[10]=d.outValue),d=Core::DoubleValue(),outTerminate=Core::BooleanValue().outValue}`)
	for _, granted := range []int64{1 << 40, 10_000, 24, 0} {
		opt, asked := options(t), []int64(nil)
		opt.Record = &net.Recording{Grant: func(bytes int64) int64 {
			asked = append(asked, bytes)
			return granted
		}}
		p, err := net.Compile(tree, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(asked, []int64{1001 * 24}) || p.Markers.Recorder.Bytes() > granted {
			t.Errorf("asked for %d bytes and took %d of %d", asked, p.Markers.Recorder.Bytes(), granted)
		}
		var cy spec.Cycle
		for range 5 {
			cycle(p, &cy)
		}
		c, _ := p.Markers.Recorder.Copy(0)
		first, last := c.Cycles()
		if want := map[int64]uint64{1 << 40: 5, 10_000: 5}[granted]; last+1-first != want {
			t.Errorf("with %d bytes there are cycles %d to %d", granted, first, last)
		}
	}
}

// TestWrongMarkers has what only trees can ask for that come in another form.
func TestWrongMarkers(t *testing.T) {
	for _, marker := range []string{"-1", "NaN", "nan", "Inf", "1e9", "two", "2 s", "0x1p3", "1_0", ".", "1.2.3", "²", strings.Repeat("x", 5000)} {
		for _, record := range []*net.Recording{nil, {}, {All: time.Second}} {
			tree := parse(t, `{a=Core::BooleanNot(inValue[1]=b.outValue),b=Core::BooleanValue(),f={}(inX[1]=b.outValue),outTerminate[1]=a.outValue}`)
			tree.Nodes[0].Args[0].Debug, tree.Nodes[2].Args[0].Debug, tree.Outs[0].Debug = marker, marker, marker
			opt := options(t)
			opt.Record = record
			problems := reject(t, tree, opt).Problems
			if len(problems) != 3 {
				t.Errorf("%q: problems %v", marker, problems)
			}
			for _, p := range problems {
				if p.Minor != net.NotRecorded || !strings.Contains(p.Text, "is not a time in seconds") || len(p.Text) > 2500 {
					t.Errorf("%q: problem %v", marker, p)
				}
			}
		}
	}
}

// mark puts debug markers on random ports of a net.
func mark(t *rapid.T, n *grammar.Node) {
	seconds := func() string { return rapid.SampledFrom([]string{"", "", "0.02", "0.05", "1"}).Draw(t, "marker") }
	for i := range n.Args {
		if a := &n.Args[i]; a.Connected() {
			a.Debug = seconds()
			if a.From.Inline != nil {
				mark(t, a.From.Inline)
			}
		}
	}
	for _, child := range n.Nodes {
		mark(t, child)
	}
	for i := range n.Outs {
		n.Outs[i].Debug = seconds()
		if inline := n.Outs[i].From.Inline; inline != nil {
			mark(t, inline)
		}
	}
}

// referencePort is a port that the reference records.
type referencePort struct {
	frag   *place // in which its source is looked up
	from   *grammar.Source
	cycles int
	values []any // nil for null
}

// recordedPorts finds what is to be recorded, by the paths of the ports. every is in cycles.
func recordedPorts(at *place, every int, into map[string]*referencePort) {
	add := func(name, marker string, frag *place, from *grammar.Source, every int) {
		cycles := every
		if marker != "" {
			cycles = max(cycles, map[string]int{"0.02": 2, "0.05": 5, "1": 100}[marker])
		}
		if cycles > 0 {
			into[strings.TrimPrefix(at.path+"."+name, ".")] = &referencePort{frag: frag, from: from, cycles: cycles}
		}
	}
	own := every
	if at.node.Fragment {
		own = 0
	}
	for i := range at.node.Args {
		if a := &at.node.Args[i]; a.Connected() {
			add(a.Name, a.Debug, at.up, &a.From, own)
		}
	}
	for i := range at.node.Outs {
		add(at.node.Outs[i].Name, at.node.Outs[i].Debug, at, &at.node.Outs[i].From, 0)
	}
	for _, inner := range at.in {
		recordedPorts(inner, every, into)
	}
	for _, inner := range at.under {
		recordedPorts(inner, every, into)
	}
}

// step keeps what stands on the port in this cycle: nothing while the fragment in which it is connected is inactive (§7.7.1).
func (p *referencePort) step(r *reference) {
	var v any
	if from, connected := resolve(p.frag, p.from); connected && r.active(p.frag, false) {
		v = r.value(from)
	}
	p.values = append(p.values, v)
}

// TestRecorderAgainstReference records random ports of random nets, and compares with what a recorder keeps that looks at the
// tree in every cycle.
func TestRecorderAgainstReference(t *testing.T) {
	plain := options(t)
	rapid.Check(t, func(t *rapid.T) {
		tree := makeNet(t)
		mark(t, tree)
		text := tree.String()
		t.Log(text)
		tree = parse(t, text)
		every := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "all")
		opt := plain
		opt.Record = &net.Recording{All: time.Duration(every) * period}
		ref := newReference(tree)
		cyclic := ref.hasCycle()
		p, err := net.Compile(tree, opt)
		if cyclic || err != nil {
			checkCycleFound(t, cyclic, err)
			return
		}
		ports := map[string]*referencePort{}
		recordedPorts(ref.root, every, ports)
		compareRecords(t, p, ref, ports)
	})
}

func compareRecords(t *rapid.T, p *net.Program, ref *reference, ports map[string]*referencePort) {
	if p.Markers == nil {
		if len(ports) > 0 {
			t.Fatalf("nothing is recorded of %v", slices.Collect(maps.Keys(ports)))
		}
		return
	}
	var cy spec.Cycle
	for range 12 {
		cycle(p, &cy)
		ref.step()
		for _, port := range ports {
			port.step(ref)
		}
		if cy.N%5 == 2 {
			compareCopy(t, p.Markers.Recorder, ports)
		}
	}
}

func compareCopy(t *rapid.T, r *spec.Recorder, ports map[string]*referencePort) {
	c, _ := r.Copy(0)
	first, last := c.Cycles()
	list := r.Ports()
	if len(list) != len(ports) {
		t.Fatalf("%d ports instead of %d: %v", len(list), len(ports), list)
	}
	for i, port := range list {
		want := ports[port.Name]
		if want == nil || port.Kept != want.cycles || uint64(len(want.values)) != last {
			t.Fatalf("port %v, cycles %d to %d, want %v", port, first, last, want)
		}
		for n := uint64(1); n <= last; n++ {
			text, given := "", false
			if n >= first {
				var dst []byte
				dst, given = c.Text(nil, n, i)
				text = string(dst)
			}
			v := want.values[n-1]
			if int(last-n) >= want.cycles {
				v = nil
			}
			if given != (v != nil) || given && text != textOf(v) {
				t.Fatalf("after %d cycles: cycle %d of %s is %q, %t; want %v", last, n, port.Name, text, given, v)
			}
		}
	}
}

func textOf(v any) string {
	switch v := v.(type) {
	case bool:
		return string((&spec.Out[bool]{V: v}).Text(nil))
	case int32:
		return string((&spec.Out[int32]{V: v}).Text(nil))
	default:
		return string((&spec.Out[float64]{V: v.(float64)}).Text(nil))
	}
}

// TestRecordingChangesNothing compares the values of nets that are recorded with those of nets that are not.
func TestRecordingChangesNothing(t *testing.T) {
	tree := parse(t, motion.PTP.Text(types))
	opt := options(t)
	p0, err := net.Compile(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt = options(t)
	opt.Record = &net.Recording{All: time.Second}
	p1, err := net.Compile(tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	var a, b spec.Cycle
	for range 300 {
		cycle(p0, &a)
		cycle(p1, &b)
		if x, y := published(p0), published(p1); !slices.Equal(x, y) {
			t.Fatalf("cycle %d: %v and %v", a.N, x, y)
		}
	}
	if n := alloc.Least(func() {
		for range 100 {
			cycle(p1, &b)
		}
	}); n != 0 {
		t.Errorf("%d allocations in 100 cycles", n)
	}
}

func published(p *net.Program) []uint64 {
	words := make([]uint64, p.Board.Size())
	p.Board.Snapshot(words)
	return words
}

// TestRecordingTooManySteps is refused as other nets are.
func TestRecordingTooManySteps(t *testing.T) {
	opt := options(t)
	opt.Limits = net.Limits{Steps: 6}
	opt.Record = &net.Recording{All: time.Second}
	const text = `{a=Core::BooleanNot(inActive=g.outValue,inValue=g.outValue),g=Core::BooleanNetcommIn(Key='g'),outTerminate=g.outValue}`
	var r *net.Rejection
	if _, err := net.Compile(parse(t, text), opt); !errors.As(err, &r) {
		t.Errorf("compiled: %v", err)
	}
}

// BenchmarkRecorded measures a motion of which nothing is recorded, as nobody asks for it, and all in ports, of which many are
// constant.
func BenchmarkRecorded(b *testing.B) {
	tree := parse(b, motion.Flat.Text(types))
	for _, record := range []*net.Recording{nil, {}, {All: 2 * time.Second}} {
		opt := options(b)
		opt.Record = record
		p, err := net.Compile(tree, opt)
		if err != nil {
			b.Fatal(err)
		}
		name, ports := "off", 0
		switch {
		case p.Markers != nil:
			name, ports = "all", len(p.Markers.Recorder.Ports())
		case record != nil:
			name = "asked"
		}
		b.Run(name, func(b *testing.B) {
			var cy spec.Cycle
			for b.Loop() {
				cycle(p, &cy)
			}
			b.ReportMetric(float64(p.Primitives), "primitives")
			b.ReportMetric(float64(ports), "ports")
		})
	}
}
