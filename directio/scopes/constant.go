package scopes

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// constantOf returns the numbers of a port that never changes, nil where it is null or connected to nothing.
func constantOf(p *rcc.Probed) []float64 {
	words := parse(p.Type, p.Value)
	if len(words) != p.Words || len(words) == 0 {
		return nil
	}
	numbers := make([]float64, len(words))
	for i, w := range words {
		numbers[i] = p.Type.Number(w)
	}
	return numbers
}

// parse reads the text form of a value as its words, nil where it is none.
func parse(t value.Type, text string) []uint64 {
	switch t {
	case value.TypeBool:
		return wordsOf[bool](text)
	case value.TypeInt:
		return wordsOf[int32](text)
	case value.TypeDouble:
		return wordsOf[float64](text)
	case value.TypeTime:
		return wordsOf[value.Time](text)
	case value.TypeVector:
		return wordsOf[geom.Vector](text)
	case value.TypeRotation:
		return wordsOf[geom.Rotation](text)
	case value.TypeFrame:
		return wordsOf[geom.Frame](text)
	case value.TypeTwist:
		return wordsOf[geom.Twist](text)
	case value.TypeWrench:
		return wordsOf[geom.Wrench](text)
	case value.TypeMatrix:
		return wordsOf[value.Matrix](text)
	case value.ArrayOf(value.TypeBool):
		return wordsOf[[]bool](text)
	case value.ArrayOf(value.TypeInt):
		return wordsOf[[]int32](text)
	case value.ArrayOf(value.TypeDouble):
		return wordsOf[[]float64](text)
	default:
		return nil
	}
}

func wordsOf[T any](text string) []uint64 {
	codec := value.Of[T]()
	v, err := codec.Parse(text)
	if err != nil {
		return nil
	}
	words := make([]uint64, codec.Words(v))
	codec.Put(words, &v)
	return words
}
