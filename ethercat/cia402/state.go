package cia402

import "strconv"

// State is one of the state machine.
type State uint8

// The states.
const (
	NotReady State = iota
	SwitchOnDisabled
	ReadyToSwitchOn
	SwitchedOn
	OperationEnabled
	QuickStopActive
	FaultReaction
	Fault
)

// Bits of the statusword.
const (
	VoltageEnabled = 1 << 4
	Warning        = 1 << 7
	Remote         = 1 << 9
	TargetReached  = 1 << 10
	InternalLimit  = 1 << 11
	Follows        = 1 << 12 // in cyclic modes: the drive follows the command
	FollowingError = 1 << 13
	HomingAttained = 1 << 12 // while homing
	HomingError    = 1 << 13
)

// masks of the statusword: bit 5 distinguishes a quick stop from operation, and means nothing in states without power.
const (
	wholeMask = 0x6f
	shortMask = 0x4f
)

// StateOf returns the state in a statusword (cycle).
func StateOf(status uint16) State {
	switch status & shortMask {
	case 0x40:
		return SwitchOnDisabled
	case 0x0f:
		return FaultReaction
	case 0x08:
		return Fault
	}
	switch status & wholeMask {
	case 0x21:
		return ReadyToSwitchOn
	case 0x23:
		return SwitchedOn
	case 0x27:
		return OperationEnabled
	case 0x07:
		return QuickStopActive
	}
	return NotReady
}

// Status returns the bits of the statusword for a state (cycle).
func (s State) Status() uint16 {
	switch s {
	case SwitchOnDisabled:
		return 0x40
	case ReadyToSwitchOn:
		return 0x21
	case SwitchedOn:
		return 0x23
	case OperationEnabled:
		return 0x27
	case QuickStopActive:
		return 0x07
	case FaultReaction:
		return 0x0f
	case Fault:
		return 0x08
	case NotReady:
	}
	return 0
}

// Powered reports whether the motor has torque in a state (cycle).
func (s State) Powered() bool {
	return s == OperationEnabled || s == QuickStopActive || s == FaultReaction
}

func (s State) String() string {
	switch s {
	case NotReady:
		return "not ready to switch on"
	case SwitchOnDisabled:
		return "switch-on disabled"
	case ReadyToSwitchOn:
		return "ready to switch on"
	case SwitchedOn:
		return "switched on"
	case OperationEnabled:
		return "operation enabled"
	case QuickStopActive:
		return "quick stop active"
	case FaultReaction:
		return "fault reaction active"
	case Fault:
		return "fault"
	}
	return "state " + strconv.Itoa(int(s))
}

// Bits of the controlword.
const (
	BitSwitchOn = 1 << 0
	BitVoltage  = 1 << 1
	BitRun      = 1 << 2 // 0 is a quick stop
	BitEnable   = 1 << 3
	BitHome     = 1 << 4 // while homing: its rising edge begins it
	BitReset    = 1 << 7 // its rising edge resets a fault
)

// Commands: controlwords that lead from one state to another.
const (
	DisableVoltage  uint16 = 0
	QuickStop       uint16 = BitVoltage
	Shutdown        uint16 = BitVoltage | BitRun
	SwitchOn        uint16 = Shutdown | BitSwitchOn
	EnableOperation uint16 = SwitchOn | BitEnable
	ResetFault      uint16 = BitReset
)

// Mode is a mode of operation.
type Mode int8

// Modes.
const (
	ProfilePosition Mode = 1
	ProfileVelocity Mode = 3
	ProfileTorque   Mode = 4
	Homing          Mode = 6
	Interpolated    Mode = 7
	CyclicPosition  Mode = 8 // cyclic synchronous position
	CyclicVelocity  Mode = 9
	CyclicTorque    Mode = 10
)

// Supported returns the bit of object 0x6502 for a mode.
func (m Mode) Supported() uint32 {
	if m < ProfilePosition || m > CyclicTorque {
		return 0
	}
	return 1 << (m - 1)
}

func (m Mode) String() string {
	switch m {
	case 0:
		return "no mode"
	case ProfilePosition:
		return "profile position"
	case ProfileVelocity:
		return "profile velocity"
	case ProfileTorque:
		return "profile torque"
	case Homing:
		return "homing"
	case Interpolated:
		return "interpolated position"
	case CyclicPosition:
		return "cyclic synchronous position"
	case CyclicVelocity:
		return "cyclic synchronous velocity"
	case CyclicTorque:
		return "cyclic synchronous torque"
	}
	return "mode " + strconv.Itoa(int(m))
}
