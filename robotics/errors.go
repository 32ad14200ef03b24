package robotics

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/softrobot-rcc/rccd/robotics/mapping"
)

// What may be wrong with a command, found when it is mapped. Each comes with what it is wrong with, in a
// mapping.PartError.
var (
	ErrDuration      = errors.New("a time must be above 0")
	ErrNothingStarts = errors.New("a transaction needs a command that is started with it")
	ErrTwice         = errors.New("a command can be in one transaction, once")
	ErrWithin        = errors.New("a command is within itself")
	ErrIncomplete    = errors.New("a command needs an actuator and an action")
	ErrNoState       = errors.New("there is no state")
	ErrNoEffect      = errors.New("an effect needs something to do, and something it does it to")
	ErrNoCommand     = errors.New("there is no command")
	ErrNeverStarted  = errors.New("nothing starts the command")
	ErrParam         = errors.New("nobody asks for such a parameter")
	ErrParamTwice    = errors.New("a parameter can be given once")
	ErrName          = errors.New("a name is of letters, digits and _, and stands for one thing")
	ErrNumber        = mapping.ErrNumber
	ErrPositive      = errors.New("it must be a number above 0")
	ErrNegative      = errors.New("it must be a number, and not below 0")
	ErrSync          = errors.New("there is no such synchronisation")
	ErrOverride      = errors.New("an override is a share from 0 to 1")
	ErrUnsuited      = errors.New("the actuator cannot do that")
	ErrJoints        = errors.New("there must be one value for each joint")
	ErrLimits        = errors.New("limits must be above 0")
	ErrNoSensor      = errors.New("there is no sensor")
	ErrMemory        = errors.New("a sensor remembers 1000s at most")
	ErrPath          = errors.New("there is no such path")
	ErrBeyond        = errors.New("a joint cannot be there")
	ErrShare         = errors.New("a share must be above 0 and not above 1")
	ErrReach         = errors.New("the arm cannot reach there")
	ErrPlane         = errors.New("a base can neither rise nor tilt")
	ErrOwnFrame      = errors.New("the frame depends on how the robot itself moves")
	ErrSpring        = errors.New("no such spring")
	ErrNoControl     = errors.New("there is no way of control")
	ErrTooFast       = errors.New("a joint cannot be as fast as the way needs it, which is close to a singular pose, or too fast")
	ErrArms          = errors.New("it takes at least two arms, each of them once")
	ErrNotCarried    = errors.New("the frame is not carried by the robot")
	ErrModels        = errors.New("several models of one device")
	ErrHandOver      = errors.New("the command before does not hand over the device (HandOver)")
)

// What may be wrong with what a command that is being executed is told.
var (
	ErrNoInput = errors.New("the command has no such input")
	ErrToken   = errors.New("the command does not give that")
)

// What may be wrong with a proxy, found when it is compared with its device.
var (
	ErrNoDevice = errors.New("a proxy needs the name of its device")
	ErrModel    = errors.New("the models differ; Runtime.Arm and Runtime.Joints make proxies with that of the device")
	ErrUntold   = errors.New("the device does not tell that")
)

// ForeignError is that a state or an effect is about a command that is not part of the one that is executed.
type ForeignError struct{ Command Command }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%v is not part of the command that is executed", e.Command)
}

// EffectError is that a handler would do something to a command that is out of its reach.
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

// StateError is that neither the action nor the actuator of a command has a state.
type StateError struct {
	Command Command
	State   any
}

func (e *StateError) Error() string { return fmt.Sprintf("%v has no state %v", e.Command, e.State) }

// FaultError is something that has gone wrong while a command was executed.
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

// FailedError is that a command has failed, with all that has gone wrong, what came first is first.
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
	FaultIllegal    = "cannot be there"
	FaultFailed     = "cannot be commanded"
	FaultRefused    = "refuses to go on like that" // it would be beyond a limit, or not begin where the device is
)
