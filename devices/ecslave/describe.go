package ecslave

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/esi"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// describe takes process data, start-up objects, clock and identity from the description of the device. Settings of the configuration come first, as far as
// the description has room for them.
func (s *source) describe(p *plan, clock string) (*esi.Selection, error) {
	is, err := s.selection(p, clock)
	if err != nil {
		return nil, err
	}
	var errs []error
	d := is.Device
	for _, f := range []struct {
		name string
		own  *uint32
		file uint32
	}{{"vendor", &p.identity.Vendor, d.Vendor()}, {"product", &p.identity.Product, d.Product}} {
		if *f.own != 0 && *f.own != f.file {
			errs = append(errs, device.WrongParam(f.name, "0x%08x differs from that of %s, 0x%08x (%s:%d)", *f.own, d.Type, f.file, s.ESI, d.Line))
		}
		*f.own = f.file
	}
	outputs, wrong := s.merge(is, p.outputs, is.Outputs)
	inputs, more := s.merge(is, p.inputs, is.Inputs)
	if err := errors.Join(wrong, more); err != nil {
		errs = append(errs, device.WrongParam("pdo", "%w", err))
	}
	p.outputs, p.inputs = outputs, inputs
	p.empties[0] = len(p.outputs) == 0 && len(d.Outputs) > 0
	p.empties[1] = len(p.inputs) == 0 && len(d.Inputs) > 0
	p.start, p.late, p.esi = writes(is.Start), writes(is.Late), is.Clock
	return is, errors.Join(errs...)
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

// merge returns the PDOs of a direction: those of the description, with entries of the configuration where it has some.
func (s *source) merge(is *esi.Selection, given []ecat.PDOGiven, described []esi.PDO) (list []ecat.PDOGiven, err error) {
	list = []ecat.PDOGiven{}
	var errs []error
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
		changes := !slices.Equal(given[k].Mappings(), p.Mappings()) // otherwise they only have other names and types
		if changes {
			errs = append(errs, s.mappable(is.Device, e))
			p.Fixed = false
		}
		for n := range own {
			errs = append(errs, s.complete(&own[n], e))
			if changes {
				errs = append(errs, mapped(is, &own[n]))
			}
		}
		p.Entries = own
		list = append(list, p)
	}
	return list, errors.Join(errs...)
}

// mappable is why entries cannot be mapped, nil where they can.
func (s *source) mappable(d *esi.Device, p *esi.PDO) error {
	switch {
	case p.Fixed:
		return fmt.Errorf("the entries of 0x%04x are fixed (%s:%d)", p.Index, s.ESI, p.Line)
	case d.CoE == nil || !d.CoE.Config:
		return fmt.Errorf("the entries of 0x%04x cannot be changed in %s (%s:%d)", p.Index, d.Type, s.ESI, p.Line)
	}
	return nil
}

// complete takes name and type of an entry from the description where the configuration does not give them. Numbers with a point are
// not to be taken for others.
func (s *source) complete(e *ecat.EntryGiven, p *esi.PDO) error {
	for i := range p.Entries {
		x := &p.Entries[i]
		if e.Index == 0 || x.Index != e.Index || x.Sub != e.Sub || x.Bits != e.Bits {
			continue
		}
		if e.Name == "" {
			e.Name = x.Name
		}
		if e.Type == 0 {
			e.Type = x.Type
		}
		if x.Type.Real() && !e.Type.Real() {
			name, _ := e.Type.Plain()
			return fmt.Errorf("%s is REAL or LREAL, not %s (%s:%d)", ecat.FormatObject(e.Index, e.Sub), name, s.ESI, x.Line)
		}
	}
	return nil
}

// mapped is why an entry is not one of the device, nil where it is, or that is unknown.
func mapped(is *esi.Selection, e *ecat.EntryGiven) error {
	if e.Index < firstObject {
		return nil
	}
	o, err := is.Object(e.Index, e.Sub)
	if err == nil && o != nil && o.Bits != e.Bits {
		err = fmt.Errorf("%s has %d bits, not %d (%s)", ecat.FormatObject(e.Index, e.Sub), o.Bits, e.Bits, o.Place)
	}
	return err
}

// writable is why objects cannot be written as the configuration says, as far as the description knows them.
func writable(is *esi.Selection, list []ecat.Write) error {
	if is == nil {
		return nil
	}
	var errs []error
	for _, w := range list {
		o, err := is.Object(w.Index, w.Sub)
		if err == nil && o != nil {
			err = fits(o, &w)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", ecat.FormatObject(w.Index, w.Sub), err))
		}
	}
	return errors.Join(errs...)
}

// fits compares what is to be written with the entry that it is for.
func fits(o *esi.ObjectEntry, w *ecat.Write) error {
	if err := o.Unwritable(); err != nil || w.Complete {
		return err
	}
	n := len(w.Data)
	_, fixed := o.Type.Plain()
	if fixed == 0 {
		if o.Bits > 0 && 8*n > o.Bits {
			return fmt.Errorf("it is %s, too short for %d bytes (%s)", o.TypeName, n, o.Place)
		}
		return nil
	}
	if n != (o.Bits+7)/8 || w.Type != 0 && w.Type.Real() != o.Type.Real() {
		return fmt.Errorf("it is %s, not %s (%s)", o.TypeName, kindOf(w), o.Place)
	}
	return nil
}

// kindOf returns the type of what is to be written, or how long that is.
func kindOf(w *ecat.Write) string {
	switch {
	case w.Type == coe.VisibleString:
		return "a text"
	case w.Type != 0:
		name, _ := w.Type.Plain()
		return name
	case len(w.Data) == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", len(w.Data))
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
		return errors.New("the cycles of SYNC0 and SYNC1 are negative")
	}
	return nil
}

// times returns a multiple of a time, or a part of it for a factor below zero (ETG.2000, CycleTimeSync0).
func times(d time.Duration, factor int64) time.Duration {
	if factor < 0 {
		return d / time.Duration(-factor)
	}
	return d * time.Duration(factor)
}
