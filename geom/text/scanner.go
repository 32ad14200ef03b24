package text

import (
	"fmt"
	"strings"
)

// Scanner reads a text: members in any order, some or all of them missing, blanks anywhere between tokens. After the
// first error it reads nothing more. How deep texts nest is up to the types, not to the text.
type Scanner struct {
	text  string
	next  int // where reading goes on
	token int // where the token begins that was looked at last
	err   *Error
}

// Error says what is wrong with a text, and where.
type Error struct {
	Text   string // all of it
	Type   string // what it should be
	At     int    // the byte of the text where that begins which is wrong
	Reason error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s is no %s: %v, at %d", Quote(e.Text), e.Type, e.Reason, e.At)
}

func (e *Error) Unwrap() error { return e.Reason }

// Parse reads all of a text by a function of a scanner. The error, if any, is an *Error.
func Parse[T any](text, name string, read func(s *Scanner) T) (T, error) {
	s := Scanner{text: text}
	v := read(&s)
	if s.peek(); s.next < len(s.text) {
		s.Fail("there is more behind its end")
	}
	if s.err != nil {
		var none T
		s.err.Text, s.err.Type = text, name
		return none, s.err
	}
	return v, nil
}

// Failed reports whether there was an error.
func (s *Scanner) Failed() bool { return s.err != nil }

// Fail reports a mistake in what was read last.
func (s *Scanner) Fail(format string, args ...any) {
	if s.err == nil {
		s.err = &Error{At: s.token, Reason: fmt.Errorf(format, args...)}
		s.next = len(s.text)
	}
}

// peek returns the byte at which the next token begins, 0 at the end.
func (s *Scanner) peek() byte {
	for s.next < len(s.text) && strings.IndexByte(blanks, s.text[s.next]) >= 0 {
		s.next++
	}
	s.token = s.next
	if s.next == len(s.text) {
		return 0
	}
	return s.text[s.next]
}

const blanks = " \t\r\n"

// take reads a byte if it is the next one.
func (s *Scanner) take(b byte) bool {
	if s.peek() != b {
		return false
	}
	s.next++
	return true
}

func (s *Scanner) expect(b byte) {
	if !s.take(b) {
		s.Fail("%c is missing", b)
	}
}

// Word reads what stands before the next punctuation.
func (s *Scanner) Word() string {
	s.peek()
	rest := s.text[s.next:]
	if end := strings.IndexAny(rest, "{}[],:"); end >= 0 {
		rest = rest[:end]
	}
	s.next += len(rest)
	return strings.TrimRight(rest, blanks)
}

// Members reads {name:value,…}; read reads the value of the member with the i-th name.
func (s *Scanner) Members(names []string, read func(i int)) {
	s.expect('{')
	if s.take('}') {
		return
	}
	seen := 0
	for s.err == nil {
		i := s.name(names)
		if seen&(1<<i) != 0 {
			s.Fail("member %s is twice there", names[i])
		}
		seen |= 1 << i
		s.expect(':')
		if s.err == nil {
			read(i)
		}
		if !s.take(',') {
			break
		}
	}
	s.expect('}')
}

func (s *Scanner) name(names []string) int {
	word := s.Word()
	for i, name := range names {
		if word == name {
			return i
		}
	}
	s.Fail("%s is none of its members %s", Quote(word), strings.Join(names, " "))
	return 0
}

// List reads [value,…]; read reads each value.
func (s *Scanner) List(read func()) {
	s.expect('[')
	if s.take(']') {
		return
	}
	for s.err == nil {
		read()
		if !s.take(',') {
			break
		}
	}
	s.expect(']')
}

// Scalar reads a value that has no punctuation.
func Scalar[T any](s *Scanner, parse func(text string) (T, error)) T {
	v, err := parse(s.Word())
	if err != nil {
		s.Fail("%w", err)
	}
	return v
}

// Double reads a number.
func (s *Scanner) Double() float64 { return Scalar(s, ParseDouble) }
