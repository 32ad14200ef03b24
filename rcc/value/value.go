// Package value holds the data types of ports and parameters: their Go types, their text forms and their form as
// words of 64 bits, in which values travel between the cycle and the rest (architecture: values and no value).
//
// A value does not know whether its port has one in a cycle (null): package spec stamps ports.
package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom/text"
)

// Type names a data type as the catalogue and the wire do.
type Type string

// The scalar types.
const (
	TypeBool   Type = "bool"
	TypeInt    Type = "int"
	TypeDouble Type = "double"
	TypeTime   Type = "time"
	TypeString Type = "string" // parameters only
)

// The structured types. The array of a type is ArrayOf(type).
const (
	TypeVector   Type = "vector"
	TypeRotation Type = "rotation"
	TypeFrame    Type = "frame"
	TypeTwist    Type = "twist"
	TypeWrench   Type = "wrench"
	TypeMatrix   Type = "matrix"
)

// ArrayOf names the type of arrays of a type.
func ArrayOf(element Type) Type { return "array<" + element + ">" }

// Element returns the type of the elements of an array type.
func (t Type) Element() (Type, bool) {
	inner, isArray := strings.CutPrefix(string(t), "array<")
	element, closed := strings.CutSuffix(inner, ">")
	return Type(element), isArray && closed
}

// Time is a point in time in nanoseconds since 1970 (UTC), the type nsecs of the wire.
type Time int64

// Codec is what the daemon knows about a data type.
//
// Put, Get and Copy are called in the cycle: they move a value to and from exactly Words(v) words, or to another place,
// and do nothing else. Arrays and matrices are moved element by element into memory that is there: Get and Copy fill as
// many elements as there are on both sides, and no memory changes hands. How long they are is decided when the net is
// loaded, by Parse, Clone and Fits.
type Codec[T any] struct {
	Type   Type
	Parse  func(text string) (T, error)
	Append func(dst []byte, v T) []byte
	Words  func(v T) int
	Put    func(dst []uint64, v *T)
	Get    func(src []uint64, v *T)
	Copy   func(dst, src *T)

	// Clone returns a value of its own: nothing that is written into one of the two is seen in the other.
	Clone func(v T) T
	// Fits says why v cannot stand where like stands, if it has another length.
	Fits func(v, like T) error
}

// Codecs of the scalar types.
var (
	Bool = Codec[bool]{
		Type:   TypeBool,
		Parse:  parseBool,
		Append: strconv.AppendBool,
		Words:  one[bool],
		Put:    putBool,
		Get:    getBool,
		Copy:   assign[bool],
		Clone:  same[bool],
		Fits:   always[bool],
	}
	Int = Codec[int32]{
		Type:   TypeInt,
		Parse:  parseInt,
		Append: func(dst []byte, v int32) []byte { return strconv.AppendInt(dst, int64(v), 10) },
		Words:  one[int32],
		Put:    putInt,
		Get:    getInt,
		Copy:   assign[int32],
		Clone:  same[int32],
		Fits:   always[int32],
	}
	Double = Codec[float64]{
		Type:   TypeDouble,
		Parse:  text.ParseDouble,
		Append: text.AppendDouble,
		Words:  one[float64],
		Put:    putDouble,
		Get:    getDouble,
		Copy:   assign[float64],
		Clone:  same[float64],
		Fits:   always[float64],
	}
	Nsecs = Codec[Time]{
		Type:   TypeTime,
		Parse:  parseTime,
		Append: func(dst []byte, v Time) []byte { return strconv.AppendInt(dst, int64(v), 10) },
		Words:  one[Time],
		Put:    putTime,
		Get:    getTime,
		Copy:   assign[Time],
		Clone:  same[Time],
		Fits:   always[Time],
	}
	// Text is for parameters: a string has no form as words and is never on a port.
	Text = Codec[string]{
		Type:   TypeString,
		Parse:  func(in string) (string, error) { return in, nil },
		Append: func(dst []byte, v string) []byte { return append(dst, v...) },
		Clone:  same[string],
		Fits:   always[string],
	}
)

// codecs are those of all data types, the ones of which nets are full first.
var codecs = [...]any{
	&Double, &Bool, &Int, &Nsecs, &Text,
	&vector, &rotation, &frame, &twist, &wrench, &matrix,
	&doubles, &bools, &ints, &times, &vectors, &rotations, &frames, &twists, &wrenches,
}

// Of returns the codec of T; it panics for a Go type that is not a data type, which is a mistake in a declaration.
func Of[T any]() *Codec[T] {
	for _, c := range codecs {
		if found, ok := c.(*Codec[T]); ok {
			return found
		}
	}
	panic(fmt.Sprintf("value: %T is not a data type", *new(T)))
}

func one[T any](T) int { return 1 }

func assign[T any](dst, src *T) { *dst = *src }

func same[T any](v T) T { return v }

func always[T any](T, T) error { return nil }

func putBool(dst []uint64, v *bool) {
	if len(dst) > 0 {
		dst[0] = 0
		if *v {
			dst[0] = 1
		}
	}
}

func getBool(src []uint64, v *bool) {
	if len(src) > 0 {
		*v = src[0] != 0
	}
}

func putInt(dst []uint64, v *int32) {
	if len(dst) > 0 {
		dst[0] = uint64(uint32(*v))
	}
}

func getInt(src []uint64, v *int32) {
	if len(src) > 0 {
		*v = int32(uint32(src[0]))
	}
}

func putDouble(dst []uint64, v *float64) {
	if len(dst) > 0 {
		dst[0] = math.Float64bits(*v)
	}
}

func getDouble(src []uint64, v *float64) {
	if len(src) > 0 {
		*v = math.Float64frombits(src[0])
	}
}

func putTime(dst []uint64, v *Time) {
	if len(dst) > 0 {
		dst[0] = uint64(*v)
	}
}

func getTime(src []uint64, v *Time) {
	if len(src) > 0 {
		*v = Time(src[0])
	}
}

func parseBool(in string) (bool, error) {
	switch strings.TrimSpace(in) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%s is neither true nor false", text.Quote(in))
}

// parseInt also reads numbers that clients write with a fraction of zeros ("3.0").
func parseInt(in string) (int32, error) {
	trimmed := strings.TrimSpace(in)
	if n, err := strconv.ParseInt(trimmed, 10, 32); err == nil {
		return int32(n), nil
	}
	if f, err := text.ParseDouble(trimmed); err == nil && strings.ContainsRune(trimmed, '.') && f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32 {
		return int32(f), nil
	}
	return 0, fmt.Errorf("%s is not a whole number of 32 bits", text.Quote(in))
}

func parseTime(in string) (Time, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(in), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a time in nanoseconds", text.Quote(in))
	}
	return Time(n), nil
}
