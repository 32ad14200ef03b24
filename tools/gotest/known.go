package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"
)

// flake is a test that is known to fail now and then, since when, and why.
type flake struct {
	test  string // folder in the module, dot, name: cmd/rccd.TestScenarios/demo
	since time.Time
	cause string
}

// known is the list of them. It is short and short-lived: a flake is a fault that has to be found, not one to live with.
type known []flake

const (
	day     = time.DateOnly
	longest = 5
	oldest  = 14 * 24 * time.Hour
)

// readKnown reads lines of the form
//
//	2026-11-22 cmd/rccd.TestScenarios/demo the board gives up too early
//
// Empty lines and those that begin with # do not count. Without a name of a file nothing is known.
func readKnown(file string, now time.Time) (known, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var list known
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		entry, err := parseFlake(text, now)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		list = append(list, entry)
	}
	if len(list) > longest {
		return nil, fmt.Errorf("%s: %d known flakes, at most %d are allowed; fix one", file, len(list), longest)
	}
	return list, lines.Err()
}

func parseFlake(text string, now time.Time) (flake, error) {
	fields := strings.SplitN(text, " ", 3)
	if len(fields) < 3 {
		return flake{}, fmt.Errorf("%q: want a date, a test such as cmd/rccd.TestScenarios, and a cause", text)
	}
	since, err := time.Parse(day, fields[0])
	if err != nil {
		return flake{}, fmt.Errorf("date: %w", err)
	}
	if now.Sub(since) > oldest {
		return flake{}, fmt.Errorf("%s is known as a flake since %s, more than %.0f days; fix it", fields[1], fields[0], oldest.Hours()/24)
	}
	return flake{test: fields[1], since: since, cause: strings.TrimSpace(fields[2])}, nil
}

// excuses reports whether a test is on the list, or is run by one that is.
func (k known) excuses(pkg, name string) bool {
	for _, f := range k {
		folder, test, _ := strings.Cut(f.test, ".")
		if strings.HasSuffix("/"+pkg, "/"+folder) && (name == test || strings.HasPrefix(name, test+"/")) {
			return true
		}
	}
	return false
}
