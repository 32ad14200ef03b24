package activity

import (
	"errors"
	"fmt"
)

// Errors of activities.
var (
	ErrShare     = errors.New("blend share must be above 0 and below 1")
	ErrDistance  = errors.New("blend distance must be above 0")
	ErrMembers   = errors.New("robots that move as one must be those of the arms, each once, on one connection")
	ErrCancelled = errors.New("the activity was cancelled before it began")
	ErrSameRobot = errors.New("a robot can do one thing at a time")
	ErrNothing   = errors.New("nothing to do")
	ErrOwn       = errors.New("only the application knows what the activity does; it cannot be previewed")
	ErrWaits     = errors.New("an activity that waits for rest cannot be previewed beside others")
	ErrBegin     = errors.New("where the motion begins is not known before the robot is there")
)

// AfterError is returned when an activity has not begun, as the one before it has failed.
type AfterError struct {
	Activity string
	Cause    error
}

func (e *AfterError) Error() string {
	return fmt.Sprintf("%s: not begun after: %v", e.Activity, e.Cause)
}

// Unwrap returns why the one before has failed.
func (e *AfterError) Unwrap() error { return e.Cause }

// SwitchError is returned when the daemon could not switch to an activity that was ready, with its account of why. The one before goes on to its
// end.
type SwitchError struct{ Activity, Account string }

func (e *SwitchError) Error() string {
	return fmt.Sprintf("%s: not begun: %s", e.Activity, e.Account)
}
