package simgripper

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/motion/profile"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

var (
	_ device.WSG    = (*WSG)(nil)
	_ device.Cyclic = (*WSG)(nil)
)

type wsgConfig struct {
	Stroke   float64       `rcc:"stroke" default:"0.11" min:"0.001" max:"1" unit:"m" doc:"greatest width between the fingers"`
	MaxSpeed float64       `rcc:"max_vel" default:"0.42" min:"0.005" unit:"m/s" doc:"limit of speed; the least is 0.005"`
	MaxForce float64       `rcc:"max_force" default:"80" min:"5" unit:"N" doc:"limit of force; the least is 5"`
	Width    float64       `rcc:"width" default:"0.11" min:"0" unit:"m" doc:"between the fingers at the start"`
	Homed    bool          `rcc:"homed" default:"true" doc:"the gripper knows where its fingers are at the start; if not, it must be homed"`
	Cycle    time.Duration `rcc:"cycle" default:"10ms" min:"100us" max:"1s" doc:"of the gripper"`
	Object   float64       `rcc:"object" default:"0" min:"0" unit:"m" mutable:"true" doc:"width of a part between the fingers; 0: there is none"`
	Power    bool          `rcc:"power" default:"true" mutable:"true" doc:"the gripper can be commanded"`
	Faults   string        `rcc:"faults" doc:"what happens and when, such as 1s part 0.04; 2s part 0; 3s fail; 4s repair; 5s off; 6s on"`
}

// Ranges of a WSG, whatever its size.
const (
	leastSpeed  = 0.005 // m/s
	leastForce  = 5     // N
	leastAcc    = 0.1   // m/s²
	mostAcc     = 5     // m/s²
	homingSpeed = 0.05  // m/s
	squeeze     = 0.002 // m by which a part may be smaller than what is said
)

// WSG is a simulated gripper.
type WSG struct {
	device.Rest
	cfg     wsgConfig
	object  atomic.Uint64 // bits of its width
	powered atomic.Bool
	failed  atomic.Bool
	script  *script.Script
	halt    *device.Stop // of the cell
	halted  bool         // by it

	tickets atomic.Uint64 // that have been given
	running atomic.Uint64 // ticket of the action that takes place, 0 for none
	stop    atomic.Uint64 // ticket of a stop that has not been seen yet
	given   *device.Latest
	results [64]atomic.Uint64 // of tickets: ticket and code
	state   *device.Latest

	fingers fingers
	words   [stateWords]uint64
}

// fingers are what moves. They belong to the tick.
type fingers struct {
	pos, speed, force float64
	homed             bool
	grasping          device.GraspingState
	acc, forceLimit   float64
	inner, outer      float64

	ticket  uint64 // of the newest action that has begun
	does    device.GripperAction
	moves   bool
	elapsed float64
	from    float64
	course  profile.Profile
}

// Words of given.
const (
	wordTicket = iota
	wordKind
	wordWidth
	wordSpeed
	wordValue
	wordOuter
	wordFlags
	givenWords
)

// Words of the state.
const (
	wordPos = iota
	wordRate
	wordForce
	wordGrasping
	stateWords
)

func openWSG(stop *device.Stop, cfg *wsgConfig) (device.Device, error) {
	happens, err := script.Parse(cfg.Faults, events(cfg.Stroke))
	if err != nil {
		return nil, device.WrongParam("faults", "%w", err)
	}
	w := &WSG{cfg: *cfg, script: happens, halt: stop, given: device.NewLatest(givenWords), state: device.NewLatest(stateWords)}
	w.fingers = fingers{
		pos: min(cfg.Width, cfg.Stroke), homed: cfg.Homed, acc: mostAcc / 2, forceLimit: cfg.MaxForce / 2, outer: cfg.Stroke,
	}
	w.object.Store(math.Float64bits(cfg.Object))
	w.powered.Store(cfg.Power)
	w.publish()
	return w, nil
}

// begin makes a configuration that of a twin (load).
func (c *wsgConfig) begin(as *device.Original) {
	if as == nil {
		return
	}
	c.Power, c.Faults = true, ""
	if from, is := as.Device.(device.WSG); is {
		c.Width = from.Gripper().Width
	}
}

// Tune puts a part between the fingers, or takes it away, and switches the gripper on and off (any).
func (w *WSG) Tune(cfg *wsgConfig) error {
	if cfg.Power && w.halt.Pressed() {
		return device.ParamError{Name: "power", Err: device.ErrStopped}
	}
	w.object.Store(math.Float64bits(cfg.Object))
	w.powered.Store(cfg.Power)
	return nil
}

// Status is operational while there is power (any).
func (w *WSG) Status() device.Status {
	switch {
	case !w.powered.Load():
		return device.Status{State: device.SafeOperational, Cause: "the gripper is off"}
	case w.failed.Load():
		return device.Status{State: device.SafeOperational, Cause: "the gripper has failed"}
	}
	return device.Status{State: device.Operational}
}

