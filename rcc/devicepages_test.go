package rcc_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// gauge is a device with an interface, and a page that takes its time.
type gauge struct {
	testdevice.Device
	closed chan struct{}
	scale  gaugeConfig
}

type gaugeConfig struct {
	Scale int    `rcc:"scale" default:"1" mutable:"true" doc:"of what it shows"`
	Unit  string `rcc:"unit" default:"bar" doc:"of what it measures"`
}

func (g *gauge) Interfaces() []device.Interface { return []device.Interface{{Name: "meter"}} }
func (g *gauge) Close() error                   { close(g.closed); return nil }
func (g *gauge) Tune(cfg *gaugeConfig) error    { g.scale = *cfg; return nil }

type reading struct{ Scale int }

// meters is a cell of a gauge whose page waits, when it is asked to, for the test to let it go on.
func meters(t *testing.T) (c *cell, asked, goOn, closed chan struct{}) {
	asked, goOn, closed = make(chan struct{}), make(chan struct{}), make(chan struct{})
	kind := device.Declare(device.Kind{Name: "gauge", Pages: []device.Page{device.DeclarePage(device.Sheet[*gauge, device.Nothing]{
		Show: func(*gauge, device.Question) (any, error) { return "own", nil },
	})}}, func(_ *device.Env, cfg *gaugeConfig) (device.Device, error) {
		return &gauge{closed: closed, scale: *cfg}, nil
	})
	meter := device.InterfaceType{Name: "meter", Pages: []device.Page{device.DeclarePage(device.Sheet[*gauge, gaugeConfig]{
		Path: "meter", Doc: "what it reads",
		Asks: func(*gauge) []device.Param { return []device.Param{{Name: "wait"}} },
		Show: func(g *gauge, q device.Question) (any, error) {
			if q["wait"] > 0 {
				asked <- struct{}{}
				<-goOn
			}
			return reading{g.scale.Scale}, nil
		},
	})}}
	c = newCell(t, func(cfg *rcc.Config) {
		cfg.DeviceTypes, cfg.Interfaces = []device.Type{kind, testdevice.Type}, []device.InterfaceType{meter}
	})
	return c, asked, goOn, closed
}

func TestPagesOfDevices(t *testing.T) {
	c, _, _, _ := meters(t)
	c.must(c.Devices.Create("g", "gauge", map[string]string{"unit": "Pa"}))
	d, err := c.Devices.Get("g")
	c.must(err)
	if len(d.Pages) != 1 || d.Pages[0].Path != "meter" || d.Own != "own" || len(d.Params) != 2 || d.Params[0].Value != "1" || d.Params[1].Value != "Pa" {
		t.Errorf("%+v", d)
	}
	c.must(c.Devices.Tune("g", map[string]string{"scale": "3"}))
	_, view, err := c.Devices.Show("g", "meter", nil)
	if diff := cmp.Diff(reading{3}, view); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if d, err = c.Devices.Get("g"); err != nil || d.Params[0].Value != "3" {
		t.Errorf("%+v, %v", d.Params, err)
	}
	if d, err = c.Devices.Get("rcc"); err != nil || d.Type != "rcc" {
		t.Errorf("%+v, %v", d, err)
	}
	for text, tt := range map[string]struct {
		err  error
		kind error
	}{
		`device "h": no such device`:                                   {second(c.Devices.Get("h")), rcc.ErrNoDevice},
		`device "g": it has no page "meters"`:                          {c.Devices.Tell("g", "meters", nil), rcc.ErrNoPage},
		`device "g": it has no page ""`:                                {c.Devices.Tell("g", "", nil), rcc.ErrNoPage},
		`page meter of device "g": page is read-only`:                  {c.Devices.Tell("g", "meter", nil), rcc.ErrState},
		`parameter unit: it cannot be changed while the device exists`: {c.Devices.Tune("g", map[string]string{"unit": "bar"}), device.ErrImmutable},
		`device "rcc": it stands for the daemon itself`:                {c.Devices.Remove("rcc"), rcc.ErrInUse},
	} {
		if tt.err == nil || tt.err.Error() != text || !errors.Is(tt.err, tt.kind) {
			t.Errorf("%v, not %q", tt.err, text)
		}
	}
}

func second(_ rcc.DeviceDetails, err error) error { return err }

// TestDevicesStayWhileTheyAreLookedAt: a device closes when those have gone who look at it, and takes no new ones.
func TestDevicesStayWhileTheyAreLookedAt(t *testing.T) {
	c, asked, goOn, closed := meters(t)
	c.must(c.Devices.Create("g", "gauge", nil))
	shown, removed := make(chan error), make(chan error)
	go func() {
		_, _, err := c.Devices.Show("g", "meter", map[string]string{"wait": "1"})
		shown <- err
	}()
	<-asked
	bell, stop := c.Changes.Watch()
	defer stop()
	go func() { removed <- c.Devices.Remove("g") }()
	<-bell
	if _, err := c.Devices.Get("g"); !errors.Is(err, rcc.ErrNoDevice) {
		t.Errorf("a device that is being removed was looked at: %v", err)
	}
	select {
	case <-closed:
		t.Error("it was closed while somebody looked at it")
	default:
	}
	goOn <- struct{}{}
	c.must(<-shown)
	c.must(<-removed)
	<-closed
}

// TestReasons takes refusals apart.
func TestReasons(t *testing.T) {
	c := newCell(t)
	wrong := c.Devices.Create("a", "test", map[string]string{"channels": "0", "record": "1"})
	want := []rcc.DeviceReason{
		{Param: "channels", Text: "0 is not between 1 and 1000"},
		{Param: "record", Text: "test has no such parameter, did you mean records?"},
	}
	if diff := cmp.Diff(want, rcc.ReasonsOf(wrong)); diff != "" {
		t.Error(diff)
	}
	want = []rcc.DeviceReason{{Text: `device "a": unknown type "tset", did you mean test?`}}
	if diff := cmp.Diff(want, rcc.ReasonsOf(c.Devices.Create("a", "tset", nil))); diff != "" {
		t.Error(diff)
	}
}
