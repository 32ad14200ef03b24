// Quadcopter flies a quadcopter that keeps its attitude by itself, but not its place (§11.2.3). By attitude alone it drifts with the
// air. The cascaded controller of figure 11.9, which the action FlyTo becomes (controller.go), holds it where it is to be, by what a
// tracking system sees. The application says where that is, while all of this is one command. With -plot FOLDER it draws the flight.
//
// Output:
//
//	hovers ... cm from (0.0 0.0 1.0)
//	by its attitude alone it is ... cm away after 3 s
//	hovers ... cm from (0.8 0.0 1.0)
//	hovers ... cm from (0.8 0.8 1.4)
//	hovers ... cm from (0.0 0.8 1.0)
//	hovers ... cm from (0.0 0.0 0.6)
//	has landed
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/robotics"
)

func main() { program.Main(fly) }

func fly(ctx context.Context, robot *robotics.Runtime) error {
	f, err := start(ctx, robot, Quadcopter{Device: "crazyflie"})
	if err != nil {
		return err
	}
	if err := f.hover(); err != nil {
		return err
	}
	if err := robotics.Set(ctx, f.handle, f.alone, true); err != nil {
		return err
	}
	if err := f.arrive(); err != nil {
		return err
	}
	fmt.Printf("by its attitude alone it is %.0f cm away after %.0f s\n", 100*f.farthest.Newest(), alone.Seconds())
	for _, f.at = range []geom.Vector{{X: 0.8, Z: 1}, {X: 0.8, Y: 0.8, Z: 1.4}, {Y: 0.8, Z: 1}, {Z: 0.6}} {
		if err := robotics.Set(ctx, f.handle, f.target, f.at); err != nil {
			return err
		}
		if err := f.hover(); err != nil {
			return err
		}
	}
	return f.land()
}

// alone is how long the quadcopter has nothing but its attitude.
const alone = 3 * time.Second
