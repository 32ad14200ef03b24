package sim

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
	"github.com/softrobot-rcc/rccd/ethercat/sii"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// What a description of a device (ETG.2000) says that a simulated slave needs. Drivers read such files by another reader, so that one does
// not repeat the mistakes of the other.
type (
	esiFile struct {
		Vendor  esiNumber   `xml:"Vendor>Id"`
		Devices []esiDevice `xml:"Descriptions>Devices>Device"`
		Modules []esiModule `xml:"Descriptions>Modules>Module"`
	}
	esiDevice struct {
		Physics string   `xml:"Physics,attr"`
		Type    esiType  `xml:"Type"`
		Name    []string `xml:"Name"`
		Sm      []esiSm  `xml:"Sm"`
		RxPdo   []esiPdo `xml:"RxPdo"`
		TxPdo   []esiPdo `xml:"TxPdo"`
		CoE     *struct {
			SdoInfo        bool `xml:"SdoInfo,attr"`
			PdoAssign      bool `xml:"PdoAssign,attr"`
			PdoConfig      bool `xml:"PdoConfig,attr"`
			CompleteAccess bool `xml:"CompleteAccess,attr"`
		} `xml:"Mailbox>CoE"`
		OpMode []struct {
			Name     string    `xml:"Name"`
			Desc     string    `xml:"Desc"`
			Activate esiNumber `xml:"AssignActivate"`
		} `xml:"Dc>OpMode"`
		Types   []esiDataType `xml:"Profile>Dictionary>DataTypes>DataType"`
		Objects []esiObject   `xml:"Profile>Dictionary>Objects>Object"`
		Slots   struct {
			PDOStep   esiNumber `xml:"SlotPdoIncrement,attr"`
			IndexStep esiNumber `xml:"SlotIndexIncrement,attr"`
			List      string    `xml:"DownloadModuleIdentList,attr"`
			Most      esiNumber `xml:"MaxSlotCount,attr"`
			Slots     []struct {
				Most esiNumber `xml:"MaxInstances,attr"`
			} `xml:"Slot"`
		} `xml:"Slots"`
	}
	esiModule struct {
		Type  esiType  `xml:"Type"`
		RxPdo []esiPdo `xml:"RxPdo"`
		TxPdo []esiPdo `xml:"TxPdo"`
	}
	esiType struct {
		Product  esiNumber `xml:"ProductCode,attr"`
		Revision esiNumber `xml:"RevisionNo,attr"`
		Ident    esiNumber `xml:"ModuleIdent,attr"`
		Order    string    `xml:",chardata"`
	}
	esiSm struct {
		Start   esiNumber `xml:"StartAddress,attr"`
		Size    esiNumber `xml:"DefaultSize,attr"`
		Control esiNumber `xml:"ControlByte,attr"`
		Enable  esiNumber `xml:"Enable,attr"`
		Use     string    `xml:",chardata"`
	}
	esiPdo struct {
		Sm      *uint8     `xml:"Sm,attr"`
		Index   esiIndex   `xml:"Index"`
		Name    []string   `xml:"Name"`
		Entries []esiEntry `xml:"Entry"`
	}
	esiIndex struct {
		OnSlot bool   `xml:"DependOnSlot,attr"`
		Text   string `xml:",chardata"`
	}
	esiEntry struct {
		Index esiIndex  `xml:"Index"`
		Sub   esiNumber `xml:"SubIndex"`
		Bits  uint8     `xml:"BitLen"`
		Name  []string  `xml:"Name"`
		Type  string    `xml:"DataType"`
	}
	esiDataType struct {
		Name  string `xml:"Name"`
		Base  string `xml:"BaseType"`
		Bits  int    `xml:"BitSize"`
		Array *struct {
			First esiNumber `xml:"LBound"`
			Count esiNumber `xml:"Elements"`
		} `xml:"ArrayInfo"`
		Subs []esiSub `xml:"SubItem"`
	}
	esiSub struct {
		Sub    *esiNumber `xml:"SubIdx"`
		Name   string     `xml:"Name"`
		Type   string     `xml:"Type"`
		Bits   int        `xml:"BitSize"`
		Access esiAccess  `xml:"Flags>Access"`
	}
	esiObject struct {
		Index  esiNumber `xml:"Index"`
		Name   []string  `xml:"Name"`
		Type   string    `xml:"Type"`
		Bits   int       `xml:"BitSize"`
		Info   esiInfo   `xml:"Info"`
		Access esiAccess `xml:"Flags>Access"`
	}
	esiInfo struct {
		Data string `xml:"DefaultData"`
		Subs []struct {
			Name string  `xml:"Name"`
			Info esiInfo `xml:"Info"`
		} `xml:"SubItem"`
	}
	esiAccess struct {
		Write  string `xml:"WriteRestrictions,attr"`
		Rights string `xml:",chardata"`
	}
)

