package urdf

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

const byteOrderMark = "\uFEFF"

// Parse reads a robot. The error is an *Error.
func Parse(text string) (*Model, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	r := reader{text: text}
	root := r.read()
	if root == nil {
		return nil, r.found.err(text)
	}
	p := parser{text: text, m: &Model{Root: -1}}
	if p.expanded(root) {
		p.robot(root)
	}
	if err := p.err(text); err != nil {
		return nil, err
	}
	return p.m, nil
}

// parser makes a model of elements.
type parser struct {
	findings
	text      string
	m         *Model
	places    []place // of the joints
	linkAt    []int
	links     map[string]int
	joints    map[string]int
	materials map[string]Material
	unwired   bool // it is not known which links joints connect
}

// place is where the parts of a joint stand, and whom it follows.
type place struct {
	*element
	child  int
	mimic  *element
	leader string
	state  uint8 // of resolve
}

func (p *parser) robot(root *element) {
	if root.name != "robot" {
		p.add(root.at, "found element %s, expected robot", quote(root.name))
		return
	}
	p.spelling(root)
	p.m.Name, _ = p.required(root, "name")
	p.links, p.joints, p.materials = map[string]int{}, map[string]int{}, map[string]Material{}
	at := map[string]int{}
	for _, e := range root.inside {
		if e.name != "material" {
			continue
		}
		m := p.material(e)
		if before, taken := at[m.Name]; taken {
			p.add(e.at, "second material %s, the first is in line %d", quote(m.Name), p.line(before))
		}
		at[m.Name], p.materials[m.Name] = e.at, m
	}
	p.readLinks(root)
	p.readJoints(root)
	p.resolveMimics()
	p.tree(root)
	p.paint()
}

func (p *parser) readLinks(root *element) {
	for _, e := range root.inside {
		if e.name != "link" {
			continue
		}
		l := Link{Joint: -1}
		l.Name, _ = p.required(e, "name")
		if before, taken := p.links[l.Name]; taken && l.Name != "" {
			p.add(e.at, "second link %s, the first is in line %d", quote(l.Name), p.line(p.linkAt[before]))
			p.unwired = true
		} else {
			p.links[l.Name] = len(p.m.Links)
		}
		for _, c := range e.inside {
			switch c.name {
			case "visual":
				l.Visual = append(l.Visual, p.shape(c))
			case "collision":
				l.Collision = append(l.Collision, p.shape(c))
			case "inertial":
				l.Inertial = p.inertial(c)
			}
		}
		p.m.Links, p.linkAt = append(p.m.Links, l), append(p.linkAt, e.at)
	}
	if len(p.m.Links) == 0 {
		p.add(root.at, "robot without element link")
	}
}

func (p *parser) shape(e *element) Shape {
	name, _ := e.attr("name")
	s := Shape{Name: name.value, Origin: p.origin(e)}
	if m := e.child("material"); m != nil {
		s.Material = p.material(m)
	}
	g := e.child("geometry")
	if g == nil {
		p.add(e.at, "%s without element geometry", e.name)
		return s
	}
	forms := words["geometry"].inside
	known := slices.DeleteFunc(slices.Clone(g.inside), func(c *element) bool { return !slices.Contains(forms, c.name) })
	if len(known) != 1 {
		found := fmt.Sprintf("%d shapes", len(known))
		if len(known) == 0 && len(g.inside) > 0 {
			found = "element " + quote(g.inside[0].name)
		}
		p.add(g.at, "found %s in geometry, expected one of %s", found, either(forms))
		return s
	}
	switch c := known[0]; c.name {
	case "box":
		s.Form = Box
		size := p.amounts(c, "size", 3)
		s.Size = geom.Vector{X: size[0], Y: size[1], Z: size[2]}
	case "cylinder":
		s.Form = Cylinder
		s.Radius, s.Length = p.amounts(c, "radius", 1)[0], p.amounts(c, "length", 1)[0]
	case "sphere":
		s.Form = Sphere
		s.Radius = p.amounts(c, "radius", 1)[0]
	case "mesh":
		s.Form = Mesh
		s.File, _ = p.required(c, "filename")
		scale := p.numbers(c, "scale", 1, 1, 1)
		s.Scale = geom.Vector{X: scale[0], Y: scale[1], Z: scale[2]}
	}
	return s
}

func (p *parser) material(e *element) (m Material) {
	name, given := e.attr("name")
	if !given {
		p.add(e.at, "material without attribute name")
	}
	m.Name = name.value
	if c := e.child("color"); c != nil {
		rgba, ok := p.mandatory(c, "rgba", 4)
		if ok {
			m.Color = (*[4]float64)(rgba)
		}
	}
	if t := e.child("texture"); t != nil {
		m.Texture, _ = p.required(t, "filename")
	}
	return m
}

func (p *parser) inertial(e *element) *Inertial {
	n := &Inertial{Origin: p.origin(e)}
	if m := p.part(e, "mass"); m != nil {
		n.Mass = p.amounts(m, "value", 1)[0]
	}
	if i := p.part(e, "inertia"); i != nil {
		for k, to := range []*float64{&n.XX, &n.XY, &n.XZ, &n.YY, &n.YZ, &n.ZZ} {
			v, _ := p.mandatory(i, words["inertia"].attrs[k], 1)
			*to = v[0]
		}
	}
	return n
}

