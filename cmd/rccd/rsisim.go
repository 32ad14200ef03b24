package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// simulateRSI is a KUKA KR with its controller, which talks to a driver by UDP and does what standard input says.
func simulateRSI(args []string, s streams) int {
	f, err := rsiFlags(args, s)
	if err != nil {
		return s.refuse(usage, err)
	}
	bench, err := f.open(s.out)
	if err != nil {
		return s.refuse(usage, err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		<-signals
		bench.ended.Store(true)
		bench.alarm.Ring()
	}()
	if err := bench.run(f.all, f.every); err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// rsiOptions are what the flags say.
type rsiOptions struct {
	rsisim.Options
	line       rsisim.Line
	to, from   string
	power      bool
	all, every time.Duration
}

func rsiFlags(args []string, s streams) (*rsiOptions, error) {
	f := &rsiOptions{Options: rsisim.Usual()}
	o, l := &f.Options, &f.line
	set := cli.FlagSet("rsisim", "rccd rsisim [--to 127.0.0.1:49152] [--cycle 4ms] [flags]", s.err)
	set.StringVar(&f.to, "to", "127.0.0.1:49152", "`address` of the driver")
	set.StringVar(&f.from, "from", "127.0.0.1", "`address` that telegrams come from, each session from another port")
	set.DurationVar(&o.Cycle, "cycle", o.Cycle, "`time` between two telegrams: 4ms or 12ms")
	set.BoolVar(&o.Relative, "relative", false, "corrections are added in every cycle: RSI_ON(#RELATIVE)")
	set.BoolVar(&o.Hold, "hold", o.Hold, "HOLDON: without an answer the last correction stays")
	set.IntVar(&o.Timeout, "timeout", o.Timeout, "`number` of late answers that end a session")
	set.BoolVar(&o.Forgiving, "forgiving", false, "only late answers in a row count")
	set.BoolVar(&o.ReadFirst, "read-first", o.ReadFirst, "the program begins with a session in which positions are read")
	set.IntVar(&o.Pause, "pause", o.Pause, "`cycles` between two sessions")
	set.IntVar(&o.External, "external", 0, "`number` of external axes")
	set.StringVar(&o.SenType, "sen-type", o.SenType, "`type` that answers must have")
	set.StringVar(&o.DigitalIn, "digin", o.DigitalIn, "`names` of digital inputs, as the parameter of the device")
	set.StringVar(&o.DigitalOut, "digout", o.DigitalOut, "`names` of digital outputs")
	set.StringVar(&o.AnalogIn, "anin", o.AnalogIn, "`names` of analog inputs")
	set.StringVar(&o.AnalogOut, "anout", o.AnalogOut, "`names` of analog outputs")
	set.BoolVar(&o.Looped, "loop", false, "inputs are wired to the outputs of the same number")
	set.Uint64Var(&o.Stamp, "ipoc", o.Stamp, "`IPOC` of the first telegram of a session")
	set.Uint64Var(&o.Step, "ipoc-step", o.Step, "`step` of IPOC")
	set.BoolVar(&o.GoesOn, "ipoc-goes-on", false, "IPOC does not begin anew with a session")
	set.IntVar(&o.Precision, "precision", o.Precision, "`digits` behind the point")
	set.BoolVar(&o.Capitals, "capitals", false, "telegrams have TYPE instead of Type")
	set.BoolVar(&o.Shuffled, "shuffled", false, "elements are in another order in every telegram")
	set.BoolVar(&o.Spaced, "spaced", false, "telegrams have blanks, comments and elements that nobody knows")
	set.BoolVar(&o.Stays, "stays", false, "telegrams go on when drives have no power")
	set.BoolVar(&f.power, "power", true, "drives are on at the start")
	set.Float64Var(&o.Bandwidth, "bandwidth", o.Bandwidth, "`frequency` up to which drives follow, Hz")
	set.DurationVar(&o.Lag, "lag", o.Lag, "`age` of measured positions")
	set.Float64Var(&o.Noise, "noise", 0, "standard `deviation` of measured positions, degrees or mm")
	set.IntVar(&o.Seed, "seed", o.Seed, "`number` that random events follow from")
	set.DurationVar(&l.Delay, "delay", 0, "`time` of each answer on its way")
	set.DurationVar(&l.Jitter, "jitter", 0, "greatest of random `times` by which telegrams are late")
	set.Float64Var(&l.Loss, "loss", 0, "`share` of telegrams that are lost")
	set.Float64Var(&l.AnswerLoss, "answer-loss", 0, "`share` of answers that are lost")
	set.Float64Var(&l.Repeat, "duplicate", 0, "`share` of telegrams that come twice")
	set.DurationVar(&f.all, "for", 0, "`time` after which it ends, 0 = never")
	set.DurationVar(&f.every, "status", 0, "`time` between two lines of status, 0 = none but those that are asked for")
	axes := set.String("axes", "", "`positions` at the start, degrees and mm, as in [0,-90,90,0,0,0]")
	limit := set.Float64("limit", 0, "greatest `correction` of AXISCORR and AXISCORRMON, degrees and mm; 0 = none")
	set.Usage = func() { rsiUsage(set) }
	if err := cli.Parse(set, args); err != nil {
		return nil, err
	}
	if *limit > 0 {
		for range 12 {
			o.Lower, o.Upper, o.Most = append(o.Lower, -*limit), append(o.Upper, *limit), append(o.Most, *limit)
		}
	}
	var err error
	if *axes != "" {
		o.Start, err = value.Of[[]float64]().Parse(*axes)
	}
	return f, named("axes", err)
}

// rsiPhases are what may be awaited.
var rsiPhases = []string{string(rsisim.Halted), string(rsisim.Waiting), string(rsisim.Reading), string(rsisim.Moving)}

// rsiUsage tells the flags and what may be said while it runs.
func rsiUsage(set *flag.FlagSet) {
	out := set.Output()
	fmt.Fprintf(out, "usage: rccd rsisim [flags]\n\nA KUKA KR with its controller, which calls a driver over RSI. What happens it writes as lines of JSON.\n\n")
	set.PrintDefaults()
	fmt.Fprintf(out, "\nLines of standard input:\n")
	for _, order := range append(rsisim.Commands(),
		[2]string{"status", "a line of status"}, [2]string{"wait TIME", "the next line is taken later"},
		[2]string{"await PHASE", "the next line is taken when the program is " + strings.Join(rsiPhases, ", ")}, [2]string{"quit", "the end"}) {
		fmt.Fprintf(out, "  %-20s %s\n", order[0], order[1])
	}
}

// rsiBench is a controller at the end of a real wire.
type rsiBench struct {
	station *rsisim.Station
	wire    *rsiWire
	out     *json.Encoder
	alarm   rt.Alarm
	ended   atomic.Bool
	lines   chan string

	held  string // a line that waits
	until int64  // for an instant
}

func (f *rsiOptions) open(out io.Writer) (*rsiBench, error) {
	to, err := netip.ParseAddrPort(f.to)
	if err != nil {
		return nil, named("to", err)
	}
	from, err := netip.ParseAddr(f.from)
	if err != nil {
		return nil, named("from", err)
	}
	b := &rsiBench{out: json.NewEncoder(out), lines: make(chan string)}
	b.wire = &rsiWire{clock: rt.NewReal(), alarm: &b.alarm, host: from, to: to, answers: make(chan []byte, 256)}
	if b.station, err = rsisim.NewStation(f.Options, f.line, func(e rsisim.Event) { b.tell(e) }); err != nil {
		return nil, err
	}
	if !f.power {
		b.station.Power(false)
	}
	return b, b.wire.open()
}

func (b *rsiBench) tell(v any) { _ = b.out.Encode(v) }

// run lets the controller live until it is told to end.
func (b *rsiBench) run(all, every time.Duration) error {
	defer b.wire.close()
	go b.read(os.Stdin)
	b.tell(map[string]string{"event": "ready", "from": b.wire.host.String(), "to": b.wire.to.String()})
	begin := b.wire.Now()
	for report := begin + int64(every); !b.ended.Load(); {
		b.take()
		b.station.Cycle(b.wire)
		now := b.wire.Now()
		if every > 0 && now >= report {
			b.tell(b.station.Status())
			report += int64(every)
		}
		if all > 0 && now-begin >= int64(all) {
			break
		}
	}
	b.tell(b.station.Status())
	return b.wire.err
}

// read takes lines. When there are no more of them everything goes on.
func (b *rsiBench) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		b.lines <- strings.TrimSpace(lines.Text())
	}
}

