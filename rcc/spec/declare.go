package spec

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/fields"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Kernels are the cyclic functions of a primitive. Kernels that it does not need are nil. Run goes through its
// instances from the first to the last: one may read what another one before it has just written.
type Kernels[T any] struct {
	Sense, Run, Keep, Act func(run []T, cy *Cycle)

	// Bind returns a function that calls Run for a run. Without it Run is called through a pointer, which costs as much as
	// a sum or two: it is worth a line for primitives that nets have many of.
	Bind func(run []T) func(cy *Cycle)
}

// Phase names the kernel that a run calls.
type Phase uint8

// The phases of a cycle in their order (§5.3.2).
const (
	Sense Phase = iota
	Run
	Keep
	Act
	phases
)

// Primitive is a declared primitive: a line of the catalogue and the means to make instances.
type Primitive struct {
	Name      string // type name as clients know it
	Doc       string
	Extension string
	In        []Port
	Out       []Port
	Params    []Parameter
	Examples  []Example
	Pure      bool
	Operator  Operator
	Unrelated string   // see Decl
	Commands  []string // see Decl

	// Net is the fragment that stands for a primitive whose type is written as a net: the compiler writes it out. Such a
	// primitive has no kernels and no instances of its own. Within Net, the value $Name stands for the parameter Name.
	Net *grammar.Node

	limited bool // it has limits
	should  map[string]string
	has     [phases]bool
	size    int64 // of an instance, with what Init allocates besides
	make    func(n int) instances
}

// Port describes a port. An open in port takes the value of the parameter Param, if it names one.
type Port struct {
	Name     string
	Type     value.Type
	Doc      string
	Param    string
	Required bool
	Wanted   bool // without a value here the primitive does nothing

	field    []int
	fallback string // text of the default of an open in port
	defaults bool   // it has one
	nulls    nulls
}

// Parameter describes a parameter.
type Parameter struct {
	Name     string
	Type     value.Type
	Default  string
	Required bool
	Doc      string
	Check    func(text string) error // the error that Set would return
	Limits   []Limit                 // further constraints on the value
	Any      string                  // why there are no limits: any value is meaningful, whatever the others are
	Agree    string                  // a parameter: primitives of the type with the same value of that one should have the same value of this one
	Unique   string                  // what the value must be unique for within the net; empty if it need not be unique

	field []int // none for a parameter that only stands in for an open in port
}

// Meanings of the tags any and unique at parameters that name other things of the cell.
const (
	anyDevice       = "loading looks for a device of this name"
	uniquePublished = "published value"
)

// NamesDevice reports whether the value is the name of a device.
func (p *Parameter) NamesDevice() bool { return p.Any == anyDevice }

// NamesPublished reports whether the value is the name of what the primitive publishes for applications, rules and other nets.
func (p *Parameter) NamesPublished() bool { return p.Unique == uniquePublished }

// Decl is the descriptive part of a declaration.
type Decl struct {
	Name      string
	Doc       string
	Extension string
	Examples  []Example
	Pure      bool // the out ports depend only on parameters and in ports of the same cycle: with constants, Run is called once
	Operator  Operator

	// Unrelated is the reason why parameters with limits of their own have no limits that relate them to each other.
	Unrelated string

	// Should has constraints, in the form of the tag should, on parameters of a struct that several primitives share.
	Should map[string]string

	// Commands are the parameters that name what the primitive commands. When two primitives of a net name the same, neither is
	// followed.
	Commands []string
}

// Example is documentation that runs as a test: parameters, and per port the values cycle by cycle in text form, null
// written as "null". A series that is shorter than the longest one repeats its last value. In ports that are not named
// are open, out ports that are not named are not compared.
type Example struct {
	Doc    string
	Cycle  string // cycle time, "10ms" when empty
	Params map[string]string
	In     map[string][]string
	Out    map[string][]string
	Reject string // instead of Out: part of the message with which loading fails
}

// Has reports whether the primitive takes part in a phase.
func (p *Primitive) Has(phase Phase) bool { return p.has[phase] }

// Delays reports whether the primitive passes its in ports to the next cycle, so that links may form a cycle through it
// (§5.2.2, Pre).
func (p *Primitive) Delays() bool { return p.has[Keep] }

// InPort returns the index of an in port, or -1.
func (p *Primitive) InPort(name string) int { return find(p.In, name) }

// OutPort returns the index of an out port, or -1.
func (p *Primitive) OutPort(name string) int { return find(p.Out, name) }

// Param returns the index of a parameter, or -1.
func (p *Primitive) Param(name string) int {
	for i := range p.Params {
		if p.Params[i].Name == name {
			return i
		}
	}
	return -1
}

