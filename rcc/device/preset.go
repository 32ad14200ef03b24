package device

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// Given is what a preset type gives to a parameter of its base type: a value, or that of one of its own
// parameters.
type Given struct {
	Value string
	Own   string // name of a parameter, empty for a value
}

// Preset makes a type from another one by giving some of its parameters. The others keep their defaults. A parameter of its own
// needs a name, and whatever differs from the base type: default, documentation, required or not. Errors have the names of own
// parameters, or of those given.
func Preset(k Kind, of *Type, own []Param, given map[string]Given) (Type, []ParamError) {
	p := preset{of: of, own: slices.Clone(own), given: given}
	p.declare(k.Name)
	p.tryOut()
	if len(p.wrong) > 0 {
		return Type{}, p.wrong
	}
	t := Type{
		Name: k.Name, Extension: k.Extension, Doc: k.Doc, Simulated: of.Simulated, Pages: slices.Concat(of.Pages, k.Pages),
		Params: p.own, preset: &p,
		Open: func(env *Env, params map[string]string) (Device, error) {
			if wrong := p.check(k.Name, params); len(wrong) > 0 {
				return nil, joined(wrong)
			}
			return of.Open(env, p.translate(params))
		},
		check: func(params map[string]string) []ParamError { return p.check(k.Name, params) },
	}
	if of.tune != nil {
		t.tune = func(d Device, params map[string]string) error { return of.tune(d, p.translate(params)) }
	}
	return t, nil
}

// Resolve returns the type below all presets, and the parameters that its device has.
func (t *Type) Resolve(params map[string]string) (string, map[string]string) {
	if t.preset == nil {
		return t.Name, params
	}
	return t.preset.of.Resolve(t.preset.translate(params))
}

// preset is a type that is made of another one.
type preset struct {
	of    *Type
	own   []Param
	given map[string]Given
	wrong []ParamError // while it is declared
}

func (p *preset) refuse(name, format string, args ...any) {
	p.wrong = append(p.wrong, ParamError{name, fmt.Errorf(format, args...)})
}

// declare completes the own parameters by those whose values they give.
func (p *preset) declare(name string) {
	used := map[string]*Param{}
	for _, to := range slices.Sorted(maps.Keys(p.given)) {
		target := paramOf(p.of.Params, to)
		own := p.given[to].Own
		switch {
		case target == nil:
			p.refuse(to, "%s has no such parameter%s", p.of.Name, didYouMeanParam(to, p.of.Params))
		case own == "":
		case paramOf(p.own, own) == nil:
			p.refuse(to, "%s has no parameter %s%s; a value that begins with $ has two of them", name, own, didYouMeanParam(own, p.own))
		case used[own] != nil && used[own].Type != target.Type:
			p.refuse(to, "%s is %s for %s and %s here", own, used[own].Type, used[own].Name, target.Type)
		case used[own] == nil:
			used[own] = target
		}
	}
	for i := range p.own {
		o := &p.own[i]
		target := used[o.Name]
		switch {
		case slices.Contains(reserved, o.Name):
			p.refuse(o.Name, "the name is taken")
		case slices.ContainsFunc(p.own[:i], func(other Param) bool { return other.Name == o.Name }):
			p.refuse(o.Name, "the parameter is declared twice")
		case target == nil:
			p.refuse(o.Name, "nothing uses it; to give its value to a parameter, write '$%s'", o.Name)
		default:
			o.complete(target)
		}
	}
}

// complete takes over what a parameter says whose value this one gives.
func (p *Param) complete(from *Param) {
	p.Type, p.Unit, p.Min, p.Max, p.Enum, p.Mutable = from.Type, from.Unit, from.Min, from.Max, from.Enum, from.Mutable
	p.Doc = cmp.Or(p.Doc, from.Doc)
	if p.Default == "" && !p.Required {
		p.Default, p.Required = from.Default, from.Required
	}
}

// tryOut checks whether the values that are given fit, as far as they are known.
func (p *preset) tryOut() {
	if len(p.wrong) > 0 {
		return
	}
	for _, wrong := range p.of.Check(p.translate(nil)) {
		own := p.given[wrong.Name].Own
		if o := paramOf(p.own, own); o != nil && o.Required {
			continue // it is given when a device is created
		}
		p.wrong = append(p.wrong, ParamError{cmp.Or(own, wrong.Name), wrong.Err})
	}
}

// check returns what is wrong by the names of own parameters.
func (p *preset) check(name string, params map[string]string) (wrong []ParamError) {
	for _, given := range slices.Sorted(maps.Keys(params)) {
		if paramOf(p.own, given) == nil {
			wrong = append(wrong, ParamError{given, fmt.Errorf("%s has no such parameter%s", name, didYouMeanParam(given, p.own))})
		}
	}
	for _, o := range p.own {
		if _, there := params[o.Name]; o.Required && !there {
			wrong = append(wrong, ParamError{o.Name, errors.New("is missing")})
		}
	}
	for _, inner := range p.of.Check(p.translate(params)) {
		own := cmp.Or(p.given[inner.Name].Own, inner.Name)
		if !slices.ContainsFunc(wrong, func(w ParamError) bool { return w.Name == own }) {
			wrong = append(wrong, ParamError{own, inner.Err})
		}
	}
	return wrong
}

// translate returns the parameters of the other type. One of unknown value is left out.
func (p *preset) translate(params map[string]string) map[string]string {
	made := map[string]string{}
	for to, g := range p.given {
		if g.Own == "" {
			made[to] = g.Value
			continue
		}
		text, there := params[g.Own]
		if o := paramOf(p.own, g.Own); !there && o != nil && !o.Required {
			text, there = o.Default, true
		}
		if there {
			made[to] = text
		}
	}
	return made
}

func paramOf(list []Param, name string) *Param {
	if i := slices.IndexFunc(list, func(p Param) bool { return p.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

func didYouMeanParam(name string, list []Param) string {
	return suggest.DidYouMean(name, func(yield func(string) bool) {
		for _, p := range list {
			if !yield(p.Name) {
				return
			}
		}
	})
}
