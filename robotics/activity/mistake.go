package activity

import (
	"errors"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

// Mistakes that do not depend on the robots are reported before the first part of a sequence begins: parts become commands on
// paper, as they would behind others. It ignores what earlier parts may change: where robots are, and how frames are related.

// mistake reports what is wrong with a part of the sequence.
func (s sequence) mistake() error {
	if len(s) == 0 {
		return ErrNothing
	}
	for _, a := range s {
		if err := mistake(a); err != nil {
			return err
		}
	}
	return nil
}

// mistake reports what is wrong with an activity; of what others have made of motions nothing is known.
func mistake(a Activity) error {
	switch of := a.(type) {
	case nil:
		return ErrNothing
	case *Motion:
		return of.mistake()
	case parallel:
		return of.mistake()
	case abreast:
		return of.mistake()
	case sequence:
		return of.mistake()
	}
	return nil
}

func (s abreast) mistake() error {
	if err := s.unfit(); err != nil {
		return err
	}
	for _, a := range s {
		if err := mistake(a); err != nil {
			return err
		}
	}
	return nil
}

func (m *Motion) mistake() error {
	if m == nil {
		return ErrNothing
	}
	bare, err := m.bare()
	if err != nil {
		return err
	}
	c, _, err := bare.linked(m.action, robotics.TakeOver{}, nil)
	if err != nil {
		return err
	}
	return onPaper(m.robot, c)
}

func (p parallel) mistake() error {
	if err := p.unfit(); err != nil {
		return err
	}
	var commands []robotics.Command
	for _, m := range p.of {
		bare, err := m.bare()
		if err != nil {
			return err
		}
		c, err := bare.command(m.action)
		if err != nil {
			return err
		}
		commands = append(commands, c)
	}
	return onPaper(p.of[0].robot, robotics.Parallel(commands...))
}

// bare returns the motion without what the application adds to its command, as that may depend on what has happened by then.
func (m *Motion) bare() (*Motion, error) {
	if m.robot.wrong != nil {
		return nil, m.robot.wrong
	}
	if _, _, err := m.check(nil, 1); err != nil {
		return nil, err
	}
	bare := *m
	bare.events = nil
	for _, e := range m.events {
		if !e.own {
			bare.events = append(bare.events, e)
		}
	}
	return &bare, nil
}

// onPaper reports what is wrong with a command of a robot.
func onPaper(r *Robot, c robotics.Command) error {
	_, err := r.runtime.Rehearse().Start(c)
	if errors.Is(err, world.ErrUnrelated) || errors.Is(err, robotics.ErrReach) { // so far
		return nil
	}
	return err
}
