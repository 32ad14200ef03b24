package multijoint

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// Group is the joints of a device.
type Group struct {
	axes   *setpoint.Axes
	states []*device.Latest // of each joint: words below
}

// Words of a joint.
const (
	commandedPos = iota
	commandedVel
	commandedAcc
	measuredPos
	measuredVel
	measuredAcc
	faultWord
	stateWords
)

// New makes a group of set-points. Nothing is known of joints until the driver reports it (load).
func New(axes *setpoint.Axes) *Group {
	g := &Group{axes: axes, states: make([]*device.Latest, axes.Len())}
	for i := range g.states {
		g.states[i] = device.NewLatest(stateWords)
	}
	return g
}

// Report makes the state of a joint visible to all threads (cycle).
func (g *Group) Report(joint int, is device.JointState) {
	states := g.states
	if uint(joint) >= uint(len(states)) {
		return
	}
	var w [stateWords]uint64
	w[commandedPos], w[commandedVel], w[commandedAcc] = bits(is.Commanded)
	w[measuredPos], w[measuredVel], w[measuredAcc] = bits(is.Measured)
	w[faultWord] = uint64(uint32(is.Fault))
	states[joint].Put(w[:])
}

// Joint returns what is known of a joint (any).
func (g *Group) Joint(joint int) device.JointState {
	var w [stateWords]uint64
	if states := g.states; uint(joint) >= uint(len(states)) || !states[joint].Get(0, w[:]) {
		return device.JointState{Fault: device.JointFailed}
	}
	return device.JointState{
		Commanded: motion(w[commandedPos], w[commandedVel], w[commandedAcc]),
		Measured:  motion(w[measuredPos], w[measuredVel], w[measuredAcc]),
		Fault:     device.JointFault(uint32(w[faultWord])),
	}
}

func bits(m device.JointMotion) (pos, vel, acc uint64) {
	return math.Float64bits(m.Pos), math.Float64bits(m.Vel), math.Float64bits(m.Acc)
}

func motion(pos, vel, acc uint64) device.JointMotion {
	return device.JointMotion{Pos: math.Float64frombits(pos), Vel: math.Float64frombits(vel), Acc: math.Float64frombits(acc)}
}

// Joints returns the number of joints (any).
func (g *Group) Joints() int { return len(g.states) }

// CheckPosition returns a fault if a joint cannot be at a position (cycle).
func (g *Group) CheckPosition(joint int, position float64) device.PositionFault {
	return g.axes.Check(joint, position)
}

// CommandPosition gives a joint a set-point (cycle).
func (g *Group) CommandPosition(joint int, position float64, at device.Instant) {
	g.axes.Command(joint, position, at)
}

// JointModel describes a joint, with the limits that its set-points are judged by (any).
func (g *Group) JointModel(joint int) kinematics.Joint { return g.axes.Joint(joint) }

// JointRefusal returns the set-point of a joint that was refused last (any).
func (g *Group) JointRefusal(joint int) (device.Refusal, bool) { return g.axes.Refusal(joint) }

// Diary returns what has happened to nets, for the log (any).
func (g *Group) Diary() []string { return g.axes.Diary() }

// SetPoint returns the newest set-point that a joint has taken (any).
func (g *Group) SetPoint(joint int) (device.SetPoint, bool) { return g.axes.SetPoint(joint) }

// Interfaces returns those that applications look for (any).
func (g *Group) Interfaces() []device.Interface { return device.AnnounceJoints(g.Joints()) }

// Announce returns what a device with joints announces to applications by what else it is: an arm that knows where it is in space,
// inputs and outputs (load).
func Announce(d device.MultiJoint) []device.Interface {
	list := device.AnnounceJoints(d.Joints())
	if _, is := d.(device.ArmKinematics); is {
		list = append([]device.Interface{device.AnnounceKinematics()}, list...)
	}
	if io, is := d.(device.IO); is {
		list = append(list, device.AnnounceIO(io.Ports()))
	}
	return list
}
