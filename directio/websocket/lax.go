package websocket

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// lax serves clients that do not mask their frames.
type lax struct {
	conn   net.Conn
	in     *bufio.Reader
	limits wire.Limits
	meter  wire.Meter

	mu     sync.Mutex // orders what is written
	out    []byte
	closed bool // the closing frame is out
}

var errClosed = errors.New("the connection is closed")

func newLax(conn net.Conn, in *bufio.Reader, limits wire.Limits) *lax {
	return &lax{conn: conn, in: in, limits: limits, meter: limits.NewMeter()}
}

func (c *lax) ReadMessage() (string, error) {
	text, err := c.read()
	var v *violation
	if errors.As(err, &v) {
		_ = c.write(opClose, closeBody(v.code, v.text), wire.FarewellTime)
		wire.Linger(c.conn)
	}
	return text, err
}

// read joins data frames, of whatever kind, until the last one of a message, and answers the control frames between
// them.
func (c *lax) read() (string, error) {
	var message []byte
	for begun := false; ; {
		if !begun {
			if err := c.awaitFrame(); err != nil {
				return "", err
			}
		}
		h, err := readHeader(c.in)
		switch {
		case err != nil:
			return "", wire.Unexpected(err)
		case h.op.control():
			err = c.control(h)
		case h.length > uint64(c.limits.Message-len(message)):
			err = &violation{tooLarge, fmt.Sprintf("message is larger than %d bytes", c.limits.Message)}
		default:
			if !begun {
				c.meter.Begin()
			}
			begun = true
			message, err = readBody(c.in, h, message, &c.meter)
		}
		if err != nil {
			return "", err
		}
		if begun && h.final && !h.op.control() {
			return string(message), nil
		}
	}
}

// awaitFrame waits as long as it takes for the first byte; the rest of a message has to follow within the limit.
func (c *lax) awaitFrame() error {
	if err := c.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	if _, err := c.in.Peek(1); err != nil {
		return err
	}
	return c.conn.SetReadDeadline(time.Now().Add(c.limits.Rest))
}

func (c *lax) control(h header) error {
	body, err := readBody(c.in, h, nil, &wire.Meter{})
	if err != nil {
		return err
	}
	switch h.op {
	case opPing:
		return c.write(opPong, body, c.limits.Write)
	case opClose:
		_ = c.write(opClose, body, wire.FarewellTime) // a peer that is gone needs no echo
		return io.EOF
	}
	return nil
}

func (c *lax) WriteMessage(text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(opText, []byte(text), c.limits.Write)
}

func (c *lax) write(op opcode, body []byte, within time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(op, body, within)
}

// keptRoom is the largest buffer that is kept for the next message.
const keptRoom = 64 << 10

// send writes a frame. c.mu is held.
func (c *lax) send(op opcode, body []byte, within time.Duration) error {
	if c.closed {
		return errClosed
	}
	c.closed = op == opClose
	c.out = appendFrame(c.out[:0], op, body)
	err := writeBy(c.conn, c.out, within)
	if cap(c.out) > keptRoom {
		c.out = nil
	}
	return err
}

func writeBy(conn net.Conn, b []byte, within time.Duration) error {
	if err := conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := conn.Write(b)
	return err
}

// Close does not wait behind a message that the peer does not take: that peer would not take the reason either.
func (c *lax) Close(reason string) error {
	if c.mu.TryLock() {
		_ = c.send(opClose, closeBody(goingAway, reason), wire.FarewellTime)
		c.mu.Unlock()
	}
	return c.conn.Close()
}
