package link

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
	"github.com/softrobot-rcc/rccd/internal/guard"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Slaves are the other end of a cable: they process a frame that reaches them at an instant, and deliver what comes back with the
// instant at which it arrives. They may change the frame; what they deliver is copied.
type Slaves interface {
	Process(frame []byte, now int64, deliver func(frame []byte, at int64))
}

// Local is a cable inside this process, in real time. The user of the Link may be a detached thread; the slaves at the other end live
// in a goroutine of their own, because they do what the cycle must not. They get the time when a frame was sent, so that their
// time does not depend on when they get to run.
type Local struct {
	clock  *rt.Real
	slaves Slaves
	there  *lane // to the slaves
	back   *lane
	bell   *rt.Bell // rings for the slaves
	alarm  rt.Alarm // rings when something has come back
	quiet  rt.Alarm // never rings

	mu    sync.Mutex // of the slaves
	ended chan struct{}
	stop  atomic.Bool
}

// OpenLocal opens a cable.
func OpenLocal(slaves Slaves, clock *rt.Real) (*Local, error) {
	bell, err := rt.NewBell()
	if err != nil {
		return nil, err
	}
	l := &Local{clock: clock, slaves: slaves, there: new(lane), back: new(lane), bell: bell, ended: make(chan struct{})}
	guard.Go("simulated slaves", l.live)
	return l, nil
}

// live lets the slaves process what has come.
func (l *Local) live() {
	defer close(l.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for !l.stop.Load() {
		for p := l.there.front(); p != nil; p = l.there.front() {
			l.mu.Lock()
			l.slaves.Process(p.frame[:p.length], p.due, l.deliver)
			l.mu.Unlock()
			l.there.pop()
			l.alarm.Ring()
		}
		l.bell.Wait()
	}
}

func (l *Local) deliver(frame []byte, at int64) {
	l.back.push(frame, at)
	l.alarm.Ring()
}

// Within calls a function while no frame is processed.
func (l *Local) Within(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// Now returns the time of the clock (cycle).
func (l *Local) Now() int64 { return l.clock.Now() }

// Send sends a frame (cycle).
func (l *Local) Send(frame []byte) bool {
	if len(frame) < wire.ShortestFrame || !l.there.push(frame, l.clock.Now()) {
		return false
	}
	l.bell.Ring()
	return true
}

// Receive waits for a frame (cycle).
func (l *Local) Receive(room []byte, until int64) (n int, ok bool) {
	for {
		l.alarm.Clear()
		n, next, on := l.take(room, until)
		switch {
		case n > 0:
			return n, true
		case next <= l.clock.Now():
			return 0, false
		}
		l.clock.SleepDetached(next, 0, on)
	}
}

// Await is Receive for goroutines.
func (l *Local) Await(room []byte, until int64) (n int, ok bool) {
	for {
		l.alarm.Clear()
		n, next, on := l.take(room, until)
		switch {
		case n > 0:
			return n, true
		case next <= l.clock.Now():
			return 0, false
		}
		l.clock.SleepUntil(next, on)
	}
}

// starved is how long slaves may not get to run although frames have come to them. On a machine with much to do that is not their
// fault, and frames that they have not seen are not lost.
const starved = int64(time.Second)

// take takes a frame that is due, or returns until when to wait for one, and what else to wait for (cycle).
func (l *Local) take(room []byte, until int64) (n int, next int64, on *rt.Alarm) {
	busy := l.there.front() != nil // asked first: what they finish in the meantime is found
	p := l.back.front()
	switch {
	case p == nil && busy:
		return 0, until + starved, &l.alarm
	case p == nil:
		return 0, until, &l.alarm
	case p.due > l.clock.Now():
		return 0, min(p.due, until), &l.quiet
	}
	frame := p.frame[:]
	if uint(p.length) < uint(len(frame)) {
		frame = frame[:p.length]
	}
	n = copy(room, frame)
	l.back.pop()
	return n, 0, nil
}

// Close ends the goroutine of the slaves.
func (l *Local) Close() error {
	l.stop.Store(true)
	l.bell.Ring()
	<-l.ended
	return l.bell.Close()
}

// lane is frames that one thread puts into it and one other takes.
type lane struct {
	head, tail atomic.Uint64 // how many have been put and taken
	parcels    [parcels]parcel
}

// push puts a frame into the lane unless that is full (cycle).
func (l *lane) push(frame []byte, at int64) bool {
	head := l.head.Load()
	if head-l.tail.Load() >= parcels || len(frame) > wire.LongestFrame {
		return false
	}
	p := &l.parcels[head%parcels]
	p.due, p.length = at, copy(p.frame[:], frame)
	l.head.Store(head + 1)
	return true
}

// front returns the oldest frame, nil when there is none (cycle).
func (l *lane) front() *parcel {
	tail := l.tail.Load()
	if tail == l.head.Load() {
		return nil
	}
	return &l.parcels[tail%parcels]
}

// pop takes it out of the lane (cycle).
func (l *lane) pop() { l.tail.Store(l.tail.Load() + 1) }

// parcels is how many frames may be under way.
const parcels = 64

type parcel struct {
	due    int64
	length int
	frame  [wire.LongestFrame]byte
}
