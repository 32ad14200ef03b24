// Synchronised moves two arms of different manufacturers along parallel lines, there and back, at the limits of §11.2.1, and measures how many
// cycles one begins after the other, and how far their flanges are from where they should be to each other. Parallel is one command with
// both motions. A rule of the daemon starts two commands in the same cycle as well. An application that starts them one after the other
// does not. Before anything moves, the lines are previewed. With -plot FOLDER it draws the distance.
//
// Output:
//
//	preview: a line takes ... s, and violates no limit
//	one command: 0 cycles apart, flanges within ... mm
//	two commands, one rule: 0 cycles apart, flanges within ... mm
//	one after the other: ... cycles apart, flanges within ... mm
package main

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
)

func main() { program.Main(synchronise) }

func synchronise(ctx context.Context, robot *robotics.Runtime) error {
	p := newPair(ctx, robot)
	if err := p.home(); err != nil {
		return err
	}
	if err := p.preview(); err != nil {
		return err
	}
	for _, way := range []struct {
		name  string
		start func(one, other robotics.Command) ([]*robotics.Handle, error)
	}{
		{"one command", p.asOne}, {"two commands, one rule", p.byRule}, {"one after the other", p.inTurn},
	} {
		m, err := p.measure()
		if err != nil {
			return err
		}
		for _, far := range []bool{true, false} {
			handles, err := way.start(p.line(p.left, far), p.line(p.right, far))
			if err != nil {
				return err
			}
			for _, h := range handles {
				if err := h.Wait(ctx); err != nil {
					return err
				}
			}
		}
		cycles, distance, err := m.end(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %.0f cycles apart, flanges within %.2f mm\n", way.name, cycles, 1000*distance)
	}
	return p.draw()
}
