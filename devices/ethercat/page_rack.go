package ethercat

import (
	"encoding/xml"
	"errors"

	"github.com/softrobot-rcc/rccd/ethercat/link"
)

// command is for simulated slaves.
type command struct {
	Text string `rcc:"do" required:"true" doc:"one of the commands"`
}

// rackView is what the page rack shows.
type rackView struct {
	XMLName  xml.Name      `xml:"rack" json:"-"`
	Commands []commandView `xml:"command" json:"commands"`
}

type commandView struct {
	Command string `xml:"command,attr" json:"command"`
}

var errReal = errors.New("only simulated slaves take commands")

// within does something with simulated slaves while no frame passes them.
func (s *session) within(f func()) {
	if l, ok := s.link.(*link.Local); ok {
		l.Within(f)
		return
	}
	f()
}

func (b *Bus) rackView() (*rackView, error) {
	_, s := b.state()
	if s == nil || s.chain == nil {
		return nil, errReal
	}
	v := &rackView{}
	s.within(func() {
		for _, c := range s.chain.Commands() {
			v.Commands = append(v.Commands, commandView{c})
		}
	})
	return v, nil
}

func (b *Bus) doRack(line string) (err error) {
	_, s := b.state()
	if s == nil || s.chain == nil {
		return errReal
	}
	s.within(func() { err = s.chain.Do(line) })
	return err
}
