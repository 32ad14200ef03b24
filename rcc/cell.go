package rcc

import (
	"fmt"
	"math"
	"slices"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Cell is the layout of the cell: where its robots and frames are. Setting it moves nothing: it is for views of the cell, and for
// programs that ask.
type Cell struct {
	*ground

	devices *Devices

	// under ground.mu
	places map[string]geom.Frame // where devices stand, by their names
	frames []CellFrame
}

func newCell(g *ground, d *Devices) *Cell {
	return &Cell{ground: g, devices: d, places: map[string]geom.Frame{}}
}

// SetPlace sets where in the cell the device of a name stands; the device need not exist yet. It moves nothing.
func (cell *Cell) SetPlace(name string, at geom.Frame) {
	cell.mu.Lock()
	defer cell.mu.Unlock()
	cell.places[name] = at
}

// placeOf is where a device stands.
func (cell *Cell) placeOf(name string) geom.Frame {
	cell.mu.Lock()
	defer cell.mu.Unlock()
	return cell.places[name]
}

// Arm is a device with joints as seen in the cell: the state of its joints and, if its kinematics are known, its
// links. Joints are read one after another, so that some may be a cycle newer than others.
type Arm struct {
	DeviceInfo
	Joints []ArmJoint
	Axes   []kinematics.Line // of the links as they are measured, seen from the base; none when unknown
	Flange geom.Frame        // when there are axes
	Place  geom.Frame        // of the base in the cell

	Pushable bool // its page forces takes forces on its tip
}

// ArmJoint is a joint. Unknown limits are not numbers.
type ArmJoint struct {
	Name     string
	Unit     string // m or rad; empty when it is unknown whether it slides or turns
	Min, Max float64
	device.JointState
}

// Arms returns all devices with joints, in the order in which they were created. A device that is removed in the meantime is
// left out.
func (cell *Cell) Arms() []Arm {
	var list []Arm
	for _, info := range cell.devices.All() {
		if info.Name == coreDevice {
			continue
		}
		_ = cell.devices.visit(info.Name, func(d *lentDevice) error {
			if joints, is := d.Device.(device.MultiJoint); is {
				list = append(list, armOf(info, joints))
				list[len(list)-1].Place = cell.placeOf(info.Name)
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

// Base is a device that drives as seen in the cell.
type Base struct {
	DeviceInfo
	device.BaseState
}

// Bases returns all devices that drive, in the order in which they were created. A device that is removed in the meantime is
// left out.
func (cell *Cell) Bases() []Base {
	var list []Base
	for _, info := range cell.devices.All() {
		if info.Name == coreDevice {
			continue
		}
		_ = cell.devices.visit(info.Name, func(d *lentDevice) error {
			if drives, is := d.Device.(device.Base); is {
				list = append(list, Base{info, drives.BaseState()})
			}
			return nil
		})
	}
	return list
}

// CellFrame is a coordinate system of the cell that belongs to no device, such as that of a workpiece.
type CellFrame struct {
	Name  string
	Of    string     // device from whose base it is seen; the cell when empty
	Place geom.Frame // seen from there
	At    geom.Frame // seen from the cell
}

// SetFrame sets where a frame is, as seen from the base of a device, or from the cell when of is empty. It moves nothing.
func (cell *Cell) SetFrame(name, of string, place geom.Frame) {
	cell.mu.Lock()
	defer cell.mu.Unlock()
	list := cell.frames
	i := slices.IndexFunc(list, func(f CellFrame) bool { return f.Name == name })
	if i < 0 {
		i = len(list)
		list = append(list, CellFrame{})
	}
	list[i] = CellFrame{Name: name, Of: of, Place: place}
	cell.frames = list
}

// Frames returns all frames, in the order in which they were first set. Frames that are seen from a device stay when it is removed.
func (cell *Cell) Frames() []CellFrame {
	cell.mu.Lock()
	defer cell.mu.Unlock()
	list := slices.Clone(cell.frames)
	for i := range list {
		list[i].At = cell.places[list[i].Of].Mul(list[i].Place)
	}
	return list
}
