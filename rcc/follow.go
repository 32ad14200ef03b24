package rcc

import (
	"context"
	"fmt"

	"github.com/softrobot-rcc/rccd/rcc/net"
)

// Follow starts a net when another one has come to its own end, in the next cycle (dialect 1: nesc with two nets). Until
// then it is scheduled; when the predecessor ends in any other way it is rejected.
func (c *Core) Follow(ctx context.Context, follower, predecessor string) error {
	c.mu.Lock()
	n, err := c.net(follower)
	before, errBefore := c.net(predecessor)
	c.mu.Unlock()
	switch {
	case err != nil:
		return err
	case errBefore != nil:
		return errBefore
	case n == before:
		return refuse(ErrOverlap, n.place(), "it cannot follow itself")
	case n.period != before.period || n.realtime != before.realtime:
		return refuse(ErrState, n.place(), "its cycle time or class differs from that of %s", before.name)
	}
	_, err = c.AddRule(ctx, RuleRequest{After: predecessor, Start: []string{follower}})
	return err
}

// orphan rejects the nets that waited for the end of a net which was not the one they waited for.
func (c *Core) orphan(r *Rule) {
	for _, name := range r.request.Start {
		if n := c.nets.byName[name]; n != nil && n.state == Scheduled && !n.promised {
			n.problems = append(n.problems, net.Problem{
				Minor: net.ParentAborted, Text: fmt.Sprintf("%s, which it was to follow, did not terminate by itself", r.request.After),
			})
			n.enter(Rejected)
		}
	}
}
