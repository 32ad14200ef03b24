package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// simulateFRI is a lightweight robot with its controller, which talks to a driver by UDP and does what standard input says.
func simulateFRI(args []string, s streams) int {
	f, err := friFlags(args, s)
	if err != nil {
		return s.refuse(usage, err)
	}
	stand, err := f.open(s.out)
	if err != nil {
		return s.refuse(usage, err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		<-signals
		stand.ended.Store(true)
		stand.alarm.Ring()
	}()
	if err := stand.run(f.all, f.every); err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// friOptions are what the flags say.
type friOptions struct {
	config     frisim.Config
	to, from   string
	all, every time.Duration
	quality    int
}

func friFlags(args []string, s streams) (*friOptions, error) {
	f := &friOptions{config: frisim.Usual()}
	c := &f.config
	set := cli.FlagSet("frisim", "rccd frisim [--to 127.0.0.1:49938] [--cycle 2ms] [flags]", s.err)
	set.StringVar(&f.to, "to", "127.0.0.1:49938", "`address` of the driver")
	set.StringVar(&f.from, "from", "127.0.0.1:0", "`address` that telegrams come from, port 0 = any")
	set.DurationVar(&c.Cycle, "cycle", c.Cycle, "`time` between two telegrams, 1ms to 100ms")
	set.DurationVar(&c.Delay, "delay", 0, "`time` of each datagram on its way")
	set.DurationVar(&c.Jitter, "jitter", 0, "greatest of random `times` that are added")
	set.Float64Var(&c.Loss, "loss", 0, "`share` of datagrams that are lost")
	set.Float64Var(&c.Duplicate, "duplicate", 0, "`share` of datagrams that come twice")
	set.Uint64Var(&c.Seed, "seed", c.Seed, "`number` that random events follow from")
	set.Float64Var(&c.Limits, "limits", c.Limits, "`share` of the limits of the robot that commands may use")
	set.IntVar(&c.Bridge, "bridge", c.Bridge, "`number` of missing answers in a row that are bridged")
	set.BoolVar(&c.Power, "power", true, "drives are on at the start")
	set.IntVar(&f.quality, "quality", -1, "rating of answers from 0 to 3, whatever they are; -1: as they are")
	set.IntVar(&c.Handshake, "handshake", c.Handshake, "`index` of the variables by which the program is asked")
	set.IntVar(&c.Communication, "communication", c.Communication, "`index` of the variables by which it is told values")
	set.DurationVar(&c.Switching, "switch-time", c.Switching, "`time` that a switch of the control strategy takes")
	set.IntVar(&c.Fails, "fails", 0, "`number` of the switch that fails, 0 = none")
	set.BoolVar(&c.AutoStart, "auto-start", false, "the program goes to command mode without being asked")
	set.DurationVar(&f.all, "for", 0, "`time` after which it ends, 0 = never")
	set.DurationVar(&f.every, "status", 0, "`time` between two lines of status, 0 = none but those that are asked for")
	program := set.String("program", c.Program.String(), "hand-shake of the KRL program: "+strings.Join(krl.Names, ", "))
	joints := set.String("joints", "", "`positions` at the start, rad, as in [0,0.5,0,1,0,0.5,0]")
	set.Usage = func() { friUsage(set) }
	if err := cli.Parse(set, args); err != nil {
		return nil, err
	}
	var err error
	if c.Program, err = krl.KindOf(*program); err != nil {
		return nil, named("program", err)
	}
	if *joints != "" {
		c.Home, err = value.Of[[]float64]().Parse(*joints)
	}
	return f, named("joints", err)
}

// friUsage tells the flags and what may be said while it runs.
func friUsage(set *flag.FlagSet) {
	out := set.Output()
	fmt.Fprintf(out, "usage: rccd frisim [flags]\n\nA KUKA LWR with its controller, which calls a driver over FRI. What happens it writes as lines of JSON.\n\n")
	set.PrintDefaults()
	fmt.Fprintf(out, "\nLines of standard input:\n")
	for _, order := range append(frisim.Orders(),
		[2]string{"status", "a line of status"}, [2]string{"wait time", "the next line is taken later"},
		[2]string{"await state", "the next line is taken in this state: off, monitor or command"}, [2]string{"quit", "the end"}) {
		fmt.Fprintf(out, "  %-20s %s\n", order[0], order[1])
	}
}

// stand is a controller at the end of a real wire.
type stand struct {
	krc     *frisim.KRC
	conn    *net.UDPConn
	to      netip.AddrPort
	out     *json.Encoder
	clock   *rt.Real
	alarm   rt.Alarm
	ended   atomic.Bool
	answers chan []byte
	lines   chan string

	held  string // a line that waits
	until int64  // for an instant
}

// open makes a controller whose first telegram is due in a cycle.
func (f *friOptions) open(out io.Writer) (*stand, error) {
	to, err := netip.ParseAddrPort(f.to)
	if err != nil {
		return nil, named("to", err)
	}
	from, err := net.ResolveUDPAddr("udp", f.from)
	if err != nil {
		return nil, named("from", err)
	}
	s := &stand{to: to, out: json.NewEncoder(out), clock: rt.NewReal(), answers: make(chan []byte, 256), lines: make(chan string)}
	f.config.Tell = func(e frisim.Event) { s.tell(e) }
	if s.krc, err = frisim.New(f.config); err != nil {
		return nil, err
	}
	if f.quality >= 0 {
		if err := s.krc.Do(fmt.Sprintf("quality %d", f.quality)); err != nil {
			return nil, named("quality", err)
		}
	}
	if s.conn, err = net.ListenUDP("udp", from); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *stand) tell(v any) { _ = s.out.Encode(v) }

// answer is what becomes of a line.
type answer struct {
	Done    string `json:"done,omitempty"`
	Refused string `json:"refused,omitempty"`
	Why     string `json:"why,omitempty"`
}

// run lets the controller live until it is told to end.
func (s *stand) run(all, every time.Duration) error {
	defer func() { _ = s.conn.Close() }()
	go s.hear()
	go s.read(os.Stdin)
	s.tell(map[string]string{"event": "ready", "from": s.conn.LocalAddr().String(), "to": s.to.String()})
	begin := s.clock.Now()
	next, cycle, report := begin+int64(s.krc.Cycle()), int64(s.krc.Cycle()), begin+int64(every)
	var room [wire.MeasurementSize + 1]byte
	for !s.ended.Load() {
		s.alarm.Clear()
		now := s.clock.Now()
		s.take(now)
		if now >= next {
			s.krc.Step(next)
			next += cycle
			if now > next+10*cycle { // the machine has stood still
				next = now + cycle
			}
		}
		if every > 0 && now >= report {
			s.tell(s.krc.Status())
			report += int64(every)
		}
		for n, ok := s.krc.Next(now, room[:]); ok; n, ok = s.krc.Next(now, room[:]) {
			_, _ = s.conn.WriteToUDPAddrPort(room[:n], s.to) // nobody listens: that is not the business of who sends
		}
		if all > 0 && now-begin >= int64(all) {
			break
		}
		s.clock.SleepUntil(s.due(next), &s.alarm)
	}
	s.tell(s.krc.Status())
	return nil
}

// due is when there is something to do next, unless something is heard before.
func (s *stand) due(next int64) int64 {
	if at, ok := s.krc.Due(); ok && at < next {
		return at
	}
	return next
}

// hear takes what comes over the wire.
func (s *stand) hear() {
	var room [2048]byte
	for {
		n, err := s.conn.Read(room[:])
		if err != nil {
			if s.ended.Load() || isClosed(err) {
				return
			}
			continue // the other end was not there
		}
		select {
		case s.answers <- append([]byte(nil), room[:n]...):
			s.alarm.Ring()
		default: // a flood
		}
	}
}

func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }

// read takes lines. When there are no more of them everything goes on.
func (s *stand) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		s.lines <- strings.TrimSpace(lines.Text())
		s.alarm.Ring()
	}
}

