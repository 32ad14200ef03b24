package testkit

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Examples runs the examples of all primitives. Names in an example that are not ports are keys of messages: a value for
// the inbox before the cycle, a value on the board after it.
func (k Kit) Examples(t *testing.T) {
	for _, p := range k.Primitives {
		t.Run(p.Name, func(t *testing.T) {
			shown := map[string]bool{}
			for _, e := range p.Examples {
				for port := range e.Out {
					shown[port] = true
				}
				t.Run(e.Doc, func(t *testing.T) { k.example(t, p, e) })
			}
			for _, port := range p.Out {
				if !shown[port.Name] {
					t.Errorf("no example shows %s", port.Name)
				}
			}
		})
	}
}

func (k Kit) example(t *testing.T, p *spec.Primitive, e spec.Example) {
	t.Helper()
	period := 10 * time.Millisecond
	if e.Cycle != "" {
		var err error
		if period, err = time.ParseDuration(e.Cycle); err != nil {
			t.Fatal(err)
		}
	}
	r, err := k.rig(p, setup{
		instances: 1, period: period, params: e.Params, linked: func(port string) bool { return e.In[port] != nil },
		like: func(port *spec.Port) string { return likeIn(e, port) },
	})
	switch {
	case e.Reject != "" && err == nil:
		t.Fatalf("loaded, but %q expected", e.Reject)
	case e.Reject != "" && !strings.Contains(err.Error(), e.Reject):
		t.Fatalf("fails with %q, but %q expected", err, e.Reject)
	case e.Reject == "" && err != nil:
		t.Fatal(err)
	case e.Reject == "":
		r.play(t, e)
	}
}

func (r *rig) play(t *testing.T, e spec.Example) {
	t.Helper()
	for n := range length(t, e) {
		r.next()
		for name, texts := range e.In {
			r.feed(t, name, at(texts, n))
		}
		r.cycle()
		for name, texts := range e.Out {
			if got, want := r.read(t, name), at(texts, n); !same(got, want, r.hasDoubles(name)) {
				t.Errorf("cycle %d: %s is %s, not %s", n+1, name, got, want)
			}
		}
	}
}

func length(t *testing.T, e spec.Example) int {
	t.Helper()
	n := 1
	for _, s := range []map[string][]string{e.In, e.Out} {
		for name, texts := range s {
			if len(texts) == 0 {
				t.Fatalf("no values for %s", name)
			}
			n = max(n, len(texts))
		}
	}
	return n
}

func at(texts []string, n int) string { return texts[min(n, len(texts)-1)] }

const null = "null"

func (r *rig) feed(t *testing.T, name, text string) {
	t.Helper()
	if text == null {
		return // what is not set is null
	}
	if i := r.primitive.InPort(name); i >= 0 {
		if err := r.in[0][i].SetText(&r.cy, text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return
	}
	v, ok := r.env.Inbox.Find(name)
	if !ok {
		t.Fatalf("%s is neither an in port nor a key", name)
	}
	words, err := v.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r.env.Inbox.Put(r.cy.Time, spec.Update{Var: v, Words: words})
}

func (r *rig) read(t *testing.T, name string) string {
	t.Helper()
	if i := r.primitive.OutPort(name); i >= 0 {
		if cell := r.out[0][i]; cell.Current(&r.cy) {
			return string(cell.Text(nil))
		}
		return null
	}
	v, ok := r.env.Board.Find(name)
	if !ok {
		t.Fatalf("%s is neither an out port nor a key", name)
	}
	words := make([]uint64, len(v.Initial))
	written, _, ok := r.env.Board.Read(v.Offset(), words)
	if !ok {
		t.Fatalf("%s cannot be read", name)
	}
	if written == 0 {
		return null
	}
	return string(v.Text(nil, words))
}

// hasDoubles reports whether there are doubles in the values of an out port or of a key of the board.
func (r *rig) hasDoubles(name string) bool {
	var t value.Type
	if i := r.primitive.OutPort(name); i >= 0 {
		t = r.primitive.Out[i].Type
	} else if v, ok := r.env.Board.Find(name); ok {
		t = v.Type
	}
	if element, isArray := t.Element(); isArray {
		t = element
	}
	switch t {
	case value.TypeBool, value.TypeInt, value.TypeTime, "":
		return false
	}
	return true
}

// same forgives doubles the last digits: processors differ in how they round a product and a sum.
func same(got, want string, doubles bool) bool {
	if got == want || !doubles {
		return got == want
	}
	const between = "{}[],:"
	structure := func(c rune) rune {
		if strings.ContainsRune(between, c) {
			return c
		}
		return -1
	}
	isBetween := func(c rune) bool { return strings.ContainsRune(between, c) }
	gotWords, wantWords := strings.FieldsFunc(got, isBetween), strings.FieldsFunc(want, isBetween)
	if len(gotWords) != len(wantWords) || strings.Map(structure, got) != strings.Map(structure, want) {
		return false
	}
	for i := range gotWords {
		if !sameWord(gotWords[i], wantWords[i]) {
			return false
		}
	}
	return true
}

func sameWord(got, want string) bool {
	a, errA := value.Double.Parse(got)
	b, errB := value.Double.Parse(want)
	return got == want || errA == nil && errB == nil && math.Abs(a-b) <= 1e-12*max(1, math.Abs(b))
}
