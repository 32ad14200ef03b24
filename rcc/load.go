package rcc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/explain"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// LoadRequest describes a net to be loaded.
type LoadRequest struct {
	Text        string // the net
	Parse       Parser // of the text; nil for the text form of nets
	Session     string // name of the session it belongs to; unknown or empty means none
	Connection  string // over which it came, for the quota of nets without session; empty for none
	Description string
	Period      time.Duration // cycle time, zero for the default
	NotRealtime bool          // of the less important class (§7.5)
	EndRefused  bool          // it ends when a device refuses a set-point; otherwise it goes on
}

// Parser reads a net.
type Parser func(text string, limits grammar.Limits) (*grammar.Node, error)

// parse reads a net, in text form without a parser.
func (ns *Nets) parse(text string, with Parser) (*grammar.Node, error) {
	if with != nil {
		return with(text, ns.cfg.Limits)
	}
	tree, err := grammar.ParseNet(text, ns.cfg.Limits)
	if err != nil {
		return nil, explain.Explain(explain.Net, text, err)
	}
	return tree, nil
}

// Limits of nets that are loaded at a time, and of those that wait.
const (
	loadsAtOnce  = 4
	loadsWaiting = 256
)

// Load compiles a net. The error is a *grammar.Error if the text does not parse, which uses up a number, and ErrMemory if there
// is not enough memory. A net that cannot be loaded for another reason is returned in the state Rejected, with its problems.
// Load waits when many nets are being loaded, and returns ErrBusy when very many wait.
func (ns *Nets) Load(req LoadRequest) (*Net, error) {
	leave, err := ns.enterLoading()
	if err != nil {
		return nil, err
	}
	defer leave()
	defer ns.devices.hurry()()
	n := &Net{nets: ns, description: strings.Clone(shorten(req.Description)), realtime: !req.NotRealtime, endRefused: req.EndRefused}
	if err := ns.register(n, &req); err != nil {
		return nil, err
	}
	if err := n.load(&req); err != nil {
		ns.mu.Lock()
		defer ns.mu.Unlock()
		n.giveBack()
		return nil, err
	}
	ns.publish(n)
	return n, nil
}

// load makes a net of its text.
func (n *Net) load(req *LoadRequest) error {
	ns := n.nets
	if err := n.take(budget.Texts, netBytes+budget.Object(int64(len(req.Text)))); err != nil {
		return err
	}
	need := loading(req.Text)
	if err := n.take(budget.Loading, need); err != nil {
		return err
	}
	defer n.account.Give(budget.Loading, need)
	tree, err := ns.parse(req.Text, req.Parse)
	if err != nil {
		return err
	}
	n.text, n.bytes = canonical(tree, len(req.Text)), len(req.Text)
	if err := n.take(budget.Texts, budget.Object(int64(len(n.text)))); err != nil {
		return err
	}
	n.period = ns.period(req.Period)
	ns.world.using.RLock()
	defer ns.world.using.RUnlock()
	if p, wrong := ns.wrongPeriod(n.period); wrong {
		n.reject(p)
		return nil
	}
	return n.compile(tree)
}

// writing has buffers for the text form of nets.
var writing = sync.Pool{New: func() any { return new([]byte) }}

// canonical returns the text form of a tree, which takes about as many bytes as what it was read from.
func canonical(tree *grammar.Node, bytes int) string {
	buffer := writing.Get().(*[]byte)
	defer writing.Put(buffer)
	*buffer = tree.AppendText(slices.Grow((*buffer)[:0], bytes))
	return string(*buffer)
}

// take accounts for memory of the net before it is taken.
func (n *Net) take(kind budget.Kind, bytes int64) error {
	if err := n.account.Take(kind, bytes); err != nil {
		return n.nets.memory.short(n.place(), err)
	}
	return nil
}

// register gives a net its name, its session and its account.
func (ns *Nets) register(n *Net, req *LoadRequest) (err error) {
	if n.number, err = ns.number(number.Net, "net"); err != nil {
		return err
	}
	n.name = netName(n.number)
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n.session = ns.sessions.byName[req.Session]
	owner, quota := n.client(req.Connection)
	switch most := ns.cfg.Quotas.Nets; {
	case ns.closing:
		return refuse(ErrClosed, "net", "")
	case ns.bytes+len(req.Text) > ns.cfg.MaxBytes:
		return refuse(ErrTooMany, "net", "the nets that are loaded have %d bytes of text, limit %d", ns.bytes, ns.cfg.MaxBytes)
	case most > 0 && owner != "" && ns.owned[owner] >= most:
		return refuse(ErrTooMany, "net", "%s has %d nets, limit %d of %d for all clients", owner, ns.owned[owner], most, ns.cfg.MaxNets)
	}
	n.owner = owner
	ns.owned[owner]++
	n.account = ns.memory.accountOf(n.name, owner, quota)
	return nil
}

func netName(number int) string { return fmt.Sprintf("rpinet%d", number) }

// shorten bounds what is kept or repeated of what applications say.
func shorten(text string) string {
	const most = 1000
	return beginning(text, most)
}

// period rounds a cycle time to whole microseconds, so that 0.0333 s is not refused for the tail of its binary fraction.
func (ns *Nets) period(d time.Duration) time.Duration {
	if d == 0 {
		return ns.cfg.DefaultCycle
	}
	return d.Round(time.Microsecond)
}

// wrongPeriod returns an error for an impossible cycle time.
func (ns *Nets) wrongPeriod(d time.Duration) (p net.Problem, wrong bool) {
	if d >= ns.cfg.MinCycle && d <= ns.cfg.MaxCycle {
		return net.Problem{}, false
	}
	return net.Problem{Minor: net.NotConfigured, Text: fmt.Sprintf("cycle time %v is not between %v and %v", d, ns.cfg.MinCycle, ns.cfg.MaxCycle)}, true
}

