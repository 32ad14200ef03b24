// Package wire is what the transports of DirectIO and its conversations agree on: what a connection is, how long things
// may take and how large they may be, and how a connection is ended so that its peer learns why.
package wire

import (
	"cmp"
	"errors"
	"io"
	"net"
	"time"
)

// Limits bound what a peer can make a connection hold or wait for. A zero field stands for the default.
type Limits struct {
	Message int           // bytes of one message, 8 MiB
	Write   time.Duration // a peer that has not taken a message by then is given up, 10 s
	Rest    time.Duration // a peer that has begun a message must have ended it by then, 1 min
}

// OrDefault fills in the defaults.
func (l Limits) OrDefault() Limits {
	return Limits{
		Message: cmp.Or(l.Message, 8<<20),
		Write:   cmp.Or(l.Write, 10*time.Second),
		Rest:    cmp.Or(l.Rest, time.Minute),
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
