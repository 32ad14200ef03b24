package sched

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// A probe looks at a net for somebody outside. It is attached and detached while the net runs, by decisions like all others: in each tick
// the executor either executes it after the cycle of its net or does not. Its memory is given back when the executor has fetched the
// decision that took it away, as with programs.
//
// Each executor links the probes of a net by numbers in the table, which it may write while it runs; pointers to probes are there before it
// hears of them.

// ProbeID is the number of a probe in events. The caller of Attach chooses it, and must not choose a number twice.
type ProbeID uint64

// probe is a place in the table of probes. Goroutines fill it before the turn hears of it and clear it when the cycle has
// forgotten it.
type probe struct {
	probe *net.Probe
	net   Ref
	next  uint32 // place+1 of the next one of its net: written by the turn before its executor hears of it, then by that

	// goroutines only, under the mutex
	id         ProbeID
	generation uint32
	detached   bool
}

// watcher is what the turn knows of the probe in a place.
type watcher struct {
	generation uint32
	state      watcherState
	net        Ref
	next       uint32 // place+1 of the next one of its net
	mail       uint64 // position behind the newest mail about it
	left       int64  // instant of its executor when it was taken away
}

type watcherState uint8

const (
	unwatched watcherState = iota
	waiting                // for the start of its net
	watching
	fading // taken away, but the executor may not know
)

// Attach makes the executor of a net execute a probe at the end of each cycle, from its next tick on, or from the start of the net. It does
// so until Detach is called or the net ends. ProbeGone follows when the cycle no longer uses the probe. If ctx ends before there is room
// for the command, nothing is attached; later, ctx has no effect.
func (s *Scheduler) Attach(ctx context.Context, id ProbeID, net Ref, p *net.Probe) error {
	return s.carryOut(ctx, command{kind: commandAttach, net: net, attach: p, id: id})
}

// Detach ends a probe. It returns ErrUnknown when the probe has ended already.
func (s *Scheduler) Detach(ctx context.Context, id ProbeID) error {
	return s.carryOut(ctx, command{kind: commandDetach, id: id})
}

// placeProbe gives a probe a place in the table. The mutex is held.
func (s *Scheduler) placeProbe(c *command) error {
	if !s.known(c.net) {
		return ErrUnknown
	}
	if len(s.freeProbes) == 0 {
		return fmt.Errorf("%w: %d are allowed at a time", ErrProbes, len(s.probes.of))
	}
	i := s.freeProbes[len(s.freeProbes)-1]
	s.freeProbes = s.freeProbes[:len(s.freeProbes)-1]
	p := s.probes.at(i)
	p.probe, p.net, p.id, p.next = c.attach, c.net, c.id, 0
	s.probeOf[c.id] = i
	c.probe, c.attach = Ref{i, p.generation}, nil
	return nil
}

// findProbe finds the place of a probe that is to be detached. The mutex is held.
func (s *Scheduler) findProbe(c *command) error {
	i, known := s.probeOf[c.id]
	if !known || s.probes.at(i).detached {
		return ErrUnknown
	}
	p := s.probes.at(i)
	p.detached = true
	c.probe = Ref{i, p.generation}
	return nil
}

// freeProbe takes a place back, and returns whose it was.
func (s *Scheduler) freeProbe(place uint32, reached bool) ProbeID {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.probes.at(place)
	id := p.id
	delete(s.probeOf, id)
	p.probe, p.net, p.id, p.detached = nil, Ref{}, 0, false
	if reached {
		p.generation++
	}
	s.freeProbes = append(s.freeProbes, place)
	return id
}

// attach lets a probe see its net (turn).
func (s *Scheduler) attach(at Ref) refusal {
	p, w := s.probes.at(at.slot), s.watchers.at(at.slot)
	life := s.life(p.net)
	switch {
	case life == nil:
		return refusal{reason: unknown, net: p.net}
	case life.runs():
		w.state = watching
		w.mail = s.sendAlone(p.net, mail{op: opAttach, net: p.net, probe: at.slot + 1})
	case life.state == Ready:
		w.state = waiting
	default:
		return refusal{reason: over, net: p.net, state: life.state}
	}
	w.net, w.next, life.probes = p.net, life.probes, at.slot+1
	return refusal{}
}

