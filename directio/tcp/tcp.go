package tcp

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

type conn struct {
	net.Conn
	in     *bufio.Reader
	limits wire.Limits
	meter  wire.Meter

	mu  sync.Mutex // orders what is written
	out *wire.Out
}

// New carries DirectIO over c.
func New(c net.Conn, limits wire.Limits) wire.Conn {
	limits = limits.OrDefault()
	return &conn{Conn: c, in: bufio.NewReader(c), limits: limits, meter: limits.NewMeter(), out: wire.NewOut(c)}
}

func (c *conn) ReadMessage() (string, error) {
	if err := c.awaitCommand(); err != nil {
		return "", err
	}
	var (
		command strings.Builder
		mark    marker
	)
	c.meter.Begin()
	for {
		if _, err := c.in.Peek(1); err != nil {
			return "", wire.Unexpected(err)
		}
		chunk, _ := c.in.Peek(c.in.Buffered()) // there is that much
		n, found := mark.find(chunk)
		if command.Len()+n > c.limits.Message {
			return "", c.refuse(fmt.Sprintf("command is larger than %d bytes", c.limits.Message))
		}
		if err := c.meter.Grow(command.Len() + n); err != nil {
			return "", c.refuse(err.Error())
		}
		command.Write(chunk[:n])
		_, _ = c.in.Discard(n)
		if found {
			return strings.TrimSpace(strings.TrimSuffix(command.String(), "#")), nil
		}
	}
}

// awaitCommand waits as long as it takes for the first character; the rest has to follow within the limit.
func (c *conn) awaitCommand() error {
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	for {
		b, err := c.in.ReadByte()
		if err != nil {
			return err
		}
		if !blank(b) {
			break
		}
	}
	_ = c.in.UnreadByte() // the last call was ReadByte
	return c.SetReadDeadline(time.Now().Add(c.limits.Rest))
}

func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// refuse says why the connection ends.
func (c *conn) refuse(reason string) error {
	_ = c.write(wire.FarewellTime, fmt.Appendf(nil, "none=err(%q)", reason))
	wire.Linger(c.Conn)
	return fmt.Errorf("peer: %s", reason)
}

// marker looks for the "#" that ends a command.
type marker struct {
	quoted, escaped bool
}

// find returns how many bytes of chunk belong to the command, and whether they end it.
func (m *marker) find(chunk []byte) (n int, found bool) {
	for i, b := range chunk {
		switch {
		case m.escaped:
			m.escaped = false
		case m.quoted && b == '\\':
			m.escaped = true
		case b == '"':
			m.quoted = !m.quoted
		case b == '#' && !m.quoted:
			return i + 1, true
		}
	}
	return len(chunk), false
}

func (c *conn) WriteMessages(messages ...[]byte) error { return c.write(c.limits.Write, messages...) }

func (c *conn) write(within time.Duration, messages ...[]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range messages {
		if err := c.out.Put(within, func(dst []byte) []byte { return append(append(dst, m...), "#\n"...) }); err != nil {
			return err
		}
	}
	return c.out.Flush(within)
}

// Close ends the connection; the dialect has no words for a reason.
func (c *conn) Close(string) error { return c.Conn.Close() }
