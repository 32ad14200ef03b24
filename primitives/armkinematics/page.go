package armkinematics

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interface returns what every arm gets that knows where it is: a page that answers with both directions of its kinematics (§9.2),
// so that applications need no copy of them.
func Interface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.ArmKinematicsName, Extension: extension, Doc: "where the flange is in space, and the way back",
		Pages: []device.Page{device.DeclarePage(device.Sheet[device.ArmKinematics, device.Nothing]{
			Path: device.ArmKinematicsName, Doc: "where the flange is, seen from the base, for values of joints; with parts of a frame, the joints that reach it, near those that are given",
			Asks: asks, Show: answer,
		})},
	}
}

// frameParts are the names of the numbers of a frame.
var frameParts = [...]string{"x", "y", "z", "a", "b", "c"}

func asks(d device.ArmKinematics) (list []device.Param) {
	for i := range d.Arm().Len() {
		list = append(list, device.Param{Name: jointName(i), Unit: "rad or m", Doc: "value of a joint, by default the one it has"})
	}
	for i, name := range frameParts {
		p := device.Param{Name: name, Unit: "m", Doc: "where the flange should be"}
		if i >= 3 {
			p.Unit, p.Doc = "rad", "how it should be turned"
		}
		list = append(list, p)
	}
	return list
}

// jointName counts from 1, as existing clients do.
func jointName(i int) string { return "j" + strconv.Itoa(i+1) }

// view is what the page shows.
type view struct {
	XMLName xml.Name    `xml:"kinematics" json:"-"`
	Joints  []jointView `xml:"joint" json:"joints"`
	Frame   frameView   `xml:"frame" json:"frame"`
	Status  string      `xml:"-" json:"status"`

	Axes []axisView `xml:"-" json:"axes,omitempty"` // where all joints are at 0, from base to flange; none if joints are coupled
	Zero frameView  `xml:"-" json:"zero"`           // the flange there
}

// axisView is the axis of a joint: a point, and the direction in which it turns or slides positively.
type axisView struct {
	X  device.Num `json:"x" unit:"m"`
	Y  device.Num `json:"y" unit:"m"`
	Z  device.Num `json:"z" unit:"m"`
	DX device.Num `json:"dx" unit:"1"`
	DY device.Num `json:"dy" unit:"1"`
	DZ device.Num `json:"dz" unit:"1"`
}

type jointView struct {
	Number int        `xml:"nr,attr" json:"nr"`
	Value  device.Num `xml:"value,attr" json:"value" unit:"rad or m"`
}

type frameView struct {
	X device.Num `xml:"x,attr" json:"x" unit:"m"`
	Y device.Num `xml:"y,attr" json:"y" unit:"m"`
	Z device.Num `xml:"z,attr" json:"z" unit:"m"`
	A device.Num `xml:"a,attr" json:"a" unit:"rad"`
	B device.Num `xml:"b,attr" json:"b" unit:"rad"`
	C device.Num `xml:"c,attr" json:"c" unit:"rad"`
}

// answer is forward kinematics, and inverse kinematics when there is a frame in the question. Joints that cannot be found
// are NaN.
func answer(d device.ArmKinematics, q device.Question) (any, error) {
	for name, v := range q {
		if math.IsInf(v, 0) {
			return nil, device.ParamError{Name: name, Err: fmt.Errorf("%v is not a position", v)}
		}
	}
	arm := d.Arm()
	joints := given(d, q)
	if !asksBack(q) {
		return viewOf(arm, joints, arm.Forward(joints), kinematics.Solved), nil
	}
	to := geom.Frame{Pos: geom.Vector{X: q["x"], Y: q["y"], Z: q["z"]}, Rot: geom.FromABC(q["a"], q["b"], q["c"])}
	found := make([]float64, len(joints))
	status := arm.Solver.Nearest(&to, joints, found)
	if !status.Good() {
		for i := range found {
			found[i] = math.NaN()
		}
	}
	return viewOf(arm, found, to, status), nil
}

func asksBack(q device.Question) bool {
	for _, name := range frameParts {
		if _, ok := q[name]; ok {
			return true
		}
	}
	return false
}

// given returns the joints of a question; those that are not part of it are where they are, as far as the device has joints.
func given(d device.ArmKinematics, q device.Question) []float64 {
	joints := make([]float64, d.Arm().Len())
	moves, _ := d.(device.MultiJoint)
	for i := range joints {
		v, ok := q[jointName(i)]
		if !ok && moves != nil && i < moves.Joints() {
			v = moves.Joint(i).Measured.Pos
		}
		joints[i] = v
	}
	return joints
}

func viewOf(arm *kinematics.Arm, joints []float64, at geom.Frame, status kinematics.Status) view {
	v := view{Joints: make([]jointView, len(joints)), Frame: frameOf(at), Status: status.String()}
	for i, value := range joints {
		v.Joints[i] = jointView{i + 1, device.Num(value)}
	}
	v.Axes, v.Zero = describe(arm.Chain)
	return v
}

// describe returns what a chain is without any table: its axes and its tip where all joints are at 0.
func describe(c *kinematics.Chain) (axes []axisView, zero frameView) {
	at := make([]float64, c.Len())
	zero = frameOf(c.Forward(at))
	if c.Links() != c.Len() {
		return nil, zero
	}
	lines := make([]kinematics.Line, c.Len())
	c.Axes(at, lines)
	for _, l := range lines {
		p, d := l.Point, l.Direction
		axes = append(axes, axisView{
			device.Num(p.X), device.Num(p.Y), device.Num(p.Z), device.Num(d.X), device.Num(d.Y), device.Num(d.Z),
		})
	}
	return axes, zero
}

func frameOf(f geom.Frame) frameView {
	a, b, c := f.Rot.ABC()
	return frameView{device.Num(f.Pos.X), device.Num(f.Pos.Y), device.Num(f.Pos.Z), device.Num(a), device.Num(b), device.Num(c)}
}
