package net

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Numbers of problems in the net, minor to the major number 1 "configuration" of an error state.
const (
	UnknownType      = 2
	NotInstantiated  = 3 // no unique name, or beyond a limit
	NoTerminate      = 4
	UnknownParameter = 5
	NotConfigured    = 6
	UnguardedCycle   = 7
	UnknownInPort    = 8
	UnknownSource    = 9
	UnknownOutPort   = 10
	TypesDiffer      = 11
	ParentAborted    = 14 // after loading: the net that was to be followed has not come to its own end
	UnknownDevice    = 15
	NotRecorded      = 16 // what asks for a port to be recorded is no time
)

// Problem is one reason why a net is rejected.
type Problem struct {
	Minor int
	Path  string // of the primitive or fragment, names from the root on joined by dots; empty for the root fragment
	Port  string // port or parameter, if it is about one
	Text  string
}

// String puts the place before the text.
func (p Problem) String() string {
	text := p.Text
	if p.Port != "" {
		text = p.Port + ": " + text
	}
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	return text
}

// Rejection is the error of a net that cannot run, with everything that is wrong with it in the order of its text.
type Rejection struct {
	Net      string
	Problems []Problem
}

func (r *Rejection) Error() string {
	texts := make([]string, len(r.Problems))
	for i, p := range r.Problems {
		texts[i] = p.String()
	}
	return fmt.Sprintf("net %q: %s", r.Net, strings.Join(texts, "; "))
}

// problems collects a bounded number of problems and counts the rest.
type problems struct {
	list  []located
	more  int
	limit int
}

type located struct {
	Problem
	seq int32 // place in the text of the net
}

// full tells that the next problem is only counted, so that its text need not be made.
func (p *problems) full() bool { return len(p.list) >= p.limit }

func (p *problems) add(seq int32, problem Problem) {
	if p.full() {
		p.more++
		return
	}
	p.list = append(p.list, located{problem, seq})
}

// rejection returns what was collected, nil if nothing.
func (p *problems) rejection(net string) error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b located) int { return cmp.Compare(a.seq, b.seq) })
	r := &Rejection{Net: net}
	for _, l := range p.list {
		r.Problems = append(r.Problems, l.Problem)
	}
	if p.more > 0 {
		r.Problems = append(r.Problems, Problem{Minor: NotInstantiated, Text: fmt.Sprintf("and %d more problems", p.more)})
	}
	return r
}

// hint says what may have been meant, for a problem that will be read.
func (p *problems) hint(name string, candidates iter.Seq[string]) string {
	if p.full() {
		return ""
	}
	return suggest.DidYouMean(name, candidates)
}

// chain writes the first of n texts one after another.
func chain(n int, between string, text func(i int) string) string {
	const most = 20
	var b strings.Builder
	for i := range min(n, most) {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(text(i))
	}
	if n > most {
		fmt.Fprintf(&b, "%s… (%d in all)", between, n)
	}
	return b.String()
}
