package urdf

import (
	"iter"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
)

// Model is a robot: a tree of links and joints, in the order of the text.
type Model struct {
	Name   string
	Links  []Link
	Joints []Joint
	Root   int // the link that no joint carries
}

// Link is a body.
type Link struct {
	Name      string
	Visual    []Shape   // what it looks like
	Collision []Shape   // what must not touch anything
	Inertial  *Inertial // nil if not known
	Joint     int       // which carries it, -1 for the root
	Carries   []int     // joints
}

// Form says which of the sizes of a shape count.
type Form uint8

// The forms of shapes.
const (
	Box      Form = iota // Size
	Cylinder             // Radius and Length, along the z-axis, the origin in the middle
	Sphere               // Radius
	Mesh                 // File, whose coordinates are multiplied by Scale
)

// Shape is a part of a link, seen from the link.
type Shape struct {
	Name           string
	Origin         geom.Frame
	Form           Form
	Size           geom.Vector
	Radius, Length float64
	File           string
	Scale          geom.Vector
	Material       Material
}

// Material is the look of a surface. Materials of the whole robot are already those of the shapes that name them.
type Material struct {
	Name    string
	Color   *[4]float64 // red, green, blue, alpha, from 0 to 1; nil if not known
	Texture string      // file
}

// Inertial is mass in kg and moments in kg m², about the center of mass at Origin.
type Inertial struct {
	Origin                 geom.Frame
	Mass                   float64
	XX, XY, XZ, YY, YZ, ZZ float64
}

// Kind is the kind of motion of a joint.
type Kind uint8

// The kinds of joints.
const (
	Revolute   Kind = iota // turns about the axis within limits
	Continuous             // turns without limits
	Prismatic              // slides along the axis within limits
	Fixed                  // does not move
	Floating               // moves anyhow
	Planar                 // moves in the plane across the axis
)

var kinds = []string{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}

func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown kind"
}

// moves recognises joints with one number for a value.
func (k Kind) moves() bool { return k <= Prismatic }

// Joint connects two links, which are named by their index.
type Joint struct {
	Name              string
	Kind              Kind
	Parent, Child     int
	Origin            geom.Frame  // seen from the parent
	Axis              geom.Vector // of length 1, seen from Origin
	Lower, Upper      float64     // ±Inf without limits
	Velocity, Effort  float64     // 0 if not known
	Damping, Friction float64
	Mimic             *Mimic  // nil if the joint has a value of its own
	Safety            *Safety // nil if there is none
}

// Mimic means that a joint has the value of another one, times Multiplier, plus Offset.
type Mimic struct {
	Joint              int // with a value of its own
	Multiplier, Offset float64
}

// Safety is where a controller begins to hold a joint back, and how strongly.
type Safety struct {
	Lower, Upper                   float64 // ±Inf where nothing is said
	PositionFactor, VelocityFactor float64
}

// Link returns the index of a link, -1 if there is none of that name.
func (m *Model) Link(name string) int {
	return slices.IndexFunc(m.Links, func(l Link) bool { return l.Name == name })
}

// Joint returns the index of a joint, -1 if there is none of that name.
func (m *Model) Joint(name string) int {
	return slices.IndexFunc(m.Joints, func(j Joint) bool { return j.Name == name })
}

func (m *Model) links() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range m.Links {
			if !yield(m.Links[i].Name) {
				return
			}
		}
	}
}

func (m *Model) joints() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range m.Joints {
			if !yield(m.Joints[i].Name) {
				return
			}
		}
	}
}
