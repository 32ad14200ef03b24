package rcc

import (
	"context"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// EvalPeriod is the cycle time of nets that are evaluated.
const EvalPeriod = time.Millisecond

// Limits of evaluations that run at a time, and of those that wait. Together they bound what all clients can occupy at once.
const (
	evalsAtOnce  = 4
	evalsWaiting = 64
)

// EvalRequest is a net to be evaluated.
type EvalRequest struct {
	Text  string
	Parse Parser // of the text; nil for the text form of nets
}

// Evaluated is the result of an evaluated net.
type Evaluated struct {
	Values   []KeyValue
	Time     int64 // of the cycle, Unix, ns
	Warnings []Problem
}

// Eval evaluates one cycle of a net and returns the values of its root's out ports that have one, and those that it
// publishes to applications. The net reads sensors and other nets, but commands nothing and needs no resources. It
// has no name, no executor sees it, and nothing of it remains.
//
// A text that does not parse is a *grammar.Error, a net that cannot be built a *net.Rejection.
func (ns *Nets) Eval(ctx context.Context, req EvalRequest) (e Evaluated, err error) {
	leave, err := ns.evals.enter(ctx)
	if err != nil {
		return e, err
	}
	defer leave()
	borrower := &Net{nets: ns, account: ns.memory.accountOf("eval", "", 0)} // what it is lent stays as long
	defer ns.giveBack(borrower)
	if err := borrower.account.Take(budget.Loading, loading(req.Text)); err != nil {
		return e, ns.memory.short("eval", err)
	}
	tree, err := ns.parse(req.Text, req.Parse)
	if err != nil {
		return e, err
	}
	program, err := net.Compile(tree, net.Options{
		Name: "eval", Period: EvalPeriod, Catalogue: ns.Catalogue(), Host: &lender{net: borrower}, Memory: borrower.account, Here: ns.here, Once: true,
	})
	if isShort(err) {
		return e, ns.memory.short("eval", err)
	}
	if err != nil {
		return e, err
	}
	now := ns.unixNow()
	cy := &spec.Cycle{N: 1, Time: now, Due: now, Wall: now, Period: EvalPeriod.Seconds()}
	program.Evaluate(cy)
	return Evaluated{Values: results(program, cy), Time: now, Warnings: program.Warnings}, nil
}

func (ns *Nets) giveBack(borrower *Net) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.devices.giveBack(borrower, borrower.lent)
	borrower.account.Close()
}

// results are the values of a program after its only cycle. Where an out port has the name of a published value, the out
// port counts.
func results(program *net.Program, cy *spec.Cycle) []KeyValue {
	var list []KeyValue
	ports := map[string]bool{}
	for _, out := range program.Outs {
		ports[out.Name] = true
		if out.Cell.Current(cy) {
			list = append(list, KeyValue{out.Name, string(out.Cell.Text(nil))})
		}
	}
	for _, kv := range takeValues(program.Board).Reported(nil) {
		if !ports[kv.Key] {
			list = append(list, kv)
		}
	}
	return list
}

// EvalStage is the stage at which a net that was to be evaluated was refused.
type EvalStage uint8

// The stages, which existing clients know by fixed words.
const (
	EvalParse EvalStage = iota
	EvalBuild
	EvalConfigure
)

// StageOf returns the stage at which Eval has refused a net; ok is false for errors that are not about the net.
func StageOf(err error) (stage EvalStage, ok bool) {
	var syntax *grammar.Error
	if errors.As(err, &syntax) {
		return EvalParse, true
	}
	var rejection *net.Rejection
	if !errors.As(err, &rejection) {
		return 0, false
	}
	for _, p := range rejection.Problems {
		if p.Minor != net.NotConfigured && p.Minor != net.UnknownDevice {
			return EvalBuild, true
		}
	}
	return EvalConfigure, true
}

// ProblemsOf returns the reasons why a net was refused, and its warnings; none for other errors.
func ProblemsOf(err error) (problems, warnings []Problem) {
	var rejection *net.Rejection
	if !errors.As(err, &rejection) {
		return nil, nil
	}
	return rejection.Problems, rejection.Warnings
}

// Checked is the result of Check.
type Checked struct {
	Problems []Problem // for which Load would reject it
	Warnings []Problem
}

// Check returns what Load would find in a net, with the present devices and other nets. The net is not loaded: it gets no number and
// no slot of the scheduler, no executor sees it, and it holds no resource. Like Load it returns a *grammar.Error for a text that
// does not parse.
func (ns *Nets) Check(ctx context.Context, req LoadRequest) (Checked, error) {
	leave, err := ns.evals.enter(ctx)
	if err != nil {
		return Checked{}, err
	}
	defer leave()
	borrower := &Net{nets: ns, account: ns.memory.accountOf("check", "", 0)} // what it is lent stays as long
	defer ns.giveBack(borrower)
	if err := borrower.account.Take(budget.Loading, loading(req.Text)); err != nil {
		return Checked{}, ns.memory.short("check", err)
	}
	tree, err := ns.parse(req.Text, req.Parse)
	if err != nil {
		return Checked{}, err
	}
	period := ns.period(req.Period)
	if p, wrong := ns.wrongPeriod(period); wrong {
		return Checked{Problems: []Problem{p}}, nil
	}
	program, err := net.Compile(tree, net.Options{
		Name: "check", Period: period, Catalogue: ns.Catalogue(), Host: &lender{net: borrower}, Stop: ns.stop,
		Memory: borrower.account, Here: ns.here,
	})
	var r *net.Rejection
	switch {
	case isShort(err):
		return Checked{}, ns.memory.short("check", err)
	case errors.As(err, &r):
		return Checked{Problems: r.Problems, Warnings: r.Warnings}, nil
	case err != nil:
		return Checked{Problems: []Problem{{Minor: net.NotConfigured, Text: err.Error()}}}, nil
	}
	return Checked{Warnings: program.Warnings}, nil
}
