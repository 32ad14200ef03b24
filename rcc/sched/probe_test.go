package sched

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// watch attaches a probe that traces what it sees.
func (l *cell) watch(id ProbeID, r Ref) error {
	return l.Attach(l.t.Context(), id, r, net.NewProbe(func(cy *spec.Cycle) { l.log("probe %d: %d", id, cy.N) }))
}

// TestProbes attaches and detaches probes of a net that waits, runs and ends.
func TestProbes(t *testing.T) {
	l := newCell(t, Config{Probes: 3})
	a := l.admit(part{name: "a", period: ms})
	l.must(l.watch(1, a))
	l.must(l.watch(2, a))
	l.must(l.Start(t.Context(), a))
	l.advance(ms)
	wantStrings(t, "probes that have waited", l.traced(), "a 1 @1ms", "probe 2: 1", "probe 1: 1")
	l.must(l.watch(3, a))
	l.must(l.Detach(t.Context(), 1))
	l.advance(ms)
	wantStrings(t, "one more, and one less", l.traced(), "a 2 @2ms", "probe 3: 2", "probe 2: 2")
	wantStrings(t, "events", l.told(), "a started at 1ms", " probe gone")
	if err := l.Detach(t.Context(), 1); !errors.Is(err, ErrUnknown) {
		t.Errorf("detached once more: %v", err)
	}
	l.must(l.watch(4, a))
	if err := l.watch(5, a); !errors.Is(err, ErrProbes) {
		t.Errorf("one too many: %v", err)
	}
	l.must(l.Abort(t.Context(), a))
	l.advance(ms)
	wantStrings(t, "after the end", l.traced())
	wantStrings(t, "events of the end", l.told(), "a ended aborted after 2", " probe gone", " probe gone", " probe gone")
	var over *OverError
	if err := l.watch(6, a); !errors.As(err, &over) || over.State != Ended {
		t.Errorf("a net that has ended: %v", err)
	}
	b := l.admit(part{name: "b", period: ms})
	l.must(l.watch(7, b))
	l.must(l.Retire(t.Context(), b))
	l.must(l.Retire(t.Context(), a))
	if err := l.watch(8, a); !errors.Is(err, ErrUnknown) {
		t.Errorf("a net that is gone: %v", err)
	}
	got := l.told()
	slices.Sort(got)
	wantStrings(t, "events of retiring", got, " probe gone", "a gone", "b gone")
}

// TestProbeBeforeTheStart sees nothing of a net that has been started, while that waits for the tick that it has in common with others.
func TestProbeBeforeTheStart(t *testing.T) {
	l := newCell(t, Config{})
	a, b, c := l.admit(part{name: "a", period: ms}), l.admit(part{name: "b", period: ms}), l.admit(part{name: "c", period: 4 * ms})
	l.must(l.Start(t.Context(), a))
	l.advance(ms)
	l.must(l.watch(1, b))
	l.must(l.Start(t.Context(), b, c))
	l.must(l.watch(2, b))
	l.advance(3 * ms)
	got := slices.DeleteFunc(l.traced(), func(line string) bool { return strings.HasPrefix(line, "a ") })
	wantStrings(t, "trace", got, "b 1 @4ms", "probe 2: 1", "probe 1: 1", "c 1 @4ms")
}

// probing is a plain model: a probe sees the cycles of its net whose ticks come after it was attached and not after it was detached.
type probing struct {
	*cell
	random *rand.Rand
	nets   []*probedNet
	probes []*modelProbe
	last   ProbeID
	gone   map[ProbeID]int
}

type probedNet struct {
	ref     Ref
	cycles  []time.Duration // by cycle: its instant
	started bool
	ended   bool
	retired bool
}

type modelProbe struct {
	id       ProbeID
	net      *probedNet
	from, to time.Duration // to is -1 while it is attached
	seen     []uint64
}

// live are the probes that hold a place.
func (m *probing) live() (list []*modelProbe) {
	for _, p := range m.probes {
		if p.to < 0 && !p.net.ended && (!p.net.retired || p.net.started) {
			list = append(list, p)
		}
	}
	return list
}

