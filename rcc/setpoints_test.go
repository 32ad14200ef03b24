package rcc_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/internal/oracle/refmodel"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// cellWithArm is a core with a test device "arm" of three channels.
func cellWithArm(t *testing.T, clock rt.Clock, change ...func(*rcc.Config)) (*cell, *testdevice.Device) {
	t.Helper()
	var arm *testdevice.Device
	c := newCell(t, append(change, func(cfg *rcc.Config) {
		cfg.Clock = clock
		cfg.DeviceTypes = []device.Type{{Name: "test", Open: func(*device.Env, map[string]string) (device.Device, error) {
			arm = testdevice.New(channels, 200_000)
			return arm, nil
		}}}
	})...)
	c.must(c.Devices.Create("arm", "test", nil))
	return c, arm
}

// stream is the set-points of a channel so far.
type stream struct {
	net  *rcc.Net // that has given the last one
	last testdevice.Record
}

// take looks at the next set-point. Each net gives them in cycle after cycle, and only until the next one does; gap is the
// time between the last one of a net and the first one of the next.
func (s *stream) take(t *testing.T, r testdevice.Record, net *rcc.Net) (before *rcc.Net, gap time.Duration) {
	t.Helper()
	gap = time.Duration(r.Time - s.last.Time)
	switch before = s.net; {
	case net == nil:
		t.Fatalf("a net that is gone gives %+v", r)
	case before == net && (r.Cycle != s.last.Cycle+1 || gap != net.Period()):
		t.Fatalf("%+v comes after %+v", r, s.last)
	case before != net && (r.Cycle != 1 || gap <= 0):
		t.Fatalf("%s uses the channel beside the net of %+v: %+v", net.Name(), s.last, r)
	}
	s.net, s.last = net, r
	return before, gap
}

// TestOneSetPointForEveryTick lets rules pass three channels between nets of all periods and both classes, again and again: each
// channel gets one set-point for every tick of the net that has it, and the first one of a successor is for the tick after the
// last one. RCCD_STEPS says how many switches.
func TestOneSetPointForEveryTick(t *testing.T) {
	c, arm := cellWithArm(t, rt.NewVirtual(time.Unix(0, 0)))
	r := relay{cell: c, random: rand.New(rand.NewPCG(uint64(setting(t, "RCCD_SEED", 1)), 1)), nets: map[int]*rcc.Net{}}
	var streams [channels]stream
	read := uint64(0)
	for left := setting(t, "RCCD_STEPS", defaultSteps/5); left > 0; left-- {
		before := r.owners
		r.pass()
		records := arm.Records(read)
		if read += uint64(len(records)); read != arm.Recorded() {
			t.Fatalf("%d of %d commands are on record", read, arm.Recorded())
		}
		for _, c := range records {
			r.check(&streams[c.Channel], c)
		}
		for _, n := range before {
			c.must(n.Unload(t.Context()))
			delete(r.nets, number(n))
		}
	}
}

func number(n *rcc.Net) (number int) {
	if _, err := fmt.Sscanf(n.Name(), "rpinet%d", &number); err != nil {
		panic(err)
	}
	return number
}

// relay is nets that own all channels together.
type relay struct {
	*cell
	random *rand.Rand
	owners []*rcc.Net
	nets   map[int]*rcc.Net
	loaded int
}

// pass hands all channels over to new nets, as soon as one of the old ones says so.
func (r *relay) pass() {
	cond := refmodel.True
	if len(r.owners) > 0 && r.random.IntN(4) > 0 {
		cond = refmodel.Var(r.owners[0].Name(), "out0")
	}
	stop, next := r.owners, r.share()
	rule := r.rule(cond.String(), names(stop), names(next))
	for state, why := rule.State(); state != rcc.RuleFired; state, why = rule.State() {
		if state != rcc.RuleActive {
			r.t.Fatalf("rule %d is %v: %s", rule.Number(), state, why)
		}
		r.advance(time.Millisecond)
	}
	r.advance(6 * time.Millisecond) // the common tick of all periods
	r.owners = next
}

func names(nets []*rcc.Net) (list []string) {
	for _, n := range nets {
		list = append(list, n.Name())
	}
	return list
}

