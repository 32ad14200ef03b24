package testkit

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Kit is a list of primitives under test.
type Kit struct {
	Primitives []*spec.Primitive
	// Devices makes the devices that the examples name, new ones for every net. It may be nil.
	Devices func() map[string]device.Device
}

// start is the time of the first cycle of every test net; wake is how late its ticks begin.
const (
	start = int64(time.Second)
	wake  = int64(time.Microsecond)
)

// rig is a net of equal primitives whose in ports the test feeds.
type rig struct {
	primitive *spec.Primitive
	block     *spec.Block
	env       *spec.Env
	host      *host
	in, out   [][]spec.Cell // by instance; nil is an open port
	phases    []func(cy *spec.Cycle)
	cy        spec.Cycle
}

// setup says how the primitives of a rig are loaded.
type setup struct {
	instances int
	period    time.Duration
	params    map[string]string
	linked    func(port string) bool
	like      func(port *spec.Port) string // text of an array that is as long as those of a linked in port; nil: likeAny
}

func (k Kit) rig(p *spec.Primitive, s setup) (*rig, error) {
	r := &rig{primitive: p, block: p.New(s.instances), host: newHost(p, k.Devices)}
	r.env = &spec.Env{Period: s.period, Host: r.host, Inbox: &spec.Inbox{}, Board: &spec.Board{}}
	texts, err := parameters(p, s.params)
	if err != nil {
		return nil, err
	}
	for _, found := range p.Findings(func(k int) (string, bool) { return known(p, k, texts, s.linked) }) {
		if !found.Doubtful {
			return nil, fmt.Errorf("parameter %s: %s", p.Params[found.Param].Name, found.Text)
		}
	}
	for i := range s.instances {
		if err := r.link(i, s); err != nil {
			return nil, err
		}
		if err := r.block.Init(i, texts, r.env); err != nil {
			return nil, err
		}
	}
	r.env.Inbox.Seal()
	r.env.Board.Seal()
	for phase := spec.Sense; phase <= spec.Act; phase++ {
		if p.Has(phase) {
			r.phases = append(r.phases, r.block.Kernel(phase, 0, s.instances))
		} else {
			r.phases = append(r.phases, func(*spec.Cycle) {})
		}
	}
	r.cy = spec.Cycle{Time: start - int64(s.period), Due: start - int64(s.period), Wall: start - int64(s.period) + wake, Period: s.period.Seconds()}
	return r, nil
}

// known returns what stands for a parameter; it is false when its in port is linked.
func known(p *spec.Primitive, param int, texts []*string, linked func(port string) bool) (string, bool) {
	for _, in := range p.In {
		if in.Param == p.Params[param].Name && linked(in.Name) {
			return "", false
		}
	}
	if texts[param] != nil {
		return *texts[param], true
	}
	return p.Params[param].Default, !p.Params[param].Required
}

// link feeds the in ports of an instance. Before instances are initialized, arrays get their length, as in a net.
func (r *rig) link(i int, s setup) error {
	in, out := make([]spec.Cell, len(r.primitive.In)), make([]spec.Cell, len(r.primitive.Out))
	for k := range in {
		port := &r.primitive.In[k]
		if !s.linked(port.Name) {
			continue
		}
		in[k] = r.block.Source(i, k)
		r.block.Link(i, k, in[k])
		if !hasLength(port.Type) {
			continue
		}
		text := likeAny(r.primitive, s.params, port)
		if s.like != nil {
			text = s.like(port)
		}
		if err := in[k].SetText(&spec.Cycle{}, text); err != nil {
			return fmt.Errorf("%s: %w", port.Name, err)
		}
	}
	for k := range out {
		out[k] = r.block.Cell(i, k).(spec.Cell)
	}
	r.in, r.out = append(r.in, in), append(r.out, out)
	return nil
}

func parameters(p *spec.Primitive, params map[string]string) ([]*string, error) {
	texts := make([]*string, len(p.Params))
	for name, text := range params {
		k := p.Param(name)
		if k < 0 {
			return nil, fmt.Errorf("example names parameter %s, which %s does not have", name, p.Name)
		}
		texts[k] = &text
	}
	return texts, nil
}

// next begins a cycle: the in ports may be set.
func (r *rig) next() {
	period := int64(r.env.Period)
	r.cy.N++
	r.cy.Time += period
	r.cy.Due += period
	r.cy.Wall += period
}

// cycle does the phases of §5.3.2.
func (r *rig) cycle() {
	r.host.publish()
	r.env.Inbox.Take()
	r.phases[spec.Sense](&r.cy)
	r.phases[spec.Run](&r.cy)
	r.phases[spec.Keep](&r.cy)
	r.phases[spec.Act](&r.cy)
	r.env.Board.End(r.cy.N)
}
