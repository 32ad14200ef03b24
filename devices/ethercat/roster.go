package ethercat

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// roster is the devices on a bus, and the guards of these (ethercat.Guard): a device may be removed while the bus runs, and one that
// fails does not keep others from starting.
type roster struct {
	mu      sync.Mutex
	members []*member
	number  uint64 // of the newest member there has been

	inside atomic.Uint64 // odd while the thread of the bus is in a cycle
}

// member is a device on the bus.
type member struct {
	roster *roster
	number uint64 // the first is 1
	name   string
	device ecat.Device
	ended  context.Context // when it is removed, so that what it does in a goroutine ends
	remove context.CancelFunc

	live atomic.Bool // the thread may call it

	mu      sync.Mutex // calls by goroutines
	gone    bool
	started bool     // it knows of slaves
	slaves  []string // that it has a driver for
	err     error    // why it does not take part
}

// add takes a device in, for the next start.
func (r *roster) add(name string, d ecat.Device) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.members, func(m *member) bool { return m.device == d }) {
		return fmt.Errorf("device %q is on the bus already", name)
	}
	r.number++
	m := &member{roster: r, number: r.number, name: name, device: d}
	m.ended, m.remove = context.WithCancel(context.Background())
	r.members = append(r.members, m)
	return nil
}

// list returns the members.
func (r *roster) list() []*member {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.members)
}

// newest returns the number of the newest member that is still there.
func (r *roster) newest() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.members); n > 0 {
		return r.members[n-1].number
	}
	return 0
}

// take takes a device out. When it returns the device is not called any more.
func (r *roster) take(d ecat.Device) {
	r.mu.Lock()
	i := slices.IndexFunc(r.members, func(m *member) bool { return m.device == d })
	if i < 0 {
		r.mu.Unlock()
		return
	}
	m := r.members[i]
	r.members = slices.Delete(r.members, i, i+1)
	r.mu.Unlock()

	m.remove()
	r.silence(m)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = true
	m.live.Store(false) // a start may have come in between
	m.leave()
}

// silence returns when the thread does not call a device any more.
func (r *roster) silence(m *member) {
	m.live.Store(false)
	for was := r.inside.Load(); was%2 == 1 && r.inside.Load() == was; {
		runtime.Gosched()
	}
}

// leave informs a device that the bus is left, if the device knows of slaves. Its lock is held.
func (m *member) leave() {
	if m.started {
		m.started, m.slaves = false, nil
		m.device.Shutdown()
	}
}

// holder returns the first device that has something to lose, and what.
func (r *roster) holder() (name, why string) {
	for _, m := range r.list() {
		if why := m.Holds(); why != "" {
			return m.name, why
		}
	}
	return "", ""
}

// seats returns what the master is given.
func (r *roster) seats() (list []ethercat.Seat) {
	for _, m := range r.list() {
		list = append(list, ethercat.Seat{Device: m.device, Guard: m})
	}
	return list
}

// Open reports whether the thread may call the device (cycle).
func (m *member) Open() bool { return m.live.Load() }

// Holds returns what the device would lose (any).
func (m *member) Holds() string {
	if h, ok := m.device.(ecat.Holder); ok && m.live.Load() {
		return h.Holds()
	}
	return ""
}

// Startup gives the device its slaves. A failure is kept.
func (m *member) Startup(slaves []ecat.Slave) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return nil
	}
	own := make([]ecat.Slave, len(slaves))
	for i, s := range slaves {
		own[i] = s
		if s, ok := s.(*ethercat.Slave); ok {
			own[i] = &lent{s, m}
		}
	}
	m.started, m.slaves = true, nil
	if m.err = m.device.Startup(own); m.err != nil {
		m.leave()
		return nil
	}
	m.live.Store(true)
	return nil
}

// Shutdown informs the device that the bus is left.
func (m *member) Shutdown() {
	m.roster.silence(m)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leave()
}

// Call calls a driver from a goroutine. A device that is removed in the meantime is waited for, so its context ends with it; its slave goes on
// without it.
func (m *member) Call(ctx context.Context, f func(ctx context.Context) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone || !m.started {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	unhook := guard.AfterDone(m.ended, "end of a device", cancel)
	defer unhook()
	err := f(ctx)
	if m.ended.Err() != nil {
		return nil
	}
	return err
}

// lent is a slave as a device sees it at Startup.
type lent struct {
	*ethercat.Slave
	to *member
}

// Attach gives it a driver, behind the guard of the device.
func (l *lent) Attach(d ecat.Driver) error {
	if err := l.AttachBehind(l.to, d); err != nil {
		return err
	}
	l.to.slaves = append(l.to.slaves, l.Label.String())
	return nil
}
