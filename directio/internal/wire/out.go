package wire

import (
	"net"
	"time"
)

// Out is the way to a peer: what is put is sent in as few pieces as possible. Its methods are called by one goroutine at a time.
type Out struct {
	conn  net.Conn
	room  []byte
	until time.Time // when conn gives up
}

// NewOut returns the way to the peer of conn.
func NewOut(conn net.Conn) *Out { return &Out{conn: conn} }

const (
	// pieceSize is from where on more is not put into a piece: each piece has the whole time, so that a slow line is given up no
	// sooner than with one message at a time.
	pieceSize = 32 << 10
	// keptRoom is the largest buffer that is kept for the next messages.
	keptRoom = 64 << 10
)

// Put appends what add appends, and sends when there is enough for a piece.
func (o *Out) Put(within time.Duration, add func(dst []byte) []byte) error {
	if o.room = add(o.room); len(o.room) < pieceSize {
		return nil
	}
	return o.Flush(within)
}

// Flush sends what has been put, and gives up when the peer does not take it in time.
func (o *Out) Flush(within time.Duration) error {
	piece := o.room
	if o.room = piece[:0]; cap(piece) > keptRoom {
		o.room = nil
	}
	if len(piece) == 0 {
		return nil
	}
	if err := o.giveUp(within); err != nil {
		return err
	}
	_, err := o.conn.Write(piece)
	return err
}

// giveUp sets a deadline. One that is late by less than an eighth stays: setting it costs more than many a message.
func (o *Out) giveUp(within time.Duration) error {
	now, latest := time.Now(), within+within/8
	if o.until.After(now.Add(within)) && !o.until.After(now.Add(latest)) {
		return nil
	}
	o.until = now.Add(latest)
	return o.conn.SetWriteDeadline(o.until)
}
