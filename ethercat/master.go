package ethercat

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/clock"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Options are the options of a master. The zero value of a field stands for the default in its comment.
type Options struct {
	Link     link.Link      // it must be given
	Cycle    time.Duration  // 1 ms
	Rack     []Expected     // the slaves that there must be; any
	Sync     *Sync          // how clocks are used; not at all
	Answer   time.Duration  // how long frames of a cycle are waited for, at most the cycle less what the bus itself needs; half a cycle
	Patience int            // cycles for which inputs that do not come are held before they are invalid; 10
	Mailbox  time.Duration  // how long a mailbox may take to answer; 2 s
	Reply    time.Duration  // how long the answer to a frame that is not of the cycle is waited for before it is sent again; 20 ms
	Partial  bool           // slaves that cannot get to Op do not keep others from it: Tend goes on with them
	Record   *link.Recorder // keeps all frames; may be nil
	Epoch    int64          // time at the zero of the clock of the link, ns since 2000; 0
	// Sleep waits for about a duration, outside the cycle, by the clock of the machine.
	Sleep func(d time.Duration)
}

func (o *Options) complete() error {
	if o.Link == nil {
		return errors.New("ethercat: no link")
	}
	if o.Cycle <= 0 {
		o.Cycle = time.Millisecond
	}
	if o.Answer <= 0 {
		o.Answer = o.Cycle / 2
	}
	if o.Patience <= 0 {
		o.Patience = 10
	}
	if o.Mailbox <= 0 {
		o.Mailbox = 2 * time.Second
	}
	if o.Reply <= 0 {
		o.Reply = orderTime
	}
	if o.Sleep == nil {
		real, never := rt.NewReal(), &rt.Alarm{}
		o.Sleep = func(d time.Duration) { real.SleepUntil(real.Now()+int64(d), never) }
	}
	if o.Sync != nil {
		s := *o.Sync
		s.complete(o.Cycle)
		o.Sync = &s
	}
	return nil
}

// Master is one bus. Exchange belongs to the thread of the bus, Start, Stop and Tend to one goroutine, and what is marked with "any"
// to all goroutines, as are transfers with slaves.
type Master struct {
	options Options
	devices []Seat
	started int      // devices that know of slaves
	lenient bool     // while the bus starts: errors of slaves stay with them
	slaves  []*Slave // of Start and Tend
	shown   atomic.Pointer[[]*Slave]
	traffic *traffic
	cycle   *cycle
	count   counters

	asked     int    // slaves whose counters of errors have been read
	present   uint32 // slaves that have answered at the last look
	journal   sync.Mutex
	repairs   []Repair
	looking   sync.Mutex   // who looks at the process image
	talk      sync.Mutex   // who talks to slaves beside the cycle
	cyclic    atomic.Bool  // the thread of the bus owns the link
	leaving   atomic.Bool  // and is to give it back
	reference atomic.Int64 // position of the reference clock
	wide      atomic.Bool
}

// New makes a master (load).
func New(o Options) (*Master, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	m := &Master{options: o}
	m.cycle = &cycle{
		count: &m.count, period: int64(o.Cycle), answer: int64(o.Answer), patience: int64(o.Patience),
	}
	m.traffic = newTraffic(o.Link, &m.count)
	m.traffic.cycle, m.traffic.record = m.cycle, o.Record
	m.traffic.patience = max(int64(o.Reply), 4*int64(o.Answer))
	m.reference.Store(-1)
	return m, nil
}

func (m *Master) now() int64            { return m.options.Link.Now() }
func (m *Master) sleep(d time.Duration) { m.options.Sleep(d) }

// Add makes a device part of the bus, before Start (figure 9.5, step 1).
func (m *Master) Add(d ecat.Device) { m.devices = append(m.devices, Seat{Device: d}) }

// Slaves returns the slaves of the newest scan (any).
func (m *Master) Slaves() []*Slave {
	if list := m.shown.Load(); list != nil {
		return *list
	}
	return nil
}

// Scan finds out which slaves there are, and leaves them in Init. The bus must not be running.
func (m *Master) Scan(ctx context.Context) ([]*Slave, error) {
	if m.cyclic.Load() {
		return nil, errors.New("ethercat: the bus is running")
	}
	slaves, err := m.scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	m.slaves = slaves
	m.shown.Store(&slaves)
	return slaves, nil
}

