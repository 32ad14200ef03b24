package coe

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// Base data types besides those of info.go (ETG.1020 §5, ETG.1000.6 table 64).
const (
	UnicodeString DataType = 0x000b
	Int24         DataType = 0x0010
	Int40         DataType = 0x0012
	Int48         DataType = 0x0013
	Int56         DataType = 0x0014
	Uint24        DataType = 0x0016
	Uint40        DataType = 0x0018
	Uint48        DataType = 0x0019
	Uint56        DataType = 0x001a
	Byte          DataType = 0x001e
	Word          DataType = 0x001f
	Dword         DataType = 0x0020
	BitArray8     DataType = 0x002d
	BitArray16    DataType = 0x002e
	BitArray32    DataType = 0x002f
	Bits16        DataType = 0x003f
)

// plain are the types that have a fixed size, as device descriptions call them.
var plain = []struct {
	name string
	is   DataType
	bits int
}{
	{"BOOL", Bool, 1},
	{"SINT", Int8, 8},
	{"INT", Int16, 16},
	{"INT24", Int24, 24},
	{"DINT", Int32, 32},
	{"INT40", Int40, 40},
	{"INT48", Int48, 48},
	{"INT56", Int56, 56},
	{"LINT", Int64, 64},
	{"USINT", Uint8, 8},
	{"UINT", Uint16, 16},
	{"UINT24", Uint24, 24},
	{"UDINT", Uint32, 32},
	{"UINT40", Uint40, 40},
	{"UINT48", Uint48, 48},
	{"UINT56", Uint56, 56},
	{"ULINT", Uint64, 64},
	{"REAL", Real32, 32},
	{"LREAL", Real64, 64},
	{"BYTE", Byte, 8},
	{"WORD", Word, 16},
	{"DWORD", Dword, 32},
	{"BITARR8", BitArray8, 8},
	{"BITARR16", BitArray16, 16},
	{"BITARR32", BitArray32, 32},
}

// TypeNamed returns the type of a name as in device descriptions, such as UINT or BIT3, and its bits. Of strings these are 0.
func TypeNamed(name string) (is DataType, bits int, ok bool) {
	name = strings.ToUpper(name)
	for _, p := range plain {
		if p.name == name {
			return p.is, p.bits, true
		}
	}
	if digits, is := strings.CutPrefix(name, "BIT"); is {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= 16 {
			return Bits1 + DataType(n-1), n, true
		}
	}
	switch {
	case name == "STRING" || strings.HasPrefix(name, "STRING("):
		return VisibleString, 0, true
	case strings.HasPrefix(name, "ARRAY [") && strings.HasSuffix(name, "OF BYTE"):
		return OctetString, 0, true
	}
	return 0, 0, false
}

// Plain returns the name of a type as in device descriptions, and its bits; none when its size is not fixed.
func (d DataType) Plain() (name string, bits int) {
	for _, p := range plain {
		if p.is == d {
			return p.name, p.bits
		}
	}
	if d >= Bits1 && d <= Bits16 {
		bits = int(d-Bits1) + 1
		return "BIT" + strconv.Itoa(bits), bits
	}
	return "", 0
}

// Signed reports whether numbers of the type have a sign.
func (d DataType) Signed() bool {
	switch d {
	case Int8, Int16, Int24, Int32, Int40, Int48, Int56, Int64:
		return true
	}
	return false
}

// Real reports whether numbers of the type have fractions.
func (d DataType) Real() bool { return d == Real32 || d == Real64 }

// Format returns a value as text, by its type; false if that has no fixed size, or the value has another.
func (d DataType) Format(data []byte) (text string, ok bool) {
	_, bits := d.Plain()
	if bits == 0 || len(data) != (bits+7)/8 {
		return "", false
	}
	var word [8]byte
	copy(word[:], data)
	u := binary.LittleEndian.Uint64(word[:])
	switch {
	case d == Bool:
		return strconv.FormatBool(u != 0), true
	case d == Real32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(u))), 'g', -1, 32), true
	case d == Real64:
		return strconv.FormatFloat(math.Float64frombits(u), 'g', -1, 64), true
	case d.Signed():
		return strconv.FormatInt(int64(u<<(64-bits))>>(64-bits), 10), true
	}
	return strconv.FormatUint(u, 10), true
}