func find(ports []Port, name string) int {
	for i := range ports {
		if ports[i].Name == name {
			return i
		}
	}
	return -1
}

// Declare makes a primitive of an instance type. It panics when the declaration is wrong, which is a mistake in the
// program and found when it starts.
func Declare[T any](d Decl, k Kernels[T]) *Primitive {
	p := &Primitive{Name: d.Name, Doc: d.Doc, Extension: d.Extension, Examples: d.Examples, Pure: d.Pure, Operator: d.Operator, Unrelated: d.Unrelated, should: d.Should, Commands: d.Commands}
	p.has = [phases]bool{k.Sense != nil, k.Run != nil, k.Keep != nil, k.Act != nil}
	for _, f := range fields.Of(reflect.TypeFor[T]()) {
		switch {
		case f.Tag.Get("rcc") != "":
			p.declareField(f)
		case p.Pure && !f.Anonymous:
			panic(fmt.Sprintf("%s: a pure primitive has no state, field %s is neither port nor parameter", p.Name, f.Name))
		}
	}
	p.mustRelate()
	if len(p.Out) > 0 && k.Run == nil {
		panic(fmt.Sprintf("%s: out ports without the kernel Run, which alone sets them", p.Name))
	}
	if k.Bind != nil && k.Run == nil {
		panic(fmt.Sprintf("%s: Bind without the kernel Run", p.Name))
	}
	if p.Pure && p.has != [phases]bool{Run: true} {
		panic(fmt.Sprintf("%s: a pure primitive has the kernel Run and no other", p.Name))
	}
	p.mustBeWritable()
	p.size = int64(reflect.TypeFor[T]().Size())
	if _, initializes := any(new(T)).(initializer); initializes {
		p.size += initBytes
	}
	p.make = func(n int) instances { return &instancesOf[T]{items: make([]T, n), kernels: &k} }
	return p
}

// initBytes is what an instance may allocate in Init without saying so by Env.Take: what is as large as the instance needs
// it, not as a parameter says.
const initBytes = 256

// Bytes returns how much memory n instances take, besides what Env.Take accounts for.
func (p *Primitive) Bytes(n int) int64 { return blockBytes + budget.Object(p.size*int64(n)) }

// blockBytes is what holds the instances together.
const blockBytes = 128

func (p *Primitive) declareField(f reflect.StructField) {
	name, doc := f.Tag.Get("rcc"), f.Tag.Get("doc")
	switch field := reflect.New(f.Type).Interface().(type) {
	case inPort:
		port := Port{Name: name, Type: field.valueType(), Doc: doc, Required: f.Tag.Get("required") == "true", Wanted: f.Tag.Get("wanted") == "true", field: f.Index}
		if or, ok := f.Tag.Lookup("or"); ok {
			port.Param, port.fallback, _ = strings.Cut(or, "=")
			port.defaults = true
			if port.fallback == "" {
				port.fallback = field.zero()
			}
			port.nulls = field.nulls()
			p.must(name, field.check(port.fallback))
			if port.Param != "" && p.Param(port.Param) < 0 {
				param := Parameter{
					Name: port.Param, Type: port.Type, Default: port.fallback,
					Check: field.check, Doc: "value while " + name + field.stands(),
				}
				p.limit(&param, f.Tag)
				p.Params = append(p.Params, param)
			}
		}
		p.mustBeNew(name)
		p.In = append(p.In, port)
	case Cell:
		p.mustBeNew(name)
		p.Out = append(p.Out, Port{Name: name, Type: field.Type(), Doc: doc, field: f.Index})
	case param:
		text, optional := f.Tag.Lookup("default")
		if optional && text == "" {
			text = field.zero()
		}
		if optional {
			p.must(name, field.set(text))
		}
		if p.Param(name) >= 0 {
			panic(fmt.Sprintf("%s: parameter %q is twice there", p.Name, name))
		}
		made := Parameter{
			Name: name, Type: field.valueType(), Default: text, Required: !optional,
			Check: field.check, Doc: doc, field: f.Index,
		}
		p.limit(&made, f.Tag)
		p.Params = append(p.Params, made)
	default:
		panic(fmt.Sprintf("%s: field %s is neither a port nor a parameter", p.Name, f.Name))
	}
}

func (p *Primitive) must(name string, err error) {
	if err != nil {
		panic(fmt.Sprintf("%s: %s: %v", p.Name, name, err))
	}
}

func (p *Primitive) mustBeNew(port string) {
	if find(p.In, port) >= 0 || find(p.Out, port) >= 0 {
		panic(fmt.Sprintf("%s: port %q is twice there", p.Name, port))
	}
}
