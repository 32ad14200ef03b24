package figures

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestBuckets(t *testing.T) {
	for i := range Buckets {
		first := int64(BucketStart(i))
		if got := Bucket(first); got != i {
			t.Errorf("class of %d is %d, want %d", first, got, i)
		}
		if i > 0 {
			if got := Bucket(first - 1); got != i-1 {
				t.Errorf("class of %d is %d, want %d", first-1, got, i-1)
			}
		}
	}
	if Bucket(-1) != 0 || Bucket(math.MaxInt64) != Buckets-1 {
		t.Error("times beyond the histogram")
	}
}

func TestDistribution(t *testing.T) {
	var d Times
	for _, ns := range []int64{2, 4, 4, 4, 5, 5, 7, 9} {
		d.Add(ns*1000, ns)
	}
	got := d.Read()
	if got.Count != 8 || got.Min != 2000 || got.Max != 9000 || got.Mean != 5000 || got.StdDev != 2138 {
		t.Errorf("%+v", got)
	}
	if got.Histogram[2] != 1 || got.Histogram[4] != 3 || got.Histogram[Bucket(9)] != 1 {
		t.Errorf("histogram %v", got.Histogram)
	}
}

// Quantiles are those of the times one by one, up to the width of a class.
func TestQuantile(t *testing.T) {
	var none Distribution
	if q := none.Quantile(0.5); q != 0 {
		t.Errorf("half of nothing takes %v", q)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var d Times
		var all []int64
		for range 1 + random.IntN(1000) {
			ns := int64(math.Exp(random.Float64() * 20))
			d.Add(ns, ns)
			all = append(all, ns)
		}
		slices.Sort(all)
		got := d.Read()
		for _, part := range []float64{0, 0.5, 0.99, 0.999, 1} {
			exact := all[max(0, int(math.Ceil(part*float64(len(all))))-1)]
			if q := int64(got.Quantile(part)); q < exact || q > exact+exact/4+1 {
				t.Errorf("%v of %d times: %d, not %d", part, len(all), q, exact)
			}
		}
		if got.Quantile(1) != time.Duration(all[len(all)-1]) {
			t.Errorf("the longest is %v, not %v", got.Quantile(1), all[len(all)-1])
		}
	}
}
