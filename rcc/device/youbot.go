package device

// YouBotArm is what arms of KUKA's youBot can do beside what every arm does: their drives have more than one controller.
//
// Methods of the cycle may be called by any number of nets. Those that change something are called only by the net that owns it.
type YouBotArm interface {
	MultiJoint
	// SetController chooses the controller of all drives. One that does not exist, or that would let joints jump, is not chosen
	// (cycle).
	SetController(c Controller)
	// Controller is the one that is chosen (cycle).
	Controller() Controller
	// SetDriveSpring says how a joint is held under impedance control. Values that it cannot have are ignored (cycle).
	SetDriveSpring(joint int, is DriveSpring)
	// DriveSpring is how it is held then (cycle).
	DriveSpring(joint int) DriveSpring
}

// Controller is one of those of a drive.
type Controller int32

// Controllers.
const (
	ControlPosition  Controller = iota // joints are where they are commanded
	ControlImpedance                   // each joint is held by a spring
)

// DriveSpring is what holds a joint under impedance control.
type DriveSpring struct {
	Stiffness float64 // Nm/rad
	Damping   float64 // 0 to 1, where 1 does not overshoot
	Add       float64 // torque that the joint exerts beside, Nm
	Max       float64 // that the drive exerts at most, Nm; 0: as much as it can
}

// Slaves is a device with drives on a fieldbus, each of which reports its state.
type Slaves interface {
	Device
	// Slaves is how many there are. It does not change (any).
	Slaves() int
	// SlaveFlags returns the flags of a drive (cycle).
	SlaveFlags(slave int) uint32
}

// States of the drives of a youBot, as numbers of bits.
const (
	SlaveOvercurrent  = 0
	SlaveUndervoltage = 1
	SlaveOvervoltage  = 2
	SlaveTooHot       = 3
	SlaveHalted       = 4 // the motor is
	SlaveHallSensor   = 5 // is broken
	SlavePWM          = 8 // from here on: how the motor is controlled
	SlaveVelocity     = 9
	SlavePosition     = 10
	SlaveTorque       = 11
	SlaveReached      = 14 // the position
	SlaveInitialised  = 15
	SlaveTimeout      = 16 // of the bus
	SlaveOverload     = 17 // for too long, I²t
)