// paint gives shapes the materials that they only name. One that a shape defines may be named by others too.
func (p *parser) paint() {
	shapes := func(do func(m *Material)) {
		for i := range p.m.Links {
			for k := range p.m.Links[i].Visual {
				do(&p.m.Links[i].Visual[k].Material)
			}
		}
	}
	shapes(func(m *Material) {
		if _, known := p.materials[m.Name]; !known && m.Name != "" && (m.Color != nil || m.Texture != "") {
			p.materials[m.Name] = *m
		}
	})
	shapes(func(m *Material) {
		if m.Color == nil && m.Texture == "" && m.Name != "" {
			*m = p.materials[m.Name]
		}
	})
}

func (p *parser) readJoints(root *element) {
	for _, e := range root.inside {
		if e.name != "joint" {
			continue
		}
		j, place := p.joint(e)
		if before, taken := p.joints[j.Name]; taken && j.Name != "" {
			p.add(e.at, "second joint %s, the first is in line %d", quote(j.Name), p.line(p.places[before].at))
		} else {
			p.joints[j.Name] = len(p.m.Joints)
		}
		p.m.Joints, p.places = append(p.m.Joints, j), append(p.places, place)
	}
}

func (p *parser) joint(e *element) (Joint, place) {
	j := Joint{Origin: p.origin(e), Axis: geom.Vector{X: 1}, Lower: math.Inf(-1), Upper: math.Inf(1)}
	at := place{element: e}
	j.Name, _ = p.required(e, "name")
	j.Parent, _ = p.end(e, "parent")
	j.Child, at.child = p.end(e, "child")
	if j.Parent < 0 || j.Child < 0 {
		p.unwired = true
	} else if j.Parent == j.Child {
		p.add(at.child, "joint %s has link %s on both sides", quote(j.Name), quote(p.m.Links[j.Child].Name))
		p.unwired = true
	}
	kind, ok := p.kind(e)
	if !ok {
		return j, at
	}
	j.Kind = kind
	if kind.moves() || kind == Planar {
		p.axis(e, &j)
	}
	if kind.moves() {
		p.limit(e, &j)
	}
	if d := e.child("dynamics"); d != nil {
		j.Damping, j.Friction = p.numbers(d, "damping", 0)[0], p.numbers(d, "friction", 0)[0]
	}
	if s := e.child("safety_controller"); s != nil && kind.moves() {
		j.Safety = p.safety(s)
	}
	if at.mimic = e.child("mimic"); at.mimic != nil {
		at.leader, j.Mimic = p.mimic(at.mimic, kind)
	}
	return j, at
}

// end returns the index of the link at an end of a joint, -1 if there is none, and where its name stands.
func (p *parser) end(e *element, which string) (index, at int) {
	c := p.part(e, which)
	if c == nil {
		return -1, e.at
	}
	name, ok := p.required(c, "link")
	if !ok {
		return -1, c.at
	}
	a, _ := c.attr("link")
	if i, known := p.links[name]; known {
		return i, a.at
	}
	p.add(a.at, "there is no link %s%s", quote(name), p.hint(name, p.m.links()))
	return -1, a.at
}

func (p *parser) kind(e *element) (Kind, bool) {
	name, ok := p.required(e, "type")
	if !ok {
		return 0, false
	}
	if i := slices.Index(kinds, name); i >= 0 {
		return Kind(i), true
	}
	a, _ := e.attr("type")
	p.add(a.at, "attribute type is %s, expected %s%s", quote(name), either(kinds), p.hint(name, slices.Values(kinds)))
	return 0, false
}

func (p *parser) axis(e *element, j *Joint) {
	c := e.child("axis")
	if c == nil {
		return
	}
	xyz, ok := p.mandatory(c, "xyz", 3)
	if !ok {
		return
	}
	j.Axis = geom.Vector{X: xyz[0], Y: xyz[1], Z: xyz[2]}.Unit()
	if j.Axis == (geom.Vector{}) {
		a, _ := c.attr("xyz")
		p.add(a.at, "attribute xyz is %s, expected an axis with a length", quote(a.value))
	}
}

func (p *parser) limit(e *element, j *Joint) {
	c := e.child("limit")
	if c == nil && j.Kind != Continuous {
		p.add(e.at, "%s joint %s without element limit", j.Kind, quote(j.Name))
	}
	if c == nil {
		return
	}
	j.Velocity, j.Effort = p.amounts(c, "velocity", 1)[0], p.amounts(c, "effort", 1)[0]
	if j.Kind == Continuous {
		return
	}
	j.Lower, j.Upper = p.numbers(c, "lower", 0)[0], p.numbers(c, "upper", 0)[0]
	if j.Lower > j.Upper {
		p.add(c.at, "lower limit %v above upper limit %v", j.Lower, j.Upper)
	}
}

