package sched

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const us = time.Microsecond

// costly admits a net whose cycles take a time.
func (l *cell) costly(p part, cost time.Duration) Ref {
	l.t.Helper()
	r, err := l.Admit(l.program(p), Options{Realtime: p.realtime, Cost: cost})
	l.must(err)
	l.mu.Lock()
	l.names[r] = p.name
	l.mu.Unlock()
	return r
}

// measured lets as much time pass as it takes until a net of 1 ms has been measured several times.
func (l *cell) measured() { l.advance((enough + 2) * measureEvery * ms) }

// grows makes the cycles of a net longer from now on.
func (l *cell) grows(r Ref, cost time.Duration) { l.stats(r.slot).pretended.Store(int64(cost)) }

// taken is what is counted of a CPU.
func (l *cell) taken(place int) Share {
	l.t.Helper()
	l.must(l.Settle(l.t.Context()))
	return l.CPUs()[place].Taken
}

const most = 80 * WholeCPU / 100

func oneCPU() Config { return Config{Share: most, CPUs: []int{3}, Overrun: AbortOverruns} }

// Of eight nets each of which fits its cycle those are refused that do not fit beside the others, before they start, and
// who runs loses nothing.
func TestNetsThatDoNotFitAreRefused(t *testing.T) {
	l := newCell(t, oneCPU())
	bystander := l.costly(part{name: "bystander", period: 2 * ms, realtime: true}, 100*us)
	l.must(l.Start(t.Context(), bystander))
	var started int
	for i := range 8 {
		n := l.costly(part{name: fmt.Sprint("n", i), period: ms, realtime: i%2 == 0}, 300*us)
		err := l.Start(t.Context(), n)
		var refused *LoadError
		switch {
		case err == nil:
			started++
		case !errors.As(err, &refused):
			t.Fatal(err)
		default:
			want := Load{CPU: 3, Limit: most, Taken: 65 * WholeCPU / 100, Share: 30 * WholeCPU / 100}
			if refused.Net != n || refused.Load != want {
				t.Errorf("%+v", refused)
			}
			if text := "net 263.1 cannot be started: of CPU 3 nets may have 80 %, those that run take 65 %, and this would add 30 %"; i == 7 &&
				refused.Told("net 263.1") != text {
				t.Errorf("%q", refused.Told("net 263.1"))
			}
		}
		l.advance(ms)
	}
	if started != 2 || l.taken(0) != 65*WholeCPU/100 {
		t.Errorf("%d nets run, %v", started, l.taken(0))
	}
	l.measured()
	if s, err := l.Stats(bystander); err != nil || s.Cycles != uint64(l.clock.Now()/int64(2*ms)) || s.Share != 5*WholeCPU/100 {
		t.Errorf("%d cycles in %v, %v, %v", s.Cycles, time.Duration(l.clock.Now()), s.Share, err)
	}
}

// A net that was refused can be started when others have gone.
func TestTimeIsGivenBack(t *testing.T) {
	l := newCell(t, oneCPU())
	a := l.costly(part{name: "a", period: ms, cycles: 3}, 500*us)
	b := l.costly(part{name: "b", period: ms}, 600*us)
	c := l.costly(part{name: "c", period: ms}, 600*us)
	l.must(l.Start(t.Context(), a))
	if err := l.Start(t.Context(), b); !errors.As(err, new(*LoadError)) {
		t.Fatal(err)
	}
	l.advance(5 * ms)
	l.must(l.Start(t.Context(), b))
	l.advance(ms)
	l.must(l.Switch(t.Context(), Switch{Stop: []Ref{b}, Start: []Ref{c}})) // in one change
	l.advance(ms)
	l.must(l.Abort(t.Context(), c))
	if got := l.taken(0); got != 0 {
		t.Errorf("%v are taken by nobody", got)
	}
}