// Seconds turns a cycle time or interval as clients send it into a duration; a number that is not a time becomes -1.
func Seconds(s float64) time.Duration {
	if math.IsNaN(s) || s < 0 || s > 1e6 {
		return -1
	}
	return time.Duration(math.Round(s * 1e9))
}

// compile makes the program and finds a place for it. Mistakes in the net become its problems.
func (n *Net) compile(tree *grammar.Node) error {
	program, err := net.Compile(tree, net.Options{
		Name: n.name, Period: n.period, Catalogue: n.nets.Catalogue(), Host: &lender{net: n}, Stop: n.nets.stop,
		Record: n.nets.recording(n), Memory: n.account, EndRefused: n.endRefused, Here: n.nets.here,
	})
	var rejection *net.Rejection
	switch {
	case isShort(err):
		return n.nets.memory.short(n.place(), err)
	case errors.As(err, &rejection):
		n.warnings = rejection.Warnings
		n.reject(rejection.Problems...)
		return nil
	case err != nil:
		n.reject(net.Problem{Minor: net.NotConfigured, Text: err.Error()})
		return nil //nolint:nilerr // the net has it as a problem
	}
	n.warnings = program.Warnings
	ref, err := n.nets.sched.Admit(program, sched.Options{Period: n.period, Realtime: n.realtime, Label: label(n.number)})
	if err != nil {
		n.reject(net.Problem{Minor: net.NotConfigured, Text: err.Error()})
		return nil //nolint:nilerr // the net has it as a problem
	}
	n.program, n.ref = program, ref
	return nil
}

func (n *Net) reject(p ...net.Problem) {
	n.problems = append(n.problems, p...)
}

// publish makes a loaded net visible, in its final state of loading.
func (ns *Nets) publish(n *Net) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	if n.program == nil {
		n.giveBack()
		ns.keepRejected(n)
		n.enter(Rejected)
		ns.log.Info("net rejected", zap.String("net", n.name), zap.Int("problems", len(n.problems)), zap.String("first", n.problems[0].String()))
	} else {
		ns.bySlot[n.ref] = n
		ns.bytes += n.bytes
		n.enter(Ready)
		if len(n.warnings) > 0 {
			ns.log.Warn("net loaded", zap.String("net", n.name), zap.Int("warnings", len(n.warnings)), zap.Stringer("first", n.warnings[0]))
		}
	}
	ns.put(n.name, n)
	if n.session != nil {
		n.session.nets = append(n.session.nets, n)
	}
	ns.ring()
}

// giveBack gives back all that a net has taken. ground.mu is held.
func (n *Net) giveBack() {
	ns := n.nets
	ns.devices.giveBack(n, n.lent)
	n.giveBackDebug()
	n.account.Close()
	if ns.owned[n.owner]--; ns.owned[n.owner] <= 0 {
		delete(ns.owned, n.owner)
	}
}

// keptRejected is how many rejected nets are kept for those who ask for the reasons; clients need not unload them.
const keptRejected = 200

// keepRejected keeps of a rejected net the reasons and the beginning of its text, none of which is a piece of the text that was
// sent. The oldest ones are forgotten when there are too many, or they take too much. ground.mu is held.
func (ns *Nets) keepRejected(n *Net) {
	n.cut = len(n.text) > keptText
	n.text = strings.Clone(beginning(n.text, keptText))
	n.bytes = len(n.text) + len(n.description)
	for i := range n.problems {
		p := &n.problems[i]
		p.Path, p.Port, p.Text = strings.Clone(p.Path), strings.Clone(p.Port), strings.Clone(p.Text)
		n.bytes += reasonBytes + len(p.Path) + len(p.Port) + len(p.Text)
	}
	ns.rejected = append(ns.rejected, n)
	ns.reasons += n.bytes
	for len(ns.rejected) > keptRejected || ns.reasons > rejectedBytes && len(ns.rejected) > 1 {
		oldest := ns.rejected[0]
		oldest.unloading = true
		oldest.gone()
	}
}

// uncount no longer counts the text of a net. ground.mu is held.
func (ns *Nets) uncount(n *Net) {
	if n.program != nil {
		ns.bytes -= n.bytes
	} else if i := slices.Index(ns.rejected, n); i >= 0 {
		ns.rejected = slices.Delete(ns.rejected, i, i+1)
		ns.reasons -= n.bytes
	}
	n.bytes = 0
}

// beginning is what a text begins with, and a sign that something is missing.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// lender is the spec.Host of one net while it is loaded.
type lender struct {
	net      *Net
	borrowed map[any]bool // boards and inboxes of other nets
}

func (l *lender) Device(name string) (device.Device, error) {
	ns := l.net.nets
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return ns.devices.lend(name, l.net, &l.net.lent)
}

func (l *lender) Board(name string) (*spec.Board, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Board, l.borrow(n.program.Board, n.program.Board.Bytes())
}

func (l *lender) Inbox(name string) (*spec.Inbox, error) {
	n, err := l.other(name)
	if err != nil {
		return nil, err
	}
	return n.program.Inbox, l.borrow(n.program.Inbox, n.program.Inbox.Bytes())
}

func (l *lender) other(name string) (*Net, error) {
	n, err := l.net.nets.Get(name)
	if err != nil {
		return nil, err
	}
	if n.program == nil {
		return nil, refuse(ErrState, n.place(), "it is rejected")
	}
	return n, nil
}
