package schunkwsg_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/primitives/schunkwsg"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// record is a gripper that does what it is told at once, unless it is slow.
type record struct {
	device.Device
	state device.GripperState
	begun []device.GripperAction
	slow  bool
	code  device.GripperCode
	keeps bool // what it is told
	count uint64
}

func newRecord() *record { return &record{state: device.GripperState{Width: 0.11}} }

func (r *record) Gripper() device.GripperState { return r.state }

func (r *record) Begin(a device.GripperAction) uint64 {
	if r.keeps {
		r.begun = append(r.begun, a)
	}
	r.count++
	return r.count
}

func (r *record) Ended(uint64) (bool, device.GripperCode) { return !r.slow, r.code }

func kitOf(make func() *record) testkit.Kit {
	return testkit.Kit{Primitives: schunkwsg.Primitives(), Devices: func() map[string]device.Device {
		return map[string]device.Device{"wsg": make()}
	}}
}

var kit = kitOf(newRecord)

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestCatalogue(t *testing.T)   { kit.Golden(t, "testdata/catalogue.golden") }
func TestEndure(t *testing.T)      { kit.Stress(t, 50) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }

// TestActions: each primitive begins its action with its parameters, once.
func TestActions(t *testing.T) {
	for name, tt := range map[string]struct {
		params map[string]string
		want   device.GripperAction
	}{
		"Homing":          {map[string]string{"Direction": "false"}, device.GripperAction{Kind: device.GripperHome}},
		"Prepositioning":  {map[string]string{"Width": "0.01", "Speed": "0.2", "StopOnBlock": "true"}, device.GripperAction{Kind: device.GripperMove, Width: 0.01, Speed: 0.2, Relative: true, StopOnBlock: true}},
		"Grasping":        {map[string]string{"Width": "0.05", "Speed": "0.1"}, device.GripperAction{Kind: device.GripperGrasp, Width: 0.05, Speed: 0.1}},
		"Releasing":       {map[string]string{"OpenWidth": "0.05", "Speed": "0.1"}, device.GripperAction{Kind: device.GripperRelease, Width: 0.05, Speed: 0.1}},
		"SetAcceleration": {map[string]string{"Acceleration": "2"}, device.GripperAction{Kind: device.GripperAcceleration, Value: 2}},
		"SetForceLimit":   {map[string]string{"Force": "30"}, device.GripperAction{Kind: device.GripperForceLimit, Value: 30}},
		"SetSoftLimits":   {map[string]string{"Inner": "0.02", "Outer": "0.07"}, device.GripperAction{Kind: device.GripperSoftLimits, Value: 0.02, Outer: 0.07}},
		"ClearSoftLimits": {nil, device.GripperAction{Kind: device.GripperClearSoftLimits}},
		"StopDevice":      {nil, device.GripperAction{Kind: device.GripperStop}},
	} {
		r := newRecord()
		r.keeps = true
		params := map[string]string{"Device": "wsg"}
		for k, v := range tt.params {
			params[k] = v
		}
		net := kitOf(func() *record { return r }).Single(t, "schunkwsg::"+name, time.Millisecond, params)
		for range 5 {
			net.Next()
			net.Phases()
		}
		if diff := cmp.Diff([]device.GripperAction{tt.want}, r.begun); diff != "" {
			t.Errorf("%s (-want +begun):\n%s", name, diff)
		}
		if len(net.Env.Resources) != 0 {
			t.Errorf("%s: a gripper is not a resource, but %v", name, net.Env.Resources)
		}
	}
}

// TestEnds: nothing is told while the gripper is busy, then its code, for good.
func TestEnds(t *testing.T) {
	r := newRecord()
	r.slow = true
	net := kitOf(func() *record { return r }).Single(t, "schunkwsg::Grasping", time.Millisecond, map[string]string{"Device": "wsg"})
	finished, code := testkit.Out[bool](t, net, "outFinished"), testkit.Out[int32](t, net, "outStatusCode")
	for n := range 10 {
		net.Next()
		net.Phase(spec.Sense)
		net.Phase(spec.Run)
		net.Phase(spec.Act)
		if n == 4 {
			r.slow, r.code = false, device.GripperBusy
		}
		if n == 6 {
			r.code = device.GripperGood // of somebody else
		}
		ended := n > 4
		if finished.V != ended || code.Current(net.Cy) != ended || ended && code.V != 32 {
			t.Errorf("cycle %d: finished %v, code %d (%v)", n, finished.V, code.V, code.Current(net.Cy))
		}
	}
}

type host struct {
	spec.Host
	dev device.Device
}

func (h host) Device(string) (device.Device, error) { return h.dev, nil }

// TestRefusals: an action that the gripper does not do is a refusal of the net; one that ended as somebody wanted it to is none.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		code device.GripperCode
		stop bool // on block
		want string
	}{
		{code: device.GripperGood},
		{code: device.GripperAborted},
		{code: device.GripperBlocked, stop: true},
		{code: device.GripperBlocked, want: "the gripper has begun the action, but not completed it: blocked"},
		{code: device.GripperFailed, want: "the gripper has begun the action, but not completed it: failed"},
		{code: 9, want: "the gripper has begun the action, but not completed it: code 9"},
		{code: device.GripperBusy, want: "the gripper has not begun the action: busy with another action"},
		{code: device.GripperRange, want: "the gripper has not begun the action: out of range"},
	} {
		env := &spec.Env{Period: time.Millisecond, Host: host{dev: &record{code: tt.code}}, Refusals: &spec.Refusals{}}
		var move *spec.Primitive
		for _, p := range schunkwsg.Primitives() {
			if p.Name == "schunkwsg::Prepositioning" {
				move = p
			}
		}
		block, texts, name, stop := move.New(1), make([]*string, len(move.Params)), "wsg", strconv.FormatBool(tt.stop)
		texts[move.Param("Device")], texts[move.Param("StopOnBlock")] = &name, &stop
		if err := block.Init(0, texts, env); err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			cy := spec.Cycle{N: uint64(n) + 1}
			for _, phase := range []spec.Phase{spec.Sense, spec.Run, spec.Act} {
				block.Kernel(phase, 0, 1)(&cy)
			}
		}
		got := ""
		for _, r := range env.Refusals.List() {
			got += r.Reason
		}
		if got != tt.want {
			t.Errorf("code %d, stop on block %v: %q, not %q", tt.code, tt.stop, got, tt.want)
		}
	}
}
