package sched

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestHammer lets many goroutines switch and retire nets on executors of the real clock, while rules do the same, and
// checks whether a resource is ever used by two nets at a time and whether every net comes to its end.
func TestHammer(t *testing.T) {
	for name, threads := range pacings {
		t.Run(name, func(t *testing.T) { hammerOn(t, threads) })
	}
}

// pacings are the ways in which executors come to their ticks on the real clock.
var pacings = map[string]*Threads{"ordinary": nil, "detached": {}}

func hammerOn(t *testing.T, threads *Threads) {
	h := &hammer{t: t, ended: map[Ref]int{}}
	s, err := New(Config{Slots: 64, OnEvent: h.onEvent, Threads: threads, Linger: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	h.Scheduler = s
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() { h.work(rand.New(rand.NewPCG(1, uint64(w)))) })
	}
	workers.Wait()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h.doubles.Load() > 0 {
		t.Errorf("%d cycles used a resource that another net was using", h.doubles.Load())
	}
	if h.cycles.Load() == 0 || len(h.ended) == 0 {
		t.Error("nothing ran")
	}
	for r, n := range h.ended {
		if n != 1 {
			t.Errorf("net %v has ended %d times", r, n)
		}
	}
}

type hammer struct {
	*Scheduler
	t       *testing.T
	users   [3]atomic.Int32 // by resource: nets in a cycle
	doubles atomic.Int32
	cycles  atomic.Int32
	ended   map[Ref]int
}

func (h *hammer) onEvent(e Event) {
	if e.Kind == NetEnded {
		h.ended[e.Net]++
	}
}

func (h *hammer) admit(random *rand.Rand) (Ref, error) {
	end, joint, cycles := new(spec.Out[bool]), random.IntN(len(h.users)), random.Uint64N(20)
	use := func(*spec.Cycle) {
		if h.users[joint].Add(1) != 1 {
			h.doubles.Add(1)
		}
	}
	release := func(cy *spec.Cycle) {
		h.users[joint].Add(-1)
		h.cycles.Add(1)
	}
	p := net.NewProgram(0, use, func(cy *spec.Cycle) { end.Set(cy, cy.N == cycles) }, release, end)
	p.Resources = []device.Resource{{Device: "arm", Channel: fmt.Sprint(joint)}}
	periods := []time.Duration{200 * time.Microsecond, 300 * time.Microsecond, 400 * time.Microsecond}
	return h.Admit(p, Options{Period: periods[random.IntN(len(periods))]})
}

func (h *hammer) work(random *rand.Rand) {
	ctx := h.t.Context()
	var mine []Ref
	for range 300 {
		if len(mine) < 5 {
			r, err := h.admit(random)
			if err != nil && !errors.Is(err, ErrFull) {
				h.t.Error(err)
				return
			}
			if err == nil {
				mine = append(mine, r)
			}
			continue
		}
		random.Shuffle(len(mine), func(i, k int) { mine[i], mine[k] = mine[k], mine[i] })
		switch random.IntN(4) {
		case 0:
			_ = h.Switch(ctx, Switch{Stop: mine[:2], Cancel: mine[2:3], Start: mine[3:4]})
		case 1:
			_ = h.AddRule(ctx, Rule{Stop: mine[:1], Start: mine[1:2]})
		case 2:
			_ = h.Start(ctx, mine[0])
		case 3:
			_ = h.Abort(ctx, mine[0])
			if err := h.Retire(ctx, mine[0]); err != nil {
				h.t.Error(err)
			}
			mine = mine[1:]
		}
	}
}

