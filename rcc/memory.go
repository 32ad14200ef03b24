package rcc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// Quotas limit the memory and nets of clients. A zero field means no limit of its own.
type Quotas struct {
	Memory     *budget.Budget // of all clients; a twin uses that of its core
	Session    int64          // bytes of the nets of a session
	Connection int64          // of nets without session that came over one connection
	Nets       int            // of a session, or without session over one connection
}

// Usage is how much of the memory for clients is in use.
type Usage = budget.Usage

// Memory accounts for the memory that clients cause.
type Memory struct {
	*ground

	beside string          // what is said behind the names of users of memory, of a twin
	own    *budget.Account // of a twin
}

// Usage returns how much of the memory for clients is in use now.
func (m *Memory) Usage() Usage { return m.cfg.Quotas.Memory.Usage() }

// client is who has a net: its session, or the connection over which it has come.
func (n *Net) client(connection string) (name string, quota int64) {
	q := &n.nets.cfg.Quotas
	switch {
	case n.session != nil:
		return fmt.Sprintf("session %q", n.session.name), q.Session
	case connection != "":
		return fmt.Sprintf("connection %q", shorten(connection)), q.Connection
	}
	return "", 0
}

const (
	netBytes     = 12 << 10 // of a net besides text and program: figures, and what has become of it
	loadingBytes = 64 << 10 // of loading, however short the text is
	bytesOfPiece = 900      // of loading, for each sign after a name and each tag: a piece of a tree, and something to compile
	textCopies   = 2        // of the text, while it is read
	twinBytes    = 8 << 20  // of a simulated cell without nets

	keptText      = 16 << 10 // of a rejected net
	reasonBytes   = 256      // of a reason, besides its texts
	rejectedBytes = 8 << 20  // of all rejected nets
)

// loading is how many bytes it takes at most to read a net and to compile it.
func loading(text string) int64 {
	pieces := strings.Count(text, "=") + strings.Count(text, "<")
	return loadingBytes + textCopies*int64(len(text)) + bytesOfPiece*int64(pieces)
}

// short turns the refusal of memory into one with a place.
func (m *Memory) short(place string, err error) error {
	var exceeded *budget.ExceededError
	if errors.As(err, &exceeded) {
		return refuse(ErrMemory, place, "%s", exceeded.Reason())
	}
	return refuse(ErrMemory, place, "%v", err)
}

// accountOf opens the account of a net or of something like it.
func (m *Memory) accountOf(name, client string, quota int64) *budget.Account {
	return m.cfg.Quotas.Memory.Open(name+m.beside, client, quota)
}

// isShort reports whether there was not enough memory.
func isShort(err error) bool { return errors.As(err, new(*budget.ExceededError)) }

// keepPhases accounts for the phases that a net keeps, once.
func (n *Net) keepPhases() error {
	n.nets.mu.Lock()
	defer n.nets.mu.Unlock()
	if n.phases {
		return nil
	}
	err := n.account.Take(budget.Recordings, sched.PhasesBytes)
	if isShort(err) {
		return n.nets.memory.short(n.place(), err)
	}
	n.phases = err == nil // else the net has gone
	return nil
}

// borrow accounts for messages of another net: they stay as long as this one, whatever becomes of the other.
func (l *lender) borrow(messages any, bytes int64) error {
	if l.borrowed[messages] {
		return nil
	}
	if err := l.net.account.Take(budget.Values, bytes); err != nil {
		return err
	}
	if l.borrowed == nil {
		l.borrowed = map[any]bool{}
	}
	l.borrowed[messages] = true
	return nil
}

// WithTree calls use with the tree of the net's text. The tree is accounted for until use returns.
func (n *Net) WithTree(use func(root *grammar.Node) error) error {
	text := n.Text()
	done, err := n.nets.prepare("tree of "+n.name, text)
	if err != nil {
		return err
	}
	defer done()
	// It is written out in full, so that it may be just longer or deeper than a limit that it has passed.
	root, err := grammar.ParseNet(text, grammar.Limits{Bytes: len(text), Depth: len(text), Primitives: len(text), Ports: len(text)})
	if err != nil {
		return err
	}
	return use(root)
}

// prepare finds room for reading a text.
func (ns *Nets) prepare(what, text string) (done func(), err error) {
	leave, err := ns.enterLoading()
	if err != nil {
		return nil, err
	}
	account := ns.memory.accountOf(what, "", 0)
	if err := account.Take(budget.Loading, loading(text)); err != nil {
		account.Close()
		leave()
		return nil, ns.memory.short(what, err)
	}
	return func() {
		account.Close()
		leave()
	}, nil
}

// enterLoading waits until a net can be loaded.
func (ns *Nets) enterLoading() (leave func(), err error) {
	leave, err = ns.loads.enter(ns.life)
	if err != nil && ns.life.Err() != nil {
		return nil, refuse(ErrClosed, "net", "")
	}
	return leave, err
}

// Receiving is a message of a client that is being received, and then answered.
type Receiving struct {
	memory  *Memory
	account *budget.Account
	place   string
}

// Receive opens an account for a message of a client. The caller closes it.
func (m *Memory) Receive(client string) *Receiving {
	place := fmt.Sprintf("message of %s", client)
	return &Receiving{m, m.accountOf(place, "", 0), place}
}

// Take accounts for bytes before they are allocated. Its error is an ErrMemory.
func (in *Receiving) Take(bytes int) error {
	if err := in.account.Take(budget.Requests, int64(bytes)); err != nil {
		return in.memory.short(in.place, err)
	}
	return nil
}

// Done gives back the bytes taken. More messages of the client may follow.
func (in *Receiving) Done() { in.account.Give(budget.Requests, math.MaxInt64) }

// Close gives everything back and ends the account.
func (in *Receiving) Close() { in.account.Close() }

// gate lets few in at a time and some wait: together they bound what all clients can occupy at once.
type gate struct {
	what    string
	places  chan struct{} // one for each that goes on
	waiting chan struct{} // and one for each that goes on or waits
	closed  chan struct{}
}

func newGate(what string, atOnce, waiting int) gate {
	return gate{what, make(chan struct{}, atOnce), make(chan struct{}, atOnce+waiting), make(chan struct{})}
}

// enter waits for a place; leave gives it back.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.waiting <- struct{}{}:
	default:
		return nil, refuse(ErrBusy, g.what, "%d are running or waiting; try again a little later", cap(g.waiting))
	}
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places; <-g.waiting }, nil
	case <-g.closed:
		err = refuse(ErrClosed, g.what, "")
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-g.waiting
	return nil, err
}

// close lets nobody in any more and returns when the last one has left, or when ctx is done.
func (g *gate) close(ctx context.Context) {
	close(g.closed)
	for range cap(g.places) {
		select {
		case g.places <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}
