package rcc

import (
	"context"
	"errors"

	"github.com/softrobot-rcc/rccd/internal/budget"
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
	borrower := &Net{core: c, account: c.accountOf("check", "", 0)} // what it is lent stays as long
	defer c.giveBack(borrower)
	if err := borrower.account.Take(budget.Loading, loading(req.Text)); err != nil {
		return Checked{}, c.short("check", err)
	}
	tree, err := c.parse(req.Text, req.Parse)
	if err != nil {
		return Checked{}, err
	}
	period := c.period(req.Period)
	if p, wrong := c.wrongPeriod(period); wrong {
		return Checked{Problems: []Problem{p}}, nil
	}
	program, err := net.Compile(tree, net.Options{
		Name: "check", Period: period, Catalogue: c.Catalogue(), Host: &lender{net: borrower}, Stop: c.stop,
		Memory: borrower.account, Here: c.here,
	})
	var r *net.Rejection
	switch {
	case isShort(err):
		return Checked{}, c.short("check", err)
	case errors.As(err, &r):
		return Checked{Problems: r.Problems, Warnings: r.Warnings}, nil
	case err != nil:
		return Checked{Problems: []Problem{{Minor: net.NotConfigured, Text: err.Error()}}}, nil
	}
	return Checked{Warnings: program.Warnings}, nil
}
