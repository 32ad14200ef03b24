package net_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// text writes a structure in lines, for comparing.
func text(s *net.Structure) string {
	var b strings.Builder
	end := func(e net.End) string {
		if e.Node < 0 {
			return "nothing"
		}
		return fmt.Sprintf("%d.%s", e.Node, e.Port)
	}
	for i, n := range s.Nodes {
		fmt.Fprintf(&b, "%d %q in %d", i, n.Path, n.Parent)
		if n.Host >= 0 {
			fmt.Fprintf(&b, " at %d", n.Host)
		}
		if n.Fragment {
			b.WriteString(" fragment")
		}
		if n.Type != "" {
			b.WriteString(" " + n.Type)
		}
		if n.Order >= 0 {
			fmt.Fprintf(&b, " order %d", n.Order)
		}
		if n.Constant {
			b.WriteString(" constant")
		}
		for _, p := range n.Params {
			if p.Given {
				fmt.Fprintf(&b, " %s=%s", p.Name, p.Value)
			}
		}
		for _, g := range n.Guards {
			b.WriteString(" if " + end(g))
		}
		b.WriteByte('\n')
	}
	for _, l := range s.Links {
		fmt.Fprintf(&b, "%s -> %s %s", end(l.From), end(l.To), l.Type)
		if l.Source != l.From {
			b.WriteString(" from " + end(l.Source))
		}
		if l.Debug != "" {
			b.WriteString(" debug " + l.Debug)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDescribe(t *testing.T) {
	const of = `{
		on=Core::BooleanValue(Value='true'),
		clock=Test::Clock(Increment='2'),
		part={
			sum=Core::DoubleAdd(inFirst[1.5]=parent.inValue,Second='1'),
			outSum=sum.outValue,
			outOpen=Core::DoubleAdd(inFirst=parent.inNothing).outValue
		}(inActive=on.outValue,inValue=clock.outValue),
		late=Core::DoubleGreater(inFirst=part.outSum,inSecond=Core::DoublePre(inValue=part.outOpen).outValue),
		outTerminate=late.outValue
	}`
	s, err := net.Describe(parse(t, of), options(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `0 "" in -1 fragment
1 "on" in 0 Core::BooleanValue constant Value=true
2 "clock" in 0 Test::Clock order 0 Increment=2
3 "part" in 0 fragment if 1.outValue
4 "part.sum" in 3 Core::DoubleAdd order 2 Second=1 if 1.outValue
5 "part.outOpen" in 3 Core::DoubleAdd order 3 if 1.outValue
6 "late" in 0 Core::DoubleGreater order 4
7 "late.inSecond" in 0 at 6 Core::DoublePre order 1
6.outValue -> 0.outTerminate bool
1.outValue -> 3.inActive bool
2.outValue -> 3.inValue double
4.outValue -> 3.outSum double
5.outValue -> 3.outOpen double
3.inValue -> 4.inFirst double from 2.outValue debug 1.5
3.inNothing -> 5.inFirst  from nothing
3.outSum -> 6.inFirst double from 4.outValue
7.outValue -> 6.inSecond double
3.outOpen -> 7.inValue double from 5.outValue
`
	if diff := cmp.Diff(want, text(s)); diff != "" {
		t.Error(diff)
	}
}

// TestDescribeRejected says the same about a net with mistakes as loading does.
func TestDescribeRejected(t *testing.T) {
	tree := parse(t, `{sum=Core::DoubleAdd(inFirst=nobody.outValue),sum=Core::DoubleNot()}`)
	_, err := net.Describe(tree, options(t))
	_, want := net.Compile(tree, options(t))
	if rejected := (*net.Rejection)(nil); !errors.As(err, &rejected) || err.Error() != want.Error() {
		t.Errorf("got %v, want %v", err, want)
	}
}

// TestDescribeConsistent looks in random nets whether links as they are written lead to the out port that the compiler has found, and
// whether what is executed comes behind what it reads.
func TestDescribeConsistent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := makeNet(rt)
		s, err := net.Describe(tree, options(t))
		if err != nil {
			checkCycleFound(rt, true, err)
			return
		}
		to := map[net.End]net.Link{}
		for _, l := range s.Links {
			to[l.To] = l
		}
		for _, l := range s.Links {
			at := l
			for s.Nodes[at.From.Node].Fragment {
				next, connected := to[at.From]
				if !connected {
					at.From.Node = -1
					break
				}
				at = next
			}
			if at.From.Node != l.Source.Node || at.From.Node >= 0 && at.From != l.Source {
				rt.Fatalf("%s: the link to %v comes from %v, the structure says %v", tree, l.To, at.From, l.Source)
			}
			if l.Source.Node < 0 || s.Nodes[l.To.Node].Fragment {
				continue
			}
			reader, source := s.Nodes[l.To.Node], s.Nodes[l.Source.Node]
			delays := strings.HasSuffix(reader.Type, "Pre") || reader.Type == "Test::Memory"
			if !delays && reader.Order >= 0 && source.Order >= reader.Order {
				rt.Fatalf("%s: %s is executed before %s, which it reads", tree, reader.Path, source.Path)
			}
		}
	})
}
