package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/robotics"
)

// arms are the devices that play.
var arms = []string{"lwr", "lwr2"}

// lookAgain is how often it is asked whether arms can play again.
const lookAgain = 300 * time.Millisecond

// Perform tells the story until ctx ends, whose error it returns. When an arm cannot go on, as after an emergency stop, it begins anew as soon as both arms can:
// after an emergency stop somebody has to switch drives on, and Perform is who does it. When it ends for another reason it is not begun
// again. say is told why nothing goes on, and nothing when it goes on.
func Perform(ctx context.Context, address string, say func(why string)) error {
	for {
		say("")
		err := tellOnce(ctx, address)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		again, why := await(ctx, address, say)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !again {
			if err = errors.Join(err, why); err == nil {
				err = errors.New("it is over")
			}
			say(fmt.Sprintf("The program has ended: %v.", err))
			return err
		}
	}
}

// tellOnce tells the story over a connection of its own, so that nothing is left of one that went wrong.
func tellOnce(ctx context.Context, address string) error {
	robot, err := robotics.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer robot.Close()
	return Tell(ctx, robot)
}

// await waits until all arms can move, and reports whether some could not.
func await(ctx context.Context, address string, say func(why string)) (some bool, err error) {
	robot, err := robotics.Connect(ctx, address)
	if err != nil {
		return false, err
	}
	defer robot.Close()
	for stopped := false; ; some = true {
		causes, err := causesOf(ctx, robot)
		if err != nil || len(causes) == 0 {
			return some, err
		}
		say("The program waits, and starts again when the arms can move: " + strings.Join(causes, ", ") + ".")
		all := strings.Join(causes, ", ")
		stopped = stopped || strings.Contains(all, emergencyStop)
		if stopped && !strings.Contains(all, emergencyStop) && strings.Contains(all, drivesOff) {
			for _, name := range arms {
				tell(ctx, address, name, "happen", "what", "on")
			}
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// What devices say of themselves.
const (
	emergencyStop = "emergency stop"
	drivesOff     = "drives are off"
)

// causesOf says of each arm that cannot move why.
func causesOf(ctx context.Context, robot *robotics.Runtime) (list []string, err error) {
	for _, name := range arms {
		cause, err := robot.Daemon().NotReady(ctx, name)
		if err != nil {
			return nil, err
		}
		if cause != "" {
			list = append(list, name+": "+cause)
		}
	}
	return list, nil
}
