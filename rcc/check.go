package rcc

import (
	"context"
	"errors"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/rcc/net"
)

// Checked is what is to be said about a net that was checked.
type Checked struct {
	Problems []Problem // for which Load would reject it
	Warnings []Problem
}

// Check says about a net what Load would, with the devices and the other nets that are there now. Nothing is loaded: the net gets no
// number and no place with the scheduler, no executor sees it, and it holds no resource. Like Load it returns a *grammar.Error for a
// text that does not parse.
func (c *Core) Check(ctx context.Context, req LoadRequest) (Checked, error) {
	leave, err := c.evals.enter(ctx)
	if err != nil {
		return Checked{}, err
	}
	defer leave()
	if req.Tree == nil {
		if req.Tree, err = grammar.ParseNet(req.Text, c.cfg.Limits); err != nil {
			return Checked{}, explain.Explain(explain.Net, req.Text, err)
		}
	}
	period := c.period(req.Period)
	if p, wrong := c.wrongPeriod(period); wrong {
		return Checked{Problems: []Problem{p}}, nil
	}
	borrower := &Net{core: c} // the devices that it is lent stay as long
	defer c.giveBack(borrower)
	program, err := net.Compile(req.Tree, net.Options{
		Name: "check", Period: period, Catalogue: c.Catalogue(), Host: &lender{net: borrower}, Stop: c.stop,
	})
	var r *net.Rejection
	switch {
	case errors.As(err, &r):
		return Checked{Problems: r.Problems}, nil
	case err != nil:
		return Checked{Problems: []Problem{{Minor: net.NotConfigured, Text: err.Error()}}}, nil
	}
	return Checked{Warnings: program.Warnings}, nil
}
