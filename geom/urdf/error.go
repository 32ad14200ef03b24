package urdf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error has all mistakes in a text, in the order of the text.
type Error struct {
	Problems []Problem
	More     int // how many there are beside these
}

// Problem is one mistake, with its line and column, from 1 on; columns count characters.
type Problem struct {
	Line, Column int
	Message      string
}

func (p Problem) String() string {
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
}

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems), len(e.Problems)+1)
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(lines, "\n")
}

// mostProblems are kept; a user who has fixed that many checks again.
const mostProblems = 50

// findings collects what is wrong, by offsets.
type findings struct {
	list []finding
	more int
}

type finding struct {
	at      int
	message string
}

// full reports whether further findings are only counted.
func (f *findings) full() bool { return len(f.list) >= mostProblems }

func (f *findings) add(at int, format string, args ...any) {
	if f.full() {
		f.more++
		return
	}
	f.list = append(f.list, finding{at, fmt.Sprintf(format, args...)})
}

// err is nil if nothing was found.
func (f *findings) err(text string) error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	e := &Error{More: f.more}
	here := position{line: 1, column: 1}
	for _, one := range f.list {
		here.move(text, one.at)
		e.Problems = append(e.Problems, Problem{here.line, here.column, one.message})
	}
	return e
}

// position is an offset that knows its line and column.
type position struct{ offset, line, column int }

// move goes on to an offset.
func (p *position) move(text string, to int) {
	for to = min(to, len(text)); p.offset < to; p.offset++ {
		switch c := text[p.offset]; {
		case c == '\n':
			p.line, p.column = p.line+1, 1
		case utf8.RuneStart(c):
			p.column++
		}
	}
}

// quote repeats what was found; a message must not be as long as a hostile text.
func quote(text string) string { return strconv.Quote(cut(text, 40)) }

func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i] + "…"
		}
		characters--
	}
	return text
}

// either lists words for what could stand in a place.
func either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
