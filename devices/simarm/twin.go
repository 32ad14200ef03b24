package simarm

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// begin makes the configuration of drives that of a twin, and reports where its joints are: what has been rounded at a limit is at it
// (load).
func (s *simulation) begin(as *device.Original, joints []kinematics.Joint, home []float64) ([]float64, error) {
	if as == nil {
		return home, nil
	}
	s.Power, s.Faults = true, ""
	if as.Joints == nil {
		return home, nil
	}
	if len(as.Joints) != len(joints) {
		return nil, fmt.Errorf("there are %d joints, but positions for %d", len(joints), len(as.Joints))
	}
	const rounding = 1e-6
	at := make([]float64, len(joints))
	for i, j := range joints {
		at[i] = as.Joints[i]
		if in := min(max(at[i], j.Min), j.Max); at[i]-in < rounding && in-at[i] < rounding {
			at[i] = in
		}
	}
	return at, nil
}

// tooled is an arm that remembers the tools that it was given.
type tooled interface{ Tool(joint int) device.Tool }

// take takes over the tools of the arm that a twin stands in for, as far as that remembers them (load).
func (d *Drives) take(as *device.Original) {
	if as == nil {
		return
	}
	from, is := as.Device.(tooled)
	for i := range d.tools {
		if is {
			d.tools[i].begin(from.Tool(i))
		}
	}
}

// take takes over how the robot gives way that a twin stands in for, and what it carries (load).
func (l *Lightweight) take(as *device.Original) {
	l.options.Failing = 0
	from, is := as.Device.(device.Compliant)
	if !is {
		return
	}
	l.strategy.Store(int32(from.Strategy()))
	for i := range seven {
		l.SetJointImpedance(i, from.JointImpedance(i))
	}
	l.SetCartesianImpedance(from.CartesianImpedance())
}

// payload returns what the flange carries at the start: as the configuration says, or that of the robot that a twin stands in for.
func (g *byLengths) payload(as *device.Original) device.Payload {
	if as != nil {
		if from, is := as.Device.(device.Loaded); is {
			return from.Payload()
		}
	}
	return device.Payload{Mass: g.Mass, COM: g.COM, Inertia: g.MOI, TCP: g.TCP}
}

// take takes over how the drives hold joints (load).
func (y *YouBot) take(as *device.Original) {
	from, is := as.Device.(device.YouBotArm)
	if !is {
		return
	}
	y.controller.Store(int32(from.Controller()))
	for i := range y.drives {
		y.SetDriveSpring(i, from.DriveSpring(i))
	}
}
