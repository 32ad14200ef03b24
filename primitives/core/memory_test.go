package core_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// sampleOf is a value of a cycle, or null.
type sampleOf[T any] struct {
	v    T
	null bool
}

// TestAverageExact: the mean is that of the window, whatever went through it before.
func TestAverageExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const window = 7
		net := kit.Single(t, "Core::DoubleAverage", 10*time.Millisecond, map[string]string{"Duration": "0.07"}, "inValue", "inReset")
		in, reset, out := testkit.In[float64](t, net, "inValue"), testkit.In[bool](t, net, "inReset"), testkit.Out[float64](t, net, "outValue")
		var past []sampleOf[float64]
		for range rapid.IntRange(1, 60).Draw(r, "cycles") {
			net.Next()
			s := sampleOf[float64]{v: rapid.OneOf(rapid.Float64Range(-10, 10), rapid.SampledFrom([]float64{1e300, -1e300, math.NaN(), math.Inf(1)})).Draw(r, "value")}
			if s.null = rapid.IntRange(0, 3).Draw(r, "null") == 0; !s.null {
				in.Set(net.Cy, s.v)
			}
			if rapid.IntRange(0, 20).Draw(r, "reset") == 0 {
				reset.Set(net.Cy, true)
				past = nil
			}
			past = append(past, s)
			net.Phases()
			want, n := 0.0, 0
			for _, s := range past[max(0, len(past)-window):] {
				if !s.null {
					want, n = want+s.v, n+1
				}
			}
			want /= float64(n)
			if out.Current(net.Cy) != (n > 0) {
				r.Fatalf("cycle %d: value %t with %d samples", net.Cy.N, out.Current(net.Cy), n)
			}
			if n > 0 && !near(out.V, want, spread(past, window)) {
				r.Fatalf("cycle %d: mean %g, not %g", net.Cy.N, out.V, want)
			}
		}
	})
}

// spread returns the greatest number in a window: rounding is measured by it.
func spread(past []sampleOf[float64], window int) float64 {
	most := 0.0
	for _, s := range past[max(0, len(past)-window):] {
		if !s.null && finite(s.v) {
			most = max(most, math.Abs(s.v))
		}
	}
	return most
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func near(got, want, scale float64) bool {
	if !finite(want) {
		return math.IsNaN(got) == math.IsNaN(want) && !finite(got)
	}
	return math.Abs(got-want) <= 1e-14*scale
}

// TestTimeHistoryFindsNewest compares the search in the tree with a search from the newest entry down.
func TestTimeHistoryFindsNewest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		reach := rapid.IntRange(0, 9).Draw(r, "reach")
		net := kit.Single(t, "Core::TimeHistory", 10*time.Millisecond,
			map[string]string{"MaxAge": text(float64(reach) * 0.01)}, "inValue", "inTime", "inReset")
		in, at, reset := testkit.In[value.Time](t, net, "inValue"), testkit.In[value.Time](t, net, "inTime"), testkit.In[bool](t, net, "inReset")
		out := testkit.Out[float64](t, net, "outAge")
		past := map[uint64]value.Time{}
		for range rapid.IntRange(1, 50).Draw(r, "cycles") {
			net.Next()
			net.Cy.N += rapid.Uint64Range(0, 1).Draw(r, "inactive")
			if rapid.IntRange(0, 15).Draw(r, "reset") == 0 {
				reset.Set(net.Cy, true)
				clear(past)
			}
			if rapid.IntRange(0, 4).Draw(r, "null") > 0 {
				past[net.Cy.N] = value.Time(rapid.SampledFrom([]int64{-5, 0, 1, 2, 3, 4, 5, math.MaxInt64}).Draw(r, "value"))
				in.Set(net.Cy, past[net.Cy.N])
			}
			wanted := value.Time(rapid.SampledFrom([]int64{-9, 0, 1, 2, 3, 4, 5, math.MaxInt64}).Draw(r, "time"))
			at.Set(net.Cy, wanted)
			net.Phases()
			want := -1
			for age := 0; age <= reach && want < 0; age++ {
				if v, ok := past[net.Cy.N-uint64(age)]; ok && v <= wanted {
					want = age
				}
			}
			if out.Current(net.Cy) != (want >= 0) || want >= 0 && math.Abs(out.V-float64(want)*0.01) > 1e-12 {
				r.Fatalf("cycle %d: age %g (%t), not %d cycles; past %v", net.Cy.N, out.V, out.Current(net.Cy), want, past)
			}
		}
	})
}

