package robotbase

import (
	"encoding/xml"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interface returns what every base gets.
func Interface() device.InterfaceType {
	return device.InterfaceType{
		Name: device.RobotBaseName, Extension: extension, Doc: "bases that drive, and their wheels",
		Pages: []device.Page{device.DeclarePage(device.Sheet[device.Base, device.Nothing]{
			Path: device.RobotBaseName, Doc: "where the base is and how it drives",
			Show: func(d device.Base, _ device.Question) (any, error) { return viewOf(d), nil },
		})},
	}
}

// view is what the page shows: the base moves in the plane.
type view struct {
	XMLName xml.Name    `xml:"robotbase" json:"-"`
	X       device.Num  `xml:"x,attr" json:"x" unit:"m"`
	Y       device.Num  `xml:"y,attr" json:"y" unit:"m"`
	A       device.Num  `xml:"a,attr" json:"a" unit:"rad"`
	Fault   string      `xml:"fault,attr,omitempty" json:"fault,omitempty"`
	Vel     []velView   `xml:"velocity" json:"velocity"`
	Wheels  []wheelView `xml:"wheel" json:"wheel"`
}

type velView struct {
	Kind string     `xml:"type,attr" json:"type"`
	X    device.Num `xml:"x,attr" json:"x" unit:"m/s"`
	Y    device.Num `xml:"y,attr" json:"y" unit:"m/s"`
	A    device.Num `xml:"a,attr" json:"a" unit:"rad/s"`
}

type wheelView struct {
	Number int        `xml:"nr,attr" json:"nr"`
	Pos    device.Num `xml:"pos,attr" json:"pos" unit:"rad"`
	Vel    device.Num `xml:"vel,attr" json:"vel" unit:"rad/s"`
}

func viewOf(d device.Base) *view {
	s := d.BaseState()
	a, _, _ := s.Pos.Rot.ABC()
	v := &view{X: device.Num(s.Pos.Pos.X), Y: device.Num(s.Pos.Pos.Y), A: device.Num(a), Wheels: []wheelView{}}
	if s.Fault != device.BaseGood {
		v.Fault = s.Fault.String()
	}
	v.Vel = []velView{
		{"measured", device.Num(s.Measured.Vel.X), device.Num(s.Measured.Vel.Y), device.Num(s.Measured.Rot.Z)},
		{"commanded", device.Num(s.Commanded.Vel.X), device.Num(s.Commanded.Vel.Y), device.Num(s.Commanded.Rot.Z)},
	}
	for i := range d.Wheels() {
		w := d.Wheel(i)
		v.Wheels = append(v.Wheels, wheelView{i, device.Num(w.Pos), device.Num(w.Vel)})
	}
	return v
}
