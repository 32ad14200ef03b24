package websocket

import (
	"errors"
	"net"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// frames are what goes to a client: whole frames, several at once where there are several messages.
type frames struct {
	conn   net.Conn
	limits wire.Limits

	mu     sync.Mutex // orders what is written
	out    *wire.Out
	closed bool // the closing frame is out
}

var errClosed = errors.New("the connection is closed")

func newFrames(conn net.Conn, limits wire.Limits) frames {
	return frames{conn: conn, limits: limits, out: wire.NewOut(conn)}
}

func (f *frames) WriteMessages(messages ...[]byte) error { return f.write(opText, messages...) }

func (f *frames) WriteBinary(message []byte) error { return f.write(opBinary, message) }

func (f *frames) write(op opcode, messages ...[]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return errClosed
	}
	for _, m := range messages {
		if err := f.out.Put(f.limits.Write, func(dst []byte) []byte { return appendFrame(dst, op, m) }); err != nil {
			return err
		}
	}
	return f.out.Flush(f.limits.Write)
}

// control sends a control frame.
func (f *frames) control(op opcode, body string, within time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sendControl(op, body, within)
}

// sendControl does so. f.mu is held.
func (f *frames) sendControl(op opcode, body string, within time.Duration) error {
	if f.closed {
		return errClosed
	}
	f.closed = op == opClose
	return errors.Join(
		f.out.Put(within, func(dst []byte) []byte { return appendFrame(dst, op, body) }),
		f.out.Flush(within),
	)
}

// Close does not wait behind a message that the peer does not take: that peer would not take the reason either.
func (f *frames) Close(reason string) error {
	if f.mu.TryLock() {
		_ = f.sendControl(opClose, closeBody(goingAway, reason), wire.FarewellTime)
		f.mu.Unlock()
	}
	return f.conn.Close()
}
