// Command mutants shows that tests notice mistakes: it makes one mistake at a time in the source of a package, runs the package's tests, and
// names the mistakes that they do not find.
//
//	go run ./tools/mutants [-only regexp] [-made number] [-seed number] FOLDER [FOLDER...]
//
// The first folder is that of the package; the tests of the others, which use it, run when its own find nothing. Mistakes come from two sources.
// Written ones are in FOLDER/testdata/mutants.txt. With -made, that many more are made by changing an operator, a number or a condition, or by
// leaving out a statement, at places that the seed decides. A mistake of this kind may be none: FOLDER/testdata/survivors.txt says why.
//
// Nothing in the folder changes: the go command reads the mistake from an overlay.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	only := flag.String("only", "", "make only mistakes whose names match a regular `expression`")
	made := flag.Int("made", 0, "`number` of mistakes to make beside the written ones")
	seed := flag.Uint64("seed", 1, "`number` that decides which mistakes are made")
	flag.Parse()
	if err := run(flag.Args(), *only, *made, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutant is a mistake in a file: text in place of a range of bytes.
type mutant struct {
	name, file string
	from, to   int
	text       string
}

func run(folders []string, only string, made int, seed uint64) error {
	if len(folders) == 0 {
		return errors.New("no folder given")
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	b, err := newBench(folders, temp)
	if err != nil {
		return err
	}
	explained, err := paragraphs(filepath.Join(folders[0], "testdata", "survivors.txt"))
	if err != nil {
		return err
	}
	t := tally{bench: b, wanted: wanted, explained: map[string]bool{}}
	for _, p := range explained {
		t.explained[p[0]] = true
	}
	list, err := written(folders[0])
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := t.try(m); errors.Is(err, errBuild) {
			t.survive(m, err)
		} else if err != nil {
			return err
		}
	}
	if made > 0 {
		list, err = possible(folders[0], seed)
		if err != nil {
			return err
		}
	}
	for _, m := range list {
		if made == 0 {
			break
		}
		switch err := t.try(m); {
		case errors.Is(err, errBuild):
		case err != nil:
			return err
		default:
			made--
		}
	}
	fmt.Printf("%s: %d killed, %d explained, %d not\n", folders[0], t.killed, t.known, len(t.alive))
	return errors.Join(t.alive...)
}

// tally counts what became of mutants.
type tally struct {
	*bench
	wanted        *regexp.Regexp
	explained     map[string]bool
	killed, known int
	alive         []error
}

// try makes a mistake and counts what comes of it; it returns errBuild if the mistake does not compile.
func (t *tally) try(m mutant) error {
	if !t.wanted.MatchString(m.name) {
		return nil
	}
	noticed, err := t.noticed(m)
	switch {
	case err != nil:
		return err
	case noticed:
		t.killed++
		fmt.Println("killed:", m.name)
	case t.explained[m.name]:
		t.known++
		fmt.Println("explained:", m.name)
	default:
		t.survive(m, errors.New("survives"))
	}
	return nil
}

func (t *tally) survive(m mutant, why error) {
	err := fmt.Errorf("%s: %s: %w", m.file, m.name, why)
	t.alive = append(t.alive, err)
	fmt.Println(err)
}

// paragraphs returns those of a file, in lines; none if the file is not there.
func paragraphs(path string) (all [][]string, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for p := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		if p = strings.Trim(p, "\n"); p != "" {
			all = append(all, strings.Split(p, "\n"))
		}
	}
	return all, err
}

// sources returns the files of a package that are not tests.
func sources(folder string) (list []string, err error) {
	all, err := filepath.Glob(filepath.Join(folder, "*.go"))
	list = slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	return list, cmp.Or(err, none(list, folder))
}

func none(list []string, folder string) error {
	if len(list) > 0 {
		return nil
	}
	return fmt.Errorf("%s has no source of a package", folder)
}
