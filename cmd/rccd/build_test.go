package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programs are others of the repository, built for the first test that executes one of them.
type programs struct {
	of string // pattern of their packages

	build  sync.Once
	folder string
	err    error
}

var (
	clients  = programs{of: "./cmd/rccctl"}
	examples = programs{of: "./examples/..."}
)

// path returns where one of the programs is.
func (p *programs) path(t *testing.T, name string) string {
	t.Helper()
	p.build.Do(p.make)
	if p.err != nil {
		t.Fatal(p.err)
	}
	return filepath.Join(p.folder, name)
}

func (p *programs) make() {
	if p.folder, p.err = os.MkdirTemp("", "rccd-programs"); p.err != nil {
		return
	}
	build := exec.Command("go", "build", "-o", p.folder+string(os.PathSeparator), p.of)
	build.Dir = top
	if out, err := build.CombinedOutput(); err != nil {
		p.err = fmt.Errorf("%s: %w\n%s", p.of, err, out)
	}
}

// tidily runs tests and removes what was built for them.
type tidily struct{ *testing.M }

func (m tidily) Run() int {
	code := m.M.Run()
	if err := errors.Join(os.RemoveAll(clients.folder), os.RemoveAll(examples.folder)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
