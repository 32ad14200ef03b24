package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// simulateEtherCAT returns a rack of slaves at the end of a cable, or of UDP, which does what standard input says.
func simulateEtherCAT(args []string, s streams) int {
	f, err := etherFlags(args, s)
	if err != nil {
		return s.refuse(usage, err)
	}
	r, err := f.open()
	if err != nil {
		return s.refuse(failed, err)
	}
	var ended error
	if err := f.thread.Hold(func() { ended = f.run(r) }); err != nil {
		return s.refuse(failed, errors.Join(fmt.Errorf("--cpu, --priority: %w", err), r.close()))
	}
	if ended != nil {
		return s.refuse(failed, ended)
	}
	return done
}

// etherOptions are what the flags say.
type etherOptions struct {
	*stand
	config, link, udp string
	way               bool
	thread            rt.Thread
}

func etherFlags(args []string, s streams) (*etherOptions, error) {
	f := &etherOptions{}
	var set *flag.FlagSet
	f.stand, set = standFor("ethersim --config rack.yaml --link veth1 [flags]", "EtherCAT slaves for a master at the other end of a cable.",
		" status, quit, help for all that the slaves of the rack can do.", s)
	set.StringVar(&f.config, "config", "", "`file` with the rack")
	set.StringVar(&f.link, "link", "", "`interface` that the cable is plugged in")
	set.StringVar(&f.udp, "udp", "", "`address` for frames over UDP, instead of an interface")
	set.BoolVar(&f.way, "way", false, "frames take the time that they would on a cable of 100 Mbit/s")
	set.IntVar(&f.thread.CPU, "cpu", rt.AnyCPU, "`number` of the CPU that it keeps to, -1 = any")
	set.IntVar(&f.thread.Priority, "priority", 0, "of SCHED_FIFO, 1 to 99; 0 = ordinary scheduling")
	if err := cli.Parse(set, args); err != nil {
		return nil, err
	}
	switch {
	case f.config == "":
		return nil, errors.New("--config is missing: the file with the rack")
	case (f.link == "") == (f.udp == ""):
		return nil, errors.New("need either --link or --udp")
	case f.thread.CPU < rt.AnyCPU || f.thread.CPU >= rt.MaxCPUs:
		return nil, fmt.Errorf("--cpu: there is no CPU %d", f.thread.CPU)
	}
	return f, nil
}

// etherCable is how frames come and go.
type etherCable interface {
	receive(c *rt.Real, until int64) ([]byte, rt.Reception)
	process(chain *sim.Chain, frame []byte, now int64, deliver func([]byte, int64))
	send(frame []byte) bool
	Close() error
}

// card is an interface of Ethernet.
type card struct {
	*rt.Packet
	room [2 * wire.LongestFrame]byte
}

func (c *card) receive(clock *rt.Real, until int64) ([]byte, rt.Reception) {
	n, how := c.Receive(clock, until, c.room[:])
	return c.room[:n], how
}

func (c *card) process(chain *sim.Chain, frame []byte, now int64, deliver func([]byte, int64)) {
	chain.Process(frame, now, deliver)
}

func (c *card) send(frame []byte) bool { return c.Send(frame) }

// overUDP is the sender of the last datagram.
type overUDP struct {
	*rt.Socket
	room []byte
	last rt.Datagram
}

func (u *overUDP) receive(clock *rt.Real, until int64) ([]byte, rt.Reception) {
	how := u.Receive(clock, until, &u.last)
	return u.room[:min(u.last.Length, len(u.room))], how
}

func (u *overUDP) process(chain *sim.Chain, frame []byte, now int64, deliver func([]byte, int64)) {
	chain.ProcessPayload(frame, now, deliver)
}

func (u *overUDP) send(frame []byte) bool { return u.Send(frame, &u.last.From) }

// etherRack is a chain at the end of a real wire.
type etherRack struct {
	*stand
	chain   *sim.Chain
	cable   etherCable
	name    string
	way     bool
	look    int64                        // when it is looked at next
	deliver func(frame []byte, at int64) // bring, made once

	late  []lateFrame
	shown []shownState
	lost  uint64 // frames that the system did not take
}

// lateFrame waits for its time.
type lateFrame struct {
	frame []byte
	at    int64
}

// shownState is what was said last of a slave.
type shownState struct {
	state wire.State
	code  wire.Code
}

func (f *etherOptions) open() (*etherRack, error) {
	text, err := os.ReadFile(f.config)
	if err != nil {
		return nil, err
	}
	rack, err := sim.ParseRack(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.config, err)
	}
	r := &etherRack{stand: f.stand, way: f.way, name: f.link}
	r.deliver = r.bring
	if r.chain, err = sim.NewChain(rack, os.DirFS(filepath.Dir(f.config)), r.clock.Now()); err != nil {
		return nil, fmt.Errorf("%s: %w", f.config, err)
	}
	for range r.chain.Slaves() {
		r.shown = append(r.shown, shownState{})
	}
	if f.udp != "" {
		return r, r.listen(f.udp)
	}
	packet, err := rt.OpenPacket(f.link, wire.EtherType)
	if err != nil {
		return nil, fmt.Errorf("--link: %w", err)
	}
	r.cable = &card{Packet: packet}
	return r, nil
}

