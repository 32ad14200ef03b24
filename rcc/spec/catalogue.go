package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Catalogue is a set of primitives under their type names. It does not change once made.
type Catalogue struct {
	byName map[string]*Primitive
	list   []*Primitive
}

// NewCatalogue makes a catalogue of lists of primitives. A name that occurs twice is an error.
func NewCatalogue(lists ...[]*Primitive) (*Catalogue, error) {
	c := &Catalogue{byName: map[string]*Primitive{}}
	for _, list := range lists {
		for _, p := range list {
			if c.byName[p.Name] != nil {
				return nil, fmt.Errorf("primitive %s is declared twice, in %s and in %s", p.Name, c.byName[p.Name].Extension, p.Extension)
			}
			c.byName[p.Name] = p
			c.list = append(c.list, p)
		}
	}
	slices.SortFunc(c.list, func(a, b *Primitive) int { return strings.Compare(a.Name, b.Name) })
	return c, nil
}

// With returns a catalogue with more primitives.
func (c *Catalogue) With(more ...*Primitive) (*Catalogue, error) { return NewCatalogue(c.list, more) }

// Lookup returns the primitive of that name, or nil.
func (c *Catalogue) Lookup(name string) *Primitive { return c.byName[name] }

// All returns the primitives in the order of their names.
func (c *Catalogue) All() []*Primitive { return c.list }
