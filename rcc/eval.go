package rcc

import (
	"context"
	"errors"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// EvalPeriod is the cycle time of nets that are evaluated.
const EvalPeriod = time.Millisecond

// Evaluations that go on at a time, and that wait besides: together they bound what all clients can occupy at once.
const (
	evalsAtOnce  = 4
	evalsWaiting = 64
)

// evaluations have their places in the core.
type evaluations struct {
	places  chan struct{} // one for each that goes on
	waiting chan struct{} // and one for each that goes on or waits
	closed  chan struct{}
}

func newEvaluations() evaluations {
	return evaluations{
		make(chan struct{}, evalsAtOnce), make(chan struct{}, evalsAtOnce+evalsWaiting), make(chan struct{}),
	}
}

// enter waits for a place; leave gives it back.
func (e *evaluations) enter(ctx context.Context) (leave func(), err error) {
	select {
	case e.waiting <- struct{}{}:
	default:
		return nil, refuse(ErrBusy, "eval", "%d evaluations are going on or waiting", cap(e.waiting))
	}
	select {
	case e.places <- struct{}{}:
		return func() { <-e.places; <-e.waiting }, nil
	case <-e.closed:
		err = refuse(ErrClosed, "eval", "")
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-e.waiting
	return nil, err
}

// close lets nobody in any more and returns when the last one has left, or when ctx is done. A cycle that looks at devices
// shall find them open.
func (e *evaluations) close(ctx context.Context) {
	close(e.closed)
	for range evalsAtOnce {
		select {
		case e.places <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

// EvalRequest is a net to be evaluated: its text, or a tree that came in another form.
type EvalRequest struct {
	Text string
	Tree *grammar.Node
}

// Eval evaluates one cycle of a net and returns the values of its root's out ports that have one, and those that it
// publishes to applications. The net reads sensors and other nets, but commands nothing and needs no resources. It is
// nobody's net: it has no name, no executor sees it, and nothing is left of it.
//
// A text that does not parse is a *grammar.Error, a net that cannot be built a *net.Rejection.
func (c *Core) Eval(ctx context.Context, req EvalRequest) ([]KeyValue, error) {
	leave, err := c.evals.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if req.Tree == nil {
		if req.Tree, err = grammar.ParseNet(req.Text, c.cfg.Limits); err != nil {
			return nil, explain.Explain(explain.Net, req.Text, err)
		}
	}
	borrower := &Net{core: c} // the devices that it is lent stay as long
	defer c.giveBack(borrower)
	program, err := net.Compile(req.Tree, net.Options{
		Name: "eval", Period: EvalPeriod, Catalogue: c.Catalogue(), Host: &lender{net: borrower}, Here: c.here, Once: true,
	})
	if err != nil {
		return nil, err
	}
	now := c.unixNow()
	cy := &spec.Cycle{N: 1, Time: now, Due: now, Wall: now, Period: EvalPeriod.Seconds()}
	program.Evaluate(cy)
	return results(program, cy), nil
}

func (c *Core) giveBack(borrower *Net) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.devices.giveBack(borrower, borrower.lent)
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

// EvalStage is how far the evaluation of a net has come when it was refused.
type EvalStage uint8

// The stages, which existing clients are told in fixed words.
const (
	EvalParse EvalStage = iota
	EvalBuild
	EvalConfigure
)

// StageOf tells at which stage Eval has refused a net; ok is false for errors that are not about the net.
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

// ProblemsOf are the reasons for which a net was refused, none for other errors.
func ProblemsOf(err error) []net.Problem {
	var rejection *net.Rejection
	if !errors.As(err, &rejection) {
		return nil
	}
	return rejection.Problems
}
