package sched

import "context"

// Drain refuses all further starts, by commands and by rules, and cancels all nets except residents. It returns when that is
// committed and OnEvent has been called for it.
func (s *Scheduler) Drain(ctx context.Context) error {
	s.draining.Store(true)
	return s.request(ctx, command{kind: commandSwitch, all: opCancel})
}

// AbortAll ends all nets except residents, and returns when they have ended.
func (s *Scheduler) AbortAll(ctx context.Context) error {
	return s.request(ctx, command{kind: commandSwitch, all: opStop})
}

// guests are all nets that are there, but residents. The mutex is held.
func (s *Scheduler) guests() (list []Ref) {
	for i := s.config.Residents; i < len(s.slots.of); i++ {
		if n := (Ref{uint32(i), s.slots.of[i].generation}); s.known(n) {
			list = append(list, n)
		}
	}
	return list
}
