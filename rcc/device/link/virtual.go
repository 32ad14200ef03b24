package link

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device/thread"
)

// Virtual is a network without wires and threads, in virtual time. A telegram arrives and is
// answered at once, in the goroutine of the caller. All of it is for one goroutine at a time.
type Virtual struct {
	now   int64 // Unix time, ns
	ports uint16
	links []*Link // that are open

	telegram, answer []byte // the newest ones
}

// NewVirtual makes a network with a given time.
func NewVirtual(now time.Time) *Virtual { return &Virtual{now: now.UnixNano(), ports: 49_151} }

// Open opens a Link in this network. It is an Opener; Options.Clock and Options.Thread do not count.
func (v *Virtual) Open(o Options, d Driver) (*Link, error) {
	l, err := newLink(o, d)
	if err != nil {
		return nil, err
	}
	at := o.Listen
	if at.Port() == 0 {
		v.ports++
		at = netip.AddrPortFrom(at.Addr(), v.ports)
	}
	if v.at(at) != nil {
		return nil, fmt.Errorf("link: listen at %v: the address is in use", at)
	}
	l.wire, l.session.heard = &virtualWire{net: v, link: l, at: at}, v.now
	v.links = append(v.links, l)
	return l, nil
}

func (v *Virtual) at(address netip.AddrPort) *Link {
	i := slices.IndexFunc(v.links, func(l *Link) bool { return l.Address() == address })
	if i < 0 {
		return nil
	}
	return v.links[i]
}

// Now returns the time, as Unix time in nanoseconds.
func (v *Virtual) Now() int64 { return v.now }

// Send sends a telegram to an address and returns the answer, which is nil when there is none. It stays until the next one.
func (v *Virtual) Send(from, to netip.AddrPort, telegram []byte) []byte {
	return v.SendQueued(from, to, telegram, v.now)
}

// SendQueued is Send of a telegram that arrived earlier and was not taken before now, as happens when the thread of the wire is
// held up.
func (v *Virtual) SendQueued(from, to netip.AddrPort, telegram []byte, arrived int64) []byte {
	l := v.at(to)
	if l == nil {
		return nil
	}
	if len(telegram) > l.options.Size {
		l.tooLong()
		return nil
	}
	v.telegram = append(v.telegram[:0], telegram...)
	answer := l.receive(v.telegram, rt.AddressOf(from), min(arrived, v.now), v.now)
	if len(answer) == 0 {
		return nil
	}
	l.count.sent(0, true)
	v.answer = append(v.answer[:0], answer...)
	return v.answer
}

// Advance lets time go on. Events that are due in that time happen when they are due.
func (v *Virtual) Advance(d time.Duration) {
	for goal := v.now + int64(max(0, d)); ; {
		l, due := v.next()
		if l == nil || due > goal {
			v.now = goal
			return
		}
		v.now = max(v.now, due)
		l.silence(v.now)
	}
}

// next finds the Link for which something is due first.
func (v *Virtual) next() (first *Link, due int64) {
	due = rt.Never
	for _, l := range v.links {
		if at := l.deadline(); at < due {
			first, due = l, at
		}
	}
	return first, due
}

// virtualWire is the end of a Link in the network.
type virtualWire struct {
	net  *Virtual
	link *Link
	at   netip.AddrPort
}

func (w *virtualWire) address() netip.AddrPort { return w.at }

func (w *virtualWire) execution() thread.Execution { return new(thread.Thread).Execution() }

func (w *virtualWire) close() error {
	v := w.net
	i := slices.Index(v.links, w.link)
	if i < 0 {
		return errClosed
	}
	v.links = slices.Delete(v.links, i, i+1)
	w.link.lose(v.now, Closed)
	return nil
}
