package link

import (
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/thread"
)

// Options say which robot calls, and how long to wait for it. The zero value of a field stands for the default in its comment.
type Options struct {
	Name   string         // of the device, by which its thread is known
	Listen netip.AddrPort // where the robot sends to; it must be given, and port 0 takes a free one (Link.Address)
	Peer   netip.Addr     // the only host that may begin a session; any host
	Cycle  time.Duration  // of the robot; it must be given
	Lapse  int            // cycles without telegram after which a session has ended; 10
	Size   int            // of the largest telegram and the largest answer, in bytes; 8192
	Causes []string       // what the driver's own causes are called, from OwnCauses on

	Clock  rt.Clock       // the time of nets; nil for one of its own
	Claims *device.Claims // where the address is claimed and nothing is opened; nil to open it
	Thread *rt.Thread     // on which it runs detached if that can be; nil for an ordinary goroutine
}

const (
	usualLapse = 10
	usualSize  = 8192
)

func (o *Options) complete() error {
	switch {
	case !o.Listen.IsValid():
		return errors.New("link: no address to listen at")
	case o.Cycle <= 0:
		return fmt.Errorf("link: invalid cycle %v", o.Cycle)
	}
	if o.Lapse <= 0 {
		o.Lapse = usualLapse
	}
	if o.Size <= 0 {
		o.Size = usualSize
	}
	return nil
}

// Opener opens a Link: Open, or Virtual.Open without a wire.
type Opener func(o Options, d Driver) (*Link, error)

// Link is the wire of one robot that calls, and what is known about it.
type Link struct {
	options Options
	driver  Driver
	wire    wire

	session   session   // of the thread
	strangers strangers // of all sessions, and of the time between them
	answer    []byte    // room for one
	host      [16]byte  // Options.Peer
	cycle     atomic.Int64
	count     counters
	history   history
}

// wire is what carries telegrams: a socket, or the network of a Virtual.
type wire interface {
	address() netip.AddrPort
	execution() thread.Execution
	close() error
}

func newLink(o Options, d Driver) (*Link, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	l := &Link{options: o, driver: d, answer: make([]byte, o.Size)}
	if o.Peer.IsValid() {
		l.host = o.Peer.As16()
	}
	l.cycle.Store(int64(o.Cycle))
	return l, nil
}

// Address returns where telegrams are received (any).
func (l *Link) Address() netip.AddrPort { return l.wire.address() }

// Cycle returns the expected interval between telegrams (any).
func (l *Link) Cycle() time.Duration { return time.Duration(l.cycle.Load()) }

// Execution returns the kind of thread in which telegrams are answered (any).
func (l *Link) Execution() thread.Execution { return l.wire.execution() }

// Close ends the session and gives back the address and the thread. When it returns the driver is not called any more.
func (l *Link) Close() error { return l.wire.close() }
