package client

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// JointModel is a device's description of one of its joints: how it is called, which way and how far it goes, and how fast set-points may
// move it.
type JointModel struct {
	Name                                 string
	Kind                                 string  // revolute or prismatic; empty if the device does not know anything of the joint
	Min, Max                             float64 // rad or m; ±Inf without limit
	Velocity, Acceleration, Jerk, Effort float64 // 0 without limit, or if it is not known
}

// Axis is where a joint turns or slides: a point, and the direction in which it counts, m.
type Axis struct{ Point, Direction [3]float64 }

// Model is the description of a device with joints by itself.
type Model struct {
	Joints []JointModel
	// Axes and Flange are seen from the base, where all joints are at 0. They are empty if the device does not know where it is
	// in space, or if its joints depend on each other.
	Axes   []Axis
	Flange [6]float64 // x, y, z, m; a, b, c about z, y, x, rad
}

// KindError is returned when a device is not of the kind that was asked for.
type KindError struct {
	Device, Type string
	Wanted       string   // an interface (§9.2)
	Offers       []string // interfaces
}

func (e *KindError) Error() string {
	offers := "nothing"
	if len(e.Offers) > 0 {
		offers = strings.Join(e.Offers, ", ")
	}
	return fmt.Sprintf("device %q does not offer %s: it is of type %s and offers %s", e.Device, e.Wanted, e.Type, offers)
}

// Interfaces of devices, which have pages under their names.
const (
	robotArm      = "robotarm"
	armKinematics = "armkinematics"
)

// Model returns the model of a device with joints. For a device without joints the error is a *KindError, for one that does not
// exist a *RefusedError.
func (d *Daemon) Model(ctx context.Context, device string) (m Model, err error) {
	var is deviceDetails
	if err = d.get(ctx, place("devices", device), &is); err != nil {
		return m, err
	}
	if !is.offers(robotArm) {
		return m, is.not(device, robotArm)
	}
	var joints jointsPage
	if err = d.get(ctx, place("devices", device)+robotArm, &joints); err != nil {
		return m, err
	}
	for i := range joints.Joints {
		m.Joints = append(m.Joints, joints.Joints[i].Model.read())
	}
	if !is.offers(armKinematics) {
		return m, nil
	}
	var where kinematicsPage
	if err = d.get(ctx, place("devices", device)+armKinematics, &where); err != nil {
		return m, err
	}
	for _, a := range where.Axes {
		m.Axes = append(m.Axes, Axis{[3]float64{a.X, a.Y, a.Z}, [3]float64{a.DX, a.DY, a.DZ}})
	}
	z := &where.Zero
	m.Flange = [6]float64{z.X, z.Y, z.Z, z.A, z.B, z.C}
	return m, nil
}

// deviceDetails is what the page of a device says.
type deviceDetails struct {
	Type, State, Cause string
	Interfaces         []struct{ Name string }
}

func (d *deviceDetails) offers(wanted string) bool {
	return slices.ContainsFunc(d.Interfaces, func(i struct{ Name string }) bool { return i.Name == wanted })
}

func (d *deviceDetails) not(device, wanted string) error {
	e := &KindError{Device: device, Type: d.Type, Wanted: wanted}
	for _, i := range d.Interfaces {
		e.Offers = append(e.Offers, i.Name)
	}
	return e
}

// jointsPage and kinematicsPage are what the pages of the interfaces say.
type (
	jointsPage struct {
		Joints []struct {
			Model   *jointView
			Refused *refusedView
		}
	}
	jointView struct {
		Name, Kind                           string
		Min, Max                             *float64
		Velocity, Acceleration, Jerk, Effort float64
	}
	kinematicsPage struct {
		Axes []struct{ X, Y, Z, DX, DY, DZ float64 }
		Zero struct{ X, Y, Z, A, B, C float64 }
	}
)

func (j *jointView) read() JointModel {
	m := JointModel{Min: math.Inf(-1), Max: math.Inf(1)}
	if j == nil {
		return m
	}
	m.Name, m.Kind, m.Velocity, m.Acceleration, m.Jerk, m.Effort = j.Name, j.Kind, j.Velocity, j.Acceleration, j.Jerk, j.Effort
	if j.Min != nil {
		m.Min = *j.Min
	}
	if j.Max != nil {
		m.Max = *j.Max
	}
	return m
}
