package sched

import (
	"sync/atomic"
	"time"
)

// The phases of a cycle (§5.3.2).
const (
	phaseSense = iota
	phaseRun
	phaseAct
	phaseCount
)

// Phases has how long each phase of one cycle took (figure 11.1), on the machine's clock.
type Phases struct {
	Cycle           uint64
	Sense, Run, Act time.Duration
}

// phasesKept is of how many cycles they are kept: 4 s of 2 ms.
const phasesKept = 2048

// PhasesBytes is the memory of a net that keeps its phases.
const PhasesBytes = 8 * phasesKept * (1 + phaseCount)

// phases are those of the newest cycles of a net. A net has them when somebody has asked, because they cost every
// cycle a line of memory that has become cold since it was there last.
type phases struct {
	of ring[phaseTimes]
}

type phaseTimes struct {
	cycle atomic.Uint64 // 0 while they are written
	took  [phaseCount]atomic.Int64
}

// KeepPhases makes a net keep how long the phases of its newest cycles take, from now on until it has gone.
func (s *Scheduler) KeepPhases(r Ref) error {
	t, err := s.statsOf(r)
	if err != nil || t.phases.Load() != nil {
		return err
	}
	p := &phases{newRing[phaseTimes](phasesKept)}
	clear(p.of.of)                  // so that the system has given the memory before a cycle asks for it
	t.phases.CompareAndSwap(nil, p) // never another one: the cycle may have the first in hand, which the collector does not see
	return nil
}

// Phases returns the phases that a net keeps, oldest cycle first; none unless KeepPhases was called.
func (s *Scheduler) Phases(r Ref) (list []Phases, err error) {
	t, err := s.statsOf(r)
	if err != nil {
		return nil, err
	}
	if p := t.phases.Load(); p != nil {
		list = p.read(t.cycles.Load())
	}
	return list, nil
}

// record adds a cycle that has just been completed (cycle).
func (p *phases) record(e *entry) {
	at := p.of.at(e.cycle.N)
	at.cycle.Store(0)
	for i := range at.took {
		at.took[i].Store(e.phases[i])
	}
	at.cycle.Store(e.cycle.N)
}

// read returns those up to the newest cycle. Cycles before somebody asked are not there, nor those that are overwritten while
// they are read.
func (p *phases) read(newest uint64) (list []Phases) {
	took := func(at *phaseTimes, phase int) time.Duration { return time.Duration(at.took[phase].Load()) }
	for n := newest - min(newest, phasesKept) + 1; n <= newest; n++ {
		at := p.of.at(n)
		if at.cycle.Load() != n {
			continue
		}
		if c := (Phases{n, took(at, phaseSense), took(at, phaseRun), took(at, phaseAct)}); at.cycle.Load() == n {
			list = append(list, c)
		}
	}
	return list
}
