package rt

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// detachable skips a test where threads cannot be detached.
func detachable(t *testing.T) {
	t.Helper()
	if err := Detachable(); err != nil {
		t.Skip("skip:", err)
	}
}

// litter makes the collector work until stop is closed.
func litter(stop chan struct{}) {
	var keep [1 << 8][]byte
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		keep[i%len(keep)] = make([]byte, 1<<12)
		if i%1000 == 0 {
			runtime.GC()
		}
	}
}

type shape interface{ area(depth int) float64 }

type (
	square float64
	circle float64
)

//go:noinline
func (s square) area(depth int) float64 {
	if depth > 0 {
		return s.area(depth-1) + 1
	}
	return float64(s * s)
}

//go:noinline
func (c circle) area(depth int) float64 {
	if depth > 0 {
		return c.area(depth-1) + math.Sin(float64(c))
	}
	return math.Pi * float64(c*c)
}

// A detached body calls interfaces and functions, goes deep, copies and sleeps, while the collector runs all the time.
func TestDetachedBesideTheCollector(t *testing.T) {
	detachable(t)
	stop := make(chan struct{})
	go litter(stop)
	defer close(stop)
	shapes, r := []shape{square(2), circle(1)}, NewReal()
	from, to := make([]float64, 100), make([]float64, 100)
	var sum float64
	var turns int
	for range 3 {
		err := Thread{Name: "detached test", CPU: AnyCPU}.Detach(func() {
			var a Alarm
			for end := r.Now() + int64(50*time.Millisecond); r.Now() < end; turns++ {
				r.SleepDetached(r.Now()+20_000, 10_000, &a)
				for _, s := range shapes {
					sum += s.area(50)
				}
				from[turns%100] = sum
				copy(to, from)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if turns == 0 || sum == 0 || to[0] == 0 {
		t.Errorf("%d turns, sum %v, copied %v", turns, sum, to[0])
	}
}

// A collection is not kept waiting by a detached thread that does not sleep.
func TestCollectorDoesNotWait(t *testing.T) {
	detachable(t)
	var goOn, there atomic.Bool
	ended := make(chan error)
	go func() {
		ended <- Thread{CPU: AnyCPU}.Detach(func() {
			for there.Store(true); !goOn.Load(); {
			}
		})
	}()
	for !there.Load() {
		runtime.Gosched()
	}
	for range 10 {
		runtime.GC()
	}
	goOn.Store(true)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The first thread of the process, by whose name the process is known, is not used.
func TestDetachSparesTheFirstThread(t *testing.T) {
	detachable(t)
	name, err := os.ReadFile("/proc/self/comm")
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := (Thread{Name: "another", CPU: AnyCPU}).Detach(func() {}); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile("/proc/self/comm"); err != nil || string(now) != string(name) {
		t.Errorf("the process is called %q: %v", now, err)
	}
}

func TestDetachRefuses(t *testing.T) {
	detachable(t)
	called := false
	for _, th := range []Thread{{CPU: 1023}, {CPU: AnyCPU, Priority: 1000}} {
		err := th.Detach(func() { called = true })
		if err == nil || called || !strings.Contains(err.Error(), "sched_set") {
			t.Errorf("%+v: %v, body called %t", th, err, called)
		}
	}
}

func TestDetachWithPriority(t *testing.T) {
	detachable(t)
	var time1, time2 int64
	err := Thread{Name: "prio", CPU: 0, Priority: 50}.Detach(func() {
		time1 = ThreadTime()
		for range 1000 {
			time2 = ThreadTime()
		}
	})
	if errors.Is(err, os.ErrPermission) {
		t.Skip("skip: no right to SCHED_FIFO:", err)
	}
	if err != nil || time1 <= 0 || time2 < time1 {
		t.Errorf("%v, times of the thread %d, %d", err, time1, time2)
	}
}

var (
	nothing *[1 << 20]int
	escaped *[]byte
)

// A body that does what it must not ends the process there and then, with a trace that names the place.
func TestStrayBodiesEndTheProcess(t *testing.T) {
	detachable(t)
	strays := map[string]struct {
		body func()
		want string
	}{
		"allocation": {func() { b := make([]byte, 100); escaped = &b }, "TestStrayBodiesEndTheProcess"},
		"nil":        {func() { nothing[100] = 1 }, "TestStrayBodiesEndTheProcess"},
		"panic":      {func() { panic("stray") }, "stray"},
		"depth":      {func() { nothing = &[1 << 20]int{int(square(1).area(1 << 20))} }, "stack"},
	}
	if name := os.Getenv("RT_STRAY"); name != "" {
		_ = Thread{CPU: AnyCPU}.Detach(strays[name].body)
		return
	}
	for name, stray := range strays {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStrayBodiesEndTheProcess$")
		cmd.Env = append(os.Environ(), "RT_STRAY="+name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), stray.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
