package rcc

import (
	"cmp"
	"context"
	"crypto/rand"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Config is what a core is made of.
type Config struct {
	Catalogue    *spec.Catalogue // all primitives that are built in
	DeviceTypes  []device.Type
	Interfaces   []device.InterfaceType
	Extensions   []string          // those of the built-in ones that are loaded from the start; all when nil
	Folder       *extension.Folder // of users' extensions, which Close closes; nil for none
	Version      string            // of what is built in
	Clock        rt.Clock
	Claims       *device.Claims // of a cell that is only checked, whose devices open nothing; nil for all others
	DefaultCycle time.Duration  // 2 ms when zero
	MinCycle     time.Duration  // shortest cycle time of a net, 100 µs when zero
	MaxCycle     time.Duration  // longest, 1 min when zero
	MaxNets      int            // 1024 when zero
	MaxBytes     int            // text of all nets together, 128 MiB when zero
	MaxSessions  int            // 1000 when zero
	MaxDevices   int            // 1024 when zero
	Limits       grammar.Limits
	Rest         time.Duration // how long devices may take to come to rest when they are closed, 5 s when zero
	NeedStop     bool          // devices are stopped unless a net is connected to the emergency stop
	Numbers      *number.Book  // gives those of nets, sessions and rules; they begin anew when nil
	Debug        Debugging
	Quotas       Quotas
	Log          *zap.Logger
	Sched        sched.Config // Clock, Slots and OnEvent are filled in here
}

// Core is a running robot control core. All methods may be called from any goroutine.
type Core struct {
	cfg      Config
	instance string // by chance
	log      *zap.Logger
	sched    *sched.Scheduler
	stop     *device.Stop
	evals    gate
	loads    gate

	beside string          // what is said behind the names of users of memory, of a twin
	own    *budget.Account // of a twin

	life context.Context // until it is closed
	die  context.CancelFunc

	extending sync.Mutex   // held while extensions change
	loading   sync.RWMutex // held for reading while a net is loaded, so that no extension goes that it uses
	world     atomic.Pointer[world]
	listening atomic.Pointer[listening]
	seen      map[string]extension.Stamp // of users' extensions when they were last looked at, by id; under extending

	mu         sync.Mutex
	closing    bool
	bytes      int            // of the texts of all nets that are not rejected
	rejected   []*Net         // oldest first
	reasons    int            // bytes that they take
	owned      map[string]int // nets by client
	debugBytes int64          // that recorders of nets take
	nets       registry[*Net]
	sessions   registry[*Session]
	rules      registry[*Rule]
	bySlot     map[sched.Ref]*Net
	devices    devices
	ease       ease
	refused    map[string]error // why versions of users' extensions are not loaded, by id

	bells bells
}

// New starts a core. Close ends it.
func New(cfg Config) (*Core, error) { return newCore(cfg, nil) }

// newCore starts a core in a world, nil for that of its configuration.
func newCore(cfg Config, w *world) (*Core, error) {
	cfg = cfg.orDefault()
	c := &Core{
		cfg: cfg, instance: rand.Text(), log: cfg.Log, stop: device.NewStop(cfg.NeedStop),
		bySlot: map[sched.Ref]*Net{}, refused: map[string]error{}, owned: map[string]int{},
		evals: newGate("eval", evalsAtOnce, evalsWaiting), loads: newGate("net", loadsAtOnce, loadsWaiting),
	}
	c.life, c.die = context.WithCancel(context.Background())
	if err := c.devices.init(cfg.DeviceTypes, cfg.Interfaces); err != nil {
		return nil, err
	}
	if w != nil {
		c.world.Store(w)
	} else if err := c.firstWorld(); err != nil {
		return nil, err
	}
	cfg.Sched.Clock, cfg.Sched.Slots, cfg.Sched.OnEvent = cfg.Clock, cfg.MaxNets, c.onEvent
	scheduler, err := sched.New(cfg.Sched)
	if err != nil {
		return nil, err
	}
	c.sched = scheduler
	return c, nil
}

func (c Config) orDefault() Config {
	c.DefaultCycle = cmp.Or(c.DefaultCycle, 2*time.Millisecond)
	c.MinCycle = cmp.Or(c.MinCycle, 100*time.Microsecond)
	c.MaxCycle = cmp.Or(c.MaxCycle, time.Minute)
	c.MaxNets = cmp.Or(c.MaxNets, 1024)
	c.MaxBytes = cmp.Or(c.MaxBytes, 128<<20)
	c.MaxSessions = cmp.Or(c.MaxSessions, 1000)
	c.MaxDevices = cmp.Or(c.MaxDevices, 1024)
	c.Rest = cmp.Or(c.Rest, 5*time.Second)
	c.Debug.Time = cmp.Or(c.Debug.Time, 2*time.Second)
	c.Debug.NetBytes = cmp.Or(c.Debug.NetBytes, 16<<20)
	c.Debug.Bytes = cmp.Or(c.Debug.Bytes, 64<<20)
	c.Log = cmp.Or(c.Log, zap.NewNop())
	if c.Quotas.Memory == nil {
		c.Quotas.Memory = budget.New(math.MaxInt64)
	}
	if c.Clock == nil {
		c.Clock = rt.NewReal()
	}
	if c.Numbers == nil {
		c.Numbers = number.NewBook(number.First())
	}
	return c
}

// Instance is another one for each core: the names of nets, sessions and rules that another core has given mean nothing to this one, or something else.
func (c *Core) Instance() string { return c.instance }

// Now is the Unix time of the core's clock.
func (c *Core) Now() time.Time { return time.Unix(0, c.unixNow()) }

func (c *Core) unixNow() int64 { return c.cfg.Clock.Unix(c.cfg.Clock.Now()) }

// Catalogue returns the primitives that nets can use now.
func (c *Core) Catalogue() *spec.Catalogue { return c.world.Load().catalogue }

// Limits returns what a text from outside may demand.
func (c *Core) Limits() grammar.Limits { return c.cfg.Limits }

// Settle returns when everything that the cycle has decided so far can be observed.
func (c *Core) Settle(ctx context.Context) error { return c.sched.Settle(ctx) }

// ring tells the watchers that something has changed.
func (c *Core) ring() { c.bells.ring() }

// onEvent hears what the cycle has done, in order.
func (c *Core) onEvent(e sched.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e.Kind {
	case sched.RuleFired, sched.RuleFailed, sched.RuleInactive:
		c.onRuleEvent(e)
	default:
		if n := c.bySlot[e.Net]; n != nil {
			n.onEvent(e)
		} else if e.Kind == sched.NetGone {
			c.devices.tickingGone(e.Net)
		}
	}
	c.ring()
}

// registry keeps things under names made of a number that is never reused.
type registry[T any] struct {
	byName map[string]T
	order  []string
}

// number uses up a number. It may wait for a disk, so that core.mu must not be held.
func (c *Core) number(of number.Kind, place string) (int, error) {
	n, err := c.cfg.Numbers.Take(of)
	if err != nil {
		return 0, refuse(ErrBusy, place, "it gets no number, as none can be kept: %v", err)
	}
	return n, nil
}

func (r *registry[T]) put(name string, v T) {
	if r.byName == nil {
		r.byName = map[string]T{}
	}
	r.byName[name] = v
	r.order = append(r.order, name)
}

func (r *registry[T]) remove(name string) {
	delete(r.byName, name)
	if len(r.order) > 2*len(r.byName)+16 {
		r.order = r.names()
	}
}

// names returns the names that are in use, oldest first.
func (r *registry[T]) names() []string {
	names := make([]string, 0, len(r.byName))
	for _, name := range r.order {
		if _, ok := r.byName[name]; ok {
			names = append(names, name)
		}
	}
	return names
}

func (r *registry[T]) all() []T {
	var list []T
	for _, name := range r.names() {
		list = append(list, r.byName[name])
	}
	return list
}
