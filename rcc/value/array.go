package value

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/text"
)

// MaxLength is how many elements an array or a matrix may have.
const MaxLength = 1 << 16

// NewArray returns an array of n zeros, if one may be as long (load): lengths come from texts of clients.
func NewArray[E any](n int32) ([]E, error) {
	if n < 0 || n > MaxLength {
		return nil, fmt.Errorf("an array has 0 to %d elements, not %d", MaxLength, n)
	}
	return make([]E, n), nil
}

// Codecs of the array types. In Go an array is a slice, and its length is fixed when the net is loaded.
var (
	bools     = array(&Bool, word(&Bool))
	ints      = array(&Int, word(&Int))
	doubles   = arrayOfDoubles()
	times     = array(&Nsecs, word(&Nsecs))
	vectors   = array(&vector, geom.ReadVector)
	rotations = array(&rotation, geom.ReadRotation)
	frames    = array(&frame, geom.ReadFrame)
	twists    = array(&twist, geom.ReadTwist)
	wrenches  = array(&wrench, geom.ReadWrench)
)

func word[E any](codec *Codec[E]) func(s *text.Scanner) E {
	return func(s *text.Scanner) E { return text.Scalar(s, codec.Parse) }
}

// list reads [value,…].
func list[E any](s *text.Scanner, read func(s *text.Scanner) E) []E {
	v := []E{}
	s.List(func() {
		if len(v) == MaxLength {
			s.Fail("it has more than %d elements", MaxLength)
		}
		v = append(v, read(s))
	})
	return v
}

// array makes the codec of arrays. All elements have the same number of words.
func array[E any](element *Codec[E], read func(s *text.Scanner) E) Codec[[]E] {
	t := ArrayOf(element.Type)
	each := element.Words(*new(E))
	put, get := element.Put, element.Get
	return Codec[[]E]{
		Type:  t,
		Parse: func(in string) ([]E, error) { return parse(in, t, func(s *text.Scanner) []E { return list(s, read) }) },
		Append: func(dst []byte, v []E) []byte {
			dst = append(dst, '[')
			for i := range v {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = element.Append(dst, v[i])
			}
			return append(dst, ']')
		},
		Words: func(v []E) int { return each * len(v) },
		Put: func(dst []uint64, v *[]E) {
			from := *v
			for i := range from {
				if uint(each) > uint(len(dst)) { // asked in the way in which the compiler sees that the slice exists
					return
				}
				put(dst, &from[i])
				dst = dst[each:]
			}
		},
		Get: func(src []uint64, v *[]E) {
			to := *v
			for i := range to {
				if uint(each) > uint(len(src)) {
					return
				}
				get(src, &to[i])
				src = src[each:]
			}
		},
		Copy:  func(dst, src *[]E) { copy(*dst, *src) },
		Clone: func(v []E) []E { return append([]E{}, v...) },
		Fits: func(v, like []E) error {
			if len(v) != len(like) {
				return fmt.Errorf("it has %d elements, not %d", len(v), len(like))
			}
			return nil
		},
	}
}

// arrayOfDoubles returns the codec of the arrays of which nets are full, without a call for each element.
func arrayOfDoubles() Codec[[]float64] {
	codec := array(&Double, (*text.Scanner).Double)
	codec.Put = func(dst []uint64, v *[]float64) { putDoubles(dst, *v) }
	codec.Get = func(src []uint64, v *[]float64) { getDoubles(src, *v) }
	return codec
}

func putDoubles(dst []uint64, v []float64) {
	for i := 0; i < len(v) && i < len(dst); i++ {
		dst[i] = math.Float64bits(v[i])
	}
}

func getDoubles(src []uint64, v []float64) {
	for i := 0; i < len(v) && i < len(src); i++ {
		v[i] = math.Float64frombits(src[i])
	}
}
