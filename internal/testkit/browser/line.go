package browser

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Line is a connection to a server that a test can cut: behind its address answers what answers at another one.
type Line struct {
	to       string
	listener net.Listener

	mu   sync.Mutex
	cut  bool
	open map[net.Conn]bool
}

// NewLine makes a line to an address.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{to: to, listener: listener, open: map[net.Conn]bool{}}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			served.Go(func() { l.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.Cut()
		served.Wait()
	})
	return l
}

// Addr returns the address of the near end.
func (l *Line) Addr() string { return l.listener.Addr().String() }

// Cut ends all connections, and every new one at once, until Mend.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for c := range l.open {
		_ = c.Close()
	}
}

// Mend lets new connections through.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

// carry copies in both directions until one side ends.
func (l *Line) carry(near net.Conn) {
	far, err := net.Dial("tcp", l.to) //nolint:noctx // a cut closes it
	if err != nil || !l.keep(near, far) {
		_ = near.Close()
		return
	}
	defer l.forget(near, far)
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(near, far)
		_ = near.Close()
	})
	_, _ = io.Copy(far, near)
	_ = far.Close()
	back.Wait()
}

// keep reports whether the connections may stay.
func (l *Line) keep(near, far net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		_ = far.Close()
		return false
	}
	l.open[near], l.open[far] = true, true
	return true
}

func (l *Line) forget(near, far net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, near)
	delete(l.open, far)
}
