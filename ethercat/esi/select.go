package esi

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Wanted selects a device of a file. Fields that are 0 or empty do not count.
type Wanted struct {
	Type              string // its type or its name
	Product, Revision uint32
}

// Find looks for a device. Of several revisions it returns the wanted one, otherwise the next older one, otherwise the newest.
func (f *File) Find(w Wanted) (*Device, error) {
	var fit []*Device
	for i := range f.Devices {
		d := &f.Devices[i]
		if (w.Type == "" || d.Type == w.Type || d.Name == w.Type) && (w.Product == 0 || d.Product == w.Product) {
			fit = append(fit, d)
		}
	}
	if len(fit) == 0 {
		return nil, fmt.Errorf("%s: no device %s; the file has %s", f.Name, w, f.types(f.all()))
	}
	for _, d := range fit {
		if d.Product != fit[0].Product || d.Type != fit[0].Type {
			return nil, fmt.Errorf("%s: several devices fit; say which one by device: %s", f.Name, f.types(fit))
		}
	}
	best := fit[0]
	for _, d := range fit[1:] {
		if better(d.Revision, best.Revision, w.Revision) {
			best = d
		}
	}
	return best, nil
}

// better reports whether a revision is nearer to what is wanted than another one.
func better(a, b, wanted uint32) bool {
	if wanted != 0 && (a <= wanted) != (b <= wanted) {
		return a <= wanted
	}
	return a > b
}

func (w Wanted) String() string {
	var words []string
	if w.Type != "" {
		words = append(words, strconv.Quote(w.Type))
	}
	if w.Product != 0 {
		words = append(words, fmt.Sprintf("with product 0x%08x", w.Product))
	}
	return strings.Join(words, " ")
}

func (f *File) all() (list []*Device) {
	for i := range f.Devices {
		list = append(list, &f.Devices[i])
	}
	return list
}

// mostNamed is how many names fit into a line.
const mostNamed = 12

// types returns the types of devices.
func (f *File) types(of []*Device) string {
	var list []string
	for _, d := range of {
		if !slices.Contains(list, d.Type) {
			list = append(list, d.Type)
		}
	}
	return some(list)
}

