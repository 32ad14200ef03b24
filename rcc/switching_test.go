package rcc_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/oracle/refmodel"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/motion"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// roster makes nets work in shifts: each shift has all axes of a device and is relieved by the next one as soon as signals of
// its nets say so, in cycles that are known beforehand.
type roster struct {
	tb     testing.TB
	core   *rcc.Core
	arm    *testdevice.Device
	clock  rt.Clock
	unit   time.Duration // of periods
	random *rand.Rand
	loaded int    // nets
	read   uint64 // commands of the device
}

// axes is the number of channels that the nets of a shift share.
const axes = 16

// place tells executors apart; the period is in units.
type place struct {
	period   int
	realtime bool
}

// shift is nets that start in the same tick, by a rule.
type shift struct {
	plans []refmodel.Plan
	nets  []*rcc.Net
	first int   // number of the first one in its text
	heard []int // nets of the shift before for whose signals the rule waits
	rule  *rcc.Rule
}

func newRoster(tb testing.TB, clock rt.Clock, unit time.Duration, c sched.Config) *roster {
	tb.Helper()
	catalogue, err := spec.NewCatalogue(core.Primitives(), testdevice.Primitives())
	if err != nil {
		tb.Fatal(err)
	}
	r := &roster{tb: tb, clock: clock, unit: unit, random: rand.New(rand.NewPCG(16, 1))}
	test := device.Type{Name: "test", Open: func(*device.Env, map[string]string) (device.Device, error) {
		r.arm = testdevice.New(axes, 200_000)
		return r.arm, nil
	}}
	r.core, err = rcc.New(rcc.Config{Catalogue: catalogue, Clock: clock, DeviceTypes: []device.Type{test}, Sched: c})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.core.Close(closed()); err != nil {
			tb.Error(err)
		}
	})
	r.must(r.core.Devices.Create("arm", "test", nil))
	return r
}

func (r *roster) must(err error) {
	r.tb.Helper()
	if err != nil {
		r.tb.Fatal(err)
	}
}

// addExecutor loads a net.
func (r *roster) hire(text string, p place) *rcc.Net {
	r.tb.Helper()
	n, err := r.core.Nets.Load(rcc.LoadRequest{Text: text, Period: time.Duration(p.period) * r.unit, NotRealtime: !p.realtime})
	r.must(err)
	if n.State() != rcc.Ready {
		r.tb.Fatalf("%s: %v", n.State(), n.Problems())
	}
	return n
}

// staff makes a shift with a net in each of the places. It ends by itself after some units of time, if they are not 0.
func (r *roster) staff(places []place, lasts int) *shift {
	s := &shift{first: r.loaded}
	order := r.random.Perm(axes)
	for i, p := range places {
		plan := refmodel.Plan{
			Period: p.period, Realtime: p.realtime, End: (lasts + p.period - 1) / p.period, Obey: -1,
			Channels: order[i*axes/len(places) : (i+1)*axes/len(places)],
			Signals:  []refmodel.Signal{{Key: "out0", Rise: 1 + r.random.IntN(6), On: 1}},
		}
		s.plans = append(s.plans, plan)
		s.nets = append(s.nets, r.hire(plan.Text(r.loaded), p))
		r.loaded++
	}
	return s
}

// engage puts the rule into force by which a shift relieves another one; the first shift relieves none and begins at once.
func (r *roster) engage(s, before *shift) {
	request := rcc.RuleRequest{Start: names(s.nets)}
	if before != nil {
		request.Stop = names(before.nets)
		var signals []string
		for _, i := range r.random.Perm(len(before.nets))[:1+r.random.IntN(min(3, len(before.nets)))] {
			s.heard = append(s.heard, i)
			signals = append(signals, before.nets[i].Name()+".out0")
		}
		request.Condition = strings.Join(signals, "&")
	}
	var err error
	s.rule, err = r.core.Rules.Add(r.tb.Context(), request)
	r.must(err)
}

// schedule makes shifts and lets the first one begin when all rules are in force: no signal comes before its rule. The last
// shift ends by itself.
func (r *roster) schedule(count int, places func(shift int) []place) []*shift {
	var list []*shift
	for i := range count - 1 {
		list = append(list, r.staff(places(i), 0))
	}
	list = append(list, r.staff(places(count-1), 1+r.random.IntN(6)))
	for i := count - 1; i > 0; i-- {
		r.engage(list[i], list[i-1])
	}
	r.engage(list[0], nil)
	return list
}

