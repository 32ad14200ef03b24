package stream

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/softrobot-rcc/rccd/directio/facts"
	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/directio/scopes"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc"
)

// Path is the address of the stream.
const Path = "/stream"

// Config has what the stream needs beyond the core, and limits the cost of a client. A zero field means its default.
type Config struct {
	Version string
	Log     func(after uint64) []facts.LogLine // lines of the log with higher numbers that are kept, the oldest first; nil for none
	Scopes  *scopes.Scopes                     // nil: the server makes its own, which do not keep setups

	Jobs  int           // of a connection at a time, 64
	Alive time.Duration // silence after which the daemon sends Alive, 5 s
}

func (c Config) orDefault() Config {
	c.Jobs = cmp.Or(c.Jobs, 64)
	c.Alive = cmp.Or(c.Alive, 5*time.Second)
	return c
}

// Reasons for which the daemon ends a connection.
var (
	ErrClosing    = errors.New("the daemon is closing")
	ErrNotReading = errors.New("the client does not read")
	ErrGone       = errors.New("the client has gone without a goodbye")
)

// RequestSize is the largest size of a client's message.
const RequestSize = 64 << 10

// Server serves streams. It reads what its clients watch once for all of them.
type Server struct {
	core   *rcc.Core
	cfg    Config
	topics map[string]*topic
	probes probes
}

// New returns a server. It reads only what clients watch.
func New(core *rcc.Core, cfg Config) *Server {
	s := &Server{core: core, cfg: cfg.orDefault(), probes: probes{byKey: map[string]*sharedProbe{}}}
	if s.cfg.Scopes == nil {
		s.cfg.Scopes = scopes.New(core, nil)
	}
	s.topics = topics(core, &s.cfg)
	return s
}

// Serve talks to a client until it leaves, cannot be reached any more, or ctx is done. It returns nil when the client has closed the
// connection properly. When it returns, everything that the client began has ended, and the connection is closed.
func (s *Server) Serve(ctx context.Context, conn wire.BinaryConn) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	forget := guard.AfterDone(ctx, "end of a stream", func() { _ = conn.Close(ErrClosing.Error()) }) // also of what is being written
	in, received := make(chan string), make(chan error, 1)
	guard.Go("receiving", func() { received <- receive(ctx, conn, in) })

	c := newConversation(s, conn)
	err := c.converse(ctx, in)
	c.close()
	forget()
	stop()
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	_ = conn.Close(reason) // nothing depends on how a connection that is over was closed
	if last := <-received; err == nil && !errors.Is(last, io.EOF) {
		err = last
	}
	return err
}

// receive passes on what the client says.
func receive(ctx context.Context, conn wire.Conn, in chan<- string) error {
	defer close(in)
	for {
		message, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		select {
		case in <- message:
		case <-ctx.Done():
			return nil
		}
	}
}

// unreachable tells a client that is there and takes nothing from one that is not there any more.
func unreachable(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrNotReading
	}
	return ErrGone
}
