package pages

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClock tells virtual time what to do.
func TestClock(t *testing.T) {
	c := furnished(t)
	const form = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		name, body string
	}{
		{"advance", "advance=10ms"},
		{"speed", "speed=2.5"},
		{"advance_running", "advance=1s"},
		{"paused", "speed=0"},
		{"wrong_speed", "speed=fast"},
		{"negative_speed", "speed=-1"},
		{"wrong_advance", "advance=soon"},
		{"backwards", "advance=-1s"},
		{"too_far", "advance=1000h"},
	} {
		answer := c.answer(request("POST", "/clock", tt.body, "Content-Type", form, "Accept", forJSON))
		if tt.name == "speed" || tt.name == "paused" {
			continue // real time has gone by
		}
		checkGolden(t, "clock_"+tt.name, answer)
	}
	n, err := c.Nets.Get("rpinet0")
	if err != nil {
		t.Fatal(err)
	}
	c.answer(request("POST", "/clock", "advance=2ms", "Content-Type", form)) // ends what was under way when time was paused
	before := n.Values().Cycle
	c.answer(request("POST", "/clock", "advance=1s", "Content-Type", form))
	if diff := cmp.Diff(before+500, n.Values().Cycle); diff != "" {
		t.Errorf("cycles in a second: %s", diff)
	}
}
