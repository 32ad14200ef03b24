package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// NetOptions say how a net is loaded. Zero fields stand for the defaults of the daemon.
type NetOptions struct {
	Session     *Session
	Description string
	Cycle       time.Duration
	NotRealtime bool          // it belongs to the nets that give way to others (§7.5)
	Refresh     time.Duration // how often values are sent, 20 ms; at least 10 ms

	Inputs map[string]string // what inputs are set to before it starts, by key with its prefix in
}

const usualRefresh = 20 * time.Millisecond

// Net is a net of a daemon, with its newest state and values.
type Net struct {
	Name string

	daemon   *Daemon
	instance string // in which the name is known
	subject
	states []State           // all that were reported, without repetition
	tick   Tick              // that has left the newest values
	values map[string]string // newest, by key with its prefix out
	counts map[string]int    // how many changes there were before each value
	count  int
	asked  atomic.Bool // to end, by this application
}

// ErrUnloaded is returned for a net that was unloaded.
var ErrUnloaded = errors.New("the net is unloaded")

// Load loads a net and subscribes to it. For a text with a syntax error the error is a *RefusedError, for a net that cannot run
// a *RejectedError.
//
// When the connection is lost before the daemon has said everything, the net is returned as well as a *LostError if it has got its
// name: it exists, and is watched again when the connection is back. When ctx ends before, the net is returned as well as the reason
// if the daemon answers within some seconds.
func (d *Daemon) Load(ctx context.Context, text string, opt NetOptions) (*Net, error) {
	return d.load(ctx, text, opt, false)
}

// Run loads a net and starts it, in two exchanges with the daemon altogether. When it cannot be started, it is returned as well
// as the reason.
func (d *Daemon) Run(ctx context.Context, text string, opt NetOptions) (*Net, error) {
	return d.load(ctx, text, opt, true)
}

func (d *Daemon) load(ctx context.Context, text string, opt NetOptions, start bool) (*Net, error) {
	c, err := d.current()
	if err == nil {
		err = opt.Session.there(c)
	}
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A net whose name no client knows would stay for ever.
	asked := ctx
	ctx, cancel := graceful(asked)
	defer cancel()
	class := 1
	if opt.NotRealtime {
		class = 0
	}
	name, err := d.name(ctx, c, "nene", text, opt.Session.name(), opt.Description, opt.Cycle.Seconds(), class)
	if err != nil {
		return nil, cmp.Or(asked.Err(), err)
	}
	n := d.newNet(name, c)
	watched := n.subscribe(ctx, c, opt.Refresh)
	prepared := n.prepare(ctx, c, opt.Inputs, start && asked.Err() == nil)
	if err := watched(); err != nil {
		return n, err
	}
	if n.State() == Rejected {
		return nil, d.rejected(ctx, c.instance, name)
	}
	return n, errors.Join(n.explain(ctx, prepared()), asked.Err())
}

// grace is how long the name of a net is waited for when the context has ended that it was to be loaded in.
const grace = 5 * time.Second

// graceful returns a context that ends a while after another one.
func graceful(ctx context.Context) (later context.Context, cancel context.CancelFunc) {
	later, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		wait := time.NewTimer(grace)
		defer wait.Stop()
		select {
		case <-wait.C:
			end()
		case <-later.Done():
		}
	})
	return later, func() {
		stop()
		end()
	}
}

func (d *Daemon) newNet(name string, on *Client) *Net {
	return &Net{
		Name: name, daemon: d, instance: on.instance, subject: newSubject(),
		values: map[string]string{}, counts: map[string]int{},
	}
}

// Net subscribes to a net that was loaded before; refresh zero is the usual one. With a *LostError it is returned as well, as by
// Load.
func (d *Daemon) Net(ctx context.Context, name string, refresh time.Duration) (*Net, error) {
	c, err := d.current()
	if err != nil {
		return nil, err
	}
	n := d.newNet(name, c)
	return n, n.subscribe(ctx, c, refresh)()
}

