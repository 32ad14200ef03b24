package rcc

import (
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// counter is a simulated device that says when it has ticked.
type counter struct {
	device.Device
	ticks chan device.Tick
}

func (c *counter) Period() time.Duration          { return time.Millisecond }
func (c *counter) Status() device.Status          { return device.Status{State: device.Operational} }
func (c *counter) Interfaces() []device.Interface { return nil }
func (c *counter) Close() error                   { return nil }

func (c *counter) Tick(t device.Tick) {
	select {
	case c.ticks <- t:
	default:
	}
}

// TestBeat: a device gets each tick once, with the time that it is for, whichever net brings it.
func TestBeat(t *testing.T) {
	const ms = int64(time.Millisecond)
	c := &counter{ticks: make(chan device.Tick, 1000)}
	l := &life{device: c, period: ms}
	often, rare := []tick{{life: l}}, []tick{{life: l, rare: true}}
	due := func(run []tick, at int64) { beat(run, &spec.Cycle{Due: at * ms}) }
	for at := int64(1); at <= 7; at++ {
		due(often, at)
	}
	l.eased.Store(true)
	due(often, 8) // it has not ended yet
	due(rare, 20)
	due(rare, 40)
	l.eased.Store(false)
	due(rare, 60) // nor has this one
	due(often, 55)
	due(often, 56)
	due(often, 59) // two were missed, which are not made up for
	l.busy.Store(true)
	due(often, 60)
	l.busy.Store(false)
	due(often, 61)
	l.eased.Store(true)
	due(rare, 100) // and of 38 those of the while are
	var want []int64
	for at := int64(1); at <= 100; at++ {
		if at != 57 && at != 58 && at != 60 && (at <= 61 || at > 80) {
			want = append(want, at)
		}
	}
	close(c.ticks)
	var got []int64
	for k := range c.ticks {
		if got = append(got, k.Time/ms); k.N != uint64(len(got)) || k.Period != 0.001 {
			t.Errorf("tick %d: %+v", len(got), k)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("ticks\n%v, not\n%v", got, want)
	}
}

// TestEase: devices are at ease in a cell without nets, one that is added too, and in time while there is one.
func TestEase(t *testing.T) {
	first := &counter{ticks: make(chan device.Tick, 1)}
	opened := []*counter{first, {ticks: make(chan device.Tick, 1)}}
	kind := func(name string, simulated bool) device.Type {
		return device.Type{Name: name, Simulated: simulated, Open: func(*device.Env, map[string]string) (device.Device, error) {
			d := opened[0]
			opened = opened[1:]
			return d, nil
		}}
	}
	catalogue, err := spec.NewCatalogue(core.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Catalogue: catalogue, DeviceTypes: []device.Type{kind("counter", true), kind("real", false)}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	before := device.Tick{}
	until := func(period time.Duration, nets int) {
		t.Helper()
		for {
			k := <-first.ticks
			if k.N <= before.N || k.Time <= before.Time || k.Time%int64(time.Millisecond) != 0 {
				t.Fatalf("%+v after %+v", k, before)
			}
			before = k
			c.Executors.Ease()
			for _, x := range c.Executors.All() {
				if x.Period == period && x.Nets == nets {
					return
				}
			}
		}
	}
	if err := c.Devices.Create("first", "counter", nil); err != nil {
		t.Fatal(err)
	}
	until(atEase, 1)
	if err := c.Devices.Create("second", "real", nil); err != nil { // which is never at ease
		t.Fatal(err)
	}
	until(time.Millisecond, 1)
	n, err := c.Nets.Load(LoadRequest{Text: "{outTerminate=Core::BooleanValue(Value='false').outValue}", Period: 4 * time.Millisecond})
	if err != nil || n.State() != Ready {
		t.Fatal(n.State(), err)
	}
	if c.Devices.ease.is {
		t.Error("a net is loaded, and devices are at ease")
	}
	until(time.Millisecond, 2)
	for range 2 * calmLooks {
		if c.Executors.Ease() {
			t.Error("devices are at ease beside a net that is ready")
		}
	}
	if err := n.Unload(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(atEase, 1)
	if err := c.Devices.Remove("first"); err != nil {
		t.Fatal(err)
	}
}
