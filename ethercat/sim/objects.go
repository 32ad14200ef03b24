package sim

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// objects is the dictionary of a slave. Parts without a mailbox have one too, for their process data, that cannot be asked.
type objects struct {
	slave  *Slave
	all    map[uint16]*object
	hidden map[coe.Mapping]*entry
}

type object struct {
	index   uint16
	name    string
	kind    coe.Code
	typ     coe.DataType
	entries []*entry // by subindex; nil where there is none
	rule    func(sub uint8, value uint64) coe.Abort
}

type entry struct {
	name   string
	typ    coe.DataType
	bits   int
	access coe.Access
	value  uint64
	text   []byte // instead of value, for strings; bits are the most that it can have
	show   func() uint64
	check  func(value uint64) coe.Abort // of what is written, beside that of the type
}

// PDOs are assigned and mapped by these.
const (
	assignBase   = 0x1c10 // and the number of a SyncManager
	rxPDOs       = 0x1600
	txPDOs       = 0x1a00
	lastPDO      = 0x1ff
	readable     = coe.ReadAlways
	configurable = coe.ReadAlways | coe.WritePreOp
	writable     = coe.ReadAlways | coe.WriteAlways
)

func (o *objects) object(index uint16, name string, kind coe.Code, typ coe.DataType) *object {
	if o.all == nil {
		o.all = map[uint16]*object{}
	}
	if known := o.all[index]; known != nil {
		return known
	}
	n := &object{index: index, name: name, kind: kind, typ: typ}
	o.all[index] = n
	return n
}

// put adds an entry. Subindex 0 of arrays and records counts the others.
func (n *object) put(sub uint8, name string, typ coe.DataType, bits int, access coe.Access, value uint64) *entry {
	for len(n.entries) <= int(sub) {
		n.entries = append(n.entries, nil)
	}
	e := n.entries[sub]
	if e == nil {
		e = &entry{name: name, typ: typ, bits: bits, access: access, value: value}
		n.entries[sub] = e
	}
	if sub > 0 {
		if n.entries[0] == nil {
			n.entries[0] = &entry{name: "SubIndex 000", typ: coe.Uint8, bits: 8, access: coe.ReadAlways}
		}
		n.entries[0].value = max(n.entries[0].value, uint64(sub))
	}
	return e
}

// variable adds an object that is one value.
func (o *objects) variable(index uint16, name string, typ coe.DataType, access coe.Access, value uint64) *entry {
	return o.object(index, name, coe.Variable, typ).put(0, name, typ, typ.Bits(), access, value)
}

func (o *objects) text(index uint16, name, value string) {
	if o.find(index, 0) != nil {
		return // a description knows better
	}
	e := o.variable(index, name, coe.VisibleString, readable, 0)
	e.text, e.bits = []byte(value), 8*len(value)
}

func (o *objects) find(index uint16, sub uint8) *entry {
	if n := o.all[index]; n != nil && int(sub) < len(n.entries) {
		return n.entries[sub]
	}
	return nil
}

// need is find for what a device works with. When an image from a file has no such entry there is an invisible one.
func (o *objects) need(index uint16, sub uint8) *entry {
	if e := o.find(index, sub); e != nil {
		return e
	}
	if o.hidden == nil {
		o.hidden = map[coe.Mapping]*entry{}
	}
	key := coe.Map(index, sub, 0)
	if o.hidden[key] == nil {
		const bits = 16
		o.hidden[key] = &entry{bits: bits}
	}
	return o.hidden[key]
}

// standard are the objects that every slave with CoE has, and those that follow from its process data.
func (o *objects) standard(deviceType uint32) {
	d := &o.slave.kind.description
	o.variable(0x1000, "Device type", coe.Uint32, readable, uint64(deviceType))
	if d.General != nil {
		o.text(0x1008, "Device name", d.General.Order)
	}
	o.text(0x1009, "Hardware version", "1")
	o.text(0x100a, "Software version", "1.0")
	identity := o.object(0x1018, "Identity", coe.Record, coe.IdentityType)
	for i, v := range []uint32{d.Identity.Vendor, d.Identity.Product, d.Identity.Revision, d.Identity.Serial} {
		identity.put(uint8(i+1), [...]string{"Vendor ID", "Product code", "Revision", "Serial number"}[i], coe.Uint32, 32, readable, uint64(v))
	}
	managers := o.object(0x1c00, "Sync manager type", coe.Array, coe.Uint8)
	for i, m := range d.SyncManagers {
		managers.put(uint8(i+1), "Use", coe.Uint8, 8, readable, uint64(m.Use))
	}
	o.pdos(d.RxPDOs, out)
	o.pdos(d.TxPDOs, in)
}

