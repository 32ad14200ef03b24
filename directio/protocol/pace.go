package protocol

import (
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// lookInterval is how often older clients learn what has changed, besides once after each of their commands: as often
// as the original looks. A state that is not the last one waits as long, unless a command of theirs has brought it about: when the net
// has ended by then, only its end is sent, which no delay of the client can confuse.
const lookInterval = 10 * time.Millisecond

// stateInterval is how long older clients are left alone with a state of a net before the next one is sent, and
// with a rule that they have asked for before its outcome is sent. They store a state when it arrives and
// look at it later, on another thread: two states at a time are one to them (ADR 0028).
const stateInterval = 15 * time.Millisecond

// pace decides when an older client learns of changes. A nil pace is that of all others, who hear everything at once.
//
// The fields without an atomic belong to the goroutine of Serve.
type pace struct {
	looked time.Time // the newest look that no command has caused
	more   bool      // there may be more to see than what is due

	queued  atomic.Int32              // states of nets on their way to the client
	written atomic.Pointer[time.Time] // when a state was last sent to the client; the first one of a subscription does not count
}

// ready returns when the client can take the next state of a net after one that was sent at told. An earlier look is useless.
func (p *pace) ready(told time.Time) time.Time {
	at := told.Add(stateInterval)
	if last := p.written.Load(); last != nil && last.Add(stateInterval).After(at) {
		at = last.Add(stateInterval)
	}
	return at
}

// free reports whether the client can take a state now.
func (p *pace) free(now, told time.Time) bool {
	return p.queued.Load() == 0 && !now.Before(p.ready(told))
}

// sent notes that a state has been written.
func (p *pace) sent(m *parcel, now time.Time) {
	if !m.first {
		p.written.Store(&now)
	}
	p.queued.Add(-1)
}

// next returns when to look, given when something is due.
func (p *pace) next(due time.Time, ok bool) (time.Time, bool) {
	at := p.looked.Add(lookInterval)
	if !p.more && ok && due.After(at) {
		at = due
	}
	return at, ok || p.more
}

// enterNewest sends the newest step of a net, if the client can take one; earlier ones are never sent. An end is
// sent in any case: the original takes a tenth of a second from there to UNLOADED.
func (w *netWatch) enterNewest(g *glance, steps []rcc.Transition) {
	w.late = false
	last := len(steps) - 1
	if last > 0 && steps[last].State == rcc.Unloaded {
		last--
	}
	newest := last
	for last >= 0 && g.afterwards(steps[last:]) {
		last--
	}
	w.late = last+1 < len(steps)
	if last < 0 || last < newest && !g.causing { // what follows the answer is newer: it is sent alone
		return
	}
	if state := steps[last].State; !g.first && (!w.stays(g, state) || !w.pace.free(g.now, w.lastState)) {
		w.late = true
		return
	}
	w.seen += last + 1
	if s := steps[last].State; s != w.state || s == rcc.Terminated || g.first { // its end is sent again after neun
		w.enter(g, &steps[last])
		w.lastState, w.spoke = g.now, !g.first
	}
}

// stays reports whether a state has lasted long enough to be sent, or is final.
func (w *netWatch) stays(g *glance, state rcc.State) bool {
	if g.causing || state == rcc.Terminated || state == rcc.Unloaded || state == rcc.Rejected {
		return true
	}
	if state != w.held {
		w.held, w.heldSince = state, g.now
	}
	return !g.now.Before(w.heldSince.Add(lookInterval))
}

// takeTurns puts the net whose state was just sent behind all others: when several have states to send, none has to wait
// for another one twice.
func (s *session) takeTurns(looked []*subscription) {
	for _, sub := range looked {
		if w, ok := sub.watch.(*netWatch); ok && w.spoke {
			w.spoke = false
			s.agenda.last(sub)
			return
		}
	}
}
