package rcc

import (
	"errors"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// Of what nets consist.
type (
	Structure = net.Structure
	Node      = net.Node
	Port      = net.Port
)

// Structure describes what the net consists of. It is made anew from the text each time, so that nets which nobody looks at need no
// memory for it.
func (n *Net) Structure() (made *Structure, err error) {
	if n.State() == Rejected {
		return nil, refuse(ErrState, n.place(), "it is rejected, so that it has no order; see its problems")
	}
	err = n.WithTree(func(root *grammar.Node) (err error) {
		made, err = net.Describe(root, net.Options{Name: n.name, Period: n.period, Catalogue: n.core.Catalogue()})
		return err
	})
	if errors.As(err, new(*net.Rejection)) {
		return nil, refuse(ErrState, n.place(), "primitives have changed since it was loaded: %v", err)
	}
	return made, err
}