// Interfaces returns none (any).
func (w *WSG) Interfaces() []device.Interface { return nil }

// Close does nothing.
func (w *WSG) Close() error { return nil }

// Period returns the cycle of the gripper.
func (w *WSG) Period() time.Duration { return w.cfg.Cycle }

// Gripper returns what is known of the gripper (cycle).
func (w *WSG) Gripper() device.GripperState {
	var words [stateWords]uint64
	w.state.Get(0, words[:])
	return device.GripperState{
		Width: math.Float64frombits(words[wordPos]), Speed: math.Float64frombits(words[wordRate]),
		Force: math.Float64frombits(words[wordForce]), Grasping: device.GraspingState(words[wordGrasping]),
	}
}

// Begin begins an action, or keeps why it did not (cycle).
func (w *WSG) Begin(a device.GripperAction) uint64 {
	ticket := w.tickets.Add(1)
	switch {
	case !w.ready() || w.Halting():
		w.end(ticket, device.GripperNotOperational)
	case a.Kind == device.GripperStop:
		if before := w.stop.Swap(ticket); before != 0 {
			w.end(before, device.GripperGood) // one stop is enough
		}
	case !w.running.CompareAndSwap(0, ticket):
		w.end(ticket, device.GripperBusy)
	default:
		w.give(ticket, &a)
	}
	return ticket
}

// Flags of a word.
const (
	outwards = 1 << iota
	relative
	stopOnBlock
)

// give hands an action over. Only who has got the gripper does so.
func (w *WSG) give(ticket uint64, a *device.GripperAction) {
	words := [givenWords]uint64{
		wordTicket: ticket, wordKind: uint64(a.Kind), wordWidth: math.Float64bits(a.Width), wordSpeed: math.Float64bits(a.Speed),
		wordValue: math.Float64bits(a.Value), wordOuter: math.Float64bits(a.Outer),
	}
	if a.Outwards {
		words[wordFlags] |= outwards
	}
	if a.Relative {
		words[wordFlags] |= relative
	}
	if a.StopOnBlock {
		words[wordFlags] |= stopOnBlock
	}
	w.given.Put(words[:])
}

// take returns the action of a ticket, if it has been handed over.
func (w *WSG) take(ticket uint64) (device.GripperAction, bool) {
	var words [givenWords]uint64
	if !w.given.Get(0, words[:]) || words[wordTicket] != ticket {
		return device.GripperAction{}, false
	}
	return device.GripperAction{
		Kind: device.GripperKind(words[wordKind]), Width: math.Float64frombits(words[wordWidth]), Speed: math.Float64frombits(words[wordSpeed]),
		Value: math.Float64frombits(words[wordValue]), Outer: math.Float64frombits(words[wordOuter]),
		Outwards: words[wordFlags]&outwards != 0, Relative: words[wordFlags]&relative != 0, StopOnBlock: words[wordFlags]&stopOnBlock != 0,
	}, true
}

const codeBits = 8

// end notes how an action has ended.
func (w *WSG) end(ticket uint64, code device.GripperCode) {
	w.results[ticket%uint64(len(w.results))].Store(ticket<<codeBits | uint64(code))
}

// Ended returns how an action has ended, or that the last action was another one (cycle).
func (w *WSG) Ended(ticket uint64) (bool, device.GripperCode) {
	r := w.results[ticket%uint64(len(w.results))].Load()
	switch of := r >> codeBits; {
	case of == ticket:
		return true, device.GripperCode(r & (1<<codeBits - 1))
	case of > ticket:
		return true, device.GripperAborted
	}
	return false, 0
}

// Tick executes a cycle of the gripper (cycle).
func (w *WSG) Tick(t device.Tick) {
	w.happen(t.Time)
	f := &w.fingers
	running := w.running.Load()
	fresh := running != 0 && running != f.ticket
	if fresh {
		if does, there := w.take(running); there {
			f.ticket, f.does = running, does
		} else {
			running, fresh = 0, false // it is being handed over
		}
	}
	stop := w.stop.Swap(0)
	code, ended := device.GripperGood, false
	switch {
	case !w.ready():
		code, ended = device.GripperNotOperational, true
		f.rest(device.GraspIdle)
	case stop != 0, w.Halting() && f.speed != 0: // fingers that hold something go on holding it
		code, ended = device.GripperAborted, true
		f.rest(device.GraspIdle)
	case fresh:
		code, ended = f.begin(&w.cfg)
	case running != 0:
		code, ended = f.move(t.Period, w.part())
	default:
		f.hold(w.part())
	}
	w.publish()
	if ended && running != 0 {
		w.end(running, code)
		w.running.Store(0)
	}
	if stop != 0 {
		w.end(stop, device.GripperGood)
	}
	w.Note(f.speed == 0)
}

// ready reports whether the gripper can be commanded (cycle).
func (w *WSG) ready() bool { return w.powered.Load() && !w.failed.Load() }

