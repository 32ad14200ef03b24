package ethercat

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/testkit/cable"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
	"github.com/softrobot-rcc/rccd/rcc/device/thread"
)

// table is a ground in virtual time: cycles pass while the test waits, and the keeper takes a turn when the test says so.
type table struct {
	t       *testing.T
	at      int64
	cable   *cable.Memory
	chain   *sim.Chain
	session *session
	next    int64
	refuse  error // of opening
	opened  int
	each    func() // after each cycle
	pulled  bool   // the cable, also of a link that is opened
}

func (g *table) now() int64 {
	if g.cable != nil {
		g.at = max(g.at, g.cable.Now())
	}
	return g.at
}

func (g *table) unix(instant int64) int64    { return instant + 1_700_000_000e9 }
func (g *table) wake()                       {}
func (g *table) keep(func())                 {}
func (g *table) execution() thread.Execution { return new(thread.Thread).Execution() }

func (g *table) rest(until int64) bool {
	g.sleep(time.Duration(until - g.now()))
	return true
}

func (g *table) sleep(d time.Duration) {
	until := g.now() + int64(d)
	for g.session != nil && g.next <= until {
		g.cable.Advance(g.next)
		g.next = max(g.session.beat(g.next, g.now()), g.next+1)
		if g.each != nil {
			g.each()
		}
	}
	g.at = max(g.now(), until)
	if g.cable != nil {
		g.cable.Advance(g.at)
	}
}

func (g *table) open(_ *config, chain *sim.Chain) (link.Link, error) {
	if g.refuse != nil {
		return nil, g.refuse
	}
	g.opened++
	g.chain, g.cable = chain, cable.NewMemory(chain, g.now())
	g.cable.Unplugged = g.pulled
	return g.cable, nil
}

func (g *table) start(s *session) func() {
	g.session, g.next = s, g.now()
	return func() { g.session = nil }
}

// rig is a bus on a table.
type rig struct {
	*testing.T
	*Bus
	table *table
}

func newRig(t *testing.T, params map[string]string) *rig {
	t.Helper()
	g := &table{t: t, at: 1e9}
	all := map[string]string{"ethernetdevice": "sim", "rack": "EK1100,EL1008,EL2008"}
	for name, v := range params {
		all[name] = v
	}
	d, err := over(func(*device.Env, *config) (ground, error) { return g, nil })[0].Open(&device.Env{Name: "bus"}, all)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t, d.(*Bus), g}
}

// pass lets time pass, with turns of the keeper.
func (r *rig) pass(d time.Duration) {
	for end := r.table.now() + int64(d); r.table.now() < end; {
		r.keeper.await(r.keeper.turn())
	}
}

func (r *rig) is(state device.State, cause string) {
	r.Helper()
	if s := r.Status(); s.State != state || !strings.Contains(s.Cause, cause) || cause == "" && s.Cause != "" {
		r.Errorf("%v %q, not %v %q", s.State, s.Cause, state, cause)
	}
}

// part is a device with one slave, whose first output it switches on.
type part struct {
	number           int
	refuse           error
	hold             string
	starts, ends     int
	prepared, writes int
	quality          ecat.Quality
}

func (p *part) Startup(slaves []ecat.Slave) error {
	p.starts++
	if p.refuse != nil {
		return p.refuse
	}
	return slaves[p.number-1].Attach(p)
}

func (p *part) Holds() string                                     { return p.hold }
func (p *part) Shutdown()                                         { p.ends++ }
func (p *part) Prepare(*ecat.Moment)                              { p.prepared++ }
func (p *part) PreOp(context.Context, ecat.Slave) error           { return nil }
func (p *part) SafeOp(context.Context, ecat.Slave) error          { return nil }
func (p *part) Read(_ image.View, q ecat.Quality, _ *ecat.Moment) { p.quality = q }
func (p *part) Write(outputs image.View, _ *ecat.Moment) {
	p.writes++
	outputs.SetBit(0, true)
}

func (r *rig) join(name string, p *part) *part {
	r.Helper()
	if err := r.Add(name, p); err != nil {
		r.Fatal(err)
	}
	return p
}

// output is the first one of a simulated terminal.
func (r *rig) output() bool {
	r.Helper()
	s, err := r.table.chain.Slave("EL2008-3")
	if err != nil {
		r.Fatal(err)
	}
	on, err := s.Digital(1)
	if err != nil {
		r.Fatal(err)
	}
	return on
}

