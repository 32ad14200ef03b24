package link

import (
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device/thread"
)

// ErrNoRealTime is returned when the clock of the cell is not that of its robots.
var ErrNoRealTime = errors.New("a real robot needs a real clock, and this cell has a virtual clock; take the real one, or write simulated: true")

// udp is a wire of UDP and the thread that answers.
type udp struct {
	link   *Link
	clock  *rt.Real
	zero   int64 // Unix time of the clock's zero
	socket *rt.Socket
	room   []byte
	got    rt.Datagram

	thread *thread.Thread
	ended  chan struct{}
	closed atomic.Bool
}

// Open listens to a robot. It is an Opener. Where the address is only claimed, no robot can call.
func Open(o Options, d Driver) (*Link, error) {
	if o.Claims != nil {
		if err := o.Claims.Address(o.Name, o.Listen); err != nil {
			return nil, fmt.Errorf("link: %w", err)
		}
		return NewVirtual(time.Unix(0, 0)).Open(o, d)
	}
	l, err := newLink(o, d)
	if err != nil {
		return nil, err
	}
	w := &udp{link: l, room: make([]byte, l.options.Size), ended: make(chan struct{})}
	if w.clock, err = realClock(o.Clock); err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	w.zero = w.clock.Unix(0)
	if w.socket, err = rt.Listen(o.Listen, w.room); err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	l.session.heard = w.now()
	w.thread = thread.New(o.Name, o.Thread)
	l.wire = w
	guard.Go("wire of a robot", w.run)
	return l, nil
}

func realClock(c rt.Clock) (*rt.Real, error) {
	if c == nil {
		return rt.NewReal(), nil
	}
	if r, ok := c.(*rt.Real); ok {
		return r, nil
	}
	return nil, ErrNoRealTime
}

func (w *udp) run() {
	defer close(w.ended)
	w.thread.Run(w.serveDetached, w.serve)
}

func (w *udp) serve() {
	for w.step(w.socket.Receive(w.clock, w.until(), &w.got)) {
	}
}

func (w *udp) serveDetached() {
	for w.step(w.socket.ReceiveDetached(w.clock, w.until(), &w.got)) {
	}
}

// until returns the instant until which telegrams are waited for.
func (w *udp) until() int64 {
	due := w.link.deadline()
	if due == rt.Never {
		return rt.Never
	}
	return due - w.zero
}

// step does what has to be done after waiting. It returns false when that was the last time (cycle).
func (w *udp) step(how rt.Reception) bool {
	l := w.link
	switch how {
	case rt.Received:
		w.answer()
	case rt.TimedOut:
		l.silence(w.now())
	default:
		l.lose(w.now(), Closed)
		return false
	}
	return true
}

func (w *udp) now() int64 { return w.zero + w.clock.Now() }

// answer lets the Link judge what has come. Before that, the session ends if it was over when this came; that it is over by now
// says nothing, as telegrams that came in time wait in the socket.
func (w *udp) answer() {
	l, d := w.link, &w.got
	arrived := w.zero + d.Arrived
	l.silence(arrived)
	room, n := w.room, d.Length
	if uint(n) > uint(len(room)) {
		l.tooLong()
		return
	}
	answer := l.receive(room[:n], d.From, arrived, w.zero+d.Taken)
	if len(answer) > 0 {
		sent := w.socket.Send(answer, &d.From)
		l.count.sent(w.clock.Now()-d.Arrived, sent)
	}
}

func (w *udp) address() netip.AddrPort { return w.socket.Address() }

func (w *udp) execution() thread.Execution { return w.thread.Execution() }

func (w *udp) close() error {
	if w.closed.Swap(true) {
		return errClosed
	}
	w.socket.Stop()
	<-w.ended
	return w.socket.Close()
}

var errClosed = errors.New("link: already closed")
