package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// event is what go test -json writes (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// report collects the events of all packages.
type report struct {
	out      io.Writer
	known    known
	packages map[string]*pkg

	passed, failed, skipped int
	excused                 int // failures of known flakes
	broken                  int // packages that failed by more than tests
}

// pkg is a package whose tests run.
type pkg struct {
	tests map[string]*test
	order []string
	tail  []string // what the package says itself, such as its last line
}

// test is one, or one that another one runs.
type test struct {
	lines  []string
	failed bool
	within bool // a test that it runs has failed
}

func newReport(out io.Writer, k known) *report {
	return &report{out: out, known: k, packages: map[string]*pkg{}}
}

func (r *report) take(e *event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
		return
	case "build-fail", "start":
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]*test{}}
		r.packages[e.Package] = p
	}
	switch {
	case e.Test == "" && e.Action == "output":
		p.tail = append(p.tail, e.Output)
	case e.Test == "":
		r.end(e, p)
		delete(r.packages, e.Package)
	default:
		r.takeTest(e, p)
	}
}

// frame is what go test writes around the output of tests.
var frame = regexp.MustCompile(`^\s*(=== (RUN|PAUSE|CONT|NAME)|--- (PASS|SKIP|FAIL):)`)

func (r *report) takeTest(e *event, p *pkg) {
	t := p.tests[e.Test]
	if t == nil {
		t = new(test)
		p.tests[e.Test] = t
		p.order = append(p.order, e.Test)
	}
	switch e.Action {
	case "output":
		if !frame.MatchString(e.Output) {
			t.lines = append(t.lines, e.Output)
		}
	case "pass":
		r.passed++
		t.lines = nil
	case "skip":
		r.skipped++
		t.lines = nil
	case "fail":
		t.failed = true
		for name, i := e.Test, 0; i >= 0; {
			if i = strings.LastIndexByte(name, '/'); i >= 0 {
				name = name[:i]
				if parent := p.tests[name]; parent != nil {
					parent.within = true
				}
			}
		}
	}
}

// end prints what a package has to say.
func (r *report) end(e *event, p *pkg) {
	excused, failed := 0, 0
	for _, name := range p.order {
		t := p.tests[name]
		if !t.failed && (e.Action != "fail" || len(t.lines) == 0) {
			continue
		}
		if !t.within || len(t.lines) > 0 {
			r.show(e.Package, name, t)
		}
		switch {
		case !t.failed || t.within: // of the tests that it runs, or one that a panic or the time-out interrupted
		case r.known.excuses(e.Package, name) && !alarming(t.lines):
			excused++
		default:
			failed++
		}
	}
	r.excused, r.failed = r.excused+excused, r.failed+failed
	if e.Action == "fail" && excused+failed == 0 {
		r.broken++
	}
	for _, line := range p.tail {
		if line != "PASS\n" && line != "FAIL\n" {
			fmt.Fprint(r.out, line)
		}
	}
}

const (
	most  = 40 // lines for a failure, with the first and the last one
	first = 14 // of them from the beginning, when there are more
	whole = 400
)

// alarming reports whether a test has shown more than a wrong result. Then all stacks are wanted.
func alarming(lines []string) bool {
	for _, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.Contains(line, "WARNING: DATA RACE") {
			return true
		}
	}
	return false
}

// show prints a failure.
func (r *report) show(pkg, name string, t *test) {
	room := most - 2
	if alarming(t.lines) {
		room = whole
	}
	fmt.Fprintf(r.out, "--- FAIL: %s %s\n", pkg, name)
	lines := t.lines
	if left := len(lines) - room; left > 0 {
		head, tail := lines[:first], lines[len(lines)-(room-first-1):]
		lines = append(append(append([]string{}, head...), fmt.Sprintf("    ... %d lines left out\n", left+1)), tail...)
	}
	for _, line := range lines {
		fmt.Fprint(r.out, line)
	}
	fmt.Fprintf(r.out, "    repeat: go test -count=1 -run '%s' %s\n", pattern(name), pkg)
}

// pattern selects a test, as -run does.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// conclude prints the summary and reports whether the run passed; exited means that go test itself reported success.
func (r *report) conclude(exited bool) bool {
	for _, k := range r.known {
		fmt.Fprintf(r.out, "known flake: %s since %s: %s\n", k.test, k.since.Format(day), k.cause)
	}
	if r.excused > 0 {
		fmt.Fprintf(r.out, "known flakes that failed in this run: %d\n", r.excused)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed+r.broken, r.skipped)
	if r.excused > 0 && r.failed+r.broken == 0 {
		return true
	}
	return exited && r.failed+r.broken == 0
}
