package net_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// takes compares what some copies of a net take with what is accounted for them.
func takes(t interface{ Fatalf(string, ...any) }, tree *grammar.Node, opt net.Options) (live, accounted int64) {
	const copies = 20
	live = alloc.Live(func() int64 { return accounted }, func() any {
		opt.Memory = budget.New(math.MaxInt64).Open("net", "", 0)
		var all [copies]*net.Program
		for i := range all {
			var err error
			if all[i], err = net.Compile(tree, opt); err != nil {
				t.Fatalf("%v", err)
			}
		}
		accounted = opt.Memory.Used()
		return &all
	})
	return live, accounted
}

// No random net takes more memory than is accounted for it.
func TestRandomNetsAreAccounted(t *testing.T) {
	opt := options(t)
	opt.Record = &net.Recording{All: 100 * time.Millisecond, Grant: func(bytes int64) int64 {
		if opt.Memory.Take(budget.Recordings, bytes) != nil {
			return 0
		}
		return bytes
	}}
	checks := 0
	rapid.Check(t, func(t *rapid.T) {
		if checks++; checks > 30 { // each of them collects garbage
			return
		}
		tree := parse(t, makeNet(t).String())
		if newReference(tree).hasCycle() {
			return
		}
		if live, accounted := takes(t, tree, opt); live > accounted {
			t.Fatalf("%s\ntakes %d bytes, of which %d are accounted", tree, live, accounted)
		}
	})
}

// many joins what is written for each number.
func many(n int, write func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(write(i))
	}
	return b.String()
}

// Nets of one kind of thing take no more than is accounted, and what is accounted is not far from it.
func TestNetsAreAccounted(t *testing.T) {
	all, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	each := func(n int, format string) string {
		return many(n, func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) })
	}
	for name, tt := range map[string]struct {
		text string
		most float64 // times as much may be accounted
	}{
		"chain":   {"a0=Core::DoubleAdd(inFirst=c.outValue)," + many(1000, func(i int) string { return fmt.Sprintf("a%d=Core::DoubleAdd(inFirst=a%d.outValue),", i+1, i) }), 2},
		"runs":    {each(500, "a#=Core::DoubleAdd(inFirst=c.outValue),b#=Core::DoubleMultiply(inFirst=a#.outValue),"), 3},
		"guards":  {each(500, "b#=Core::DoubleGreater(inFirst=c.outValue,Second='#'),f#={a=Core::DoubleAdd(inFirst=parent.inX)}(inX=c.outValue,inActive=b#.outValue),"), 4},
		"history": {each(50, "a#=Core::DoubleAtTime(inValue=c.outValue,MaxAge='10'),"), 1.2},
		"arrays":  {each(50, "a#=Core::DoubleArray(Size='5000'),b#=Core::DoubleArraySet(inArray=a#.outArray,inValue=c.outValue,Size='5000'),"), 1.2},
		"shown":   {each(500, "a#=Core::DoubleNetcommOut(inValue=c.outValue,Key='#'),"), 5},
		"given":   {each(500, "a#=Core::DoubleNetcommIn(Key='#'),b#=Core::DoubleAdd(inFirst=a#.outValue),"), 5},
		"shown arrays": {
			"a=Core::DoubleArray(Size='20000'),b=Core::DoubleArraySet(inArray=a.outArray,inValue=c.outValue,Size='20000')," +
				each(5, "o#=Core::DoubleArrayNetcommOut(inValue=b.outArray,Key='#'),"), 3,
		},
	} {
		tree := parse(t, "{c=Core::Clock(),"+tt.text+"outTerminate=Core::BooleanValue().outValue}")
		live, accounted := takes(t, tree, net.Options{Name: "test", Period: period, Catalogue: all, Host: &host{}})
		if live > accounted || float64(accounted) > tt.most*float64(live) {
			t.Errorf("%s: takes %d bytes, %d are accounted, at most %g times as much are wanted", name, live, accounted, tt.most)
		}
	}
}

// Too much memory is refused before it is taken, whatever it is needed for.
func TestTooMuchIsRefusedBefore(t *testing.T) {
	all, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"arrays and histories": "a=Core::DoubleAtTime(inValue=c.outValue,MaxAge='9000'),",
		"primitives":           many(10_000, func(i int) string { return fmt.Sprintf("a%d=Core::DoubleAdd(inFirst=c.outValue),", i) }),
		"values": many(300, func(i int) string {
			return fmt.Sprintf("a%d=Core::DoubleNetcommOut(inValue=c.outValue,Key='%d'),", i, i)
		}),
		"recordings": many(500, func(i int) string { return fmt.Sprintf("a%d=Core::DoubleAdd(inFirst[0.01]=c.outValue),", i) }),
	} {
		tree := parse(t, "{c=Core::Clock(),"+text+"outTerminate=Core::BooleanValue().outValue}")
		b := budget.New(300 << 10)
		a := b.Open("net", "", 0)
		_, err := net.Compile(tree, net.Options{Name: "test", Period: period, Catalogue: all, Host: &host{}, Memory: a, Record: &net.Recording{}})
		var exceeded *budget.ExceededError
		if !errors.As(err, &exceeded) || exceeded.Kind.String() != name {
			t.Errorf("%s: %v", name, err)
		}
		if a.Close(); b.Usage().Used != 0 {
			t.Errorf("%s: %+v", name, b.Usage())
		}
	}
}

// Recorded ports that are nested deeply under long names do not have names that are as long.
func TestNamesOfRecordedPortsAreBounded(t *testing.T) {
	const depth = 200
	long := strings.Repeat("f", 1000)
	text := "{c=Test::Clock()," + strings.Repeat(long+"={", depth) + "a=Core::DoubleAdd(inFirst[1]=b.outValue),b=Core::DoubleValue()" + strings.Repeat("}()", depth) +
		",outTerminate=Core::BooleanValue().outValue}"
	opt := options(t)
	opt.Record = &net.Recording{}
	p, err := net.Compile(parse(t, text), opt)
	if err != nil {
		t.Fatal(err)
	}
	name := p.Markers.Recorder.Ports()[0].Name
	if len(name) > 1010 || !strings.HasPrefix(name, "…") || !strings.HasSuffix(name, "f.a.inFirst") {
		t.Errorf("%d bytes: %s", len(name), name)
	}
}
