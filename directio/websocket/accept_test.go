package websocket

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// exampleKey and exampleAccept are those of RFC 6455 §1.3; existing clients know no others.
const (
	exampleKey    = "dGhlIHNhbXBsZSBub25jZQ=="
	exampleAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
)

// echo says every message back until the peer leaves, and then how it ended.
func echo(t *testing.T, limits wire.Limits) (addr string, ends <-chan error) {
	ended := make(chan error, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := Accept(w, r, limits)
		for err == nil {
			var message string
			if message, err = c.ReadMessage(); err == nil {
				err = c.WriteMessages([]byte(message))
			}
		}
		if c != nil {
			_ = c.Close("the end")
		}
		ended <- err
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String(), ended
}

// legacy is a client of the kind that reads the answer line by line and masks nothing.
type legacy struct {
	net.Conn
	in *bufio.Reader
}

// dialLegacy sends the handshake of existing clients and returns the lines of the answer.
func dialLegacy(t *testing.T, addr string) (legacy, []string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(c, "GET /DirectIO/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n\r\n", exampleKey)
	client := legacy{c, bufio.NewReader(c)}
	var lines []string
	for {
		line, err := client.in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line = strings.TrimSuffix(line, "\r\n"); line == "" {
			return client, lines
		}
		lines = append(lines, line)
	}
}

func (c legacy) send(t *testing.T, frame []byte) {
	t.Helper()
	if _, err := c.Write(frame); err != nil {
		t.Fatal(err)
	}
}

func (c legacy) expect(t *testing.T, op opcode, body string) {
	t.Helper()
	h, err := readHeader(c.in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readBody(c.in, h, nil, &wire.Meter{})
	if err != nil {
		t.Fatal(err)
	}
	if h.op != op || string(got) != body || h.masked || !h.final {
		t.Fatalf("got frame %+v %q, want opcode %d %q", h, got, op, body)
	}
}

func TestLegacyClient(t *testing.T) {
	addr, ends := echo(t, wire.Limits{})
	c, answer := dialLegacy(t, addr)
	want := []string{
		"HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: " + exampleAccept,
	}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Error(diff)
	}
	for _, n := range []int{1, 125, 126, 0xffff, 0x10000, 1 << 20} {
		text := strings.Repeat("z", n)
		c.send(t, clientFrame(true, opText, false, []byte(text)))
		c.expect(t, opText, text)
	}
	c.send(t, clientFrame(true, opPing, false, []byte("p17")))
	c.expect(t, opPong, "p17")
	c.send(t, clientFrame(true, opClose, false, []byte("BYE")))
	c.expect(t, opClose, "BYE")
	if _, err := c.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("after the goodbye: %v", err)
	}
	if err := <-ends; !errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}

func TestLegacyClientIsTooLoud(t *testing.T) {
	addr, ends := echo(t, wire.Limits{Message: 1000})
	c, _ := dialLegacy(t, addr)
	// All of it is on its way when the server refuses: the reason must arrive all the same.
	c.send(t, clientFrame(true, opText, false, make([]byte, 4<<20)))
	c.expect(t, opClose, closeBody(tooLarge, "message is larger than 1000 bytes"))
	_ = c.Close()
	if err := <-ends; err == nil || errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}

func TestHalfAMessageTimesOut(t *testing.T) {
	addr, ends := echo(t, wire.Limits{Rest: time.Millisecond})
	c, _ := dialLegacy(t, addr)
	c.send(t, clientFrame(true, opText, false, []byte("whole")))
	c.expect(t, opText, "whole")
	c.send(t, []byte{0x81, 10, 'h', 'a', 'l', 'f'})
	var timeout net.Error
	if err := <-ends; !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("ended with %v", err)
	}
}

func TestOrdinaryClient(t *testing.T) {
	addr, ends := echo(t, wire.Limits{})
	ws, response, err := websocket.DefaultDialer.Dial("ws://"+addr+"/DirectIO/", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	_ = response.Body.Close()
	pong := make(chan string, 1)
	ws.SetPongHandler(func(body string) error { pong <- body; return nil })
	if err := ws.WriteControl(websocket.PingMessage, []byte("p17"), time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []int{websocket.TextMessage, websocket.BinaryMessage} {
		if err := ws.WriteMessage(kind, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		got, body, err := ws.ReadMessage()
		if err != nil || got != websocket.TextMessage || string(body) != "hello" {
			t.Fatalf("got %d %q, %v", got, body, err)
		}
	}
	if body := <-pong; body != "p17" {
		t.Errorf("pong %q", body)
	}
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	if err := ws.WriteControl(websocket.CloseMessage, bye, time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("closed with %v", err)
	}
	if err := <-ends; !errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}

func TestOrdinaryClientIsTooLoud(t *testing.T) {
	addr, ends := echo(t, wire.Limits{Message: 1000})
	ws, response, err := websocket.DefaultDialer.Dial("ws://"+addr+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	_ = response.Body.Close()
	if err := ws.WriteMessage(websocket.TextMessage, make([]byte, 4<<20)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("closed with %v", err)
	}
	_ = ws.Close()
	if err := <-ends; err == nil || errors.Is(err, io.EOF) {
		t.Errorf("ended with %v", err)
	}
}

func TestRefusedHandshakes(t *testing.T) {
	addr, ends := echo(t, wire.Limits{})
	upgrade := "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
	tests := []struct {
		name, method, header string
		want                 string
	}{
		{"page", "GET", "", "426 Upgrade Required"},
		{"no key", "GET", upgrade, "400 Bad Request"},
		{"method", "POST", upgrade + "Sec-WebSocket-Key: " + exampleKey + "\r\n", "405 Method Not Allowed"},
		{"version", "GET", upgrade + "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: " + exampleKey + "\r\n", "400 Bad Request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "%s /DirectIO/ HTTP/1.1\r\nHost: x\r\n%s\r\n", tt.method, tt.header)
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.Status != tt.want {
				t.Errorf("got %s, want %s", answer.Status, tt.want)
			}
			if err := <-ends; err == nil {
				t.Error("accepted")
			}
		})
	}
}
