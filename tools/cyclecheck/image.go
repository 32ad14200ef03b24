package cyclecheck

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
)

// image is the program as it runs: functions of machine code.
type image struct {
	machine  elf.Machine
	sections []section // that are loaded
	funcs    []*function
	named    map[string][]*function // by canonical name
	declared map[place][]*function  // by where they are declared
}

type section struct {
	at   uint64
	data []byte
}

// place is a line of a source file.
type place struct {
	file string
	line int
}

// function is a function of the image. Several of them may have one name: instances of a generic function have other
// type arguments, and a function literal exists once for each place where its function was inlined.
type function struct {
	name       string
	entry, end uint64
	file       string // where it is declared
	line       int

	of   *lines
	info []byte
}

func openImage(file string) (*image, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, table := f.Section(".text"), f.Section(".gopclntab")
	if text == nil || table == nil {
		return nil, fmt.Errorf("%s: %w", file, errLines)
	}
	m := &image{machine: f.Machine, named: map[string][]*function{}, declared: map[place][]*function{}}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("%s: section %s: %w", file, s.Name, err)
		}
		m.sections = append(m.sections, section{s.Addr, data})
	}
	data, err := table.Data()
	if err != nil {
		return nil, fmt.Errorf("%s: section %s: %w", file, table.Name, err)
	}
	t, n, err := readLines(data, text.Addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range n {
		fn := t.function(i)
		m.funcs = append(m.funcs, fn)
		m.named[canonical(fn.name)] = append(m.named[canonical(fn.name)], fn)
		at := place{fn.file, fn.line}
		m.declared[at] = append(m.declared[at], fn)
	}
	return m, nil
}

// at returns the function that an address belongs to, or nil.
func (m *image) at(pc uint64) *function {
	i := sort.Search(len(m.funcs), func(i int) bool { return pc < m.funcs[i].end })
	if i == len(m.funcs) || pc < m.funcs[i].entry {
		return nil
	}
	return m.funcs[i]
}

// bytes returns what stands at an address, up to the end of its section.
func (m *image) bytes(at uint64) []byte {
	for _, s := range m.sections {
		if at >= s.at && at < s.at+uint64(len(s.data)) {
			return s.data[at-s.at:]
		}
	}
	return nil
}

func (m *image) code(f *function) []byte {
	if b := m.bytes(f.entry); uint64(len(b)) >= f.end-f.entry {
		return b[:f.end-f.entry]
	}
	return nil
}

// leadsInto reports whether a table of addresses stands there that lead into the function: the cases of a switch.
func (m *image) leadsInto(table uint64, f *function) bool {
	b := m.bytes(table)
	return len(b) >= 8 && f.has(binary.LittleEndian.Uint64(b))
}

// returnAddress returns what a call itself puts onto the stack. That of ARM is in the frame of the function that is called.
func (m *image) returnAddress() int {
	if m.machine == elf.EM_X86_64 {
		return 8
	}
	return 0
}

func (f *function) has(pc uint64) bool { return f.entry <= pc && pc < f.end }

// canonical returns the name of a function without type arguments, without the kind of its receiver, and without the mark
// of a method value: what names in the image and names in the source have in common.
func canonical(name string) string {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case quoted && c == '\\': // tags of fields are part of some names
			i++
		case depth > 0 && c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth > 0, c == '(', c == ')', c == '*':
		default:
			b.WriteByte(c)
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "-fm"), "%2e", ".")
}

// packageOf returns the import path of the package that a function belongs to.
func packageOf(name string) string {
	if i := strings.IndexAny(name, "[("); i >= 0 {
		name = name[:i]
	}
	start := strings.LastIndexByte(name, '/') + 1
	if i := strings.IndexByte(name[start:], '.'); i >= 0 {
		name = name[:start+i]
	}
	return strings.ReplaceAll(name, "%2e", ".")
}
