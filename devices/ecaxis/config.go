package ecaxis

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/softrobot-rcc/rccd/ethercat/cia402"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/arm"
	"github.com/softrobot-rcc/rccd/rcc/device/drives"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// config are the parameters of the device.
type config struct {
	Bus  string `rcc:"ethercatdevice" required:"true" doc:"name of the bus"`
	Axes string `rcc:"axes" required:"true" doc:"drives in the order of the joints: 3 is slave 3, 3:2 its second axis, alias7 the slave with the alias 7"`
	Kind string `rcc:"kinds" doc:"revolute or prismatic, for all joints or for each; revolute if left out"`
	arm.Table
	arm.Limits
	scale
	modes
	drives.Setting
	drives.Ports
	drives.Motion
}

// scale is how joints and counts of drives belong together.
type scale struct {
	Increments []float64 `rcc:"increments" required:"true" doc:"counts of a drive for one turn of its motor"`
	Gear       []float64 `rcc:"gear" doc:"turns of the motor for one turn of the joint, or of what moves a joint that slides; 1 if left out"`
	Feed       []float64 `rcc:"feed" unit:"m" doc:"way of a joint that slides for one turn of what moves it"`
	Direction  []float64 `rcc:"direction" doc:"-1 where counts rise when the joint falls; 1 if left out"`
	Offset     []float64 `rcc:"offset" unit:"rad or m" doc:"position of each joint when its counts are 0; 0 if left out"`
	Coupling   []float64 `rcc:"coupling" doc:"a square of numbers, row by row: by how much each axis turns with each joint; left out: each joint is an axis"`
}

// modes are what the targets are.
type modes struct {
	Target    string    `rcc:"target" default:"position" enum:"position velocity torque" doc:"what drives are commanded: cyclic synchronous position, velocity or torque"`
	FollowBit bool      `rcc:"follow_bit" default:"true" doc:"bit 12 of statuswords shows that the drive follows; false for drives that do not have it"`
	Gain      float64   `rcc:"gain" default:"20" min:"0" max:"1000" unit:"1/s" doc:"target velocity: velocity for a distance from where the joint should be"`
	Stiffness []float64 `rcc:"stiffness" unit:"N·m/rad or N/m" doc:"target torque: torque or force for that distance"`
	Damping   []float64 `rcc:"damping" unit:"N·m·s/rad or N·s/m" doc:"target torque: torque or force for a difference of velocities"`
	Rated     []float64 `rcc:"rated" unit:"N·m or N" doc:"target torque: at the joint, what drives call 1000"`
	Share     float64   `rcc:"torque_limit" default:"1" min:"0.001" max:"10" doc:"target torque: the most that drives are commanded, as a share of the rated one"`
}

const (
	revolute  = "revolute"
	prismatic = "prismatic"
)

// Check reports parameters that contradict each other.
func (c *config) Check() []device.ParamError {
	o, err := c.options()
	return device.ParamErrors(errors.Join(err, o.Wrong()))
}

// options returns what the axes are made of.
func (c *config) options() (o drives.Options, err error) {
	o = drives.Options{What: "drive", Setting: c.Setting, Ports: c.Ports, Motion: c.Motion, FollowBit: c.FollowBit}
	if o.Units, err = c.units(); err != nil {
		return o, err
	}
	n := 0
	for _, u := range o.Units {
		n += len(u.Order)
	}
	var errs [3]error
	o.Mode, o.Loop, errs[0] = c.mode(n)
	if o.Joints, o.Start, errs[1] = joints(n, c.Kind, &c.Limits); errs[1] == nil {
		o.Gear, errs[2] = c.gear(o.Joints)
	}
	return o, errors.Join(errs[:]...)
}

// mode returns the mode of the drives, with what makes its targets.
func (c *modes) mode(n int) (m cia402.Mode, l drives.Loop, err error) {
	switch c.Target {
	case "velocity":
		return cia402.CyclicVelocity, drives.Loop{Gain: c.Gain}, nil
	case "torque":
	default:
		return cia402.CyclicPosition, l, nil
	}
	l = drives.Loop{Longest: c.Share}
	for _, f := range []struct {
		name  string
		given []float64
		least float64
		into  *[]float64
	}{{"stiffness", c.Stiffness, 0, &l.Stiff}, {"damping", c.Damping, 0, &l.Damp}, {"rated", c.Rated, 1e-6, &l.Rated}} {
		if f.given == nil {
			return m, l, device.ParamError{Name: f.name, Err: errors.New("is missing; target: torque needs it")}
		}
		if *f.into, err = perJoint(f.name, f.given, n, 0); err != nil {
			return m, l, err
		}
		for _, v := range *f.into {
			if v < f.least {
				return m, l, device.ParamError{Name: f.name, Err: fmt.Errorf("%v is too small", v)}
			}
		}
	}
	return cia402.CyclicTorque, l, nil
}

