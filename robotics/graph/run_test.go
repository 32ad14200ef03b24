package graph_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/primitives"
	rccnet "github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// fataler is what testing and rapid have in common.
type fataler interface {
	Fatalf(format string, args ...any)
}

// daemon compiles nets and runs them cycle by cycle, as executors do.
type daemon struct{ catalogue *spec.Catalogue }

func newDaemon(t testing.TB) daemon {
	t.Helper()
	c, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	return daemon{c}
}

const period = 10 * time.Millisecond

func (d daemon) compile(t fataler, text string) *rccnet.Program {
	tree, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p, err := rccnet.Compile(tree, rccnet.Options{Name: "test", Period: period, Catalogue: d.catalogue})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// happening is what happens before a cycle.
type happening struct {
	writes map[string]string // values by key
	cancel bool
}

// run returns what a net publishes in each cycle, by key, and whether it ends.
func (d daemon) run(t fataler, g *graph.Graph, what []happening) []map[string]string {
	text, err := g.Text()
	if err != nil {
		t.Fatalf("%v", err)
	}
	p := d.compile(t, text)
	var cy spec.Cycle
	cy.Period = p.Period.Seconds()
	var told []map[string]string
	for _, h := range what {
		cy.Cancel = cy.Cancel || h.cancel
		cy.N++
		cy.Time = int64(cy.N) * int64(p.Period)
		cy.Due, cy.Wall = cy.Time, cy.Time
		d.write(t, p, h.writes, cy.Time)
		told = append(told, d.cycle(p, &cy))
	}
	return told
}

func (d daemon) cycle(p *rccnet.Program, cy *spec.Cycle) map[string]string {
	p.Sense(cy)
	p.Run(cy)
	p.Act(cy)
	told := map[string]string{}
	for _, v := range p.Board.Vars() {
		words := make([]uint64, len(v.Initial))
		if written, _, ok := p.Board.Read(v.Offset(), words); ok && written > 0 {
			told[v.Key] = string(v.Text(nil, words))
		}
	}
	if end, _ := p.Terminates(cy); end {
		told["ends"] = "true"
	}
	return told
}

// write hands values in. Inputs that nothing reads may be gone: what is written to them is passed over, as by snc.
func (d daemon) write(t fataler, p *rccnet.Program, values map[string]string, now int64) {
	var updates []spec.Update
	for key, text := range values {
		v, there := p.Inbox.Find(key)
		if !there {
			continue
		}
		words, err := v.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		updates = append(updates, spec.Update{Var: v, Words: words})
	}
	p.Inbox.Put(now, updates...)
}
