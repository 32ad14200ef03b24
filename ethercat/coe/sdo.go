package coe

import "encoding/binary"

// Sizes of headers.
const (
	coeSize = 2
	sdoSize = 8 // command, index, subindex and four bytes
)

// service is what a mail of CoE is about, in the upper bits of its header.
type service uint8

const (
	serviceEmergency service = 1
	serviceRequest   service = 2
	serviceResponse  service = 3
	serviceInfo      service = 8
)

// Parts of command bytes of SDOs (ETG.1000.6 §5.6.2).
const (
	downloadSegment  = 0 << 5 // of a client
	downloadInitiate = 1 << 5
	uploadInitiate   = 2 << 5
	uploadSegment    = 3 << 5
	abortTransfer    = 4 << 5

	uploadSegmentAnswer    = 0 << 5 // of a server
	downloadSegmentAnswer  = 1 << 5
	uploadInitiateAnswer   = 2 << 5
	downloadInitiateAnswer = 3 << 5

	commandMask = 7 << 5
	toggleBit   = 1 << 4
	completeBit = 1 << 4
	expedited   = 1 << 1
	sizeGiven   = 1 << 0
	lastSegment = 1 << 0
)

// Limits of transfers.
const (
	// MostData is the largest length of an object; a client or server refuses more.
	MostData = 1 << 20

	leastSegment = 7 // bytes that a segment always has on the wire
	shortData    = 4 // bytes that fit into an expedited transfer
)

// unused returns the part of a command byte for the number of bytes that do not count.
func unused(n, of int) byte {
	if n >= of {
		return 0
	}
	return byte(of - n)
}

// mail is a mail that is being written.
type mail struct{ b []byte }

// newMail begins a mail of CoE; its header comes at the end.
func newMail(s service) *mail {
	b := make([]byte, HeaderSize, HeaderSize+coeSize+sdoSize)
	return &mail{binary.LittleEndian.AppendUint16(b, uint16(s)<<12)}
}

// sdo appends the header of an SDO.
func (m *mail) sdo(command byte, index uint16, sub uint8, word uint32) *mail {
	m.b = append(m.b, command)
	m.b = binary.LittleEndian.AppendUint16(m.b, index)
	m.b = append(m.b, sub)
	m.b = binary.LittleEndian.AppendUint32(m.b, word)
	return m
}

// segment appends a segment.
func (m *mail) segment(command byte, data []byte) *mail {
	m.b = append(append(m.b, command), data...)
	for i := len(data); i < leastSegment; i++ {
		m.b = append(m.b, 0)
	}
	return m
}

func (m *mail) add(data ...byte) *mail { m.b = append(m.b, data...); return m }

func (m *mail) word(v uint16) *mail { m.b = binary.LittleEndian.AppendUint16(m.b, v); return m }

func (m *mail) text(s string) *mail { m.b = append(m.b, s...); return m }

// complete writes the header.
func (m *mail) complete(t Type, counter uint8) []byte {
	Header{Length: uint16(len(m.b) - HeaderSize), Type: t, Counter: counter}.Put(m.b)
	return m.b
}

// sdo is the header of an SDO that has come.
type sdo struct {
	command byte
	index   uint16
	sub     uint8
	word    uint32
	data    []byte // behind the header
	short   []byte // the four bytes of it
	segment []byte // behind the command
}

func parseSDO(body []byte) (s sdo, ok bool) {
	if len(body) < sdoSize {
		return sdo{}, false
	}
	return sdo{
		body[0], binary.LittleEndian.Uint16(body[1:]), body[3], binary.LittleEndian.Uint32(body[4:]), body[sdoSize:], body[4:sdoSize], body[1:],
	}, true
}

// expeditedData returns the data of an expedited transfer, or false when the transfer is not one.
func (s *sdo) expeditedData() ([]byte, bool) {
	switch {
	case s.command&expedited == 0:
		return nil, false
	case s.command&sizeGiven == 0:
		return s.short, true
	}
	return s.short[:shortData-s.command>>2&3], true
}

// segmentData returns the data of a segment.
func (s *sdo) segmentData() []byte {
	if len(s.segment) <= leastSegment {
		return s.segment[:leastSegment-s.command>>1&7]
	}
	return s.segment
}

// parseCoE takes the headers of mail and CoE off.
func parseCoE(m []byte) (h Header, s service, body []byte, ok bool) {
	h, ok = ParseHeader(m)
	if !ok || h.Type != TypeCoE || h.Length < coeSize {
		return h, 0, nil, false
	}
	body = m[HeaderSize : HeaderSize+int(h.Length)]
	return h, service(binary.LittleEndian.Uint16(body) >> 12), body[coeSize:], true
}