// await waits for nets to end.
func (r *roster) await(nets []*rcc.Net) {
	r.tb.Helper()
	bell, stop := r.core.Changes.Watch()
	defer stop()
	for _, n := range nets {
		for {
			if _, ended := n.Ended(); ended {
				break
			}
			select {
			case <-bell:
			case <-r.tb.Context().Done():
				r.tb.Fatalf("%s is %s", n.Name(), n.State())
			}
		}
	}
}

// dismiss unloads the nets of shifts that are over.
func (r *roster) dismiss(list []*shift) {
	var leaving sync.WaitGroup
	for _, s := range list {
		for _, n := range s.nets {
			leaving.Go(func() {
				if err := n.Unload(r.tb.Context()); err != nil {
					r.tb.Error(err)
				}
			})
		}
	}
	leaving.Wait()
}

// work is what the device has heard from a net.
type work struct {
	first, last testdevice.Record
	commands    int
}

// worked returns it for all nets since the last time, by their number.
func (r *roster) worked() map[int]*work {
	r.tb.Helper()
	records := r.arm.Records(r.read)
	if r.read += uint64(len(records)); r.read != r.arm.Recorded() {
		r.tb.Fatalf("%d of %d commands are on record", r.read, r.arm.Recorded())
	}
	all := map[int]*work{}
	for _, c := range records {
		w := all[int(c.Value)]
		if w == nil {
			w = &work{first: c}
			all[int(c.Value)] = w
		}
		w.last = c
		w.commands++
	}
	return all
}

// relief is a shift that relieves another one. Times are Unix times in ns.
type relief struct {
	from, to *shift
	record   rcc.Record
	due      int64 // the tick in which the condition is true for the first time, when no tick is missed
	next     int64 // the first tick after that which all nets have in common
	common   int64 // distance of such ticks
}

func (r *roster) relief(from, to *shift) relief {
	r.tb.Helper()
	began := from.rule.Record().From.UnixNano()
	f := relief{from: from, to: to, record: to.rule.Record(), due: began, common: 1}
	if f.record.State != rcc.RuleFired {
		r.tb.Fatalf("rule %d is %v: %s", to.rule.Number(), f.record.State, f.record.Reason)
	}
	for _, i := range to.heard {
		f.due = max(f.due, began+int64(from.plans[i].Signals[0].Rise-1)*int64(from.nets[i].Period()))
	}
	for _, s := range []*shift{from, to} {
		for _, n := range s.nets {
			f.common = leastCommonMultiple(f.common, int64(n.Period()))
		}
	}
	zero := r.clock.Unix(0) // of the grid
	f.next = zero + ((f.due-zero)/f.common+1)*f.common
	return f
}

func leastCommonMultiple(a, b int64) int64 {
	g, rest := a, b
	for rest != 0 {
		g, rest = rest, g%rest
	}
	return a / g * b
}

// TestSwitchingTakesOneTick lets one net and sixteen in places of all kinds relieve each other in virtual time. A net that a rule
// starts begins in the first tick that all nets have in common after the one in which its condition became true, the next one
// when their periods are equal; up to that tick, and no longer, the nets before are there. A hundredth of RCCD_STEPS is how many
// switches.
func TestSwitchingTakesOneTick(t *testing.T) {
	const shifts = 20
	for name, periods := range map[string]int{"equal periods": 1, "several periods": 3} {
		t.Run(name, func(t *testing.T) {
			r := newRoster(t, rt.NewVirtual(time.Unix(1_000_000, 0)), time.Millisecond, sched.Config{CPUs: []int{0, 1, 2}})
			places := func(int) []place {
				list := make([]place, []int{1, axes}[r.random.IntN(2)])
				for i := range list {
					list[i] = place{1 + r.random.IntN(periods), r.random.IntN(2) > 0}
				}
				return list
			}
			for left := max(2*shifts, setting(t, "RCCD_STEPS", defaultSteps)/100); left > 0; left -= shifts {
				list := r.schedule(shifts, places)
				r.must(r.core.Clock.Advance(t.Context(), shifts*30*time.Millisecond)) // 6 cycles of 3 ms and a common tick each
				worked := r.worked()
				for i := range list[1:] {
					f := r.relief(list[i], list[i+1])
					f.exact(t)
					f.seenByTheDevice(t, worked, true)
				}
				r.dismiss(list)
			}
		})
	}
}

