package protocol

import (
	"context"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// shortestInterval is how often values and devices are looked at, at most.
const shortestInterval = 10 * time.Millisecond

// watch is what a client has subscribed to.
type watch interface {
	// look tells what has changed since the last look.
	look(g *glance)
	// due is when to look although the bell of the core has not rung; ok is false when there is no need.
	due() (at time.Time, ok bool)
	// over tells that nothing will ever change again.
	over() bool
}

// subscription is a watch with the tag under which its messages go.
type subscription struct {
	tag     string
	subject string
	watch
}

// glance is one look at what a client has subscribed to.
type glance struct {
	now       time.Time
	first     bool // the subscription is new: everything is told
	answering bool // the answer to a command is about to follow: what must come after it waits
	causing   bool // and that command may have brought about what there is to see
	polling   bool // the bell has not rung: only what is due is looked at
	rung      bool // the bell has rung
	room      bool // for messages that may as well come later
	tell      func(command string, p grammar.Param)
}

// afterwards tells whether a net's next steps have to wait for the answer that is about to follow. That it is gone comes
// after the answer, and so does its end when it has ended by itself: that is the work of its cycles and not of the command.
func (g *glance) afterwards(steps []rcc.Transition) bool {
	return g.answering && !g.first && (steps[0].State == rcc.Unloaded || steps[0].ByItself && len(steps) == 1)
}

// subscribe adds a subscription and tells its present state. The same once more starts it anew.
func (s *session) subscribe(ctx context.Context, tag, subject string, w watch) error {
	s.subscriptions = slices.DeleteFunc(s.subscriptions, func(old *subscription) bool {
		return old.tag == tag && old.subject == subject
	})
	if len(s.subscriptions) >= s.cfg.Subscriptions {
		return errTooMany
	}
	sub := &subscription{tag: tag, subject: subject, watch: w}
	s.subscriptions = append(s.subscriptions, sub)
	sub.look(s.focus(ctx, sub, glance{now: s.cfg.clock.Now(), first: true, answering: true, room: true}))
	return nil
}

// look goes through the subscriptions in their order and drops those that are over.
func (s *session) look(ctx context.Context, g glance) {
	g.now = s.cfg.clock.Now()
	if s.pace != nil && !g.answering {
		s.pace.looked = g.now
	}
	for _, sub := range s.subscriptions {
		if at, ok := sub.due(); g.polling && (!ok || g.now.Before(at)) {
			continue
		}
		g.room = len(s.out) < roomForValues
		sub.look(s.focus(ctx, sub, g))
	}
	s.takeTurns()
	s.subscriptions = slices.DeleteFunc(s.subscriptions, func(sub *subscription) bool { return sub.over() })
}

// focus directs a glance to one subscription.
func (s *session) focus(ctx context.Context, sub *subscription, g glance) *glance {
	g.tell = func(command string, p grammar.Param) {
		st := grammar.Statement{Tag: sub.tag, Command: command, Params: []grammar.Param{p}}
		s.queue(ctx, message{text: st.String(), state: s.pace != nil && command == "ns", first: g.first})
	}
	return &g
}

// untilDue is how long the bell is all there is to wait for.
func (s *session) untilDue() time.Duration {
	var first time.Time
	ok := false
	for _, sub := range s.subscriptions {
		if at, is := sub.due(); is && (!ok || at.Before(first)) {
			first, ok = at, true
		}
	}
	if s.pace != nil {
		first, ok = s.pace.next(first, ok)
	}
	if !ok {
		return longestInterval
	}
	return first.Sub(s.cfg.clock.Now())
}
