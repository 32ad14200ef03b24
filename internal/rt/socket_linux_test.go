//go:build amd64 || arm64

package rt

import (
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
)

// listen opens a socket on the loopback, and one that sends to it.
func listen(t *testing.T, host string, room []byte) (*Socket, *net.UDPConn) {
	t.Helper()
	s, err := Listen(netip.AddrPortFrom(netip.MustParseAddr(host), 0), room)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	peer, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(s.Address()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = peer.Close() })
	_ = peer.SetReadDeadline(time.Now().Add(time.Minute))
	return s, peer
}

func send(t *testing.T, peer *net.UDPConn, data []byte) {
	t.Helper()
	if _, err := peer.Write(data); err != nil {
		t.Fatal(err)
	}
}

func TestSocketAnswersTheSender(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1"} {
		t.Run(host, func(t *testing.T) {
			probe, err := net.ListenPacket("udp", net.JoinHostPort(host, "0"))
			if err != nil {
				t.Skip("skip: the machine does not have this address:", err)
			}
			_ = probe.Close()
			room := make([]byte, 100)
			s, peer := listen(t, host, room)
			r := NewReal()
			for i := range 10 {
				before := r.Now()
				send(t, peer, []byte{1, 2, byte(i)})
				var d Datagram
				if how := s.Receive(r, Never, &d); how != Received || d.Length != 3 || room[2] != byte(i) {
					t.Fatalf("%d: reception %d, %+v, %v", i, how, d, room[:3])
				}
				if from := peer.LocalAddr().(*net.UDPAddr).AddrPort(); d.From.AddrPort() != netip.AddrPortFrom(from.Addr().Unmap(), from.Port()) {
					t.Errorf("from %v, not %v", d.From.AddrPort(), from)
				}
				// The clock of the system, by which the kernel stamps, may be slewed against ours.
				if d.Taken < before || d.Arrived > d.Taken || d.InKernel && d.Arrived < before-int64(time.Millisecond) {
					t.Errorf("sent after %d, arrived %d, taken %d", before, d.Arrived, d.Taken)
				}
				if !s.Send(room[:d.Length], &d.From) {
					t.Fatal("not sent")
				}
				var back [10]byte
				if n, err := peer.Read(back[:]); err != nil || !slices.Equal(back[:n], []byte{1, 2, byte(i)}) {
					t.Fatal(back[:n], err)
				}
			}
		})
	}
}

func TestSocketTimesOut(t *testing.T) {
	s, peer := listen(t, "127.0.0.1", make([]byte, 10))
	r := NewReal()
	var d Datagram
	for _, wait := range []int64{-1000, 0, 1000, int64(2 * time.Millisecond)} {
		until := r.Now() + wait
		if how := s.Receive(r, until, &d); how != TimedOut || r.Now() < until {
			t.Errorf("reception %d, %d before the time", how, until-r.Now())
		}
	}
	send(t, peer, []byte{1})
	if how := s.Receive(r, 0, &d); how != Received {
		t.Errorf("what was there was not received: %d", how)
	}
	for _, waits := range [][2]int64{{1_000_000, 5_000_000}, {5_000_000, 1_000_000}} { // the alarm of the first may ring in the second
		send(t, peer, []byte{1})
		if how := s.Receive(r, r.Now()+waits[0], &d); how != Received {
			t.Errorf("reception %d", how)
		}
		until := r.Now() + waits[1]
		if how := s.Receive(r, until, &d); how != TimedOut || r.Now() < until {
			t.Errorf("reception %d, %d before the time", how, until-r.Now())
		}
	}
}

// A datagram that is too long is marked as such; one without data is received as well.
func TestSocketLengths(t *testing.T) {
	room := make([]byte, 10)
	s, peer := listen(t, "127.0.0.1", room)
	r := NewReal()
	for _, n := range []int{0, 10, 11, 60_000} {
		send(t, peer, make([]byte, n))
		d := Datagram{Length: -1}
		if how := s.Receive(r, Never, &d); how != Received || d.Length != n {
			t.Errorf("%d bytes: reception %d of %d", n, how, d.Length)
		}
	}
	to := AddressOf(peer.LocalAddr().(*net.UDPAddr).AddrPort())
	for _, n := range []int{0, 70_000} {
		if s.Send(make([]byte, n), &to) {
			t.Errorf("%d bytes were sent", n)
		}
	}
}

func TestSocketStops(t *testing.T) {
	s, peer := listen(t, "127.0.0.1", make([]byte, 10))
	r := NewReal()
	ended := make(chan Reception)
	go func() {
		var d Datagram
		ended <- s.Receive(r, Never, &d)
	}()
	s.Stop()
	if how := <-ended; how != Stopped {
		t.Errorf("reception %d", how)
	}
	send(t, peer, []byte{1})
	var d Datagram
	if how := s.Receive(r, Never, &d); how != Stopped {
		t.Errorf("received after the stop: %d", how)
	}
}

// A detached thread receives and answers while collections run, until it is stopped.
func TestSocketDetached(t *testing.T) {
	detachable(t)
	room := make([]byte, 10)
	s, peer := listen(t, "127.0.0.1", room)
	r, d := NewReal(), new(Datagram)
	stop, ended := make(chan struct{}), make(chan error)
	go litter(stop)
	defer close(stop)
	go func() {
		ended <- Thread{Name: "echo", CPU: AnyCPU}.Detach(func() {
			for s.ReceiveDetached(r, Never, d) == Received {
				s.Send(room[:min(len(room), d.Length)], &d.From)
			}
		})
	}()
	for i := range 500 {
		send(t, peer, []byte{byte(i)})
		var back [10]byte
		if n, err := peer.Read(back[:]); err != nil || n != 1 || back[0] != byte(i) {
			t.Fatal(i, n, err)
		}
	}
	s.Stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestSocketDoesNotAllocate(t *testing.T) {
	room := make([]byte, 10)
	s, peer := listen(t, "127.0.0.1", room)
	r, data := NewReal(), []byte{1}
	var d Datagram
	if n := alloc.Least(func() {
		send(t, peer, data)
		if s.Receive(r, Never, &d) != Received || !s.Send(room[:1], &d.From) {
			t.Fatal("no echo")
		}
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
}

func TestListenRefuses(t *testing.T) {
	s, _ := listen(t, "127.0.0.1", make([]byte, 10))
	for _, at := range []netip.AddrPort{s.Address(), netip.MustParseAddrPort("192.0.2.1:49938")} {
		if other, err := Listen(at, make([]byte, 10)); err == nil {
			t.Errorf("%v is listened at", at)
			_ = other.Close()
		}
	}
}
