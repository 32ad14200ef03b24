package stream

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	accept "github.com/softrobot-rcc/rccd/directio/websocket"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/world"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestMain(m *testing.M) { leak.Main(m) }

// patience is how long a test waits for what must come.
const patience = time.Minute

// cell is a core in virtual time with a stream.
type cell struct {
	t      testing.TB
	core   *rcc.Core
	time   *rt.Virtual
	stream *Server
	ends   chan error // of connections
	limits wire.Limits
	addr   string
}

func newCell(t testing.TB, cfg Config) *cell {
	t.Helper()
	c := &cell{t: t, time: rt.NewVirtual(time.Unix(1_000_000_000, 0)), ends: make(chan error, 1000), limits: wire.Limits{Message: RequestSize}}
	catalogue, err := spec.NewCatalogue(core.Primitives(), world.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	if c.core, err = rcc.New(rcc.Config{Catalogue: catalogue, Clock: c.time}); err != nil {
		t.Fatal(err)
	}
	c.stream = New(c.core, cfg)
	ctx, stop := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := accept.AcceptStrict(w, r, c.limits); err == nil {
			c.ends <- c.stream.Serve(ctx, conn)
		}
	}))
	c.addr = server.Listener.Addr().String()
	t.Cleanup(func() {
		stop()
		server.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what still runs is aborted
		_ = c.core.Close(ctx)
	})
	return c
}

// load loads a net.
func (c *cell) load(text string) *rcc.Net {
	c.t.Helper()
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: text})
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// advance lets the cell get older.
func (c *cell) advance(d time.Duration) {
	c.t.Helper()
	if err := c.time.Advance(c.t.Context(), d); err != nil {
		c.t.Fatal(err)
	}
}

// client is one that is written from the guide alone.
type client struct {
	t  testing.TB
	ws *websocket.Conn
}

// told is any message of the daemon.
type told struct {
	Rccd     int
	Instance string
	Version  string

	ID      uint32
	All     *[]told
	Changed []told
	Gone    []string
	Left    uint64
	Key     string
	Row     json.RawMessage
	Ended   *string
	Probe   *ProbedPorts
	Error   *struct {
		Status                       int
		Code, Where, Message, Remedy string
	}
	Alive bool
}

func (c *cell) dial() *client {
	c.t.Helper()
	client := c.connect()
	c.t.Cleanup(func() { _ = client.ws.Close() })
	return client
}

// connect is dial for clients that close their connections themselves.
func (c *cell) connect() *client {
	c.t.Helper()
	ws, response, err := websocket.DefaultDialer.Dial("ws://"+c.addr+"/stream", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = response.Body.Close()
	return &client{c.t, ws}
}

// greeted is dial after the greeting.
func (c *cell) greeted() *client {
	c.t.Helper()
	client := c.dial()
	if hello := client.next(); hello.Rccd != 1 || hello.Instance != c.core.Instance() {
		c.t.Fatalf("%+v", hello)
	}
	return client
}

func (c *client) say(message string) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		c.t.Fatal(err)
	}
}

// next reads a message, and leaves out that the daemon is alive.
func (c *client) next() (m told) {
	c.t.Helper()
	_ = c.ws.SetReadDeadline(time.Now().Add(patience))
	for {
		_, text, err := c.ws.ReadMessage()
		if err != nil {
			c.t.Fatal(err)
		}
		if err := json.Unmarshal(text, &m); err != nil {
			c.t.Fatalf("%s: %v", text, err)
		}
		if !m.Alive {
			return m
		}
		m = told{}
	}
}

// rows is what a client makes of the messages about a topic.
type rows map[string]json.RawMessage

// follow takes a message in.
func (r *rows) follow(m told) {
	if m.All != nil {
		*r = rows{}
		for _, row := range *m.All {
			(*r)[row.Key] = row.Row
		}
	}
	for _, row := range m.Changed {
		(*r)[row.Key] = row.Row
	}
	for _, key := range m.Gone {
		delete(*r, key)
	}
}

// until reads on until what is known of a topic is as wanted.
func (c *client) until(id uint32, known *rows, wanted func(rows) bool) {
	c.t.Helper()
	for late := time.Now().Add(patience); !wanted(*known); {
		if time.Now().After(late) {
			c.t.Fatal("what is wanted does not come")
		}
		m := c.next()
		if m.Error != nil {
			c.t.Fatalf("%+v", m.Error)
		}
		if m.ID == id {
			known.follow(m)
		}
	}
}
