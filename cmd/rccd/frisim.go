package main

import (
	"flag"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/softrobot-rcc/rccd/devices/kukafri/frisim"
	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc/value"
)

// simulateFRI returns a lightweight robot with its controller, which talks to a driver by UDP and does what standard input says.
func simulateFRI(args []string, s streams) int {
	f, err := friFlags(args, s)
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

// friOptions are what the flags say.
type friOptions struct {
	*stand
	config   frisim.Config
	to, from string
	receive  int // port of answers
	quality  int
}

// friStates are what may be awaited.
var friStates = []string{"off", "monitor", "command"}

func friFlags(args []string, s streams) (*friOptions, error) {
	f := &friOptions{config: frisim.Usual()}
	c := &f.config
	var set *flag.FlagSet
	f.stand, set = standFor("frisim [flags]", "A KUKA LWR with its controller, which calls a driver over FRI.", inColumns(frisim.Orders(),
		[2]string{"status", "a line of status"}, [2]string{"wait time", "the next line is taken later"},
		[2]string{"await state", "the next line is taken in this state: off, monitor or command"}, [2]string{"quit", "the end"}), s)
	set.StringVar(&f.to, "to", "127.0.0.1:49938", "`address` of the driver")
	set.StringVar(&f.from, "from", "127.0.0.1:0", "`address` that telegrams come from, port 0 = any")
	set.IntVar(&f.receive, "receive", 0, "`port` on which answers are expected, 0 = the one that telegrams come from")
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
	set.IntVar(&c.Communication, "communication", c.Communication, "`index` of the variables that carry values")
	set.DurationVar(&c.Switching, "switch-time", c.Switching, "`time` that a switch of the control strategy takes")
	set.IntVar(&c.Fails, "fails", 0, "`number` of the switch that fails, 0 = none")
	set.BoolVar(&c.AutoStart, "auto-start", false, "the program goes to command mode without being asked")
	program := set.String("program", c.Program.String(), "hand-shake of the KRL program: "+strings.Join(krl.Names, ", "))
	joints := set.String("joints", "", "`positions` at the start, rad, as in [0,0.5,0,1,0,0.5,0]")
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

// friBench is a controller at the end of a real wire.
type friBench struct {
	*stand
	script  script
	krc     *frisim.KRC
	conn    *net.UDPConn
	in      *net.UDPConn // where answers come; conn if they come where telegrams come from
	to      netip.AddrPort
	answers chan []byte
	next    int64 // when the next step is due
}

// open makes a controller whose first telegram is due in a cycle.
func (f *friOptions) open() (*friBench, error) {
	to, err := netip.ParseAddrPort(f.to)
	if err != nil {
		return nil, named("to", err)
	}
	from, err := net.ResolveUDPAddr("udp", f.from)
	if err != nil {
		return nil, named("from", err)
	}
	b := &friBench{stand: f.stand, to: to, answers: make(chan []byte, 256)}
	b.script = script{stand: f.stand, actor: b, states: friStates, refusal: "the states are off, monitor and command"}
	f.config.Tell = func(e frisim.Event) { b.tell(e) }
	if b.krc, err = frisim.New(f.config); err != nil {
		return nil, err
	}
	if f.quality >= 0 {
		if err := b.do(fmt.Sprintf("quality %d", f.quality)); err != nil {
			return nil, named("quality", err)
		}
	}
	if b.conn, err = net.ListenUDP("udp", from); err != nil || f.receive == 0 {
		b.in = b.conn
		return b, err
	}
	b.in, err = net.ListenUDP("udp", &net.UDPAddr{IP: from.IP, Port: f.receive})
	return b, named("receive", err)
}

func (b *friBench) ready() any {
	guard.Go("answers", func() { b.hear(b.in, b.answers) })
	b.next = b.clock.Now() + int64(b.krc.Cycle())
	return map[string]string{"event": "ready", "from": b.conn.LocalAddr().String(), "to": b.to.String()}
}

func (b *friBench) turn() {
	b.alarm.Clear()
	now := b.clock.Now()
	b.receive(now)
	b.script.take()
	b.step(now)
	var room [wire.MeasurementSize + 1]byte
	for n, ok := b.krc.Next(now, room[:]); ok; n, ok = b.krc.Next(now, room[:]) {
		_, _ = b.conn.WriteToUDPAddrPort(room[:n], b.to) // without a listener it is lost, as on a wire
	}
	b.clock.SleepUntil(b.due(), &b.alarm)
}

// receive gives the controller the datagrams that have arrived since.
func (b *friBench) receive(now int64) {
	for {
		select {
		case a := <-b.answers:
			b.krc.Receive(a, now)
		default:
			return
		}
	}
}

// step lets the controller live on by a cycle, when it is time.
func (b *friBench) step(now int64) {
	if now < b.next {
		return
	}
	cycle := int64(b.krc.Cycle())
	b.krc.Step(b.next)
	b.next += cycle
	if now >= b.next { // the machine has stood still: cycles one right after the other would be faster than any answer
		b.next = now + cycle
	}
}

// due returns when there is something to do next, unless something is heard before.
func (b *friBench) due() int64 {
	if at, ok := b.krc.Due(); ok {
		return min(at, b.next)
	}
	return b.next
}

func (b *friBench) do(line string) error { return b.krc.Do(line) }
func (b *friBench) state() string        { return b.krc.State().String() }
func (b *friBench) status() any          { return b.krc.Status() }

func (b *friBench) close() error {
	_ = b.conn.Close()
	_ = b.in.Close()
	return nil
}
