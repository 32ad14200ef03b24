package actuator

import (
	"context"
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/robotics"
)

// FindArm returns the proxy of an arm with the model that its device reports, so that the application needs none. Inverse kinematics are
// those of the device in any case.
func FindArm(ctx context.Context, r *robotics.Runtime, device string, defaults ...robotics.Param) (*Arm, error) {
	is, err := r.Model(ctx, device)
	if err != nil {
		return nil, err
	}
	joints, err := toldOf(device, is)
	if err != nil {
		return nil, err
	}
	if len(is.Axes) != len(joints) {
		return nil, fmt.Errorf("%s: where its axes are: %w", device, robotics.ErrUntold)
	}
	chain, err := kinematics.New(kinematics.AtZero(lines(is.Axes), joints, frame(is.Flange)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", device, err)
	}
	model, err := kinematics.ArmOf(chain)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", device, err)
	}
	return NewArm(device, model, defaults...), nil
}

// FindJoints returns the proxy of a device with joints that need not know where it is in space, with the limits that it reports.
func FindJoints(ctx context.Context, r *robotics.Runtime, device string, defaults ...robotics.Param) (*Joints, error) {
	is, err := r.Model(ctx, device)
	if err != nil {
		return nil, err
	}
	joints, err := toldOf(device, is)
	if err != nil {
		return nil, err
	}
	return NewJoints(device, joints, defaults...), nil
}

// ModelError is returned when the model of a proxy is not that of its device: motions would be refused on their way, or lead elsewhere.
type ModelError struct {
	Device   string
	Joint    string // empty if it is not about one
	Quantity string // such as "limit of velocity"
	Model    string // what it is in the model of the proxy
	Real     string // what it is in the device
}

func (e *ModelError) Error() string {
	of := e.Device
	if e.Joint != "" {
		of += ": joint " + e.Joint
	}
	return fmt.Sprintf("%s: %s: %s in the model of the application, %s in the device: %v", of, e.Quantity, e.Model, e.Real, robotics.ErrModel)
}

// Unwrap returns ErrModel.
func (e *ModelError) Unwrap() error { return robotics.ErrModel }

// toldOf returns the joints that a device reports.
func toldOf(device string, is client.Model) (list []kinematics.Joint, err error) {
	for i, j := range is.Joints {
		if j.Kind == "" {
			return nil, fmt.Errorf("%s: what joint %d is: %w", device, i, robotics.ErrUntold)
		}
		joint := kinematics.Joint{
			Name: j.Name, Min: j.Min, Max: j.Max, Velocity: j.Velocity, Acceleration: j.Acceleration, Jerk: j.Jerk, Effort: j.Effort,
		}
		if j.Kind == kinematics.Prismatic.String() {
			joint.Kind = kinematics.Prismatic
		}
		list = append(list, joint)
	}
	return list, nil
}

func lines(of []client.Axis) []kinematics.Line {
	list := make([]kinematics.Line, len(of))
	for i, a := range of {
		list[i] = kinematics.Line{Point: vector(a.Point), Direction: vector(a.Direction)}
	}
	return list
}

func vector(v [3]float64) geom.Vector { return geom.Vector{X: v[0], Y: v[1], Z: v[2]} }

func frame(f [6]float64) geom.Frame {
	return geom.Frame{Pos: vector([3]float64(f[:3])), Rot: geom.FromABC(f[3], f[4], f[5])}
}

// Differences that models may have: less than any robot is exact, and rounding.
const (
	sameLength = 1e-4 // m
	sameAngle  = 1e-4 // rad
	sameLimit  = 1e-6 // share of a limit of velocity or higher
	sameEnd    = 1e-9 // of a range, m or rad
)