// share loads nets which have one channel or several.
func (r *relay) share() (next []*rcc.Net) {
	order := r.random.Perm(channels)
	for len(order) > 0 {
		k := 1 + r.random.IntN(len(order))
		plan := refmodel.Plan{
			Period: 1 + r.random.IntN(3), Realtime: r.random.IntN(2) > 0, Channels: order[:k], Obey: -1,
			Signals: []refmodel.Signal{{Key: "out0", Rise: 1 + r.random.IntN(6), On: 1}},
		}
		n, err := r.Nets.Load(rcc.LoadRequest{
			Text: plan.Text(r.loaded), Period: time.Duration(plan.Period) * time.Millisecond, NotRealtime: !plan.Realtime,
		})
		r.must(err)
		r.nets[r.loaded] = n
		r.loaded++
		next, order = append(next, n), order[k:]
	}
	return next
}

// check looks at a set-point.
func (r *relay) check(s *stream, c testdevice.Record) {
	r.t.Helper()
	if before, gap := s.take(r.t, c, r.nets[int(c.Value)]); before != nil && gap != before.Period() {
		r.t.Fatalf("the last set-point of a net of %v is followed by %+v after %v", before.Period(), c, gap)
	}
}

// TestSetPointsOnRealThreads lets goroutines load, start, exchange, cancel, abort and unload nets for the same channels on the
// real clock, and looks for what must hold however late anything is: a channel has one owner at a time, its set-points have
// one value for every tick, and none is missing when a rule hands over, except for incidents; every net comes to its
// end and is unloaded, and every rule has come to an outcome.
func TestSetPointsOnRealThreads(t *testing.T) {
	allowed, _ := rt.Affinity(0)
	for name, how := range map[string]sched.Config{
		"ordinary": {}, "detached": {Threads: &sched.Threads{}}, "on all CPUs": {CPUs: allowed, Threads: &sched.Threads{}},
	} {
		t.Run(name, func(t *testing.T) {
			how.Linger = time.Hour
			c, arm := cellWithArm(t, rt.NewReal(), func(cfg *rcc.Config) { cfg.Sched = how })
			s := &storm{cell: c, nets: map[int]*rcc.Net{}, missed: map[*rcc.Net]uint64{}}
			var workers sync.WaitGroup
			for w := range channels {
				random := rand.New(rand.NewPCG(uint64(w), 2))
				workers.Go(func() { s.work(random, w, max(50, setting(t, "RCCD_STEPS", defaultSteps)/100)) })
			}
			workers.Wait()
			if t.Failed() {
				return
			}
			for _, r := range s.rules {
				if state, _ := r.State(); state == rcc.RuleActive {
					t.Errorf("rule %d is still %v", r.Number(), state)
				}
			}
			s.check(arm)
		})
	}
}

// storm is what several goroutines do to a core.
type storm struct {
	*cell

	mu     sync.Mutex
	nets   map[int]*rcc.Net // by number in their text
	rules  []*rcc.Rule
	missed map[*rcc.Net]uint64 // ticks that their statistics tell of
}

// unit is what stands for a millisecond of a plan.
const unit = 300 * time.Microsecond

// load makes a net for a channel of its own, sometimes for one of the others as well.
func (s *storm) load(random *rand.Rand, channel int) (*rcc.Net, error) {
	plan := refmodel.Plan{
		Period: 1 + random.IntN(3), Realtime: random.IntN(2) > 0, Obey: random.IntN(3) - 1, Fail: random.IntN(6) == 0,
		Signals:  []refmodel.Signal{{Key: "out0", Rise: 1 + random.IntN(6), On: 1 + random.IntN(3)}},
		End:      1 + random.IntN(20),
		Channels: []int{channel},
	}
	if random.IntN(8) == 0 {
		plan.Channels = append(plan.Channels, (channel+1)%channels)
	}
	s.mu.Lock()
	k := len(s.nets)
	s.nets[k] = nil
	s.mu.Unlock()
	n, err := s.Nets.Load(rcc.LoadRequest{Text: plan.Text(k), Period: time.Duration(plan.Period) * unit, NotRealtime: !plan.Realtime})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.nets[k] = n
	s.mu.Unlock()
	return n, nil
}