// take does what was said meanwhile, up to a line that waits.
func (b *rsiBench) take() {
	for !b.waits() {
		select {
		case line := <-b.lines:
			b.do(line)
		default:
			return
		}
	}
}

// waits tells whether a line that was said before lets the next one wait.
func (b *rsiBench) waits() bool {
	phase, awaits := strings.CutPrefix(b.held, "await ")
	switch {
	case b.held == "":
		return false
	case awaits && string(b.station.Phase()) != phase, !awaits && b.wire.Now() < b.until:
		return true
	}
	b.tell(answer{Done: b.held})
	b.held = ""
	return false
}

// do does what a line says.
func (b *rsiBench) do(line string) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return
	case "quit":
		b.ended.Store(true)
	case "status":
		b.tell(b.station.Status())
		return
	case "await":
		if !slices.Contains(rsiPhases, rest) {
			b.tell(answer{Refused: line, Why: "the phases are " + strings.Join(rsiPhases, ", ")})
			return
		}
		b.held = "await " + rest
		return
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			b.tell(answer{Refused: line, Why: "that is no time, write for example wait 2s"})
			return
		}
		b.held, b.until = line, b.wire.Now()+int64(d)
		return
	default:
		if err := b.station.Command(line); err != nil {
			b.tell(answer{Refused: line, Why: err.Error()})
			return
		}
	}
	b.tell(answer{Done: line})
}

