package directio

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTurnedAway: each refusal raises the counter of its reason and no other one.
func TestTurnedAway(t *testing.T) {
	s, _ := serve(t, Config{TCP: "127.0.0.1:0", Connections: 1})
	s.seats.reserve = 0
	want := map[string]uint64{"full": 0, "closing": 0, "foreign": 0, "handshake": 0}
	check := func(what string) {
		t.Helper()
		if diff := cmp.Diff(want, s.TurnedAway()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	check("nobody")
	rawRequest(t, s.Addr(), "GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"+legacyHandshake+"\r\n")
	want["foreign"]++
	check("a page from elsewhere")
	rawRequest(t, s.Addr(), "GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
	want["handshake"]++
	check("no WebSocket")
	c := dial(t, s)
	check("one that was let in")
	rawRequest(t, s.Addr(), "GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\n"+legacyHandshake+"\r\n")
	want["full"]++
	check("one too many")
	bare, err := net.Dial("tcp", s.TCPAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	_ = bare.SetDeadline(time.Now().Add(patience))
	if _, err := io.ReadAll(bufio.NewReader(bare)); err != nil {
		t.Fatal(err)
	}
	want["full"]++
	check("and one over TCP")
	rawRequest(t, s.Addr(), "GET /nets/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")
	check("a page is not a connection")
	c.leave()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	late := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Path, nil)
	late.Host = "localhost"
	s.http.Handler.ServeHTTP(httptest.NewRecorder(), late)
	want["closing"]++
	check("one that comes too late")
}
