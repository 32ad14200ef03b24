//go:build amd64 || arm64

package rt

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Socket receives and sends datagrams of UDP by system calls and nothing else, without the poller of the runtime, so that a
// detached thread may do it. One thread at a time receives and sends; Stop may be called by any.
type Socket struct {
	fd      int
	bell    int // eventfd that is readable once the socket has been stopped
	alarm   int // timerfd that ends waiting
	at      netip.AddrPort
	six     bool
	stopped atomic.Bool
	armed   int64 // when the alarm is to ring, on the clock of the machine, or Never

	// Where the kernel puts what it has received. The pointers are made once and lead into the socket itself.
	room    []byte
	head    unix.Msghdr
	part    unix.Iovec
	name    unix.RawSockaddrInet6 // or the shorter one of IPv4
	control struct {
		is    unix.Cmsghdr
		stamp unix.Timespec
	}
	polled [3]unix.PollFd
}

// Listen opens a socket at an address, where port 0 takes a free one. Datagrams are written into room, which must not be empty.
func Listen(at netip.AddrPort, room []byte) (*Socket, error) {
	s := &Socket{fd: -1, bell: -1, alarm: -1, six: !at.Addr().Unmap().Is4(), armed: Never, room: room}
	if err := s.listen(at); err != nil {
		return nil, errors.Join(fmt.Errorf("listen at %v: %w", at, err), s.Close())
	}
	s.part.Base = &room[0]
	s.part.SetLen(len(room))
	s.head.Iov = &s.part
	s.head.SetIovlen(1)
	s.head.Name = (*byte)(unsafe.Pointer(&s.name))
	s.head.Control = (*byte)(unsafe.Pointer(&s.control))
	for i, fd := range []int{s.fd, s.bell, s.alarm} {
		s.polled[i] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	}
	return s, nil
}

func (s *Socket) listen(at netip.AddrPort) (err error) {
	family, name := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{Port: int(at.Port())})
	if s.six {
		family, name = unix.AF_INET6, &unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()}
	} else {
		name.(*unix.SockaddrInet4).Addr = at.Addr().Unmap().As4()
	}
	if s.fd, err = unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return os.NewSyscallError("socket", err)
	}
	_ = unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) // without it there are stamps of the thread
	if err = unix.Bind(s.fd, name); err != nil {
		return os.NewSyscallError("bind", err)
	}
	if s.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	if s.alarm, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK); err != nil {
		return os.NewSyscallError("timerfd_create", err)
	}
	bound, err := unix.Getsockname(s.fd)
	if err != nil {
		return os.NewSyscallError("getsockname", err)
	}
	port := at.Port()
	switch is := bound.(type) {
	case *unix.SockaddrInet4:
		port = uint16(is.Port)
	case *unix.SockaddrInet6:
		port = uint16(is.Port)
	}
	s.at = netip.AddrPortFrom(at.Addr(), port)
	return nil
}

// Address returns where the socket listens.
func (s *Socket) Address() netip.AddrPort { return s.at }

// Receive waits for a datagram until an instant of a clock, which may be Never. A datagram that has already come is received
// whatever the time.
func (s *Socket) Receive(c *Real, until int64, d *Datagram) Reception {
	for {
		s.arm(c, until)
		_, _, _ = unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&s.polled)), uintptr(len(s.polled)), 0, 0, 0, 0)
		if how, ended := s.look(c, until, d); ended {
			return how
		}
	}
}

// ReceiveDetached is Receive for detached threads (cycle).
func (s *Socket) ReceiveDetached(c *Real, until int64, d *Datagram) Reception {
	for {
		s.arm(c, until)
		_, _, _ = unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&s.polled)), uintptr(len(s.polled)), 0, 0, 0, 0)
		if how, ended := s.look(c, until, d); ended {
			return how
		}
	}
}

// arm sees to it that the alarm rings at an instant, or before. One that rings before is left as it is: the waiting thread is woken for
// nothing now and then, and in return no timer is set for each datagram. That would take longer than receiving it, as the
// timer is nearly always the next one of its CPU.
func (s *Socket) arm(c *Real, until int64) {
	at := c.zero + min(until, farthest)
	if until == Never || at >= s.armed {
		return
	}
	s.armed = at
	is := unix.ItimerSpec{Value: unix.NsecToTimespec(max(1, at))}
	_, _, _ = unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, uintptr(s.alarm), unix.TFD_TIMER_ABSTIME, uintptr(unsafe.Pointer(&is)), 0, 0, 0)
}

