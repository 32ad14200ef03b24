package robotarm

import (
	"encoding/xml"
	"fmt"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Interfaces returns what every device with joints gets, under both names.
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
		Path: path, Doc: "where the joints are and where they should be, how far and how fast they go, and which set-points were refused",
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
	Measured          device.Num `xml:"measured,attr" json:"measured" unit:"rad or m"`
	Commanded         device.Num `xml:"commanded,attr" json:"commanded" unit:"rad or m"`
	MeasuredVelocity  device.Num `xml:"-" json:"measuredVelocity" unit:"1/s"`
	CommandedVelocity device.Num `xml:"-" json:"commandedVelocity" unit:"1/s"`
	Error             int32      `xml:"-" json:"error"` // as the primitives tell it
	Fault             string     `xml:"-" json:"fault"`

	Model   *modelView   `xml:"-" json:"model,omitempty"`   // where the device knows it
	Refused *refusedView `xml:"-" json:"refused,omitempty"` // the set-point that was refused last
}

// modelView is what a joint is. Without a limit there is no number.
type modelView struct {
	Name         string     `json:"name"`
	Kind         string     `json:"kind"`
	Min          device.Num `json:"min"`
	Max          device.Num `json:"max"`
	Velocity     device.Num `json:"velocity"` // limits; 0 if nobody knows
	Acceleration device.Num `json:"acceleration"`
	Jerk         device.Num `json:"jerk"`
	Effort       device.Num `json:"effort"`
}

// String returns what people read.
func (m modelView) String() string {
	unit := "rad"
	if m.Kind == kinematics.Prismatic.String() {
		unit = "m"
	}
	text := fmt.Sprintf("%s: %.4g to %.4g %s", m.Name, m.Min, m.Max, unit)
	for _, limit := range []struct {
		is  device.Num
		per string
	}{{m.Velocity, "/s"}, {m.Acceleration, "/s²"}, {m.Jerk, "/s³"}} {
		if limit.is > 0 {
			text += fmt.Sprintf(", %.4g %s%s", limit.is, unit, limit.per)
		}
	}
	return text
}

// refusedView is a set-point that was refused. Applications that follow a net look at the time.
type refusedView struct {
	Reason string `json:"reason"`
	Time   int64  `json:"time"` // of the cycle, Unix, ns
	Cycle  uint64 `json:"cycle"`

	text string
}

// String returns what people read.
func (r refusedView) String() string { return r.text }

func viewOf(d device.MultiJoint) view {
	v := view{Joints: make([]jointView, d.Joints())}
	for i := range v.Joints {
		j := d.Joint(i)
		v.Joints[i] = jointView{
			Number: i, Measured: device.Num(j.Measured.Pos), Commanded: device.Num(j.Commanded.Pos),
			MeasuredVelocity: device.Num(j.Measured.Vel), CommandedVelocity: device.Num(j.Commanded.Vel),
			Error: int32(j.Fault), Fault: device.FaultText(d, j.Fault),
		}
		v.Joints[i].describe(d, i)
	}
	return v
}

func (v *jointView) describe(d device.MultiJoint, joint int) {
	is, known := device.ModelOf(d, joint)
	if known {
		v.Model = &modelView{
			Name: is.Name, Kind: is.Kind.String(), Min: device.Num(is.Min), Max: device.Num(is.Max), Velocity: device.Num(is.Velocity),
			Acceleration: device.Num(is.Acceleration), Jerk: device.Num(is.Jerk), Effort: device.Num(is.Effort),
		}
	}
	if of, remembers := d.(device.Refuser); remembers {
		if r, some := of.JointRefusal(joint); some {
			v.Refused = &refusedView{Reason: r.Reason(is.Kind), Time: r.Time, Cycle: r.Cycle, text: r.Text(is.Kind)}
		}
	}
}
