package directio

import (
	"fmt"
	"net"
	"net/http"
	"testing"
)

// caller is a connection that knows from where it comes and whether it was closed.
type caller struct {
	net.Conn
	from   string
	closed bool
}

func (c *caller) RemoteAddr() net.Addr { return address(c.from) }
func (c *caller) Close() error {
	c.closed = true
	return nil
}

// address is an address as text.
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

// When there are too many connections one goes: the one of the host with most on which nothing has happened for longest.
func TestDoors(t *testing.T) {
	const most = 10
	d := newDoors(most)
	var all []*caller
	enter := func(from string) *caller {
		c := &caller{from: from}
		all = append(all, c)
		d.note(c, http.StateNew)
		return c
	}
	closed := func(when string, want ...*caller) {
		t.Helper()
		var got []*caller
		for _, c := range all {
			if c.closed {
				got = append(got, c)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(d.open) > most {
			t.Errorf("%s: %d of %d are closed instead of %d, %d are open", when, len(got), len(all), len(want), len(d.open))
		}
	}
	mine := enter("127.0.0.1:1")
	var theirs []*caller
	for i := range most - 1 {
		theirs = append(theirs, enter(fmt.Sprintf("10.0.0.1:%d", i+1)))
	}
	closed("as many as there may be")
	d.note(theirs[0], http.StateActive)
	d.note(theirs[1], http.StateIdle)
	other := enter("10.0.0.2:1")
	closed("one more", theirs[2])
	enter("127.0.0.1:2")
	closed("one more on this machine", theirs[2], theirs[3])
	d.note(theirs[2], http.StateClosed) // the server notices
	d.note(theirs[3], http.StateClosed)
	d.note(theirs[4], http.StateHijacked) // now it speaks DirectIO, which has seats
	enter("10.0.0.1:99")
	closed("in the place of one that has gone", theirs[2], theirs[3])
	d.note(mine, http.StateClosed)
	d.note(other, http.StateActive)
	enter("10.0.0.3:1")
	enter("10.0.0.3:2")
	closed("again", theirs[2], theirs[3], theirs[5])
	if theirs[4].closed || other.closed || mine.closed {
		t.Error("the wrong ones")
	}
	for c := range d.open {
		d.note(c, http.StateClosed)
	}
	if len(d.open)+len(d.of) > 0 {
		t.Errorf("left: %v of %v", d.open, d.of)
	}
}
