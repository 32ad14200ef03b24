package xmlread

import (
	"strings"
	"unicode/utf8"
)

// place is an offset that knows its line and column.
type place struct{ line, column, offset int }

var beginning = place{line: 1, column: 1}

// move goes on to an offset.
func (p *place) move(text string, to int) {
	for {
		n := strings.IndexByte(text[p.offset:to], '\n')
		if n < 0 {
			break
		}
		p.line, p.column, p.offset = p.line+1, 1, p.offset+n+1
	}
	p.column += utf8.RuneCountInString(text[p.offset:to])
	p.offset = to
}

// Place is the line and column of an offset, both from 1; a column is one character. Offsets that only grow are found fast.
func (r *Reader) Place(offset int) (line, column int) {
	if offset < r.place.offset {
		r.place = beginning
	}
	r.place.move(r.source, offset)
	return r.place.line, r.place.column
}
