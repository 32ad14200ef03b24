package ecslave

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/ports"
)

// Slave is a device of the bus with one slave, and the driver of that slave.
type Slave struct {
	*ports.Named
	ecat.Membership
	cfg  *config
	plan plan
	bus  ecat.Master

	layout atomic.Pointer[layout] // nil while it is unknown
}

var (
	_ device.IO      = (*Slave)(nil)
	_ device.Entries = (*Slave)(nil)
	_ device.Meter   = (*Slave)(nil)
	_ ecat.Holder    = (*Slave)(nil)
	_ ecat.Namer     = (*Slave)(nil)
	_ ecat.Driver    = (*Slave)(nil)
)

func open(env *device.Env, cfg *config) (device.Device, error) {
	p, err := cfg.plan()
	if err != nil {
		return nil, err
	}
	bus, err := device.Lend[ecat.Master](env, cfg.Bus, "an EtherCAT bus")
	if err != nil {
		return nil, err
	}
	if bus.Simulated() {
		return openTwin(env, &p)
	}
	if err := p.cycles(bus.Period()); err != nil {
		return nil, err
	}
	s := &Slave{Named: ports.NewNamed(env.Name), cfg: cfg, plan: p, bus: bus}
	if p.complete() { // otherwise the slave says the rest
		entries, err := p.entries()
		if err == nil {
			err = s.Know(entries)
		}
		if err != nil {
			return nil, err
		}
	}
	s.Join(env, bus, cfg.Bus, cfg.Watchdog)
	if err := bus.Add(env.Name, s); err != nil {
		return nil, err
	}
	return s, nil
}

// complete reports whether the plan has all entries of both directions.
func (p *plan) complete() bool {
	if p.outputs == nil || p.inputs == nil {
		return false
	}
	for _, list := range [][]ecat.PDOGiven{p.outputs, p.inputs} {
		for i := range list {
			if list[i].Entries == nil {
				return false
			}
		}
	}
	return true
}

// Startup looks for the slave (figure 9.5, steps 3 to 6).
func (s *Slave) Startup(slaves []ecat.Slave) error {
	is, err := s.join(slaves)
	s.Take(is, err)
	return err
}

func (s *Slave) join(slaves []ecat.Slave) (ecat.Slave, error) {
	is, err := s.cfg.Find(slaves, ecat.Wanted{What: "slave of this identity", Identity: s.plan.identity})
	if err != nil {
		return nil, err
	}
	setup, err := s.setup(is)
	if err == nil {
		err = is.Configure(setup)
	}
	if err == nil {
		err = is.Attach(s)
	}
	return is, err
}

// setup returns how the slave is to be configured, as far as it can be.
func (s *Slave) setup(is ecat.Slave) (how ecat.Setup, err error) {
	p := &s.plan
	how = ecat.Setup{Start: p.start, Clock: p.clock, Watchdog: s.cfg.Watchdog}
	switch {
	case p.clock != nil && p.esi != nil && !is.HasClock():
		return how, fmt.Errorf("%v has no distributed clock, although its description has clock modes; with dc: off it runs free", is.About())
	case p.clock != nil && !is.HasClock():
		return how, fmt.Errorf("%v has no distributed clock; with activate: 0 it runs free", is.About())
	case len(p.start)+len(p.late) > 0 && !is.HasCoE():
		return how, fmt.Errorf("%v has no objects (CoE); leave out startup", is.About())
	case s.cfg.Assign == "on" && !is.HasCoE():
		return how, fmt.Errorf("%v has no objects (CoE); write assign: auto", is.About())
	}
	assigns, maps := s.may(is)
	if assigns {
		how.Outputs, how.Inputs = assignment(p.outputs, p.empties[0], maps), assignment(p.inputs, p.empties[1], maps)
	}
	return how, nil
}