// pdos adds mappings, assignment and, for parts without other objects, what is mapped.
func (o *objects) pdos(list []sii.PDO, direction int) {
	if len(list) == 0 {
		return
	}
	details := o.slave.details()
	mapAccess, assignAccess := readable, readable
	if details&sii.PDOConfig != 0 {
		mapAccess = configurable
	}
	if details&sii.PDOAssign != 0 {
		assignAccess = configurable
	}
	data := [...]coe.Access{out: readable | coe.MapRxPDO, in: readable | coe.MapTxPDO}[direction]
	var assigned []uint16
	for _, p := range list {
		mapping := o.object(p.Index, p.Name, coe.Record, coe.PDOMapping)
		mapping.put(0, "SubIndex 000", coe.Uint8, 8, mapAccess, uint64(len(p.Entries)))
		mapping.rule = o.mappable(mapping, direction)
		for i, e := range p.Entries {
			mapping.put(uint8(i+1), "Entry", coe.Uint32, 32, mapAccess, uint64(coe.Map(e.Index, e.Sub, e.Bits)))
			if e.Index != 0 {
				kind := coe.Record
				if e.Sub == 0 {
					kind = coe.Variable
				}
				o.object(e.Index, p.Name, kind, coe.DataType(e.Type)).put(e.Sub, e.Name, coe.DataType(e.Type), int(e.Bits), data, 0).access |= data &^ readable
			}
		}
		mapping.entries[0].value = uint64(len(p.Entries))
		if p.SyncManager != sii.NoSyncManager {
			assigned = append(assigned, p.Index)
		}
	}
	manager := o.slave.data.roles[direction]
	assign := o.object(assignBase+uint16(max(0, manager)), "PDO assign", coe.Array, coe.Uint16)
	assign.put(0, "SubIndex 000", coe.Uint8, 8, assignAccess, 0)
	for i := range list {
		value := uint64(0)
		if i < len(assigned) {
			value = uint64(assigned[i])
		}
		assign.put(uint8(i+1), "PDO", coe.Uint16, 16, assignAccess, value)
	}
	assign.entries[0].value = uint64(len(assigned))
	if o.slave.given.unassigned {
		assign.entries[0].value = 0
	}
	assign.rule = o.assignable(assign, list, direction)
}

// mappable returns the rule that entries of a mapping can be written only while their count is zero (ETG.1020), and only with what can be
// mapped in this direction, as long as it is.
func (o *objects) mappable(n *object, direction int) func(sub uint8, value uint64) coe.Abort {
	needed := [...]coe.Access{out: coe.MapRxPDO, in: coe.MapTxPDO}[direction]
	return func(sub uint8, value uint64) coe.Abort {
		switch {
		case sub > 0 && n.entries[0].value != 0:
			return coe.AbortSubZero
		case sub == 0 && value >= uint64(len(n.entries)):
			return coe.AbortRange
		case sub == 0 && n.mapped(int(value)) > 8*o.slave.room(direction):
			return coe.AbortPDOLength
		case sub == 0:
			return 0
		}
		m := coe.Mapping(value)
		if m.Index() == 0 { // a gap
			return 0
		}
		if e := o.find(m.Index(), m.Sub()); e == nil || e.access&needed == 0 || e.bits != int(m.Bits()) {
			return coe.AbortNotMappable
		}
		return 0
	}
}

// mapped returns how many bits the first entries of a mapping have.
func (n *object) mapped(count int) (bits int) {
	for _, e := range n.entries[1:min(len(n.entries), 1+count)] {
		if e != nil {
			bits += int(coe.Mapping(e.value).Bits())
		}
	}
	return bits
}

