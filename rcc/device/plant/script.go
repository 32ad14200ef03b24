package plant

import (
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/script"
)

// Events of joints, by the numbers of Words.
const (
	powerOff = iota
	powerOn
	stopPressed
	stopReleased
	failed
	atLimit
	repaired
	pushed
	// OwnWords is the number of the first word of a device that knows more than Words.
	OwnWords
)

// Words returns the words of events of n joints, for example
//
//	1s off; 1.5s on; 2s fail 0; 2.5s repair 0; 3s limit 1; 4s estop; 5s release; 5s torque 2 10
//
// Joints are counted from 0.
func Words(n int) []script.Word {
	joint := []script.Number{script.Index("joint", n)}
	return []script.Word{
		powerOff: {Name: "off"}, powerOn: {Name: "on"}, stopPressed: {Name: "estop"}, stopReleased: {Name: "release"},
		failed: {Name: "fail", Numbers: joint}, atLimit: {Name: "limit", Numbers: joint}, repaired: {Name: "repair", Numbers: joint},
		pushed: {Name: "torque", Numbers: append(joint, script.Any)},
	}
}

// Happen makes an event happen (cycle).
func (j *Joints) Happen(e *script.Event) {
	joint := int(e.Numbers[0])
	switch e.What {
	case powerOff:
		j.Power(false)
	case powerOn:
		j.Power(true)
	case stopPressed:
		j.EmergencyStop(true)
	case stopReleased:
		j.EmergencyStop(false)
	case failed:
		j.Fail(joint, device.JointFailed)
	case atLimit:
		j.Fail(joint, device.JointLimitPosition)
	case repaired:
		j.Fail(joint, device.JointGood)
	case pushed:
		j.Push(joint, e.Numbers[1])
	}
}
