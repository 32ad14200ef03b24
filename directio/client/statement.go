package client

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// statement is a message in either direction (appendix A.2).
type statement struct {
	tag, word string
	params    []any
}

// append writes a statement as the protocol wants it.
func (s *statement) append(b []byte) ([]byte, error) {
	b = append(append(append(append(b, s.tag...), '='), s.word...), '(')
	b, err := appendItems(b, s.params)
	return append(b, ')'), err
}

func appendItems(b []byte, items []any) ([]byte, error) {
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendParam(b, item); err != nil {
			return b, err
		}
	}
	return b, nil
}

func appendParam(b []byte, param any) ([]byte, error) {
	var err error
	switch p := param.(type) {
	case string:
		return appendString(b, p), nil
	case int:
		if p >= 0 {
			return strconv.AppendInt(b, int64(p), 10), nil
		}
	case float64:
		if p >= 0 && !math.IsInf(p, 0) {
			return appendFloat(b, p), nil
		}
	case []any:
		b, err = appendItems(append(b, '['), p)
		return append(b, ']'), err
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(p)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, key), ':')
			if b, err = appendParam(b, p[key]); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	}
	return b, fmt.Errorf("parameter %v of type %T: the protocol has no such value", param, param)
}

// appendFloat always has a point: the original insists on one where it wants a float.
func appendFloat(b []byte, v float64) []byte {
	at := len(b)
	b = strconv.AppendFloat(b, v, 'f', -1, 64)
	if !slices.Contains(b[at:], '.') {
		b = append(b, ".0"...)
	}
	return b
}

func appendString(b []byte, text string) []byte {
	b = append(b, '"')
	for i := range len(text) {
		if c := text[i]; c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, text[i])
	}
	return append(b, '"')
}

// deepest bounds how far lists and maps of a message may lie within each other. None of the protocol has more than
// three.
const deepest = 32

// parse reads a message.
func parse(text string) (*statement, error) {
	p := parser{rest: text}
	s := &statement{tag: p.name()}
	p.expect('=')
	s.word = p.name()
	p.expect('(')
	s.params = p.items(')', 0)
	if p.skip(); p.err == nil && p.rest != "" {
		p.fail("something follows")
	}
	if p.err != nil {
		return nil, fmt.Errorf("message, column %d: %w", len(text)-len(p.rest)+1, p.err)
	}
	return s, nil
}

// parser keeps its first error. After it, everything fails and nothing is read.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(text string) {
	if p.err == nil {
		p.err = errors.New(text)
	}
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

// next reports whether a character is next, and takes it then.
func (p *parser) next(c byte) bool {
	p.skip()
	if p.err != nil || p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *parser) expect(c byte) {
	if !p.next(c) {
		p.fail(fmt.Sprintf("expected %q", c))
	}
}

// take takes what consists of some kind of characters.
func (p *parser) take(what string, of func(i int, c byte) bool) string {
	p.skip()
	n := 0
	for n < len(p.rest) && of(n, p.rest[n]) {
		n++
	}
	if n == 0 {
		p.fail("expected " + what)
	}
	if p.err != nil {
		return ""
	}
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return text
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

func (p *parser) name() string {
	return p.take("a name", func(i int, c byte) bool { return letter(c) || i > 0 && digit(c) })
}

// items reads parameters up to a closing bracket.
func (p *parser) items(closing byte, depth int) (list []any) {
	if p.next(closing) {
		return nil
	}
	for p.err == nil {
		list = append(list, p.param(depth))
		if p.next(closing) {
			return list
		}
		p.expect(',')
	}
	return nil
}

func (p *parser) param(depth int) any {
	if depth == deepest {
		p.fail("too deep")
	}
	switch {
	case p.next('"'):
		return p.text()
	case p.next('['):
		return p.items(']', depth+1)
	case p.next('{'):
		return p.members(depth + 1)
	}
	return p.number()
}

// number reads signs and exponents, too, which are never sent.
func (p *parser) number() any {
	text := p.take("a parameter", func(_ int, c byte) bool { return digit(c) || strings.IndexByte("+-.eE", c) >= 0 })
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.fail(fmt.Sprintf("%q is not a number", text))
	}
	return v
}

func (p *parser) members(depth int) map[string]any {
	m := map[string]any{}
	if p.next('}') {
		return m
	}
	for p.err == nil {
		var key string
		if p.next('"') {
			key = p.text()
		} else {
			key = p.name()
		}
		p.expect(':')
		m[key] = p.param(depth)
		if p.next('}') {
			return m
		}
		p.expect(',')
	}
	return nil
}

// text reads a string behind its opening quotation mark.
func (p *parser) text() string {
	var b strings.Builder
	for {
		end := strings.IndexAny(p.rest, `"\`)
		if end < 0 {
			p.fail("a string does not end")
			return ""
		}
		b.WriteString(p.rest[:end])
		mark := p.rest[end]
		p.rest = p.rest[end+1:]
		if mark == '"' {
			return b.String()
		}
		if p.rest == "" || p.rest[0] != '"' && p.rest[0] != '\\' {
			p.fail(`only \" and \\ are escapes`)
			return ""
		}
		b.WriteByte(p.rest[0])
		p.rest = p.rest[1:]
	}
}
