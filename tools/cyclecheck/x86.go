package cyclecheck

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

func (m *image) transfersAMD64(f *function, code []byte) ([]transfer, error) {
	var list []transfer
	begins := make([]bool, len(code)) // an instruction
	var table lea                     // the instruction before
	for at := 0; at < len(code); {
		begins[at] = true
		if n, ok := lengthVEX(code[at:]); ok {
			at += n
			continue
		}
		inst, err := x86asm.Decode(code[at:], 64)
		if err == nil && inst.Op == 0 {
			err = x86asm.ErrUnrecognized // prefixes without an instruction
		}
		if err != nil {
			return nil, fmt.Errorf("instruction %x at offset %#x: %w", code[at:min(at+8, len(code))], at, err)
		}
		pc := f.entry + uint64(at)
		at += inst.Len
		next := f.entry + uint64(at)
		if inst.Op != x86asm.CALL && !isJumpAMD64(inst.Op) {
			if inst.Op == x86asm.NOP {
				continue
			}
			table = lea{}
			if from, ok := inst.Args[1].(x86asm.Mem); ok && inst.Op == x86asm.LEA && from.Base == x86asm.RIP {
				table = lea{inst.Args[0], next + uint64(from.Disp)}
			}
			continue
		}
		t := transfer{pc: pc, call: inst.Op == x86asm.CALL}
		switch to := inst.Args[0].(type) {
		case x86asm.Rel:
			if t.to = next + uint64(to); !t.call && f.has(t.to) {
				continue
			}
		case x86asm.Mem:
			if !t.call && to.Scale == 8 && to.Disp == 0 && table.register == to.Base && m.leadsInto(table.address, f) {
				continue // a switch
			}
			t.indirect = true
		default:
			t.indirect = true
		}
		list = append(list, t)
	}
	for _, pc := range f.boundaries() {
		if pc < f.end && !begins[pc-f.entry] {
			return nil, fmt.Errorf("no instruction begins at offset %#x, where a line does", pc-f.entry)
		}
	}
	return list, nil
}

// lea puts an address into a register.
type lea struct {
	register x86asm.Arg
	address  uint64
}

func isJumpAMD64(op x86asm.Op) bool {
	switch op {
	case x86asm.JMP, x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JCXZ, x86asm.JE, x86asm.JECXZ, x86asm.JG,
		x86asm.JGE, x86asm.JL, x86asm.JLE, x86asm.JNE, x86asm.JNO, x86asm.JNP, x86asm.JNS, x86asm.JO, x86asm.JP,
		x86asm.JRCXZ, x86asm.JS, x86asm.LOOP, x86asm.LOOPE, x86asm.LOOPNE, x86asm.XBEGIN:
		return true
	}
	return false
}

// lengthVEX returns the length of an instruction of the vector extensions, which package x86asm does not know. None of them
// leaves a function. (Intel SDM, volume 2, 2.3 and 2.7: the first byte can be nothing else in 64-bit mode.)
func lengthVEX(code []byte) (int, bool) {
	var n, group int
	switch {
	case len(code) >= 3 && code[0] == 0xc5:
		n, group = 2, 1
	case len(code) >= 4 && code[0] == 0xc4:
		n, group = 3, int(code[1]&0x1f)
	case len(code) >= 5 && code[0] == 0x62:
		n, group = 4, int(code[1]&7)
	default:
		return 0, false
	}
	op := code[n]
	n++
	if group == 1 && op == 0x77 { // VZEROUPPER, VZEROALL
		return n, true
	}
	if n >= len(code) {
		return 0, false
	}
	mod, rm := code[n]>>6, code[n]&7
	n++
	if mod != 3 && rm == 4 {
		if n >= len(code) {
			return 0, false
		}
		if mod == 0 && code[n]&7 == 5 {
			n += 4
		}
		n++
	}
	switch {
	case mod == 1:
		n++
	case mod == 2, mod == 0 && rm == 5:
		n += 4
	}
	if group == 3 || group == 1 && (op >= 0x70 && op <= 0x73 || op == 0xc2 || op >= 0xc4 && op <= 0xc6) {
		n++ // immediate
	}
	return n, n <= len(code)
}