// room returns how many bytes of process data there can be in a direction: three buffers have to lie in front of what comes behind.
func (s *Slave) room(direction int) int {
	m := s.data.roles[direction]
	if m < 0 {
		return 0
	}
	list := s.kind.description.SyncManagers
	start, end := int(list[m].Start), len(s.memory)
	for _, other := range list {
		if int(other.Start) > start {
			end = min(end, int(other.Start))
		}
	}
	const buffers = 3
	return max(0, end-start) / buffers
}

// assignable returns the same for the PDOs of a SyncManager.
func (o *objects) assignable(n *object, list []sii.PDO, direction int) func(sub uint8, value uint64) coe.Abort {
	return func(sub uint8, value uint64) coe.Abort {
		switch {
		case sub > 0 && n.entries[0].value != 0:
			return coe.AbortSubZero
		case sub == 0 && value >= uint64(len(n.entries)):
			return coe.AbortRange
		case sub > 0 && !slices.ContainsFunc(list, func(p sii.PDO) bool { return uint64(p.Index) == value }):
			return coe.AbortNotMappable
		case sub > 0:
			return 0
		}
		bits := 0
		for _, e := range n.entries[1 : 1+value] {
			if p := o.all[uint16(e.value)]; p != nil {
				bits += p.mapped(int(p.entries[0].value))
			}
		}
		if bits > 8*o.slave.room(direction) {
			return coe.AbortPDOLength
		}
		return 0
	}
}

// layOut finds out which entry stands where in the process data of a direction.
func (o *objects) layOut(direction int) (fields []field, bits int) {
	manager := o.slave.data.roles[direction]
	assign := o.all[assignBase+uint16(max(0, manager))]
	if manager < 0 || assign == nil {
		return nil, 0
	}
	for _, a := range assign.entries[1:min(len(assign.entries), 1+int(assign.entries[0].value))] {
		mapping := o.all[uint16(a.value)]
		if mapping == nil {
			continue
		}
		for _, e := range mapping.entries[1:min(len(mapping.entries), 1+int(mapping.entries[0].value))] {
			m := coe.Mapping(e.value)
			if m.Index() != 0 {
				fields = append(fields, field{bits, int(m.Bits()), o.find(m.Index(), m.Sub())})
			}
			bits += int(m.Bits())
		}
	}
	return fields, bits
}

// details returns what the dictionary can do, as the SII says.
func (s *Slave) details() sii.CoEDetails {
	if g := s.kind.description.General; g != nil {
		details := g.CoE
		if s.given.noComplete {
			details &^= sii.CompleteAccess
		}
		return details
	}
	return 0
}

func (e *entry) size() int { return (e.bits + 7) / 8 }

func (e *entry) bytes() []byte {
	switch {
	case e.text != nil:
		return e.text
	case e.show != nil:
		e.value = e.show()
	}
	return binary.LittleEndian.AppendUint64(nil, e.value)[:min(e.size(), 8)]
}

// signed returns the value of an entry of an integer type with a sign.
func (e *entry) signed() int64 {
	shift := 64 - min(64, e.bits)
	return int64(e.value<<shift) >> shift
}

// set stores a number, cut to the size of the entry.
func (e *entry) set(v int64) {
	unused := 64 - min(64, e.bits)
	e.value = uint64(v) << unused >> unused
}

// may reports whether something is allowed in the state of the slave.
func (o *objects) may(e *entry, preOp coe.Access) bool {
	shift := map[wire.State]int{wire.PreOp: 0, wire.SafeOp: 1, wire.Op: 2}
	n, ok := shift[o.slave.state.status.Base()]
	return ok && e.access&(preOp<<n) != 0
}

// Read is for the server of CoE.
func (o *objects) Read(index uint16, sub uint8, complete bool) ([]byte, coe.Abort) {
	if abort, ok := o.slave.faults.aborts[index]; ok {
		return nil, abort
	}
	n := o.all[index]
	switch {
	case n == nil:
		return nil, coe.AbortNoObject
	case complete:
		return o.readComplete(n, sub)
	}
	e := o.find(index, sub)
	if e == nil {
		return nil, coe.AbortNoSub
	}
	if abort := o.unreadable(e); abort != 0 {
		return nil, abort
	}
	return e.bytes(), 0
}

