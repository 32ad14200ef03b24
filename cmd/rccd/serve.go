package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/directio/stream"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/config"
)

// daemon serves until it is stopped.
func daemon(args []string, s streams) int {
	set := cli.FlagSet(program, synopsis(), s.out)
	f := addCellFlags(set)
	f.addConfig()
	if err := cli.Parse(set, args); err != nil {
		return s.refuse(usage, err)
	}
	asUsual := collectLess()
	p := builtIn()
	cfg, err := f.load(p)
	if err != nil {
		return s.refuse(usage, err)
	}
	return serve(cfg, p, s, performance{setUp: asUsual})
}

// service is a cell that is reached over the network.
type service struct {
	cfg     *config.Config
	process *realtime.Process
	log     *zap.Logger
	journal *journal
	cell    *cell
	began   time.Time // to serve
	ledger  realtime.Ledger
	server  *directio.Server
	program string        // that moves the cell
	pause   func() string // why it does not
	panics  panics
	folder  *stateFolder
	errs    *patientErr
	ended   chan error // of serving
}

// performance is what goes on in a cell while it is served.
type performance struct {
	program string                            // what moves it, for people to read
	pause   func() string                     // why that does not go on, empty while it does
	setUp   func()                            // when the cell is served
	begin   func(url string) <-chan time.Time // when the cell can be reached; the channel says when it is enough
	end     func()                            // before the cell is closed
	ended   func()                            // after that
}

// serve runs a cell until a signal, or until the performance is over.
func serve(cfg *config.Config, p plugins, s streams, on performance) int {
	errs := patient(s.err)
	s.err = errs
	defer errs.flush()
	// A signal that comes while things are being set up is answered when that is done.
	e := hearSignals()
	defer e.close()

	process, err := prepare(cfg)
	if err != nil {
		return s.refuse(usage, err)
	}
	v := &service{cfg: cfg, process: process, program: on.program, pause: on.pause, errs: errs, ended: make(chan error, 1)}
	v.panics.fatal = make(chan struct{}, 1)
	var speak func()
	v.log, v.journal, speak = newLog(cfg, s)
	e.tell(v.log)
	v.panics.catch(v.log)
	defer guard.Handle(nil)
	boundMemory(cfg, memoryAllowed(), v.log)
	if v.folder, err = openState(cfg.State, v.log); err != nil {
		return s.refuse(usage, errors.Join(err, process.Close()))
	}
	if err := v.open(p); err != nil {
		v.folder.giveUp()
		return s.refuse(usage, err)
	}
	speak()
	if on.setUp != nil {
		on.setUp()
	}
	url := "http://" + reachable(v.server.Addr())
	if v.state().Word == realtime.Checking {
		v.process.Test() // the state on the ready line must be final; requests are answered already
	}
	fmt.Fprintf(s.out, "rccd: ready %s realtime=%s\n", url, v.state().Word)
	v.tell("ready", v.state().Notes, zap.String("url", url))
	v.tellOpen()
	v.cell.tellHeld(v.log)
	stop := make(chan struct{})
	guard.Go("state", func() { v.watch(stop) })
	if cfg.Follow {
		guard.Go("extensions", func() { v.follow(stop) })
	}
	var diaries sync.WaitGroup
	closed := make(chan struct{})
	guard.In(&diaries, "diaries", func() { v.copyDiaries(closed) })

	var enough <-chan time.Time
	if on.begin != nil {
		enough = on.begin(url)
	}
	err = v.wait(e.asked, enough)
	e.leave()
	relent := e.enforce(cfg.Server.Grace)
	defer relent()
	close(stop)
	if on.end != nil {
		on.end()
	}
	err = errors.Join(err, v.close(e.hurry))
	close(closed)
	diaries.Wait() // how sessions with robots have ended is in there
	if on.ended != nil {
		on.ended()
	}
	if err == nil {
		err = v.folder.close()
	}
	switch {
	case errors.Is(err, errPanic):
		v.log.Error("stopped", zap.Error(err))
		return broken
	case err != nil:
		v.log.Error("stopped", zap.Error(err))
		return failed
	}
	v.log.Info("stopped")
	return done
}

// open sets everything up and begins to serve. After an error nothing is left.
func (v *service) open(p plugins) (err error) {
	v.began = time.Now()
	if v.cell, err = openCell(v.cfg, p, surroundings{clock: clockOf(v.cfg), execution: v.execution(), log: v.log, numbers: v.folder.numbers}); err != nil {
		return err
	}
	site := pages.Handler(v.cell.Core, pages.Options{
		Version: cli.Version(), Hosts: v.cfg.Server.Hosts,
		Realtime: func() pages.State { return v.shown() },
		Log:      v.journal.Lines, LogLost: v.errs.Lost, Panics: v.panics.count.Load, Connections: func() int { return v.server.Connections() },
		Usage:      machineUsage,
		Costs:      v.folder.costs,
		TurnedAway: func() map[string]uint64 { return v.server.TurnedAway() },
		Ports:      func() (web, directIO int) { return portOf(v.server.Addr()), portOf(v.server.TCPAddr()) },
		Open:       func() []string { return v.server.Open() },
		Program:    v.program, Pause: v.pause,
	})
	setups, err := v.folder.setups()
	if err != nil {
		return errors.Join(err, v.cell.Close(context.Background()))
	}
	speaking, doors := v.connections()
	streams := min(mostStreams, doors/4) // which come in by the same doors
	v.server, err = directio.Listen(v.cell.Core, site, directio.Config{
		Listen: v.cfg.Server.Listen, TCP: v.cfg.Server.DirectIOTCP, Hosts: v.cfg.Server.Hosts,
		Connections: speaking, Streams: streams, Doors: doors - streams, Log: v.log,
		Stream: stream.Config{Version: cli.Version(), Log: v.journal.After},
		Setups: setups,
	})
	if err != nil {
		return errors.Join(inUse(err), v.cell.Close(context.Background()))
	}
	addresses := []string{v.server.Addr().String()}
	if tcp := v.server.TCPAddr(); tcp != nil {
		addresses = append(addresses, tcp.String())
	}
	v.cell.Listens(addresses, v.cfg.Server.Hosts)
	guard.Go("server", func() { v.ended <- v.server.Serve() })
	if err := v.cell.begin(context.Background(), v.folder.orderly); err != nil {
		return errors.Join(err, v.close(context.Background()))
	}
	return nil
}

