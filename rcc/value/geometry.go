package value

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Codecs of the structured types. As words, a rotation is its quaternion: x, y, z, w.
var (
	vector   = fixed(TypeVector, 3, (*scanner).vector, appendVector, putVector, getVector)
	rotation = fixed(TypeRotation, 4, (*scanner).rotation, appendRotation, putRotation, getRotation)
	frame    = fixed(TypeFrame, 7, (*scanner).frame, appendFrame, putFrame, getFrame)
	twist    = fixed(TypeTwist, 6, (*scanner).twist, appendTwist, putTwist, getTwist)
	wrench   = fixed(TypeWrench, 6, (*scanner).wrench, appendWrench, putWrench, getWrench)
)

// fixed makes the codec of a type whose values all have the same number of words.
func fixed[T any](
	t Type, words int, read func(*scanner) T, write func([]byte, T) []byte, put func([]uint64, *T), get func([]uint64, *T),
) Codec[T] {
	return Codec[T]{
		Type:   t,
		Parse:  func(text string) (T, error) { return parse(text, t, read) },
		Append: write,
		Words:  func(T) int { return words },
		Put:    put,
		Get:    get,
		Copy:   assign[T],
		Clone:  same[T],
		Fits:   always[T],
	}
}

// The members of the structured types, in the order in which they are printed.
var (
	xyz         = []string{"x", "y", "z"}
	abc         = []string{"a", "b", "c"}
	posRot      = []string{"pos", "rot"}
	velRot      = []string{"vel", "rot"}
	forceTorque = []string{"force", "torque"}
)

func (s *scanner) triple(names []string) (v [3]float64) {
	s.members(names, func(i int) { v[i] = s.double() })
	return v
}

func (s *scanner) vector() geom.Vector {
	v := s.triple(xyz)
	return geom.Vector{X: v[0], Y: v[1], Z: v[2]}
}

func (s *scanner) rotation() geom.Rotation {
	v := s.triple(abc)
	return geom.FromABC(v[0], v[1], v[2])
}

func (s *scanner) frame() (f geom.Frame) {
	s.members(posRot, func(i int) {
		if i == 0 {
			f.Pos = s.vector()
		} else {
			f.Rot = s.rotation()
		}
	})
	return f
}

func (s *scanner) vectors(names []string) (v [2]geom.Vector) {
	s.members(names, func(i int) { v[i] = s.vector() })
	return v
}

func (s *scanner) twist() geom.Twist {
	v := s.vectors(velRot)
	return geom.Twist{Vel: v[0], Rot: v[1]}
}

func (s *scanner) wrench() geom.Wrench {
	v := s.vectors(forceTorque)
	return geom.Wrench{Force: v[0], Torque: v[1]}
}

func appendTriple(dst []byte, names []string, v [3]float64) []byte {
	before := byte('{')
	for i, name := range names {
		dst = append(append(append(dst, before), name...), ':')
		dst = appendDouble(dst, v[i%len(v)])
		before = ','
	}
	return append(dst, '}')
}

func appendVector(dst []byte, v geom.Vector) []byte {
	return appendTriple(dst, xyz, [3]float64{v.X, v.Y, v.Z})
}

func appendRotation(dst []byte, v geom.Rotation) []byte {
	return appendTriple(dst, abc, angles(v))
}

func appendFrame(dst []byte, v geom.Frame) []byte {
	dst = appendVector(append(dst, "{pos:"...), v.Pos)
	dst = appendRotation(append(dst, ",rot:"...), v.Rot)
	return append(dst, '}')
}

func appendTwist(dst []byte, v geom.Twist) []byte {
	dst = appendVector(append(dst, "{vel:"...), v.Vel)
	dst = appendVector(append(dst, ",rot:"...), v.Rot)
	return append(dst, '}')
}

func appendWrench(dst []byte, v geom.Wrench) []byte {
	dst = appendVector(append(dst, "{force:"...), v.Force)
	dst = appendVector(append(dst, ",torque:"...), v.Torque)
	return append(dst, '}')
}

func putVector(dst []uint64, v *geom.Vector) {
	if len(dst) >= 3 {
		dst[0], dst[1], dst[2] = math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)
	}
}

func getVector(src []uint64, v *geom.Vector) {
	if len(src) >= 3 {
		v.X, v.Y, v.Z = math.Float64frombits(src[0]), math.Float64frombits(src[1]), math.Float64frombits(src[2])
	}
}

func putRotation(dst []uint64, v *geom.Rotation) {
	if len(dst) >= 4 {
		x, y, z, w := v.Quaternion()
		dst[0], dst[1], dst[2], dst[3] = math.Float64bits(x), math.Float64bits(y), math.Float64bits(z), math.Float64bits(w)
	}
}

func getRotation(src []uint64, v *geom.Rotation) {
	if len(src) >= 4 {
		*v = geom.FromQuaternion(math.Float64frombits(src[0]), math.Float64frombits(src[1]), math.Float64frombits(src[2]), math.Float64frombits(src[3]))
	}
}

func putFrame(dst []uint64, v *geom.Frame) {
	if len(dst) >= 7 {
		putVector(dst[:3], &v.Pos)
		putRotation(dst[3:], &v.Rot)
	}
}

func getFrame(src []uint64, v *geom.Frame) {
	if len(src) >= 7 {
		getVector(src[:3], &v.Pos)
		getRotation(src[3:], &v.Rot)
	}
}

func putTwist(dst []uint64, v *geom.Twist) { putVectors(dst, &v.Vel, &v.Rot) }
func getTwist(src []uint64, v *geom.Twist) { getVectors(src, &v.Vel, &v.Rot) }

func putWrench(dst []uint64, v *geom.Wrench) { putVectors(dst, &v.Force, &v.Torque) }
func getWrench(src []uint64, v *geom.Wrench) { getVectors(src, &v.Force, &v.Torque) }

func putVectors(dst []uint64, a, b *geom.Vector) {
	if len(dst) >= 6 {
		putVector(dst[:3], a)
		putVector(dst[3:], b)
	}
}

func getVectors(src []uint64, a, b *geom.Vector) {
	if len(src) >= 6 {
		getVector(src[:3], a)
		getVector(src[3:], b)
	}
}
