package sim

import (
	"encoding/binary"
	"math"

	"github.com/softrobot-rcc/rccd/ethercat/coe"
)

// power is a state of the state machine of CiA 402.
type power uint8

const (
	switchOnDisabled power = iota
	readyToSwitchOn
	switchedOn
	operationEnabled
	quickStopActive
	faultReaction
	faulted
)

// status bits of each state.
var statusBits = [...]uint16{
	switchOnDisabled: 0x40, readyToSwitchOn: 0x21, switchedOn: 0x23, operationEnabled: 0x27, quickStopActive: 0x07,
	faultReaction: 0x0f, faulted: 0x08,
}

// Other bits of the statusword, and of the controlword.
const (
	statusVoltage   = 1 << 4
	statusRemote    = 1 << 9
	statusLimit     = 1 << 11
	statusFollows   = 1 << 12
	statusFollowing = 1 << 13

	controlVoltage = 1 << 1
	controlQuick   = 1 << 2 // 0 stops
	controlEnable  = 1 << 3
	controlReset   = 1 << 7
	controlCommand = 0x87
)

// axis is one motor with its drive.
type axis struct {
	drive    *drive
	state    power
	control  uint16 // the controlword of before
	stopping bool   // comes to rest, whatever is commanded
	cause    bool   // of the fault, is still there
	code     uint16
	limited  bool

	// Motion in increments and seconds. The reference goes from where it is to the goal in the time that is left.
	position, velocity, torque float64
	reference, rate, goal      float64
	left                       float64
	enabled                    float64 // for how long

	errorCode, controlword, status, mode, display, actual, window, speed, force, target *entry
	periodValue, periodExponent, difference, digital                                    *entry
}

// bind keeps the entries that an axis works with.
func (x *axis) bind(index uint16, sub uint8, e *entry) {
	places := map[uint16]**entry{
		0x603f: &x.errorCode, 0x6040: &x.controlword, 0x6041: &x.status, 0x6060: &x.mode, 0x6061: &x.display, 0x6064: &x.actual,
		0x6065: &x.window, 0x606c: &x.speed, 0x6077: &x.force, 0x607a: &x.target, 0x60f4: &x.difference, 0x60fd: &x.digital,
	}
	if index == 0x60c2 {
		if sub == 1 {
			x.periodValue = e
		} else {
			x.periodExponent = e
		}
	}
	if place, ok := places[index]; ok {
		*place = e
	}
}

// powered tells whether the motor has torque.
func (x *axis) powered() bool {
	return x.state == operationEnabled || x.state == quickStopActive || x.state == faultReaction
}

// follows tells whether targets count.
func (x *axis) follows() bool {
	return x.state == operationEnabled && !x.stopping && x.display.signed() == csp && x.enabled >= x.drive.given.Brake.Seconds()
}

// command takes controlword, mode and target of a cycle.
func (x *axis) command() {
	if x.mode.signed() == csp {
		x.display.value = x.mode.value
	}
	word := uint16(x.controlword.value)
	x.change(word)
	x.control = word
	if !x.follows() {
		x.goal, x.reference, x.rate, x.left = x.position, x.position, 0, 0
		return
	}
	x.goal = float64(x.target.signed())
	x.left = float64(x.drive.period()) * 1e-9
	if x.left <= 0 {
		x.reference, x.rate, x.left = x.goal, 0, 0
		return
	}
	x.rate = (x.goal - x.reference) / x.left
}

// extrapolate goes on as in the cycle before.
func (x *axis) extrapolate() {
	if x.follows() {
		x.left = float64(x.drive.period()) * 1e-9
		x.goal = x.reference + x.rate*x.left
	}
}

// change goes on in the state machine, one step for a controlword.
func (x *axis) change(word uint16) {
	reset := word&controlReset != 0 && x.control&controlReset == 0
	command := word & controlCommand
	switch x.state {
	case faulted:
		if reset && !x.cause {
			x.state, x.code, x.stopping = switchOnDisabled, 0, false
		}
	case faultReaction:
	case switchOnDisabled:
		if command == controlVoltage|controlQuick && !x.drive.safe0 {
			x.state = readyToSwitchOn
		}
	case readyToSwitchOn, switchedOn, operationEnabled, quickStopActive:
		x.changeOn(word, command)
	}
}

func (x *axis) changeOn(word, command uint16) {
	switch {
	case x.drive.safe0 && !x.powered():
		x.state = switchOnDisabled
	case word&controlVoltage == 0:
		x.powerOff()
	case word&controlQuick == 0:
		if x.state == operationEnabled {
			x.state, x.stopping = quickStopActive, true
		} else if x.state != quickStopActive {
			x.state = switchOnDisabled
		}
	case x.state == quickStopActive || x.stopping:
	case command == controlVoltage|controlQuick:
		x.state = readyToSwitchOn
	case command == controlVoltage|controlQuick|1 && word&controlEnable == 0:
		x.state = switchedOn
	case command == controlVoltage|controlQuick|1 && x.state == readyToSwitchOn:
		x.state = switchedOn
	case command == controlVoltage|controlQuick|1 && x.state == switchedOn:
		x.state, x.enabled, x.stopping = operationEnabled, 0, false
		x.goal, x.reference, x.rate, x.left = x.position, x.position, 0, 0
	}
}

// powerOff lets the brake hold.
func (x *axis) powerOff() { x.state, x.stopping = switchOnDisabled, false }

// fail begins the reaction to a fault.
func (x *axis) fail(code uint16) {
	if x.state == faulted || x.state == faultReaction {
		return
	}
	x.code = code
	if x.powered() {
		x.state, x.stopping = faultReaction, true
	} else {
		x.state = faulted
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
	before := x.velocity
	if x.stopping {
		x.slow(dt)
	} else {
		x.track(dt)
	}
	x.position += x.velocity * dt
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
	case x.state == faultReaction:
		x.state = faulted
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
	if w := x.window.value; x.state == operationEnabled && w > 0 && math.Abs(x.reference-x.position) > float64(w) {
		x.fail(followingError)
	}
}

func (x *axis) statusword() uint16 {
	word := statusBits[x.state] | statusRemote
	if !x.drive.safe0 {
		word |= statusVoltage
	}
	if x.follows() {
		word |= statusFollows
	}
	if x.limited && x.powered() {
		word |= statusLimit
	}
	if x.code == 0x8611 {
		word |= statusFollowing
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
