package testkit

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// OtherNet and OtherKey name a value of another net that examples can read (outvalue) and write (invalue). It has the
// type of the primitive's port outValue or inValue, and the other net publishes its zero value in every cycle, of an array
// type two zeros.
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
	if v, ok := zeros[t]; ok {
		h.add(v("out"+OtherKey), v("in"+OtherKey))
	}
}

// zeros makes a variable of each data type; arrays have two elements.
var zeros = map[value.Type]func(key string) spec.Var{
	value.TypeBool:     zero[bool],
	value.TypeInt:      zero[int32],
	value.TypeDouble:   zero[float64],
	value.TypeTime:     zero[value.Time],
	value.TypeVector:   zero[geom.Vector],
	value.TypeRotation: zero[geom.Rotation],
	value.TypeFrame:    zero[geom.Frame],
	value.TypeTwist:    zero[geom.Twist],
	value.TypeWrench:   zero[geom.Wrench],
	value.TypeMatrix: func(key string) spec.Var {
		return spec.NewVar(key, value.Matrix{Rows: 2, Cols: 2, V: make([]float64, 4)})
	},

	value.ArrayOf(value.TypeBool):     twoZeros[bool],
	value.ArrayOf(value.TypeInt):      twoZeros[int32],
	value.ArrayOf(value.TypeDouble):   twoZeros[float64],
	value.ArrayOf(value.TypeTime):     twoZeros[value.Time],
	value.ArrayOf(value.TypeVector):   twoZeros[geom.Vector],
	value.ArrayOf(value.TypeRotation): twoZeros[geom.Rotation],
	value.ArrayOf(value.TypeFrame):    twoZeros[geom.Frame],
	value.ArrayOf(value.TypeTwist):    twoZeros[geom.Twist],
	value.ArrayOf(value.TypeWrench):   twoZeros[geom.Wrench],
}

func zero[T any](key string) spec.Var {
	var v T
	return spec.NewVar(key, v)
}

func twoZeros[E any](key string) spec.Var { return spec.NewVar(key, make([]E, 2)) }

// add declares the values; keys that are new cannot clash.
func (h *host) add(out, in spec.Var) {
	h.offset, _ = h.board.Add(out)
	_, _ = h.inbox.Add(in)
	h.words = out.Initial
}

// publish is a cycle of the other net.
func (h *host) publish() {
	h.cycles++
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
