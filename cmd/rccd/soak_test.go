//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/internal/realtime"
	"github.com/softrobot-rcc/rccd/internal/rt"
	"github.com/softrobot-rcc/rccd/internal/testkit/leak"
	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/config"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/sched"
)

// TestSoak lets a daemon live in the process of the test, with all that a runtime can do to detached threads beside it:
// profiles, traces, dumps of stacks, forced collections, garbage, signals, and clients that load, exchange and unload nets
// all the time. A mistake of a detached thread ends the process, or falsifies the results of nets.
//
// RCCD_SOAK says for how long, such as 1h.
func TestSoak(t *testing.T) {
	s := newSoak(t)
	for _, period := range []time.Duration{125 * time.Microsecond, 250 * time.Microsecond, time.Millisecond, 2 * time.Millisecond} {
		for range 2 {
			s.stay(period)
		}
	}
	s.beside(s.profile, s.traces, s.dumps, s.collect, s.litter, s.litter, s.signals, s.turnSensors, s.pages)
	for i := range 8 {
		s.beside(func() { s.customer(uint64(i)) })
	}
	<-s.over
	s.others.Wait()
	s.judge()
}

// soak is a daemon and everything that goes on beside it.
type soak struct {
	*testing.T
	*service
	time    time.Duration
	threads bool
	arm     *testdevice.Device
	stayed  []*rcc.Net // run from the beginning to the end

	over   chan struct{} // closed when the time is
	others sync.WaitGroup

	loads, rules atomic.Uint64
}

func newSoak(t *testing.T) *soak {
	cfg := config.Default()
	cfg.Server.Listen, cfg.Server.DirectIOTCP = "127.0.0.1:0", "127.0.0.1:0"
	cfg.Devices = testarm(16)
	cfg.Limits.CPUPercent = 0 // every rule is to start its net, however slow the machine and the race detector are
	process, err := prepare(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{T: t, service: &service{errs: new(patientErr), folder: &stateFolder{orderly: true}, cfg: cfg, process: process, log: zap.NewNop(), journal: newJournal(zap.InfoLevel), ended: make(chan error, 1)}, over: make(chan struct{})}
	s.threads = process.Threads()
	s.time = s.duration()
	if err := s.open(s.plugins()); err != nil {
		t.Fatal(err)
	}
	go s.watch(s.over)
	time.AfterFunc(s.time, func() { close(s.over) })
	t.Cleanup(s.leave)
	return s
}

// duration is long only where there is something to find out: in ordinary pacing the runtime is on the safe side.
func (s *soak) duration() time.Duration {
	wanted, err := time.ParseDuration(os.Getenv("RCCD_SOAK"))
	switch {
	case !s.threads:
		s.Logf("skip: %s: soak in ordinary pacing only", s.process.State(realtime.Now{}).Reason)
		return 3 * time.Second
	case err == nil:
		return wanted
	case os.Getenv("RCCD_SOAK") != "":
		s.Fatal("RCCD_SOAK: ", err)
	case testing.Short():
		return 3 * time.Second
	}
	return 10 * time.Second
}

// leave ends the daemon, of which nothing may be left.
func (s *soak) leave() {
	if err := s.close(context.Background()); err != nil {
		s.Error(err)
	}
	if err := <-s.ended; err != nil {
		s.Error(err)
	}
	if err := rt.UnlockMemory(); err != nil {
		s.Error(err)
	}
	leak.None(s.T)
}

// plugins returns those of every day, but the test device is at hand.
func (s *soak) plugins() plugins {
	p := withTestDevice()
	kind := testdevice.Type
	kind.Open = func(env *device.Env, params map[string]string) (device.Device, error) {
		dev, err := testdevice.Type.Open(env, params)
		if err == nil {
			s.arm = dev.(*testdevice.Device)
		}
		return dev, err
	}
	p.devices = []device.Type{kind}
	return p
}

// stay starts a net that is there until the end.
func (s *soak) stay(period time.Duration) {
	n, err := s.cell.load(rcc.LoadRequest{Text: witness(len(s.stayed)), Period: period}, "witness")
	if err != nil {
		s.Fatal(err)
	}
	if err := n.Start(s.Context()); err != nil {
		s.Fatal(err)
	}
	s.stayed = append(s.stayed, n)
}

func (s *soak) beside(all ...func()) {
	for _, f := range all {
		s.others.Go(f)
	}
}

// every does something again and again until the time is over.
func (s *soak) every(period time.Duration, do func()) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-s.over:
			return
		case <-ticker.C:
			do()
		}
	}
}

func (s *soak) goesOn() bool {
	select {
	case <-s.over:
		return false
	default:
		return true
	}
}

func (s *soak) profile() {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		s.Error(err)
		return
	}
	<-s.over
	pprof.StopCPUProfile()
}

func (s *soak) traces() {
	s.every(2500*time.Millisecond, func() {
		if trace.IsEnabled() {
			trace.Stop()
		} else if err := trace.Start(io.Discard); err != nil {
			s.Error(err)
		}
	})
	trace.Stop()
}

func (s *soak) dumps() {
	room := make([]byte, 1<<20)
	s.every(100*time.Millisecond, func() {
		runtime.Stack(room, true)
		if err := pprof.Lookup("goroutine").WriteTo(io.Discard, rand.IntN(3)); err != nil {
			s.Error(err)
		}
	})
}