// work goes through nets for a channel, one after the other, and leaves none.
func (s *storm) work(random *rand.Rand, channel, rounds int) {
	bell, stop := s.Changes.Watch()
	defer stop()
	await := func(what string, done func() bool) {
		for !done() {
			select {
			case <-bell:
			case <-s.t.Context().Done():
				s.t.Errorf("waiting for %s in vain", what)
				return
			}
		}
	}
	var before *rcc.Net
	for range rounds {
		n, err := s.load(random, channel)
		if err != nil {
			s.t.Error(err)
			return
		}
		rule := s.begin(random, before, n)
		if random.IntN(10) == 0 {
			_ = n.Cancel(s.t.Context())
		}
		if before != nil {
			await(before.Name()+" to end", func() bool { return !before.State().Active() })
			s.unload(before)
		}
		if rule != nil {
			await(fmt.Sprintf("an outcome of rule %d", rule.Number()), func() bool { state, _ := rule.State(); return state != rcc.RuleActive })
		}
		if random.IntN(8) == 0 {
			_ = n.Abort(s.t.Context())
		}
		before = n
	}
	await(before.Name()+" to end", func() bool { return !before.State().Active() })
	s.unload(before)
	await("all nets to be unloaded", func() bool { return before.State() == rcc.Unloaded })
}

// begin lets a net begin beside or after the one before, in one of the ways that there are.
func (s *storm) begin(random *rand.Rand, before, n *rcc.Net) *rcc.Rule {
	ctx := s.t.Context()
	if before == nil || random.IntN(8) == 0 {
		_ = n.Start(ctx) // its channels may be taken
		return nil
	}
	request := rcc.RuleRequest{Stop: []string{before.Name()}, Start: []string{n.Name()}}
	switch random.IntN(4) {
	case 0:
		_ = s.Rules.Follow(ctx, n.Name(), before.Name())
		return nil
	case 1:
		request.Condition = before.Name() + ".out0"
	case 2:
		request.Condition = "!" + before.Name() + ".out0|" + before.Name() + ".out0"
	}
	rule, err := s.Rules.Add(ctx, request)
	if err != nil { // the net before was aborted, cancelled or rejected
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule)
	return rule
}

func (s *storm) unload(n *rcc.Net) {
	stats, _ := n.Stats()
	s.mu.Lock()
	s.missed[n] = stats.Missed
	s.mu.Unlock()
	if err := n.Unload(s.t.Context()); err != nil {
		s.t.Error(err)
	}
}

// check looks at everything that the device was told.
func (s *storm) check(arm *testdevice.Device) {
	records := arm.Records(0)
	if uint64(len(records)) != arm.Recorded() || len(records) == 0 {
		s.t.Errorf("%d of %d commands are on record", len(records), arm.Recorded())
	}
	var streams [channels]stream
	handed := 0
	last := map[int]uint64{}
	for _, r := range records {
		net := s.nets[int(r.Value)]
		before, gap := streams[r.Channel].take(s.t, r, net)
		last[int(r.Value)] = r.Cycle
		if before == nil || before == net || !s.handedOver(before, net) {
			continue
		}
		handed++
		told := time.Duration(s.missed[before])*before.Period() + time.Duration(s.missed[net])*net.Period()
		if gap%before.Period() != 0 || gap-before.Period() > told {
			s.t.Errorf("%s of %v and its successor of %v have missed %d and %d ticks, and there are %v between them",
				before.Name(), before.Period(), net.Period(), s.missed[before], s.missed[net], gap)
		}
	}
	for k, cycle := range last {
		if e, ok := s.nets[k].Ended(); !ok || e.Cycle != cycle {
			s.t.Errorf("%s has given %d set-points and ended after cycle %d", s.nets[k].Name(), cycle, e.Cycle)
		}
	}
	late, _ := s.Executors.Incidents()
	s.t.Logf("%d set-points, %d hand-overs, %d incidents", len(records), handed, late)
	if handed == 0 {
		s.t.Error("no hand-overs")
	}
}

// handedOver reports whether a rule has given a channel from one net to another.
func (s *storm) handedOver(from, to *rcc.Net) bool {
	for _, r := range s.rules {
		state, _ := r.State()
		q := r.Request()
		if state == rcc.RuleFired && q.Start[0] == to.Name() && q.Stop[0] == from.Name() {
			e, _ := from.Ended()
			return e.Cause == sched.Replaced
		}
	}
	return false
}
