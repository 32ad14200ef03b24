package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/rcc"
)

// pipe is a connection in memory whose client takes each message when it wants to.
type pipe struct {
	says  chan string
	hears chan []byte
	end   chan struct{}
	over  bool
}

func newPipe() *pipe {
	return &pipe{says: make(chan string), hears: make(chan []byte), end: make(chan struct{})}
}

func (p *pipe) ReadMessage() (string, error) {
	select {
	case message := <-p.says:
		return message, nil
	case <-p.end:
		return "", io.EOF
	}
}

func (p *pipe) WriteMessages(messages ...[]byte) error {
	for _, m := range messages {
		if err := p.WriteBinary(m); err != nil {
			return err
		}
	}
	return nil
}

func (p *pipe) WriteBinary(message []byte) error {
	select {
	case p.hears <- bytes.Clone(message):
		return nil
	case <-p.end:
		return io.ErrClosedPipe
	}
}

func (p *pipe) Close(string) error { return nil }

// listen opens a stream over a pipe.
func (c *cell) listen() *pipe {
	p := newPipe()
	ended := make(chan error, 1)
	go func() { ended <- c.stream.Serve(c.t.Context(), p) }()
	c.t.Cleanup(func() {
		p.leave()
		<-ended
	})
	<-p.hears // the greeting
	return p
}

func (p *pipe) leave() {
	if !p.over {
		p.over = true
		close(p.end)
	}
}

// next is the next message but that the daemon is alive.
func (p *pipe) next(t testing.TB) (m told) {
	late := time.After(patience)
	for {
		select {
		case text := <-p.hears:
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !m.Alive {
				return m
			}
			m = told{}
		case <-late:
			t.Fatal("no message comes")
		}
	}
}

// TestSlowClient: a client that does not read for a while is told what there is then, and how much it has missed; others are told all the time.
func TestSlowClient(t *testing.T) {
	c := newCell(t, Config{})
	slow, quick := c.listen(), c.listen()
	for _, p := range []*pipe{slow, quick} {
		p.says <- `{"id":1,"watch":"nets"}`
		p.next(t)
	}
	var known rows
	known.follow(told{All: &[]told{}})
	const nets = 12
	var last string
	for range nets {
		n := c.load(switchable)
		last = n.Name()
		for known.member(last, "state") != "READY" {
			known.follow(quick.next(t))
		}
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for known.member(last, "state") != "RUNNING" {
			known.follow(quick.next(t))
		}
	}
	var late rows
	late.follow(told{All: &[]told{}})
	told, left, messages := 0, uint64(0), 0
	for late.member(last, "state") != "RUNNING" {
		m := slow.next(t)
		late.follow(m)
		told, left, messages = told+len(m.Changed), left+m.Left, messages+1
	}
	if len(late) != nets || messages > 4 || left == 0 || told+int(left) != 2*nets {
		t.Errorf("%d nets in %d messages, told of %d changes, %d left out; there were %d", len(late), messages, told, left, 2*nets)
	}
}

// TestClientThatNeverReads is given up when its connection takes no more, and costs nothing any more.
func TestClientThatNeverReads(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	c := newCell(t, Config{Log: func(after uint64) (lines []facts.LogLine) {
		for n := after + 1; n <= after+500; n++ {
			lines = append(lines, facts.LogLine{Number: n, Level: "INFO", Message: long})
		}
		return lines
	}})
	c.limits.Write = 20 * time.Millisecond
	client := c.greeted()
	client.say(`{"id":1,"watch":"log"}`)
	if err := <-c.ends; !errors.Is(err, ErrNotReading) {
		t.Errorf("ended with %v", err)
	}
	if l := c.stream.topics["log"]; l.board != nil {
		t.Error("the log is still looked at")
	}
}

