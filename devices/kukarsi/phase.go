package kukarsi

import "github.com/softrobot-rcc/rccd/rcc/device"

// phase is whether the robot may be moved, and if not why.
type phase uint32

const (
	offline phase = iota // nobody calls
	between              // a session has ended as it was asked to; the next one is to come
	strange              // in a session that may have corrections that are not known
	blind                // telegrams without positions
	reading              // the first step of figure 11.11
	refused              // the robot is not where it should be
	stopped              // emergency stop
	unpowered
	disarmed // after one of these two, in the same session
	broken   // telegrams were missing for too long, and the controller has not ended the session
	changing // a tool
	leaving  // the device is being closed
	ready    // under control from outside
	phases
)

// words are for operators: what the robot shows.
var words = [phases]string{
	offline: "", between: "", strange: "", blind: "rccd: no positions", reading: "rccd: reading positions", refused: "rccd: start refused",
	stopped: "rccd: emergency stop", unpowered: "rccd: drives are off", disarmed: "rccd: not armed", broken: "rccd: telegrams were missing", changing: "rccd: changing the tool",
	leaving: "rccd: control has ended", ready: "rccd: control",
}

// Faults of joints that are the driver's own.
const (
	faultOffline device.JointFault = device.JointOwnFaults + iota
	faultReading
	faultRefused
	faultDisarmed
	faultChanging
	faultHeld // a net that commanded before has not let go
)

// fault is what joints show (cycle).
func (p phase) fault() device.JointFault {
	switch p {
	case ready:
		return device.JointGood
	case stopped, unpowered:
		return device.JointDrivesOff
	case reading:
		return faultReading
	case refused, blind, strange:
		return faultRefused
	case disarmed, broken:
		return faultDisarmed
	case changing, between:
		return faultChanging
	default:
		return faultOffline
	}
}

// stops tells whether the program is asked to end the session (cycle).
func (p phase) stops(twoSteps bool) bool {
	switch p {
	case reading, changing, leaving, broken:
		return true
	case refused: // the program goes back to reading; without that step it would end
		return twoSteps
	default:
		return false
	}
}
