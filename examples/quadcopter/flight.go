package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// flight is a command that is executed, and what the application can tell it.
type flight struct {
	ctx     context.Context //nolint:containedctx // of the program, of which this is a part
	robot   *robotics.Runtime
	copter  Quadcopter
	target  *robotics.Input[geom.Vector]
	alone   *robotics.Input[bool]
	handle  *robotics.Handle
	arrived chan struct{} // each time when it has been near its target for a while

	at       geom.Vector // the target
	farthest *program.Newest
	record   *program.Recording
}

// heading is where the quadcopter points to, for its compass to have something to do.
const heading = 0.6 // rad

// start takes off. The command flies to the target until the quadcopter is to be left alone, leaves it alone, and flies to the target
// again until it is cancelled.
func start(ctx context.Context, robot *robotics.Runtime, q Quadcopter) (*flight, error) {
	f := &flight{ctx: ctx, robot: robot, copter: q, at: geom.Vector{Z: 1}, arrived: make(chan struct{}, 1)}
	f.target, f.alone = robotics.NewInput("target", f.at), robotics.NewInput("alone", false)
	first, second := f.flyTo(), f.flyTo()
	first.OnEntered(robotics.IsTrue(f.alone), robotics.Cancel(first))
	level := robotics.NewCommand(q, Keep{Attitude{Yaw: heading, Thrust: gravity}})
	level.OnEntered(robotics.Long(level.Active(), alone), robotics.Cancel(level))

	x, y, z := q.Coordinate(robotics.X), q.Coordinate(robotics.Y), q.Coordinate(robotics.Z)
	var err error
	if f.record, err = program.Record(ctx, robot, x, y, z); err != nil {
		return nil, err
	}
	if f.farthest, err = program.Watch(ctx, robot, program.Most(q.Aside())); err != nil {
		return nil, err
	}
	f.handle, err = robot.Start(ctx, robotics.Sequence(first, level, second))
	return f, err
}

// flyTo returns the command that flies to the target, and reports when it has been near it for a while.
func (f *flight) flyTo() *robotics.RuntimeCommand {
	const near, long = 0.05, 2 * time.Second
	c := robotics.NewCommand(f.copter, FlyTo{Target: f.target, Yaw: robotics.Constant(heading)})
	c.OnEntered(robotics.Long(robotics.Below(f.copter.Away(f.target), near), long), robotics.External(func() { f.arrived <- struct{}{} }))
	return c
}

// arrive waits for the quadcopter.
func (f *flight) arrive() error {
	select {
	case <-f.arrived:
		return nil
	case <-f.handle.Done():
		return errors.Join(errors.New("it does not fly any more"), f.handle.Wait(f.ctx))
	}
}

// hover waits for the quadcopter, and returns how exactly it is at its goal.
func (f *flight) hover() error {
	if err := f.arrive(); err != nil {
		return err
	}
	away, err := robotics.Value(f.ctx, f.robot, f.copter.Away(robotics.Constant(f.at)))
	fmt.Printf("hovers %.1f cm from (%.1f %.1f %.1f)\n", 100*away, f.at.X, f.at.Y, f.at.Z)
	return err
}

// land lets the quadcopter alone, which then sinks by itself, and draws where it has been.
func (f *flight) land() error {
	if err := errors.Join(f.handle.Cancel(f.ctx), f.handle.Wait(f.ctx)); err != nil {
		return err
	}
	const ground = 0.01 // m
	if err := f.robot.Execute(f.ctx, robotics.NewWaitUntil(robotics.Below(f.copter.Coordinate(robotics.Z), ground))); err != nil {
		return err
	}
	fmt.Println("has landed")
	if err := errors.Join(f.farthest.Stop(f.ctx), f.record.Stop(f.ctx)); err != nil {
		return err
	}
	way := f.record.Way("", 0, 1, 0, f.record.Len())
	return program.Save(&picture.Figure{
		Name: "quadcopter", Title: "Flight of a quadcopter", Duration: f.record.Duration(),
		Panels: []picture.Panel{
			{Label: "y over x, m", Plane: &picture.Plane{Lines: []picture.Line{way}}},
			{Label: "position, m", Curves: []picture.Curve{f.record.Curve("x", 0), f.record.Curve("y", 1), f.record.Curve("z", 2)}},
		},
	})
}
