package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/ethercat/coe"
)

// Objects of homing and touch probes (facts of CiA 402).
const (
	homeOffset    = 0x607c
	homingMethod  = 0x6098
	homingSpeeds  = 0x6099 // 01 while it looks for a switch, 02 while it looks for the index
	probeFunction = 0x60b8
	probeStatus   = 0x60b9
	probeValues   = 0x60ba // and three more: edges up and down of the first one, and of the second one
)

// Homing methods: to the index in the negative or positive direction, and where the axis is.
const (
	homeIndexDown = 33
	homeIndexUp   = 34
	homeHereOld   = 35
	homeHere      = 37
)

// Bits of the controlword and the statusword while homing.
const (
	homingStart    = 1 << 4
	targetReached  = 1 << 10
	homingAttained = 1 << 12
)

// modes returns those that a drive has: what the rack says, or positions in cycles alone.
func (g *DriveGiven) modes() []cia402.Mode {
	if len(g.Modes) == 0 {
		return []cia402.Mode{cia402.CyclicPosition}
	}
	return g.Modes
}

// checkModes refuses modes that the simulation does not have.
func (g *DriveGiven) checkModes() error {
	for _, m := range g.Modes {
		switch m {
		case cia402.CyclicPosition, cia402.CyclicVelocity, cia402.CyclicTorque, cia402.Homing:
		default:
			return fmt.Errorf("simulated drives do not have mode %d (%v); they have 6, 8, 9 and 10", m, m)
		}
	}
	if g.Index == 0 {
		g.Index = 10_000
	}
	if g.Index < 0 {
		return fmt.Errorf("%d increments between two indexes are too few", g.Index)
	}
	return nil
}

// supported is object 0x6502.
func (g *DriveGiven) supported() (bits uint64) {
	for _, m := range g.modes() {
		bits |= uint64(m.Supported())
	}
	return bits
}

// modeCheck returns the rule of 0x6060: no mode, or one of 0x6502.
func (g *DriveGiven) modeCheck() func(uint64) coe.Abort {
	allowed := []uint64{0}
	for _, m := range g.modes() {
		allowed = append(allowed, uint64(uint8(m)))
	}
	return oneOf(allowed...)
}

// shown returns the mode that the axis is in.
func (x *axis) shown() cia402.Mode { return cia402.Mode(x.display.signed()) }

// obey takes the target of a cycle in the mode that the axis is in.
func (x *axis) obey() {
	switch x.shown() {
	case cia402.CyclicPosition:
		x.aim(float64(x.target.signed()))
	case cia402.CyclicVelocity:
		x.wanted = float64(x.velocityTarget.signed() + x.velocityOffset.signed())
	case cia402.CyclicTorque:
		x.wanted = float64(x.torqueTarget.signed() + x.torqueOffset.signed())
	}
}

// aim goes to a position within the interpolation time.
func (x *axis) aim(goal float64) {
	x.goal = goal
	x.left = float64(x.drive.period()) * 1e-9
	if x.left <= 0 {
		x.reference, x.rate, x.left = x.goal, 0, 0
		return
	}
	x.rate = (x.goal - x.reference) / x.left
}

// drift lets the axis move without a position to go to: at a velocity, with a torque, or to the index. The actual value counts as the
// reference, so the following error is 0.
func (x *axis) drift(dt float64) {
	g := &x.drive.given
	acceleration := 0.0
	switch {
	case x.shown() == cia402.CyclicTorque && x.follows():
		const rated, damping = 1000, 2 // ‰ make the most acceleration; 1/s
		acceleration = x.wanted/rated*g.Acceleration - damping*x.velocity
	case x.shown() == cia402.CyclicVelocity && x.follows():
		acceleration = (x.wanted - x.velocity) / dt
	case x.homing:
		acceleration = (x.homingVelocity() - x.velocity) / dt
	default:
		acceleration = -x.velocity / dt
	}
	limited := max(-g.Acceleration, min(g.Acceleration, acceleration))
	velocity := x.velocity + limited*dt
	x.velocity = max(-g.Velocity, min(g.Velocity, velocity))
	x.limited = x.shown() == cia402.CyclicTorque && x.velocity != velocity
	x.reference, x.goal, x.rate, x.left = x.position, x.position, 0, 0
}

