package robotics_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
)

// trace is a command that is executed cycle by cycle, with what is watched.
type trace struct {
	cell   *cell
	net    *rcc.Net
	cycles int
	values map[string]string
}

// trace loads a command, whose states and sensors are watched by keys, and starts it. Time must stand still.
func (c *cell) trace(command robotics.Command, states map[string]robotics.State, values map[string]robotics.Sensor[float64]) *trace {
	c.t.Helper()
	text, err := robotics.Watched(command, states, values, true)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.run(text)
}

func (c *cell) run(text string) *trace {
	c.t.Helper()
	n, err := c.core.Load(rcc.LoadRequest{Text: text, Description: c.t.Name()})
	if err != nil {
		c.t.Fatal(err)
	}
	if n.State() != rcc.Ready {
		c.t.Fatalf("%v: %v\n%s", n.State(), n.Problems(), text)
	}
	if err := n.Start(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	return &trace{cell: c, net: n}
}

// step executes a cycle; it is false if there was none, as the net has ended.
func (r *trace) step() bool {
	r.cell.t.Helper()
	if _, ended := r.net.Ended(); ended {
		return false
	}
	if err := r.cell.clock.Advance(r.cell.t.Context(), period); err != nil {
		r.cell.t.Fatal(err)
	}
	v := r.net.Values()
	if v == nil || int(v.Cycle) == r.cycles {
		return false
	}
	if r.cycles++; int(v.Cycle) != r.cycles {
		r.cell.t.Fatalf("after %d cycles, cycle %d", r.cycles-1, v.Cycle)
	}
	r.values = map[string]string{}
	for _, kv := range v.All() {
		r.values[strings.TrimPrefix(kv.Key, "out")] = kv.Value
	}
	return true
}

func (r *trace) is(key string) bool { return r.values[key] == "true" }

func (r *trace) number(key string) float64 {
	v, err := strconv.ParseFloat(r.values[key], 64)
	if err != nil {
		r.cell.t.Fatalf("cycle %d: %s: %v", r.cycles, key, err)
	}
	return v
}

// runs writes in which cycles something is true: "a 1-3 5, b 2".
func (r *trace) runs(most int, keys ...string) string {
	r.cell.t.Helper()
	spans := map[string][][2]int{}
	for r.step() {
		if r.cycles > most {
			r.cell.t.Fatalf("not at its end after %d cycles", most)
		}
		for _, key := range keys {
			if !r.is(key) {
				continue
			}
			s := spans[key]
			if n := len(s); n > 0 && s[n-1][1] == r.cycles-1 {
				s[n-1][1] = r.cycles
			} else {
				spans[key] = append(s, [2]int{r.cycles, r.cycles})
			}
		}
	}
	var parts []string
	for _, key := range keys {
		text := key
		for _, s := range spans[key] {
			if s[0] == s[1] {
				text += fmt.Sprintf(" %d", s[0])
			} else {
				text += fmt.Sprintf(" %d-%d", s[0], s[1])
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(", end %d", r.cycles)
}

// keys of states, in order.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
