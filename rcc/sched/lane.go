package sched

import (
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// lane is what nets run in that never run at once, because there is a resource that all of them need. It is the thread of
// §8.3, as far as that is planned: what executes it is an executor, which it shares with other lanes. The mutex guards it.
type lane struct {
	key

	number int      // never used again
	nets   []uint32 // slots, in the order in which they came
	common []uint32 // resources that all of them need
}

// assign gives a net a lane (algorithm 8.1): the first one that has a resource in common with it, or a new one. A net without
// resources may run beside any other and has a lane of its own.
func (s *Scheduler) assign(slot uint32, k key) error {
	p := s.slots.at(slot)
	l := s.laneWith(k, p.resources, nil)
	var x *executor
	if l != nil {
		x = s.executorOfLane(l)
	} else {
		var err error
		if x, err = s.executorFor(k); err != nil {
			return err
		}
		s.lastLane++
		l = &lane{key: k, number: s.lastLane, common: p.resources}
		s.lanes = append(s.lanes, l)
	}
	x.nets.Add(1)
	p.home.Store(uint32(x.index))
	p.lane, l.nets = l, append(l.nets, slot)
	l.common = intersection(l.common, p.resources)
	return nil
}

// laneWith finds the first lane, other than one, that nets with some resources can use or be moved to. Period and class have to
// match in the latter case as well: algorithm 8.2 does not say so.
func (s *Scheduler) laneWith(k key, resources []uint32, but *lane) *lane {
	for _, lane := range s.lanes {
		if lane != but && lane.key == k && overlap(lane.common, resources) {
			return lane
		}
	}
	return nil
}

func overlap(a, b []uint32) bool {
	return slices.ContainsFunc(a, func(r uint32) bool { return slices.Contains(b, r) })
}

func intersection(a, b []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(a), func(r uint32) bool { return !slices.Contains(b, r) })
}

// unassign takes a net out of its lane when it has ended, or is given up without having been started (algorithm 8.2). A lane
// without nets is over. The others may now have more resources in common, so that lanes exclude each other: they become one.
func (s *Scheduler) unassign(slot uint32) {
	lane := s.slots.at(slot).lane
	if lane == nil {
		return
	}
	s.executorOf(slot).expected.Add(-s.slots.at(slot).expected)
	s.slots.at(slot).lane, s.slots.at(slot).expected = nil, 0
	lane.nets = slices.DeleteFunc(lane.nets, func(n uint32) bool { return n == slot })
	if len(lane.nets) == 0 {
		s.drop(lane)
		return
	}
	lane.common = s.slots.at(lane.nets[0]).resources
	for _, n := range lane.nets[1:] {
		lane.common = intersection(lane.common, s.slots.at(n).resources)
	}
	for other := s.laneWith(lane.key, lane.common, lane); other != nil; other = s.laneWith(lane.key, lane.common, lane) {
		switch {
		case !s.executes(other):
			s.join(lane, other)
		case !s.executes(lane):
			s.join(other, lane)
			lane = other
		default: // one of the two nets is about to end, and this is looked at again then
			return
		}
	}
}

func (s *Scheduler) drop(l *lane) {
	s.lanes = slices.DeleteFunc(s.lanes, func(other *lane) bool { return other == l })
}

// join moves the nets of a lane in which none is executed to another one.
func (s *Scheduler) join(to, from *lane) {
	x := s.executorOfLane(to)
	for _, n := range from.nets {
		s.move(n, x)
		s.slots.at(n).lane = to
	}
	to.nets = append(to.nets, from.nets...)
	to.common = intersection(to.common, from.common)
	s.drop(from)
}

// executes reports whether a net of the lane has been started.
func (s *Scheduler) executes(lane *lane) bool {
	return slices.ContainsFunc(lane.nets, func(n uint32) bool { return s.slots.at(n).home.Load()&settled != 0 })
}

// executorOfLane is that of the net which is executed, or is going to be that of all.
func (s *Scheduler) executorOfLane(lane *lane) *executor {
	for _, n := range lane.nets {
		if s.slots.at(n).home.Load()&settled != 0 {
			return s.executorOf(n)
		}
	}
	return s.executorOf(lane.nets[0])
}

// settled in the home of a net says that it is started there. Until then the net can be moved: whoever is first to change
// the word, a goroutine that moves the net or the turn that starts it, is heeded by the other.
const settled = 1 << 31

// withdrawn in the home of a net says that it has been given up: it does not run, whether it has been started or not.
const withdrawn = 1 << 30

// settle keeps nets where they are (turn).
func (s *Scheduler) settle(nets []Ref) {
	for _, n := range nets {
		s.slots.at(n.slot).home.Or(settled)
	}
}

// unsettle lets nets that have not been started be moved again (turn).
func (s *Scheduler) unsettle(nets []Ref) {
	for _, n := range nets {
		s.slots.at(n.slot).home.And(^uint32(settled))
	}
}

// move gives a net another executor, unless it has been started. An executor that counts nets is not dismissed.
func (s *Scheduler) move(slot uint32, to *executor) {
	p := s.slots.at(slot)
	home := p.home.Load()
	to.nets.Add(1)
	if from := s.executor(int(home)); home&settled == 0 && p.home.CompareAndSwap(home, uint32(to.index)) {
		from.nets.Add(-1)
		from.expected.Add(-p.expected)
		to.await(p.expected)
	} else {
		to.nets.Add(-1)
	}
}

// expect counts the rules that wait to start a net. Its executor stays awake, so that the net begins with the tick after
// the one in which the condition has become true.
func (s *Scheduler) expect(n Ref, rules int32) {
	if p := s.slots.at(n.slot); p.generation == n.generation && p.lane != nil {
		p.expected += rules
		s.executorOf(n.slot).await(rules)
	}
}

// loads are the loads of all CPUs: of each lane the net counts that takes most, as they never run at once.
func (s *Scheduler) loads() []Share {
	loads := make([]Share, max(1, len(s.config.CPUs)))
	for _, lane := range s.lanes {
		most := Share(0)
		for _, n := range lane.nets {
			most = max(most, s.shareOf(n))
		}
		loads[s.executorOfLane(lane).cpu] += most
	}
	return loads
}

// Lane is a row of the table of §8.3.
type Lane struct {
	Number   int
	Period   time.Duration
	Realtime bool
	CPU      int               // of its executor, rt.AnyCPU if none
	Nets     []Ref             // in the lane: at most one of them runs
	Common   []device.Resource // that all nets need
}

// Lanes describes all lanes, oldest first.
func (s *Scheduler) Lanes() []Lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Lane, 0, len(s.lanes))
	for _, lane := range s.lanes {
		if s.resident(lane.nets[0]) {
			continue
		}
		var d Lane
		d.Number, d.Period, d.Realtime, d.CPU = lane.number, time.Duration(lane.period), lane.realtime, s.cpu(s.executorOfLane(lane).cpu)
		for _, n := range lane.nets {
			d.Nets = append(d.Nets, Ref{n, s.slots.at(n).generation})
		}
		for _, r := range lane.common {
			d.Common = append(d.Common, s.names[r].Resource)
		}
		list = append(list, d)
	}
	return list
}
