package robotics_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

func TestMain(m *testing.M) { leak.Main(m) }

const period = cells.Period

// trace starts a command in a time that stands still. Its states and sensors are watched by keys.
func trace(
	t testing.TB, c *cells.Cell, command robotics.Command, states map[string]robotics.State, values map[string]robotics.Sensor[float64],
) *cells.Trace {
	t.Helper()
	text, err := robotics.Watched(command, states, values, true)
	if err != nil {
		t.Fatal(err)
	}
	return c.Trace(text)
}

// keys returns those of a map, in order.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// last returns where a joint is commanded to be at the beginning of a cycle, as motions see it.
func last(j interface {
	Last(*mapping.Net) []graph.Signal[float64]
}, joint int,
) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] { return j.Last(m)[joint] })
}

// next returns where a joint is commanded to be in a cycle, at its end.
func next(j interface {
	Next(m *mapping.Net, joint int) graph.Signal[float64]
}, joint int,
) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] { return j.Next(m, joint) })
}
