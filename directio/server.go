package directio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/directio/internal/wire"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/directio/protocol"
	"github.com/softrobot-rcc/rccd/directio/scopes"
	"github.com/softrobot-rcc/rccd/directio/stream"
	"github.com/softrobot-rcc/rccd/directio/tcp"
	"github.com/softrobot-rcc/rccd/directio/websocket"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// Path is where DirectIO is spoken (§7.6.3).
const Path = "/DirectIO/"

// Config says where the daemon listens and what it lets come in. A zero field stands for the default.
type Config struct {
	Listen      string   // address of HTTP and WebSocket, 127.0.0.1:8080
	TCP         string   // address of bare TCP, empty for none
	Hosts       []string // names of the daemon besides those of the loopback, for the guard against foreign pages
	Connections int      // of DirectIO at a time, 256
	Streams     int      // connections that read the stream at a time, 64
	Doors       int      // connections of HTTP at a time, 1024
	Stream      stream.Config
	Setups      *scope.Store // of scopes; nil for one in memory
	Log         *zap.Logger

	limits   wire.Limits   // tests are less patient
	bodyTime time.Duration // with bodies too
}

func (c Config) orDefault() Config {
	c.Listen = cmp.Or(c.Listen, "127.0.0.1:8080")
	c.Connections = cmp.Or(c.Connections, 256)
	c.Streams = cmp.Or(c.Streams, 64)
	c.Doors = cmp.Or(c.Doors, 1024)
	c.Log = cmp.Or(c.Log, zap.NewNop())
	c.bodyTime = cmp.Or(c.bodyTime, bodyTime)
	return c
}

// Server answers on the network.
type Server struct {
	core   *rcc.Core
	cfg    Config
	http   *http.Server
	web    net.Listener
	bare   net.Listener // nil without bare TCP
	seats  *seats
	stream *stream.Server
	scopes *scopes.Scopes
	places *seats // of the stream
	silent silent
	doors  *doors

	refusals refusals

	ctx  context.Context // of all conversations
	stop context.CancelFunc

	mu      sync.Mutex
	closing bool
	talks   sync.WaitGroup
}

// headerTime, bodyTime and idleTime bound what a slow HTTP client can hold.
const (
	headerTime = 10 * time.Second
	bodyTime   = time.Minute
	idleTime   = 2 * time.Minute
	headerSize = 64 << 10
)

// Listen takes the addresses of the configuration. Everything but DirectIO is answered by rest. Nothing is served before
// Serve.
func Listen(core *rcc.Core, rest http.Handler, cfg Config) (*Server, error) {
	cfg = cfg.orDefault()
	cfg.Stream.Scopes = scopes.New(core, cfg.Setups)
	s := &Server{
		core: core, cfg: cfg, scopes: cfg.Stream.Scopes, seats: newSeats(cfg.Connections, "close some or raise limits.connections"),
		stream: stream.New(core, cfg.Stream), places: newSeats(cfg.Streams, "close some"), silent: silent{conns: map[net.Conn]struct{}{}}, doors: newDoors(cfg.Doors),
	}
	web, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	s.web = web
	if cfg.TCP != "" {
		if s.bare, err = net.Listen("tcp", cfg.TCP); err != nil {
			_ = web.Close()
			return nil, fmt.Errorf("server: bare TCP: %w", err)
		}
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           guarded(pages.Instance(core.Instance(), s.route(rest))),
		ReadHeaderTimeout: headerTime, ReadTimeout: cfg.bodyTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize,
		DisableGeneralOptionsHandler: true, // it would answer past ours
		ErrorLog:                     zap.NewStdLog(cfg.Log), ConnState: s.note,
	}
	return s, nil
}

// note is told of every change of a connection of HTTP.
func (s *Server) note(c net.Conn, state http.ConnState) {
	s.silent.note(c, state)
	s.doors.note(c, state)
}

// route sends DirectIO to its place. Paths are compared after folding, as existing clients write "//".
func (s *Server) route(rest http.Handler) http.Handler {
	guard := func(next http.Handler) http.Handler { return pages.Guard(s.cfg.Hosts, next) }
	door := func(h http.HandlerFunc) http.Handler {
		return s.refusals.passing(guard, pages.Meant(s.core.Instance(), h))
	}
	talk, watch, look := door(s.serveWebSocket), door(s.serveStream), door(s.scopes.ServeHTTP)
	return pages.Fold(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case Path:
			talk.ServeHTTP(w, r)
		case stream.Path:
			watch.ServeHTTP(w, r)
		case scopes.Path[:len(scopes.Path)-1]:
			http.Redirect(w, r, scopes.Path, http.StatusTemporaryRedirect)
		case Path[:len(Path)-1]:
			http.Redirect(w, r, Path, http.StatusTemporaryRedirect)
		default:
			if strings.HasPrefix(r.URL.Path, scopes.Path) {
				look.ServeHTTP(w, r)
				return
			}
			rest.ServeHTTP(w, r)
		}
	}))
}

// guarded lets panics of requests be known. The connection ends by them, without an answer.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served := false
		defer func() {
			if v := recover(); v != nil {
				panic(v) // nobody is told of panics
			}
			if !served {
				panic(http.ErrAbortHandler)
			}
		}()
		defer guard.Recover("request")
		h.ServeHTTP(w, r)
		served = true
	})
}

// Addr returns where HTTP and WebSocket are served.
func (s *Server) Addr() net.Addr { return s.web.Addr() }

