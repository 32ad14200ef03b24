package robotics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// Handle is a command in the daemon.
type Handle struct {
	runtime *Runtime
	net     *client.Net
	program *Program
	text    string        // of the command
	past    atomic.Bool   // the net has ended, and is being forgotten
	rested  chan struct{} // closed when the command has ended, and is forgotten
	over    chan struct{} // closed when all functions have been called, too
	waits   atomic.Bool   // it was loaded, and not started by the application
	back    atomic.Bool   // it was taken back before it had begun
	unheard atomic.Bool   // it was cancelled, and whether it says that it has ended by itself means nothing
	paper   *Rehearsal    // it is of that, and not executed

	mu         sync.Mutex
	references int           // of nets that are being loaded: it is not forgotten before
	released   chan struct{} // closed when there are none; nil unless that is waited for

	// Of the goroutine that follows the net, and of all afterwards.
	ended  bool // the net has
	itself bool // the command has ended by itself
	failed bool
	faults []*FaultError // as they came
	counts []int         // events of externals that are known
	called chan struct{} // closed when the functions of all events that were heard of have returned; nil if there are none
}

// follow has a goroutine follow a net.
func (r *Runtime) follow(n *client.Net, p *Program, text string) *Handle {
	h := &Handle{
		runtime: r, net: n, program: p, text: text, rested: make(chan struct{}), over: make(chan struct{}), counts: make([]int, len(p.externals)),
	}
	r.mu.Lock()
	r.running[h] = true
	r.mu.Unlock()
	r.work.Go(h.run)
	return h
}

// run follows the command, and calls functions of events.
func (h *Handle) run() {
	defer func() {
		h.runtime.mu.Lock()
		delete(h.runtime.running, h)
		h.runtime.mu.Unlock()
		if !h.runtime.keep && (h.ended || h.net.State().Active()) {
			h.forget() // before the end is known: its devices are free then
		}
		close(h.rested)
		if h.called != nil {
			<-h.called
		}
		close(h.over)
	}()
	for u := range h.net.Updates(h.runtime.life) {
		h.take(u.Values)
		if u.State.Over() {
			h.ended = true
			h.explain()
			return
		}
	}
}

// forget has the daemon forget the command, when all nets that refer to it are loaded.
func (h *Handle) forget() {
	h.mu.Lock()
	for h.references > 0 {
		released := make(chan struct{})
		h.released = released
		h.mu.Unlock()
		<-released
		h.mu.Lock()
	}
	h.past.Store(h.ended)
	h.mu.Unlock()
	h.runtime.forget(h.net)
}

// refer keeps the daemon from forgetting commands while a net that refers to them is being loaded. None of them may be forgotten already.
func refer(to []*Handle) (release func(), err error) {
	held := 0
	release = func() {
		for _, h := range to[:held] {
			h.release()
		}
	}
	for _, h := range to {
		if !h.hold() {
			release()
			return nil, fmt.Errorf("it takes over %s: %w", h.text, client.ErrUnloaded)
		}
		held++
	}
	return release, nil
}

// hold reports whether the command is not forgotten, and keeps it from that until release.
func (h *Handle) hold() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.past.Load() {
		return false
	}
	h.references++
	return true
}

func (h *Handle) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.references--; h.references == 0 && h.released != nil {
		close(h.released)
		h.released = nil
	}
}

// take takes values of the net. Faults that come together have the order of the command, as they have no other.
func (h *Handle) take(values map[string]string) {
	for i := range h.program.faults {
		if f := &h.program.faults[i]; values[f.key] == "true" {
			fault := f.fault
			h.faults = append(h.faults, &fault)
		}
	}
	h.itself = h.itself || values["out"+endedKey] == "true"
	h.failed = h.failed || h.program.failed != "" && values[h.program.failed] == "true"
	h.call(values)
}

// call calls the functions of events that have just been heard of, in the order of their cycles, when those before have returned.
// Nothing waits for that, as they may wait for the end of the command.
func (h *Handle) call(values map[string]string) {
	type due struct {
		do           func()
		times, cycle int
	}
	var all []due
	for i, e := range h.program.externals {
		if n := count(values[e.times]); n > h.counts[i] {
			all = append(all, due{e.do, n - h.counts[i], count(values[e.cycle])})
			h.counts[i] = n
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b due) int { return a.cycle - b.cycle })
	before, called := h.called, make(chan struct{})
	h.called = called
	h.runtime.work.Go(func() {
		defer close(called)
		if before != nil {
			<-before
		}
		for _, d := range all {
			for range d.times {
				d.do()
			}
		}
	})
}

// count reads a number of events or cycles.
func count(text string) int {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return int(math.Round(v))
}

// Net returns the net of the command.
func (h *Handle) Net() *client.Net { return h.net }

// Report returns what the optimiser has done to the net.
func (h *Handle) Report() graph.Report { return h.program.Report }

// Start starts a command that has been loaded.
func (h *Handle) Start(ctx context.Context) error {
	err := h.net.Start(ctx)
	if err == nil {
		h.waits.Store(false)
	}
	return err
}

// Cancel asks the command to end. It returns nil if the command has ended. One that was loaded and has not begun does
// not begin any more, neither by Start nor by a rule. After a restart of the daemon it is unknown whether it has ended: that
// is client.ErrRestarted.
func (h *Handle) Cancel(ctx context.Context) error {
	if h.waits.Load() && !h.net.State().Begun() {
		return h.unlessOver(h.takeBack(ctx))
	}
	return h.unlessOver(h.net.Cancel(ctx))
}

