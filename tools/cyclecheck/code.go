package cyclecheck

import (
	"debug/elf"
	"fmt"
)

// transfer is an instruction that leaves its function: a call, or a jump in place of one.
type transfer struct {
	pc       uint64
	to       uint64 // address, unless it is indirect
	indirect bool
	call     bool // the address of the next instruction goes onto the stack, or into the frame
}

// transfers returns the instructions that leave a function. It reads the function from its first byte to its last: what
// it cannot read is an error, never skipped.
func (m *image) transfers(f *function) ([]transfer, error) {
	code := m.code(f)
	if code == nil {
		return nil, fmt.Errorf("%s: there is no code", f.name)
	}
	var list []transfer
	var err error
	switch m.machine {
	case elf.EM_X86_64:
		list, err = m.transfersAMD64(f, code)
	case elf.EM_AARCH64:
		list, err = m.transfersARM64(f, code)
	default:
		err = fmt.Errorf("no reader for code of %v", m.machine)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return list, nil
}
