//go:build amd64 || arm64

package rt

import (
	"bytes"
	"errors"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
)

const etherCAT = 0x88a4

// ends are two sockets at the ends of a cable.
func ends(t *testing.T) (a, b *Packet) {
	t.Helper()
	open := func(name string) *Packet {
		p, err := OpenPacket(name, etherCAT)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
		return p
	}
	return open(veth.A), open(veth.B)
}

// frame returns a broadcast that begins its data with a number.
func frame(p *Packet, etherType uint16, number byte, size int) []byte {
	f := make([]byte, size)
	copy(f, "\xff\xff\xff\xff\xff\xff")
	mac := p.MAC()
	copy(f[6:], mac[:])
	f[12], f[13], f[14] = byte(etherType>>8), byte(etherType), number
	return f
}

// long is more than any machine needs.
func long(r *Real) int64 { return r.Now() + int64(time.Minute) }

func TestPacketFromEndToEnd(t *testing.T) {
	if !veth.Enter(t) {
		return
	}
	a, b := ends(t)
	r := NewReal()
	room := make([]byte, 1514)
	receive := map[string]func(p *Packet, until int64) (int, Reception){
		"ordinary": func(p *Packet, until int64) (int, Reception) { return p.Receive(r, until, room) },
		"detached": func(p *Packet, until int64) (int, Reception) { return p.ReceiveDetached(r, until, r.Now()+1000, room) },
	}
	for name, wait := range receive {
		for i, size := range []int{60, 61, 1514} {
			sent := frame(a, etherCAT, byte(i), size)
			if !a.Send(frame(a, 0x0806, 99, 60)) || !a.Send(sent) {
				t.Fatal("not sent")
			}
			n, how := wait(b, long(r))
			if how != Received || !bytes.Equal(room[:n], sent) {
				t.Fatalf("%s: reception %d of %d bytes, % x", name, how, n, room[:20])
			}
			if !b.Send(room[:n]) {
				t.Fatal("not sent back")
			}
			if n, how := wait(a, long(r)); how != Received || !bytes.Equal(room[:n], sent) {
				t.Fatalf("%s: reception %d of %d bytes back", name, how, n)
			}
		}
		// A socket does not see what it has sent itself, and an instant that is past ends the wait.
		if _, how := wait(a, r.Now()); how != TimedOut {
			t.Errorf("%s: reception %d", name, how)
		}
		if _, how := wait(a, r.Now()+int64(time.Millisecond)); how != TimedOut {
			t.Errorf("%s: reception %d", name, how)
		}
	}
	sent := frame(a, etherCAT, 7, 100)
	a.Send(sent)
	if n, how := b.Receive(r, long(r), room[:20]); how != Received || n != 20 || !bytes.Equal(room[:20], sent[:20]) {
		t.Errorf("reception %d of %d bytes", how, n)
	}
	if a.Send(nil) {
		t.Error("nothing was sent")
	}
}

func TestPacketStops(t *testing.T) {
	if !veth.Enter(t) {
		return
	}
	a, _ := ends(t)
	r := NewReal()
	ended := make(chan Reception)
	go func() {
		_, how := a.Receive(r, Never, make([]byte, 100))
		ended <- how
	}()
	a.Stop()
	if how := <-ended; how != Stopped {
		t.Errorf("reception %d", how)
	}
	if _, how := a.ReceiveDetached(r, Never, 0, make([]byte, 100)); how != Stopped {
		t.Errorf("reception %d", how)
	}
}

func TestPacketDoesNotAllocate(t *testing.T) {
	if !veth.Enter(t) {
		return
	}
	a, b := ends(t)
	r := NewReal()
	room, sent := make([]byte, 1514), frame(a, etherCAT, 1, 60)
	count := alloc.Least(func() {
		for range 100 {
			a.Send(sent)
			if _, how := b.ReceiveDetached(r, long(r), 0, room); how != Received {
				t.Errorf("reception %d", how)
			}
		}
	})
	if count != 0 {
		t.Errorf("%d allocations", count)
	}
}

func TestPacketRefuses(t *testing.T) {
	if _, err := OpenPacket("no-such-card", etherCAT); err == nil {
		t.Error("opened what is not there")
	}
	if !veth.Enter(t) {
		return
	}
	if out, err := exec.CommandContext(t.Context(), "ip", "link", "set", veth.B, "down").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := OpenPacket(veth.B, etherCAT); !errors.Is(err, syscall.ENETDOWN) {
		t.Errorf("%v", err)
	}
}
