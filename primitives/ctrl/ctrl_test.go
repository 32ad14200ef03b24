package ctrl_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/ctrl"
)

var kit = testkit.Kit{Primitives: ctrl.Primitives()}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestEndure(t *testing.T)      { kit.Stress(t, 100) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

// loop returns a controller whose in ports a test feeds.
func loop(t *testing.T, params map[string]string) func(desired, measured float64) float64 {
	t.Helper()
	net := kit.Single(t, "Ctrl::PID", 10*time.Millisecond, params, "inDesired", "inMeasured")
	desired, measured := testkit.In[float64](t, net, "inDesired"), testkit.In[float64](t, net, "inMeasured")
	out := testkit.Out[float64](t, net, "outValue")
	return func(d, m float64) float64 {
		net.Next()
		desired.Set(net.Cy, d)
		measured.Set(net.Cy, m)
		net.Phases()
		return out.V
	}
}

// TestPIDFormula: the result is the textbook's sum over all errors so far.
func TestPIDFormula(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const period = 0.01
		next := loop(t, map[string]string{"P": "2", "I": "3", "D": "0.5"})
		values := rapid.Float64Range(-10, 10)
		sum, last := 0.0, math.NaN()
		for n := range rapid.IntRange(1, 50).Draw(r, "cycles") {
			desired, measured := values.Draw(r, "desired"), values.Draw(r, "measured")
			e := desired - measured
			sum += e * period
			want := 2*e + 3*sum
			if n > 0 {
				want += 0.5 * (e - last) / period
			}
			last = e
			if got := next(desired, measured); math.Abs(got-want) > 1e-9 {
				r.Fatalf("cycle %d: %g, not %g", n+1, got, want)
			}
		}
	})
}

// TestClosedLoop: with an integral part, a tank that leaks gets to its level and stays there, and after a time at the
// limit it does not overshoot by what would have wound up.
func TestClosedLoop(t *testing.T) {
	next := loop(t, map[string]string{"P": "4", "I": "4", "Min": "0", "Max": "3"})
	const desired, period = 2.0, 0.01
	level, most := 0.0, 0.0
	for range 2000 {
		level += (next(desired, level) - level) * period
		most = max(most, level)
	}
	if math.Abs(level-desired) > 1e-6 {
		t.Errorf("the level is %g, not %g", level, desired)
	}
	if most > desired*1.02 {
		t.Errorf("the level went up to %g", most)
	}
}

// TestNothingStays: no input can stay in the state of a controller but numbers.
func TestNothingStays(t *testing.T) {
	next := loop(t, map[string]string{"P": "1", "I": "1", "D": "1"})
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		next(bad, 0)
		next(-bad, bad)
		next(1, 1)
		if got := next(1, 1); math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("after %g: %g", bad, got)
		}
	}
}
