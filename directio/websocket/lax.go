package websocket

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// lax serves clients that do not mask their frames.
type lax struct {
	frames
	in    *bufio.Reader
	meter wire.Meter
}

func newLax(conn net.Conn, in *bufio.Reader, limits wire.Limits) *lax {
	return &lax{frames: newFrames(conn, limits), in: in, meter: limits.NewMeter()}
}

func (c *lax) ReadMessage() (string, error) {
	text, err := c.read()
	var v *violation
	if errors.As(err, &v) {
		_ = c.control(opClose, closeBody(v.code, v.text), wire.FarewellTime)
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
			err = c.handleControl(h)
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

// handleControl does what a control frame asks for.
func (c *lax) handleControl(h header) error {
	body, err := readBody(c.in, h, nil, &wire.Meter{})
	if err != nil {
		return err
	}
	switch h.op {
	case opPing:
		return c.control(opPong, string(body), c.limits.Write)
	case opClose:
		_ = c.control(opClose, string(body), wire.FarewellTime) // a peer that is gone needs no echo
		return io.EOF
	}
	return nil
}

func writeBy(conn net.Conn, b []byte, within time.Duration) error {
	if err := conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := conn.Write(b)
	return err
}
