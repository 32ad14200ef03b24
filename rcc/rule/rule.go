package rule

import (
	"fmt"
	"math/bits"
	"slices"

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

	// Any stands for a value that may still become true and may still become false. A result that MayBeTrue is one that some of
	// these choices make true: operators work on Any as they do on values.
	Any Value = 0b10
)

// MayBeTrue reports whether a result of values, some of which are Any, can become true.
func (v Value) MayBeTrue() bool { return v&Any != 0 }

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

// Values are packed, 64 into two words: a bit of the first says that a value is true, one of the second that it is not false.

// Words returns the number of words for a number of values.
func Words(values int) int { return 2 * ((values + 63) / 64) }

// Put makes value i of words another one.
func Put(words []uint64, i int, v Value) {
	is, may, at := &words[i/64*2], &words[i/64*2+1], i%64
	*is = *is&^(1<<at) | uint64(v)>>1<<at
	*may = *may&^(1<<at) | uint64(v)&1<<at
}

// Get returns value i of words.
func Get(words []uint64, i int) Value {
	is, may, at := words[i/64*2], words[i/64*2+1], i%64
	return Value(is>>at&1<<1 | may>>at&1)
}

// Program is a compiled condition.
//
// It works on cells: values that are combined, first those of the variables, then results. All operators are one, the conjunction
// of cells and of negations of cells. So a step takes all of its operands that are in the same words at once, and there is no
// branch in it that a processor could guess wrongly.
type Program struct {
	steps     []step
	cells     int
	variables []Variable
}

// step is a conjunction, or the part of one whose operands are in the same words.
type step struct {
	plain, negated uint64 // operands in the words
	words, result  uint16 // first one of both
	bit            uint8  // of the result in its words
	rest           int8   // 0 in the first step of a conjunction, else -1
}

// mostCells keeps words countable.
const mostCells = 1 << 16 / 2 * 64

// Compile makes a program of a condition.
func Compile(c *grammar.Cond) (*Program, error) {
	k := compiler{known: map[Variable]int{}}
	if err := k.name(c); err != nil {
		return nil, err
	}
	k.cells = len(k.variables)
	k.conjunction(k.all(c, false))
	if k.cells > mostCells {
		return nil, fmt.Errorf("condition: %d variables and operators", k.cells)
	}
	return &Program{steps: k.steps, cells: k.cells, variables: k.variables}, nil
}

type compiler struct {
	variables []Variable
	known     map[Variable]int // cells
	steps     []step
	cells     int
}

// operand is a cell, or its negation.
type operand struct {
	cell    int
	negated bool
}

// name gives all variables their cells, and checks whether the tree is one.
func (k *compiler) name(c *grammar.Cond) error {
	switch n := len(c.Operands); {
	case c.Op == grammar.Var:
		v := Variable{Net: c.Net, Key: c.Key}
		if _, ok := k.known[v]; !ok {
			k.known[v] = len(k.variables)
			k.variables = append(k.variables, v)
		}
	case c.Op == grammar.True && n == 0, c.Op == grammar.Not && n == 1:
	case (c.Op == grammar.And || c.Op == grammar.Or) && n > 0:
	default:
		return fmt.Errorf("condition: operator %d with %d operands", c.Op, n)
	}
	for _, o := range c.Operands {
		if err := k.name(o); err != nil {
			return err
		}
	}
	return nil
}

// all returns operands whose conjunction is a condition, or its negation.
func (k *compiler) all(c *grammar.Cond, negated bool) (list []operand) {
	switch c.Op {
	case grammar.Var:
		return []operand{{k.known[Variable{Net: c.Net, Key: c.Key}], negated}}
	case grammar.True:
		return k.sign(nil, negated)
	case grammar.Not:
		return k.all(c.Operands[0], !negated)
	}
	or := c.Op == grammar.Or // a|b is !(!a&!b)
	for _, o := range c.Operands {
		list = append(list, k.all(o, or)...)
	}
	return k.sign(list, negated != or)
}

