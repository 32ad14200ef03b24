// Package bus gives tests of drivers an EtherCAT bus in memory: the real master, simulated slaves, and virtual time that goes on when
// somebody waits or lets cycles pass.
package bus

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Bus is one, and as a device what drivers are given.
type Bus struct {
	Chain *sim.Chain    // the slaves
	Cable *cable.Memory // its faults are those of frames
	M     *ethercat.Master

	t       testing.TB
	period  time.Duration
	members []*member
	next    int64
	last    ethercat.Outcome
}

// Start and zero of virtual time: the cable begins a second after its zero, which is some day in 2025.
const (
	begin     = 1e9
	epoch     = 800_000_000e9
	unixEpoch = 946_684_800e9
)

// New makes a bus of a rack; what is not given in the options is the bus's own.
func New(t testing.TB, rack *sim.Rack, o ethercat.Options) *Bus {
	t.Helper()
	chain, err := sim.NewChain(rack, nil, begin)
	if err != nil {
		t.Fatal(err)
	}
	b := &Bus{t: t, Chain: chain, Cable: cable.NewMemory(chain, begin), period: max(o.Cycle, time.Millisecond)}
	if o.Cycle > 0 {
		b.period = o.Cycle
	}
	o.Link, o.Sleep, o.Epoch = b.Cable, b.sleep, epoch
	if b.M, err = ethercat.New(o); err != nil {
		t.Fatal(err)
	}
	return b
}

// Rack is slaves of types, one behind the other.
func Rack(types ...string) *sim.Rack {
	r := &sim.Rack{}
	for _, t := range types {
		r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: t})
	}
	return r
}

func (b *Bus) sleep(d time.Duration) {
	until := b.Cable.Now() + int64(d)
	for b.next <= until {
		b.Cycle()
	}
	b.Cable.Advance(until)
}

// Cycle lets the next cycle of the bus pass.
func (b *Bus) Cycle() {
	b.next = max(b.next, b.Cable.Now())
	b.Cable.Advance(b.next)
	b.last = b.M.Exchange(b.Cable.Now())
	b.next = b.last.Next
}

// Cycles lets some pass.
func (b *Bus) Cycles(n int) {
	for range n {
		b.Cycle()
	}
}

// Start brings the bus to Op with the devices that were added.
func (b *Bus) Start() {
	b.t.Helper()
	if err := b.M.Start(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

// Stop takes it back to Pre-Op.
func (b *Bus) Stop() {
	b.t.Helper()
	if err := b.M.Stop(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

// Do gives commands to the simulated slaves.
func (b *Bus) Do(commands ...string) {
	b.t.Helper()
	for _, c := range commands {
		if err := b.Chain.Do(c); err != nil {
			b.t.Fatal(err)
		}
	}
}

// Tend looks after the bus until all slaves are in Op.
func (b *Bus) Tend(limit time.Duration) {
	b.t.Helper()
	var err error
	for end := b.Cable.Now() + int64(limit); b.Cable.Now() < end; b.sleep(20 * time.Millisecond) {
		if err = b.M.Tend(context.Background()); err == nil && b.whole() {
			return
		}
	}
	b.t.Fatalf("the bus is not whole again: %v", err)
}

func (b *Bus) whole() bool {
	return !slices.ContainsFunc(b.M.Slaves(), func(s *ethercat.Slave) bool {
		st := s.Status()
		return st.Lost || st.State != wire.Op
	})
}

// Clock returns the one by which nets would live: that of the cable.
func (b *Bus) Clock() rt.Clock { return clock{b.Cable} }

type clock struct{ cable *cable.Memory }

func (c clock) Now() int64               { return c.cable.Now() }
func (c clock) Unix(instant int64) int64 { return instant + epoch + unixEpoch }

// Env returns what a device on the bus is opened with.
func (b *Bus) Env(name string) *device.Env {
	return &device.Env{Name: name, Clock: b.Clock(), Device: func(other string) (device.Device, error) {
		if other != "bus" {
			return nil, errors.New("no device " + other)
		}
		return b, nil
	}}
}

// member keeps what a device has said at Startup. As on a real bus, one that fails does not keep the others from starting.
type member struct {
	ecat.Device
	name string
	err  error
}

func (m *member) Startup(slaves []ecat.Slave) error {
	m.err = m.Device.Startup(slaves)
	return nil
}

func (m *member) Prepare(at *ecat.Moment) {
	if m.err == nil {
		m.Device.Prepare(at)
	}
}

// Add makes a device part of the bus at its next start.
func (b *Bus) Add(name string, d ecat.Device) error {
	m := &member{Device: d, name: name}
	b.members = append(b.members, m)
	b.M.Add(m)
	return nil
}

// Remove is for the end of a test.
func (b *Bus) Remove(ecat.Device) {}

// Refused is what a device has said against its start.
func (b *Bus) Refused(name string) error {
	for _, m := range b.members {
		if m.name == name {
			return m.err
		}
	}
	return nil
}

// Period returns the period of process data.
func (b *Bus) Period() time.Duration { return b.period }

// Trouble is none as long as the bus runs.
func (b *Bus) Trouble() string {
	if b.M.Cyclic() {
		return ""
	}
	return "the bus does not run"
}

// Simulated is false: the slaves are, not the bus.
func (b *Bus) Simulated() bool { return false }

// Status returns the status of the bus.
func (b *Bus) Status() device.Status {
	if b.M.Cyclic() {
		return device.Status{State: device.Operational}
	}
	return device.Status{Cause: b.Trouble()}
}

// Interfaces returns the one of a bus.
func (b *Bus) Interfaces() []device.Interface { return []device.Interface{ecat.AnnounceMaster()} }

// Close does nothing.
func (b *Bus) Close() error { return nil }