func (o *objects) unreadable(e *entry) coe.Abort {
	switch {
	case e.access&coe.ReadAlways == 0:
		return coe.AbortWriteOnly
	case !o.may(e, coe.ReadPreOp):
		return coe.AbortStoreState
	}
	return 0
}

func (o *objects) readComplete(n *object, from uint8) ([]byte, coe.Abort) {
	switch {
	case o.slave.details()&sii.CompleteAccess == 0, n.kind == coe.Variable:
		return nil, coe.AbortComplete
	case len(n.entries) == 0:
		return nil, coe.AbortNoSub
	}
	entries, bits := n.packed(int(n.entries[0].value))
	area := make([]byte, (bits+7)/8)
	for _, f := range entries {
		if abort := o.unreadable(f.entry); abort != 0 {
			return nil, abort
		}
		if f.entry.text != nil {
			copy(area[f.at/8:][:f.entry.size()], f.entry.text)
			continue
		}
		putBits(area, f.at, f.bits, number64(f.entry.bytes()))
	}
	if from > 0 {
		return area, 0
	}
	return append(o.subZero(byte(n.entries[0].value)), area...), 0
}

// subZero is subindex 0 with complete access, where it takes two bytes (ETG.1000.6 §5.6.2); one with shortSubZero sends one.
func (o *objects) subZero(count byte) []byte {
	if o.slave.given.shortZero {
		return []byte{count}
	}
	return []byte{count, 0}
}

// packed returns where entries from subindex 1 on stand with complete access: bits side by side, and what fills bytes at a byte.
func (n *object) packed(count int) (list []place, bits int) {
	for sub := 1; sub < min(len(n.entries), 1+count); sub++ {
		e := n.entries[sub]
		if e == nil {
			continue
		}
		if e.bits%8 == 0 {
			bits = (bits + 7) / 8 * 8
		}
		list = append(list, place{field{bits, e.bits, e}, uint8(sub)})
		bits += e.bits
	}
	return list, bits
}

// place is an entry in the data of its object.
type place struct {
	field
	sub uint8
}

// Write is for the server of CoE.
func (o *objects) Write(index uint16, sub uint8, complete bool, data []byte) coe.Abort {
	if abort, ok := o.slave.faults.aborts[index]; ok {
		return abort
	}
	n := o.all[index]
	switch {
	case n == nil:
		return coe.AbortNoObject
	case complete:
		return o.writeComplete(n, sub, data)
	}
	return o.writeEntry(n, sub, data)
}

func (o *objects) writeEntry(n *object, sub uint8, data []byte) coe.Abort {
	e := o.find(n.index, sub)
	switch {
	case e == nil:
		return coe.AbortNoSub
	case e.access&coe.WriteAlways == 0:
		return coe.AbortReadOnly
	case !o.may(e, coe.WritePreOp):
		return coe.AbortStoreState
	case len(data) > e.size():
		return coe.AbortLengthHigh
	case e.text != nil:
		e.text = append([]byte{}, data...) // texts may be shorter
		return 0
	case len(data) < e.size():
		return coe.AbortLengthLow
	}
	value := number64(data)
	if abort := e.refuses(value); abort != 0 {
		return abort
	}
	if n.rule != nil {
		if abort := n.rule(sub, value); abort != 0 {
			return abort
		}
	}
	e.value = value
	return 0
}

// refuses returns why an entry does not take a value: it is none of its type, or the device has no use for it.
func (e *entry) refuses(value uint64) coe.Abort {
	switch {
	case e.typ == coe.Bool && value > 1:
		return coe.AbortRange
	case e.bits < 64 && value>>e.bits != 0:
		return coe.AbortHigh
	case e.check != nil:
		return e.check(value)
	}
	return 0
}

