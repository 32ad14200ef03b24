package net_test

import (
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// slow is a primitive that takes as long as a clock of the test says.
type slow struct {
	In  spec.In[float64]  `rcc:"inValue" doc:"anything"`
	Out spec.Out[float64] `rcc:"outValue" doc:"the same"`
}

func TestCost(t *testing.T) {
	var now time.Duration
	clock := func() time.Duration { return now }
	declared := spec.Declare(spec.Decl{
		Name: "Test::Slow", Extension: "test", Doc: "takes its time",
		Examples: []spec.Example{{Reject: "nothing"}, {In: map[string][]string{"inValue": {"null", "7"}}, Out: map[string][]string{"outValue": {"null", "7"}}}},
	}, spec.Kernels[slow]{Run: func(run []slow, cy *spec.Cycle) {
		for i := range run {
			if v, ok := run[i].In.Get(cy); ok && v == 7 {
				now += 3 * time.Microsecond
			}
		}
		now += time.Millisecond // what it takes however many there are
	}})
	if got, err := net.Cost(declared, clock); got != 3*time.Microsecond || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestCostsOfAll measures most primitives there are, and says of the others why it does not.
func TestCostsOfAll(t *testing.T) {
	begin := time.Now()
	measured := 0
	for _, p := range primitives.All() {
		_, err := net.Cost(p, func() time.Duration { return time.Since(begin) })
		switch {
		case err == nil:
			measured++
		case strings.Contains(p.Name, "Core::Double") && p.Operator.Rank != spec.NoOperator:
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if measured < len(primitives.All())/2 {
		t.Errorf("%d of %d types are measured", measured, len(primitives.All()))
	}
}