// Rules that start nets in the turn are refused like commands, all or nothing.
func TestRulesThatDoNotFit(t *testing.T) {
	l := newCell(t, oneCPU())
	signals := signal(t, "a", ms, "fft")
	a := l.costly(signals, 300*us)
	b := l.costly(part{name: "b", period: ms}, 200*us)
	c := l.costly(part{name: "c", period: ms}, 400*us)
	d := l.costly(part{name: "d", period: ms}, 400*us)
	l.must(l.Start(t.Context(), a))
	p, variables := condition(t, "a.outX", map[string]Ref{"a": a})
	l.must(l.AddRule(t.Context(), Rule{ID: 1, Condition: p, Variables: variables, Start: []Ref{b, c}}))
	l.must(l.AddRule(t.Context(), Rule{ID: 2, Condition: p, Variables: variables, Start: []Ref{d}}))
	l.must(l.AddRule(t.Context(), Rule{ID: 3, Condition: p, Variables: variables, Stop: []Ref{a}, Start: []Ref{b, c}}))
	l.advance(5 * ms)
	wantStrings(t, "events", l.told(), "a started at 1ms", "rule 1 failed: *sched.LoadError", "d started at 4ms", "rule 2 fired",
		"rule 3 failed: *sched.LoadError")
}

// A rule that exchanges nets counts those that it stops as gone.
func TestRuleMakesRoom(t *testing.T) {
	l := newCell(t, oneCPU())
	a := l.costly(signal(t, "a", ms, "ft"), 700*us)
	b := l.costly(part{name: "b", period: ms}, 750*us)
	l.must(l.Start(t.Context(), a))
	p, variables := condition(t, "a.outX", map[string]Ref{"a": a})
	l.must(l.AddRule(t.Context(), Rule{ID: 1, Condition: p, Variables: variables, Stop: []Ref{a}, Start: []Ref{b}}))
	l.advance(5 * ms)
	wantStrings(t, "events", l.told(), "a started at 1ms", "a ended replaced after 2", "b started at 3ms", "rule 1 fired")
}

// When nets grow beyond what there is, those that are not real-time end first, then those that were started last: they are
// cancelled, and aborted when they do not come to their end.
func TestOverloadEndsNetsInOrder(t *testing.T) {
	l := newCell(t, oneCPU())
	var nets []Ref
	for i, p := range []part{
		{name: "first", period: ms, realtime: true},
		{name: "other", period: ms},
		{name: "second", period: 2 * ms, realtime: true},
		{name: "third", period: ms, realtime: true},
	} {
		nets = append(nets, l.costly(p, 100*us))
		l.must(l.Start(t.Context(), nets[i]))
		l.advance(2 * ms)
	}
	l.told()
	l.grows(nets[0], 700*us) // 70 + 10 + 5 + 10 %
	l.measured()
	l.measured()
	wantStrings(t, "events", l.told(), "other cancelling", "third cancelling")
	l.advance(time.Duration(leaveIn))
	l.must(l.Settle(t.Context()))
	var ends []string
	for _, e := range l.events {
		ends = append(ends, fmt.Sprintf("%s %v %v", l.names[e.Net], e.Kind, e.Cause))
	}
	slices.Sort(ends) // both in one tick of different executors
	wantStrings(t, "ends", ends, "other ended overload", "third ended overload")
	if got := l.taken(0); got != 75*WholeCPU/100 {
		t.Errorf("%v are taken", got)
	}
	count, kept := l.Incidents()
	if count != 2 || kept[0].Kind != Overload || kept[0].Load != (Load{CPU: 3, Limit: most, Taken: 85 * WholeCPU / 100, Share: 10 * WholeCPU / 100}) {
		t.Errorf("%d incidents: %+v", count, kept)
	}
}

// The events of a net that is to make room say why, also of one that comes to its end by itself then.
func TestOverloadIsOnRecord(t *testing.T) {
	l := newCell(t, oneCPU())
	l.must(l.Start(t.Context(), l.costly(part{name: "a", period: ms}, 500*us)))
	b := l.costly(part{name: "b", period: ms, cycles: 200}, 200*us)
	l.must(l.Start(t.Context(), b))
	l.advance(ms)
	l.grows(b, 400*us)
	l.advance(300 * ms)
	l.must(l.Settle(t.Context()))
	var told []string
	for _, e := range l.events {
		var why *OverloadError
		if e.Net == b && errors.As(e.Err, &why) {
			told = append(told, fmt.Sprintf("%v %v %v %v", e.Kind, e.Cause, why.Taken, why.Share))
		}
	}
	wantStrings(t, "events with reasons", told, "cancelling terminated 50 % 40 %", "ended terminated 50 % 40 %")
}

