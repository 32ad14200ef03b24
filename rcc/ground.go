package rcc

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// ground is what all parts of a core stand on: the scheduler, the configuration, and one lock for what changes. A change often concerns
// several parts, such as the end of a net its devices, its session and rules, and nobody is to see half of it.
//
// Locks are taken in this order: Extensions.extending, worlds.using, lentDevice.tuning, ground.mu, bells.mu. Whoever holds ground.mu
// does not wait for the scheduler, which delivers its events under it, nor for a device, a disk or a client. The locks of budgets
// and of number books come last and are held for a moment only.
type ground struct {
	cfg   Config
	log   *zap.Logger
	sched *sched.Scheduler
	stop  *device.Stop
	bells bells

	life context.Context // until it is closed
	die  context.CancelFunc

	mu      sync.Mutex
	closing bool
}

func newGround(cfg Config) *ground {
	g := &ground{cfg: cfg, log: cfg.Log, stop: device.NewStop(cfg.NeedStop)}
	g.life, g.die = context.WithCancel(context.Background())
	return g
}

// ring tells the watchers that something has changed.
func (g *ground) ring() { g.bells.ring() }

func (g *ground) unixNow() int64 { return g.cfg.Clock.Unix(g.cfg.Clock.Now()) }

// goesOn reports whether time goes on by itself. While it stands still, no net comes to an end and nothing to rest.
func (g *ground) goesOn() bool {
	v, virtual := g.cfg.Clock.(*rt.Virtual)
	return !virtual || v.Speed() != 0
}

// number uses up a number. It may wait for a disk, so that ground.mu must not be held.
func (g *ground) number(of number.Kind, place string) (int, error) {
	n, err := g.cfg.Numbers.Take(of)
	if err != nil {
		return 0, refuse(ErrBusy, place, "it gets no number, as none can be kept: %v", err)
	}
	return n, nil
}

// registry keeps things under names made of a number that is never reused.
type registry[T any] struct {
	byName map[string]T
	order  []string
}

func (reg *registry[T]) put(name string, v T) {
	if reg.byName == nil {
		reg.byName = map[string]T{}
	}
	reg.byName[name] = v
	reg.order = append(reg.order, name)
}

func (reg *registry[T]) remove(name string) {
	delete(reg.byName, name)
	if len(reg.order) > 2*len(reg.byName)+16 {
		reg.order = reg.names()
	}
}

// names returns the names that are in use, oldest first.
func (reg *registry[T]) names() []string {
	names := make([]string, 0, len(reg.byName))
	for _, name := range reg.order {
		if _, ok := reg.byName[name]; ok {
			names = append(names, name)
		}
	}
	return names
}

func (reg *registry[T]) all() []T {
	var list []T
	for _, name := range reg.names() {
		list = append(list, reg.byName[name])
	}
	return list
}
