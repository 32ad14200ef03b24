package robotarm_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/robotarm"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// record is an arm of two joints that keeps what it is told. The second joint has no power.
type record struct {
	commands int
	newest   float64
	at       device.Instant
	tools    uint64
	busy     bool // with the tool
}

func (r *record) Status() device.Status          { return device.Status{State: device.Operational} }
func (r *record) Interfaces() []device.Interface { return device.AnnounceJoints(2) }
func (r *record) Close() error                   { return nil }
func (r *record) Joints() int                    { return 2 }

func (r *record) Joint(joint int) device.JointState {
	if joint != 0 {
		return device.JointState{Fault: device.JointDrivesOff}
	}
	at := device.JointMotion{Pos: 0.5}
	return device.JointState{Commanded: at, Measured: at}
}

func (r *record) CheckPosition(_ int, position float64) device.PositionFault {
	switch {
	case position != position:
		return device.PositionNotANumber
	case position < -1 || position > 1:
		return device.PositionOutOfRange
	}
	return device.PositionGood
}

func (r *record) CommandPosition(_ int, position float64, at device.Instant) {
	r.commands++
	r.newest, r.at = position, at
}

func (r *record) SetTool(int, device.Tool) uint64 {
	r.tools++
	return r.tools
}

func (r *record) ToolDone(_ int, ticket uint64) (bool, int32) { return ticket <= r.tools && !r.busy, 0 }

func kitOf(arm *record) testkit.Kit {
	return testkit.Kit{Primitives: robotarm.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"arm": arm}
	}}
}

var kit = testkit.Kit{Primitives: robotarm.Primitives(), Devices: func() map[string]device.Device {
	return map[string]device.Device{"arm": &record{}}
}}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func FuzzKernels(f *testing.F)     { kit.Fuzz(f) }

// TestSetPoints: each value is commanded once, at the end of its cycle and for its instant; null is not.
func TestSetPoints(t *testing.T) {
	arm := &record{}
	net := kitOf(arm).Single(t, "RobotArm::JointPosition", 4*time.Millisecond, map[string]string{"Robot": "arm"}, "inPosition")
	in := testkit.In[float64](t, net, "inPosition")
	net.Next()
	in.Set(net.Cy, 0.25)
	net.Phase(spec.Sense)
	net.Phase(spec.Run)
	if arm.commands != 0 {
		t.Error("commanded before everything was computed")
	}
	net.Phase(spec.Act)
	if want := (device.Instant{Time: net.Cy.Time, Period: 0.004, Cycle: 1}); arm.commands != 1 || arm.newest != 0.25 || arm.at != want {
		t.Errorf("%d commands, %v for %v instead of %v", arm.commands, arm.newest, arm.at, want)
	}
	net.Next()
	net.Phases()
	if arm.commands != 1 {
		t.Error("no value, but a command")
	}
	want := []device.Resource{{Device: "arm", Channel: "joint 0"}, {Device: "arm", Channel: "tool 0"}}
	if diff := cmp.Diff(want, net.Env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

// several loads a block of one primitive, whose first in port the test feeds.
func several(t *testing.T, arm *record, name string, axes ...string) (*spec.Block, []spec.Cell) {
	t.Helper()
	var p *spec.Primitive
	for _, d := range robotarm.Primitives() {
		if d.Name == name {
			p = d
		}
	}
	block, robot, env := p.New(len(axes)), "arm", &spec.Env{Period: time.Millisecond, Host: host{arm}}
	var cells []spec.Cell
	for i, axis := range axes {
		cells = append(cells, block.Source(i, 0))
		block.Link(i, 0, cells[i])
		texts := make([]*string, len(p.Params))
		texts[p.Param("Robot")], texts[p.Param("Axis")] = &robot, &axis
		if err := block.Init(i, texts, env); err != nil {
			t.Fatal(err)
		}
	}
	return block, cells
}

type host struct{ arm *record }

func (h host) Device(string) (device.Device, error) { return h.arm, nil }
func (h host) Board(string) (*spec.Board, error)    { return nil, spec.ErrNoDevice }
func (h host) Inbox(string) (*spec.Inbox, error)    { return nil, spec.ErrNoDevice }

// TestConcurrentAccess: of several with a value in one cycle none commands, and all say so, the first one a cycle later;
// those without a value do not count.
func TestConcurrentAccess(t *testing.T) {
	arm := &record{}
	block, cells := several(t, arm, "RobotArm::JointPosition", "0", "0")
	run, act := block.Kernel(spec.Run, 0, 2), block.Kernel(spec.Act, 0, 2)
	fault := func(i int) int32 { return block.Cell(i, 0).(*spec.Out[int32]).V }
	steps := []struct {
		values   [2]string
		want     [2]int32
		commands int
	}{
		{[2]string{"0.1", ""}, [2]int32{0, 0}, 1},
		{[2]string{"", "0.2"}, [2]int32{0, 0}, 1},
		{[2]string{"0.3", "0.3"}, [2]int32{0, -1}, 0},
		{[2]string{"0.3", "0.3"}, [2]int32{-1, -1}, 0},
		{[2]string{"0.3", ""}, [2]int32{-1, 0}, 1},
		{[2]string{"0.3", ""}, [2]int32{0, 0}, 1},
	}
	for n, step := range steps {
		cy := spec.Cycle{N: uint64(n) + 1}
		for i, text := range step.values {
			if text == "" {
				continue
			}
			if err := cells[i].SetText(&cy, text); err != nil {
				t.Fatal(err)
			}
		}
		arm.commands = 0
		run(&cy)
		act(&cy)
		if got := [2]int32{fault(0), fault(1)}; got != step.want || arm.commands != step.commands {
			t.Errorf("cycle %d: errors %v and %d commands, not %v and %d", cy.N, got, arm.commands, step.want, step.commands)
		}
	}
}

// TestToolsTakeTime: a tool is complete when the device says so, and one that follows it begins again.
func TestToolsTakeTime(t *testing.T) {
	arm := &record{busy: true}
	net := kitOf(arm).Single(t, "RobotArm::ToolParameters", time.Millisecond, map[string]string{"Robot": "arm", "Axis": "1"}, "inMass")
	mass, done := testkit.In[float64](t, net, "inMass"), testkit.Out[bool](t, net, "outCompleted")
	for n, step := range []struct {
		busy  bool
		mass  float64
		done  bool
		tools uint64
	}{
		{true, 1, false, 1},
		{true, 1, false, 1},
		{true, 1, false, 1},
		{false, 1, true, 1},
		{false, 1, true, 1},
		{false, 2, false, 2},
		{false, 2, true, 2},
	} {
		arm.busy = step.busy
		net.Next()
		mass.Set(net.Cy, step.mass)
		net.Phases()
		if done.V != step.done || arm.tools != step.tools {
			t.Errorf("cycle %d: %d tools, done: %t", n+1, arm.tools, done.V)
		}
	}
	if want := []device.Resource{{Device: "arm", Channel: "tool 1"}}; !cmp.Equal(want, net.Env.Resources) {
		t.Errorf("resources %v", net.Env.Resources)
	}
}
