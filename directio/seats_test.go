package directio

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// 256 idle connections from elsewhere, or from here, keep no client on this machine out; and one host keeps no other out.
func TestSeats(t *testing.T) {
	const most = 256
	take := func(t *testing.T, s *seats, peer string) (leave func()) {
		t.Helper()
		leave, err := s.take(peer)
		if err != nil {
			t.Fatalf("%s: %v", peer, err)
		}
		return leave
	}
	refused := func(t *testing.T, s *seats, peer, want string) {
		t.Helper()
		if _, err := s.take(peer); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", peer, err, want)
		}
	}
	t.Run("many hosts", func(t *testing.T) {
		s := newSeats(most, "close some or raise limits.connections")
		for i := range most {
			take(t, s, fmt.Sprintf("10.0.0.%d:1000", i))
		}
		refused(t, s, "10.0.1.1:1", "too many connections: 256 of 256 seats are taken")
		for range reservedSeats {
			take(t, s, "[::1]:1000")
		}
		refused(t, s, "127.0.0.1:1", "264 of 256 seats")
	})
	t.Run("this machine", func(t *testing.T) {
		s := newSeats(most, "close some or raise limits.connections")
		var leave func()
		for i := range most + reservedSeats {
			leave = take(t, s, fmt.Sprintf("127.0.0.1:%d", i))
		}
		refused(t, s, "127.0.0.1:1", "too many")
		leave()
		take(t, s, "[::ffff:127.0.0.1]:1")
	})
	t.Run("one host", func(t *testing.T) {
		s := newSeats(most, "close some or raise limits.connections")
		var leave func()
		for range most / 4 * 3 {
			leave = take(t, s, "10.0.0.1:1")
		}
		refused(t, s, "[::ffff:10.0.0.1]:2", "one host may have 192 of the 256 seats")
		take(t, s, "10.0.0.2:1")
		leave()
		take(t, s, "10.0.0.1:3")
		if n := s.count(); n != 193 {
			t.Errorf("%d are taken", n)
		}
	})
	t.Run("one seat", func(t *testing.T) {
		s := newSeats(1, "close some or raise limits.connections")
		take(t, s, "10.0.0.1:1")
		refused(t, s, "10.0.0.1:1", "1 of 1")
	})
}

// When all seats are taken, requests by HTTP are answered all the same, and the client that got none is told when to come again.
func TestFullHouse(t *testing.T) {
	s, _ := serve(t, Config{Connections: 1})
	var taken []*talker
	for range 1 + reservedSeats {
		taken = append(taken, dial(t, s))
	}
	refused := rawRequest(t, s.Addr(), "GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\n"+legacyHandshake+"\r\n")
	if refused.StatusCode != http.StatusServiceUnavailable || refused.Header.Get("Retry-After") == "" {
		t.Errorf("%s, %v", refused.Status, refused.Header)
	}
	if health := rawRequest(t, s.Addr(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); health.StatusCode == http.StatusServiceUnavailable {
		t.Errorf("%s", health.Status)
	}
	for _, c := range taken {
		c.leave()
	}
}