// mostStreams is how many browsers and the like may watch at a time.
const mostStreams = 64

// connections shares descriptors between connections of DirectIO and others of HTTP. It warns when there are fewer than are wanted.
func (v *service) connections() (directIO, doors int) {
	wanted, descriptors := v.cfg.Limits.Connections, math.MaxInt32
	if u, err := rt.ReadUsage(); err == nil && u.MaxFiles < math.MaxInt32 {
		descriptors = int(u.MaxFiles)
	}
	directIO, doors = shareDescriptors(wanted, descriptors)
	if directIO < wanted {
		v.log.Warn("fewer connections than limits.connections: raise the limit of descriptors (ulimit -n, LimitNOFILE=)",
			zap.Int("connections", directIO), zap.Int("wanted", wanted), zap.Int("descriptors", descriptors))
	}
	return directIO, doors
}

// shareDescriptors leaves descriptors for everything else, and in any case a few connections of each kind.
func shareDescriptors(wanted, descriptors int) (directIO, doors int) {
	const others, least, most = 64, 16, 4096
	free := max(2*least, descriptors-others)
	directIO = min(wanted, free-least)
	return directIO, min(free-directIO, most)
}

// tellOpen warns of addresses at which any client may command.
func (v *service) tellOpen() {
	if open := v.server.Open(); len(open) > 0 {
		v.log.Warn("any client that reaches this daemon can command it", zap.Strings("addresses", open))
	}
}

// machineUsage returns what the process takes of the machine.
func machineUsage() (pages.Usage, error) {
	u, err := rt.ReadUsage()
	return pages.Usage(u), err
}

// inUse says what to do about the commonest reason why a daemon does not start.
func inUse(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w; --listen 127.0.0.1:0 takes any free port, with make demo LISTEN=127.0.0.1:0", err)
	}
	return err
}

// wait returns when there is a reason to stop, which is an error only when serving has failed.
func (v *service) wait(asked <-chan os.Signal, enough <-chan time.Time) error {
	select {
	case got := <-asked:
		v.log.Info("stopping", zap.Stringer("signal", got), zap.Duration("grace", v.cfg.Server.Grace))
	case <-enough:
		v.log.Info("stopping", zap.String("reason", "the time is over"))
	case err := <-v.ended:
		return err
	case <-v.panics.fatal:
		return errPanic
	}
	return nil
}

// close ends nets, devices and connections, in this order: clients must hear how their nets end. Half of the grace time
// is for nets, unless it is in a hurry, and the rest for joints.
func (v *service) close(hurry context.Context) error {
	ctx, cancel := context.WithTimeout(hurry, v.cfg.Server.Grace/2)
	defer cancel()
	err := v.cell.Close(ctx)
	farewell, cancel := context.WithTimeout(context.Background(), farewellTime)
	defer cancel()
	return errors.Join(err, v.server.Close(farewell), v.process.Close())
}

// farewellTime bounds how long clients may take to hear the last news.
const farewellTime = 10 * time.Second

// brakingTime is how long joints may take to come to rest, whatever the grace time is.
const brakingTime = 2 * time.Second

// reachable returns an address under which this machine reaches the daemon.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return addr.String()
}

// portOf returns the port of an address, 0 of none.
func portOf(addr net.Addr) int {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}

// newLog writes structured lines to standard error. Before speak it is silent about what is no error, so that a refused
// configuration is answered with readable lines only, unless everything is requested.
// The newest lines are kept for /log/.
func newLog(cfg *config.Config, s streams) (log *zap.Logger, newest *journal, speak func()) {
	wanted, err := zapcore.ParseLevel(cfg.Server.LogLevel)
	if err != nil {
		wanted = zapcore.InfoLevel // the configuration knows the words
	}
	level := zap.NewAtomicLevelAt(zapcore.ErrorLevel)
	if wanted == zapcore.DebugLevel {
		level.SetLevel(wanted)
	}
	format := zap.NewProductionEncoderConfig()
	format.EncodeTime = zapcore.ISO8601TimeEncoder
	out := zapcore.NewCore(zapcore.NewJSONEncoder(format), zapcore.AddSync(s.err), level)
	newest = newJournal(level)
	return zap.New(zapcore.NewTee(out, newest)), newest, func() { level.SetLevel(wanted) }
}
