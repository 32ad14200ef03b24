package sim

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
)

// controlCommand are the bits of a controlword that decide in states without power.
const controlCommand = 0x87

// axis is one motor with its drive.
type axis struct {
	drive    *drive
	state    cia402.State
	noted    cia402.State // newest that was kept
	control  uint16       // the controlword of before
	stopping bool         // comes to rest, whatever is commanded
	cause    bool         // of the fault, is still there
	code     uint16
	limited  bool
	deaf     bool  // does not follow, although it is enabled
	other    int64 // a mode that it shows instead

	// Motion in increments and seconds. The reference goes from where it is to the goal in the time that is left.
	position, velocity, torque float64
	reference, rate, goal      float64
	left                       float64
	enabled                    float64 // for how long

	// Beside positions: what is wanted in increments per s or ‰ of the rated torque; homing, and the offset of its zero; probes.
	wanted        float64
	homing, homed bool
	shift         float64
	probes        [2]probe

	errorCode, controlword, status, mode, display, actual, window, speed, force, target, quickStop         *entry
	periodValue, periodExponent, difference, digital, offset, method, indexSpeed, probeControl, probeState *entry
	velocityTarget, velocityOffset, torqueTarget, torqueOffset                                             *entry
	probeEdges                                                                                             [4]*entry
}

// bind keeps the entries that an axis works with.
func (x *axis) bind(index uint16, sub uint8, e *entry) {
	places := map[coe.Mapping]**entry{
		coe.Map(cia402.ErrorCode, 0, 0): &x.errorCode, coe.Map(cia402.Controlword, 0, 0): &x.controlword, coe.Map(cia402.Statusword, 0, 0): &x.status,
		coe.Map(cia402.ModeOfOperation, 0, 0): &x.mode, coe.Map(cia402.ModeDisplay, 0, 0): &x.display, coe.Map(cia402.ActualPosition, 0, 0): &x.actual,
		coe.Map(cia402.FollowingWindow, 0, 0): &x.window, coe.Map(cia402.ActualVelocity, 0, 0): &x.speed, coe.Map(cia402.QuickStopOption, 0, 0): &x.quickStop,
		coe.Map(cia402.ActualTorque, 0, 0): &x.force, coe.Map(cia402.TargetPosition, 0, 0): &x.target, coe.Map(cia402.FollowingDistance, 0, 0): &x.difference,
		coe.Map(cia402.DigitalInputs, 0, 0): &x.digital, coe.Map(cia402.InterpolationTime, 1, 0): &x.periodValue, coe.Map(cia402.InterpolationTime, 2, 0): &x.periodExponent,
		coe.Map(cia402.TargetVelocity, 0, 0): &x.velocityTarget, coe.Map(cia402.VelocityOffset, 0, 0): &x.velocityOffset,
		coe.Map(cia402.TargetTorque, 0, 0): &x.torqueTarget, coe.Map(cia402.TorqueOffset, 0, 0): &x.torqueOffset, coe.Map(homeOffset, 0, 0): &x.offset,
		coe.Map(homingMethod, 0, 0): &x.method, coe.Map(homingSpeeds, 2, 0): &x.indexSpeed, coe.Map(probeFunction, 0, 0): &x.probeControl,
		coe.Map(probeStatus, 0, 0): &x.probeState, coe.Map(probeValues, 0, 0): &x.probeEdges[0], coe.Map(probeValues+1, 0, 0): &x.probeEdges[1],
		coe.Map(probeValues+2, 0, 0): &x.probeEdges[2], coe.Map(probeValues+3, 0, 0): &x.probeEdges[3],
	}
	if place, ok := places[coe.Map(index, sub, 0)]; ok {
		*place = e
	}
}

// powered reports whether the motor has torque.
func (x *axis) powered() bool { return x.state.Powered() }

// follows reports whether targets count.
func (x *axis) follows() bool {
	return x.state == cia402.OperationEnabled && !x.stopping && !x.deaf && cyclic(x.shown()) &&
		x.enabled >= x.drive.given.Brake.Seconds()
}

