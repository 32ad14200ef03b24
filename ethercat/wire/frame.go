package wire

import "encoding/binary"

// Sizes, in bytes.
const (
	EthernetHeader = 14
	FrameHeader    = 2
	DatagramHeader = 10
	CounterSize    = 2
	Overhead       = DatagramHeader + CounterSize // of a datagram

	ShortestFrame = 60   // without the check sum
	LongestFrame  = 1514 // without the check sum and a VLAN tag
	MostData      = LongestFrame - EthernetHeader - FrameHeader - Overhead
)

// EtherType is the type of frames of EtherCAT; it is big endian. Port is the port of UDP.
const (
	EtherType = 0x88a4
	Port      = 0x88a4
)

// MAC is an address of Ethernet.
type MAC [6]byte

// Everybody is the address to which frames go. Slaves process every frame, whatever its address.
var Everybody = MAC{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// Processed is the bit that the first slave sets in the first byte of the sender's address (ETG.1000.4 §4.4). An answer of
// slaves that are programs may be without it.
const Processed = 0x02

// sender is where the address of the sender stands.
const sender = 6

// WasProcessed reports whether a slave has set that bit in a frame (cycle).
func WasProcessed(frame []byte) bool { return len(frame) > sender && frame[sender]&Processed != 0 }

// SetProcessed sets that bit (cycle).
func SetProcessed(frame []byte) {
	if len(frame) > sender {
		frame[sender] |= Processed
	}
}

// Sender returns the sender's address of a frame, without the bit that slaves set (cycle).
func Sender(frame []byte) (from MAC) {
	if b := cut(frame, sender, sender+len(from)); len(b) >= len(from) {
		copy(from[:], b)
		from[0] &^= Processed
	}
	return from
}

// Kinds of what follows the header of a frame.
const (
	kindDatagrams = 1
	lengthMask    = 0x07ff
)

// Bits of the length field of a datagram.
const (
	circulating = 1 << 14
	more        = 1 << 15
)

// Datagram is one command to slaves and its result.
type Datagram struct {
	Command     Command
	Index       uint8 // free for the master, to know its answers by
	Address     Address
	Circulating bool // has passed a slave whose port 0 is closed
	More        bool // others follow
	Events      uint16
	Data        []byte // lies in the frame
	Counter     uint16 // the working counter
	At          int    // where in the frame the header of the datagram begins
}

// Writer puts datagrams into a buffer (cycle). It neither grows nor clears more of it than it uses.
type Writer struct {
	buffer []byte
	from   MAC
	length int // of the frame so far
	last   int // header of the last datagram, 0 when there is none
}

// NewWriter makes a writer of Ethernet frames from a sender (load).
func NewWriter(buffer []byte, from MAC) *Writer {
	w := &Writer{buffer: buffer, from: from}
	w.Clear()
	return w
}

// Clear begins a new frame (cycle). All of the header is written again: the buffer may have a frame that came back, with a
// changed header.
func (w *Writer) Clear() {
	w.length, w.last = EthernetHeader+FrameHeader, 0
	if b := w.buffer; len(b) >= EthernetHeader {
		for i := range sender {
			b[i], b[sender+i] = Everybody[i], w.from[i]
		}
		binary.BigEndian.PutUint16(b[2*sender:], EtherType)
	}
}

// Room returns how much data one more datagram could have, negative when there is no room for another one (cycle).
func (w *Writer) Room() int {
	return min(len(w.buffer), LongestFrame) - w.length - Overhead
}

// Add appends a datagram whose data is zero and returns where in the frame its data begins, or false when there is no room for
// it (cycle).
func (w *Writer) Add(c Command, index uint8, a Address, size int) (at int, ok bool) {
	if size < 0 || size > w.Room() {
		return 0, false
	}
	begin, end := w.length, w.length+Overhead+size
	b := w.buffer
	d := cut(b, begin, end)
	if len(d) < Overhead {
		return 0, false
	}
	if w.last > 0 {
		setBit(b, w.last+6, more)
	}
	copy(d, zeros[:])
	d[0], d[1] = byte(c), index
	binary.LittleEndian.PutUint32(d[2:], uint32(a))
	binary.LittleEndian.PutUint16(d[6:], uint16(size))
	w.last, w.length = begin, end
	return begin + DatagramHeader, true
}

// Write appends a datagram with data (cycle).
func (w *Writer) Write(c Command, index uint8, a Address, data []byte) (at int, ok bool) {
	if at, ok = w.Add(c, index, a, len(data)); ok {
		copy(w.Data(at, len(data)), data)
	}
	return at, ok
}

// Data returns the data of a datagram that was added (cycle).
func (w *Writer) Data(at, size int) []byte { return cut(w.buffer, at, at+size) }

// Frame completes the frame and returns it, padded to the shortest one that Ethernet has (cycle).
func (w *Writer) Frame() []byte {
	b := w.buffer
	header := cut(b, EthernetHeader, EthernetHeader+FrameHeader)
	if len(header) < FrameHeader {
		return nil
	}
	datagrams := w.length - EthernetHeader - FrameHeader
	binary.LittleEndian.PutUint16(header, uint16(datagrams&lengthMask)|kindDatagrams<<12)
	end := w.length
	if end >= 0 && end < ShortestFrame && len(b) >= ShortestFrame {
		copy(b[end:ShortestFrame], zeros[:])
		end = ShortestFrame
	}
	return cut(b, 0, end)
}

// zeros are what a datagram is made of.
var zeros [LongestFrame]byte

// cut returns a part of a frame, nil where there is none: in the cycle nothing may end with a panic (cycle).
// By itself the compiler sees that it cannot; where it is put into others it does not always.
//
//go:noinline
func cut(b []byte, from, to int) []byte {
	f, t := uint(from), uint(to)
	if f > t || t > uint(len(b)) {
		return nil
	}
	return b[f:t]
}

// bigWord is 16 bits of a frame in the order of the network, 0 where there are none (cycle).
func bigWord(b []byte, at int) uint16 {
	if v := cut(b, at, at+2); len(v) >= 2 {
		return binary.BigEndian.Uint16(v)
	}
	return 0
}

func setBit(b []byte, at int, bit uint16) {
	if v := cut(b, at, at+2); len(v) >= 2 {
		binary.LittleEndian.PutUint16(v, binary.LittleEndian.Uint16(v)|bit)
	}
}

// Fault is the reason why a frame is not taken.
type Fault uint8

// Faults.
const (
	Good         Fault = iota
	Foreign            // not EtherCAT
	OtherKind          // EtherCAT, but no datagrams
	CutShort           // ends before its headers say
	OutOfBounds        // a datagram goes beyond its frame
	WrongCommand       // there is no such command
)

var faults = [...]string{
	Good: "good", Foreign: "not a frame of EtherCAT", OtherKind: "a frame without datagrams", CutShort: "the frame is cut short",
	OutOfBounds: "a datagram goes beyond its frame", WrongCommand: "there is no such command",
}

func (f Fault) String() string {
	if int(f) < len(faults) {
		return faults[f]
	}
	return "?"
}

// Reader goes through the datagrams of a frame (cycle). The zero value has none.
type Reader struct {
	frame    []byte
	at       int
	end      int
	ethernet bool
	fault    Fault
}

// Open begins to read an Ethernet frame, also one with a VLAN tag or with EtherCAT in UDP (cycle).
func Open(frame []byte) Reader {
	at, ok := payload(frame)
	if !ok {
		return Reader{fault: Foreign}
	}
	h := cut(frame, at, at+FrameHeader)
	if len(h) < FrameHeader {
		return Reader{fault: CutShort}
	}
	header := binary.LittleEndian.Uint16(h)
	r := Reader{frame: frame, at: at + FrameHeader, ethernet: true}
	r.end = r.at + int(header&lengthMask)
	switch {
	case header>>12 != kindDatagrams:
		return Reader{fault: OtherKind}
	case r.end > len(frame):
		return Reader{fault: CutShort}
	}
	return r
}

// Follow begins to read an Ethernet frame as slave controllers do: they go from datagram to datagram by their lengths and M bits, and
// do not look at the length in the header, which some masters get wrong.
func Follow(frame []byte) Reader {
	at, ok := payload(frame)
	if !ok {
		return Reader{fault: Foreign}
	}
	r := FollowPayload(frame[at:])
	r.frame, r.at, r.end, r.ethernet = frame, r.at+at, r.end+at, true
	return r
}

// FollowPayload is Follow for what came over UDP.
func FollowPayload(payload []byte) Reader {
	if len(payload) < FrameHeader {
		return Reader{fault: CutShort}
	}
	if payload[1]>>4 != kindDatagrams {
		return Reader{fault: OtherKind}
	}
	return Reader{frame: payload, at: FrameHeader, end: len(payload)}
}

// Tags that may lie between the Ethernet header and EtherCAT.
const (
	typeVLAN = 0x8100
	typeIPv4 = 0x0800
	udp      = 17
)

// payload finds the frame header in an Ethernet frame.
func payload(frame []byte) (at int, ok bool) {
	at = EthernetHeader
	if len(frame) < at {
		return 0, false
	}
	kind := bigWord(frame, at-2)
	if kind == typeVLAN && len(frame) >= at+4 {
		at += 4
		kind = bigWord(frame, at-2)
	}
	switch kind {
	case EtherType:
		return at, true
	case typeIPv4:
		return payloadOfIP(frame, at)
	}
	return 0, false
}

func payloadOfIP(frame []byte, at int) (int, bool) {
	ip := cut(frame, at, at+20)
	if len(ip) < 20 || ip[0]>>4 != 4 || ip[9] != udp {
		return 0, false
	}
	at += int(ip[0]&0x0f) * 4
	if len(frame) < at+8 || bigWord(frame, at+2) != Port {
		return 0, false
	}
	return at + 8, true
}

// Fault returns why there is no further datagram; Good at the end of a frame.
func (r *Reader) Fault() Fault { return r.fault }

// Next reads a datagram, or reports that no more are left (cycle).
func (r *Reader) Next() (d Datagram, ok bool) {
	if r.fault != Good || r.at >= r.end {
		return Datagram{}, false
	}
	b := cut(r.frame, r.at, r.end)
	if len(b) < Overhead {
		r.fault = OutOfBounds
		return Datagram{}, false
	}
	length := binary.LittleEndian.Uint16(b[6:])
	size := int(length & lengthMask)
	data, counter := cut(b, DatagramHeader, DatagramHeader+size), cut(b, DatagramHeader+size, Overhead+size)
	if len(counter) < CounterSize {
		r.fault = OutOfBounds
		return Datagram{}, false
	}
	d = Datagram{
		Command: Command(b[0]), Index: b[1], Address: Address(binary.LittleEndian.Uint32(b[2:])),
		Circulating: length&circulating != 0, More: length&more != 0, Events: binary.LittleEndian.Uint16(b[8:]),
		Data: data, Counter: binary.LittleEndian.Uint16(counter), At: r.at,
	}
	if !d.Command.Known() {
		r.fault = WrongCommand
		return Datagram{}, false
	}
	r.at += Overhead + size
	if !d.More {
		r.end = r.at
	}
	return d, true
}

// Update writes back what slaves change in a datagram beside its data: address, circulating bit, events and working counter
// (cycle).
func (d *Datagram) Update(frame []byte) {
	end := d.At + DatagramHeader + len(d.Data)
	if d.At < 0 || end+CounterSize > len(frame) {
		return
	}
	b := frame[d.At : end+CounterSize]
	binary.LittleEndian.PutUint32(b[2:], uint32(d.Address))
	if d.Circulating {
		setBit(b, 6, circulating)
	}
	binary.LittleEndian.PutUint16(b[8:], d.Events)
	binary.LittleEndian.PutUint16(b[DatagramHeader+len(d.Data):], d.Counter)
}

// Ethernet reports whether the frame began with an Ethernet header.
func (r *Reader) Ethernet() bool { return r.ethernet }
