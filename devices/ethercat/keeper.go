package ethercat

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
)

// keeper is the goroutine that keeps a bus in operation: it starts it, tends it, starts it again when devices or slaves have come, and
// after failures tries again, each time a little later.
type keeper struct {
	bus *Bus

	closing atomic.Bool
	orders  atomic.Uint32 // of people

	mu       sync.Mutex
	cancel   context.CancelFunc // of this turn
	starting bool               // a start is under way
	change   int64              // when the newest device came

	// Of the goroutine.
	with    uint64 // the newest member that this run of the bus knows
	next    int64  // instant of the next attempt
	failed  int    // attempts in a row
	mute    int64  // since when no frames come back, 0 while they do
	silence int64  // the same, also while the bus is started for that
	strange bool   // some slaves do not belong to the bus
	rest    bool   // Pre-Op was asked for
	err     error  // of closing
}

// Orders of people.
const (
	orderRestart uint32 = 1 << iota
	orderRetry
	orderRest
	orderRun
)

// Times of the keeper.
const (
	round    = 100 * time.Millisecond // between two looks at the bus
	glance   = 20 * time.Millisecond  // until it is known that there should be one at once
	calm     = 300 * time.Millisecond // without another device coming, until the bus is started for those that came
	first    = 500 * time.Millisecond // after the first failure
	longest  = 10 * time.Second       // after many
	hopeless = 5 * time.Second        // without any frame, until the link is opened again
)

func (k *keeper) begin(b *Bus) {
	k.bus = b
	k.change = b.ground.now()
}

// added is called when a device has come. A start that is under way does not know the device, and begins again.
func (k *keeper) added() {
	k.mu.Lock()
	k.change = k.bus.ground.now()
	if k.starting {
		k.cancel()
	}
	k.mu.Unlock()
	k.bus.ground.wake()
}

// order takes what people want.
func (k *keeper) order(what uint32) {
	k.orders.Or(what)
	k.bus.ground.wake()
}

// end lets the goroutine end.
func (k *keeper) end() {
	k.closing.Store(true)
	k.mu.Lock()
	if k.cancel != nil {
		k.cancel()
	}
	k.mu.Unlock()
	k.bus.ground.wake()
}

// run is the goroutine.
func (k *keeper) run() {
	for !k.closing.Load() {
		k.await(k.turn())
	}
	k.bus.tell(func(t *told) { t.phase, t.trouble, t.waiting = leaving, "it is being closed", "" })
	k.err = k.leave()
}

// await waits for the next turn. It comes at once when slaves are missing and the cycle does not know which: outputs of all that
// could be them count as not taken until then, and go off soon; and when frames stop coming back, so that this is published.
func (k *keeper) await(next int64) {
	g, was := k.bus.ground, k.missing()
	for now := g.now(); now < next && g.rest(min(next, now+int64(glance))) && k.missing() == was; {
		now = g.now()
	}
}

func (k *keeper) missing() uint64 {
	m := k.bus.master()
	if m == nil {
		return 0
	}
	n := m.Statistics().Unexplained
	if m.Mute() > 0 {
		n = ^n
	}
	return n
}

// turn does what is to be done now, and returns when the next turn is.
func (k *keeper) turn() (next int64) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	k.mu.Lock()
	k.cancel = cancel
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		k.cancel = nil
		k.mu.Unlock()
	}()
	if k.closing.Load() {
		return k.bus.ground.now()
	}
	orders := k.orders.Swap(0)
	k.obey(orders)
	t, s := k.bus.state()
	switch {
	case k.rest:
	case t.phase != running:
		k.attempt(ctx)
	default:
		k.tend(ctx, s)
		k.anew(orders&orderRestart != 0)
	}
	if _, s := k.bus.state(); s != nil {
		s.keepFrames(k.bus.cfg.Record)
		k.bus.sampleClocks(s.master)
	}
	return k.bus.ground.now() + int64(round)
}

// obey does what people want.
func (k *keeper) obey(orders uint32) {
	if orders&(orderRestart|orderRetry|orderRun) != 0 {
		k.next, k.failed = 0, 0
		if m := k.bus.master(); m != nil {
			m.Retry()
		}
	}
	switch {
	case orders&orderRest != 0:
		k.rest = true
		_, s := k.bus.state()
		k.bus.tell(func(t *told) {
			t.phase, t.trouble, t.waiting = resting, "it is held in Pre-Op until op is asked for", ""
		})
		if s != nil {
			_ = s.master.Stop(context.Background()) // what is left of it is seen in the states
		}
	case orders&(orderRun|orderRestart) != 0 && k.rest:
		k.rest = false
		k.bus.tell(func(t *told) { t.phase, t.trouble = starting, isStarted })
	}
}

