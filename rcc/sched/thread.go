package sched

import (
	"fmt"
	"math/bits"
	"runtime"
	"time"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Threads configures the threads of executors that are detached from the runtime. Such threads keep to their CPUs.
type Threads struct {
	Priority int           // of the executors of the real-time class with the shortest periods; zero leaves priorities to the system
	Spin     time.Duration // how long before a tick an executor stops sleeping and watches the clock, a quarter of its period at most
}

// Ranks of priorities below the highest one: executors with longer periods come after those with shorter ones, one rank
// for every doubling, and those of the ordinary class after all of the real-time class (§7.5).
const (
	firstDoubling = 17 // 131 µs
	ranks         = 15
)

func (t *Threads) priority(k key) int {
	if t.Priority == 0 {
		return 0
	}
	rank := min(max(0, bits.Len64(uint64(k.period))-firstDoubling), ranks-1)
	if !k.realtime {
		rank += ranks
	}
	return max(1, t.Priority-rank)
}

// cpu is the number that the system gives to one of the CPUs for executors (cycle).
func (s *Scheduler) cpu(place int) int {
	if cpus, k := s.config.CPUs, uint(place); k < uint(len(cpus)) {
		return cpus[k]
	}
	return rt.AnyCPU
}

// observed is the CPU that tells what threads of one of those for executors are kept from: all of them where threads keep to none (cycle).
func (s *Scheduler) observed(place int) int {
	if s.real != nil && s.config.Threads == nil {
		return rt.AnyCPU
	}
	return s.cpu(place)
}

// DeviceThread returns the properties of the thread of a device, by the device's number: it runs on one of the CPUs of
// executors, with a priority above theirs. A bus or a robot does not wait for its thread; a tick can wait until they have been
// answered. It returns nil when there are no threads.
func (s *Scheduler) DeviceThread(number uint64) *rt.Thread {
	t := s.config.Threads
	if t == nil {
		return nil
	}
	d := rt.Thread{Name: "device", CPU: rt.AnyCPU}
	if n := len(s.config.CPUs); n > 0 {
		d.CPU = s.config.CPUs[number%uint64(n)]
	}
	if t.Priority > 0 {
		d.Priority = min(t.Priority+1, 99)
	}
	return &d
}

// run leads an executor through its ticks until there is nothing more to do: on a detached thread if that is wanted and
// can be had, otherwise in an ordinary goroutine.
func (x *executor) run() {
	if x.s.config.Threads == nil {
		x.paceTimed()
		return
	}
	x.ordinary.Store(nil)
	x.observer.cpu = x.s.observed(x.cpu)
	x.thread.Run(x.paceDetached, func(why error) {
		x.ordinary.Store(&why)
		x.observer.cpu = rt.AnyCPU // it does not keep to its own
		x.paceTimed()
	})
}

// paceTimed paces on one thread, which tells how long it is executed; a goroutine does not.
func (x *executor) paceTimed() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	x.timed = true
	x.pace()
	x.timed = false
}

func (x *executor) paceDetached() {
	x.timed = true
	clock := x.s.real
	x.spin = min(int64(x.s.config.Threads.Spin), x.period/4) // or there is no time left to sleep in a short period
	for x.ahead() {
		if !x.awake(clock.SleepDetached(x.until, x.spin, &x.alarm)) {
			break
		}
	}
	x.timed = false
}

// threadOf names a thread so that the tools of the system show which executor it is.
func (s *Scheduler) threadOf(k key, cpu int) rt.Thread {
	t := s.config.Threads
	if t == nil {
		return rt.Thread{}
	}
	name := fmt.Sprintf("rt %v", time.Duration(k.period))
	if !k.realtime {
		name = fmt.Sprintf("net %v", time.Duration(k.period))
	}
	return rt.Thread{Name: name, CPU: s.cpu(cpu), Priority: t.priority(k)}
}

// Executor describes an executor.
type Executor struct {
	Period   time.Duration
	Realtime bool
	Nets     int
	Detached bool  // it is a detached thread, not an ordinary goroutine
	CPU      int   // that it keeps to, rt.AnyCPU if none
	Priority int   // of SCHED_FIFO, zero for the ordinary scheduling of the system
	Ordinary error // why it is not detached although it should be
	Rests    bool  // it has nothing to do
	Ticks    uint64
	Late     uint64       // ticks
	Missed   uint64       // ticks
	Share    Share        // of a CPU that its running nets take
	Wakeup   Distribution // how late ticks began
	Busy     Distribution // how long the phases of all nets took
}

// Executors describes all executors.
func (s *Scheduler) Executors() (list []Executor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.executors {
		x := s.executors[i].Load()
		if x == nil {
			continue
		}
		d := Executor{Period: time.Duration(x.period), Realtime: x.realtime, Nets: int(x.nets.Load()), CPU: rt.AnyCPU, Rests: x.rests()}
		if t := s.config.Threads; t != nil {
			if err := x.ordinary.Load(); err != nil {
				d.Ordinary = *err
			} else {
				d.Detached, d.CPU, d.Priority = true, x.thread.CPU, x.thread.Priority
			}
		}
		d.Share = Share(s.accounts.at(uint32(i)).taken.Load())
		x.figures.read(&d)
		list = append(list, d)
	}
	return list
}
