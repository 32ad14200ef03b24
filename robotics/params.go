package robotics

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Parameters of commands are distinguished by their types. The value is that of the command, or else the default that the
// application has given to the proxy, or else that of the proxy itself.

// DefaultsOf returns the defaults of a proxy: those that were given, and its own. Mistakes in them are reported as soon as a
// command is mapped, as making a proxy cannot fail.
func DefaultsOf(given []Param, own ...Param) []Param {
	var all []Param
	seen, known := map[reflect.Type]bool{}, map[reflect.Type]bool{}
	for _, p := range own {
		known[reflect.TypeOf(p)] = true
	}
	for _, p := range given {
		switch t := reflect.TypeOf(p); {
		case seen[t]:
			p = wrongDefault{p, ErrParamTwice}
		case !known[t] && !foreign(t):
			p = wrongDefault{p, ErrParam}
		default:
			seen[t] = true
		}
		all = append(all, p)
	}
	return append(all, own...)
}

// wrongDefault is in the place of a default that cannot be.
type wrongDefault struct {
	what Param
	why  error
}

func (wrongDefault) Parameter() {}

// foreign reports whether a type is of the application: actions of its own may ask for it.
func foreign(t reflect.Type) bool {
	if t == nil {
		return false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	here := reflect.TypeFor[Speed]().PkgPath()
	return t.PkgPath() != "" && t.PkgPath() != here && !strings.HasPrefix(t.PkgPath(), here+"/")
}

// checkParams reports parameters that have no effect on the command, and impossible defaults. Parameters that the actuator has
// defaults for may be given to each of its commands.
func checkParams(x *mapping.Context, c *RuntimeCommand) {
	given, known := map[reflect.Type]bool{}, map[reflect.Type]bool{}
	for _, p := range c.actuator.Defaults() {
		known[reflect.TypeOf(p)] = true
		if wrong, is := p.(wrongDefault); is {
			x.Fail(fmt.Errorf("%T as a default of %v: %w", wrong.what, c.actuator, wrong.why))
		}
	}
	for _, p := range c.params {
		t := reflect.TypeOf(p)
		switch {
		case given[t]:
			x.Fail(fmt.Errorf("%T: %w", p, ErrParamTwice))
		case !known[t] && !x.Asked(t):
			x.Fail(fmt.Errorf("%T: %w", p, ErrParam))
		}
		given[t] = true
	}
}