func some(list []string) string {
	switch {
	case len(list) == 0:
		return "none"
	case len(list) > mostNamed:
		return strings.Join(list[:mostNamed], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}

// Choice selects what one slave has of all that its device can have. The zero value is what the file has by default.
type Choice struct {
	Modules []string // by slot: type, name or number of each module; - for an empty slot
	Mapping string   // name of an alternative list of PDOs
	Clock   string   // name of a way to use the clock, or off
	Outputs []uint16 // PDOs that are assigned; nil leaves what the file says
	Inputs  []uint16
}

// Selection is what one slave has.
type Selection struct {
	Device          *Device
	Modules         []*Module // by slot, nil for an empty one
	Outputs, Inputs []PDO     // that are assigned, in the order of memory
	All             []PDO     // that could be
	Start           []Write   // from Pre-Op to Safe-Op
	Late            []Write   // from Safe-Op to Op
	Clock           *Clock    // nil runs free
}

// wrong returns an error in a line of the file.
func (d *Device) wrong(line int, format string, args ...any) error {
	return &Error{d.file.Name, line, fmt.Errorf(format, args...)}
}

// Vendor returns the maker of the device.
func (d *Device) Vendor() uint32 { return d.file.Vendor }

// Select returns what a slave of a choice has.
func (d *Device) Select(c Choice) (*Selection, error) {
	s := &Selection{Device: d}
	outputs, inputs := slices.Clone(d.Outputs), slices.Clone(d.Inputs)
	var start []Write
	if d.CoE != nil {
		start = slices.Clone(d.CoE.Start)
	}
	if err := s.plug(c.Modules); err != nil {
		return nil, err
	}
	for slot, m := range s.Modules {
		if m == nil {
			continue
		}
		outputs = append(outputs, d.shifted(m.Outputs, slot)...)
		inputs = append(inputs, d.shifted(m.Inputs, slot)...)
		for _, w := range m.Start {
			if w.Slotted {
				w.Index += uint16(slot) * d.SlotObjects
			}
			start = append(start, w)
		}
	}
	if d.ModuleList {
		s.Start = d.moduleList(s.Modules)
	}
	for _, w := range start {
		if slices.Contains(w.Steps, "PS") {
			s.Start = append(s.Start, w)
		}
		if slices.Contains(w.Steps, "SO") {
			s.Late = append(s.Late, w)
		}
	}
	alternative, err := d.alternative(c.Mapping)
	if err != nil {
		return nil, err
	}
	s.All = slices.Concat(outputs, inputs)
	if s.Outputs, err = d.assign(outputs, "Outputs", c.Outputs, alternative); err != nil {
		return nil, err
	}
	if s.Inputs, err = d.assign(inputs, "Inputs", c.Inputs, alternative); err != nil {
		return nil, err
	}
	if err := d.exclude(slices.Concat(s.Outputs, s.Inputs)); err != nil {
		return nil, err
	}
	s.Clock, err = d.clock(c.Clock)
	return s, err
}

// plug puts modules into slots. Slots that nothing is said about have their usual module, or none.
func (s *Selection) plug(given []string) error {
	d, at := s.Device, 0
	for i := range d.Slots {
		slot := &d.Slots[i]
		for n := 0; n < slot.Most && (n < slot.Least || at < len(given)); n++ {
			m, err := d.plugged(slot, at, given)
			if err != nil {
				return err
			}
			s.Modules = append(s.Modules, m)
			at++
		}
	}
	if at < len(given) {
		return fmt.Errorf("%d modules are given, %s has %d slots (%s:%d)", len(given), d.Type, at, d.file.Name, d.Line)
	}
	return nil
}

// plugged returns the module of a slot.
func (d *Device) plugged(slot *Slot, at int, given []string) (*Module, error) {
	word := ""
	if at < len(given) {
		word = given[at]
	}
	switch {
	case word == "-" && slot.Least == 0, word == "" && slot.Usual == 0 && slot.Least == 0:
		return nil, nil
	case word == "" && slot.Usual != 0:
		for i := range d.file.Modules {
			if m := &d.file.Modules[i]; m.Ident == slot.Usual {
				return m, nil
			}
		}
		return nil, d.wrong(slot.Line, "Slot: the file has no module 0x%08x", slot.Usual)
	}
	var fit []string
	for i := range d.file.Modules {
		m := &d.file.Modules[i]
		if !slices.Contains(slot.Idents, m.Ident) && (m.Class == "" || !slices.Contains(slot.Classes, m.Class)) {
			continue
		}
		if ident, err := parse(word, 32); m.Type == word || m.Name == word || err == nil && ident == m.Ident {
			return m, nil
		}
		fit = append(fit, m.Type)
	}
	if word == "" || word == "-" {
		return nil, d.wrong(slot.Line, "slot %d needs a module; it takes %s", at+1, some(fit))
	}
	return nil, d.wrong(slot.Line, "slot %d does not take module %q; it takes %s", at+1, word, some(fit))
}

// shifted are PDOs of a module as they are in a slot.
func (d *Device) shifted(list []PDO, slot int) []PDO {
	list = slices.Clone(list)
	for i := range list {
		p := &list[i]
		if p.Slotted {
			p.Index += uint16(slot) * d.SlotPDOs
			p.Excluded = slices.Clone(p.Excluded)
			for k := range p.Excluded {
				p.Excluded[k] += uint16(slot) * d.SlotPDOs
			}
		}
		p.Entries = slices.Clone(p.Entries)
		for k := range p.Entries {
			if e := &p.Entries[k]; e.Slotted && e.Index != 0 {
				e.Index += uint16(slot) * d.SlotObjects
			}
		}
	}
	return list
}

// listOfModules is the object of modules that are configured (ETG.5001).
const listOfModules = 0xf030

// moduleList returns what is written to it.
func (d *Device) moduleList(modules []*Module) (list []Write) {
	var all []byte
	for _, m := range modules {
		ident := uint32(0)
		if m != nil {
			ident = m.Ident
		}
		all = binary.LittleEndian.AppendUint32(all, ident)
	}
	n := byte(len(modules))
	if d.CoE != nil && d.CoE.Complete {
		return []Write{{Line: d.Line, Index: listOfModules, Complete: true, Data: append([]byte{n, 0}, all...)}}
	}
	list = append(list, Write{Line: d.Line, Index: listOfModules, Data: []byte{0}})
	for i := range modules {
		list = append(list, Write{Line: d.Line, Index: listOfModules, Sub: uint8(i + 1), Data: all[4*i : 4*i+4]})
	}
	return append(list, Write{Line: d.Line, Index: listOfModules, Data: []byte{n}})
}

// alternative returns the list of PDOs of that name, or the default one, if there is one.
func (d *Device) alternative(name string) (*Alternative, error) {
	var names []string
	for i := range d.Alternatives {
		a := &d.Alternatives[i]
		if name == a.Name || name == "" && a.Default {
			return a, nil
		}
		names = append(names, a.Name)
	}
	if name == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("%s (%s:%d) has no mapping %q; it has %s", d.Type, d.file.Name, d.Line, name, some(names))
}

// assign returns the PDOs of a direction that a slave has: those that are given, those of an alternative list, or those of the file.
func (d *Device) assign(all []PDO, use string, given []uint16, a *Alternative) (list []PDO, err error) {
	usual := NoSyncManager
	for i := range d.SyncManagers {
		if d.SyncManagers[i].Use == use && usual == NoSyncManager {
			usual = i
		}
	}
	if given != nil {
		return d.given(all, use, given, usual)
	}
	for _, p := range all {
		if a != nil {
			if sm := a.of(p.Index); sm != NoSyncManager {
				p.SyncManager = sm
			} else if _, lists := a.Assign[p.SyncManager]; lists && !p.Mandatory {
				p.SyncManager = NoSyncManager
			}
		}
		if p.SyncManager == NoSyncManager && p.Mandatory {
			p.SyncManager = usual
		}
		if p.SyncManager == NoSyncManager || p.Virtual {
			continue
		}
		if p.SyncManager >= len(d.SyncManagers) || d.SyncManagers[p.SyncManager].Use != use {
			return nil, d.wrong(p.Line, "PDO 0x%04x is assigned to SyncManager %d, which is not for %s", p.Index, p.SyncManager, strings.ToLower(use))
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b PDO) int { return a.SyncManager - b.SyncManager })
	return list, nil
}

// of returns the SyncManager of a PDO in an alternative list.
func (a *Alternative) of(index uint16) int {
	for sm, list := range a.Assign {
		if slices.Contains(list, index) {
			return sm
		}
	}
	return NoSyncManager
}

// given returns the PDOs of a list.
func (d *Device) given(all []PDO, use string, given []uint16, usual int) (list []PDO, err error) {
	for _, index := range given {
		i := slices.IndexFunc(all, func(p PDO) bool { return p.Index == index && !p.Virtual })
		if i < 0 {
			var there []string
			for _, p := range all {
				there = append(there, fmt.Sprintf("0x%04x", p.Index))
			}
			return nil, fmt.Errorf("%s (%s:%d) has no PDO 0x%04x; its %s are %s", d.Type, d.file.Name, d.Line, index, strings.ToLower(use), some(there))
		}
		p := all[i]
		if p.SyncManager == NoSyncManager {
			p.SyncManager = usual
		}
		if p.SyncManager == NoSyncManager {
			return nil, d.wrong(p.Line, "PDO 0x%04x cannot be assigned: the device has no SyncManager for %s", index, strings.ToLower(use))
		}
		list = append(list, p)
	}
	for _, p := range all {
		if p.Mandatory && !slices.Contains(given, p.Index) {
			return nil, d.wrong(p.Line, "PDO 0x%04x is mandatory; assign it too", p.Index)
		}
	}
	return list, nil
}

// exclude looks for PDOs that cannot be assigned together, or are there twice.
func (d *Device) exclude(list []PDO) error {
	for i := range list {
		p := &list[i]
		for k := range list {
			switch {
			case k < i && list[k].Index == p.Index:
				return d.wrong(p.Line, "PDO 0x%04x is assigned twice", p.Index)
			case k != i && slices.Contains(p.Excluded, list[k].Index):
				return d.wrong(p.Line, "PDO 0x%04x cannot be assigned together with 0x%04x", p.Index, list[k].Index)
			}
		}
	}
	return nil
}

// NoClock is the name of running free.
const NoClock = "off"

// clock returns the way of that name, or the first one; nil where it does not switch SYNC0 on.
func (d *Device) clock(name string) (*Clock, error) {
	var names []string
	for i := range d.Clocks {
		c := &d.Clocks[i]
		if name == "" || name == c.Name {
			if c.Activate == 0 {
				return nil, nil
			}
			return c, nil
		}
		names = append(names, c.Name)
	}
	if name == "" || name == NoClock {
		return nil, nil
	}
	return nil, fmt.Errorf("%s (%s:%d) has no clock mode %q; it has %s", d.Type, d.file.Name, d.Line, name, some(names))
}