// command takes controlword, mode and target of a cycle.
func (x *axis) command() {
	x.adopt()
	word := uint16(x.controlword.value)
	x.change(word)
	x.home(word)
	x.control = word
	x.showProbes()
	if !x.follows() {
		x.goal, x.reference, x.rate, x.left = x.position, x.position, 0, 0
		return
	}
	x.obey()
}

// adopt shows the mode that is wanted, if there is such a one.
func (x *axis) adopt() {
	if x.other != 0 {
		x.display.set(x.other)
	} else if m := cia402.Mode(x.mode.signed()); slices.Contains(x.drive.given.modes(), m) {
		if m != x.shown() {
			x.wanted = 0
		}
		x.display.value = x.mode.value
	}
}

// extrapolate goes on as in the cycle before.
func (x *axis) extrapolate() {
	if x.follows() && x.shown() == cia402.CyclicPosition {
		x.left = float64(x.drive.period()) * 1e-9
		x.goal = x.reference + x.rate*x.left
	}
}

// change goes on in the state machine, one step for a controlword.
func (x *axis) change(word uint16) {
	reset := word&cia402.BitReset != 0 && x.control&cia402.BitReset == 0
	command := word & controlCommand
	switch x.state {
	case cia402.Fault:
		if reset && !x.cause {
			x.state, x.code, x.stopping = cia402.SwitchOnDisabled, 0, false
		}
	case cia402.FaultReaction:
	case cia402.SwitchOnDisabled:
		if command == cia402.Shutdown && !x.drive.safe0 {
			x.state = cia402.ReadyToSwitchOn
		}
	case cia402.ReadyToSwitchOn, cia402.SwitchedOn, cia402.OperationEnabled, cia402.QuickStopActive:
		x.changeOn(word, command)
	}
}

func (x *axis) changeOn(word, command uint16) {
	switch {
	case x.drive.safe0 && !x.powered():
		x.state = cia402.SwitchOnDisabled
	case word&cia402.BitVoltage == 0:
		x.powerOff()
	case word&cia402.BitRun == 0:
		if x.state == cia402.OperationEnabled {
			x.state, x.stopping = cia402.QuickStopActive, true
		} else if x.state != cia402.QuickStopActive {
			x.state = cia402.SwitchOnDisabled
		}
	case x.stopping:
	case x.state == cia402.QuickStopActive:
		if x.staysStopped() && command == cia402.SwitchOn && word&cia402.BitEnable != 0 { // transition 16
			x.state = cia402.OperationEnabled
			x.goal, x.reference, x.rate, x.left = x.position, x.position, 0, 0
		}
	case command == cia402.Shutdown:
		x.state = cia402.ReadyToSwitchOn
	case command == cia402.SwitchOn && word&cia402.BitEnable == 0:
		x.state = cia402.SwitchedOn
	case command == cia402.SwitchOn && x.state == cia402.ReadyToSwitchOn:
		x.state = cia402.SwitchedOn
	case command == cia402.SwitchOn && x.state == cia402.SwitchedOn:
		x.state, x.enabled, x.stopping = cia402.OperationEnabled, 0, false
		x.goal, x.reference, x.rate, x.left = x.position, x.position, 0, 0
	}
}

// staysStopped reports whether the drive stays in quick stop active when it has come to rest (0x605A from 5 on).
func (x *axis) staysStopped() bool {
	const staying = 5
	return x.quickStop.signed() >= staying
}

// powerOff lets the brake hold.
func (x *axis) powerOff() { x.state, x.stopping = cia402.SwitchOnDisabled, false }

// fail begins the reaction to a fault.
func (x *axis) fail(code uint16) {
	if x.state == cia402.Fault || x.state == cia402.FaultReaction {
		return
	}
	x.code = code
	if x.powered() {
		x.state, x.stopping = cia402.FaultReaction, true
	} else {
		x.state = cia402.Fault
	}
	const generic = 1
	e := coe.Emergency{Code: code, Register: generic}
	binary.LittleEndian.PutUint16(e.Data[:], uint16(x.number()))
	x.drive.slave.mail.emergency(e)
}

