package robotics

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// Errors of commands, found when they are mapped. Each is wrapped in a mapping.PartError, which names the part.
var (
	ErrDuration      = errors.New("duration must be above 0")
	ErrNothingStarts = errors.New("transaction starts no command; use AddStart")
	ErrTwice         = errors.New("command is in several transactions, or twice in one")
	ErrWithin        = errors.New("command contains itself")
	ErrIncomplete    = errors.New("command without an actuator or an action")
	ErrNoState       = errors.New("no state")
	ErrNoEffect      = errors.New("effect without a function or a target")
	ErrNoCommand     = errors.New("no command")
	ErrNeverStarted  = errors.New("nothing starts the command; use AddStart, or Start in a handler")
	ErrParam         = errors.New("the command does not use this parameter")
	ErrParamTwice    = errors.New("parameter is given twice")
	ErrName          = errors.New("name must consist of letters, digits and _, and be unique")
	ErrNumber        = mapping.ErrNumber
	ErrPositive      = errors.New("must be a number above 0")
	ErrNegative      = errors.New("must be a number, 0 or above")
	ErrSync          = errors.New("unknown synchronisation")
	ErrOverride      = errors.New("override must be from 0 to 1")
	ErrUnsuited      = errors.New("the actuator cannot perform this action")
	ErrJoints        = errors.New("need one value for each joint")
	ErrLimits        = errors.New("limits must be above 0")
	ErrNoSensor      = errors.New("no sensor")
	ErrMemory        = errors.New("sensors remember at most 1000s")
	ErrPath          = errors.New("no such path")
	ErrBeyond        = errors.New("position is out of range")
	ErrShare         = errors.New("share must be above 0 and at most 1")
	ErrReach         = errors.New("pose is out of reach")
	ErrPlane         = errors.New("a base cannot rise or tilt")
	ErrOwnFrame      = errors.New("frame moves with the robot itself")
	ErrSpring        = errors.New("spring value is out of range")
	ErrNoControl     = errors.New("unknown kind of control")
	ErrTooFast       = errors.New("path exceeds a joint's limits (near a singularity, or too fast)")
	ErrArms          = errors.New("need at least two distinct arms")
	ErrNotCarried    = errors.New("robot does not carry the frame")
	ErrModels        = errors.New("device has two different models")
	ErrHandOver      = errors.New("the command before does not hand over the device; give it HandOver(true)")
)

// Errors of messages to a running command.
var (
	ErrNoInput = errors.New("the command has no such input")
	ErrToken   = errors.New("the command does not give the token")
)

// Errors of proxies, found when they are compared with their devices.
var (
	ErrNoDevice = errors.New("no device name")
	ErrModel    = errors.New("models differ; FindArm and FindJoints (package actuator) use that of the device")
	ErrUntold   = errors.New("device does not report this value")
)

// ForeignError is returned when a state or an effect is about a command that is not part of the one that is executed.
type ForeignError struct{ Command Command }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%v is not part of the command that is executed", e.Command)
}

// EffectError is returned when a handler has an effect on a command that is out of its reach.
type EffectError struct {
	Effect  string
	Command Command // to which something would be done
	Handler Command // to which the handler belongs
}

func (e *EffectError) Error() string {
	reach := "itself, or commands that it consists of"
	if e.Effect == "start" {
		reach = "commands that it consists of"
	}
	return fmt.Sprintf("a handler can %s %s, but not %v", e.Effect, reach, e.Command)
}

// StateError is returned when neither the action nor the actuator of a command has a state.
type StateError struct {
	Command Command
	State   any
}

func (e *StateError) Error() string { return fmt.Sprintf("%v has no state %v", e.Command, e.State) }

// FaultError is a fault during the execution of a command.
type FaultError struct {
	Command string // that has failed
	Fault   string // such as "out of range"
	Of      string // what it is wrong with, such as the name of a device
	Why     string // which joint and limit, or what else the device says; empty if it says nothing
}

func (e *FaultError) Error() string {
	text := fmt.Sprintf("%s: %s: %s", e.Command, e.Of, e.Fault)
	if e.Why != "" {
		text += " (" + e.Why + ")"
	}
	return text
}

// FailedError is returned when a command has failed, with all its faults in order.
type FailedError struct{ Faults []*FaultError }

func (e *FailedError) Error() string {
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.Error()
	}
	return "the command has failed: " + strings.Join(texts, "; ")
}

// Unwrap returns the faults.
func (e *FailedError) Unwrap() []error {
	all := make([]error, len(e.Faults))
	for i, f := range e.Faults {
		all[i] = f
	}
	return all
}

func typeName(v any) string {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "nothing"
	}
	return t.Name()
}

// Names of faults of actuators.
const (
	FaultConcurrent = "commanded by several"
	FaultIllegal    = "out of range"
	FaultFailed     = "cannot be commanded"
	FaultRefused    = "set-point was refused" // it would be beyond a limit, or not begin where the device is
)