// An occasional overload ends nothing, nor does a lasting one where overruns end nothing: there it is an incident.
func TestWhatOverloadEndsNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		policy    Policy
		passes    time.Duration
		incidents uint64
	}{
		"too short": {AbortOverruns, enough * measureEvery * ms, 0}, // the first of them finds nothing yet, as it is the lesser of two
		"counted":   {CountOverruns, 4 * enough * measureEvery * ms, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := oneCPU()
			c.Overrun = tt.policy
			l := newCell(t, c)
			a := l.costly(part{name: "a", period: ms}, 500*us)
			l.must(l.Start(t.Context(), a))
			l.measured()
			l.grows(a, 900*us)
			l.advance(tt.passes)
			l.grows(a, 500*us)
			l.measured()
			wantStrings(t, "events", l.told(), "a started at 1ms")
			if count, kept := l.Incidents(); min(count, 1) != tt.incidents {
				t.Errorf("%d incidents: %v", count, kept)
			}
		})
	}
}

// CPUs are counted each for itself, over all executors that they have; what devices do is counted, but neither refused nor ended.
func TestEachCPUForItself(t *testing.T) {
	c := oneCPU()
	c.CPUs = []int{2, 5}
	l := newCell(t, c)
	device, err := l.Admit(l.program(part{period: ms}), Options{Realtime: true, Resident: true, Cost: 900 * us})
	l.must(err)
	l.must(l.Start(t.Context(), device))
	if l.taken(0) != 90*WholeCPU/100 || l.taken(1) != 0 {
		t.Fatalf("%+v", l.CPUs())
	}
	a := l.costly(part{name: "a", period: ms}, 500*us) // where there is least to do
	b := l.costly(part{name: "b", period: 2 * ms}, 600*us)
	l.must(l.Start(t.Context(), a, b))
	if l.taken(1) != most {
		t.Errorf("%+v", l.CPUs())
	}
	tiny := l.costly(part{name: "tiny", period: time.Second}, us)
	if err := l.Start(t.Context(), tiny); !errors.As(err, new(*LoadError)) {
		t.Errorf("on a full CPU: %v", err)
	}
	l.measured()
	wantStrings(t, "events", l.told(), " started at 1ms", "a started at 2ms", "b started at 2ms")
}

// Where executors keep to no CPU, each has at most one.
func TestThreadsHaveOneCPUEach(t *testing.T) {
	l := newCell(t, Config{Share: most})
	a := l.costly(part{name: "a", period: ms}, 500*us)
	b := l.costly(part{name: "b", period: ms}, 500*us)
	l.must(l.Start(t.Context(), a))
	var refused *LoadError
	if err := l.Start(t.Context(), b); !errors.As(err, &refused) || refused.Period != ms || refused.Limit != most {
		t.Fatalf("%v", err)
	}
	if got := refused.Place(); got != "the thread for cycles of 1ms" {
		t.Error(got)
	}
}

// Without a limit everything starts.
func TestNoLimit(t *testing.T) {
	l := newCell(t, Config{Overrun: AbortOverruns})
	for i := range 3 {
		l.must(l.Start(t.Context(), l.costly(part{name: fmt.Sprint(i), period: ms}, 2*ms)))
	}
	l.measured()
	wantStrings(t, "events", l.told(), "0 started at 1ms", "1 started at 1ms", "2 started at 1ms")
}

// A measurement does not see what keeps up to a quarter of the cycles, and follows what half of them take.
func TestMeasurement(t *testing.T) {
	of := func(ns ...int64) (found int64) {
		var w window
		for range 2 {
			for i := range measureEvery {
				w.add(ns[i%len(ns)])
			}
			found = w.take()
		}
		return found
	}
	for name, tt := range map[string]struct {
		cycles []int64
		want   int64
	}{
		"equal":                  {[]int64{100}, 100},
		"disturbed":              {[]int64{100, 100, 100, 90_000}, 100},
		"each other one is long": {[]int64{100, 300}, 200},
		"nothing":                {[]int64{0}, 1},
	} {
		if got := of(tt.cycles...); got != tt.want {
			t.Errorf("%s: %d", name, got)
		}
	}
	var w window
	for _, ns := range []int64{100, 500, 500, 200} { // one measurement alone is not believed when it finds more
		for range measureEvery {
			w.add(ns)
		}
		found := w.take()
		if want := map[int64]int64{100: 100, 200: 200}[ns]; want != 0 && found != want || found == 500 && w.last != 500 {
			t.Errorf("%d after %d", found, ns)
		}
	}
}

