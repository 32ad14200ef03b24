package simquad

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

var (
	_ device.Quadcopter = (*Quadcopter)(nil)
	_ device.Cyclic     = (*Quadcopter)(nil)
)

var errNumber = errors.New("it must consist of numbers")

// Quadcopter is a simulated quadcopter.
type Quadcopter struct {
	device.Rest
	cfg     config
	stop    *device.Stop
	halted  bool // by it
	powered atomic.Bool
	stopped atomic.Bool // by an emergency stop
	lost    atomic.Bool // the tracking system does not see it
	script  *script.Script

	draft *device.Latest // from all threads: three coordinates
	given *device.Latest // from nets: words of a command
	state *device.Latest // to all threads: words below

	now   flight
	late  []geom.Vector // positions that the tracking system has not reported yet, a ring
	turn  int
	words [stateWords]uint64
}

// Words of the state.
const (
	wordPos = 0 // as seen by the tracking system
	wordYaw = wordPos + 3
	wordFor = wordYaw + 1 // attitude that is commanded
	wordIs  = wordFor + 4 // whether it is seen

	stateWords = wordIs + 1
)

// Words of a command.
const (
	wordTime = iota
	wordLapse
	wordAttitude // 4
	commandWords = wordAttitude + 4
)

// Status is operational while there is power. Its cause says when the quadcopter is not seen (any).
func (q *Quadcopter) Status() device.Status {
	switch {
	case q.stopped.Load():
		return device.Status{State: device.SafeOperational, Cause: "emergency stop"}
	case !q.powered.Load():
		return device.Status{State: device.SafeOperational, Cause: device.BaseDrivesOff.String()}
	case q.lost.Load():
		return device.Status{State: device.Operational, Cause: "the tracking system does not see it"}
	}
	return device.Status{State: device.Operational}
}

// Interfaces returns those that applications look for (any).
func (q *Quadcopter) Interfaces() []device.Interface {
	return []device.Interface{{Name: device.QuadcopterName}}
}

// Close does nothing.
func (q *Quadcopter) Close() error { return nil }

// Period returns the cycle of the vehicle.
func (q *Quadcopter) Period() time.Duration { return q.cfg.Cycle }

// Tick flies for one period by the newest command (cycle).
func (q *Quadcopter) Tick(t device.Tick) {
	q.happen(t.Time)
	powered := q.powered.Load() && !q.stopped.Load()
	commanded, there := q.command(t.Time)
	there = there && !q.Halting()
	want := commanded
	switch {
	case !powered:
		commanded, want = device.Attitude{}, device.Attitude{Yaw: q.now.yaw}
	case !there:
		commanded, want = device.Attitude{}, device.Attitude{Yaw: q.now.yaw, Thrust: sinking}
		if q.now.pos.Z <= 0 {
			want.Thrust = 0 // it has landed
		}
	}
	var draft [3]uint64
	q.draft.Get(0, draft[:])
	air := geom.Vector{X: math.Float64frombits(draft[0]), Y: math.Float64frombits(draft[1]), Z: math.Float64frombits(draft[2])}
	q.now.fly(want, air, q.cfg.Drag, t.Period)
	q.publish(commanded)
	q.Note(q.now.pos.Z <= 0 && q.now.vel == geom.Vector{})
}

// publish makes the state visible to all threads: the position of some cycles ago.
func (q *Quadcopter) publish(commanded device.Attitude) {
	seen := q.now.pos
	if q.turn++; q.turn >= len(q.late) {
		q.turn = 0
	}
	if turn, late := q.turn, q.late; uint(turn) < uint(len(late)) {
		seen, late[turn] = late[turn], seen
	}
	if !q.lost.Load() {
		for i, v := range [3]float64{seen.X, seen.Y, seen.Z} {
			q.words[wordPos+i] = math.Float64bits(q.rounded(v))
		}
	}
	q.words[wordYaw] = math.Float64bits(q.now.yaw)
	for i, v := range [4]float64{commanded.Roll, commanded.Pitch, commanded.Yaw, commanded.Thrust} {
		q.words[wordFor+i] = math.Float64bits(v)
	}
	q.words[wordIs] = 1
	if q.lost.Load() {
		q.words[wordIs] = 0
	}
	q.state.Put(q.words[:])
}

// rounded returns a coordinate as exact as the tracking system reports it.
func (q *Quadcopter) rounded(v float64) float64 {
	if r := q.cfg.Resolution; r > 0 {
		return math.Round(v/r) * r
	}
	return v
}

func (q *Quadcopter) blow(draft geom.Vector) {
	q.draft.Put([]uint64{math.Float64bits(draft.X), math.Float64bits(draft.Y), math.Float64bits(draft.Z)})
}

// QuadcopterState returns what is known (cycle).
func (q *Quadcopter) QuadcopterState() device.QuadcopterState {
	var words [stateWords]uint64
	q.state.Get(0, words[:])
	of := func(word int) float64 { return math.Float64frombits(words[word]) }
	s := device.QuadcopterState{
		Pos: geom.Vector{X: of(wordPos), Y: of(wordPos + 1), Z: of(wordPos + 2)}, Seen: words[wordIs] != 0, Yaw: of(wordYaw),
		Commanded: device.Attitude{Roll: of(wordFor), Pitch: of(wordFor + 1), Yaw: of(wordFor + 2), Thrust: of(wordFor + 3)},
	}
	if !q.powered.Load() || q.stopped.Load() {
		s.Fault = device.BaseDrivesOff
	}
	return s
}

const rounding = 1e-9 // by which a command may be beyond its limits

// CheckAttitude returns a fault if the quadcopter cannot fly with an attitude (cycle).
func (q *Quadcopter) CheckAttitude(a device.Attitude) device.PositionFault {
	sum := a.Roll + a.Pitch + a.Yaw + a.Thrust
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return device.PositionNotANumber
	case max(math.Abs(a.Roll), math.Abs(a.Pitch)) > q.cfg.MaxTilt+rounding || a.Thrust < -rounding || a.Thrust > q.cfg.MaxThrust+rounding:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

// CommandAttitude commands an attitude (cycle).
func (q *Quadcopter) CommandAttitude(a device.Attitude, at device.Instant) {
	if q.CheckAttitude(a) != device.PositionGood {
		return
	}
	words := [commandWords]uint64{wordTime: uint64(at.Time), wordLapse: uint64(at.Lapse())}
	for i, v := range [4]float64{a.Roll, a.Pitch, a.Yaw, a.Thrust} {
		words[wordAttitude+i] = math.Float64bits(v)
	}
	q.given.Put(words[:])
}

// command takes the newest command of nets, if there is one that counts.
func (q *Quadcopter) command(now int64) (a device.Attitude, there bool) {
	var words [commandWords]uint64
	if !q.given.Get(0, words[:]) || words[wordTime] == 0 || now-int64(words[wordTime]) > int64(words[wordLapse]) {
		return a, false
	}
	of := func(word int) float64 { return math.Float64frombits(words[wordAttitude+word]) }
	return device.Attitude{Roll: of(0), Pitch: of(1), Yaw: of(2), Thrust: of(3)}, true
}
