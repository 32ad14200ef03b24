package sii

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Encode writes the image of a description. Values that do not fit into the fields of the format are refused.
func Encode(d *Description) ([]byte, error) {
	e := &encoder{numbers: map[string]uint8{}}
	body := e.categories(d)
	if e.err != nil {
		return nil, e.err
	}
	image := append(e.head(d), e.category(typeStrings, e.strings())...)
	image = append(image, body...)
	image = binary.LittleEndian.AppendUint16(image, typeEnd)
	if e.err != nil {
		return nil, e.err
	}
	size := d.Size
	if size == 0 {
		size = roundUp(len(image), bytesPerKbit)
		binary.LittleEndian.PutUint16(image[placeSize:], uint16(size/bytesPerKbit-1))
	}
	if len(image) > size || size%bytesPerKbit != 0 || size/bytesPerKbit > 1<<16 {
		return nil, fmt.Errorf("an SII of %d bytes does not fit into a memory of %d", len(image), size)
	}
	return append(image, slices.Repeat([]byte{0xff}, size-len(image))...), nil
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

type encoder struct {
	texts   []string
	numbers map[string]uint8
	err     error
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// number returns the one by which categories refer to a string.
func (e *encoder) number(text string) uint8 {
	const most = 255
	if text == "" {
		return 0
	}
	if n, ok := e.numbers[text]; ok {
		return n
	}
	if len(e.texts) == most || len(text) > most {
		e.fail("more than %d strings, or one that is longer: %.20q", most, text)
		return 0
	}
	e.texts = append(e.texts, text)
	n := uint8(len(e.texts))
	e.numbers[text] = n
	return n
}

func (e *encoder) head(d *Description) []byte {
	b := make([]byte, Head)
	word := func(at int, v uint16) { binary.LittleEndian.PutUint16(b[at:], v) }
	long := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	mailbox := func(at int, m Mailbox) {
		for i, v := range []uint16{m.Out, m.OutSize, m.In, m.InSize} {
			word(at+2*i, v)
		}
	}
	b[0], b[1] = d.PDIControl, d.PDIConfig
	word(2, d.Sync)
	word(4, d.SyncPulse)
	word(6, d.PDIConfig2)
	word(placeAlias, d.Alias)
	b[placeCheckSum] = CheckSum(b[:placeCheckSum])
	for i, v := range []uint32{d.Identity.Vendor, d.Identity.Product, d.Identity.Revision, d.Identity.Serial} {
		long(placeIdentity+4*i, v)
	}
	mailbox(placeBoot, d.BootMailbox)
	mailbox(placeMailbox, d.Mailbox)
	word(placeProtocols, uint16(d.Protocols))
	word(placeSize, uint16(d.Size/bytesPerKbit-1))
	word(placeVersion, d.Version)
	return b
}

// category is nothing when there is no data.
func (e *encoder) category(kind uint16, data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	if len(data)%2 != 0 {
		data = append(data, 0)
	}
	words := len(data) / 2
	if words > 0xffff {
		e.fail("category %d has %d words", kind, words)
	}
	b := binary.LittleEndian.AppendUint16(nil, kind)
	b = binary.LittleEndian.AppendUint16(b, uint16(words))
	return append(b, data...)
}

func (e *encoder) strings() []byte {
	if len(e.texts) == 0 {
		return nil
	}
	b := []byte{uint8(len(e.texts))}
	for _, t := range e.texts {
		b = append(append(b, uint8(len(t))), t...)
	}
	return b
}

func (e *encoder) categories(d *Description) (b []byte) {
	if d.General != nil {
		b = append(b, e.category(typeGeneral, e.general(d.General))...)
	}
	b = append(b, e.category(typeFMMU, e.fmmus(d.FMMUs))...)
	b = append(b, e.category(typeSync, e.syncManagers(d.SyncManagers))...)
	b = append(b, e.category(typeTxPDO, e.pdos(d.TxPDOs))...)
	b = append(b, e.category(typeRxPDO, e.pdos(d.RxPDOs))...)
	b = append(b, e.category(typeClock, e.clocks(d.Clocks))...)
	for _, o := range d.Others {
		switch o.Type {
		case 0, typeStrings, typeGeneral, typeFMMU, typeSync, typeTxPDO, typeRxPDO, typeClock, typeEnd:
			e.fail("category %d has a form of its own", o.Type)
		}
		if len(o.Data) == 0 || len(o.Data)%2 != 0 {
			e.fail("category %d has %d bytes, not words", o.Type, len(o.Data))
		}
		b = append(b, e.category(o.Type, o.Data)...)
	}
	return b
}

func (e *encoder) general(g *General) []byte {
	const size = 32
	b := make([]byte, size)
	b[2] = e.number(g.Order) // the first string: there are masters that call the slave by it, whatever the numbers here say
	b[0], b[1], b[3] = e.number(g.Group), e.number(g.Image), e.number(g.Name)
	b[5], b[6], b[7], b[8], b[9] = uint8(g.CoE), bit(g.FoE), bit(g.EoE), g.SoEChannels, g.DSChannels
	b[11] = uint8(g.Flags)
	binary.LittleEndian.PutUint16(b[12:], uint16(g.Current))
	ports := uint16(0)
	for i, p := range g.Ports {
		if p > 0x0f {
			e.fail("port %d is of kind %d", i, p)
		}
		ports |= uint16(p) << (4 * i)
	}
	binary.LittleEndian.PutUint16(b[16:], ports)
	return b
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func (e *encoder) fmmus(list []FMMU) (b []byte) {
	for _, f := range list {
		b = append(b, uint8(f))
	}
	return b
}

func (e *encoder) syncManagers(list []SyncManager) (b []byte) {
	for _, s := range list {
		b = binary.LittleEndian.AppendUint16(b, s.Start)
		b = binary.LittleEndian.AppendUint16(b, s.Length)
		b = append(b, s.Control, s.Status, s.Enable, uint8(s.Use))
	}
	return b
}

func (e *encoder) pdos(list []PDO) (b []byte) {
	for _, p := range list {
		if len(p.Entries) > 255 {
			e.fail("PDO 0x%04x has %d entries", p.Index, len(p.Entries))
		}
		b = binary.LittleEndian.AppendUint16(b, p.Index)
		b = append(b, uint8(len(p.Entries)), p.SyncManager, p.Sync, e.number(p.Name))
		b = binary.LittleEndian.AppendUint16(b, p.Flags)
		for _, n := range p.Entries {
			b = binary.LittleEndian.AppendUint16(b, n.Index)
			b = append(b, n.Sub, e.number(n.Name), n.Type, n.Bits)
			b = binary.LittleEndian.AppendUint16(b, n.Flags)
		}
	}
	return b
}

func (e *encoder) clocks(list []Clock) (b []byte) {
	for _, c := range list {
		b = binary.LittleEndian.AppendUint32(b, c.Cycle0)
		b = binary.LittleEndian.AppendUint32(b, uint32(c.Shift0))
		b = binary.LittleEndian.AppendUint32(b, uint32(c.Shift1))
		b = binary.LittleEndian.AppendUint16(b, uint16(c.Factor1))
		b = binary.LittleEndian.AppendUint16(b, c.Activate)
		b = binary.LittleEndian.AppendUint16(b, uint16(c.Factor0))
		b = append(b, e.number(c.Name), e.number(c.About), 0, 0, 0, 0)
	}
	return b
}