// Devices that come together cost one start, and the bus lives in their cycles.
func TestBusStarts(t *testing.T) {
	r := newRig(t, nil)
	in, out := r.join("in", &part{number: 2}), r.join("out", &part{number: 3})
	r.is(device.Offline, "being started")
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	if r.Trouble() != "" || in.starts != 1 || out.starts != 1 || in.quality != ecat.Fresh || out.writes < 1000 || !r.output() {
		t.Errorf("%q, %+v, %+v", r.Trouble(), in, out)
	}
	if err := r.keeper.leave(); err != nil || in.ends != 1 || out.ends != 1 {
		t.Errorf("%v, %+v, %+v", err, in, out)
	}
	for s := range r.table.chain.Slaves() {
		if st, _ := s.State(); st != wire.PreOp {
			t.Errorf("%s is in %v after the bus was left", s.Name(), st)
		}
	}
}

// A device that fails does not keep others from starting, and is asked again at the next start.
func TestDeviceFails(t *testing.T) {
	r := newRig(t, nil)
	wrong, right := r.join("wrong", &part{number: 2, refuse: errors.New("not mine")}), r.join("right", &part{number: 3})
	r.pass(2 * time.Second)
	r.is(device.Operational, `device "wrong" does not take part: not mine`)
	if wrong.prepared+wrong.writes != 0 || wrong.ends != 1 || right.prepared == 0 {
		t.Errorf("%+v, %+v", wrong, right)
	}
	wrong.refuse = nil
	r.keeper.order(orderRestart)
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	if wrong.prepared == 0 || right.starts != 2 || right.ends != 1 {
		t.Errorf("%+v, %+v", wrong, right)
	}
}

// A device that comes later waits for those that have something to lose; several of them cost one start.
func TestRestartWaits(t *testing.T) {
	r := newRig(t, nil)
	drive := r.join("drive", &part{number: 2, hold: "drives are on"})
	r.pass(2 * time.Second)
	first, second := r.join("first", &part{number: 3}), r.join("second", &part{number: 1})
	r.pass(2 * time.Second)
	r.is(device.Operational, `devices were added: the bus restarts as soon as device "drive" allows it (drives are on)`)
	if first.starts+second.starts != 0 || drive.starts != 1 {
		t.Errorf("%+v, %+v, %+v", drive, first, second)
	}
	drive.hold = ""
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	if first.starts != 1 || second.starts != 1 || drive.starts != 2 || drive.ends != 1 {
		t.Errorf("%+v, %+v, %+v", drive, first, second)
	}
}

// A device that came and has gone again costs nothing.
func TestRestartOfNobody(t *testing.T) {
	r := newRig(t, nil)
	drive := r.join("drive", &part{number: 2, hold: "drives are on"})
	r.pass(2 * time.Second)
	short := r.join("short", &part{number: 3})
	r.pass(2 * time.Second)
	r.is(device.Operational, "devices were added")
	r.Remove(short)
	r.pass(time.Second)
	r.is(device.Operational, "")
	drive.hold = ""
	r.pass(2 * time.Second)
	if drive.starts != 1 || short.starts != 0 {
		t.Errorf("%+v, %+v", drive, short)
	}
}

// People can force it.
func TestRestartForced(t *testing.T) {
	r := newRig(t, map[string]string{"restart": "manual"})
	drive := r.join("drive", &part{number: 2, hold: "drives are on"})
	r.pass(2 * time.Second)
	late := r.join("late", &part{number: 3})
	r.pass(2 * time.Second)
	r.is(device.Operational, "restart the bus on its page")
	r.keeper.order((&wish{"restart"}).order())
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	if late.starts != 1 || drive.starts != 2 {
		t.Errorf("%+v, %+v", drive, late)
	}
}

// A device that goes is not called any more; its outputs drop, and the others go on in the same run of the bus.
func TestRemove(t *testing.T) {
	r := newRig(t, nil)
	stays, goes := r.join("stays", &part{number: 2}), r.join("goes", &part{number: 3})
	r.pass(2 * time.Second)
	if !r.output() {
		t.Fatal("the output is off")
	}
	r.Remove(goes)
	r.Remove(goes)
	was, prepared := *goes, stays.prepared
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
	if *goes != was || goes.ends != 1 || stays.starts != 1 || stays.prepared < prepared+1000 || r.output() {
		t.Errorf("%+v, then %+v; %+v", was, goes, stays)
	}
}

