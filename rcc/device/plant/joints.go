package plant

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Options describe the behavior of joints. They are a part of the configuration of simulated devices.
type Options struct {
	Bandwidth float64       `rcc:"bandwidth" default:"25" min:"0.1" max:"100000" unit:"Hz" doc:"of the drives: how fast joints follow"`
	Damping   float64       `rcc:"damping" default:"1" min:"0.01" max:"100" unit:"1" doc:"of the drives; joints overshoot below 1"`
	Lag       time.Duration `rcc:"lag" default:"0s" min:"0s" max:"1s" doc:"age of measured values when they are there"`
	Noise     float64       `rcc:"noise" default:"0" min:"0" max:"1" unit:"rad or m" doc:"standard deviation of measured positions"`
	Seed      int           `rcc:"seed" default:"1" doc:"of the noise, which is the same in every run"`
	Stiffness float64       `rcc:"stiffness" default:"10000" min:"0.001" unit:"Nm/rad or N/m" doc:"by which joints resist torques from outside"`
}

// Joints are joints with drives. Step belongs to one thread; everything else may be called from anywhere.
type Joints struct {
	options Options
	period  float64
	free    transition
	joints  []joint
	powered atomic.Bool
	stopped atomic.Bool // by an emergency stop
	history []sample    // of all joints, a ring of times
	times   int
	newest  int
	random  random
}

type joint struct {
	brake         float64 // deceleration without power
	pos, vel, acc float64
	command       float64
	held          bool // by its brake
	fault         atomic.Int32
	torque        atomic.Uint64
	measured      device.JointMotion
	lead          device.JointMotion // of the next step, when it is led
	led           bool
	burden        float64 // torque of the next step beside the other one
}

type sample struct{ pos, vel, acc float64 }

// New makes joints that rest at positions, under power. Without power each of them is braked with a deceleration (load).
func New(o Options, period time.Duration, positions, brakes []float64) (*Joints, error) {
	if len(positions) != len(brakes) {
		return nil, fmt.Errorf("%d positions, %d brakes", len(positions), len(brakes))
	}
	if period <= 0 {
		return nil, errors.New("there is no cycle time")
	}
	step := period.Seconds()
	times := int(o.Lag.Seconds()/step) + 2
	j := &Joints{
		options: o, period: step, free: transitionOf(2*math.Pi*o.Bandwidth, o.Damping, step),
		joints: make([]joint, len(positions)), history: make([]sample, times*len(positions)), times: times,
		random: random(uint64(o.Seed)),
	}
	j.powered.Store(true)
	for i := range j.joints {
		x := &j.joints[i]
		if !(brakes[i] > 0) {
			return nil, fmt.Errorf("joint %d has no brake", i)
		}
		x.brake, x.pos, x.command = brakes[i], positions[i], positions[i]
		x.measured.Pos = positions[i]
		for k := range times {
			j.history[k*len(positions)+i].pos = positions[i]
		}
	}
	return j, nil
}

// Power switches the drives on or off (any). As long as there is an emergency stop they are not switched on.
func (j *Joints) Power(on bool) { j.powered.Store(on && !j.stopped.Load()) }

// EmergencyStop presses or releases it (any). Released, it leaves the drives without power.
func (j *Joints) EmergencyStop(pressed bool) {
	if pressed {
		j.powered.Store(false)
	}
	j.stopped.Store(pressed)
}

// Fail lets a joint fail with a fault, or repairs it with JointGood (any).
func (j *Joints) Fail(joint int, fault device.JointFault) {
	if x := j.at(joint); x != nil {
		x.fault.Store(int32(fault))
	}
}

// Push sets the torque, or force, that acts on a joint from outside (any).
func (j *Joints) Push(joint int, torque float64) {
	if x := j.at(joint); x != nil && torque == torque {
		x.torque.Store(math.Float64bits(torque))
	}
}

// Torque returns it (cycle).
func (j *Joints) Torque(joint int) float64 {
	if x := j.at(joint); x != nil {
		return math.Float64frombits(x.torque.Load())
	}
	return 0
}

