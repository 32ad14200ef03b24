package net

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// A net that is evaluated once (Options.Once) tells the values of the out ports of its root fragment. It needs no
// outTerminate, and what it would do to others is left out: the Act kernels of primitives to which a device or the inputs
// of another net have been lent. Those that publish values of the net itself stay.

// RootPort is an out port of the root fragment.
type RootPort struct {
	Name string
	Cell spec.Cell
}

// Evaluate runs the single cycle of a net that was compiled with Options.Once. Such a program must not be given to an
// executor.
func (p *Program) Evaluate(cy *spec.Cycle) {
	p.Sense(cy)
	p.Run(cy)
	p.Act(cy)
}

// rootLinks are the resolved out ports of the root fragment that lead somewhere, in the order of the text.
func (c *compiler) rootLinks() []*port {
	var list []*port
	for _, o := range c.fragments[0].node.Outs {
		if k, ok := c.names.get(0, anOutPort, o.Name); ok && c.ports[k].link.connected() {
			list = append(list, &c.ports[k])
		}
	}
	return list
}

func (c *compiler) rootPorts() []RootPort {
	var list []RootPort
	for _, p := range c.rootLinks() {
		list = append(list, RootPort{p.name, c.cell(p.link).(spec.Cell)})
	}
	return list
}

// initializeOnce notes whether the instance has got hold of something outside the net.
func (c *compiler) initializeOnce(r ref, env *spec.Env) {
	watched := &watchedHost{Host: c.opt.Host}
	env.Host = watched
	claims := len(env.Resources)
	c.initialize(r, env)
	env.Host = c.opt.Host
	if c.acts == nil {
		c.acts = make([]bool, len(c.instances))
	}
	c.acts[r] = watched.lent || len(env.Resources) > claims
}

// watchedHost knows whether it has lent something that can be written to.
type watchedHost struct {
	spec.Host
	lent bool
}

func (h *watchedHost) Device(name string) (device.Device, error) {
	h.lent = true
	return h.Host.Device(name)
}

func (h *watchedHost) Inbox(net string) (*spec.Inbox, error) {
	h.lent = true
	return h.Host.Inbox(net)
}
