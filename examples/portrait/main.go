// Portrait has an arm draw on a board that another arm holds and moves about (paper 001, section 6). The lines are given relative
// to the board; its motion makes no difference to the program that gives them. The drawing is measured in every cycle, by the
// joints of both arms: how long the lines are, how far from where they should be, and how deep the pen is pressed. With -plot
// FOLDER it draws what was drawn, as seen from the board and from the ground.
//
// Output:
//
//	the board moves by 0 mm: 0.60 m of lines, within ... mm, pressed by ... mm
//	the board moves by ... mm: 0.60 m of lines, within ... mm, pressed by ... mm
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
)

func main() { program.Main(draw) }

func draw(ctx context.Context, robot *robotics.Runtime) error {
	s, err := newStudio()
	if err != nil {
		return err
	}
	for _, sway := range []float64{0, 1} {
		if err := robot.Execute(ctx, s.home()); err != nil {
			return err
		}
		m, err := s.measure(ctx, robot)
		if err != nil {
			return err
		}
		if err := errors.Join(robot.Execute(ctx, s.portrait(sway)), m.stop(ctx)); err != nil {
			return err
		}
		fmt.Printf("the board moves by %.0f mm: %.2f m of lines, within %.2f mm, pressed by %.2f mm\n",
			1000*m.moved.Newest(), m.drawn.Newest(), 1000*m.astray.Newest(), 1000*m.depth.Newest())
		s.record = m.record
	}
	return s.show()
}