// attempt starts the bus when its time has come.
func (k *keeper) attempt(ctx context.Context) {
	now := k.bus.ground.now()
	if now < k.next || now < k.calmFrom() {
		return
	}
	err := k.start(ctx)
	if err == nil {
		k.failed, k.mute, k.strange = 0, 0, false
		k.heard(now)
		k.bus.tell(func(t *told) { t.phase, t.trouble, t.tending, t.mute = running, "", "", false })
		return
	}
	if ctx.Err() != nil { // a device has come in the meantime
		k.next = 0
		return
	}
	k.failed++
	pause := min(longest, first<<min(k.failed-1, 8))
	k.next = k.bus.ground.now() + int64(pause)
	k.bus.tell(func(t *told) { t.phase, t.trouble = down, oneLine(err) })
	_ = k.leave() // the interface may be another one by then
}

// calmFrom returns when no device will have come for a while.
func (k *keeper) calmFrom() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.change + int64(calm)
}

// start opens the link where it is not, and brings the bus to Op.
func (k *keeper) start(ctx context.Context) error {
	b := k.bus
	_, s := b.state()
	if s == nil {
		var err error
		if s, err = openSession(b.ground, b.cfg, &b.roster); err != nil {
			return err
		}
		b.mu.Lock()
		b.session = s
		b.mu.Unlock()
	}
	b.tell(func(t *told) {
		if t.phase != down {
			t.phase, t.trouble = starting, isStarted
		}
	})
	s.forget()
	k.starts(true)
	defer k.starts(false)
	s.master.Seat(b.roster.seats())
	return s.master.Start(ctx)
}

// starts begins or ends the time in which devices that come let a start begin again.
func (k *keeper) starts(now bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.starting = now
	if now {
		k.with = k.bus.roster.newest()
	}
}

// tend looks after a bus that runs.
func (k *keeper) tend(ctx context.Context, s *session) {
	err := s.master.Tend(ctx)
	now := k.bus.ground.now()
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, ethercat.ErrNoAnswer) {
		if k.mute == 0 {
			k.mute = now
		}
		if k.silence == 0 {
			k.silence = now
			k.bus.note(now, ethercat.ErrNoAnswer.Error())
		}
		k.bus.tell(func(t *told) { t.trouble, t.tending, t.mute = ethercat.ErrNoAnswer.Error(), oneLine(err), true })
		return
	}
	k.heard(now)
	k.mute, k.strange = 0, errors.Is(err, ethercat.ErrStrangers) || errors.Is(err, ethercat.ErrPlace)
	k.bus.tell(func(t *told) { t.trouble, t.tending, t.mute = "", oneLine(err), false })
}

// heard is called when frames come back.
func (k *keeper) heard(now int64) {
	if k.silence != 0 {
		k.bus.note(now, fmt.Sprintf("frames come back again, after %v", rounded(time.Duration(now-k.silence))))
		k.silence = 0
	}
}

// again starts a bus that runs again, if there is a reason and nothing is lost by it.
func (k *keeper) anew(forced bool) {
	b := k.bus
	now := b.ground.now()
	why := ""
	switch {
	case forced:
		why = "on request"
	case k.mute != 0 && now-k.mute > int64(hopeless):
		why = "no frames come back"
	case b.roster.newest() > k.with:
		if now < k.calmFrom() {
			return
		}
		why = "devices were added"
	case k.strange:
		why = "slaves were connected"
	default:
		b.tell(func(t *told) { t.waiting = "" })
		return
	}
	if !forced {
		holder, holds := b.roster.holder()
		switch {
		case b.cfg.Restart == "manual" && k.mute == 0:
			b.tell(func(t *told) { t.waiting = why + ": restart the bus on its page for that" })
			return
		case holder != "":
			b.tell(func(t *told) {
				t.waiting = fmt.Sprintf("%s: the bus restarts as soon as device %q allows it (%s)", why, holder, holds)
			})
			return
		}
	}
	b.tell(func(t *told) { t.phase, t.trouble, t.waiting = starting, "it is being restarted: "+why, "" })
	k.next = 0
	if k.mute != 0 {
		_ = k.leave() // nothing that can be said to slaves
		return
	}
	if _, s := b.state(); s != nil {
		_ = s.master.Stop(context.Background()) // the scan shows the result
	}
}

// leave closes the session.
func (k *keeper) leave() error {
	b := k.bus
	b.mu.Lock()
	s := b.session
	b.session = nil
	if s != nil {
		b.remember(s.master)
	}
	b.mu.Unlock()
	if s == nil {
		return nil
	}
	if err := s.close(); err != nil {
		return fmt.Errorf("leaving the bus: %w", err)
	}
	return nil
}
