package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// handshake opens a conversation in memory.
func handshake(t testing.TB, c *cell, cfg Config) (client, <-chan error) {
	t.Helper()
	cfg.clock = c.people
	cl, ended := inMemory(c, cfg)
	exchange(t, cl, `v=ver("2.0")`, `v=ok("handshake ok")`)
	return cl, ended
}

// exchange says something and compares the messages that follow.
func exchange(t testing.TB, c client, statement string, want ...string) {
	t.Helper()
	if err := c.send(statement); err != nil {
		t.Fatal(err)
	}
	hear(t, c, want...)
}

func hear(t testing.TB, c client, want ...string) {
	t.Helper()
	for _, w := range want {
		if got, err := c.receive(); err != nil || got != w {
			t.Fatalf("heard %q, %v, want %q", got, err, w)
		}
	}
}

const counting = `{n=Test::Count(),out=Core::IntNetcommOut(inValue=n.outValue,Key='n',Value='0'),end=Core::BooleanNetcommIn(Key='end'),outTerminate=end.outValue}`

// TestValuesComeUnasked is what the scripts do not show: they ask after every step.
func TestValuesComeUnasked(t *testing.T) {
	c := newCell(t)
	cl, ended := handshake(t, c, Config{})
	exchange(t, cl, fmt.Sprintf(`a=nene("%s","","",0.01)`, counting), `a=ok("rpinet0")`)
	exchange(t, cl, `b=gne("rpinet0",0.05)`, `b=ns("READY")`, `b=ok()`)
	exchange(t, cl, `c=nest("rpinet0")`, `b=ns("RUNNING")`, `c=ok()`)
	// When this is answered, the look at values that follows the answer to the start has ended.
	exchange(t, cl, `d=nse("s")`, `d=ok("s1")`)
	for n := 5; n <= 50; n += 5 {
		c.advance(50 * time.Millisecond)
		hear(t, cl, fmt.Sprintf(`b=nc({outn:"%d"})`, n))
	}
	cl.leave()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestSilenceIsNotAHandshake(t *testing.T) {
	c := newCell(t)
	cl, ended := inMemory(c, Config{Handshake: time.Second, clock: c.people})
	exchange(t, cl, `a=nse("early")`, `a=err("bad handshake")`)
	c.people.advance(time.Second)
	if _, err := cl.receive(); !errors.Is(err, io.EOF) {
		t.Errorf("still there: %v", err)
	}
	if err := <-ended; !errors.Is(err, ErrNoHandshake) {
		t.Errorf("ended with %v", err)
	}
}

func TestSilenceAfterTheHandshakeIsFine(t *testing.T) {
	c := newCell(t)
	cl, ended := handshake(t, c, Config{Handshake: time.Second})
	c.people.advance(24 * time.Hour)
	exchange(t, cl, `a=nse("late")`, `a=ok("s1")`)
	cl.leave()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestSubscriptionsAreLimited(t *testing.T) {
	c := newCell(t)
	cl, ended := handshake(t, c, Config{Subscriptions: 2})
	exchange(t, cl, `a=nse("s")`, `a=ok("s1")`)
	for _, tag := range []string{"b", "c", "b"} {
		exchange(t, cl, tag+`=gse("s1")`, tag+`=st({})`, tag+`=ok()`)
	}
	exchange(t, cl, `d=gse("s1")`, `d=err("too many subscriptions")`)
	exchange(t, cl, `e=ase("s1")`, `e=ok()`)
	exchange(t, cl, `f=gde()`, `f=da({rcc:{interfaces:{},type:"rcc"}})`, `f=ds({rcc:"op"})`, `f=ok()`)
	cl.leave()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTheDaemonEndsAConversation(t *testing.T) {
	c := newCell(t)
	ctx, stop := context.WithCancel(t.Context())
	server, cl := newPipe()
	ended := async(func() error { return Serve(ctx, c.core, server, Config{}) })
	exchange(t, cl, `a=ver("2.0")`, `a=ok("handshake ok")`)
	stop()
	if err := <-ended; !errors.Is(err, ErrClosing) {
		t.Errorf("ended with %v", err)
	}
	if _, err := cl.receive(); !errors.Is(err, io.EOF) {
		t.Errorf("still there: %v", err)
	}
}

// stuck is a connection whose client takes nothing any more.
type stuck struct {
	pipe
	err error
}

func (s stuck) WriteMessages(...[]byte) error { return s.err }

func TestWhoDoesNotReadLosesTheConnection(t *testing.T) {
	for _, tt := range []struct{ write, ended error }{
		{&net.OpError{Op: "write", Err: os.ErrDeadlineExceeded}, ErrNotReading},
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, ErrGone}, // it has just exited
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.ECONNRESET)}, ErrGone},
	} {
		c := newCell(t)
		server, cl := newPipe()
		ended := async(func() error { return Serve(t.Context(), c.core, stuck{server, tt.write}, Config{}) })
		if err := cl.send(`a=ver("2.0")`); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, tt.ended) || !errors.Is(err, tt.write) {
			t.Errorf("%v: ended with %v", tt.write, err)
		}
	}
}

// TestLateReaderGetsTheNewest lets a client fall behind while the net goes on: the cell does not wait, and what the
// client gets afterwards is bounded and ends with the newest value.
func TestLateReaderGetsTheNewest(t *testing.T) {
	c := newCell(t)
	cl, ended := handshake(t, c, Config{})
	exchange(t, cl, fmt.Sprintf(`a=nene("%s","","",0.01)`, counting), `a=ok("rpinet0")`)
	exchange(t, cl, `b=gne("rpinet0",0.0)`, `b=ns("READY")`, `b=ok()`)
	exchange(t, cl, `c=nest("rpinet0")`, `b=ns("RUNNING")`, `c=ok()`)
	const cycles = 10 * queueLength
	for range cycles {
		c.advance(10 * time.Millisecond)
		runtime.Gosched()
	}
	got := 0
	for last := fmt.Sprintf(`b=nc({outn:"%d"})`, cycles); ; got++ {
		message, err := cl.receive()
		if err != nil || !strings.HasPrefix(message, "b=nc(") {
			t.Fatalf("heard %q, %v", message, err)
		}
		if message == last {
			break
		}
		c.people.advance(10 * time.Millisecond)
	}
	if got > queueLength+10 {
		t.Errorf("%d messages were kept for a client that did not read", got)
	}
	cl.leave()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRejectedNetsGoWithTheirProgram: rejected nets are kept for the client that sent them, and for no later one. Others stay.
func TestRejectedNetsGoWithTheirProgram(t *testing.T) {
	c := newCell(t)
	cl, ended := handshake(t, c, Config{})
	other, _ := handshake(t, c, Config{})
	const wrong = `{a=Test::Nothing(),outTerminate=a.outValue}`
	exchange(t, other, fmt.Sprintf(`a=nene("%s")`, wrong), `a=ok("rpinet0")`)
	exchange(t, cl, fmt.Sprintf(`a=nene("%s")`, counting), `a=ok("rpinet1")`)
	for i := range mostRejected + 1 {
		exchange(t, cl, fmt.Sprintf(`a=nene("%s")`, wrong), fmt.Sprintf(`a=ok("rpinet%d")`, i+2))
	}
	exchange(t, cl, `b=neun("rpinet202")`, `b=ok()`)
	cl.leave()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	var left []string
	for _, n := range c.core.Nets.All() {
		left = append(left, n.Name()+" "+n.State().String())
	}
	if diff := cmp.Diff([]string{"rpinet1 READY"}, left); diff != "" { // the first one of the other client was one too many
		t.Error(diff)
	}
	other.leave()
}
