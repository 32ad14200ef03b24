package protocol

import (
	"iter"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// netWatch is a gne: the states of a net (ns) and its values (nc).
type netWatch struct {
	net      *rcc.Net
	interval time.Duration
	swift    bool // it has asked for values sooner than others look
	ticks    bool // values come with their tick
	seen     int
	state    rcc.State
	told     *rcc.Values // nil: all values are due
	newest   uint64      // cycle of the newest ones that were sent
	next     time.Time   // when values may be sent again

	pace      *pace     // of an older client, else nil
	lastState time.Time // when a state was last sent
	late      bool      // there is a state that could not be sent yet
	spoke     bool      // a state was sent in this look

	held      rcc.State // that was seen last and could not be sent at once
	heldSince time.Time
}

// withTicks is what clients subscribe with to receive the tick of values as well.
const withTicks = "tick"

func newNetWatch(n *rcc.Net, interval time.Duration, ticks bool, p *pace) *netWatch {
	w := &netWatch{net: n, interval: max(interval, shortestInterval), ticks: ticks, seen: n.Seen(), pace: p}
	if p == nil && 0 < interval && interval < shortestInterval {
		w.swift, w.interval = true, max(interval, swiftest)
	}
	return w
}

// looks returns the time from a look that found nothing to the next one.
func (w *netWatch) looks() time.Duration { return min(w.interval, shortestInterval) }

func (w *netWatch) look(g *glance) (told bool) {
	steps, seen := w.net.Since(w.seen)
	w.seen = seen - len(steps)
	if w.pace != nil {
		w.enterNewest(g, steps)
	} else if !w.enterAll(g, steps) {
		return false
	}
	if w.state.Active() && (g.first || !g.answering) {
		w.refresh(g)
	}
	return !w.late
}

// enterAll sends every state, and reports whether it has sent all of them.
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

// enter sends a state. All values are sent with it: before it, except for RUNNING, whose values come from its cycles.
func (w *netWatch) enter(g *glance, step *rcc.Transition) {
	w.state, w.told, w.next = step.State, nil, time.Time{}
	switch step.State {
	case rcc.Cancelling, rcc.Terminated:
		values := step.Values
		if values == nil || g.first || w.pace != nil || values.Cycle < w.newest { // a late message must not take back newer values
			values = w.net.Values()
		}
		w.report(g, values)
	}
	g.tell("ns", grammar.Str(step.State.String()))
}

// refresh sends what the cycles of the net have changed.
func (w *netWatch) refresh(g *glance) {
	first := w.swift && w.told == nil // which goes out as soon as it is there
	if g.now.Before(w.next) && !first {
		return
	}
	w.next = g.now.Add(w.looks())
	if g.room {
		w.report(g, w.net.Values())
	}
}

func (w *netWatch) report(g *glance, values *rcc.Values) {
	if values == nil {
		return
	}
	changes := values.Changes(w.told)
	if w.pace != nil { // older clients know the keys that they have written into the net, and no others
		changes = without(changes, rcc.RefusalKey)
	}
	var others []iter.Seq2[string, string]
	if w.ticks {
		others = append(others, tickOf(values))
	}
	if g.tellTexts("nc", changes, others...) {
		w.told, w.newest, w.next = values, values.Cycle, g.now.Add(w.interval)
	}
}

// tickOf returns the cycle that has left values and the time of its tick, nothing before the first one.
func tickOf(v *rcc.Values) iter.Seq2[string, string] {
	return func(yield func(key, text string) bool) {
		if v.Cycle > 0 && yield("cycle", strconv.FormatUint(v.Cycle, 10)) {
			yield("time", strconv.FormatInt(v.Time(), 10))
		}
	}
}

// without leaves out a key.
func without(all iter.Seq2[string, string], key string) iter.Seq2[string, string] {
	return func(yield func(key, text string) bool) {
		for k, text := range all {
			if k != key && !yield(k, text) {
				return
			}
		}
	}
}

func (w *netWatch) due() (time.Time, bool) {
	if w.late {
		at := w.pace.ready(w.lastState)
		if w.state.Active() && w.next.Before(at) {
			at = w.next
		}
		return at, true
	}
	return w.next, w.state.Active()
}

func (w *netWatch) about() any { return w.net }

func (w *netWatch) over() bool { return w.state == rcc.Unloaded }
