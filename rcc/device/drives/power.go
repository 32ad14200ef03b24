package drives

import (
	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// stage is how far all axes are on their way to follow targets.
type stage uint32

const (
	down      stage = iota // nothing is to be switched on
	outside                // slaves are not in Op: nothing that is written to them counts
	clearing               // everything is off, faults are to be reset
	resetting              // the edge that resets faults
	pausing                // after it
	readying
	switching
	enabling
	following
	seeking  // home
	retiring // everything rests, and is switched off in order
	stages
)

// reached returns the state that all axes have at the end of a stage, and from the state that they come from.
func (s stage) reached() (state, from cia402.State) {
	switch s {
	case readying:
		return cia402.ReadyToSwitchOn, cia402.SwitchOnDisabled
	case switching:
		return cia402.SwitchedOn, cia402.ReadyToSwitchOn
	case enabling:
		return cia402.OperationEnabled, cia402.SwitchedOn
	case following:
		return cia402.OperationEnabled, cia402.OperationEnabled
	default:
		return cia402.SwitchOnDisabled, cia402.SwitchOnDisabled
	}
}

// loss is why axes do not follow any more.
type loss uint32

const (
	neverLost    loss = iota
	faulted           // an axis has a fault
	left              // an axis has left its state
	notFollowing      // an axis does not follow, although it is enabled
	wrongMode
	apart // following error
	tooSlow
	noReset
	frames // missing
	late   // nothing was made for some cycles
	busStopped
	beyondLimits
	noHome
	byPeople
	byStop
	byClosing
	notInOp
	losses
)

// axis is what the driver knows of one axis and commands it.
type axis struct {
	status uint16
	mode   int8
	code   uint16
	actual int32

	fresh      bool             // actual was read since measured was made of it
	span       float64          // s, since it was read before
	measured   multijoint.Meter // of the joint
	bounds     setpoint.Bounds
	told, vel  float64 // newest position of the joint, and the velocity to it
	control    uint16
	order      int8 // commanded mode
	homing     bool // it looks for its home, begun says whether it was ordered to
	begun      bool
	seekCycles int   // cycles since
	target     int32 // counts
	speed      int32 // counts/s
	torque     int16 // thousandths of the rated one
}

func (a *axis) state() cia402.State { return cia402.StateOf(a.status) }

// power takes all axes through their states together (facts of CiA 402). It belongs to the thread of the bus.
type power struct {
	axes     []axis
	mode     cia402.Mode
	shows    bool // the mode in each cycle
	follows  bool // bit 12 reports whether they follow
	patience int  // cycles for a stage
	search   int  // cycles to find home
	backoff  int  // cycles after the first reset
	most     int  // resets

	obeyed   bool // all slaves are in Op
	armed    bool
	stage    stage
	waited   int // cycles in this stage
	attempts int // resets
	stopping bool
	rested   int // cycles without motion

	why   loss // they were switched off, and because of which axis
	whose int
	state uint16 // its statusword then
	code  uint16
}

func (p *power) enter(s stage) { p.stage, p.waited, p.rested = s, 0, 0 }

// edge is for how many cycles the bit that resets a fault is set: more than may be lost in between.
const edge = 5

// turning is how many cycles an axis rests until it has come to rest.
const turning = 25

// lose switches everything off, with a quick stop where there is power (cycle). People want to know what went wrong first.
func (p *power) lose(why loss, whose int) {
	if p.stage == down && !p.armed {
		return
	}
	p.armed = false
	p.why, p.whose = why, whose
	p.settle()
	if a := p.at(whose); a != nil {
		p.state, p.code = a.status, a.code
	}
	p.stopping = p.powered()
	p.enter(down)
}

func (p *power) at(i int) *axis {
	if axes := p.axes; uint(i) < uint(len(axes)) {
		return &axes[i]
	}
	return nil
}

// arm lets drives be switched on.
func (p *power) arm() {
	p.armed, p.attempts, p.why = true, 0, neverLost
}

// powered reports whether any axis has torque, as far as known (cycle).
func (p *power) powered() bool {
	axes := p.axes
	for i := range axes {
		if axes[i].state().Powered() {
			return true
		}
	}
	return false
}

// first returns the first axis in one of two states, or -1 (cycle).
func (p *power) first(one, other cia402.State) int {
	axes := p.axes
	for i := range axes {
		if s := axes[i].state(); s == one || s == other {
			return i
		}
	}
	return -1
}

// all reports whether all axes are in a state, or which one is not (cycle).
func (p *power) all(s cia402.State) (bool, int) {
	axes := p.axes
	for i := range axes {
		if axes[i].state() != s {
			return false, i
		}
	}
	return true, 0
}

// advance acts on the newest inputs, once for each cycle of the drive (cycle).
func (p *power) advance() {
	p.waited++
	switch p.stage {
	case down:
		p.rest()
		if p.armed && !p.stopping {
			p.enter(outside)
			p.wait()
		}
	case outside:
		p.wait()
	case retiring:
		p.retire()
	case clearing:
		p.clear()
	case seeking:
		p.seek()
	case resetting:
		if p.waited >= edge {
			p.enter(pausing)
		}
	case pausing:
		if p.waited >= p.backoff<<uint(min(max(p.attempts-1, 0), 10)) {
			p.enter(clearing)
		}
	default:
		p.climb()
	}
}

// moves reports whether any joint does, as far as known (cycle).
func (p *power) moves() bool {
	const still = 0.002 // rad/s or m/s
	axes := p.axes
	for i := range axes {
		if v := axes[i].measured.Is.Vel; !(v < still && v > -still) {
			return true
		}
	}
	return false
}

// rest ends a quick stop when there is no power any more, or nothing moves (cycle).
func (p *power) rest() {
	if p.rested++; p.moves() {
		p.rested = 0
	}
	if !p.powered() || p.rested >= turning {
		p.stopping = false
	}
}

// wait waits until the slaves take outputs: one that has lost its outputs is in Safe-Op with a fault, which it does not let itself be
// reset there (cycle).
func (p *power) wait() {
	switch {
	case p.obeyed:
		p.attempts = 0
		p.enter(clearing)
	case p.waited > p.patience:
		p.lose(notInOp, 0)
	}
}

// leave switches the drives off for good. Joints that follow come to rest before, within their limits (cycle).
func (p *power) leave() {
	if p.stage != following && p.stage != retiring {
		p.lose(byClosing, 0)
	}
}

// rests counts cycles of joints that are to come to rest; when they do, their drives are shut down (cycle).
func (p *power) rests(still bool) {
	if p.rested++; !still {
		p.rested = 0
	}
	if p.rested >= turning {
		p.armed, p.why, p.whose = false, byClosing, 0
		p.enter(retiring)
	}
}

// retire waits until no drive has power any more (cycle).
func (p *power) retire() {
	if !p.powered() || p.waited > p.patience {
		p.enter(down)
	}
}

// clear waits until everything is off, and resets faults (cycle).
func (p *power) clear() {
	off, which := p.all(cia402.SwitchOnDisabled)
	bad := p.first(cia402.Fault, cia402.Fault)
	switch {
	case !p.obeyed:
		p.enter(outside)
	case off:
		p.enter(readying)
	case bad >= 0 && p.attempts >= p.most:
		p.lose(noReset, bad)
	case bad >= 0 && p.first(cia402.FaultReaction, cia402.FaultReaction) < 0:
		p.attempts++
		p.enter(resetting)
	case p.waited > p.patience:
		p.lose(tooSlow, which)
	}
}

// climb takes all axes to the next stage when they have finished this one; an axis anywhere else ends it for all (cycle).
func (p *power) climb() {
	reached, from := p.stage.reached()
	done, slow := true, 0
	axes := p.axes
	for i := range axes {
		a := &axes[i]
		switch s := a.state(); {
		case s == cia402.Fault || s == cia402.FaultReaction:
			p.lose(faulted, i)
			return
		case s != reached && s != from:
			p.lose(left, i)
			return
		case s != reached:
			done, slow = false, i
		case p.stage < enabling:
		case p.shows && a.mode != int8(p.mode):
			if p.stage == following {
				p.lose(wrongMode, i)
				return
			}
			done, slow = false, i
		case p.follows && a.status&cia402.Follows == 0:
			if p.stage == following {
				p.lose(notFollowing, i)
				return
			}
			done, slow = false, i
		}
	}
	switch {
	case p.stage == following:
	case done:
		p.enter(p.stage + 1)
	case p.waited > p.patience:
		p.slow(slow)
	}
}

// home lets an axis look for its home, or all of them for -1. They have to follow before (cycle).
func (p *power) home(which int) {
	if p.stage != following {
		return
	}
	axes := p.axes
	for i := range axes {
		a := &axes[i]
		a.homing, a.begun, a.seekCycles = which < 0 || which == i, false, 0
	}
	p.enter(seeking)
}

// settle ends all searches for home (cycle).
func (p *power) settle() {
	axes := p.axes
	for i := range axes {
		axes[i].homing, axes[i].begun = false, false
	}
}

// answered is after how many cycles an axis that was ordered to look for its home does not show any more that it had found it before.
const answered = 10

// seek waits until the axes have found their home, and lets them follow again (cycle). Until then velocities are unknown, as
// positions change their origin.
func (p *power) seek() {
	done, slow := true, 0
	axes := p.axes
	for i := range axes {
		a := &axes[i]
		switch s := a.state(); {
		case s == cia402.Fault || s == cia402.FaultReaction:
			p.lose(faulted, i)
			return
		case s != cia402.OperationEnabled:
			p.lose(left, i)
			return
		case !a.homing:
			continue
		}
		a.measured.Forget()
		a.seekCycles++
		switch {
		case !a.begun:
			if a.begun = a.mode == int8(cia402.Homing); a.begun {
				a.seekCycles = 0
			}
			done, slow = false, i
		case a.seekCycles < answered:
			done, slow = false, i
		case a.status&cia402.HomingError != 0:
			p.lose(noHome, i)
			return
		case a.status&cia402.HomingAttained == 0 || a.status&cia402.TargetReached == 0:
			done, slow = false, i
		}
	}
	switch {
	case done:
		p.settle()
		p.enter(enabling)
	case p.waited > p.search:
		p.lose(noHome, slow)
	}
}

// slow returns why an axis has not finished a stage in time: in the last one its mode, or that it does not follow.
func (p *power) slow(i int) {
	why := tooSlow
	if a := p.at(i); a != nil && a.state() == cia402.OperationEnabled {
		why = notFollowing
		if p.shows && a.mode != int8(p.mode) {
			why = wrongMode
		}
	}
	p.lose(why, i)
}

// command writes the controlwords (cycle).
func (p *power) command() {
	word := cia402.DisableVoltage
	switch p.stage {
	case readying, retiring:
		word = cia402.Shutdown
	case switching:
		word = cia402.SwitchOn
	case enabling, following:
		word = cia402.EnableOperation
	case down:
		if p.stopping {
			word = cia402.QuickStop
		}
	default:
	}
	axes := p.axes
	for i := range axes {
		a := &axes[i]
		a.control = word
		if p.stage == seeking {
			a.control = cia402.EnableOperation
			if a.homing && a.begun {
				a.control |= cia402.BitHome
			}
		}
		if p.stage == resetting && a.state() == cia402.Fault {
			a.control = cia402.ResetFault
		}
	}
}
