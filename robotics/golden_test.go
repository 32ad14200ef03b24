package robotics_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/geom"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/world"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestGolden: what each concept becomes, before the optimiser. The nets are in testdata, a primitive in each line, and the daemon
// takes them.
func TestGolden(t *testing.T) {
	c := cells.New(t)
	arm := kr16()
	start := poseAt(point)
	table := arm.Base().Place("table", geom.Frame{Pos: geom.Vector{X: -0.25}})
	io := robotics.DigitalOutput{Device: "io", Port: 2}
	hand := robotics.Gripper{Device: "gripper"}
	base := robotics.NewBase("base")
	do := func(a robotics.Actuator, action robotics.Action, params ...any) func() robotics.Command {
		return func() robotics.Command { return robotics.NewCommand(a, action, params...) }
	}
	react := func(how func(w robotics.Command)) func() robotics.Command {
		return func() robotics.Command {
			w := robotics.NewWait(10 * period)
			how(w)
			return w
		}
	}
	for name, command := range map[string]func() robotics.Command{
		"wait":            react(func(robotics.Command) {}),
		"wait for cancel": func() robotics.Command { return robotics.NewWaitForCancel() },
		"listing 10.1": func() robotics.Command {
			high, wait, low := do(io, robotics.SetDigital{Value: true})(), robotics.NewWaitForCancel(), do(io, robotics.SetDigital{})()
			tc := robotics.NewTransaction(high, wait, low)
			tc.AddStart(high)
			tc.OnFirstEntered(high.Completed(), robotics.Start(wait))
			tc.OnFirstEntered(wait.Completed(), robotics.Start(low))
			tc.OnFirstEntered(robotics.Or(robotics.IsTrue(robotics.DigitalInput{Device: "io"}), tc.Cancelled()), robotics.Cancel(wait))
			return tc
		},
		"start condition": func() robotics.Command {
			tc := robotics.NewTransaction()
			tc.AddStartWhen(robotics.NewWait(period), robotics.IsTrue(io))
			return tc
		},
		"ptp":              do(arm, robotics.PTP{To: point}),
		"ptp asynchronous": do(arm, robotics.PTP{To: point, Sync: robotics.Asynchronous}, robotics.Speed(0.5)),
		"ptp line from":    do(arm, robotics.PTP{To: point, From: point, Sync: robotics.FullySynchronous}),
		"ptp twice": func() robotics.Command {
			return robotics.Sequence(do(arm, robotics.PTP{To: point})(), do(arm, robotics.PTP{To: point})())
		},
		"lin":            do(arm, robotics.LIN{To: start, In: table}),
		"lin by":         do(arm, robotics.LINBy{By: geom.Frame{Pos: geom.Vector{Z: 0.1}}, In: table}),
		"lin by of tool": do(arm, robotics.LINBy{By: geom.Frame{Pos: geom.Vector{Z: 0.1}}, In: arm.Flange()}),
		"circ":           do(arm, robotics.CIRC{From: start, Via: start.Pos.Add(geom.Vector{X: -0.1, Y: 0.1}), To: moved(start, geom.Vector{Y: 0.2}, 0, 0, 0), In: arm.Base()}),
		"spline":         do(arm, robotics.Spline{Through: []geom.Frame{start, moved(start, geom.Vector{Y: 0.2}, 0, 0, 0)}, In: arm.Base()}),
		"hold joints":    do(arm, robotics.JointHold{}),
		"hold":           do(arm, robotics.CartesianHold{In: arm.Base()}),
		"jog":            do(arm, robotics.Jog{Velocity: robotics.NewInput("jog", geom.Twist{}), In: arm.Base()}),
		"follow":         do(arm, robotics.Follow{Goal: robotics.Constant(start), In: arm.Base()}),
		"follow digital": do(io, robotics.FollowDigital{Value: robotics.DigitalInput{Device: "io"}}),
		"set digital":    do(io, robotics.SetDigital{Value: true}),
		"set analog":     do(robotics.AnalogOutput{Device: "io"}, robotics.SetAnalog{Value: 2}),
		"grasp":          do(hand, robotics.Grasp{Width: 0.02, Speed: 0.1}),
		"drive to":       do(base, robotics.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 1}}, In: base.Origin()}),
		"drive":          do(base, robotics.Jog{Velocity: robotics.Constant(geom.Twist{Vel: geom.Vector{X: 0.1}}), In: base.Body()}),
		"differential": func() robotics.Command {
			b := robotics.NewDifferentialBase("base")
			return robotics.NewCommand(b, robotics.DriveTo{To: geom.Frame{Pos: geom.Vector{X: 1}}, In: b.Origin()})
		},
		"two arms": func() robotics.Command {
			other := robotics.NewArm("tx90", robots.TX90L())
			if _, err := world.Relate(arm.Base(), other.Base(), geom.Frame{Pos: geom.Vector{X: 2}}); err != nil {
				t.Fatal(err)
			}
			return robotics.Parallel(do(arm, robotics.LIN{To: start, In: table})(), do(other, robotics.CartesianHold{In: arm.Flange()})())
		},
		"states": react(func(w robotics.Command) {
			s := robotics.Above(arm.Measured(0), 0.5)
			w.OnEntered(robotics.And(s, robotics.Not(robotics.Long(robotics.Ever(s), time.Second))), robotics.Cancel(w))
		}),
		"events": react(func(w robotics.Command) {
			s := robotics.IsTrue(io)
			r := robotics.NewRaised("raised")
			w.OnEntered(s, robotics.Raise(r))
			w.OnLeft(s, robotics.Cancel(w))
			w.OnFirstEntered(r, robotics.External(func() {}))
			w.OnFirstLeft(s, robotics.Give(robotics.NewToken("token")), robotics.Stop(w))
		}),
		"progress": func() robotics.Command {
			m := robotics.NewCommand(arm, robotics.LIN{To: start, In: table})
			m.OnFirstEntered(m.State(robotics.Progress(0.8)), robotics.Give(robotics.NewToken("late")))
			m.OnFirstEntered(m.State(robotics.Passed(0.5)), robotics.Give(robotics.NewToken("half")))
			return m
		},
		"arithmetic": react(func(w robotics.Command) {
			a, b := arm.Measured(0), robotics.Sensor[float64](robotics.AnalogInput{Device: "io", Port: 1})
			sum := robotics.Div(robotics.Mul(robotics.Add(a, b), robotics.Sub(a, b)), robotics.Max(robotics.Min(a, b), robotics.Abs(a)))
			w.OnEntered(robotics.Or(robotics.Below(sum, 1), robotics.Near(a, b, 0.1)), robotics.Cancel(w))
		}),
		"fault handled": func() robotics.Command {
			m := robotics.NewCommand(arm, robotics.JointHold{})
			m.OnEntered(m.Fault(robotics.FaultFailed), robotics.Cancel(m))
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := robotics.Watched(command(), nil, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			n, err := c.Core.Load(rcc.LoadRequest{Text: text})
			if err != nil || n.State() != rcc.Ready {
				t.Fatalf("%v %v\n%s", err, n.Problems(), text)
			}
			have := strings.ReplaceAll(text, "),", "),\n") + "\n"
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".dio")
			if *update {
				if err := os.WriteFile(file, []byte(have), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), have); d != "" {
				t.Error(d)
			}
		})
	}
}