// span is a range of time that arrived in a cycle.
type span struct {
	from, to value.Time
	cycle    uint64
}

// TestConsistentRangeFindsNewest compares the joint range with a search by the words of the documentation: the newest
// first range with the newest second one that fits, or the other way round, whichever ends later.
func TestConsistentRangeFindsNewest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const reach, size = 5, 6
		net := kit.Single(t, "Core::TimeConsistentRange", 10*time.Millisecond, map[string]string{"MaxAge": "0.05", "MaxSize": "6e-9"},
			"inFirstStart", "inFirstEnd", "inSecondStart", "inSecondEnd")
		var past [2][]span
		for range rapid.IntRange(1, 40).Draw(r, "cycles") {
			net.Next()
			for k, name := range []string{"First", "Second"} {
				if rapid.IntRange(0, 3).Draw(r, "null") == 0 {
					continue
				}
				from := value.Time(rapid.Int64Range(-12, 12).Draw(r, "from"))
				s := span{from: from, to: from + value.Time(rapid.Int64Range(-1, 4).Draw(r, "length")), cycle: net.Cy.N}
				testkit.In[value.Time](t, net, "in"+name+"Start").Set(net.Cy, s.from)
				testkit.In[value.Time](t, net, "in"+name+"End").Set(net.Cy, s.to)
				if s.from <= s.to {
					past[k] = append(past[k], s)
				}
			}
			net.Phases()
			for k := range past {
				for len(past[k]) > 0 && net.Cy.N-past[k][0].cycle > reach {
					past[k] = past[k][1:]
				}
			}
			want, ok := newestJoin(past[0], past[1], size)
			if other, found := newestJoin(past[1], past[0], size); found && (!ok || other.to > want.to) {
				want, ok = other, true
			}
			start, end := testkit.Out[value.Time](t, net, "outStart"), testkit.Out[value.Time](t, net, "outEnd")
			if start.Current(net.Cy) != ok || end.Current(net.Cy) != ok || ok && (start.V != want.from || end.V != want.to) {
				r.Fatalf("cycle %d: %d to %d (%t), not %d to %d (%t)", net.Cy.N, start.V, end.V, start.Current(net.Cy), want.from, want.to, ok)
			}
		}
	})
}

// newestJoin joins the last of some spans with the newest possible partner.
func newestJoin(of, with []span, size value.Time) (span, bool) {
	if len(of) == 0 {
		return span{}, false
	}
	last := of[len(of)-1]
	for i := len(with) - 1; i >= 0; i-- {
		joint := span{from: min(last.from, with[i].from), to: max(last.to, with[i].to)}
		if joint.to-joint.from <= size {
			return joint, true
		}
	}
	return span{}, false
}

// TestAtTimeWhileInactive: cycles in which the primitive did not run are null in its history.
func TestAtTimeWhileInactive(t *testing.T) {
	net := kit.Single(t, "Core::IntAtTime", 10*time.Millisecond, map[string]string{"Age": "0.02", "MaxAge": "0.02"}, "inValue")
	in, out := testkit.In[int32](t, net, "inValue"), testkit.Out[int32](t, net, "outValue")
	active := []bool{true, true, true, false, false, true, true, true}
	for n, runs := range active {
		net.Next()
		in.Set(net.Cy, int32(n))
		if !runs {
			continue
		}
		net.Phases()
		want := n >= 2 && active[n-2]
		if out.Current(net.Cy) != want || want && out.V != int32(n-2) {
			t.Errorf("cycle %d: %d (%t)", n+1, out.V, out.Current(net.Cy))
		}
	}
}

