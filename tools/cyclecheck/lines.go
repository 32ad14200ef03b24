package cyclecheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sort"
)

// lines is the table that the linker writes for the runtime: functions, what they need of the stack at each instruction,
// and the lines that their instructions come from. debug/gosym reads it too, but knows neither stack nor declarations.
//
// The layout is that of Go 1.20 and later: pcHeader in runtime/symtab.go, _func in runtime/runtime2.go.
type lines struct {
	text uint64 // address of the first function
	step uint64 // smallest distance of instructions

	names, units, files, values, funcs []byte
}

const linesMagic = 0xfffffff1

var errLines = errors.New("no table of lines that this checker knows")

func readLines(data []byte, text uint64) (*lines, int, error) {
	const header = 8 + 8*8
	if len(data) < header || binary.LittleEndian.Uint32(data) != linesMagic || data[7] != 8 {
		return nil, 0, errLines
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8+8*i:]) }
	t := &lines{text: text, step: uint64(data[6])}
	for i, part := range []*[]byte{&t.names, &t.units, &t.files, &t.values, &t.funcs} {
		at := word(3 + i)
		if at > uint64(len(data)) {
			return nil, 0, errLines
		}
		*part = data[at:]
	}
	return t, int(word(0)), nil
}

func at32(data []byte, i int) uint32 { return binary.LittleEndian.Uint32(data[i:]) }

func stringAt(data []byte, i int) string {
	s, _, _ := bytes.Cut(data[i:], []byte{0})
	return string(s)
}

// Offsets in a _func.
const (
	funcName      = 4
	funcStack     = 16
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28
	funcUnit      = 32
	funcStartLine = 36
	funcPCData    = 44

	inlineTable = 2 // PCDATA_InlTreeIndex
)

// function describes function i of n.
func (t *lines) function(i int) *function {
	entry, end := at32(t.funcs, 8*i), at32(t.funcs, 8*(i+1))
	info := t.funcs[at32(t.funcs, 8*i+4):]
	f := &function{
		name:  stringAt(t.names, int(at32(info, funcName))),
		entry: t.text + uint64(entry), end: t.text + uint64(end),
		line: int(at32(info, funcStartLine)),
		of:   t, info: info,
	}
	f.file = f.place(f.own()).file
	return f
}

// own returns an instruction that does not come from an inlined function.
func (f *function) own() uint64 {
	if at32(f.info, funcTables) > inlineTable {
		for _, s := range f.spans(funcPCData + 4*inlineTable) {
			if s.value < 0 {
				return s.from
			}
		}
	}
	return f.entry
}

// span is a stretch of code with one value.
type span struct {
	from, to uint64
	value    int
}

// spans reads the table of values whose number is in a field of the function.
func (f *function) spans(field int) []span {
	offset := at32(f.info, field)
	if offset == 0 {
		return nil
	}
	var list []span
	data, pc, value := f.of.values[offset:], f.entry, -1
	for {
		delta, n := binary.Uvarint(data)
		if delta == 0 && pc != f.entry {
			return list
		}
		value += int(int64(delta>>1) ^ -int64(delta&1))
		advance, m := binary.Uvarint(data[n:])
		if n <= 0 || m <= 0 {
			return list
		}
		data = data[n+m:]
		next := pc + advance*f.of.step
		list = append(list, span{pc, next, value})
		pc = next
	}
}

// find returns the value at an instruction, or -1.
func find(list []span, pc uint64) int {
	i := sort.Search(len(list), func(i int) bool { return pc < list[i].to })
	if i == len(list) {
		return -1
	}
	return list[i].value
}

// place returns the innermost line that an instruction comes from.
func (f *function) place(pc uint64) place {
	at := place{line: find(f.spans(funcLine), pc)}
	if number := find(f.spans(funcFile), pc); number >= 0 {
		unit := int(at32(f.info, funcUnit))
		if name := at32(f.of.units, 4*(unit+number)); name != 1<<32-1 {
			at.file = stringAt(f.of.files, int(name))
		}
	}
	return at
}

// stack returns how much of the stack a function has in use at an instruction.
func (f *function) stack(pc uint64) int { return max(0, find(f.spans(funcStack), pc)) }

// frame returns how much of the stack it has in use at most.
func (f *function) frame() int {
	most := 0
	for _, s := range f.spans(funcStack) {
		most = max(most, s.value)
	}
	return most
}

// boundaries are places where an instruction must begin.
func (f *function) boundaries() []uint64 {
	var list []uint64
	for _, table := range []int{funcStack, funcLine} {
		for _, s := range f.spans(table) {
			list = append(list, s.from)
		}
	}
	return list
}
