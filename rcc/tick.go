package rcc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/guard"
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

	life *life
	rare bool // it is the one for a device at ease
}

func (p *tick) Init(env *spec.Env) error {
	world := env.Host.(ticks)
	p.life, p.rare = world.life, world.rare
	return nil
}

// life is what a device has been through. Its ticks are brought by one of two nets, which take turns.
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

func (ts ticks) Device(string) (device.Device, error) { return nil, errAlone }
func (ts ticks) Board(string) (*spec.Board, error)    { return nil, errAlone }
func (ts ticks) Inbox(string) (*spec.Inbox, error)    { return nil, errAlone }

// startTicks lets a device tick, one by one or, at ease, those of a while at once.
func (ds *Devices) startTicks(l *life, number uint64, rare bool) (sched.Ref, error) {
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
	ref, err := ds.sched.Admit(program, sched.Options{Period: period, Realtime: true, Label: deviceLabel(number), Resident: true})
	if err != nil {
		return sched.Ref{}, fmt.Errorf("it cannot tick every %v: %w", period, err)
	}
	ds.mu.Lock()
	ds.ticking[ref] = make(chan struct{})
	ds.mu.Unlock()
	if err := ds.sched.Start(context.Background(), ref); err != nil {
		return sched.Ref{}, errors.Join(err, ds.stopTicks(ref))
	}
	return ref, nil
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

// In a cell without a net nobody commands a device in a tick, or reads one. Waking up for each tick is then most of what a daemon does
// that nobody looks at, so that simulated devices are at ease: they get all ticks of a while at once, each with the time that it is for. They
// do the same, and answer in the same way; it is seen later by that while at most. They are in time again before a net is loaded.
// In virtual time nothing is late, and devices are never at ease.

// atEase is the while: what people who look at a page do not notice.
const atEase = 20 * time.Millisecond

// ease is who is at ease.
type ease struct {
	mu      sync.Mutex // held while devices change over
	is      bool
	loading int // nets
	calm    int // looks since there was a net
	devices map[*lentDevice]bool
}

// begin lets a device tick.
func (e *ease) begin(ds *Devices, d *lentDevice) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d.life.eased.Store(e.is && d.mayRest())
	if d.ticks, err = ds.startTicks(d.life, d.number, d.life.eased.Load()); err == nil {
		if e.devices == nil {
			e.devices = map[*lentDevice]bool{}
		}
		e.devices[d] = true
	}
	return err
}

// end returns the net that brings the ticks of a device, which is not exchanged any more.
func (e *ease) end(d *lentDevice) sched.Ref {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.devices, d)
	return d.ticks
}

// mayRest reports whether nothing but the daemon depends on the ticks, and whole ones make up the while.
func (d *lentDevice) mayRest() bool {
	return d.kind.Simulated && d.life.period < int64(atEase) && int64(atEase)%d.life.period == 0
}

// hurry sees to it that all devices are in time, and stay so until the net is loaded for which that is.
func (ds *Devices) hurry() (loaded func()) {
	e := &ds.ease
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loading++
	if e.is {
		e.is = false
		ds.changeOver(false)
	}
	return func() {
		e.mu.Lock()
		e.loading--
		e.calm = 0
		e.mu.Unlock()
	}
}

// changeOver exchanges the nets that bring ticks. A device that cannot change stays as it is. ease.mu is held.
func (ds *Devices) changeOver(eased bool) {
	for d := range ds.ease.devices {
		if d.life.eased.Load() == eased || !d.mayRest() {
			continue
		}
		ref, err := ds.startTicks(d.life, d.number, eased)
		if err != nil {
			ds.log.Warn("a device keeps the pace of its ticks", zap.Uint64("device", d.number), zap.Error(err))
			continue
		}
		before := d.ticks
		d.ticks = ref
		d.life.eased.Store(eased)
		guard.Go("ease", func() {
			if err := ds.stopTicks(before); err != nil {
				ds.log.Warn("ticks of a device do not end", zap.Error(err))
			}
		})
	}
}

// calmLooks is how many looks in a row find no net before devices are at ease.
const calmLooks = 6

// Ease checks whether there is a net, and puts devices at ease when several calls in a row found none. It reports whether they are
// at ease. Without these calls devices always run in time, as virtual time needs it.
func (ex *Executors) Ease() bool {
	e := &ex.devices.ease
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.calm++; e.loading > 0 || ex.nets.live() {
		e.calm = 0
	}
	if e.calm >= calmLooks && !e.is {
		e.is = true
		ex.devices.changeOver(true)
	}
	return e.is
}

// live reports whether there is a net that runs or could be started.
func (ns *Nets) live() bool {
	for _, n := range ns.All() {
		switch n.State() {
		case Terminated, Rejected, Unloaded:
		default:
			return true
		}
	}
	return false
}
