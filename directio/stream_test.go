package directio

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/stream"
)

// TestStreamDoor: the stream has the rules of the other doors, and seats of its own.
func TestStreamDoor(t *testing.T) {
	s, _ := serve(t, Config{Hosts: []string{"cell.example"}, Connections: 1, Streams: 1, Stream: stream.Config{Version: "1.2.3"}})
	s.seats.reserve, s.places.reserve = 0, 0
	const upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
	for _, tt := range []struct {
		name, target, header string
		status               int
	}{
		{"page", "/stream", "Host: localhost", http.StatusUpgradeRequired},
		{"client without a version", "/stream", "Host: localhost\r\n" + strings.TrimSuffix(legacyHandshake, "\r\n"), http.StatusBadRequest},
		{"foreign host", "/stream", "Host: evil.example\r\n" + upgrade, http.StatusForbidden},
		{"foreign origin", "/stream", "Host: localhost\r\nOrigin: http://evil.example\r\n" + upgrade, http.StatusForbidden},
		{"other instance", "/stream?Rccd-Instance=another", "Host: localhost\r\n" + upgrade, http.StatusPreconditionFailed},
		{"this instance", "/stream?Rccd-Instance=" + s.core.Instance(), "Host: cell.example\r\nOrigin: http://cell.example\r\n" + upgrade, http.StatusSwitchingProtocols},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if answer := rawRequest(t, s.Addr(), "GET "+tt.target+" HTTP/1.1\r\n"+tt.header+"\r\n\r\n"); answer.StatusCode != tt.status {
				t.Errorf("got %s", answer.Status)
			}
		})
	}
	if refused := s.TurnedAway(); refused["foreign"] != 2 || refused["handshake"] != 2 {
		t.Errorf("%v", refused)
	}
}

// TestStreamSeats: streams do not take the seats of DirectIO, and the other way round.
func TestStreamSeats(t *testing.T) {
	s, _ := serve(t, Config{Connections: 1, Streams: 1})
	s.seats.reserve, s.places.reserve = 0, 0
	c := dial(t, s)
	defer c.leave()
	open := func() (*websocket.Conn, int) {
		ws, answer, err := websocket.DefaultDialer.Dial("ws://"+s.Addr().String()+"/stream", nil)
		if answer == nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return ws, answer.StatusCode
	}
	ws, _ := open()
	var hello stream.Hello
	_ = ws.SetReadDeadline(time.Now().Add(patience))
	if _, text, err := ws.ReadMessage(); err != nil || json.Unmarshal(text, &hello) != nil || hello.Instance != s.core.Instance() {
		t.Errorf("%s, %v", text, err)
	}
	if _, status := open(); status != http.StatusServiceUnavailable {
		t.Errorf("a second stream got %d", status)
	}
	_ = ws.Close()
	for {
		if again, status := open(); status == http.StatusSwitchingProtocols { // as soon as the server has seen that the first one has gone
			_ = again.Close()
			return
		}
	}
}
