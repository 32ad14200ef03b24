package krl

import (
	"math"

	"github.com/softrobot-rcc/rccd/devices/kukafri/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Options say how to talk to a program.
type Options struct {
	Kind          Kind
	Handshake     int   // of values: index of the bool that begins and of the int that numbers
	Communication int   // of values: index of the int and the real that carry a value
	Patience      int64 // ns after which the program is given up
}

// Goal is what the program should do.
type Goal struct {
	Run      bool            // command mode; otherwise monitor mode
	Strategy device.Strategy // to be in command mode with
	Load     [LoadValues]float32
}

// Load returns the numbers of a payload as KRL has them: tip of the tool, mass, centre of mass in mm and degrees, moments of inertia.
func Load(p *device.Payload) (v [LoadValues]float32) {
	put := func(at int, x, y, z float64) {
		if uint(at) <= LoadValues-3 {
			v[at], v[at+1], v[at+2] = float32(x), float32(y), float32(z)
		}
	}
	const degrees = 180 / math.Pi
	a, b, c := p.TCP.Rot.ABC()
	put(0, p.TCP.Pos.X*1000, p.TCP.Pos.Y*1000, p.TCP.Pos.Z*1000)
	put(3, a*degrees, b*degrees, c*degrees)
	v[6] = float32(p.Mass)
	a, b, c = p.COM.Rot.ABC()
	put(7, p.COM.Pos.X*1000, p.COM.Pos.Y*1000, p.COM.Pos.Z*1000)
	put(10, a*degrees, b*degrees, c*degrees)
	put(13, p.Inertia.X, p.Inertia.Y, p.Inertia.Z)
	return v
}

// Progress is the progress of a talk.
type Progress uint8

// Steps of progress.
const (
	Idle Progress = iota
	Busy
	Done
	Refused // the program has said that it cannot
	Silent  // it has not answered in time
)

func (p Progress) String() string {
	switch p {
	case Idle:
		return "idle"
	case Busy:
		return "busy"
	case Done:
		return "done"
	case Refused:
		return "the KRL program has refused"
	case Silent:
		return "the KRL program has not answered in time"
	}
	return "unknown progress"
}

// Talk is the PC's side of a talk, one at a time. It belongs to the thread of the wire.
type Talk struct {
	options  Options
	goal     Goal
	progress Progress
	step     int
	since    int64 // begin of the talk
	stepped  int64 // begin of the step
	number   int32 // of values: the number of the value
}

// NewTalk makes one that is idle (load).
func NewTalk(o Options) *Talk { return &Talk{options: o} }

// dwell is how long a variable stays before it may change again: programs look at them every 12 ms, and must not miss an edge.
const dwell = 50e6

// Begin begins to pursue a goal. An earlier goal is dropped (cycle).
func (t *Talk) Begin(g *Goal, now int64) {
	t.goal, t.progress, t.since, t.number = *g, Busy, now, 0
	t.turn(0, now)
}

// Reset forgets everything: the program has gone (cycle).
func (t *Talk) Reset() { t.progress, t.step = Idle, 0 }

// Keep sets the variables that programs check all the time so that command mode goes on, if an earlier talk has begun it
// (cycle).
func (t *Talk) Keep(out *wire.KRL, strategy device.Strategy) {
	switch t.options.Kind {
	case Numbers:
		out.Int[numberStrategy], out.Int[numberAt] = int32(strategy), numberStart
	case Codes:
		out.SetBit(0, true)
		out.Int[codeStrategyAt], out.Int[codeAt] = int32(strategy), codeStart
	}
}

// Progress returns how far the talk has come (cycle).
func (t *Talk) Progress() Progress { return t.progress }

func (t *Talk) turn(step int, now int64) { t.step, t.stepped = step, now }

func (t *Talk) settled(now int64) bool { return now-t.stepped >= dwell }

// Step reads what the program says and answers it. It returns Done or a failure once, and is idle then (cycle).
func (t *Talk) Step(in, out *wire.KRL, state wire.State, now int64) Progress {
	if t.progress != Busy {
		return t.progress
	}
	switch t.options.Kind {
	case Values:
		t.values(in, out, state, now)
	case Numbers:
		t.numbers(in, out, state, now)
	case Request:
		t.request(in, out, state, now)
	case Codes:
		t.codes(in, out, state, now)
	case Commands:
		t.commands(in, out, state, now)
	}
	if t.progress == Busy && now-t.since > t.options.Patience {
		t.progress = Silent
	}
	if t.progress != Busy {
		is := t.progress
		t.withdraw(out)
		t.progress = Idle
		return is
	}
	return Busy
}

// withdraw lets go of the bits that ask for something, so that nothing is asked twice.
func (t *Talk) withdraw(out *wire.KRL) {
	switch t.options.Kind {
	case Values:
		out.SetBit(t.options.Handshake, false)
	case Request, Commands:
		out.SetBit(0, false)
	}
}

// reached reports whether the interface is in the state that was wanted.
func (t *Talk) reached(state wire.State) bool { return (state == wire.Command) == t.goal.Run }

func (t *Talk) end(good bool) {
	t.progress = Refused
	if good {
		t.progress = Done
	}
}

// values sends number after number, and then waits until the program has done it all.
func (t *Talk) values(in, out *wire.KRL, state wire.State, now int64) {
	h, c := t.options.Handshake, t.options.Communication
	const told = LoadValues + 1 // and the strategy before
	switch t.step {
	case 0: // until the program is free
		if out.SetBit(h, false); in.Bit(h) || !t.settled(now) {
			return
		}
		out.SetBit(h, true)
		t.number = 1
		t.tell(out, c)
		t.turn(1, now)
	case 1: // until it listens
		if in.Bit(h) {
			t.turn(2, now)
		}
	case 2: // the value
		switch {
		case !in.Bit(h):
			t.end(false)
		case at(&in.Int, h) == t.number && t.number < told:
			t.number++
			t.tell(out, c)
		case at(&in.Int, h) == t.number:
			out.SetBit(h, false)
			put(&out.Int, h, told+1)
			t.turn(3, now)
		}
	case 3: // until it is done
		if !in.Bit(h) {
			t.end(t.reached(state))
		}
	}
}

// tell puts the next number where the program looks for it.
func (t *Talk) tell(out *wire.KRL, c int) {
	if t.number == 1 {
		strategy := int32(0)
		if t.goal.Run {
			strategy = int32(t.goal.Strategy)
		}
		put(&out.Int, c, strategy)
	} else if i := int(t.number) - 2; uint(i) < LoadValues && uint(c) < uint(len(out.Real)) {
		out.Real[c] = t.goal.Load[i]
	}
	put(&out.Int, t.options.Handshake, t.number)
}

func at(ints *[16]int32, i int) int32 {
	if uint(i) < uint(len(ints)) {
		return ints[i]
	}
	return 0
}

func put(ints *[16]int32, i int, v int32) {
	if uint(i) < uint(len(ints)) {
		ints[i] = v
	}
}

// numbers stops, and starts with the strategy if that is wanted.
func (t *Talk) numbers(in, out *wire.KRL, state wire.State, now int64) {
	switch t.step {
	case 0:
		out.Int[numberAt] = numberStop
		if in.Int[numberAt] == numberStart || state == wire.Command || !t.settled(now) {
			return
		}
		if !t.goal.Run {
			t.end(true)
			return
		}
		out.Int[numberStrategy], out.Int[numberAt] = int32(t.goal.Strategy), numberStart
		t.turn(1, now)
	case 1:
		if in.Int[numberAt] == numberStart && state == wire.Command {
			t.end(true)
		}
	}
}

// request asks once.
func (t *Talk) request(in, out *wire.KRL, state wire.State, now int64) {
	switch t.step {
	case 0:
		if out.SetBit(0, false); in.Bit(0) || !t.settled(now) {
			return
		}
		if t.reached(state) {
			t.end(true)
			return
		}
		out.Int[0] = requestStop
		if t.goal.Run {
			out.Int[0] = requestStart
		}
		out.SetBit(0, true)
		t.turn(1, now)
	case 1:
		if in.Bit(0) {
			out.SetBit(0, false)
			t.turn(2, now)
		}
	case 2:
		if !in.Bit(0) {
			t.end(t.reached(state))
		}
	}
}

// codes stops, and starts with the strategy if that is wanted.
func (t *Talk) codes(in, out *wire.KRL, state wire.State, now int64) {
	switch t.step {
	case 0:
		out.SetBit(0, true)
		out.Int[codeAt] = codeStop
		if in.Int[codeAt] == codeRuns || state == wire.Command || !t.settled(now) {
			return
		}
		if !t.goal.Run {
			t.end(true)
			return
		}
		out.Int[codeStrategyAt], out.Int[codeAt] = int32(t.goal.Strategy), codeStart
		t.turn(1, now)
	case 1:
		if in.Int[codeAt] == codeRuns && state == wire.Command {
			t.end(true)
		}
	}
}

// commands gives one command after another, each of which the program acknowledges with a result.
func (t *Talk) commands(in, out *wire.KRL, state wire.State, now int64) {
	order, last := t.order(state)
	switch t.step {
	case 0, 3, 6: // until the program is free
		if out.SetBit(0, false); in.Bit(0) || !t.settled(now) {
			return
		}
		t.number = order
		if order == 0 {
			t.end(true)
			return
		}
		out.Int[commandAt], out.Int[commandValueAt] = t.number, int32(t.goal.Strategy)
		out.SetBit(0, true)
		t.turn(t.step+1, now)
	case 1, 4, 7: // until it has done it
		if !in.Bit(0) || in.Int[commandAckAt] != t.number {
			return
		}
		out.SetBit(0, false)
		if in.Int[commandAt] != resultGood {
			t.end(false)
			return
		}
		t.turn(t.step+1, now)
	case 2, 5, 8: // until it has seen that
		switch {
		case in.Bit(0):
		case t.number == last:
			t.end(t.reached(state))
		default:
			t.turn(t.step+1, now)
		}
	}
}

// order returns the command that comes next, 0 for none, and the one that is the last.
func (t *Talk) order(state wire.State) (next, last int32) {
	if !t.goal.Run {
		if last = commandStop; state == wire.Command || t.step > 0 {
			next = last
		}
		return next, last
	}
	last = commandStart
	switch {
	case t.step < 3 && state == wire.Command:
		return commandStop, last
	case t.step < 6 && t.number != commandStrategy:
		return commandStrategy, last
	}
	return last, last
}