func (s *soak) collect() { s.every(20*time.Millisecond, runtime.GC) }

// litter makes garbage that notices when it is spoilt.
func (s *soak) litter() {
	type leaf struct {
		Name   string
		Values []float64
		Next   map[string]*leaf
	}
	before := leaf{Name: "root", Values: []float64{1, 2.5, -3}, Next: map[string]*leaf{"a": {Name: "a"}, "b": {Values: make([]float64, 100)}}}
	want, err := json.Marshal(before)
	if err != nil {
		s.Error(err)
	}
	for s.goesOn() {
		var after leaf
		if err := json.Unmarshal(want, &after); err != nil {
			s.Error(err)
			return
		}
		if got, err := json.Marshal(after); err != nil || string(got) != string(want) {
			s.Errorf("%v: %s\nhas become %s", err, want, got)
			return
		}
	}
}

// signals come to the process, and to each of its threads in turn.
func (s *soak) signals() {
	kinds := []syscall.Signal{syscall.SIGURG, syscall.SIGWINCH, syscall.SIGCHLD}
	sent := 0
	s.every(50*time.Millisecond, func() {
		pid, kind := os.Getpid(), kinds[sent%len(kinds)]
		sent++
		if err := syscall.Kill(pid, kind); err != nil {
			s.Error(err)
		}
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			s.Error(err)
			return
		}
		if id, err := strconv.Atoi(threads[sent%len(threads)].Name()); err == nil {
			_ = syscall.Tgkill(pid, id, kind) // it may have ended by now
		}
	})
}

func (s *soak) turnSensors() {
	s.every(time.Millisecond, func() { s.arm.Set(rand.IntN(s.arm.Channels()), rand.NormFloat64()) })
}

// pages reads what people look at. Executors have to be on their threads all the time.
func (s *soak) pages() {
	defer http.DefaultClient.CloseIdleConnections()
	base := "http://" + reachable(s.server.Addr())
	for i := 0; s.goesOn(); i++ {
		some := s.stayed[i%len(s.stayed)].Name()
		for _, page := range []string{
			"/", "/nets/", "/nets/" + some + "/", "/nets/" + some + "/stats", "/realtime/", "/healthz", "/rules/", "/devices/", "/catalogue.json",
		} {
			answer, err := http.Get(base + page)
			if err != nil {
				s.Error(err)
				return
			}
			_, err = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK {
				s.Errorf("%s: %s, %v", page, answer.Status, err)
				return
			}
		}
		if rights := s.state().Facts[0]; s.threads && !rights.OK {
			s.Error(rights)
			return
		}
	}
}

// judge checks the end of everything.
func (s *soak) judge() {
	figures := s.figures()
	for _, n := range s.stayed {
		if n.State() != rcc.Running {
			end, _ := n.Ended()
			s.Errorf("%s of %v: %v, %v in cycle %d", n.Name(), n.Period(), n.State(), end.Cause, end.Cycle)
		}
	}
	for _, n := range s.cell.Nets.All() {
		if n.State() == rcc.Running {
			if err := n.Cancel(s.Context()); err != nil {
				s.Error(err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	bell, stop := s.cell.Changes.Watch()
	defer stop()
	for channel, n := range s.stayed {
		for n.State() != rcc.Terminated {
			select {
			case <-bell:
			case <-ctx.Done():
				s.Fatalf("%s does not end", n.Name())
			}
		}
		if err := testimony(n); err != nil {
			s.Error(err)
		}
		before := uint64(0)
		for _, r := range s.arm.Commands(channel) {
			if r.Value != float64(r.Cycle) || r.Cycle <= before {
				s.Errorf("%s of %v: after cycle %d %+v", n.Name(), n.Period(), before, r)
			}
			before = r.Cycle
		}
	}
	s.Log(figures)
}

// figures returns what has been going on, in one line. Executors are woken after the times that half, 99 and 99.9 % keep.
func (s *soak) figures() string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var b strings.Builder
	fmt.Fprintf(&b, "realtime=%s for %v: %d collections, %d nets loaded, %d rules fired", s.state().Word, s.time, m.NumGC, s.loads.Load(), s.rules.Load())
	for _, x := range s.cell.Executors.All() {
		if s.threads && (!x.Detached || x.Ordinary != nil) {
			s.Errorf("executor of %v: %v", x.Period, x.Ordinary)
		}
		if overruns, stayed := s.overruns(&x); stayed {
			fmt.Fprintf(&b, "; %v: %d ticks, %d missed, %d late, %d overruns, woken after %v, %v, %v, at most %v",
				x.Period, x.Ticks, x.Missed, x.Late, overruns, x.Wakeup.Quantile(0.5), x.Wakeup.Quantile(0.99),
				x.Wakeup.Quantile(0.999), x.Wakeup.Max)
		}
	}
	return b.String()
}

// overruns counts those of the nets on an executor that stay. In detached threads they are the fault of interrupts, or of the
// host of a virtual machine: there is not that much to do.
func (s *soak) overruns(x *sched.Executor) (count uint64, stayed bool) {
	for _, n := range s.stayed {
		if n.Period() == x.Period && n.Realtime() == x.Realtime {
			stats, _ := n.Stats()
			count += stats.Overruns
			stayed = true
		}
	}
	return count, stayed
}
