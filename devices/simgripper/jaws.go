package simgripper

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

var (
	_ device.Jaws   = (*Jaws)(nil)
	_ device.Cyclic = (*Jaws)(nil)
)

type jawsConfig struct {
	Arm    string        `rcc:"arm" doc:"device of the arm that carries the gripper, which stays as long as the gripper does; none if left out"`
	Speed  float64       `rcc:"max_vel" default:"0.02" min:"0.0001" unit:"m/s" doc:"of the jaws"`
	Cycle  time.Duration `rcc:"cycle" default:"10ms" min:"100us" max:"1s" doc:"of the gripper"`
	Faults string        `rcc:"faults" doc:"what goes wrong and when, such as 1s fail; 2s repair"`
}

// Jaws are a simulated gripper of a youBot. They are closed at first.
type Jaws struct {
	device.Rest
	cfg    jawsConfig
	arm    device.Device // nil without
	wanted atomic.Uint64 // bits of the distance
	now    atomic.Uint64
	failed atomic.Bool
	script *script.Script
	stop   *device.Stop
}

func openJaws(env *device.Env, cfg *jawsConfig) (device.Device, error) {
	if env.Original != nil {
		cfg.Faults = ""
	}
	happens, err := script.Parse(cfg.Faults, jawsEvents)
	if err != nil {
		return nil, device.WrongParam("faults", "%w", err)
	}
	j := &Jaws{cfg: *cfg, script: happens, stop: env.Stop}
	if env.Original != nil {
		j.begin(env.Original)
	}
	if cfg.Arm != "" {
		if j.arm, err = env.Device(cfg.Arm); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// begin brings the jaws of a twin to where those are that it stands in for (load).
func (j *Jaws) begin(as *device.Original) {
	if from, is := as.Device.(device.Jaws); is {
		distance := math.Float64bits(from.Distance())
		j.wanted.Store(distance)
		j.now.Store(distance)
	}
}

// Status returns the status of the arm, unless the gripper itself has failed: it is at the controller of the arm (any).
func (j *Jaws) Status() device.Status {
	if j.failed.Load() {
		return device.Status{State: device.SafeOperational, Cause: "the gripper has failed"}
	}
	if j.arm == nil {
		return device.Status{State: device.Operational}
	}
	return j.arm.Status()
}

// Interfaces returns none (any).
func (j *Jaws) Interfaces() []device.Interface { return nil }

// Close does nothing.
func (j *Jaws) Close() error { return nil }

// Period returns the cycle of the gripper.
func (j *Jaws) Period() time.Duration { return j.cfg.Cycle }

// Distance returns the distance between the jaws (cycle).
func (j *Jaws) Distance() float64 { return math.Float64frombits(j.now.Load()) }

// Open moves the jaws to a distance. A distance that they cannot take becomes the nearest that they can; NaN is ignored
// (cycle).
func (j *Jaws) Open(distance float64) {
	if distance == distance {
		j.wanted.Store(math.Float64bits(min(max(distance, 0), device.MostDistance)))
	}
}

// Events of jaws, by the numbers of jawsEvents.
const (
	jawsFail = iota
	jawsRepaired
)

var jawsEvents = []script.Word{jawsFail: {Name: "fail"}, jawsRepaired: {Name: "repair"}}

// Script returns what happens to the jaws (any).
func (j *Jaws) Script() *script.Script { return j.script }

// Tick moves the jaws for a period, unless they have failed or there is an emergency stop (cycle).
func (j *Jaws) Tick(t device.Tick) {
	for e, due := j.script.Next(t.Time); due; e, due = j.script.Next(t.Time) {
		j.failed.Store(e.What == jawsFail)
	}
	if j.failed.Load() || j.stop.Pressed() || j.Halting() {
		j.Note(true)
		return
	}
	step := j.cfg.Speed * t.Period
	now, wanted := j.Distance(), math.Float64frombits(j.wanted.Load())
	j.now.Store(math.Float64bits(min(max(wanted, now-step), now+step)))
}
