package value

import (
	"errors"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/text"
)

// Codecs of the structured types, whose texts are those of package geom. As words, a rotation is its quaternion: x, y, z, w.
var (
	vector   = fixed(TypeVector, 3, geom.ReadVector, geom.Vector.Append, putVector, getVector)
	rotation = fixed(TypeRotation, 4, geom.ReadRotation, geom.Rotation.Append, putRotation, getRotation)
	frame    = fixed(TypeFrame, 7, geom.ReadFrame, geom.Frame.Append, putFrame, getFrame)
	twist    = fixed(TypeTwist, 6, geom.ReadTwist, geom.Twist.Append, putTwist, getTwist)
	wrench   = fixed(TypeWrench, 6, geom.ReadWrench, geom.Wrench.Append, putWrench, getWrench)
)

// fixed makes the codec of a type whose values all have the same number of words.
func fixed[T any](
	t Type, words int, read func(*text.Scanner) T, write func(T, []byte) []byte, put func([]uint64, *T), get func([]uint64, *T),
) Codec[T] {
	return Codec[T]{
		Type:   t,
		Parse:  func(in string) (T, error) { return parse(in, t, read) },
		Append: func(dst []byte, v T) []byte { return write(v, dst) },
		Words:  func(T) int { return words },
		Put:    put,
		Get:    get,
		Copy:   assign[T],
		Clone:  same[T],
		Fits:   always[T],
	}
}

// parse reads a text. Its errors are as clients know them, without the byte: clients get the primitive and the parameter.
func parse[T any](in string, t Type, read func(s *text.Scanner) T) (T, error) {
	v, err := text.Parse(in, string(t), read)
	if wrong := (*text.Error)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("%s is not of type %s: %w", text.Quote(in), t, wrong.Reason)
	}
	return v, err
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
