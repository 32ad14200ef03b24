package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc"
)

// Config bounds a conversation. A zero field stands for the default.
type Config struct {
	Subscriptions int           // that a connection may have at a time, 4096
	Handshake     time.Duration // a connection that has not agreed on the version by then is closed, 1 min

	// Bare reports whether the connection is bare TCP. There quit ends it, on WebSocket it is only answered; and so does a first
	// command that is not a statement: a page in a browser can make it send requests with statements in their body.
	Bare bool

	// Older means that the client is of an older generation, which its transport shows. It receives states as
	// the original sends them: a look every 10 ms and one after each command, each with the newest state only.
	Older bool

	Peer string // whose quota its nets without session count against; empty for none

	clock clock
}

func (c Config) orDefault() Config {
	c.Subscriptions = cmp.Or(c.Subscriptions, 4096)
	c.Handshake = cmp.Or(c.Handshake, time.Minute)
	if c.clock == nil {
		c.clock = realClock{}
	}
	return c
}

const (
	// queueLength is how many parcels may be on their way to a client.
	queueLength = 64
	// roomForValues is how many there may be, and bytesForValues how large they may be, for values to be looked at.
	roomForValues  = queueLength / 2
	bytesForValues = 1 << 20
	// piece is how much is handed over at once of parcels that have to wait anyway.
	piece = 64 << 10
	// drainTime is how long a client may take for the last of them.
	drainTime = 3 * time.Second
)

// Reasons of the daemon for ending a conversation.
var (
	ErrNoHandshake = errors.New("no handshake in time")
	ErrClosing     = errors.New("the daemon is closing")
	ErrNotReading  = errors.New("the client does not read")
	ErrGone        = errors.New("the client has gone without a goodbye")
)

// session is one conversation. Its fields belong to the goroutine of Serve.
type session struct {
	core     *rcc.Core
	cfg      Config
	commands map[string]command

	in       chan string // closed when the client has said its last word
	out      chan *parcel
	underway atomic.Int64 // bytes in out and with the writer
	pace     *pace        // of an older client, else nil

	rejected []string // nets that were rejected
	greeted  bool
	quitting bool

	observer *rcc.Observer
	beat     time.Duration
	byName   map[name]*subscription
	agenda   agenda

	// of the look that goes on, to be used again
	told   *parcel
	glance glance
	list   []*subscription
	gone   []*subscription
}

// newConversation begins a conversation.
func newConversation(core *rcc.Core, cfg Config) *session {
	s := &session{
		core: core, cfg: cfg.orDefault(), commands: commands(),
		in: make(chan string), out: make(chan *parcel, queueLength),
		observer: core.Changes.Observe(), beat: beat, byName: map[name]*subscription{},
	}
	if cfg.Older {
		s.pace = new(pace)
	}
	return s
}

// Serve talks DirectIO until the client ends the connection, cannot be reached any more, or ctx is done. It returns nil
// when the client has left cleanly. All its goroutines have ended then and the connection is closed.
func Serve(ctx context.Context, core *rcc.Core, conn wire.Conn, cfg Config) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := newConversation(core, cfg)
	defer s.observer.Close()
	defer s.forgetRejected()
	received := make(chan error, 1)
	guard.Go("receiving", func() { received <- s.receive(ctx, conn) })
	sent := make(chan struct{})
	guard.Go("sending", func() {
		defer close(sent)
		s.send(conn, stop)
	})

	err := s.converse(ctx)
	close(s.out)
	select {
	case <-sent:
	case <-time.After(drainTime):
	}
	stop(nil)
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	_ = conn.Close(reason) // nothing depends on how a connection that is over was closed
	<-sent
	if last := <-received; err == nil && !s.quitting && !errors.Is(last, io.EOF) {
		err = last
	}
	return err
}

// receive passes on what the client says.
func (s *session) receive(ctx context.Context, conn wire.Conn) error {
	defer close(s.in)
	for {
		message, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		select {
		case s.in <- message:
		case <-ctx.Done():
			return nil
		}
	}
}

// send writes what is in the queue. When the client does not take it, everything ends.
func (s *session) send(conn wire.Conn, stop context.CancelCauseFunc) {
	var messages [][]byte
	var waiting []*parcel
	for p := range s.out {
		waiting = s.together(append(waiting[:0], p))
		messages = messages[:0]
		for _, p := range waiting {
			messages = p.appendTo(messages)
		}
		if err := conn.WriteMessages(messages...); err != nil {
			stop(fmt.Errorf("%w: %w", unreachable(err), err))
			return
		}
		if p.state {
			s.pace.sent(p, s.cfg.clock.Now())
		}
		for _, p := range waiting {
			s.underway.Add(-int64(len(p.text)))
			p.release()
		}
	}
}

