package esi

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
)

// File is a description of devices and modules of one maker.
type File struct {
	Name    string
	Vendor  uint32
	Maker   string
	Devices []Device
	Modules []Module
}

// Device is a type of slave in one revision.
type Device struct {
	file *File

	Line              int
	Type, Name        string
	Product, Revision uint32
	SyncManagers      []SyncManager
	Outputs, Inputs   []PDO // RxPdo and TxPdo
	CoE               *CoE  // nil without a mailbox for objects
	Clocks            []Clock
	Alternatives      []Alternative
	Slots             []Slot
	SlotPDOs          uint16 // by how much PDOs of a slot are further on than those of the slot before
	SlotObjects       uint16 // and objects
	ModuleList        bool   // the list of modules is written to 0xF030
	Dictionary        *Dictionary
}

// SyncManager is the use of a SyncManager.
type SyncManager struct {
	Line    int
	Use     string // MBoxOut, MBoxIn, Outputs, Inputs
	Start   uint16
	Size    int
	Control uint8
	Enabled bool
	Virtual bool
}

// NoSyncManager stands for a PDO that is not assigned by default.
const NoSyncManager = -1

// PDO is a process data object.
type PDO struct {
	Line        int
	Index       uint16
	Slotted     bool // its index depends on the slot
	Name        string
	SyncManager int
	Fixed       bool // what is mapped cannot be changed
	Mandatory   bool // it is always assigned
	Virtual     bool
	Excluded    []uint16 // PDOs that cannot be assigned with it
	Entries     []Entry
}

// Bits returns its length.
func (p *PDO) Bits() (n int) {
	for i := range p.Entries {
		n += p.Entries[i].Bits
	}
	return n
}

// Entry is an entry of a PDO. Index 0 fills a gap.
type Entry struct {
	Line    int
	Index   uint16
	Slotted bool // its index depends on the slot
	Sub     uint8
	Bits    int
	Name    string
	Type    coe.DataType // 0 for those that have no fixed size, or that only this maker knows
}

// CoE is the access to objects.
type CoE struct {
	Assign, Config, Complete, Info bool
	Start                          []Write
}

// Write is an object and the value that is written at the start.
type Write struct {
	Line     int
	Index    uint16
	Slotted  bool
	Sub      uint8
	Complete bool
	Steps    []string // PS for from Pre-Op to Safe-Op, and others
	Data     []byte
}

// Clock is a way to use the distributed clock.
type Clock struct {
	Line             int
	Name, About      string
	Activate         uint16
	Cycle0, Cycle1   int64 // ns
	Factor0, Factor1 int64 // of the cycle of the bus
	Shift            int64 // of SYNC0, ns
}

// Alternative is another list of PDOs that are assigned.
type Alternative struct {
	Line    int
	Name    string
	Default bool
	Assign  map[int][]uint16 // by SyncManager
}

// Slot is a place for modules, or several that are alike.
type Slot struct {
	Line        int
	Name        string
	Least, Most int
	Idents      []uint32 // modules that fit
	Usual       uint32   // the default; 0 for none
	Classes     []string // of modules that fit
}

// Module is plugged into a slot.
type Module struct {
	Line            int
	Type, Name      string
	Ident           uint32
	Class           string
	Outputs, Inputs []PDO
	Start           []Write
	Dictionary      *Dictionary
}

var errNoInfo = errors.New("not a description of EtherCAT devices: the first element is not EtherCATInfo")

// Read reads a file. All errors begin with the name.
func Read(in io.Reader, name string) (*File, error) {
	r := newReader(in, name)
	f := &File{Name: name}
	start, err := r.next()
	switch {
	case err != nil:
		return nil, err
	case start.Name.Local != "EtherCATInfo":
		return nil, r.fail(errNoInfo)
	}
	if err := r.inside(func(e xml.StartElement) (bool, error) { return f.top(r, e) }); err != nil {
		return nil, err
	}
	for i := range f.Devices {
		f.Devices[i].file = f
	}
	return f, nil
}

