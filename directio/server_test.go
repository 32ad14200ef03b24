package directio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/rcc"
)

const legacyHandshake = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

func TestRouting(t *testing.T) {
	s, _ := serve(t, Config{Hosts: []string{"cell.example"}})
	port := strings.TrimPrefix(s.Addr().String(), "127.0.0.1")
	tests := []struct {
		name, target, header string
		status               int
		location, body       string
	}{
		{"page", "/nets/", "Host: localhost", 200, "", "page /nets/"},
		{"page with folded path", "//nets//", "Host: localhost", 200, "", "page /nets/"},
		{"existing client", "/DirectIO/", "Host: 127.0.0.1\r\n" + legacyHandshake, 101, "", ""},
		{"folded path", "//DirectIO//", "Host: 127.0.0.1\r\n" + legacyHandshake, 101, "", ""},
		{"own origin", "/DirectIO/", "Host: localhost" + port + "\r\nOrigin: http://localhost" + port + "\r\n" + legacyHandshake, 101, "", ""},
		{"configured host", "/DirectIO/", "Host: cell.example\r\nOrigin: http://cell.example\r\n" + legacyHandshake, 101, "", ""},
		{"foreign origin", "/DirectIO/", "Host: localhost\r\nOrigin: http://evil.example\r\n" + legacyHandshake, 403, "", ""},
		{"hidden origin", "/DirectIO/", "Host: localhost\r\nOrigin: null\r\n" + legacyHandshake, 403, "", ""},
		{"foreign host", "/DirectIO/", "Host: evil.example\r\nOrigin: http://evil.example\r\n" + legacyHandshake, 403, "", ""},
		{"no WebSocket", "/DirectIO/", "Host: localhost", 426, "", ""},
		{"no slash", "/DirectIO", "Host: localhost", 307, "/DirectIO/", ""},
		{"below", "/DirectIO/x", "Host: localhost", 200, "", "page /DirectIO/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := rawRequest(t, s.Addr(), "GET "+tt.target+" HTTP/1.1\r\n"+tt.header+"\r\n\r\n")
			if answer.StatusCode != tt.status || answer.Header.Get("Location") != tt.location {
				t.Errorf("got %s, Location %q", answer.Status, answer.Header.Get("Location"))
			}
			if tt.body == "" {
				return
			}
			body, err := io.ReadAll(answer.Body)
			if err != nil || string(body) != tt.body {
				t.Errorf("got %q, %v", body, err)
			}
		})
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	s, _ := serve(t, Config{TCP: "127.0.0.1:0", Connections: 1})
	s.seats.reserve = 0
	c := dial(t, s)
	answer := rawRequest(t, s.Addr(), "GET /DirectIO/ HTTP/1.1\r\nHost: localhost\r\n"+legacyHandshake+"\r\n")
	if answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the second one got %s", answer.Status)
	}
	bare, err := net.Dial("tcp", s.TCPAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	_ = bare.SetDeadline(time.Now().Add(patience))
	if all, err := io.ReadAll(bare); err != nil || !strings.HasPrefix(string(all), "none=err(\"too many connections: 1 of 1 seats are taken") {
		t.Errorf("bare TCP got %q, %v", all, err)
	}
	if got := c.ask(`nse("x")`); got != `ok("s1")` {
		t.Errorf("the first one got %s", got)
	}
	c.leave()
	// Its place is free as soon as the server has seen the goodbye, which leave has waited for.
	s.talks.Wait()
	again := dial(t, s)
	again.leave()
}

