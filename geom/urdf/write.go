package urdf

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
)

// String returns the robot as a text that Parse reads as the same robot, except for the rounding of angles. Joints that follow
// others do so without a detour, and every shape has its whole material.
func (m *Model) String() string {
	w := writer{}
	w.open("robot", text("name", m.Name))
	for i := range m.Links {
		w.link(&m.Links[i])
	}
	for i := range m.Joints {
		w.joint(m, &m.Joints[i])
	}
	w.end()
	return w.String()
}

// writer puts elements into each other, one in a line.
type writer struct {
	strings.Builder
	inside []string
}

// text returns an attribute with a text.
func text(name, value string) string {
	var b strings.Builder
	b.WriteString(name + `="`)
	_ = xml.EscapeText(&b, []byte(value)) // a Builder has room
	b.WriteString(`"`)
	return b.String()
}

// numbers returns an attribute with numbers, in the shortest form that reads back exactly.
func numbers(name string, values ...float64) string {
	b := []byte(name + `="`)
	for i, v := range values {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	return string(append(b, '"'))
}

func vector(name string, v geom.Vector) string { return numbers(name, v.X, v.Y, v.Z) }

func (w *writer) tag(name string, attrs []string, end string) {
	w.WriteString(strings.Repeat("  ", len(w.inside)) + "<" + strings.Join(append([]string{name}, attrs...), " ") + end + "\n")
}

func (w *writer) open(name string, attrs ...string) {
	w.tag(name, attrs, ">")
	w.inside = append(w.inside, name)
}

func (w *writer) end() {
	name := w.inside[len(w.inside)-1]
	w.inside = w.inside[:len(w.inside)-1]
	w.tag("/"+name, nil, ">")
}

func (w *writer) leaf(name string, attrs ...string) { w.tag(name, attrs, "/>") }

func (w *writer) link(l *Link) {
	w.open("link", text("name", l.Name))
	if n := l.Inertial; n != nil {
		w.open("inertial")
		w.origin(n.Origin)
		w.leaf("mass", numbers("value", n.Mass))
		w.leaf("inertia", numbers("ixx", n.XX), numbers("ixy", n.XY), numbers("ixz", n.XZ),
			numbers("iyy", n.YY), numbers("iyz", n.YZ), numbers("izz", n.ZZ))
		w.end()
	}
	for i := range l.Visual {
		w.shape("visual", &l.Visual[i])
	}
	for i := range l.Collision {
		w.shape("collision", &l.Collision[i])
	}
	w.end()
}

func (w *writer) shape(name string, s *Shape) {
	if s.Name != "" {
		w.open(name, text("name", s.Name))
	} else {
		w.open(name)
	}
	w.origin(s.Origin)
	w.open("geometry")
	switch s.Form {
	case Box:
		w.leaf("box", vector("size", s.Size))
	case Cylinder:
		w.leaf("cylinder", numbers("radius", s.Radius), numbers("length", s.Length))
	case Sphere:
		w.leaf("sphere", numbers("radius", s.Radius))
	case Mesh:
		w.leaf("mesh", text("filename", s.File), vector("scale", s.Scale))
	}
	w.end()
	if m := s.Material; m != (Material{}) {
		w.open("material", text("name", m.Name))
		if m.Color != nil {
			w.leaf("color", numbers("rgba", m.Color[:]...))
		}
		if m.Texture != "" {
			w.leaf("texture", text("filename", m.Texture))
		}
		w.end()
	}
	w.end()
}

func (w *writer) origin(f geom.Frame) {
	if f == (geom.Frame{}) {
		return
	}
	yaw, pitch, roll := f.Rot.ABC()
	w.leaf("origin", vector("xyz", f.Pos), numbers("rpy", roll, pitch, yaw))
}

func (w *writer) joint(m *Model, j *Joint) {
	w.open("joint", text("name", j.Name), text("type", j.Kind.String()))
	w.origin(j.Origin)
	w.leaf("parent", text("link", m.Links[j.Parent].Name))
	w.leaf("child", text("link", m.Links[j.Child].Name))
	if j.Kind.moves() || j.Kind == Planar {
		w.leaf("axis", vector("xyz", j.Axis))
	}
	limit := []string{numbers("velocity", j.Velocity), numbers("effort", j.Effort)}
	switch {
	case j.Kind == Revolute || j.Kind == Prismatic:
		w.leaf("limit", append(limit, numbers("lower", j.Lower), numbers("upper", j.Upper))...)
	case j.Kind == Continuous && (j.Velocity != 0 || j.Effort != 0):
		w.leaf("limit", limit...)
	}
	if j.Damping != 0 || j.Friction != 0 {
		w.leaf("dynamics", numbers("damping", j.Damping), numbers("friction", j.Friction))
	}
	if f := j.Mimic; f != nil {
		w.leaf("mimic", text("joint", m.Joints[f.Joint].Name), numbers("multiplier", f.Multiplier), numbers("offset", f.Offset))
	}
	if s := j.Safety; s != nil {
		attrs := []string{numbers("k_position", s.PositionFactor), numbers("k_velocity", s.VelocityFactor)}
		if !math.IsInf(s.Lower, 0) {
			attrs = append(attrs, numbers("soft_lower_limit", s.Lower))
		}
		if !math.IsInf(s.Upper, 0) {
			attrs = append(attrs, numbers("soft_upper_limit", s.Upper))
		}
		w.leaf("safety_controller", attrs...)
	}
	w.end()
}