// next returns the first element.
func (r *reader) next() (xml.StartElement, error) {
	for {
		t, err := r.Token()
		if err != nil {
			return xml.StartElement{}, r.fail(err)
		}
		if e, ok := t.(xml.StartElement); ok {
			return e, nil
		}
	}
}

// inside visits the elements of one that has begun. Those that are not taken are left out.
func (r *reader) inside(visit func(e xml.StartElement) (taken bool, err error)) error {
	for {
		t, err := r.Token()
		if err != nil {
			return r.fail(err)
		}
		switch t := t.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			taken, err := visit(t)
			if err == nil && !taken {
				err = r.skip()
			}
			if err != nil {
				return err
			}
		}
	}
}

func (f *File) top(r *reader, e xml.StartElement) (bool, error) {
	switch e.Name.Local {
	case "Vendor":
		n, err := r.tree(e)
		if err == nil {
			f.Maker = n.called("Name")
			f.Vendor, err = r.child(n, "Id", 32)
		}
		return true, err
	case "Descriptions":
		return true, r.inside(func(e xml.StartElement) (bool, error) {
			switch e.Name.Local {
			case "Devices":
				return true, r.inside(func(e xml.StartElement) (bool, error) { return f.device(r, e) })
			case "Modules":
				return true, r.inside(func(e xml.StartElement) (bool, error) { return f.module(r, e) })
			}
			return false, nil
		})
	}
	return false, nil
}

func (f *File) device(r *reader, e xml.StartElement) (bool, error) {
	if e.Name.Local != "Device" {
		return false, nil
	}
	n, err := r.tree(e)
	if err != nil {
		return true, err
	}
	d, err := r.device(n)
	d.Dictionary = r.found
	f.Devices = append(f.Devices, d)
	return true, err
}

func (f *File) module(r *reader, e xml.StartElement) (bool, error) {
	if e.Name.Local != "Module" {
		return false, nil
	}
	n, err := r.tree(e)
	if err != nil {
		return true, err
	}
	m, err := r.module(n)
	m.Dictionary = r.found
	f.Modules = append(f.Modules, m)
	return true, err
}

// Bits of a SyncManager's Enable.
const smEnabled = 1

func (r *reader) device(n *node) (d Device, err error) {
	d.Line, d.Name = n.line, n.called("Name")
	typ := n.first("Type")
	if typ == nil {
		return d, r.wrong(n, "Type is missing")
	}
	d.Type = typ.text
	if d.Product, err = r.attribute(typ, "ProductCode", 32); err != nil {
		return d, err
	}
	if d.Revision, err = r.attribute(typ, "RevisionNo", 32); err != nil {
		return d, err
	}
	for _, s := range n.all("Sm") {
		sm, err := r.syncManager(s)
		if err != nil {
			return d, err
		}
		d.SyncManagers = append(d.SyncManagers, sm)
	}
	if d.Outputs, err = r.pdos(n, "RxPdo"); err != nil {
		return d, err
	}
	if d.Inputs, err = r.pdos(n, "TxPdo"); err != nil {
		return d, err
	}
	if d.CoE, err = r.coe(n); err != nil {
		return d, err
	}
	if d.Clocks, err = r.clocks(n); err != nil {
		return d, err
	}
	if d.Alternatives, err = r.alternatives(n); err != nil {
		return d, err
	}
	return d, r.slots(n, &d)
}

func (r *reader) syncManager(n *node) (s SyncManager, err error) {
	s = SyncManager{Line: n.line, Use: n.text, Virtual: n.flag("Virtual")}
	var start, size, control, enable uint32
	for _, a := range []struct {
		name string
		bits int
		into *uint32
	}{{"StartAddress", 16, &start}, {"DefaultSize", 16, &size}, {"ControlByte", 8, &control}, {"Enable", 8, &enable}} {
		if *a.into, err = r.attribute(n, a.name, a.bits); err != nil {
			return s, err
		}
	}
	s.Start, s.Size, s.Control, s.Enabled = uint16(start), int(size), uint8(control), enable&smEnabled != 0
	return s, nil
}

