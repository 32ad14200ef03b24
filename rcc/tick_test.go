package rcc_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// heart is a device that knows when it has ticked last, in ms since the beginning of the cell.
type heart struct {
	testdevice.Device
	period time.Duration
	newest atomic.Int64
	beats  atomic.Uint64
	closed atomic.Bool
	late   atomic.Bool // it has ticked after it was closed
}

func (h *heart) Period() time.Duration { return h.period }

func (h *heart) Tick(t device.Tick) {
	h.beats.Store(t.N)
	h.newest.Store(t.Time/int64(time.Millisecond) - 1_000_000_000)
	if h.closed.Load() {
		h.late.Store(true)
	}
}

func (h *heart) Close() error {
	h.closed.Store(true)
	return nil
}

// pulse is a sensor of it.
type pulse struct {
	Device spec.Param[string] `rcc:"Device" doc:"heart"`
	At     spec.Out[int32]    `rcc:"outAt" doc:"time of the newest beat, ms"`

	heart  *heart
	sensed int64
}

func (p *pulse) Init(env *spec.Env) (err error) {
	p.heart, err = spec.Device[*heart](env, p.Device.V)
	return err
}

var pulses = spec.Declare(spec.Decl{Name: "Test::Pulse"}, spec.Kernels[pulse]{
	Sense: func(run []pulse, _ *spec.Cycle) {
		for i := range run {
			run[i].sensed = run[i].heart.newest.Load()
		}
	},
	Run: func(run []pulse, cy *spec.Cycle) {
		for i := range run {
			run[i].At.Set(cy, int32(run[i].sensed))
		}
	},
})

type heartConfig struct {
	Period time.Duration `rcc:"period" default:"1ms" doc:"between two beats"`
}

// hearts makes a cell with such devices.
func hearts(t *testing.T, change ...func(*rcc.Config)) (*cell, map[string]*heart) {
	t.Helper()
	made := map[string]*heart{}
	kind := device.Declare(device.Kind{Name: "test"}, func(env *device.Env, cfg *heartConfig) (device.Device, error) {
		h := &heart{period: cfg.Period}
		made[env.Name] = h
		return h, nil
	})
	catalogue, err := spec.NewCatalogue(core.Primitives(), []*spec.Primitive{pulses})
	if err != nil {
		t.Fatal(err)
	}
	return newCell(t, append(change, func(cfg *rcc.Config) {
		cfg.Catalogue, cfg.DeviceTypes = catalogue, []device.Type{kind}
	})...), made
}

// TestDevicesTick: in every tick of the grid, before nets read their sensors in the same tick, whenever the device was
// created; and never after it has been closed.
func TestDevicesTick(t *testing.T) {
	c, made := hearts(t)
	const net = `{p=Test::Pulse(Device='heart'),o=Core::IntNetcommOut(inValue=p.outAt,Key='at'),outTerminate=Core::BooleanValue().outValue}`
	c.must(c.Devices.Create("heart", "test", nil))
	c.must(c.Devices.Create("slow", "test", map[string]string{"period": "10ms"}))
	n, err := c.Nets.Load(rcc.LoadRequest{Text: net, Period: time.Millisecond})
	c.must(err)
	c.must(n.Start(t.Context()))
	for range 5 {
		c.advance(7 * time.Millisecond)
		want := []rcc.KeyValue{{Key: "outat", Value: fmt.Sprint(c.Clock.Now().UnixMilli() - 1_000_000_000)}}
		if diff := cmp.Diff(want, n.Values().All()); diff != "" {
			t.Error(diff)
		}
	}
	if fast, slow := made["heart"].beats.Load(), made["slow"].beats.Load(); fast < 35 || slow < 3 || slow > 5 {
		t.Errorf("%d beats every ms, %d every 10 ms", fast, slow)
	}
	if err := c.Devices.Remove("heart"); err == nil {
		t.Error("a device went that is used")
	}
	c.must(c.Devices.Remove("slow"))
	if slow := made["slow"]; !slow.closed.Load() {
		t.Error("it was not closed")
	}
	c.advance(50 * time.Millisecond)
	if made["slow"].late.Load() {
		t.Error("it ticked after it had been closed")
	}
	if len(c.Nets.All()) != 1 || len(c.Executors.Slots()) != 1 {
		t.Errorf("%d nets, %d slots: what devices do is seen by clients", len(c.Nets.All()), len(c.Executors.Slots()))
	}
}

// TestDevicesComeAndGo beside a net that runs: nothing is left of them, and the net misses nothing.
func TestDevicesComeAndGo(t *testing.T) {
	c, made := hearts(t, func(cfg *rcc.Config) { cfg.Sched = sched.Config{Residents: 2} })
	c.must(c.Devices.Create("heart", "test", nil))
	n := c.load(`{p=Test::Pulse(Device='heart'),outTerminate=Core::BooleanValue().outValue}`)
	c.must(n.Start(t.Context()))
	for i := range 1000 {
		c.must(c.Devices.Create("guest", "test", map[string]string{"period": []string{"1ms", "2ms", "5ms"}[i%3]}))
		if i%10 == 0 {
			c.advance(3 * time.Millisecond)
		}
		if i == 0 {
			if err := c.Devices.Create("third", "test", nil); err == nil || !made["third"].closed.Load() {
				t.Errorf("one more than there is room for: %v", err)
			}
		}
		c.must(c.Devices.Remove("guest"))
	}
	c.advance(time.Millisecond)
	if stats, ok := n.Stats(); !ok || stats.Missed != 0 || n.State() != rcc.Running {
		t.Errorf("the net is %v and has missed %d ticks", n.State(), stats.Missed)
	}
}

// TestOddPeriods: a device that cannot tick as it wants to is not there, and has been closed.
func TestOddPeriods(t *testing.T) {
	c, made := hearts(t)
	for _, period := range []string{"0s", "-1ms", "1us", "10h"} {
		err := c.Devices.Create("heart", "test", map[string]string{"period": period})
		if err == nil || !strings.Contains(err.Error(), "it cannot tick every") || !made["heart"].closed.Load() {
			t.Errorf("every %s: %v", period, err)
		}
	}
}
