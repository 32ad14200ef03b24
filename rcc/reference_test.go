package rcc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/oracle/refmodel"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives/core"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// TestAgainstReference lets a core and the reference model go through the same random schedules of loads, starts, rules,
// cancellations, aborts and unloads in virtual time: after each step all nets and rules are in the same state, and in the
// end the device has got the same commands in the same ticks. RCCD_STEPS says how many steps, RCCD_SEED from which seed on.
func TestAgainstReference(t *testing.T) {
	steps, first := setting(t, "RCCD_STEPS", defaultSteps), setting(t, "RCCD_SEED", 1)
	const together = 400
	for seed := first; steps > 0; seed, steps = seed+1, steps-together {
		list := make([]uint64, min(steps, together))
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		for i := range list {
			list[i] = random.Uint64()
		}
		if failed := schedule(t, list); failed.err != nil {
			t.Fatalf("seed %d: %v", seed, shortest(t, list, failed))
		}
	}
}

// shortest leaves steps out as long as what remains still fails.
func shortest(t *testing.T, steps []uint64, failed *pair) *pair {
	t.Helper()
	for size := len(steps) / 2; size > 0; size /= 2 {
		for at := 0; at < len(steps); {
			fewer := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)))
			if p := schedule(t, fewer); p.err != nil {
				steps, failed = fewer, p
			} else {
				at += size
			}
		}
	}
	return failed
}

// String returns the difference, and the steps that led to it.
func (p *pair) String() string { return fmt.Sprintf("%v\n%s", p.err, strings.Join(p.trace, "\n")) }

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// pair is a core and the model of it.
type pair struct {
	ctx    context.Context
	core   *rcc.Core
	device *testdevice.Device
	bell   <-chan struct{}
	nets   []*rcc.Net
	rules  []*rcc.Rule // in the order of those of the model

	model  *refmodel.Cell
	random *rand.Rand // of the current step
	trace  []string
	err    error
}

const channels = 3

// schedule does steps until one of them shows a difference. A step depends on its number and on the state of the model, so that
// steps can be left out.
func schedule(t *testing.T, steps []uint64) *pair {
	t.Helper()
	p := newPair(t)
	for _, s := range steps {
		p.random = rand.New(rand.NewPCG(s, 0))
		p.step()
		if p.compare(); p.err != nil {
			break
		}
	}
	p.compareCommands()
	if err := p.core.Close(closed()); err != nil {
		p.fail("close: %v", err)
	}
	return p
}

