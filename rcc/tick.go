package rcc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// What a device does in every tick is a net of one primitive, which no client sees: it is executed as nets are, in real
// and in virtual time, by the executor of its period, before the nets that read the device.

// tick is the primitive. It never ends.
type tick struct {
	End spec.Out[bool] `rcc:"outTerminate" doc:"false"`

	life *life
	rare bool // it is the one for a device at ease
}

func (p *tick) Init(env *spec.Env) error {
	world := env.Host.(ticks)
	p.life, p.rare = world.life, world.rare
	return nil
}

// life is what a device has been through. Its ticks are brought by one of two nets, which take turns (ease.go).
type life struct {
	device device.Cyclic
	period int64 // ns
	eased  atomic.Bool
	busy   atomic.Bool // one of the nets is with it

	// cycle only, of the one that is with it
	n    uint64
	last int64 // Unix time of the newest tick
	rare bool  // that was at ease
}

func beat(run []tick, cy *spec.Cycle) {
	for i := range run {
		p := &run[i]
		l := p.life
		if p.rare != l.eased.Load() || !l.busy.CompareAndSwap(false, true) {
			continue
		}
		first := cy.Due
		if p.rare || l.rare { // which has left ticks to be made up for
			first = max(l.last+l.period, cy.Due-int64(atEase)+l.period)
		}
		l.rare = p.rare
		for at := first; at <= cy.Due; at += l.period {
			l.n++
			l.last = at
			l.device.Tick(device.Tick{N: l.n, Time: at, Period: float64(l.period) / 1e9})
		}
		l.busy.Store(false)
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
type ticks struct {
	life *life
	rare bool
}

var errAlone = errors.New("the net of a device is alone")

func (t ticks) Device(string) (device.Device, error) { return nil, errAlone }
func (t ticks) Board(string) (*spec.Board, error)    { return nil, errAlone }
func (t ticks) Inbox(string) (*spec.Inbox, error)    { return nil, errAlone }

// startTicks lets a device tick, one by one or, at ease, those of a while at once.
func (c *Core) startTicks(l *life, number uint64, rare bool) (sched.Ref, error) {
	period := time.Duration(l.period)
	if rare {
		period = atEase
	}
	catalogue, err := spec.NewCatalogue([]*spec.Primitive{tickPrimitive})
	if err != nil {
		return sched.Ref{}, err
	}
	tree, err := grammar.ParseNet("{t=Tick(),outTerminate=t.outTerminate}", grammar.Limits{})
	if err != nil {
		return sched.Ref{}, err
	}
	program, err := net.Compile(tree, net.Options{Name: "device", Period: period, Catalogue: catalogue, Host: ticks{l, rare}})
	if err != nil {
		return sched.Ref{}, err
	}
	ref, err := c.sched.Admit(program, sched.Options{Period: period, Realtime: true, Label: deviceLabel(number), Resident: true})
	if err != nil {
		return sched.Ref{}, fmt.Errorf("it cannot tick every %v: %w", period, err)
	}
	c.mu.Lock()
	c.devices.ticking[ref] = make(chan struct{})
	c.mu.Unlock()
	if err := c.sched.Start(context.Background(), ref); err != nil {
		return sched.Ref{}, errors.Join(err, c.stopTicks(ref))
	}
	return ref, nil
}

// lastTickOfADevice is how long a device may take to come to the end of its tick before it is given up.
const lastTickOfADevice = 5 * time.Second

// stopTicks returns when a device ticks no more.
func (c *Core) stopTicks(ref sched.Ref) error {
	c.mu.Lock()
	gone := c.devices.ticking[ref]
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lastTickOfADevice)
	defer cancel()
	err := errors.Join(c.sched.Abort(ctx, ref), c.sched.Retire(ctx, ref))
	if errors.Is(err, sched.ErrClosed) {
		return nil // then nothing ticks
	}
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("it does not come to the end of its tick"), err)
	}
}

// tickingGone notes that a device ticks no more. core.mu is held.
func (d *devices) tickingGone(ref sched.Ref) {
	if gone := d.ticking[ref]; gone != nil {
		close(gone)
		delete(d.ticking, ref)
	}
}
