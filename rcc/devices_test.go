package rcc_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// part is a device that depends on another one.
type part struct {
	testdevice.Device
	name   string
	closed *[]string
	env    *device.Env
	state  atomic.Uint32
}

func (p *part) Status() device.Status {
	if p.state.Load() != uint32(device.Operational) {
		return device.Status{State: device.State(p.state.Load()), Cause: "emergency stop"}
	}
	return device.Status{State: device.Operational}
}

func (p *part) Close() error {
	*p.closed = append(*p.closed, p.name)
	return nil
}

type partConfig struct {
	On    string `rcc:"on" doc:"device that it is part of"`
	Fails bool   `rcc:"fails" doc:"cannot be opened"`
}

// parts makes devices that are parts of each other, and tells in which order they are closed.
func parts(t *testing.T) (c *cell, opened map[string]*part, closed *[]string) {
	t.Helper()
	opened, closed = map[string]*part{}, new([]string)
	kind := device.Declare(device.Kind{Name: "part"}, func(env *device.Env, cfg *partConfig) (device.Device, error) {
		if cfg.On != "" {
			if _, err := device.Lend[*part](env, cfg.On, "a part"); err != nil {
				return nil, err
			}
		}
		if cfg.Fails {
			return nil, errors.New("broken")
		}
		p := &part{name: env.Name, closed: closed, env: env}
		p.state.Store(uint32(device.Operational))
		opened[env.Name] = p
		return p, nil
	})
	c = newCell(t, func(cfg *rcc.Config) { cfg.DeviceTypes = []device.Type{kind, testdevice.Type} })
	return c, opened, closed
}

// TestDevicesDependOnDevices: what a device depends on stays until it has been closed.
func TestDevicesDependOnDevices(t *testing.T) {
	c, _, closed := parts(t)
	c.must(c.Devices.Create("bus", "part", nil))
	c.must(c.Devices.Create("arm", "part", map[string]string{"on": "bus"}))
	c.must(c.Devices.Create("hand", "part", map[string]string{"on": "arm"}))
	c.must(c.Devices.Create("other", "test", nil))
	for on, text := range map[string]string{
		"nowhere": `device "nowhere": no such device`, "other": `device "other" is not a part`, "bus": "broken",
	} {
		err := c.Devices.Create("leg", "part", map[string]string{"on": on, "fails": "true"})
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("on %s: %v, not %q", on, err, text)
		}
	}
	for name, text := range map[string]string{"bus": `"arm" depends on it`, "arm": `"hand" depends on it`} {
		if err := c.Devices.Remove(name); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s removed: %v, not %q", name, err, text)
		}
	}
	c.must(c.Devices.Remove("hand"))
	c.must(c.Devices.Remove("arm"))
	c.must(c.Devices.Create("arm", "part", map[string]string{"on": "bus"}))
	c.must(c.Close(t.Context()))
	if diff := cmp.Diff([]string{"hand", "arm", "arm", "bus"}, *closed); diff != "" {
		t.Error(diff)
	}
	if err := c.Devices.Create("late", "part", nil); !errors.Is(err, rcc.ErrClosed) {
		t.Errorf("created after the end: %v", err)
	}
}

// TestStatusOfDevices: those who watch are told of changes, and find state and cause.
func TestStatusOfDevices(t *testing.T) {
	c, opened, _ := parts(t)
	c.must(c.Devices.Create("arm", "part", nil))
	bell, stop := c.Changes.Watch()
	defer stop()
	arm := opened["arm"]
	arm.state.Store(uint32(device.SafeOperational))
	arm.env.Changed()
	select {
	case <-bell:
	default:
		t.Error("nobody was told")
	}
	want := device.Status{State: device.SafeOperational, Cause: "emergency stop"}
	if is := c.Devices.All()[1]; is.Name != "arm" || is.Status != want {
		t.Errorf("%+v", is)
	}
}

// TestSlowDevicesHoldUpNobody: a device that takes its time to open or to close keeps its name, and nothing else.
func TestSlowDevicesHoldUpNobody(t *testing.T) {
	step := make(chan struct{})
	slow := device.Type{Name: "slow", Open: func(*device.Env, map[string]string) (device.Device, error) {
		step <- struct{}{}
		<-step
		return &slowDevice{step: step}, nil
	}}
	c := newCell(t, func(cfg *rcc.Config) { cfg.DeviceTypes = []device.Type{slow, testdevice.Type} })
	busy := func(what string) {
		t.Helper()
		if err := c.Devices.Create("slow", "test", nil); err == nil || !strings.Contains(err.Error(), "the name is in use") {
			t.Errorf("while it is %s: %v", what, err)
		}
		c.must(c.Devices.Create("quick", "test", nil))
		c.must(c.Devices.Remove("quick"))
		if n := len(c.Devices.All()); n != 1 {
			t.Errorf("while it is %s there are %d devices", what, n)
		}
	}
	done := make(chan error)
	go func() { done <- c.Devices.Create("slow", "slow", nil) }()
	<-step
	busy("opened")
	step <- struct{}{}
	c.must(<-done)
	go func() { done <- c.Devices.Remove("slow") }()
	<-step
	busy("closed")
	step <- struct{}{}
	c.must(<-done)
	c.must(c.Devices.Create("slow", "test", nil))
}

type slowDevice struct {
	testdevice.Device
	step chan struct{}
}

func (d *slowDevice) Close() error {
	d.step <- struct{}{}
	<-d.step
	return nil
}
