package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	dio "github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/internal/cli"
)

// How often values are sent, and statistics asked for.
const (
	usualEvery  = 200 * time.Millisecond
	leastEvery  = 20 * time.Millisecond // faster than the eye; the daemon sends no more
	mostEvery   = time.Hour
	statsPeriod = time.Second
)

func (s streams) watchCommand() cli.Command {
	return cli.Command{
		Name: "watch", Synopsis: "NET [--every 200ms] [--ticks | --json]",
		Doc: "the state and the values of a net as they change, until the net or you (q) end it",
		Examples: []string{
			"rccctl watch rpinet0                     # redraws on a terminal",
			"rccctl watch rpinet0 | grep outresult    # a line for each change otherwise",
		},
		Args: []string{kindNet}, Least: 1, Most: 1, Missing: missingNet,
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			every := set.Duration("every", usualEvery, "`time` between two updates")
			ticks := set.Bool("ticks", false, "begin each line with the cycle that has left the values, and the time of its tick")
			return func(args []string) int {
				switch {
				case args[0] == "":
					return s.refuse(usage, errEmptyName)
				case *ticks && *asJSON:
					return s.refuse(usage, errors.New("choose only one form of output"))
				case *every < leastEvery || *every > mostEvery:
					return s.refuse(usage, fmt.Errorf("--every %v is not between %v and %v", *every, leastEvery, mostEvery))
				}
				w := &watch{daemon: daemon, net: args[0], every: *every, asJSON: *asJSON, ticks: *ticks}
				return s.watch(w)
			}
		},
	}
}

// watch is what is asked for.
type watch struct {
	daemon *client
	net    string
	every  time.Duration
	asJSON bool
	ticks  bool
}

// viewer shows the progress of a net.
type viewer interface {
	state(word string) error
	values(changed map[string]string, left dio.Tick) error
	look() error // time has passed
}

func (s streams) watch(w *watch) int {
	answer, err := w.daemon.get(netPlace(w.net))
	if err != nil {
		return s.refuseCall(err)
	}
	var n netView
	if err := json.Unmarshal(answer, &n); err != nil {
		return s.refuse(failed, fmt.Errorf("answer of the daemon: %w", err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var v viewer = &lines{out: s.out, net: n.Name, asJSON: w.asJSON, ticks: w.ticks}
	var quit <-chan struct{}
	var figures chan *statistics
	if f, is := terminal(s.out); is && !w.asJSON {
		p := &picture{screen: newScreen(&n), file: f, redraw: redraw{out: f}}
		if err := p.begin(); err != nil {
			return s.refuse(failed, err)
		}
		defer p.end()
		var restore func()
		quit, restore = quitKeys(s.in)
		defer restore()
		figures = make(chan *statistics)
		go w.figures(ctx, figures)
		p.figures, v = figures, p
	}
	return s.follow(ctx, w, v, quit)
}

// follow shows a net until it has ended.
func (s streams) follow(ctx context.Context, w *watch, v viewer, quit <-chan struct{}) int {
	dialing, cancel := context.WithTimeout(ctx, w.daemon.patience)
	defer cancel()
	conn, err := dio.DialInstance(dialing, w.daemon.String(), w.daemon.instance)
	if err != nil {
		return s.refuseTalk(ctx, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer conn.Close()
	defer stop() // before the connection is closed: a message may be on its way
	told := make(chan dio.Message)
	tell := func(m dio.Message) {
		select {
		case told <- m:
		case <-ctx.Done():
		}
	}
	subscribed := make(chan error, 1)
	go func() { subscribed <- conn.Subscribe(ctx, tell, "gne", w.net, w.every.Seconds(), dio.WithTicks) }()
	looks := time.NewTicker(w.every)
	defer looks.Stop()
	for {
		select {
		case m := <-told:
			ended, err := take(m, v)
			if err != nil || ended {
				return s.answer(err)
			}
		case err := <-subscribed:
			if err != nil {
				return s.refuseTalk(ctx, err)
			}
		case <-looks.C:
			if err := v.look(); err != nil {
				return s.refuse(failed, err)
			}
		case <-conn.Done():
			return s.refuseTalk(ctx, conn.Err())
		case <-quit:
			return s.answer(v.look())
		case <-ctx.Done():
			return s.answer(v.look())
		}
	}
}

// refuseTalk ends a command whose conversation has failed. An interruption is not an error.
func (s streams) refuseTalk(ctx context.Context, err error) int {
	switch {
	case ctx.Err() != nil:
		return done
	case errors.As(err, new(*dio.LostError)):
		return s.refuse(noConnection, err)
	}
	return s.refuse(failed, err)
}

// take shows a message, and reports whether it is the last one.
func take(m dio.Message, v viewer) (ended bool, err error) {
	if len(m.Params) == 0 {
		return false, nil
	}
	switch p := m.Params[0].(type) {
	case string:
		if m.Word == "ns" {
			return in(stateTerminated, stateRejected, stateUnloaded, stateInvalid)(p), v.state(p)
		}
	case map[string]any:
		if m.Word == "nc" {
			changed := map[string]string{}
			for key, value := range p {
				changed[key] = fmt.Sprint(value)
			}
			return false, v.values(changed, m.Tick())
		}
	}
	return false, nil
}

// figures asks for the statistics from time to time; a net that has none yet, or is gone, has none.
func (w *watch) figures(ctx context.Context, to chan<- *statistics) {
	ticks := time.NewTicker(max(statsPeriod, w.every))
	defer ticks.Stop()
	for {
		s := new(statistics)
		w.daemon.fill(s, netPlace(w.net, "stats"))
		if s.Cycles > 0 {
			select {
			case to <- s:
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// picture is a viewer for a terminal. It is drawn when time has passed, so that a quick net does not make it quick, and
// when the state changes.
type picture struct {
	*screen
	redraw
	file    *os.File
	figures <-chan *statistics
}

func (p *picture) state(word string) error {
	p.screen.state = word
	return p.look()
}

func (p *picture) values(changed map[string]string, left dio.Tick) error {
	p.tick = left
	for key, value := range changed {
		p.set(key, value)
	}
	return nil
}

func (p *picture) look() error {
	select {
	case s := <-p.figures:
		p.stats = s
	default:
	}
	p.sample()
	return p.draw(p.screen.lines(sizeOf(p.file)))
}

// lines is a viewer for everything else: a line for each change.
type lines struct {
	out    io.Writer
	net    string
	asJSON bool
	ticks  bool
}

func (l *lines) state(word string) error {
	if l.asJSON {
		return l.json(map[string]any{"net": l.net, "state": word})
	}
	_, err := fmt.Fprintln(l.out, printable(word))
	return err
}

func (l *lines) values(changed map[string]string, left dio.Tick) error {
	if l.asJSON {
		told := map[string]any{"net": l.net, "values": changed}
		if left.Cycle > 0 {
			told["tick"] = tick{left.Cycle, left.Time.UnixNano()}
		}
		return l.json(told)
	}
	var parts []string
	if l.ticks {
		parts = append(parts, strconv.FormatUint(left.Cycle, 10), instant(left.Time))
	}
	for _, key := range slices.Sorted(maps.Keys(changed)) {
		parts = append(parts, printable(key)+"="+printable(changed[key]))
	}
	_, err := fmt.Fprintln(l.out, strings.Join(parts, " "))
	return err
}

func (l *lines) look() error { return nil }

func (l *lines) json(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(harmlessJSON(text), '\n'))
	}
	return err
}
