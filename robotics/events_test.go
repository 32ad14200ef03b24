package robotics_test

import (
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

type states = map[string]robotics.State

// TestEvents: what happens in which cycle, of 2 ms.
func TestEvents(t *testing.T) {
	wait := func(cycles int) *robotics.WaitCommand { return robotics.NewWait(time.Duration(cycles) * period) }
	for _, tt := range []struct {
		name string
		make func() (robotics.Command, states)
		want string
	}{
		{"wait", func() (robotics.Command, states) {
			w := wait(3)
			return w, states{"a": w.Active(), "b": w.Started(), "c": w.Completed(), "d": w.Cancelled(), "e": w.Failed()}
		}, "a 1-3, b 1-3, c 3, d, e, end 3"},
		{"sequence", func() (robotics.Command, states) {
			a, b := wait(2), wait(3)
			s := robotics.Sequence(a, b)
			return s, states{"a": a.Active(), "b": b.Active(), "c": a.Completed(), "d": s.Active(), "e": s.Completed()}
		}, "a 1-2, b 3-5, c 2-6, d 1-6, e 6, end 6"},
		{"within each other", func() (robotics.Command, states) {
			a, b, c := wait(1), wait(1), wait(2)
			inner := robotics.Sequence(a, b)
			s := robotics.Sequence(inner, c)
			return s, states{"a": a.Active(), "b": b.Active(), "c": c.Active(), "i": inner.Active()}
		}, "a 1, b 2, c 4-5, i 1-3, end 6"},
		{"parallel", func() (robotics.Command, states) {
			a, b := wait(1), wait(3)
			s := robotics.Parallel(a, b)
			return s, states{"a": a.Active(), "b": b.Active(), "c": s.Completed()}
		}, "a 1, b 1-3, c 4, end 4"},
		{"stop before start", func() (robotics.Command, states) {
			a, b, c := wait(4), wait(1), wait(1)
			s := robotics.NewTransaction(b)
			s.AddStart(a, c)
			s.OnEntered(c.Completed(), robotics.Stop(b))
			s.OnEntered(a.Completed(), robotics.Start(b))
			return s, states{"a": a.Active(), "b": b.Active()}
		}, "a 1-4, b, end 5"},
		{"cancel before start", func() (robotics.Command, states) {
			a, b, c := wait(4), wait(9), wait(1)
			s := robotics.NewTransaction(b)
			s.AddStart(a, c)
			s.OnEntered(c.Completed(), robotics.Cancel(b))
			s.OnEntered(a.Completed(), robotics.Start(b))
			return s, states{"a": a.Active(), "b": b.Active(), "c": b.Cancelled()}
		}, "a 1-4, b 5, c 2-6, end 6"},
		{"stop of a transaction stops what it consists of", func() (robotics.Command, states) {
			a, b, c := wait(9), robotics.NewWaitForCancel(), wait(2)
			inner := robotics.Parallel(a, b)
			s := robotics.NewTransaction()
			s.AddStart(inner, c)
			s.OnEntered(c.Completed(), robotics.Stop(inner))
			return s, states{"a": a.Active(), "b": b.Active(), "i": inner.Active(), "j": inner.Completed()}
		}, "a 1-2, b 1-2, i 1-2, j 3, end 3"},
		{"entered, left, first", func() (robotics.Command, states) {
			a := wait(12)
			pulse := robotics.And(robotics.Long(a.Active(), 3*period), robotics.Not(robotics.Long(a.Active(), 5*period)))
			again := robotics.Or(pulse, robotics.Long(a.Active(), 8*period))
			in, out, firstIn, firstOut := robotics.NewRaised("in"), robotics.NewRaised("out"), robotics.NewRaised("first in"), robotics.NewRaised("first out")
			a.OnEntered(again, robotics.Raise(in))
			a.OnLeft(again, robotics.Raise(out))
			a.OnFirstEntered(again, robotics.Raise(firstIn))
			a.OnFirstLeft(again, robotics.Raise(firstOut))
			return a, states{"a": again, "b": in, "c": out, "d": firstIn, "e": firstOut, "f": robotics.Ever(pulse)}
		}, "a 3-4 8-12, b 4 9, c 6, d 4, e 6, f 3-12, end 12"},
		{"active from the beginning", func() (robotics.Command, states) {
			a := wait(3)
			r := robotics.NewRaised("raised")
			a.OnEntered(a.Active(), robotics.Raise(r))
			return a, states{"r": r}
		}, "r 2, end 3"},
		{"handlers only while active", func() (robotics.Command, states) {
			a, b := wait(2), wait(2)
			s := robotics.Sequence(a, b)
			r, q := robotics.NewRaised("raised"), robotics.NewRaised("never")
			b.OnEntered(a.Completed(), robotics.Raise(r)) // it is already when b begins
			a.OnEntered(b.Active(), robotics.Raise(q))
			return s, states{"q": q, "r": r}
		}, "q, r 4, end 5"},
		{"raise goes on", func() (robotics.Command, states) {
			a := wait(5)
			r, q := robotics.NewRaised("one"), robotics.NewRaised("two")
			a.OnEntered(r, robotics.Raise(q))
			a.OnEntered(q, robotics.Raise(r), robotics.Cancel(a))
			a.OnEntered(a.Started(), robotics.Raise(r))
			return a, states{"q": q, "r": r, "s": a.Cancelled()}
		}, "q 3, r 2 4, s 4, end 4"},
		{"a state decides what starts", func() (robotics.Command, states) {
			a, b, c := wait(1), wait(1), wait(1)
			s := robotics.NewTransaction()
			s.AddStart(a)
			s.AddStartWhen(b, a.Active())
			s.AddStartWhen(c, a.Cancelled())
			return s, states{"a": a.Active(), "b": b.Active(), "c": c.Active()}
		}, "a 1, b 2, c, end 3"},
		{"a transaction hears that it is cancelled", func() (robotics.Command, states) {
			a, b, c := robotics.NewWaitForCancel(), wait(2), wait(2)
			inner := robotics.NewTransaction(c)
			inner.AddStart(a)
			inner.OnEntered(inner.Cancelled(), robotics.Cancel(a))
			inner.OnEntered(a.Completed(), robotics.Start(c))
			s := robotics.NewTransaction()
			s.AddStart(inner, b)
			s.OnEntered(b.Completed(), robotics.Cancel(inner))
			return s, states{"a": a.Active(), "b": b.Active(), "c": c.Active(), "i": inner.Cancelled()}
		}, "a 1-4, b 1-2, c 5-6, i 3-8, end 8"},
		{"a failure reaches what is within", func() (robotics.Command, states) {
			a, b, broken := robotics.NewWaitForCancel(), wait(2), failing()
			inner, outer := robotics.NewTransaction(), robotics.NewTransaction()
			inner.AddStart(a)
			outer.AddStart(inner)
			s := robotics.NewTransaction(broken)
			s.AddStart(b, outer)
			s.OnEntered(b.Completed(), robotics.Start(broken))
			return s, states{"a": a.Active(), "b": b.Active(), "f": broken.Failed(), "i": inner.Cancelled(), "s": s.Failed()}
		}, "a 1-4, b 1-2, f 3-7, i 4-7, s 3-7, end 7"},
		{"a transaction that is cancelled by a failure has its own way", func() (robotics.Command, states) {
			a, b, c := wait(5), wait(3), failing()
			inner := robotics.NewTransaction(b)
			inner.AddStart(a)
			inner.OnEntered(inner.Cancelled(), robotics.Start(b))
			s := robotics.NewTransaction()
			s.AddStart(c, inner)
			return s, states{"a": a.Active(), "b": b.Active(), "f": c.Failed(), "i": inner.Cancelled()}
		}, "a 1-5, b 3-5, f 1-7, i 2-7, end 7"},
		{"a transaction that is cancelled from outside cancels nothing by itself", func() (robotics.Command, states) {
			a, b := wait(4), wait(2)
			inner := robotics.NewTransaction()
			inner.AddStart(a)
			s := robotics.NewTransaction()
			s.AddStart(inner, b)
			s.OnEntered(b.Completed(), robotics.Cancel(inner))
			return s, states{"a": a.Active(), "i": inner.Cancelled()}
		}, "a 1-4, i 3-6, end 6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			command, watch := tt.make()
			if got := trace(t, cells.New(t), command, watch, nil).Spans(100, keys(watch)...); got != tt.want {
				t.Errorf("%s\n  want %s", got, tt.want)
			}
		})
	}
}

// failing returns a command that fails in its first cycle, as its arm is elsewhere.
func failing() *robotics.RuntimeCommand {
	return robotics.NewCommand(kr16(), motions.PTP{From: []float64{1, -1, 1, 1, 1, 1}, To: point})
}
