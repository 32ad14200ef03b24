package geom

import "github.com/softrobot-rcc/rccd/geom/text"

// The text forms are those of ports and parameters: {x:1,y:2,z:3}, {a:0.1,b:0,c:0} in rad, {pos:{…},rot:{…}},
// {vel:{…},rot:{…}}, {force:{…},torque:{…}}. Members may come in any order, and missing ones are 0. A printed value has
// all of them in this order and no blanks, and reads back as what was printed: exactly, except for rotations, which may be
// off by 1e-13 where there are more quaternions than angles. Errors are of type *text.Error and have the place.

// The members, in the order in which they are printed.
var (
	xyz         = []string{"x", "y", "z"}
	abc         = []string{"a", "b", "c"}
	posRot      = []string{"pos", "rot"}
	velRot      = []string{"vel", "rot"}
	forceTorque = []string{"force", "torque"}
)

// ParseVector reads {x:1,y:2,z:3}.
func ParseVector(s string) (Vector, error) { return text.Parse(s, "vector", ReadVector) }

// ParseRotation reads {a:1,b:2,c:3}, the angles of FromABC.
func ParseRotation(s string) (Rotation, error) { return text.Parse(s, "rotation", ReadRotation) }

// ParseFrame reads {pos:{x:1,y:2,z:3},rot:{a:1,b:2,c:3}}.
func ParseFrame(s string) (Frame, error) { return text.Parse(s, "frame", ReadFrame) }

// ParseTwist reads {vel:{x:1,y:2,z:3},rot:{x:1,y:2,z:3}}.
func ParseTwist(s string) (Twist, error) { return text.Parse(s, "twist", ReadTwist) }

// ParseWrench reads {force:{x:1,y:2,z:3},torque:{x:1,y:2,z:3}}.
func ParseWrench(s string) (Wrench, error) { return text.Parse(s, "wrench", ReadWrench) }

func triple(s *text.Scanner, names []string) (v [3]float64) {
	s.Members(names, func(i int) { v[i] = s.Double() })
	return v
}

func vectors(s *text.Scanner, names []string) (v [2]Vector) {
	s.Members(names, func(i int) { v[i] = ReadVector(s) })
	return v
}

// ReadVector reads a vector that is a part of a text.
func ReadVector(s *text.Scanner) Vector {
	v := triple(s, xyz)
	return Vector{v[0], v[1], v[2]}
}

// ReadRotation reads a rotation that is a part of a text.
func ReadRotation(s *text.Scanner) Rotation {
	v := triple(s, abc)
	return FromABC(v[0], v[1], v[2])
}

// ReadFrame reads a frame that is a part of a text.
func ReadFrame(s *text.Scanner) (f Frame) {
	s.Members(posRot, func(i int) {
		if i == 0 {
			f.Pos = ReadVector(s)
		} else {
			f.Rot = ReadRotation(s)
		}
	})
	return f
}

// ReadTwist reads a twist that is a part of a text.
func ReadTwist(s *text.Scanner) Twist {
	v := vectors(s, velRot)
	return Twist{v[0], v[1]}
}

// ReadWrench reads a wrench that is a part of a text.
func ReadWrench(s *text.Scanner) Wrench {
	v := vectors(s, forceTorque)
	return Wrench{v[0], v[1]}
}

func appendTriple(dst []byte, names []string, v [3]float64) []byte {
	before := byte('{')
	for i, name := range names {
		dst = append(append(append(dst, before), name...), ':')
		dst = text.AppendDouble(dst, v[i%len(v)])
		before = ','
	}
	return append(dst, '}')
}

// Append prints v behind dst.
func (v Vector) Append(dst []byte) []byte { return appendTriple(dst, xyz, [3]float64{v.X, v.Y, v.Z}) }

// Append prints r behind dst, by the angles that it was read from, if it was.
func (r Rotation) Append(dst []byte) []byte { return appendTriple(dst, abc, angles(r)) }

// Append prints f behind dst.
func (f Frame) Append(dst []byte) []byte {
	dst = f.Pos.Append(append(dst, "{pos:"...))
	dst = f.Rot.Append(append(dst, ",rot:"...))
	return append(dst, '}')
}

// Append prints t behind dst.
func (t Twist) Append(dst []byte) []byte {
	dst = t.Vel.Append(append(dst, "{vel:"...))
	dst = t.Rot.Append(append(dst, ",rot:"...))
	return append(dst, '}')
}

// Append prints w behind dst.
func (w Wrench) Append(dst []byte) []byte {
	dst = w.Force.Append(append(dst, "{force:"...))
	dst = w.Torque.Append(append(dst, ",torque:"...))
	return append(dst, '}')
}

// The methods below are the interfaces of package encoding, so that JSON, flags and the like use them.

// String returns the text of v.
func (v Vector) String() string { return string(v.Append(nil)) }

// MarshalText implements encoding.TextMarshaler.
func (v Vector) MarshalText() ([]byte, error) { return v.Append(nil), nil }

// AppendText implements encoding.TextAppender.
func (v Vector) AppendText(dst []byte) ([]byte, error) { return v.Append(dst), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A wrong text leaves v unchanged.
func (v *Vector) UnmarshalText(b []byte) error { return unmarshal(v, b, ParseVector) }

// String returns the text of r.
func (r Rotation) String() string { return string(r.Append(nil)) }

// MarshalText implements encoding.TextMarshaler.
func (r Rotation) MarshalText() ([]byte, error) { return r.Append(nil), nil }

// AppendText implements encoding.TextAppender.
func (r Rotation) AppendText(dst []byte) ([]byte, error) { return r.Append(dst), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A wrong text leaves r unchanged.
func (r *Rotation) UnmarshalText(b []byte) error { return unmarshal(r, b, ParseRotation) }

// String returns the text of f.
func (f Frame) String() string { return string(f.Append(nil)) }

// MarshalText implements encoding.TextMarshaler.
func (f Frame) MarshalText() ([]byte, error) { return f.Append(nil), nil }

// AppendText implements encoding.TextAppender.
func (f Frame) AppendText(dst []byte) ([]byte, error) { return f.Append(dst), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A wrong text leaves f unchanged.
func (f *Frame) UnmarshalText(b []byte) error { return unmarshal(f, b, ParseFrame) }

// String returns the text of t.
func (t Twist) String() string { return string(t.Append(nil)) }

// MarshalText implements encoding.TextMarshaler.
func (t Twist) MarshalText() ([]byte, error) { return t.Append(nil), nil }

// AppendText implements encoding.TextAppender.
func (t Twist) AppendText(dst []byte) ([]byte, error) { return t.Append(dst), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A wrong text leaves t unchanged.
func (t *Twist) UnmarshalText(b []byte) error { return unmarshal(t, b, ParseTwist) }

// String returns the text of w.
func (w Wrench) String() string { return string(w.Append(nil)) }

// MarshalText implements encoding.TextMarshaler.
func (w Wrench) MarshalText() ([]byte, error) { return w.Append(nil), nil }

// AppendText implements encoding.TextAppender.
func (w Wrench) AppendText(dst []byte) ([]byte, error) { return w.Append(dst), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A wrong text leaves w unchanged.
func (w *Wrench) UnmarshalText(b []byte) error { return unmarshal(w, b, ParseWrench) }

func unmarshal[T any](v *T, b []byte, parse func(string) (T, error)) error {
	got, err := parse(string(b))
	if err == nil {
		*v = got
	}
	return err
}
