package realtime

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

func TestChoose(t *testing.T) {
	type lists = []int
	for _, tt := range []struct {
		name                              string
		wanted, allowed, online, isolated lists
		executors, others                 lists
		err                               string
	}{
		{name: "one CPU", allowed: lists{0}, online: lists{0}},
		{name: "the last of several", allowed: lists{0, 1, 2}, online: lists{0, 1, 2}, executors: lists{2}, others: lists{0, 1}},
		{
			name: "isolated ones", allowed: lists{0, 1}, online: lists{0, 1, 2, 3}, isolated: lists{2, 3},
			executors: lists{2, 3}, others: lists{0, 1},
		},
		{
			name: "named ones", wanted: lists{1}, allowed: lists{0, 1}, online: lists{0, 1, 2, 3}, isolated: lists{2, 3},
			executors: lists{1}, others: lists{0},
		},
		{name: "nothing left", wanted: lists{0, 1}, allowed: lists{0, 1}, online: lists{0, 1}, executors: lists{0, 1}},
		{name: "unknown", wanted: lists{4}, allowed: lists{0, 1}, online: lists{0, 1}, err: "realtime.cpus: there is no CPU 4, only 0-1"},
	} {
		executors, others, err := choose(tt.wanted, tt.allowed, tt.online, tt.isolated)
		if err != nil || tt.err != "" {
			if fmt.Sprint(err) != tt.err {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if diff := cmp.Diff([]lists{tt.executors, tt.others}, []lists{executors, others}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestOff(t *testing.T) {
	p, err := Setup(Options{Off: "switched off"})
	if err != nil || p.Threads() || p.State(Now{}).Word != Off {
		t.Errorf("%+v, %v", p.State(Now{}), err)
	}
	if found, changed := p.Check(); changed || found != nil {
		t.Errorf("found %v", found)
	}
}

// TestNotHad requires what cannot be had: the error says so, and nothing of the attempt is left.
func TestNotHad(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	before, err := rt.Affinity(0)
	if err != nil {
		t.Skip("skip:", err)
	}
	for name, o := range map[string]Options{
		"kernel":    {Root: faked(t, "fresh")},
		"memory":    {Root: faked(t, "controller"), CPUs: before[len(before)-1:]},
		"self-test": {Root: faked(t, "controller"), CPUs: before[len(before)-1:], LockMemory: true},
	} {
		o.Required, o.Priority, o.Selftest = true, 10, fails
		if _, err := Setup(o); err == nil || !strings.HasPrefix(err.Error(), "realtime: required, but ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	after, err := rt.Affinity(0)
	if diff := cmp.Diff(before, after); diff != "" || err != nil || runtime.GOMAXPROCS(0) != processors {
		t.Errorf("%d processors, not %d; CPUs: %s%v", runtime.GOMAXPROCS(0), processors, diff, err)
	}
}

func fails(rt.Thread) (Pace, error) { return nil, errors.New("too slow") }

// A thread needs the rights only: what the machine is like and what the self-test says come later, and change the word.
func TestThreadsByRights(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	p, err := Setup(Options{Root: faked(t, "fresh"), Priority: 10, LockMemory: true, Selftest: fails})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !p.Threads() {
		t.Skip("skip:", p.State(Now{}).Reason)
	}
	if s := p.State(Now{}); s.Word != Degraded || !strings.Contains(s.Facts[0].Text, "SCHED_FIFO 10") || s.Facts[0].OK != p.locked {
		t.Errorf("%+v", s)
	}
}

func TestFull(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	p, err := Setup(Options{Root: faked(t, "controller"), CPUs: last(t), Required: true, Priority: 10, KeepAwake: true, LockMemory: true})
	if err != nil {
		t.Skip("skip:", err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if s := p.State(Now{}); !p.Threads() || s.Word != Full || s.Reason != "" {
		t.Errorf("%+v", s)
	}
	p.Check()
	if len(p.others) == 0 {
		return
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		var id int
		if _, err := fmt.Sscan(task.Name(), &id); err != nil {
			t.Fatal(err)
		}
		if cpus, err := rt.Affinity(id); err == nil && p.strays(cpus) {
			t.Errorf("thread %d may run on %v, executors on %v", id, cpus, p.CPUs)
		}
	}
}

// last returns a CPU that executors can have.
func last(t *testing.T) []int {
	t.Helper()
	allowed, err := rt.Affinity(0)
	if err != nil {
		t.Skip("skip:", err)
	}
	return allowed[len(allowed)-1:]
}

// cell returns a process with executors on CPU 1 beside another program, as the kernel describes it.
func cell(all, stolen, executor, other int) fstest.MapFS {
	line := func(format string, args ...any) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, format, args...)}
	}
	stat := func(name string, user, cpu, priority int) *fstest.MapFile {
		return line("7 (%s) S 1 1 1 0 -1 4194304 0 0 0 0 %d 0 0 0 20 0 5 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d %d 1 0 0 0", name, user, cpu, priority)
	}
	own := fmt.Sprintf("%d/task/", os.Getpid())
	return fstest.MapFS{
		"stat":                line("cpu  1 2 3 4\ncpu0 900 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 %d 0 0 0 %d 0 0\nintr 1\n", all-stolen, stolen),
		own + "7/stat":        stat("rt 1ms) (", executor, 1, 80),
		own + "8/stat":        stat("rccd", 500, 0, 0),
		"99/task/99/stat":     stat("video (player)", other, 1, 0),
		"98/task/98/stat":     stat("elsewhere", 10*other, 0, 0),
		"97/task/97/stat":     line("gone"),
		"self/task/7/comm":    line("rt 1ms"),
		"irrelevant/task/1/x": line(""),
	}
}

func TestCheck(t *testing.T) {
	p := &Process{CPUs: []int{1}, threads: true, notes: []Note{{What: "always"}}}
	notes := func() (all []string) {
		for _, n := range p.State(Now{}).Notes {
			all = append(all, n.What)
		}
		return all
	}
	for _, tt := range []struct {
		name    string
		proc    fstest.MapFS
		changed bool
		want    []string
	}{
		{"nothing to compare with", cell(2000, 0, 500, 300), false, []string{"always"}},
		{"executors themselves", cell(2100, 0, 548, 302), false, []string{"always"}},
		{"others", cell(2300, 0, 588, 362), true, []string{"always", "others have used 30 % of CPU 1, which is for executors, most of it video (player)"}},
		{"still", cell(2500, 0, 618, 432), false, []string{"always", "others have used 35 % of CPU 1, which is for executors, most of it video (player)"}},
		{"the host", cell(2700, 50, 638, 432), true, []string{"always", "the host of this virtual machine has taken 25 % of CPU 1 away"}},
		{"all is well", cell(2800, 50, 638, 432), true, []string{"always"}},
		{"unreadable", fstest.MapFS{}, false, []string{"always"}},
	} {
		p.proc = tt.proc
		if _, changed := p.Check(); changed != tt.changed {
			t.Errorf("%s: changed %t", tt.name, changed)
		}
		if diff := cmp.Diff(tt.want, notes()); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
