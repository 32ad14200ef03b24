package directio

import (
	"net"
	"net/http"
	"sync"
)

// silent knows the connections on which nothing has been asked yet. Browsers open some in advance. Nobody waits for an
// answer on them, and a server that closes waits five seconds for a first word.
type silent struct {
	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool
}

// note is called at every change of a connection.
func (s *silent) note(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(s.conns, c)
	case s.closed:
		_ = c.Close() // nothing is lost with it
	default:
		s.conns[c] = struct{}{}
	}
}

// close ends those that there are, and those to come.
func (s *silent) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.conns {
		_ = c.Close() // nothing is lost with it
	}
}
