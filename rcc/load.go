package rcc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// LoadRequest describes a net to be loaded.
type LoadRequest struct {
	Text        string        // the net, in text form unless there is a tree
	Tree        *grammar.Node // that was made of Text, which has another form
	Session     string        // name of the session it belongs to; unknown or empty means none
	Description string
	Period      time.Duration // cycle time, zero for the default
	NotRealtime bool          // of the less important class (§7.5)
}

// Load compiles a net. A text that does not parse is an error (a *grammar.Error, and uses up a number); a net that
// cannot be loaded for another reason comes back in the state Rejected with its problems.
func (c *Core) Load(req LoadRequest) (*Net, error) {
	n := &Net{core: c, description: shorten(req.Description), realtime: !req.NotRealtime, tree: req.Tree}
	if err := c.enroll(n, req); err != nil {
		return nil, err
	}
	if n.tree == nil {
		tree, err := grammar.ParseNet(req.Text, c.cfg.Limits)
		if err != nil {
			return nil, explain.Explain(explain.Net, req.Text, err)
		}
		n.tree = tree
	}
	n.bytes = len(req.Text)
	n.period = c.period(req.Period)
	c.loading.RLock()
	defer c.loading.RUnlock()
	if p, wrong := c.wrongPeriod(n.period); wrong {
		n.reject(p)
	} else {
		n.compile()
	}
	c.publish(n)
	return n, nil
}

// enroll gives a net its name and its session.
func (c *Core) enroll(n *Net, req LoadRequest) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closing:
		return refuse(ErrClosed, "net", "")
	case c.bytes+len(req.Text) > c.cfg.MaxBytes:
		return refuse(ErrTooMany, "net", "the nets that are loaded have %d bytes of text, limit %d", c.bytes, c.cfg.MaxBytes)
	}
	n.number = c.nets.number()
	n.name = netName(n.number)
	n.session = c.sessions.byName[req.Session]
	return nil
}

func netName(number int) string { return fmt.Sprintf("rpinet%d", number) }

// shorten bounds what is kept or repeated of what applications say.
func shorten(text string) string {
	const most = 1000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// period rounds a cycle time to whole microseconds, so that 0.0333 s is not refused for the tail of its binary fraction.
func (c *Core) period(d time.Duration) time.Duration {
	if d == 0 {
		return c.cfg.DefaultCycle
	}
	return d.Round(time.Microsecond)
}

// wrongPeriod tells what is wrong with a cycle time.
func (c *Core) wrongPeriod(d time.Duration) (p net.Problem, wrong bool) {
	if d >= c.cfg.MinCycle && d <= c.cfg.MaxCycle {
		return net.Problem{}, false
	}
	return net.Problem{Minor: net.NotConfigured, Text: fmt.Sprintf("cycle time %v is not between %v and %v", d, c.cfg.MinCycle, c.cfg.MaxCycle)}, true
}

// Seconds turns a cycle time or interval as clients send it into a duration; what is no time at all becomes -1.
func Seconds(s float64) time.Duration {
	if math.IsNaN(s) || s < 0 || s > 1e6 {
		return -1
	}
	return time.Duration(math.Round(s * 1e9))
}

func (n *Net) compile() {
	program, err := net.Compile(n.tree, net.Options{
		Name: n.name, Period: n.period, Catalogue: n.core.Catalogue(), Host: &lender{net: n}, Stop: n.core.stop,
		Record: n.core.recording(n),
	})
	if err != nil {
		var r *net.Rejection
		if errors.As(err, &r) {
			n.reject(r.Problems...)
		} else {
			n.reject(net.Problem{Minor: net.NotConfigured, Text: err.Error()})
		}
		return
	}
	ref, err := n.core.sched.Admit(program, sched.Options{Period: n.period, Realtime: n.realtime, Label: label(n.number)})
	if err != nil {
		n.reject(net.Problem{Minor: net.NotConfigured, Text: err.Error()})
		return
	}
	n.program, n.ref = program, ref
}

func (n *Net) reject(p ...net.Problem) {
	n.problems = append(n.problems, p...)
}

// publish makes a loaded net visible, in its final state of loading.
func (c *Core) publish(n *Net) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.program == nil {
		c.devices.giveBack(n, n.lent)
		n.giveBackDebug()
		n.enter(Rejected)
		c.log.Info("net rejected", zap.String("net", n.name), zap.Int("problems", len(n.problems)), zap.String("first", n.problems[0].String()))
		c.forgetRejected()
	} else {
		c.bySlot[n.ref] = n
		n.enter(Ready)
		for _, w := range n.program.Warnings {
			c.log.Warn("net loaded", zap.String("net", n.name), zap.Stringer("warning", w))
		}
	}
	c.bytes += n.bytes
	c.nets.put(n.name, n)
	c.ring()
}

// keptRejected is how many rejected nets are kept for those who ask for the reasons; clients need not unload them.
const keptRejected = 200

// forgetRejected drops the oldest rejected net when there are too many. core.mu is held.
func (c *Core) forgetRejected() {
	var oldest *Net
	count := 0
	for _, n := range c.nets.all() {
		if n.state != Rejected || n.program != nil {
			continue
		}
		if count++; oldest == nil {
			oldest = n
		}
	}
	if count >= keptRejected {
		oldest.unloading = true
		oldest.gone()
	}
}
