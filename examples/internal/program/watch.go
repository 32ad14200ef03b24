package program

import (
	"context"
	"sync"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Most returns the greatest that a sensor has said since it is listened to: no cycle is left out, however seldom one hears of it.
func Most(of robotics.Sensor[float64]) robotics.Sensor[float64] {
	return robotics.Derived(func(m *mapping.Net) graph.Signal[float64] {
		now := robotics.Read(m, of)
		before := graph.NewWire[float64](m.Graph)
		most := graph.If(graph.IsNull(before.Signal), now, graph.Max(before.Signal, now))
		before.Connect(graph.Pre(most))
		return most
	})
}

// Way leads from one place to another.
func Way(m *mapping.Net, from, to graph.Signal[geom.Vector]) graph.Signal[geom.Vector] {
	back := m.Add("World::VectorScale").Set("Factor", -1.0).Link("inValue", from.Port).Out("outValue")
	return mapping.Link[geom.Vector](m.Add("World::VectorAdd").Link("inFirst", to.Port).Link("inSecond", back), "outValue")
}

// Newest is what a sensor has said last.
type Newest struct {
	*robotics.Listener
	mu sync.Mutex
	v  float64
}

// Watch listens to a sensor.
func Watch(ctx context.Context, robot *robotics.Runtime, s robotics.Sensor[float64]) (n *Newest, err error) {
	n = new(Newest)
	n.Listener, err = robotics.Listen(ctx, robot, s, func(v float64) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.v = v
	})
	return n, err
}

// Newest returns what was told last.
func (n *Newest) Newest() float64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.v
}
