package rcc

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Arm is a device with joints as somebody sees it who looks at the cell: what joints do and, where its kinematics are known,
// where it is. Joints are asked one after another, so that some may be a cycle newer than others.
type Arm struct {
	DeviceInfo
	Joints []ArmJoint
	Axes   []kinematics.Line // of the links as they are measured, seen from the base; none when nobody knows
	Flange geom.Frame        // when there are axes
	Place  geom.Frame        // of the base in the cell

	Pushable bool // its page forces takes what acts on its tip
}

// ArmJoint is a joint. Limits that nobody knows are not numbers.
type ArmJoint struct {
	Name     string
	Unit     string // m or rad; empty when nobody knows whether it slides or turns
	Min, Max float64
	device.JointState
}

// Arms returns all devices with joints, in the order in which they were created. One that is removed in the meantime is left out.
func (c *Core) Arms() []Arm {
	var list []Arm
	for _, info := range c.Devices() {
		if info.Name == coreDevice {
			continue
		}
		_ = c.visit(info.Name, func(d *lentDevice) error {
			if joints, is := d.Device.(device.MultiJoint); is {
				list = append(list, armOf(info, joints))
				list[len(list)-1].Place = c.placeOf(info.Name)
			}
			return nil
		})
	}
	return list
}

func armOf(info DeviceInfo, d device.MultiJoint) Arm {
	a := Arm{DeviceInfo: info, Joints: make([]ArmJoint, d.Joints())}
	measured := make([]float64, len(a.Joints))
	for i := range a.Joints {
		a.Joints[i] = ArmJoint{Name: fmt.Sprint(i), Min: math.NaN(), Max: math.NaN(), JointState: d.Joint(i)}
		measured[i] = a.Joints[i].Measured.Pos
	}
	for i := range a.Joints {
		if is, known := device.ModelOf(d, i); known {
			a.Joints[i].describe(is)
		}
	}
	_, a.Pushable = d.(device.Yielding)
	of, is := d.(device.ArmKinematics)
	if !is || of.Arm().Chain.Len() != len(a.Joints) {
		return a
	}
	chain := of.Arm().Chain
	a.Axes = make([]kinematics.Line, chain.Links())
	chain.Axes(measured, a.Axes)
	a.Flange = chain.Forward(measured)
	return a
}

func (j *ArmJoint) describe(is kinematics.Joint) {
	j.Name, j.Unit, j.Min, j.Max = is.Name, "rad", is.Min, is.Max
	if is.Kind == kinematics.Prismatic {
		j.Unit = "m"
	}
}
