package arm

import (
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Limits are limits of joints as applications send them. Omitted ones are those of the model.
type Limits struct {
	Min  []float64 `rcc:"min_joint" unit:"rad or m" doc:"least positions; as the model has them if left out"`
	Max  []float64 `rcc:"max_joint" unit:"rad or m" doc:"greatest positions; as the model has them if left out"`
	Home []float64 `rcc:"home_joint" unit:"rad or m" doc:"positions at the start; as the model has them if left out"`
	Vel  []float64 `rcc:"max_vel" unit:"1/s" doc:"limits of velocity; as the model has them if left out"`
	Acc  []float64 `rcc:"max_acc" unit:"1/s²" doc:"limits of acceleration; as the model has them if left out"`
	Jerk []float64 `rcc:"max_jerk" unit:"1/s³" doc:"limits of jerk; none if left out"`
}

// Load is what the flange carries at the start.
type Load struct {
	Mass float64     `rcc:"mass" default:"0" min:"0" unit:"kg" doc:"of the tool"`
	MOI  geom.Vector `rcc:"moi" default:"{x:0,y:0,z:0}" unit:"kg·m²" doc:"moments of inertia of the tool"`
	COM  geom.Frame  `rcc:"com" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"centre of mass of the tool"`
	TCP  geom.Frame  `rcc:"tcp" default:"{pos:{x:0,y:0,z:0},rot:{a:0,b:0,c:0}}" doc:"tip of the tool, seen from the flange"`
}

// Overlay replaces limits of a model by those of an application. Jerks of models are assumed, and applications do not
// know of them: they do not count.
func (l *Limits) Overlay(of []kinematics.Joint) ([]kinematics.Joint, error) {
	all := make([]kinematics.Joint, len(of))
	copy(all, of)
	for i := range all {
		all[i].Jerk = 0
	}
	for _, column := range []struct {
		name   string
		values []float64
		into   func(j *kinematics.Joint) *float64
	}{
		{"min_joint", l.Min, func(j *kinematics.Joint) *float64 { return &j.Min }},
		{"max_joint", l.Max, func(j *kinematics.Joint) *float64 { return &j.Max }},
		{"max_vel", l.Vel, func(j *kinematics.Joint) *float64 { return &j.Velocity }},
		{"max_acc", l.Acc, func(j *kinematics.Joint) *float64 { return &j.Acceleration }},
		{"max_jerk", l.Jerk, func(j *kinematics.Joint) *float64 { return &j.Jerk }},
	} {
		if column.values == nil {
			continue
		}
		if len(column.values) != len(all) {
			return nil, device.WrongParam(column.name, "%d values of %d joints", len(column.values), len(all))
		}
		for i, v := range column.values {
			*column.into(&all[i]) = v
		}
	}
	return all, nil
}

// Start returns the initial positions of joints: those of the application, or of the model, within the limits.
func (l *Limits) Start(of []kinematics.Joint, model []float64) ([]float64, error) {
	at := l.Home
	if at != nil && len(at) != len(of) {
		return nil, device.WrongParam("home_joint", "%d values of %d joints", len(at), len(of))
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
