package robotics_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/testkit/cells"
	"github.com/softrobot-rcc/rccd/internal/testkit/race"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/robotics/internal/interpreter"
)

// TestAgainstInterpreter: whatever commands consist of, however they hang together and whatever happens, their nets do in each
// cycle what the ten rules say, before they are optimised and after. For more of them: go test -run AgainstInterpreter
// -rapid.checks=10000.
func TestAgainstInterpreter(t *testing.T) {
	race.Skip(t, "random commands one after another")
	both := []*cells.Cell{cells.New(t), cells.New(t)} // for both, as both move arms
	home := map[string][]float64{}
	for _, a := range simulated {
		home[a.name] = both[0].Where(a.name)
	}
	plans := rapid.Custom(func(t *rapid.T) *plan { return drawPlan(t, home) })
	rapid.Check(t, func(t *rapid.T) { plans.Draw(t, "plan").compare(both, t) })
}

// performance is a net that is executed in step with the interpreter.
type performance struct {
	*plan
	t     *rapid.T
	cell  *cells.Cell
	net   *rcc.Net
	calls map[string]*interpreter.Call // by key of their counts
	of    string
}

func (p *plan) perform(c *cells.Cell, t *rapid.T, optimise bool) *performance {
	b := p.build()
	watch, at := states{}, values{}
	for key, s := range p.watch {
		watch[key] = b.state(s)
	}
	for _, j := range p.moved {
		for i := range j.At {
			at[j.Device+strconv.Itoa(i)] = next(b.arms[j], i)
		}
	}
	text, externals, err := robotics.Traced(b.commands[p.root], watch, at, optimise)
	if err != nil {
		t.Fatal(err)
	}
	n := &performance{plan: p, t: t, cell: c, calls: map[string]*interpreter.Call{}, of: map[bool]string{true: "optimised", false: "as mapped"}[optimise]}
	for key, do := range externals {
		do()
		n.calls[key] = b.heard
	}
	if n.net, err = c.Core.Nets.Load(rcc.LoadRequest{Text: text, Description: "random"}); err != nil {
		t.Fatal(err)
	}
	if n.net.State() != rcc.Ready {
		t.Fatalf("%v: %v", n.net.State(), n.net.Problems())
	}
	return n
}

// compare executes a plan as the interpreter does. It reports a difference in one line, as rapid prints that twice and the plan
// once.
func (p *plan) compare(both []*cells.Cell, t *rapid.T) {
	nets := []*performance{p.perform(both[0], t, true), p.perform(both[1], t, false)}
	defer func() {
		for _, n := range nets {
			n.leave()
		}
	}()
	want := interpreter.New(p.root, period)
	for i, in := range p.script {
		want.Step(in)
		for _, n := range nets {
			n.step(in, i == 0, in.Cancel && (i == 0 || !p.script[i-1].Cancel))
			if wrong := n.differences(want); len(wrong) > 0 {
				t.Fatalf("cycle %d, %s: %s", i+1, n.of, strings.Join(wrong, ", "))
			}
		}
		if want.Ended() {
			break
		}
	}
	if !want.Ended() {
		if p.yields && p.script[len(p.script)-1].Cancel {
			t.Fatal("it has no end")
		}
		return
	}
	for _, n := range nets {
		n.advance()
		if at := int(n.net.Values().Cycle); at != want.Cycles() {
			t.Fatalf("%s: in cycle %d, not ended in %d", n.of, at, want.Cycles())
		}
	}
}

// step executes a cycle.
func (n *performance) step(in interpreter.Inputs, start, cancel bool) {
	for s, v := range in.Sensors {
		text := map[interpreter.Truth]string{interpreter.False: "0", interpreter.True: "1", interpreter.Null: "2"}[v]
		if key := fmt.Sprint("inx", s); n.net.HasInput(key) {
			n.must(n.net.Set([]rcc.KeyValue{{Key: key, Value: text}}))
		}
	}
	ctx := context.Background()
	if start {
		n.must(n.net.Start(ctx))
	}
	if cancel {
		n.must(n.net.Cancel(ctx))
	}
	n.advance()
}

func (n *performance) advance() { n.must(n.cell.Clock.Advance(context.Background(), period)) }

func (n *performance) must(err error) {
	if err != nil {
		n.t.Fatal(err)
	}
}

// differences returns what a net says that the rules do not.
func (n *performance) differences(want *interpreter.Run) (list []string) {
	v := n.net.Values()
	if int(v.Cycle) != want.Cycles() {
		return []string{fmt.Sprintf("the net is in cycle %d", v.Cycle)}
	}
	got := map[string]string{}
	for _, kv := range v.All() {
		got[kv.Key] = kv.Value
	}
	for _, key := range keys(n.watch) {
		if is, should := got["out"+key] == "true", want.Is(n.watch[key]); is != should {
			list = append(list, fmt.Sprintf("%s is %v", key, is))
		}
	}
	for _, token := range n.plan.tokens {
		if is, used := got["outt"+token.Name]; used && (is == "true") != want.Given(token) {
			list = append(list, fmt.Sprintf("%s is given: %v", token.Name, is))
		}
	}
	for _, call := range n.plan.calls {
		sum, used := 0.0, false
		for key, of := range n.calls {
			if of == call {
				sum, used = sum+number(got[key]), true
			}
		}
		if used && int(math.Round(sum)) != want.Calls(call) {
			list = append(list, fmt.Sprintf("%s %v times, not %d", call.Name, sum, want.Calls(call)))
		}
	}
	for _, j := range n.moved {
		exact := 1e-4 // as the device reports, which is behind
		if slices.ContainsFunc(n.all, func(c *interpreter.Command) bool {
			return c.Job != nil && c.Job.Moves != nil && c.Job.Moves.Of == j && want.Is(interpreter.Is{Of: c, It: interpreter.Active})
		}) {
			exact = 1e-9
		}
		for i, should := range j.At {
			if is := number(got["out"+j.Device+strconv.Itoa(i)]); !(math.Abs(is-should) <= exact) {
				list = append(list, fmt.Sprintf("joint %d of %s at %v, not at %v", i, j.Device, is, should))
			}
		}
	}
	return list
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// leave takes a net away. When arms have moved, and are at rest, they are where they were.
func (n *performance) leave() {
	ctx := context.Background()
	n.must(n.cell.Core.Changes.Settle(ctx))
	_, ended := n.net.Ended()
	if !ended && n.net.State() != rcc.Ready {
		n.must(n.net.Abort(ctx))
		n.advance()
	}
	n.must(n.net.Unload(ctx))
	if len(n.moved) == 0 {
		return
	}
	n.must(n.cell.Clock.Advance(ctx, 300*time.Millisecond))
	n.must(n.cell.Core.Changes.Settle(ctx))
	for _, j := range n.moved {
		if wrong := n.cell.Arm(j.Device).Jumps(ended); wrong != "" {
			n.t.Errorf("%s\n%s, %s: %s", n.plan, n.of, j.Device, wrong)
		}
		for i, s := range n.cell.Joints(j.Device) {
			if s.Commanded.Vel != 0 || s.Fault != 0 {
				n.t.Errorf("%s: joint %d: %+v", j.Device, i, s)
			}
		}
		n.cell.Renew(j.Device)
	}
}
