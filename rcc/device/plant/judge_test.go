package plant_test

import (
	"math"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// newJudge judges one axis of 100/s and 1000/s² in cycles of 10 ms: a step of 1 at most, and 0.1 more or less than before.
func newJudge(t *testing.T) *plant.Judge {
	t.Helper()
	j, err := plant.NewJudge(plant.JudgeOptions{Cycle: 0.01, Vel: []float64{100}, Acc: []float64{1000}, Slack: 1}, []float64{5})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestJudge: each step is judged by the one before.
func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name    string
		steps   []float64 // the last one is judged; NaN is a cycle without answer
		allowed bool
	}{
		{"from rest", []float64{0.09}, true},
		{"from rest, too fast", []float64{0.11}, false},
		{"faster", []float64{0.09, 0.18}, true},
		{"much faster", []float64{0.09, 0.2}, false},
		{"on as before, after a cycle that was held", []float64{0.09, 0.18, 0.27, math.NaN(), 0.27}, false},
		{"slowly again, after a cycle that was held", []float64{0.09, 0.18, 0.27, math.NaN(), 0.09}, true},
		{"a stop at once", []float64{0.09, 0.18, 0.27, 0}, true},
		{"half as fast", []float64{0.09, 0.18, 0.27, 0.13}, true},
		{"back at once", []float64{0.09, 0.18, 0.27, -0.01}, false},
		{"back from slow", []float64{0.09, -0.005}, true},
		{"infinite", []float64{math.Inf(1)}, false},
	} {
		j, at := newJudge(t), 5.0
		for i, step := range tt.steps {
			if step != step {
				j.Hold()
				continue
			}
			at += step
			got := j.Ask([]float64{at})
			if last := i == len(tt.steps)-1; got != 0 && (!last || tt.allowed) || last && got == 0 && !tt.allowed {
				t.Errorf("%s: %d violations in step %d: %v", tt.name, got, i, j.Violations())
			}
		}
	}
}

// TestJudgeFast: no axis is faster than its limit, however slowly it got there.
func TestJudgeFast(t *testing.T) {
	j, at, step := newJudge(t), 5.0, 0.0
	for range 10 {
		step += 0.099
		at += step
		j.Ask([]float64{at})
	}
	if j.Count() != 0 {
		t.Fatal(j.Violations())
	}
	j.Ask([]float64{at + 1.05})
	if v := j.Violations(); len(v) != 1 || !strings.Contains(v[0].String(), "limit of velocity") {
		t.Errorf("%v", v)
	}
}

// TestJudgeJump: one jump is one violation, and NaN is one.
func TestJudgeJump(t *testing.T) {
	j := newJudge(t)
	for range 5 {
		j.Ask([]float64{25})
	}
	if j.Count() != 1 || j.Position(0) != 25 {
		t.Errorf("%d violations: %v", j.Count(), j.Violations())
	}
	j.Ask([]float64{math.NaN()})
	if j.Count() != 2 || j.Position(0) != 25 {
		t.Errorf("%d violations, at %v", j.Count(), j.Position(0))
	}
}

// TestJudgeBrakes: hard stops are counted apart.
func TestJudgeBrakes(t *testing.T) {
	j := newJudge(t)
	for _, at := range []float64{5.09, 5.27, 5.54, 5.54, 5.54} {
		j.Ask([]float64{at})
	}
	if j.Count() != 0 || j.Brakes() != 1 {
		t.Errorf("%d violations, %d brakes", j.Count(), j.Brakes())
	}
}

// TestJudgeCarry: what a controller does by itself is not judged, and counts for what comes.
func TestJudgeCarry(t *testing.T) {
	j := newJudge(t)
	j.Carry([]float64{5.5})
	j.Ask([]float64{6})
	if j.Count() != 0 || math.Abs(j.Speed(0)-50) > 1e-9 {
		t.Errorf("%v, speed %v", j.Violations(), j.Speed(0))
	}
	j.Stop(0, 5.5)
	if j.Ask([]float64{5.55}); j.Count() != 0 || j.Position(0) != 5.55 {
		t.Errorf("%v", j.Violations())
	}
	j.Place([]float64{0})
	if j.Speed(0) != 0 || j.Position(0) != 0 {
		t.Errorf("speed %v at %v", j.Speed(0), j.Position(0))
	}
}

// TestJudgeRounding: digits that are not written do not count as faults.
func TestJudgeRounding(t *testing.T) {
	j, err := plant.NewJudge(plant.JudgeOptions{Cycle: 0.004, Vel: []float64{1}, Acc: []float64{0.001}, Rounding: 0.00005}, []float64{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0.0001, 0.0001, 0.0002, 0.0001} {
		j.Ask([]float64{at})
	}
	if j.Count() != 0 {
		t.Error(j.Violations())
	}
	if _, err := plant.NewJudge(plant.JudgeOptions{Cycle: 0.004}, []float64{0}); err == nil {
		t.Error("a judge without limits")
	}
}
