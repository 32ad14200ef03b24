package client

import "context"

// Session groups nets (§7.6.3): nets that are loaded into it can be ended together.
type Session struct {
	Name string

	daemon   *Daemon
	instance string
}

// NewSession begins a session.
func (d *Daemon) NewSession(ctx context.Context, description string) (*Session, error) {
	c, err := d.current()
	if err != nil {
		return nil, err
	}
	name, err := d.name(ctx, c, "nse", description)
	if err != nil {
		return nil, err
	}
	return &Session{Name: name, daemon: d, instance: c.instance}, nil
}

func (s *Session) name() string {
	if s == nil {
		return ""
	}
	return s.Name
}

// there returns an error if the name no longer means this session.
func (s *Session) there(c *Client) error {
	if s != nil && s.instance != c.instance {
		return ErrRestarted
	}
	return nil
}

// End aborts and unloads all nets of the session, and ends it.
func (s *Session) End(ctx context.Context) error {
	c, err := s.daemon.current()
	if err != nil {
		return err
	}
	if err := s.there(c); err != nil {
		return err
	}
	_, err = c.Call(ctx, "ase", s.Name)
	return err
}