// units returns the slaves, with those of their axes that are joints. Joints of a slave have to stand side by side.
func (c *config) units() (list []drives.Unit, err error) {
	words, err := ecat.Words(c.Axes)
	if err != nil {
		return nil, device.ParamError{Name: "axes", Err: err}
	}
	wrong := func(format string, args ...any) ([]drives.Unit, error) {
		return nil, device.ParamError{Name: "axes", Err: fmt.Errorf(format, args...)}
	}
	if len(words) == 0 || len(words) > drives.Most {
		return wrong("%d axes are given; 1 to %d are allowed", len(words), drives.Most)
	}
	for _, w := range words {
		slave, number, several := strings.Cut(w, ":")
		axis := 1
		if several {
			if axis, err = strconv.Atoi(number); err != nil || axis < 1 || axis > cia402.MostAxes {
				return wrong("%q: axes of a slave are 1 to %d", w, cia402.MostAxes)
			}
		}
		where := ecat.Where{Bus: c.Bus}
		digits, byAlias := strings.CutPrefix(slave, "alias")
		which, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || which == 0 {
			return wrong("%q is not a slave such as 3, 3:2 or alias7", w)
		}
		if where.Slave = int(which); byAlias {
			where.Slave, where.Alias = 0, int(which)
		}
		last := len(list) - 1
		for i := range list {
			if list[i].Where != where {
				continue
			}
			for _, a := range list[i].Order {
				if a == axis-1 {
					return wrong("%q is given twice", w)
				}
			}
			if i != last {
				return wrong("%q: write the axes of a slave side by side", w)
			}
		}
		if last < 0 || list[last].Where != where {
			list = append(list, drives.Unit{Where: where})
			last++
		}
		list[last].Order = append(list[last].Order, axis-1)
	}
	return list, nil
}

// joints are n of them with their limits, and where they are taken to be before they are heard of.
func joints(n int, kinds string, l *arm.Limits) (list []kinematics.Joint, start []float64, err error) {
	words, err := ecat.Words(kinds)
	if err != nil || len(words) > 1 && len(words) != n {
		return nil, nil, device.ParamError{Name: "kinds", Err: fmt.Errorf("%d words for %d joints", len(words), n)}
	}
	for _, f := range []struct {
		name  string
		given []float64
	}{{"min_joint", l.Min}, {"max_joint", l.Max}, {"max_vel", l.Vel}, {"max_acc", l.Acc}} {
		if f.given == nil {
			return nil, nil, device.ParamError{Name: f.name, Err: errors.New("is missing")}
		}
	}
	models := make([]kinematics.Joint, n)
	for i := range models {
		models[i] = kinematics.Joint{Name: fmt.Sprintf("J%d", i+1)}
		kind := revolute
		if len(words) > 0 {
			kind = words[min(i, len(words)-1)]
		}
		switch kind {
		case revolute:
		case prismatic:
			models[i].Kind = kinematics.Prismatic
		default:
			return nil, nil, device.ParamError{Name: "kinds", Err: fmt.Errorf("%q is neither %s nor %s", kind, revolute, prismatic)}
		}
	}
	if list, err = l.Overlay(models); err != nil {
		return nil, nil, err
	}
	for _, j := range list {
		if !(j.Min <= j.Max) || !(j.Velocity > 0) || !(j.Acceleration > 0) || math.IsInf(j.Velocity+j.Acceleration+j.Max-j.Min, 0) {
			return nil, nil, device.ParamError{Name: "min_joint", Err: fmt.Errorf("joint %s: from %v to %v with velocity %v and acceleration %v", j.Name, j.Min, j.Max, j.Velocity, j.Acceleration)}
		}
	}
	start, err = l.Start(list, nil)
	return list, start, err
}

// gear makes counts of joints.
func (s *scale) gear(of []kinematics.Joint) (*drives.Gear, error) {
	n := len(of)
	increments, err := perJoint("increments", s.Increments, n, 0)
	if err != nil {
		return nil, err
	}
	ratio, err := perJoint("gear", s.Gear, n, 1)
	if err != nil {
		return nil, err
	}
	feed, err := perJoint("feed", s.Feed, n, 0)
	if err != nil {
		return nil, err
	}
	direction, err := perJoint("direction", s.Direction, n, 1)
	if err != nil {
		return nil, err
	}
	offset, err := perJoint("offset", s.Offset, n, 0)
	if err != nil {
		return nil, err
	}
	counts := make([]float64, n)
	for i := range counts {
		turn := 2 * math.Pi
		if of[i].Kind == kinematics.Prismatic {
			turn = feed[i]
		}
		switch {
		case !(turn > 0):
			return nil, device.ParamError{Name: "feed", Err: fmt.Errorf("is missing for joint %s, which slides", of[i].Name)}
		case direction[i] != 1 && direction[i] != -1:
			return nil, device.ParamError{Name: "direction", Err: fmt.Errorf("%v is neither 1 nor -1", direction[i])}
		case !(increments[i] > 0):
			return nil, device.ParamError{Name: "increments", Err: fmt.Errorf("%v is not above 0", increments[i])}
		case ratio[i] == 0:
			return nil, device.ParamError{Name: "gear", Err: errors.New("must not be 0")}
		}
		counts[i] = increments[i] * ratio[i] * direction[i] / turn
	}
	return drives.NewGear(n, counts, offset, s.Coupling)
}

// perJoint are numbers for each joint, of which one is for all.
func perJoint(name string, given []float64, n int, usual float64) ([]float64, error) {
	if len(given) > 1 && len(given) != n {
		return nil, device.ParamError{Name: name, Err: fmt.Errorf("%d numbers for %d joints", len(given), n)}
	}
	all := make([]float64, n)
	for i := range all {
		switch len(given) {
		case 0:
			all[i] = usual
		case 1:
			all[i] = given[0]
		default:
			all[i] = given[i]
		}
		if v := all[i]; v != v || math.IsInf(v, 0) {
			return nil, device.ParamError{Name: name, Err: fmt.Errorf("%v is not finite", v)}
		}
	}
	return all, nil
}
