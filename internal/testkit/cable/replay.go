package cable

import (
	"bytes"
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Replay is a Link that answers out of a recording: to the n-th frame comes what came then, at the time at which it came. It is
// the far end of a bus of which there is only a file, and notices when a master does not do any more what it did.
type Replay struct {
	packets []link.Packet
	at      int
	now     int64
	differs error
}

// NewReplay makes a link out of a recording.
func NewReplay(packets []link.Packet) *Replay {
	r := &Replay{packets: packets}
	if len(packets) > 0 {
		r.now = packets[0].Time
	}
	return r
}

// Now returns the time of the recording.
func (r *Replay) Now() int64 { return r.now }

// Advance lets time go on to an instant.
func (r *Replay) Advance(to int64) { r.now = max(r.now, to) }

// Sender returns who has sent what was recorded.
func (r *Replay) Sender() wire.MAC {
	if len(r.packets) == 0 {
		return link.NoSender
	}
	return wire.Sender(r.packets[0].Frame)
}

// Send compares a frame with the next one that was sent then.
func (r *Replay) Send(frame []byte) bool {
	for r.at < len(r.packets) && answered(r.packets[r.at].Frame) {
		r.at++ // it came too late for whoever was waiting
	}
	switch {
	case r.differs != nil:
		return false
	case r.at >= len(r.packets):
		r.differs = fmt.Errorf("replay: a frame was sent after the end of the recording: %x", frame)
		return false
	}
	p := &r.packets[r.at]
	if !bytes.Equal(p.Frame, frame) {
		r.differs = fmt.Errorf("replay: packet %d differs: recorded %x, sent %x", r.at+1, p.Frame, frame)
		return false
	}
	r.now = max(r.now, p.Time)
	r.at++
	return true
}

// Receive returns the answer that comes next in the recording.
func (r *Replay) Receive(room []byte, until int64) (n int, ok bool) {
	if r.at < len(r.packets) && answered(r.packets[r.at].Frame) && r.packets[r.at].Time <= max(until, r.now) {
		p := &r.packets[r.at]
		r.now = max(r.now, p.Time)
		r.at++
		return copy(room, p.Frame), true
	}
	r.now = max(r.now, until)
	return 0, false
}

// Err is where the master has left the recording, or that it did not come to its end.
func (r *Replay) Err() error {
	if r.differs == nil && r.at < len(r.packets) {
		return fmt.Errorf("replay: ended after %d of %d packets", r.at, len(r.packets))
	}
	return r.differs
}

// Close does nothing.
func (r *Replay) Close() error { return nil }