// together adds what waits behind the first parcel. Older clients get each message by itself.
func (s *session) together(parcels []*parcel) []*parcel {
	size := len(parcels[0].text)
	for s.pace == nil && size < piece {
		select {
		case p, more := <-s.out:
			if !more {
				return parcels
			}
			parcels = append(parcels, p)
			size += len(p.text)
		default:
			return parcels
		}
	}
	return parcels
}

// unreachable distinguishes a client that reads nothing from one that has gone.
func unreachable(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrNotReading
	}
	return ErrGone
}

// converse returns nil when the client has ended the conversation.
func (s *session) converse(ctx context.Context) error {
	bell := s.observer.Bell()
	silence := s.cfg.clock.Timer(s.cfg.Handshake)
	defer silence.Stop()
	silent, ended := silence.C(), ctx.Done()
	poll := s.cfg.clock.Timer(longestInterval)
	defer poll.Stop()
	for {
		select {
		case message, more := <-s.in:
			if !more {
				return nil
			}
			s.answer(ctx, message)
			if s.quitting {
				return nil
			}
			s.followUp(ctx)
			if s.greeted {
				silent = nil
			}
		case <-bell:
			s.rung(ctx)
		case <-poll.C():
			s.poll(ctx)
		case <-silent:
			return ErrNoHandshake
		case <-ended:
			if cause := context.Cause(ctx); errors.Is(cause, ErrNotReading) || errors.Is(cause, ErrGone) {
				return cause
			}
			return ErrClosing
		}
		poll.Reset(s.untilDue())
	}
}

// followUp looks at what has to come after an answer.
func (s *session) followUp(ctx context.Context) {
	if s.pace == nil {
		s.look(ctx, glance{})
	} else {
		s.pace.more = true
	}
}

// rung hears the bell of the core.
func (s *session) rung(ctx context.Context) {
	if s.pace == nil {
		s.look(ctx, glance{rung: true})
	} else {
		s.pace.more = true
	}
}

// poll looks at what is due, or at everything when it is time for a look.
func (s *session) poll(ctx context.Context) {
	g := glance{polling: true}
	if p := s.pace; p != nil && p.more {
		g, p.more = glance{rung: true}, false
	}
	s.look(ctx, g)
}

// answer carries out one statement.
func (s *session) answer(ctx context.Context, message string) {
	st, err := grammar.ParseStatement(message, s.core.Nets.Limits())
	if err != nil {
		s.say(ctx, "none", "err", grammar.Str(errSyntax.Error()))
		s.quitting = s.cfg.Bare && !s.greeted
		return
	}
	params, err := s.execute(ctx, st)
	s.look(ctx, glance{answering: true, causing: changing[st.Command]})
	if err != nil {
		s.say(ctx, st.Tag, "err", grammar.Str(oneLine(err)))
		return
	}
	s.say(ctx, st.Tag, "ok", params...)
}

// oneLine returns an error as one line, also when it has several reasons: clients over bare TCP read line by line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

func (s *session) execute(ctx context.Context, st *grammar.Statement) ([]grammar.Param, error) {
	do := s.commands[st.Command]
	switch {
	case !s.greeted && st.Command != "quit":
		return s.handshake(st)
	case do == nil:
		return nil, errUnknown
	}
	return do(s, ctx, st.Tag, st.Params)
}

// version is the one version of the protocol that both generations of clients announce.
const version = "2.0"

func (s *session) handshake(st *grammar.Statement) ([]grammar.Param, error) {
	announced, err := args(st.Params).text(0)
	if st.Command != "ver" || err != nil || announced != version {
		return nil, errHandshake
	}
	s.greeted = true
	return text("handshake ok"), nil
}

// say queues a message.
func (s *session) say(ctx context.Context, tag, command string, params ...grammar.Param) {
	p := parcels.Get().(*parcel)
	p.add(&grammar.Statement{Tag: tag, Command: command, Params: params})
	s.queue(ctx, p)
}

// open returns the parcel for the messages of a look.
func (s *session) open() *parcel {
	if s.told == nil {
		s.told = parcels.Get().(*parcel)
	}
	return s.told
}

// post queues the messages of a look.
func (s *session) post(ctx context.Context) {
	if s.told != nil && len(s.told.ends) > 0 {
		s.queue(ctx, s.told)
		s.told = nil
	}
}

// queue waits while the queue is full: the client then gets no new commands in, and when it does not read on, the connection ends.
func (s *session) queue(ctx context.Context, p *parcel) {
	if p.state {
		s.pace.queued.Add(1)
	}
	s.underway.Add(int64(len(p.text)))
	select {
	case s.out <- p:
		return
	default:
	}
	select {
	case s.out <- p:
	case <-ctx.Done():
	}
}

// room reports whether the client reads fast enough for values to be sent.
func (s *session) room() bool {
	size := s.underway.Load()
	if s.told != nil {
		size += int64(len(s.told.text))
	}
	return len(s.out) < roomForValues && size < bytesForValues
}
