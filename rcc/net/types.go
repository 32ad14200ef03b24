package net

import "github.com/softrobot-rcc/rccd/rcc/spec"

// types remembers the types that were looked up last: a net has many primitives of few types.
type types [64]struct {
	name string
	prim *spec.Primitive // nil when there is none
}

// lookup finds a type in a catalogue, always the same one.
func (t *types) lookup(catalogue *spec.Catalogue, name string) *spec.Primitive {
	if name == "" {
		return catalogue.Lookup(name)
	}
	last := len(name) - 1
	place := &t[(len(name)*5+int(name[last])+int(name[last/2])*3)%len(t)]
	if place.name != name {
		place.name, place.prim = name, catalogue.Lookup(name)
	}
	return place.prim
}