// exact fails the test unless the rule fired in the tick in which its condition became true, and for the next common tick.
func (f *relief) exact(t *testing.T) {
	t.Helper()
	if tick, began := f.record.Tick.UnixNano(), f.record.From.UnixNano(); tick != f.due || began != f.next {
		t.Errorf("rule %d: true %v after its tick, first tick of the nets %v after the next one", f.to.rule.Number(), time.Duration(tick-f.due), time.Duration(began-f.next))
	}
	began := f.from.rule.Record().From.UnixNano()
	for k, v := range f.record.Variables {
		n := f.from.nets[f.to.heard[k]]
		if cycle := uint64(f.due-began)/uint64(n.Period()) + 1; v.Value != "true" || v.Cycle != cycle {
			t.Errorf("rule %d: %s is %s in cycle %d, it fired in %d", f.to.rule.Number(), v.Net, v.Value, v.Cycle, cycle)
		}
	}
}

// seenByTheDevice compares the record of the rule with what the device was told: each tick of a net up to its relief has a
// cycle, or is counted as missed unless all are sure to be kept.
func (f *relief) seenByTheDevice(t *testing.T, worked map[int]*work, allKept bool) {
	t.Helper()
	began, relieved := f.from.rule.Record().From.UnixNano(), f.record.From.UnixNano()
	for k, n := range f.to.nets {
		w := worked[f.to.first+k]
		if w == nil && !allKept {
			continue // late until it was relieved itself
		}
		if w == nil || w.first.Cycle != 1 || w.first.Time != relieved {
			t.Errorf("rule %d starts %s at %v, first it gives %+v", f.to.rule.Number(), n.Name(), f.record.From, w)
		}
	}
	for k, n := range f.from.nets {
		ticks := uint64(relieved-began) / uint64(n.Period())
		cycles := uint64(0)
		if w := worked[f.from.first+k]; w != nil {
			cycles = w.last.Cycle
			if w.commands != int(cycles)*len(f.from.plans[k].Channels) {
				t.Errorf("%s gives %d set-points in %d cycles for %d axes", n.Name(), w.commands, cycles, len(f.from.plans[k].Channels))
			}
		}
		stats, _ := n.Stats()
		if e, _ := n.Ended(); e.Cause != sched.Replaced || e.Cycle != cycles || cycles+stats.Missed != ticks || allKept && cycles != ticks {
			t.Errorf("%s has %d ticks until it is relieved, misses %d and is %v after cycle %d, the last command is of cycle %d",
				n.Name(), ticks, stats.Missed, e.Cause, e.Cycle, cycles)
		}
	}
}

// TestSwitchingOnRealThreads does the same on the real clock, while others load and unload nets of more than a thousand
// primitives. Where everything has one place nothing can come between the tick of the condition and the next one, however
// late they are. Several executors may be late apart from each other, then the nets wait for a tick that none has begun, or
// for one that rests to wake up: how often that is, and how often an incident tells of it, is counted only.
func TestSwitchingOnRealThreads(t *testing.T) {
	for name, threads := range map[string]*sched.Threads{"ordinary": nil, "detached": {}} {
		for nets, places := range map[string][]place{
			"one net":                        {{1, true}},
			"sixteen nets":                   spread(place{1, true}),
			"sixteen nets in several places": spread(everywhere...),
		} {
			t.Run(name+"/"+nets, func(t *testing.T) {
				cfg := sched.Config{Threads: threads, Linger: time.Hour}
				onePlace := nets != "sixteen nets in several places"
				if !onePlace {
					cfg.CPUs, _ = rt.Affinity(0) // any where that cannot be told
				}
				r := newRoster(t, rt.NewReal(), unit, cfg)
				stop := r.loadBeside()
				defer stop()
				var total tally
				const shifts = 10
				for left := max(shifts, setting(t, "RCCD_STEPS", defaultSteps)/1000); left > 0; left -= shifts {
					list := r.schedule(shifts, func(int) []place { return places })
					r.await(list[shifts-1].nets)
					worked := r.worked()
					for i := range list[1:] {
						f := r.relief(list[i], list[i+1])
						f.inOrder(t)
						f.seenByTheDevice(t, worked, false)
						if onePlace {
							f.immediate(t)
						}
						total.add(&f, r.incidents())
					}
					r.dismiss(list)
				}
				t.Logf("%v, %d nets loaded beside them", &total, stop())
			})
		}
	}
}

// everywhere is both classes, and two periods one of which divides the other.
var everywhere = []place{{1, true}, {1, false}, {2, true}, {2, false}}

// spread distributes the nets of the largest shift.
func spread(places ...place) (list []place) {
	for i := range axes {
		list = append(list, places[i%len(places)])
	}
	return list
}

