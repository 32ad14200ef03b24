// Container has two lightweight robots carry a container (paper 001, section 6): up, aside, and down again, turned. As MultiArm (§11.2.1)
// they are one robot, whose motions blend into each other, and keep their relation in every cycle. In one transaction each of them can
// also be told the same line by itself. How far the grips are from where they should be to each other is measured in every cycle,
// by the joints of both. With -plot FOLDER it draws that.
//
// Output:
//
//	as one robot: lifted by 120 mm, grips within ... mm
//	in one transaction: lifted by 120 mm, grips within ... mm
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/robotics"
)

func main() { program.Main(carry) }

func carry(ctx context.Context, robot *robotics.Runtime) error {
	t, err := newTeam(ctx, robot)
	if err != nil {
		return err
	}
	if err := robot.Execute(ctx, t.home()); err != nil {
		return err
	}
	record, err := program.Record(ctx, robot, t.apart(), t.height())
	if err != nil {
		return err
	}
	for _, way := range []struct {
		name  string
		carry func() error
	}{{"as one robot", t.asOne}, {"in one transaction", t.byLines}} {
		apart, errApart := program.Watch(ctx, robot, program.Most(t.apart()))
		lifted, errLifted := program.Watch(ctx, robot, program.Most(t.height()))
		if err := errors.Join(errApart, errLifted); err != nil {
			return err
		}
		if err := errors.Join(way.carry(), apart.Stop(ctx), lifted.Stop(ctx)); err != nil {
			return err
		}
		fmt.Printf("%s: lifted by %.0f mm, grips within %.2f mm\n", way.name, lifted.Newest(), apart.Newest())
	}
	return errors.Join(record.Stop(ctx), show(record))
}
