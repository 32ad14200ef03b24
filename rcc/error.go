package rcc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Errors that callers distinguish with errors.Is.
var (
	ErrNoNet     = errors.New("no such net")
	ErrNoSession = errors.New("no such session")
	ErrNoRule    = errors.New("no such rule")
	ErrNoDevice  = spec.ErrNoDevice
	ErrNoPage    = errors.New("no such page")
	ErrExtension = errors.New("no such extension, or an invalid one")
	ErrInUse     = errors.New("in use")
	ErrState     = errors.New("not possible in this state")
	ErrResource  = errors.New("resource is taken")
	ErrNoPort    = errors.New("no such port")
	ErrNoKey     = errors.New("no such key")
	ErrValue     = errors.New("value does not fit")
	ErrCondition = errors.New("condition is refused")
	ErrOverlap   = errors.New("the same net is named twice")
	ErrClosed    = errors.New("the core is closing")
	ErrTooMany   = errors.New("too many")
	ErrBusy      = errors.New("busy with others")
	ErrMemory    = errors.New("not enough memory")
	ErrLoad      = errors.New("not enough time on the CPU")
)

// Error is a refusal with its place: the net, session, rule or device that it concerns.
type Error struct {
	Place  string // for example `net "rpinet3"`
	Reason string
	Kind   error // one of the Err… above
}

func (e *Error) Error() string { return e.Place + ": " + e.Reason }

func (e *Error) Unwrap() error { return e.Kind }

func refuse(kind error, place, format string, args ...any) *Error {
	reason := kind.Error()
	if format != "" {
		reason = fmt.Sprintf(format, args...)
	}
	return &Error{Place: shorten(place), Reason: shorten(reason), Kind: kind} // names come from outside
}

// reasons collects why something is refused: each reason once, and only as many as somebody may want to read, because a
// request can name very many things that are not there.
type reasons struct {
	list []error
	more int
}

// mostReasons is the largest number of reasons in an error.
const mostReasons = 10

func (why *reasons) add(err error) {
	switch {
	case err == nil || slices.ContainsFunc(why.list, func(e error) bool { return e.Error() == err.Error() }):
	case len(why.list) == mostReasons:
		why.more++
	default:
		why.list = append(why.list, err)
	}
}

// err is nil without reasons.
func (why *reasons) err() error {
	if why.more > 0 {
		return errors.Join(append(why.list, fmt.Errorf("and %d more", why.more))...)
	}
	return errors.Join(why.list...)
}
