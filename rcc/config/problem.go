package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong in a configuration.
type Problem struct {
	File string
	Line int    // 0 when the place is not in the file
	Key  string // for example devices[1].type; empty when the file as a whole is wrong
	Text string
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		fmt.Fprintf(&b, "%s: ", p.Key)
	}
	return b.String() + p.Text
}

// Error is everything that is wrong in a configuration.
type Error []Problem

// Error has one line for each problem.
func (e Error) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// OrNil is the error, nil if nothing is wrong.
func (e Error) OrNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// Sort brings problems into the order of their lines.
func (e Error) Sort() {
	slices.SortStableFunc(e, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// report collects problems and remembers where keys were.
type report struct {
	file     string
	lines    map[string]int // by key
	problems Error
}

func (r *report) at(line int, key, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Key: key, Text: fmt.Sprintf(format, args...)})
}

// refuse reports a key at its line, or at the line of the nearest section that was written.
func (r *report) refuse(key, format string, args ...any) {
	line := 0
	for place := key; line == 0 && place != ""; place = parent(place) {
		line = r.lines[place]
	}
	r.at(line, key, format, args...)
}

// refuses reports whether something is wrong at a key or below it; the key of the file as a whole is empty.
func (r *report) refuses(key string) bool {
	return slices.ContainsFunc(r.problems, func(p Problem) bool {
		below, is := strings.CutPrefix(p.Key, key)
		return is && (below == "" || key != "" && (below[0] == '.' || below[0] == '['))
	})
}

// parent returns the key of the section or list that a key stands in.
func parent(key string) string { return key[:max(strings.LastIndexAny(key, ".["), 0)] }

func (r *report) err() error {
	r.problems.Sort()
	return r.problems.OrNil()
}
