package rule

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Value is a value of three-valued logic. The order makes and the minimum and or the maximum (table 6.1).
type Value uint8

// The values.
const (
	False Value = iota
	Indeterminate
	True
)

// String returns the letter of table 6.1.
func (v Value) String() string {
	switch v {
	case False:
		return "f"
	case True:
		return "t"
	default:
		return "i"
	}
}

// Of returns the value of a variable that has one.
func Of(b bool) Value {
	if b {
		return True
	}
	return False
}

// The operators of table 6.1 (cycle).
func not(a Value) Value    { return True - min(a, True) }
func and(a, b Value) Value { return min(a, b) }
func or(a, b Value) Value  { return max(a, b) }

// Variable is a variable of a net.
type Variable struct {
	Net, Key string
}

// Program is a compiled condition. One evaluation at a time: it has one stack.
type Program struct {
	variables []Variable
	code      []instruction
	stack     []Value
}

// instruction works on the stack: leaves push, operators replace their count operands, which lie on top.
type instruction struct {
	op    grammar.Op
	count int // And, Or: operands; Var: index of the variable
}

// Compile makes a program of a condition.
func Compile(c *grammar.Cond) (*Program, error) {
	p := new(Program)
	depth, err := p.compile(c, map[Variable]int{})
	p.stack = make([]Value, depth)
	return p, err
}

// compile appends the code of c and returns how much stack it needs.
func (p *Program) compile(c *grammar.Cond, known map[Variable]int) (depth int, err error) {
	i := instruction{op: c.Op, count: len(c.Operands)}
	switch arity := len(c.Operands); {
	case c.Op == grammar.Var:
		i.count = p.variable(c, known)
	case c.Op == grammar.True && arity == 0, c.Op == grammar.Not && arity == 1:
	case (c.Op == grammar.And || c.Op == grammar.Or) && arity > 0:
	default:
		return 0, fmt.Errorf("condition: operator %d with %d operands", c.Op, arity)
	}
	depth = 1
	for k, operand := range c.Operands {
		d, err := p.compile(operand, known)
		if err != nil {
			return 0, err
		}
		depth = max(depth, k+d)
	}
	p.code = append(p.code, i)
	return depth, nil
}

func (p *Program) variable(c *grammar.Cond, known map[Variable]int) int {
	name := Variable{Net: c.Net, Key: c.Key}
	i, ok := known[name]
	if !ok {
		i = len(p.variables)
		known[name] = i
		p.variables = append(p.variables, name)
	}
	return i
}

// Variables returns the variables in the order in which Eval wants their values.
func (p *Program) Variables() []Variable { return p.variables }

// Eval evaluates the condition. Values that are missing are indeterminate (cycle).
func (p *Program) Eval(values []Value) Value {
	top := 0
	for _, i := range p.code {
		var v Value
		switch i.op {
		case grammar.True:
			v = True
		case grammar.Var:
			v = at(values, i.count)
		default:
			top -= i.count
			v = p.combine(i.op, top, i.count)
		}
		if uint(top) < uint(len(p.stack)) {
			p.stack[top] = v
		}
		top++
	}
	return at(p.stack, 0)
}

// at returns value i, or indeterminate.
func at(values []Value, i int) Value {
	if uint(i) < uint(len(values)) {
		return values[i]
	}
	return Indeterminate
}

// combine applies an operator to count values of the stack.
func (p *Program) combine(op grammar.Op, from, count int) Value {
	v := at(p.stack, from)
	if op == grammar.Not {
		return not(v)
	}
	for i := from + 1; i < from+count; i++ {
		if op == grammar.And {
			v = and(v, at(p.stack, i))
		} else {
			v = or(v, at(p.stack, i))
		}
	}
	return v
}