// Fault returns why a joint does not follow (cycle).
func (j *Joints) Fault(joint int) device.JointFault {
	x := j.at(joint)
	switch {
	case x == nil:
		return device.JointFailed
	case !j.Powered():
		return device.JointDrivesOff
	}
	return device.JointFault(x.fault.Load())
}

// Powered reports whether the drives have power (cycle).
func (j *Joints) Powered() bool { return j.powered.Load() && !j.stopped.Load() }

// Stopped reports whether there is an emergency stop (any).
func (j *Joints) Stopped() bool { return j.stopped.Load() }

func (j *Joints) at(i int) *joint {
	if joints := j.joints; uint(i) < uint(len(joints)) {
		return &joints[i]
	}
	return nil
}

// Position returns where a joint is, which cannot be measured (thread of Step).
func (j *Joints) Position(joint int) float64 {
	if x := j.at(joint); x != nil {
		return x.pos
	}
	return 0
}

// Measured returns what sensors measure of a joint (thread of Step).
func (j *Joints) Measured(joint int) device.JointMotion {
	if x := j.at(joint); x != nil {
		return x.measured
	}
	return device.JointMotion{}
}

// Place puts a joint at a position, at rest (thread of Step).
func (j *Joints) Place(joint int, position float64) {
	if x := j.at(joint); x != nil && position == position {
		x.pos, x.vel, x.acc, x.command = position, 0, 0, position
	}
}

// Step lets a period pass in which the commands of all joints go from the ones before to these (cycle).
func (j *Joints) Step(commands []float64) {
	joints := j.joints
	j.newest++
	if j.newest >= j.times {
		j.newest = 0
	}
	for i := 0; i < len(joints) && i < len(commands); i++ {
		x := &joints[i]
		switch {
		case j.Fault(i) != device.JointGood:
			x.stop(j.period)
		case x.led:
			x.take(commands[i])
		default:
			x.follow(&j.free, commands[i], j.period, j.options.Stiffness)
		}
		x.led, x.burden = false, 0
		j.sense(i, x)
	}
}

// follow is a step under power.
func (x *joint) follow(t *transition, command, period, stiffness float64) {
	if !(math.Abs(command) < 1e12) {
		command = x.command
	}
	if x.held { // brakes open where the joint is
		x.held, x.command = false, command
	}
	away := (math.Float64frombits(x.torque.Load()) + x.burden) / stiffness
	x.pos, x.vel, x.acc = t.move(x.pos, x.vel, x.command+away, command+away, (command-x.command)/period)
	x.command = command
}

// stop is a step without power: friction of the brake takes its share of the velocity, until there is none.
func (x *joint) stop(period float64) {
	x.held = true
	time := period
	if most := math.Abs(x.vel) / x.brake; !(time < most) {
		time = most
	}
	x.acc = -math.Copysign(x.brake, x.vel)
	x.pos += x.vel*time + x.acc*time*time/2
	x.vel += x.acc * time
	if time < period {
		x.vel, x.acc = 0, 0
	}
	x.command = x.pos
}

// sense keeps what a joint does, and returns what it did before.
func (j *Joints) sense(i int, x *joint) {
	n := len(j.joints)
	now := sample{x.pos, x.vel, x.acc}
	if k := j.newest*n + i; uint(k) < uint(len(j.history)) {
		j.history[k] = now
	}
	age := j.options.Lag.Seconds() / j.period
	whole := int(age)
	share := age - float64(whole)
	late, later := j.before(whole, i), j.before(whole+1, i)
	x.measured = device.JointMotion{
		Pos: late.pos + share*(later.pos-late.pos), Vel: late.vel + share*(later.vel-late.vel), Acc: late.acc + share*(later.acc-late.acc),
	}
	if j.options.Noise > 0 {
		x.measured.Pos += j.options.Noise * j.random.normal()
	}
}

// before returns what a joint did some steps ago.
func (j *Joints) before(steps, i int) sample {
	at := j.newest - steps
	if at < 0 {
		at += j.times
	}
	if k := at*len(j.joints) + i; uint(k) < uint(len(j.history)) {
		return j.history[k]
	}
	return sample{}
}
