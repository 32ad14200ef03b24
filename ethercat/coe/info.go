package coe

import (
	"encoding/binary"
	"fmt"
)

// opcode is what a mail of SDO information is about (ETG.1000.6 §5.6.3).
type opcode uint8

const (
	listRequest opcode = iota + 1
	listResponse
	objectRequest
	objectResponse
	entryRequest
	entryResponse
	infoError

	infoSize   = 4 // opcode, reserved byte, fragments left
	moreFollow = 1 << 7
)

// List is a list of objects.
type List uint16

// Lists.
const (
	ListCounts   List = iota // not objects, but how many the other lists have
	ListAll                  // all objects
	ListRxPDO                // that can be mapped to outputs
	ListTxPDO                // that can be mapped to inputs
	ListBackup               // that are stored
	ListSettings             // that are written at start-up
	lists
)

// DataType is the number of a data type (ETG.1000.6 table 64).
type DataType uint16

// Data types.
const (
	Bool          DataType = 0x0001
	Int8          DataType = 0x0002
	Int16         DataType = 0x0003
	Int32         DataType = 0x0004
	Uint8         DataType = 0x0005
	Uint16        DataType = 0x0006
	Uint32        DataType = 0x0007
	Real32        DataType = 0x0008
	VisibleString DataType = 0x0009
	OctetString   DataType = 0x000a
	Real64        DataType = 0x0011
	Int64         DataType = 0x0015
	Uint64        DataType = 0x001b
	PDOMapping    DataType = 0x0021
	IdentityType  DataType = 0x0023
	Bits1         DataType = 0x0030 // up to 0x0037 with eight bits
	Bits2         DataType = 0x0031
	Bits3         DataType = 0x0032
	Bits8         DataType = 0x0037
)

var typeNames = map[DataType]string{
	Bool: "BOOLEAN", Int8: "INTEGER8", Int16: "INTEGER16", Int32: "INTEGER32", Int64: "INTEGER64", Uint8: "UNSIGNED8", Uint16: "UNSIGNED16",
	Uint32: "UNSIGNED32", Uint64: "UNSIGNED64", Real32: "REAL32", Real64: "REAL64", VisibleString: "VISIBLE_STRING",
	OctetString: "OCTET_STRING", PDOMapping: "PDO_MAPPING", IdentityType: "IDENTITY",
}

// String returns the name of a type, or its number.
func (d DataType) String() string {
	if d >= Bits1 && d <= Bits8 {
		return fmt.Sprintf("BIT%d", d.Bits())
	}
	if name := typeNames[d]; name != "" {
		return name
	}
	return fmt.Sprintf("0x%04x", uint16(d))
}

// Bits returns the length of values of a type, 0 when it depends on the object.
func (d DataType) Bits() int {
	switch d {
	case Bool:
		return 1
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Real32:
		return 32
	case Int64, Uint64, Real64:
		return 64
	}
	if d >= Bits1 && d <= Bits8 {
		return int(d-Bits1) + 1
	}
	return 0
}

// Code is the kind of an object.
type Code uint8

// Object codes.
const (
	Variable Code = 7
	Array    Code = 8
	Record   Code = 9
)

// Object describes an object.
type Object struct {
	Index  uint16
	Type   DataType
	MaxSub uint8
	Code   Code
	Name   string
}

// Access is the access rights of an entry.
type Access uint16

// Access rights.
const (
	ReadPreOp Access = 1 << iota
	ReadSafeOp
	ReadOp
	WritePreOp
	WriteSafeOp
	WriteOp
	MapRxPDO
	MapTxPDO
	Backup
	Setting

	ReadAlways  = ReadPreOp | ReadSafeOp | ReadOp
	WriteAlways = WritePreOp | WriteSafeOp | WriteOp
)

// String is r, w or rw, with (Pre-Op) behind what may only be done there.
func (a Access) String() string {
	text := ""
	for _, f := range []struct {
		any, preOp Access
		word       string
	}{{ReadPreOp | ReadSafeOp | ReadOp, ReadPreOp, "r"}, {WritePreOp | WriteSafeOp | WriteOp, WritePreOp, "w"}} {
		switch now := a & f.any; {
		case now == 0:
		case now == f.preOp:
			text += f.word + "(Pre-Op)"
		default:
			text += f.word
		}
	}
	return text
}

// Entry describes an entry of an object.
type Entry struct {
	Index  uint16
	Sub    uint8
	Info   uint8 // which values stand behind the fixed part; this package neither asks for nor sends any
	Type   DataType
	Bits   uint16
	Access Access
	Name   string
}

func parseObject(b []byte) (o Object, ok bool) {
	const size = 6
	if len(b) < size {
		return Object{}, false
	}
	return Object{
		binary.LittleEndian.Uint16(b), DataType(binary.LittleEndian.Uint16(b[2:])), b[4], Code(b[5]), name(b[size:]),
	}, true
}

func parseEntry(b []byte) (e Entry, ok bool) {
	const size = 10
	if len(b) < size {
		return Entry{}, false
	}
	return Entry{
		binary.LittleEndian.Uint16(b), b[2], b[3], DataType(binary.LittleEndian.Uint16(b[4:])), binary.LittleEndian.Uint16(b[6:]),
		Access(binary.LittleEndian.Uint16(b[8:])), name(b[size:]),
	}, true
}

// name ends at a zero, which some slaves send and others do not.
func name(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// Mapping is an entry of an object that describes a PDO: the object at that place, and its bits. Index 0 fills gaps.
type Mapping uint32

// Map returns a mapping.
func Map(index uint16, sub, bits uint8) Mapping {
	return Mapping(index)<<16 | Mapping(sub)<<8 | Mapping(bits)
}

// Index returns the mapped object.
func (m Mapping) Index() uint16 { return uint16(m >> 16) }

// Sub returns the entry of it.
func (m Mapping) Sub() uint8 { return uint8(m >> 8) }

// Bits returns its length.
func (m Mapping) Bits() uint8 { return uint8(m) }

// Emergency is a message that a slave sends without being asked (ETG.1000.6 §5.6.4).
type Emergency struct {
	Code     uint16
	Register uint8
	Data     [5]byte
}

func parseEmergency(b []byte) (e Emergency, ok bool) {
	const size = 8
	if len(b) < size {
		return Emergency{}, false
	}
	e = Emergency{Code: binary.LittleEndian.Uint16(b), Register: b[2]}
	copy(e.Data[:], b[3:size])
	return e, true
}