// Start brings the bus from nothing to Op (figure 9.5, steps 3 to 8). From Safe-Op on it needs the cycle: a thread must call Exchange
// while it runs. When it fails the bus is left in Pre-Op or below.
func (m *Master) Start(ctx context.Context) error {
	if _, err := m.Scan(ctx); err != nil {
		return err
	}
	if len(m.slaves) == 0 {
		return errors.New("no slaves found: check the cable and the power of the first slave")
	}
	if err := Compare(m.options.Rack, m.slaves); err != nil {
		return fmt.Errorf("the rack differs from the configuration: %w", err)
	}
	for i, e := range m.options.Rack {
		m.slaves[i].Setup = e.Setup
		if e.Name != "" {
			m.slaves[i].Name = e.Name
		}
	}
	slaves := make([]ecat.Slave, len(m.slaves))
	for i, s := range m.slaves {
		slaves[i] = s
	}
	for i := range m.devices {
		if err := m.devices[i].startup(slaves); err != nil {
			m.shutDown()
			return err
		}
		m.started++
	}
	m.lenient = m.options.Partial
	configuring(m.slaves, true)
	err := m.run(ctx)
	configuring(m.slaves, false)
	m.lenient = false
	if err != nil {
		_ = m.Stop(context.WithoutCancel(ctx)) // what fails now fails for the same reason
		return err
	}
	return nil
}

// run takes slaves up the ladder of states, all together.
func (m *Master) run(ctx context.Context) error {
	if err := m.withoutSlaveErrors(ctx, m.toPreOp(ctx, m.slaves)); err != nil {
		return err
	}
	if err := m.load(); err != nil {
		return err
	}
	m.begin()
	if err := m.withoutSlaveErrors(ctx, m.climb(ctx, m.sound(), wire.SafeOp)); err != nil {
		return err
	}
	for _, s := range m.sound() {
		if err := s.inSafeOp(ctx); err != nil {
			if err := m.withoutSlaveErrors(ctx, err); err != nil {
				return err
			}
			_ = m.climb(ctx, []*Slave{s}, wire.PreOp) // where it does nothing, until Tend tries again
		}
	}
	if err := m.steady(); err != nil {
		return err
	}
	limit := forEver
	if m.lenient {
		limit = withOthers
	}
	if err := m.withoutSlaveErrors(ctx, m.climbFor(ctx, m.sound(), wire.Op, limit)); err != nil {
		return err
	}
	if len(m.sound()) == 0 {
		return m.allFailed()
	}
	m.cycle.running.Store(true)
	return nil
}

// toPreOp opens mailboxes and configures what is done in Pre-Op.
func (m *Master) toPreOp(ctx context.Context, slaves []*Slave) error {
	var list []datagram
	for _, s := range slaves {
		list = append(list, s.openMailbox()...)
	}
	if err := m.ask(list...); err != nil {
		return err
	}
	if err := m.withoutSlaveErrors(ctx, m.climb(ctx, slaves, wire.PreOp)); err != nil {
		return err
	}
	return m.prepareAll(ctx, slaves)
}

// prepareAll does what is to be done with slaves in Pre-Op.
func (m *Master) prepareAll(ctx context.Context, slaves []*Slave) error {
	var these []*Slave
	for _, s := range slaves {
		if !m.lenient || s.Status().Failures == 0 {
			these = append(these, s)
		}
	}
	return m.withoutSlaveErrors(ctx, errors.Join(m.prepareEach(ctx, these, m.together)...))
}

// prepareEach prepares slaves, by a way to do things at the same time, all but those of one device, and returns how that has ended for each.
func (m *Master) prepareEach(ctx context.Context, slaves []*Slave, do func(ctx context.Context, jobs []func(ctx context.Context))) []error {
	errs := make([]error, len(slaves))
	var jobs []func(ctx context.Context)
	queues := map[Guard]*[]int{}
	for i, s := range slaves {
		if q := queues[s.guard]; s.guard != nil && q != nil {
			*q = append(*q, i)
			continue
		}
		q := &[]int{i}
		queues[s.guard] = q
		jobs = append(jobs, func(ctx context.Context) {
			for _, i := range *q {
				errs[i] = m.prepareOne(ctx, slaves[i])
			}
		})
	}
	do(ctx, jobs)
	return errs
}

func (m *Master) prepareOne(ctx context.Context, s *Slave) error {
	if err := s.callDriver(ctx, ecat.Driver.PreOp); err != nil {
		return s.fail("preparing its driver", err)
	}
	return s.prepare(ctx)
}

// load makes the cycle for these slaves, and writes it into them.
func (m *Master) load() error {
	layout, err := m.layOut(m.slaves)
	if err != nil {
		return err
	}
	var list []datagram
	for _, s := range m.sound() {
		list = append(list, s.settings()...)
	}
	if err := m.ask(list...); err != nil {
		return fmt.Errorf("writing SyncManagers and FMMUs: %w", err)
	}
	c := m.cycle
	c.layout, c.devices, c.slaves = layout, m.devices, uint32(len(m.slaves))
	c.out, c.in = make([]byte, layout.Size), make([]byte, layout.Size)
	c.view = &shownLayout{layout: layout, counters: make([]atomic.Uint32, len(layout.Segments))}
	c.photo = &picture{out: make([]byte, layout.Size), in: make([]byte, layout.Size)}
	c.shown.Store(c.view)
	c.picture.Store(c.photo)
	c.parts = make([]part, len(m.slaves))
	for i, s := range m.slaves {
		p := &c.parts[i]
		p.driver, p.guard, p.out, p.in = s.driver, s.guard, s.place.Outputs, s.place.Inputs
		p.quality, p.op, p.dropped = &s.quality, &s.op, int64(ecat.Dropped(s.Setup.Watchdog, m.options.Cycle))
		s.placed = true
		s.exchanges.Store(p.in.Length+p.out.Length > 0)
		for j := p.in.From; j < p.in.End(); j++ {
			c.out[j] = 0xff // what was not written is upside down
		}
	}
	if err := m.loadClocks(); err != nil {
		return err
	}
	c.plan(c.sync.on, m.traffic.from)
	return nil
}

