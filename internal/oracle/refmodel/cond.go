package refmodel

import (
	"slices"
	"strings"
)

// Truth is a value of table 6.1. The order makes and the least, or the greatest and not the opposite.
type Truth int

// The values.
const (
	No Truth = iota - 1
	Unknown
	Yes
)

func truth(b bool) Truth {
	if b {
		return Yes
	}
	return No
}

// Cond is a condition: t, a variable, or an operator over operands.
type Cond struct {
	Op       byte // one of t v ! & |
	Net, Key string
	Of       []Cond
}

// True is the condition that holds at once.
var True = Cond{Op: 't'}

// Var returns the condition that a variable of a net is true.
func Var(net, key string) Cond { return Cond{Op: 'v', Net: net, Key: key} }

// String writes the condition as clients do.
func (c Cond) String() string {
	switch c.Op {
	case 't':
		return "t"
	case 'v':
		return c.Net + "." + c.Key
	case '!':
		return "!" + c.Of[0].String()
	}
	words := make([]string, len(c.Of))
	for i, o := range c.Of {
		words[i] = o.String()
	}
	return "(" + strings.Join(words, string(c.Op)) + ")"
}

func (c Cond) eval(value func(net, key string) Truth) Truth {
	switch c.Op {
	case 't':
		return Yes
	case 'v':
		return value(c.Net, c.Key)
	case '!':
		return -c.Of[0].eval(value)
	}
	result := c.Of[0].eval(value)
	for _, o := range c.Of[1:] {
		if c.Op == '&' {
			result = min(result, o.eval(value))
		} else {
			result = max(result, o.eval(value))
		}
	}
	return result
}

// variables calls f for every variable of the condition.
func (c Cond) variables(f func(net, key string)) {
	if c.Op == 'v' {
		f(c.Net, c.Key)
	}
	for _, o := range c.Of {
		o.variables(f)
	}
}

// future reports whether a condition can become true, and false, when each of its variables can.
func (c Cond) future(value func(net, key string) (yes, no bool)) (yes, no bool) {
	switch c.Op {
	case 't':
		return true, false
	case 'v':
		return value(c.Net, c.Key)
	case '!':
		yes, no = c.Of[0].future(value)
		return no, yes
	}
	all, any, none, some := true, false, true, false
	for _, o := range c.Of {
		y, n := o.future(value)
		all, any, none, some = all && y, any || y, none && n, some || n
	}
	if c.Op == '&' {
		return all, some
	}
	return any, none
}

// satisfiable tries all values of all variables.
func (c Cond) satisfiable() bool {
	type variable struct{ net, key string }
	values := map[variable]bool{}
	var names []variable
	c.variables(func(net, key string) {
		if v := (variable{net, key}); !slices.Contains(names, v) {
			names = append(names, v)
		}
	})
	for choice := range 1 << len(names) {
		for i, v := range names {
			values[v] = choice>>i&1 != 0
		}
		if c.eval(func(net, key string) Truth { return truth(values[variable{net, key}]) }) == Yes {
			return true
		}
	}
	return false
}