// detach takes a probe away, unless it has ended with its net (turn).
func (s *Scheduler) detach(at Ref) refusal {
	w := s.watchers.at(at.slot)
	if w.generation != at.generation || w.state == unwatched || w.state == fading {
		return refusal{}
	}
	if life := s.life(w.net); life != nil {
		link := &life.probes
		for *link != 0 && *link != at.slot+1 {
			link = &s.watchers.at(*link - 1).next
		}
		*link = w.next
	}
	if w.state == watching {
		w.mail = s.sendAlone(w.net, mail{op: opDetach, net: w.net, probe: at.slot + 1})
	}
	s.fade(at.slot)
	return refusal{}
}

// fade waits for the executor to forget a probe.
func (s *Scheduler) fade(place uint32) {
	w := s.watchers.at(place)
	w.state, w.left = fading, s.executorOf(w.net.slot).begun.Load()
	s.fading.add(place)
}

// unwatch takes all probes of a net away that does not run any more. They stay until all mail about the net has been fetched: what detaches
// another one of them goes through all.
func (s *Scheduler) unwatch(life *life) {
	for next := life.probes; next != 0; next = s.watchers.at(next - 1).next {
		s.watchers.at(next - 1).mail = life.mail
		s.fade(next - 1)
	}
	life.probes = 0
}

// watched gives the probes that wait for a net to its executor, with the mail that starts it.
func (s *Scheduler) watched(life *life, mail uint64) (first uint32) {
	for next := life.probes; next != 0; next = s.watchers.at(next - 1).next {
		w := s.watchers.at(next - 1)
		w.state, w.mail = watching, mail
		s.probes.at(next - 1).next = w.next
	}
	return life.probes
}

// sendAlone makes a decision about a net that concerns nobody else, and returns the position behind its mail.
func (s *Scheduler) sendAlone(r Ref, m mail) uint64 {
	x := s.executorOf(r.slot)
	m.decision = s.word.Load()&decisions + 1
	at := x.posted.Load()
	*x.mail.at(at) = m
	x.posted.Store(at + 1)
	for {
		if word := s.word.Load(); s.word.CompareAndSwap(word, word+1) {
			break
		}
	}
	if life := s.life(r); life != nil {
		life.mail = at + 1
	}
	s.wake(r.slot)
	return at + 1
}

// releaseProbes lets the probes go that executors have forgotten (turn).
func (s *Scheduler) releaseProbes() {
	for _, i := range s.fading.take() {
		w := s.watchers.at(i)
		if x := s.executorOf(w.net.slot); x.fetched.Load() >= w.mail && !x.within(w.left) {
			s.releaseProbe(i)
			continue
		}
		s.fading.add(i)
	}
}

func (s *Scheduler) releaseProbe(place uint32) {
	w := s.watchers.at(place)
	*w = watcher{generation: w.generation + 1}
	s.note(note{kind: noteProbe, index: place})
}

// linkProbe adds a probe to those of a net (cycle).
func (x *executor) linkProbe(e *entry, place uint32) {
	x.s.probes.at(place - 1).next = e.probes
	e.probes = place
	x.probed = true
}

// unlinkProbe takes one away (cycle).
func (x *executor) unlinkProbe(e *entry, place uint32) {
	next := x.s.probes.at(place - 1).next
	if e.probes == place {
		e.probes = next
		return
	}
	for at := e.probes; at != 0; at = x.s.probes.at(at - 1).next {
		if p := x.s.probes.at(at - 1); p.next == place {
			p.next = next
			return
		}
	}
}

// keepProbed lets probes see the cycles of this tick, after all nets have acted: what they take is not the time of a net (cycle).
func (x *executor) keepProbed() {
	if !x.probed {
		return
	}
	x.probed = false
	list := x.running()
	for i := range list {
		e := &list[i]
		if e.probes == 0 {
			continue
		}
		x.probed = true
		if !e.due {
			continue
		}
		for at := e.probes; at != 0; {
			p := x.s.probes.at(at - 1)
			p.probe.Keep(&e.cycle)
			at = p.next
		}
	}
}