// look finds out why a wait has ended; it may have been for nothing.
func (s *Socket) look(c *Real, until int64, d *Datagram) (how Reception, ended bool) {
	switch {
	case s.stopped.Load():
		return Stopped, true
	case s.take(c, d):
		return Received, true
	}
	var rung uint64
	if n, _, _ := unix.RawSyscall(unix.SYS_READ, uintptr(s.alarm), uintptr(unsafe.Pointer(&rung)), unsafe.Sizeof(rung)); n == unsafe.Sizeof(rung) {
		s.armed = Never
	}
	return TimedOut, c.Now() >= until
}

// take receives a datagram if there is one.
func (s *Socket) take(c *Real, d *Datagram) bool {
	h := &s.head
	h.Namelen, h.Controllen, h.Flags = uint32(unsafe.Sizeof(s.name)), uint64(unsafe.Sizeof(s.control)), 0
	n, _, err := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(s.fd), uintptr(unsafe.Pointer(h)), unix.MSG_DONTWAIT|unix.MSG_TRUNC)
	if err != 0 {
		return false
	}
	d.Length, d.From = int(n), s.from()
	age, known := s.age()
	d.Taken, d.InKernel = c.Now(), known
	d.Arrived = d.Taken - age
	return true
}

// from returns who has sent the datagram.
func (s *Socket) from() (a Address) {
	if s.six {
		a.IP, a.Scope, a.Port = s.name.Addr, s.name.Scope_id, swapped(s.name.Port)
		return a
	}
	four := (*unix.RawSockaddrInet4)(unsafe.Pointer(&s.name))
	a.IP[10], a.IP[11] = 0xff, 0xff
	a.IP[12], a.IP[13], a.IP[14], a.IP[15] = four.Addr[0], four.Addr[1], four.Addr[2], four.Addr[3]
	a.Port = swapped(four.Port)
	return a
}

// swapped exchanges the order of the bytes of the network and that of the machine: both architectures put the lower one first.
func swapped(port uint16) uint16 { return port<<8 | port>>8 }

// oldest is an age that no datagram has: the clock of the system, by which the kernel stamps, was set.
const oldest = 10e9

// age returns how long ago the datagram arrived, if the kernel knows.
func (s *Socket) age() (ns int64, known bool) {
	if s.head.Controllen < uint64(unsafe.Sizeof(s.control)) || s.control.is.Level != unix.SOL_SOCKET || s.control.is.Type != unix.SCM_TIMESTAMPNS {
		return 0, false
	}
	var now unix.Timespec
	_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&now)), 0)
	ns = now.Nano() - s.control.stamp.Nano()
	if ns < 0 || ns > oldest {
		return 0, false
	}
	return ns, true
}

// Send sends a datagram, or reports that the system did not take it (cycle).
func (s *Socket) Send(data []byte, to *Address) bool {
	if len(data) == 0 {
		return false
	}
	var name unix.RawSockaddrInet6
	length := unsafe.Sizeof(name)
	if s.six {
		name = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: swapped(to.Port), Addr: to.IP, Scope_id: to.Scope}
	} else {
		four := (*unix.RawSockaddrInet4)(unsafe.Pointer(&name))
		four.Family, four.Port = unix.AF_INET, swapped(to.Port)
		four.Addr[0], four.Addr[1], four.Addr[2], four.Addr[3] = to.IP[12], to.IP[13], to.IP[14], to.IP[15]
		length = unsafe.Sizeof(*four)
	}
	n, _, err := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(s.fd), uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)),
		unix.MSG_DONTWAIT, uintptr(unsafe.Pointer(&name)), length)
	return err == 0 && int(n) == len(data)
}

// Stop ends waiting, now and later.
func (s *Socket) Stop() {
	s.stopped.Store(true)
	_, _, _ = unix.RawSyscall(unix.SYS_WRITE, uintptr(s.bell), uintptr(unsafe.Pointer(&one)), unsafe.Sizeof(one))
}

// Close releases the socket, when it is not in use any more.
func (s *Socket) Close() error {
	var errs []error
	for _, fd := range []int{s.fd, s.bell, s.alarm} {
		if fd >= 0 {
			errs = append(errs, os.NewSyscallError("close", unix.Close(fd)))
		}
	}
	s.fd, s.bell, s.alarm = -1, -1, -1
	return errors.Join(errs...)
}
