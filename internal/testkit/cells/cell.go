package cells

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/devices"
	"github.com/softrobot-rcc/rccd/directio"
	"github.com/softrobot-rcc/rccd/directio/pages"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
	"github.com/softrobot-rcc/rccd/robotics"
)

// Period is the cycle time of nets that ask for none.
const Period = 2 * time.Millisecond

// T is what a cell needs of a test, a benchmark or an example.
type T interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(do func())
	Error(args ...any)
	Fatal(args ...any)
}

// Device is one of a cell.
type Device struct {
	Name, Kind string
	Params     map[string]string
}

// Devices returns those of a cell that is told nothing else.
func Devices() []Device {
	return []Device{
		{"kr16", "kuka_kr_arm_sim", nil},
		{"tx90", "staubli_tx90_sim", nil},
		{"lwr", "kuka_lwr_sim", nil},
		{"io", "io_sim", map[string]string{"loopback": "true"}},
		{"gripper", "schunk_wsg_sim", nil},
		{"base", "robotbase_sim", nil},
	}
}

// Option is something that is special about a cell.
type Option func(*plan)

type plan struct {
	devices []Device
	real    bool
	forgets bool
}

// Only has a cell have only some of the Devices.
func Only(names ...string) Option {
	return func(p *plan) {
		p.devices = slices.DeleteFunc(p.devices, func(d Device) bool { return !slices.Contains(names, d.Name) })
	}
}

// With gives a device its parameters, and makes it one of the cell if it is not.
func With(d Device) Option {
	return func(p *plan) {
		p.devices = append(slices.DeleteFunc(p.devices, func(old Device) bool { return old.Name == d.Name }), d)
	}
}

// Forgetful is for measuring: nothing that devices are told is remembered.
func Forgetful() Option { return func(p *plan) { p.forgets = true } }

// InRealTime is Forgetful, and nobody can stop the time.
func InRealTime() Option { return func(p *plan) { p.real, p.forgets = true, true } }

// Cell is a daemon with simulated devices.
type Cell struct {
	Core  *rcc.Core
	Clock *rt.Virtual // nil in real time

	t       T
	url     string
	devices []Device

	mu     sync.Mutex
	tracks map[string]*Track
	arms   map[string]*Arm
	told   []Told
}

// New makes a cell whose time stands still. It is gone when the test is.
func New(t T, options ...Option) *Cell {
	t.Helper()
	p := plan{devices: Devices()}
	for _, o := range options {
		o(&p)
	}
	c := &Cell{t: t, devices: p.devices, tracks: map[string]*Track{}, arms: map[string]*Arm{}}
	if err := c.open(&p); err != nil {
		t.Fatal(err)
	}
	for _, d := range p.devices {
		c.create(d)
	}
	return c
}

func (c *Cell) create(d Device) {
	c.t.Helper()
	if err := c.Core.Devices.Create(d.Name, d.Kind, d.Params); err != nil {
		c.t.Fatal(err)
	}
}

// For makes the cell report failures to another test from now on, such as a check of rapid in the test that it was made for.
func (c *Cell) For(t T) *Cell {
	c.t = t
	return c
}

// Renew replaces the named devices of the cell, or all of them, by new ones with the same parameters, and forgets what the old ones
// were told. No net may use them.
func (c *Cell) Renew(names ...string) {
	c.t.Helper()
	for _, d := range c.devices {
		if len(names) > 0 && !slices.Contains(names, d.Name) {
			continue
		}
		if err := c.Core.Devices.Remove(d.Name); err != nil {
			c.t.Fatal(err)
		}
		c.forget(d.Name)
		c.create(d)
	}
}

// Parts that all cells share, however many a test makes.
var (
	everything  = sync.OnceValues(func() (*spec.Catalogue, error) { return spec.NewCatalogue(primitives.All()) })
	deviceTypes = sync.OnceValue(devices.Types)
)

func (c *Cell) open(p *plan) error {
	catalogue, err := everything()
	if err != nil {
		return err
	}
	cfg := rcc.Config{Catalogue: catalogue, DeviceTypes: slices.Clone(deviceTypes()), Interfaces: primitives.Interfaces(), DefaultCycle: Period}
	if p.real {
		cfg.Clock = rt.NewReal()
	} else {
		c.Clock = rt.NewVirtual(time.Unix(1_000_000_000, 0))
		cfg.Clock = c.Clock
	}
	if !p.forgets {
		for i := range cfg.DeviceTypes {
			cfg.DeviceTypes[i] = c.remembered(cfg.DeviceTypes[i])
		}
	}
	if c.Core, err = rcc.New(cfg); err != nil {
		return err
	}
	c.t.Cleanup(func() {
		aborted, abort := context.WithCancel(context.Background())
		abort()
		_ = c.Core.Close(aborted) // nets that still run do not matter to the test
	})
	return nil
}

// Free lets time pass as fast as what happens in it can be computed.
func (c *Cell) Free() *Cell {
	c.Clock.SetSpeed(math.Inf(1))
	return c
}

// Hold lets time stand still.
func (c *Cell) Hold() { c.Clock.SetSpeed(0) }

// Pass lets some cycles pass in a time that stands still. When it returns all that has come of them can be seen in the core: which rules
// have fired, and which nets have ended.
func (c *Cell) Pass(cycles int) {
	c.t.Helper()
	if err := c.Core.Clock.Advance(c.t.Context(), time.Duration(cycles)*Period); err != nil {
		c.t.Fatal(err)
	}
}

// tick is Pass(1) that does not wait until the core has heard of what has come of it.
func (c *Cell) tick() {
	c.t.Helper()
	if err := c.Clock.Advance(c.t.Context(), Period); err != nil {
		c.t.Fatal(err)
	}
}

// URL returns where the daemon serves applications, from when it is asked for.
func (c *Cell) URL() string {
	c.t.Helper()
	if c.url != "" {
		return c.url
	}
	server, err := directio.Listen(c.Core, pages.Handler(c.Core, pages.Options{}), directio.Config{Listen: "127.0.0.1:0"})
	if err != nil {
		c.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t := c.t
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(server.Close(ctx), <-served); err != nil {
			t.Error(err)
		}
	})
	c.url = "http://" + server.Addr().String()
	return c.url
}

// Connect connects an application with the daemon, until the test is over.
func (c *Cell) Connect(options ...robotics.Option) *robotics.Runtime {
	c.t.Helper()
	r, err := robotics.Connect(c.t.Context(), c.URL(), options...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(r.Close)
	return r
}

// Joints returns what the joints of an arm do, as its device tells.
func (c *Cell) Joints(name string) (list []device.JointState) {
	c.t.Helper()
	for _, a := range c.Core.Cell.Arms() {
		if a.Name == name {
			for _, j := range a.Joints {
				list = append(list, j.JointState)
			}
			return list
		}
	}
	c.t.Fatal(fmt.Errorf("no arm %s", name))
	return nil
}

// Where returns where the joints of an arm are commanded to be, as its device tells.
func (c *Cell) Where(name string) (at []float64) {
	c.t.Helper()
	for _, j := range c.Joints(name) {
		at = append(at, j.Commanded.Pos)
	}
	return at
}