// rsiWire is a rsisim.Network of real sockets.
type rsiWire struct {
	clock   *rt.Real
	alarm   *rt.Alarm
	host    netip.Addr
	to      netip.AddrPort
	conn    *net.UDPConn // of the session
	other   *net.UDPConn // of somebody else
	answers chan []byte
	err     error
}

func (w *rsiWire) listen() (*net.UDPConn, error) {
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(w.host, 0)))
}

func (w *rsiWire) open() (err error) {
	if w.other, err = w.listen(); err != nil {
		return err
	}
	w.Renew()
	return w.err
}

func (w *rsiWire) close() {
	_ = w.conn.Close()
	_ = w.other.Close()
}

// Now is the time.
func (w *rsiWire) Now() int64 { return w.clock.Now() }

// Send sends a telegram.
func (w *rsiWire) Send(telegram []byte, foreign bool) {
	from := w.conn
	if foreign {
		from = w.other
	}
	_, _ = from.WriteToUDPAddrPort(telegram, w.to) // nobody listens: that is not the business of who sends
}

// Wait returns an answer, or nothing at a given time.
func (w *rsiWire) Wait(until int64) []byte {
	for {
		w.alarm.Clear()
		select {
		case a := <-w.answers:
			return a
		default:
		}
		if w.clock.SleepUntil(until, w.alarm) {
			return nil
		}
	}
}

// Renew takes another port.
func (w *rsiWire) Renew() {
	conn, err := w.listen()
	if err != nil {
		w.err = err
		return
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
	w.conn = conn
	go w.hear(conn)
}

// hear takes what comes over the wire.
func (w *rsiWire) hear(conn *net.UDPConn) {
	var room [8 << 10]byte
	for {
		n, err := conn.Read(room[:])
		if err != nil {
			if isClosed(err) {
				return
			}
			continue // the other end was not there
		}
		select {
		case w.answers <- slices.Clone(room[:n]):
			w.alarm.Ring()
		default: // a flood
		}
	}
}
