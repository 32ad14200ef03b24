package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Options of a connection that is kept. Zero fields stand for the defaults.
type Options struct {
	FirstPause   time.Duration // before it is tried again to connect, 50 ms; each further one is twice as long
	LongestPause time.Duration // 5 s
	Patience     time.Duration // with one attempt to connect, 10 s

	// Tell receives the events of the connection, in order. It is called by a goroutine of the connection and must neither block nor
	// call commands.
	Tell func(Event)
}

func (o Options) orDefault() Options {
	or := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	or(&o.FirstPause, 50*time.Millisecond)
	or(&o.LongestPause, 5*time.Second)
	or(&o.Patience, 10*time.Second)
	if o.Tell == nil {
		o.Tell = func(Event) {}
	}
	return o
}

// Event is something that happens to a connection.
type Event struct {
	What  EventKind
	Cause error // of Lost and Failed
}

// EventKind says what has happened.
type EventKind string

// Events of a connection.
const (
	Lost      EventKind = "lost"      // it broke; it is tried to connect again
	Failed    EventKind = "failed"    // an attempt failed
	Back      EventKind = "back"      // there is one again, with all subscriptions
	Restarted EventKind = "restarted" // before Back: it is another daemon, or was started again; nets, rules and sessions are gone
)

// Daemon is a connection to a daemon that comes back when it is lost.
//
// While there is none, every command fails at once with a *LostError: a motion must not begin when the cable is put
// back. Nets go on. Await waits for the connection. A command whose answer did not come fails with Sent.
type Daemon struct {
	address *url.URL
	opt     Options
	http    *http.Client

	stop context.Context // done with Close
	end  context.CancelFunc
	over chan struct{} // closed when its goroutine has ended

	mu      sync.Mutex
	client  *Client
	ready   bool          // all subscriptions are made
	changed chan struct{} // closed and replaced when ready changes
	subs    []*subscription
}

// subscription is something that is subscribed to again with every new connection.
type subscription struct {
	command  string
	params   []any
	instance string // in which its parameters mean something; all know what has none
	begin    func() // earlier messages may be out of date; nil if that does not matter
	tell     func(m Message) (more bool)
	gone     func(cause error) // the subject does not exist any more
}

// ErrRestarted is returned for something that belonged to a daemon that has ended, or was restarted since.
var ErrRestarted = errors.New("the daemon was started again")

// Keep connects to the daemon at an address of HTTP (Address), and connects again whenever the connection is
// lost, until Close. The context is that of connecting for the first time.
func Keep(ctx context.Context, address string, opt Options) (*Daemon, error) {
	c, err := Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	u, err := Address(address)
	if err != nil {
		return nil, err // it was dialled
	}
	d := &Daemon{
		address: u, opt: opt.orDefault(), http: &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}},
		over: make(chan struct{}), client: c, ready: true, changed: make(chan struct{}),
	}
	d.stop, d.end = context.WithCancel(context.Background())
	go d.keep(c)
	return d, nil
}

// Close ends the connection for good. Nets, rules and sessions live on. It may be called twice, but not by Tell.
func (d *Daemon) Close() {
	d.end()
	<-d.over
}

// keep replaces the connection whenever it ends.
func (d *Daemon) keep(c *Client) {
	defer close(d.over)
	defer d.http.CloseIdleConnections()
	defer d.farewell()
	for {
		select {
		case <-c.Done():
		case <-d.stop.Done():
			c.Close()
			return
		}
		if d.stop.Err() != nil {
			return
		}
		d.setReady(false)
		d.opt.Tell(Event{What: Lost, Cause: c.reason()})
		next := d.again()
		if next == nil {
			return
		}
		d.replace(c, next)
		c = next
	}
}

// farewell ends all subscriptions.
func (d *Daemon) farewell() {
	d.mu.Lock()
	subs := d.subs
	d.subs = nil
	d.mu.Unlock()
	d.setReady(false)
	for _, s := range subs {
		s.gone(ErrClosed)
	}
}