// The time in which a thread was not on its CPU is nobody's.
func TestOwnTime(t *testing.T) {
	s := newByHand(t, Config{})
	x := newExecutor(s, key{period: int64(ms)}, 0, 0)
	e := &entry{spent: 400}
	x.executed = 0.25
	if got := x.own(e); got != 100 {
		t.Error(got)
	}
}

// A net that has never run is expected to take what one of the same shape took.
func TestCostsAreLearnt(t *testing.T) {
	s := newByHand(t, Config{})
	like := func(shape uint64) Ref {
		p := ending(slowly, 0)
		p.Shape, p.Primitives = shape, 1000
		r, err := s.Admit(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a := like(7)
	s.stats(a.slot).cost.Store(int64(20 * ms))
	if err := s.Start(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(a.slot)
	x.tick(x.period, x.period, 0)
	if err := s.Abort(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	x.tick(2*x.period, 2*x.period, 0)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for shape, want := range map[uint64]Share{7: 20 * WholeCPU / 100, 8: 3000 * WholeCPU / Share(slowly)} {
		if got, err := s.Stats(like(shape)); err != nil || got.Share != want {
			t.Errorf("shape %d: %v instead of %v, %v", shape, got.Share, want, err)
		}
	}
}

// Nets that are loaded before one like them has been measured are expected to take what it takes when they are to be started.
func TestCostsOfRunningNetsAreKnown(t *testing.T) {
	s := newByHand(t, Config{Share: most, CPUs: []int{0}})
	var nets [3]Ref
	for i := range nets {
		p := ending(slowly, 0)
		p.Shape, p.Primitives = 7, 1000
		var err error
		if nets[i], err = s.Admit(p, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Start(t.Context(), nets[0]); err != nil {
		t.Fatal(err)
	}
	figures := s.stats(nets[0].slot)
	figures.cost.Store(int64(50 * ms))
	figures.share.Store(int64(most) / 2)
	s.executorOf(nets[0].slot).measurements.Add(1)
	if err := s.Start(t.Context(), nets[1]); !errors.As(err, new(*LoadError)) {
		t.Errorf("beside one that takes half of the CPU: %v", err)
	}
	if err := s.AddRule(t.Context(), Rule{ID: 1, Start: []Ref{nets[2]}}); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(nets); i++ {
		if got, err := s.Stats(nets[i]); err != nil || got.Share != WholeCPU/2 {
			t.Errorf("net %d: %v, %v", i, got.Share, err)
		}
	}
	if got := s.costLike(8); got != 0 {
		t.Errorf("a shape that nobody has: %d", got)
	}
}

// loadModel is the same as a page of ordinary code.
type loadModel struct {
	nets []*loadNet // in the order of their starts
}

type loadNet struct {
	ref      Ref
	realtime bool
	cost     time.Duration // as it is
	found    time.Duration // as it was measured
	leaving  bool
}

func (m *loadModel) taken() (sum time.Duration) {
	for _, n := range m.nets {
		sum += n.found
	}
	return sum
}

// relieve returns the nets that have to leave, in their order.
func (m *loadModel) relieve(limit time.Duration) (list []*loadNet) {
	rest := time.Duration(0)
	for _, n := range m.nets {
		if n.found = n.cost; !n.leaving {
			rest += n.found
		}
	}
	for _, realtime := range []bool{false, true} {
		for _, n := range slices.Backward(m.nets) {
			if rest > limit && n.realtime == realtime && !n.leaving {
				n.leaving = true
				rest -= n.found
				list = append(list, n)
			}
		}
	}
	return list
}

// Random starts, ends and growth: nets are admitted exactly when the model admits them, so that the sum never exceeds the limit
// unless what was measured has grown, and then nets leave in the order of the model.
func TestSharesAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newCell(t, Config{Share: most, CPUs: []int{0}, Overrun: AbortOverruns, Slots: 40})
		defer l.close()
		const limit = 800 * us
		m := &loadModel{}
		cost := rapid.IntRange(1, 10)
		gone := func(n *loadNet) { m.nets = slices.DeleteFunc(m.nets, func(o *loadNet) bool { return o == n }) }
		rt.Repeat(map[string]func(*rapid.T){
			"start": func(rt *rapid.T) {
				n := &loadNet{realtime: rapid.Bool().Draw(rt, "realtime"), cost: time.Duration(cost.Draw(rt, "cost")) * 50 * us}
				n.found = n.cost
				factor := rapid.IntRange(1, 2).Draw(rt, "factor")
				period := time.Duration(factor) * ms
				ref, err := l.Admit(ending(period, 0), Options{Realtime: n.realtime, Cost: n.cost * time.Duration(factor)})
				l.must(err)
				n.ref = ref
				err = l.Start(t.Context(), n.ref)
				if fits := m.taken()+n.found <= limit; fits != (err == nil) {
					rt.Fatalf("%v beside %v: %v", n.found, m.taken(), err)
				}
				if err != nil {
					l.must(l.Retire(t.Context(), n.ref))
					return
				}
				m.nets = append(m.nets, n)
			},
			"abort": func(rt *rapid.T) {
				if len(m.nets) == 0 {
					rt.Skip("empty")
				}
				n := rapid.SampledFrom(m.nets).Draw(rt, "net")
				l.must(l.Abort(t.Context(), n.ref))
				l.must(l.Retire(t.Context(), n.ref))
				gone(n)
			},
			"grow": func(rt *rapid.T) {
				if len(m.nets) == 0 {
					rt.Skip("empty")
				}
				n := rapid.SampledFrom(m.nets).Draw(rt, "net")
				n.cost = time.Duration(cost.Draw(rt, "cost")) * 50 * us
				l.grows(n.ref, n.cost*time.Duration(l.executorOf(n.ref.slot).period)/ms)
				l.must(l.Settle(t.Context()))
				l.events = nil
				l.advance(2 * (enough + 3) * measureEvery * ms)
				l.must(l.Settle(t.Context()))
				var asked []Ref
				for _, e := range l.events {
					if e.Kind == NetCancelling {
						asked = append(asked, e.Net)
					}
				}
				var want []Ref
				leaving := m.relieve(limit)
				for _, n := range leaving {
					want = append(want, n.ref)
				}
				if !slices.Equal(asked, want) {
					rt.Fatalf("asked to leave: %v, the model says %v", asked, want)
				}
				l.advance(time.Duration(leaveIn))
				for _, n := range leaving {
					l.must(l.Retire(t.Context(), n.ref))
					gone(n)
				}
			},
			"": func(rt *rapid.T) {
				if got, want := l.taken(0), Share(m.taken()*time.Duration(WholeCPU)/ms); got != want || got > most {
					rt.Fatalf("%v are taken, the model says %v", got, want)
				}
			},
		})
	})
}

// Of many nets some are measured in each tick, one after another, and all of them when a tick has taken long. The result is known when each has been measured.
func TestManyNetsAreMeasuredInTurn(t *testing.T) {
	s := newByHand(t, Config{})
	nets := make([]Ref, 3*measuredNets+4)
	for i := range nets {
		nets[i] = s.startedEvery(t, time.Hour, nil, nil) // of which no tick takes half
	}
	x := s.executorOf(nets[0].slot)
	ticks := 0
	tick := func(n int) {
		for range n {
			ticks++
			x.tick(int64(ticks)*x.period, int64(ticks)*x.period, 0)
		}
	}
	check := func(when string, times uint64) {
		t.Helper()
		for i, n := range nets {
			if got := s.stats(n.slot).read(); got.Cycles != uint64(ticks) || got.Execution.Count != times {
				t.Fatalf("%s: net %d has been measured %d times in %d cycles of %d ticks", when, i, got.Execution.Count, got.Cycles, ticks)
			}
		}
	}
	const turns = 4 // until each has been measured
	for n := range uint64(measureEvery) {
		if x.measurements.Load() != 0 {
			t.Fatalf("told after %d ticks", ticks)
		}
		tick(turns)
		check("in turn", n+1)
	}
	if s.stats(nets[len(nets)-1].slot).cost.Load() == 0 || x.measurements.Load() != 1 {
		t.Errorf("after %d ticks: told %d times", ticks, x.measurements.Load())
	}
	x.lookCloser(x.period)
	tick(1)
	check("after a long tick", measureEvery+1)
	x.closely = 1 // the others were not
	tick(1)
	check("once more", measureEvery+2)
	x.sample = 0
	tick(turns)
	check("in turn again", measureEvery+3)
	x.lookCloser(x.period / 2)
	if x.closely != 0 {
		t.Error("half of a period is long")
	}
}