// esiNumber is a number of such a file: decimal, or hexadecimal behind #x.
type esiNumber uint32

// UnmarshalText is for package xml.
func (n *esiNumber) UnmarshalText(text []byte) error {
	word := strings.TrimSpace(string(text))
	if word == "" {
		return nil
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(word), "#x"); ok {
		word = "0x" + rest
	}
	v, err := strconv.ParseUint(word, 0, 32)
	*n = esiNumber(v)
	return err
}

func (i esiIndex) at(slot int, step esiNumber) (uint16, error) {
	var n esiNumber
	err := n.UnmarshalText([]byte(i.Text))
	if i.OnSlot {
		n += step * esiNumber(slot)
	}
	return uint16(n), err
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSpace(list[0])
}

// readESI reads a file, also one in Latin letters of eight bits, as is common.
func readESI(text []byte) (*esiFile, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		if strings.EqualFold(name, "utf-8") {
			return in, nil
		}
		all, err := io.ReadAll(in)
		letters := make([]rune, len(all))
		for i, b := range all {
			letters[i] = rune(b)
		}
		return strings.NewReader(string(letters)), err
	}
	f := &esiFile{}
	err := d.Decode(f)
	return f, err
}

// esiKind makes a slave of a device description; what the rack says beside stays.
func esiKind(g *GenericGiven, files fs.FS) (*kind, error) {
	if files == nil {
		return nil, errors.New("esi: no files can be read here; describe the slave in the rack")
	}
	text, err := fs.ReadFile(files, g.ESI)
	if err != nil {
		return nil, err
	}
	f, err := readESI(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ESI, err)
	}
	k, err := f.kind(g)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.ESI, err)
	}
	return k, nil
}

