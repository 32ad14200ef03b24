package kinematics_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
)

func TestUnwind(t *testing.T) {
	const turn = 2 * math.Pi
	inf := math.Inf(1)
	tests := []struct {
		least, most, value, hint float64
		want                     float64
		within                   bool
	}{
		{-3, 3, 1, 0, 1, true},
		{-3, 3, 1 + turn, 0, 1, true},
		{-3, 3, 1 - 5*turn, 0, 1, true},
		{-6, 6, 1, 4, 1, true},               // 1 + 2π would be nearer, but is not within
		{-6, 6, 1, -3, 1 - turn, true},       // nearer than 1
		{-6, 6, 1, -30, 1 - turn, true},      // as near as the limits let
		{-6, 6, 1 + 9*turn, 30, 1, true},     // the same
		{-inf, inf, 1, 30, 1 + 5*turn, true}, // no limits
		{-1, 1, 2, 0, 2, false},
		{-1, 1, 2, 50, 2 + 8*turn, false}, // the nearest, whatever the limits are
		{4, 5, 4.5 - turn, 0, 4.5, true},  // a range without 0
		{4, 5, 0, 0, 0, false},
		{-1, 1, 1 + 1e-12, 0, 1, true}, // rounding
		{-1, 1, -1 - 1e-12 + turn, 0, -1, true},
		{-1, 1, 1 + 1e-6, 0, 1 + 1e-6, false},
		{-1, inf, -1 - 1e-12, -7, -1, true},
	}
	for _, tt := range tests {
		j := kinematics.Joint{Min: tt.least, Max: tt.most}
		got, within := j.Unwind(tt.value, tt.hint)
		if math.Abs(got-tt.want) > 1e-13 || within != tt.within {
			t.Errorf("%v near %v between %v and %v: %v, %t", tt.value, tt.hint, tt.least, tt.most, got, within)
		}
	}
	slide := kinematics.Joint{Kind: kinematics.Prismatic, Min: -1, Max: 1}
	for value, want := range map[float64]bool{0.5: true, 1 + 1e-12: true, 7: false, -8: false} {
		if got, within := slide.Unwind(value, 0); within != want || math.Abs(got-value) > 1e-11 {
			t.Errorf("slide to %v: %v, %t", value, got, within)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		j := kinematics.Joint{Min: -1, Max: 1}
		if v, within := j.Unwind(bad, 0); within {
			t.Errorf("%v is within as %v", bad, v)
		}
		if v, within := j.Unwind(0.5, bad); within && v != 0.5 {
			t.Errorf("near %v: %v", bad, v)
		}
	}
}

// TestUnwindIsNearest compares with all values that mean the same.
func TestUnwindIsNearest(t *testing.T) {
	m := newMaker(5)
	for range 100_000 {
		j := kinematics.Joint{Min: -10 * m.Float64(), Max: 10 * m.Float64()}
		value, hint := 20*m.NormFloat64(), 10*m.NormFloat64()
		got, within := j.Unwind(value, hint)
		best, found := 0.0, false
		for turns := -30.0; turns <= 30; turns++ {
			v := value + turns*2*math.Pi
			if v >= j.Min && v <= j.Max && (!found || math.Abs(v-hint) < math.Abs(best-hint)) {
				best, found = v, true
			}
		}
		if within != found || found && math.Abs(got-best) > 1e-12 && math.Abs(math.Abs(got-hint)-math.Abs(best-hint)) > 1e-12 {
			t.Fatalf("%v near %v between %v and %v: %v, %t; of all, %v", value, hint, j.Min, j.Max, got, within, best)
		}
	}
}

func TestLimits(t *testing.T) {
	c := must(kinematics.Standard(geom.Frame{}, []kinematics.Row{
		{Joint: kinematics.Joint{Min: -1, Max: 2, Velocity: 4}},
		{Joint: kinematics.Joint{Min: math.Inf(-1), Max: math.Inf(1)}},
		{Joint: kinematics.Joint{Min: 0, Max: 5, Velocity: 2}},
	}, geom.Frame{}))
	nan := math.NaN()
	for _, tt := range []struct {
		q      []float64
		margin float64
		joint  int
	}{
		{[]float64{0, 100, 3}, 1, 0},
		{[]float64{1.5, 0, 4.75}, 0.25, 2},
		{[]float64{0, 0, 7}, -2, 2},
		{[]float64{-3, 0, 6}, -2, 0},
		{[]float64{0, nan, 0}, nan, 1},
		{[]float64{0, 0}, nan, 2},
	} {
		margin, joint := c.Margin(tt.q)
		if !(margin == tt.margin || margin != margin && tt.margin != tt.margin) || joint != tt.joint {
			t.Errorf("%v: %v of joint %d", tt.q, margin, joint)
		}
		if c.Within(tt.q) != (tt.margin >= 0) {
			t.Errorf("%v: within", tt.q)
		}
	}
	for _, tt := range []struct {
		v     []float64
		share float64
		joint int
	}{
		{[]float64{1, 100, 1}, 0.5, 2},
		{[]float64{-8, 0, 1}, 2, 0},
		{[]float64{0, 1e9, 0}, 0, 0},
		{[]float64{0, 0, nan}, nan, 2},
		{nil, nan, 0},
	} {
		share, joint := c.Load(tt.v)
		if !(share == tt.share || share != share && tt.share != tt.share) || joint != tt.joint {
			t.Errorf("%v: %v of joint %d", tt.v, share, joint)
		}
	}
	const turn = 2 * math.Pi
	q := []float64{1 + turn, 7, 3 - turn}
	if s := c.Unwind(q, []float64{0, 0, 0}); s != kinematics.Solved || math.Abs(q[0]-1)+math.Abs(q[1]-7+turn)+math.Abs(q[2]-3) > 1e-12 {
		t.Error(s, q)
	}
	if s := c.Unwind([]float64{3, 0, 0}, []float64{0, 0, 0}); s != kinematics.OutOfLimits {
		t.Error(s)
	}
	if s := c.Unwind([]float64{0, 0}, []float64{0, 0, 0}); s != kinematics.Invalid {
		t.Error(s)
	}
	if s := c.Unwind([]float64{0, nan, 0}, []float64{0, 0, 0}); s != kinematics.Invalid {
		t.Error(s)
	}
}
