package ecslave

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/esi"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// describe takes process data, start-up objects, clock and identity from the description of the device. What the configuration says as
// well goes first, as far as the description has room for it.
func (s *source) describe(p *plan, clock string) error {
	selection, err := s.selection(p, clock)
	if err != nil {
		return err
	}
	d := selection.Device
	for _, f := range []struct {
		name string
		own  *uint32
		file uint32
	}{{"vendor", &p.identity.Vendor, d.Vendor()}, {"product", &p.identity.Product, d.Product}} {
		if *f.own != 0 && *f.own != f.file {
			return device.ParamError{Name: f.name, Err: fmt.Errorf("0x%08x is not that of %s, 0x%08x (%s:%d)", *f.own, d.Type, f.file, s.ESI, d.Line)}
		}
		*f.own = f.file
	}
	if p.outputs, err = s.merge(d, p.outputs, selection.Outputs); err != nil {
		return device.ParamError{Name: "pdo", Err: err}
	}
	if p.inputs, err = s.merge(d, p.inputs, selection.Inputs); err != nil {
		return device.ParamError{Name: "pdo", Err: err}
	}
	p.empties[0] = len(p.outputs) == 0 && len(d.Outputs) > 0
	p.empties[1] = len(p.inputs) == 0 && len(d.Inputs) > 0
	p.start, p.late, p.esi = writes(selection.Start), writes(selection.Late), selection.Clock
	return nil
}

// selection reads the file.
func (s *source) selection(p *plan, clock string) (*esi.Selection, error) {
	modules, err := ecat.Words(s.Modules)
	if err != nil {
		return nil, device.ParamError{Name: "modules", Err: err}
	}
	for i := range modules {
		modules[i] = strings.Trim(modules[i], "'")
	}
	in, err := os.Open(s.ESI)
	if err != nil {
		return nil, device.ParamError{Name: "esi", Err: err}
	}
	defer func() { _ = in.Close() }()
	f, err := esi.Read(in, s.ESI)
	if err != nil {
		return nil, device.ParamError{Name: "esi", Err: err}
	}
	d, err := f.Find(esi.Wanted{Type: s.Device, Product: p.identity.Product, Revision: p.identity.Revision})
	if err != nil {
		return nil, device.ParamError{Name: "device", Err: err}
	}
	selection, err := d.Select(esi.Choice{
		Modules: modules, Mapping: s.Mapping, Clock: clock, Outputs: indexes(p.outputs), Inputs: indexes(p.inputs),
	})
	if err != nil {
		return nil, device.ParamError{Name: "esi", Err: err}
	}
	return selection, nil
}

func indexes(given []ecat.PDOGiven) (list []uint16) {
	for i := range given {
		list = append(list, given[i].Index)
	}
	return list
}

// merge are the PDOs of a direction: those of the description, with entries of the configuration where it has some.
func (s *source) merge(d *esi.Device, given []ecat.PDOGiven, described []esi.PDO) (list []ecat.PDOGiven, err error) {
	list = []ecat.PDOGiven{}
	for i := range described {
		e := &described[i]
		p := ecat.PDOGiven{Index: e.Index, Name: e.Name, SyncManager: e.SyncManager, Fixed: true}
		for _, x := range e.Entries {
			p.Entries = append(p.Entries, ecat.EntryGiven{Index: x.Index, Sub: x.Sub, Name: x.Name, Type: x.Type, Bits: x.Bits})
		}
		k := slices.IndexFunc(given, func(g ecat.PDOGiven) bool { return g.Index == e.Index })
		if k < 0 || given[k].Entries == nil {
			list = append(list, p)
			continue
		}
		own := given[k].Entries
		if !slices.Equal(given[k].Mappings(), p.Mappings()) { // otherwise they only have other names
			if err := s.mappable(d, e); err != nil {
				return nil, err
			}
			p.Fixed = false
		}
		for n := range own {
			complete(&own[n], p.Entries)
		}
		p.Entries = own
		list = append(list, p)
	}
	return list, nil
}

// mappable tells why entries cannot be mapped.
func (s *source) mappable(d *esi.Device, p *esi.PDO) error {
	switch {
	case p.Fixed:
		return fmt.Errorf("the entries of 0x%04x are fixed (%s:%d)", p.Index, s.ESI, p.Line)
	case d.CoE == nil || !d.CoE.Config:
		return fmt.Errorf("entries of 0x%04x cannot be mapped by %s (%s:%d)", p.Index, d.Type, s.ESI, p.Line)
	}
	return nil
}

// complete takes name and type of an entry from the description where the configuration does not give them.
func complete(e *ecat.EntryGiven, described []ecat.EntryGiven) {
	for i := range described {
		x := &described[i]
		if x.Index != e.Index || x.Sub != e.Sub || x.Bits != e.Bits {
			continue
		}
		if e.Name == "" {
			e.Name = x.Name
		}
		if e.Type == 0 {
			e.Type = x.Type
		}
	}
}

func writes(list []esi.Write) (all []ecat.Write) {
	for _, w := range list {
		all = append(all, ecat.Write{Index: w.Index, Sub: w.Sub, Complete: w.Complete, Data: w.Data})
	}
	return all
}

// cycles makes times of SYNC0 and SYNC1 of those that a description gives as factors of the cycle of the bus, or of that of SYNC0.
func (p *plan) cycles(bus time.Duration) error {
	if p.clock == nil || p.esi == nil {
		return nil
	}
	if p.clock.Cycle == 0 && p.esi.Factor0 != 0 {
		p.clock.Cycle = times(bus, p.esi.Factor0)
	}
	if p.clock.Cycle1 == 0 && p.esi.Factor1 > 0 {
		base := p.clock.Cycle
		if base == 0 {
			base = bus
		}
		p.clock.Cycle1 = times(base, p.esi.Factor1)
	}
	if p.clock.Cycle < 0 || p.clock.Cycle1 < 0 {
		return errors.New("times of SYNC0 and SYNC1 are below zero")
	}
	return nil
}

// times is a multiple of a time, or a part of it for a factor below zero (ETG.2000, CycleTimeSync0).
func times(d time.Duration, factor int64) time.Duration {
	if factor < 0 {
		return d / time.Duration(-factor)
	}
	return d * time.Duration(factor)
}
