package stream

import (
	"context"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
)

// conversation is one client. Messages are made when they can be written: nothing is queued for a client that does not read.
type conversation struct {
	server *Server
	conn   wire.BinaryConn
	bell   bell // of what it watches
	jobs   []*running

	room   []byte    // for the message that is being written
	spoken time.Time // when the newest was written
	failed error     // of the first one that could not be written
}

// job is what a client has begun.
type job interface {
	// tell writes what there is to tell by now, one message at most, and reports whether there is more.
	tell(to *teller) (more bool)
	// due is when there may be something to tell although no bell has rung; ok is false when there will not.
	due() (at time.Time, ok bool)
	// end gives back what the job has.
	end()
}

// running is a job with the number under which the client knows it.
type running struct {
	id uint32
	job
}

func newConversation(s *Server, conn wire.BinaryConn) *conversation {
	return &conversation{server: s, conn: conn, bell: newBell()}
}

// converse returns nil when the client has ended the connection.
func (c *conversation) converse(ctx context.Context, in <-chan string) error {
	c.say(Hello{Version: c.server.cfg.Version, Instance: c.server.core.Instance(), Rccd: protocolVersion})
	timer := time.NewTimer(c.untilDue())
	defer timer.Stop()
	for c.failed == nil {
		select {
		case message, more := <-in:
			if !more {
				return nil
			}
			c.answer(ctx, message)
		case <-c.bell:
		case <-timer.C:
		case <-ctx.Done():
			return ErrClosing
		}
		if c.tellAll() {
			c.bell.ring()
		}
		if time.Since(c.spoken) >= c.server.cfg.Alive {
			c.say(Alive{Alive: true})
		}
		timer.Reset(c.untilDue())
	}
	if ctx.Err() != nil {
		return ErrClosing
	}
	return unreachable(c.failed)
}

// tellAll lets every job tell one message, and reports whether there is more.
func (c *conversation) tellAll() (more bool) {
	var ended []*running
	for _, r := range c.jobs {
		t := teller{conversation: c, id: r.id}
		if r.tell(&t) {
			more = true
		}
		if t.over {
			ended = append(ended, r)
		}
	}
	for _, r := range ended {
		c.drop(r)
	}
	return more
}

// untilDue is how long bells are all there is to wait for.
func (c *conversation) untilDue() time.Duration {
	first := c.spoken.Add(c.server.cfg.Alive)
	for _, r := range c.jobs {
		if at, ok := r.due(); ok && at.Before(first) {
			first = at
		}
	}
	return time.Until(first)
}

func (c *conversation) find(id uint32) *running {
	if i := slices.IndexFunc(c.jobs, func(r *running) bool { return r.id == id }); i >= 0 {
		return c.jobs[i]
	}
	return nil
}

func (c *conversation) drop(r *running) {
	r.end()
	c.jobs = slices.DeleteFunc(c.jobs, func(other *running) bool { return other == r })
}

// close ends all jobs.
func (c *conversation) close() {
	for _, r := range c.jobs {
		r.end()
	}
	c.jobs = nil
}

// write sends what add appends. After the first message that could not be written nothing is.
func (c *conversation) write(send func([]byte) error, add func(room []byte) []byte) {
	if c.failed != nil {
		return
	}
	c.room = add(c.room[:0])
	c.failed = send(c.room)
	c.spoken = time.Now()
	if cap(c.room) > keptRoom {
		c.room = nil
	}
}

// keptRoom is how much room is kept for the next message.
const keptRoom = 2 * messageSize

// teller is the way of a job to its client.
type teller struct {
	*conversation

	id   uint32
	over bool
}

// ended says that the job has ended, and why.
func (t *teller) ended(why string) {
	t.say(Ended{ID: t.id, Ended: why})
	t.over = true
}
