package directio

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestMain(m *testing.M) { leak.Main(m) }

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// serve runs a server over a cell whose time passes as fast as it can be computed.
func serve(t testing.TB, cfg Config) (*Server, *observer.ObservedLogs) {
	t.Helper()
	return serveBeside(t, cfg, func(*rcc.Core) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "page %s", r.URL.Path) })
	})
}

// serveBeside makes the handler of everything but DirectIO for the cell.
func serveBeside(t testing.TB, cfg Config, rest func(*rcc.Core) http.Handler) (*Server, *observer.ObservedLogs) {
	t.Helper()
	clock := rt.NewVirtual(time.Unix(1_000_000_000, 0))
	catalogue, err := spec.NewCatalogue(core.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	cell, err := rcc.New(rcc.Config{Catalogue: catalogue, Clock: clock, DeviceTypes: []device.Type{breakerType}})
	if err != nil {
		t.Fatal(err)
	}
	clock.SetSpeed(math.Inf(1))
	cfg.Listen = "127.0.0.1:0"
	level, logs := observer.New(zap.InfoLevel)
	cfg.Log = zap.New(level)
	s, err := Listen(cell, rest(cell), cfg)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		cancelled, stop := context.WithCancel(ctx)
		stop() // what still runs is aborted
		_ = cell.Close(cancelled)
	})
	return s, logs
}

// talker is a well-behaved client.
type talker struct {
	t  testing.TB
	ws *websocket.Conn
	n  int
}

func dial(t testing.TB, s *Server) *talker {
	t.Helper()
	ws, response, err := websocket.DefaultDialer.Dial("ws://"+s.Addr().String()+"/DirectIO/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	c := &talker{t: t, ws: ws}
	c.ask(`ver("2.0")`)
	return c
}

// ask sends a command and returns the answer. Messages before it are left out.
func (c *talker) ask(command string) string {
	c.t.Helper()
	c.n++
	tag := fmt.Sprintf("c%d", c.n)
	c.say(tag + "=" + command)
	return strings.TrimPrefix(c.await(func(m string) bool {
		return strings.HasPrefix(m, tag+"=ok") || strings.HasPrefix(m, tag+"=err")
	}), tag+"=")
}

func (c *talker) say(statement string) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(statement)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *talker) await(wanted func(message string) bool) string {
	c.t.Helper()
	for {
		_ = c.ws.SetReadDeadline(time.Now().Add(patience))
		_, message, err := c.ws.ReadMessage()
		if err != nil {
			c.t.Fatal(err)
		}
		if wanted(string(message)) {
			return string(message)
		}
	}
}

// name returns what an ok brings.
func (c *talker) name(command string) string {
	c.t.Helper()
	answer := c.ask(command)
	name, ok := strings.CutPrefix(answer, `ok("`)
	if !ok {
		c.t.Fatalf("%.60s: %s", command, answer)
	}
	return strings.TrimSuffix(name, `")`)
}

func (c *talker) leave() {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(patience))
	_, _ = io.Copy(io.Discard, c.ws.NetConn())
	_ = c.ws.Close()
}

// rawRequest sends bytes as they are and reads the answer to them.
func rawRequest(t testing.TB, addr net.Addr, request string) *http.Response {
	t.Helper()
	c, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
