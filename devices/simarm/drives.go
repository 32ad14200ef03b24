package simarm

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/multijoint"
	"github.com/softrobot-rcc/rccd/rcc/device/plant"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
	"github.com/softrobot-rcc/rccd/rcc/device/setpoint"
)

// Drives are simulated joints, with what all devices with joints have in common.
type Drives struct {
	*multijoint.Group
	device.Rest
	models   []kinematics.Joint
	period   time.Duration
	loading  int64 // ns until a tool is in use
	axes     *setpoint.Axes
	plant    *plant.Joints
	script   *script.Script
	stop     *device.Stop
	stopped  bool      // by it
	jumps    bool      // joints do so for nets that want it
	commands []float64 // of this tick
	tools    []tool
}

// newDrives makes drives of a device to which more may happen than to joints: own are the words for that (load).
func newDrives(env *device.Env, joints []kinematics.Joint, home []float64, cfg *simulation, own ...script.Word) (*Drives, error) {
	home, err := cfg.begin(env.Original, joints, home)
	if err != nil {
		return nil, err
	}
	d := &Drives{
		stop:  env.Stop,
		jumps: !cfg.Strict, models: joints, period: cfg.Cycle, loading: int64(cfg.Loading), commands: make([]float64, len(joints)),
		tools: make([]tool, len(joints)),
	}
	brakes := make([]float64, len(joints))
	for i := range joints {
		d.tools[i].open()
		brakes[i] = joints[i].Acceleration
	}
	options := setpoint.Options{Cycle: cfg.Cycle, Ahead: cfg.Ahead, Lapse: cfg.Lapse, Margin: cfg.Margin, Steps: !cfg.Strict}
	if d.axes, err = setpoint.New(joints, home, options); err != nil {
		return nil, err
	}
	d.Group = multijoint.New(d.axes)
	if d.plant, err = plant.New(cfg.Options, cfg.Cycle, home, brakes); err != nil {
		return nil, err
	}
	if d.script, err = script.Parse(cfg.Faults, append(plant.Words(len(joints)), own...)); err != nil {
		return nil, device.WrongParam("faults", "%w", err)
	}
	d.plant.Power(cfg.Power)
	d.publish()
	return d, nil
}

// Period returns the cycle of the drives.
func (d *Drives) Period() time.Duration { return d.period }

// Tick executes a cycle of the drives: commands of nets in the tick before take effect.
func (d *Drives) Tick(t device.Tick) {
	d.happen(t.Time)
	d.prepare(t)
	d.plant.Step(d.commands)
	d.finish(t)
}

// Script returns what happens to the drives (any).
func (d *Drives) Script() *script.Script { return d.script }

// happen lets everything happen that is due, up to something that the device has a word of its own for (cycle).
func (d *Drives) happen(now int64) (e script.Event, own bool) {
	if pressed := d.stop.Pressed(); pressed != d.stopped {
		d.stopped = pressed
		d.plant.EmergencyStop(pressed)
	}
	for {
		e, due := d.script.Next(now)
		switch {
		case !due:
			return e, false
		case e.What >= plant.OwnWords:
			return e, true
		}
		d.plant.Happen(&e)
	}
}

// prepare finds out what joints are commanded in a tick (cycle).
func (d *Drives) prepare(t device.Tick) {
	for i := range d.commands {
		if why := d.plant.Fault(i); why != device.JointGood {
			d.axes.Block(i, why, d.plant.Position(i))
		} else {
			d.axes.Unblock(i)
		}
		if d.Halting() {
			d.axes.Revoke(i, device.JointDrivesOff)
		}
	}
	d.axes.Values(t.Time-int64(d.period), d.commands)
	for i := range d.commands {
		if at, jumped := d.axes.Placed(i); jumped {
			d.plant.Place(i, at)
		}
	}
}

// PlaceJoint puts a joint at a position at once, if it may jump (cycle).
func (d *Drives) PlaceJoint(joint int, position float64, at device.Instant) {
	if d.jumps {
		d.axes.Place(joint, position, at)
	}
}

// finish shows the outcome (cycle).
func (d *Drives) finish(t device.Tick) {
	tools := d.tools
	for i := range tools {
		tools[i].load(t.Time, d.loading)
	}
	d.publish()
	d.Note(d.still())
}

// slow is a velocity that counts as rest, in rad/s or m/s: drives come nearer and nearer to where they are commanded.
const slow = 1e-5

// still reports whether nothing moves, and is commanded to (cycle).
func (d *Drives) still() bool {
	for i := range d.commands {
		if d.axes.Commanded(i).Vel != 0 || !(math.Abs(d.plant.Motion(i).Vel) <= slow) {
			return false
		}
	}
	return true
}

// publish makes the state of the joints visible to all threads (cycle).
func (d *Drives) publish() {
	for i := range d.Joints() {
		fault := d.plant.Fault(i)
		if fault == device.JointGood {
			fault = d.axes.Fault(i)
		}
		d.Report(i, device.JointState{Commanded: d.axes.Commanded(i), Measured: d.plant.Measured(i), Fault: fault})
	}
}

// Status returns the state of the arm, with the reason if it cannot be commanded (any).
func (d *Drives) Status() device.Status {
	switch {
	case d.plant.Stopped():
		return device.Status{State: device.SafeOperational, Cause: "emergency stop"}
	case !d.plant.Powered():
		return device.Status{State: device.SafeOperational, Cause: "drives are off"}
	}
	var failed []string
	for i := range d.models {
		if f := d.plant.Fault(i); f != device.JointGood {
			failed = append(failed, fmt.Sprintf("joint %s: %v", d.models[i].Name, f))
		}
	}
	if failed != nil {
		return device.Status{State: device.SafeOperational, Cause: strings.Join(failed, "; ")}
	}
	return device.Status{State: device.Operational, Cause: d.axes.Trouble()}
}

// Close does nothing.
func (d *Drives) Close() error { return nil }
