//go:build !linux || !(amd64 || arm64)

package rt

import (
	"errors"
	"fmt"
	"runtime"
)

// Packet receives and sends frames of Ethernet. There are none here.
type Packet struct{}

// OpenPacket reports that there are no such sockets here.
func OpenPacket(string, uint16) (*Packet, error) {
	return nil, fmt.Errorf("frames of Ethernet: %w on %s/%s", errors.ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}

// MAC returns the address of the interface.
func (p *Packet) MAC() [6]byte { return [6]byte{} }

// Receive waits for a frame.
func (p *Packet) Receive(*Real, int64, []byte) (int, Reception) { return 0, Stopped }

// ReceiveDetached is Receive for detached threads.
func (p *Packet) ReceiveDetached(*Real, int64, int64, []byte) (int, Reception) { return 0, Stopped }

// Send sends a frame.
func (p *Packet) Send([]byte) bool { return false }

// Stop ends waiting.
func (p *Packet) Stop() {}

// Close releases the socket.
func (p *Packet) Close() error { return nil }
