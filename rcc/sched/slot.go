package sched

import (
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// slot is the place of a net. Goroutines fill it before the cycle hears of it and clear it when the cycle has forgotten
// it; in between only the collector looks at the pointers for any other reason than to follow them.
type slot struct {
	program   *net.Program
	home      atomic.Uint32 // place of its executor, with settled when that is final, and withdrawn
	followed  atomic.Bool   // a net is to start at its end
	label     uint64
	resources []uint32
	figures   *stats

	// goroutines only, under the mutex
	expected           int32         // rules that wait to start it
	lane               *lane         // none when it has ended
	cost               time.Duration // of a cycle as it was said, see Options
	generation         uint32
	admitted, retiring bool
}

// Options say how a net runs.
type Options struct {
	Period   time.Duration // that of the program when zero
	Realtime bool          // class of the executor
	Label    uint64        // number of the net in incidents
	Cost     time.Duration // expected time of a cycle; zero when it is not known. In virtual time a cycle takes this time
	// Resident marks a program that is not a net of a client but something that the cell needs, such as the work of a device in
	// every tick: it comes before all nets of its executor, is never ended for an overrun, and appears in no table.
	Resident bool
}

// Limits of periods, and of the time within which nets of different periods must have a common tick.
const (
	shortestPeriod = int64(10 * time.Microsecond)
	longestPeriod  = int64(time.Hour)
	longestWait    = int64(time.Minute)
)

// Admit gives a program a slot. The net is ready: it can be started by Switch or by a rule.
func (s *Scheduler) Admit(p *net.Program, o Options) (Ref, error) {
	if o.Period == 0 {
		o.Period = p.Period
	}
	if int64(o.Period) < shortestPeriod || int64(o.Period) > longestPeriod {
		return Ref{}, &PeriodError{o.Period}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Ref{}, ErrClosed
	}
	free := &s.freeSlots
	if o.Resident {
		free = &s.freeResidents
	}
	if len(*free) == 0 {
		return Ref{}, ErrFull
	}
	resources, err := s.intern(p)
	if err != nil {
		return Ref{}, err
	}
	i := (*free)[len(*free)-1]
	place := s.slots.at(i)
	place.program, place.label, place.resources, place.figures = p, o.Label, resources, new(stats)
	if err := s.assign(i, key{int64(o.Period), o.Realtime}); err != nil {
		s.clear(place)
		return Ref{}, err
	}
	*free = (*free)[:len(*free)-1]
	cost, x := s.expectedCost(p, o.Cost), s.executorOf(i)
	place.cost = o.Cost
	place.figures.share.Store(x.shareOfCost(cost))
	place.figures.pretended.Store(cost)
	place.admitted = true
	return Ref{i, place.generation}, nil
}

// clear empties a slot.
func (s *Scheduler) clear(p *slot) {
	s.unintern(p.resources)
	p.home.Store(0)
	p.followed.Store(false)
	p.program, p.label, p.resources, p.figures = nil, 0, nil, nil
	p.admitted, p.retiring = false, false
}

// leaveLane takes a net that has ended out of its lane.
func (s *Scheduler) leaveLane(r Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.learn(r.slot)
	s.unassign(r.slot)
}

// free takes a slot back when the cycle has forgotten its net.
func (s *Scheduler) free(r Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unassign(r.slot)
	s.executorOf(r.slot).nets.Add(-1)
	p := s.slots.at(r.slot)
	s.clear(p)
	p.generation++
	if s.resident(r.slot) {
		s.freeResidents = append(s.freeResidents, r.slot)
	} else {
		s.freeSlots = append(s.freeSlots, r.slot)
	}
}

// resident tells the slots of residents, which are the first ones: executors go through nets in the order of slots.
func (s *Scheduler) resident(slot uint32) bool { return slot < uint32(s.config.Residents) }

// intern numbers the resources of a program.
func (s *Scheduler) intern(p *net.Program) ([]uint32, error) {
	var numbers []uint32
	free := 0
	for _, r := range p.Resources {
		n, known := s.resources[r]
		if !known {
			for free < len(s.names) && s.names[free].nets > 0 {
				free++
			}
			if free == len(s.names) {
				s.unintern(numbers)
				return nil, ErrTooMany
			}
			n = uint32(free)
			s.resources[r], s.names[n].Resource = n, r
		}
		s.names[n].nets++
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func (s *Scheduler) unintern(numbers []uint32) {
	for _, n := range numbers {
		if s.names[n].nets--; s.names[n].nets == 0 {
			delete(s.resources, s.names[n].Resource)
		}
	}
}

func (s *Scheduler) resourceName(n uint32) (r device.Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[n].Resource
}

// known reports whether a Ref means a net that has not been given up, or that has been started and not ended. The mutex is
// held.
func (s *Scheduler) known(r Ref) bool {
	p := s.slots.at(r.slot)
	runs := p.lane != nil && p.home.Load()&(settled|withdrawn) == settled
	return p.admitted && p.generation == r.generation && (runs || !p.retiring)
}

// Stats returns the figures of a net (any).
func (s *Scheduler) Stats(r Ref) (Stats, error) {
	t, err := s.statsOf(r)
	if err != nil {
		return Stats{}, err
	}
	return t.read(), nil
}

func (s *Scheduler) statsOf(r Ref) (*stats, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known(r) {
		return nil, ErrUnknown
	}
	return s.slots.at(r.slot).figures, nil
}

// Figures of a slot (cycle).
func (s *Scheduler) program(slot uint32) *net.Program { return s.slots.at(slot).program }
func (s *Scheduler) stats(slot uint32) *stats         { return s.slots.at(slot).figures }
func (s *Scheduler) executorOf(slot uint32) *executor {
	return s.executor(int(s.slots.at(slot).home.Load()))
}
