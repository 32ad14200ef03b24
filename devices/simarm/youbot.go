package simarm

import (
	"math"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// YouBot is an arm whose drives can hold joints by springs.
type YouBot struct {
	*Robot
	controller atomic.Int32
	drives     []drive
}

var (
	_ device.YouBotArm = (*YouBot)(nil)
	_ device.Slaves    = (*YouBot)(nil)
)

// drive is that of a joint.
type drive struct {
	stop  kinematics.Joint
	given *device.Latest // spring
}

// Masses and friction are assumed: those of a small arm.
const (
	youBotInertia  = 0.05 // kg·m²
	youBotFriction = 0.05 // Nm·s/rad
)

// near is how near to where it is commanded a joint must be for another controller, and still when it has reached that.
const near = 0.01

// usualSpring is how joints are held by default.
var usualSpring = device.DriveSpring{Stiffness: 20, Damping: 0.7}

func newYouBot(r *Robot, as *device.Original) *YouBot {
	y := &YouBot{Robot: r, drives: make([]drive, r.Joints())}
	for i := range y.drives {
		d := &y.drives[i]
		d.stop, d.given = r.arm.Chain.Joint(i), device.NewLatest(4)
		d.put(usualSpring)
	}
	if as != nil {
		y.take(as)
	}
	return y
}

func (d *drive) put(is device.DriveSpring) {
	d.given.Put([]uint64{math.Float64bits(is.Stiffness), math.Float64bits(is.Damping), math.Float64bits(is.Add), math.Float64bits(is.Max)})
}

func (d *drive) spring() device.DriveSpring {
	var w [4]uint64
	d.given.Get(0, w[:])
	v := func(i int) float64 { return math.Float64frombits(w[i]) }
	return device.DriveSpring{Stiffness: v(0), Damping: v(1), Add: v(2), Max: v(3)}
}

// Tick executes a cycle of the drives (cycle).
func (y *YouBot) Tick(t device.Tick) {
	y.happen(t.Time)
	y.prepare(t)
	if drives, commands := y.drives, y.commands; y.Controller() == device.ControlImpedance {
		for i := 0; i < len(drives) && i < len(commands); i++ {
			y.plant.Lead(i, drives[i].yield(commands[i], y.plant.Motion(i), y.plant.Torque(i), y.period.Seconds()))
		}
	}
	y.plant.Step(y.commands)
	y.finish(t)
}

// yield returns what a joint does in a period under a torque from outside. Forces are those at the end of the period (implicit Euler
// method), so springs of any stiffness lose energy; a drive that would have to exert more than it may gives way.
func (d *drive) yield(command float64, now device.JointMotion, torque, period float64) device.JointMotion {
	is := d.spring()
	outside := torque + is.Add
	damping := 2*is.Damping*math.Sqrt(is.Stiffness*youBotInertia) + youBotFriction
	momentum := youBotInertia * now.Vel
	vel := (momentum + period*(outside+is.Stiffness*(command-now.Pos))) / (youBotInertia + period*damping + period*period*is.Stiffness)
	held := (youBotInertia*vel-momentum)/period - outside
	if is.Max > 0 && math.Abs(held) > is.Max {
		vel = (momentum + period*(outside+math.Copysign(is.Max, held))) / (youBotInertia + period*youBotFriction)
	}
	to := device.JointMotion{Pos: now.Pos + period*vel, Vel: vel, Acc: (vel - now.Vel) / period}
	if to.Pos < d.stop.Min || to.Pos > d.stop.Max {
		to = device.JointMotion{Pos: min(max(to.Pos, d.stop.Min), d.stop.Max)}
	}
	return to
}

// Controller returns the one of the drives (cycle).
func (y *YouBot) Controller() device.Controller { return device.Controller(y.controller.Load()) }

// SetController chooses another one, while joints are where they are commanded (cycle).
func (y *YouBot) SetController(c device.Controller) {
	if c != device.ControlPosition && c != device.ControlImpedance {
		return
	}
	for i := range y.drives {
		if s := y.Joint(i); c != y.Controller() && !(math.Abs(s.Commanded.Pos-s.Measured.Pos) < near) {
			return
		}
	}
	y.controller.Store(int32(c))
}

// SetDriveSpring sets how a joint is held (cycle).
func (y *YouBot) SetDriveSpring(joint int, is device.DriveSpring) {
	sum := is.Stiffness + is.Damping + is.Add + is.Max
	if sum-sum != 0 || is.Stiffness < 0 || is.Damping < 0 || is.Damping > 1 || is.Max < 0 {
		return
	}
	if drives := y.drives; uint(joint) < uint(len(drives)) {
		drives[joint].put(is)
	}
}

// DriveSpring returns how it is held (cycle).
func (y *YouBot) DriveSpring(joint int) device.DriveSpring {
	if drives := y.drives; uint(joint) < uint(len(drives)) {
		return drives[joint].spring()
	}
	return device.DriveSpring{}
}

// Slaves returns the number of drives (any).
func (y *YouBot) Slaves() int { return len(y.drives) }

// SlaveFlags returns the flags of a drive. One that has failed reports overcurrent (cycle).
func (y *YouBot) SlaveFlags(slave int) uint32 {
	if uint(slave) >= uint(len(y.drives)) {
		return 0
	}
	s := y.Joint(slave)
	holds := s.Fault != device.JointDrivesOff && s.Fault != device.JointFailed
	flags := flag(device.SlaveOvercurrent, s.Fault == device.JointFailed)
	flags |= flag(device.SlaveHalted, !holds)
	flags |= flag(device.SlavePosition, holds && y.Controller() == device.ControlPosition)
	flags |= flag(device.SlaveTorque, holds && y.Controller() == device.ControlImpedance)
	flags |= flag(device.SlaveReached, math.Abs(s.Commanded.Pos-s.Measured.Pos) < near)
	flags |= flag(device.SlaveInitialised, true)
	return flags
}

func flag(bit int, on bool) uint32 {
	if on {
		return 1 << bit
	}
	return 0
}
