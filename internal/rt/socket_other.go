//go:build !linux || !(amd64 || arm64)

package rt

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
)

// Socket receives and sends datagrams of UDP. There are none here.
type Socket struct{}

// Listen reports that there are no sockets here.
func Listen(netip.AddrPort, []byte) (*Socket, error) {
	return nil, fmt.Errorf("real-time sockets: %w on %s/%s", errors.ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}

// Address returns where the socket listens.
func (s *Socket) Address() netip.AddrPort { return netip.AddrPort{} }

// Receive waits for a datagram.
func (s *Socket) Receive(*Real, int64, *Datagram) Reception { return Stopped }

// ReceiveDetached is Receive for detached threads.
func (s *Socket) ReceiveDetached(*Real, int64, *Datagram) Reception { return Stopped }

// Send sends a datagram.
func (s *Socket) Send([]byte, *Address) bool { return false }

// Stop ends waiting.
func (s *Socket) Stop() {}

// Close releases the socket.
func (s *Socket) Close() error { return nil }
