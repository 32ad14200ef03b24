package wire

import "math"

// Sizes and ids of the two datagrams.
const (
	MeasurementSize = 916
	CommandSize     = 376
	MeasurementID   = 0x2006
	CommandID       = 0x1005
)

// Joints is the number of joints, in the order A1, A2, E1, A3, A4, A5, A6.
const Joints = 7

// Refusal is the reason why a datagram is refused.
type Refusal uint8

// Faults of a datagram.
const (
	Good Refusal = iota
	WrongSize
	WrongID
	WrongLength // the size in the header differs
)

func (r Refusal) String() string {
	switch r {
	case Good:
		return "good"
	case WrongSize:
		return "its size is not one of FRI 1.0"
	case WrongID:
		return "its id is of another version of FRI"
	case WrongLength:
		return "its header gives another size"
	}
	return "unknown refusal"
}

// Header begins both datagrams. Size and id depend on the datagram.
type Header struct {
	Count     uint16 // of the sender, one more in each datagram
	Reflected uint16 // the newest count that the sender has heard
}

const headerSize = 8

// Newer reports whether a count came after another one. Counts begin again after 65535, so the shorter way round decides.
func Newer(count, than uint16) bool { return Ahead(count, than) > 0 }

// Ahead returns how many datagrams a count is ahead of another one, from -32768 to 32767.
func Ahead(count, of uint16) int { return int(int16(count - of)) }

// KRL are the variables that PC and KRL program exchange in each datagram. KRL counts them from 1.
type KRL struct {
	Real [16]float32
	Int  [16]int32
	Bool uint16 // by bits
}

// Bit returns one of the Booleans.
func (k *KRL) Bit(i int) bool { return k.Bool>>(uint(i)&15)&1 != 0 }

// SetBit sets one of them.
func (k *KRL) SetBit(i int, on bool) {
	if mask := uint16(1) << (uint(i) & 15); on {
		k.Bool |= mask
	} else {
		k.Bool &^= mask
	}
}

// SelfCheck reports whether numbers of this machine are those of the controller: its header file asks for that.
func SelfCheck() bool {
	var b [4]byte
	putFloats(b[:], []float32{math.Pi})
	return b == [4]byte{0xDB, 0x0F, 0x49, 0x40}
}

// The functions below take a value from the beginning of the bytes that are left, or put one there, and return what is left
// then. Where nothing is left values are 0, and nothing is put.

func word(b []byte) (v uint16, rest []byte) {
	if len(b) < 2 {
		return 0, nil
	}
	return uint16(b[0]) | uint16(b[1])<<8, b[2:]
}

func long(b []byte) (v uint32, rest []byte) {
	if len(b) < 4 {
		return 0, nil
	}
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24, b[4:]
}

func float(b []byte) (v float32, rest []byte) {
	bits, rest := long(b)
	return math.Float32frombits(bits), rest
}

func floats(b []byte, into []float32) []byte {
	for i := range into {
		into[i], b = float(b)
	}
	return b
}

func putWord(b []byte, v uint16) []byte {
	if len(b) < 2 {
		return nil
	}
	b[0], b[1] = byte(v), byte(v>>8)
	return b[2:]
}

func putLong(b []byte, v uint32) []byte {
	if len(b) < 4 {
		return nil
	}
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	return b[4:]
}

func putFloat(b []byte, v float32) []byte { return putLong(b, math.Float32bits(v)) }

func putFloats(b []byte, values []float32) []byte {
	for _, v := range values {
		b = putFloat(b, v)
	}
	return b
}

// check looks at size and id of a datagram.
func check(b []byte, size int, id uint16) Refusal {
	if len(b) < headerSize {
		return WrongSize
	}
	_, rest := long(b)
	length, rest := word(rest)
	is, _ := word(rest)
	switch {
	case is != id:
		return WrongID
	case len(b) != size:
		return WrongSize
	case int(length) != size:
		return WrongLength
	}
	return Good
}

func (h *Header) decode(b []byte) []byte {
	h.Count, b = word(b)
	h.Reflected, b = word(b)
	_, b = long(b)
	return b
}

func (h *Header) encode(b []byte, size int, id uint16) []byte {
	b = putWord(b, h.Count)
	b = putWord(b, h.Reflected)
	b = putWord(b, uint16(size))
	return putWord(b, id)
}

func (k *KRL) decode(b []byte) []byte {
	b = floats(b, k.Real[:])
	for i := range k.Int {
		var v uint32
		v, b = long(b)
		k.Int[i] = int32(v)
	}
	k.Bool, b = word(b)
	_, b = word(b)
	return b
}

func (k *KRL) encode(b []byte) []byte {
	b = putFloats(b, k.Real[:])
	for _, v := range k.Int {
		b = putLong(b, uint32(v))
	}
	b = putWord(b, k.Bool)
	return putWord(b, 0)
}
