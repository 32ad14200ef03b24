package graph

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/text"
)

// Type is the data type of a port or parameter, by the name that the daemon has for it.
type Type string

// The data types. Parameters may be strings as well, ports never are.
const (
	Bool     Type = "bool"
	Int      Type = "int"
	Double   Type = "double"
	Time     Type = "time"
	Vector   Type = "vector"
	Rotation Type = "rotation"
	Frame    Type = "frame"
	Twist    Type = "twist"
	Wrench   Type = "wrench"
	Matrix   Type = "matrix"
	String   Type = "string"
)

// ArrayOf returns the type of arrays of a type.
func ArrayOf(element Type) Type { return arrayBegin + element + arrayEnd }

const (
	arrayBegin = "array<"
	arrayEnd   = ">"
)

// Element returns the type of the elements of an array.
func (t Type) Element() (element Type, isArray bool) {
	inner, found := strings.CutPrefix(string(t), arrayBegin)
	if !found {
		return "", false
	}
	return Type(strings.TrimSuffix(inner, arrayEnd)), true
}

// family returns how the names of the primitives begin that exist for every data type (§7.3.2).
func (t Type) family() string {
	if element, isArray := t.Element(); isArray {
		return element.family() + "Array"
	}
	if name, found := families[t]; found {
		return name
	}
	return string(t)
}

var families = map[Type]string{
	Bool: "Core::Boolean", Int: "Core::Int", Double: "Core::Double", Time: "Core::Time", Matrix: "Core::Matrix",
	Vector: "World::Vector", Rotation: "World::Rotation", Frame: "World::Frame", Twist: "World::Twist", Wrench: "World::Wrench",
}

// Instant is a point in time as nets know it, ns of Unix time.
type Instant int64

// Value is a Go type that a data type of nets has.
type Value interface {
	bool | int32 | float64 | Instant | geom.Vector | geom.Rotation | geom.Frame | geom.Twist | geom.Wrench |
		[]bool | []int32 | []float64 | []Instant | []geom.Vector | []geom.Rotation | []geom.Frame | []geom.Twist | []geom.Wrench
}

// TypeOf returns the data type of a Go type.
func TypeOf[T Value]() Type {
	var none T
	t, _ := typeOf(none) // there is one, as T is a Value
	return t
}

func typeOf(v any) (t Type, known bool) {
	switch v.(type) {
	case bool:
		return Bool, true
	case int32, int:
		return Int, true
	case float64:
		return Double, true
	case Instant:
		return Time, true
	case geom.Vector:
		return Vector, true
	case geom.Rotation:
		return Rotation, true
	case geom.Frame:
		return Frame, true
	case geom.Twist:
		return Twist, true
	case geom.Wrench:
		return Wrench, true
	case string:
		return String, true
	}
	return typeOfArray(v)
}

func typeOfArray(v any) (t Type, known bool) {
	switch v.(type) {
	case []bool:
		return ArrayOf(Bool), true
	case []int32:
		return ArrayOf(Int), true
	case []float64:
		return ArrayOf(Double), true
	case []Instant:
		return ArrayOf(Time), true
	case []geom.Vector:
		return ArrayOf(Vector), true
	case []geom.Rotation:
		return ArrayOf(Rotation), true
	case []geom.Frame:
		return ArrayOf(Frame), true
	case []geom.Twist:
		return ArrayOf(Twist), true
	case []geom.Wrench:
		return ArrayOf(Wrench), true
	}
	return "", false
}

// appendValue prints a value as nets and messages have it. The types are those that typeOf knows.
func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(dst, v)
	case int32:
		return strconv.AppendInt(dst, int64(v), 10)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return text.AppendDouble(dst, v)
	case Instant:
		return strconv.AppendInt(dst, int64(v), 10)
	case string:
		return append(dst, v...)
	case interface{ Append([]byte) []byte }: // those of geom
		return v.Append(dst)
	}
	return appendArray(dst, v)
}

// Text prints a Value, a string or an int as nets and messages have it.
func Text(v any) string { return string(appendValue(nil, v)) }

func appendArray(dst []byte, v any) []byte {
	switch v := v.(type) {
	case []bool:
		return appendElements(dst, v)
	case []int32:
		return appendElements(dst, v)
	case []float64:
		return appendElements(dst, v)
	case []Instant:
		return appendElements(dst, v)
	case []geom.Vector:
		return appendElements(dst, v)
	case []geom.Rotation:
		return appendElements(dst, v)
	case []geom.Frame:
		return appendElements(dst, v)
	case []geom.Twist:
		return appendElements(dst, v)
	case []geom.Wrench:
		return appendElements(dst, v)
	}
	panic(fmt.Sprintf("net: no text for %T", v))
}

func appendElements[E any](dst []byte, v []E) []byte {
	dst = append(dst, '[')
	for i := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v[i])
	}
	return append(dst, ']')
}

// textOf prints a value for a parameter of a type. Whole numbers stand for doubles, too.
func textOf(v any, t Type) (string, error) {
	if n, ok := v.(int); ok {
		switch {
		case t == Double:
			v = float64(n)
		case t == Time:
			v = Instant(n)
		case n < math.MinInt32 || n > math.MaxInt32:
			return "", fmt.Errorf("%d is not an int", n)
		}
	}
	switch have, known := typeOf(v); {
	case !known:
		return "", fmt.Errorf("a Go %T is not of type %s", v, t)
	case have != t:
		return "", fmt.Errorf("a value of type %s is not of type %s", have, t)
	}
	return string(appendValue(nil, v)), nil
}
