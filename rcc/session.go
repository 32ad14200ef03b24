package rcc

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/number"
)

// Session groups the nets of one application (§7.5).
type Session struct {
	core        *Core
	name        string
	description string
}

// NewSession opens a session. There is a limit, because applications that vanish leave theirs behind; so that those who
// come later are still served, the oldest session without nets makes room.
func (c *Core) NewSession(description string) (*Session, error) {
	n, err := c.number(number.Session, "session")
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sessions.byName) >= c.cfg.MaxSessions && !c.forgetSession() {
		return nil, refuse(ErrTooMany, "session", "there are %d already", c.cfg.MaxSessions)
	}
	s := &Session{core: c, name: fmt.Sprintf("s%d", n), description: shorten(description)}
	c.sessions.put(s.name, s)
	c.ring()
	return s, nil
}

// forgetSession drops the oldest session without nets. core.mu is held.
func (c *Core) forgetSession() bool {
	used := map[*Session]bool{}
	for _, n := range c.nets.all() {
		used[n.session] = true
	}
	for _, s := range c.sessions.all() {
		if !used[s] {
			c.sessions.remove(s.name)
			return true
		}
	}
	return false
}

// Session returns the session of that name.
func (c *Core) Session(name string) (*Session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.sessions.byName[name]
	if !ok {
		return nil, refuse(ErrNoSession, fmt.Sprintf("session %q", name), "")
	}
	return s, nil
}

// Sessions returns the open sessions, oldest first.
func (c *Core) Sessions() []*Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions.all()
}

// Name is the session's name.
func (s *Session) Name() string { return s.name }

// Description is what the application said of itself.
func (s *Session) Description() string { return s.description }

// Nets returns the nets of the session that are not unloaded, oldest first.
func (s *Session) Nets() []*Net {
	var list []*Net
	for _, n := range s.core.Nets() {
		if n.session == s {
			list = append(list, n)
		}
	}
	return list
}

// End aborts and unloads the nets of the session and removes it (ase of §7.6.3).
func (s *Session) End(ctx context.Context) error {
	s.core.mu.Lock()
	if _, ok := s.core.sessions.byName[s.name]; !ok {
		s.core.mu.Unlock()
		return refuse(ErrNoSession, fmt.Sprintf("session %q", s.name), "")
	}
	s.core.sessions.remove(s.name)
	s.core.mu.Unlock()
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
