package testdevice_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

var kit = testkit.Kit{
	Primitives: testdevice.Primitives(),
	Devices: func() map[string]device.Device {
		dev, err := testdevice.Type.Open(&device.Env{}, nil)
		if err != nil {
			panic(err)
		}
		return map[string]device.Device{"test": dev}
	},
}

func TestExamples(t *testing.T)    { kit.Examples(t) }
func TestDocumented(t *testing.T)  { kit.Documented(t) }
func TestAllocations(t *testing.T) { kit.Allocations(t) }
func TestMemory(t *testing.T)      { kit.Memory(t) }
func TestEndure(t *testing.T)      { kit.Stress(t, 100) }

type host struct{ dev device.Device }

func (h host) Device(string) (device.Device, error) { return h.dev, nil }
func (h host) Board(string) (*spec.Board, error)    { return nil, fmt.Errorf("no nets") }
func (h host) Inbox(string) (*spec.Inbox, error)    { return nil, fmt.Errorf("no nets") }

func open(t *testing.T, params map[string]string) *testdevice.Device {
	t.Helper()
	dev, err := testdevice.Type.Open(&device.Env{}, params)
	if err != nil {
		t.Fatal(err)
	}
	return dev.(*testdevice.Device)
}

// load makes a block of one of the primitives on channels.
func load(t *testing.T, p *spec.Primitive, env *spec.Env, channels ...string) *spec.Block {
	t.Helper()
	name, block := "test", p.New(len(channels))
	for i, channel := range channels {
		for k := range p.In {
			block.Link(i, k, block.Source(i, k))
		}
		texts := make([]*string, len(p.Params))
		texts[p.Param("Device")], texts[p.Param("Channel")] = &name, &channel
		if err := block.Init(i, texts, env); err != nil {
			t.Fatal(err)
		}
	}
	return block
}

func find(name string) *spec.Primitive {
	for _, p := range testdevice.Primitives() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func TestSensorSamplesInSense(t *testing.T) {
	dev := open(t, nil)
	block := load(t, find("Test::Sensor"), &spec.Env{Period: time.Millisecond, Host: host{dev}}, "3")
	sense, run := block.Kernel(spec.Sense, 0, 1), block.Kernel(spec.Run, 0, 1)
	out := block.Cell(0, 0).(*spec.Out[float64])
	for n, want := range []float64{1.5, 2.5} {
		cy := spec.Cycle{N: uint64(n) + 1}
		dev.Set(3, want)
		sense(&cy)
		dev.Set(3, -1) // too late for this cycle
		run(&cy)
		if !out.Current(&cy) || out.V != want {
			t.Errorf("cycle %d: %v, not %v", cy.N, out.V, want)
		}
	}
}

func TestActuatorRecords(t *testing.T) {
	dev, env := open(t, map[string]string{"records": "3"}), &spec.Env{Period: time.Millisecond}
	env.Host = host{dev}
	p := find("Test::Actuator")
	block := p.New(1)
	in := &spec.Out[float64]{}
	block.Link(0, 0, in)
	name := "test"
	if err := block.Init(0, []*string{&name, nil}, env); err != nil {
		t.Fatal(err)
	}
	act := block.Kernel(spec.Act, 0, 1)
	for n := uint64(1); n <= 4; n++ {
		cy := spec.Cycle{N: n, Time: int64(n) * 1000}
		if n != 3 {
			in.Set(&cy, float64(n)/2)
		}
		act(&cy)
	}
	want := []testdevice.Record{{Time: 2000, Cycle: 2, Value: 1}, {Time: 3000, Cycle: 3, Value: 1, Null: true}, {Time: 4000, Cycle: 4, Value: 2}}
	if diff := cmp.Diff(want, dev.Records(0)); diff != "" {
		t.Errorf("the last three records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[2:], dev.Records(3)); diff != "" {
		t.Errorf("records from 3 on (-want +got):\n%s", diff)
	}
	if got := len(dev.Commands(0)); got != 2 {
		t.Errorf("%d commands, not 2", got)
	}
	if diff := cmp.Diff([]device.Resource{{Device: "test", Channel: "channel 0"}}, env.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

func TestConcurrentAccess(t *testing.T) {
	env := &spec.Env{Period: time.Millisecond, Host: host{open(t, nil)}}
	block := load(t, find("Test::Actuator"), env, "0", "0", "1")
	fault := func(i int) int32 { return block.Cell(i, 0).(*spec.Out[int32]).V }
	both, first := block.Kernel(spec.Run, 0, 3), block.Kernel(spec.Run, 0, 1)
	steps := []struct {
		run  func(*spec.Cycle)
		want [3]int32
	}{{both, [3]int32{0, -1, 0}}, {both, [3]int32{-1, -1, 0}}, {first, [3]int32{-1, -1, 0}}, {first, [3]int32{0, -1, 0}}}
	for n, step := range steps {
		step.run(&spec.Cycle{N: uint64(n) + 1})
		if got := [3]int32{fault(0), fault(1), fault(2)}; got != step.want {
			t.Errorf("cycle %d: errors %v, not %v", n+1, got, step.want)
		}
	}
}

// TestRecordsHammer reads while several threads command: what is read is what somebody wrote, and in order.
func TestRecordsHammer(t *testing.T) {
	dev := open(t, map[string]string{"records": "64"})
	const cycles = 20_000
	var writers sync.WaitGroup
	for k, channel := range []string{"0", "1", "2"} {
		env := &spec.Env{Period: time.Millisecond, Host: host{dev}}
		block := find("Test::Actuator").New(1)
		in := &spec.Out[float64]{}
		block.Link(0, 0, in)
		name := "test"
		if err := block.Init(0, []*string{&name, &channel}, env); err != nil {
			t.Fatal(err)
		}
		act := block.Kernel(spec.Act, 0, 1)
		writers.Go(func() {
			for n := uint64(1); n <= cycles; n++ {
				cy := spec.Cycle{N: n, Time: int64(n)}
				in.Set(&cy, float64(n)*float64(k+1))
				act(&cy)
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		last := map[int]uint64{}
		for _, r := range dev.Records(0) {
			if r.Value != float64(r.Cycle)*float64(r.Channel+1) || r.Time != int64(r.Cycle) || r.Cycle <= last[r.Channel] {
				t.Fatalf("nobody wrote %+v after cycle %d", r, last[r.Channel])
			}
			last[r.Channel] = r.Cycle
		}
	}
	if got := dev.Recorded(); got != 3*cycles {
		t.Errorf("%d records, not %d", got, 3*cycles)
	}
}

func TestOpenRefuses(t *testing.T) {
	for text, params := range map[string]map[string]string{
		`parameter channels: 0 is not between 1 and 1000`:                       {"channels": "0"},
		`parameter records: "many" is not a whole number of 32 bits`:            {"records": "many"},
		`parameter chanels: test has no such parameter, did you mean channels?`: {"chanels": "3"},
	} {
		if _, err := testdevice.Type.Open(&device.Env{}, params); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v, not %q", params, err, text)
		}
	}
}
