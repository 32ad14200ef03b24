package picture

import (
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale
		want string
	}{
		{scale{low: 0, high: 1}, "0 0.2 0.4 0.6 0.8 1"},
		{scale{low: -1, high: 1}, "-1 -0.5 0 0.5 1"},
		{scale{low: 0.1, high: 0.35}, "0.1 0.15 0.2 0.25 0.3 0.35"},
		{scale{low: -8.6, high: 8.6}, "-5 0 5"},
	} {
		var got []string
		for _, v := range c.ticks(5) {
			got = append(got, number(v))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("from %g to %g: %s, not %s", c.low, c.high, text, c.want)
		}
	}
}
