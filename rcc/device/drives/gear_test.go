package drives

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGear: what is written as counts is read as the same angles, whatever the coupling is.
func TestGear(t *testing.T) {
	const six = 6
	rnd := rand.New(rand.NewPCG(9, 2))
	for range 200 {
		scale, offset, coupling := make([]float64, six), make([]float64, six), make([]float64, six*six)
		for i := range six {
			scale[i], offset[i] = (rnd.Float64()+0.1)*1e6, rnd.Float64()-0.5
			if rnd.IntN(2) == 0 {
				scale[i] = -scale[i]
			}
			for k := range six {
				coupling[six*i+k] = 0.2 * (rnd.Float64() - 0.5)
			}
			coupling[six*i+i]++
		}
		g, err := NewGear(six, scale, offset, coupling)
		if err != nil {
			t.Fatal(err)
		}
		var q vector
		for i := range six {
			q[i] = 6 * (rnd.Float64() - 0.5)
		}
		counts, ok := g.counts(&q)
		if !ok {
			t.Fatal("no counts")
		}
		for i := range six { // by the definition
			angle := 0.0
			for k := range six {
				angle += coupling[six*i+k] * q[k]
			}
			if want := (angle - offset[i]) * scale[i]; math.Abs(float64(counts[i])-want) > 0.5001 {
				t.Fatalf("axis %d: %d counts instead of %v", i, counts[i], want)
			}
		}
		back := g.joints(&counts)
		for i := range six {
			if math.Abs(back[i]-q[i]) > 1e-4 {
				t.Fatalf("joint %d: %v instead of %v", i, back[i], q[i])
			}
		}
		if again, _ := g.counts(&back); again != counts {
			t.Fatalf("%v is not %v again", again, counts)
		}
		var torques vector // on the way of a joint, all axes together do its work
		for k := range six {
			torques[k] = rnd.Float64() - 0.5
		}
		k, turned, needed := rnd.IntN(six), vector{}, g.torques(&torques)
		turned[k] = 1
		ways, work := g.rates(&turned), 0.0
		for i := range six {
			work += needed[i] * ways[i] / math.Abs(scale[i])
		}
		if math.Abs(work-torques[k]) > 1e-9 {
			t.Fatalf("axes do the work %v on the way of joint %d, it needs %v", work, k, torques[k])
		}
		q[rnd.IntN(six)] = math.NaN()
		if _, ok := g.counts(&q); ok {
			t.Fatal("counts of no number")
		}
	}
}

// TestWord: numbers stay within what there is room for.
func TestWord(t *testing.T) {
	for _, tt := range []struct {
		v        float64
		bits     int
		unsigned bool
		want     uint64
	}{
		{1.4, 16, false, 1},
		{-1.6, 16, false, 0xfffffffffffffffe},
		{1e9, 16, false, 0x7fff},
		{-1e9, 16, false, 0xffffffffffff8000},
		{-5, 16, true, 0},
		{1e9, 16, true, 0xffff},
		{math.NaN(), 16, false, 0},
		{math.Inf(1), 8, true, 255},
		{3, 0, false, 0},
		{1, 1, true, 1},
	} {
		if got := word(tt.v, tt.bits, tt.unsigned); got != tt.want {
			t.Errorf("%v with %d bits is %#x, want %#x", tt.v, tt.bits, got, tt.want)
		}
	}
}
