package yielding

import (
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Limits of springs, and their values at the start.
const (
	softest     = 0.01 // Nm/rad and N/m
	stiffJoint  = 2000 // Nm/rad
	stiffAlong  = 5000 // N/m
	stiffAbout  = 300  // Nm/rad
	usualJoint  = 1000
	usualAlong  = 2000
	usualAbout  = 200
	usualDamp   = 0.7
	greatestAdd = 1000 // Nm and N
)

// Springs are those of a robot, as nets set them: one of each joint, and six of the tip of the tool. It is a part of
// device.Compliant.
type Springs struct {
	joint     [Joints]*device.Latest
	cartesian *device.Latest
}

// NewSprings makes those that robots have at the start (load).
func NewSprings() *Springs {
	s := &Springs{cartesian: device.NewLatest(18)}
	for i := range s.joint {
		s.joint[i] = device.NewLatest(3)
		s.SetJointImpedance(i, device.JointImpedance{Stiffness: usualJoint, Damping: usualDamp})
	}
	all := func(v float64) geom.Vector { return geom.Vector{X: v, Y: v, Z: v} }
	s.SetCartesianImpedance(device.CartesianImpedance{
		Stiffness: geom.Wrench{Force: all(usualAlong), Torque: all(usualAbout)},
		Damping:   geom.Wrench{Force: all(usualDamp), Torque: all(usualDamp)},
	})
	return s
}

// nearest returns what is possible instead of a value, and what was before instead of what is not a number.
func nearest(value, least, most, before float64) float64 {
	if value != value {
		return before
	}
	return min(max(value, least), most)
}

// JointImpedance returns the spring of a joint (cycle).
func (s *Springs) JointImpedance(joint int) device.JointImpedance {
	var w [3]uint64
	if joint < 0 || joint >= len(s.joint) || !s.joint[joint].Get(0, w[:]) {
		return device.JointImpedance{}
	}
	return device.JointImpedance{
		Stiffness: math.Float64frombits(w[0]), Damping: math.Float64frombits(w[1]), Add: math.Float64frombits(w[2]),
	}
}

// SetJointImpedance changes it (cycle).
func (s *Springs) SetJointImpedance(joint int, is device.JointImpedance) {
	if joint < 0 || joint >= len(s.joint) {
		return
	}
	was := s.JointImpedance(joint)
	w := [...]uint64{
		math.Float64bits(nearest(is.Stiffness, softest, stiffJoint, was.Stiffness)),
		math.Float64bits(nearest(is.Damping, 0, 1, was.Damping)),
		math.Float64bits(nearest(is.Add, -greatestAdd, greatestAdd, was.Add)),
	}
	s.joint[joint].Put(w[:])
}

// CartesianImpedance returns the springs of the tip (cycle).
func (s *Springs) CartesianImpedance() (is device.CartesianImpedance) {
	var w [18]uint64
	if !s.cartesian.Get(0, w[:]) {
		return is
	}
	for k, into := range [...]*geom.Wrench{&is.Stiffness, &is.Damping, &is.Add} {
		var v [6]float64
		for i := range v {
			v[i] = math.Float64frombits(w[6*k+i])
		}
		*into = wrench(&v)
	}
	return is
}

// SetCartesianImpedance changes them (cycle).
func (s *Springs) SetCartesianImpedance(is device.CartesianImpedance) {
	was := s.CartesianImpedance()
	stiffness, damping, add := six(is.Stiffness), six(is.Damping), six(is.Add)
	stiff, damped, added := six(was.Stiffness), six(was.Damping), six(was.Add)
	var w [18]uint64
	for i := range stiffness {
		most := float64(stiffAlong)
		if i >= 3 {
			most = stiffAbout
		}
		w[i] = math.Float64bits(nearest(stiffness[i], softest, most, stiff[i]))
		w[6+i] = math.Float64bits(nearest(damping[i], 0, 1, damped[i]))
		w[12+i] = math.Float64bits(nearest(add[i], -greatestAdd, greatestAdd, added[i]))
	}
	s.cartesian.Put(w[:])
}
