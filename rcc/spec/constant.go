package spec

import (
	"math"
	"reflect"

	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// constants are the cells of one data type that in ports of a net read while they are open. Equal texts share a cell,
// and cells lie next to each other in memory: a cycle touches few of them.
type constants[T any] struct {
	byText map[string]*Out[T]
	cells  []Out[T] // room for the next ones
	never  *Out[T]
	env    *Env
}

// constantsOf returns the constants of a net. There are as many lists as data types, few enough to look through.
func constantsOf[T any](env *Env) *constants[T] {
	for _, have := range env.constants {
		if c, ok := have.(*constants[T]); ok {
			return c
		}
	}
	c := &constants[T]{byText: map[string]*Out[T]{}, env: env}
	env.constants = append(env.constants, c)
	return c
}

// cell returns a cell that has the value of a text in every cycle.
func (c *constants[T]) cell(text string) (*Out[T], error) {
	if have := c.byText[text]; have != nil {
		return have, nil
	}
	codec := value.Of[T]()
	c.env.takePiece(parsedBytes(codec.Type, text))
	if c.env.short != nil {
		return nil, c.env.short
	}
	v, err := codec.Parse(text)
	if err != nil {
		return nil, err
	}
	made := c.make()
	*made = Out[T]{V: v, stamp: always}
	c.byText[text] = made
	return made, nil
}

// null returns a cell that never has a value. It holds NaN, which operands read for null.
func (c *constants[T]) null() *Out[T] {
	if c.never == nil {
		c.never = c.make()
		if d, ok := any(&c.never.V).(*float64); ok {
			*d = math.NaN()
		}
	}
	return c.never
}

func (c *constants[T]) make() *Out[T] {
	const together = 64
	if len(c.cells) == 0 {
		c.env.takePiece(budget.Object(together * int64(reflect.TypeFor[Out[T]]().Size())))
		c.cells = make([]Out[T], together)
	}
	made := &c.cells[0]
	c.cells = c.cells[1:]
	return made
}

// parsedBytes returns how much memory the value of a text takes at most, besides the place where it stands.
func parsedBytes(t value.Type, text string) int64 {
	if _, isArray := t.Element(); isArray || t == value.TypeMatrix {
		return budget.Object(bytesOfText * int64(len(text)))
	}
	return 0
}

// bytesOfText is how much memory a character takes in the value of an array: "0," becomes 8 bytes, in a list that may have
// room for as many again.
const bytesOfText = 8

// Constant returns the cell that stands for an out port (Block.Cell) that has the same value in every cycle: equal
// values share one.
func (e *Env) Constant(cell any) any { return cell.(constant).constant(e) }

type constant interface {
	constant(env *Env) any
}

func (p *Out[T]) constant(env *Env) any {
	constants := constantsOf[T](env)
	if p.stamp != always {
		return constants.null()
	}
	codec := value.Of[T]()
	if codec.Words(p.V) > 1 {
		return p // too long to look for its equal
	}
	env.text = codec.Append(env.text[:0], p.V)
	if have := constants.byText[string(env.text)]; have != nil {
		return have
	}
	made, err := constants.cell(string(env.text))
	if err != nil {
		return p
	}
	return made
}
