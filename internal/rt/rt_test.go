package rt

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softrobot-rcc/rccd/internal/testkit/alloc"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

func TestReal(t *testing.T) {
	r := NewReal()
	a := r.Now()
	b := r.Now()
	if a < 0 || b < a || a > int64(time.Hour) {
		t.Errorf("instants %d, %d", a, b)
	}
	if r.Unix(0)%int64(time.Second) != 0 {
		t.Errorf("zero is at %d", r.Unix(0))
	}
	if d := time.Until(time.Unix(0, r.Unix(r.Now()))).Abs(); d > time.Minute {
		t.Errorf("Unix time is off by %v", d)
	}
	if n := alloc.Least(func() { r.Unix(r.Now() + Stopwatch()) }); n != 0 {
		t.Errorf("%d allocations in reading the clock", n)
	}
}

func TestSleepUntil(t *testing.T) {
	r := NewReal()
	var a Alarm
	for range 10 {
		until := r.Now() + int64(300*time.Microsecond)
		if !r.SleepUntil(until, &a) || r.Now() < until {
			t.Fatal("woke up early")
		}
	}
	if !r.SleepUntil(r.Now()-1, &a) {
		t.Error("an instant of the past was interrupted")
	}
}

func TestAlarmEndsSleeps(t *testing.T) {
	r := NewReal()
	var a Alarm
	var sleepers sync.WaitGroup
	for range 3 {
		sleepers.Go(func() {
			if r.SleepUntil(Never, &a) {
				t.Error("slept to the end")
			}
		})
	}
	a.Ring()
	sleepers.Wait()
	if r.SleepUntil(r.Now()+int64(time.Hour), &a) {
		t.Error("slept after the alarm")
	}
	a.Ring()
	a.Clear()
	if !r.SleepUntil(r.Now()+int64(time.Millisecond), &a) {
		t.Error("was woken by an alarm that had been cleared")
	}
	if n := alloc.Least(func() {
		a.Ring()
		a.Clear()
	}); n != 0 {
		t.Errorf("%d allocations in a ring", n)
	}
}

// No ring is lost: a thread that clears the alarm before looking for work finds all of it.
func TestAlarmHammer(t *testing.T) {
	r := NewReal()
	var a Alarm
	const rings = 10_000
	work := make(chan int, rings)
	go func() {
		for i := range rings {
			work <- i
			a.Ring()
		}
	}()
	for seen := 0; seen < rings; {
		if r.SleepUntil(Never, &a) {
			t.Fatal("slept to the end")
		}
		a.Clear()
		for len(work) > 0 {
			<-work
			seen++
		}
	}
}

func TestBell(t *testing.T) {
	b, err := NewBell()
	if err != nil {
		t.Fatal(err)
	}
	b.Ring()
	b.Ring()
	b.Wait()
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		b.Wait()
	}()
	select {
	case <-heard:
		t.Error("two rings were heard as two")
	default:
	}
	b.Ring()
	<-heard
	if n := alloc.Least(b.Ring); n != 0 {
		t.Errorf("%d allocations in a ring", n)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// No ring is lost: a thread that counts up and rings is seen by the one that waits.
func TestBellHammer(t *testing.T) {
	b, err := NewBell()
	if err != nil {
		t.Fatal(err)
	}
	const rings = 10_000
	work := make(chan int, rings)
	go func() {
		for i := range rings {
			work <- i
			b.Ring()
		}
	}()
	for seen := 0; seen < rings; {
		b.Wait()
		for len(work) > 0 {
			<-work
			seen++
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

var zero = time.Unix(1_000_000_000, 0)

func TestVirtualWithoutDriver(t *testing.T) {
	v := NewVirtual(zero)
	for _, d := range []time.Duration{time.Second, 0, -time.Second, time.Millisecond} {
		if err := v.Advance(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if now := v.Now(); now != int64(1001*time.Millisecond) || v.Unix(now) != zero.UnixNano()+now {
		t.Errorf("now %d", now)
	}
}

// driver does something every period until it is stopped, and notes when.
type driver struct {
	v    *Virtual
	at   []int64
	wake chan struct{}
	done chan struct{}
}

func drive(v *Virtual, period int64) *driver {
	d := &driver{v: v, wake: make(chan struct{}), done: make(chan struct{})}
	v.Drive()
	go func() {
		defer close(d.done)
		defer v.Leave()
		for next := period; ; next += period {
			if !v.Await(next, d.wake) {
				return
			}
			d.at = append(d.at, v.Now())
		}
	}()
	return d
}

func (d *driver) stop() {
	d.wake <- struct{}{}
	<-d.done
}

func TestAdvanceWaitsForTheDriver(t *testing.T) {
	v := NewVirtual(zero)
	d := drive(v, 10)
	for i, advance := range []time.Duration{9, 1, 25, 0} {
		if err := v.Advance(t.Context(), advance); err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 1, 3, 3}[i]; len(d.at) != want {
			t.Errorf("%d times after step %d, want %d", len(d.at), i, want)
		}
	}
	d.stop()
	if diff := cmp.Diff([]int64{10, 20, 30}, d.at); diff != "" || v.Now() != 35 {
		t.Errorf("now %d, %s", v.Now(), diff)
	}
}

func TestAdvanceIsInterrupted(t *testing.T) {
	v := NewVirtual(zero)
	v.Drive() // and never awaits
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Advance(ctx, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	v.SetSpeed(2)
	if err := v.Advance(t.Context(), 5); !errors.Is(err, ErrNotPaused) {
		t.Error(err)
	}
	if v.Speed() != 2 {
		t.Errorf("speed %v", v.Speed())
	}
}

func TestSpeed(t *testing.T) {
	for _, speed := range []float64{1e6, math.Inf(1)} {
		v := NewVirtual(zero)
		v.Drive()
		v.SetSpeed(speed)
		for next := int64(time.Second); next <= int64(10*time.Second); next += int64(time.Second) {
			if !v.Await(next, nil) || v.Now() != next {
				t.Errorf("speed %v: now %d, want %d", speed, v.Now(), next)
			}
		}
		v.SetSpeed(math.NaN())
		if before := v.Now(); v.Speed() != 0 || v.Now() != before {
			t.Errorf("it goes on with speed %v", v.Speed())
		}
	}
}

// As fast as possible does not mean that time runs away while nothing is due.
func TestNothingIsDue(t *testing.T) {
	v := NewVirtual(zero)
	v.Drive()
	v.SetSpeed(math.Inf(1))
	wake := make(chan struct{}, 1)
	wake <- struct{}{}
	if v.Await(Never, wake) || v.Now() != 0 {
		t.Errorf("now %d", v.Now())
	}
}