// subscribe sends the subscription and returns a function that waits for the answer.
func (n *Net) subscribe(ctx context.Context, c *Client, refresh time.Duration) (answered func() error) {
	if refresh == 0 {
		refresh = usualRefresh
	}
	return n.daemon.subscribe(ctx, c, &subscription{
		command: "gne", params: []any{n.Name, refresh.Seconds(), WithTicks}, tell: n.told, gone: n.gone,
	})
}

// prepare sends what comes before the first cycle, without waiting between the parts, and returns a function that waits for
// the answers.
func (n *Net) prepare(ctx context.Context, c *Client, inputs map[string]string, start bool) (answered func() error) {
	var commands []string
	var calls []*call
	send := func(command string, params ...any) error {
		w, err := c.begin(ctx, nil, command, params)
		if err == nil {
			commands, calls = append(commands, command), append(calls, w)
		}
		return err
	}
	var err error
	if len(inputs) > 0 {
		err = send("snc", n.settings(inputs)...)
	}
	if start && err == nil {
		err = send("nest", n.Name)
	}
	return func() error {
		all := []error{err}
		for i, w := range calls {
			_, err := c.finish(ctx, w, commands[i])
			all = append(all, err)
		}
		return errors.Join(all...)
	}
}

func (n *Net) settings(inputs map[string]string) []any {
	values := map[string]any{}
	for key, v := range inputs {
		values[key] = v
	}
	return []any{map[string]any{n.Name: values}}
}

// told takes a message about the net.
func (n *Net) told(m Message) (more bool) {
	more = true
	if len(m.Params) == 0 {
		return more
	}
	n.change(func() {
		switch v := m.Params[0].(type) {
		case string:
			n.enter(State(v))
			more = n.state() != Unloaded
		case map[string]any:
			for key, value := range v {
				if text, ok := value.(string); ok && m.Word == "nc" {
					n.set(key, text)
				}
			}
			n.tick = m.Tick()
		}
	})
	return more
}

// enter notes a state. A new subscription repeats the present one.
func (n *Net) enter(s State) {
	if n.state() != s {
		n.states = append(n.states, s)
	}
}

func (n *Net) set(key, text string) {
	if have, there := n.values[key]; there && have == text {
		return
	}
	n.count++
	n.values[key], n.counts[key] = text, n.count
}

func (n *Net) gone(cause error) {
	n.change(func() {
		if errors.As(cause, new(*RefusedError)) {
			n.enter(Unloaded) // while the connection was lost
			return
		}
		n.cause = cause
	})
}

func (n *Net) state() State {
	if len(n.states) == 0 {
		return Loading
	}
	return n.states[len(n.states)-1]
}

// State returns the newest known state.
func (n *Net) State() (s State) {
	n.read(func() { s = n.state() })
	return s
}

// Value returns the newest value of an output by its key with the prefix out; it is unknown before the net has written it.
func (n *Net) Value(key string) (text string, known bool) {
	n.read(func() { text, known = n.values[key] })
	return text, known
}

// Values returns the newest values of all outputs.
func (n *Net) Values() (values map[string]string) {
	n.read(func() { values = maps.Clone(n.values) })
	return values
}

// Tick returns the tick of the newest values; it is unknown before the first cycle, and from older daemons.
func (n *Net) Tick() (t Tick) {
	n.read(func() { t = n.tick })
	return t
}

// Wait waits until the net has reached one of some states, or has ended, and returns its state. States that it has passed in
// between count. The error is ErrRestarted if the daemon was restarted.
func (n *Net) Wait(ctx context.Context, states ...State) (reached State, err error) {
	err = n.await(ctx, func() (bool, error) {
		for _, s := range n.states {
			if slices.Contains(states, s) {
				reached = s
				return true, nil
			}
		}
		reached = n.state()
		return reached == Unloaded || reached.Over() && !slices.Contains(states, Unloaded), nil
	})
	return reached, err
}

// End waits until the net has ended, and returns how.
func (n *Net) End(ctx context.Context) (State, error) { return n.Wait(ctx) }

