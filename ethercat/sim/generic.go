package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// GenericGiven describes a slave of type generic: any device, by its process data and its objects. Without a mailbox only the SII
// says what its process data are.
type GenericGiven struct {
	// ESI is a file that describes the device (ETG.2000), Device the one in it, Modules what is plugged in, by name or ident, slot by slot.
	// It takes precedence over what follows here.
	ESI     string   `yaml:"esi"`
	Device  string   `yaml:"device"`
	Modules []string `yaml:"modules"`

	Vendor   uint32 `yaml:"vendor"`
	Product  uint32 `yaml:"product"`
	Revision uint32 `yaml:"revision"`
	Order    string `yaml:"order"` // what it calls itself, "generic" when empty
	EBus     bool   `yaml:"eBus"`  // a terminal rather than a box with cables

	Mailbox  int  `yaml:"mailbox"`        // bytes of each area; 128 when 0, none when -1
	Complete bool `yaml:"completeAccess"` // the dictionary can be read and written object by object
	Assign   bool `yaml:"assign"`         // PDOs can be assigned
	Config   bool `yaml:"config"`         // and mapped
	NoSII    bool `yaml:"noSIIPDOs"`      // the SII says nothing of process data

	Outputs   []PDOGiven    `yaml:"outputs"`
	Inputs    []PDOGiven    `yaml:"inputs"`
	Objects   []ObjectGiven `yaml:"objects"`
	SyncModes bool          `yaml:"syncModes"` // has SYNC0, and objects about it
	NoWatch   bool          `yaml:"noWatchdog"`
	Echo      bool          `yaml:"echo"` // inputs follow outputs, bit by bit

	idents []uint32 // of modules, from a file
	slots  int      // for which modules are to be configured
}

// PDOGiven is a PDO with its entries.
type PDOGiven struct {
	Index    uint16       `yaml:"index"` // from 0x1600 or 0x1a00 on when 0
	Name     string       `yaml:"name"`
	Optional bool         `yaml:"optional"` // not assigned by default
	Entries  []EntryGiven `yaml:"entries"`
}

// EntryGiven is an entry of a PDO. One without index fills a gap.
type EntryGiven struct {
	Index uint16 `yaml:"index"`
	Sub   uint8  `yaml:"sub"`
	Name  string `yaml:"name"`
	Type  string `yaml:"type"` // as in device descriptions: BOOL, BIT2, USINT, INT, REAL, …
	Bits  uint8  `yaml:"bits"` // of a gap
}

// ObjectGiven is an entry of the dictionary.
type ObjectGiven struct {
	Index  uint16   `yaml:"index"`
	Sub    uint8    `yaml:"sub"`
	Object string   `yaml:"object"` // name of the object
	Name   string   `yaml:"name"`
	Type   string   `yaml:"type"`
	Value  string   `yaml:"value"`
	Access string   `yaml:"access"` // rw, ro, wo, or preop: written in Pre-Op only; rw when empty
	Min    string   `yaml:"min"`
	Max    string   `yaml:"max"`
	Values []string `yaml:"values"` // the only ones that are taken

	known *entry // type, length and value, of an object from a file
}

// genericTypes are the names of ETG.2000 for types that have a fixed length.
var genericTypes = map[string]coe.DataType{
	"BOOL": coe.Bool, "SINT": coe.Int8, "INT": coe.Int16, "DINT": coe.Int32, "LINT": coe.Int64, "USINT": coe.Uint8, "UINT": coe.Uint16,
	"UDINT": coe.Uint32, "ULINT": coe.Uint64, "BYTE": coe.Uint8, "WORD": coe.Uint16, "DWORD": coe.Uint32, "REAL": coe.Real32, "LREAL": coe.Real64,
}