func TestBareTCP(t *testing.T) {
	s, _ := serve(t, Config{TCP: "127.0.0.1:0"})
	c, err := net.Dial("tcp", s.TCPAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(c, "a=ver(\"2.0\")#\nb=nse(\"me\")#\nc=quit()#\n")
	got, err := io.ReadAll(c)
	if want := "a=ok(\"handshake ok\")#\nb=ok(\"s1\")#\nc=ok(\"quitting\")#\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestCloseTellsClients(t *testing.T) {
	s, _ := serve(t, Config{TCP: "127.0.0.1:0"})
	c := dial(t, s)
	bare, err := net.Dial("tcp", s.TCPAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	_ = bare.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(bare, "a=ver(\"2.0\")#\n")
	if line, err := bufio.NewReader(bare).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	_, _, err = c.ws.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != websocket.CloseGoingAway || closed.Text != "the daemon is closing" {
		t.Errorf("WebSocket closed with %v", err)
	}
	_ = c.ws.Close()
	if rest, err := io.ReadAll(bare); err != nil || len(rest) > 0 {
		t.Errorf("bare TCP: %q, %v", rest, err)
	}
	if _, err := net.Dial("tcp", s.Addr().String()); err == nil {
		t.Error("still listening")
	}
}

// TestDrippingBodyIsCutOff sends a body byte by byte: what ends it is the time for the whole, as no pause is long.
func TestDrippingBodyIsCutOff(t *testing.T) {
	s, _ := serveBeside(t, Config{bodyTime: 50 * time.Millisecond}, func(core *rcc.Core) http.Handler {
		return pages.Handler(core, pages.Options{})
	})
	for _, path := range []string{"/nets/", "/extensions/", "/healthz"} {
		t.Run(path, func(t *testing.T) {
			c, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", path)
			heard := drip(t, c)
			answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(heard)), nil)
			if err != nil {
				t.Fatalf("%q: %v", heard, err)
			}
			_ = answer.Body.Close()
			want := http.StatusRequestTimeout
			if path == "/healthz" {
				want = http.StatusMethodNotAllowed // known before the body
			}
			if answer.StatusCode != want || !answer.Close {
				t.Errorf("got %s, close %v", answer.Status, answer.Close)
			}
		})
	}
}

// drip sends a byte whenever nothing has come for a moment, until the connection is closed; it returns what has come.
func drip(t *testing.T, c net.Conn) []byte {
	t.Helper()
	var heard []byte
	buf := make([]byte, 4096)
	for end := time.Now().Add(patience); time.Now().Before(end); {
		_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
		n, err := c.Read(buf)
		heard = append(heard, buf[:n]...)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return heard // closed or reset
		}
		_, _ = c.Write([]byte("x")) // of a connection that has been closed, the next Read tells
	}
	t.Fatal("the server still listens")
	return nil
}

func TestTakenAddress(t *testing.T) {
	s, _ := serve(t, Config{})
	for _, cfg := range []Config{{Listen: s.Addr().String()}, {Listen: "127.0.0.1:0", TCP: s.Addr().String()}} {
		if _, err := Listen(s.core, http.NotFoundHandler(), cfg); err == nil {
			t.Errorf("%+v: listens twice", cfg)
		}
	}
}

