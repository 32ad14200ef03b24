package link

import "github.com/softrobot-rcc/rccd/ethercat/wire"

// Link carries frames. One thread at a time uses it; Close is called when none does any more.
type Link interface {
	// Send sends a frame, or reports that it was not taken (cycle). The frame may be overwritten at once.
	Send(frame []byte) bool
	// Receive waits for a frame until an instant and writes it into room (cycle). A frame that is there already is received whatever
	// the time; a frame longer than the room is cut.
	Receive(room []byte, until int64) (n int, ok bool)
	// Now returns the time of its clock, in ns from a zero of its own (cycle).
	Now() int64
	Close() error
}

// Patient is a Link whose Receive keeps the runtime of Go from going on while it waits, because it is for detached threads. Await is
// the same for goroutines.
type Patient interface {
	Link
	Await(room []byte, until int64) (n int, ok bool)
}

// Addressed is a Link that knows which address its frames should come from, so that a master can distinguish its own from those
// of another one on the same cable.
type Addressed interface {
	Link
	Sender() wire.MAC
}

// NoSender is the sender (wire.Sender) of frames that came without one, as over UDP.
var NoSender = wire.MAC{0xff &^ wire.Processed, 0xff, 0xff, 0xff, 0xff, 0xff}

// WireTime returns how long a frame takes on a cable of 100 Mbit/s, with preamble, check sum and gap (cycle).
func WireTime(frame int) int64 { return int64(frame+24) * 80 }