// takeBack has the daemon forget a command that has not begun. Whether a rule is faster is unknown beforehand: then it is cancelled.
func (h *Handle) takeBack(ctx context.Context) error {
	err := h.net.CancelRunning(ctx)
	if !errors.As(err, new(*client.RefusedError)) {
		return err
	}
	if err := h.net.Unload(ctx); err != nil {
		return err
	}
	state, err := h.net.Wait(ctx, client.Running, client.Unloaded)
	switch {
	case err != nil:
		return err
	case state == client.Running: // in between; as it is forgotten at its end, what it says last may not be heard
		h.unheard.Store(true)
		return h.net.Cancel(ctx)
	}
	h.back.Store(true)
	return nil
}

// Abort ends the command at once, whatever moves: nothing controls its actuators any more. Cancel is nearly always better.
func (h *Handle) Abort(ctx context.Context) error { return h.unlessOver(h.net.Abort(ctx)) }

// Forget makes the daemon forget a loaded command that will not be executed. One that is being executed goes on, and
// is forgotten as soon as it has ended: Wait need not hear how.
func (h *Handle) Forget(ctx context.Context) error { return h.unlessOver(h.net.Unload(ctx)) }

// unlessOver drops errors that are due to the end of the command. Losing sight of it does not count as its end.
func (h *Handle) unlessOver(err error) error {
	if h.past.Load() {
		return nil
	}
	select {
	case <-h.rested:
		if h.ended {
			return nil
		}
	default:
	}
	return err
}

// SetOverride sets the speed of the command's motions, as a share of the planned speed from 0 to 1.
func (h *Handle) SetOverride(ctx context.Context, share float64) error {
	if err := checkOverride(share); err != nil {
		return err
	}
	return h.set(ctx, overrideKey, share)
}

func checkOverride(share float64) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("%v: %w", share, ErrOverride)
	}
	return nil
}

func (h *Handle) set(ctx context.Context, key string, v any) error {
	values, err := inputs(key, v)
	if err != nil {
		return err
	}
	return h.unlessOver(h.net.Set(ctx, values))
}

// Set gives a command the value of a sensor of the application from now on. The command must have that sensor; if nothing depends
// on it, or the command has ended (Handle.Done), Set has no effect and returns nil.
func Set[T graph.Value](ctx context.Context, h *Handle, input *Input[T], v T) error {
	if h == nil {
		return ErrNoCommand
	}
	if input == nil || !h.program.inputs[input.key] {
		return ErrNoInput
	}
	if f, is := any(v).(float64); is && math.IsNaN(f) {
		return fmt.Errorf("input %q: %v: %w", input.key, v, ErrNumber)
	}
	return h.set(ctx, inputKey+input.key, v)
}

// Done is closed when the command has ended, or nothing more can be heard of it.
func (h *Handle) Done() <-chan struct{} { return h.over }

// ErrStopped is returned when a command was ended from outside before its end: it was aborted, a rule has stopped it, or
// its cycles took too long.
var ErrStopped = errors.New("the command was stopped from outside")

// ErrCancelledByOthers is returned when another client cancelled a command before it reached its goal: another
// program, a person at the page of the daemon, or the daemon itself that was stopped.
var ErrCancelledByOthers = errors.New("the command was cancelled by another client, or because the daemon stopped")

// ErrNotBegun is returned when a command was cancelled before it had begun: it did nothing.
var ErrNotBegun = errors.New("the command was cancelled before it began")

// Wait waits for the end of the command, through losses of the connection. The error is a *FailedError if it has failed, ErrStopped if
// it was not allowed to end, ErrNotBegun if it was cancelled before it had begun, ErrCancelledByOthers if others have
// cancelled it, client.ErrRestarted if the daemon was restarted, and that of ctx if it ends first; the command goes on then.
//
// It returns when functions of External that the command has called have returned, and the daemon has forgotten it: its devices are free. A
// function that blocks is waited for, by Execute and Runtime.Close as well, but not by End.
func (h *Handle) Wait(ctx context.Context) error {
	select {
	case <-h.over:
	case <-ctx.Done():
		return ctx.Err()
	}
	return h.outcome(ctx)
}

// Ended is closed when the command has ended and the daemon has forgotten it, or nothing more can be heard of it. Functions of External may
// still be being called then.
func (h *Handle) Ended() <-chan struct{} { return h.rested }

// End is Wait, but does not wait for functions of External: such a function may use it, for the command that has called it as well.
func (h *Handle) End(ctx context.Context) error {
	select {
	case <-h.rested:
	case <-ctx.Done():
		return ctx.Err()
	}
	return h.outcome(ctx)
}

// outcome returns how the command has ended.
func (h *Handle) outcome(ctx context.Context) error {
	if h.failed {
		return &FailedError{Faults: h.faults}
	}
	if !h.ended {
		_, err := h.net.End(ctx) // err says why
		return err
	}
	if !h.itself {
		switch {
		case h.back.Load():
			return ErrNotBegun
		case h.unheard.Load():
			return nil
		}
		return ErrStopped
	}
	if h.net.CancelledByOthers() {
		return ErrCancelledByOthers
	}
	return nil
}
