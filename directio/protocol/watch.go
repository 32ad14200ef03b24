package protocol

import (
	"context"
	"iter"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc"
)

// shortestInterval is how often values and devices are looked at, at most, unless a subscription asks for more.
const shortestInterval = 10 * time.Millisecond

// beat is how often there are looks at what is due, of all conversations at the same instants: what a net has given is read once
// for all of them then, and waking for each of them would cost more than the messages.
const beat = 2 * time.Millisecond

// swiftest is how often values are looked at, at most, for subscriptions with intervals below shortestInterval, and the beat of
// a conversation in which one has. Such a conversation also hears when a net has ended its first cycle.
const swiftest = time.Millisecond

// beatBefore returns the newest beat.
func (s *session) beatBefore(t time.Time) time.Time {
	return t.Add(-(t.Sub(s.cfg.clock.Begin()) % s.beat))
}

// beatAfter returns the first beat that is not before.
func (s *session) beatAfter(t time.Time) time.Time { return s.beatBefore(t.Add(s.beat - 1)) }

// hurry makes the conversation look as often as a swift subscription needs it.
func (s *session) hurry() {
	s.beat = swiftest
	s.observer.HearBeginnings()
}

// watch is what a client has subscribed to.
type watch interface {
	// look sends what has changed since the last look, and reports whether nothing has to wait for the next one.
	look(g *glance) (told bool)
	// due is when to look although nothing has changed; ok is false when there is no need.
	due() (at time.Time, ok bool)
	// about is the net or rule without whose change there is nothing new before it is due, nil when there is more.
	about() any
	// over reports whether nothing will ever change again.
	over() bool
}

// subscription is a watch with the tag under which its messages go.
type subscription struct {
	name
	watch

	// of the agenda
	number  uint64    // in the order of subscribing
	at      time.Time // when it is due
	place   int       // among those that wait
	changed bool
	taken   bool
}

// name identifies a subscription.
type name struct{ tag, subject string }

// glance is one look at what a client has subscribed to.
type glance struct {
	now       time.Time
	first     bool // the subscription is new: everything is sent
	answering bool // the answer to a command is about to follow: what must come after it waits
	causing   bool // and that command may have brought about what there is to see
	polling   bool // the bell has not rung: only what is due is looked at
	rung      bool // the bell has rung
	room      bool // for messages that may as well come later

	tag   string // of the subscription
	out   *parcel
	apart func(command string) // sends a message by itself, nil when messages may go together
}

// tell adds a message.
func (g *glance) tell(command string, p grammar.Param) {
	g.out.add(&grammar.Statement{Tag: g.tag, Command: command, Params: []grammar.Param{p}})
	g.told(command)
}

// tellTexts adds a message with a map of texts, followed by others, and reports whether there are any in the first one.
func (g *glance) tellTexts(command string, members iter.Seq2[string, string], others ...iter.Seq2[string, string]) bool {
	if !g.out.addTexts(g.tag, command, members, others...) {
		return false
	}
	g.told(command)
	return true
}

func (g *glance) told(command string) {
	if g.apart != nil {
		g.apart(command)
	}
}

// afterwards reports whether a net's next steps have to wait for the answer that is about to follow. That it is gone comes
// after the answer, and so does its end when it has ended by itself: that is the work of its cycles and not of the command.
func (g *glance) afterwards(steps []rcc.Transition) bool {
	return g.answering && !g.first && (steps[0].State == rcc.Unloaded || steps[0].ByItself && len(steps) == 1)
}

// subscribe adds a subscription and sends the present state. Subscribing again restarts it.
func (s *session) subscribe(ctx context.Context, tag, subject string, w watch) error {
	sub := &subscription{name: name{tag, subject}, watch: w}
	if old := s.byName[sub.name]; old != nil {
		s.drop(old)
	}
	if len(s.byName) >= s.cfg.Subscriptions {
		return errTooMany
	}
	s.byName[sub.name] = sub
	s.agenda.enter(sub)
	s.lookAt(ctx, sub, glance{now: s.cfg.clock.Now(), first: true, answering: true, room: true})
	s.post(ctx)
	return nil
}

// drop forgets a subscription.
func (s *session) drop(sub *subscription) {
	delete(s.byName, sub.name)
	s.agenda.strike(sub)
}

// look goes through the subscriptions that there is something new of, in their order, and drops those that are over.
func (s *session) look(ctx context.Context, g glance) {
	g.now = s.cfg.clock.Now()
	chosen := s.chosen(&g)
	for _, sub := range chosen {
		if at, ok := sub.due(); g.polling && (!ok || g.now.Before(at)) {
			s.agenda.await(sub)
			continue
		}
		g.room = s.room()
		s.lookAt(ctx, sub, g)
		if sub.over() {
			s.gone = append(s.gone, sub)
		}
	}
	s.takeTurns(chosen)
	s.post(ctx)
	for _, sub := range s.gone {
		s.drop(sub)
	}
	s.gone = s.gone[:0]
}

// chosen returns the subscriptions to look at.
func (s *session) chosen(g *glance) []*subscription {
	switch {
	case s.pace == nil && g.polling:
		g.now = s.beatBefore(g.now)
	case s.pace != nil && !g.answering:
		s.pace.looked = g.now
	}
	if !g.polling {
		s.notice()
	}
	clear(s.list)
	s.list = s.agenda.take(s.list[:0], g.now, g.polling)
	return s.list
}

// notice puts what has changed on the agenda.
func (s *session) notice() {
	list, all := s.observer.Changed()
	if all {
		s.agenda.noteAll()
	}
	for _, subject := range list {
		s.agenda.note(subject)
	}
}

// lookAt looks at one subscription.
func (s *session) lookAt(ctx context.Context, sub *subscription, g glance) {
	g.tag, g.out = sub.tag, s.open()
	if s.pace != nil {
		g.apart = func(command string) {
			s.told.state, s.told.first = command == "ns", g.first
			s.post(ctx)
			s.glance.out = s.open()
		}
	}
	s.glance = g
	told := sub.look(&s.glance)
	s.agenda.looked(sub, told && !sub.over())
}

// untilDue returns how long the bell is all there is to wait for.
func (s *session) untilDue() time.Duration {
	first, ok := s.agenda.next()
	if s.pace == nil {
		first = s.beatAfter(first)
	} else {
		first, ok = s.pace.next(first, ok)
	}
	if !ok {
		return longestInterval
	}
	return first.Sub(s.cfg.clock.Now())
}
