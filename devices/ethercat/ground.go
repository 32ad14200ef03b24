package ethercat

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/thread"
)

// ground is what a bus stands on.
type ground interface {
	// now is the time of links, and unix what it is in Unix time (any).
	now() int64
	unix(instant int64) int64
	// sleep waits in a goroutine; rest does until an instant, or until it is woken, and then returns false.
	sleep(d time.Duration)
	rest(until int64) bool
	wake()
	// open opens an interface, or a cable to simulated slaves when there is a chain of them.
	open(cfg *config, chain *sim.Chain) (link.Link, error)
	// start lets a session have its cycles, until the function that it returns has returned.
	start(s *session) (stop func())
	execution() thread.Execution
	// keep calls a function in a goroutine.
	keep(f func())
}

// ErrNoRealTime is returned when the clock of the cell is not that of its buses.
var ErrNoRealTime = errors.New("this cell has a virtual clock, and a bus needs the real one: change the clock, or write simulated: true")

// machine is the ground that there really is.
type machine struct {
	clock  *rt.Real
	thread *thread.Thread
	spin   int64
	alarm  rt.Alarm // of the keeper
	never  rt.Alarm
}

func onMachine(env *device.Env, cfg *config) (ground, error) {
	clock, ok := env.Clock.(*rt.Real)
	if !ok {
		return nil, ErrNoRealTime
	}
	return &machine{clock: clock, thread: thread.New(env.Name, env.Thread), spin: int64(cfg.Spin)}, nil
}

func (g *machine) now() int64               { return g.clock.Now() }
func (g *machine) unix(instant int64) int64 { return g.clock.Unix(instant) }
func (g *machine) sleep(d time.Duration)    { g.clock.SleepUntil(g.clock.Now()+int64(d), &g.never) }
func (g *machine) wake()                    { g.alarm.Ring() }
func (g *machine) keep(f func())            { guard.Go("keeper of a bus", f) }

func (g *machine) rest(until int64) bool {
	asleep := g.clock.SleepUntil(until, &g.alarm)
	g.alarm.Clear()
	return asleep
}

func (g *machine) open(cfg *config, chain *sim.Chain) (link.Link, error) {
	if cfg.Interface == simulated {
		return link.OpenLocal(chain, g.clock)
	}
	l, err := link.OpenRaw(cfg.Interface, g.clock, g.spin)
	if err != nil {
		return nil, unopened(cfg.Interface, err)
	}
	return l, nil
}

// unopened says what to do about an interface that cannot be opened.
func unopened(name string, err error) error {
	remedy := "ip -brief link lists those that there are"
	switch {
	case errors.Is(err, fs.ErrPermission):
		remedy = "the daemon needs CAP_NET_RAW: AmbientCapabilities=CAP_NET_RAW in its unit, or setcap cap_sys_nice,cap_ipc_lock,cap_net_raw+ep rccd"
	case errors.Is(err, link.ErrTaken):
		remedy = "a device, a daemon or a program uses this cable already"
	case errors.Is(err, rt.ErrDown):
		remedy = "ip link set " + name + " up"
	}
	return fmt.Errorf("%w; %s", err, remedy)
}

// beat is the thread of a session.
type beat struct {
	*machine
	session *session
	alarm   rt.Alarm
}

func (g *machine) start(s *session) (stop func()) {
	b := &beat{machine: g, session: s}
	ended := make(chan struct{})
	guard.Go("bus", func() {
		defer close(ended)
		g.thread.Run(b.detached, b.ordinary)
	})
	return func() {
		b.alarm.Ring()
		<-ended
	}
}

// detached is the thread (cycle).
func (b *beat) detached() {
	for next := b.clock.Now(); b.clock.SleepDetached(next, b.spin, &b.alarm); {
		next = b.session.beat(next, b.clock.Now())
	}
}

func (b *beat) ordinary() {
	for next := b.clock.Now(); b.clock.SleepUntil(next, &b.alarm); {
		next = b.session.beatOrdinary(next, b.clock.Now())
	}
}

func (g *machine) execution() thread.Execution { return g.thread.Execution() }
