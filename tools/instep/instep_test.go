package instep

import (
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// moved returns a run, whose robots have gone all of the way and come back.
func moved(t *testing.T, ahead time.Duration) []Sample {
	t.Helper()
	samples, err := Run(t.Context(), ahead)
	if err != nil {
		t.Fatal(err)
	}
	farthest := slices.MaxFunc(samples, func(a, b Sample) int { return int(1e6 * (a.Moved - b.Moved)) })
	if far, end := farthest.Moved, samples[len(samples)-1].Moved; far < stroke.Length()-1e-4 || far > stroke.Length()+1e-4 || end > 1e-4 {
		t.Errorf("the flange has been %v m away, and is %v m at the end", far, end)
	}
	return samples
}

// TestInStep: by itself one robot is late, so that flanges come closer on the way there and part on the way back (figure 11.3).
// What makes up for that leaves less than a millimetre (figure 11.5).
func TestInStep(t *testing.T) {
	late := moved(t, 0)
	middle := late[len(late)/2].Time
	var least, most float64
	for _, s := range late {
		if s.Time < middle {
			least = min(least, s.Distance)
		} else {
			most = max(most, s.Distance)
		}
	}
	if least > -0.002 || most < 0.002 {
		t.Errorf("without compensation flanges come closer by %v m and part by %v m", -least, most)
	}
	if worst := Worst(moved(t, Ahead)); worst > 0.001 {
		t.Errorf("with compensation their distance is off by %v m", worst)
	}
}
