package cyclecheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Program says which program is to be read.
type Program struct {
	Dir     string // of its module
	Package string // its path, or ./ and its folder
	Arch    string // GOARCH; the system is Linux
}

// Subject is a program that has been read.
type Subject struct {
	image *image
	sites *sites
	exits map[*function][]exit // of functions that were examined
}

// Read builds a program and reads the result and its source.
func Read(ctx context.Context, p Program) (_ *Subject, err error) {
	dir, err := os.MkdirTemp("", "cyclecheck")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file, env := filepath.Join(dir, "program"), append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+p.Arch)
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", file, p.Package)
	build.Dir, build.Env = p.Dir, env
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s: %w: %s", p.Package, err, text)
	}
	s := &Subject{exits: map[*function][]exit{}}
	if s.image, err = openImage(file); err != nil {
		return nil, err
	}
	if s.sites, err = readSites(ctx, p.Dir, p.Package, env); err != nil {
		return nil, fmt.Errorf("source of %s: %w", p.Package, err)
	}
	return s, nil
}

// Report is what is wrong with a program, and what it was looked at.
type Report struct {
	Findings  []Finding // in the order of their places
	Functions int       // that can be reached
	Stack     int       // bytes that they need at most
	Deepest   []Step    // where they need them

	walk *walk
}

// Finding is a violation, and a shortest way from a root to it.
type Finding struct {
	What string
	Path []Step
}

// Step is a function, and the line from which it calls the next one; the last one of a way calls none.
type Step struct {
	Function string
	File     string
	Line     int
}

// Check judges the program by a policy.
func (s *Subject) Check(p *Policy) (*Report, error) {
	w := newWalk(s, p)
	if err := w.run(); err != nil {
		return nil, err
	}
	r := &Report{walk: w, Functions: len(w.reached)}
	r.Stack, r.Deepest = w.deepest()
	if r.Stack > p.Room {
		w.add(Finding{fmt.Sprintf("the stack has %d bytes, %d are needed", p.Room, r.Stack), r.Deepest})
	}
	for i := range p.Reviewed {
		if e := &p.Reviewed[i]; !w.used[e] {
			w.add(Finding{What: fmt.Sprintf("the reviewed list has %s, which is not called%s", e.Call, e.where())})
		}
	}
	r.Findings = w.found
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		x, y := a.place(), b.place()
		return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), strings.Compare(a.What, b.What))
	})
	return r, nil
}

// Ways returns a shortest way to each function that is called in the cycle, allowed or not, and whose name contains
// a text.
func (r *Report) Ways(text string) []Finding {
	var list []Finding
	for f, e := range r.walk.by {
		if name := r.walk.show(f); strings.Contains(name, text) {
			list = append(list, Finding{name, r.walk.path(e)})
		}
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.What, b.What), cmp.Compare(len(a.Path), len(b.Path)))
	})
	return list
}

// place returns where the finding is.
func (f *Finding) place() Step {
	for _, s := range slices.Backward(f.Path) {
		if s.File != "" {
			return s
		}
	}
	return Step{}
}

func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.What)
	for _, s := range f.Path {
		b.WriteString("\n    " + s.Function)
		if s.File != "" {
			fmt.Fprintf(&b, "\n        %s:%d", s.File, s.Line)
		}
	}
	return b.String()
}