func (m *probing) now() time.Duration { return time.Duration(m.clock.Now()) }

func (m *probing) step() {
	m.must(m.Settle(m.t.Context()))
	m.noteEnds()
	switch k := m.random.IntN(12); {
	case k < 2 && len(m.nets) < 6:
		m.load()
	case k < 5:
		m.attach()
	case k < 7 && len(m.live()) > 0:
		p := m.live()[m.random.IntN(len(m.live()))]
		m.must(m.Detach(m.t.Context(), p.id))
		p.to = m.now()
	case k < 8 && len(m.nets) > 0:
		n := m.nets[m.random.IntN(len(m.nets))]
		if err := m.Start(m.t.Context(), n.ref); (err == nil) == n.started && !n.retired {
			m.t.Fatalf("start: %v of %+v", err, n)
		}
		n.started = n.started || !n.retired
	case k == 8 && len(m.nets) > 0:
		n := m.nets[m.random.IntN(len(m.nets))]
		if !n.retired || n.started && !n.ended {
			m.must(m.Abort(m.t.Context(), n.ref))
		}
	case k == 9 && len(m.nets) > 0:
		n := m.nets[m.random.IntN(len(m.nets))]
		if !n.retired {
			m.must(m.Retire(m.t.Context(), n.ref))
			n.retired = true
		}
	default:
		m.advance(ms * time.Duration(m.random.IntN(4)))
	}
}

func (m *probing) load() {
	n := new(probedNet)
	period := []time.Duration{ms, 2 * ms, 3 * ms}[m.random.IntN(3)]
	n.ref = m.admit(part{period: period, cycles: uint64(m.random.IntN(30)), act: func(cy *spec.Cycle) {
		n.cycles = append(n.cycles, since(cy.Due))
	}})
	m.nets = append(m.nets, n)
}

func (m *probing) attach() {
	if len(m.nets) == 0 {
		return
	}
	m.last++
	p := &modelProbe{id: m.last, net: m.nets[m.random.IntN(len(m.nets))], from: m.now(), to: -1}
	full := len(m.live()) == len(m.Scheduler.probes.of)
	err := m.Attach(m.t.Context(), p.id, p.net.ref, net.NewProbe(func(cy *spec.Cycle) { p.seen = append(p.seen, cy.N) }))
	gone := p.net.ended || p.net.retired && !p.net.started
	if (err == nil) == (full || gone) {
		m.t.Fatalf("attached: %v, although full is %t and gone %t", err, full, gone)
	}
	if err == nil {
		m.probes = append(m.probes, p)
	}
}

// noteEnds learns from the events which nets have ended, and forgets those that are gone after a look at their probes.
func (m *probing) noteEnds() {
	m.mu.Lock()
	events := m.events
	m.events = nil
	m.trace = nil
	m.mu.Unlock()
	for _, e := range events {
		i := slices.IndexFunc(m.nets, func(n *probedNet) bool { return n.ref == e.Net })
		switch e.Kind {
		case ProbeGone:
			m.gone[e.Probe]++
		case NetEnded:
			m.nets[i].ended = true
		case NetGone:
			m.nets[i].retired = true
			m.nets = slices.Delete(m.nets, i, i+1)
		}
	}
}

func (m *probing) check() {
	live := 0
	for _, p := range m.probes {
		var want []uint64
		for i, at := range p.net.cycles {
			if at > p.from && (p.to < 0 || at <= p.to) {
				want = append(want, uint64(i+1))
			}
		}
		if !slices.Equal(p.seen, want) {
			m.t.Fatalf("probe %d from %v to %v has seen %v, want %v", p.id, p.from, p.to, p.seen, want)
		}
		if m.gone[p.id] > 1 {
			m.t.Fatalf("probe %d is gone %d times", p.id, m.gone[p.id])
		}
		live += 1 - m.gone[p.id]
	}
	m.Scheduler.mu.Lock()
	defer m.Scheduler.mu.Unlock()
	if want := len(m.live()); live != want || len(m.freeProbes) != len(m.Scheduler.probes.of)-want || len(m.probeOf) != want {
		m.t.Fatalf("%d probes are not gone, %d places are free, %d probes are known; the model has %d", live, len(m.freeProbes), len(m.probeOf), want)
	}
}