// TestPreResetByItself: a reset that depends on the Pre comes after its first part and takes effect one cycle later.
func TestPreResetByItself(t *testing.T) {
	net := kit.Single(t, "Core::IntPre", time.Millisecond, nil, "inValue", "inReset")
	in, reset, out := testkit.In[int32](t, net, "inValue"), testkit.In[bool](t, net, "inReset"), testkit.Out[int32](t, net, "outValue")
	steps := []struct {
		late bool // reset, between the two parts
		null bool
		want int32
	}{{null: true}, {want: 1}, {late: true, want: 2}, {null: true}, {want: 4}}
	for n, step := range steps {
		net.Next()
		in.Set(net.Cy, int32(n+1))
		net.Phase(spec.Run)
		reset.Set(net.Cy, step.late)
		net.Phase(spec.Keep)
		if out.Current(net.Cy) == step.null || !step.null && out.V != step.want {
			t.Errorf("cycle %d: %d (%t), not %d", n+1, out.V, out.Current(net.Cy), step.want)
		}
	}
}

// TestPreWhileInactive: what was kept before a pause is not the value of the previous cycle.
func TestPreWhileInactive(t *testing.T) {
	net := kit.Single(t, "Core::IntPre", time.Millisecond, nil, "inValue")
	in, out := testkit.In[int32](t, net, "inValue"), testkit.Out[int32](t, net, "outValue")
	net.Next()
	in.Set(net.Cy, 1)
	net.Phases()
	net.Next() // inactive
	net.Next()
	in.Set(net.Cy, 3)
	net.Phases()
	if out.Current(net.Cy) {
		t.Errorf("%d after a pause", out.V)
	}
	net.Next()
	net.Phases()
	if !out.Current(net.Cy) || out.V != 3 {
		t.Errorf("%d (%t), not 3", out.V, out.Current(net.Cy))
	}
}

// TestClockSurvives: no increment leaves a clock that cannot be reset or go on.
func TestClockSurvives(t *testing.T) {
	net := kit.Single(t, "Core::Clock", time.Second, nil, "inIncrement", "inReset")
	in, reset, out := testkit.In[float64](t, net, "inIncrement"), testkit.In[bool](t, net, "inReset"), testkit.Out[float64](t, net, "outValue")
	for _, v := range []float64{1, math.Inf(1), math.Inf(-1), math.NaN()} {
		net.Next()
		in.Set(net.Cy, v)
		net.Phases()
		if out.V != out.V {
			t.Fatalf("NaN after %g", v)
		}
	}
	net.Next()
	in.Set(net.Cy, 1)
	reset.Set(net.Cy, true)
	net.Phases()
	if out.V != 1 {
		t.Errorf("%g after a reset", out.V)
	}
}

// TestMemoryIsBounded: what parameters ask for is refused when the net has taken what it may.
func TestMemoryIsBounded(t *testing.T) {
	const large, most = "20000", spec.MostMemory - 10_000
	for name, params := range map[string]map[string]string{
		"Core::IntArray":            {"Size": large},
		"Core::BooleanArraySet":     {"Size": large},
		"Core::DoubleArraySlice":    {"Size": large},
		"Core::IntArraySetNull":     {"Size": large},
		"Core::DoubleAtTime":        {"MaxAge": large},
		"Core::TimeHistory":         {"MaxAge": large},
		"Core::TimeConsistentRange": {"MaxAge": "10"},
		"Core::DoubleAverage":       {"Duration": large},
		"Core::BooleanHistory":      {"Duration": large},
		"Core::BooleanLastN":        {"Count": large},
		"Core::MatrixCreate":        {"Rows": "100", "Cols": "100"},
		"Core::MatrixBlockGet":      {"BlockWidth": large},
		"Core::MatrixArrayGet":      {"Size": large},
		"Core::MatrixApply":         {"Size": large},
		"Core::MatrixTranspose":     {"Rows": "100", "Cols": "100"},
	} {
		fresh, full := &spec.Env{Period: time.Second}, &spec.Env{Period: time.Second}
		if name == "Core::TimeConsistentRange" {
			fresh.Period, full.Period = 10*time.Millisecond, 10*time.Millisecond
		}
		if err := full.Take(most); err != nil {
			t.Fatal(err)
		}
		if _, err := load(t, name, 1, params, fresh); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := load(t, name, 1, params, full); err == nil || !strings.Contains(err.Error(), "arrays and histories of the net take more than 256 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
