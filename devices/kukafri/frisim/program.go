package frisim

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukafri/krl"
	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// program is the KRL program that runs on the controller: a loop that looks at the variables of the PC, and does one thing after
// another when it is asked to.
type program struct {
	kind   krl.Kind
	halted bool
	looks  int64 // when it looks at its variables again

	todo     [8]task
	n, at    int
	since    int64 // begin of the task
	strategy device.Strategy
	load     [krl.LoadValues]float32

	talking  bool  // values: taking them; all others: a request is being served
	next     int32 // of values: what comes next
	edge     bool  // numbers and codes: stop has been asked for since the last start
	command  int32 // of commands
	switches int
}

// task is one thing that a program does.
type task uint8

const (
	stopping task = iota
	choosing      // the strategy
	loading
	waiting // for a quality that is perfect, and power
	starting
)

const (
	look     = 12e6 // ns between two looks at variables
	tolerant = 5e9  // ns that a program waits for quality and power
)

// begin is what a program does when it is started.
func (p *program) begin(k *KRC) {
	*p = program{kind: k.config.Program, edge: true, strategy: k.strategy, switches: p.switches}
	k.variable.Bool &^= 1 << uint(k.config.Handshake)
	switch p.kind {
	case krl.Numbers:
		k.variable.Int[1] = 10
	case krl.Codes:
		k.variable.Int[15] = 10
		k.variable.SetBit(0, false)
	case krl.Request, krl.Commands:
		k.variable.SetBit(0, false)
	}
	if k.config.AutoStart {
		p.do(k, waiting, starting)
	}
}

func (p *program) do(k *KRC, tasks ...task) {
	p.n, p.at, p.since = copy(p.todo[:], tasks), 0, k.now
}

// step goes on with what the program is doing, or checks whether there is something to do.
func (p *program) step(k *KRC) {
	if p.halted || !k.open || k.now < p.looks {
		return
	}
	p.looks = k.now + look
	if p.at < p.n {
		p.work(k)
		return
	}
	in := k.Variable()
	switch p.kind {
	case krl.Values:
		p.values(k, in)
	case krl.Numbers:
		p.follow(k, in.Int[1], 1, 0, in.Int[0], &k.variable.Int[1], 1, 0)
	case krl.Codes:
		p.follow(k, in.Int[15], 10, 20, in.Int[14], &k.variable.Int[15], 20, 10)
	case krl.Request:
		p.request(k, in)
	case krl.Commands:
		p.commands(k, in)
	}
}

// work does the task at hand. When one fails the others are left out.
func (p *program) work(k *KRC) {
	done, failed := false, false
	took := k.now - p.since
	switch p.todo[p.at] {
	case stopping:
		if k.state == wire.Command {
			k.stop()
			k.tell("monitor", "the program has stopped the interface")
		}
		done = true
	case choosing:
		done, failed = p.choose(k, took)
	case loading:
		k.load, done = payloadOf(&p.load), true
		k.tell("load", fmt.Sprintf("%.3g kg", k.load.Mass))
	case waiting:
		done = k.quality() == wire.Perfect && k.joints.Powered()
		failed = took > tolerant
	case starting:
		done = k.start()
		failed = !done
	}
	switch {
	case failed:
		p.n = p.at
		p.finish(k, false)
	case done:
		if p.at++; p.at == p.n {
			p.finish(k, true)
		}
		p.since = k.now
	}
}

// choose switches the strategy, which takes a while and may fail.
func (p *program) choose(k *KRC, took int64) (done, failed bool) {
	switch {
	case p.strategy == k.strategy:
		return true, false
	case !p.strategy.Known():
		return false, true
	case took < int64(k.config.Switching):
		return false, false
	}
	if p.switches++; p.switches == k.config.Fails {
		k.joints.Power(false)
		k.tell("failed", "the strategy could not be switched; drives are off")
		return false, true
	}
	k.strategy = p.strategy
	k.tell("strategy", k.strategy.String())
	return true, false
}

