package sched

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Policy decides what happens to a net whose cycle took longer than its period.
type Policy uint8

// The policies. Missed ticks are always skipped, never made up for.
const (
	CountOverruns  Policy = iota // the net goes on with the next tick
	AbortOverruns                // the net is ended, with Overrun as cause
	IgnoreOverruns               // the overrun is not counted
)

// Config configures a scheduler. A zero field means its default.
type Config struct {
	Clock     rt.Clock // rt.NewReal
	Slots     int      // nets at a time, 1024
	Residents int      // programs at a time that are resident (Options), 256
	Rules     int      // rules that have not been decided yet, 4096
	Resources int      // of all admitted nets, 4096
	Probes    int      // at a time, 256
	Overrun   Policy
	Share     Share         // of each CPU that nets may take (ADR 0034); zero for no limit
	CPUs      []int         // on which executors run, one for each period, class and CPU; empty for any CPU
	Threads   *Threads      // of executors on the real clock; nil leaves them ordinary goroutines
	Linger    time.Duration // how long an executor without nets stays, 10 s

	// Outside returns the time that CPUs spend on interrupts and hosts; nil stands for what the system knows. In virtual time, where cycles take no time,
	// they take what Options.Cost says when it is given.
	Outside Outside

	// OnEvent is called by one goroutine, in the order in which things happened. It must not wait for the scheduler.
	OnEvent func(Event)
	// OnBegun is called by the same goroutine when a net has completed its first cycle, unless it ended with it.
	OnBegun func(Ref)
}

// Scheduler runs admitted nets.
type Scheduler struct {
	config  Config
	clock   rt.Clock
	real    *rt.Real    // or nil
	virtual *rt.Virtual // or nil

	outside  Outside
	system   *rt.Outside // if that is it
	pretends bool        // in virtual time cycles take what nets are said to cost

	// word counts decisions in its low bits and begun ticks in its high bits.
	word atomic.Uint64
	now  atomic.Int64 // virtual time: all ticks up to here have been done
	turn atomic.Int32 // who has come to take the turn

	overdue  atomic.Bool // the turn was given away although some had come
	draining atomic.Bool // nothing starts any more
	turnState

	accounts  table[account] // by executor, then by CPU
	overloads recent         // written in the turn

	slots     table[slot]
	executors [maxExecutors]atomic.Pointer[executor]
	used      atomic.Int32 // executors that have ever been there at a time

	commands [maxCommands]command
	queue    [maxCommands]uint32 // of commands
	queued   atomic.Uint64
	taken    atomic.Uint64
	rules    table[ruleEntry]
	probes   table[probe]

	notes     ring[note]
	noted     atomic.Uint64
	bell      *rt.Bell
	delivered chan struct{}

	poke         chan struct{} // to the driver of virtual time
	loops        sync.WaitGroup
	freeCommands chan uint32

	mu sync.Mutex
	goroutineState
}

// goroutineState is guarded by the mutex, which the cycle does not know.
type goroutineState struct {
	closed        bool
	living        int // executors of the real clock
	freeSlots     []uint32
	freeResidents []uint32
	freeRules     []uint32
	freeProbes    []uint32
	probeOf       map[ProbeID]uint32 // places of probes
	lanes         []*lane            // the table of §8.3, oldest first
	lastLane      int
	costs         map[uint64]int64       // of a cycle, by the shape of nets that have ended
	looping       map[*executor]struct{} // executors of the real clock whose loops have not ended
	retired       []retired
	incidents     [maxExecutors]*incidents   // by the place of their executors
	resources     map[device.Resource]uint32 // numbers of those that admitted nets need
	names         []namedResource            // by number
}

type namedResource struct {
	device.Resource
	nets int
}

const (
	maxExecutors = 64
	maxCommands  = 64
)

