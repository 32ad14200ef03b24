package activity_test

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/devices/simarm"
	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/geom/kinematics"
	"github.com/softrobot-rcc/rccd/geom/robots"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/activity"
)

func TestMain(m *testing.M) { leak.Main(m) }

const period = 2 * time.Millisecond

// cell is a daemon with simulated arms in a time that stands still, unless it is told to go on.
type cell struct {
	t     testing.TB
	core  *rcc.Core
	clock *rt.Virtual
	arms  map[string]*recorder
	r     *robotics.Runtime
}

func newCell(t testing.TB) *cell {
	t.Helper()
	c := &cell{t: t, clock: rt.NewVirtual(time.Unix(1_000_000_000, 0)), arms: map[string]*recorder{}}
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	types := devices.Types()
	for i, of := range types {
		if of.Name == "kuka_kr_arm_sim" || of.Name == "staubli_tx90_sim" {
			types[i] = c.recorded(of)
		}
	}
	if c.core, err = rcc.New(rcc.Config{Catalogue: catalogue, Clock: c.clock, DeviceTypes: types, DefaultCycle: period}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.core.Close(ctx) // what still runs is aborted
	})
	for name, kind := range map[string]string{"kr16": "kuka_kr_arm_sim", "tx90": "staubli_tx90_sim"} {
		if err := c.core.CreateDevice(name, kind, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.r = c.connect()
	return c
}

// connect opens the door for an application.
func (c *cell) connect() *robotics.Runtime {
	c.t.Helper()
	server, err := directio.Listen(c.core, http.NotFoundHandler(), directio.Config{Listen: "127.0.0.1:0", Log: zap.NewNop()})
	if err != nil {
		c.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	c.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := server.Close(ctx); err != nil {
			c.t.Error(err)
		}
		if err := <-served; err != nil {
			c.t.Error(err)
		}
	})
	r, err := robotics.Connect(c.t.Context(), "http://"+server.Addr().String())
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(r.Close)
	return r
}

// free lets time pass as fast as it can.
func (c *cell) free() *cell {
	c.clock.SetSpeed(math.Inf(1))
	return c
}

func (c *cell) hold() { c.clock.SetSpeed(0) }

// pass lets some cycles pass.
func (c *cell) pass(cycles int) {
	c.t.Helper()
	if err := c.clock.Advance(c.t.Context(), time.Duration(cycles)*period); err != nil {
		c.t.Fatal(err)
	}
}

// rules are those that have been given, and how many of them wait.
func (c *cell) rules() (all []*rcc.Rule, wait int) {
	all = c.core.Rules()
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
	bell, stop := c.core.Watch()
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

// kr16 is a robot of the cell.
func (c *cell) kr16() *activity.Robot {
	return activity.NewRobot(c.r, robotics.NewArm("kr16", robots.KR16()))
}

func (c *cell) tx90() *activity.Robot {
	return activity.NewRobot(c.r, robotics.NewArm("tx90", robots.TX90L()))
}

// recorder is a simulated arm that remembers all set-points.
type recorder struct {
	*simarm.RobotWithPorts

	mu     sync.Mutex
	joints [][]setPoint
}

type setPoint struct {
	time int64
	pos  float64
}

// recorded is a type of arms that remember set-points.
func (c *cell) recorded(of device.Type) device.Type {
	open := of.Open
	of.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		d, err := open(env, params)
		arm, ok := d.(*simarm.RobotWithPorts)
		if !ok {
			c.t.Errorf("%T: %v", d, err)
			return d, err
		}
		r := &recorder{RobotWithPorts: arm, joints: make([][]setPoint, arm.Joints())}
		c.arms[env.Name] = r
		return r, err
	}
	return of
}

func (r *recorder) CommandPosition(joint int, pos float64, at device.Instant) {
	r.mu.Lock()
	r.joints[joint] = append(r.joints[joint], setPoint{at.Time, pos})
	r.mu.Unlock()
	r.RobotWithPorts.CommandPosition(joint, pos, at)
}

// way is where a joint was commanded to be.
func (r *recorder) way(joint int) []setPoint {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(slices.Values(r.joints[joint]), func(a, b setPoint) int { return cmp.Compare(a.time, b.time) })
}

// smooth looks whether all joints were commanded without jumps: within their limits of velocity and acceleration, and in every cycle
// in which they move.
func (c *cell) smooth(name string) {
	c.t.Helper()
	const slack = 1 + 1e-6
	arm, cycle := c.arms[name], period.Seconds()
	for i := range arm.Joints() {
		model, way := arm.JointModel(i), arm.way(i)
		vel := 0.0
		for k := 1; k < len(way); k++ {
			a, b := way[k-1], way[k]
			v := (b.pos - a.pos) / cycle
			if b.time-a.time != int64(period) {
				if rests := math.Abs(vel) <= model.Acceleration*cycle*slack; !rests || math.Abs(v) > model.Acceleration*cycle*slack {
					c.t.Fatalf("joint %d: not commanded for %v at a velocity of %v", i, time.Duration(b.time-a.time), vel)
				}
			}
			if math.Abs(v) > model.Velocity*slack {
				c.t.Fatalf("joint %d, set-point %d: velocity %v of %v", i, k, v, model.Velocity)
			}
			if step := math.Abs(v - vel); k > 1 && step > model.Acceleration*cycle*slack+1e-9 {
				c.t.Fatalf("joint %d, set-point %d: velocity from %v to %v, acceleration %v of %v", i, k, vel, v, step/cycle, model.Acceleration)
			}
			vel = v
		}
		if math.Abs(vel) > 1e-3 {
			c.t.Fatalf("joint %d: ends at a velocity of %v", i, vel)
		}
	}
}

// at is where a robot was commanded to be last.
func (c *cell) at(name string) []float64 {
	arm := c.arms[name]
	at := make([]float64, arm.Joints())
	for i := range at {
		way := arm.way(i)
		at[i] = way[len(way)-1].pos
	}
	return at
}

var _ device.ArmKinematics = (*recorder)(nil)

func model() *kinematics.Arm { return robots.KR16() }

// setting is a number that the environment may say.
func setting(t *testing.T, name string, standard int) int {
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