// inOrder looks for what must hold however late anything is: the condition is true when it is looked at, not before it can be,
// and the nets start in a common tick after that.
func (f *relief) inOrder(t *testing.T) {
	t.Helper()
	tick, began := f.record.Tick.UnixNano(), f.record.From.UnixNano()
	if tick < f.due || began <= tick || (began-f.next)%f.common != 0 {
		t.Errorf("rule %d: true %v after its tick, first tick of the nets %v after the next one", f.to.rule.Number(), time.Duration(tick-f.due), time.Duration(began-f.next))
	}
	for k, v := range f.record.Variables {
		if rise := f.from.plans[f.to.heard[k]].Signals[0].Rise; v.Value != "true" || v.Cycle < uint64(rise) {
			t.Errorf("rule %d: %s is %s in cycle %d, and true from cycle %d on", f.to.rule.Number(), v.Net, v.Value, v.Cycle, rise)
		}
	}
}

// immediate looks for what holds in addition where all nets have one executor: the rule is decided in the tick that makes its
// condition true, and the executor begins no tick between that one and the first one of the new nets.
func (f *relief) immediate(t *testing.T) {
	t.Helper()
	if gap := f.record.From.Sub(f.record.Tick); gap != time.Duration(f.common) {
		t.Errorf("rule %d: the nets start %v after the tick of the condition", f.to.rule.Number(), gap)
	}
	latest := uint64(0)
	for _, i := range f.to.heard {
		latest = max(latest, uint64(f.from.plans[i].Signals[0].Rise))
	}
	for _, v := range f.record.Variables {
		if v.Cycle != latest {
			t.Errorf("rule %d: fired in cycle %d of %s, the condition is true from cycle %d on", f.to.rule.Number(), v.Cycle, v.Net, latest)
		}
	}
}

// loadBeside loads and unloads large nets until it is told to stop, on all processors but one. It returns how many there were.
func (r *roster) loadBeside() (stop func() uint64) {
	text := motion.Flat.Text(motion.Types{
		Clock: "Core::Clock", Snapshot: "Core::DoubleSnapshot", Joint: "Test::Actuator(inValue=%s,Device='arm',Channel='%d')",
	})
	var loaders sync.WaitGroup
	var over atomic.Bool
	var count atomic.Uint64
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		loaders.Go(func() {
			for !over.Load() {
				n, err := r.core.Nets.Load(rcc.LoadRequest{Text: text, Period: r.unit})
				if err == nil && n.State() != rcc.Ready {
					err = fmt.Errorf("%s: %v", n.State(), n.Problems())
				}
				if err == nil {
					err = n.Unload(r.tb.Context())
				}
				if err != nil {
					r.tb.Error(err)
					return
				}
				count.Add(1)
			}
		})
	}
	return func() uint64 {
		over.Store(true)
		loaders.Wait()
		return count.Load()
	}
}

func (r *roster) incidents() []rcc.Incident {
	_, kept := r.core.Executors.Incidents()
	return kept
}

// tally counts switches by how many ticks, of those that all nets have in common, the new ones need after the tick of the
// condition. One is at once.
type tally struct {
	switches, atOnce int
	told             int // others, with an incident that tells why
	longest          int64
}

// add counts a switch. A tick that the new nets have missed is not their first one.
func (c *tally) add(f *relief, incidents []rcc.Incident) {
	began := f.record.From.UnixNano()
	first, told := began, false
	for _, i := range incidents {
		if !f.concerns(i) || i.Time < f.from.rule.Record().From.UnixNano() || i.Time-int64(i.Missed+1)*int64(i.Period) > began {
			continue
		}
		told = true
		if i.Kind == sched.LateTick && i.Time-int64(i.Missed)*int64(i.Period) <= began {
			first = max(first, i.Time)
		}
	}
	gap := 1 + (first-f.next+f.common-1)/f.common
	c.switches++
	c.longest = max(c.longest, gap)
	switch {
	case gap == 1:
		c.atOnce++
	case told:
		c.told++
	}
}

// concerns reports whether the incident is one of an executor of the nets.
func (f *relief) concerns(i rcc.Incident) bool {
	for _, s := range []*shift{f.from, f.to} {
		for _, n := range s.nets {
			if n.Period() == i.Period && n.Realtime() == i.Realtime {
				return true
			}
		}
	}
	return false
}

func (c *tally) String() string {
	return fmt.Sprintf("%d switches, %d at once, %d later with an incident and %d without, after %d ticks at most",
		c.switches, c.atOnce, c.told, c.switches-c.atOnce-c.told, c.longest)
}
