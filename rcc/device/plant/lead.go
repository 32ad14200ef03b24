package plant

import "github.com/softrobot-rcc/rccd/rcc/device"

// Motion returns what a joint does, which cannot be measured (thread of Step).
func (j *Joints) Motion(joint int) device.JointMotion {
	if x := j.at(joint); x != nil {
		return device.JointMotion{Pos: x.pos, Vel: x.vel, Acc: x.acc}
	}
	return device.JointMotion{}
}

// Lead sets the motion of a joint at the end of the next step, for robots that are controlled in another way than by pulling
// each joint to its command. Without power it is of no effect (thread of Step).
func (j *Joints) Lead(joint int, to device.JointMotion) {
	if x := j.at(joint); x != nil {
		x.lead, x.led = to, true
	}
}

// Burden adds to the torque on a joint from outside, in the next step (thread of Step).
func (j *Joints) Burden(joint int, torque float64) {
	if x := j.at(joint); x != nil {
		x.burden = torque
	}
}

// take takes a step that was computed elsewhere.
func (x *joint) take(command float64) {
	x.pos, x.vel, x.acc = x.lead.Pos, x.lead.Vel, x.lead.Acc
	x.held, x.command = false, command
}