// oneOf returns the check of an entry that takes some values only.
func oneOf(values ...uint64) func(uint64) coe.Abort {
	return func(v uint64) coe.Abort {
		if slices.Contains(values, v) {
			return 0
		}
		return coe.AbortRange
	}
}

// within returns the check of an entry whose values, none of them negative, lie between bounds. Values beyond them are out of range,
// as options that a device does not have are.
func within(least, most uint64) func(uint64) coe.Abort {
	return func(v uint64) coe.Abort {
		if v < least || v > most {
			return coe.AbortRange
		}
		return 0
	}
}

// writeComplete writes entries first and their count behind them, as with single accesses, or nothing.
func (o *objects) writeComplete(n *object, from uint8, data []byte) coe.Abort {
	switch {
	case o.slave.details()&sii.CompleteAccess == 0, n.kind == coe.Variable:
		return coe.AbortComplete
	case len(n.entries) < 2:
		return coe.AbortNoSub
	}
	before := make([]entry, len(n.entries))
	for i, e := range n.entries {
		if e != nil {
			before[i] = *e
		}
	}
	abort := o.writeEntries(n, from, data)
	if abort != 0 {
		for i, e := range n.entries {
			if e != nil {
				*e = before[i]
			}
		}
	}
	return abort
}

// writeEntries takes as many entries as subindex 0 says: the one that is written with them, or the one that is there.
func (o *objects) writeEntries(n *object, from uint8, data []byte) coe.Abort {
	count := n.entries[0].value
	counted := from == 0 && n.entries[0].access&coe.WriteAlways != 0
	if from == 0 {
		size := len(o.subZero(0))
		if len(data) < size {
			return coe.AbortLengthLow
		}
		if counted {
			count = uint64(data[0])
		}
		data = data[size:]
	}
	entries, bits := n.packed(int(count))
	switch size := (bits + 7) / 8; {
	case len(data) < size:
		return coe.AbortLengthLow
	case len(data) > size:
		return coe.AbortLengthHigh
	}
	if counted {
		if abort := o.writeEntry(n, 0, []byte{0}); abort != 0 {
			return abort
		}
	}
	for _, f := range entries {
		value := data[f.at/8 : (f.at+f.bits+7)/8]
		if f.bits%8 != 0 {
			value = binary.LittleEndian.AppendUint64(nil, getBits(data, f.at, f.bits))[:f.entry.size()]
		}
		if abort := o.writeEntry(n, f.sub, value); abort != 0 {
			return abort
		}
	}
	if counted {
		return o.writeEntry(n, 0, []byte{byte(count)})
	}
	return 0
}

// Objects is for SDO information.
func (o *objects) Objects(list coe.List) []uint16 {
	var found []uint16
	for _, index := range slices.Sorted(maps.Keys(o.all)) {
		access := coe.Access(0)
		for _, e := range o.all[index].entries {
			if e != nil {
				access |= e.access
			}
		}
		match := true
		switch list {
		case coe.ListRxPDO:
			match = access&coe.MapRxPDO != 0
		case coe.ListTxPDO:
			match = access&coe.MapTxPDO != 0
		case coe.ListBackup:
			match = access&coe.Backup != 0
		case coe.ListSettings:
			match = access&coe.Setting != 0
		}
		if match {
			found = append(found, index)
		}
	}
	return found
}

// Object is for SDO information.
func (o *objects) Object(index uint16) (coe.Object, coe.Abort) {
	n := o.all[index]
	if n == nil {
		return coe.Object{}, coe.AbortNoObject
	}
	return coe.Object{Index: index, Type: n.typ, MaxSub: uint8(max(0, len(n.entries)-1)), Code: n.kind, Name: n.name}, 0
}

// Entry is for SDO information.
func (o *objects) Entry(index uint16, sub uint8) (coe.Entry, coe.Abort) {
	if o.all[index] == nil {
		return coe.Entry{}, coe.AbortNoObject
	}
	e := o.find(index, sub)
	if e == nil {
		return coe.Entry{}, coe.AbortNoSub
	}
	return coe.Entry{Index: index, Sub: sub, Type: e.typ, Bits: uint16(e.bits), Access: e.access, Name: e.name}, 0
}
