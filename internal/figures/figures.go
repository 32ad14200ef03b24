// Package figures keeps how long things took that happen in the cycle: written by one thread that never waits, read by
// anybody.
package figures

import (
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// Distribution describes measured times.
type Distribution struct {
	Count        uint64
	Min, Max     time.Duration
	Mean, StdDev time.Duration
	Histogram    [Buckets]uint64
}

// Buckets is the number of classes of a histogram: four to every doubling, so that a class is at most 25 % wide.
const Buckets = 160

// BucketStart returns the shortest time that is counted in a class.
func BucketStart(i int) time.Duration {
	if i < 4 {
		return time.Duration(i)
	}
	return time.Duration(4+i%4) << (i/4 - 1)
}

// Bucket returns the class in which a time is counted (cycle).
func Bucket(ns int64) int {
	if ns < 4 {
		return int(max(0, ns))
	}
	doublings := bits.Len64(uint64(ns)) - 3
	return min(4*doublings+int(ns>>doublings), Buckets-1)
}

// Quantile returns a time that a part of all, 0 to 1, does not exceed: the end of its class, so that it is at most 25 % too long.
func (d *Distribution) Quantile(part float64) time.Duration {
	var total, below uint64
	for _, n := range d.Histogram {
		total += n
	}
	if total == 0 {
		return 0
	}
	wanted := max(1, uint64(math.Ceil(part*float64(total))))
	for i, n := range d.Histogram {
		if below += n; below >= wanted {
			return min(BucketStart(i+1), d.Max)
		}
	}
	return d.Max
}

// Times are a distribution that grows.
type Times struct {
	count, mean, squares atomic.Uint64 // mean and sum of squared deviations from it are float64 (Welford)
	min, max             atomic.Int64
	histogram            [Buckets]atomic.Uint64
}

// Add counts a time, in the class of another one where that says more (cycle). There is one writer at a time.
func (d *Times) Add(ns, class int64) {
	n := d.count.Load() + 1
	mean := math.Float64frombits(d.mean.Load())
	delta := float64(ns) - mean
	mean += delta / float64(n)
	d.mean.Store(math.Float64bits(mean))
	d.squares.Store(math.Float64bits(math.Float64frombits(d.squares.Load()) + delta*(float64(ns)-mean)))
	if n == 1 || ns < d.min.Load() {
		d.min.Store(ns)
	}
	if n == 1 || ns > d.max.Load() {
		d.max.Store(ns)
	}
	if i := Bucket(class); i >= 0 && i < Buckets {
		d.histogram[i].Add(1)
	}
	d.count.Store(n)
}

// Read copies the distribution. Between two words of it a time may have been added; see Steady.
func (d *Times) Read() Distribution {
	r := Distribution{
		Count: d.count.Load(), Min: time.Duration(d.min.Load()), Max: time.Duration(d.max.Load()),
		Mean: time.Duration(math.Round(math.Float64frombits(d.mean.Load()))),
	}
	if r.Count > 1 {
		r.StdDev = time.Duration(math.Round(math.Sqrt(math.Float64frombits(d.squares.Load()) / float64(r.Count-1))))
	}
	for i := range d.histogram {
		r.Histogram[i] = d.histogram[i].Load()
	}
	return r
}

// Steady copies figures as one cycle left them, whose writer keeps a number odd while it writes. After very many failed tries
// they may be torn, which figures survive; a writer that loses its CPU for some milliseconds does not cause that yet.
func Steady(seq *atomic.Uint64, take func()) {
	for range 1_000_000 {
		before := seq.Load()
		if take(); before&1 == 0 && seq.Load() == before {
			return
		}
		runtime.Gosched()
	}
}
