package websocket

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// line is a connection whose peer has sent everything in advance.
type line struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (l *line) Read(b []byte) (int, error)       { return l.in.Read(b) }
func (l *line) Write(b []byte) (int, error)      { return l.out.Write(b) }
func (l *line) Close() error                     { return nil }
func (l *line) SetReadDeadline(time.Time) error  { return nil }
func (l *line) SetWriteDeadline(time.Time) error { return nil }

func laxOver(in []byte, limit int) (*lax, *line) {
	l := &line{in: bytes.NewReader(in)}
	return newLax(l, bufio.NewReader(l), wire.Limits{Message: limit}.OrDefault()), l
}

// clientFrame returns a frame as a client may send it.
func clientFrame(final bool, op opcode, masked bool, body []byte) []byte {
	f := appendFrame(nil, op, body)
	if !final {
		f[0] &^= finalBit
	}
	if !masked {
		return f
	}
	f[1] |= maskBit
	key := [4]byte{0x11, 0x22, 0x33, 0x44}
	head := f[:len(f)-len(body)]
	hidden := bytes.Clone(body)
	unmask(hidden, key, 0)
	return append(append(bytes.Clone(head), key[:]...), hidden...)
}

func TestReadMessage(t *testing.T) {
	const limit = 70_000
	long := strings.Repeat("x", limit)
	text := func(s string) []byte { return clientFrame(true, opText, false, []byte(s)) }
	tests := []struct {
		name string
		in   []byte
		want []string
		end  string // of the error, "EOF" for a goodbye
		out  []byte
	}{
		{name: "text", in: text("a=ver()"), want: []string{"a=ver()"}, end: "EOF"},
		{name: "masked", in: clientFrame(true, opText, true, []byte("masked text")), want: []string{"masked text"}, end: "EOF"},
		{name: "empty", in: text(""), want: []string{""}, end: "EOF"},
		{name: "16 bit length", in: text(long[:126]), want: []string{long[:126]}, end: "EOF"},
		{name: "64 bit length", in: text(long), want: []string{long}, end: "EOF"},
		{name: "64 bit length masked", in: clientFrame(true, opText, true, []byte(long)), want: []string{long}, end: "EOF"},
		{
			name: "fragments of all kinds",
			in: bytes.Join([][]byte{
				clientFrame(false, opText, false, []byte("a=")), clientFrame(false, opContinuation, true, []byte("quit")),
				clientFrame(true, opBinary, false, []byte("()")), text("b"),
			}, nil),
			want: []string{"a=quit()", "b"}, end: "EOF",
		},
		{
			name: "ping between fragments",
			in: bytes.Join([][]byte{
				clientFrame(false, opText, false, []byte("a")), clientFrame(true, opPing, false, []byte("p17")),
				clientFrame(true, opContinuation, false, []byte("b")),
			}, nil),
			want: []string{"ab"}, end: "EOF", out: appendFrame(nil, opPong, "p17"),
		},
		{name: "masked ping", in: clientFrame(true, opPing, true, []byte("p0")), end: "EOF", out: appendFrame(nil, opPong, "p0")},
		{name: "pong is ignored", in: append(clientFrame(true, opPong, false, []byte("x")), text("a")...), want: []string{"a"}, end: "EOF"},
		{name: "goodbye without status", in: clientFrame(true, opClose, false, []byte("BYE")), end: "EOF", out: appendFrame(nil, opClose, "BYE")},
		{name: "goodbye without body", in: clientFrame(true, opClose, false, nil), end: "EOF", out: appendFrame(nil, opClose, "")},
		{
			name: "one byte too many", in: text(long + "x"), end: "message is larger than 70000 bytes",
			out: appendFrame(nil, opClose, closeBody(tooLarge, "message is larger than 70000 bytes")),
		},
		{
			name: "too many in all",
			in:   append(clientFrame(false, opText, false, []byte(long)), clientFrame(true, opContinuation, false, []byte("x"))...),
			end:  "message is larger than 70000 bytes",
			out:  appendFrame(nil, opClose, closeBody(tooLarge, "message is larger than 70000 bytes")),
		},
		{
			name: "an exabyte is promised", in: []byte{0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
			end: "message is larger than 70000 bytes",
			out: appendFrame(nil, opClose, closeBody(tooLarge, "message is larger than 70000 bytes")),
		},
		{
			name: "reserved bit", in: []byte{0xc1, 0}, end: "reserved bits of a frame are set",
			out: appendFrame(nil, opClose, closeBody(protocolError, "reserved bits of a frame are set")),
		},
		{
			name: "unknown opcode", in: []byte{0x83, 0}, end: "unknown opcode 3",
			out: appendFrame(nil, opClose, closeBody(protocolError, "unknown opcode 3")),
		},
		{
			name: "ping in parts", in: []byte{0x09, 0}, end: "control frame in parts or too long",
			out: appendFrame(nil, opClose, closeBody(protocolError, "control frame in parts or too long")),
		},
		{
			name: "long ping", in: []byte{0x89, 126, 0, 200}, end: "control frame in parts or too long",
			out: appendFrame(nil, opClose, closeBody(protocolError, "control frame in parts or too long")),
		},
		{name: "half a header", in: []byte{0x81}, end: "unexpected EOF"},
		{name: "no length", in: []byte{0x81, 126, 1}, end: "unexpected EOF"},
		{name: "no mask", in: []byte{0x81, 0x85, 1, 2}, end: "unexpected EOF"},
		{name: "half a body", in: []byte{0x81, 5, 'a', 'b'}, end: "unexpected EOF"},
		{name: "no last frame", in: clientFrame(false, opText, false, []byte("a")), end: "unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, l := laxOver(tt.in, limit)
			var got []string
			var err error
			for err == nil {
				var message string
				if message, err = c.ReadMessage(); err == nil {
					got = append(got, message)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if err.Error() != tt.end {
				t.Errorf("ended with %q, want %q", err, tt.end)
			}
			if diff := cmp.Diff(tt.out, l.out.Bytes()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMessagesSurviveTheWire cuts messages into frames in every possible way.
func TestMessagesSurviveTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 300), 1, 5).Draw(t, "messages")
		var in []byte
		for _, message := range want {
			for rest := message; ; {
				n := rapid.IntRange(0, len(rest)).Draw(t, "cut")
				op := rapid.SampledFrom([]opcode{opText, opBinary, opContinuation}).Draw(t, "opcode")
				last := n == len(rest) && rapid.Bool().Draw(t, "last")
				in = append(in, clientFrame(last, op, rapid.Bool().Draw(t, "masked"), rest[:n])...)
				if rest = rest[n:]; last {
					break
				}
				if len(rest) == 0 {
					in = append(in, clientFrame(true, opContinuation, false, nil)...)
					break
				}
			}
		}
		c, _ := laxOver(in, 0)
		for _, message := range want {
			got, err := c.ReadMessage()
			if err != nil || got != string(message) {
				t.Fatalf("got %q, %v, want %q", got, err, message)
			}
		}
		if _, err := c.ReadMessage(); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
}

func TestServerFrames(t *testing.T) {
	tests := []struct {
		length int
		head   []byte
	}{
		{0, []byte{0x81, 0}},
		{125, []byte{0x81, 125}},
		{126, []byte{0x81, 126, 0, 126}},
		{0xffff, []byte{0x81, 126, 0xff, 0xff}},
		{0x10000, []byte{0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0}},
	}
	for _, tt := range tests {
		c, l := laxOver(nil, 0)
		text := strings.Repeat("y", tt.length)
		if err := c.WriteMessages([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(tt.head, text...), l.out.Bytes()); diff != "" {
			t.Errorf("%d bytes: %s", tt.length, diff)
		}
	}
}

func TestSeveralMessagesAreSeveralFrames(t *testing.T) {
	c, l := laxOver(nil, 0)
	if err := c.WriteMessages([]byte("one"), nil, []byte("three")); err != nil {
		t.Fatal(err)
	}
	want := appendFrame(appendFrame(appendFrame(nil, opText, "one"), opText, ""), opText, "three")
	if diff := cmp.Diff(want, l.out.Bytes()); diff != "" {
		t.Error(diff)
	}
}

func TestReasonsFitIntoTheClosingFrame(t *testing.T) {
	for _, reason := range []string{"", "short", strings.Repeat("x", 123), strings.Repeat("x", 200), strings.Repeat("ä", 100)} {
		got := shorten(reason)
		if len(got) > 123 || !strings.HasPrefix(reason, got) || len(reason) <= 123 && got != reason || strings.ToValidUTF8(got, "?") != got {
			t.Errorf("%q became %q", reason, got)
		}
	}
}

func TestNothingFollowsTheClosingFrame(t *testing.T) {
	c, l := laxOver(clientFrame(true, opClose, false, []byte("BYE")), 0)
	if _, err := c.ReadMessage(); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if err := c.WriteMessages([]byte("late")); !errors.Is(err, errClosed) {
		t.Errorf("wrote after the closing frame: %v", err)
	}
	if err := c.Close("reason"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(appendFrame(nil, opClose, "BYE"), l.out.Bytes()); diff != "" {
		t.Error(diff)
	}
}

// FuzzRead looks for input that the codec does not survive, or that makes it hold more than it may.
func FuzzRead(f *testing.F) {
	f.Add(clientFrame(true, opText, true, []byte("a=ver(\"2.0\")")))
	f.Add(clientFrame(false, opText, false, []byte("a")))
	f.Add(clientFrame(true, opPing, false, []byte("p17")))
	f.Add(clientFrame(true, opClose, false, []byte("BYE")))
	f.Add([]byte{0x81, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3})
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 1000
		c, l := laxOver(in, limit)
		total := 0
		for {
			message, err := c.ReadMessage()
			if err != nil {
				break
			}
			if total += len(message); len(message) > limit || total > len(in) {
				t.Fatalf("%d bytes out of %d", total, len(in))
			}
		}
		if l.out.Len() > len(in)+controlMax+2 {
			t.Fatalf("%d bytes answered to %d", l.out.Len(), len(in))
		}
	})
}
