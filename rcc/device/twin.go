package device

import (
	"maps"
	"slices"
	"strconv"

	"github.com/softrobot-rcc/rccd/rcc/value"
)

// Simulated is the parameter that exchanges a device for its twin.
const Simulated = "simulated"

// WithTwin makes a device type of a real one and the one that simulates it: with simulated: true the twin is opened, with those
// parameters that it has. All else may stay in the configuration, so that one line exchanges them.
func WithTwin(real, twin Type) Type {
	t := real
	t.Params = append(slices.Clone(real.Params), Param{
		Name: Simulated, Type: value.TypeBool, Default: "false", Doc: "the device is not there: " + twin.Name + " stands in for it",
	})
	for _, p := range twin.Params {
		if !hasParam(&real, p.Name) {
			p.Mutable, p.Required, p.Doc = false, false, "of the simulation: "+p.Doc
			t.Params = append(t.Params, p)
		}
	}
	t.Pages = slices.Concat(real.Pages, twin.Pages)
	t.Open = func(env *Env, params map[string]string) (Device, error) {
		simulated, own, err := split(params)
		if err != nil {
			return nil, err
		}
		if !simulated {
			return real.Open(env, own)
		}
		return twin.Open(env, among(&twin, own))
	}
	t.check = func(params map[string]string) []ParamError {
		simulated, own, err := split(params)
		if err != nil {
			return []ParamError{{Simulated, err}}
		}
		if !simulated {
			return real.Check(own)
		}
		played := among(&twin, own)
		maps.DeleteFunc(played, func(name, _ string) bool { return hasParam(&real, name) })
		maps.DeleteFunc(own, func(name, _ string) bool { _, ok := played[name]; return ok })
		return append(real.Check(own), twin.Check(played)...)
	}
	return t
}

// split reads the parameter that decides and returns the others.
func split(params map[string]string) (simulated bool, others map[string]string, err error) {
	others = maps.Clone(params)
	text := others[Simulated]
	delete(others, Simulated)
	if text == "" {
		return false, others, nil
	}
	simulated, err = strconv.ParseBool(text)
	return simulated, others, err
}

func hasParam(t *Type, name string) bool {
	return slices.ContainsFunc(t.Params, func(p Param) bool { return p.Name == name })
}

// among returns the parameters that a type has.
func among(t *Type, params map[string]string) map[string]string {
	own := maps.Clone(params)
	maps.DeleteFunc(own, func(name, _ string) bool { return !hasParam(t, name) })
	return own
}
