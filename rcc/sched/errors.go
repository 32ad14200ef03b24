package sched

import (
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Errors that carry no facts.
var (
	ErrUnknown  = errors.New("net is not there any more")
	ErrClosed   = errors.New("scheduler is closed")
	ErrDrained  = errors.New("nothing starts any more, the daemon is ending")
	ErrFull     = errors.New("too many nets")
	ErrTooMany  = errors.New("too many rules or resources")
	ErrPeriods  = fmt.Errorf("the nets have %d different periods and classes already, that is the limit", maxExecutors)
	ErrProbes   = errors.New("too many probes")
	ErrMismatch = errors.New("condition and variables do not match")
)

// UnknownError is returned when a rule is to fire that names an unknown net; it is an ErrUnknown.
type UnknownError struct {
	Net Ref
}

// Error names the net and the reason.
func (e *UnknownError) Error() string { return fmt.Sprintf("net %v is not there any more", e.Net) }

// Unwrap makes it an ErrUnknown.
func (e *UnknownError) Unwrap() error { return ErrUnknown }

// NotStartableError is returned for a net that has been started already.
type NotStartableError struct {
	Net   Ref
	State State
}

// Error names the net and the reason.
func (e *NotStartableError) Error() string {
	return fmt.Sprintf("net %v cannot be started: it is %v", e.Net, e.State)
}

// TakenError is returned when a net that the same switch does not stop holds a resource (§6.2).
type TakenError struct {
	Net      Ref // that was to be started
	Resource device.Resource
	Holder   Ref
}

// Error names the net and the reason.
func (e *TakenError) Error() string {
	return fmt.Sprintf("net %v cannot be started: %v is taken by net %v", e.Net, e.Resource, e.Holder)
}

// SharedError is returned when two nets to be started need the same resource.
type SharedError struct {
	Resource device.Resource
	Nets     [2]Ref
}

// Error names the net and the reason.
func (e *SharedError) Error() string {
	return fmt.Sprintf("nets %v and %v both need %v", e.Nets[0], e.Nets[1], e.Resource)
}

// FollowedError is returned for a net that already has a follower.
type FollowedError struct {
	Net, Follower Ref
}

// Error names the net and the reason.
func (e *FollowedError) Error() string {
	return fmt.Sprintf("net %v is to follow net %v", e.Follower, e.Net)
}

// OverlapError is returned for a net that is named twice in one switch (§6.1: the sets are disjoint).
type OverlapError struct {
	Net Ref
}

// Error names the net.
func (e *OverlapError) Error() string { return fmt.Sprintf("net %v is named twice", e.Net) }

// NoCommonTickError is returned when nets whose periods hardly ever meet cannot be started together.
type NoCommonTickError struct{}

// Error names the net and the reason.
func (NoCommonTickError) Error() string {
	return fmt.Sprintf("the periods of the nets have no common tick within %v", time.Duration(longestWait))
}

// PeriodError is returned for a period that no executor can have.
type PeriodError struct {
	Period time.Duration
}

// Error names the limits.
func (e *PeriodError) Error() string {
	return fmt.Sprintf("period %v is not between %v and %v", e.Period, time.Duration(shortestPeriod), time.Duration(longestPeriod))
}

// LoadError is returned for a net for which a CPU has no time beside the nets that run.
type LoadError struct {
	Net Ref // that was to be started
	Load
}

// Error says how much time the CPU has, and how much nets take.
func (e *LoadError) Error() string { return e.Told(fmt.Sprintf("net %v", e.Net)) }

// Told returns the text of the error with the name of the net.
func (e *LoadError) Told(net string) string {
	return fmt.Sprintf("%s cannot be started: of %s nets may have %v, those that run take %v, and this would add %v",
		net, e.Place(), e.Limit, e.Taken, e.Share)
}

// OverloadError is the reason why a net has to make room: the running nets take more time than their CPU has for them.
type OverloadError struct {
	Net Ref // that was started last
	Load
}

// Error says how much time the CPU has, and how much nets take.
func (e *OverloadError) Error() string { return e.Told(fmt.Sprintf("net %v", e.Net)) }

// Told returns the text of the error with the name of the net.
func (e *OverloadError) Told(net string) string {
	return fmt.Sprintf("%s is ended: of %s nets may have %v, the others take %v, and it takes %v, measured %d times in a row",
		net, e.Place(), e.Limit, e.Taken, e.Share, enough)
}

// OverrunError is the reason why a net is ended that takes longer than its period.
type OverrunError struct {
	Net     Ref
	Period  time.Duration
	Cycles  int           // in a row that were too long
	Excess  time.Duration // by which they together were too long, without the first
	Outside time.Duration // of it that interrupts and the host have taken, as far as the system knows
}

// Error says how much time the net has taken.
func (e *OverrunError) Error() string { return e.Told(fmt.Sprintf("net %v", e.Net)) }

// Told returns the text of the error with the name of the net.
func (e *OverrunError) Told(net string) string {
	return fmt.Sprintf("%s is ended: its last %d cycles took longer than %v, together by %v, of which interrupts and the host took %v",
		net, e.Cycles, e.Period, e.Excess.Round(time.Microsecond), e.Outside)
}

// OverError is returned for a net that does not run any more.
type OverError struct {
	Net   Ref
	State State
}

// Error names the net and its state.
func (e *OverError) Error() string { return fmt.Sprintf("net %v is %v", e.Net, e.State) }

// refusal is an error while it is numbers.
type refusal struct {
	reason   reason
	state    State
	net      Ref
	resource uint32
	holder   Ref
	load     load
	period   int64
	overrun
}

type reason uint8

const (
	fine reason = iota
	unknown
	notStartable
	taken
	followed
	noCommonTick
	drained
	noTime
	overloaded
	overran
	over
)

func (s *Scheduler) errorOf(r refusal) error {
	switch r.reason {
	case unknown:
		return &UnknownError{r.net}
	case notStartable:
		return &NotStartableError{r.net, r.state}
	case taken:
		return &TakenError{r.net, s.resourceName(r.resource), r.holder}
	case followed:
		return &FollowedError{r.net, r.holder}
	case noCommonTick:
		return NoCommonTickError{}
	case noTime:
		return &LoadError{r.net, r.load.exported(s)}
	case overloaded:
		return &OverloadError{r.net, r.load.exported(s)}
	case overran:
		return &OverrunError{r.net, time.Duration(r.period), r.cycles, time.Duration(r.excess), time.Duration(r.outside)}
	case drained:
		return ErrDrained
	case over:
		return &OverError{r.net, r.state}
	default:
		return nil
	}
}