// A scheduler that is closed in the middle of everything answers all who ask, and tells of every net and rule what became
// of it.
func TestCloseHammer(t *testing.T) {
	for round := range 8 {
		c := &closing{t: t, told: map[Ref][NetGone + 1]int{}}
		clocks := []rt.Clock{nil, rt.NewVirtual(zero)}
		if v, ok := clocks[round%2].(*rt.Virtual); ok {
			v.SetSpeed(100)
		}
		s, err := New(Config{Slots: 32, Clock: clocks[round%2], OnEvent: c.onEvent})
		if err != nil {
			t.Fatal(err)
		}
		c.Scheduler = s
		var workers sync.WaitGroup
		for w := range 6 {
			workers.Go(func() { c.work(rand.New(rand.NewPCG(uint64(round), uint64(w)))) })
		}
		for c.begun.Load() < 200 {
			runtime.Gosched()
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		workers.Wait()
		for r, n := range c.told {
			if n[NetStarted] > 1 || n[NetEnded] != n[NetStarted] || n[NetGone] > 1 {
				t.Errorf("net %v: told %v", r, n)
			}
		}
		if told := c.rules.Load(); told > c.added.Load() {
			t.Errorf("%d rules were told of, %d added", told, c.added.Load())
		}
		if retired, gone := c.retired.Load(), c.gone.Load(); retired != gone {
			t.Errorf("%d nets were retired, %d are gone", retired, gone)
		}
	}
}

type closing struct {
	*Scheduler
	t                   *testing.T
	told                map[Ref][NetGone + 1]int
	begun, added, rules atomic.Int64
	retired, gone       atomic.Int64
}

func (c *closing) onEvent(e Event) {
	if e.Kind > NetGone {
		c.rules.Add(1)
		return
	}
	n := c.told[e.Net]
	n[e.Kind]++
	c.told[e.Net] = n
	if e.Kind == NetGone {
		c.gone.Add(1)
	}
}

// work asks for changes until it is told that the scheduler is closed.
func (c *closing) work(random *rand.Rand) {
	ctx := c.t.Context()
	for {
		c.begun.Add(1)
		period := []time.Duration{200 * time.Microsecond, ms, 3 * ms}[random.IntN(3)]
		a, err := c.Admit(ending(period, random.Uint64N(5)), Options{Realtime: random.IntN(2) == 0})
		switch {
		case errors.Is(err, ErrFull):
			runtime.Gosched()
			continue
		case errors.Is(err, ErrClosed):
			return
		case err != nil:
			c.t.Error(err)
			return
		}
		if random.IntN(2) == 0 {
			c.added.Add(1) // before: it may be told of before AddRule returns
			if c.AddRule(ctx, Rule{Cancel: []Ref{a}}) != nil {
				c.added.Add(-1)
			}
		}
		_ = c.Start(ctx, a)
		if random.IntN(2) == 0 {
			_ = c.Cancel(ctx, a)
		}
		_ = c.Abort(ctx, a)
		if c.Retire(ctx, a) == nil {
			c.retired.Add(1)
		}
	}
}

// While executors tick at whatever pace the machine lets them, all nets of a switch start at the instant that their
// events name, and none that it stops has a cycle at that instant or later.
func TestDecisionsHoldEverywhereAtOnce(t *testing.T) {
	var mu sync.Mutex
	started := map[Ref]int64{}
	s := newByHand(t, Config{OnEvent: func(e Event) {
		if e.Kind == NetStarted {
			mu.Lock()
			started[e.Net] = e.Time
			mu.Unlock()
		}
	}})
	periods := []time.Duration{ms, 2 * ms, 3 * ms}
	type run struct {
		ref         Ref
		first, last atomic.Int64
	}
	admit := func(period time.Duration) *run {
		r := new(run)
		ref, err := s.Admit(net.NewProgram(period, nil, nil, func(cy *spec.Cycle) {
			r.first.CompareAndSwap(0, cy.Time)
			r.last.Store(cy.Time)
		}, nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.ref = ref
		return r
	}
	var quit atomic.Bool
	var executors sync.WaitGroup
	var all []*executor
	slowest := func() int64 {
		return min(all[0].done.Load(), all[1].done.Load(), all[2].done.Load())
	}
	var before []*run
	for _, p := range periods {
		r := admit(p)
		before = append(before, r)
		x := s.executorOf(r.ref.slot)
		all = append(all, x)
	}
	for _, x := range all {
		executors.Go(func() {
			for due := x.period; !quit.Load(); runtime.Gosched() {
				if due < slowest()+int64(20*ms) { // no further apart
					x.tick(due, due, 0)
					due += x.period
				}
			}
		})
	}
	if err := s.Start(t.Context(), before[0].ref, before[1].ref, before[2].ref); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		var change Switch
		var after []*run
		for i, p := range periods {
			after = append(after, admit(p))
			change.Stop = append(change.Stop, before[i].ref)
			change.Start = append(change.Start, after[i].ref)
		}
		for _, r := range before {
			for r.first.Load() == 0 {
				runtime.Gosched()
			}
		}
		if err := s.Switch(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		at := started[after[0].ref]
		for i, r := range before {
			if first := r.first.Load(); first != started[r.ref] || r.last.Load() >= at || started[after[i].ref] != at {
				t.Errorf("net %v: cycles from %d to %d, started at %d, stopped at %d, its successor started at %d",
					r.ref, first, r.last.Load(), started[r.ref], at, started[after[i].ref])
			}
		}
		mu.Unlock()
		for _, r := range before {
			if err := s.Retire(t.Context(), r.ref); err != nil {
				t.Fatal(err)
			}
		}
		before = after
	}
	quit.Store(true)
	executors.Wait()
}
