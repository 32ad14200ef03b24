package websocket

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

var upgrader = websocket.Upgrader{
	HandshakeTimeout: 10 * time.Second,
	ReadBufferSize:   4096,
	WriteBufferSize:  4096,
	WriteBufferPool:  &sync.Pool{},
	CheckOrigin:      func(*http.Request) bool { return true }, // the server looks at origins before it comes here
}

// Older reports whether a request is one of the older generations of clients, which know no version of the protocol.
func Older(r *http.Request) bool { return r.Header.Get("Sec-Websocket-Version") == "" }

// Accept makes a connection out of a request. When it cannot, it has answered the request. Clients that keep to RFC 6455 also
// get what w has as header; the others look for certain bytes and get nothing beyond them.
func Accept(w http.ResponseWriter, r *http.Request, limits wire.Limits) (wire.Conn, error) {
	limits = limits.OrDefault()
	if !Older(r) {
		ws, err := upgrader.Upgrade(w, r, w.Header())
		if err != nil {
			return nil, err
		}
		return newStrict(ws, limits), nil
	}
	if status, problem := checkHandshake(r); problem != "" {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, problem, status)
		return nil, fmt.Errorf("handshake: %s", problem)
	}
	return acceptLax(w, r, limits)
}

// AcceptStrict makes a connection out of a request of a client that keeps to RFC 6455, for what older clients do not know. When it cannot,
// it has answered the request.
func AcceptStrict(w http.ResponseWriter, r *http.Request, limits wire.Limits) (wire.BinaryConn, error) {
	if status, problem := checkHandshake(r); problem != "" {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, problem, status)
		return nil, fmt.Errorf("handshake: %s", problem)
	}
	ws, err := upgrader.Upgrade(w, r, w.Header())
	if err != nil {
		return nil, err
	}
	return newStrict(ws, limits.OrDefault()), nil
}

func checkHandshake(r *http.Request) (status int, problem string) {
	switch {
	case !hasToken(r.Header.Values("Upgrade"), "websocket") || !hasToken(r.Header.Values("Connection"), "upgrade"):
		return http.StatusUpgradeRequired, "this address speaks WebSocket only"
	case r.Method != http.MethodGet:
		return http.StatusMethodNotAllowed, "a WebSocket begins with GET"
	case r.Header.Get("Sec-Websocket-Key") == "":
		return http.StatusBadRequest, "Sec-WebSocket-Key is missing"
	}
	return 0, ""
}

// hasToken looks for a token in a header that is a list.
func hasToken(lines []string, token string) bool {
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}

func acceptLax(w http.ResponseWriter, r *http.Request, limits wire.Limits) (wire.Conn, error) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "this connection cannot become a WebSocket", http.StatusInternalServerError)
		return nil, fmt.Errorf("handshake: %w", err)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil { // of the HTTP server
		_ = conn.Close()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	// The spelling of the last line matters: existing clients look for exactly these bytes.
	answer := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Accept: " + acceptKey(r.Header.Get("Sec-Websocket-Key")) + "\r\n\r\n"
	if err := writeBy(conn, []byte(answer), limits.Write); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return newLax(conn, buffered.Reader, limits), nil
}

// acceptKey proves that the handshake was understood (RFC 6455 §4.2.2).
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}
