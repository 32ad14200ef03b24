package krc

import (
	"net"
	"net/netip"
	"testing"
	"time"
)

// end is one of a wire.
type end struct {
	t    *testing.T
	conn *net.UDPConn
}

func newEnd(t *testing.T) *end {
	t.Helper()
	c, err := onLoopback("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &end{t, c}
}

func (e *end) send(to netip.AddrPort, text string) {
	e.t.Helper()
	if _, err := e.conn.WriteToUDPAddrPort([]byte(text), to); err != nil {
		e.t.Fatal(err)
	}
}

// gets takes a text, and returns who has sent it.
func (e *end) gets(want string) netip.AddrPort {
	e.t.Helper()
	_ = e.conn.SetReadDeadline(time.Now().Add(time.Minute))
	room := make([]byte, 100)
	n, from, err := e.conn.ReadFromUDPAddrPort(room)
	if err != nil || string(room[:n]) != want {
		e.t.Fatalf("%q from %v instead of %q, %v", room[:n], from, want, err)
	}
	return from
}

// TestRelay: what happens to a network happens to programs at both ends of it.
func TestRelay(t *testing.T) {
	r, err := NewRelay(1)
	if err != nil {
		t.Fatal(err)
	}
	controller, next, driver := newEnd(t), newEnd(t), newEnd(t)
	r.Lead(addressOf(driver.conn))
	controller.send(r.Address(), "1")
	here := driver.gets("1")
	driver.send(here, "a")
	controller.gets("a")

	r.Happen(Event{What: Lose, N: 1})
	controller.send(r.Address(), "2")
	controller.send(r.Address(), "3")
	driver.gets("3")
	r.Happen(Event{What: Replay, N: 1, Ago: 1})
	if from := driver.gets("2"); from != here {
		t.Errorf("again from %v instead of %v", from, here)
	}
	r.Happen(Event{What: Stranger, N: 1})
	if from := driver.gets("3"); from.Addr().String() != elsewhere {
		t.Errorf("%v is not a stranger", from)
	}

	// An answer to a session that is over is lost; the driver does not see another address of the next one.
	next.send(r.Address(), "4")
	if from := driver.gets("4"); from != here {
		t.Errorf("the next session comes from %v instead of %v", from, here)
	}
	r.Happen(Event{What: Replay, Way: In, N: 1})
	driver.send(here, "b")
	next.gets("b")
	if err := r.Move(); err != nil {
		t.Fatal(err)
	}
	driver.send(here, "c") // where nobody listens any more
	next.send(r.Address(), "5")
	there := driver.gets("5")
	if there == here {
		t.Error("the address has not changed")
	}
	driver.send(there, "d")
	next.gets("d")
	if out, in := r.Counts(Out), r.Counts(In); out.Sent != 5 || out.Lost != 1 || out.Copied != 2 || in.Copied != 1 {
		t.Errorf("%+v, %+v", out, in)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
