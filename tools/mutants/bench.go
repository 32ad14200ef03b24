package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// bench tests a package, and packages that use it.
type bench struct {
	folders []string
	temp    string
	rapid   map[string]bool          // folders whose tests take random cases of rapid
	takes   map[string]time.Duration // tests of a folder without any mistake
}

// patience is how long building may take, and tests at least, which take seconds on an idle machine.
const patience = 2 * time.Minute

// newBench makes one, and checks whether tests pass without any mistake.
func newBench(folders []string, temp string) (*bench, error) {
	b := &bench{folders: folders, temp: temp, rapid: map[string]bool{}, takes: map[string]time.Duration{}}
	for _, folder := range folders {
		list := exec.CommandContext(context.Background(), "go", "list", "-f", "{{.TestImports}}{{.XTestImports}}", ".")
		list.Dir = folder
		imports, err := list.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", folder, err, imports)
		}
		b.rapid[folder] = strings.Contains(string(imports), "pgregory.net/rapid")
		b.takes[folder] = patience
		begin := time.Now()
		if noticed, err := b.noticedIn(folder, mutant{}); err != nil || noticed {
			return nil, errors.Join(err, fmt.Errorf("%s: the tests fail without any mistake", folder))
		}
		b.takes[folder] = time.Since(begin)
	}
	return b, nil
}

// errBuild is returned for a mistake that the compiler finds.
var errBuild = errors.New("does not compile")

// noticed reports whether tests fail with a mistake.
func (b *bench) noticed(m mutant) (bool, error) {
	for _, folder := range b.folders {
		if noticed, err := b.noticedIn(folder, m); err != nil || noticed {
			return noticed, err
		}
	}
	return false, nil
}

func (b *bench) noticedIn(folder string, m mutant) (bool, error) {
	overlay, err := b.overlay(m)
	if err != nil {
		return false, err
	}
	tests := filepath.Join(b.temp, "tests")
	ctx, cancel := context.WithTimeout(context.Background(), patience+b.takes[folder])
	defer cancel()
	build := exec.CommandContext(ctx, "go", "test", "-c", "-ldflags=-s -w", "-overlay", overlay, "-o", tests, ".")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w: %w\n%s", errBuild, err, out)
	}
	for _, short := range []bool{true, false} {
		if noticed, err := b.fails(folder, tests, short); err != nil || noticed {
			return noticed, err
		}
	}
	return false, nil
}

// fails reports whether the tests of a folder fail. Tests that do not end have noticed something, too.
func (b *bench) fails(folder, tests string, short bool) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience+5*b.takes[folder])
	defer cancel()
	args := []string{"-test.failfast", fmt.Sprintf("-test.short=%v", short)}
	if b.rapid[folder] {
		args = append(args, "-rapid.seed=1", "-rapid.checks=300", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	}
	test := exec.CommandContext(ctx, tests, args...)
	test.Dir = folder
	test.WaitDelay = time.Second
	err := test.Run()
	if exit := (*exec.ExitError)(nil); err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		return false, fmt.Errorf("%s: the tests cannot be run: %w", folder, err)
	}
	return err != nil, nil
}

// overlay writes the file by which the go command reads a mutant in place of a file.
func (b *bench) overlay(m mutant) (path string, err error) {
	replace := map[string]string{}
	if m.file != "" {
		original, err := filepath.Abs(filepath.Join(b.folders[0], m.file))
		if err != nil {
			return "", err
		}
		source, err := os.ReadFile(original)
		if err != nil {
			return "", err
		}
		replace[original] = filepath.Join(b.temp, m.file)
		wrong := string(source[:m.from]) + m.text + string(source[m.to:])
		if err := os.WriteFile(replace[original], []byte(wrong), 0o600); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(b.temp, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}
