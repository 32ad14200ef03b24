package activity_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
	"github.com/softrobot-rcc/rccd/robotics/actuator"
)

func TestMain(m *testing.M) { leak.Main(m) }

// cell has two arms, and an application.
type cell struct {
	*cells.Cell
	t testing.TB
	r *robotics.Runtime
}

func newCell(t testing.TB, options ...cells.Option) *cell {
	t.Helper()
	c := cells.New(t, append([]cells.Option{cells.Only("kr16", "tx90")}, options...)...)
	return &cell{c, t, c.Connect()}
}

// rules returns those that have been given, and how many of them wait.
func (c *cell) rules() (all []*rcc.Rule, wait int) {
	all = c.Core.Rules.All()
	for _, r := range all {
		if s, _ := r.State(); s == rcc.RuleActive {
			wait++
		}
	}
	return all, wait
}

// until waits until something holds of the core, or another thing happens.
func (c *cell) until(holds func() bool, or <-chan begun) (x begun, happened bool) {
	c.t.Helper()
	bell, stop := c.Core.Changes.Watch()
	defer stop()
	for !holds() {
		select {
		case <-bell:
		case x = <-or:
			return x, true
		case <-c.t.Context().Done():
			c.t.Fatal("nothing happens")
		}
	}
	return x, false
}

type begun struct {
	x   *activity.Execution
	err error
}

// kr16 returns a robot of the cell.
func (c *cell) kr16() *activity.Robot {
	return activity.NewRobot(c.r, actuator.NewArm("kr16", robots.KR16()))
}

func (c *cell) tx90() *activity.Robot {
	return activity.NewRobot(c.r, actuator.NewArm("tx90", robots.TX90L()))
}

func model() *kinematics.Arm { return robots.KR16() }

// setting returns a number that the environment may say.
func setting(t testing.TB, name string, standard int) int {
	t.Helper()
	text, said := os.LookupEnv(name)
	if !said {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}
