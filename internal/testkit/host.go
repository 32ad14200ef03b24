package testkit

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// OtherNet and OtherKey name a value of another net that examples can read (outvalue) and write (invalue). It has the
// type of the primitive's port outValue or inValue, and the other net publishes its zero value in every cycle.
const (
	OtherNet = "other"
	OtherKey = "value"
)

// host is the outside of a test net.
type host struct {
	devices map[string]device.Device
	board   *spec.Board
	inbox   *spec.Inbox

	offset int
	words  []uint64
	cycles uint64
}

func newHost(p *spec.Primitive, devices func() map[string]device.Device) *host {
	h := &host{board: &spec.Board{}, inbox: &spec.Inbox{}}
	if devices != nil {
		h.devices = devices()
	}
	if t := messageType(p); t != "" {
		h.declare(t)
	}
	h.board.Seal()
	h.inbox.Seal()
	return h
}

func messageType(p *spec.Primitive) value.Type {
	if i := p.OutPort("outValue"); i >= 0 {
		return p.Out[i].Type
	}
	if i := p.InPort("inValue"); i >= 0 {
		return p.In[i].Type
	}
	return ""
}

func (h *host) declare(t value.Type) {
	switch t {
	case value.TypeBool:
		h.add(spec.NewVar("out"+OtherKey, false), spec.NewVar("in"+OtherKey, false))
	case value.TypeInt:
		h.add(spec.NewVar("out"+OtherKey, int32(0)), spec.NewVar("in"+OtherKey, int32(0)))
	case value.TypeDouble:
		h.add(spec.NewVar("out"+OtherKey, 0.0), spec.NewVar("in"+OtherKey, 0.0))
	case value.TypeTime:
		h.add(spec.NewVar("out"+OtherKey, value.Time(0)), spec.NewVar("in"+OtherKey, value.Time(0)))
	}
}

// add declares the values; keys that are new cannot clash.
func (h *host) add(out, in spec.Var) {
	h.offset, _ = h.board.Add(out)
	_, _ = h.inbox.Add(in)
	h.words = out.Initial
}

// publish is a cycle of the other net.
func (h *host) publish() {
	h.cycles++
	h.board.Begin()
	h.board.Write(h.offset, h.words)
	h.board.End(h.cycles)
}

func (h *host) Device(name string) (device.Device, error) {
	if d, ok := h.devices[name]; ok {
		return d, nil
	}
	return nil, fmt.Errorf("no device %q", name)
}

func (h *host) Board(net string) (*spec.Board, error) {
	if net != OtherNet {
		return nil, fmt.Errorf("no net %q", net)
	}
	return h.board, nil
}

func (h *host) Inbox(net string) (*spec.Inbox, error) {
	if net != OtherNet {
		return nil, fmt.Errorf("no net %q", net)
	}
	return h.inbox, nil
}
