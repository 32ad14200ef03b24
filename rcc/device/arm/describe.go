package arm

import "github.com/softrobot-rcc/rccd/geom/kinematics"

// Described is an arm of a model, with the parameters of an application.
type Described struct {
	*kinematics.Arm
	Joints []kinematics.Joint
	Start  []float64 // where joints are at the start
}

// Describe makes an arm of a model, with the positions of its joints at home. Rows, if there are any, go before the table of
// the model, and limits before its limits.
func Describe(model *kinematics.Chain, home []float64, rows []kinematics.Row, l *Limits, carrier ...kinematics.Segment) (*Described, error) {
	joints, err := l.Overlay(JointsOf(model))
	if err != nil {
		return nil, err
	}
	start, err := l.Start(joints, home)
	if err != nil {
		return nil, err
	}
	built, err := Build(model, rows, joints, carrier...)
	if err != nil {
		return nil, err
	}
	return &Described{built, joints, start}, nil
}
