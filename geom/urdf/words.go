package urdf

import (
	"maps"
	"slices"
	"strings"
)

// word is what may stand in an element of the format.
type word struct {
	inside []string // elements
	attrs  []string
}

var words = map[string]word{
	"robot":     {inside: []string{"joint", "link", "material"}, attrs: []string{"name"}},
	"link":      {inside: []string{"collision", "inertial", "visual"}, attrs: []string{"name"}},
	"visual":    {inside: []string{"geometry", "material", "origin"}, attrs: []string{"name"}},
	"collision": {inside: []string{"geometry", "material", "origin"}, attrs: []string{"name"}},
	"geometry":  {inside: []string{"box", "cylinder", "mesh", "sphere"}},
	"box":       {attrs: []string{"size"}},
	"cylinder":  {attrs: []string{"length", "radius"}},
	"sphere":    {attrs: []string{"radius"}},
	"mesh":      {attrs: []string{"filename", "scale"}},
	"material":  {inside: []string{"color", "texture"}, attrs: []string{"name"}},
	"color":     {attrs: []string{"rgba"}},
	"texture":   {attrs: []string{"filename"}},
	"inertial":  {inside: []string{"inertia", "mass", "origin"}},
	"inertia":   {attrs: []string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
	"mass":      {attrs: []string{"value"}},
	"origin":    {attrs: []string{"rpy", "xyz"}},
	"joint": {
		inside: []string{"axis", "calibration", "child", "dynamics", "limit", "mimic", "origin", "parent", "safety_controller"},
		attrs:  []string{"name", "type"},
	},
	"axis":        {attrs: []string{"xyz"}},
	"calibration": {attrs: []string{"falling", "rising"}},
	"child":       {attrs: []string{"link"}},
	"dynamics":    {attrs: []string{"damping", "friction"}},
	"limit":       {attrs: []string{"effort", "lower", "upper", "velocity"}},
	"mimic":       {attrs: []string{"joint", "multiplier", "offset"}},
	"parent":      {attrs: []string{"link"}},
	"safety_controller": {
		attrs: []string{"k_position", "k_velocity", "soft_lower_limit", "soft_upper_limit"},
	},
}

// several are the elements of which there may be more than one in a place.
var several = []string{"collision", "joint", "link", "material", "visual"}

// spelling finds what has no place in an element or below it. Unknown words belong to others and are passed over.
func (p *parser) spelling(e *element) {
	is := words[e.name]
	if e.text > 0 && len(is.inside) == 0 { // instead of an attribute; between elements it is a note
		p.add(e.text, "found text in %s, expected attributes only", e.name)
	}
	seen := map[string]bool{}
	for _, a := range e.attrs {
		if slices.Contains(is.attrs, a.name) {
			if seen[a.name] {
				p.add(a.at, "second attribute %s of %s", a.name, e.name)
			}
			seen[a.name] = true
		} else if meant := p.slip(a.name, is.attrs); meant != "" {
			p.add(a.at, "found attribute %s of %s, did you mean %s?", quote(a.name), e.name, meant)
		}
	}
	first := map[string]*element{}
	for _, c := range e.inside {
		switch places := placesOf(c.name); {
		case slices.Contains(is.inside, c.name):
			if before := first[c.name]; before == nil {
				first[c.name] = c
			} else if !slices.Contains(several, c.name) && !before.same(c) {
				p.add(c.at, "second element %s in %s, which says something else than the first", c.name, e.name)
			}
			p.spelling(c)
		case len(places) > 0:
			p.add(c.at, "found element %s in %s, expected it in %s", c.name, e.name, either(places))
		default:
			if meant := p.slip(c.name, is.inside); meant != "" {
				p.add(c.at, "found element %s in %s, did you mean %s?", quote(c.name), e.name, meant)
			}
		}
	}
}

// same reports whether two elements say the same: what is inserted by a preprocessor is often there twice.
func (e *element) same(f *element) bool {
	return e.name == f.name && slices.EqualFunc(e.inside, f.inside, (*element).same) &&
		slices.EqualFunc(e.attrs, f.attrs, func(a, b attribute) bool { return a.name == b.name && a.value == b.value })
}

// placesOf lists the elements in which an element may stand.
func placesOf(name string) (places []string) {
	for _, outer := range slices.Sorted(maps.Keys(words)) {
		if slices.Contains(words[outer].inside, name) {
			places = append(places, outer)
		}
	}
	return places
}

// expanded finds what the preprocessor xacro would have replaced. The first place is enough: all else would be
// consequences.
func (p *parser) expanded(e *element) bool {
	if strings.HasPrefix(e.name, "xacro:") {
		p.add(e.at, "found element %s, expected a text that xacro has expanded", quote(e.name))
		return false
	}
	for _, a := range e.attrs {
		for _, sign := range []string{"${", "$("} {
			if strings.Contains(a.value, sign) {
				p.add(a.at, "attribute %s is %s, expected a text that xacro has expanded", a.name, quote(a.value))
				return false
			}
		}
	}
	for _, c := range e.inside {
		if !p.expanded(c) {
			return false
		}
	}
	return true
}
