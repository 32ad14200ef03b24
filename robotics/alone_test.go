package robotics_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/robotics"
)

// TestAlone: what two commands set at the same time is set by none of them, and both have failed.
func TestAlone(t *testing.T) {
	r := cells.New(t).Free().Connect()
	out, analog := robotics.DigitalOutput{Device: "io", Port: 0}, robotics.AnalogOutput{Device: "io", Port: 0}
	both := lamp{out, robotics.DigitalOutput{Device: "io", Port: 1}}
	set := func(on bool) *robotics.RuntimeCommand {
		return robotics.NewCommand(out, robotics.SetDigital{Value: on})
	}
	follow := func() *robotics.RuntimeCommand {
		c := robotics.NewCommand(analog, robotics.FollowAnalog{Value: robotics.Constant(3.0)})
		c.OnEntered(robotics.Long(c.Active(), 10*period), robotics.Cancel(c))
		return c
	}
	level := robotics.NewCommand(analog, robotics.SetAnalog{Value: 1})
	handled := follow()
	handled.OnEntered(handled.Fault(robotics.FaultConcurrent), robotics.Stop(handled))
	other := robotics.NewTransaction()
	other.AddStart(handled, robotics.NewCommand(analog, robotics.SetAnalog{Value: 2}))
	for _, tt := range []struct {
		name   string
		of     robotics.Command
		failed []string // commands
	}{
		{"one after the other", robotics.Sequence(set(true), set(false), set(true)), nil},
		{"different ones", robotics.Parallel(set(true), robotics.NewCommand(both.green, robotics.SetDigital{Value: true})), nil},
		{"the same one", robotics.Parallel(set(true), set(false)), []string{"io/out0 = true", "io/out0 = false"}},
		{"the same, and the same value", robotics.Parallel(set(true), set(true)), []string{"io/out0 = true", "io/out0 = true"}},
		{"in the middle", robotics.Parallel(follow(), robotics.Sequence(robotics.NewWait(5*time.Millisecond), level)), []string{"io/anout0 follow", "io/anout0 = 1"}},
		{"one that minds itself", other, []string{"io/anout0 = 2"}},
		{"part of an actuator of one's own", robotics.Parallel(set(false), robotics.NewCommand(both, show{color{red: true}})), []string{"lamp show"}},
	} {
		var failed *robotics.FailedError
		var who []string
		if err := r.Execute(t.Context(), tt.of); errors.As(err, &failed) {
			for _, f := range failed.Faults {
				who = append(who, f.Command)
				if f.Fault != robotics.FaultConcurrent {
					t.Errorf("%s: %v", tt.name, f)
				}
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !slices.Equal(who, tt.failed) {
			t.Errorf("%s: %v", tt.name, who)
		}
	}
	if v, err := robotics.Value(t.Context(), r, analog); err != nil || v != 3 {
		t.Errorf("%v, %v", v, err)
	}
}
