package scope

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Form is what the values of a channel are.
type Form struct {
	Type       string   `json:"type"`               // as of a port: bool, double, vector …; "state" for one of States
	Unit       string   `json:"unit,omitempty"`     // of every component
	Components []string `json:"components"`         // names of the numbers of a value; one empty name for a value that is one number
	States     []string `json:"states,omitempty"`   // values are indexes in this list
	Period     int64    `json:"period,omitempty"`   // ns between ticks; 0 where they have none
	Figure     bool     `json:"figure,omitempty"`   // it is looked at now and then: what lies between two ticks is not known
	Constant   bool     `json:"constant,omitempty"` // it never changes
}

// TypeState is the type of a channel whose values are indexes in States.
const TypeState = "state"

// norm is the component that is the length of a vector.
const norm = "norm"

// components of types that have a fixed number of them, in the order of their words.
var components = map[string][]string{
	"vector": {"x", "y", "z"},
	"twist":  {"vel.x", "vel.y", "vel.z", "rot.x", "rot.y", "rot.z"},
	"wrench": {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"},
}

// ComponentsOf names the words of a type.
func ComponentsOf(of string, words int) []string {
	if names := components[of]; len(names) == words {
		return slices.Clone(names)
	}
	if words == 1 && !strings.HasPrefix(of, "array") {
		return []string{""}
	}
	names := make([]string, words)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// A selection makes the values of a channel of the words of its source.
type selection struct {
	norm bool
	from int
	n    int
}

// choose returns what the channel shows of a source of that form, and the form of that.
func (c *Channel) choose(f Form) (selection, Form, error) {
	switch i := slices.Index(f.Components, c.Component); {
	case c.Component == "" || i >= 0 && len(f.Components) == 1:
		return selection{n: len(f.Components)}, f, nil
	case i >= 0:
		f.Components = []string{""}
		return selection{from: i, n: 1}, f, nil
	case c.Component == norm && (f.Type == "vector" || strings.HasPrefix(f.Type, "array")):
		s := selection{norm: true, n: len(f.Components)}
		f.Components, f.Type = []string{""}, "double"
		return s, f, nil
	}
	return selection{}, Form{}, fmt.Errorf("component %q is not one of a %s; it has %s", c.Component, f.Type, offered(f))
}

func offered(f Form) string {
	if len(f.Components) == 1 {
		return "none"
	}
	names := slices.Clone(f.Components[:min(len(f.Components), 12)])
	if f.Type == "vector" || strings.HasPrefix(f.Type, "array") {
		names = append(names, norm)
	}
	return strings.Join(names, ", ")
}

// width is how many numbers a selection gives.
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

// Norm is the Euclidean length of a vector, without overflow.
func Norm(v []float64) float64 {
	n := 0.0
	for _, x := range v {
		n = math.Hypot(n, x)
	}
	return n
}
