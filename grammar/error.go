package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error returns place, finding and expectation in one line.
func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = "found " + e.Found + ", expected " + alternatives(e.Expected)
	}
	if e.Pos == (Pos{}) {
		return text
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Column, text)
}

func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// foundMax bounds how much of a refused text an error repeats, in characters.
const foundMax = 30

func quoteShort(text string) string {
	if n := prefixLen(text, foundMax); n < len(text) {
		text = text[:n] + "…"
	}
	return strconv.Quote(text)
}

// prefixLen returns the length in bytes of the first characters of text.
func prefixLen(text string, characters int) int {
	n := 0
	for ; characters > 0 && n < len(text); characters-- {
		_, size := utf8.DecodeRuneInString(text[n:])
		n += size
	}
	return n
}
