package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// The robot stands well at A; the other corners are seen from there, in m.
var (
	start   = []float64{0, 0.3, 0, -1.5, 0, 1.34, 0}
	corners = map[string]geom.Vector{"A": {}, "B": {Y: 0.2}, "C": {X: 0.12, Y: 0.2}, "D": {X: 0.12}, "C'": {X: -0.12, Y: 0.2}, "D'": {X: -0.12}}
	limits  = robotics.CartesianLimits{Vel: 0.25, Acc: 0.8, Jerk: 8, RotVel: 1, RotAcc: 4, RotJerk: 40}
)

// Events on the side from A to B, by share of its time. From leave on it may blend into the next side.
const (
	lampAt   = 0.15 // the first of three lamps; the others follow as fast
	pressAt  = 0.5
	decideAt = 0.6
	leave    = 0.8
)

var (
	finger = robotics.DigitalOutput{Device: "io", Port: 3}
	button = robotics.DigitalInput{Device: "io", Port: 3}
)

// driver is the robot on its way.
type driver struct {
	ctx   context.Context //nolint:containedctx // of the program, of which this is a part
	robot *robotics.Runtime
	arm   *activity.Robot
	a     geom.Frame // pose at A

	at      string // where it comes from
	side    *activity.Execution
	way     []string // corners of this round
	stops   []string
	problem error // of what happens on the way

	record *program.Recording
	rows   []int // how many there were at the end of each round
}

// begin brings the robot to A.
func begin(ctx context.Context, robot *robotics.Runtime) (*driver, error) {
	model := robots.LWR4()
	lwr := actuator.NewLightweight("lwr", model)
	d := &driver{ctx: ctx, robot: robot, arm: activity.NewRobot(robot, lwr.Arm), a: model.Forward(start), at: "A"}
	if err := errors.Join(d.set(finger, false), d.arm.PTP(start).Execute(ctx)); err != nil {
		return nil, err
	}
	place := robotics.Position(lwr.MeasuredPose())
	y := robotics.Sub(robotics.Component(place, robotics.Y), robotics.Constant(d.a.Pos.Y))
	x := robotics.Sub(robotics.Component(place, robotics.X), robotics.Constant(d.a.Pos.X))
	var err error
	d.record, err = program.Record(ctx, robot, y, x)
	return d, err
}

// to begins a side as soon as the one before can be left, and notes whether the robot has come to rest between them.
func (d *driver) to(corner string, with func(m *activity.Motion)) error {
	goal := d.a
	goal.Pos = goal.Pos.Add(corners[corner])
	m := d.arm.Lin(goal, d.arm.Arm().Base(), limits).Blend(leave)
	if with != nil {
		with(m)
	}
	before := d.side
	var err error
	if d.side, err = m.Begin(d.ctx); err != nil {
		return err
	}
	if before != nil {
		if err := before.Handle().Wait(d.ctx); err == nil {
			d.stops = append(d.stops, d.at)
		} else if !errors.Is(err, robotics.ErrStopped) { // as who is relieved in flight
			return err
		}
	}
	d.way, d.at = append(d.way, d.at), corner
	return nil
}

// toB begins the side on which is decided, and returns what the button was then: soon, or late, when the side is over.
func (d *driver) toB(press, late bool) (pressed bool, err error) {
	decision := make(chan bool, 1)
	if err := d.to("B", d.countdown(press, func(is bool) { decision <- is })); err != nil {
		return false, err
	}
	if !late {
		select {
		case pressed = <-decision:
			return pressed, d.problem
		case <-d.side.Done():
		}
	}
	<-d.side.Done()
	if len(decision) == 0 {
		return false, errors.Join(errUndecided, d.side.Wait(d.ctx), d.problem)
	}
	return <-decision, d.problem
}

var errUndecided = errors.New("the side to B is over, and nobody has decided how to go on")

// countdown returns what happens on the way to B: lamps go on, a finger presses the button or lets it go, and last of all somebody looks.
func (d *driver) countdown(pressed bool, decide func(pressed bool)) func(m *activity.Motion) {
	return func(m *activity.Motion) {
		for lamp := range 3 {
			m.At(float64(lamp+1)*lampAt, func() { d.note(d.set(robotics.DigitalOutput{Device: "io", Port: lamp}, true)) })
		}
		m.At(pressAt, func() { d.note(d.set(finger, pressed)) })
		m.At(decideAt, func() {
			is, err := robotics.Value(d.ctx, d.robot, button)
			d.note(err)
			decide(is)
			for lamp := range 3 {
				d.note(d.set(robotics.DigitalOutput{Device: "io", Port: lamp}, false))
			}
		})
	}
}

func (d *driver) note(err error) { d.problem = errors.Join(d.problem, err) }

func (d *driver) set(output robotics.DigitalOutput, on bool) error {
	return d.robot.Execute(d.ctx, robotics.NewCommand(output, robotics.SetDigital{Value: on}))
}

// report prints a round.
func (d *driver) report(name string) {
	text := "without a stop"
	if len(d.stops) > 0 {
		text = "with a stop at " + strings.Join(d.stops, ", ")
	}
	fmt.Printf("%s: %s, %s\n", name, strings.Join(d.way, " "), text)
	d.way, d.stops = nil, nil
	d.rows = append(d.rows, d.record.Len())
}

// end waits until the robot is at rest, and draws where it has been.
func (d *driver) end() error {
	if err := errors.Join(d.side.Wait(d.ctx), d.problem, d.record.Stop(d.ctx)); err != nil {
		return err
	}
	d.rows[len(d.rows)-1] = d.record.Len()
	ways, from := make([]picture.Line, len(rounds)), 0
	for i, upTo := range d.rows {
		ways[i], from = d.record.Way(rounds[i].name, 0, 1, from, upTo), upTo
	}
	return program.Save(&picture.Figure{
		Name: "rectangle", Title: "Two rectangles, decided just before B", Duration: d.record.Duration(),
		Panels: []picture.Panel{
			{Label: "x over y, m", Plane: &picture.Plane{Lines: ways}},
			{Label: "speed, m/s", Limit: limits.Vel, Size: true, Curves: []picture.Curve{d.record.Speed("", 0, 1)}},
		},
	})
}
