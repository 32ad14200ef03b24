package robotics

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Devices report a joint that two commands of a net move at the same time. Outputs take whatever comes: the last primitive
// decides, in an undefined order. So the net itself checks whether commands are alone.

// output is what sets an output in a net.
type output struct {
	by   []graph.Signal[bool] // active commands
	wait []watch
}

// watch becomes true while others than a command set its output.
type watch struct {
	of     int
	others graph.Wire[bool]
}

type outputKey struct{ of any }

// alone is true while a command is active and the only one to set an output.
func alone(c *mapping.Context, of fmt.Stringer) (graph.Signal[bool], mapping.Part) {
	o := mapping.Once(c.Net, outputKey{of}, func() *output {
		o := &output{}
		c.AtEnd(func() { o.connect(c.Net) })
		return o
	})
	o.by = append(o.by, c.Active)
	if any(of) == c.Actuator && users(c.Net).of[c.Actuator] == 1 {
		return c.Active, mapping.Part{} // what actuators of one's own are made of has to look
	}
	w := watch{len(o.by) - 1, graph.NewWire[bool](c.Graph)}
	o.wait = append(o.wait, w)
	several := c.And(c.Active, w.others.Signal)
	return c.And(c.Active, graph.Not(several)), mapping.Part{Faults: []mapping.Fault{{Name: FaultConcurrent, Of: of.String(), Is: several}}}
}

func (o *output) connect(m *mapping.Net) {
	for _, w := range o.wait {
		others := slices.Delete(slices.Clone(o.by), w.of, w.of+1)
		if len(others) == 0 {
			others = append(others, m.False())
		}
		w.others.Connect(graph.Or(others...))
	}
}

// usage is how many commands actuators have in a net.
type usage struct{ of map[any]int }

func users(m *mapping.Net) *usage {
	type key struct{}
	return mapping.Once(m, key{}, func() *usage { return &usage{map[any]int{}} })
}

// count counts the commands of actuators, before any is mapped. Those that contain themselves are reported later.
func (u *usage) count(c Command, seen map[Command]bool) {
	if mapping.Missing(c) || seen[c] {
		return
	}
	seen[c] = true
	switch c := c.(type) {
	case *RuntimeCommand:
		if !mapping.Missing(c.actuator) && reflect.ValueOf(c.actuator).Comparable() {
			u.of[c.actuator]++
		}
	case *TransactionCommand:
		for _, child := range c.children {
			u.count(child, seen)
		}
	}
}
