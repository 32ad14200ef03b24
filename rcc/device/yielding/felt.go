package yielding

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Feeling is what sensors of a robot measure, and what is estimated from it.
type Feeling struct {
	Measured [Joints]float64 // torques that drives exert, weight included, Nm
	External [Joints]float64 // what acts on joints from outside
	Tip      geom.Wrench     // what acts on the tip, along the axes of the tool
}

// Felt is what a robot feels, for all readers. It is a part of device.Compliant.
type Felt struct {
	newest *device.Latest
}

// NewFelt is of a robot that feels nothing yet (load).
func NewFelt() *Felt { return &Felt{device.NewLatest(2*Joints + 6)} }

// Put hands over what the robot feels (cycle).
func (f *Felt) Put(now *Feeling) {
	var words [2*Joints + 6]uint64
	for i := range now.Measured {
		words[i], words[Joints+i] = math.Float64bits(now.Measured[i]), math.Float64bits(now.External[i])
	}
	for i, v := range six(now.Tip) {
		words[2*Joints+i] = math.Float64bits(v)
	}
	f.newest.Put(words[:])
}

// Torque returns what a joint feels (cycle).
func (f *Felt) Torque(joint int) (t device.Torque) {
	var words [2 * Joints]uint64
	if joint < 0 || joint >= Joints || !f.newest.Get(0, words[:]) {
		return t
	}
	return device.Torque{Measured: math.Float64frombits(words[joint]), External: math.Float64frombits(words[Joints+joint])}
}

// TipWrench returns what acts on the tip (cycle).
func (f *Felt) TipWrench() geom.Wrench {
	var words [6]uint64
	var v [6]float64
	if f.newest.Get(2*Joints, words[:]) {
		for i := range v {
			v[i] = math.Float64frombits(words[i])
		}
	}
	return wrench(&v)
}
