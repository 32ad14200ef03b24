package device

import "github.com/softrobot-rcc/rccd/geom"

// Swinging is a robot whose tip can exert forces that swing while it is under Cartesian impedance: KUKA's LBR iiwa.
type Swinging interface {
	Compliant
	// Swing returns what the tip exerts beside its springs, SetSwing changes it at once. Negative frequencies count as 0; what is
	// not a number changes nothing (cycle).
	Swing() CartesianSwing
	SetSwing(is CartesianSwing)
}

// CartesianSwing are forces that swing, along and about the axes of the tool, each with a frequency of its own.
type CartesianSwing struct {
	Amplitude geom.Wrench // N, Nm
	Frequency geom.Wrench // Hz
}