// TestSilentConnectionsDoNotHoldUpTheEnd opens a connection in advance, as browsers do.
func TestSilentConnectionsDoNotHoldUpTheEnd(t *testing.T) {
	s, _ := serve(t, Config{})
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rawRequest(t, s.Addr(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") // is accepted after the silent one
	s.silent.mu.Lock()
	known := len(s.silent.conns)
	s.silent.mu.Unlock()
	if known != 1 {
		t.Errorf("%d silent connections", known)
	}
	s.silent.close()
	_ = c.SetDeadline(time.Now().Add(patience))
	if all, err := io.ReadAll(c); err != nil || len(all) > 0 {
		t.Errorf("the silent one got %q, %v", all, err)
	}
}

func TestSilent(t *testing.T) {
	s := silent{conns: map[net.Conn]struct{}{}}
	open := func() net.Conn {
		c, _ := net.Pipe()
		t.Cleanup(func() { _ = c.Close() })
		s.note(c, http.StateNew)
		return c
	}
	isOpen := func(c net.Conn) bool { return c.SetDeadline(time.Time{}) == nil }
	asked, gone, waiting := open(), open(), open()
	s.note(asked, http.StateActive)
	s.note(gone, http.StateClosed)
	s.close()
	if late := open(); !isOpen(asked) || !isOpen(gone) || isOpen(waiting) || isOpen(late) {
		t.Errorf("open: asked %t, gone %t, waiting %t, late %t", isOpen(asked), isOpen(gone), isOpen(waiting), isOpen(late))
	}
	if len(s.conns) != 1 {
		t.Errorf("%d are left", len(s.conns))
	}
}

// TestOlderClients: who is known by the transport is told a state at a time, everybody else all of them at once. Of many nets that
// are started in a row, these are said to run before the answers, and older clients have no time for that.
func TestOlderClients(t *testing.T) {
	s, _ := serve(t, Config{TCP: "127.0.0.1:0"})
	raw := func(connect func(*intruder), encode func(string) []byte) speaker {
		i := &intruder{t: t, s: s}
		connect(i)
		t.Cleanup(func() { _ = i.Close() })
		return speaker{func(statement string) { i.write(encode(statement)) }, func(word string) string { return readUntil(t, i, word) }}
	}
	bare := raw((*intruder).connectBare, func(statement string) []byte { return []byte(statement + "#") })
	bare.say(`v=ver("2.0")`)
	unmasked := raw((*intruder).handshake, textFrame)
	unmasked.until("\r\n\r\n")
	unmasked.say(`v=ver("2.0")`)
	c := dial(t, s)
	defer c.leave()
	strict := speaker{c.say, func(word string) (all string) {
		c.await(func(m string) bool {
			all += m
			return strings.Contains(m, word)
		})
		return all
	}}
	const nets = 100
	for _, tt := range []struct {
		transport string
		speaker
		older bool
	}{{"TCP", bare, true}, {"unmasked", unmasked, true}, {"WebSocket", strict, false}} {
		before := tt.startMany(nets)
		if running := strings.Count(before, `ns("RUNNING")`); tt.older != (running < nets) {
			t.Errorf("%s: %d of %d nets were said to run before the answers", tt.transport, running, nets)
		}
	}
}

// speaker is a client that reads what it hears as one text.
type speaker struct {
	say   func(statement string)
	until func(word string) string
}

// startMany loads nets, observes and starts them, and returns what it has heard until the last one was started.
func (s speaker) startMany(nets int) string {
	var names []string
	for i := range nets {
		s.say(fmt.Sprintf(`l%d=nene("{outTerminate=Core::BooleanValue(Value='false').outValue}")`, i))
		heard := s.until(fmt.Sprintf(`l%d=ok(`, i))
		if !strings.HasSuffix(heard, `")`) {
			heard += s.until(`")`)
		}
		_, name, _ := strings.Cut(heard, fmt.Sprintf(`l%d=ok("`, i))
		names = append(names, strings.TrimSuffix(name, `")`))
	}
	for i, name := range names {
		s.say(fmt.Sprintf(`g%d=gne("%s",1.0)`, i, name))
		s.say(fmt.Sprintf(`s%d=nest("%s")`, i, name))
	}
	return s.until(fmt.Sprintf("s%d=ok", nets-1))
}

// readUntil reads up to the end of a word.
func readUntil(t *testing.T, from io.Reader, word string) string {
	t.Helper()
	var all []byte
	for one := make([]byte, 1); !strings.HasSuffix(string(all), word); all = append(all, one...) {
		if _, err := from.Read(one); err != nil {
			t.Fatalf("%q and then %v", all, err)
		}
	}
	return string(all)
}

// TestLargeBodies sends a body that is too large as many clients do, which listen only when they have sent all of it: it hears why
// nothing comes of it, instead of an end of the connection. A body far beyond the limit is refused at once.
func TestLargeBodies(t *testing.T) {
	s, _ := serveBeside(t, Config{}, func(c *rcc.Core) http.Handler { return pages.Handler(c, pages.Options{MaxBody: 8 << 20}) })
	const head = "POST /nets/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
	body := strings.Repeat("x", 12<<20)
	for name, request := range map[string]string{
		"announced":     fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body),
		"not announced": fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(body), body),
		"asks before":   fmt.Sprintf("%sContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", head, len(body)),
		"hopeless":      head + "Content-Length: 1000000000000\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			answer := rawRequest(t, s.Addr(), request)
			defer answer.Body.Close()
			if answer.StatusCode != http.StatusRequestEntityTooLarge || !answer.Close {
				t.Errorf("%s, connection closed: %t", answer.Status, answer.Close)
			}
			if text, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(text), "8388608") && !strings.Contains(string(text), "8 MiB") {
				t.Errorf("answer %s, %v", text, err)
			}
		})
	}
}
