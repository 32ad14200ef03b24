package rcc

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// In a cell without a net nobody commands a device in a tick, or reads one. Waking up for each tick is then most of what a daemon does
// that nobody looks at, so that simulated devices are at ease: they get all ticks of a while at once, each with the time that it is for. What they
// do, and how they answer, is the same; who looks sees it later by that while at most. They are in time again before a net is loaded.
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
func (e *ease) begin(c *Core, d *lentDevice) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d.life.eased.Store(e.is && d.mayRest())
	if d.ticks, err = c.startTicks(d.life, d.number, d.life.eased.Load()); err == nil {
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
func (c *Core) hurry() (loaded func()) {
	e := &c.ease
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loading++
	if e.is {
		e.is = false
		c.changeOver(false)
	}
	return func() {
		e.mu.Lock()
		e.loading--
		e.calm = 0
		e.mu.Unlock()
	}
}

// changeOver exchanges the nets that bring ticks. A device that cannot change stays as it is. ease.mu is held.
func (c *Core) changeOver(eased bool) {
	for d := range c.ease.devices {
		if d.life.eased.Load() == eased || !d.mayRest() {
			continue
		}
		ref, err := c.startTicks(d.life, d.number, eased)
		if err != nil {
			c.log.Warn("a device keeps the pace of its ticks", zap.Uint64("device", d.number), zap.Error(err))
			continue
		}
		before := d.ticks
		d.ticks = ref
		d.life.eased.Store(eased)
		guard.Go("ease", func() {
			if err := c.stopTicks(before); err != nil {
				c.log.Warn("ticks of a device do not end", zap.Error(err))
			}
		})
	}
}

// calmLooks is how many looks in a row find no net before devices are at ease.
const calmLooks = 6

// Ease looks whether there is a net, and puts devices at ease when there has been none for some looks. It reports whether they are.
// Who never calls it has devices that are always in time, as virtual time wants them.
func (c *Core) Ease() bool {
	e := &c.ease
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.calm++; e.loading > 0 || c.hasNets() {
		e.calm = 0
	}
	if e.calm >= calmLooks && !e.is {
		e.is = true
		c.changeOver(true)
	}
	return e.is
}

// hasNets reports whether there is a net that runs or could be started.
func (c *Core) hasNets() bool {
	for _, n := range c.Nets() {
		switch n.State() {
		case Terminated, Rejected, Unloaded:
		default:
			return true
		}
	}
	return false
}
