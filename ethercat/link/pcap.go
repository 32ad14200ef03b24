package link

import (
	"encoding/binary"
	"io"
)

// Packet is a frame and the time when it passed, in ns.
type Packet struct {
	Time  int64
	Frame []byte
}

// The format of pcap, with nanoseconds, little endian.
const (
	magicNano    = 0xa1b23c4d
	pcapHead     = 24
	packetHead   = 16
	kindEthernet = 1
	second       = 1_000_000_000
)

// WritePcap writes a recording. Times are counted from its zero.
func WritePcap(w io.Writer, packets []Packet) error {
	b := make([]byte, pcapHead)
	binary.LittleEndian.PutUint32(b, magicNano)
	binary.LittleEndian.PutUint16(b[4:], 2) // version 2.4
	binary.LittleEndian.PutUint16(b[6:], 4)
	binary.LittleEndian.PutUint32(b[16:], 1<<16)
	binary.LittleEndian.PutUint32(b[20:], kindEthernet)
	for _, p := range packets {
		t := max(0, p.Time)
		b = binary.LittleEndian.AppendUint32(b, uint32(t/second))
		b = binary.LittleEndian.AppendUint32(b, uint32(t%second))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Frame)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Frame)))
		b = append(b, p.Frame...)
	}
	_, err := w.Write(b)
	return err
}
