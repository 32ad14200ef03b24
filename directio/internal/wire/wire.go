// Package wire is what the transports of DirectIO and its conversations agree on: what a connection is, how long things
// may take and how large they may be, and how a connection is ended so that its peer learns why.
package wire

import (
	"cmp"
	"errors"
	"io"
	"net"
	"slices"
	"time"
)

// Limits bound what a peer can make a connection hold or wait for. A zero field stands for the default.
type Limits struct {
	Message int           // bytes of one message, 8 MiB
	Write   time.Duration // a peer that has not taken a message by then is given up, 10 s
	Rest    time.Duration // a peer that has begun a message must have ended it by then, 1 min

	Room Room // for messages; nil for as many as there are
}

// Room is memory for messages, which has its bounds.
type Room interface {
	Take(bytes int) error // before a message gets so many more
	Done()                // with the message before
}

// NoRoomError ends a connection with a message for which there is no room.
type NoRoomError struct{ Err error }

func (n *NoRoomError) Error() string { return n.Err.Error() }

// Meter sees to it that there is room for a message while it grows.
type Meter struct {
	room  Room
	taken int
}

// NewMeter makes a meter for the messages of a connection.
func (l *Limits) NewMeter() Meter { return Meter{room: l.Room} }

// Begin begins another message.
func (m *Meter) Begin() {
	if m.room != nil {
		m.room.Done()
	}
	m.taken = 0
}

// Grow is called before a message is as long as that. Lists have room for as much again.
func (m *Meter) Grow(length int) error {
	const small, step = 16 << 10, 64 << 10
	if m.room == nil || length <= small || 2*length <= m.taken {
		return nil
	}
	more := 2*length - m.taken + step
	if err := m.room.Take(more); err != nil {
		return &NoRoomError{err}
	}
	m.taken += more
	return nil
}

// ReadAll reads a message to its end.
func (m *Meter) ReadAll(from io.Reader) (text []byte, err error) {
	const least = 512
	text = make([]byte, 0, least)
	for {
		if len(text) == cap(text) {
			if err := m.Grow(2 * cap(text)); err != nil {
				return nil, err
			}
			text = slices.Grow(text, cap(text))
		}
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return text, err
		}
	}
}

// OrDefault fills in the defaults.
func (l Limits) OrDefault() Limits {
	return Limits{
		Message: cmp.Or(l.Message, 8<<20),
		Write:   cmp.Or(l.Write, 10*time.Second),
		Rest:    cmp.Or(l.Rest, time.Minute),
		Room:    l.Room,
	}
}

const (
	// FarewellTime bounds how long the last words to a peer may take.
	FarewellTime = 3 * time.Second

	// lingerTime is how long a peer may go on sending before it listens, and lingerSize how much.
	lingerTime = 10 * time.Second
	lingerSize = 32 << 20
)

// Linger lets the peer read the last words although it is still sending: closing a connection with unread input resets
// it, and the reset overtakes what was written. It is for the goroutine that reads the connection.
func Linger(c net.Conn) {
	half, ok := c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	if c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c, lingerSize) // whatever ends it, the connection is over
	}
}

// Unexpected keeps an end in the middle of something apart from a goodbye.
func Unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
