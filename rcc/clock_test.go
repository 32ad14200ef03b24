package rcc_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestVirtualTimeGoesOnAsItIsTold(t *testing.T) {
	c := newCell(t)
	before := c.Clock.Info()
	if !before.Virtual || before.Speed != 0 {
		t.Fatalf("clock %+v", before)
	}
	c.advance(time.Hour)
	if gone := c.Clock.Info().Now.Sub(before.Now); gone != time.Hour {
		t.Errorf("%v have gone by", gone)
	}
	c.must(c.Clock.SetSpeed(math.Inf(1)))
	if err := c.Clock.Advance(t.Context(), time.Second); !errors.Is(err, rcc.ErrState) {
		t.Errorf("advanced while it runs: %v", err)
	}
	for _, speed := range []float64{-1, math.NaN()} {
		if err := c.Clock.SetSpeed(speed); !errors.Is(err, rcc.ErrValue) {
			t.Errorf("speed %v: %v", speed, err)
		}
	}
	c.must(c.Clock.SetSpeed(0))
	c.advance(time.Second)
}

func TestRealTimeIsNotToBeTold(t *testing.T) {
	catalogue, err := spec.NewCatalogue(core.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	c, err := rcc.New(rcc.Config{Catalogue: catalogue})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(closed()); err != nil {
			t.Error(err)
		}
	}()
	if err := c.Clock.Advance(t.Context(), time.Second); !errors.Is(err, rcc.ErrState) {
		t.Error(err)
	}
	if err := c.Clock.SetSpeed(2); !errors.Is(err, rcc.ErrState) {
		t.Error(err)
	}
	if info := c.Clock.Info(); info.Virtual || time.Since(info.Now).Abs() > time.Minute {
		t.Errorf("clock %+v", info)
	}
}
