package esi

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
)

// Dictionary is the objects of a device or of a module. It is used for checks: parts that cannot be read are
// left out, and then nothing is known of what is not there.
type Dictionary struct {
	types   map[string]*dataType
	objects []object
	partial bool
}

type object struct {
	line    int
	index   uint16
	slotted bool
	typ     string
	bits    int
	access  access
}

// dataType is a simple type, an array or a record.
type dataType struct {
	base        string
	bits        int
	first, many int // of an array
	items       []item
}

// item is a part of a record; without a subindex it is an array, which has those of its elements.
type item struct {
	line   int
	sub    int // -1 without
	typ    string
	bits   int
	access access
}

// access is who may do what, and when; empty where it is not given.
type access struct{ rights, when string }

// ObjectEntry is an entry of an object as a dictionary describes it.
type ObjectEntry struct {
	Place    string // file and line
	TypeName string
	Type     coe.DataType // 0 for those that have no fixed size, or that only this maker knows
	Bits     int
	access   access
}

// Unwritable is why the entry cannot be written in Pre-Op, nil where it can, or where that is unknown.
func (e *ObjectEntry) Unwritable() error {
	switch {
	case e.access.rights != "" && !strings.Contains(e.access.rights, "w"):
		return fmt.Errorf("it can only be read (%s)", e.Place)
	case e.access.when != "" && !strings.Contains(e.access.when, "preop"):
		return fmt.Errorf("it cannot be written in Pre-Op (%s)", e.Place)
	}
	return nil
}

// dictionary reads one that has begun.
func (r *reader) dictionary() error {
	d := &Dictionary{types: map[string]*dataType{}}
	if r.found != nil {
		d = r.found // a device may have several profiles
	}
	r.found = d
	return r.inside(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "DataTypes":
			return true, r.inside(func(e xml.StartElement) (bool, error) { return r.part(e, "DataType", d.addType) })
		case "Objects":
			return true, r.inside(func(e xml.StartElement) (bool, error) { return r.part(e, "Object", d.addObject) })
		}
		return false, nil
	})
}

// part reads an element of a name.
func (r *reader) part(e xml.StartElement, name string, add func(r *reader, n *node) error) (bool, error) {
	if e.Name.Local != name {
		return false, nil
	}
	n, err := r.element(e, 0)
	if err != nil {
		return true, err
	}
	if add(r, n) != nil {
		r.found.partial = true
	}
	return true, nil
}

func (d *Dictionary) addType(r *reader, n *node) error {
	t := &dataType{base: text(n, "BaseType")}
	var err error
	if t.bits, err = r.optional(n, "BitSize", 0); err != nil {
		return err
	}
	if a := n.first("ArrayInfo"); a != nil {
		if t.first, err = r.optional(a, "LBound", 0); err != nil {
			return err
		}
		if t.many, err = r.optional(a, "Elements", 0); err != nil {
			return err
		}
	}
	for _, s := range n.all("SubItem") {
		i := item{line: s.line, typ: text(s, "Type"), access: accessOf(s)}
		if i.sub, err = r.optional(s, "SubIdx", -1); err != nil {
			return err
		}
		if i.bits, err = r.optional(s, "BitSize", 0); err != nil {
			return err
		}
		t.items = append(t.items, i)
	}
	d.types[text(n, "Name")] = t
	return nil
}

func (d *Dictionary) addObject(r *reader, n *node) error {
	index, err := r.child(n, "Index", 16)
	if err != nil {
		return err
	}
	o := object{line: n.line, index: uint16(index), slotted: n.first("Index").flag("DependOnSlot"), typ: text(n, "Type"), access: accessOf(n)}
	if o.bits, err = r.optional(n, "BitSize", 0); err != nil {
		return err
	}
	d.objects = append(d.objects, o)
	return nil
}

// optional reads the number in an element that may be left out.
func (r *reader) optional(n *node, name string, usual int) (int, error) {
	c := n.first(name)
	if c == nil {
		return usual, nil
	}
	v, err := r.number(c, 31)
	return int(v), err
}

func text(n *node, name string) string {
	if c := n.first(name); c != nil {
		return c.text
	}
	return ""
}