// take does what was heard and said meanwhile.
func (s *stand) take(now int64) {
	for {
		select {
		case b := <-s.answers:
			s.krc.Receive(b, now)
			continue
		default:
		}
		break
	}
	if s.waits(now) {
		return
	}
	select {
	case line := <-s.lines:
		s.do(line, now)
	default:
	}
}

// waits tells whether a line that was said before lets the next one wait.
func (s *stand) waits(now int64) bool {
	state, awaits := strings.CutPrefix(s.held, "await ")
	switch {
	case s.held == "":
		return false
	case awaits && s.krc.State().String() != state, !awaits && now < s.until:
		return true
	}
	s.tell(answer{Done: s.held})
	s.held = ""
	return false
}

// do does what a line says.
func (s *stand) do(line string, now int64) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "":
		return
	case "quit":
		s.ended.Store(true)
	case "status":
		s.tell(s.krc.Status())
		return
	case "await":
		s.held = "await " + strings.TrimSpace(rest)
		if state := strings.TrimSpace(rest); state != "off" && state != "monitor" && state != "command" {
			s.held = ""
			s.tell(answer{Refused: line, Why: "the states are off, monitor and command"})
		}
		return
	case "wait":
		d, err := time.ParseDuration(strings.TrimSpace(rest))
		if err != nil || d < 0 {
			s.tell(answer{Refused: line, Why: "that is no time, write for example wait 2s"})
			return
		}
		s.held, s.until = line, now+int64(d)
		return
	default:
		if err := s.krc.Do(line); err != nil {
			s.tell(answer{Refused: line, Why: err.Error()})
			return
		}
	}
	s.tell(answer{Done: line})
}
