package protocol

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	gorilla "github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/directio/tcp"
	"github.com/softrobot-rcc/rccd/directio/websocket"
)

// client is what a script needs of a connection.
type client interface {
	send(statement string) error
	receive() (string, error) // io.EOF when the server has ended the connection cleanly
	leave()
}

// transport is a way to reach a core.
type transport struct {
	name    string
	connect func(c *cell, cfg Config) (client, <-chan error)
}

var transports = []transport{{"memory", inMemory}, {"websocket", overWebSocket}, {"unmasked", overUnmasked}, {"tcp", overTCP}}

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// pipe is a connection in memory.
type pipe struct {
	in, out chan string
	once    *sync.Once
	closed  chan struct{}
}

func newPipe() (server, client pipe) {
	there, back, closed, once := make(chan string, 1), make(chan string, 1), make(chan struct{}), new(sync.Once)
	return pipe{in: there, out: back, once: once, closed: closed}, pipe{in: back, out: there, once: once, closed: closed}
}

func (p pipe) ReadMessage() (string, error) {
	select {
	case message := <-p.in:
		return message, nil
	default:
	}
	select {
	case message := <-p.in:
		return message, nil
	case <-p.closed:
		return "", io.EOF
	}
}

func (p pipe) WriteMessages(messages ...[]byte) error {
	for _, m := range messages {
		if err := p.send(string(m)); err != nil {
			return err
		}
	}
	return nil
}

func (p pipe) Close(string) error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p pipe) send(text string) error {
	select {
	case p.out <- text:
		return nil
	case <-p.closed:
		return io.ErrClosedPipe
	}
}

func (p pipe) receive() (string, error) { return p.ReadMessage() }

func (p pipe) leave() { _ = p.Close("") }

func inMemory(c *cell, cfg Config) (client, <-chan error) {
	server, client := newPipe()
	return client, async(func() error { return Serve(context.Background(), c.core, server, cfg) })
}

// webServer serves conversations on WebSockets.
func webServer(c *cell, cfg Config) (addr string, ended <-chan error) {
	done := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, wire.Limits{})
		if err != nil {
			done <- err
			return
		}
		done <- Serve(context.Background(), c.core, conn, cfg)
	}))
	c.t.Cleanup(s.Close)
	return s.Listener.Addr().String(), done
}

type webClient struct{ ws *gorilla.Conn }

func overWebSocket(c *cell, cfg Config) (client, <-chan error) {
	addr, ended := webServer(c, cfg)
	return dialWeb(c.t, addr), ended
}

func dialWeb(t testing.TB, addr string) webClient {
	t.Helper()
	ws, response, err := gorilla.DefaultDialer.Dial("ws://"+addr+"/DirectIO/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return webClient{ws}
}

func (c webClient) send(statement string) error {
	return c.ws.WriteMessage(gorilla.TextMessage, []byte(statement))
}

func (c webClient) receive() (string, error) {
	_ = c.ws.SetReadDeadline(time.Now().Add(patience))
	_, message, err := c.ws.ReadMessage()
	return string(message), err
}

func (c webClient) leave() {
	_ = c.ws.WriteControl(gorilla.CloseMessage, gorilla.FormatCloseMessage(gorilla.CloseNormalClosure, ""), time.Now().Add(patience))
	_, _ = io.Copy(io.Discard, c.ws.NetConn())
	_ = c.ws.Close()
}

// unmasked is a client as the existing ones are: no version, no masks, constant key.
type unmasked struct {
	net.Conn
	in *bufio.Reader
}

func overUnmasked(c *cell, cfg Config) (client, <-chan error) {
	addr, ended := webServer(c, cfg)
	return dialUnmasked(c.t, addr), ended
}

func dialUnmasked(t testing.TB, addr string) unmasked {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := unmasked{conn, bufio.NewReader(conn)}
	host, _, _ := net.SplitHostPort(addr)
	fmt.Fprintf(conn, "GET /DirectIO/ HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", host)
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	accepted := false
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if accepted = accepted || strings.HasPrefix(line, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); line == "\r\n" {
			break
		}
	}
	if !accepted {
		t.Fatal("the handshake was not accepted")
	}
	return c
}

func frame(op byte, body string) []byte {
	b := []byte{0x80 | op}
	switch n := len(body); {
	case n < 126:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, body...)
}

func (c unmasked) send(statement string) error {
	_, err := c.Write(frame(1, statement))
	return err
}

func (c unmasked) receive() (string, error) {
	_ = c.SetReadDeadline(time.Now().Add(patience))
	op, body, err := c.frame()
	if err == nil && op == 8 {
		return body, io.EOF
	}
	return body, err
}

func (c unmasked) frame() (op byte, body string, err error) {
	var h [10]byte
	if _, err := io.ReadFull(c.in, h[:2]); err != nil {
		return 0, "", err
	}
	n := uint64(h[1])
	switch n {
	case 126:
		_, err = io.ReadFull(c.in, h[2:4])
		n = uint64(binary.BigEndian.Uint16(h[2:]))
	case 127:
		_, err = io.ReadFull(c.in, h[2:])
		n = binary.BigEndian.Uint64(h[2:])
	}
	if err != nil {
		return 0, "", err
	}
	text := make([]byte, n)
	_, err = io.ReadFull(c.in, text)
	return h[0] & 0x0f, string(text), err
}

func (c unmasked) leave() {
	_, _ = c.Write(frame(8, "BYE"))
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for {
		op, body, err := c.frame()
		if err != nil || op == 8 {
			if err == nil && body != "BYE" {
				panic("the goodbye came back as " + body)
			}
			break
		}
	}
	_ = c.Close()
}

type bareClient struct {
	net.Conn
	in *bufio.Reader
}

func overTCP(c *cell, cfg Config) (client, <-chan error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		c.t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		c.t.Fatal(err)
	}
	cfg.Bare = true
	ended := async(func() error { return Serve(context.Background(), c.core, tcp.New(accepted, wire.Limits{}), cfg) })
	return bareClient{conn, bufio.NewReader(conn)}, ended
}

func (c bareClient) send(statement string) error {
	_, err := io.WriteString(c, statement+"#\n")
	return err
}

func (c bareClient) receive() (string, error) {
	_ = c.SetReadDeadline(time.Now().Add(patience))
	message, err := c.in.ReadString('\n')
	for err == nil && !strings.HasSuffix(message, "#\n") {
		var more string
		more, err = c.in.ReadString('\n')
		message += more
	}
	if errors.Is(err, io.EOF) && message != "" {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimSuffix(message, "#\n"), err
}

func (c bareClient) leave() { _ = c.Close() }

// async runs f and delivers its result; a second look at the channel only waits for the end.
func async(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		defer close(done)
		done <- f()
	}()
	return done
}
