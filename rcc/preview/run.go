package preview

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// Run tries out a plan. A mistake in it is an *Error.
func Run(ctx context.Context, core *rcc.Core, p *Plan) (_ *Result, err error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	ctx, forget := core.Alive(ctx)
	defer forget()
	defer func() {
		if ended := context.Cause(ctx); err != nil && errors.Is(ended, rcc.ErrClosed) {
			err = ended // what went wrong then did so because of it
		}
	}()
	twin, err := core.Twin(rcc.TwinOptions{Nets: len(p.Nets), From: p.From})
	if err != nil {
		return nil, of("from", err)
	}
	defer func() { err = errors.Join(err, twin.Close(context.WithoutCancel(ctx))) }()
	r := &run{plan: p, twin: twin, scene: newScene(twin)}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.play(ctx); err != nil {
		return nil, err
	}
	return r.result(), nil
}

// run is a plan that is being tried out.
type run struct {
	plan  *Plan
	twin  *rcc.Twin
	nets  []*played
	rules []*rcc.Rule
	scene *scene
	begun int64 // first cycle of the first net, 0 before
	cut   bool
}

// played is a net.
type played struct {
	*rcc.Net
	seen  uint64            // newest cycle that has been looked at
	flags []rcc.Flag        // that have not been true yet
	truth map[string]uint64 // cycles in which the others were true for the first time
}

// prepare loads everything, and starts what is to begin at once.
func (r *run) prepare(ctx context.Context) error {
	var start []string
	for i := range r.plan.Nets {
		n, err := r.load(i)
		if err != nil {
			return err
		}
		r.nets = append(r.nets, &played{Net: n, flags: n.Flags(), truth: map[string]uint64{}})
		if r.plan.Nets[i].Start {
			start = append(start, n.Name())
		}
	}
	for i, p := range r.plan.Rules {
		rule, err := r.twin.Rules.Add(ctx, rcc.RuleRequest{Condition: p.Condition, Stop: p.Stop, Cancel: p.Cancel, Start: p.Start})
		if err != nil {
			return ofRule(i, err)
		}
		r.rules = append(r.rules, rule)
	}
	if len(start) == 0 {
		return nil
	}
	begin, err := r.twin.Rules.Add(ctx, rcc.RuleRequest{Condition: "t", Start: start})
	if err == nil {
		err = r.twin.Changes.Settle(ctx)
	}
	if err != nil {
		return of("start", err)
	}
	if state, why := begin.State(); state != rcc.RuleFired {
		return wrong("start", "the nets do not begin together: %s", why)
	}
	return nil
}

func (r *run) load(i int) (*rcc.Net, error) {
	p := &r.plan.Nets[i]
	n, err := r.twin.Nets.Load(rcc.LoadRequest{Text: p.Text, Period: rcc.Seconds(p.Cycle)})
	switch {
	case err != nil:
		return nil, ofNet(i, ".text", err)
	case n.State() == rcc.Rejected:
		rejected := ofNet(i, "", nil)
		rejected.Rejected = n
		return nil, rejected
	}
	var inputs []rcc.KeyValue
	for _, key := range slices.Sorted(maps.Keys(p.Inputs)) {
		inputs = append(inputs, rcc.KeyValue{Key: key, Value: p.Inputs[key]})
	}
	if err := n.Set(inputs); err != nil {
		return nil, ofNet(i, ".inputs", err)
	}
	return n, nil
}

// play lets time go on until nothing goes on any more, and joints rest.
func (r *run) play(ctx context.Context) error {
	step := r.step()
	most := time.Duration(cmp.Or(r.plan.For, usual) * float64(time.Second))
	for r.goesOn() {
		for i := 0; i == 0 || i < min(atOnce, int(longestLook/step)) && !r.past(most-step); i++ {
			if err := r.pass(ctx, step); err != nil {
				return err
			}
		}
		if err := r.twin.Changes.Settle(ctx); err != nil {
			return err
		}
		if !r.past(most - step) { // nets hear of it in the cycle that is next
			continue
		}
		if err := r.end(ctx, r.past(most+grace-step)); err != nil {
			return err
		}
	}
	return r.rest(ctx)
}

// atOnce is how many cycles are gone through until it is looked at what has ended, as events take longer than cycles, and longestLook
// how much time at most.
const (
	atOnce      = 16
	longestLook = 100 * time.Millisecond
)

// past reports whether nets have gone on for some time.
func (r *run) past(d time.Duration) bool { return r.begun != 0 && r.now()-r.begun >= int64(d) }

func (r *run) now() int64 { return r.twin.Clock.Now().UnixNano() }

// pass lets some time go on, and looks at what it has done.
func (r *run) pass(ctx context.Context, d time.Duration) error {
	err := r.twin.Pass(ctx, d)
	if err == nil {
		r.look()
	}
	return err
}

// rest lets time go on until joints rest that nets have commanded: devices lead them on for some cycles, and brake then.
func (r *run) rest(ctx context.Context) error {
	step := r.scene.cycle(r.step())
	for until := r.now() + int64(grace); r.scene.moves(r.now(), r.patience()) && r.now() < until; {
		if err := r.pass(ctx, step); err != nil {
			return err
		}
	}
	r.scene.leave(r.now(), 0)
	return nil
}

// patience returns how long devices wait for set-points of nets that have not come.
func (r *run) patience() time.Duration {
	longest := r.scene.cycle(0)
	for _, n := range r.nets {
		longest = max(longest, n.Period())
	}
	return lapse * longest
}

// lapse is after how many cycles a joint is given up, as devices do.
const lapse = 5

// step is from one cycle of nets to the next: the longest one that comes to all of them. Where there are periods that have nothing in
// common, the shortest one: then some looks are a little late, which misses nothing but what a hand-over undoes at once.
func (r *run) step() time.Duration {
	least, common := r.nets[0].Period(), time.Duration(0)
	for _, n := range r.nets {
		least = min(least, n.Period())
		for a, b := n.Period(), common; ; a, b = b, a%b {
			if b == 0 {
				common = a
				break
			}
		}
	}
	if common < least/8 { //nolint:mnd // so many looks for each cycle are enough
		common = least
	}
	return min(common, longestLook)
}

// goesOn reports whether anything can still happen. While no net runs, no condition becomes true.
func (r *run) goesOn() bool {
	return slices.ContainsFunc(r.nets, func(n *played) bool { return n.Goes() })
}

// look looks at what the newest cycle has done.
func (r *run) look() {
	now := r.now()
	r.scene.look(now)
	r.scene.leave(now, r.patience())
	for _, n := range r.nets {
		n.look()
		if r.begun == 0 && n.seen > 0 {
			r.begun = now - int64(n.seen-1)*int64(n.Period())
		}
	}
}

func (n *played) look() {
	cycle := n.Newest()
	if cycle == n.seen {
		return
	}
	n.seen = cycle
	n.flags = slices.DeleteFunc(n.flags, func(f rcc.Flag) bool {
		is := f.True()
		if is {
			n.truth[f.Key] = cycle
		}
		return is
	})
}

// end cancels what goes on, or aborts it.
func (r *run) end(ctx context.Context, now bool) error {
	for _, n := range r.nets {
		var err error
		switch s := n.State(); {
		case now && s.Active():
			err = n.Abort(ctx)
		case s == rcc.Running:
			err = n.Cancel(ctx)
		default:
			continue
		}
		r.cut = true
		if err != nil && !errors.Is(err, rcc.ErrState) { // it has just come to its end
			return err
		}
	}
	return r.twin.Changes.Settle(ctx)
}
