package cyclecheck

import (
	"encoding/binary"
	"fmt"
)

func (m *image) transfersARM64(f *function, code []byte) ([]transfer, error) {
	var list []transfer
	var known armRegisters
	if len(code)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are not whole instructions", len(code))
	}
	for at := 0; at < len(code); at += 4 {
		w := binary.LittleEndian.Uint32(code[at:])
		pc := f.entry + uint64(at)
		n := w >> 5 & 31
		t := transfer{pc: pc}
		switch {
		case w&0xfc000000 == 0x94000000: // BL
			t.call, t.to = true, pc+signed(w, 0, 26)
		case w&0xfc000000 == 0x14000000: // B
			t.to = pc + signed(w, 0, 26)
		case w&0xff000010 == 0x54000000, w&0x7e000000 == 0x34000000: // B.cond, CBZ, CBNZ
			t.to = pc + signed(w, 5, 19)
		case w&0x7e000000 == 0x36000000: // TBZ, TBNZ
			t.to = pc + signed(w, 5, 14)
		case w&0xfffffc1f == 0xd63f0000: // BLR
			t.call, t.indirect = true, true
		case w&0xfffffc1f == 0xd61f0000: // BR
			if table := known[n].loadedFrom; table != 0 && m.leadsInto(table, f) {
				continue
			}
			t.indirect = true
		default:
			known.follow(w, pc)
			continue
		}
		known = armRegisters{}
		if !t.call && !t.indirect && f.has(t.to) {
			continue
		}
		list = append(list, t)
	}
	return list, nil
}

// armRegisters are what is known of registers: enough to recognize the jump of a switch.
type armRegisters [32]struct {
	page, address uint64
	loadedFrom    uint64 // table of addresses
}

// follow changes what is known by an instruction. Of an instruction that does not compute the address of a table only the
// register counts that it may change; as some change none, follow forgets too much, never too little.
func (k *armRegisters) follow(w uint32, pc uint64) {
	d, n := w&31, w>>5&31
	from := k[n]
	k[d].page, k[d].address, k[d].loadedFrom = 0, 0, 0
	switch {
	case w&0x9f000000 == 0x90000000: // ADRP
		k[d].page = pc&^0xfff + (signed(w, 5, 19)+uint64(w>>29&3))<<12
	case w&0xffc00000 == 0x91000000 && from.page != 0: // ADD immediate
		k[d].address = from.page + uint64(w>>10&0xfff)
	case w&0xffe0fc00 == 0xf8607800: // LDR of a register, by another one times 8
		k[d].loadedFrom = from.address
	}
}

// signed returns a distance in instructions, as a distance in bytes.
func signed(w uint32, low, bits uint) uint64 {
	return uint64(int64(int32(w<<(32-low-bits))>>(32-bits)) * 4)
}