// may reports whether PDOs are assigned and mapped.
func (s *Slave) may(is ecat.Slave) (assigns, maps bool) {
	switch {
	case s.cfg.Assign == "off" || !is.HasCoE():
		return false, false
	case s.cfg.Assign == "on":
		return true, true
	}
	d := is.Memory()
	if d == nil || d.General == nil {
		return false, false
	}
	return d.General.CoE&sii.PDOAssign != 0, d.General.CoE&sii.PDOConfig != 0
}

// assignment returns what the bus has to assign; nil leaves the assignment as it is. A slave without PDOs of a direction has no
// list of them either.
func assignment(given []ecat.PDOGiven, empties, maps bool) []ecat.PDO {
	if len(given) == 0 && !empties {
		return nil
	}
	list := []ecat.PDO{}
	for i := range given {
		g := &given[i]
		p := ecat.PDO{Index: g.Index}
		if maps && !g.Fixed {
			p.Entries = g.Mappings()
		}
		list = append(list, p)
	}
	return list
}

// Shutdown forgets the slave.
func (s *Slave) Shutdown() {
	s.layout.Store(nil)
	s.Valid(false)
	s.Drop()
	s.Leave()
}

// PreOp is called before process data are known.
func (s *Slave) PreOp(context.Context, ecat.Slave) error {
	s.layout.Store(nil)
	return nil
}

// SafeOp finds out where the entries are. Outputs are off here, and begin again. A mismatch keeps the device offline, but not
// the bus.
func (s *Slave) SafeOp(ctx context.Context, is ecat.Slave) error {
	s.Restart()
	outputs, inputs := is.Layout()
	l, err := s.plan.found(outputs, inputs, describer(ctx, is))
	if err == nil && len(l.entries) == 0 && !s.cfg.bare() {
		err = errNothing
	}
	if err == nil {
		err = s.Know(l.entries)
	}
	for _, w := range s.plan.late {
		if err == nil {
			err = is.Download(ctx, w.Index, w.Sub, w.Complete, w.Data)
		}
	}
	if err != nil {
		s.layout.Store(nil)
		s.Refuse(fmt.Errorf("%v: %w", is.About(), err))
		return nil
	}
	s.layout.Store(l)
	s.Refuse(nil)
	return nil
}

// errNothing refuses a device without inputs and outputs, unless the configuration asks for one.
var errNothing = errors.New("no process data are assigned to it; list some with pdo, or write process_data: none if it has none")

// Prepare does nothing: one slave needs no agreement (cycle).
func (s *Slave) Prepare(*ecat.Moment) {}

// Write writes outputs. Those that were off because the slave was not reached are off until they are set again (cycle).
func (s *Slave) Write(out image.View, at *ecat.Moment) {
	if s.WereOff(at) {
		s.Drop()
	}
	l := s.layout.Load()
	if l == nil {
		clear(out)
		return
	}
	places := l.outputs
	for i := range places {
		p := &places[i]
		bits, _ := s.EntryBits(p.entry)
		out.Set(p.at, p.bits, bits)
	}
}

// Read reads inputs (cycle).
func (s *Slave) Read(in image.View, q ecat.Quality, at *ecat.Moment) {
	l := s.layout.Load()
	if s.Heard(q, at) || l == nil {
		s.Valid(false)
	}
	if q != ecat.Fresh || l == nil {
		return
	}
	places := l.inputs
	for i := range places {
		p := &places[i]
		s.Feed(p.entry, in.Get(p.at, p.bits))
	}
	s.Valid(true)
}

// Interfaces returns ports and entries. Their number is known once the bus has been started (any).
func (s *Slave) Interfaces() []device.Interface { return announce(s.Named) }

// Holds returns the reason to keep the bus: outputs that are on (any).
func (s *Slave) Holds() string {
	if s.layout.Load() == nil || s.Inputs() == ecat.Invalid || !s.On() {
		return ""
	}
	return "outputs are on"
}

// Close switches outputs off and leaves the bus.
func (s *Slave) Close() error {
	s.Drop()
	s.bus.Remove(s)
	return nil
}
