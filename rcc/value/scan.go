package value

import (
	"fmt"
	"strings"
)

// scanner reads the text of a structured value: members in any order, some or all of them missing, blanks anywhere
// between tokens. After the first error it reads nothing more. How deep texts nest is up to the types, not to the text.
type scanner struct {
	rest string
	err  error
}

// parse reads all of a text by a function of the scanner.
func parse[T any](text string, t Type, read func(s *scanner) T) (T, error) {
	s := scanner{rest: text}
	v := read(&s)
	if s.next() != 0 {
		s.fail("there is more behind its end")
	}
	if s.err != nil {
		var none T
		return none, fmt.Errorf("%s is no %s: %w", quote(text), t, s.err)
	}
	return v, nil
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
		s.rest = ""
	}
}

// next returns the byte at which the next token begins, 0 at the end.
func (s *scanner) next() byte {
	s.rest = strings.TrimLeft(s.rest, " \t\r\n")
	if s.rest == "" {
		return 0
	}
	return s.rest[0]
}

// take reads a byte if it is the next one.
func (s *scanner) take(b byte) bool {
	if s.next() != b || s.rest == "" {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) expect(b byte) {
	if !s.take(b) {
		s.fail("%c is missing", b)
	}
}

// word reads what stands before the next punctuation.
func (s *scanner) word() string {
	s.next()
	end := strings.IndexAny(s.rest, "{}[],:")
	if end < 0 {
		end = len(s.rest)
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return strings.TrimRight(word, " \t\r\n")
}

// members reads {name:value,…}; read reads the value of the member with the i-th name.
func (s *scanner) members(names []string, read func(i int)) {
	s.expect('{')
	if s.take('}') {
		return
	}
	seen := 0
	for s.err == nil {
		i := s.name(names)
		if seen&(1<<i) != 0 {
			s.fail("member %s is twice there", names[i])
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

func (s *scanner) name(names []string) int {
	word := s.word()
	for i, name := range names {
		if word == name {
			return i
		}
	}
	s.fail("%s is none of its members %s", quote(word), strings.Join(names, " "))
	return 0
}

// list reads [value,…].
func list[E any](s *scanner, read func(s *scanner) E) []E {
	s.expect('[')
	v := []E{}
	if s.take(']') {
		return v
	}
	for s.err == nil {
		if len(v) == MaxLength {
			s.fail("it has more than %d elements", MaxLength)
		}
		v = append(v, read(s))
		if !s.take(',') {
			break
		}
	}
	s.expect(']')
	return v
}

// scalar reads a value that has no punctuation.
func scalar[T any](s *scanner, parse func(text string) (T, error)) T {
	v, err := parse(s.word())
	if err != nil {
		s.fail("%w", err)
	}
	return v
}

func (s *scanner) double() float64 { return scalar(s, parseDouble) }
