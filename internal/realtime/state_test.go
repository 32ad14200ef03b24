package realtime

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/internal/doctor"
)

// faked returns a machine that the doctor's tests have recorded, as the files below its root.
func faked(t *testing.T, name string) fs.FS {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "doctor", "testdata", "machines", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{}
	for _, f := range archive.Files {
		if place, ok := strings.CutSuffix(f.Name, "/"); ok {
			root[place] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			root[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return root
}

// wakes is a self-test in which each wake-up was so late.
type wakes time.Duration

func (w wakes) Keeps(period time.Duration) (bool, string) {
	return time.Duration(w) <= period/5, fmt.Sprintf("woken %v late", time.Duration(w))
}

// TestState: full needs the rights and a machine that keeps what is in use; the reason says which of them falls short.
func TestState(t *testing.T) {
	granted := doctor.Fact{Name: doctor.Rights, OK: true, State: doctor.Granted, Text: "threads"}
	missing := doctor.Fact{Name: doctor.Rights, State: doctor.Missing, Text: "no right"}
	const fit = "kernel PREEMPT_RT; isolcpus CPU 2-3; governor performance"
	for _, tt := range []struct {
		name, machine    string
		rights           doctor.Fact
		test             any // its result, or nothing when it is not through
		now              Now
		word             string
		reason, machines string // begin of the reason, state and text of the machine
	}{
		{name: "all is well", machine: "controller", rights: granted, test: wakes(40 * time.Microsecond), word: Full, machines: "fit: " + fit + "; self-test for 2ms: woken 40µs late"},
		{name: "a shorter cycle time", machine: "controller", rights: granted, test: wakes(40 * time.Microsecond), now: Now{Shortest: 125 * time.Microsecond}, word: Degraded, reason: "self-test for 125µs: woken 40µs late; executors are ", machines: "unfit: self-test for 125µs: woken 40µs late; " + fit},
		{name: "not through", machine: "controller", rights: granted, word: Checking, reason: "the self-test is not through yet", machines: "checking: " + fit + "; self-test: not through yet"},
		{name: "failed", machine: "controller", rights: granted, test: errors.New("stopped"), word: Degraded, reason: "stopped; executors are ", machines: "unfit: stopped; " + fit},
		{name: "no rights", machine: "controller", rights: missing, test: wakes(0), word: Degraded, reason: "no right", machines: "fit: " + fit + "; self-test for 2ms: woken 0s late"},
		{name: "an executor without thread", machine: "controller", rights: granted, test: wakes(0), now: Now{Ordinary: "nets of 1ms: no thread"}, word: Degraded, reason: "nets of 1ms: no thread", machines: "fit: " + fit + "; self-test for 2ms: woken 0s late"},
		{name: "shared CPUs", machine: "hosted", rights: granted, test: wakes(0), word: Degraded, reason: "virtual-machine host took 0.52 % of CPU 3 away, needed a machine of its own; executors are ", machines: "unfit: virtual-machine host took 0.52 % of CPU 3 away, needed a machine of its own; " + fit + "; self-test for 2ms: woken 0s late"},
		{name: "any kernel", machine: "fresh", rights: granted, word: Degraded, reason: "kernel PREEMPT_DYNAMIC, voluntary, needed PREEMPT_RT; executors are ", machines: "unfit: kernel PREEMPT_DYNAMIC, voluntary, needed PREEMPT_RT; isolcpus none; governor schedutil; self-test: not through yet"},
		{name: "a record that is not clean", machine: "controller", rights: granted, test: wakes(0), now: Now{Record: Record{Minute: Counts{Missed: 3}, Start: Counts{Late: 1, Missed: 5}}}, word: Full, machines: "fit: " + fit + "; self-test for 2ms: woken 0s late"},
	} {
		p := &Process{Options: Options{Root: faked(t, tt.machine), Shortest: 2 * time.Millisecond, Selftest: fails}, threads: true, rights: tt.rights}
		p.Examine()
		switch result := tt.test.(type) {
		case Pace:
			p.tested, p.pace = true, result
		case error:
			p.tested, p.unkept = true, result
		}
		s := p.State(tt.now)
		if s.Word != tt.word || !strings.HasPrefix(s.Reason, tt.reason) || (s.Reason == "") != (tt.reason == "") {
			t.Errorf("%s: %s, %q", tt.name, s.Word, s.Reason)
		}
		if diff := cmp.Diff(tt.machines, s.Facts[1].State+": "+s.Facts[1].Text); diff != "" || s.Facts[1].OK != (s.Facts[1].State == doctor.Fit) {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.now.Record.Fact(), s.Facts[2]); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestOneJudgement: what the doctor says of a machine is what the daemon does.
func TestOneJudgement(t *testing.T) {
	for _, name := range []string{"container", "controller", "desktop", "fresh", "groups", "hosted", "vm"} {
		root := faked(t, name)
		p := &Process{Options: Options{Root: root}, threads: true, rights: doctor.Fact{OK: true}}
		p.Examine()
		doctors := doctor.Examine(root, doctor.Options{}).Machine()
		if diff := cmp.Diff(doctors, p.State(Now{}).Facts[1]); diff != "" || doctors.OK != (p.State(Now{}).Word == Full) {
			t.Errorf("%s: %s %s", name, p.State(Now{}).Word, diff)
		}
	}
}

// TestLedger: the last minute is what has been counted since the newest look that is a minute old.
func TestLedger(t *testing.T) {
	var l Ledger
	counts := Counts{}
	for second := range 200 {
		at := time.Duration(second) * time.Second
		if second == 100 {
			counts = Counts{Late: 1, Missed: 7, Overruns: 2}
		}
		if second%10 == 0 {
			l.Look(at, counts)
		}
		r := l.Record(at, counts)
		if dirty := second >= 100 && second < 160; r.Fact().OK == dirty || r.Start != counts {
			t.Fatalf("after %v: %v", at, r.Fact())
		}
		if len(l.looks) > 8 {
			t.Fatalf("%d looks", len(l.looks))
		}
	}
	r := Record{Minute: Counts{Late: 1}, Start: Counts{Late: 2, Missed: 3, Overruns: 4}}
	want := doctor.Fact{Name: doctor.Record, State: doctor.Late, Text: "last minute 1 late, 0 missed, 0 overruns; since the start 2 late, 3 missed, 4 overruns"}
	if diff := cmp.Diff(want, r.Fact()); diff != "" {
		t.Error(diff)
	}
	if r := new(Ledger).Record(time.Second, counts); r.Fact().OK {
		t.Error("what has happened in the first minute is forgotten")
	}
}
