// Command mutants shows that tests notice mistakes: it makes one mistake at a time in the source of a package, runs the package's tests, and
// names the mistakes that they do not find, or that can no longer be made because the source has changed.
//
//	go run ./tools/mutants [-only regexp] FOLDER
//
// The mistakes are in FOLDER/testdata/mutants.txt, in paragraphs: a name, a file, and the lines that are replaced and that replace them.
//
//	null counts as a value
//	fact.go
//	- return f.many == one && !f.null
//	+ return f.many == one
//
// Nothing in the folder changes: the go command is told to read another file in place of the one with the mistake.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "make only mistakes whose names match a regular `expression`")
	flag.Parse()
	if err := run(flag.Arg(0), *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutant is a mistake in a file.
type mutant struct{ name, file, right, wrong string }

func run(folder, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(folder, "testdata", "mutants.txt"))
	if err != nil {
		return err
	}
	all, err := read(string(text))
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	b := bench{folder: folder, temp: temp}
	if noticed, err := b.noticed(mutant{}); err != nil || noticed {
		return errors.Join(err, errors.New("the tests fail without any mistake"))
	}
	killed := 0
	var wrong []error
	for _, m := range all {
		if !wanted.MatchString(m.name) {
			continue
		}
		switch noticed, err := b.noticed(m); {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: cannot be made: %w", m.name, err))
		case !noticed:
			wrong = append(wrong, fmt.Errorf("%s: survives", m.name))
		default:
			killed++
			fmt.Println("killed:", m.name)
			continue
		}
		fmt.Println(wrong[len(wrong)-1])
	}
	fmt.Println(killed, "killed,", len(wrong), "not")
	return errors.Join(wrong...)
}

// read reads paragraphs of mutants.
func read(text string) (all []mutant, err error) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(strings.Trim(paragraph, "\n"), "\n")
		var right, wrong []string
		for _, line := range lines[min(2, len(lines)):] {
			if of, is := strings.CutPrefix(line, "- "); is {
				right = append(right, of)
			} else if of, is := strings.CutPrefix(line, "+ "); is {
				wrong = append(wrong, of)
			} else {
				return nil, fmt.Errorf("%q is not a line that begins with - or + and a space", line)
			}
		}
		if len(right) == 0 {
			return nil, fmt.Errorf("%q: no line that is replaced", lines[0])
		}
		all = append(all, mutant{lines[0], lines[1], strings.Join(right, "\n"), strings.Join(wrong, "\n")})
	}
	return all, nil
}

// bench tests the package of a folder.
type bench struct{ folder, temp string }

// patience is how long building and testing may take, which takes seconds on an idle machine.
const patience = 10 * time.Minute

// noticed reports whether the tests fail with a mistake.
func (b *bench) noticed(m mutant) (bool, error) {
	overlay, err := b.overlay(m)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tests := filepath.Join(b.temp, "tests")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-ldflags=-s -w", "-overlay", overlay, "-o", tests, ".")
	build.Dir = b.folder
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	test := exec.CommandContext(ctx, tests, "-rapid.seed=1", "-rapid.checks=300", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	test.Dir = b.folder
	err = test.Run()
	if exit := (*exec.ExitError)(nil); ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		return false, fmt.Errorf("the tests did not end: %w", errors.Join(ctx.Err(), err))
	}
	return err != nil, nil
}

// overlay tells the go command to read a mutant in place of a file.
func (b *bench) overlay(m mutant) (path string, err error) {
	replace := map[string]string{}
	if m.file != "" {
		source, err := os.ReadFile(filepath.Join(b.folder, m.file))
		if err != nil {
			return "", err
		}
		if n := strings.Count(string(source), m.right); n != 1 {
			return "", fmt.Errorf("%s: %q is there %d times, not once", m.file, m.right, n)
		}
		original, err := filepath.Abs(filepath.Join(b.folder, m.file))
		if err != nil {
			return "", err
		}
		replace[original] = filepath.Join(b.temp, m.file)
		if err := os.WriteFile(replace[original], []byte(strings.Replace(string(source), m.right, m.wrong, 1)), 0o600); err != nil {
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
