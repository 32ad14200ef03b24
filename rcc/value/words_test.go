package value

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

// TestWordsAsNumbers: words that codecs put are the numbers of the value, and have as many names.
func TestWordsAsNumbers(t *testing.T) {
	checkWords(t, true, 1)
	checkWords(t, int32(-7), -7)
	checkWords(t, math.Inf(-1), math.Inf(-1))
	checkWords(t, Time(1<<60), 1<<60)
	checkWords(t, []int32{-1, math.MaxInt32}, -1, math.MaxInt32)
	checkWords(t, []float64{0.5}, 0.5)
	checkWords(t, geom.Vector{X: 1, Y: -2, Z: 3}, 1, -2, 3)
	checkWords(t, geom.Rotation{}, 0, 0, 0, 1)
	checkWords(t, geom.Frame{Pos: geom.Vector{X: 1, Y: 2, Z: 3}}, 1, 2, 3, 0, 0, 0, 1)
	checkWords(t, geom.Twist{Vel: geom.Vector{Y: 1}, Rot: geom.Vector{Z: 2}}, 0, 1, 0, 0, 0, 2)
	checkWords(t, geom.Wrench{Force: geom.Vector{Y: 1}, Torque: geom.Vector{Z: 2}}, 0, 1, 0, 0, 0, 2)
}

func checkWords[T any](t *testing.T, v T, want ...float64) {
	t.Helper()
	codec := Of[T]()
	words := make([]uint64, codec.Words(v))
	codec.Put(words, &v)
	if len(words) != len(want) {
		t.Fatalf("%s: %d words, want %d", codec.Type, len(words), len(want))
	}
	for i, w := range words {
		if got := codec.Type.Number(w); got != want[i] {
			t.Errorf("%s: word %d is %v, want %v", codec.Type, i, got, want[i])
		}
	}
	if names := codec.Type.Components(); names != nil && len(names) != len(words) {
		t.Errorf("%s: %d names for %d words", codec.Type, len(names), len(words))
	}
	if codec.Type.Normed() > len(words) {
		t.Errorf("%s: a norm of %d words", codec.Type, codec.Type.Normed())
	}
}
