package quadcopter

import (
	"encoding/xml"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interface returns what every quadcopter gets.
func Interface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.QuadcopterName, Extension: extension, Doc: "quadcopters, seen by a tracking system",
		Pages: []device.Page{device.DeclarePage(device.Sheet[device.Quadcopter, device.Nothing]{
			Path: device.QuadcopterName, Doc: "where the quadcopter is and how it is to fly",
			Show: func(d device.Quadcopter, _ device.Question) (any, error) { return viewOf(d), nil },
		})},
	}
}

// view is what the page shows.
type view struct {
	XMLName xml.Name   `xml:"quadcopter" json:"-"`
	X       device.Num `xml:"x,attr" json:"x" unit:"m"`
	Y       device.Num `xml:"y,attr" json:"y" unit:"m"`
	Z       device.Num `xml:"z,attr" json:"z" unit:"m"`
	Yaw     device.Num `xml:"yaw,attr" json:"yaw" unit:"rad"`
	Seen    bool       `xml:"seen,attr" json:"seen"`
	Fault   string     `xml:"fault,attr,omitempty" json:"fault,omitempty"`

	Commanded attitudeView `xml:"commanded" json:"commanded"`
}

type attitudeView struct {
	Roll   device.Num `xml:"roll,attr" json:"roll" unit:"rad"`
	Pitch  device.Num `xml:"pitch,attr" json:"pitch" unit:"rad"`
	Yaw    device.Num `xml:"yaw,attr" json:"yaw" unit:"rad"`
	Thrust device.Num `xml:"thrust,attr" json:"thrust" unit:"m/s²"`
}

func viewOf(d device.Quadcopter) *view {
	s := d.QuadcopterState()
	c := s.Commanded
	v := &view{
		X: device.Num(s.Pos.X), Y: device.Num(s.Pos.Y), Z: device.Num(s.Pos.Z), Yaw: device.Num(s.Yaw), Seen: s.Seen,
		Commanded: attitudeView{device.Num(c.Roll), device.Num(c.Pitch), device.Num(c.Yaw), device.Num(c.Thrust)},
	}
	if s.Fault != device.BaseGood {
		v.Fault = s.Fault.String()
	}
	return v
}
