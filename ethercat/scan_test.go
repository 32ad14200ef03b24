package ethercat

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// wide returns a rack of n slaves, two of five with objects. Their parts are as slow as those of real ones.
func wide(slaves int) *sim.Rack {
	types := []string{"EK1100"}
	for len(types) < slaves {
		types = append(types, "EL1008", "EL2008", "EL3104", "EL4132", "EL1018")
	}
	rack := rackOf(types[:slaves]...)
	for i := range rack.Slaves {
		s := &rack.Slaves[i]
		s.SIIDelay, s.FourBytes, s.MailDelay, s.Transition = time.Millisecond, true, time.Millisecond, 5*time.Millisecond
	}
	return rack
}

// punctual are copiers that note when the first of them learned of Safe-Op, in which all are by then.
type punctual struct {
	copiers
	now    func() int64
	once   sync.Once
	safeOp int64
}

type punctualDriver struct {
	copier
	of *punctual
}

func (d *punctualDriver) SafeOp(context.Context, ecat.Slave) error {
	d.of.once.Do(func() { d.of.safeOp = d.of.now() })
	return nil
}

func (p *punctual) Startup(slaves []ecat.Slave) error {
	p.once = sync.Once{}
	for _, s := range slaves {
		if err := s.Attach(&punctualDriver{of: p}); err != nil {
			return err
		}
	}
	return nil
}

// Many slaves start together: they get what they need in shared frames, whichever is slow.
func TestStart150(t *testing.T) {
	const most = 1500 * time.Millisecond // in virtual time
	r := newRig(t, wide(150), Options{})
	p := &punctual{now: r.cable.Now}
	r.m.Add(p)
	r.start()
	took := time.Duration(p.safeOp - startOfTime)
	t.Logf("Safe-Op after %v, Op after %v, %d frames", took, time.Duration(r.cable.Now()-startOfTime), r.cable.Sent())
	if took > most {
		t.Errorf("Safe-Op after %v", took)
	}
	r.cycles(5)
	if st := r.m.Statistics(); !r.whole() || st.TimeOuts > 0 || st.Retries > 0 {
		t.Errorf("%v %+v", r.states(), st)
	}
}

// asker is a device with some slaves whose drivers read objects in Pre-Op, also those of the other.
type asker struct {
	t       *testing.T
	slaves  []ecat.Slave
	asking  int // drivers in PreOp at this moment
	most    int
	answers int
	fails   int // slave that fails
}

var errOfDriver = errors.New("driver does not like it")

func (a *asker) Startup(slaves []ecat.Slave) error {
	a.slaves = slaves
	for _, s := range slaves {
		if s.HasCoE() {
			if err := s.Attach(&askerDriver{of: a}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (*asker) Shutdown()            {}
func (*asker) Prepare(*ecat.Moment) {}

type askerDriver struct {
	copier
	of *asker
}

func (d *askerDriver) PreOp(ctx context.Context, s ecat.Slave) error {
	a := d.of
	a.asking++
	a.most = max(a.most, a.asking)
	defer func() { a.asking-- }()
	for range 3 {
		for _, other := range a.slaves {
			if !other.HasCoE() {
				continue
			}
			b, err := other.Upload(ctx, 0x1018, 1, false)
			if err != nil {
				return err
			}
			if !slices.Equal(b, []byte{2, 0, 0, 0}) {
				a.t.Errorf("%v says % x", other.About(), b)
			}
			a.answers++
		}
	}
	if s.About().Position == a.fails {
		return errOfDriver
	}
	return nil
}

// Drivers talk to slaves at the same time, also to the same one, and get what they have asked for. That one fails is its own matter.
func TestDriversTalkTogether(t *testing.T) {
	const failing = 3
	for _, partial := range []bool{false, true} {
		r := newRig(t, rackOf("EK1100", "EL3104", "EL4132", "EL3104", "EL4132"), Options{Partial: partial})
		a := &asker{t: t, fails: failing}
		r.m.Add(a)
		err := r.m.Start(context.Background())
		if partial != (err == nil) || !partial && !errors.Is(err, errOfDriver) {
			t.Error(err)
		}
		if a.most != 4 || a.answers != 4*3*4 {
			t.Errorf("%d at the same time, %d answers", a.most, a.answers)
		}
		if st := r.m.Slaves()[failing].Status(); partial && st.Failures == 0 {
			t.Errorf("%+v", st)
		}
	}
}

// Scan and start of 150 slaves up to Safe-Op on a cable (asked: 1500 ms). The far end takes a good part of it: it is one thread that lets
// each datagram pass 150 slaves.
func BenchmarkCableStart150(b *testing.B) {
	if !veth.Enter(b) {
		return
	}
	undisturbed(b)
	e := newNearEnd(b, newFarEnd(b, wide(150), 0), Options{Cycle: 2 * time.Millisecond, Patience: 1000}, 0)
	p := &punctual{now: e.clock.Now}
	e.m.Add(p)
	var scans, safeOps, ops samples
	for _, s := range []*samples{&scans, &safeOps, &ops} {
		s.list = make([]int64, 100)
	}
	for b.Loop() {
		for range 5 {
			begin := e.clock.Now()
			if _, err := e.m.Scan(context.Background()); err != nil {
				b.Fatal(err)
			}
			scans.add(e.clock.Now() - begin)
			begin = e.clock.Now()
			sent := e.m.Statistics().Sent
			e.start(b)
			safeOps.add(p.safeOp - begin)
			ops.add(e.clock.Now() - begin)
			b.ReportMetric(float64(e.m.Statistics().Sent-sent), "frames")
			if err := e.m.Stop(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(scans.at(0.5)/1e3, "scan-ms")
	b.ReportMetric(safeOps.at(0.5)/1e3, "safeop-ms")
	b.ReportMetric(safeOps.at(1)/1e3, "safeop-most-ms")
	b.ReportMetric(ops.at(0.5)/1e3, "op-ms")
}
