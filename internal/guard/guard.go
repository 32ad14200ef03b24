// Package guard starts the goroutines of the daemon, also those of timers. A panic in one of them does not end the process with joints in motion: it is
// passed to the handler of panics, and what the goroutine has deferred is done.
//
// Whether others can go on depends on what the goroutine may have left behind. Locks that it holds stay locked, so after a panic in
// Go, In, After, AfterDone or Recover the daemon is to end in good order (Panic.Fatal). Contain is for goroutines that share nothing but channels and
// atomics with others; they are missing from then on, and that is all.
//
// Threads that are detached from the runtime are beyond its reach: cycle code cannot panic (docs/architecture.md).
package guard

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Panic is one that was caught.
type Panic struct {
	Where string // which goroutine
	Value any
	Stack []byte
	Fatal bool // others may wait for ever for a lock
}

var handler atomic.Pointer[func(Panic)]

// Handle sets the handler of panics. Without one, as in tests and other programs, panics are what they are
// elsewhere.
func Handle(tell func(Panic)) {
	if tell == nil {
		handler.Store(nil)
		return
	}
	handler.Store(&tell)
}

// Go starts a goroutine.
func Go(where string, f func()) {
	go func() {
		defer Recover(where)
		f()
	}()
}

// In starts a goroutine of a group.
func In(group *sync.WaitGroup, where string, f func()) {
	group.Go(func() {
		defer Recover(where)
		f()
	})
}

// Contain starts a goroutine that holds no locks of others.
func Contain(where string, f func()) {
	go func() {
		defer func() { caught(where, false, recover()) }()
		f()
	}()
}

// After calls f in a goroutine of its own when a time has passed, unless the timer is stopped before.
func After(d time.Duration, where string, f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		defer Recover(where)
		f()
	})
}

// AfterDone calls f in a goroutine of its own when a context is done, unless it is stopped before.
func AfterDone(ctx context.Context, where string, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		defer Recover(where)
		f()
	})
}

// Recover is deferred by what is called in goroutines of others.
func Recover(where string) { caught(where, true, recover()) }

func caught(where string, fatal bool, value any) {
	if value == nil {
		return
	}
	tell := handler.Load()
	if tell == nil {
		panic(value)
	}
	(*tell)(Panic{Where: where, Value: value, Stack: debug.Stack(), Fatal: fatal})
}