func newPair(t *testing.T) *pair {
	t.Helper()
	catalogue, err := spec.NewCatalogue(core.Primitives(), testdevice.Primitives())
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{model: refmodel.New()}
	keep := device.Type{Name: "test", Open: func(*device.Env, map[string]string) (device.Device, error) {
		p.device = testdevice.New(channels, 10_000)
		return p.device, nil
	}}
	p.core, err = rcc.New(rcc.Config{
		Catalogue: catalogue, Clock: rt.NewVirtual(time.Unix(0, 0)), DeviceTypes: []device.Type{keep}, MaxNets: 64,
		Sched: sched.Config{CPUs: []int{0, 1}}, // whatever is on which executor
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.core.Devices.Create("arm", "test", nil); err != nil {
		t.Fatal(err)
	}
	p.bell, _ = p.core.Changes.Watch()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	p.ctx = ctx
	return p
}

// fail keeps the first difference.
func (p *pair) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *pair) say(format string, args ...any) {
	p.trace = append(p.trace, fmt.Sprintf("%d ms: ", p.model.Now)+fmt.Sprintf(format, args...))
}

// agree compares what became of a request.
func (p *pair) agree(what string, done bool, err error) {
	if done != (err == nil) {
		p.fail("%s: %v, the model says %v", what, err, done)
	}
}

const mostNets = 10

func (p *pair) step() {
	switch k := p.random.IntN(100); {
	case len(p.here()) < 3, k < 16 && len(p.here()) < mostNets:
		p.load()
	case k < 26:
		p.start()
	case k < 52:
		p.rule()
	case k < 58:
		p.follow()
	case k < 64:
		p.cancel()
	case k < 69:
		p.abort()
	case k < 79:
		p.unload()
	default:
		p.advance(p.random.IntN(6))
	}
}

// here lists the nets that are not unloaded.
func (p *pair) here() []*refmodel.Net {
	return slices.DeleteFunc(slices.Clone(p.model.Nets), func(n *refmodel.Net) bool { return p.model.Find(n.Name) == nil })
}

func (p *pair) any(suits func(*refmodel.Net) bool) *refmodel.Net {
	list := p.here()
	if p.random.IntN(10) > 0 { // otherwise anyone, suited or not
		if suited := slices.DeleteFunc(slices.Clone(list), func(n *refmodel.Net) bool { return !suits(n) }); len(suited) > 0 {
			list = suited
		}
	}
	return list[p.random.IntN(len(list))]
}

func ready(n *refmodel.Net) bool { return n.State == refmodel.Ready || n.State == refmodel.Scheduled }

func (p *pair) real(n *refmodel.Net) *rcc.Net { return p.nets[n.Number] }

func (p *pair) load() {
	plan := p.plan()
	n := p.model.Load(plan)
	p.say("load %s %+v", n.Name, plan)
	loaded, err := p.core.Nets.Load(rcc.LoadRequest{
		Text: plan.Text(n.Number), Period: time.Duration(plan.Period) * time.Millisecond, NotRealtime: !plan.Realtime,
	})
	if err != nil {
		p.fail("load: %v", err)
		return
	}
	p.nets = append(p.nets, loaded)
}

func (p *pair) plan() refmodel.Plan {
	r := p.random
	plan := refmodel.Plan{
		Period: 1 + r.IntN(3), Realtime: r.IntN(3) > 0, Obey: r.IntN(4) - 1,
		Fail: r.IntN(6) == 0, Broken: r.IntN(30) == 0,
	}
	for c := range channels {
		if r.IntN(2) == 0 {
			plan.Channels = append(plan.Channels, c)
		}
	}
	if r.IntN(3) > 0 {
		plan.End = 1 + r.IntN(12)
	}
	for i := range 1 + r.IntN(3) {
		plan.Signals = append(plan.Signals, p.signal(fmt.Sprint("out", i)))
	}
	return plan
}

func (p *pair) signal(key string) refmodel.Signal {
	r := p.random
	s := refmodel.Signal{Key: key, Rise: 1 + r.IntN(8), On: 1}
	if r.IntN(2) == 0 {
		s.Fall = s.Rise + 1 + r.IntN(2)*r.IntN(6)
	}
	if r.IntN(3) == 0 {
		s.On = 1 + r.IntN(6)
	}
	if r.IntN(4) == 0 {
		s.Off = s.On + 1 + r.IntN(6)
	}
	return s
}

func (p *pair) start() {
	n := p.any(ready)
	p.say("start %s", n.Name)
	p.agree("start "+n.Name, p.model.Start(n), p.real(n).Start(p.ctx))
}

func (p *pair) cancel() {
	n := p.any((*refmodel.Net).Active)
	p.say("cancel %s", n.Name)
	p.agree("cancel "+n.Name, p.model.Cancel(n), p.real(n).Cancel(p.ctx))
}

func (p *pair) abort() {
	n := p.any((*refmodel.Net).Active)
	p.say("abort %s", n.Name)
	p.agree("abort "+n.Name, p.model.Abort(n), p.real(n).Abort(p.ctx))
}

// unload removes a net, when it has ended.
func (p *pair) unload() {
	n := p.any(func(n *refmodel.Net) bool { return n.State == refmodel.Terminated || n.State == refmodel.Rejected })
	if n.Unloading {
		return
	}
	p.say("unload %s", n.Name)
	p.model.Unload(n)
	if err := p.real(n).Unload(p.ctx); err != nil {
		p.fail("unload %s: %v", n.Name, err)
	}
}

func (p *pair) follow() {
	n, before := p.any(ready), p.any(func(n *refmodel.Net) bool { return n.Active() || ready(n) })
	p.say("%s follows %s", n.Name, before.Name)
	rule := p.model.Follow(n, before)
	err := p.core.Rules.Follow(p.ctx, n.Name, before.Name)
	p.agree("follow", rule != nil, err)
	if err == nil {
		all := p.core.Rules.All()
		p.rules = append(p.rules, all[len(all)-1])
	}
}

func (p *pair) rule() {
	q := p.request()
	p.say("rule %d %v: stop %v cancel %v start %v", len(p.rules), q.Cond, q.Stop, q.Cancel, q.Start)
	rule := p.model.Add(q)
	added, err := p.core.Rules.Add(p.ctx, rcc.RuleRequest{Condition: q.Cond.String(), Stop: q.Stop, Cancel: q.Cancel, Start: q.Start})
	p.agree("rule", rule != nil, err)
	if err == nil {
		p.rules = append(p.rules, added)
	}
}

// request makes up a rule: mostly one in which a net takes over from those that have what it needs.
func (p *pair) request() (q refmodel.Request) {
	next := p.any(ready)
	q.Start = []string{next.Name}
	for _, n := range p.here() {
		switch k := p.random.IntN(20); {
		case n == next:
		case k < 1 && ready(n):
			q.Start = append(q.Start, n.Name)
		case k < 3:
			q.Cancel = append(q.Cancel, n.Name)
		case k < 5, k < 17 && n.Active() && next.Rivals(n):
			q.Stop = append(q.Stop, n.Name)
		}
	}
	if p.random.IntN(6) == 0 {
		q.Start = nil
	}
	if p.random.IntN(40) == 0 {
		q.Stop = append(q.Stop, "rpinet9999")
	}
	q.Cond = refmodel.True
	if p.random.IntN(4) > 0 {
		q.Cond = p.cond(2)
	}
	return q
}

func (p *pair) cond(depth int) refmodel.Cond {
	k := p.random.IntN(8)
	if depth == 0 {
		k = 0
	}
	switch k {
	case 5:
		return refmodel.Cond{Op: '!', Of: []refmodel.Cond{p.cond(depth - 1)}}
	case 6, 7:
		list := make([]refmodel.Cond, 2+p.random.IntN(2))
		for i := range list {
			list[i] = p.cond(depth - 1)
		}
		return refmodel.Cond{Op: "&|"[k-6], Of: list}
	}
	switch p.random.IntN(100) {
	case 0:
		return refmodel.Var("rpinet9999", "out0")
	case 1, 2:
		return refmodel.True
	}
	n := p.any(func(n *refmodel.Net) bool { return n.Active() || ready(n) })
	return refmodel.Var(n.Name, fmt.Sprint("out", p.random.IntN(1+len(n.Signals)*p.random.IntN(20))%3))
}

// advance goes on, at once or tick by tick.
func (p *pair) advance(ms int) {
	p.say("advance %d", ms)
	at := 1 + p.random.IntN(2)*ms
	for left := ms; left > 0; left -= at {
		at = min(at, left)
		for range at {
			p.model.Tick()
		}
		if err := p.core.Clock.Advance(p.ctx, time.Duration(at)*time.Millisecond); err != nil {
			p.fail("advance: %v", err)
		}
		if p.compare(); p.err != nil {
			return
		}
	}
}

func (p *pair) compare() {
	for _, want := range p.model.Nets {
		n := p.real(want)
		if want.State == refmodel.Unloaded {
			p.await(n)
		}
		if got := n.State().String(); got != want.State {
			p.fail("at %d ms %s is %s, the model says %s", p.model.Now, want.Name, got, want.State)
		}
	}
	for i, want := range p.model.Rules {
		if i >= len(p.rules) {
			break
		}
		state, why := p.rules[i].State()
		if state.String() != want.State || len(want.Obstacles) > 0 && !namesOne(why, want.Obstacles) {
			p.fail("at %d ms rule %d is %v (%s), the model says %s %v", p.model.Now, i, state, why, want.State, want.Obstacles)
		}
	}
}

// namesOne reports whether a text names one of some nets.
func namesOne(text string, nets []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ':' }), func(word string) bool {
		return slices.Contains(nets, word)
	})
}

