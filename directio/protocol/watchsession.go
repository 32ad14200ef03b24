package protocol

import (
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// sessionWatch is a gse: the states of all nets of a session (st).
type sessionWatch struct {
	sessions *rcc.Sessions
	session  *rcc.Session
	nets     []*member // not unloaded, oldest first
	known    map[*rcc.Net]bool
	closed   bool
}

type member struct {
	net  *rcc.Net
	seen int
	gone bool
}

func newSessionWatch(sessions *rcc.Sessions, session *rcc.Session) *sessionWatch {
	return &sessionWatch{sessions: sessions, session: session, known: map[*rcc.Net]bool{}}
}

func (w *sessionWatch) look(g *glance) (told bool) {
	w.join(g)
	more := w.round(g)
	if g.first && !more {
		g.tell("st", grammar.MapOf(nil, nil))
	}
	for more {
		more = w.round(g)
	}
	w.nets = slices.DeleteFunc(w.nets, func(m *member) bool {
		if m.gone {
			delete(w.known, m.net)
		}
		return m.gone
	})
	_, err := w.sessions.Get(w.session.Name())
	w.closed = err != nil && len(w.nets) == 0
	return true
}

// join finds nets that are new. Of those that existed before the subscription only the present state is sent.
func (w *sessionWatch) join(g *glance) {
	for _, n := range w.session.Nets() {
		if w.known[n] {
			continue
		}
		w.known[n] = true
		m := &member{net: n}
		if g.first {
			m.seen = n.Seen()
		}
		w.nets = append(w.nets, m)
	}
}

// round sends one step of every net that has made one.
func (w *sessionWatch) round(g *glance) bool {
	states := grammar.Param{Kind: grammar.Map}
	for _, m := range w.nets {
		state, ok := m.step(g)
		if ok {
			states.Keys = append(states.Keys, m.net.Name())
			states.Items = append(states.Items, grammar.Str(state.String()))
		}
	}
	if len(states.Keys) == 0 {
		return false
	}
	g.tell("st", states)
	return true
}

func (m *member) step(g *glance) (rcc.State, bool) {
	steps, seen := m.net.Since(m.seen)
	m.seen = seen - len(steps)
	if len(steps) == 0 || g.afterwards(steps) {
		return 0, false
	}
	next := steps[0].State
	m.seen++
	m.gone = next == rcc.Unloaded
	return next, true
}

func (w *sessionWatch) due() (time.Time, bool) { return time.Time{}, false }

func (w *sessionWatch) about() any { return nil }

func (w *sessionWatch) over() bool { return w.closed }
