package simarm

import (
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// simulation is what all simulated joints have.
type simulation struct {
	Cycle   time.Duration `rcc:"cycle" default:"2ms" min:"100us" max:"1s" doc:"of the drives"`
	Ahead   time.Duration `rcc:"ahead" default:"0s" min:"-1s" max:"1s" doc:"by how much later than one cycle after nets values take effect"`
	Lapse   int           `rcc:"lapse" default:"5" min:"1" max:"1000" doc:"cycles without set-point after which joints come to rest"`
	Margin  float64       `rcc:"margin" default:"0.01" older:"1" min:"0.000001" max:"10" unit:"1" doc:"share by which set-points may be beyond limits"`
	Strict  bool          `rcc:"strict" default:"true" older:"false" doc:"set-points may not change their velocity at once, nor joints their position; false for arms of older clients"`
	Power   bool          `rcc:"power" default:"true" doc:"drives are on at the start"`
	Faults  string        `rcc:"faults" doc:"what goes wrong and when, such as 2s off; 3s on; 4s fail 1; 5s repair 1; 6s limit 2; 7s estop; 8s release"`
	Loading time.Duration `rcc:"tool_time" default:"0s" min:"0s" max:"1m" doc:"how long it takes until a tool is in use"`
	plant.Options
}

// unit is a linear unit that carries an arm.
type unit struct {
	Direction geom.Vector `rcc:"linear_axis" default:"{x:0,y:0,z:0}" doc:"direction of a linear unit that carries the arm and is its first joint; 0: there is none"`
	Least     float64     `rcc:"linear_min" default:"-2" unit:"m" doc:"least position of the linear unit"`
	Most      float64     `rcc:"linear_max" default:"2" unit:"m" doc:"greatest position of the linear unit"`
	Start     float64     `rcc:"linear_home" default:"0" unit:"m" doc:"position of the linear unit at the start"`
	Speed     float64     `rcc:"linear_vel" default:"1" min:"0.001" unit:"m/s" doc:"limit of its velocity"`
	Change    float64     `rcc:"linear_acc" default:"4" min:"0.001" unit:"m/s²" doc:"limit of its acceleration"`
}

func (u *unit) there() bool { return u.Direction != geom.Vector{} }

// carrier returns what stands between the ground and the arm.
func (u *unit) carrier() []kinematics.Segment {
	if !u.there() {
		return nil
	}
	return []kinematics.Segment{{Axis: u.Direction, Joint: u.joint()}}
}

func (u *unit) joint() kinematics.Joint {
	return kinematics.Joint{
		Name: "linear", Kind: kinematics.Prismatic, Min: u.Least, Max: u.Most, Velocity: u.Speed, Acceleration: u.Change,
	}
}

// common are the parameters of all arms.
type common struct {
	arm.Limits
	arm.Load
	unit
	simulation
}

// byTable are those of arms that are described by a table.
type byTable struct {
	arm.Table
	common
}

// byLengths are those of arms that differ by the lengths of their links.
type byLengths struct {
	Lengths []float64 `rcc:"link_lengths" unit:"m" doc:"from the base over the seven axes to the flange, eight of them; the model's if left out"`
	common
	giving
}