// Compare returns a ModelError with the first thing in which a device differs from the proxy. Limits may be narrower than those of the device.
func (j *Joints) Compare(is client.Model) error {
	if len(is.Joints) != len(j.joints) {
		return j.differs(-1, "number of joints", fmt.Sprint(len(j.joints)), fmt.Sprint(len(is.Joints)))
	}
	for i := range j.joints {
		if kind := j.joints[i].Kind.String(); is.Joints[i].Kind != "" && is.Joints[i].Kind != kind {
			return j.differs(i, "kind", kind, is.Joints[i].Kind)
		}
	}
	if err := j.comparePlaces(is); err != nil {
		return err
	}
	for i := range j.joints {
		if is.Joints[i].Kind == "" {
			continue
		}
		if err := j.compareLimits(i, &is.Joints[i]); err != nil {
			return err
		}
	}
	return nil
}

// comparePlaces compares where axes and flange are when all joints are at 0.
func (j *Joints) comparePlaces(is client.Model) error {
	if j.chain == nil || len(is.Axes) != len(j.joints) || j.chain.Links() != len(j.joints) {
		return nil // one of them is unknown
	}
	zero, axes := make([]float64, len(j.joints)), make([]kinematics.Line, len(j.joints))
	j.chain.Axes(zero, axes)
	for i, there := range lines(is.Axes) {
		here, from, to := axes[i], foot(axes[i]), foot(there)
		if !here.Direction.Near(there.Direction, sameAngle) {
			return j.differs(i, "direction of its axis where all joints are at 0", point(here.Direction), point(there.Direction))
		}
		if !from.Near(to, sameLength) && j.joints[i].Kind == kinematics.Revolute { // where it slides along does not matter
			return j.differs(i, "place of its axis where all joints are at 0, m", point(from), point(to))
		}
	}
	if here, there := j.chain.Forward(zero), frame(is.Flange); !here.Near(there, sameLength, sameAngle) {
		return j.differs(-1, "flange where all joints are at 0", here.String(), there.String())
	}
	return nil
}

// foot returns the point of an axis that is next to the base.
func foot(l kinematics.Line) geom.Vector {
	return l.Point.Sub(l.Direction.Scale(l.Point.Dot(l.Direction)))
}

func point(v geom.Vector) string {
	for _, c := range []*float64{&v.X, &v.Y, &v.Z} {
		*c = math.Round(*c*1e5)/1e5 + 0 // no -0
	}
	return v.String()
}

// compareLimits returns an error for a limit that the device keeps and the model does not.
func (j *Joints) compareLimits(i int, is *client.JointModel) error {
	joint := &j.joints[i]
	unit := "rad"
	if joint.Kind == kinematics.Prismatic {
		unit = "m"
	}
	with := func(v float64, per string) string { return fmt.Sprintf("%.6g %s%s", v, unit, per) }
	switch {
	case joint.Min < is.Min-sameEnd:
		return j.differs(i, "least position", with(joint.Min, ""), with(is.Min, ""))
	case joint.Max > is.Max+sameEnd:
		return j.differs(i, "greatest position", with(joint.Max, ""), with(is.Max, ""))
	}
	for _, l := range []struct {
		what, per    string
		model, there float64
	}{
		{"limit of velocity", "/s", joint.Velocity, is.Velocity},
		{"limit of acceleration", "/s²", joint.Acceleration, is.Acceleration},
		{"limit of jerk", "/s³", joint.Jerk, is.Jerk},
	} {
		if l.there == 0 {
			continue
		}
		text := with(l.model, l.per)
		if l.model == 0 {
			l.model, text = math.Inf(1), "none"
		}
		if l.model > l.there*(1+sameLimit) {
			return j.differs(i, l.what, text, with(l.there, l.per))
		}
	}
	return nil
}

func (j *Joints) differs(joint int, quantity, model, real string) error {
	e := &ModelError{Device: j.name, Quantity: quantity, Model: model, Real: real}
	if joint >= 0 {
		if e.Joint = j.joints[joint].Name; e.Joint == "" {
			e.Joint = fmt.Sprint(joint)
		}
	}
	return e
}
