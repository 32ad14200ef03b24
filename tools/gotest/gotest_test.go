package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// events returns those of a package, written as test2json does.
func events(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		action, rest, _ := strings.Cut(line, " ")
		name, output, _ := strings.Cut(rest, "|")
		fmt.Fprintf(&b, `{"Action":%q,"Package":"m/cmd/p"`, action)
		if name = strings.TrimSpace(name); name != "" {
			fmt.Fprintf(&b, `,"Test":%q`, name)
		}
		if action == "output" {
			fmt.Fprintf(&b, `,"Output":%q`, output+"\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func reported(t *testing.T, k known, exited bool, lines ...string) (string, bool) {
	t.Helper()
	var out bytes.Buffer
	r := newReport(&out, k)
	if err := r.readAll(strings.NewReader(events(lines...))); err != nil {
		t.Fatal(err)
	}
	ok := r.conclude(exited)
	return out.String(), ok
}

func TestPassed(t *testing.T) {
	text, ok := reported(t, nil, true,
		"start", "run TestA", "output TestA|=== RUN   TestA", "output TestA|noise", "pass TestA", "run TestB", "skip TestB", "output |PASS", "output |ok  \tm/cmd/p\t0.1s", "pass")
	if want := "ok  \tm/cmd/p\t0.1s\n1 passed, 0 failed, 1 skipped\n"; text != want || !ok {
		t.Errorf("got %t\n%s\nwant true\n%s", ok, text, want)
	}
}

// TestLongFailure checks whether a failure fits into 40 lines, keeps its beginning and its end, and says how to repeat it.
func TestLongFailure(t *testing.T) {
	lines := []string{"run TestA", "run TestA/b.c", "output TestA/b.c|=== RUN   TestA/b.c"}
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("output TestA/b.c|line %d", i))
	}
	lines = append(lines, "output TestA/b.c|    --- FAIL: TestA/b.c (0.00s)", "fail TestA/b.c", "fail TestA", "output |FAIL", "output |FAIL\tm/cmd/p\t0.1s", "fail")
	text, ok := reported(t, nil, false, lines...)
	if ok {
		t.Error("a failure passed")
	}
	failure, _, _ := strings.Cut(text, "FAIL\tm/cmd/p")
	if n := strings.Count(failure, "\n"); n != most {
		t.Errorf("%d lines, want %d:\n%s", n, most, failure)
	}
	for _, want := range []string{
		"--- FAIL: m/cmd/p TestA/b.c\nline 0\n", "lines left out", "\nline 499\n", `repeat: go test -count=1 -run '^TestA$/^b\.c$' m/cmd/p`, "0 passed, 1 failed, 0 skipped",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// TestRaceIsWhole checks whether nothing of a race report is left out.
func TestRaceIsWhole(t *testing.T) {
	lines := []string{"run TestA", "output TestA|WARNING: DATA RACE"}
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("output TestA|stack %d", i))
	}
	text, _ := reported(t, nil, false, append(lines, "fail TestA", "fail")...)
	if !strings.Contains(text, "stack 50") {
		t.Errorf("stacks are missing in\n%s", text)
	}
}

func TestInterrupted(t *testing.T) {
	text, ok := reported(t, nil, false, "run TestA", "output TestA|panic: test timed out after 1s", "output |FAIL\tm/cmd/p\t1s", "fail")
	if ok || !strings.Contains(text, "panic: test timed out") || !strings.Contains(text, "0 passed, 1 failed") {
		t.Errorf("got %t\n%s", ok, text)
	}
}

func TestNotBuilt(t *testing.T) {
	text, ok := reported(t, nil, false, "output |FAIL\tm/cmd/p [build failed]", "fail")
	if ok || !strings.Contains(text, "[build failed]") || !strings.Contains(text, "0 passed, 1 failed") {
		t.Errorf("got %t\n%s", ok, text)
	}
}

func TestKnownFlake(t *testing.T) {
	list := known{{test: "cmd/p.TestA", since: time.Now(), cause: "the host"}}
	flaky := []string{"run TestA", "run TestA/x", "output TestA/x|late", "fail TestA/x", "fail TestA"}
	text, ok := reported(t, list, false, append(flaky, "fail")...)
	if !ok || !strings.Contains(text, "known flake: cmd/p.TestA since ") || !strings.Contains(text, "late") {
		t.Errorf("got %t\n%s", ok, text)
	}
	if text, ok := reported(t, list, false, append(flaky, "run TestB", "fail TestB", "fail")...); ok {
		t.Errorf("a test that is not on the list was excused\n%s", text)
	}
	if text, ok := reported(t, list, false, "run TestA", "output TestA|WARNING: DATA RACE", "fail TestA", "fail"); ok {
		t.Errorf("a race was excused\n%s", text)
	}
}

func TestKnownList(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	fine := "2026-11-20 cmd/rccd.TestA a cause\n"
	tests := []struct {
		name, text, want string
	}{
		{"fine", "# comment\n\n" + fine, ""},
		{"too many", strings.Repeat(fine, longest+1), "at most 5"},
		{"too old", "2026-11-07 cmd/rccd.TestA a cause\n", "more than 14 days"},
		{"without cause", "2026-11-20 cmd/rccd.TestA\n", "want a date, a test"},
		{"without date", "yesterday cmd/rccd.TestA a cause\n", "date: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "flakes")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			list, err := readKnown(file, now)
			switch {
			case tt.want == "" && (err != nil || len(list) != 1):
				t.Errorf("got %v, %v", list, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want %s", err, tt.want)
			}
		})
	}
}

// TestOwnList checks whether the list of this repository is one.
func TestOwnList(t *testing.T) {
	if _, err := readKnown(filepath.Join("..", "..", ".ci", "flakes"), time.Time{}); err != nil {
		t.Error(err)
	}
}

// TestRun runs go test as make does, on this package's own list of known flakes.
func TestRun(t *testing.T) {
	for _, args := range [][]string{
		{"-known", filepath.Join("..", "..", ".ci", "flakes"), "-timeout", "1m", "-run", "^TestKnownList$", "."},
		{"-timeout", "1m", "-run", "^TestKnownList$", "."},
	} {
		file, rest := split(args)
		var out bytes.Buffer
		ok, err := run(file, rest, &out)
		if err != nil || !ok || !strings.Contains(out.String(), "\n6 passed, 0 failed, 0 skipped\n") {
			t.Errorf("%v: got %t, %v\n%s", args, ok, err, &out)
		}
	}
}
