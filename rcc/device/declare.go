package device

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/fields"
	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Type is a kind of device that can be created by name and parameters. Declare makes one.
type Type struct {
	Name      string
	Doc       string
	Extension string
	Simulated bool // there is nothing behind its devices, so that there can be another one of each (OpenTwin)
	Params    []Param
	Pages     []Page // of devices of this type, besides those of their interfaces
	Open      func(env *Env, params map[string]string) (Device, error)

	check  func(params map[string]string) []ParamError
	tune   func(d Device, params map[string]string) error
	preset *preset // of a type that is made of another one
	twin   bool    // it is simulated where its parameters say so
}

// Tuner is a device some of whose parameters can be changed while it exists: those that its configuration C declares with
// mutable:"true" (§9).
type Tuner[C any] interface {
	Device
	// Tune takes a configuration in which only such parameters differ from the present one (any). There is one call at a
	// time. After an error the device goes on unchanged.
	Tune(cfg *C) error
}

// Param documents a parameter of a device type.
type Param struct {
	Name     string
	Type     value.Type // in which form it is written
	Default  string     // as it would be written
	Older    string     // for devices that older clients create (ForOlder), empty where they get the default too
	Required bool       // there is no default
	Unit     string
	Min, Max string   // bounds of numbers, both allowed; empty for none
	Enum     []string // the words that are allowed
	Mutable  bool     // it can be changed while the device exists
	Doc      string
}

// ParamError is a mistake in one parameter.
type ParamError struct {
	Name string
	Err  error
}

func (e ParamError) Error() string { return fmt.Sprintf("parameter %s: %v", e.Name, e.Err) }

func (e ParamError) Unwrap() error { return e.Err }

// WrongParam returns the error of one parameter, in words.
func WrongParam(name, format string, args ...any) error {
	return ParamError{name, fmt.Errorf(format, args...)}
}

// Kind is the part of a declaration beside the configuration.
type Kind struct {
	Name, Extension, Doc string
	Simulated            bool // as that of the Type
	Pages                []Page
}

// reserved are the names that stand beside parameters where a device is created.
var reserved = []string{"name", "type", "action"}

// Declare makes a device type. C is its configuration, with documentation in its tags:
//
//	type config struct {
//		Port  int       `rcc:"port" default:"49938" min:"1" max:"65535" doc:"where the robot sends to"`
//		Limit []float64 `rcc:"max_vel" unit:"rad/s" required:"true" doc:"for each joint"`
//	}
//
// A field with older:"…" has that value in devices that older clients create, which do not know the parameter.
//
// A field with mutable:"true" can be changed while the device exists, which then is a Tuner of C.
//
// Fields are of the data types of ports and parameters, time.Duration, or int. Embedded structures are part of the
// configuration. open gets values that are within the bounds; what depends on more than one of them is checked by the configuration, if it
// is a Checker, and otherwise by open.
func Declare[C any](k Kind, open func(env *Env, cfg *C) (Device, error)) Type {
	declared := fieldsOf(reflect.TypeFor[C]())
	t := Type{Name: k.Name, Extension: k.Extension, Doc: k.Doc, Simulated: k.Simulated, Pages: k.Pages}
	for _, f := range declared {
		if slices.Contains(reserved, f.param.Name) {
			panic(fmt.Sprintf("device: parameter %s of %s: the name is taken", f.param.Name, k.Name))
		}
		t.Params = append(t.Params, f.param)
	}
	t.check = func(params map[string]string) []ParamError { return decode(k.Name, declared, params, new(C)) }
	t.Open = func(env *Env, params map[string]string) (Device, error) {
		var cfg C
		if wrong := decode(k.Name, declared, params, &cfg); len(wrong) > 0 {
			return nil, joined(wrong)
		}
		d, err := open(env, &cfg)
		if _, ok := d.(Tuner[C]); err == nil && !ok && slices.ContainsFunc(t.Params, func(p Param) bool { return p.Mutable }) {
			err = errors.Join(fmt.Errorf("a device of type %s has no method for its mutable parameters", k.Name), d.Close())
		}
		return d, err
	}
	t.tune = func(d Device, params map[string]string) error {
		cfg := new(C)
		if wrong := decode(k.Name, declared, params, cfg); len(wrong) > 0 {
			return joined(wrong)
		}
		tuner, ok := d.(Tuner[C])
		if !ok {
			return ErrImmutable
		}
		return tuner.Tune(cfg)
	}
	return t
}

// ErrImmutable is returned for a parameter that cannot be changed while the device exists.
var ErrImmutable = errors.New("it cannot be changed while the device exists")

