package net_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/primitives/world"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Beside the core primitives, the tests have some of their own: with state, with a device, and a Pre whose memory
// outlives cycles in which it is inactive.

type clock struct {
	Increment spec.In[float64]  `rcc:"inIncrement" or:"Increment=1" doc:"1/s"`
	Reset     spec.InOr[bool]   `rcc:"inReset" or:"=false" doc:"begin at zero again"`
	Out       spec.Out[float64] `rcc:"outValue" doc:"time in active cycles, times increment"`
	t         float64
}

func runClock(run []clock, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if p.Reset.Get(cy) {
			p.t = 0
		}
		p.t += p.Increment.Or(cy, 0) * cy.Period
		p.Out.Set(cy, p.t)
	}
}

type snapshot struct {
	In    spec.In[float64]    `rcc:"inValue" required:"true" doc:"value"`
	Snap  spec.InOr[bool]     `rcc:"inSnapshot" or:"=false" required:"true" doc:"follow the value"`
	Value spec.Param[float64] `rcc:"Value" default:"0" doc:"value at first"`
	Out   spec.Out[float64]   `rcc:"outValue" doc:"value"`
	held  float64
	taken bool
}

func runSnapshot(run []snapshot, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.In.Get(cy); ok && p.Snap.Get(cy) {
			p.held, p.taken = v, true
		}
		if p.taken {
			p.Out.Set(cy, p.held)
		} else {
			p.Out.Set(cy, p.Value.V)
		}
	}
}

type memory struct {
	In    spec.In[float64]  `rcc:"inValue" doc:"value"`
	Reset spec.InOr[bool]   `rcc:"inReset" or:"=false" doc:"forget"`
	Out   spec.Out[float64] `rcc:"outValue" doc:"value of the last active cycle before"`
	kept  float64
	has   bool
}

func recall(run []memory, cy *spec.Cycle) {
	for i := range run {
		if p := &run[i]; p.has && !p.Reset.Get(cy) {
			p.Out.Set(cy, p.kept)
		}
	}
}

func memorize(run []memory, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		p.kept, p.has = p.In.Get(cy)
		p.has = p.has && !p.Reset.Get(cy)
	}
}

// joint is an actuator and sensor of a device.
type joint struct {
	Position spec.In[float64]   `rcc:"inPosition" required:"true" doc:"commanded position in rad"`
	Robot    spec.Param[string] `rcc:"Robot" doc:"device"`
	Axis     spec.Param[int32]  `rcc:"Axis" default:"0" doc:"number of the joint"`
	Measured spec.Out[float64]  `rcc:"outMeasured" doc:"measured position in rad"`
	arm      *arm
	axis     int
	measured float64
}

func (p *joint) Init(env *spec.Env) (err error) {
	p.arm, err = spec.Device[*arm](env, p.Robot.V)
	if err != nil {
		return err
	}
	p.axis = int(p.Axis.V)
	if p.axis < 0 || p.axis >= len(p.arm.position) {
		return fmt.Errorf("device %q has no joint %d", p.Robot.V, p.Axis.V)
	}
	env.Claim(device.Resource{Device: p.Robot.V, Channel: fmt.Sprint("joint ", p.axis)})
	return nil
}

func senseJoint(run []joint, _ *spec.Cycle) {
	for i := range run {
		if p := &run[i]; p.axis < len(p.arm.position) {
			p.measured = p.arm.position[p.axis]
		}
	}
}

func runJoint(run []joint, cy *spec.Cycle) {
	for i := range run {
		run[i].Measured.Set(cy, run[i].measured)
	}
}

func actJoint(run []joint, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		if v, ok := p.Position.Get(cy); ok && p.axis < len(p.arm.position) {
			p.arm.position[p.axis] = v
		}
	}
}

// arm is a device that is always where it was sent to.
type arm struct{ position [6]float64 }

func (a *arm) Status() device.Status          { return device.Status{State: device.Operational} }
func (a *arm) Interfaces() []device.Interface { return nil }
func (a *arm) Close() error                   { return nil }

// host has the device arm and no other nets.
type host struct{ arm arm }

var errNoNet = errors.New("no such net")

func (h *host) Device(name string) (device.Device, error) {
	if name == "arm" {
		return &h.arm, nil
	}
	return nil, fmt.Errorf("device %q: %w", name, spec.ErrNoDevice)
}
func (h *host) Board(string) (*spec.Board, error) { return nil, errNoNet }
func (h *host) Inbox(string) (*spec.Inbox, error) { return nil, errNoNet }

func declare[T any](name string, k spec.Kernels[T]) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: name, Doc: "for tests", Extension: "test"}, k)
}

func catalogue(tb testing.TB) *spec.Catalogue {
	tb.Helper()
	c, err := spec.NewCatalogue(core.Primitives(), world.Primitives(), []*spec.Primitive{
		declare("Test::Clock", spec.Kernels[clock]{Run: runClock}),
		declare("Test::Snapshot", spec.Kernels[snapshot]{Run: runSnapshot}),
		declare("Test::Memory", spec.Kernels[memory]{Run: recall, Keep: memorize}),
		declare("Test::Joint", spec.Kernels[joint]{Sense: senseJoint, Run: runJoint, Act: actJoint}),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