// TestLookingChangesNothing: with ten clients that watch everything, two of which do not read, a net of 1 ms has all its cycles at its ticks, and
// nothing more is allocated while they pass.
func TestLookingChangesNothing(t *testing.T) {
	c := newCell(t, Config{})
	n, err := c.core.Nets.Load(rcc.LoadRequest{Text: spiking, Period: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	cycles := func() { c.advance(20 * time.Millisecond) }
	alone := alloc.Least(cycles)
	var clients []*pipe
	for i := range 10 {
		p := c.listen()
		clients = append(clients, p)
		for id, what := range []string{
			`"watch":"nets"`, `"watch":"rules"`, `"watch":"devices"`, `"watch":"sessions"`, `"watch":"executors"`, `"watch":"incidents"`,
			fmt.Sprintf(`"probe":{"net":%q,"ports":[{"path":"in","port":"outValue"},{"path":"v","port":"outValue"}]}`, n.Name()),
		} {
			p.says <- fmt.Sprintf(`{"id":%d,%s}`, id+1, what)
			p.next(t)
		}
		if i >= 2 {
			go func() {
				for {
					select {
					case <-p.hears:
					case <-p.end:
						return
					}
				}
			}()
		}
	}
	before := n.Newest()
	with := alloc.Least(cycles)
	if with > alone {
		t.Errorf("20 cycles allocate %d times, %d without clients", with, alone)
	}
	c.advance(time.Second)
	stats, _ := n.Stats()
	if ran := n.Newest() - before; stats.Missed > 0 || stats.Overruns > 0 || ran < 1000 || (ran-1000)%20 != 0 {
		t.Errorf("%d cycles, %+v", ran, stats)
	}
	for _, p := range clients {
		p.leave()
	}
}

// TestRudeClients: whatever clients do, the stream gets rid of them, serves others and has nothing of them left.
func TestRudeClients(t *testing.T) {
	c := newCell(t, Config{})
	n := c.load(spiking)
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	probe := fmt.Sprintf(`{"id":9,"probe":{"net":%q,"ports":[{"path":"in","port":"outValue"}]}}`, n.Name())
	cut := func(client *client) { _ = client.ws.NetConn().Close() }
	thrown := func(client *client) { // the daemon says so, and waits for the client to go
		for {
			if _, _, err := client.ws.ReadMessage(); err != nil {
				cut(client)
				return
			}
		}
	}
	rude := map[string]func(*client){
		"goes at once": cut,
		"says goodbye": func(client *client) {
			_ = client.ws.WriteControl(websocket.CloseMessage, nil, time.Now().Add(patience))
		},
		"cuts a frame": func(client *client) {
			_, _ = client.ws.NetConn().Write([]byte{0x81, 0xfe, 1, 0, 1, 2, 3, 4, '{'})
			cut(client)
		},
		"is not masked": func(client *client) { _, _ = client.ws.NetConn().Write([]byte{0x81, 1, '{'}); thrown(client) },
		"sends garbage frames": func(client *client) {
			noise := make([]byte, 1000)
			for i := range noise {
				noise[i] = byte(rand.Uint32())
			}
			_, _ = client.ws.NetConn().Write(append([]byte{0xff, 0xff}, noise...))
			thrown(client)
		},
		"sends too much": func(client *client) {
			_ = client.ws.WriteMessage(websocket.TextMessage, make([]byte, RequestSize+1))
			thrown(client)
		},
		"sends deep brackets": func(client *client) {
			client.say(`{"id":1,"probe":` + strings.Repeat("[", 60_000))
			client.next()
			cut(client)
		},
		"begins and goes": func(client *client) {
			for id, topic := range []string{"nets", "rules", "devices", "sessions", "executors", "incidents", "log"} {
				client.say(fmt.Sprintf(`{"id":%d,"watch":%q}`, id+1, topic))
			}
			client.say(probe)
			cut(client)
		},
		"begins and ends again and again": func(client *client) {
			for id := 1; id < 200; id += 2 {
				client.say(strings.Replace(probe, `"id":9`, fmt.Sprintf(`"id":%d`, id), 1))
				client.say(fmt.Sprintf(`{"id":%d,"end":%d}`, id+1, id))
			}
			cut(client)
		},
	}
	round := func() {
		for name, do := range rude {
			client := c.connect()
			do(client)
			cut(client)
			select {
			case <-c.ends:
			case <-time.After(patience):
				t.Fatalf("a client that %s is still there", name)
			}
		}
		client := c.connect()
		client.next()
		client.say(`{"id":1,"watch":"nets"}`)
		if m := client.next(); m.All == nil {
			t.Fatalf("%+v", m)
		}
		cut(client)
		<-c.ends
	}
	inUse := func() (goroutines int, heap uint64) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	round()
	goroutines, heap := inUse()
	for range 20 {
		round()
	}
	for late := time.Now().Add(patience); ; {
		g, h := inUse()
		if g <= goroutines && h < heap+1<<20 {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("%d goroutines and %d bytes, %d and %d before", g, h, goroutines, heap)
		}
		runtime.Gosched()
	}
	if len(c.stream.probes.byKey) > 0 {
		t.Errorf("%d probes are left", len(c.stream.probes.byKey))
	}
	for name, topic := range c.stream.topics {
		if topic.board != nil {
			t.Errorf("%s is still looked at", name)
		}
	}
}

var _ wire.BinaryConn = (*pipe)(nil)
