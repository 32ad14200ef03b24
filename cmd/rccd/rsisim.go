package main

import (
	"flag"
	"net"
	"net/netip"
	"strings"

	"github.com/softrobot-rcc/rccd/devices/kukarsi/rsisim"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// simulateRSI returns a KUKA KR with its controller, which talks to a driver by UDP and does what standard input says.
func simulateRSI(args []string, s streams) int {
	f, err := rsiFlags(args, s)
	if err != nil {
		return s.refuse(usage, err)
	}
	b, err := f.open()
	if err != nil {
		return s.refuse(usage, err)
	}
	if err := f.run(b); err != nil {
		return s.refuse(failed, err)
	}
	return done
}

// rsiOptions are what the flags say.
type rsiOptions struct {
	*stand
	rsisim.Options
	line     rsisim.Line
	to, from string
	receive  int // port of answers
	power    bool
}

func rsiFlags(args []string, s streams) (*rsiOptions, error) {
	f := &rsiOptions{Options: rsisim.Usual()}
	o, l := &f.Options, &f.line
	var set *flag.FlagSet
	f.stand, set = standFor("rsisim [flags]", "A KUKA KR with its controller, which calls a driver over RSI.", inColumns(rsisim.Commands(),
		[2]string{"status", "a line of status"}, [2]string{"wait TIME", "the next line is taken later"},
		[2]string{"await PHASE", "the next line is taken when the program is " + strings.Join(rsiPhases, ", ")}, [2]string{"quit", "the end"}), s)
	set.StringVar(&f.to, "to", "127.0.0.1:49152", "`address` of the driver")
	set.StringVar(&f.from, "from", "127.0.0.1", "`address` that telegrams come from, each session from another port")
	set.IntVar(&f.receive, "receive", 0, "`port` on which answers are expected, 0 = the one that telegrams come from")
	set.DurationVar(&o.Cycle, "cycle", o.Cycle, "`time` between two telegrams: 4ms or 12ms")
	set.BoolVar(&o.Relative, "relative", false, "corrections are added in every cycle: RSI_ON(#RELATIVE)")
	set.BoolVar(&o.Hold, "hold", o.Hold, "HOLDON: without an answer the last correction stays")
	set.IntVar(&o.Timeout, "timeout", o.Timeout, "`number` of late answers that end a session")
	set.BoolVar(&o.Forgiving, "forgiving", false, "only late answers in a row count")
	counting := set.String("late-counts", string(rsisim.CountTotal), "what telegrams `say` of late answers: total, row (those in a row), zero (always) or absent")
	set.DurationVar(&o.Window, "window", 0, "`time` after a telegram in which its answer is taken, 0 = the whole cycle")
	set.DurationVar(&o.Exchange, "exchange", 0, "IPOC counts exchanges, and each waits for its answer up to this `time`; 0 = IPOC goes on with time")
	set.BoolVar(&o.Programmed, "programmed", false, "commanded positions in telegrams are those of the program, without corrections")
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
	set.BoolVar(&o.GoesOn, "ipoc-goes-on", false, "IPOC does not start again with a session")
	set.IntVar(&o.Precision, "precision", o.Precision, "`digits` behind the point")
	set.BoolVar(&o.Capitals, "capitals", false, "telegrams have TYPE instead of Type")
	set.BoolVar(&o.Shuffled, "shuffled", false, "elements are in another order in every telegram")
	set.BoolVar(&o.Spaced, "spaced", false, "telegrams have blanks, comments and unknown elements")
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
	axes := set.String("axes", "", "`positions` at the start, degrees and mm, as in [0,-90,90,0,0,0]")
	limit := set.Float64("limit", 0, "greatest `correction` of AXISCORR and AXISCORRMON, degrees and mm; 0 = none")
	if err := cli.Parse(set, args); err != nil {
		return nil, err
	}
	o.Counting = rsisim.Counting(*counting)
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

// rsiBench is a controller at the end of a real wire.
type rsiBench struct {
	script  script
	station *rsisim.Station
	wire    *rsiWire
}

func (f *rsiOptions) open() (*rsiBench, error) {
	to, err := netip.ParseAddrPort(f.to)
	if err != nil {
		return nil, named("to", err)
	}
	from, err := netip.ParseAddr(f.from)
	if err != nil {
		return nil, named("from", err)
	}
	b := &rsiBench{wire: &rsiWire{stand: f.stand, host: from, to: to, receive: f.receive, answers: make(chan []byte, 256)}}
	b.script = script{stand: f.stand, actor: b, states: rsiPhases, refusal: "the phases are " + strings.Join(rsiPhases, ", ")}
	if b.station, err = rsisim.NewStation(f.Options, f.line, func(e rsisim.Event) { f.tell(e) }); err != nil {
		return nil, err
	}
	if !f.power {
		b.station.Power(false)
	}
	return b, b.wire.open()
}

func (b *rsiBench) ready() any {
	return map[string]string{"event": "ready", "from": b.wire.host.String(), "to": b.wire.to.String()}
}

func (b *rsiBench) turn() {
	b.script.take()
	b.station.Cycle(b.wire)
}

func (b *rsiBench) do(line string) error { return b.station.Command(line) }
func (b *rsiBench) state() string        { return string(b.station.Phase()) }
func (b *rsiBench) status() any          { return b.station.Status() }

func (b *rsiBench) close() error {
	b.wire.close()
	return b.wire.err
}

// rsiWire is a rsisim.Network of real sockets.
type rsiWire struct {
	*stand
	host    netip.Addr
	to      netip.AddrPort
	receive int          // port of answers, 0: that of the session
	in      *net.UDPConn // where they come then
	conn    *net.UDPConn // of the session
	other   *net.UDPConn // of another sender
	answers chan []byte
	err     error
}

func (w *rsiWire) listen(port int) (*net.UDPConn, error) {
	return net.ListenUDP("udp", &net.UDPAddr{IP: w.host.AsSlice(), Port: port})
}

func (w *rsiWire) open() (err error) {
	if w.other, err = w.listen(0); err != nil {
		return err
	}
	if w.receive != 0 {
		if w.in, err = w.listen(w.receive); err != nil {
			return named("receive", err)
		}
		guard.Go("answers", func() { w.hear(w.in, w.answers) })
	}
	w.Renew()
	return w.err
}

func (w *rsiWire) close() {
	_ = w.conn.Close()
	_ = w.other.Close()
	if w.in != nil {
		_ = w.in.Close()
	}
}

// Now returns the time.
func (w *rsiWire) Now() int64 { return w.clock.Now() }

// Send sends a telegram.
func (w *rsiWire) Send(telegram []byte, foreign bool) {
	from := w.conn
	if foreign {
		from = w.other
	}
	_, _ = from.WriteToUDPAddrPort(telegram, w.to) // without a listener it is lost, as on a wire
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
		if w.clock.SleepUntil(until, &w.alarm) {
			return nil
		}
	}
}

// Renew takes another port.
func (w *rsiWire) Renew() {
	conn, err := w.listen(0)
	if err != nil {
		w.err = err
		return
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
	if w.conn = conn; w.in == nil {
		guard.Go("answers", func() { w.hear(conn, w.answers) })
	}
}
