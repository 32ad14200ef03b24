package client_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/devices/simio"
	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// cell serves a cell whose time passes as fast as it can be computed.
func cell(t testing.TB) (core *rcc.Core, address string) {
	t.Helper()
	return cellWith(t, nil)
}

// cellWith serves other pages than those of the daemon.
func cellWith(t testing.TB, other http.Handler) (core *rcc.Core, address string) {
	t.Helper()
	clock := rt.NewVirtual(time.Unix(1_000_000_000, 0))
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	core, err = rcc.New(rcc.Config{
		Catalogue: catalogue, Clock: clock, DeviceTypes: []device.Type{simio.Type}, Interfaces: primitives.Interfaces(),
	})
	if err != nil {
		t.Fatal(err)
	}
	clock.SetSpeed(math.Inf(1))
	if other == nil {
		other = pages.Handler(core, pages.Options{})
	}
	s, err := directio.Listen(core, other, directio.Config{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := errors.Join(s.Close(ctx), <-served); err != nil {
			t.Error(err)
		}
		aborted, abort := context.WithCancel(ctx)
		abort()
		_ = core.Close(aborted) // nets that still run do not matter to the test
	})
	return core, "http://" + s.Addr().String()
}

// cable is a way to a daemon that can be cut.
type cable struct {
	t      testing.TB
	listen net.Listener

	mu    sync.Mutex
	to    string // where it leads; empty while it is cut
	limit func() int64
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

// lay lays a cable to an address of HTTP. Each connection breaks after limit bytes, never without limit.
func lay(t testing.TB, address string, limit func() int64) (c *cable, through string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = &cable{t: t, listen: l, to: address, limit: limit, conns: map[net.Conn]bool{}}
	c.all.Go(c.serve)
	t.Cleanup(func() {
		_ = l.Close()
		c.cut()
		c.all.Wait()
	})
	return c, "http://" + l.Addr().String()
}

func (c *cable) serve() {
	for {
		conn, err := c.listen.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		to := c.to
		c.mu.Unlock()
		var peer net.Conn
		if to != "" {
			peer, err = net.Dial("tcp", to[len("http://"):])
		}
		if peer == nil || err != nil {
			_ = conn.Close()
			continue
		}
		c.mu.Lock()
		c.conns[conn], c.conns[peer] = true, true
		c.mu.Unlock()
		c.all.Go(func() { c.copy(conn, peer) })
		c.all.Go(func() { c.copy(peer, conn) })
	}
}

func (c *cable) copy(to, from net.Conn) {
	if c.limit == nil {
		_, _ = io.Copy(to, from)
	} else {
		_, _ = io.CopyN(to, from, c.limit())
	}
	_ = to.Close()
	_ = from.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.conns, to)
	delete(c.conns, from)
}

// cut breaks all connections; none comes about until it is mended.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = ""
	for conn := range c.conns {
		_ = conn.Close()
	}
}

func (c *cable) mend(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = address
}

// keep connects to a daemon, and collects the events of the connection.
func keep(t testing.TB, address string) (*client.Daemon, <-chan client.Event) {
	t.Helper()
	events := make(chan client.Event, 1000)
	d, err := client.Keep(context.Background(), address, client.Options{
		FirstPause: time.Millisecond, LongestPause: 4 * time.Millisecond,
		Tell: func(e client.Event) {
			select {
			case events <- e:
			default: // the reader has gone
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d, events
}

// await waits for an event.
func await(t testing.TB, events <-chan client.Event, what client.EventKind) client.Event {
	t.Helper()
	late := t.Context()
	for {
		select {
		case e := <-events:
			if e.What == what {
				return e
			}
		case <-late.Done():
			t.Fatalf("not %s", what)
		}
	}
}

// in returns a context for what must come.
func in(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
