package kukafri

import "github.com/softrobot-rcc/rccd/rcc/device"

// phase is what the driver does with a robot.
type phase uint8

const (
	offline   phase = iota // no telegrams
	listening              // it does not answer: what the controller commands is not known
	mirroring              // it answers what the controller commands
	leading                // it answers set-points of nets
	searching              // it led, and does not answer while it is unknown what the controller commands
	switching              // it led, and the KRL program switches strategy or load in monitor mode
	stopping               // in command mode it brings joints to rest, and leaves them there
	phases
)

func (p phase) String() string {
	return [phases]string{"offline", "listening", "mirroring", "leading", "searching", "switching", "stopping"}[p]
}

// signals are what the newest telegram and the talk with the KRL program say.
type signals uint16

const (
	powered   signals = 1 << iota
	commanded         // command mode
	left              // the controller left command mode, unrequested
	talking           // the program is doing what it was asked to
	sighted           // what the controller commands is known
	nearby            // joints are measured where they are commanded
	wanted            // command mode is wanted
	rated             // the controller rates answers as good
)

// has reports whether all of these are on.
func (s signals) has(all signals) bool { return s&all == all }

// when returns the signal if it is on.
func (s signals) when(on bool) signals {
	if on {
		return s
	}
	return 0
}

// among is a set of phases.
type among uint8

const (
	anyPhase among = 1<<phases - 1
	inLead   among = 1<<leading | 1<<searching | 1<<switching
)

func (a among) has(p phase) bool { return a>>p&1 != 0 }

// transition is a line of the table: from some phases, with some signals on and others off.
type transition struct {
	from          among
	with, without signals
	to            phase
	why           reason // for which command mode is not wanted any more
}

// transitions are what follows from a telegram: the first line that fits. When telegrams stop, the phase is offline.
var transitions = [...]transition{
	{from: anyPhase, with: left, to: mirroring, why: leftCommandMode},
	{from: anyPhase, without: powered, to: mirroring}, // brakes hold the robot, and commands are where it is
	{from: inLead, with: talking, without: commanded, to: switching},
	{from: anyPhase, without: commanded, to: mirroring},
	// Command mode, with power: answers move the robot.
	{from: inLead, without: sighted, to: searching},
	{from: anyPhase, without: sighted, to: listening},
	{from: inLead, with: wanted, to: leading},
	{from: anyPhase, with: wanted | nearby, to: leading}, // from rest, and for nets that begin again
	{from: anyPhase, to: stopping},
}

// next returns the phase after a telegram, and why the driver stops wanting command mode, if it does.
func (p phase) next(s signals) (to phase, why reason) {
	for i := range transitions {
		if t := &transitions[i]; t.from.has(p) && s.has(t.with) && s&t.without == 0 {
			return t.to, t.why
		}
	}
	return listening, wantedStill
}

// reason is why the driver does not want command mode.
type reason uint8

const (
	wantedStill     reason = iota
	leftCommandMode        // by itself, and the telegram does not say why
	leftUnpowered
	leftUnanswered // answers were missing, or rated too badly
	lostConnection
	programFailed
	byPeople
	byStop
	byClosing
)

func (r reason) String() string {
	switch r {
	case leftCommandMode:
		return "the controller left command mode (its message window says why: a limit, its operator, or its program)"
	case leftUnpowered:
		return "the controller left command mode: drives lost power"
	case leftUnanswered:
		return "the controller left command mode: answers were late or missing"
	case lostConnection:
		return "the session ended in command mode"
	case programFailed:
		return "the KRL program did not do what it was asked to"
	case byPeople:
		return "the robot was taken out of command mode"
	case byStop:
		return "the cell's emergency stop was pressed"
	case byClosing:
		return "the device is being closed"
	}
	return ""
}

// here reports whether the driver or its user wants the robot out of command mode, so that the driver asks the program to leave it.
func (r reason) here() bool { return r == byPeople || r == byStop || r == byClosing }

// Faults of joints of this driver.
const (
	faultOffline device.JointFault = device.JointOwnFaults + iota
	faultMonitored
	faultSwitching
	ownFaults // ends them
)

// FaultText returns a fault in words, also one of the driver's own (any).
func (*Robot) FaultText(f device.JointFault) string {
	switch f {
	case faultOffline:
		return "no session"
	case faultMonitored:
		return "no command mode"
	case faultSwitching:
		return "the KRL program is switching strategy or load"
	}
	return f.String()
}

// fault returns why joints cannot be commanded.
func fault(p phase, s signals) device.JointFault {
	switch {
	case p == offline:
		return faultOffline
	case p == switching:
		return faultSwitching
	case !s.has(powered):
		return device.JointDrivesOff
	case !s.has(nearby):
		return device.JointElsewhere
	}
	return faultMonitored
}

// hindrance says the same for people.
func hindrance(p phase, s signals) string {
	switch {
	case p == listening:
		return "not answering, as it is not known what the controller commands"
	case p == switching:
		return "the KRL program is switching strategy or load"
	case !s.has(powered):
		return "drives are off"
	case p == stopping && !s.has(wanted):
		return "command mode, joints stay where they are"
	case !s.has(nearby):
		return "joints are not where they are commanded"
	case s.has(talking):
		return "monitor mode, asking for command mode"
	case s.has(wanted) && !s.has(rated):
		return "monitor mode, the controller is rating answers"
	}
	return "monitor mode"
}
