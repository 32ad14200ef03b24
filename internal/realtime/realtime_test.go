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
	if err != nil || p.Threads() || p.State().Word != Off {
		t.Errorf("%+v, %v", p.State(), err)
	}
	if found, changed := p.Check(); changed || found != nil {
		t.Errorf("found %v", found)
	}
}

// A period that is too short for the machine is reported, and nothing of the attempt is left.
func TestNotKept(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	before, err := rt.Affinity(0)
	if err != nil {
		t.Skip("skip:", err)
	}
	slow := errors.New("too slow")
	o := Options{Priority: 10, Selftest: func(rt.Thread) error { return slow }}
	p, err := Setup(o)
	if err != nil || p.Threads() || p.State().Word != Degraded || p.State().Reason == "" {
		t.Errorf("%+v, %v", p.State(), err)
	}
	o.Required = true
	if _, err := Setup(o); err == nil || !strings.HasPrefix(err.Error(), "realtime: required, but ") {
		t.Error(err)
	}
	after, err := rt.Affinity(0)
	if diff := cmp.Diff(before, after); diff != "" || err != nil || runtime.GOMAXPROCS(0) != processors {
		t.Errorf("%d processors, not %d; CPUs: %s%v", runtime.GOMAXPROCS(0), processors, diff, err)
	}
}

func TestFull(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	p, err := Setup(Options{Required: true, Priority: 10, KeepAwake: true})
	if err != nil {
		t.Skip("skip:", err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !p.Threads() || p.State().Word != Full || p.State().Reason != "" {
		t.Errorf("%+v", p.State())
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

// cell is a process with executors on CPU 1 beside another program, as the kernel describes it.
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
	p := &Process{CPUs: []int{1}, state: State{Word: Full, Notes: []Note{{What: "always"}}}}
	notes := func() (all []string) {
		for _, n := range p.State().Notes {
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
