package simarm

import (
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// forcesView is what the page of forces shows.
type forcesView struct {
	XMLName   xml.Name     `xml:"forces" json:"-"`
	Strategy  int32        `xml:"strategy,attr" json:"strategy"`
	Joints    []torqueView `xml:"joint" json:"joints"`
	Pushed    wrenchView   `xml:"pushed" json:"pushed"`       // at the tip, along the axes of the base
	Estimated wrenchView   `xml:"estimated" json:"estimated"` // at the tip, along the axes of the tool
}

type torqueView struct {
	Number   int        `xml:"nr,attr" json:"nr"`
	Pushed   device.Num `xml:"pushed,attr" json:"pushed" unit:"Nm"`
	External device.Num `xml:"external,attr" json:"external" unit:"Nm"`
	Measured device.Num `xml:"measured,attr" json:"measured" unit:"Nm"`
}

type wrenchView struct {
	FX device.Num `xml:"fx,attr" json:"fx" unit:"N"`
	FY device.Num `xml:"fy,attr" json:"fy" unit:"N"`
	FZ device.Num `xml:"fz,attr" json:"fz" unit:"N"`
	TX device.Num `xml:"tx,attr" json:"tx" unit:"Nm"`
	TY device.Num `xml:"ty,attr" json:"ty" unit:"Nm"`
	TZ device.Num `xml:"tz,attr" json:"tz" unit:"Nm"`
}

func wrenchViewOf(w geom.Wrench) wrenchView {
	f, t := w.Force, w.Torque
	return wrenchView{device.Num(f.X), device.Num(f.Y), device.Num(f.Z), device.Num(t.X), device.Num(t.Y), device.Num(t.Z)}
}

// push is what the page takes: a torque at a joint, or what acts on the tip.
type push struct {
	Joint  int         `rcc:"joint" default:"-1" min:"-1" max:"6" doc:"joint that is pushed, from 0; -1: the tip is"`
	Torque float64     `rcc:"torque" default:"0" min:"-10000" max:"10000" unit:"Nm" doc:"at the joint"`
	Force  geom.Vector `rcc:"force" default:"{x:0,y:0,z:0}" unit:"N" doc:"at the tip, along the axes of the base"`
	Moment geom.Vector `rcc:"moment" default:"{x:0,y:0,z:0}" unit:"Nm" doc:"about the tip, along the axes of the base"`
}

// forcesPage lets people push a robot.
var forcesPage = device.DeclarePage(device.Sheet[device.Yielding, push]{
	Path: "forces", Doc: "what acts on the robot from outside, and what it feels of it",
	Show: func(d device.Yielding, _ device.Question) (any, error) { return forcesOf(d), nil },
	Take: func(d device.Yielding, told *push) error {
		if told.Joint < 0 {
			if !told.Force.Finite() || !told.Moment.Finite() {
				return device.ParamError{Name: "force", Err: fmt.Errorf("force %v and moment %v must be finite numbers", told.Force, told.Moment)}
			}
			d.PushTip(geom.Wrench{Force: told.Force, Torque: told.Moment})
			return nil
		}
		d.Push(told.Joint, told.Torque)
		return nil
	},
})

func forcesOf(d device.Yielding) *forcesView {
	torques, tip := d.Pushed()
	v := &forcesView{
		Strategy: int32(d.Strategy()), Joints: make([]torqueView, len(torques)), Pushed: wrenchViewOf(tip), Estimated: wrenchViewOf(d.TipWrench()),
	}
	for i, pushed := range torques {
		t := d.Torque(i)
		v.Joints[i] = torqueView{i, device.Num(pushed), device.Num(t.External), device.Num(t.Measured)}
	}
	return v
}
