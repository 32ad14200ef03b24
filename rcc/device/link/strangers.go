package link

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// address is one in words, which one thread writes and any thread may read.
type address struct{ high, low, port atomic.Uint64 }

func (a *address) store(is *rt.Address) {
	a.high.Store(binary.BigEndian.Uint64(is.IP[:8]))
	a.low.Store(binary.BigEndian.Uint64(is.IP[8:]))
	a.port.Store(uint64(is.Port))
}

func (a *address) load() netip.AddrPort {
	is := rt.Address{Port: uint16(a.port.Load())}
	binary.BigEndian.PutUint64(is.IP[:8], a.high.Load())
	binary.BigEndian.PutUint64(is.IP[8:], a.low.Load())
	return is.AddrPort()
}

// is reports whether the address is another one (cycle).
func (a *address) is(other *rt.Address) bool {
	return a.low.Load() == binary.BigEndian.Uint64(other.IP[8:]) && a.port.Load() == uint64(other.Port) &&
		a.high.Load() == binary.BigEndian.Uint64(other.IP[:8])
}

// few is how many strangers are named.
const few = 4

// strangers are the senders whose telegrams were dropped. One thread writes them, and any thread may read.
type strangers struct {
	known atomic.Uint32 // how many of the list
	more  atomic.Bool   // the list is full, and others called
	last  atomic.Int64  // when the newest of their telegrams came
	list  [few]address
}

// reset forgets all of them (cycle).
func (s *strangers) reset() {
	s.known.Store(0)
	s.more.Store(false)
	s.last.Store(0)
}

// add notes a telegram that was dropped (cycle).
func (s *strangers) add(from *rt.Address, arrived int64) {
	s.last.Store(arrived)
	n := s.known.Load()
	for i := range s.list {
		switch {
		case uint32(i) == n:
			s.list[i].store(from)
			s.known.Store(n + 1)
			return
		case s.list[i].is(from):
			return
		}
	}
	s.more.Store(true)
}

// load returns the first few of them, in the order in which they called (any).
func (s *strangers) load() (list []netip.AddrPort) {
	for i := range min(s.known.Load(), few) {
		list = append(list, s.list[i].load())
	}
	return list
}

// names lists them for people (any).
func (s *strangers) names() string {
	var names []string
	for _, a := range s.load() {
		names = append(names, a.String())
	}
	if s.more.Load() {
		names = append(names, "others")
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// present is for how long after their newest telegram strangers still count as calling.
const present = int64(time.Second)

// Intruders names the senders whose telegrams are being dropped because another robot calls; it is empty as soon as they have
// stopped (any).
func (l *Link) Intruders() string {
	if l.history.begun.Load() == 0 {
		return ""
	}
	r := l.history.newest()
	last := r.strangers.last.Load()
	if Cause(r.cause.Load()) != Alive || last == 0 || r.last.Load()-last > present {
		return ""
	}
	return fmt.Sprintf("dropping telegrams of %s: %v is calling", r.strangers.names(), r.peer.load())
}

// Strangers names the senders whose telegrams have been dropped, because another robot was calling or only Options.Peer may; it
// is empty when none were (any).
func (l *Link) Strangers() string { return l.strangers.names() }