func (r *etherRack) listen(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("--udp: %w", err)
	}
	u := &overUDP{room: make([]byte, 2*wire.LongestFrame)}
	if u.Socket, err = rt.Listen(at, u.room); err != nil {
		return fmt.Errorf("--udp: %w", err)
	}
	r.cable, r.name = u, u.Address().String()
	return nil
}

// lookEvery is how often the rack is looked at while no frames come: watchdogs expire then too.
const lookEvery = 5 * time.Millisecond

func (r *etherRack) ready() any {
	return map[string]any{"event": "ready", "link": r.name, "slaves": len(r.shown)}
}

// turn answers a frame, or looks at the rack when none has come for a while.
func (r *etherRack) turn() {
	frame, how := r.cable.receive(r.clock, r.due())
	now := r.clock.Now()
	if how == rt.Received {
		r.cable.process(r.chain, frame, now, r.deliver)
	}
	r.flush(now)
	if now < r.look {
		return
	}
	r.look = now + int64(lookEvery)
	r.chain.Advance(now)
	for line, ok := r.line(); ok; line, ok = r.line() {
		r.do(line)
	}
	r.showStates()
}

// due returns when there is something to do unless a frame comes.
func (r *etherRack) due() int64 {
	at := r.look
	for _, l := range r.late {
		at = min(at, l.at)
	}
	return at
}

// bring sends a frame back, or keeps it until it is due. The time that a frame takes on real cables has usually gone by already.
func (r *etherRack) bring(frame []byte, at int64) {
	if !r.way {
		at -= r.chain.WayTime(len(frame))
	}
	if at > r.clock.Now() {
		r.late = append(r.late, lateFrame{slices.Clone(frame), at})
		return
	}
	r.send(frame)
}

func (r *etherRack) send(frame []byte) {
	if !r.cable.send(frame) {
		r.lost++
	}
}

func (r *etherRack) flush(now int64) {
	if len(r.late) == 0 {
		return
	}
	r.late = slices.DeleteFunc(r.late, func(l lateFrame) bool {
		if l.at <= now {
			r.send(l.frame)
		}
		return l.at <= now
	})
}

// showStates prints the slaves, and the axes of drives, whose state has changed.
func (r *etherRack) showStates() {
	i := 0
	for s := range r.chain.Slaves() {
		for _, c := range s.Changes() {
			r.tell(map[string]any{
				"event": "axis", "slave": s.Name(), "axis": c.Axis, "from": c.From.String(), "state": c.To.String(), "velocity": math.Round(c.Velocity),
			})
		}
		state, code := s.State()
		if is := (shownState{state, code}); r.shown[i] != is {
			r.shown[i] = is
			line := map[string]any{"event": "state", "slave": s.Name(), "state": state.String()}
			if code != wire.NoCode {
				line["code"] = code.String()
			}
			r.tell(line)
		}
		i++
	}
}

type (
	etherStatus struct {
		Frames    uint64        `json:"frames"`
		Datagrams uint64        `json:"datagrams"`
		Refused   uint64        `json:"refused"`
		Lost      uint64        `json:"lost"`
		Slaves    []slaveStatus `json:"slaves"`
	}
	slaveStatus struct {
		Name    string      `json:"name"`
		Type    string      `json:"type"`
		State   string      `json:"state"`
		Station uint16      `json:"station"`
		Phases  *sim.Phases `json:"phases,omitempty"` // ns behind SYNC0
	}
)

func (r *etherRack) status() any {
	counts := r.chain.Counts()
	v := etherStatus{Frames: counts.Frames, Datagrams: counts.Datagrams, Refused: counts.Refused, Lost: counts.Lost + r.lost}
	for s := range r.chain.Slaves() {
		state, _ := s.State()
		line := slaveStatus{Name: s.Name(), Type: s.Order(), State: state.String(), Station: s.Station()}
		if p := s.Phases(); p.Frames > 0 {
			line.Phases = &p
		}
		v.Slaves = append(v.Slaves, line)
	}
	return v
}

func (r *etherRack) close() error { return r.cable.Close() }

func (r *etherRack) do(line string) {
	switch line {
	case "":
	case "quit":
		r.end()
	case "status":
		r.tell(r.status())
	case "help":
		r.tell(map[string]any{"commands": r.chain.Commands()})
	default:
		r.answer(line, r.chain.Do(line))
	}
}