// TestProbesAgainstModel does 10,000 random things to nets and probes.
func TestProbesAgainstModel(t *testing.T) {
	m := &probing{cell: newCell(t, Config{Probes: 8, Slots: 16}), random: rand.New(rand.NewPCG(7, 26)), gone: map[ProbeID]int{}}
	seen := 0
	for i := range 10_000 {
		m.step()
		if i%100 != 99 {
			continue
		}
		m.must(m.Settle(t.Context()))
		m.noteEnds()
		m.check()
		m.probes = slices.DeleteFunc(m.probes, func(p *modelProbe) bool {
			seen += len(p.seen)
			return m.gone[p.id] > 0
		})
	}
	if m.last < 1000 || seen < 1000 {
		t.Errorf("only %d probes, which have seen %d cycles", m.last, seen)
	}
}

// TestProbesAllocateNothing attaches and detaches while nets tick.
func TestProbesAllocateNothing(t *testing.T) {
	s := newByHand(t, Config{})
	a := s.started(t, nil, nil)
	x := s.executorOf(a.slot)
	due, seen, id := int64(0), 0, ProbeID(0)
	tick := func() {
		due += x.period
		x.tick(due, due, 0)
	}
	tick()
	if n := alloc.LeastOf(func() (allocations uint64) {
		id++
		if err := s.Attach(t.Context(), id, a, net.NewProbe(func(*spec.Cycle) { seen++ })); err != nil {
			t.Fatal(err)
		}
		allocations += alloc.Count(tick)
		if err := s.Detach(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return allocations + alloc.Count(tick)
	}); n != 0 {
		t.Errorf("%d allocations", n)
	}
	if seen != int(id) {
		t.Errorf("%d probes have seen %d cycles", id, seen)
	}
}

// TestProbesHammer attaches and detaches probes from several goroutines while nets of several executors of the real clock start and end. A
// probe is never executed after it is gone, and sees each cycle once.
func TestProbesHammer(t *testing.T) {
	for name, threads := range pacings {
		t.Run(name, func(t *testing.T) {
			h := &probeHammer{t: t, gone: map[ProbeID]*atomic.Bool{}}
			s, err := New(Config{Slots: 32, Probes: 16, OnEvent: h.onEvent, Threads: threads, Linger: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			h.Scheduler = s
			var workers sync.WaitGroup
			for w := range 4 {
				workers.Go(func() { h.work(rand.New(rand.NewPCG(26, uint64(w)))) })
			}
			workers.Wait()
			if err := s.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if h.seen.Load() == 0 || h.late.Load() > 0 || h.twice.Load() > 0 {
				t.Errorf("%d cycles seen, %d after the probe was gone, %d out of order", h.seen.Load(), h.late.Load(), h.twice.Load())
			}
			for id, gone := range h.gone {
				if !gone.Load() {
					t.Errorf("probe %d is not gone", id)
				}
			}
		})
	}
}

type probeHammer struct {
	*Scheduler
	t                 *testing.T
	last              atomic.Uint64
	seen, late, twice atomic.Int32
	mu                sync.Mutex
	gone              map[ProbeID]*atomic.Bool
}

func (h *probeHammer) onEvent(e Event) {
	if e.Kind == ProbeGone {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.gone[e.Probe].Store(true)
	}
}

func (h *probeHammer) attach(r Ref) (ProbeID, error) {
	id := ProbeID(h.last.Add(1))
	gone, last := new(atomic.Bool), uint64(0)
	h.mu.Lock()
	h.gone[id] = gone
	h.mu.Unlock()
	err := h.Attach(h.t.Context(), id, r, net.NewProbe(func(cy *spec.Cycle) {
		if gone.Load() {
			h.late.Add(1)
		}
		if last != 0 && cy.N != last+1 {
			h.twice.Add(1)
		}
		last = cy.N
		h.seen.Add(1)
	}))
	if err != nil {
		h.mu.Lock()
		delete(h.gone, id)
		h.mu.Unlock()
	}
	return id, err
}

func (h *probeHammer) work(random *rand.Rand) {
	ctx := h.t.Context()
	var nets []Ref
	var probes []ProbeID
	for range 400 {
		switch k := random.IntN(8); {
		case len(nets) < 4 && k < 2:
			period := []time.Duration{200 * time.Microsecond, 300 * time.Microsecond, ms}[random.IntN(3)]
			r, err := h.Admit(ending(period, random.Uint64N(30)), Options{})
			if err != nil {
				runtime.Gosched()
				continue
			}
			nets = append(nets, r)
			if random.IntN(2) == 0 {
				_ = h.Start(ctx, r)
			}
		case len(nets) == 0:
		case k < 5:
			if id, err := h.attach(nets[random.IntN(len(nets))]); err == nil {
				probes = append(probes, id)
			}
		case k < 6 && len(probes) > 0:
			_ = h.Detach(ctx, probes[0])
			probes = probes[1:]
		case k < 7:
			_ = h.Start(ctx, nets[random.IntN(len(nets))])
		default:
			_ = h.Abort(ctx, nets[0])
			if err := h.Retire(ctx, nets[0]); err != nil {
				h.t.Error(err)
			}
			nets = nets[1:]
		}
	}
	for _, r := range nets {
		_ = h.Abort(ctx, r)
		_ = h.Retire(ctx, r)
	}
}

// BenchmarkProbes ticks a net of 200 primitives of which none, one and a hundred ports have probes, in time of the thread, in turns with one
// that nobody has ever looked at.
func BenchmarkProbes(b *testing.B) {
	var text strings.Builder
	text.WriteString("{clock=Core::Clock(),")
	var names []net.PortName
	for i := range 200 {
		fmt.Fprintf(&text, "a%d=Core::DoubleAdd(inFirst=clock.outValue,Second='%d'),", i, i)
		names = append(names, net.PortName{Path: fmt.Sprintf("a%d", i), Port: "outValue"})
	}
	text.WriteString("outTerminate=Core::BooleanValue().outValue}")
	for _, test := range []struct {
		name  string
		ports int
	}{{"none", 0}, {"one", 1}, {"100", 100}} {
		b.Run(test.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			looked, plain := benched(b, text.String(), names[:test.ports]), benched(b, text.String(), nil)
			due := int64(0)
			tick := func(x *executor) int64 {
				x.closely = 0
				from := rt.ThreadTime()
				x.tick(due, due, 0)
				return rt.ThreadTime() - from
			}
			var with, without int64
			b.ReportAllocs()
			for b.Loop() {
				due += int64(ms)
				with += tick(looked)
				without += tick(plain)
			}
			b.ReportMetric(float64(with)/float64(b.N), "ns/tick")
			b.ReportMetric(float64(without)/float64(b.N), "without-ns/tick")
		})
	}
}

// benched is the executor of a net with a probe of some ports.
func benched(b *testing.B, text string, ports []net.PortName) *executor {
	b.Helper()
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		b.Fatal(err)
	}
	tree, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	opt := net.Options{Name: "n", Period: ms, Catalogue: catalogue}
	p, err := net.Compile(tree, opt)
	if err != nil {
		b.Fatal(err)
	}
	s := newByHand(b, Config{})
	r, err := s.Admit(p, Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Start(b.Context(), r); err != nil {
		b.Fatal(err)
	}
	if len(ports) > 0 {
		found, err := p.Find(tree, nil, ports)
		if err != nil {
			b.Fatal(err)
		}
		probe, err := found.Probe(1000, func(bytes int64) int64 { return bytes })
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Attach(context.Background(), 1, r, probe); err != nil {
			b.Fatal(err)
		}
	}
	return s.executorOf(r.slot)
}