// genericType reads the name of a type; bits are 0 for texts, whose length textRoom says.
func genericType(name string) (t coe.DataType, bits int, err error) {
	if t, ok := genericTypes[name]; ok {
		return t, t.Bits(), nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "BIT")); err == nil && strings.HasPrefix(name, "BIT") && n >= 1 && n <= 8 {
		return coe.Bits1 + coe.DataType(n-1), n, nil
	}
	if name == "STRING" || strings.HasPrefix(name, "STRING(") {
		return coe.VisibleString, 0, nil
	}
	return 0, 0, fmt.Errorf("%q is not a type such as BOOL, BIT4, USINT, INT, UDINT, REAL or STRING", name)
}

// textRoom returns how many bytes a text can have: STRING(8) says it, otherwise it is as long as its value.
func textRoom(name, value string) int {
	var room int
	if n, err := fmt.Sscanf(name, "STRING(%d)", &room); n == 1 && err == nil {
		return max(room, len(value))
	}
	return len(value)
}

// parseValue returns a value of a type as its bits.
func parseValue(t coe.DataType, bits int, word string) (uint64, error) {
	var v uint64
	var err error
	switch {
	case word == "" || t == coe.Bool && word == "false":
	case t == coe.Bool && word == "true":
		v = 1
	case t == coe.Real32:
		var f float64
		f, err = strconv.ParseFloat(word, 32)
		v = uint64(math.Float32bits(float32(f)))
	case t == coe.Real64:
		var f float64
		f, err = strconv.ParseFloat(word, 64)
		v = math.Float64bits(f)
	case isSigned(t):
		var i int64
		i, err = strconv.ParseInt(word, 0, bits)
		v = uint64(i) << (64 - bits) >> (64 - bits)
	default:
		v, err = strconv.ParseUint(word, 0, bits)
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a value of type %v", word, t)
	}
	return v, nil
}

// genericKind makes a slave of a description.
func genericKind(g *GenericGiven) (*kind, error) {
	if g.Order == "" {
		g.Order = "generic"
	}
	k := terminal("generic", 0, 0, g.Order)
	k.emulation, k.managers, k.fmmus, k.ram, k.chip = false, 4, 8, 8, chipET1100
	d := &k.description
	d.PDIConfig, d.PDIControl, d.Size = 0, 5, 0 // as long as it has to be
	d.Identity = sii.Identity{Vendor: g.Vendor, Product: g.Product, Revision: g.Revision}
	d.General.Order, d.General.Name, d.General.Group = g.Order, g.Order, "Generic"
	if !g.EBus {
		k.ports, d.General.Ports, d.General.Current = portsMII, [4]uint8{1, 1}, 0
	}
	if err := g.mailbox(k); err != nil {
		return nil, err
	}
	var err error
	if d.RxPDOs, err = genericPDOs(g.Outputs, rxPDOs); err != nil {
		return nil, fmt.Errorf("outputs: %w", err)
	}
	if d.TxPDOs, err = genericPDOs(g.Inputs, txPDOs); err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	if err := g.place(k); err != nil {
		return nil, err
	}
	for i := range g.Objects {
		if err := g.Objects[i].put(nil); err != nil {
			return nil, err
		}
	}
	if g.SyncModes {
		d.Clocks = []sii.Clock{{Name: "FreeRun", About: "free run"}, {Name: "DC", About: "synchronous with SYNC0", Activate: 0x0300}}
	}
	k.hidesPDOs = g.NoSII
	k.build = func(s *Slave) device { return newGeneric(s, g) }
	return k, nil
}

// mailbox gives a slave its mailbox, or none.
func (g *GenericGiven) mailbox(k *kind) error {
	const usual, mailboxAt, most = 128, 0x1000, 1024
	size := g.Mailbox
	switch {
	case size == -1:
		return nil
	case size == 0:
		size = usual
	case size < coe.SmallestMailbox || size > most:
		return fmt.Errorf("a mailbox of %d bytes; %d to %d are possible, or -1 for none", size, coe.SmallestMailbox, most)
	}
	withMailbox(k, uint16(size))
	d := &k.description
	d.SyncManagers, d.Clocks = d.SyncManagers[:2], nil
	for flag, on := range map[sii.CoEDetails]bool{sii.CompleteAccess: g.Complete, sii.PDOAssign: g.Assign, sii.PDOConfig: g.Config} {
		if on {
			d.General.CoE |= flag
		}
	}
	return nil
}

