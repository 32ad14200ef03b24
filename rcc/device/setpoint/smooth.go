package setpoint

import "time"

// Smoother estimates the times of process data cycles from those that were measured, which jitter (equation 9.2).
//
// The equation keeps the delays among its first cycles for ever, and set-points of other times than those of nets would
// not be followed. A delay among them is therefore no part of them, and an estimate that stays away from what is measured starts again.
type Smoother struct {
	times     []int64 // of the last cycles, a ring
	count     int     // of times there are, up to all of them
	next      int     // where the oldest one stands
	whole     int64   // the estimate, and n-ths of a ns of it
	part      int64
	cycle     int64
	newest    int64 // that was measured
	divergent int   // cycles in a row that were estimated away from where they are
}

// NewSmoother makes one that takes the average of n cycle times (load). With n below 2 times are not changed.
func NewSmoother(n int, cycle time.Duration) *Smoother {
	return &Smoother{times: make([]int64, max(n, 1)), cycle: int64(cycle)}
}

// Next returns the estimated time of a cycle (cycle). For the first n cycles that is the measured one, as there are no n
// cycle times yet.
func (s *Smoother) Next(measured int64) int64 {
	n := len(s.times)
	if n < 2 {
		return measured
	}
	if s.count < n && measured-s.newest > 2*s.cycle {
		s.Restart()
	}
	s.newest = measured
	now := s.average(measured)
	away := now - measured
	if away <= s.cycle && away >= -s.cycle {
		s.divergent = 0
		return now
	}
	if s.divergent++; s.divergent <= n {
		return now
	}
	s.Restart()
	return s.average(measured)
}

// average is equation 9.2 as it stands (cycle).
func (s *Smoother) average(measured int64) int64 {
	times, n := s.times, int64(len(s.times))
	if uint(s.next) >= uint(len(times)) {
		return measured
	}
	oldest := times[s.next]
	times[s.next] = measured
	if s.next++; s.next == len(times) {
		s.next = 0
	}
	if s.count < len(times) {
		s.count++
		s.whole, s.part = measured, 0
		return measured
	}
	way := measured - oldest
	s.whole += way / n
	s.part += way % n
	switch {
	case s.part >= n:
		s.whole, s.part = s.whole+1, s.part-n
	case s.part <= -n:
		s.whole, s.part = s.whole-1, s.part+n
	}
	return s.whole
}

// Restart forgets all cycles: the bus has stood still (cycle).
func (s *Smoother) Restart() { s.count, s.next, s.divergent = 0, 0, 0 }