// Tune changes parameters of an open device: change has the new values. It returns the parameters after the change.
func (t *Type) Tune(d Device, params, change map[string]string) (map[string]string, error) {
	if t.tune == nil {
		return params, ErrImmutable
	}
	next := maps.Clone(params)
	if next == nil {
		next = map[string]string{}
	}
	var wrong []ParamError
	for _, name := range slices.Sorted(maps.Keys(change)) {
		switch i, page := indexOf(t.Params, name), t.pageFor(name); {
		case i >= 0 && !t.Params[i].Mutable:
			wrong = append(wrong, ParamError{name, ErrImmutable})
		case i < 0 && page != "":
			wrong = append(wrong, ParamError{name, fmt.Errorf("not a parameter, but the device's page %s takes it: rccctl device tell NAME %s %s=%s", page, page, name, change[name])})
			continue
		}
		next[name] = change[name]
	}
	wrong = append(wrong, t.check(next)...)
	if len(wrong) > 0 {
		return params, joined(wrong)
	}
	if err := t.tune(d, next); err != nil {
		return params, err
	}
	return next, nil
}

// pageFor returns the page that takes a value of this name, if there is one.
func (t *Type) pageFor(name string) string {
	for _, p := range t.Pages {
		if p.Path != "" && indexOf(p.Told, name) >= 0 {
			return p.Path
		}
	}
	return ""
}

func indexOf(params []Param, name string) int {
	return slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
}

// Check reports mistakes in the parameters of a device, as far as that is possible without creating it.
func (t *Type) Check(params map[string]string) []ParamError {
	if t.check == nil {
		return nil
	}
	return t.check(params)
}

// ForOlder returns parameters of a device that an older client creates, with those that such clients do not know (any).
func (t *Type) ForOlder(params map[string]string) map[string]string {
	all := map[string]string{}
	for _, p := range t.Params {
		if p.Older != "" {
			all[p.Name] = p.Older
		}
	}
	maps.Copy(all, params)
	return all
}

func joined(wrong []ParamError) error {
	errs := make([]error, len(wrong))
	for i, w := range wrong {
		errs[i] = w
	}
	return errors.Join(errs...)
}

// Checker is a configuration that can check itself as a whole, once each of its fields is within its bounds.
type Checker interface{ Check() []ParamError }

// ParamErrors returns the errors of parameters in an error. One that names no parameter is about the name of the device.
func ParamErrors(err error) []ParamError {
	var of ParamError
	switch is := err.(type) { //nolint:errorlint // each layer is looked at
	case nil:
		return nil
	case ParamError:
		return []ParamError{is}
	case interface{ Unwrap() []error }:
		var list []ParamError
		for _, e := range is.Unwrap() {
			list = append(list, ParamErrors(e)...)
		}
		return list
	}
	if errors.As(err, &of) {
		return ParamErrors(errors.Unwrap(err))
	}
	return []ParamError{{"name", err}}
}

// field is a field of a configuration.
type field struct {
	param Param
	index []int
	set   func(into reflect.Value, text string) error
}

// fieldsOf reads the tags of a configuration. A mistake there is one in a declaration, and panics.
func fieldsOf(t reflect.Type) (list []field) {
	for _, f := range fields.Of(t) {
		name, ok := f.Tag.Lookup("rcc")
		if !ok {
			continue
		}
		if slices.ContainsFunc(list, func(other field) bool { return other.param.Name == name }) {
			panic(fmt.Sprintf("device: two fields of %v declare the parameter %s", t, name))
		}
		p := Param{
			Name: name, Default: f.Tag.Get("default"), Older: f.Tag.Get("older"), Required: f.Tag.Get("required") == "true", Unit: f.Tag.Get("unit"),
			Min: f.Tag.Get("min"), Max: f.Tag.Get("max"), Enum: strings.Fields(f.Tag.Get("enum")),
			Mutable: f.Tag.Get("mutable") == "true", Doc: f.Tag.Get("doc"),
		}
		var set func(into reflect.Value, text string) error
		p.Type, set = form(f.Type, &p)
		if !p.Required {
			for _, text := range []string{p.Default, p.Older} {
				if err := set(reflect.New(f.Type).Elem(), text); err != nil && text != "" {
					panic(fmt.Sprintf("device: default of %s: %v", name, err))
				}
			}
		}
		list = append(list, field{param: p, index: f.Index, set: set})
	}
	return list
}