// again tries to connect until that succeeds; nil when the daemon is to be left alone.
func (d *Daemon) again() *Client {
	for pause := d.opt.FirstPause; ; pause = min(2*pause, d.opt.LongestPause) {
		// Applications that have lost the same daemon do not come back all at once.
		wait := time.NewTimer(pause/2 + rand.N(pause/2+1))
		select {
		case <-wait.C:
		case <-d.stop.Done():
			wait.Stop()
			return nil
		}
		ctx, cancel := context.WithTimeout(d.stop, d.opt.Patience)
		c, err := Dial(ctx, d.address.String())
		cancel()
		if err == nil {
			return c
		}
		if d.stop.Err() != nil {
			return nil
		}
		d.opt.Tell(Event{What: Failed, Cause: err})
	}
}

// replace takes a new connection into use.
func (d *Daemon) replace(old, c *Client) {
	d.mu.Lock()
	d.client = c
	subs := slices.Clone(d.subs)
	d.mu.Unlock()
	if old.instance != c.instance {
		d.opt.Tell(Event{What: Restarted})
	}
	for _, s := range subs {
		if len(s.params) > 0 && s.instance != c.instance {
			d.drop(s)
			s.gone(ErrRestarted)
			continue
		}
		if d.renew(c, s) != nil {
			return // it is lost again
		}
	}
	d.setReady(true)
	d.opt.Tell(Event{What: Back})
}

// renew subscribes again. That the daemon refuses it means that there is nothing to subscribe to any more.
func (d *Daemon) renew(c *Client, s *subscription) error {
	w, err := d.send(d.stop, c, s)
	if err == nil {
		_, err = c.finish(d.stop, w, s.command)
	}
	var refused *RefusedError
	if errors.As(err, &refused) {
		d.drop(s)
		s.gone(refused)
		return nil
	}
	return err
}

func (d *Daemon) send(ctx context.Context, c *Client, s *subscription) (*call, error) {
	if s.begin != nil {
		s.begin()
	}
	return c.begin(ctx, d.listener(s), s.command, s.params)
}

// listener receives the messages of a subscription, and forgets it after the last one.
func (d *Daemon) listener(s *subscription) func(Message) bool {
	return func(m Message) bool {
		more := s.tell(m)
		if !more {
			d.drop(s)
		}
		return more
	}
}

func (d *Daemon) drop(s *subscription) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subs = slices.DeleteFunc(d.subs, func(have *subscription) bool { return have == s })
}

func (d *Daemon) setReady(ready bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ready != ready {
		d.ready = ready
		close(d.changed)
		d.changed = make(chan struct{})
	}
}

// Await waits until there is a connection with all its subscriptions.
func (d *Daemon) Await(ctx context.Context) error {
	for {
		d.mu.Lock()
		ready, changed := d.ready && d.client.Err() == nil, d.changed
		d.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-d.stop.Done():
			return &LostError{Cause: ErrClosed}
		}
	}
}

// current returns the connection that there is.
func (d *Daemon) current() (*Client, error) {
	if d.stop.Err() != nil {
		return nil, &LostError{Cause: ErrClosed}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.client, nil
}

// Call sends a command of the protocol.
func (d *Daemon) Call(ctx context.Context, command string, params ...any) ([]any, error) {
	c, err := d.current()
	if err != nil {
		return nil, err
	}
	return c.Call(ctx, command, params...)
}

// name sends a command that is answered with a name.
func (d *Daemon) name(ctx context.Context, c *Client, command string, params ...any) (string, error) {
	answer, err := c.Call(ctx, command, params...)
	if err != nil {
		return "", err
	}
	if len(answer) > 0 {
		if name, ok := answer[0].(string); ok {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: an answer without a name", command)
}

// subscribe sends a subscription to something that is known by its name on a connection. It is on record from then on: when the
// connection is lost before the answer, the next one renews it. The answer is waited for by the function that is returned.
func (d *Daemon) subscribe(ctx context.Context, knownOn *Client, s *subscription) (answered func() error) {
	s.instance = knownOn.instance
	d.mu.Lock()
	c := d.client
	d.subs = append(d.subs, s)
	d.mu.Unlock()
	var w *call
	var err error
	if c.instance == s.instance {
		w, err = d.send(ctx, c, s)
	} else {
		err = ErrRestarted
	}
	return func() error {
		if err == nil {
			_, err = c.finish(ctx, w, s.command)
		}
		if err != nil && !errors.As(err, new(*LostError)) {
			d.drop(s)
		}
		return err
	}
}