func (x *axis) number() int {
	for a := range x.drive.axes {
		if x == &x.drive.axes[a] {
			return a + 1
		}
	}
	return 0
}

// The motor is a control loop of second order behind the limits of velocity and acceleration.
const stiffness = 250 // 1/s

// move lets time pass, s.
func (x *axis) move(dt float64) {
	if !x.powered() { // the brake holds
		x.velocity, x.torque, x.enabled = 0, 0, 0
		x.reference, x.goal, x.rate, x.left = x.position, x.position, 0, 0
		return
	}
	x.enabled += dt
	before, from := x.velocity, x.position
	switch {
	case x.stopping:
		x.slow(dt)
	case x.shown() == cia402.CyclicVelocity, x.shown() == cia402.CyclicTorque, x.shown() == cia402.Homing:
		x.drift(dt)
	default:
		x.track(dt)
	}
	x.position += x.velocity * dt
	x.lookForIndex(from)
	const friction = 50 // ‰ of the rated torque
	x.torque = (x.velocity - before) / dt / x.drive.given.Acceleration * 1000
	if x.velocity != 0 {
		x.torque += math.Copysign(friction, x.velocity)
	}
	x.check()
}

// slow brings the axis to rest, and then does what it stopped for.
func (x *axis) slow(dt float64) {
	step := x.drive.given.Acceleration * dt
	if math.Abs(x.velocity) > step {
		x.velocity -= math.Copysign(step, x.velocity)
		return
	}
	x.velocity, x.stopping = 0, false
	switch {
	case x.state == cia402.FaultReaction:
		x.state = cia402.Fault
	case x.state == cia402.QuickStopActive && x.staysStopped():
	default:
		x.powerOff()
	}
}

func (x *axis) track(dt float64) {
	g := &x.drive.given
	step := min(dt, x.left)
	x.reference += x.rate * step
	x.left -= step
	rate := x.rate * step / dt // on average, when the goal is reached within the step
	if x.left <= 0 && x.follows() {
		x.reference = x.goal
	}
	acceleration := stiffness*stiffness*(x.reference-x.position) + 2*stiffness*(rate-x.velocity)
	wanted := x.velocity + max(-g.Acceleration, min(g.Acceleration, acceleration))*dt
	x.velocity = max(-g.Velocity, min(g.Velocity, wanted))
	x.limited = x.velocity != wanted || math.Abs(acceleration) > g.Acceleration
}

// check looks after the following error.
func (x *axis) check() {
	const followingError = 0x8611
	if w := x.window.value; x.state == cia402.OperationEnabled && w > 0 && math.Abs(x.reference-x.position) > float64(w) {
		x.fail(followingError)
	}
}

func (x *axis) statusword() uint16 {
	word := x.state.Status() | cia402.Remote
	if !x.drive.safe0 {
		word |= cia402.VoltageEnabled
	}
	if x.follows() {
		word |= cia402.Follows
	}
	if x.limited && x.powered() {
		word |= cia402.InternalLimit
	}
	if x.code == 0x8611 {
		word |= cia402.FollowingError
	}
	if x.shown() == cia402.Homing {
		word |= x.homingStatus()
	}
	return word
}

// show writes the objects that others read.
func (x *axis) show() {
	x.status.value, x.errorCode.value = uint64(x.statusword()), uint64(x.code)
	x.actual.set(int64(math.Round(x.position)))
	x.speed.set(int64(math.Round(x.velocity)))
	const most = math.MaxInt16
	x.force.set(int64(math.Round(max(-most, min(most, x.torque)))))
	x.difference.set(int64(math.Round(x.reference - x.position)))
	x.digital.value = flag(!x.drive.safe0, 1<<x.drive.given.SafetyBit)
}
