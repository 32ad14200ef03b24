package device

import (
	"errors"
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
			p.Mutable, p.Required, p.Older, p.Doc = false, false, "", "of the simulation: "+p.Doc
			t.Params = append(t.Params, p)
		}
	}
	t.Pages, t.twin = slices.Concat(real.Pages, twin.Pages), true
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

// Original is a device that a twin stands in for.
type Original struct {
	// Device returns its present state: what it carries, how its outputs are set, where it is. The opener of the twin may ask until
	// Open returns, and only for what may be asked while others command the device.
	Device Device
	// Joints are where those of the twin rest at the start; nil when unknown; then they are where its parameters say.
	Joints []float64
}

// ErrNoTwin is returned for a device without a twin.
var ErrNoTwin = errors.New("devices of its type have no twin")

// OpenTwin opens what stands in for a device of a type with such parameters, while that goes on: a simulated one that begins as
// Env.Original is now, under power and without what parameters let happen to it by a script (load). Devices that it is to use have to be
// twins as well.
func (t *Type) OpenTwin(env *Env, params map[string]string) (Device, error) {
	switch {
	case t.preset != nil:
		return t.preset.of.OpenTwin(env, t.preset.translate(params))
	case t.twin:
		played := maps.Clone(params)
		if played == nil {
			played = map[string]string{}
		}
		played[Simulated] = "true"
		return t.Open(env, played)
	case t.Simulated:
		return t.Open(env, params)
	}
	return nil, ErrNoTwin
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
