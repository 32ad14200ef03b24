package ethercat

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/image"
	"github.com/softrobot-rcc/rccd/ethercat/link"
	"github.com/softrobot-rcc/rccd/ethercat/sim"
	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/latency"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/veth"
	"github.com/softrobot-rcc/rccd/rcc/device/ecat"
)

// Threads of a bus that is measured, on the two CPUs that there are everywhere.
var (
	busThread  = rt.Thread{Name: "bus", CPU: 1, Priority: 80}
	rackThread = rt.Thread{Name: "rack", CPU: 0, Priority: 80}
)

// farEnd is slaves at the far end of a cable with a real-time thread of their own, and a bare loop beside it that sends back what comes,
// which is the least possible.
type farEnd struct {
	chain  *sim.Chain
	slaves *rt.Packet
	bare   *rt.Packet
	clock  *rt.Real
	room   [wire.LongestFrame]byte
	other  [wire.LongestFrame]byte
	spin   int64 // how long threads stay awake for the next frame, ns
}

// bareType is the EtherType of frames that are sent back unchanged, one for local experiments.
const bareType = 0x88b5

func newFarEnd(tb testing.TB, rack *sim.Rack, spin time.Duration) *farEnd {
	tb.Helper()
	f := &farEnd{clock: rt.NewReal(), spin: int64(spin)}
	var err error
	if f.chain, err = sim.NewChain(rack, nil, f.clock.Now()); err != nil {
		tb.Fatal(err)
	}
	f.slaves, f.bare = open(tb, veth.B, wire.EtherType), open(tb, veth.B, bareType)
	var threads sync.WaitGroup
	started := make(chan error)
	threads.Go(func() {
		err := rackThread.Hold(func() {
			started <- nil
			for f.answer() {
			}
		})
		if err != nil {
			started <- err
		}
	})
	if err := <-started; err != nil {
		tb.Skip("skip: no real-time scheduling: ", err)
	}
	threads.Go(func() {
		err := rackThread.Detach(func() {
			for f.echo() {
			}
		})
		if err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() {
		f.slaves.Stop()
		f.bare.Stop()
		threads.Wait()
	})
	return f
}

// open returns a socket that is closed after everything else.
func open(tb testing.TB, name string, etherType uint16) *rt.Packet {
	tb.Helper()
	p, err := rt.OpenPacket(name, etherType)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// answer waits for a frame to slaves and lets them answer it.
func (f *farEnd) answer() bool {
	n, how := 0, rt.TimedOut
	if f.spin > 0 {
		n, how = f.slaves.ReceiveDetached(f.clock, f.clock.Now()+f.spin, rt.Never, f.room[:])
	}
	if how == rt.TimedOut {
		n, how = f.slaves.Receive(f.clock, rt.Never, f.room[:])
	}
	if how == rt.Received {
		f.chain.Process(f.room[:n], f.clock.Now(), f.back)
	}
	return how == rt.Received
}

func (f *farEnd) back(frame []byte, _ int64) { f.slaves.Send(frame) }

// echo waits for a bare frame and sends it back (cycle).
func (f *farEnd) echo() bool {
	n, how := f.bare.ReceiveDetached(f.clock, f.clock.Now()+f.spin, rt.Never, f.other[:])
	if how == rt.TimedOut {
		n, how = f.bare.ReceiveDetached(f.clock, rt.Never, 0, f.other[:])
	}
	if room := f.other[:]; how == rt.Received && uint(n) <= uint(len(room)) {
		f.bare.Send(room[:n])
	}
	return how == rt.Received
}

// nearEnd is the thread of a bus, which does one of several things, over and over.
type nearEnd struct {
	m     *Master
	far   *farEnd
	cable *link.Raw
	bare  *rt.Packet
	clock *rt.Real
	alarm rt.Alarm
	doing atomic.Int32
	until atomic.Int64 // when it goes back to nothing but running: no other thread may get a CPU before

	frame  []byte // such as that of a cycle
	room   [wire.LongestFrame]byte
	trips  samples // of exchanges, from the first byte written to the last driver
	echoes samples // of the same frame when the far end is bare
	wakes  samples // how late the thread was
	late   int     // cycles that were begun when the next one was due
	gone   int     // cycles without an answer
	lost   int     // frames of the latter that did not come back
	thread sync.WaitGroup
	why    error // the thread is not a real-time one
}

// copier is a driver that keeps to the rules of the cycle: it puts out what is in it and takes in what comes.
type copier struct {
	out, in [64]byte
	quality ecat.Quality
}

func (*copier) PreOp(context.Context, ecat.Slave) error  { return nil }
func (*copier) SafeOp(context.Context, ecat.Slave) error { return nil }

func (c *copier) Write(outputs image.View, _ *ecat.Moment) { copy(outputs, c.out[:]) }

func (c *copier) Read(inputs image.View, q ecat.Quality, _ *ecat.Moment) {
	copy(c.in[:], inputs)
	c.quality = q
}

// copiers attaches one to each slave.
type copiers struct{ list []*copier }

func (c *copiers) Startup(slaves []ecat.Slave) error {
	c.list = nil
	for _, s := range slaves {
		d := &copier{}
		c.list = append(c.list, d)
		if err := s.Attach(d); err != nil {
			return err
		}
	}
	return nil
}

func (*copiers) Shutdown()            {}
func (*copiers) Prepare(*ecat.Moment) {}

// pulsed are copiers whose slaves with clocks use SYNC0, except for the first.
type pulsed struct{ copiers }

func (p *pulsed) Startup(slaves []ecat.Slave) error {
	for _, s := range slaves[1:] {
		if s.HasClock() {
			if err := s.Configure(ecat.Setup{Clock: &ecat.Clock{Activate: 0x0300}}); err != nil {
				return err
			}
		}
	}
	return p.copiers.Startup(slaves)
}

// Actions of the thread.
const (
	runs      int32 = iota // a cycle in every millisecond
	compares               // and half a cycle later a bare frame
	watches                // and how late it is, instead
	endures                // the same, and which of both are lost
	exchanges              // cycles one right after another
	echoes                 // bare frames one right after another
)

// samples are times in ns, as many as there is room for.
type samples struct {
	list []int64
	n    int
}

func (s *samples) add(ns int64) {
	if s.n < len(s.list) {
		s.list[s.n] = ns
		s.n++
	}
}

// at returns a quantile, µs.
func (s *samples) at(part float64) float64 {
	if s.n == 0 {
		return 0
	}
	slices.Sort(s.list[:s.n])
	return float64(s.list[min(int(part*float64(s.n)), s.n-1)]) / 1e3
}

func newNearEnd(tb testing.TB, far *farEnd, o Options, spin time.Duration) *nearEnd {
	tb.Helper()
	const most = 1 << 20
	e := &nearEnd{far: far, clock: rt.NewReal()}
	for _, s := range []*samples{&e.trips, &e.echoes, &e.wakes} {
		s.list = make([]int64, most)
	}
	var err error
	if e.cable, err = link.OpenRaw(veth.A, e.clock, int64(spin)); err != nil {
		tb.Fatal(err)
	}
	e.bare = open(tb, veth.A, bareType)
	o.Link = e.cable
	if e.m, err = New(o); err != nil {
		tb.Fatal(err)
	}
	e.thread.Go(func() { e.why = busThread.Detach(e.live) })
	tb.Cleanup(func() {
		e.alarm.Ring()
		e.thread.Wait()
		if err := e.cable.Close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// live is the thread (cycle).
func (e *nearEnd) live() {
	for next := e.clock.Now(); ; {
		doing := e.doing.Load()
		if doing < exchanges && !e.clock.SleepDetached(next, 0, &e.alarm) || doing >= exchanges && !e.clock.SleepDetached(0, 0, &e.alarm) {
			return
		}
		now := e.clock.Now()
		if doing != runs && now >= e.until.Load() {
			doing = runs
			e.doing.Store(runs)
		}
		switch doing {
		case runs:
			next = e.m.Exchange(now).Next
		case watches:
			e.wakes.add(now - next)
			next = e.m.Exchange(now).Next
		case endures:
			if now-next >= e.m.cycle.period {
				e.late++
			}
			out := e.m.Exchange(now)
			if !out.Answered {
				e.gone++
			}
			e.clock.SleepDetached(next+e.m.cycle.period/2, 0, &e.alarm)
			e.echo()
			next = out.Next
		case compares:
			next = e.m.Exchange(now).Next
			e.trips.add(e.clock.Now() - now)
			e.clock.SleepDetached(now+e.m.cycle.period/2, 0, &e.alarm)
			e.echo()
		case exchanges:
			e.m.Exchange(now)
			e.trips.add(e.clock.Now() - now)
			next = now
		case echoes:
			e.echo()
			next = now
		}
	}
}

// echo sends a bare frame and waits for it (cycle).
func (e *nearEnd) echo() {
	if len(e.frame) == 0 {
		return
	}
	begin := e.clock.Now()
	for _, how := e.bare.ReceiveDetached(e.clock, begin, 0, e.room[:]); how == rt.Received; {
		_, how = e.bare.ReceiveDetached(e.clock, begin, 0, e.room[:]) // one that came too late
	}
	e.bare.Send(e.frame)
	if _, how := e.bare.ReceiveDetached(e.clock, begin+e.m.cycle.answer, begin+e.far.spin, e.room[:]); how == rt.Received {
		e.echoes.add(e.clock.Now() - begin)
	} else {
		e.lost++
	}
}

// start brings the bus to Op.
func (e *nearEnd) start(tb testing.TB) {
	tb.Helper()
	var err error
	starter := busThread
	starter.Priority-- // the cycle comes first
	if held := starter.Hold(func() { err = e.m.Start(context.Background()) }); held != nil {
		tb.Fatal(held)
	}
	if st := e.m.Statistics(); err != nil && st.Late > 0 && st.Late == st.Lost {
		tb.Skipf("skip: the machine holds back frames for longer than a bus waits for them: %v; %+v", err, st)
	} else if err != nil {
		tb.Fatalf("%v; %+v; %+v", err, st, e.far.chain.Counts())
	}
	e.frame = append(e.frame[:0], e.m.cycle.frames[0].writer.Frame()...)
	e.frame[12], e.frame[13] = bareType>>8, bareType&0xff
}

func (e *nearEnd) wait(d time.Duration) { e.clock.SleepUntil(e.clock.Now()+int64(d), &e.alarm) }

// spend does one thing for some time.
func (e *nearEnd) spend(d time.Duration, doing int32) {
	e.until.Store(e.clock.Now() + int64(d))
	e.doing.Store(doing)
	for e.wait(d); e.doing.Load() != runs; {
		e.wait(time.Millisecond)
	}
	e.wait(min(d/5, 100*time.Millisecond))
}

// race lets cycles and bare frames follow one another at once, in turns, and returns how many of each there are in a second. In between
// there are rests: a real-time thread that never sleeps is stopped by the system after a second.
func (e *nearEnd) race() (cycles, bare float64) {
	const d, rounds = 100 * time.Millisecond, 20
	e.trips.n, e.echoes.n = 0, 0
	for range rounds {
		e.spend(d, exchanges)
		e.spend(d, echoes)
	}
	return float64(e.trips.n) / (rounds * d.Seconds()), float64(e.echoes.n) / (rounds * d.Seconds())
}

// parts are the quantiles that are reported.
var parts = []struct {
	name string
	at   float64
}{{"50%", 0.5}, {"99%", 0.99}, {"99.9%", 0.999}}

// report shows how long cycles and bare frames took.
func (e *nearEnd) report(b *testing.B) {
	for _, p := range parts {
		b.ReportMetric(e.trips.at(p.at), p.name+"-µs")
		b.ReportMetric(e.echoes.at(p.at), "bare-"+p.name+"-µs")
	}
	b.ReportMetric(e.trips.at(0.5)/e.echoes.at(0.5), "50%/bare")
}

// undisturbed keeps the runtime from the threads that are measured: no garbage is collected, and there are always processors that nobody
// has, because then a thread that comes back from a system call finds its own and waits for no lock.
func undisturbed(tb testing.TB) {
	tb.Helper()
	const enough = 16
	processors := runtime.GOMAXPROCS(enough)
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	tb.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(processors)
	})
}

// The process data of six slaves with clocks on a cable at 1 ms, from the first system call to the last driver, beside a frame of
// the same length that is sent back at once.
func BenchmarkCable(b *testing.B) {
	if !veth.Enter(b) {
		return
	}
	e := sixOnCable(b, 0, 0)
	before := e.m.Statistics()
	for b.Loop() {
		e.spend(5*time.Second, compares)
	}
	e.report(b)
	b.ReportMetric(float64(e.m.Statistics().Lost-before.Lost), "lost")
	b.ReportMetric(float64(e.lost), "bare-lost")
}

// The same one right after another, with threads that sleep until a frame comes, and with threads that do not; and as the daemon does it by
// default, with slaves that answer at once. The bare loop stays awake then, as masters do that have nothing else to do.
func BenchmarkCableRace(b *testing.B) {
	const awake = 500 * time.Microsecond
	for _, ends := range []struct {
		name      string
		near, far time.Duration
	}{{"asleep", 0, 0}, {"daemon", 20 * time.Microsecond, awake}, {"awake", awake, awake}} {
		b.Run(ends.name, func(b *testing.B) {
			if !veth.Enter(b) {
				return
			}
			e := sixOnCable(b, ends.near, ends.far)
			for b.Loop() {
				cycles, bare := e.race()
				b.ReportMetric(cycles, "cycles/s")
				b.ReportMetric(bare, "bare/s")
				b.ReportMetric(cycles/bare, "cycles/bare")
			}
			e.report(b)
		})
	}
}

// sixOnCable returns a bus with clocks that runs.
func sixOnCable(b *testing.B, near, far time.Duration) *nearEnd {
	b.Helper()
	undisturbed(b)
	e := newNearEnd(b, newFarEnd(b, six(), far), Options{Sync: &Sync{}}, near)
	e.m.Add(&copiers{})
	e.start(b)
	e.wait(100 * time.Millisecond)
	return e
}

// Wake-ups of the thread of a bus at 1 ms, beside those of cyclictest.
func BenchmarkCableWake(b *testing.B) {
	if !veth.Enter(b) {
		return
	}
	e := sixOnCable(b, 0, 0)
	const d = 10 * time.Second
	stop, err := latency.Cyclictest(latency.Pace{Thread: &busThread, Period: time.Millisecond, For: d})
	if err != nil {
		b.Skip("skip: ", err)
	}
	for b.Loop() {
		e.spend(d, watches)
	}
	other, err := stop()
	if err != nil {
		b.Fatal(err)
	}
	for _, part := range parts {
		b.ReportMetric(e.wakes.at(part.at), part.name+"-µs")
		b.ReportMetric(float64(other.Quantile(part.at))/1e3, "cyclictest-"+part.name+"-µs")
	}
}

// Scan and start of six slaves, from the first frame to Op: without clocks, with them, and with SYNC0. How long a bare frame takes says
// what the machine makes of it: all but the newest frames are waited for one by one.
func BenchmarkCableStart(b *testing.B) {
	for name, how := range map[string]struct {
		sync   *Sync
		device ecat.Device
	}{"free": {nil, &copiers{}}, "clocks": {&Sync{}, &copiers{}}, "SYNC0": {&Sync{}, &pulsed{}}} {
		b.Run(name, func(b *testing.B) {
			if !veth.Enter(b) {
				return
			}
			undisturbed(b)
			e := newNearEnd(b, newFarEnd(b, six(), 0), Options{Sync: how.sync}, 0)
			e.m.Add(how.device)
			var times samples
			times.list = make([]int64, 20)
			for b.Loop() {
				for range times.list {
					begin := e.clock.Now()
					sent := e.m.Statistics().Sent
					e.start(b)
					times.add(e.clock.Now() - begin)
					b.ReportMetric(float64(e.m.Statistics().Sent-sent), "frames")
					if err := e.m.Stop(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			}
			e.start(b)
			e.spend(time.Second, compares)
			b.ReportMetric(e.echoes.at(0.5), "bare-50%-µs")
			b.ReportMetric(times.at(0)/1e3, "least-ms")
			b.ReportMetric(times.at(0.5)/1e3, "median-ms")
			b.ReportMetric(times.at(1)/1e3, "most-ms")
		})
	}
}
