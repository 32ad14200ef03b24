package protocol

import "time"

// clock is what a conversation knows of time. It is that of the people who watch, not that of the cell: with a virtual
// clock a refresh interval is still what a client can take.
type clock interface {
	Now() time.Time
	// Begin is the instant from which beats are counted, the same for all conversations.
	Begin() time.Time
	Timer(d time.Duration) timer
}

type timer interface {
	C() <-chan time.Time
	Reset(d time.Duration) bool
	Stop() bool
}

type realClock struct{}

// begin has a reading of the monotonic clock, so that beats come evenly even if the other clock is set.
var begin = time.Now()

func (realClock) Begin() time.Time { return begin }

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Timer(d time.Duration) timer { return realTimer{time.NewTimer(d)} }

type realTimer struct{ *time.Timer }

func (t realTimer) C() <-chan time.Time { return t.Timer.C }
