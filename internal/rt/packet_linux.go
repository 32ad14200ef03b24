//go:build amd64 || arm64

package rt

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Packet receives and sends whole frames of one EtherType on one interface, by system calls and nothing else, so that a detached
// thread may do it. One thread at a time receives, one sends; Stop may be called by any.
type Packet struct {
	fd, bell int // the bell is an eventfd that is readable once the socket has been stopped
	mac      [6]byte
	stopped  atomic.Bool
	polled   [2]unix.PollFd
}

// OpenPacket opens a socket on an interface, which must be up. It needs CAP_NET_RAW.
//
// Frames that the socket sends, or others on the same interface, it does not see: a socket of one EtherType is not given its own,
// and the kernel is asked to leave out the others.
func OpenPacket(name string, etherType uint16) (*Packet, error) {
	card, err := net.InterfaceByName(name)
	if err != nil {
		return nil, fmt.Errorf("interface %s: %w", name, err)
	}
	if card.Flags&net.FlagUp == 0 {
		return nil, fmt.Errorf("interface %s: %w: %w", name, ErrDown, unix.ENETDOWN)
	}
	p := &Packet{fd: -1, bell: -1}
	copy(p.mac[:], card.HardwareAddr)
	if err := p.open(card.Index, swapped(etherType)); err != nil {
		return nil, errors.Join(fmt.Errorf("interface %s: %w", name, err), p.Close())
	}
	p.polled = [2]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}, {Fd: int32(p.bell), Events: unix.POLLIN}}
	return p, nil
}

func (p *Packet) open(index int, protocol uint16) (err error) {
	// Without a protocol nothing comes before the socket is bound to its interface.
	if p.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0); err != nil {
		return os.NewSyscallError("socket", err)
	}
	_ = unix.SetsockoptInt(p.fd, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 1) // since Linux 4.20
	everything := unix.PacketMreq{Ifindex: int32(index), Type: unix.PACKET_MR_PROMISC}
	if err = unix.SetsockoptPacketMreq(p.fd, unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP, &everything); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	if err = unix.Bind(p.fd, &unix.SockaddrLinklayer{Protocol: protocol, Ifindex: index}); err != nil {
		return os.NewSyscallError("bind", err)
	}
	if p.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	return nil
}

// MAC returns the address of the interface.
func (p *Packet) MAC() [6]byte { return p.mac }

// Receive waits for a frame until an instant of a clock, which may be Never, and writes it into room; a longer one is cut off. A
// frame that has already come is received whatever the time.
func (p *Packet) Receive(c *Real, until int64, room []byte) (int, Reception) {
	for {
		ts := c.left(until)
		_, _, _ = unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&p.polled)), uintptr(len(p.polled)),
			uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
		if n, how, ended := p.look(c, until, room); ended {
			return n, how
		}
	}
}

// ReceiveDetached is Receive for detached threads. Up to the instant awake it asks again and again before it sleeps, which takes the time
// out that a CPU needs to wake up (cycle).
func (p *Packet) ReceiveDetached(c *Real, until, awake int64, room []byte) (int, Reception) {
	for {
		if n, how, ended := p.look(c, until, room); ended {
			return n, how
		}
		if c.Now() < awake {
			continue
		}
		ts := c.left(until)
		_, _, _ = unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&p.polled)), uintptr(len(p.polled)),
			uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	}
}

// look finds out why a wait has ended; it may have been for nothing.
func (p *Packet) look(c *Real, until int64, room []byte) (n int, how Reception, ended bool) {
	if p.stopped.Load() {
		return 0, Stopped, true
	}
	if n, ok := p.take(room); ok {
		return n, Received, true
	}
	return 0, TimedOut, c.Now() >= until
}

// take receives a frame if there is one.
func (p *Packet) take(room []byte) (n int, ok bool) {
	if len(room) == 0 {
		return 0, false
	}
	got, _, err := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(p.fd), uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)),
		unix.MSG_DONTWAIT, 0, 0)
	if err != 0 {
		return 0, false
	}
	return int(got), true
}

// Send sends a frame, or reports that the system did not take it (cycle).
func (p *Packet) Send(frame []byte) bool {
	if len(frame) == 0 {
		return false
	}
	n, _, err := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(p.fd), uintptr(unsafe.Pointer(&frame[0])), uintptr(len(frame)),
		unix.MSG_DONTWAIT, 0, 0)
	return err == 0 && int(n) == len(frame)
}

// Stop ends waiting, now and later.
func (p *Packet) Stop() {
	p.stopped.Store(true)
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, uintptr(p.bell), uintptr(unsafe.Pointer(&one)), unsafe.Sizeof(one))
}

// Close releases the socket, when it is not in use any more.
func (p *Packet) Close() error {
	var errs []error
	for _, fd := range []int{p.fd, p.bell} {
		if fd >= 0 {
			errs = append(errs, os.NewSyscallError("close", unix.Close(fd)))
		}
	}
	p.fd, p.bell = -1, -1
	return errors.Join(errs...)
}
