package robotics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/directio/client"
	"github.com/softrobot-rcc/rccd/robotics/graph"
)

// Runtime executes commands on a daemon. It may be used by any number of goroutines.
type Runtime struct {
	daemon    *client.Daemon
	catalogue *graph.Catalogue
	cycle     time.Duration
	keep      bool
	tell      func(client.Event)
	models    models

	life context.Context // of the connection
	end  context.CancelFunc
	work sync.WaitGroup // goroutines of handles

	mu       sync.Mutex
	override float64
	running  map[*Handle]bool
	report   graph.Report

	patience time.Duration // how long a call that has given up waits for a daemon that does not answer
}

// Option is an option of Connect.
type Option func(*Runtime)

// Cycle returns the cycle time of commands; the daemon decides if nothing is said.
func Cycle(d time.Duration) Option { return func(r *Runtime) { r.cycle = d } }

// Catalogue returns the primitives that nets may consist of, if they are more than those that come with the daemon.
func Catalogue(c *graph.Catalogue) Option { return func(r *Runtime) { r.catalogue = c } }

// Keep makes the daemon keep commands that have ended, for inspection (/nets/). Otherwise it forgets them.
func Keep() Option { return func(r *Runtime) { r.keep = true } }

// OnConnection sets a function that receives the events of the connection, which comes back by itself after a loss. The function must
// neither block nor use the runtime.
func OnConnection(tell func(client.Event)) Option { return func(r *Runtime) { r.tell = tell } }

// Connect connects with the daemon at an address, such as http://127.0.0.1:8080, or 127.0.0.1:8080 for short. The context is
// that of connecting.
func Connect(ctx context.Context, address string, options ...Option) (*Runtime, error) {
	r := &Runtime{catalogue: graph.Standard(), override: 1, running: map[*Handle]bool{}, patience: patience}
	for _, o := range options {
		if o != nil {
			o(r)
		}
	}
	if r.cycle < 0 || r.cycle > 0 && r.cycle < time.Microsecond { // of which the daemon counts whole ones
		return nil, fmt.Errorf("a cycle of %v: %w (at least 1µs)", r.cycle, ErrDuration)
	}
	if r.catalogue == nil {
		r.catalogue = graph.Standard()
	}
	d, err := client.Keep(ctx, address, client.Options{Tell: r.hear})
	if err != nil {
		return nil, err
	}
	r.daemon = d
	r.life, r.end = context.WithCancel(context.WithoutCancel(ctx))
	return r, nil
}

// hear receives the events of the connection. Another daemon has other devices.
func (r *Runtime) hear(e client.Event) {
	if e.What == client.Restarted {
		r.models.forget()
	}
	if r.tell != nil {
		r.tell(e)
	}
}

// Close stops listeners and ends the connection. Commands that are being executed go on, nothing more is heard of them, and the daemon
// forgets them when they have ended; those that were loaded and not started stay. It waits for functions of External and listeners that
// are being called.
func (r *Runtime) Close() {
	r.end()
	r.work.Wait()
	r.daemon.Close()
}

// Daemon returns the connection, for all that is not about commands.
func (r *Runtime) Daemon() *client.Daemon { return r.daemon }

// Execute executes a command as long as ctx lasts. When that ends, as by Ctrl-C, the command is cancelled, and Execute waits until it
// has ended; the error reports both. A command that is to outlive what has started it is begun by Start.
//
// While the connection is lost nothing can be cancelled. After some seconds Execute then returns with an *UncontrolledError: the robot
// may still move, and is cancelled as soon as the connection is back, unless the runtime is closed before.
func (r *Runtime) Execute(ctx context.Context, c Command) error {
	h, err := r.Start(ctx, c)
	if h == nil {
		return err
	}
	if err != nil {
		return errors.Join(err, r.stop(h))
	}
	select {
	case <-h.Done():
		return h.Wait(context.WithoutCancel(ctx))
	case <-ctx.Done():
		return errors.Join(context.Cause(ctx), r.stop(h))
	}
}

// Start starts a command, which is in its first cycle when Start returns. That takes two exchanges with the daemon. Before joints are
// commanded for the first time their models are compared with their devices (ErrModel).
//
// When the connection is lost on the way, the outcome of the command is unknown. If its name is known there is a handle
// beside the error, and knows as soon as the connection is back.
func (r *Runtime) Start(ctx context.Context, c Command) (*Handle, error) {
	return r.give(ctx, c, r.daemon.Run)
}

// Load gives a command to the daemon, which does not execute it before Handle.Start or a rule (Synchronize).
func (r *Runtime) Load(ctx context.Context, c Command) (*Handle, error) {
	h, err := r.give(ctx, c, r.daemon.Load)
	if h != nil {
		h.waits.Store(true)
	}
	return h, err
}

