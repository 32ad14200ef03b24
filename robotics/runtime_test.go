package robotics_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/graph"
	"github.com/softrobot-rcc/rccd/robotics/motions"
)

// TestExternal: functions are called once for each event, before Wait returns.
func TestExternal(t *testing.T) {
	r := cells.New(t).Free().Connect()
	var entered, first atomic.Int32
	wait := robotics.NewWait(100 * time.Millisecond)
	a, b := robotics.NewRaised("a"), robotics.NewRaised("b")
	wait.OnEntered(wait.Active(), robotics.Raise(a))
	wait.OnEntered(a, robotics.Raise(b)) // and so on, every two cycles
	wait.OnEntered(b, robotics.Raise(a))
	wait.OnEntered(a, robotics.External(func() { entered.Add(1) }))
	wait.OnFirstEntered(a, robotics.External(func() { first.Add(1) }))
	if err := r.Execute(t.Context(), wait); err != nil {
		t.Fatal(err)
	}
	if entered.Load() != 25 || first.Load() != 1 {
		t.Errorf("%d times, and %d for the first time", entered.Load(), first.Load())
	}
}

// TestExternalInOrder: functions are called in the order in which their events have happened, whichever was added first, also those
// that are heard of together.
func TestExternalInOrder(t *testing.T) {
	r := cells.New(t).Free().Connect()
	for range 5 {
		var order []string
		note := func(what string) robotics.Effect {
			return robotics.External(func() { order = append(order, what) })
		}
		a, b := robotics.NewWait(3*period), robotics.NewWait(10*period)
		s := robotics.Sequence(a, b)
		s.OnFirstEntered(b.Active(), note("b begins"))
		s.OnFirstEntered(a.Completed(), note("a is completed"))
		s.OnFirstEntered(a.Active(), note("a begins"), note("and once more"))
		b.OnFirstEntered(b.Completed(), note("b is completed"))
		if err := r.Execute(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if want := []string{"a begins", "and once more", "a is completed", "b begins", "b is completed"}; !slices.Equal(order, want) {
			t.Fatalf("%q", order)
		}
	}
}

// TestHandle: a command is cancelled from outside, and slowed down.
func TestHandle(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := kr16()
	if err := r.SetOverride(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	before := c.Where("kr16")
	h, err := r.Start(t.Context(), robotics.NewCommand(arm, motions.PTP{To: point}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if at := c.Where("kr16"); !near(at, before, 0) {
		t.Errorf("moves at a speed of 0: %v", at)
	}
	if err := h.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Cancel(t.Context()), h.SetOverride(t.Context(), 1)); err != nil {
		t.Errorf("after its end: %v", err)
	}
	slow, err := r.Start(t.Context(), robotics.NewCommand(arm, motions.PTP{To: point}))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SetOverride(t.Context(), 0.5); err != nil {
		t.Fatal(err)
	}
	if err := slow.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at := c.Where("kr16"); !near(at, point, 1e-4) {
		t.Errorf("at %v", at)
	}
}

// TestRejected: what only the daemon knows is reported with its reasons; nothing is left behind.
func TestRejected(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	for _, tt := range []struct {
		command robotics.Command
		want    string
	}{
		{robotics.NewCommand(robotics.DigitalOutput{Device: "oi"}, robotics.SetDigital{Value: true}), `device "oi": no such device`},
		{robotics.NewCommand(robotics.DigitalOutput{Device: "io", Port: 77}, robotics.SetDigital{}), `device "io" has no digout 77; it has 8, counted from 0`},
		{
			robotics.NewCommand(actuator.Gripper{Device: "kr16"}, actuator.Grasp{Width: 0.01, Speed: 0.1}),
			`device "kr16" is of another kind: it offers armkinematics, robotarm, multijoint`,
		},
	} {
		_, err := r.Start(t.Context(), tt.command)
		named := err != nil && strings.HasPrefix(err.Error(), tt.command.String()+": net ")
		if !errors.As(err, new(*client.RejectedError)) || !named || strings.Count(err.Error(), tt.want) != 1 {
			t.Errorf("%v: %v", tt.command, err)
		}
	}
	hold := robotics.NewCommand(kr16(), motions.JointHold{})
	h, err := r.Start(t.Context(), hold)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = r.Start(t.Context(), hold); !errors.As(err, new(*client.RefusedError)) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(h.Cancel(t.Context()), h.Wait(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestAborted: a command that was not allowed to end has not done what it was to do.
func TestAborted(t *testing.T) {
	r := cells.New(t).Free().Connect()
	h, err := r.Start(t.Context(), robotics.NewWaitForCancel())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Abort(t.Context()); err != nil {
		t.Error(err)
	}
	if err := h.Wait(t.Context()); !errors.Is(err, robotics.ErrStopped) {
		t.Errorf("%v", err)
	}
}

// TestFault: a device that fails takes its command down, and what should have come after it; the rest is cancelled.
func TestFault(t *testing.T) {
	c := cells.New(t).Free()
	if err := c.Core.Devices.Create("weak", "kuka_kr_arm_sim", map[string]string{"faults": "100ms off"}); err != nil {
		t.Fatal(err)
	}
	r := c.Connect()
	weak, strong := actuator.NewArm("weak", model()), kr16()
	move := robotics.NewCommand(weak, motions.JointHold{})
	after := robotics.NewCommand(robotics.DigitalOutput{Device: "io", Port: 5}, robotics.SetDigital{Value: true})
	hold := robotics.NewCommand(strong, motions.JointHold{})
	err := r.Execute(t.Context(), robotics.Parallel(robotics.Sequence(move, after), hold))
	if !contains(err, robotics.FaultFailed) || !strings.Contains(err.Error(), "weak: cannot be commanded (drives are off)") {
		t.Errorf("%v", err)
	}
	if on, err := robotics.Value(t.Context(), r, robotics.DigitalOutput{Device: "io", Port: 5}); err != nil || on {
		t.Errorf("what should have come after is done: %t, %v", on, err)
	}

	// A handler takes over.
	handled := robotics.NewCommand(weak, motions.JointHold{})
	s := robotics.NewTransaction(after)
	s.AddStart(handled)
	s.OnEntered(handled.Failed(), robotics.Start(after))
	if err := r.Execute(t.Context(), s); err != nil {
		t.Errorf("%v", err)
	}
	if on, err := robotics.Value(t.Context(), r, robotics.DigitalOutput{Device: "io", Port: 5}); err != nil || !on {
		t.Errorf("the handler has done nothing: %t, %v", on, err)
	}
	own := robotics.NewCommand(weak, motions.JointHold{})
	own.OnEntered(own.Fault(robotics.FaultFailed), robotics.Cancel(own))
	if err := r.Execute(t.Context(), own); err != nil {
		t.Errorf("%v", err)
	}
}

// TestValue: sensors are asked once.
func TestValue(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := kr16()
	at, err := robotics.Value(t.Context(), r, arm.Commanded(1))
	if err != nil || math.Abs(at-c.Where("kr16")[1]) > 1e-12 {
		t.Errorf("%v, %v", at, err)
	}
	flange, err := robotics.Value(t.Context(), r, robotics.Pose(arm.Flange(), arm.Base()))
	if err != nil || !flange.Near(poseAt(c.Where("kr16")), 1e-9, 1e-9) {
		t.Errorf("%v, %v", flange, err)
	}
	if _, err := robotics.Value(t.Context(), r, robotics.Div[int32](robotics.Constant[int32](1), robotics.Constant[int32](0))); !errors.Is(err, robotics.ErrNoValue) {
		t.Errorf("%v", err)
	}
	for name, s := range map[string]robotics.Sensor[float64]{
		"a change in the first cycle":      robotics.Change(arm.Commanded(1)),
		"computed of what is not known":    robotics.Add(arm.Commanded(1), robotics.Ago(arm.Commanded(1), time.Second)),
		"a share of nothing":               robotics.Div(robotics.Constant(0.0), robotics.Constant(0.0)),
		"something that was not there yet": robotics.Ago(arm.Commanded(1), time.Second),
	} {
		if v, err := robotics.Value(t.Context(), r, s); !errors.Is(err, robotics.ErrNoValue) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

// TestListen: listeners hear what changes; an application sets sensors of a command.
func TestListen(t *testing.T) {
	r := cells.New(t).Free().Connect()
	level := robotics.NewInput("level", 1.0)
	out := robotics.AnalogOutput{Device: "io", Port: 1}
	follow, err := r.Start(t.Context(), robotics.NewCommand(out, robotics.FollowAnalog{Value: level}))
	if err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		heard := make(chan float64, 100)
		listen := robotics.Listen[float64]
		if all {
			listen = robotics.ListenAll[float64]
		}
		l, err := listen(t.Context(), r, out, func(v float64) { heard <- v })
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []float64{2, 3} {
			if err := robotics.Set(t.Context(), follow, level, want); err != nil {
				t.Fatal(err)
			}
			for v := range heard {
				if v == want {
					break
				}
			}
		}
		if err := l.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(follow.Cancel(t.Context()), follow.Wait(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestSynchronize: a command relieves another one when that gives a token.
func TestSynchronize(t *testing.T) {
	c := cells.New(t)
	r := c.Connect()
	token := robotics.NewToken("half")
	first := robotics.NewCommand(kr16(), motions.JointHold{})
	first.OnEntered(after(10*period), robotics.Give(token))
	second := robotics.NewCommand(kr16(), motions.PTP{To: point})
	h1, err := r.Start(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	h2, err := r.Load(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := r.Synchronize(t.Context(), h1.Given(token).And(robotics.Now), robotics.Switch{Stop: []*robotics.Handle{h1}, Start: []*robotics.Handle{h2}})
	if err != nil {
		t.Fatal(err)
	}
	c.Free()
	if s, err := rule.Decided(t.Context()); err != nil || s != client.RuleFired {
		t.Errorf("%v, %v", s, err)
	}
	if err := h1.Wait(t.Context()); !errors.Is(err, robotics.ErrStopped) {
		t.Errorf("the one that was relieved: %v", err)
	}
	if err := h2.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if at := c.Where("kr16"); !near(at, point, 1e-4) {
		t.Errorf("at %v", at)
	}
}

// TestNothingIsLeft: commands that have ended are forgotten by the daemon, unless they are to be kept.
func TestNothingIsLeft(t *testing.T) {
	c := cells.New(t).Free()
	forgets, keeps := c.Connect(), c.Connect(robotics.Keep())
	wait := robotics.NewWait(period)
	for range 3 {
		if err := errors.Join(forgets.Execute(t.Context(), wait), keeps.Execute(t.Context(), wait)); err != nil {
			t.Fatal(err)
		}
	}
	forgets.Close() // what it does is done
	left := 0
	for _, n := range c.Core.Nets.All() {
		if s := n.State().String(); s == "TERMINATED" {
			left++
		}
	}
	if left != 3 {
		t.Errorf("%d are left", left)
	}
}

// TestReport: what the optimiser leaves out is known.
func TestReport(t *testing.T) {
	arm := kr16()
	p, err := robotics.Map(robotics.Sequence(
		robotics.NewCommand(arm, motions.PTP{To: point}), robotics.NewCommand(arm, motions.LIN{To: moved(poseAt(point), geom.Vector{Z: 0.1}, 0, 0, 0), In: arm.Base()}),
	), graph.Standard())
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Report; r.After.Primitives >= r.Before.Primitives || r.Merged == 0 || slices.Contains([]int{r.After.Bytes, r.After.Links}, 0) {
		t.Errorf("%v", r)
	}
	r := cells.New(t).Free().Connect()
	var sum graph.Report
	for range 2 {
		h, err := r.Start(t.Context(), robotics.NewWait(period))
		if err != nil {
			t.Fatal(err)
		}
		if sum = sum.Plus(h.Report()); h.Report().After.Primitives == 0 {
			t.Errorf("%v", h.Report())
		}
	}
	if r.Report() != sum || sum.Before.Primitives <= sum.After.Primitives {
		t.Errorf("%v of %v", r.Report(), sum)
	}
}

// TestCancelLoaded: who cancels what has not begun need not fear that it begins: neither by Start nor by a rule.
func TestCancelLoaded(t *testing.T) {
	c := cells.New(t).Free()
	r := c.Connect()
	arm := c.Arm("kr16")
	for _, begin := range map[string]func(h *robotics.Handle) error{
		"start": func(h *robotics.Handle) error { return h.Start(t.Context()) },
		"rule": func(h *robotics.Handle) error {
			_, err := r.Synchronize(t.Context(), robotics.Now, robotics.Switch{Start: []*robotics.Handle{h}})
			return err
		},
	} {
		h, err := r.Load(t.Context(), robotics.NewCommand(kr16(), motions.PTP{To: point}))
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Cancel(t.Context()); err != nil {
			t.Error(err)
		}
		if err := begin(h); err == nil {
			t.Error("it has begun")
		}
		if err := h.Wait(t.Context()); !errors.Is(err, robotics.ErrNotBegun) {
			t.Error(err)
		}
		if err := h.Cancel(t.Context()); err != nil {
			t.Error("again:", err)
		}
	}
	if _, at := arm.Last(); at != 0 {
		t.Error("it has moved")
	}

	h, err := r.Load(t.Context(), robotics.NewWaitForCancel())
	if err != nil {
		t.Fatal(err)
	}
	rule, err := r.Synchronize(t.Context(), robotics.Now, robotics.Switch{Start: []*robotics.Handle{h}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rule.Decided(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Cancel(t.Context()), h.Wait(t.Context())); err != nil && !errors.Is(err, robotics.ErrStopped) {
		t.Error("what a rule has begun:", err)
	}
}

// TestFunctionWaits: a function may cancel the command that has called it, and hear how it has ended. Waiting for the command is
// waiting for the function, too, and functions of later events are called when it has returned.
func TestFunctionWaits(t *testing.T) {
	r := cells.New(t).Free().Connect()
	wait := robotics.NewWaitForCancel()
	var h *robotics.Handle
	started, heard := make(chan struct{}), make(chan error, 1)
	var order []string
	wait.OnFirstEntered(wait.Active(), robotics.External(func() {
		<-started
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // if it waits for itself
		defer cancel()
		heard <- errors.Join(h.Cancel(ctx), h.End(ctx))
		select {
		case <-h.Done():
			t.Error("it is over while a function is called")
		default:
		}
		order = append(order, "active")
	}))
	wait.OnFirstEntered(wait.Cancelled(), robotics.External(func() { order = append(order, "cancelled") }))
	var err error
	if h, err = r.Start(t.Context(), wait); err != nil {
		t.Fatal(err)
	}
	close(started)
	if err := errors.Join(h.Wait(t.Context()), <-heard); err != nil {
		t.Error(err)
	}
	if !slices.Equal(order, []string{"active", "cancelled"}) {
		t.Errorf("%q", order)
	}
}
