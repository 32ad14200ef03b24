package simarm

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
)

// joints are limits of joints as applications send them. What is left out is as the model has it.
type joints struct {
	Min  []float64 `rcc:"min_joint" unit:"rad or m" doc:"least positions; as the model has them if left out"`
	Max  []float64 `rcc:"max_joint" unit:"rad or m" doc:"greatest positions; as the model has them if left out"`
	Home []float64 `rcc:"home_joint" unit:"rad or m" doc:"positions at the start; as the model has them if left out"`
	Vel  []float64 `rcc:"max_vel" unit:"1/s" doc:"limits of velocity; as the model has them if left out"`
	Acc  []float64 `rcc:"max_acc" unit:"1/s²" doc:"limits of acceleration; as the model has them if left out"`
	Jerk []float64 `rcc:"max_jerk" unit:"1/s³" doc:"limits of jerk; none if left out"`
}

// simulation is what all simulated joints have.
type simulation struct {
	Cycle   time.Duration `rcc:"cycle" default:"2ms" min:"100us" max:"1s" doc:"of the drives"`
	Ahead   time.Duration `rcc:"ahead" default:"0s" min:"-1s" max:"1s" doc:"by how much later than one cycle after nets values take effect"`
	Lapse   int           `rcc:"lapse" default:"5" min:"1" max:"1000" doc:"cycles without set-point after which joints come to rest"`
	Margin  float64       `rcc:"margin" default:"0.01" min:"0.000001" max:"10" unit:"1" doc:"share by which set-points may be beyond limits"`
	Power   bool          `rcc:"power" default:"true" doc:"drives are on at the start"`
	Faults  string        `rcc:"faults" doc:"what goes wrong and when, such as 2s off; 3s on; 4s fail 1; 5s repair 1; 6s limit 2; 7s estop; 8s release"`
	Loading time.Duration `rcc:"tool_time" default:"0s" min:"0s" max:"1m" doc:"how long it takes until a tool is in use"`
	plant.Options
}

// load is what the flange carries at the start.
type load struct {
	Mass float64     `rcc:"mass" default:"0" min:"0" unit:"kg" doc:"of the tool"`
	MOI  geom.Vector `rcc:"moi" default:"{x:0,y:0,z:0}" unit:"kg·m²" doc:"moments of inertia of the tool"`
	COM  geom.Frame  `rcc:"com" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"centre of mass of the tool"`
	TCP  geom.Frame  `rcc:"tcp" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"tip of the tool, seen from the flange"`
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

func (u *unit) joint() kinematics.Joint {
	return kinematics.Joint{
		Name: "linear", Kind: kinematics.Prismatic, Min: u.Least, Max: u.Most, Velocity: u.Speed, Acceleration: u.Change,
	}
}

// common are the parameters of all arms.
type common struct {
	joints
	load
	unit
	simulation
}

// byTable are those of arms that are described by a table.
type byTable struct {
	D  []float64 `rcc:"dh_d" unit:"m" doc:"column d of a table of Denavit and Hartenberg; the model's if left out"`
	A  []float64 `rcc:"dh_a" unit:"m" doc:"column a"`
	T  []float64 `rcc:"dh_t" unit:"rad" doc:"column theta, what it is when the joint is at 0"`
	Al []float64 `rcc:"dh_al" unit:"rad" doc:"column alpha"`
	common
}

// byLengths are those of arms that differ by the lengths of their links.
type byLengths struct {
	Lengths []float64 `rcc:"link_lengths" unit:"m" doc:"from the base over the seven axes to the flange, eight of them; the model's if left out"`
	common
	giving
}

// overlay puts what an application has sent over the limits of a model.
func (j *joints) overlay(of []kinematics.Joint) ([]kinematics.Joint, error) {
	all := make([]kinematics.Joint, len(of))
	copy(all, of)
	for i := range all {
		all[i].Jerk = 0 // of models they are assumed, and applications do not know of them
	}
	for _, column := range []struct {
		name   string
		values []float64
		into   func(j *kinematics.Joint) *float64
	}{
		{"min_joint", j.Min, func(j *kinematics.Joint) *float64 { return &j.Min }},
		{"max_joint", j.Max, func(j *kinematics.Joint) *float64 { return &j.Max }},
		{"max_vel", j.Vel, func(j *kinematics.Joint) *float64 { return &j.Velocity }},
		{"max_acc", j.Acc, func(j *kinematics.Joint) *float64 { return &j.Acceleration }},
		{"max_jerk", j.Jerk, func(j *kinematics.Joint) *float64 { return &j.Jerk }},
	} {
		if column.values == nil {
			continue
		}
		if len(column.values) != len(all) {
			return nil, fmt.Errorf("parameter %s: %d values of %d joints", column.name, len(column.values), len(all))
		}
		for i, v := range column.values {
			*column.into(&all[i]) = v
		}
	}
	return all, nil
}

// home is where joints are at the start.
func (j *joints) home(of []kinematics.Joint, model []float64) ([]float64, error) {
	at := j.Home
	if at != nil && len(at) != len(of) {
		return nil, fmt.Errorf("parameter home_joint: %d values of %d joints", len(at), len(of))
	}
	if at == nil {
		at = make([]float64, len(of))
		copy(at, model)
		for i := range at {
			at[i] = min(max(at[i], of[i].Min), of[i].Max)
		}
	}
	return at, nil
}