// give maps a command and hands the net over.
func (r *Runtime) give(
	ctx context.Context, c Command, to func(context.Context, string, client.NetOptions) (*client.Net, error),
) (*Handle, error) {
	p, err := Map(c, r.catalogue)
	if err == nil {
		err = p.among(c, nil)
	}
	if err == nil {
		err = r.check(ctx, p.joints)
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	override := r.override
	r.mu.Unlock()
	o := client.NetOptions{Description: c.String(), Cycle: r.cycle}
	if override != 1 {
		if o.Inputs, err = inputs(overrideKey, override); err != nil {
			return nil, err
		}
	}
	release, err := refer(p.from)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", c, err)
	}
	n, err := to(ctx, p.Text, o)
	release()
	if n == nil {
		r.models.forget() // a device may be another one by now
		return nil, fmt.Errorf("%v: %w", c, err)
	}
	if err != nil && !lost(err) {
		r.drop(n)
		return nil, fmt.Errorf("%v: %w", c, err)
	}
	h := r.follow(n, p, c.String())
	r.mu.Lock()
	r.report = r.report.Plus(p.Report)
	changed := r.override != override
	override = r.override
	r.mu.Unlock()
	if changed && err == nil {
		err = h.SetOverride(ctx, override) // it was changed in the meantime
	}
	return h, err
}

// inputs are values for a net.
func inputs(key string, v any) (map[string]string, error) {
	text, err := client.Format(v)
	return map[string]string{"in" + key: text}, err
}

// SetOverride sets the speed of all motions, as a share of the planned speed from 0 to 1: of commands that are being executed and
// of those to come. All that can be informed are informed.
func (r *Runtime) SetOverride(ctx context.Context, share float64) error {
	if err := checkOverride(share); err != nil {
		return err
	}
	r.mu.Lock()
	r.override = share
	var running []*Handle
	for h := range r.running {
		running = append(running, h)
	}
	r.mu.Unlock()
	var problems []error
	for _, h := range running {
		if err := h.SetOverride(ctx, share); err != nil && !errors.Is(err, client.ErrUnloaded) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// Report sums up what the optimiser has done to the nets of all commands that the daemon was given; Handle.Report covers one.
func (r *Runtime) Report() graph.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.report
}

// Program is a command that has become a net.
type Program struct {
	Text   string       // as the daemon takes it
	Report graph.Report // what the optimiser has done
	program
}

type program struct {
	externals []external
	faults    []faultKey
	cut       []cutKey  // in rehearsals
	joints    []Jointed // that are commanded
	inputs    map[string]bool
	tokens    map[string]bool // that are given
	handOver  map[string]bool // devices that may be taken over
	from      []*Handle       // commands that it takes over from
	paced     bool            // it passes as fast as the override says
	failed    string          // variable that is true when the command has failed; empty if it cannot
}

// The variables that are true when a command has failed, and in its last cycle.
const (
	failedKey = "failed"
	endedKey  = "ended"
)

// Map maps a command to a net of primitives of a catalogue (§10.2), and makes it small (§10.2.7). The error says all that is wrong
// with the command.
func Map(c Command, catalogue *graph.Catalogue) (*Program, error) { return programOf(c, catalogue) }

func programOf(c Command, catalogue *graph.Catalogue, also ...func(*builder)) (*Program, error) {
	large, p, err := netOf(c, catalogue, also...)
	if err != nil {
		return nil, err
	}
	small, report, err := large.Optimise()
	if err != nil {
		return nil, err
	}
	text, err := small.Text()
	if err != nil {
		return nil, err
	}
	p.paced = graph.Reads(small, overrideKey)
	return &Program{text, report, p}, nil
}

// netOf maps a command to a net as large as the mapping makes it.
func netOf(c Command, catalogue *graph.Catalogue, also ...func(*builder)) (*graph.Graph, program, error) {
	if catalogue == nil {
		catalogue = graph.Standard()
	}
	b := newBuilder(catalogue)
	root := b.root(c)
	for _, do := range also {
		do(b)
	}
	p := program{}
	if root != nil {
		graph.Publish(b.m.Graph, endedKey, b.end)
		if !root.failed.Open() {
			graph.Publish(b.m.Graph, failedKey, root.failed)
			p.failed = "out" + failedKey
		}
	}
	err := b.m.End()
	p.externals, p.faults, p.cut, p.joints = b.externals, b.faults, b.cut, DevicesOf(b.m).all
	p.handOver, p.from = DevicesOf(b.m).handOver, DevicesOf(b.m).from
	p.inputs, p.tokens = inputsOf(b.m).keys, tokensOf(b.m).names
	return b.m.Graph, p, err
}
