package client

import (
	"context"
	"fmt"
	"strconv"
)

// RuleRequest describes a synchronization rule (chapter 6): what to do when a condition becomes true.
type RuleRequest struct {
	Condition           string // over outputs, such as "rpinet7.outdone & !rpinet8.outbusy"; empty for at once
	Stop, Cancel, Start []*Net
	Description         string
}

// Rule is a synchronization rule of a daemon.
type Rule struct {
	Number int

	daemon   *Daemon
	instance string // in which the number is known
	subject
	state RuleState
}

// Add adds a rule and subscribes to it. For a rule that makes no sense the error is a *RefusedError; a condition that can never
// become true is allowed. When the connection is lost, the rule is returned as well as a *LostError if it has got its number: it
// is watched again when the connection is back.
func (d *Daemon) Add(ctx context.Context, req RuleRequest) (*Rule, error) {
	c, err := d.current()
	if err != nil {
		return nil, err
	}
	for _, list := range [][]*Net{req.Stop, req.Cancel, req.Start} {
		for _, n := range list {
			if err := n.there(c); err != nil {
				return nil, fmt.Errorf("rule: %w", err)
			}
		}
	}
	for _, n := range req.Cancel {
		n.asked.Store(true) // in good time
	}
	text, err := d.name(ctx, c, "nesc", req.Condition, names(req.Stop), names(req.Cancel), names(req.Start), req.Description)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("nesc: %q is not the number of a rule", text)
	}
	r := &Rule{Number: number, daemon: d, instance: c.instance, subject: newSubject(), state: RuleActive}
	return r, d.subscribe(ctx, c, &subscription{command: "gsy", params: []any{text}, tell: r.told, gone: r.gone})()
}

func names(nets []*Net) []any {
	list := make([]any, len(nets))
	for i, n := range nets {
		list[i] = n.Name
	}
	return list
}

func (r *Rule) told(m Message) (more bool) {
	more = true
	if len(m.Params) == 0 {
		return more
	}
	if word, ok := m.Params[0].(string); ok {
		r.change(func() { r.state = RuleState(word) })
		more = RuleState(word) == RuleActive
	}
	return more
}

func (r *Rule) gone(cause error) { r.change(func() { r.cause = cause }) }

// State returns the newest known state.
func (r *Rule) State() (s RuleState) {
	r.read(func() { s = r.state })
	return s
}

// Decided waits until the rule is decided, and returns its state.
func (r *Rule) Decided(ctx context.Context) (s RuleState, err error) {
	err = r.await(ctx, func() (bool, error) {
		s = r.state
		return s != RuleActive, nil
	})
	return s, err
}

// Account explains in a sentence why the rule was decided as it was, or what it waits for.
func (r *Rule) Account(ctx context.Context) (string, error) {
	c, err := r.daemon.current()
	if err != nil {
		return "", err
	}
	if r.instance != c.instance {
		return "", ErrRestarted
	}
	var view struct {
		Record struct{ Account string }
	}
	err = r.daemon.get(ctx, place("rules", strconv.Itoa(r.Number)), &view)
	return view.Record.Account, err
}