// sign returns operands whose conjunction is that of a list, or its negation.
func (k *compiler) sign(list []operand, negated bool) []operand {
	if !negated {
		return list
	}
	return []operand{{k.conjunction(list), true}}
}

// conjunction appends the steps of one and returns the cell of its result. That of nothing is true.
func (k *compiler) conjunction(list []operand) (cell int) {
	cell = k.cells
	k.cells++
	slices.SortFunc(list, func(a, b operand) int { return a.cell - b.cell })
	s := step{result: uint16(cell / 64 * 2), bit: uint8(cell % 64)}
	for _, o := range list {
		if words := uint16(o.cell / 64 * 2); words != s.words {
			k.steps = append(k.steps, s)
			s.words, s.plain, s.negated, s.rest = words, 0, 0, -1
		}
		if bit := uint64(1) << (o.cell % 64); o.negated {
			s.negated |= bit
		} else {
			s.plain |= bit
		}
	}
	k.steps = append(k.steps, s)
	return cell
}

// Variables returns the variables in the order in which Eval wants their values.
func (p *Program) Variables() []Variable { return p.variables }

// Cells returns how many values Eval needs room for.
func (p *Program) Cells() int { return p.cells }

// effort bounds the steps in which Satisfiable makes up its mind: some milliseconds.
const effort = 1 << 20

// Satisfiable reports whether any values make the condition true. It may be wrong in saying yes only when the condition is long,
// or has very many variables, of which some are wanted to be true and false, as in a & !a.
func (p *Program) Satisfiable() bool {
	n, most := len(p.variables), min(16, max(0, bits.Len(uint(effort/len(p.steps)))-1))
	cells := make([]uint64, Words(p.cells))
	for i := range n {
		Put(cells, i, Any)
	}
	if !p.Eval(cells).MayBeTrue() {
		return false
	}
	for choice := range 1 << min(n, most) {
		for i := range n {
			v := Any
			if i < most {
				v = Of(choice>>i&1 != 0)
			}
			Put(cells, i, v)
		}
		if p.Eval(cells).MayBeTrue() {
			return true
		}
	}
	return false
}

// Eval evaluates the condition over the values of its variables, behind which it leaves results in between. It is
// indeterminate when there is no room for them (cycle).
func (p *Program) Eval(cells []uint64) Value {
	if p.cells <= 64 && len(cells) > 1 {
		return p.evalFew(cells[0], cells[1])
	}
	var untrue, wrong uint64 // operands that are not true, and that are false
	steps := p.steps
	for i := range steps {
		s := &steps[i]
		from, to := uint(s.words), uint(s.result)
		if from+1 >= uint(len(cells)) || to+1 >= uint(len(cells)) {
			return Indeterminate
		}
		untrue, wrong = s.and(untrue, wrong, cells[from], cells[from+1])
		bit := uint64(1) << (s.bit & 63)
		cells[to] = cells[to]&^bit | none(untrue)&bit
		cells[to+1] = cells[to+1]&^bit | none(wrong)&bit
	}
	return valueOf(untrue, wrong)
}

// evalFew is Eval of cells that all are in two words, as those of nearly all conditions: they stay in registers (cycle).
func (p *Program) evalFew(is, may uint64) Value {
	var untrue, wrong uint64
	steps := p.steps
	for i := range steps {
		s := &steps[i]
		untrue, wrong = s.and(untrue, wrong, is, may)
		bit := uint64(1) << (s.bit & 63)
		is = is&^bit | none(untrue)&bit
		may = may&^bit | none(wrong)&bit
	}
	return valueOf(untrue, wrong)
}

func (s *step) and(untrue, wrong, is, may uint64) (uint64, uint64) {
	rest := uint64(s.rest)
	return untrue&rest | s.plain&^is | s.negated&may, wrong&rest | s.plain&^may | s.negated&is
}

func valueOf(untrue, wrong uint64) Value {
	return Value(none(untrue)&(uint64(True)&^uint64(Indeterminate)) | none(wrong)&uint64(Indeterminate))
}

// none returns all bits when none is set.
func none(bits uint64) uint64 { return uint64(int64((bits-1)&^bits) >> 63) }