// New returns a scheduler without nets.
func New(c Config) (*Scheduler, error) {
	c.Residents = cmp.Or(c.Residents, 256)
	c.Slots = c.Residents + cmp.Or(c.Slots, 1024) // from here on those of residents count too, and come first
	c.Rules = cmp.Or(c.Rules, 4096)
	c.Resources = cmp.Or(c.Resources, 4096)
	c.Probes = cmp.Or(c.Probes, 256)
	c.Linger = cmp.Or(c.Linger, 10*time.Second)
	if c.Clock == nil {
		c.Clock = rt.NewReal()
	}
	bell, err := rt.NewBell()
	if err != nil {
		return nil, fmt.Errorf("scheduler: %w", err)
	}
	s := &Scheduler{
		config: c, clock: c.Clock, bell: bell,
		accounts: table[account]{of: newAccounts(&c)}, slots: newTable[slot](c.Slots), rules: newTable[ruleEntry](c.Rules), probes: newTable[probe](c.Probes),
		notes:     newRing[note](notesPerSlot*c.Slots + c.Rules + c.Probes + maxCommands + 1),
		delivered: make(chan struct{}), poke: make(chan struct{}, 1),
		freeCommands: make(chan uint32, maxCommands),
	}
	s.real, _ = c.Clock.(*rt.Real)
	s.virtual, _ = c.Clock.(*rt.Virtual)
	s.observe()
	s.turnState = newTurnState(&c)
	s.observer.of = s.outside
	s.goroutineState = newGoroutineState(&c)
	for i := range uint32(maxCommands) {
		s.freeCommands <- i
	}
	for i := range s.slots.of {
		s.slots.of[i].generation = 1
	}
	guard.Go("events", s.deliver)
	if s.virtual != nil {
		s.now.Store(s.virtual.Now())
		s.virtual.Drive()
		guard.In(&s.loops, "virtual time", s.drive)
	}
	return s, nil
}

func newGoroutineState(c *Config) goroutineState {
	g := goroutineState{
		looping:   map[*executor]struct{}{},
		costs:     map[uint64]int64{},
		probeOf:   map[ProbeID]uint32{},
		resources: map[device.Resource]uint32{},
		names:     make([]namedResource, c.Resources),
	}
	for i := c.Slots; i > c.Residents; i-- {
		g.freeSlots = append(g.freeSlots, uint32(i-1))
	}
	for i := c.Residents; i > 0; i-- {
		g.freeResidents = append(g.freeResidents, uint32(i-1))
	}
	for i := c.Rules; i > 0; i-- {
		g.freeRules = append(g.freeRules, uint32(i-1))
	}
	for i := c.Probes; i > 0; i-- {
		g.freeProbes = append(g.freeProbes, uint32(i-1))
	}
	return g
}

// observe finds who tells what CPUs do for no thread.
func (s *Scheduler) observe() {
	switch s.outside = s.config.Outside; {
	case s.outside != nil:
		s.pretends = s.virtual != nil
	case s.real == nil:
		s.outside = new(undisturbed)
	default:
		s.system = rt.NewOutside()
		s.outside = s.system
	}
}

// Close ends all nets after their current tick, reports the events of that and stops all goroutines. It returns
// early, with the error of ctx, when an executor does not come to the end of its tick.
func (s *Scheduler) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.closed = true
	for i := range s.executors {
		if x := s.executors[i].Load(); x != nil {
			x.dismiss()
		}
	}
	s.mu.Unlock()
	s.wakeDriver()
	ended := make(chan struct{})
	guard.Go("end of the scheduler", func() {
		s.loops.Wait()
		s.pass()
		s.halt()
		<-s.delivered
		_ = s.bell.Close()
		if s.system != nil {
			_ = s.system.Close()
		}
		close(ended)
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ended:
	}
	return nil
}

// Settle returns when OnEvent has been called for all decisions so far.
func (s *Scheduler) Settle(ctx context.Context) error { return s.Switch(ctx, Switch{}) }
