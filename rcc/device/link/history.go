package link

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Session is a present or former session.
type Session struct {
	Peer       netip.AddrPort
	Begin, End time.Time // there is no end while it lives
	Cause      Cause     // why it has ended
	Why        string    // the same in words
	Telegrams  uint64    // in order
	Lost       uint64
	Strangers  []netip.AddrPort // whose telegrams were dropped while it lived, the first few of them
}

// Remembered is how many sessions a Link keeps.
const Remembered = 64

// history is a ring of sessions that one thread writes and any thread may read.
type history struct {
	begun atomic.Uint64 // sessions
	slots [Remembered]record
}

// record is a session in words.
type record struct {
	peer                   address
	strangers              strangers // whose telegrams were dropped while it lived
	begin, last, end       atomic.Int64
	cause, telegrams, lost atomic.Uint64
}

// newest returns the record of the session that lives, or has been the last one (cycle).
func (h *history) newest() *record { return &h.slots[(h.begun.Load()+Remembered-1)%Remembered] }

// begin overwrites the oldest record (cycle). It does not count as written before it is complete.
func (h *history) begin(peer rt.Address, at int64) {
	r := &h.slots[h.begun.Load()%Remembered]
	r.peer.store(&peer)
	r.begin.Store(at)
	r.end.Store(0)
	r.strangers.reset()
	r.cause.Store(uint64(Alive))
	r.telegrams.Store(0)
	r.lost.Store(0)
	h.begun.Add(1)
}

func (h *history) proceed(telegrams uint64, lost uint32, arrived int64) {
	r := h.newest()
	r.last.Store(arrived)
	r.telegrams.Store(telegrams)
	r.lost.Add(uint64(lost))
}

func (h *history) end(at int64, why Cause) {
	r := h.newest()
	r.end.Store(at)
	r.cause.Store(uint64(why))
}

func (r *record) read() Session {
	return Session{
		Peer: r.peer.load(), Begin: timeOf(r.begin.Load()), End: timeOf(r.end.Load()), Cause: Cause(r.cause.Load()),
		Telegrams: r.telegrams.Load(), Lost: r.lost.Load(), Strangers: r.strangers.load(),
	}
}

// Sessions returns the newest sessions, the last one first (any).
func (l *Link) Sessions() (list []Session) {
	h := &l.history
	newest := h.begun.Load()
	for i := newest; i > 0 && newest-i < Remembered; i-- {
		s := h.slots[(i-1)%Remembered].read()
		if h.begun.Load()-i >= Remembered-1 { // it is about to be overwritten, or has been
			break
		}
		s.Why = l.words(s.Cause)
		list = append(list, s)
	}
	return list
}

// Newest returns the present session, or the last one (any).
func (l *Link) Newest() (s Session, known bool) {
	if l.history.begun.Load() == 0 {
		return s, false
	}
	s = l.history.newest().read()
	s.Why = l.words(s.Cause)
	return s, true
}

// words say what a cause is.
func (l *Link) words(c Cause) string {
	if i := int(c) - int(OwnCauses); i >= 0 && i < len(l.options.Causes) {
		return l.options.Causes[i]
	}
	return c.String()
}

// Calling returns the sender that calls, if any (any).
func (l *Link) Calling() (peer netip.AddrPort, calls bool) {
	s, known := l.Newest()
	if !known || s.Cause != Alive {
		return netip.AddrPort{}, false
	}
	return s.Peer, true
}
