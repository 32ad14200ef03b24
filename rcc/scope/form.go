package scope

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Form describes the values of a channel.
type Form struct {
	Type       string   `json:"type"`               // as of a port: bool, double, vector …; "state" for one of States
	Unit       string   `json:"unit,omitempty"`     // of every component
	Components []string `json:"components"`         // names of the numbers of a value; one empty name for a value that is one number
	Normed     int      `json:"normed,omitempty"`   // how many numbers, from the first, the norm is of
	States     []string `json:"states,omitempty"`   // values are indexes in this list
	Period     int64    `json:"period,omitempty"`   // ns between ticks; 0 if irregular
	Figure     bool     `json:"figure,omitempty"`   // it is read now and then: values between two ticks are unknown
	Constant   bool     `json:"constant,omitempty"` // it never changes
}

// TypeState is the type of a channel whose values are indexes in States.
const TypeState = "state"

// norm is the component that is the length of a vector.
const norm = "norm"

// A selection makes the values of a channel of the words of its source.
type selection struct {
	norm bool
	from int
	n    int
}

// choose returns what the channel shows of a source of that form, and the form of that.
func (c *Channel) choose(f Form) (selection, Form, error) {
	s := selection{n: len(f.Components)}
	switch i := slices.Index(f.Components, c.Component); {
	case c.Component == "":
		return s, f, nil
	case i >= 0:
		s = selection{from: i, n: 1}
	case c.Component == norm && f.Normed > 0:
		s = selection{norm: true, n: f.Normed}
	default:
		return selection{}, Form{}, fmt.Errorf("component %q is not one of a %s; it has %s", c.Component, f.Type, offered(f))
	}
	f.Components, f.Normed, f.Type = []string{""}, 0, elementOf(f.Type)
	return s, f, nil
}

// elementOf returns the type of a component.
func elementOf(of string) string {
	if element, ok := strings.CutPrefix(of, "array<"); ok {
		return strings.TrimSuffix(element, ">")
	}
	return "double"
}

func offered(f Form) string {
	if len(f.Components) == 1 {
		return "none"
	}
	names := slices.Clone(f.Components[:min(len(f.Components), 12)])
	if f.Normed > 0 {
		names = append(names, norm)
	}
	return strings.Join(names, ", ")
}

// width returns how many numbers a selection gives.
func (s selection) width() int {
	if s.norm {
		return 1
	}
	return s.n
}

// add appends what is selected of the words of one sample.
func (s selection) add(to, words []float64) []float64 {
	part := words[s.from : s.from+s.n]
	if s.norm {
		return append(to, Norm(part))
	}
	return append(to, part...)
}

// Norm returns the Euclidean length of a vector, without overflow.
func Norm(v []float64) float64 {
	n := 0.0
	for _, x := range v {
		n = math.Hypot(n, x)
	}
	return n
}