// await waits for the slot of an unloaded net to be given back.
func (p *pair) await(n *rcc.Net) {
	for n.State() == rcc.Terminated || n.State() == rcc.Rejected {
		select {
		case <-p.bell:
		case <-p.ctx.Done():
			p.fail("%s is not unloaded, it is %v", n.Name(), n.State())
			return
		}
	}
}

// compareCommands compares the ticks of each channel.
func (p *pair) compareCommands() {
	if kept := uint64(len(p.device.Records(0))); kept != p.device.Recorded() {
		p.fail("the device has kept %d of %d commands", kept, p.device.Recorded())
	}
	for channel := range channels {
		var got, want []refmodel.Command
		for _, r := range p.device.Commands(channel) {
			got = append(got, refmodel.Command{
				Tick: int(r.Time / int64(time.Millisecond)), Channel: channel, Net: int(r.Value), Cycle: int(r.Cycle),
			})
		}
		for _, c := range p.model.Commands {
			if c.Channel == channel {
				want = append(want, c)
			}
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				p.fail("channel %d, command %d: got %+v, the model says %+v", channel, i, from(got, i), from(want, i))
				return
			}
		}
	}
}

// from returns a few elements.
func from(list []refmodel.Command, i int) []refmodel.Command {
	return list[min(i, len(list)):min(i+3, len(list))]
}
