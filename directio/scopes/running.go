package scopes

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc/scope"
)

const (
	// readEvery is how often sources are read, and figures looked at.
	readEvery = 50 * time.Millisecond
	// keepTime is how long probes keep samples that have not been read.
	keepTime = 2 * time.Second

	// Limits of the captures that a running scope keeps.
	mostKept  = 8
	keptBytes = 16 << 20
)

// Running is a scope that runs. Any goroutine may use it.
type Running struct {
	scopes *Scopes
	ring   func()
	stop   chan struct{}
	done   chan struct{}

	mu      sync.Mutex
	setup   *scope.Setup
	scope   *scope.Scope
	sources []source
	watcher *watcher
	before  int // captures of setups before this one
	phase   scope.Phase
	kept    []*scope.Capture // the oldest first
	closed  bool
}

// errClosed is returned after Close.
var errClosed = errors.New("the scope is closed")

// Change gives the scope another setup. After an error it goes on as it was. The numbers of captures go on.
func (r *Running) Change(ctx context.Context, setup *scope.Setup) error {
	if err := setup.Check(); err != nil {
		return asProblem(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	sources := r.sources
	same := r.setup != nil && slices.Equal(r.setup.Channels, setup.Channels)
	if !same {
		var err error
		if sources, err = r.scopes.open(ctx, setup); err != nil {
			return err
		}
	}
	made, err := scope.New(setup, groupsOf(sources))
	if err != nil {
		if !same {
			closeAll(sources)
		}
		return asProblem(err)
	}
	if !same {
		closeAll(r.sources)
	}
	if r.scope != nil {
		r.before = r.count()
	}
	if r.watcher == nil {
		r.watcher = watch(r.scopes.core)
	}
	r.setup, r.scope, r.sources, r.phase = setup, made, sources, made.Phase()
	return nil
}

// count returns the number of the newest capture.
func (r *Running) count() int {
	if n := len(r.kept); n > 0 {
		return r.kept[n-1].Number
	}
	return r.before
}

func (r *Running) begin() {
	r.stop, r.done = make(chan struct{}), make(chan struct{})
	guard.Go("a scope", func() {
		defer close(r.done)
		ticker := time.NewTicker(readEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				r.Read()
			case <-r.stop:
				return
			}
		}
	})
}

// Read reads all sources now, and makes the captures that are complete. The scope also does so by itself.
func (r *Running) Read() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	now := r.scopes.core.Clock.Now().UnixNano()
	for i, s := range r.sources {
		s.read(r.scope, i, now)
	}
	r.watcher.look(now, r.scope.Event)
	r.scope.Now(now)
	news := false
	for c := r.scope.Next(); c != nil; c = r.scope.Next() {
		c.Number += r.before
		r.keep(c)
		news = true
	}
	if phase := r.scope.Phase(); phase != r.phase || news {
		r.phase = phase
		r.ring()
	}
}

// keep keeps a capture, and drops the oldest ones where that is too many.
func (r *Running) keep(c *scope.Capture) {
	r.scopes.keep(c)
	r.kept = append(r.kept, c)
	bytes := 0
	for _, kept := range r.kept {
		bytes += kept.Bytes()
	}
	for len(r.kept) > mostKept || len(r.kept) > 1 && bytes > keptBytes {
		bytes -= r.kept[0].Bytes()
		r.kept = slices.Delete(r.kept, 0, 1)
	}
}

// After returns the oldest kept capture with a higher number, nil for none, and how many captures before it are not kept any
// more.
func (r *Running) After(number int) (c *scope.Capture, left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.kept {
		if c.Number > number {
			return c, c.Number - number - 1
		}
	}
	return nil, 0
}

// Capture returns the capture with a number, or the newest for 0; nil when it is not kept.
func (r *Running) Capture(number int) *scope.Capture {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.kept) - 1; i >= 0; i-- {
		if number == 0 || r.kept[i].Number == number {
			return r.kept[i]
		}
	}
	return nil
}

// Arm lets a single scope wait for its next trigger.
func (r *Running) Arm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scope.Arm()
	r.phase = r.scope.Phase()
	r.ring()
}

// Phase returns what the scope is doing, and how many triggers it has left out because it had no room for their captures.
func (r *Running) Phase() (phase scope.Phase, missed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.phase, r.scope.Missed()
}

// Forms describes the channels of the setup.
func (r *Running) Forms() []scope.Form {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.scope.Forms()
}

// Close ends the scope. Captures that were returned stay valid.
func (r *Running) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	closeAll(r.sources)
	r.watcher.close()
	r.mu.Unlock()
	close(r.stop)
	<-r.done
	r.scopes.left()
}
