package net

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
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
	NotRecorded      = 16 // the debug marker of a port is not a time
)

// kinds are the numbers in words.
var kinds = map[int]string{
	UnknownType: "unknown type", NotInstantiated: "name or size", NoTerminate: "no outTerminate", UnknownParameter: "unknown parameter",
	NotConfigured: "configuration", UnguardedCycle: "cycle", UnknownInPort: "unknown in port", UnknownSource: "unknown source",
	UnknownOutPort: "unknown out port", TypesDiffer: "types differ", ParentAborted: "parent aborted", UnknownDevice: "unknown device",
	NotRecorded: "recording",
}

// Kind returns the sort of problem in words.
func (p Problem) Kind() string { return kinds[p.Minor] }

// Problem is one reason why a net is rejected, or a warning.
type Problem struct {
	grammar.Pos // in the text of the net, or in its XML; zero when it has no place there
	Minor       int
	Path        string // of the primitive or fragment, names from the root on joined by dots; empty for the root fragment
	Port        string // port or parameter, if it is about one
	Text        string
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

// WithPlace returns the problem followed by its place in the text, if it has one.
func (p Problem) WithPlace() string {
	if p.Line == 0 {
		return p.String()
	}
	return fmt.Sprintf("%s (line %d, column %d)", p.String(), p.Line, p.Column)
}

// MarshalJSON writes the problem as the pages of nets do.
func (p Problem) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind   string `json:"kind"`
		Minor  int    `json:"minor"`
		Block  string `json:"block"`
		Port   string `json:"port,omitempty"`
		Line   int    `json:"line,omitempty"`
		Column int    `json:"column,omitempty"`
		Text   string `json:"text"`
	}{p.Kind(), p.Minor, p.Path, p.Port, p.Line, p.Column, p.Text})
}

// Rejection is the error of a net that cannot run, with all its mistakes in the order of its text.
type Rejection struct {
	Net      string
	Problems []Problem
	Warnings []Problem // that alone would not be a reason to reject it
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

// full reports whether the next problem is only counted, so that its text need not be made.
func (ps *problems) full() bool { return len(ps.list) >= ps.limit }

func (ps *problems) add(seq int32, problem Problem) {
	if ps.full() {
		ps.more++
		return
	}
	ps.list = append(ps.list, located{problem, seq})
}

// sorted returns what was collected, in the order of the text of the net.
func (ps *problems) sorted(what string) (list []Problem) {
	slices.SortStableFunc(ps.list, func(a, b located) int { return cmp.Compare(a.seq, b.seq) })
	for _, l := range ps.list {
		list = append(list, l.Problem)
	}
	if ps.more > 0 {
		list = append(list, Problem{Minor: NotInstantiated, Text: fmt.Sprintf("and %d more %s", ps.more, what)})
	}
	return list
}

// hint says what may have been meant, for a problem that will be read.
func (ps *problems) hint(name string, candidates iter.Seq[string]) string {
	if ps.full() {
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
