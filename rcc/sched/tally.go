package sched

// Tally has counts since the scheduler was made, including executors that have gone.
type Tally struct {
	Late     uint64 // ticks that began late, or after missed ones
	Missed   uint64 // ticks
	Overruns uint64 // cycles that took longer than their period
}

// Tally returns the counts.
func (s *Scheduler) Tally() (t Tally) {
	s.mu.Lock()
	lists := s.incidents
	s.mu.Unlock()
	for _, kept := range lists {
		if kept != nil {
			t.Late += kept.late.count.Load()
			t.Missed += kept.late.missed.Load()
			t.Overruns += kept.long.count.Load()
		}
	}
	return t
}