func accessOf(n *node) (a access) {
	if flags := n.first("Flags"); flags != nil {
		if c := flags.first("Access"); c != nil {
			a = access{strings.ToLower(c.text), strings.ToLower(c.attr("WriteRestrictions"))}
		}
	}
	return a
}

// firstOwn is the least index of objects that makers choose; those of communication are not in every dictionary.
const firstOwn = 0x2000

// Object returns what the dictionaries of the device and its modules say about an entry of an object: an error where they do not have it,
// nil where nothing is known.
func (s *Selection) Object(index uint16, sub uint8) (*ObjectEntry, error) {
	d := s.Device
	known := d.Dictionary != nil && !d.Dictionary.partial && len(d.Dictionary.objects) > 0
	if e, found := d.Dictionary.object(d.file.Name, index, 0, sub); found {
		return e.orNone(index, sub, d)
	}
	for slot, m := range s.Modules {
		if m == nil {
			continue
		}
		known = known && m.Dictionary != nil && !m.Dictionary.partial
		if e, found := m.Dictionary.object(d.file.Name, index, uint16(slot)*d.SlotObjects, sub); found {
			return e.orNone(index, sub, d)
		}
	}
	if !known || index < firstOwn || index == listOfModules {
		return nil, nil
	}
	return nil, fmt.Errorf("%s (%s:%d) has no object 0x%04x", d.Type, d.file.Name, d.Line, index)
}

// orNone returns an error for an object without such a subindex.
func (e *ObjectEntry) orNone(index uint16, sub uint8, d *Device) (*ObjectEntry, error) {
	if e.TypeName == "" {
		return nil, fmt.Errorf("object 0x%04x of %s (%s) has no subindex %d", index, d.Type, e.Place, sub)
	}
	return e, nil
}

// object finds an entry. Objects of modules that depend on the slot are further on by some; found without a type there is the object,
// and no such subindex.
func (d *Dictionary) object(file string, index, further uint16, sub uint8) (e *ObjectEntry, found bool) {
	if d == nil {
		return nil, false
	}
	at := slices.IndexFunc(d.objects, func(o object) bool {
		if o.slotted {
			return o.index+further == index
		}
		return o.index == index
	})
	if at < 0 {
		return nil, false
	}
	o := &d.objects[at]
	e = &ObjectEntry{Place: fmt.Sprintf("%s:%d", file, o.line), access: o.access}
	t := d.types[o.typ]
	switch {
	case t != nil && len(t.items) > 0:
		for i := range t.items {
			if t.items[i].has(d, int(sub)) {
				e.take(d, &t.items[i])
				return e, true
			}
		}
		if sub == 0 {
			e.TypeName, e.Type, e.Bits = "USINT", coe.Uint8, 8
		}
	case sub == 0:
		e.TypeName, e.Bits = d.plain(o.typ), o.bits
		e.Type, _, _ = coe.TypeNamed(e.TypeName)
	}
	return e, true
}

// has reports whether the item is an entry of a subindex, or has one.
func (i *item) has(d *Dictionary, sub int) bool {
	if a := d.types[i.typ]; i.sub < 0 && a != nil && a.many > 0 {
		return sub >= a.first && sub < a.first+a.many
	}
	return i.sub == sub
}

// take describes the entry of an item.
func (e *ObjectEntry) take(d *Dictionary, i *item) {
	e.TypeName, e.Bits = d.plain(i.typ), i.bits
	if a := d.types[i.typ]; i.sub < 0 && a != nil && a.many > 0 {
		e.Bits = a.bits / a.many
	}
	e.Type, _, _ = coe.TypeNamed(e.TypeName)
	if i.access.rights != "" {
		e.access = i.access
	}
}

// plain returns the type that a name stands for in the end: that of the elements of an array, or that of an enumeration.
func (d *Dictionary) plain(name string) string {
	for range 8 { // types that stand for each other would go on for ever
		t := d.types[name]
		if t == nil || t.base == "" {
			break
		}
		name = t.base
	}
	if name == "" {
		return "a type without a name"
	}
	return name
}