// decode reads parameters into a configuration and returns an error that names all that is wrong.
func decode(typeName string, fields []field, params map[string]string, cfg any) (wrong []ParamError) {
	into, names := reflect.ValueOf(cfg).Elem(), []string{}
	for _, f := range fields {
		names = append(names, f.param.Name)
		text, given := params[f.param.Name]
		if text == "" && f.param.Default == "" && !f.param.Required {
			given = false // as forms send empty fields
		}
		switch {
		case given:
			if err := f.set(into.FieldByIndex(f.index), text); err != nil {
				wrong = append(wrong, ParamError{f.param.Name, err})
			}
		case f.param.Required:
			wrong = append(wrong, ParamError{f.param.Name, errors.New("is missing")})
		case f.param.Default != "":
			_ = f.set(into.FieldByIndex(f.index), f.param.Default) // tried when it was declared
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(names, name) {
			wrong = append(wrong, ParamError{name, fmt.Errorf("%s has no such parameter%s", typeName, suggest.DidYouMean(name, slices.Values(names)))})
		}
	}
	if c, ok := cfg.(Checker); ok && len(wrong) == 0 {
		wrong = c.Check()
	}
	return wrong
}

// form returns how values of a Go type are written and read.
func form(t reflect.Type, p *Param) (value.Type, func(into reflect.Value, text string) error) {
	switch t {
	case reflect.TypeFor[bool]():
		return coded[bool]()
	case reflect.TypeFor[string]():
		return value.TypeString, func(into reflect.Value, text string) error {
			if len(p.Enum) > 0 && !slices.Contains(p.Enum, text) {
				return fmt.Errorf("%q is not one of %s", text, strings.Join(p.Enum, " "))
			}
			into.SetString(text)
			return nil
		}
	case reflect.TypeFor[int]():
		_, set := bounded[int32](p)
		return value.TypeInt, func(into reflect.Value, text string) error {
			n := reflect.New(reflect.TypeFor[int32]()).Elem()
			if err := set(n, text); err != nil {
				return err
			}
			into.SetInt(n.Int())
			return nil
		}
	case reflect.TypeFor[float64]():
		return bounded[float64](p)
	case reflect.TypeFor[time.Duration]():
		return value.TypeString, func(into reflect.Value, text string) error { return setDuration(into, text, p) }
	case reflect.TypeFor[[]float64]():
		return coded[[]float64]()
	case reflect.TypeFor[geom.Vector]():
		return finite(geom.Vector.Finite)
	case reflect.TypeFor[geom.Frame]():
		return finite(func(f geom.Frame) bool { return f.Pos.Finite() && f.Rot.Finite() })
	}
	panic(fmt.Sprintf("device: parameter %s: no parameters of type %v", p.Name, t))
}

// coded reads values in the form of ports.
func coded[T any]() (value.Type, func(into reflect.Value, text string) error) {
	codec := value.Of[T]()
	return codec.Type, func(into reflect.Value, text string) error {
		v, err := codec.Parse(strings.TrimSpace(text))
		if err == nil {
			into.Set(reflect.ValueOf(v))
		}
		return err
	}
}

// finite reads values in space: nothing can be reckoned with one that is nowhere.
func finite[T any](is func(T) bool) (value.Type, func(into reflect.Value, text string) error) {
	t, set := coded[T]()
	return t, func(into reflect.Value, text string) error {
		v := reflect.New(into.Type()).Elem()
		if err := set(v, text); err != nil {
			return err
		}
		if !is(v.Interface().(T)) {
			return fmt.Errorf("%s is not finite", text)
		}
		into.Set(v)
		return nil
	}
}

// bounded reads numbers within bounds.
func bounded[T int32 | float64](p *Param) (value.Type, func(into reflect.Value, text string) error) {
	codec := value.Of[T]()
	bound := func(text string) (T, bool) {
		v, err := codec.Parse(text)
		if err != nil && text != "" {
			panic(fmt.Sprintf("device: bound %q of parameter %s: %v", text, p.Name, err))
		}
		return v, text != ""
	}
	least, low := bound(p.Min)
	most, high := bound(p.Max)
	return codec.Type, func(into reflect.Value, text string) error {
		v, err := codec.Parse(strings.TrimSpace(text))
		switch {
		case err != nil:
			return err
		case v != v || low && v < least || high && v > most:
			return fmt.Errorf("%s is not %s", text, p.bounds())
		}
		into.Set(reflect.ValueOf(v))
		return nil
	}
}

// bounds returns the bounds in words.
func (p *Param) bounds() string {
	switch {
	case p.Min != "" && p.Max != "":
		return "between " + p.Min + " and " + p.Max
	case p.Min != "":
		return p.Min + " or more"
	case p.Max != "":
		return p.Max + " or less"
	}
	return "a number"
}

func setDuration(into reflect.Value, text string, p *Param) error {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration; write for example 2ms", text)
	}
	least, errLeast := time.ParseDuration(p.Min)
	most, errMost := time.ParseDuration(p.Max)
	if errLeast == nil && d < least || errMost == nil && d > most {
		return fmt.Errorf("%s is not %s", text, p.bounds())
	}
	into.SetInt(int64(d))
	return nil
}
