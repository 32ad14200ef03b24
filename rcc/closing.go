package rcc

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Close stops all starts and cancels the running nets. Those that have not ended when ctx is done are aborted. Then everything
// that moves comes to rest, for which it has Config.Rest, and devices are closed, each before those that it depends on.
func (c *Core) Close(ctx context.Context) error {
	c.mu.Lock()
	again := c.closing
	c.closing = true
	c.mu.Unlock()
	if again {
		return nil
	}
	c.die()
	c.letEnd(ctx)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTick)
	defer cancel()
	if c.goesOn() {
		_ = c.sched.AbortAll(last) // closing the scheduler tells what is wrong
	}
	c.Devices.rest(c.Devices.movers())
	last, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastTick)
	defer cancel()
	c.Nets.evals.close(last)
	c.Nets.loads.close(last)
	defer c.closeAccounts()
	return errors.Join(c.sched.Close(last), c.Devices.close(), c.cfg.Folder.Close())
}

// closeAccounts gives back what nets have taken that have not been unloaded: a twin has taken it from the core that it is one of.
func (c *Core) closeAccounts() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.Nets.all() {
		n.account.Close()
	}
	for _, p := range c.Nets.probes.byID {
		p.over = cmp.Or(p.over, error(refuse(ErrClosed, p.net.place(), "the daemon has ended")))
		p.gone = true
		p.account.Close()
	}
	c.Memory.own.Close()
}

// lastTick is how long a cycle that has been begun may take to come to its end.
const lastTick = 5 * time.Second

// Alive returns a context of of that ends when the core is closed, at the latest; its cause is ErrClosed then.
func (c *Core) Alive(of context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(of)
	forget := guard.AfterDone(c.life, "end of the core", func() { end(refuse(ErrClosed, "daemon", "it is ending")) })
	return ctx, func() {
		forget()
		end(nil)
	}
}

// letEnd cancels all nets and waits for their end.
func (c *Core) letEnd(ctx context.Context) {
	bell, stop := c.Changes.Watch()
	defer stop()
	_ = c.sched.Drain(ctx) // when ctx is done, nets are aborted
	for c.goesOn() && c.Nets.runsAny() {
		select {
		case <-bell:
		case <-ctx.Done():
			return
		}
	}
}

// mover is a device that is to come to rest.
type mover struct {
	name string
	device.Mover
}

// movers are all devices that move something.
func (ds *Devices) movers() (list []mover) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for _, name := range ds.order {
		if m, moves := ds.byName[name].Device.(device.Mover); moves {
			list = append(list, mover{name, m})
		}
	}
	return list
}

// rest brings devices to rest, all at the same time, and says which of them it cannot.
func (ds *Devices) rest(movers []mover) {
	if !ds.goesOn() {
		return
	}
	for _, m := range movers {
		m.Halt()
	}
	var alarm rt.Alarm // that nobody rings
	clock := rt.NewReal()
	for until := clock.Now() + int64(ds.cfg.Rest); ; clock.SleepUntil(clock.Now()+int64(looksAtRest), &alarm) {
		if movers = slices.DeleteFunc(movers, func(m mover) bool { return m.AtRest() }); len(movers) == 0 {
			return
		}
		if clock.Now() >= until {
			break
		}
	}
	for _, m := range movers {
		ds.log.Warn("device did not come to rest in time", zap.String("device", m.name), zap.Duration("time", ds.cfg.Rest))
	}
}

// looksAtRest is how long it takes to notice that devices are at rest.
const looksAtRest = time.Millisecond
