package spec

import "fmt"

// Operator says how a primitive is written in a formula, in which people read trees of primitives (§7.7.2). Its operands are the in ports
// in their order. A primitive without a rank is not written in formulas.
type Operator struct {
	Symbol string // between or before the operands, or the name of a function
	Rank   Rank
	Margin string // a parameter that is written behind the operands after ±, unless it has its default
}

// Rank is the form of an operator and its precedence. Operators of the same rank associate to the left.
type Rank uint8

// The ranks of operators.
const (
	NoOperator Rank = iota
	Choice          // condition ? value : value
	Otherwise       // value ?? replacement of null; not of a primitive but of parameters
	Disjunction
	Conjunction
	Comparison
	Sum
	Product
	Power
	Prefix  // before the only operand
	Call    // symbol(operands)
	Literal // the value of the only parameter
)

// mustBeWritable panics if the operator does not fit the ports.
func (p *Primitive) mustBeWritable() {
	o := p.Operator
	operands := len(p.In)
	var fits bool
	switch o.Rank {
	case NoOperator:
		if o == (Operator{}) {
			return
		}
	case Otherwise:
	case Choice:
		fits = operands == 3
	case Prefix:
		fits = operands == 1 && o.Symbol != ""
	case Call:
		fits = operands > 0 && o.Symbol != ""
	case Literal:
		fits = operands == 0 && len(p.Params) == 1
	default:
		fits = operands == 2 && o.Symbol != ""
	}
	if !fits || !p.Pure || len(p.Out) != 1 || o.Margin != "" && p.Param(o.Margin) < 0 {
		panic(fmt.Sprintf("%s: operator %+v does not fit the ports and parameters", p.Name, o))
	}
}

// nulls is what an in port reads while what it is connected to is null.
type nulls uint8

const (
	stayNull    nulls = iota
	takeGiven         // the parameter, if the net gives it
	takeDefault       // the parameter, given or not
)

// WhileOpen returns the text of the value that an in port reads while it is open, if that is not null; given is the value of
// its parameter in the net.
func (p *Port) WhileOpen(given *string) (text string, ok bool) {
	if given != nil {
		return *given, p.defaults
	}
	return p.fallback, p.defaults
}

// ForNull returns the text of the replacement of null, if the net gives another one than ports of this kind have anyway.
func (p *Port) ForNull(given *string) (text string, ok bool) {
	if given == nil || p.nulls == stayNull || p.nulls == takeDefault && *given == p.fallback {
		return "", false
	}
	return *given, true
}
