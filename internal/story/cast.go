// Package story is the demonstration: a program as any application could be, which the page of the cell shows.
package story

import (
	"context"
	_ "embed"
	"math"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/robotics/motions"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

//go:embed story.go
var file string

// Text returns the program, without what it imports.
func Text() string { return file[strings.Index(file, "// Tell"):] }

// Those who play.
var (
	left  = actuator.NewLightweight("lwr", robots.LWR4(), robotics.Speed(0.5))
	right = facing(actuator.NewLightweight("lwr2", robots.LWR4(), robotics.Speed(0.5)), left, 1.1)

	ready   = []float64{0, -0.3, 0, 1.7, 0, -1.14, 0} // rad; both flanges look down
	corners = square(robots.LWR4().Forward(ready), 0.2)
	gently  = robotics.CartesianLimits{Vel: 0.25, Acc: 0.6, Jerk: 6, RotVel: 1, RotAcc: 3, RotJerk: 30} // m, rad, s
	pushed  = robotics.Or(felt(left), felt(right))
)

// facing has an arm stand opposite to another one, as the built-in cell has it.
func facing(arm, other *actuator.Lightweight, distance float64) *actuator.Lightweight {
	at := geom.Frame{Pos: geom.Vector{X: distance}, Rot: geom.FromABC(math.Pi, 0, 0)}
	if _, err := world.Relate(other.Base(), arm.Base(), at); err != nil {
		panic(err) // both are new
	}
	return arm
}

// square returns the corners of one that stands upright on a place.
func square(on geom.Frame, size float64) (list [4]geom.Frame) {
	for i, at := range []geom.Vector{{Y: -size}, {Y: -size, Z: size}, {Y: size, Z: size}, {Y: size}} {
		list[i] = on
		list[i].Pos = on.Pos.Add(at)
	}
	return list
}

// felt is true while an arm is pushed.
func felt(arm *actuator.Lightweight) robotics.State {
	return robotics.Above(robotics.Length(arm.Force()), 15.0) // N
}

// cancelWhenPushed has a motion come to rest on its way.
func cancelWhenPushed(c *robotics.RuntimeCommand) { c.OnFirstEntered(pushed, robotics.Cancel(c)) }

// watching returns a command that does nothing until there has been a push, which it tells the program, and both arms rest, for which it gives
// a token.
func watching(push func()) (*robotics.WaitCommand, *robotics.Token) {
	watch, rest := robotics.NewWaitForCancel(), robotics.NewToken("rest")
	watch.OnFirstEntered(pushed, robotics.External(push))
	watch.OnFirstEntered(robotics.And(robotics.Ever(pushed), rests(left), rests(right)), robotics.Give(rest), robotics.Cancel(watch))
	return watch, rest
}

// rests is true when an arm has been commanded to stay for a while.
func rests(arm *actuator.Lightweight) robotics.State {
	var still []robotics.State
	for i := range arm.Len() {
		now := arm.Commanded(i)
		still = append(still, robotics.Near(now, robotics.Ago(now, 100*time.Millisecond), 0))
	}
	return robotics.And(still[0], still[1:]...)
}

// whenGiven begins a command, and has another one started in the cycle after the one in which it gives a token. The rule is there before
// the command begins.
func whenGiven(ctx context.Context, robot *robotics.Runtime, c robotics.Command, token *robotics.Token, start *robotics.Handle) (*robotics.Handle, *client.Rule, error) {
	h, err := robot.Load(ctx, c)
	if err != nil {
		return h, nil, err
	}
	rule, err := robot.Synchronize(ctx, h.Given(token), robotics.Switch{Start: []*robotics.Handle{start}})
	if err != nil {
		return h, nil, err
	}
	return h, rule, h.Start(ctx)
}

// givenWay waits until the arms have given way. The rule fails when a motion that began just after the push holds the arms in the
// cycle of the token; then they give way as soon as that motion has come to its end.
func givenWay(ctx context.Context, both *activity.Robot, rule *client.Rule, yielding *robotics.Handle) error {
	switch state, err := rule.Decided(ctx); {
	case err != nil:
		return err
	case state != client.RuleFired:
		if err := both.Cancel(ctx); err != nil {
			return err
		}
		if err := yielding.Start(ctx); err != nil {
			return err
		}
	}
	return yielding.Wait(ctx)
}

// leave has a command gone that is not needed any more, unless it has ended: the program may begin again.
func leave(h *robotics.Handle) {
	if h == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = h.Cancel(ctx)
}

// giveWay has an arm hang in soft springs for a while.
func giveWay(arm *actuator.Lightweight) robotics.Command {
	soft := actuator.CartesianImpedance{Stiffness: geom.Wrench{Force: geom.Vector{X: 150, Y: 150, Z: 150}}} // N/m
	hold := robotics.NewCommand(arm, motions.JointHold{}, actuator.Under{Control: soft})
	hold.OnFirstEntered(robotics.Long(hold.Active(), 8*time.Second), robotics.Cancel(hold))
	return arm.Yield(soft, hold)
}
