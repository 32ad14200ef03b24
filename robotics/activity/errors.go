package activity

import (
	"errors"
	"fmt"
)

// What may be wrong with activities.
var (
	ErrShare     = errors.New("a motion goes over into the next one at a share above 0 and below 1 of its time")
	ErrDistance  = errors.New("a motion goes over into the next one a distance above 0 before its end")
	ErrMembers   = errors.New("several robots that move as one must be those of the arms, each once, of one connection")
	ErrCancelled = errors.New("the activity was cancelled before it had begun")
	ErrSameRobot = errors.New("a robot can do one thing at a time")
	ErrNothing   = errors.New("there is nothing to do")
	ErrOwn       = errors.New("what the activity does is known by the application alone")
	ErrWaits     = errors.New("what waits for rest in between cannot be previewed beside others")
	ErrBegin     = errors.New("where it begins is not known before the robot is there")
)

// AfterError is that an activity has not begun, as the one before it has failed.
type AfterError struct {
	Activity string
	Cause    error
}

func (e *AfterError) Error() string {
	return fmt.Sprintf("%s: not begun after: %v", e.Activity, e.Cause)
}

// Unwrap returns why the one before has failed.
func (e *AfterError) Unwrap() error { return e.Cause }

// SwitchError is that the daemon could not switch to an activity that was ready, with its account of why. The one before goes on to its
// end.
type SwitchError struct{ Activity, Account string }

func (e *SwitchError) Error() string {
	return fmt.Sprintf("%s: not begun: %s", e.Activity, e.Account)
}