// A pulled cable is reported, and when it is plugged again the bus goes on by itself; after a while the link is opened again.
func TestCable(t *testing.T) {
	for _, away := range []time.Duration{2 * time.Second, 20 * time.Second} {
		r := newRig(t, nil)
		p := r.join("part", &part{number: 3})
		r.pass(2 * time.Second)
		pulled := r.table.cable
		for end := r.table.now() + int64(away); r.table.now() < end; {
			r.table.cable.Unplugged = true
			r.pass(round)
		}
		r.is(device.Offline, "frames do not come back")
		if p.quality != ecat.Invalid && away < hopeless {
			t.Errorf("inputs are %v", p.quality)
		}
		r.table.cable.Unplugged = false
		r.pass(15 * time.Second)
		r.is(device.Operational, "")
		if reopened := r.table.cable != pulled; reopened != (away > hopeless) {
			t.Errorf("away for %v: opened again: %v", away, reopened)
		}
	}
}

// An interface that cannot be opened is tried again, each time a little later, with one clear error.
func TestNoInterface(t *testing.T) {
	r := newRig(t, nil)
	r.table.refuse = unopened("eth7", fs.ErrPermission)
	r.pass(2 * time.Second)
	r.is(device.Offline, "CAP_NET_RAW")
	r.table.refuse = nil
	r.pass(15 * time.Second)
	r.is(device.Operational, "")
	if r.table.opened != 1 {
		t.Errorf("opened %d times", r.table.opened)
	}
}

// Which slave with outputs is missing cannot be seen in the cycle. The others must be known to be there before watchdogs count.
func TestOutputsOfOthers(t *testing.T) {
	r := newRig(t, map[string]string{"rack": "EK1100,EL1008,EL2008,EL2008"})
	stays := r.join("stays", &part{number: 3})
	r.join("goes", &part{number: 4})
	r.pass(2 * time.Second)
	if err := r.table.chain.Do("slave EL2008-4 vanish"); err != nil {
		t.Fatal(err)
	}
	begin := r.table.now()
	r.keeper.await(begin + int64(round))
	r.keeper.turn()
	r.table.sleep(2 * time.Millisecond)
	if after := time.Duration(r.table.now() - begin); after > 40*time.Millisecond || stays.quality != ecat.Fresh {
		t.Errorf("%v after %v", stays.quality, after)
	}
}

// A slave that does not get to Op does not keep others from it.
func TestSlaveFails(t *testing.T) {
	r := newRig(t, map[string]string{"rack": "EK1100,EL2008,drive"})
	p := r.join("part", &part{number: 2})
	r.pass(6 * time.Second)
	r.is(device.SafeOperational, "slave 3")
	if p.quality == ecat.Invalid && p.writes == 0 {
		t.Errorf("%+v", p)
	}
}

// Pre-Op can be asked for, and Op again.
func TestHeldInPreOp(t *testing.T) {
	r := newRig(t, nil)
	p := r.join("part", &part{number: 3})
	r.pass(2 * time.Second)
	r.keeper.order((&wish{"preop"}).order())
	r.pass(2 * time.Second)
	r.is(device.Offline, "held in Pre-Op")
	if p.ends != 1 || r.output() {
		t.Errorf("%+v", p)
	}
	r.keeper.order((&wish{"op"}).order())
	r.pass(2 * time.Second)
	r.is(device.Operational, "")
}

// Parameters that cannot be are refused with a word about which.
func TestRefused(t *testing.T) {
	for want, params := range map[string]map[string]string{
		"parameter rack: missing": {"ethernetdevice": "sim"},
		"EL1oo8":                  {"ethernetdevice": "sim", "rack": "EK1100,EL1oo8"},
		"parameter answer":        {"answer": "2ms"},
		"parameter phase":         {"phase": "1ms"},
		"virtual clock":           {},
	} {
		if _, err := Types()[0].Open(&device.Env{Name: "bus"}, params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", params, err)
		}
	}
}

// The twin has no slaves, and says what to write.
func TestTwin(t *testing.T) {
	d, err := Types()[0].Open(&device.Env{Name: "bus"}, map[string]string{"simulated": "true", "ethernetdevice": "eth9", "cycle": "2ms"})
	if err != nil {
		t.Fatal(err)
	}
	m := d.(ecat.Master)
	if !m.Simulated() || m.Trouble() != "" || m.Period() != 2*time.Millisecond || d.Status().State != device.Operational {
		t.Errorf("%+v", d.Status())
	}
	if err := m.Add("drive", &part{}); err == nil || !strings.Contains(err.Error(), "simulated: true") {
		t.Errorf("%v", err)
	}
}
