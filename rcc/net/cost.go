package net

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// A cost is measured with a net of one instance and a net of many. Each runs for some cycles in several rounds, of which the fastest counts: it
// was disturbed least.
const (
	costInstances = 33
	costCycles    = 200
	costRounds    = 5
)

// Cost measures what an instance of a primitive takes in a cycle, with the parameters and values of its first example. A primitive without an
// example, or one that needs a device or another net, is not measured: the error says why. now is a monotonic clock.
func Cost(p *spec.Primitive, now func() time.Duration) (time.Duration, error) {
	if p.Net != nil {
		return 0, fmt.Errorf("%s is written as a net: it costs what its primitives do", p.Name)
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		if e.Reject != "" {
			continue
		}
		one, err := costOf(p, e, 1, now)
		if err != nil {
			return 0, err
		}
		many, err := costOf(p, e, costInstances, now)
		return max(0, many-one) / ((costInstances - 1) * costCycles), err
	}
	return 0, fmt.Errorf("%s has no example to be measured with", p.Name)
}

// costOf returns how long the cycles of a net with a number of instances take.
func costOf(p *spec.Primitive, e *spec.Example, instances int, now func() time.Duration) (time.Duration, error) {
	none, err := spec.NewCatalogue()
	if err != nil {
		return 0, err
	}
	tree, catalogue, err := probe(p, none, e.Params, firstOf(e), func(port string) bool { return e.In[port] != nil })
	if err != nil {
		return 0, err
	}
	for i := 1; i < instances; i++ {
		tree.Nodes = append(tree.Nodes, &grammar.Node{Name: fmt.Sprint(p.Name, i), Type: p.Name, Args: tree.Nodes[0].Args})
	}
	program, err := Compile(tree, Options{Name: p.Name, Period: 10 * time.Millisecond, Catalogue: catalogue, Host: nobody{}, Once: true})
	if err != nil {
		return 0, err
	}
	const farAhead = 1 << 62 // values that are given for then are there in every cycle until then
	first := firstOf(e)
	for _, out := range program.Outs {
		for name, text := range first {
			if out.Name != feedOf(name) {
				continue
			}
			if err := out.Cell.SetText(&spec.Cycle{N: farAhead}, text); err != nil {
				return 0, err
			}
		}
	}
	least := time.Duration(1<<63 - 1)
	cy := spec.Cycle{Period: program.Period.Seconds()}
	for range costRounds {
		begin := now()
		for range costCycles {
			cy.N++
			cy.Time += int64(program.Period)
			cy.Due, cy.Wall = cy.Time, cy.Time
			program.Evaluate(&cy)
		}
		least = min(least, now()-begin)
	}
	return least, nil
}
