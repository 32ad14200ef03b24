package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/softrobot-rcc/rccd/directio/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve plays a daemon: reply gets each statement behind its tag and returns what is said; %s in it is the tag. Without
// any word the connection is closed.
func serve(t *testing.T, reply func(statement string) []string) (address string) {
	t.Helper()
	var up websocket.Upgrader
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/DirectIO/" {
			http.Error(w, "no such address", http.StatusNotFound)
			return
		}
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		for {
			_, text, err := conn.ReadMessage()
			if err != nil {
				return
			}
			tag, statement, _ := strings.Cut(string(text), "=")
			words := reply(statement)
			if words == nil {
				return
			}
			for _, word := range words {
				if conn.WriteMessage(websocket.TextMessage, []byte(strings.ReplaceAll(word, "%s", tag))) != nil {
					return
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const greeting = `%s=ok("handshake ok")`

func dial(t *testing.T, address string) *client.Client {
	t.Helper()
	c, err := client.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestCall(t *testing.T) {
	c := dial(t, serve(t, func(s string) []string {
		switch s {
		case `ver("2.0")`:
			return []string{greeting}
		case `nene("{}","",0.5)`:
			return []string{"none=ns()", `%s=ok("rpinet0")`, `%s=ok("again")`}
		}
		return []string{`%s=err("invalid net")`}
	}))
	answer, err := c.Call(t.Context(), "nene", "{}", "", 0.5)
	if err != nil || cmp.Diff([]any{"rpinet0"}, answer) != "" {
		t.Errorf("%v, %v", answer, err)
	}
	_, err = c.Call(t.Context(), "nest", "rpinet7")
	if refused := new(client.RefusedError); !errors.As(err, &refused) || *refused != (client.RefusedError{Command: "nest", Message: "invalid net"}) {
		t.Error(err)
	}
	if _, err = c.Call(t.Context(), "snc", -1); err == nil {
		t.Error("a negative number was sent")
	}
	if c.Err() != nil {
		t.Error(c.Err())
	}
}

// TestSubscribe: messages before the answer arrive before Subscribe returns; later ones arrive, too.
func TestSubscribe(t *testing.T) {
	c := dial(t, serve(t, func(s string) []string {
		if s == `gne("rpinet0",0.02)` {
			return []string{`%s=ns("READY")`, `%s=ok()`, `%s=ns("RUNNING")`, `%s=nc({outresult:"42"})`}
		}
		return []string{greeting}
	}))
	told := make(chan client.Message, 3)
	before := 0
	if err := c.Subscribe(t.Context(), func(m client.Message) { told <- m }, "gne", "rpinet0", 0.02); err != nil {
		t.Fatal(err)
	}
	if before = len(told); before == 0 {
		t.Error("nothing was told before the answer")
	}
	for _, want := range []client.Message{
		{Word: "ns", Params: []any{"READY"}},
		{Word: "ns", Params: []any{"RUNNING"}},
		{Word: "nc", Params: []any{map[string]any{"outresult": "42"}}},
	} {
		if d := cmp.Diff(want, <-told); d != "" {
			t.Error(d)
		}
	}
}

func TestNoDaemon(t *testing.T) {
	none := httptest.NewServer(http.NotFoundHandler())
	defer none.Close()
	for _, address := range []string{none.URL, "http://127.0.0.1:1"} {
		_, err := client.Dial(t.Context(), address)
		if !errors.As(err, new(*client.LostError)) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, short := range []string{"robot:8080", "127.0.0.1:8080"} {
		if u, err := client.Address(short); err != nil || u.String() != "http://"+short {
			t.Errorf("%s is %v, %v", short, u, err)
		}
	}
	if _, err := client.Dial(t.Context(), "ftp://robot"); err == nil || errors.As(err, new(*client.LostError)) {
		t.Error(err)
	}
}

func TestBadHandshake(t *testing.T) {
	_, err := client.Dial(t.Context(), serve(t, func(string) []string { return []string{`%s=err("bad handshake")`} }))
	if !errors.As(err, new(*client.RefusedError)) {
		t.Error(err)
	}
}

// TestLost: a connection that ends, or on which nothing can be understood, ends whatever waits.
func TestLost(t *testing.T) {
	for name, last := range map[string][]string{"closed": nil, "garbage": {"ok"}} {
		t.Run(name, func(t *testing.T) {
			c := dial(t, serve(t, func(s string) []string {
				if strings.HasPrefix(s, "ver") {
					return []string{greeting}
				}
				return last
			}))
			if _, err := c.Call(t.Context(), "gde"); !errors.As(err, new(*client.LostError)) {
				t.Error(err)
			}
			<-c.Done()
			if _, err := c.Call(t.Context(), "gde"); !errors.As(err, new(*client.LostError)) || c.Err() == nil {
				t.Error(err)
			}
		})
	}
}

// TestGiveUp: a call that is given up harms no other, and its late answer is dropped.
func TestGiveUp(t *testing.T) {
	late := make(chan struct{})
	c := dial(t, serve(t, func(s string) []string {
		switch s {
		case `slow()`:
			close(late)
			return []string{}
		case `quick()`:
			return []string{`c1=ok("late")`, `%s=ok("mine")`}
		}
		return []string{greeting}
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-late
		cancel()
	}()
	if _, err := c.Call(ctx, "slow"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if answer, err := c.Call(t.Context(), "quick"); err != nil || answer[0] != "mine" {
		t.Error(answer, err)
	}
	if _, err := c.Call(ctx, "quick"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestClose(t *testing.T) {
	c := dial(t, serve(t, func(string) []string { return []string{greeting} }))
	c.Close()
	c.Close()
	if _, err := c.Call(t.Context(), "gde"); !errors.Is(err, client.ErrClosed) {
		t.Error(err)
	}
}

// TestCallHammer: calls of many goroutines get their own answers.
func TestCallHammer(t *testing.T) {
	c := dial(t, serve(t, func(s string) []string {
		if strings.HasPrefix(s, "ver") {
			return []string{greeting}
		}
		return []string{strings.Replace(s, "echo", "%s=ok", 1)}
	}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				want := fmt.Sprint(i, "/", j)
				if answer, err := c.Call(ctx, "echo", want); err != nil || answer[0] != want {
					t.Error(want, answer, err)
					return
				}
			}
		})
	}
	all.Wait()
}
