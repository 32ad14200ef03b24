package preview

import (
	"fmt"
	"time"

	"github.com/softrobot-rcc/rccd/rcc"
)

// result returns what came of the plan.
func (r *run) result() *Result {
	since := r.first()
	p := &Result{Cut: r.cut, Devices: r.scene.devices(since), Breaches: r.scene.breaches(since)}
	for _, n := range r.nets {
		ran := n.ran(since)
		p.Duration = max(p.Duration, ran.End)
		p.Nets = append(p.Nets, ran)
	}
	for _, rule := range r.rules {
		p.Rules = append(p.Rules, decided(rule.Record(), since))
	}
	for _, d := range r.twin.LeftOut {
		p.LeftOut = append(p.LeftOut, LeftOut(d))
	}
	for _, d := range r.twin.Unlike {
		p.Warnings = append(p.Warnings, Warning{d.Device, unlike(d)})
	}
	return p
}

// unlike says what the twin of a device makes look better than it is.
func unlike(d rcc.Unlike) string {
	text := fmt.Sprintf("%s is %v now", d.Device, d.State)
	if d.Cause != "" {
		text += ": " + d.Cause
	}
	return text + "; its twin works"
}

// first returns the first cycle of the first net.
func (r *run) first() int64 {
	first := r.twin.Origin.UnixNano()
	found := false
	for _, n := range r.nets {
		if begin, _, ran := n.span(); ran && (!found || begin < first) {
			first, found = begin, true
		}
	}
	return first
}

// span is from the first cycle of a net to its last one.
func (n *played) span() (begin, end int64, ran bool) {
	e, over := n.Ended()
	if !over || e.Cycle == 0 {
		return 0, 0, false
	}
	return e.Time - int64(e.Cycle-1)*int64(n.Period()), e.Time, true
}

func (n *played) ran(since int64) Ran {
	begin, end, ran := n.span()
	is := Ran{State: n.State().String(), Begun: ran, Values: map[string]string{}, True: map[string]float64{}, Warnings: n.Warnings()}
	if !ran {
		return is
	}
	is.Begin, is.End = seconds(begin-since), seconds(end-since)
	for _, kv := range n.Values().All() {
		is.Values[kv.Key] = kv.Value
	}
	for key, cycle := range n.truth {
		is.True[key] = seconds(begin - since + int64(cycle-1)*int64(n.Period()))
	}
	return is
}

// decided describes a rule as its page would, in the time of the plan.
func decided(r rcc.Record, since int64) Decided {
	d := Decided{State: r.State.String()}
	if r.Tick.IsZero() {
		d.Account = "It waits, and has not been able to look at its condition."
		return d
	}
	d.At = after(r.Tick, since)
	switch r.State {
	case rcc.RuleFired:
		d.Account = fmt.Sprintf("The condition was true at %.6g s.", d.At)
		if !r.From.IsZero() {
			d.Account += fmt.Sprintf(" The nets that it started run from %.6g s on.", after(r.From, since))
		}
	case rcc.RuleFailed:
		d.Account = fmt.Sprintf("The condition was true at %.6g s, but %s. Nothing was changed.", d.At, r.Reason)
	case rcc.RuleInactive:
		d.Account = fmt.Sprintf("It can no longer fire since %.6g s: %s.", d.At, r.Reason)
	case rcc.RuleActive:
		d.Account = fmt.Sprintf("It waits: the condition was %s at %.6g s, the last time it was looked at.", r.Value, d.At)
	}
	return d
}

// after returns how long after the first cycle something was; what is decided before that is decided at once.
func after(t time.Time, since int64) float64 { return max(0, seconds(t.UnixNano()-since)) }
