// Rectangle drives around rectangles without stopping (§11.2.2): ABCD while a button is not pressed, ABC'D' when it is. The program
// looks at the button shortly before B, after three lamps have counted down. When it decides too late, as in the last round, the
// robot comes to rest at B and goes on from there. Elsewhere it stops as well if this machine is too busy. The button is an input that is
// connected to an output, for the program to press it. With -plot FOLDER it draws where the robot has been.
//
// Output:
//
//	not pressed: A B C D, ...
//	pressed: A B C' D', ...
//	too late: A B C D, with a stop at ...B...
package main

import (
	"context"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
)

func main() { program.Main(drive) }

// round is once around a rectangle.
type round struct {
	name          string
	pressed, late bool
}

var rounds = []round{{name: "not pressed"}, {name: "pressed", pressed: true}, {name: "too late", late: true}}

func drive(ctx context.Context, robot *robotics.Runtime) error {
	d, err := begin(ctx, robot)
	if err != nil {
		return err
	}
	for _, r := range rounds {
		pressed, err := d.toB(r.pressed, r.late)
		if err != nil {
			return err
		}
		corners := []string{"C", "D", "A"}
		if pressed {
			corners = []string{"C'", "D'", "A"}
		}
		for _, corner := range corners {
			if err := d.to(corner, nil); err != nil {
				return err
			}
		}
		d.report(r.name)
	}
	return d.end()
}
