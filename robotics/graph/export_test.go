package graph

import "fmt"

// Line returns how catalogue.txt has a type.
func (d *Declaration) Line() string { return d.line() }

// Parsed returns the value of a text, of a string itself.
func Parsed(s string, t Type) any {
	if t == String {
		return s
	}
	v, err := parse(s, t)
	if err != nil {
		panic(fmt.Sprintf("%s %q: %v", t, s, err))
	}
	return v
}

// Constant returns the text of an out port of a net if it is a constant, also if that is null.
func Constant(g *Graph, out string) (text string, known bool) {
	for _, o := range g.outs {
		if c, is := (&simplifier{}).constantPrimitive(o.from.of); o.name == out && is {
			if c.null {
				return "null", true
			}
			return c.text, true
		}
	}
	return "", false
}

// Computes reports whether the optimiser knows what a type computes.
func Computes(name string) bool {
	_, is := formulas[name]
	r := rules()[name]
	return is || r != nil && r.choice != nil
}

// Total reports whether the optimiser takes it that a type has values in every cycle in which it runs.
func Total(d *Declaration) bool {
	r := ruleOf(d)
	return r != nil && r.total
}

// All returns the types of a catalogue.
func (c *Catalogue) All() map[string]*Declaration { return c.byName }