// place lays out the areas of process data behind the mailbox, each of three times its length, for its three buffers.
func (g *GenericGiven) place(k *kind) error {
	d := &k.description
	at := int(wire.RegMemory)
	for _, m := range d.SyncManagers {
		at = max(at, int(m.Start)+int(m.Length))
	}
	first := len(d.SyncManagers)
	control := wire.ControlOutputs
	if g.NoWatch {
		control = wire.ControlOutputsLoose
	}
	d.FMMUs = nil
	for i, area := range []struct {
		pdos    []sii.PDO
		control wire.SyncControl
		use     sii.Use
		fmmu    sii.FMMU
	}{{d.RxPDOs, control, sii.Outputs, sii.FMMUOutputs}, {d.TxPDOs, wire.ControlInputs, sii.Inputs, sii.FMMUInputs}} {
		if len(area.pdos) == 0 && first == 0 {
			continue // without a mailbox the first SyncManager is that of whatever there is
		}
		all := 0 // with those that can be assigned later
		for j := range area.pdos {
			all += area.pdos[j].Bits()
			if area.pdos[j].SyncManager != sii.NoSyncManager {
				area.pdos[j].SyncManager = uint8(len(d.SyncManagers))
			}
		}
		const aligned = 16
		at = (at + aligned - 1) / aligned * aligned
		d.SyncManagers = append(d.SyncManagers, sii.SyncManager{Start: uint16(at), Control: uint8(area.control), Use: area.use})
		d.FMMUs = append(d.FMMUs, area.fmmu)
		at += 3 * ((all + 7) / 8)
		if at > int(wire.RegMemory)+k.ram<<10 {
			return fmt.Errorf("the memory has no room for %d bytes of %s", (all+7)/8, [...]string{"outputs", "inputs"}[i])
		}
	}
	if first > 0 {
		d.FMMUs = append(d.FMMUs, sii.FMMUMailbox)
	}
	k.setLengths()
	return nil
}

func genericPDOs(given []PDOGiven, base uint16) (list []sii.PDO, err error) {
	for i, g := range given {
		p := sii.PDO{Index: g.Index, Name: g.Name}
		if p.Index == 0 {
			p.Index = base + uint16(i)
		}
		if p.Index < base || p.Index > base+lastPDO {
			return nil, fmt.Errorf("0x%04x is not a PDO of this direction; use 0x%04x to 0x%04x", p.Index, base, base+lastPDO)
		}
		if g.Optional {
			p.SyncManager = sii.NoSyncManager
		}
		for _, e := range g.Entries {
			entry := sii.Entry{Index: e.Index, Sub: e.Sub, Name: e.Name, Bits: e.Bits}
			if e.Index != 0 {
				t, bits, err := genericType(e.Type)
				if err != nil || bits == 0 {
					return nil, fmt.Errorf("0x%04x: entry 0x%04x:%02x: %w", p.Index, e.Index, e.Sub, errors.Join(err, errNoText(bits, err)))
				}
				entry.Type, entry.Bits = uint8(t), uint8(bits)
			}
			p.Entries = append(p.Entries, entry)
		}
		list = append(list, p)
	}
	return list, nil
}

// errNoText is for texts, which are not process data.
func errNoText(bits int, err error) error {
	if bits == 0 && err == nil {
		return errors.New("a text cannot be mapped")
	}
	return nil
}

