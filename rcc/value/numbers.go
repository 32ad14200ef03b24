package value

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// Numbers returns the numbers in a text of a type, to compare values without knowledge of their types; list is true for an array.
// Of a rotation, and of frames in an array, only whether they are finite counts: one that is not is NaN.
// ok is false for a text that is none of the type, and for types of which there are no numbers.
func Numbers(t Type, text string) (numbers []float64, list, ok bool) {
	switch t {
	case TypeString:
		return nil, false, true
	case TypeBool:
		numbers, ok = parsed(text, func(v bool) []float64 {
			if v {
				return []float64{1}
			}
			return []float64{0}
		})
	case TypeInt:
		numbers, ok = parsed(text, func(v int32) []float64 { return []float64{float64(v)} })
	case TypeDouble:
		numbers, ok = parsed(text, func(v float64) []float64 { return []float64{v} })
	case TypeVector:
		numbers, ok = parsed(text, func(v geom.Vector) []float64 { return []float64{v.X, v.Y, v.Z} })
	case TypeFrame:
		numbers, ok = parsed(text, func(f geom.Frame) []float64 {
			if !f.Rot.Finite() {
				return []float64{f.Pos.X, f.Pos.Y, f.Pos.Z, math.NaN()}
			}
			return []float64{f.Pos.X, f.Pos.Y, f.Pos.Z}
		})
	case ArrayOf(TypeInt):
		list = true
		numbers, ok = parsed(text, func(v []int32) (all []float64) {
			for _, n := range v {
				all = append(all, float64(n))
			}
			return all
		})
	case ArrayOf(TypeDouble):
		list = true
		numbers, ok = parsed(text, func(v []float64) []float64 { return v })
	case ArrayOf(TypeFrame):
		list = true
		numbers, ok = parsed(text, func(v []geom.Frame) []float64 {
			all := make([]float64, len(v))
			for i := range v {
				if !v[i].Pos.Finite() || !v[i].Rot.Finite() {
					all[i] = math.NaN()
				}
			}
			return all
		})
	}
	return numbers, list, ok
}

func parsed[T any](text string, numbers func(T) []float64) ([]float64, bool) {
	v, err := Of[T]().Parse(text)
	if err != nil {
		return nil, false
	}
	return numbers(v), true
}

// Number returns the number that a word of a value stands for, whatever the type: true is 1, a time its nanoseconds as near as a double comes.
func (t Type) Number(word uint64) float64 {
	if element, isArray := t.Element(); isArray {
		t = element
	}
	switch t {
	case TypeBool:
		return float64(word)
	case TypeInt:
		return float64(int32(uint32(word)))
	case TypeTime:
		return float64(int64(word))
	default:
		return math.Float64frombits(word)
	}
}

// Components names the words of a value of a structured type, none for other types. Those of a norm come first (Normed).
func (t Type) Components() []string {
	switch t {
	case TypeVector:
		return []string{"x", "y", "z"}
	case TypeRotation:
		return []string{"x", "y", "z", "w"}
	case TypeFrame:
		return []string{"pos.x", "pos.y", "pos.z", "rot.x", "rot.y", "rot.z", "rot.w"}
	case TypeTwist:
		return []string{"vel.x", "vel.y", "vel.z", "rot.x", "rot.y", "rot.z"}
	case TypeWrench:
		return []string{"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"}
	default:
		return nil
	}
}

// Normed is how many of the first words of a value its norm is made of: those of a vector, a position, a velocity or a force; 0 for types without.
func (t Type) Normed() int {
	switch t {
	case TypeVector, TypeFrame, TypeTwist, TypeWrench:
		return 3
	default:
		return 0
	}
}