func (f *esiFile) kind(g *GenericGiven) (*kind, error) {
	d, err := f.device(g)
	if err != nil {
		return nil, err
	}
	g.Vendor, g.Product, g.Revision = uint32(f.Vendor), uint32(d.Type.Product), uint32(d.Type.Revision)
	g.Order, g.EBus = strings.TrimSpace(d.Type.Order), strings.HasPrefix(d.Physics, "K")
	g.Mailbox, g.SyncModes = -1, len(d.OpMode) > 0
	if d.CoE != nil {
		g.Mailbox, g.Complete, g.Assign, g.Config = 0, d.CoE.CompleteAccess, d.CoE.PdoAssign, d.CoE.PdoConfig
	}
	g.idents, g.slots = nil, d.slots(len(g.Modules))
	rx, tx := d.RxPdo, d.TxPdo
	var outputs, inputs []sii.PDO
	if outputs, err = esiPDOs(nil, rx, 0, d); err == nil {
		inputs, err = esiPDOs(nil, tx, 0, d)
	}
	for slot := 0; slot < len(g.Modules) && err == nil; slot++ {
		var m *esiModule
		if m, err = f.module(g.Modules[slot]); err != nil {
			return nil, err
		}
		g.idents = append(g.idents, uint32(m.Type.Ident))
		if outputs, err = esiPDOs(outputs, m.RxPdo, slot, d); err == nil {
			inputs, err = esiPDOs(inputs, m.TxPdo, slot, d)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := d.dictionary(g); err != nil {
		return nil, err
	}
	g.Outputs, g.Inputs = nil, nil
	k, err := genericKind(g)
	if err != nil {
		return nil, err
	}
	k.description.RxPDOs, k.description.TxPDOs = outputs, inputs
	return k, d.settle(k)
}

// device returns the one that the rack names, by its order number or name, or the first one.
func (f *esiFile) device(g *GenericGiven) (*esiDevice, error) {
	var names []string
	for i := range f.Devices {
		d := &f.Devices[i]
		if order := strings.TrimSpace(d.Type.Order); g.Device == "" || g.Device == order || slices.Contains(d.Name, g.Device) {
			return d, nil
		}
		names = append(names, strings.TrimSpace(d.Type.Order))
	}
	return nil, fmt.Errorf("no device %q in it%s", g.Device, suggest.DidYouMean(g.Device, slices.Values(names)))
}

// module returns one by its name or its ident.
func (f *esiFile) module(name string) (*esiModule, error) {
	ident, err := strconv.ParseUint(name, 0, 32)
	var names []string
	for i := range f.Modules {
		m := &f.Modules[i]
		order := strings.TrimSpace(m.Type.Order)
		if order == name || err == nil && uint64(m.Type.Ident) == ident {
			return m, nil
		}
		names = append(names, order)
	}
	return nil, fmt.Errorf("no module %q in it%s", name, suggest.DidYouMean(name, slices.Values(names)))
}

// slots is for how many modules there is a list, which is to be written where there are none of other ways to know them; 0 without one.
func (d *esiDevice) slots(modules int) int {
	const most = 255
	if list := strings.TrimSpace(d.Slots.List); list != "1" && list != "true" {
		return 0
	}
	n := int(d.Slots.Most)
	for _, s := range d.Slots.Slots {
		n += int(max(1, s.Most))
	}
	return min(max(n, modules), most)
}

// esiPDOs appends those of a device, or of a module in a slot.
func esiPDOs(list []sii.PDO, given []esiPdo, slot int, d *esiDevice) ([]sii.PDO, error) {
	for _, g := range given {
		index, err := g.Index.at(slot, d.Slots.PDOStep)
		if err != nil {
			return nil, fmt.Errorf("PDO %q: %w", g.Index.Text, err)
		}
		p := sii.PDO{Index: index, Name: firstOf(g.Name), SyncManager: sii.NoSyncManager}
		if g.Sm != nil {
			p.SyncManager = *g.Sm
		}
		for _, e := range g.Entries {
			at, err := e.Index.at(slot, d.Slots.IndexStep)
			if err != nil {
				return nil, fmt.Errorf("PDO 0x%04x: entry %q: %w", index, e.Index.Text, err)
			}
			entry := sii.Entry{Index: at, Sub: uint8(e.Sub), Name: firstOf(e.Name), Bits: e.Bits}
			if at != 0 {
				t, _ := esiDataTypeOf(e.Type, int(e.Bits))
				entry.Type = uint8(t)
			}
			p.Entries = append(p.Entries, entry)
		}
		list = append(list, p)
	}
	return list, nil
}

// esiDataTypeOf returns the type of a name, or one of a number of bits when the name is one of the file's own.
func esiDataTypeOf(name string, bits int) (t coe.DataType, room int) {
	if t, n, err := genericType(strings.TrimSpace(name)); err == nil && (n == bits || n == 0) {
		return t, bits
	}
	switch {
	case bits >= 1 && bits < 8:
		return coe.Bits1 + coe.DataType(bits-1), bits
	case bits <= 8:
		return coe.Uint8, bits
	case bits <= 16:
		return coe.Uint16, bits
	case bits <= 32:
		return coe.Uint32, bits
	case bits <= 64:
		return coe.Uint64, bits
	}
	return coe.OctetString, bits
}

// settle takes SyncManagers and modes of the clock as the file has them.
func (d *esiDevice) settle(k *kind) error {
	uses := map[string]sii.Use{"MBoxOut": sii.MailOut, "MBoxIn": sii.MailIn, "Outputs": sii.Outputs, "Inputs": sii.Inputs}
	is := &k.description
	is.SyncManagers, is.FMMUs = nil, nil
	if len(d.Sm) > int(k.managers) {
		k.managers = 16
	}
	end := int(wire.RegMemory) + k.ram<<10
	for i, m := range d.Sm {
		use := uses[strings.TrimSpace(m.Use)]
		n := sii.SyncManager{Start: uint16(m.Start), Length: uint16(m.Size), Control: uint8(m.Control), Enable: uint8(m.Enable), Use: use}
		if i >= 16 || int(n.Start)+int(n.Length) > end {
			return fmt.Errorf("SyncManager %d is at 0x%04x with %d bytes, memory ends at 0x%04x", i, n.Start, n.Length, end)
		}
		is.SyncManagers = append(is.SyncManagers, n)
		switch use {
		case sii.MailOut:
			is.Mailbox.Out, is.Mailbox.OutSize = n.Start, n.Length
		case sii.MailIn:
			is.Mailbox.In, is.Mailbox.InSize = n.Start, n.Length
		case sii.Outputs:
			is.FMMUs = append(is.FMMUs, sii.FMMUOutputs)
		case sii.Inputs:
			is.FMMUs = append(is.FMMUs, sii.FMMUInputs)
		}
	}
	if m := is.Mailbox; d.CoE != nil && (m.OutSize < coe.SmallestMailbox || m.InSize < coe.SmallestMailbox) {
		return errors.New("it speaks CoE, and its mailboxes are too small or missing")
	}
	is.Clocks = nil
	for _, m := range d.OpMode {
		is.Clocks = append(is.Clocks, sii.Clock{Name: m.Name, About: m.Desc, Activate: uint16(m.Activate)})
	}
	if d.CoE != nil && !d.CoE.SdoInfo {
		is.General.CoE &^= sii.SDOInfo
	}
	k.setLengths()
	return nil
}

// dictionary takes the objects of the file, except those that follow from identity and PDOs.
func (d *esiDevice) dictionary(g *GenericGiven) error {
	types := map[string]*esiDataType{}
	for i := range d.Types {
		types[d.Types[i].Name] = &d.Types[i]
	}
	for _, o := range d.Objects {
		index := uint16(o.Index)
		if index == 0x1008 || index == 0x1018 || index >= rxPDOs && index <= txPDOs+lastPDO || index >= 0x1c00 && index < 0x1c32 {
			continue
		}
		t := types[o.Type]
		if t == nil || len(t.Subs) == 0 {
			if err := g.add(index, 0, firstOf(o.Name), firstOf(o.Name), o.Type, o.Bits, o.Access, o.Info.Data); err != nil {
				return err
			}
			continue
		}
		if err := o.record(g, t, types); err != nil {
			return err
		}
	}
	return nil
}

// record takes the entries of an object from its type; defaults stand in the same order, and those of arrays one behind the other.
func (o *esiObject) record(g *GenericGiven, t *esiDataType, types map[string]*esiDataType) error {
	next := 0
	value := func() (data, name string) {
		if next < len(o.Info.Subs) {
			data, name = o.Info.Subs[next].Info.Data, o.Info.Subs[next].Name
		}
		next++
		return data, name
	}
	for _, s := range t.Subs {
		if s.Sub != nil && *s.Sub == 0 {
			value()
			continue // it counts by itself
		}
		elements, first, name, bits := 1, esiNumber(0), s.Type, s.Bits
		if s.Sub != nil {
			first = *s.Sub
		} else if a := types[s.Type]; a != nil && a.Array != nil && a.Array.Count > 0 {
			const most = 255
			elements, first, name = int(min(a.Array.Count, most)), a.Array.First, a.Base
			bits = a.Bits / elements
		}
		for i := range elements {
			data, own := value()
			if own == "" {
				own = s.Name
			}
			if err := g.add(uint16(o.Index), uint8(int(first)+i), firstOf(o.Name), own, name, bits, s.Access, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// add appends an object of a file.
func (g *GenericGiven) add(index uint16, sub uint8, object, name, typ string, bits int, access esiAccess, data string) error {
	t, room := esiDataTypeOf(typ, bits)
	raw, err := hex.DecodeString(strings.TrimSpace(data))
	if err != nil {
		return fmt.Errorf("object 0x%04x:%02x: default data %q: %w", index, sub, data, err)
	}
	rights := strings.TrimSpace(access.Rights)
	if rights == "rw" && strings.EqualFold(access.Write, "PreOP") {
		rights = "preop"
	}
	if rights == "" {
		rights = "ro"
	}
	g.Objects = append(g.Objects, ObjectGiven{
		Index: index, Sub: sub, Object: object, Name: name, Access: rights, known: &entry{typ: t, bits: room, value: number64(raw)},
	})
	if t == coe.VisibleString || t == coe.OctetString {
		text := append(raw, make([]byte, max(0, (room+7)/8-len(raw)))...)
		if t == coe.VisibleString {
			text = bytes.TrimRight(text, "\x00")
		}
		g.Objects[len(g.Objects)-1].known.text = append([]byte{}, text...)
	}
	return nil
}
