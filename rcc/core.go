// Package rcc is the robot control core behind every front end: it manages nets, sessions, rules and devices, and
// informs observers (the Registry of §7.1).
//
// A front end holds a *Core, or of its parts those that it needs: Nets, Rules, Sessions, Devices and so on. Nets, sessions
// and rules have names that are global to the process and never reused. Everything here runs in ordinary goroutines; the
// cycle belongs to package sched, to which this package only sends commands, and from which it receives events.
//
// Observers are never called back. They get a bell from Changes.Watch, and when it rings they read what they are interested in: the
// transitions of a net since their last look (Net.Since), its values, the states of rules and devices. So a slow observer does not
// slow anything down.
package rcc

import (
	"cmp"
	"crypto/rand"
	"math"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/budget"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/number"
	"github.com/softrobot-rcc/rccd/rcc/sched"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// Config configures a core.
type Config struct {
	Catalogue    *spec.Catalogue // all primitives that are built in
	DeviceTypes  []device.Type
	Interfaces   []device.InterfaceType
	Extensions   []string          // those of the built-in ones that are loaded from the start; all when nil
	Folder       *extension.Folder // of users' extensions, which Close closes; nil for none
	Version      string            // of what is built in
	Clock        rt.Clock
	Claims       *device.Claims // of a cell that is only checked: its devices open nothing; nil otherwise
	DefaultCycle time.Duration  // 2 ms when zero
	MinCycle     time.Duration  // shortest cycle time of a net, 100 µs when zero
	MaxCycle     time.Duration  // longest, 1 min when zero
	MaxNets      int            // 1024 when zero
	MaxBytes     int            // text of all nets together, 128 MiB when zero
	MaxSessions  int            // 1000 when zero
	MaxDevices   int            // 1024 when zero
	Limits       grammar.Limits
	Rest         time.Duration // how long devices may take to come to rest when they are closed, 5 s when zero
	NeedStop     bool          // devices are stopped unless a net is connected to the emergency stop
	Numbers      *number.Book  // gives those of nets, sessions and rules; nil: they start from 0
	Debug        Debugging
	Probes       Probing
	Quotas       Quotas
	Log          *zap.Logger
	Sched        sched.Config // Clock, Slots and OnEvent are filled in here
}

// Core is a running robot control core. It consists of parts, each of which is usable on its own. A part knows only those that stand
// before it here. All methods of all parts may be called from any goroutine.
type Core struct {
	*ground

	Changes    *Changes
	Clock      *Clock
	Memory     *Memory
	Sessions   *Sessions
	Devices    *Devices
	Cell       *Cell
	Nets       *Nets
	Rules      *Rules
	Executors  *Executors
	Extensions *Extensions

	instance string // by chance
}

// New starts a core. Close ends it.
func New(cfg Config) (*Core, error) { return newCore(cfg, nil) }

// newCore starts a core in a world, nil for that of its configuration.
func newCore(cfg Config, w *world) (*Core, error) {
	cfg = cfg.orDefault()
	c := &Core{ground: newGround(cfg), instance: rand.Text()}
	worlds := &worlds{}
	c.Changes, c.Clock, c.Memory, c.Sessions = &Changes{c.ground}, &Clock{c.ground}, &Memory{ground: c.ground}, &Sessions{ground: c.ground}
	devices, err := newDevices(c.ground, worlds)
	if err != nil {
		return nil, err
	}
	c.Devices = devices
	c.Cell = newCell(c.ground, c.Devices)
	c.Nets = newNets(c.ground, worlds, c.Memory, c.Sessions, c.Devices)
	c.Rules = &Rules{ground: c.ground, nets: c.Nets}
	c.Executors = &Executors{c.ground, c.Devices, c.Nets}
	c.Extensions = newExtensions(c.ground, worlds, c.Devices, c.Nets)
	if w != nil {
		worlds.Store(w)
	} else if err := c.Extensions.firstWorld(); err != nil {
		return nil, err
	}
	cfg.Sched.Clock, cfg.Sched.Slots, cfg.Sched.OnEvent, cfg.Sched.OnBegun = cfg.Clock, cfg.MaxNets, c.onEvent, c.onBegun
	c.sched, err = sched.New(cfg.Sched)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c Config) orDefault() Config {
	c.DefaultCycle = cmp.Or(c.DefaultCycle, 2*time.Millisecond)
	c.MinCycle = cmp.Or(c.MinCycle, 100*time.Microsecond)
	c.MaxCycle = cmp.Or(c.MaxCycle, time.Minute)
	c.MaxNets = cmp.Or(c.MaxNets, 1024)
	c.MaxBytes = cmp.Or(c.MaxBytes, 128<<20)
	c.MaxSessions = cmp.Or(c.MaxSessions, 1000)
	c.MaxDevices = cmp.Or(c.MaxDevices, 1024)
	c.Rest = cmp.Or(c.Rest, 5*time.Second)
	c.Debug.Time = cmp.Or(c.Debug.Time, 2*time.Second)
	c.Debug.NetBytes = cmp.Or(c.Debug.NetBytes, 16<<20)
	c.Debug.Bytes = cmp.Or(c.Debug.Bytes, 64<<20)
	c.Probes.NetWords = cmp.Or(c.Probes.NetWords, 1024)
	c.Probes.Words = cmp.Or(c.Probes.Words, 8192)
	c.Probes.Bytes = cmp.Or(c.Probes.Bytes, 64<<20)
	c.Log = cmp.Or(c.Log, zap.NewNop())
	if c.Quotas.Memory == nil {
		c.Quotas.Memory = budget.New(math.MaxInt64)
	}
	if c.Clock == nil {
		c.Clock = rt.NewReal()
	}
	if c.Numbers == nil {
		c.Numbers = number.NewBook(number.First())
	}
	return c
}

// Instance returns a text that is different for each core. Names of nets, sessions and rules that another core has given are
// unknown to this one, or mean something else.
func (c *Core) Instance() string { return c.instance }

// onBegun hears that a net has published its first values.
func (c *Core) onBegun(ref sched.Ref) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.Nets.bySlot[ref]; n != nil {
		c.bells.begun(n)
	}
}

// onEvent hears what the cycle has done, in order.
func (c *Core) onEvent(e sched.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e.Kind {
	case sched.RuleFired, sched.RuleFailed, sched.RuleInactive:
		c.Rules.onEvent(e)
	case sched.ProbeGone:
		c.Nets.probeGone(e.Probe)
	default:
		if n := c.Nets.bySlot[e.Net]; n != nil {
			n.onEvent(e)
		} else if e.Kind == sched.NetGone {
			c.Devices.tickingGone(e.Net)
		}
	}
	c.ring()
}
