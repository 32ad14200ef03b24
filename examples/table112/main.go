// Table112 repeats the measurement of table 11.2: motions from point to point, along a line, and along a line with two arms together, at
// a cycle time of 2 ms. How large their nets are and what their cycles take is printed beside the figures of the dissertation
// (Intel Core i5-3470, Xenomai 2.6.2.1), and figure 11.1 is drawn: the phases of each cycle of a motion from point to point. Times mean
// something with a clock in real time only. -n is how often motions are repeated.
//
// Output:
//
//	|  | PTP | dissertation | LIN | dissertation | SYNC-LIN | dissertation |
//	|---|---|---|---|---|---|---|
//	| primitives, as mapped | ... |  | ... |  | ... |  |
//	| primitives | ... | 457 | ... | 670 | ... | 1350 |
//	| links, as mapped | ... |  | ... |  | ... |  |
//	| links | ... |  | ... |  | ... |  |
//	| avg. cycle time, ms | ... | 1.9993 | ... | 1.9992 | ... | 1.9992 |
//	| standard deviation | ... | 9.1564e-06 | ... | 1.733e-05 | ... | 1.8886e-05 |
//	| min. cycle time, ms | ... | 1.9860 | ... | 1.9804 | ... | 1.9809 |
//	| max. cycle time, ms | ... | 2.0146 | ... | 2.0143 | ... | 2.0167 |
//	| min. execution time, ms | ... | 0.0568 | ... | 0.0964 | ... | 0.0945 |
//	| standard deviation | ... | 0.0057 | ... | 0.0039 | ... | 0.0042 |
//	| max. execution time, ms | ... | 0.0966 | ... | 0.1562 | ... | 0.3566 |
//	| standard deviation | ... | 0.0045 | ... | 0.0119 | ... | 0.0400 |
//	| cycles | ... |  | ... |  | ... |  |
//	| cycles missed | ... |  | ... |  | ... |  |
package main

import (
	"context"
	"flag"
	"time"

	"github.com/softrobot-rcc/rccd/examples/internal/program"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/robotics"
)

var repetitions = flag.Int("n", 100, "how often each motion is repeated")

func main() { program.Main(measure, robotics.Cycle(2*time.Millisecond), robotics.Keep()) }

func measure(ctx context.Context, robot *robotics.Runtime) error {
	left, right := newMover("kr16", robots.KR16(), 0, -1.5, 1.5, 0, 1, 0), newMover("tx90", robots.TX90L(), 0, 0.5, 1.5, 0, 0.5, 0)
	if err := robot.Execute(ctx, robotics.Parallel(left.home(), right.home())); err != nil {
		return err
	}
	motions := []func(far bool) robotics.Command{
		left.point,
		left.line,
		func(far bool) robotics.Command { return robotics.Parallel(left.line(far), right.line(far)) },
	}
	table := make([]figures, len(motions))
	for i, motion := range motions {
		for n := range *repetitions {
			if err := table[i].measure(ctx, robot, motion(n%2 == 0)); err != nil { // there, and back again
				return err
			}
		}
	}
	write(table)
	return drawPhases(ctx, robot, left.point(*repetitions%2 == 0))
}
