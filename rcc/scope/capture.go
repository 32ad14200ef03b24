package scope

import "sort"

// Capture is a record of a scope around a trigger: all channels on one axis of ticks.
type Capture struct {
	Setup    string   `json:"setup"`
	Number   int      `json:"number"`  // of the captures of its scope, from 1 on
	Trigger  int64    `json:"trigger"` // the tick
	Forced   bool     `json:"forced"`  // without a trigger
	Why      string   `json:"why,omitempty"`
	Before   int64    `json:"before"` // ns, as in the setup
	After    int64    `json:"after"`
	Ticks    []int64  `json:"-"` // Unix time in ns, rising
	Channels []Trace  `json:"channels"`
	Late     []string `json:"late,omitempty"` // channels whose samples have not come in time
	Lost     int      `json:"lost,omitempty"` // samples that were overwritten before they were read
}

// Bytes returns how much memory the capture takes.
func (c *Capture) Bytes() int {
	row := 8
	for i := range c.Channels {
		row += 1 + 8*len(c.Channels[i].Values)
	}
	return row * len(c.Ticks)
}

// Mark is the kind of value that a channel has at a tick.
type Mark uint8

// Marks.
const (
	Null  Mark = iota // no value: the port was null, or its net did not run
	Value             // a value of this tick
	Held              // the channel had no cycle at this tick; the value is that of its last one
)

// Trace is one channel of a capture.
type Trace struct {
	Name string `json:"name"`
	Form
	Marks  []Mark      `json:"-"` // for each tick
	Values [][]float64 `json:"-"` // for each component and tick; 0 where there is none
}

// samples are those of a group that a scope has kept.
type samples struct {
	ticks []int64
	marks [][]bool    // of each channel: whether it has a value
	words [][]float64 // of each channel: its numbers, one sample after another
}

// since returns the index of the first sample at or after a tick.
func (s *samples) since(tick int64) int {
	return sort.Search(len(s.ticks), func(i int) bool { return s.ticks[i] >= tick })
}

// axis returns the union of rising ticks.
func axis(of [][]int64) []int64 {
	var all []int64
	for _, ticks := range of {
		all = merge(all, ticks)
	}
	return all
}

func merge(a, b []int64) []int64 {
	if len(a) == 0 {
		return append([]int64(nil), b...)
	}
	both := make([]int64, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var next int64
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			next, a = a[0], a[1:]
		case len(a) == 0 || b[0] < a[0]:
			next, b = b[0], b[1:]
		default:
			next, a, b = a[0], a[1:], b[1:]
		}
		both = append(both, next)
	}
	return both
}

// gap reports whether a tick is missing between two that follow each other.
func gap(before, now, period int64) bool { return period > 0 && now-before > period+period/2 }

// trace puts the samples of a channel on an axis.
func (s *samples) trace(channel int, name string, f Form, axis []int64) Trace {
	width := len(f.Components)
	t := Trace{Name: name, Form: f, Marks: make([]Mark, len(axis)), Values: make([][]float64, width)}
	for c := range t.Values {
		t.Values[c] = make([]float64, len(axis))
	}
	i := -1 // newest sample at or before the tick of the axis
	for at, tick := range axis {
		for i+1 < len(s.ticks) && s.ticks[i+1] <= tick {
			i++
		}
		if i < 0 || !s.marks[channel][i] {
			continue
		}
		switch {
		case s.ticks[i] == tick:
			t.Marks[at] = Value
		case f.Period > 0 && !gap(s.ticks[i], tick, f.Period):
			t.Marks[at] = Held
		default:
			continue
		}
		for c := range t.Values {
			t.Values[c][at] = s.words[channel][i*width+c]
		}
	}
	return t
}
