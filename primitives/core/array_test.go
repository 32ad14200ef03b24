package core_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// TestBitsAndBack: an int that fits into its bits comes back out of them, whatever their number; one that does not is told.
func TestBitsAndBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		code, most := "Bin", 32
		if rapid.Bool().Draw(r, "decimal") {
			code, most = "BCD", 44
		}
		bits := rapid.IntRange(2, most/4).Draw(r, "digits") * 4
		signed := rapid.Bool().Draw(r, "signed")
		params := map[string]string{"amountBits": strconv.Itoa(bits), "signBit": strconv.FormatBool(signed)}
		to := kit.Single(t, "Core::DecTo"+code, time.Millisecond, params, "inValue")
		number, array := testkit.In[int32](t, to, "inValue"), testkit.Out[[]bool](t, to, "outArray")
		overflow := testkit.Out[bool](t, to, "overflowBit")
		for range 10 {
			v := rapid.OneOf(rapid.Int32(), rapid.Int32Range(-1000, 1000)).Draw(r, "value")
			to.Next()
			number.Set(to.Cy, v)
			to.Phases()
			if want := !fits(v, code, bits, signed); overflow.V != want {
				r.Fatalf("%d in %d bits: overflow %t", v, bits, overflow.V)
			}
			back, ok := backFromBits(t, code, params, array)
			if !overflow.V && (!ok || back != v) {
				r.Fatalf("%d in %d bits: back comes %d, %t", v, bits, back, ok)
			}
		}
	})
}

func fits(v int32, code string, bits int, signed bool) bool {
	least, most := 0.0, math.Pow(2, float64(bits))-1
	switch {
	case code == "BCD" && signed:
		most = math.Pow(10, float64(bits/4-1)) - 1
		least = -most
	case code == "BCD":
		most = math.Pow(10, float64(bits/4)) - 1
	case signed:
		least, most = -math.Pow(2, float64(bits-1)), math.Pow(2, float64(bits-1))-1
	}
	return float64(v) >= least && float64(v) <= most
}

func backFromBits(t *testing.T, code string, params map[string]string, bits *spec.Out[[]bool]) (int32, bool) {
	t.Helper()
	from := kit.Single(t, "Core::"+code+"ToDec", time.Millisecond, params, "inArray")
	in, out := testkit.In[[]bool](t, from, "inArray"), testkit.Out[int32](t, from, "outValue")
	from.Next()
	in.V = bits.V
	in.Touch(from.Cy)
	from.Phases()
	return out.V, out.Current(from.Cy)
}

// TestSolveSolves: with the vector that it gives, the equations hold.
func TestSolveSolves(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(r, "unknowns")
		net := kit.Single(t, "Core::MatrixSolve", time.Millisecond, map[string]string{"Size": strconv.Itoa(n)}, "inMatrix", "inResult")
		m, right := testkit.In[value.Matrix](t, net, "inMatrix"), testkit.In[[]float64](t, net, "inResult")
		out := testkit.Out[[]float64](t, net, "outValue")
		scale := math.Pow(10, rapid.Float64Range(-6, 6).Draw(r, "scale"))
		net.Next()
		for row := range n {
			for col := range n {
				v := rapid.Float64Range(-1, 1).Draw(r, "element")
				if row == col {
					v += 10 // the equations stay independent
				}
				m.V.Set(row, col, v*scale)
			}
			right.V[row] = rapid.Float64Range(-10, 10).Draw(r, "right")
		}
		m.Touch(net.Cy)
		right.Touch(net.Cy)
		net.Phases()
		if !out.Current(net.Cy) {
			r.Fatal("no solution")
		}
		for row := range n {
			sum := 0.0
			for col := range n {
				sum += m.V.At(row, col) * out.V[col]
			}
			if math.Abs(sum-right.V[row]) > 1e-9 {
				r.Fatalf("row %d: %g, not %g", row, sum, right.V[row])
			}
		}
	})
}
