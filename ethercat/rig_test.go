package ethercat

import (
	"context"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// rig is a master and simulated slaves on a cable in memory, in virtual time. Waiting lets cycles pass.
type rig struct {
	t     testing.TB
	chain *sim.Chain
	cable *cable.Memory
	m     *Master
	next  int64 // instant of the next cycle
	idle  bool  // the thread of the bus has died
	last  Outcome
	each  func() // is called before each cycle
}

const (
	startOfTime = 1e9
	epoch       = 800_000_000e9 // some day in 2025
)

// newRig builds a rack; the link, the times of sleeping and what is not given are its own.
func newRig(t testing.TB, rack *sim.Rack, o Options) *rig {
	t.Helper()
	chain, err := sim.NewChain(rack, nil, startOfTime)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, chain: chain, cable: cable.NewMemory(chain, startOfTime)}
	if o.Link == nil {
		o.Link = r.cable
	}
	o.Sleep = r.sleep
	if o.Epoch == 0 {
		o.Epoch = epoch
	}
	if r.m, err = New(o); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) sleep(d time.Duration) {
	until := r.cable.Now() + int64(d)
	for r.m.cyclic.Load() && !r.idle && r.next <= until {
		r.cycle()
	}
	r.cable.Advance(until)
}

// cycle lets the next cycle happen.
func (r *rig) cycle() {
	r.next = max(r.next, r.cable.Now())
	r.cable.Advance(r.next)
	if r.each != nil {
		r.each()
	}
	r.last = r.m.Exchange(r.cable.Now())
	r.next = r.last.Next
}

func (r *rig) cycles(n int) {
	for range n {
		r.cycle()
	}
}

func (r *rig) start() {
	r.t.Helper()
	if err := r.m.Start(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

// do gives commands to the simulation.
func (r *rig) do(commands ...string) {
	r.t.Helper()
	for _, c := range commands {
		if err := r.chain.Do(c); err != nil {
			r.t.Fatal(err)
		}
	}
}

// tend lets time pass until the bus is whole again, with supervision every so often.
func (r *rig) tend(limit time.Duration) {
	r.t.Helper()
	var err error
	for end := r.cable.Now() + int64(limit); r.cable.Now() < end; r.sleep(20 * time.Millisecond) {
		if err = r.m.Tend(context.Background()); err == nil && r.whole() {
			return
		}
	}
	r.t.Fatalf("is not whole again: %v, %v", err, r.states())
}

func (r *rig) whole() bool {
	for _, s := range r.m.Slaves() {
		if st := s.Status(); st.Lost || st.State != wire.Op {
			return false
		}
	}
	return true
}

func (r *rig) states() (list []wire.State) {
	for _, s := range r.m.Slaves() {
		list = append(list, s.Status().State)
	}
	return list
}

func (r *rig) slave(name string) *sim.Slave {
	r.t.Helper()
	s, err := r.chain.Slave(name)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// rackOf returns a rack of types, one behind the other.
func rackOf(types ...string) *sim.Rack {
	r := &sim.Rack{}
	for _, t := range types {
		r.Slaves = append(r.Slaves, sim.SlaveGiven{Type: t})
	}
	return r
}

// six returns the rack by which start-up and cycles are measured.
func six() *sim.Rack { return rackOf("EK1100", "EL1008", "EL2008", "EL3104", "EL4132", "EL1018") }

// recorder is a driver that writes what a test gives it and keeps what it has read.
type recorder struct {
	out     []byte
	in      []byte
	quality ecat.Quality
	writes  int
	moment  ecat.Moment
	obeyed  bool // in Read
	calls   []string
}

func (d *recorder) PreOp(context.Context, ecat.Slave) error {
	d.calls = append(d.calls, "Pre-Op")
	return nil
}

func (d *recorder) SafeOp(context.Context, ecat.Slave) error {
	d.calls = append(d.calls, "Safe-Op")
	return nil
}

func (d *recorder) Write(outputs image.View, at *ecat.Moment) {
	if d.out == nil {
		d.out = make([]byte, len(outputs))
	}
	copy(outputs, d.out)
	d.moment = *at
	d.writes++
}

func (d *recorder) Read(inputs image.View, q ecat.Quality, at *ecat.Moment) {
	d.obeyed = at.Obeyed
	if d.in == nil {
		d.in = make([]byte, len(inputs))
	}
	copy(d.in, inputs)
	d.quality = q
}

// everything attaches a recorder to each slave.
type everything struct {
	drivers  []*recorder
	prepared uint64
	ended    int
}

func (e *everything) Startup(slaves []ecat.Slave) error {
	e.drivers = nil
	for _, s := range slaves {
		d := &recorder{}
		e.drivers = append(e.drivers, d)
		if err := s.Attach(d); err != nil {
			return err
		}
	}
	return nil
}

func (e *everything) Shutdown()               { e.ended++ }
func (e *everything) Prepare(at *ecat.Moment) { e.prepared = at.Cycle }
