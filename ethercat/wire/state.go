package wire

// State is a state of the application layer (ETG.1000.6 §6.4), in the lower bits of control and status.
type State uint8

// States.
const (
	Init   State = 1
	PreOp  State = 2
	Boot   State = 3
	SafeOp State = 4
	Op     State = 8

	StateMask State = 0x0f
	// ErrorBit in a status means that there is a code; in a control it acknowledges that.
	ErrorBit State = 0x10
	// IDBit asks for the number of the device, and says that it stands where the code usually is.
	IDBit State = 0x20
)

// Base returns the state without the bits beside it.
func (s State) Base() State { return s & StateMask }

// Error reports whether the error bit is set.
func (s State) Error() bool { return s&ErrorBit != 0 }

func (s State) String() string {
	name := ""
	switch s.Base() {
	case Init:
		name = "Init"
	case PreOp:
		name = "Pre-Op"
	case Boot:
		name = "Boot"
	case SafeOp:
		name = "Safe-Op"
	case Op:
		name = "Op"
	default:
		name = "state " + inHex(uint64(s.Base()), 1)
	}
	if s.Error() {
		name += " with error"
	}
	return name
}

// Allowed reports whether a slave may go from one state to another: one step up, any number down, and between Init and Boot.
func Allowed(from, to State) bool {
	switch from, to = from.Base(), to.Base(); to {
	case Init:
		return true
	case PreOp:
		return from != Boot
	case Boot:
		return from == Init || from == Boot
	case SafeOp:
		return from == PreOp || from == SafeOp || from == Op
	case Op:
		return from == SafeOp || from == Op
	}
	return false
}
