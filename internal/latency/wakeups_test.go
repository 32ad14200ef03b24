package latency

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The figures are those of a sorted list of all wake-ups, rounded up to microseconds.
func TestWakeups(t *testing.T) {
	lateness := rapid.OneOf(
		rapid.Int64Range(0, int64(5*time.Microsecond)),
		rapid.Int64Range(0, int64(Limit)),
		rapid.Int64Range(int64(Limit)-2000, int64(Limit)+2000),
		rapid.Int64Range(0, int64(time.Second)),
	)
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(lateness, 1, 200).Draw(t, "late")
		var w Wakeups
		for _, late := range all {
			w.add(late)
		}
		slices.Sort(all)
		longest := time.Duration(all[len(all)-1])
		if w.Ticks != uint64(len(all)) || w.Max != longest {
			t.Errorf("%d ticks, max %v", w.Ticks, w.Max)
		}
		q := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0.5, 0.99, 0.999, 1})).Draw(t, "q")
		rank := max(1, int(math.Ceil(q*float64(len(all)))))
		want := time.Duration(all[rank-1])
		if want >= Limit {
			want = longest
		} else {
			want = min(want.Truncate(time.Microsecond)+time.Microsecond, longest)
		}
		if got := w.Quantile(q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	})
}

func TestNoWakeups(t *testing.T) {
	var w Wakeups
	if w.Quantile(0.5) != 0 || w.Quantile(1) != 0 {
		t.Errorf("%v, %v", w.Quantile(0.5), w.Quantile(1))
	}
}