// put adds an entry to a dictionary, or only checks it when that is nil.
func (g *ObjectGiven) put(o *objects) error {
	wrong := func(err error) error { return fmt.Errorf("object 0x%04x:%02x: %w", g.Index, g.Sub, err) }
	access, ok := map[string]coe.Access{"": writable, "rw": writable, "ro": readable, "wo": coe.WriteAlways, "preop": configurable}[g.Access]
	if !ok {
		return wrong(fmt.Errorf("access %q is not one of rw, ro, wo and preop", g.Access))
	}
	if k := g.known; k != nil {
		if o != nil {
			e := o.object(g.Index, g.Object, kindFor(g.Sub), k.typ).put(g.Sub, g.Name, k.typ, k.bits, access, k.value)
			e.text = slices.Clone(k.text)
		}
		return nil
	}
	t, bits, err := genericType(g.Type)
	if err != nil {
		return wrong(err)
	}
	var value uint64
	if bits > 0 {
		if value, err = parseValue(t, bits, g.Value); err != nil {
			return wrong(err)
		}
	}
	check, err := g.check(t, bits)
	if err != nil || o == nil {
		if err != nil {
			return wrong(err)
		}
		return nil
	}
	name := g.Object
	if name == "" {
		name = g.Name
	}
	e := o.object(g.Index, name, kindFor(g.Sub), t).put(g.Sub, g.Name, t, bits, access, value)
	e.check = check
	if bits == 0 {
		e.text, e.bits = []byte(g.Value), 8*textRoom(g.Type, g.Value)
	}
	return nil
}

// kindFor returns what an object is whose first entry has a subindex.
func kindFor(sub uint8) coe.Code {
	if sub == 0 {
		return coe.Variable
	}
	return coe.Record
}

// check makes the rule for values that are written.
func (g *ObjectGiven) check(t coe.DataType, bits int) (func(uint64) coe.Abort, error) {
	var allowed []uint64
	for _, word := range g.Values {
		v, err := parseValue(t, bits, word)
		if err != nil {
			return nil, err
		}
		allowed = append(allowed, v)
	}
	least, err := parseValue(t, bits, g.Min)
	if err != nil {
		return nil, err
	}
	most, err := parseValue(t, bits, g.Max)
	if err != nil {
		return nil, err
	}
	switch {
	case len(allowed) > 0:
		return oneOf(allowed...), nil
	case g.Min == "" && g.Max == "":
		return nil, nil
	}
	return func(v uint64) coe.Abort {
		switch {
		case g.Min != "" && less(t, bits, v, least):
			return coe.AbortLow
		case g.Max != "" && less(t, bits, most, v):
			return coe.AbortHigh
		}
		return 0
	}, nil
}

// generic is whatever its description says.
type generic struct {
	nothing
	slave *Slave
	echo  bool
}

func newGeneric(s *Slave, g *GenericGiven) device {
	for i := range g.Objects {
		if g.Objects[i].put(&s.objects) != nil {
			continue // was checked when the rack was read
		}
	}
	s.objects.standard(0)
	s.objects.modules(g.slots, g.idents)
	if g.SyncModes {
		s.objects.syncModes(true)
		s.objects.syncModes(false)
	}
	return &generic{slave: s, echo: g.Echo}
}

// Lists of modules (ETG.5001).
const (
	configuredModules = 0xf030
	detectedModules   = 0xf050
)

// modules adds the lists of modules of a device with slots. Entries that the dictionary of a file has already stay as they are.
func (o *objects) modules(slots int, idents []uint32) {
	if slots == 0 {
		return
	}
	configured := o.object(configuredModules, "Configured Module Ident List", coe.Array, coe.Uint32)
	detected := o.object(detectedModules, "Detected Module Ident List", coe.Array, coe.Uint32)
	configured.put(0, "SubIndex 000", coe.Uint8, 8, configurable, 0)
	detected.put(0, "SubIndex 000", coe.Uint8, 8, readable, 0)
	given := configured.entries[0].value
	for i := range slots {
		ident := uint64(0)
		if i < len(idents) {
			ident = uint64(idents[i])
		}
		sub, name := uint8(i+1), fmt.Sprintf("Slot %d", i+1)
		configured.put(sub, name, coe.Uint32, 32, configurable, 0)
		detected.put(sub, name, coe.Uint32, 32, readable, ident)
	}
	configured.entries[0].value = given // until they are written none is configured
	configured.rule = func(sub uint8, value uint64) coe.Abort {
		if sub == 0 && value >= uint64(len(configured.entries)) {
			return coe.AbortRange
		}
		return 0
	}
}