// finish reports the outcome to the PC.
func (p *program) finish(k *KRC, good bool) {
	v := &k.variable
	switch p.kind {
	case krl.Values:
		v.SetBit(k.config.Handshake, false)
	case krl.Numbers:
		v.Int[1] = pick(k.state == wire.Command, 1, 0)
	case krl.Codes:
		v.Int[15] = pick(k.state == wire.Command, 20, 10)
	case krl.Commands:
		v.Int[13]++
		v.Int[14], v.Int[15] = p.command, pick(good, 100, 101)
		v.SetBit(0, true)
	}
}

func pick(is bool, yes, no int32) int32 {
	if is {
		return yes
	}
	return no
}

// follow is the loop of programs that are given a state: started or not. After an unrequested stop, they start only
// when stopping has been asked for in between.
func (p *program) follow(k *KRC, asked, start, stop, strategy int32, tells *int32, started, stopped int32) {
	if *tells == started && k.state != wire.Command {
		*tells, p.edge = stopped, false
	}
	switch {
	case asked == stop && *tells == started:
		p.edge = true
		p.do(k, stopping)
	case asked == stop:
		*tells, p.edge = stopped, true
	case asked == start && *tells != started && p.edge:
		p.edge, p.strategy = false, device.Strategy(strategy)
		p.do(k, choosing, waiting, starting)
	}
}

// request is the loop of a program that is asked by a bit.
func (p *program) request(k *KRC, in *wire.KRL) {
	own := &k.variable
	switch {
	case !in.Bit(0):
		own.SetBit(0, false)
	case !own.Bit(0):
		own.SetBit(0, true)
		switch in.Int[0] {
		case 1:
			p.do(k, waiting, starting)
		case 2:
			p.do(k, stopping)
		case 3:
			k.close(k.now + look)
		}
	}
}

// commands is the loop of a program that knows commands by number.
func (p *program) commands(k *KRC, in *wire.KRL) {
	own := &k.variable
	if !in.Bit(0) {
		own.SetBit(0, false)
		return
	}
	if own.Bit(0) {
		return
	}
	p.command = in.Int[15]
	switch p.command {
	case 1:
		p.do(k, waiting, starting)
	case 2:
		p.do(k, stopping)
	case 3:
		p.finish(k, true)
	case 6, 7, 9, 30:
		p.strategy = map[int32]device.Strategy{6: device.CartesianCompliance, 7: device.JointCompliance, 9: device.PositionControl}[p.command]
		if p.command == 30 {
			p.strategy = device.Strategy(in.Int[1])
		}
		p.do(k, choosing)
	default:
		p.finish(k, false)
	}
}

// values is the loop of a program that is given one number after another.
func (p *program) values(k *KRC, in *wire.KRL) {
	h, c := k.config.Handshake, k.config.Communication
	own := &k.variable
	switch {
	case in.Bit(h) && !p.talking:
		p.talking, p.next = true, 1
		own.SetBit(h, true)
		p.listen(k, in, h, c)
	case in.Bit(h):
		p.listen(k, in, h, c)
	case p.talking && p.next > krl.LoadValues+1:
		p.talking = false
		tasks := []task{stopping, choosing, loading, waiting, starting}
		if p.strategy == 0 {
			tasks = tasks[:1]
		}
		p.do(k, tasks...)
	default:
		p.talking = false
		own.SetBit(h, false)
	}
}

// listen takes the number that comes next.
func (p *program) listen(k *KRC, in *wire.KRL, h, c int) {
	if in.Int[h] != p.next {
		return
	}
	if p.next == 1 {
		p.strategy = device.Strategy(in.Int[c])
	} else if i := p.next - 2; i < krl.LoadValues {
		p.load[i] = in.Real[c]
	}
	k.variable.Int[h] = p.next
	p.next++
}

// payloadOf reads the numbers of a load: mm and degrees.
func payloadOf(v *[krl.LoadValues]float32) device.Payload {
	vector := func(i int, unit float64) geom.Vector {
		return geom.Vector{X: float64(v[i]) * unit, Y: float64(v[i+1]) * unit, Z: float64(v[i+2]) * unit}
	}
	frame := func(i, angles int) geom.Frame {
		a := vector(angles, math.Pi/180)
		return geom.Frame{Pos: vector(i, 0.001), Rot: geom.FromABC(a.X, a.Y, a.Z)}
	}
	return device.Payload{TCP: frame(0, 3), Mass: float64(v[6]), COM: frame(7, 10), Inertia: vector(13, 1)}
}