func (p *parser) safety(e *element) *Safety {
	s := &Safety{Lower: math.Inf(-1), Upper: math.Inf(1)}
	for name, to := range map[string]*float64{"soft_lower_limit": &s.Lower, "soft_upper_limit": &s.Upper} {
		if _, given := e.attr(name); given {
			*to = p.numbers(e, name, 0)[0]
		}
	}
	s.PositionFactor = p.numbers(e, "k_position", 0)[0]
	v, _ := p.mandatory(e, "k_velocity", 1)
	s.VelocityFactor = v[0]
	if s.Lower > s.Upper {
		p.add(e.at, "soft lower limit %v above soft upper limit %v", s.Lower, s.Upper)
	}
	return s
}

func (p *parser) mimic(e *element, kind Kind) (leader string, m *Mimic) {
	if !kind.moves() {
		p.add(e.at, "a %s joint follows no other one", kind)
		return "", nil
	}
	leader, ok := p.required(e, "joint")
	if !ok {
		return "", nil
	}
	return leader, &Mimic{Joint: -1, Multiplier: p.numbers(e, "multiplier", 1)[0], Offset: p.numbers(e, "offset", 0)[0]}
}

func (p *parser) origin(e *element) geom.Frame {
	c := e.child("origin")
	if c == nil {
		return geom.Frame{}
	}
	xyz, rpy := p.numbers(c, "xyz", 0, 0, 0), p.numbers(c, "rpy", 0, 0, 0)
	return geom.Frame{Pos: geom.Vector{X: xyz[0], Y: xyz[1], Z: xyz[2]}, Rot: geom.FromABC(rpy[2], rpy[1], rpy[0])}
}

// child returns the first element of a name inside of another one, or nil.
func (e *element) child(name string) *element {
	for _, c := range e.inside {
		if c.name == name {
			return c
		}
	}
	return nil
}

// part returns the first element of a name, which has to be there.
func (p *parser) part(e *element, name string) *element {
	c := e.child(name)
	if c == nil {
		p.add(e.at, "%s without element %s", e.name, name)
	}
	return c
}

func (e *element) attr(name string) (attribute, bool) {
	for _, a := range e.attrs {
		if a.name == name {
			return a, true
		}
	}
	return attribute{}, false
}

// required returns an attribute that has to be there, and to say something.
func (p *parser) required(e *element, name string) (string, bool) {
	a, given := e.attr(name)
	switch {
	case !given:
		p.add(e.at, "%s without attribute %s", e.name, name)
	case a.value == "":
		p.add(a.at, "attribute %s is empty", name)
	}
	return a.value, a.value != ""
}

// largest bounds numbers, so that poses that are made of them are numbers too.
const largest = 1e12

// mandatory reads the numbers of an attribute that has to be there. If it is not, or has others, they are 0.
func (p *parser) mandatory(e *element, name string, n int) ([]float64, bool) {
	if _, ok := p.required(e, name); !ok {
		return make([]float64, n), false
	}
	before := len(p.list) + p.more
	values := p.numbers(e, name, make([]float64, n)...)
	return values, before == len(p.list)+p.more
}

// amounts reads numbers that are not below 0.
func (p *parser) amounts(e *element, name string, n int) []float64 {
	values, ok := p.mandatory(e, name, n)
	if ok && slices.Min(values) < 0 {
		a, _ := e.attr(name)
		p.add(a.at, "attribute %s is %s, expected 0 or more", name, quote(a.value))
	}
	return values
}

// numbers reads as many numbers as there are in defaults, which they are if the attribute is not given or has others.
func (p *parser) numbers(e *element, name string, defaults ...float64) []float64 {
	a, given := e.attr(name)
	if !given {
		return defaults
	}
	values := make([]float64, 0, len(defaults))
	for field := range strings.FieldsSeq(a.value) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil && !math.IsInf(v, 0) || strings.Trim(field, "+-.0123456789eE") != "" || len(values) == len(defaults) {
			values = nil
			break
		}
		if !(math.Abs(v) <= largest) {
			p.add(a.at, "attribute %s is %s, expected at most %v in amount", name, quote(a.value), largest)
			return defaults
		}
		values = append(values, v)
	}
	if len(values) != len(defaults) {
		expected := cmp.Or(map[int]string{1: "a number"}[len(defaults)], strconv.Itoa(len(defaults))+" numbers")
		p.add(a.at, "attribute %s is %s, expected %s", name, quote(a.value), expected)
		return defaults
	}
	return values
}

// line returns the line of an offset, if the message will be kept.
func (p *parser) line(at int) int {
	if p.full() {
		return 0
	}
	return 1 + strings.Count(p.text[:at], "\n")
}

// slip returns the slip of a name, if the message will be kept.
func (p *parser) slip(name string, words []string) string {
	if p.full() {
		return ""
	}
	return suggest.Slip(name, words)
}

// hint is for the end of a message, if it will be kept.
func (p *parser) hint(name string, candidates iter.Seq[string]) string {
	if p.full() {
		return ""
	}
	return suggest.DidYouMean(name, candidates)
}
