package kukarsi

import (
	"testing"

	"github.com/softrobot-rcc/rccd/rcc/device/link"
)

// TestOrder judges telegrams by their stamps, each with how many cycles came after the one before.
func TestOrder(t *testing.T) {
	type step struct {
		stamp  uint64
		cycles float64
		want   link.Kind
		lost   uint32
	}
	for name, steps := range map[string][]step{
		"in order":      {{104, 1, link.InOrder, 0}, {108, 1, link.InOrder, 0}, {120, 3, link.InOrder, 2}},
		"steps of one":  {{101, 1, link.InOrder, 0}, {103, 2, link.InOrder, 1}},
		"again":         {{104, 1, link.InOrder, 0}, {104, 0, link.Repeated, 0}, {108, 1, link.InOrder, 0}},
		"overtaken":     {{104, 1, link.InOrder, 0}, {112, 2, link.InOrder, 1}, {108, 0, link.Outdated, 0}, {116, 1, link.InOrder, 0}},
		"two overtaken": {{104, 1, link.InOrder, 0}, {116, 3, link.InOrder, 2}, {108, 0, link.Outdated, 0}, {112, 0, link.Outdated, 0}, {120, 1, link.InOrder, 0}},
		"first lost":    {{112, 3, link.InOrder, 0}, {116, 1, link.InOrder, 0}, {124, 2, link.InOrder, 1}},
		"fallen":        {{104, 1, link.InOrder, 0}, {200, 24, link.InOrder, 23}, {104, 1, link.Restart, 0}},
		"fallen a bit": {
			{104, 1, link.InOrder, 0}, {108, 1, link.InOrder, 0}, {96, 1, link.Outdated, 0}, {100, 1, link.Outdated, 0}, {104, 1, link.Restart, 0},
		},
		"fallen before a step is known": {{50, 1, link.Outdated, 0}, {54, 1, link.Outdated, 0}, {58, 1, link.Restart, 0}},
		"risen":                         {{104, 1, link.InOrder, 0}, {1 << 40, 1, link.Restart, 0}},
		"risen with time":               {{104, 1, link.InOrder, 0}, {504, 100, link.InOrder, 99}},
		"the greatest":                  {{104, 1, link.InOrder, 0}, {1<<64 - 1, 1, link.Restart, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			o := &order{}
			o.begin(100)
			for _, s := range steps {
				if v := o.judge(s.stamp, s.cycles, 10); v.Kind != s.want || v.Lost != s.lost {
					t.Fatalf("%d: %v, %d lost, not %v, %d", s.stamp, v.Kind, v.Lost, s.want, s.lost)
				}
			}
		})
	}
}
