package arm_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device/arm"
)

// TestTake: an axis belongs to one device at a time, however many want it at once.
func TestTake(t *testing.T) {
	var b arm.Beside
	var got atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := b.Take(6, 2); err == nil {
				got.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 {
		t.Errorf("%d devices have the same axes", got.Load())
	}
	if _, err := b.Take(11, 2); err == nil {
		t.Error("axis 12 was taken, and there is none")
	}
	give, err := b.Take(8, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Take(9, 1); err == nil {
		t.Error("axis 9 was taken twice")
	}
	give()
	if _, err := b.Take(9, 1); err != nil {
		t.Errorf("axis 9 has been given back: %v", err)
	}
	if _, err := b.Take(7, 1); err == nil {
		t.Error("axis 7 was given back together with others")
	}
}

func TestExternalAxes(t *testing.T) {
	e := arm.External{Count: 2, First: 7, Limits: arm.Limits{Min: []float64{1, -1}}}
	joints, start, err := e.Axes()
	if err != nil {
		t.Fatal(err)
	}
	if joints[0].Name != "E2" || joints[1].Name != "E3" || joints[1].Min != -1 || !slices.Equal(start, []float64{1, 0}) {
		t.Errorf("%+v at %v", joints, start)
	}
	e.Home = []float64{2}
	if _, _, err := e.Axes(); err == nil {
		t.Error("one position of two axes was taken")
	}
}