// enter refuses Safe-Op when other modules are configured than there are.
func (g *generic) enter(from, to wire.State) wire.Code {
	configured, detected := g.slave.objects.all[configuredModules], g.slave.objects.all[detectedModules]
	if from != wire.PreOp || to != wire.SafeOp || configured == nil || detected == nil {
		return wire.NoCode
	}
	for sub := 1; sub < len(configured.entries) && sub <= int(configured.entries[0].value); sub++ {
		if sub >= len(detected.entries) || configured.entries[sub].value != detected.entries[sub].value {
			return wire.CodeModules
		}
	}
	return wire.NoCode
}

// inputs are what outputs are, bit by bit, when they are to be.
func (g *generic) inputs() {
	if !g.echo {
		return
	}
	d := &g.slave.data
	area := make([]byte, max(d.size(out), d.size(in)))
	for _, f := range d.fields[out] {
		if f.entry != nil {
			putBits(area, f.at, f.bits, f.entry.value)
		}
	}
	for _, f := range d.fields[in] {
		if f.entry != nil {
			f.entry.value = getBits(area, f.at, f.bits)
		}
	}
}

func (g *generic) safe() {
	for _, f := range g.slave.data.fields[out] {
		if f.entry != nil {
			f.entry.value = 0
		}
	}
}

func (g *generic) commands() []slaveCommand {
	return []slaveCommand{{"entry INDEX SUB VALUE", "an entry has a value, by its type", func(_ *Chain, s *Slave, words []string) error {
		if len(words) != 3 {
			return errors.New("need an index, a subindex and a value")
		}
		index, err := number(words[0], 16)
		if err != nil {
			return err
		}
		sub, err := number(words[1], 8)
		if err != nil {
			return err
		}
		return s.SetEntry(uint16(index), uint8(sub), words[2])
	}}}
}

// SetEntry sets an entry of the dictionary, also one that masters may not write, as the device behind it would.
func (s *Slave) SetEntry(index uint16, sub uint8, value string) error {
	e := s.objects.find(index, sub)
	if e == nil {
		return fmt.Errorf("slave %s has no entry 0x%04x:%02x", s.name, index, sub)
	}
	if e.text != nil {
		e.text, e.bits = []byte(value), max(e.bits, 8*len(value))
		return nil
	}
	v, err := parseValue(e.typ, e.bits, value)
	if err == nil {
		e.value = v
	}
	return err
}

// Entry returns the value of an entry as transferred.
func (s *Slave) Entry(index uint16, sub uint8) ([]byte, error) {
	e := s.objects.find(index, sub)
	if e == nil {
		return nil, fmt.Errorf("slave %s has no entry 0x%04x:%02x", s.name, index, sub)
	}
	return e.bytes(), nil
}

// isSigned reports whether a type has negative integers.
func isSigned(t coe.DataType) bool {
	return t == coe.Int8 || t == coe.Int16 || t == coe.Int32 || t == coe.Int64
}

// less compares two values of a type.
func less(t coe.DataType, bits int, a, b uint64) bool {
	switch {
	case t == coe.Real32:
		return math.Float32frombits(uint32(a)) < math.Float32frombits(uint32(b))
	case t == coe.Real64:
		return math.Float64frombits(a) < math.Float64frombits(b)
	case isSigned(t):
		shift := 64 - bits
		return int64(a<<shift) < int64(b<<shift)
	}
	return a < b
}

// number64 returns a value as entries keep it.
func number64(data []byte) uint64 {
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:])
}
