package scope_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// point is a sample of a signal.
type point struct {
	tick  int64
	given bool
	x     float64
	lost  bool // samples are missing before it
}

// run returns where a detector triggers.
func run(t scope.Trigger, signal []point) (found []int) {
	d := scope.NewDetector(t)
	for i, p := range signal {
		if p.lost {
			d.Forget()
		}
		if d.Step(p.given, p.x) {
			found = append(found, i)
		}
	}
	return found
}

// model decides for each sample by itself, looking back over all that are before it: what the comment of Detector says, word by
// word.
func model(t scope.Trigger, signal []point) (found []int) {
	ok := func(i int) bool { return signal[i].given && !math.IsNaN(signal[i].x) }
	// joined are the samples from j to i, all of them there, and none of them lost.
	joined := func(j, i int) bool {
		for k := j; k <= i; k++ {
			if !ok(k) || k > j && signal[k].lost {
				return false
			}
		}
		return true
	}
	all := func(j, i int, holds func(x float64) bool) bool {
		for k := j; k < i; k++ {
			if !holds(signal[k].x) {
				return false
			}
		}
		return true
	}
	// after reports whether at i something is so that was not so since a sample at which ready held.
	after := func(i int, so, ready func(x float64) bool) bool {
		if !so(signal[i].x) {
			return false
		}
		for j := range i {
			if joined(j, i) && ready(signal[j].x) && all(j, i, func(x float64) bool { return !so(x) }) {
				return true
			}
		}
		return false
	}
	runt := func(i int, back, first, second func(x float64) bool) bool {
		if !back(signal[i].x) {
			return false
		}
		for j := range i {
			if joined(j, i) && back(signal[j].x) && all(j+1, i, func(x float64) bool { return !back(x) && !second(x) }) &&
				!all(j+1, i, func(x float64) bool { return !first(x) }) {
				return true
			}
		}
		return false
	}
	h := t.Hysteresis
	for i := range signal {
		if !ok(i) {
			continue
		}
		x := signal[i].x
		var up, down bool
		switch t.Kind {
		case scope.Level:
			up = t.Above && x >= t.Level
			down = !t.Above && x <= t.Level
		case scope.Edge:
			up = after(i, func(x float64) bool { return x >= t.Level }, func(x float64) bool { return x < t.Level-h })
			down = after(i, func(x float64) bool { return x <= t.Level }, func(x float64) bool { return x > t.Level+h })
		case scope.Window:
			inside := func(x float64) bool { return x >= t.Low && x <= t.High }
			if t.Inside {
				up = after(i, inside, func(x float64) bool { return x < t.Low-h || x > t.High+h })
			} else {
				up = after(i, func(x float64) bool { return !inside(x) }, func(x float64) bool { return x >= t.Low+h && x <= t.High-h })
			}
		case scope.Runt:
			up = runt(i, func(x float64) bool { return x < t.Low-h }, func(x float64) bool { return x >= t.Low }, func(x float64) bool { return x >= t.High })
			down = runt(i, func(x float64) bool { return x > t.High+h }, func(x float64) bool { return x <= t.High }, func(x float64) bool { return x <= t.Low })
		}
		wanted := up || down
		if t.Kind == scope.Edge || t.Kind == scope.Runt {
			wanted = up && t.Slope != scope.Falling || down && t.Slope != scope.Rising
		}
		if wanted {
			found = append(found, i)
		}
	}
	return found
}

// randomSignal has few values, so that thresholds are met exactly, and nulls and gaps.
func randomSignal(t *rapid.T, period int64) []point {
	tick := int64(0)
	signal := make([]point, rapid.IntRange(0, 60).Draw(t, "samples"))
	for i := range signal {
		tick += period * int64(rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 1, 1, 2, 5}).Draw(t, "step"))
		signal[i] = point{tick: tick, given: rapid.IntRange(0, 15).Draw(t, "null") > 0, x: float64(rapid.IntRange(-5, 5).Draw(t, "x"))}
		if rapid.IntRange(0, 40).Draw(t, "nan") == 0 {
			signal[i].x = math.NaN()
		}
	}
	return signal
}

func randomTrigger(t *rapid.T) scope.Trigger {
	low := rapid.IntRange(-4, 2).Draw(t, "low")
	return scope.Trigger{
		Kind:       rapid.SampledFrom([]scope.Kind{scope.Edge, scope.Level, scope.Window, scope.Runt}).Draw(t, "kind"),
		Level:      float64(rapid.IntRange(-4, 4).Draw(t, "level")),
		Low:        float64(low),
		High:       float64(low + rapid.IntRange(1, 4).Draw(t, "height")),
		Slope:      rapid.SampledFrom([]scope.Slope{scope.Rising, scope.Falling, scope.Either}).Draw(t, "slope"),
		Above:      rapid.Bool().Draw(t, "above"),
		Inside:     rapid.Bool().Draw(t, "inside"),
		Hysteresis: rapid.SampledFrom([]float64{0, 0, 1, 1.5, 2}).Draw(t, "hysteresis"),
	}
}

func TestDetectorIsTheModel(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		trigger, signal := randomTrigger(t), randomSignal(t, 10)
		for i := range signal {
			signal[i].lost = rapid.IntRange(0, 20).Draw(t, "lost") == 0
		}
		got, want := run(trigger, signal), model(trigger, signal)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n%v\ntriggers at %v, the model at %v", trigger, signal, got, want)
		}
		found += len(got)
	})
	if found == 0 {
		t.Error("nothing has triggered")
	}
}

// TestDetector shows each kind by one signal.
func TestDetector(t *testing.T) {
	signal := []float64{0, 0, 9, 0, 1, 5, 1, 0, 4, 6, 4, 6, 0}
	for _, test := range []struct {
		name    string
		trigger scope.Trigger
		want    []int
	}{
		{"spike of one cycle", scope.Trigger{Kind: scope.Edge, Level: 8}, []int{2}},
		{"rising", scope.Trigger{Kind: scope.Edge, Level: 5, Slope: scope.Rising}, []int{2, 5, 9, 11}},
		{"hysteresis", scope.Trigger{Kind: scope.Edge, Level: 5, Slope: scope.Rising, Hysteresis: 2}, []int{2, 5, 9}},
		{"falling", scope.Trigger{Kind: scope.Edge, Level: 3, Slope: scope.Falling}, []int{3, 6, 12}},
		{"level", scope.Trigger{Kind: scope.Level, Level: 6, Above: true}, []int{2, 9, 11}},
		{"below", scope.Trigger{Kind: scope.Level, Level: 0}, []int{0, 1, 3, 7, 12}},
		{"leaves", scope.Trigger{Kind: scope.Window, Low: 0, High: 5}, []int{2, 9, 11}},
		{"enters", scope.Trigger{Kind: scope.Window, Low: 3, High: 5, Inside: true}, []int{5, 8, 10}},
		{"runt", scope.Trigger{Kind: scope.Runt, Low: 3, High: 8}, []int{6, 12}},
	} {
		var points []point
		for i, x := range signal {
			points = append(points, point{tick: int64(i), given: true, x: x})
		}
		if got := run(test.trigger, points); !slices.Equal(got, test.want) {
			t.Errorf("%s: triggers at %v, not at %v", test.name, got, test.want)
		}
	}
}
