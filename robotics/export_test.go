package robotics

import (
	"context"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Watched maps a command to a net that publishes states as well, by key.
func Watched(c Command, states map[string]State, values map[string]Sensor[float64], optimise bool) (text string, err error) {
	text, _, err = Traced(c, states, values, optimise)
	return text, err
}

// Traced is Watched, with the functions of External by the keys of their counts.
func Traced(c Command, states map[string]State, values map[string]Sensor[float64], optimise bool) (text string, externals map[string]func(), err error) {
	large, p, err := netOf(c, graph.Standard(), func(b *builder) {
		for key, s := range states {
			graph.Publish(b.m.Graph, key, b.state(s))
		}
		for key, s := range values {
			graph.Publish(b.m.Graph, key, Read(b.m, s))
		}
	})
	if err != nil {
		return "", nil, err
	}
	if optimise {
		if large, _, err = large.Optimise(); err != nil {
			return "", nil, err
		}
	}
	externals = map[string]func(){}
	for _, e := range p.externals {
		externals[e.times] = e.do
	}
	text, err = large.Text()
	return text, externals, err
}

// Children returns the commands of a transaction.
func Children(c Command) []Command {
	if t, is := c.(*TransactionCommand); is {
		return t.children
	}
	return nil
}

// Asks returns the net of Value.
func Asks(s Sensor[float64]) (string, error) { return textOf(reading(graph.Standard(), s, once)) }

// Listens returns the net of listeners.
func Listens(s Sensor[float64]) (string, error) {
	return textOf(reading(graph.Standard(), s, untilCancelled))
}

func textOf(g *mapping.Net, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return g.Text()
}

// SetPatience sets how long a daemon is waited for that does not answer.
func (r *Runtime) SetPatience(d time.Duration) { r.patience = d }

// Why returns what a device says of a command.
func (h *Handle) Why(ctx context.Context, device string) string { return h.why(ctx, device) }

// Plan returns what a rehearsal asks a daemon for.
func (p *Rehearsal) Plan() client.Plan { return p.plan }

// Read returns what a rehearsal reads from an answer of the daemon.
func (p *Rehearsal) Read(told *client.Preview) (*Preview, error) { return p.read(told) }

// Refer keeps the daemon from forgetting a command.
func Refer(h *Handle) (release func(), err error) { return refer([]*Handle{h}) }
