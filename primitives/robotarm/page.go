package robotarm

import (
	"encoding/xml"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interfaces are what every device with joints gets, under both names.
func Interfaces() (list []device.InterfaceType) {
	for _, name := range []string{device.RobotArm, device.MultiJointAlias} {
		list = append(list, device.InterfaceType{
			Name: name, Extension: extension, Doc: "joints that are commanded one by one", Pages: []device.Page{page(name)},
		})
	}
	return list
}

func page(path string) device.Page {
	return device.DeclarePage(device.Sheet[device.MultiJoint, device.Nothing]{
		Path: path, Doc: "where the joints are, and where they shall be",
		Show: func(d device.MultiJoint, _ device.Question) (any, error) { return viewOf(d), nil },
	})
}

// view is what the page shows.
type view struct {
	XMLName xml.Name    `xml:"robotarm" json:"-"`
	Joints  []jointView `xml:"joint" json:"joints"`
}

// jointView is a joint. Existing clients know its positions; the rest is for others.
type jointView struct {
	Number            int        `xml:"nr,attr" json:"nr"`
	Measured          device.Num `xml:"measured,attr" json:"measured"`
	Commanded         device.Num `xml:"commanded,attr" json:"commanded"`
	MeasuredVelocity  device.Num `xml:"-" json:"measuredVelocity"`
	CommandedVelocity device.Num `xml:"-" json:"commandedVelocity"`
	Error             int32      `xml:"-" json:"error"` // as the primitives tell it
	Fault             string     `xml:"-" json:"fault"`
}

func viewOf(d device.MultiJoint) view {
	v := view{Joints: make([]jointView, d.Joints())}
	for i := range v.Joints {
		j := d.Joint(i)
		v.Joints[i] = jointView{
			Number: i, Measured: device.Num(j.Measured.Pos), Commanded: device.Num(j.Commanded.Pos),
			MeasuredVelocity: device.Num(j.Measured.Vel), CommandedVelocity: device.Num(j.Commanded.Vel),
			Error: int32(j.Fault), Fault: j.Fault.String(),
		}
	}
	return v
}
