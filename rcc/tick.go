package rcc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// The tick of a device is a net of one primitive, which no client sees: it is executed as nets are, in real
// and in virtual time, by the executor of its period, before the nets that read the device.

// tick is the primitive. It never ends.
type tick struct {
	End spec.Out[bool] `rcc:"outTerminate" doc:"false"`

	device device.Cyclic
}

func (p *tick) Init(env *spec.Env) error {
	p.device = env.Host.(ticks).device
	return nil
}

func beat(run []tick, cy *spec.Cycle) {
	for i := range run {
		run[i].device.Tick(device.Tick{N: cy.N, Time: cy.Due, Period: cy.Period})
	}
}

func goOn(run []tick, cy *spec.Cycle) {
	for i := range run {
		run[i].End.Set(cy, false)
	}
}

var tickPrimitive = spec.Declare(spec.Decl{Name: "Tick", Extension: coreDevice, Doc: "lets a device do what it has to in every tick"},
	spec.Kernels[tick]{Sense: beat, Run: goOn})

// ticks is the world of such a net: one device.
type ticks struct{ device device.Cyclic }

var errAlone = errors.New("the net of a device is alone")

func (t ticks) Device(string) (device.Device, error) { return nil, errAlone }
func (t ticks) Board(string) (*spec.Board, error)    { return nil, errAlone }
func (t ticks) Inbox(string) (*spec.Inbox, error)    { return nil, errAlone }

// startTicks lets a device tick.
func (ds *Devices) startTicks(d device.Cyclic, number uint64) (sched.Ref, error) {
	period := d.Period()
	catalogue, err := spec.NewCatalogue([]*spec.Primitive{tickPrimitive})
	if err != nil {
		return sched.Ref{}, err
	}
	tree, err := grammar.ParseNet("{t=Tick(),outTerminate=t.outTerminate}", grammar.Limits{})
	if err != nil {
		return sched.Ref{}, err
	}
	program, err := net.Compile(tree, net.Options{Name: "device", Period: period, Catalogue: catalogue, Host: ticks{d}})
	if err != nil {
		return sched.Ref{}, err
	}
	ref, err := ds.sched.Admit(program, sched.Options{Period: period, Realtime: true, Label: deviceLabel(number), Resident: true})
	if err != nil {
		return sched.Ref{}, fmt.Errorf("it cannot tick every %v: %w", period, err)
	}
	ds.mu.Lock()
	ds.ticking[ref] = make(chan struct{})
	ds.mu.Unlock()
	return ref, ds.sched.Start(context.Background(), ref)
}

// lastTickOfADevice is how long a device may take to come to the end of its tick before it is given up.
const lastTickOfADevice = 5 * time.Second

// stopTicks returns when a device ticks no more.
func (ds *Devices) stopTicks(ref sched.Ref) error {
	ds.mu.Lock()
	gone := ds.ticking[ref]
	ds.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lastTickOfADevice)
	defer cancel()
	err := errors.Join(ds.sched.Abort(ctx, ref), ds.sched.Retire(ctx, ref))
	if errors.Is(err, sched.ErrClosed) {
		return nil // then nothing ticks
	}
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("it does not finish its tick"), err)
	}
}

// tickingGone notes that a device ticks no more. ground.mu is held.
func (ds *Devices) tickingGone(ref sched.Ref) {
	if gone := ds.ticking[ref]; gone != nil {
		close(gone)
		delete(ds.ticking, ref)
	}
}
