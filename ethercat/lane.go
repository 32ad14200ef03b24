package ethercat

import (
	"context"
	"iter"
	"math"
	"slices"
	"time"
)

// speaker is how a goroutine talks to slaves: alone, or in a lane. Its zero lane is for those alone.
type speaker struct {
	m    *Master
	lane *lane
}

// speaker returns the one of a context.
func (m *Master) speaker(ctx context.Context) speaker {
	l, _ := ctx.Value(laneKey{}).(*lane)
	return speaker{m, l}
}

// carry sends datagrams once and waits for what comes back.
func (s speaker) carry(list []*datagram) error {
	if s.lane == nil {
		return s.m.carry(list)
	}
	return s.lane.ask(wish{list: list})
}

func (s speaker) sleep(d time.Duration) {
	if s.lane == nil {
		s.m.sleep(d)
		return
	}
	_ = s.lane.ask(wish{until: s.m.now() + int64(d)})
}

// lane is what is done with one slave while the same is done with others. Whatever lanes have to say at a time travels in the same frames,
// and while one waits the others go on: with 150 slaves that have objects a frame for each step of each takes most of a start. Lanes take
// turns in one goroutine, in the order of the slaves, so that a start in virtual time is the same each time.
type lane struct {
	yield func(wish) bool
	err   error // of what was wished
}

type laneKey struct{}

// wish is what a lane waits for: datagrams to come back, or an instant.
type wish struct {
	list  []*datagram
	until int64
}

func (l *lane) ask(w wish) error {
	if !l.yield(w) {
		return context.Canceled
	}
	return l.err
}

// travel is a lane and what it waits for.
type travel struct {
	lane *lane
	next func() (wish, bool)
	wish wish
}

// together does some things at the same time, each in a lane that is in its context.
func (m *Master) together(ctx context.Context, jobs []func(ctx context.Context)) {
	if len(jobs) == 1 {
		jobs[0](ctx)
		return
	}
	var open []*travel
	for _, job := range jobs {
		t := &travel{lane: &lane{}}
		next, stop := iter.Pull(func(yield func(wish) bool) {
			t.lane.yield = yield
			job(context.WithValue(ctx, laneKey{}, t.lane))
		})
		defer stop()
		t.next = next
		open = append(open, t)
	}
	for ready := slices.Clone(open); len(open) > 0; ready = m.fulfil(open) {
		for _, t := range ready {
			w, on := t.next()
			if t.wish = w; !on {
				t.next = nil
			}
		}
		left := open[:0]
		for _, t := range open {
			if t.next != nil {
				left = append(left, t)
			}
		}
		open = left
	}
}

// fulfil carries the datagrams of all lanes, or waits when there are none, and returns those lanes that go on.
func (m *Master) fulfil(open []*travel) (ready []*travel) {
	var list []*datagram
	until := int64(math.MaxInt64)
	for _, t := range open {
		if t.wish.list == nil {
			until = min(until, t.wish.until)
		}
		list = append(list, t.wish.list...)
	}
	var err error
	switch {
	case len(open) == 0:
		return nil
	case len(list) > 0:
		err = m.carry(list)
	default:
		m.sleep(time.Duration(max(0, until-m.now())))
	}
	for _, t := range open {
		switch {
		case t.wish.list != nil:
			t.lane.err = err
		case t.wish.until <= m.now():
			t.lane.err = nil
		default:
			continue
		}
		ready = append(ready, t)
	}
	return ready
}
