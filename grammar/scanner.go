package grammar

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// kind of a token: the character itself for punctuation, else one of these.
type kind byte

const (
	kindEnd    kind = 0
	kindName   kind = 'n'
	kindNumber kind = '0'
	kindString kind = 's'
	kindOther  kind = '?' // a character that begins no token of the language
)

func (k kind) String() string {
	switch k {
	case kindEnd:
		return "end of text"
	case kindName:
		return "a name"
	case kindNumber:
		return "a number"
	case kindString:
		return "a string"
	default:
		return `"` + string(rune(k)) + `"`
	}
}

type token struct {
	kind kind
	text string // of a string its unescaped content
	pos  Pos
}

func (t *token) found() string {
	switch t.kind {
	case kindEnd:
		return t.kind.String()
	case kindString:
		return "string " + quoteShort(t.text)
	default:
		return quoteShort(t.text)
	}
}

// language is what one language means by each byte that begins or continues a token.
type language [256]class

type class uint8

const (
	blank class = 1 << iota
	nameStart
	inName
	numberStart
	punctuation
	quote
	plain // in a string: ASCII that needs no second look
	slash // may begin a comment
)

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

func newLanguage(classes map[class]string) *language {
	var l language
	for c, bytes := range classes {
		for i := range len(bytes) {
			l[bytes[i]] |= c
		}
	}
	for _, b := range " \t\r\n" {
		l[b] |= blank
	}
	for b := range utf8.RuneSelf {
		if b != '\n' && b != '\\' && l[b]&quote == 0 {
			l[b] |= plain
		}
	}
	return &l
}

// scanner cuts a text into tokens. The first failure is kept in err and from then on there is only the end of the text,
// so that a parser needs not look for failures: it runs out of input.
type scanner struct {
	token // the next one, not yet accepted

	lang *language
	src  string
	from int // where the token begins
	off  int // behind the token

	line      int
	lineStart int // offset of the line
	wide      int // bytes of the line that begin no character

	keep     bool      // comments, not only tokens
	comments []comment // before the token, if they are kept

	ascii bool // all of src
	lim   Limits
	depth int
	err   *Error
}

func newScanner(text string, lang *language, lim Limits) scanner {
	s := scanner{lang: lang, src: text, line: 1, ascii: isASCII(text), lim: lim.orDefault()}
	switch {
	case len(text) > s.lim.Bytes:
		s.refuse(Pos{}, "%d bytes, limit %d", len(text), s.lim.Bytes)
	case !s.ascii && !utf8.ValidString(text):
		s.refuse(firstInvalid(text), "not UTF-8")
	default:
		s.next()
	}
	return s
}

// isASCII looks at eight characters at a time.
func isASCII(text string) bool {
	const wide = 0x8080808080808080
	for len(text) >= 8 {
		eight := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		if eight&wide != 0 {
			return false
		}
		text = text[8:]
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (l Limits) orDefault() Limits {
	return Limits{
		Bytes:      cmp.Or(l.Bytes, DefaultLimits.Bytes),
		Depth:      cmp.Or(l.Depth, DefaultLimits.Depth),
		Primitives: cmp.Or(l.Primitives, DefaultLimits.Primitives),
		Ports:      cmp.Or(l.Ports, DefaultLimits.Ports),
		Items:      cmp.Or(l.Items, DefaultLimits.Items),
	}
}

func firstInvalid(text string) Pos {
	pos := Pos{1, 1}
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			break
		}
		text = text[size:]
		pos.Column++
		if r == '\n' {
			pos = Pos{pos.Line + 1, 1}
		}
	}
	return pos
}

// comment is one of either kind, as written.
type comment struct {
	text string
	pos  Pos
}

// next goes on to the following token.
func (s *scanner) next() {
	s.skipBlanks()
	s.from, s.pos = s.off, s.position(s.off)
	if s.off == len(s.src) {
		s.kind, s.text = kindEnd, ""
		return
	}
	c := s.src[s.off]
	switch class := s.lang[c]; {
	case class&nameStart != 0:
		s.take(kindName, s.nameLen())
	case class&punctuation != 0:
		s.take(kind(c), 1)
	case class&quote != 0:
		s.takeString(c)
	case class&numberStart != 0:
		s.takeNumber()
	default:
		s.takeOther()
	}
}

// nextSeconds goes on to the following token between the brackets of a debug marker, the only place in a net where
// digits are a number and not a name.
func (s *scanner) nextSeconds() {
	s.skipBlanks()
	n := fractionLen(s.src[s.off:])
	if n == 0 {
		s.next()
		return
	}
	s.pos = s.position(s.off)
	s.take(kindNumber, n)
}

func (s *scanner) takeNumber() {
	n := numberLen(s.src[s.off:])
	if n == 0 {
		s.takeOther()
		return
	}
	s.take(kindNumber, n)
}

func (s *scanner) takeOther() {
	s.take(kindOther, prefixLen(s.src[s.off:], 1))
}

func (s *scanner) take(k kind, length int) {
	s.kind, s.text = k, s.src[s.off:s.off+length]
	s.off += length
}

func (s *scanner) nameLen() int {
	end := s.off + 1
	for end < len(s.src) && s.lang[s.src[end]]&inName != 0 {
		end++
	}
	return end - s.off
}

// skipBlanks skips comments as well, where the language has them.
func (s *scanner) skipBlanks() {
	for s.off < len(s.src) {
		switch class := s.lang[s.src[s.off]]; {
		case class&blank != 0:
			s.track(s.off)
			s.off++
		case class&slash == 0 || !s.skipComment():
			return
		}
	}
}

