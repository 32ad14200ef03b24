package rcc_test

import (
	"math"
	"testing"

	"github.com/softrobot-rcc/rccd/geom"
)

// TestFrames has frames move with the device from which they are seen.
func TestFrames(t *testing.T) {
	c := newCell(t)
	c.Cell.SetFrame("table", "arm", geom.Frame{Pos: geom.Vector{X: 1}})
	c.Cell.SetFrame("hall", "", geom.Frame{Pos: geom.Vector{Y: 5}})
	c.Cell.SetPlace("arm", geom.Frame{Pos: geom.Vector{Z: 2}, Rot: geom.FromABC(math.Pi/2, 0, 0)})
	c.Cell.SetFrame("table", "arm", geom.Frame{Pos: geom.Vector{X: 3}})
	list := c.Cell.Frames()
	if len(list) != 2 || list[0].Name != "table" || list[1].Name != "hall" || list[0].Of != "arm" {
		t.Fatalf("%+v", list)
	}
	for i, want := range []geom.Vector{{Y: 3, Z: 2}, {Y: 5}} {
		if !list[i].At.Pos.Near(want, 1e-12) {
			t.Errorf("%s is at %v instead of %v", list[i].Name, list[i].At.Pos, want)
		}
	}
}
