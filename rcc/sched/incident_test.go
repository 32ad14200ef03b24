package sched

import (
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/rcc/net"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

// An incident of a tick is kept with its cause, also when the net has gone.
func TestIncidents(t *testing.T) {
	s := newByHand(t, Config{})
	const label, period = 7, slowly
	spend := int64(0)
	program := net.NewProgram(period, nil, func(*spec.Cycle) {
		for begin := rt.Stopwatch(); rt.Stopwatch()-begin <= spend; {
		}
	}, nil, nil)
	r, err := s.Admit(program, Options{Realtime: true, Label: label})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	x := s.executorOf(r.slot)
	p := x.period
	x.idle = p + p/2
	x.tick(p, p+p*3/4, 0) // woken late, as nothing was done before
	x.idle = 0
	x.tick(5*p, 5*p+p*3/4, 3) // woken late
	spend = p
	x.tick(6*p, 6*p, 0) // takes too long
	spend = 0
	x.idle, x.stalled = 7*p+p/2, 1
	x.tick(8*p, 8*p, 1) // and misses the next one, a nanosecond off the CPU made no difference
	if err := s.Abort(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := s.Retire(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	count, kept := s.Incidents()
	for i := range kept {
		if kept[i].Kind == LongCycle && kept[i].Amount > 0 {
			kept[i].Amount = 1
		}
	}
	of := func(i Incident) Incident {
		i.Period, i.Realtime = period, true
		return i
	}
	want := []Incident{
		of(Incident{Kind: LateTick, Cause: WokenLate, Time: s.clock.Unix(p), Amount: period * 3 / 4}),
		of(Incident{Kind: LateTick, Cause: WokenLate, Time: s.clock.Unix(5 * p), Amount: period * 15 / 4, Missed: 3}),
		of(Incident{Kind: LongCycle, Cause: Unclear, Time: s.clock.Unix(3 * p), Amount: 1, Net: label, Cycle: 3}),
		of(Incident{Kind: LateTick, Cause: Unclear, Time: s.clock.Unix(8 * p), Amount: period, Missed: 1, Net: label, Cycle: 3}),
	}
	want[1], want[2] = want[2], want[1] // in the order of logical times
	if diff := cmp.Diff(want, kept); diff != "" || count != 4 {
		t.Errorf("%d incidents: %s", count, diff)
	}
	if got, want := s.Tally(), (Tally{Late: 3, Missed: 4, Overruns: 1}); got != want {
		t.Errorf("tally %+v, not %+v", got, want)
	}
}

// The newest incidents push out the oldest of their kind, and reading beside an executor that writes gives whole records.
func TestIncidentsAreLimited(t *testing.T) {
	l := new(incidents)
	s := &Scheduler{}
	s.incidents[3] = l
	stop, ended := make(chan struct{}), make(chan uint64)
	go func() {
		n := uint64(0)
		defer func() { ended <- n }()
		for ; n < 10*keptIncidents; n++ {
			l.add(&Incident{Net: n, Cycle: n, Missed: n, Time: int64(n)})
		}
		l.add(&Incident{Kind: LongCycle})
		for ; ; n++ {
			select {
			case <-stop:
				return
			default:
				l.add(&Incident{Net: n, Cycle: n, Missed: n, Time: int64(n)})
			}
		}
	}()
	for range 1000 {
		_, kept := s.Incidents()
		for _, i := range kept {
			if i.Cycle != i.Net || i.Missed != i.Net || i.Time != int64(i.Net) {
				t.Fatalf("torn: %+v", i)
			}
		}
	}
	close(stop)
	n := <-ended
	count, kept := s.Incidents()
	if count != n+1 || len(kept) != keptIncidents+1 || kept[0].Kind != LongCycle ||
		kept[1].Net != n-keptIncidents || kept[keptIncidents].Net != n-1 {
		t.Errorf("%d of %d incidents, %d kept, from %+v", count, n+1, len(kept), kept[0])
	}
}

// Time in which the thread was kept off its CPU is not the fault of the net, and ends it under no policy.
func TestStalledTicksEndNothing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if rt.ThreadTime() == 0 {
		t.Skip("skip: the system does not tell how long a thread was executed")
	}
	s, clock := newByHand(t, Config{Overrun: AbortOverruns}), rt.NewReal()
	r := s.started(t, func(*spec.Cycle) {
		var a rt.Alarm
		clock.SleepUntil(clock.Now()+int64(3*ms), &a)
	}, nil)
	x := s.executorOf(r.slot)
	x.timed = true
	x.tick(x.period, x.period, 0)
	stats, err := s.Stats(r)
	_, kept := s.Incidents()
	if err != nil || stats.Overruns != 0 || len(kept) != 1 || kept[0].Cause != KeptOff || kept[0].Amount < 2*ms {
		t.Errorf("%d overruns, %v, incidents %+v", stats.Overruns, err, kept)
	}
	if state := s.nets.at(r.slot).state; state != Running {
		t.Errorf("the net is %v", state)
	}
}

// An executor that could not be detached does not blame its nets either for time in which they were not executed.
func TestStalledTicksEndNothingInOrdinaryPacing(t *testing.T) {
	events := make(chan Event, 10)
	s := newReal(t, Config{
		Overrun: AbortOverruns, CPUs: []int{rt.MaxCPUs - 1}, Threads: &Threads{},
		OnEvent: func(e Event) { events <- e },
	})
	begun, goOn := make(chan struct{}), make(chan struct{})
	end := new(spec.Out[bool])
	r, err := s.Admit(net.NewProgram(slowly, nil, func(cy *spec.Cycle) {
		if end.Set(cy, cy.N == 2); cy.N == 1 {
			close(begun)
			<-goOn
		}
	}, nil, end), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	<-begun
	for from := rt.Stopwatch(); rt.Stopwatch()-from < int64(2*slowly); {
		runtime.Gosched()
	}
	close(goOn)
	expect(t, events, NetStarted)
	if e := <-events; e.Kind != NetEnded || e.Cause != Terminated {
		t.Errorf("%+v", e)
	}
	if x := s.executorOf(r.slot); x.ordinary.Load() == nil {
		t.Error("the executor has a thread on a CPU that does not exist")
	}
}

// Ticks before an executor had anything to do are not missed.
func TestNothingIsMissedBeforeTheFirstNet(t *testing.T) {
	s := newByHand(t, Config{})
	x := s.executorOf(s.started(t, nil, nil).slot)
	p := x.period
	x.tick(1000*p, 1000*p, 999)
	x.tick(2000*p, 2000*p, 999)
	_, kept := s.Incidents()
	executors := s.Executors()
	from := x.entries[0].from / p
	if want := uint64(1000-from) + 999; executors[0].Missed != want || kept[0].Missed != uint64(1000-from) {
		t.Errorf("%d and %d ticks are missed instead of %d", executors[0].Missed, kept[0].Missed, want)
	}
	s.started(t, nil, nil)
	y := newExecutor(s, x.key, 1, 0)
	y.insert(entry{from: 3000 * p})
	if owed := y.owed(2999*p, 2000); owed != 0 {
		t.Errorf("%d ticks before the first one", owed)
	}
}

func TestPriorities(t *testing.T) {
	threads := &Threads{Priority: 80}
	last := 81
	for _, k := range []key{
		{int64(50 * time.Microsecond), true},
		{int64(250 * time.Microsecond), true},
		{int64(ms), true},
		{int64(2 * ms), true},
		{int64(time.Hour), true},
		{int64(50 * time.Microsecond), false},
		{int64(ms), false},
		{int64(time.Hour), false},
	} {
		p := threads.priority(k)
		if p >= last || p < 1 {
			t.Errorf("%+v: priority %d after %d", k, p, last)
		}
		last = p
	}
	if p := (&Threads{Priority: 3}).priority(key{int64(time.Hour), false}); p != 1 {
		t.Errorf("lowest priority %d", p)
	}
	if p := (&Threads{}).priority(key{int64(ms), true}); p != 0 {
		t.Errorf("priority %d without any", p)
	}
}

// Threads of devices come before all executors, and are spread over their CPUs.
func TestThreadsOfDevices(t *testing.T) {
	s := &Scheduler{config: Config{CPUs: []int{2, 3}, Threads: &Threads{Priority: 80}}}
	for number, cpu := range []int{2, 3, 2} {
		if d := s.DeviceThread(uint64(number)); d.CPU != cpu || d.Priority <= s.config.Threads.priority(key{1, true}) {
			t.Errorf("device %d: %+v", number, d)
		}
	}
	s.config = Config{Threads: &Threads{}}
	if d := s.DeviceThread(1); d.CPU != rt.AnyCPU || d.Priority != 0 {
		t.Errorf("without rights: %+v", d)
	}
	s.config = Config{}
	if d := s.DeviceThread(1); d != nil {
		t.Errorf("without threads: %+v", d)
	}
}
