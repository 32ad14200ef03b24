package ethercat

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Bus is a bus with a master.
type Bus struct {
	name    string
	cfg     *config
	ground  ground
	changed func()
	roster  roster
	keeper  keeper
	ended   chan struct{}

	mu      sync.Mutex
	told    told
	session *session          // nil while the link is not open
	errors  history           // of clocks
	known   []*ethercat.Slave // of the newest scan that has found some, when the link was closed
	past    []event
}

// told is what the keeper reports of the bus.
type told struct {
	phase   phase
	trouble string // why it is not in operation
	tending string // what could not be mended in the newest round
	waiting string // what a restart is for, and what it waits for
	mute    bool   // that is because no frames come back, and so is the trouble
}

// now returns what is still true of it: since the report, frames may have come back and slaves been found.
func (t told) now(s *session) told {
	switch {
	case s == nil:
	case t.phase == down && len(s.master.Slaves()) > 0:
		t.trouble = isStarted
	case t.phase == running && t.mute && s.master.Mute() == 0:
		t.trouble, t.waiting, t.mute = "", "", false
	}
	return t
}

// isStarted is the trouble of a bus that is on its way to Op.
const isStarted = "it is being started"

// phase is where a bus is.
type phase uint8

const (
	down     phase = iota // not started, or it has failed
	starting              // on the way to Op
	running
	resting // Pre-Op was requested
	leaving
)

var phases = [...]string{down: "down", starting: "starting", running: "running", resting: "held in Pre-Op", leaving: "closing"}

func (p phase) String() string { return phases[p] }

var (
	_ ecat.Master  = (*Bus)(nil)
	_ device.Meter = (*Bus)(nil)
)

func openBus(env *device.Env, cfg *config, on func(*device.Env, *config) (ground, error)) (*Bus, error) {
	if _, _, err := cfg.rack(0); err != nil {
		return nil, err
	}
	g, err := on(env, cfg)
	if err != nil {
		return nil, err
	}
	b := &Bus{name: env.Name, cfg: cfg, ground: g, changed: env.Changed, ended: make(chan struct{})}
	if b.changed == nil {
		b.changed = func() {}
	}
	b.told = told{phase: starting, trouble: isStarted}
	b.keeper.begin(b)
	g.keep(func() {
		defer close(b.ended)
		b.keeper.run()
	})
	return b, nil
}

// tell publishes the state of the bus.
func (b *Bus) tell(change func(t *told)) {
	b.mu.Lock()
	before := b.told
	change(&b.told)
	after := b.told
	b.mu.Unlock()
	if before != after {
		b.changed()
	}
}

func (b *Bus) state() (told, *session) {
	b.mu.Lock()
	t, s := b.told, b.session
	b.mu.Unlock()
	return t.now(s), s
}

// slaves returns those of the bus; gone when they are only what was known when the link was closed, until others are found.
func (b *Bus) slaves() (list []*ethercat.Slave, gone bool) {
	if m := b.master(); m != nil {
		if list = m.Slaves(); len(list) > 0 {
			return list, false
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known, true
}

// master returns the one of an open link, nil otherwise.
func (b *Bus) master() *ethercat.Master {
	if _, s := b.state(); s != nil {
		return s.master
	}
	return nil
}

// Add makes a device part of the bus, which is started again for it as soon as nothing is lost by it.
func (b *Bus) Add(name string, d ecat.Device) error {
	if t, _ := b.state(); t.phase == leaving {
		return errors.New("the bus is being closed")
	}
	if err := b.roster.add(name, d); err != nil {
		return err
	}
	b.keeper.added()
	return nil
}

// Remove takes a device away. The others go on.
func (b *Bus) Remove(d ecat.Device) { b.roster.take(d) }

// Period returns how often process data are exchanged (any).
func (b *Bus) Period() time.Duration { return b.cfg.Cycle }

// Trouble returns why the bus is not in operation (any).
func (b *Bus) Trouble() string {
	t, _ := b.state()
	return t.trouble
}

// Simulated is false: also simulated slaves have a bus (any).
func (b *Bus) Simulated() bool { return false }

// Status is operational when all slaves are (any).
func (b *Bus) Status() device.Status {
	t, s := b.state()
	switch {
	case t.phase != running:
		return device.Status{State: device.Offline, Cause: t.trouble}
	case t.trouble != "":
		return device.Status{State: device.Offline, Cause: t.trouble}
	case s.master.Mute() > 0:
		return device.Status{State: device.Offline, Cause: fmt.Sprintf("no frame has come back for %v", rounded(s.master.Mute()))}
	}
	causes := append(troubles(s.master), b.refusals()...)
	if t.waiting != "" {
		causes = append(causes, t.waiting)
	}
	state := device.Operational
	if len(troubles(s.master)) > 0 {
		state = device.SafeOperational
	}
	return device.Status{State: state, Cause: few(causes)}
}

// few returns the first of some causes on one line.
func few(causes []string) string {
	const most = 3
	if n := len(causes) - most; n > 0 {
		causes = append(causes[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.ReplaceAll(strings.Join(causes, "; "), "\n", "; ")
}

// troubles returns what is wrong with slaves.
func troubles(m *ethercat.Master) (list []string) {
	for _, s := range m.Slaves() {
		if is := trouble(s); is != "" {
			list = append(list, is)
		}
	}
	return list
}

// rounded returns an age as people read it.
func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

// lastHeard returns what is known of a slave, and how old that is.
func lastHeard(s ecat.Slave, age time.Duration) string {
	return fmt.Sprintf("%v was last heard %v ago, then in %v", s.About(), rounded(age), s.Status().State)
}

// lastKnown returns the same of one that is gone with its link, whose clock may have stopped.
func (b *Bus) lastKnown(s *ethercat.Slave) string { return lastHeard(s, b.age(s)) }

func (b *Bus) age(s *ethercat.Slave) time.Duration {
	return time.Duration(max(0, b.ground.now()-s.Heard()))
}

// trouble returns why a slave is of no use, or not in Op.
func trouble(s ecat.Slave) string {
	st, name := s.Status(), s.About()
	switch {
	case st.Lost:
		return fmt.Sprintf("%v does not answer", name)
	case st.Configuring && st.State != wire.Op:
		return fmt.Sprintf("%v is being configured (%v)", name, st.State)
	case st.State == wire.Op && st.Fault != "":
		return fmt.Sprintf("%v: %s", name, st.Fault)
	case s.Unheard():
		return lastHeard(s, s.Age())
	case st.State == wire.Op && !s.Obeys():
		return ecat.Returning(name)
	case st.State == wire.Op:
		return ""
	case st.Code != wire.NoCode:
		return fmt.Sprintf("%v is in %v: %v: %s", name, st.State, st.Code, st.Code.Remedy())
	case st.Trouble != "":
		return st.Trouble
	}
	return fmt.Sprintf("%v is in %v", name, st.State)
}

// oneLine returns an error as a cause, empty when there is none.
func oneLine(err error) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

// refusals returns what devices have said against their start.
func (b *Bus) refusals() (list []string) {
	for _, m := range b.roster.list() {
		m.mu.Lock()
		if m.err != nil {
			list = append(list, fmt.Sprintf("device %q does not take part: %v", m.name, m.err))
		}
		m.mu.Unlock()
	}
	return list
}

// Interfaces returns the one of a bus (any).
func (b *Bus) Interfaces() []device.Interface { return []device.Interface{ecat.AnnounceMaster()} }

// Close leaves the bus: slaves go to Pre-Op, in which outputs are safe, and the link is closed.
func (b *Bus) Close() error {
	b.keeper.end()
	<-b.ended
	return b.keeper.err
}
