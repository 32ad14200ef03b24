package xmlnet

import (
	"strconv"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/grammar"
)

// place is an offset that knows its line and column.
type place struct {
	grammar.Pos
	offset int
}

var beginning = place{Pos: grammar.Pos{Line: 1, Column: 1}}

// move goes on to an offset.
func (p *place) move(text string, to int) {
	for ; p.offset < to; p.offset++ {
		switch c := text[p.offset]; {
		case c == '\n':
			p.Line, p.Column = p.Line+1, 1
		case utf8.RuneStart(c):
			p.Column++
		}
	}
}

// quote repeats what was found; an error must not be as long as a hostile text.
func quote(text string) string { return strconv.Quote(cut(text, 30)) }

func short(text string) string { return cut(text, 100) }

func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i] + "…"
		}
		characters--
	}
	return text
}
