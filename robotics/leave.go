package robotics

import (
	"context"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
)

// A program that leaves a command has it cancelled, and forgotten when it has ended. That must not depend on a context that has
// ended, nor on a connection that happens to be lost: the wish is kept until the daemon has heard it, or the runtime is closed.

// patience is how long a call that has given up still waits for the daemon.
const patience = 10 * time.Second

// UncontrolledError is returned when a command should end, and it is unknown whether it does: the connection is
// lost, and the robot may still move. As soon as the connection is back the command is cancelled, unless the runtime is closed
// before; the handle knows then.
type UncontrolledError struct {
	Command string
	Handle  *Handle
}

func (e *UncontrolledError) Error() string {
	return e.Command + ": the connection is lost, and the robot may still move: it is cancelled as soon as the connection is back; " +
		"do not close the runtime before, or stop the robot by other means"
}

// Unwrap returns the error of the lost connection.
func (e *UncontrolledError) Unwrap() error { return &client.LostError{Cause: errAway, Sent: true} }

var errAway = errors.New("the connection did not come back in time")

// stop cancels a command and waits until it has ended, as long as the daemon is there.
func (r *Runtime) stop(h *Handle) error {
	told := make(chan error, 1)
	r.work.Go(func() { told <- r.retry(r.life, h.leave) })
	soon, cancel := context.WithTimeout(r.life, r.patience)
	defer cancel()
	select {
	case err := <-told:
		if lost(err) {
			return h.uncontrolled() // the runtime was closed
		}
		if err != nil {
			return err
		}
	case <-soon.Done():
		return h.uncontrolled()
	}
	for r.there(h.over) {
		select {
		case <-h.over:
			return h.Wait(context.WithoutCancel(r.life))
		default:
		}
	}
	return h.uncontrolled()
}

// there waits for a while, and reports whether the daemon is there afterwards: a command may take its time to end.
func (r *Runtime) there(or <-chan struct{}) bool {
	wait, cancel := context.WithTimeout(r.life, r.patience)
	defer cancel()
	select {
	case <-or:
		return true
	case <-wait.Done():
	}
	back, cancel := context.WithTimeout(r.life, r.patience)
	defer cancel()
	return r.daemon.Await(back) == nil
}

// leave cancels a command. One of which the start was lost is not started any more.
func (h *Handle) leave(ctx context.Context) error {
	err := h.Cancel(ctx)
	if err == nil && !h.net.State().Active() {
		err = h.unlessOver(h.net.Unload(ctx))
	}
	if errors.Is(err, client.ErrUnloaded) {
		return nil
	}
	return err
}

func (h *Handle) uncontrolled() error { return &UncontrolledError{Command: h.text, Handle: h} }

// forget has the daemon forget a net, a running one when it has ended.
func (r *Runtime) forget(n *client.Net) { r.settle(n.Unload) }

// drop cancels a net that is not wanted any more and has it forgotten.
func (r *Runtime) drop(n *client.Net) {
	r.settle(func(ctx context.Context) error { return errors.Join(n.Cancel(ctx), n.Unload(ctx)) })
}

// settle sends the daemon something, if necessary after the connection is back.
func (r *Runtime) settle(do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.life), r.patience)
	defer cancel()
	if err := do(ctx); (lost(err) || errors.Is(err, context.DeadlineExceeded)) && r.life.Err() == nil {
		r.work.Go(func() { _ = r.retry(r.life, do) }) // the caller has left
	}
}

// retry sends the daemon something, again and again until it arrives or the context ends.
func (r *Runtime) retry(ctx context.Context, do func(context.Context) error) error {
	for {
		err := do(ctx)
		if !lost(err) || r.daemon.Await(ctx) != nil {
			return err
		}
	}
}

func lost(err error) bool { return errors.As(err, new(*client.LostError)) }