func (r *reader) module(n *node) (m Module, err error) {
	m.Line, m.Name = n.line, n.called("Name")
	typ := n.first("Type")
	if typ == nil {
		return m, r.wrong(n, "Type is missing")
	}
	m.Type, m.Class = typ.text, typ.attr("ModuleClass")
	if m.Ident, err = r.attribute(typ, "ModuleIdent", 32); err != nil {
		return m, err
	}
	if m.Outputs, err = r.pdos(n, "RxPdo"); err != nil {
		return m, err
	}
	if m.Inputs, err = r.pdos(n, "TxPdo"); err != nil {
		return m, err
	}
	c, err := r.coe(n)
	if c != nil {
		m.Start = c.Start
	}
	return m, err
}

func (r *reader) pdos(n *node, name string) (list []PDO, err error) {
	for _, c := range n.all(name) {
		p, err := r.pdo(c)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func (r *reader) pdo(n *node) (p PDO, err error) {
	p = PDO{
		Line: n.line, Name: n.called("Name"), SyncManager: NoSyncManager, Fixed: n.flag("Fixed"), Mandatory: n.flag("Mandatory"), Virtual: n.flag("Virtual"),
	}
	index, err := r.child(n, "Index", 16)
	if err != nil {
		return p, err
	}
	p.Index, p.Slotted = uint16(index), n.first("Index").flag("DependOnSlot")
	if n.attr("Sm") != "" {
		sm, err := r.attribute(n, "Sm", 8)
		if err != nil {
			return p, err
		}
		p.SyncManager = int(sm)
	}
	for _, c := range n.all("Exclude") {
		x, err := r.number(c, 16)
		if err != nil {
			return p, err
		}
		p.Excluded = append(p.Excluded, uint16(x))
	}
	for _, c := range n.all("Entry") {
		e, err := r.entry(c)
		if err != nil {
			return p, err
		}
		p.Entries = append(p.Entries, e)
	}
	return p, nil
}

func (r *reader) entry(n *node) (e Entry, err error) {
	e.Line, e.Name = n.line, n.called("Name")
	index, err := r.child(n, "Index", 16)
	if err != nil {
		return e, err
	}
	e.Index, e.Slotted = uint16(index), n.first("Index").flag("DependOnSlot")
	if c := n.first("SubIndex"); c != nil {
		sub, err := r.number(c, 8)
		if err != nil {
			return e, err
		}
		e.Sub = uint8(sub)
	}
	bits, err := r.child(n, "BitLen", 16)
	if err != nil {
		return e, err
	}
	e.Bits = int(bits)
	const most = 255 // in an object that describes a PDO
	if e.Bits < 1 || e.Bits > most {
		return e, r.wrong(n, "BitLen is %d; 1 to %d are possible", bits, most)
	}
	if c := n.first("DataType"); c != nil && e.Index != 0 {
		is, size, _ := coe.TypeNamed(c.text)
		if size > 0 && size != e.Bits {
			return e, r.wrong(c, "%s has %d bits, but BitLen is %d", c.text, size, e.Bits)
		}
		e.Type = is
	}
	return e, nil
}

func (r *reader) coe(n *node) (*CoE, error) {
	mail := n.first("Mailbox")
	if mail == nil || mail.first("CoE") == nil {
		return nil, nil
	}
	n = mail.first("CoE")
	c := &CoE{Assign: n.flag("PdoAssign"), Config: n.flag("PdoConfig"), Complete: n.flag("CompleteAccess"), Info: n.flag("SdoInfo")}
	for _, i := range n.all("InitCmd") {
		w, err := r.write(i)
		if err != nil {
			return nil, err
		}
		c.Start = append(c.Start, w)
	}
	return c, nil
}

func (r *reader) write(n *node) (w Write, err error) {
	w = Write{Line: n.line, Complete: n.flag("CompleteAccess")}
	for _, t := range n.all("Transition") {
		w.Steps = append(w.Steps, t.text)
	}
	index, err := r.child(n, "Index", 16)
	if err != nil {
		return w, err
	}
	w.Index, w.Slotted = uint16(index), n.first("Index").flag("DependOnSlot")
	sub, err := r.child(n, "SubIndex", 8)
	if err != nil {
		return w, err
	}
	w.Sub = uint8(sub)
	data := n.first("Data")
	if data == nil {
		return w, r.wrong(n, "Data is missing")
	}
	w.Data, err = r.octets(data)
	return w, err
}

func (r *reader) clocks(n *node) (list []Clock, err error) {
	dc := n.first("Dc")
	if dc == nil {
		return nil, nil
	}
	for _, m := range dc.all("OpMode") {
		c := Clock{Line: m.line, Name: m.called("Name"), About: m.called("Desc")}
		if a := m.first("AssignActivate"); a != nil {
			activate, err := r.number(a, 16)
			if err != nil {
				return nil, err
			}
			c.Activate = uint16(activate)
		}
		for _, f := range []struct {
			name   string
			into   *int64
			factor *int64
		}{{"CycleTimeSync0", &c.Cycle0, &c.Factor0}, {"CycleTimeSync1", &c.Cycle1, &c.Factor1}, {"ShiftTimeSync0", &c.Shift, nil}} {
			if err := r.time(m.first(f.name), f.into, f.factor); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// alternatives stand in different places of files: below the device, or in what is for certain masters.
func (r *reader) alternatives(n *node) (list []Alternative, err error) {
	for _, name := range []string{"AlternativeSmMapping", "AlternativeSm"} {
		for _, c := range n.below(name) {
			a := Alternative{Line: c.line, Name: c.called("Name"), Default: c.flag("Default"), Assign: map[int][]uint16{}}
			for _, s := range c.all("Sm") {
				sm, err := r.attribute(s, "No", 8)
				if err != nil {
					return nil, err
				}
				assigned := []uint16{}
				for _, p := range s.all("Pdo") {
					index, err := r.number(p, 16)
					if err != nil {
						return nil, err
					}
					assigned = append(assigned, uint16(index))
				}
				a.Assign[int(sm)] = assigned
			}
			list = append(list, a)
		}
	}
	return list, nil
}

// mostSlots bounds lists of slots that are alike.
const mostSlots = 1024

func (r *reader) slots(n *node, d *Device) error {
	all := n.first("Slots")
	if all == nil {
		return nil
	}
	pdos, err := r.attribute(all, "SlotPdoIncrement", 16)
	if err != nil {
		return err
	}
	objects, err := r.attribute(all, "SlotIndexIncrement", 16)
	if err != nil {
		return err
	}
	d.SlotPDOs, d.SlotObjects, d.ModuleList = uint16(pdos), uint16(objects), all.flag("DownloadModuleIdentList")
	for _, c := range all.all("Slot") {
		s := Slot{Line: c.line, Name: c.called("Name"), Least: 1, Most: 1}
		for _, a := range []struct {
			name string
			into *int
		}{{"MinInstances", &s.Least}, {"MaxInstances", &s.Most}} {
			if c.attr(a.name) == "" {
				continue
			}
			v, err := r.attribute(c, a.name, 16)
			if err != nil {
				return err
			}
			*a.into = int(v)
		}
		if s.Most < s.Least || s.Most > mostSlots {
			return r.wrong(c, "%d to %d instances", s.Least, s.Most)
		}
		for _, m := range c.all("ModuleIdent") {
			ident, err := r.number(m, 32)
			if err != nil {
				return err
			}
			s.Idents = append(s.Idents, ident)
			if m.flag("Default") {
				s.Usual = ident
			}
		}
		for _, m := range slices.Concat(c.all("ModuleClass"), classesOf(c)) {
			s.Classes = append(s.Classes, m.text)
		}
		d.Slots = append(d.Slots, s)
	}
	return nil
}

// classesOf are classes of modules where a slot has them in an element of their own.
func classesOf(slot *node) (list []*node) {
	for _, c := range slot.all("ModuleClass") {
		list = append(list, c.all("Class")...)
	}
	return list
}