// WaitValue waits until an output has a value that meets a condition, and returns it.
func (n *Net) WaitValue(ctx context.Context, key string, wanted func(text string) bool) (text string, err error) {
	err = n.await(ctx, func() (bool, error) {
		v, known := n.values[key]
		if known && wanted(v) {
			text = v
			return true, nil
		}
		if n.state().Over() {
			return false, fmt.Errorf("net %s is %s before %s has the value", n.Name, n.state(), key)
		}
		return false, nil
	})
	return text, err
}

// Update is a change of a net.
type Update struct {
	State  State
	Values map[string]string // those that have changed since the update before
	Tick   Tick              // that has left them
}

// Updates yields the present state and values, and then every state and the newest values, until the net is unloaded, the context
// is done, the connection is closed or the daemon was started again. The values that belong to a state come with it or before. A slow
// reader misses values, but no state.
func (n *Net) Updates(ctx context.Context) iter.Seq[Update] {
	seen, count := -1, 0
	return follow(ctx, &n.subject, func() (u Update, found, last bool) {
		if seen < 0 {
			seen = max(0, len(n.states)-1)
		}
		if seen == len(n.states) && count == n.count {
			return u, false, false
		}
		u = Update{State: n.state(), Values: map[string]string{}}
		if seen < len(n.states) {
			u.State = n.states[seen]
			seen++
		}
		if seen == len(n.states) { // what is known of values is of now
			for key, at := range n.counts {
				if at > count {
					u.Values[key] = n.values[key]
				}
			}
			count, u.Tick = n.count, n.tick
		}
		return u, true, u.State == Unloaded
	})
}

// connection returns one on which the name means this net.
func (n *Net) connection() (*Client, error) {
	c, err := n.daemon.current()
	if err == nil {
		err = n.there(c)
	}
	return c, err
}

func (n *Net) there(c *Client) error {
	switch {
	case n.instance == "":
		return n.cause
	case n.instance != c.instance:
		return fmt.Errorf("net %s: %w", n.Name, ErrRestarted)
	case n.State() == Unloaded:
		return fmt.Errorf("net %s: %w", n.Name, ErrUnloaded)
	}
	return nil
}

func (n *Net) command(ctx context.Context, command string, params ...any) error {
	c, err := n.connection()
	if err == nil {
		_, err = c.Call(ctx, command, params...)
	}
	return err
}

// Start starts the net. It has its first cycle before Start returns.
func (n *Net) Start(ctx context.Context) error {
	return n.explain(ctx, n.command(ctx, "nest", n.Name))
}

// Cancel asks the net to end. It has no effect on a net that has ended.
func (n *Net) Cancel(ctx context.Context) error {
	n.asked.Store(true)
	return n.command(ctx, "neca", n.Name)
}

// CancelledByOthers reports whether the net was asked to end, and not by the methods of this net or a rule of this application: by another
// application, a person at the page of the daemon, or the daemon that was stopped.
func (n *Net) CancelledByOthers() (others bool) {
	n.read(func() { others = slices.Contains(n.states, Cancelling) })
	return others && !n.asked.Load()
}

// CancelRunning asks the net to end, and is refused if it does not run: it has not begun, has been asked already, or has ended.
func (n *Net) CancelRunning(ctx context.Context) error {
	n.asked.Store(true)
	if _, err := n.connection(); err != nil {
		return err
	}
	return n.daemon.post(ctx, place("nets", n.Name, "cancel"), nil)
}

// Abort ends the net at the next tick, whatever it is doing.
func (n *Net) Abort(ctx context.Context) error { return n.command(ctx, "neab", n.Name) }

// Unload forgets the net, one that runs as soon as it has ended.
func (n *Net) Unload(ctx context.Context) error { return n.command(ctx, "neun", n.Name) }

// Set sets inputs, by their keys with the prefix in. All of them arrive in the same cycle. Keys that the net does not have are
// passed over.
func (n *Net) Set(ctx context.Context, inputs map[string]string) error {
	return n.command(ctx, "snc", n.settings(inputs)...)
}