// home begins homing at the rising edge of its bit, and ends it when the bit is gone.
func (x *axis) home(word uint16) {
	if x.shown() != cia402.Homing || x.state != cia402.OperationEnabled || x.stopping {
		x.homing = false
		return
	}
	switch start := word&homingStart != 0; {
	case !start:
		x.homing = false
	case x.control&homingStart != 0: // no edge
	default:
		x.homed, x.homing = false, true
		if m := x.method.signed(); m == homeHere || m == homeHereOld {
			x.foundHome(x.position)
		}
	}
}

// homingVelocity returns how the axis looks for the index.
func (x *axis) homingVelocity() float64 {
	speed := min(float64(x.indexSpeed.value), x.drive.given.Velocity)
	if x.method.signed() == homeIndexDown {
		return -speed
	}
	return speed
}

// lookForIndex ends homing when the axis has passed an index on its way from a position.
func (x *axis) lookForIndex(before float64) {
	if !x.homing {
		return
	}
	turn := float64(x.drive.given.Index)
	index := math.Floor((before+x.shift)/turn + 1)
	if x.velocity < 0 {
		index = math.Ceil((before+x.shift)/turn - 1)
	}
	at := index*turn - x.shift
	if x.velocity > 0 && x.position >= at || x.velocity < 0 && x.position <= at {
		x.foundHome(at)
	}
}

// foundHome makes a position the home: it has the value of the home offset from now on.
func (x *axis) foundHome(at float64) {
	by := float64(x.offset.signed()) - at
	x.position += by
	x.shift -= by
	x.reference, x.goal, x.rate, x.left = x.position, x.position, 0, 0
	x.homing, x.homed = false, true
}

// homingStatus returns the bits of the statusword in this mode.
func (x *axis) homingStatus() uint16 {
	switch {
	case x.homing:
		return 0
	case x.homed:
		return targetReached | homingAttained
	}
	return targetReached
}

// probe is one of two inputs that keep where the axis is when they change.
type probe struct {
	level bool
	done  [2]bool // edges up and down that count once have come
}

// Bits of 0x60B8, and of 0x60B9, of the first probe; those of the second one are eight further on.
const (
	probeOn         = 1 << 0
	probeContinuous = 1 << 1
	probeUp         = 1 << 4
	probeDown       = 1 << 5

	probeIsOn     = 1 << 0
	probeHasValue = 1 << 1 // of an edge up, then of one down
)

// probeWord returns what the master wants of a probe.
func (x *axis) probeWord(n int) uint64 { return x.probeControl.value >> (8 * n) & 0xff }

// showProbes forgets what probes had when they are switched off, and shows which are on.
func (x *axis) showProbes() {
	for n := range x.probes {
		status := x.probeState.value
		if x.probeWord(n)&probeOn == 0 {
			x.probes[n].done = [2]bool{}
			status &^= 0xff << (8 * n)
		} else {
			status |= probeIsOn << (8 * n)
		}
		x.probeState.value = status
	}
}

// setProbe is an edge of an input.
func (x *axis) setProbe(n int, level bool) {
	p := &x.probes[n]
	if p.level == level {
		return
	}
	p.level = level
	x.showProbes()
	edge, wanted := 0, uint64(probeUp)
	if !level {
		edge, wanted = 1, probeDown
	}
	word := x.probeWord(n)
	if word&probeOn == 0 || word&wanted == 0 || p.done[edge] && word&probeContinuous == 0 {
		return
	}
	p.done[edge] = true
	x.probeEdges[2*n+edge].set(int64(math.Round(x.position)))
	x.probeState.value |= probeHasValue << edge << (8 * n)
}

// cyclic reports whether a mode has a target in each cycle.
func cyclic(m cia402.Mode) bool {
	return slices.Contains([]cia402.Mode{cia402.CyclicPosition, cia402.CyclicVelocity, cia402.CyclicTorque}, m)
}
