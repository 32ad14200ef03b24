package rcc

import (
	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Refused is an actuator whose device refused a set-point of a net.
type Refused = spec.Refused

// RefusalKey is the key under which a net publishes that a device has refused its set-point.
const RefusalKey = spec.RefusalKey

// Policies for a net when a device refuses a set-point.
const (
	RefusalContinue = "continue"
	RefusalEnd      = "end"
)

// EndsRefused parses one of these words.
func EndsRefused(word string) (end bool, err error) {
	switch word {
	case RefusalContinue, RefusalEnd:
		return word == RefusalEnd, nil
	}
	return false, refuse(ErrValue, "refusal", "%q is neither %s nor %s", shorten(word), RefusalContinue, RefusalEnd)
}

// Refusals returns the actuators that refused set-points of the net, the first one first.
func (n *Net) Refusals() []Refused {
	if n.program == nil || n.program.Refusals == nil {
		return nil
	}
	return n.program.Refusals.List()
}

// EndsRefused reports whether the net ends when a set-point is refused.
func (n *Net) EndsRefused() bool { return n.endRefused }

// EndedRefused reports whether the net has ended because a set-point was refused.
func (n *Net) EndedRefused() bool {
	e, ok := n.Ended()
	return ok && n.endRefused && e.Cause == sched.Failed && e.Code == net.Refused
}

// LogRefusals logs, once for each net, that a set-point was refused.
func (ns *Nets) LogRefusals() {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	for _, n := range ns.all() {
		n.logRefusals()
	}
}

// logRefusals logs the first refusal. ground.mu is held.
func (n *Net) logRefusals() {
	if n.toldRefused || n.program == nil || n.program.Refusals == nil || !n.program.Refusals.Any() {
		return
	}
	list := n.program.Refusals.List()
	if len(list) == 0 {
		return
	}
	n.toldRefused = true
	first := list[0]
	n.nets.log.Warn("a device does not follow a net", zap.String("net", n.name), zap.String("device", first.Device), zap.String("channel", first.Channel),
		zap.String("reason", first.Reason), zap.Uint64("cycle", first.Cycle), zap.Int("actuators", len(list)), zap.Bool("ends", n.endRefused))
}
