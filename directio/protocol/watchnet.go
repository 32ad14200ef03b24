package protocol

import (
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// netWatch is a gne: the states of a net (ns) and its values (nc).
type netWatch struct {
	net      *rcc.Net
	interval time.Duration
	seen     int
	state    rcc.State
	told     *rcc.Values // nil: all values are due
	next     time.Time   // when values may be told again

	pace   *pace     // of an older client, else nil
	spoken time.Time // when a state was told last
	late   bool      // there is a state that could not be told yet
	spoke  bool      // a state has been told in this look

	held      rcc.State // that was seen last and could not be told at once
	heldSince time.Time
}

func newNetWatch(n *rcc.Net, interval time.Duration, p *pace) *netWatch {
	return &netWatch{net: n, interval: max(interval, shortestInterval), seen: n.Seen(), pace: p}
}

func (w *netWatch) look(g *glance) {
	steps, seen := w.net.Since(w.seen)
	w.seen = seen - len(steps)
	if w.pace != nil {
		w.enterNewest(g, steps)
	} else if !w.enterAll(g, steps) {
		return
	}
	if w.state.Active() && (g.first || !g.answering) {
		w.refresh(g)
	}
}

// enterAll tells every state, and whether it has told all of them.
func (w *netWatch) enterAll(g *glance, steps []rcc.Transition) bool {
	for i := range steps {
		if g.afterwards(steps[i:]) {
			return false
		}
		w.seen++
		w.enter(g, &steps[i])
	}
	return true
}

// enter tells a state. All values are told with it: before it, except for RUNNING, whose values come from its cycles.
func (w *netWatch) enter(g *glance, step *rcc.Transition) {
	w.state, w.told, w.next = step.State, nil, time.Time{}
	switch step.State {
	case rcc.Cancelling, rcc.Terminated:
		values := step.Values
		if values == nil || g.first || w.pace != nil { // what is told late must not take back newer values
			values = w.net.Values()
		}
		w.report(g, values)
	}
	g.tell("ns", grammar.Str(step.State.String()))
}

// refresh tells what the cycles of the net have changed.
func (w *netWatch) refresh(g *glance) {
	if g.now.Before(w.next) {
		return
	}
	w.next = g.now.Add(shortestInterval)
	if g.room {
		w.report(g, w.net.Values())
	}
}

func (w *netWatch) report(g *glance, values *rcc.Values) {
	if values == nil {
		return
	}
	changed := values.Reported(w.told)
	if len(changed) == 0 {
		return
	}
	w.told, w.next = values, g.now.Add(w.interval)
	var m grammar.Param
	m.Kind = grammar.Map
	for _, kv := range changed {
		if w.pace != nil && kv.Key == rcc.RefusalKey {
			continue // older clients know the keys that they have written into the net, and no others
		}
		m.Keys = append(m.Keys, kv.Key)
		m.Items = append(m.Items, grammar.Str(kv.Value))
	}
	if len(m.Keys) == 0 {
		return
	}
	g.tell("nc", m)
}

func (w *netWatch) due() (time.Time, bool) {
	if w.late {
		at := w.pace.ready(w.spoken)
		if w.state.Active() && w.next.Before(at) {
			at = w.next
		}
		return at, true
	}
	return w.next, w.state.Active()
}

func (w *netWatch) over() bool { return w.state == rcc.Unloaded }