// Open returns the addresses at which others than programs of this machine reach the daemon.
func (s *Server) Open() (list []string) {
	for _, a := range []net.Addr{s.Addr(), s.TCPAddr()} {
		if tcp, ok := a.(*net.TCPAddr); ok && tcp != nil && !tcp.IP.IsLoopback() {
			list = append(list, tcp.String())
		}
	}
	return list
}

// Connections returns how many connections speak DirectIO just now.
func (s *Server) Connections() int { return s.seats.count() }

// TCPAddr returns where bare TCP is served, nil when it is not.
func (s *Server) TCPAddr() net.Addr {
	if s.bare == nil {
		return nil
	}
	return s.bare.Addr()
}

// Serve answers until Close.
func (s *Server) Serve() error {
	var bare error
	var done sync.WaitGroup
	if s.bare != nil {
		guard.In(&done, "bare TCP", func() { bare = s.serveTCP() })
	}
	err := s.http.Serve(s.web)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	if s.bare != nil {
		_ = s.bare.Close()
	}
	done.Wait()
	return errors.Join(err, bare)
}

// Close takes no new connections and ends the present ones; clients are told. When ctx is done before, what is left is
// cut off.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	if s.bare != nil {
		_ = s.bare.Close()
	}
	s.stop()
	s.silent.close()
	err := s.http.Shutdown(ctx)
	if err != nil {
		_ = s.http.Close()
	}
	ended := make(chan struct{})
	guard.Go("end of connections", func() {
		s.talks.Wait()
		close(ended)
	})
	select {
	case <-ended:
		return err
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
}

func (s *Server) serveWebSocket(w http.ResponseWriter, r *http.Request) {
	leave, ok := s.enter(w, r, s.seats)
	if !ok {
		return
	}
	defer leave()
	room := s.core.Memory.Receive(r.RemoteAddr)
	defer room.Close()
	conn, err := websocket.Accept(w, r, s.limits(room))
	if err != nil {
		s.refusals.handshake.Add(1)
		s.cfg.Log.Info("no WebSocket", zap.String("peer", r.RemoteAddr), zap.Error(err))
		return
	}
	s.talk(conn, "websocket", r.RemoteAddr, protocol.Config{Older: websocket.Older(r)})
}

// serveStream is the door of the stream (package stream).
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request) {
	leave, ok := s.enter(w, r, s.places)
	if !ok {
		return
	}
	defer leave()
	limits := s.cfg.limits
	limits.Message = stream.RequestSize
	conn, err := websocket.AcceptStrict(w, r, limits)
	if err != nil {
		s.refusals.handshake.Add(1)
		s.cfg.Log.Info("no stream", zap.String("peer", r.RemoteAddr), zap.Error(err))
		return
	}
	log := s.cfg.Log.With(zap.String("transport", "stream"), zap.String("peer", r.RemoteAddr))
	log.Debug("connection opened")
	tellEnd(log, s.stream.Serve(s.ctx, conn))
}

// enter finds room for a conversation, or answers why there is none.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, seats *seats) (leave func(), ok bool) {
	leave, err := s.admit(r.RemoteAddr, seats)
	if err != nil {
		s.refusals.count(err)
		w.Header().Set("Retry-After", "10")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
	return leave, err == nil
}

func (s *Server) serveTCP() error {
	for {
		c, err := s.bare.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			s.cfg.Log.Warn("bare TCP: connection not accepted", zap.Error(err))
			select {
			case <-time.After(100 * time.Millisecond): // out of descriptors, most likely
			case <-s.ctx.Done():
			}
			continue
		}
		leave, err := s.admit(c.RemoteAddr().String(), s.seats)
		if err != nil {
			s.turnAway(c, err)
			continue
		}
		guard.Go("connection", func() {
			defer leave()
			room := s.core.Memory.Receive(c.RemoteAddr().String())
			defer room.Close()
			s.talk(tcp.New(c, s.limits(room)), "tcp", c.RemoteAddr().String(), protocol.Config{Bare: true, Older: true})
		})
	}
}

var (
	errFull    = errors.New("too many connections")
	errClosing = errors.New("the daemon is closing")
)

// turnAway says why, in one packet, for which a new connection always has room.
func (s *Server) turnAway(c net.Conn, reason error) {
	s.refusals.count(reason)
	s.cfg.Log.Info("connection turned away", zap.Stringer("peer", c.RemoteAddr()), zap.Error(reason))
	_, _ = fmt.Fprintf(c, "none=err(%q)#\n", reason.Error()) // a client that has gone need not know
	_ = c.Close()
}

// admit finds room for a conversation; leave gives it back.
func (s *Server) admit(peer string, seats *seats) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, errClosing
	}
	rise, err := seats.take(peer)
	if err != nil {
		return nil, err
	}
	s.talks.Add(1)
	return func() {
		rise()
		s.talks.Done()
	}, nil
}

// limits of a message are those of the texts that the core reads.
func (s *Server) limits(room wire.Room) wire.Limits {
	limits := s.cfg.limits
	limits.Room = room
	limits.Message = s.core.Nets.Limits().Bytes
	return limits
}

func (s *Server) talk(conn wire.Conn, transport, peer string, cfg protocol.Config) {
	cfg.Peer = peer
	log := s.cfg.Log.With(zap.String("transport", transport), zap.String("peer", peer))
	log.Debug("connection opened")
	tellEnd(log, protocol.Serve(s.ctx, s.core, conn, cfg))
}

// tellEnd logs how a conversation has ended.
func tellEnd(log *zap.Logger, err error) {
	if err != nil && !errors.Is(err, protocol.ErrClosing) && !errors.Is(err, stream.ErrClosing) {
		log.Info("connection ended", zap.Error(err))
		return
	}
	log.Debug("connection closed")
}