// part returns the width of what is between the fingers, 0 for nothing.
func (w *WSG) part() float64 { return math.Float64frombits(w.object.Load()) }

func (w *WSG) publish() {
	f := &w.fingers
	w.words[wordPos], w.words[wordRate], w.words[wordForce] = math.Float64bits(f.pos), math.Float64bits(f.speed), math.Float64bits(f.force)
	w.words[wordGrasping] = uint64(f.grasping)
	w.state.Put(w.words[:])
}

// rest lets the fingers stand without force.
func (f *fingers) rest(s device.GraspingState) {
	f.speed, f.force, f.moves, f.grasping = 0, 0, false, s
}

// begin begins an action, or does it.
func (f *fingers) begin(cfg *wsgConfig) (code device.GripperCode, ended bool) {
	a := &f.does
	switch a.Kind {
	case device.GripperHome:
		to := 0.0
		if a.Outwards {
			to = cfg.Stroke
		}
		return f.start(to, min(homingSpeed, cfg.MaxSpeed), device.GraspPositioning)
	case device.GripperMove:
		if a.Relative {
			a.Width += f.pos
		}
		return f.startWithin(cfg, a.Width, device.GraspPositioning)
	case device.GripperGrasp:
		return f.startWithin(cfg, a.Width, device.Grasping)
	case device.GripperRelease:
		return f.startWithin(cfg, a.Width, device.GraspReleasing)
	case device.GripperAcceleration:
		return set(&f.acc, a.Value, leastAcc, mostAcc), true
	case device.GripperForceLimit:
		return set(&f.forceLimit, a.Value, leastForce, cfg.MaxForce), true
	case device.GripperSoftLimits:
		if !(a.Value >= 0 && a.Value <= a.Outer && a.Outer <= cfg.Stroke) {
			return device.GripperRange, true
		}
		f.inner, f.outer = a.Value, a.Outer
	case device.GripperClearSoftLimits:
		f.inner, f.outer = 0, cfg.Stroke
	}
	return device.GripperGood, true
}

func set(to *float64, v, least, most float64) device.GripperCode {
	if !(v >= least && v <= most) {
		return device.GripperRange
	}
	*to = v
	return device.GripperGood
}

// rounding is what a width may be beyond a limit.
const rounding = 1e-9

// startWithin begins a motion that an application has asked for. Fingers that grasp go a little further than the part is
// wide.
func (f *fingers) startWithin(cfg *wsgConfig, width float64, s device.GraspingState) (device.GripperCode, bool) {
	a := &f.does
	switch {
	case !f.homed:
		return device.GripperNotReferenced, true
	case !(a.Speed >= leastSpeed && a.Speed <= cfg.MaxSpeed) || !(width >= f.inner-rounding && width <= f.outer+rounding):
		return device.GripperRange, true
	}
	if s == device.Grasping {
		width = max(width-squeeze, f.inner)
	}
	return f.start(width, a.Speed, s)
}

func (f *fingers) start(to, speed float64, s device.GraspingState) (device.GripperCode, bool) {
	limits := profile.Limits{Vel: speed, Acc: f.acc, Jerk: math.Inf(1)}
	if f.course.Plan(profile.State{Pos: f.pos}, profile.Goal{State: profile.State{Pos: to}}, limits) != profile.Solved {
		return device.GripperFailed, true
	}
	f.from, f.elapsed, f.moves, f.force, f.grasping = f.pos, 0, true, 0, s
	return device.GripperGood, false
}

// move goes on for a period.
func (f *fingers) move(period, part float64) (code device.GripperCode, ended bool) {
	f.elapsed += period
	at := f.course.At(f.elapsed)
	f.pos, f.speed = at.Pos, at.Vel
	closes := f.course.End().Pos < f.from
	switch {
	case closes && part > 0 && f.from >= part && f.pos <= part:
		f.pos = part
		return f.block(), true
	case f.elapsed < f.course.Duration():
		return device.GripperGood, false
	case f.grasping == device.Grasping:
		f.rest(device.GraspNoPart)
		return device.GripperFailed, true
	}
	f.homed = f.homed || f.does.Kind == device.GripperHome
	f.rest(device.GraspIdle)
	return device.GripperGood, true
}

// block returns what happens when a part is in the way.
func (f *fingers) block() device.GripperCode {
	grasps := f.grasping == device.Grasping
	f.rest(device.GraspIdle)
	if grasps {
		f.grasping, f.force = device.GraspHolding, f.forceLimit
		return device.GripperGood
	}
	if !f.does.StopOnBlock {
		f.force = f.forceLimit
	}
	return device.GripperBlocked
}

// hold notices that a part has gone.
func (f *fingers) hold(part float64) {
	if f.grasping == device.GraspHolding && !(part >= f.pos-squeeze && part <= f.pos+squeeze) {
		f.rest(device.GraspPartLost)
	}
}
