package rule

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Value is a value of three-valued logic. Of its two bits the lower one is that it is not false, the upper one that it is
// true: & and | of numbers are those of table 6.1.
type Value uint8

// The values.
const (
	False         Value = 0b00
	Indeterminate Value = 0b01
	True          Value = 0b11
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

// Variable is a variable of a net.
type Variable struct {
	Net, Key string
}

// Program is a compiled condition. One evaluation at a time: it has one set of cells.
//
// What is combined lies in cells: first the variables, then the constant t, then the results of inner operators. Each
// operand of each operator is a step. Steps are alike, whatever they do, so that a processor has no branches to guess: what
// they differ in are numbers.
type Program struct {
	variables []Variable
	steps     []step
	cells     []Value
}

// step combines the result so far with a cell and leaves it in another one.
type step struct {
	from, to uint32
	as       uint8 // what is taken for the values of the cell, two bits each
	first    Value // True in the first step of an operator: there is no result so far
	or       Value // True for |, False for &
}

// What a step takes for the value of a cell: the value, or its negation.
const (
	itself  = uint8(False<<(2*False) | Indeterminate<<(2*Indeterminate) | True<<(2*True))
	negated = uint8(True<<(2*False) | Indeterminate<<(2*Indeterminate) | False<<(2*True))
)

func (s *step) do(result, v Value) Value {
	v = Value(s.as) >> (2 * v & 6) & True
	return (result|s.first)&(v|s.or) | v&s.or
}

// Compile makes a program of a condition.
func Compile(c *grammar.Cond) (*Program, error) {
	k := compiler{known: map[Variable]operand{}}
	k.name(c)
	k.constant = operand{cell: uint32(len(k.variables)), as: itself}
	k.cells = k.constant.cell + 1
	result, err := k.compile(c)
	if err != nil {
		return nil, err
	}
	if len(k.steps) == 0 || result.as == negated { // the last step has to leave the result
		k.operate(grammar.And, []operand{result})
	}
	p := &Program{variables: k.variables, steps: k.steps, cells: make([]Value, k.cells)}
	p.cells[k.constant.cell] = True
	return p, nil
}

type compiler struct {
	variables []Variable
	known     map[Variable]operand
	constant  operand
	steps     []step
	cells     uint32
}

// operand is a cell, or its negation.
type operand struct {
	cell uint32
	as   uint8
}

// name gives all variables their cells.
func (k *compiler) name(c *grammar.Cond) {
	v := Variable{Net: c.Net, Key: c.Key}
	if _, ok := k.known[v]; c.Op == grammar.Var && !ok {
		k.known[v] = operand{cell: uint32(len(k.variables)), as: itself}
		k.variables = append(k.variables, v)
	}
	for _, o := range c.Operands {
		k.name(o)
	}
}

// compile appends the steps of a condition and returns where its value is.
func (k *compiler) compile(c *grammar.Cond) (operand, error) {
	operands := make([]operand, len(c.Operands))
	for i, o := range c.Operands {
		var err error
		if operands[i], err = k.compile(o); err != nil {
			return operand{}, err
		}
	}
	switch n := len(operands); {
	case c.Op == grammar.Var:
		return k.known[Variable{Net: c.Net, Key: c.Key}], nil
	case c.Op == grammar.True && n == 0:
		return k.constant, nil
	case c.Op == grammar.Not && n == 1:
		return operand{operands[0].cell, itself ^ negated ^ operands[0].as}, nil
	case (c.Op == grammar.And || c.Op == grammar.Or) && n > 0:
		return k.operate(c.Op, operands), nil
	default:
		return operand{}, fmt.Errorf("condition: operator %d with %d operands", c.Op, n)
	}
}

// operate appends the steps of an operator, whose value is in a new cell.
func (k *compiler) operate(op grammar.Op, operands []operand) operand {
	result := operand{cell: k.cells, as: itself}
	k.cells++
	for i, o := range operands {
		s := step{from: o.cell, to: result.cell, as: o.as}
		if i == 0 {
			s.first = True // a value & t is the value, for both operators
		} else if op == grammar.Or {
			s.or = True
		}
		k.steps = append(k.steps, s)
	}
	return result
}

// Variables returns the variables in the order in which Eval wants their values.
func (p *Program) Variables() []Variable { return p.variables }

// Eval evaluates the condition. Values that are missing are indeterminate (cycle).
func (p *Program) Eval(values []Value) Value {
	cells, steps := p.cells, p.steps
	for i := range p.variables {
		if i < len(cells) {
			cells[i] = Indeterminate
			if i < len(values) {
				cells[i] = values[i]
			}
		}
	}
	result := Indeterminate
	for i := range steps {
		s := &steps[i]
		if from, to := uint(s.from), uint(s.to); from < uint(len(cells)) && to < uint(len(cells)) {
			result = s.do(result, cells[from])
			cells[to] = result
		}
	}
	return result
}
