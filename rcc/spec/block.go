package spec

import (
	"fmt"
	"reflect"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Block holds all instances of one primitive in one net, in the order in which they run: instances that run after one
// another lie next to each other in memory. All methods are for loading.
type Block struct {
	Primitive *Primitive
	of        instances
}

// New makes n instances with their parameters at the defaults.
func (p *Primitive) New(n int) *Block { return &Block{Primitive: p, of: p.make(n)} }

// Cell returns the out port of an instance, a *Out[T] of the port's type.
func (b *Block) Cell(i, out int) any {
	return b.of.item(i).FieldByIndex(b.Primitive.Out[out].field).Addr().Interface()
}

// Source returns a new cell that an in port can be linked to, for values that do not come from a primitive. The cell
// of an array has no length before SetText.
func (b *Block) Source(i, in int) Cell {
	return b.of.item(i).FieldByIndex(b.Primitive.In[in].field).Addr().Interface().(inPort).source()
}

// Link connects an in port to a cell of another instance. Their types (Port.Type) must be equal.
func (b *Block) Link(i, in int, cell any) {
	b.of.item(i).FieldByIndex(b.Primitive.In[in].field).Addr().Interface().(inPort).link(cell)
}

// Init gives instance i its parameters, opens what is not linked and lets the instance allocate and check. texts has
// the text of each parameter, or nil for its default.
func (b *Block) Init(i int, texts []*string, env *Env) error {
	item := b.of.item(i)
	for k := range b.Primitive.Params {
		if text := texts[k]; text != nil {
			env.takePiece(parsedBytes(b.Primitive.Params[k].Type, *text))
			if env.short != nil {
				return env.short
			}
		}
		if err := initParam(item, &b.Primitive.Params[k], texts[k]); err != nil {
			return err
		}
	}
	env.primitive, env.open = b.Primitive, env.open[:0]
	for k := range b.Primitive.In {
		port := &b.Primitive.In[k]
		p := item.FieldByIndex(port.field).Addr().Interface().(inPort)
		env.open = append(env.open, !p.linked())
		if port.Required && !p.linked() {
			return fmt.Errorf("in port %s must be connected", port.Name)
		}
		is := opening{text: port.fallback, defaults: port.defaults}
		if k := b.Primitive.Param(port.Param); k >= 0 && texts[k] != nil {
			is.text, is.given = *texts[k], true
		}
		if err := p.open(is, env); err != nil {
			return fmt.Errorf("parameter %s: %w", port.Param, err)
		}
	}
	if ini, ok := item.Addr().Interface().(initializer); ok {
		if err := ini.Init(env); err != nil {
			return err
		}
	}
	return env.short
}

func initParam(item reflect.Value, p *Parameter, text *string) error {
	if text == nil {
		if p.Required {
			return fmt.Errorf("parameter %s is missing", p.Name)
		}
		text = &p.Default
	}
	if p.field == nil {
		return nil // read with its in port
	}
	if err := item.FieldByIndex(p.field).Addr().Interface().(param).set(*text); err != nil {
		return fmt.Errorf("parameter %s: %w", p.Name, err)
	}
	return nil
}

// Kernel returns the function that executes a phase of the instances lo to hi-1.
func (b *Block) Kernel(phase Phase, lo, hi int) func(cy *Cycle) { return b.of.kernel(phase, lo, hi) }

// initializer is an instance that allocates or checks at load.
type initializer interface {
	Init(env *Env) error
}

type instances interface {
	item(i int) reflect.Value
	kernel(phase Phase, lo, hi int) func(cy *Cycle)
}

type instancesOf[T any] struct {
	items   []T
	kernels *Kernels[T]
}

func (b *instancesOf[T]) item(i int) reflect.Value { return reflect.ValueOf(&b.items[i]).Elem() }

func (b *instancesOf[T]) kernel(phase Phase, lo, hi int) func(cy *Cycle) {
	f := [phases]func([]T, *Cycle){b.kernels.Sense, b.kernels.Run, b.kernels.Keep, b.kernels.Act}[phase]
	run := b.items[lo:hi:hi]
	if phase == Run && b.kernels.Bind != nil {
		return b.kernels.Bind(run)
	}
	return func(cy *Cycle) { f(run, cy) }
}

// The sides of fields that loading uses; that of an out port is Cell.
type (
	inPort interface {
		valueType() value.Type
		zero() string
		check(text string) error
		source() Cell
		link(cell any)
		linked() bool
		open(is opening, env *Env) error
		stands() string // when the parameter of the port does, behind its name
		nulls() nulls
	}
	param interface {
		valueType() value.Type
		zero() string
		check(text string) error
		set(text string) error
	}
)

// Param is a parameter: a value that is fixed when the net is loaded.
type Param[T any] struct {
	typed[T]
	V T
}

func (p *Param[T]) set(text string) (err error) {
	p.V, err = value.Of[T]().Parse(text)
	return err
}

// typed is what parameters and in ports of a data type have in common.
type typed[T any] struct{}

func (typed[T]) valueType() value.Type { return value.Of[T]().Type }

// zero returns the text of the zero value, the default of an empty default tag.
func (typed[T]) zero() string { return string(value.Of[T]().Append(nil, *new(T))) }

func (typed[T]) check(text string) error {
	_, err := value.Of[T]().Parse(text)
	return err
}

// reader is where an in port reads.
type reader[T any] struct {
	typed[T]
	from *Out[T]
}

func (r *reader[T]) source() Cell   { return new(Out[T]) }
func (r *reader[T]) link(cell any)  { r.from = cell.(*Out[T]) }
func (r *reader[T]) linked() bool   { return r.from != nil }
func (r *reader[T]) stands() string { return " is open" }
func (r *reader[T]) nulls() nulls   { return stayNull }

// opening is what an in port reads while it is open.
type opening struct {
	text     string
	defaults bool // the port has a default, so that the text counts
	given    bool // the text is that of the net
}

// open lets a port without link read a constant, or a cell that is never set.
func (p *In[T]) open(is opening, env *Env) (err error) {
	switch constants := constantsOf[T](env); {
	case p.from != nil:
	case is.defaults:
		p.from, err = constants.cell(is.text)
	default:
		p.from = constants.null()
	}
	return err
}

func (p *InOr[T]) nulls() nulls { return takeDefault }

func (p *InOr[T]) open(is opening, env *Env) error {
	constant, err := constantsOf[T](env).cell(is.text)
	if err != nil {
		return err
	}
	p.null = constant.V
	if p.from == nil {
		p.from = constant
	}
	return nil
}

func (p *Operand[T]) stands() string { return " is open; given in a net, also while it is null" }
func (p *Operand[T]) nulls() nulls   { return takeGiven }

func (p *Operand[T]) open(is opening, env *Env) error {
	constants := constantsOf[T](env)
	constant, err := constants.cell(is.text)
	if err != nil {
		return err
	}
	if p.null = constants.null(); is.given {
		p.null = constant
	}
	if p.from == nil {
		p.from = constant
	}
	return nil
}
