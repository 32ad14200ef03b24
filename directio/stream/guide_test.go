package stream

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestGuide runs the exchanges of the guide.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide-stream.md"))
	if err != nil {
		t.Fatal(err)
	}
	c := newCell(t, Config{Version: "1.2.3"})
	g := guide{client: c.dial(), happens: map[string]func(){
		"rpinet0 is loaded": func() { c.load(switchable) }, "rpinet1 is loaded": func() { c.load(spiking) },
		"rpinet0 is started": func() { c.start("rpinet0") }, "rpinet1 is started": func() { c.start("rpinet1") },
		"rpinet0 is aborted and unloaded": func() { c.unload("rpinet0") }, "rpinet1 is aborted and unloaded": func() { c.unload("rpinet1") },
	}}
	blocks := regexp.MustCompile("(?s)```stream\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) < 4 {
		t.Errorf("%d exchanges", len(blocks))
	}
	for _, b := range blocks {
		for line := range strings.Lines(string(b[1])) {
			g.line(strings.TrimSuffix(line, "\n"))
		}
	}
}

func (c *cell) start(net string) {
	c.t.Helper()
	n, err := c.core.Nets.Get(net)
	if err == nil {
		err = n.Start(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *cell) unload(net string) {
	c.t.Helper()
	n, err := c.core.Nets.Get(net)
	if err != nil {
		c.t.Fatal(err)
	}
	aborted := make(chan error, 1)
	go func() { aborted <- n.Abort(c.t.Context()) }()
	for over := false; !over; { // at one of the next ticks
		c.advance(2 * time.Millisecond)
		select {
		case err = <-aborted:
			over = true
		default:
		}
	}
	if err == nil {
		err = n.Unload(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.advance(10 * time.Millisecond)
}

// guide is a client that does what the guide says.
type guide struct {
	*client
	happens map[string]func()
	any     bool // messages may come in between
}

func (g *guide) line(line string) {
	g.t.Helper()
	switch {
	case line == "...":
		g.any = true
	case strings.HasPrefix(line, "["):
		do := g.happens[strings.Trim(line, "[]")]
		if do == nil {
			g.t.Fatalf("%s: the test does not know how", line)
		}
		do()
	case strings.HasPrefix(line, "< "):
		g.say(line[2:])
	default:
		g.hear(strings.TrimPrefix(line, "> "))
	}
}

// hear waits for a message. Samples are not in the exchanges.
func (g *guide) hear(wanted string) {
	g.t.Helper()
	like := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(wanted), `\.\.\.`, ".*") + "$")
	_ = g.ws.SetReadDeadline(time.Now().Add(patience))
	for {
		kind, message, err := g.ws.ReadMessage()
		switch {
		case err != nil:
			g.t.Fatalf("%v instead of %s", err, wanted)
		case kind == websocket.BinaryMessage || string(message) == `{"alive":true}`:
		case like.Match(message):
			g.any = false
			return
		case !g.any:
			g.t.Fatalf("%s\ninstead of %s", message, wanted)
		}
	}
}