// loadClocks sets clocks and SYNC0, if they are used.
func (m *Master) loadClocks() error {
	c := &m.cycle.sync
	c.on, c.grid, c.correction, c.instant = false, clock.Grid{}, 0, 0
	m.reference.Store(-1)
	clocks, o := clocked(m.slaves), m.options.Sync
	if o == nil || o.Wanted && len(synced(m.slaves)) == 0 {
		return nil
	}
	if len(clocks) == 0 {
		return ErrNoClock
	}
	if err := canSync(m.slaves); err != nil {
		return err
	}
	if err := m.setClocks(m.slaves, m.slaves); err != nil {
		return fmt.Errorf("setting clocks: %w", err)
	}
	if err := m.distribute(m.slaves); err != nil {
		return fmt.Errorf("distributing the time: %w", err)
	}
	if err := m.startSync(m.slaves, synced(m.slaves)); err != nil {
		return fmt.Errorf("starting SYNC0: %w", err)
	}
	cycle := int64(m.options.Cycle)
	c.reference, c.wide = wire.Station(clocks[0].Station, wire.RegSystemTime), clocks[0].Wide()
	c.reading.Seed(m.system())
	c.grid = clock.NewGrid(m.system(), 0, cycle, int64(o.Shift))
	c.lock = clock.Lock{Cycle: cycle, Goal: int64(o.Phase), Most: cycle / 20}
	c.on = true
	m.reference.Store(int64(clocks[0].Position))
	m.wide.Store(c.wide)
	return nil
}

// begin gives the link to the thread of the bus.
func (m *Master) begin() {
	m.talk.Lock()
	defer m.talk.Unlock()
	m.cycle.planned, m.cycle.inRow = 0, 0
	m.cycle.heardAt.Store(m.now())
	m.cycle.running.Store(false)
	m.leaving.Store(false)
	m.cyclic.Store(true)
}

// steady waits until process data have been exchanged in Safe-Op (figure 9.5), and clocks have settled.
func (m *Master) steady() error {
	if m.cycle.sync.on {
		if err := m.settle(m.slaves); err != nil {
			return err
		}
	}
	const limit, cycles = 2 * time.Second, 3
	begin := m.count.cycles.Load()
	ok, err := m.waitFor(limit, func() (bool, error) { return m.count.cycles.Load() >= begin+cycles, nil })
	if err == nil && !ok {
		return ErrNoCycle
	}
	return err
}

// Stop takes the bus back to Pre-Op and informs devices that they are not called any more (figure 9.5, steps 12 and 13).
func (m *Master) Stop(ctx context.Context) error {
	m.cycle.running.Store(false)
	var errs []error
	if m.cyclic.Load() {
		errs = append(errs, m.descend(ctx, wire.SafeOp), m.descend(ctx, wire.PreOp), m.takeBack())
	}
	var list []datagram
	for _, s := range synced(m.slaves) {
		list = append(list, writeTo(s.Station, wire.RegActivation, 0))
	}
	errs = append(errs, m.do(list...))
	m.shutDown()
	return errors.Join(errs...)
}

// descend asks those for a lower state that are above it, and does not insist.
func (m *Master) descend(ctx context.Context, to wire.State) error {
	if err := m.readStates(m.slaves); err != nil {
		return err
	}
	var above []*Slave
	for _, s := range m.slaves {
		if st := s.Status(); !st.Lost && st.State.Base() > to && st.State.Base() != wire.Boot {
			above = append(above, s)
		}
	}
	return m.climb(ctx, above, to)
}

// takeBack waits until the thread of the bus has given the link back.
func (m *Master) takeBack() error {
	m.talk.Lock()
	defer m.talk.Unlock()
	m.leaving.Store(true)
	begin := m.now()
	for m.cyclic.Load() {
		if m.now()-begin > int64(noCycle) {
			return ErrNoCycle
		}
		m.sleep(glance)
	}
	return nil
}

// shutDown informs the devices that know of slaves, the last one first.
func (m *Master) shutDown() {
	for ; m.started > 0; m.started-- {
		m.devices[m.started-1].shutdown()
	}
}

// Close closes the link. The bus must have been stopped.
func (m *Master) Close() error { return m.options.Link.Close() }

// Cyclic reports whether process data are exchanged, from Safe-Op on (any).
func (m *Master) Cyclic() bool { return m.cyclic.Load() }
