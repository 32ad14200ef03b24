package link

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

// TestStrangersAreNamed: the first few by their addresses, and only as long as they call.
func TestStrangersAreNamed(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	if is := c.l.Intruders(); is != "" {
		t.Error(is)
	}
	third := netip.MustParseAddrPort("192.168.0.12:5000")
	for range 3 {
		c.v.Send(other, here, next)
		c.v.Send(third, here, next)
		c.send(robot, next)
	}
	want := "dropping telegrams of 192.168.0.11:5000 and 192.168.0.12:5000: 192.168.0.10:5000 is calling"
	if is := c.l.Intruders(); is != want {
		t.Errorf("%q, not %q", is, want)
	}
	for host := range byte(100) {
		c.v.Send(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, host}), 1), here, next)
	}
	if is := c.l.Intruders(); !strings.Contains(is, "192.168.0.12:5000, 10.0.0.0:1, 10.0.0.1:1 and others") {
		t.Error(is)
	}
	if s, _ := c.l.Newest(); len(s.Strangers) != few {
		t.Errorf("%v", s.Strangers)
	}
	for range int(present/int64(4*time.Millisecond)) + 2 {
		c.send(robot, next)
	}
	if is := c.l.Intruders(); is != "" {
		t.Errorf("long afterwards: %q", is)
	}
	c.v.Advance(time.Second)
	c.send(robot, next)
	if s, _ := c.l.Newest(); len(s.Strangers) != 0 {
		t.Errorf("another session: %v", s.Strangers)
	}
}

// TestWhyItEnded: what is known of the end of a session is what its history says: by the driver, or by who called afterwards.
func TestWhyItEnded(t *testing.T) {
	moved := netip.AddrPortFrom(robot.Addr(), 6000)
	for _, tt := range []struct {
		name  string
		knows Cause
		calls netip.AddrPort // after the last telegram
		want  string
	}{
		{"nothing is known", 0, netip.AddrPort{}, "telegrams stopped"},
		{"somebody else calls", 0, other, "telegrams stopped"},
		{"its host calls from another port", 0, moved, "telegrams stopped, and its host called from another port: another session began"},
		{"the driver knows", OwnCauses, moved, "the operator has stopped it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCell(t, nil)
			c.d.knows = tt.knows
			c.v.Send(moved, here, next)
			c.v.Advance(time.Second) // which says nothing about the next session
			c.send(robot, next, next)
			if tt.calls.IsValid() {
				c.v.Send(tt.calls, here, next)
			}
			c.v.Advance(time.Second)
			if s, _ := c.l.Newest(); s.Why != tt.want {
				t.Errorf("%q, not %q", s.Why, tt.want)
			}
		})
	}
}

// TestChronicle: each event occurs once, in order with the sessions, and the newest displace the oldest.
func TestChronicle(t *testing.T) {
	var c EventLog
	if list := c.Events(); len(list) != 0 {
		t.Errorf("%v", list)
	}
	for i := range uint64(1000) {
		c.Note(Event{At: int64(i), What: i, Detail: 2 * i})
	}
	list := c.Events()
	if len(list) < Remembered-2 {
		t.Errorf("%d events", len(list))
	}
	for i, e := range list {
		if n := 1000 - len(list) + i; e != (Event{int64(n), uint64(n), uint64(2 * n)}) {
			t.Errorf("%d: %+v", n, e)
		}
	}

	l := newCell(t, nil)
	begin := l.v.Now()
	l.send(robot, next, next)
	l.v.Advance(time.Second)
	lines := l.l.Diary(Entry{begin + 1, "later"}, Entry{begin - 1, "sooner"}, Entry{l.v.Now(), "in the end"})
	want := []string{"sooner", "began", "later", "ended after 2 telegrams: telegrams stopped", "in the end"}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i, w := range want {
		if !strings.HasSuffix(lines[i], w) {
			t.Errorf("%q is not about %q", lines[i], w)
		}
	}
}

// TestOneAfterTheOther: a session that ends one before it begins after that in the log, also when the telegram that shows it had to wait.
func TestOneAfterTheOther(t *testing.T) {
	c := newCell(t, nil)
	c.send(robot, next)
	arrived := c.v.Now()
	c.v.Advance(2 * time.Millisecond)
	c.v.SendQueued(robot, here, say(Restart, 0, 0), arrived)
	lines := c.l.Diary()
	if len(lines) != 3 || !strings.Contains(lines[1], "ended after 1 telegram: ") || !strings.HasSuffix(lines[2], " began") {
		t.Errorf("%q", lines)
	}
}
