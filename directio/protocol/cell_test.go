package protocol

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

func TestMain(m *testing.M) { leak.Main(m) }

// cell is a core whose time, and that of the people who watch it, moves only when a test wants it to.
type cell struct {
	t      testing.TB
	core   *rcc.Core
	time   *rt.Virtual
	people *peopleClock
	states map[string]*atomic.Int32 // of devices
	rings  map[string]func()        // by which their drivers announce a change
}

func newCell(t testing.TB) *cell {
	t.Helper()
	c := &cell{
		t: t, time: rt.NewVirtual(time.Unix(1_000_000_000, 0)), states: map[string]*atomic.Int32{}, rings: map[string]func(){},
		people: &peopleClock{now: time.Unix(2_000_000_000, 0)},
	}
	catalogue, err := spec.NewCatalogue(core.Primitives(), []*spec.Primitive{hold, count})
	if err != nil {
		t.Fatal(err)
	}
	c.core, err = rcc.New(rcc.Config{Catalogue: catalogue, DeviceTypes: c.deviceTypes(), Clock: c.time})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what still runs is aborted
		if err := c.core.Close(ctx); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	})
	return c
}

// advance lets the cell and its watchers get older. Everything that was due has been done then.
func (c *cell) advance(d time.Duration) {
	c.t.Helper()
	if err := c.time.Advance(c.t.Context(), d); err != nil {
		c.t.Fatal(err)
	}
	c.settle()
	c.people.advance(d)
}

// settle waits until observers can see what the cycle has decided.
func (c *cell) settle() {
	c.t.Helper()
	if err := c.core.Changes.Settle(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// hold is a primitive that needs a resource.
var hold = spec.Declare(spec.Decl{Name: "Test::Hold", Doc: "needs a joint"}, spec.Kernels[holder]{Run: func([]holder, *spec.Cycle) {}})

type holder struct {
	Joint spec.Param[string] `rcc:"Joint" doc:"joint of the arm"`
}

func (h *holder) Init(env *spec.Env) error {
	env.Claim(device.Resource{Device: "arm", Channel: h.Joint.V})
	return nil
}

// count gives the number of the cycle.
var count = spec.Declare(spec.Decl{Name: "Test::Count", Doc: "counts cycles"}, spec.Kernels[counter]{Run: func(run []counter, cy *spec.Cycle) {
	for i := range run {
		run[i].Out.Set(cy, int32(cy.N))
	}
}})

type counter struct {
	Out spec.Out[int32] `rcc:"outValue" doc:"number of the cycle"`
}

// deviceTypes returns those of listing 9.1, some as existing clients look for them, and one whose parameters must be quoted.
func (c *cell) deviceTypes() []device.Type {
	open := func(interfaces ...device.Interface) func(*device.Env, map[string]string) (device.Device, error) {
		return func(env *device.Env, params map[string]string) (device.Device, error) {
			c.rings[env.Name] = env.Changed
			return &testDevice{state: c.states[params["name"]], interfaces: interfaces}, nil
		}
	}
	return []device.Type{
		{Name: "kuka_lwr_fri", Open: open(device.Interface{Name: "io"}, device.Interface{Name: "armkinematics"}, device.Interface{Name: "multijoint"})},
		{Name: "kuka_lwr_sim", Open: open(
			device.Interface{Name: "armkinematics"},
			device.Interface{Name: "io", Params: map[string]string{"digin": "0", "digout": "8", "anin": "0", "anout": "8"}},
			device.Interface{Name: "robotarm", Params: map[string]string{"jointcount": "7"}},
		)},
		{Name: "robotbase_sim", Open: open(device.Interface{Name: "robotbase"}, device.Interface{Name: "cartesianposition"})},
		{Name: "schunk_wsg_sim", Open: open()},
		{Name: "sim", Open: open(device.Interface{Name: "robotarm", Params: map[string]string{"jointcount": "7", "a b": `"`}})},
	}
}

type testDevice struct {
	state      *atomic.Int32
	interfaces []device.Interface
}

func (d *testDevice) Status() device.Status {
	return device.Status{State: device.State(d.state.Load())}
}
func (d *testDevice) Interfaces() []device.Interface { return d.interfaces }
func (d *testDevice) Close() error                   { return nil }

// peopleClock stands still between the steps of a test.
type peopleClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*peopleTimer
}

type peopleTimer struct {
	clock *peopleClock
	at    time.Time
	armed bool
	c     chan time.Time
}

func (p *peopleClock) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *peopleClock) Begin() time.Time { return time.Unix(2_000_000_000, 0) }

func (p *peopleClock) Timer(d time.Duration) timer {
	t := &peopleTimer{clock: p, c: make(chan time.Time, 1)}
	p.mu.Lock()
	p.timers = append(p.timers, t)
	p.mu.Unlock()
	t.Reset(d)
	return t
}

func (p *peopleClock) advance(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
	for _, t := range p.timers {
		t.expire()
	}
}

// expire rings when it is time. The clock is locked.
func (t *peopleTimer) expire() {
	if t.armed && !t.clock.now.Before(t.at) {
		t.armed = false
		select {
		case t.c <- t.clock.now:
		default:
		}
	}
}

func (t *peopleTimer) C() <-chan time.Time { return t.c }

func (t *peopleTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.armed
	t.at, t.armed = t.clock.now.Add(d), true
	t.expire()
	return was
}

func (t *peopleTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.armed
	t.armed = false
	return was
}
