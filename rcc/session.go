package rcc

import (
	"context"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/number"
)

// Sessions are the sessions of a core.
type Sessions struct {
	*ground
	registry[*Session]
}

// Session groups the nets of one application (§7.5).
type Session struct {
	sessions    *Sessions
	name        string
	description string

	nets []*Net // those that observers see; under ground.mu
}

// Open opens a session. The number of sessions is limited, because applications that vanish leave theirs behind: at
// the limit, the oldest session without nets is removed.
func (ss *Sessions) Open(description string) (*Session, error) {
	n, err := ss.number(number.Session, "session")
	if err != nil {
		return nil, err
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if len(ss.byName) >= ss.cfg.MaxSessions && !ss.forget() {
		return nil, refuse(ErrTooMany, "session", "there are %d already", ss.cfg.MaxSessions)
	}
	s := &Session{sessions: ss, name: fmt.Sprintf("s%d", n), description: shorten(description)}
	ss.put(s.name, s)
	ss.ring()
	return s, nil
}

// forget drops the oldest session without nets. ground.mu is held.
func (ss *Sessions) forget() bool {
	for _, s := range ss.all() {
		if len(s.nets) == 0 {
			ss.remove(s.name)
			return true
		}
	}
	return false
}

// Get returns the session of that name.
func (ss *Sessions) Get(name string) (*Session, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.byName[name]
	if !ok {
		return nil, refuse(ErrNoSession, fmt.Sprintf("session %q", name), "")
	}
	return s, nil
}

// All returns the open sessions, oldest first.
func (ss *Sessions) All() []*Session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.all()
}

// Name returns the session's name.
func (s *Session) Name() string { return s.name }

// Description returns the application's description of itself.
func (s *Session) Description() string { return s.description }

// Nets returns the nets of the session that are not unloaded, oldest first.
func (s *Session) Nets() []*Net {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.nets), (*Net).hidden)
}

// leaves is called when a net of the session is gone. ground.mu is held.
func (s *Session) leaves(n *Net) {
	s.nets = slices.DeleteFunc(s.nets, func(other *Net) bool { return other == n })
}

// End aborts and unloads the nets of the session and removes it (ase of §7.6.3).
func (s *Session) End(ctx context.Context) error {
	s.sessions.mu.Lock()
	if _, ok := s.sessions.byName[s.name]; !ok {
		s.sessions.mu.Unlock()
		return refuse(ErrNoSession, fmt.Sprintf("session %q", s.name), "")
	}
	s.sessions.remove(s.name)
	s.sessions.mu.Unlock()
	for _, n := range s.Nets() {
		if err := n.Abort(ctx); err != nil && ctx.Err() != nil {
			return err
		}
		if err := n.Unload(ctx); err != nil {
			return err
		}
	}
	return nil
}
