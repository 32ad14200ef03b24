package tcp

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// pair returns a connection and its other end.
func pair(t *testing.T) (server, client *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = s.Close(), c.Close() })
	return s.(*net.TCPConn), c.(*net.TCPConn)
}

func TestReadMessage(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
		end      error
	}{
		{"one", `a=ver("2.0")#`, []string{`a=ver("2.0")`}, io.EOF},
		{"line breaks", "a=ver()#\r\nb=gde()#\n \t\n", []string{"a=ver()", "b=gde()"}, io.EOF},
		{"white space", " \t a=ver() \n # b=gde()#", []string{"a=ver()", "b=gde()"}, io.EOF},
		{"mark in a string", `a=nse("#1")#b=x("\"#\\")#`, []string{`a=nse("#1")`, `b=x("\"#\\")`}, io.EOF},
		{"mark in a comment of a net", "a=nene(\"// #1\n{}\")#b=x()// #c=y()#", []string{"a=nene(\"// #1\n{}\")", "b=x()//", "c=y()"}, io.EOF},
		{"nothing", "##", []string{"", ""}, io.EOF},
		{"no mark", "a=ver()", nil, io.ErrUnexpectedEOF},
		{"nothing at all", "", nil, io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server, client := pair(t)
			if _, err := io.WriteString(client, tt.in); err != nil {
				t.Fatal(err)
			}
			_ = client.CloseWrite()
			c := New(server, wire.Limits{})
			var got []string
			var err error
			for err == nil {
				var command string
				if command, err = c.ReadMessage(); err == nil {
					got = append(got, command)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if !errors.Is(err, tt.end) {
				t.Errorf("ended with %v, want %v", err, tt.end)
			}
		})
	}
}

func TestLargeCommands(t *testing.T) {
	server, client := pair(t)
	const limit = 200_000
	c := New(server, wire.Limits{Message: limit})
	largest := strings.Repeat("x", limit-1)
	go func() { _, _ = io.WriteString(client, largest+"#"+largest+"xx#") }()
	if got, err := c.ReadMessage(); err != nil || got != largest {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	got := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(client)
		got <- string(all)
		_ = client.Close()
	}()
	if _, err := c.ReadMessage(); err == nil {
		t.Error("more than the limit was taken")
	}
	_ = c.Close("")
	if want := "none=err(\"command is larger than 200000 bytes\")#\n"; <-got != want {
		t.Errorf("the client was not told why")
	}
}

func TestHalfACommandTimesOut(t *testing.T) {
	server, client := pair(t)
	c := New(server, wire.Limits{Rest: time.Millisecond})
	if _, err := io.WriteString(client, "a=v"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ReadMessage(); err == nil {
		t.Error("half a command was taken")
	}
}

func TestWriteMessage(t *testing.T) {
	server, client := pair(t)
	c := New(server, wire.Limits{})
	for _, text := range []string{"a=ok()", `b=ok("s1")`} {
		if err := c.WriteMessages([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close("any"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(client)
	if want := "a=ok()#\nb=ok(\"s1\")#\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestWhoDoesNotReadIsGivenUp(t *testing.T) {
	server, _ := pair(t)
	c := New(server, wire.Limits{Write: time.Millisecond})
	text := strings.Repeat("x", 1<<20)
	var err error
	for range 100 {
		if err = c.WriteMessages([]byte(text)); err != nil {
			break
		}
	}
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("100 MiB without a reader: %v", err)
	}
}