// skipComment reports whether a comment begins here, and goes past it: from // to the end of the line, or from /* to */.
func (s *scanner) skipComment() bool {
	rest, pos := s.src[s.off:], s.position(s.off)
	n := len(rest)
	switch {
	case strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			n = end
		}
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			s.refuse(pos, "comment without end, */ is missing")
			return true
		}
		n = 2 + end + 2
	default:
		return false
	}
	if s.keep {
		s.comments = append(s.comments, comment{text: strings.TrimRight(rest[:n], " \t\r"), pos: pos})
	}
	for end := s.off + n; s.off < end; s.off++ {
		s.track(s.off)
	}
	return true
}

// track keeps account of lines and columns for the byte at off. Only blanks, comments and strings need it, everything else
// is ASCII without line breaks.
func (s *scanner) track(off int) {
	switch c := s.src[off]; {
	case c == '\n':
		s.line++
		s.lineStart, s.wide = off+1, 0
	case !utf8.RuneStart(c):
		s.wide++
	}
}

func (s *scanner) position(off int) Pos {
	return Pos{Line: s.line, Column: off - s.lineStart - s.wide + 1}
}

func (s *scanner) takeString(quote byte) {
	if s.takePlain(quote) {
		return
	}
	escapes := 0
	start := s.off + 1
	for end := start; end < len(s.src); end++ {
		switch c := s.src[end]; {
		case s.lang[c]&plain != 0:
		case c == quote:
			s.kind, s.text, s.off = kindString, unescape(s.src[start:end], escapes), end+1
			return
		case c == '\\' && end+1 < len(s.src):
			if e := s.src[end+1]; e != quote && e != '\\' {
				s.refuseEscape(end, quote)
				return
			}
			escapes++
			end++
		default:
			s.track(end)
		}
	}
	s.refuse(s.pos, "string without end")
}

// takePlain takes a string as most of them are, in which no character needs a look of its own: a net as the parameter of a
// command is one long string.
func (s *scanner) takePlain(quote byte) bool {
	if !s.ascii {
		return false
	}
	text := s.src[s.off+1:]
	n := strings.IndexByte(text, quote)
	if n < 0 || strings.IndexByte(text[:n], '\\') >= 0 || strings.IndexByte(text[:n], '\n') >= 0 {
		return false
	}
	s.kind, s.text = kindString, text[:n]
	s.off += n + 2
	return true
}

func (s *scanner) refuseEscape(off int, quote byte) {
	escaped, _ := utf8.DecodeRuneInString(s.src[off+1:])
	s.refuse(s.position(off), `backslash before %q, strings have only \\ and \%c`, escaped, quote)
}

// unescape drops the backslash of every escape.
func unescape(text string, escapes int) string {
	if escapes == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) - escapes)
	for i := strings.IndexByte(text, '\\'); i >= 0; i = strings.IndexByte(text, '\\') {
		b.WriteString(text[:i])
		b.WriteByte(text[i+1])
		text = text[i+2:]
	}
	b.WriteString(text)
	return b.String()
}

// numberLen returns the length of the number with which text begins: sign, fraction and exponent are optional.
func numberLen(text string) int {
	sign := signLen(text)
	n := fractionLen(text[sign:])
	if n == 0 {
		return 0
	}
	n += sign
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		power := n + 1 + signLen(text[n+1:])
		if d := digitsLen(text[power:]); d > 0 {
			return power + d
		}
	}
	return n
}

func signLen(text string) int {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return 1
	}
	return 0
}

// fractionLen returns the length of the digits with which text begins, including a dot that has digits behind it.
func fractionLen(text string) int {
	n := digitsLen(text)
	if n < len(text) && text[n] == '.' {
		if d := digitsLen(text[n+1:]); d > 0 {
			return n + 1 + d
		}
	}
	return n
}

func digitsLen(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

func (s *scanner) accept(k kind) bool {
	if s.kind != k {
		return false
	}
	s.next()
	return true
}

func (s *scanner) expect(k kind) string {
	if s.kind != k {
		s.unexpected(k)
		return ""
	}
	text := s.text
	s.next()
	return text
}

// separator goes on to the next member of a list in brackets, or past its closing bracket.
func (s *scanner) separator(closing kind) (more bool) {
	switch s.kind {
	case ',':
		s.next()
		return true
	case closing:
		s.next()
	default:
		s.unexpected(',', closing)
	}
	return false
}

func (s *scanner) unexpected(expected ...kind) {
	words := make([]string, len(expected))
	for i, k := range expected {
		words[i] = k.String()
	}
	s.fail(&Error{Pos: s.pos, Found: s.found(), Expected: words})
}

func (s *scanner) refuse(at Pos, format string, args ...any) {
	s.fail(&Error{Pos: at, Message: fmt.Sprintf(format, args...)})
}

func (s *scanner) fail(err *Error) {
	if s.err == nil {
		s.err = err
	}
	s.token = token{kind: kindEnd, pos: s.pos}
	s.off = len(s.src)
}

// enter goes one bracket deeper; every bracket of a language comes by here, so that no text can exhaust the stack.
func (s *scanner) enter() {
	s.depth++
	if s.depth > s.lim.Depth {
		s.refuse(s.pos, "nested more than %d deep", s.lim.Depth)
	}
}

func (s *scanner) leave() { s.depth-- }

// count refuses the text when there are more things than allowed.
func (s *scanner) count(n *int, limit int, things string) {
	*n++
	if *n > limit {
		s.refuse(s.pos, "more than %d %s", limit, things)
	}
}

// result is what a parser returns: err must not become an error that is not nil and holds nothing.
func (s *scanner) result() error {
	if s.err == nil {
		return nil
	}
	return s.err
}
