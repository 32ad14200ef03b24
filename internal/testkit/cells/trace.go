package cells

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Trace is a net that is executed cycle by cycle.
type Trace struct {
	Net    *rcc.Net
	Cycle  int               // the last one that was executed, from 1
	Values map[string]string // what the net has told in it or before, by key

	cell *Cell
}

// Load loads a net that is started by something else, such as a rule. Time must stand still.
func (c *Cell) Load(text string) *Trace {
	c.t.Helper()
	n, err := c.Core.Nets.Load(rcc.LoadRequest{Text: text, Description: c.t.Name()})
	if err != nil {
		c.t.Fatal(err)
	}
	if n.State() != rcc.Ready {
		c.t.Fatal(fmt.Errorf("%v: %v\n%s", n.State(), n.Problems(), text))
	}
	return &Trace{cell: c, Net: n}
}

// Trace loads a net and starts it.
func (c *Cell) Trace(text string) *Trace {
	c.t.Helper()
	r := c.Load(text)
	if err := r.Net.Start(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// Step executes a cycle; it is false if there was none, as the net has ended. For the first one it waits.
func (r *Trace) Step() bool {
	r.cell.t.Helper()
	if _, ended := r.Net.Ended(); ended || !r.cycle(func() { r.cell.Pass(1) }) {
		return false
	}
	r.Values = map[string]string{}
	for _, kv := range r.Net.Values().Reported(nil) {
		r.Values[strings.TrimPrefix(kv.Key, "out")] = kv.Value
	}
	return true
}

// Next is a faster Step for tests that read the net themselves: it does not set Values, and does not wait until the core has heard of what
// the cycle has brought about. When it returns false, time has passed for one cycle more.
func (r *Trace) Next() bool {
	r.cell.t.Helper()
	return r.cycle(r.cell.tick)
}

// cycle lets time pass for a cycle, and until the first one.
func (r *Trace) cycle(pass func()) bool {
	r.cell.t.Helper()
	pass()
	for left := patience; r.Cycle == 0 && r.Net.Newest() == 0; left-- {
		if _, ended := r.Net.Ended(); ended || left == 0 {
			r.cell.t.Fatal("the net does not begin")
		}
		pass()
	}
	newest := int(r.Net.Newest())
	if newest == r.Cycle {
		return false
	}
	if r.Cycle++; newest != r.Cycle {
		r.cell.t.Fatal(fmt.Errorf("after %d cycles, cycle %d", r.Cycle-1, newest))
	}
	return true
}

// patience is how many cycles the first one of a net may be late.
const patience = 5000

// Is reports whether a value is true.
func (r *Trace) Is(key string) bool { return r.Values[key] == "true" }

// Number returns a value that must be a number.
func (r *Trace) Number(key string) float64 {
	r.cell.t.Helper()
	v, err := strconv.ParseFloat(r.Values[key], 64)
	if err != nil {
		r.cell.t.Fatal(fmt.Errorf("cycle %d: %s: %w", r.Cycle, key, err))
	}
	return v
}

// Set tells the net a value from outside.
func (r *Trace) Set(key, value string) {
	r.cell.t.Helper()
	if err := r.Net.Set([]rcc.KeyValue{{Key: "in" + key, Value: value}}); err != nil {
		r.cell.t.Fatal(err)
	}
}

// Spans executes the net to its end and writes in which cycles something is true: "a 1-3 5, b 2, end 7".
func (r *Trace) Spans(most int, keys ...string) string {
	r.cell.t.Helper()
	spans := make([][][2]int, len(keys))
	for r.Step() {
		if r.Cycle > most {
			r.cell.t.Fatal(fmt.Errorf("not at its end after %d cycles", most))
		}
		for i, key := range keys {
			if !r.Is(key) {
				continue
			}
			if n := len(spans[i]); n > 0 && spans[i][n-1][1] == r.Cycle-1 {
				spans[i][n-1][1] = r.Cycle
			} else {
				spans[i] = append(spans[i], [2]int{r.Cycle, r.Cycle})
			}
		}
	}
	var parts []string
	for i, key := range keys {
		text := key
		for _, s := range spans[i] {
			if text += fmt.Sprint(" ", s[0]); s[0] != s[1] {
				text += fmt.Sprint("-", s[1])
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(append(parts, fmt.Sprint("end ", r.Cycle)), ", ")
}
