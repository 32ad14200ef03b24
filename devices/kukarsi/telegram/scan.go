package telegram

// scanner goes through a text once: elements, attributes, comments. Everything that it knows is numbers.
type scanner struct {
	at     int
	depth  int // elements that are open
	rooted bool
	fault  Fault

	name  Span // of the element that begins or has ended
	attr  Span
	value Span // of the attribute
	inner Span // text of the element that has ended
	mixed bool // there was something else between, so that inner is not all of it

	tag    bool // within a start tag
	closed bool // the start tag was its end too
	open   [deepest]opened
}

type opened struct {
	name  Span
	text  int  // where its text begins
	mixed bool // another element or a comment is in it
}

// deepest is how many elements may be open. Telegrams have two.
const deepest = 8

// event is what next has come to.
type event uint8

const (
	atFault event = iota
	atStart       // the name of a start tag; attributes come next
	atClose       // an element has ended
	atEnd         // of the text
)

func (s *scanner) begin(text []byte) {
	s.at, s.depth, s.rooted, s.fault, s.tag, s.closed = 0, 0, false, Good, false, false
	if len(text) >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF { // mark of UTF-8
		s.at = 3
	}
}

// prolog skips the declaration of XML.
func (s *scanner) prolog(text []byte) {
	const begin = "<?xml"
	rest := behind(text, s.at)
	if !begins(rest, begin) || len(rest) <= len(begin) || !blank(rest[len(begin)]) {
		return
	}
	for i, c := range rest {
		switch {
		case i < len(begin):
		case c == '?' && begins(behind(rest, i), "?>"):
			s.at += i + 2
			return
		case c == '<' || c == '>' || !plain(c):
			return // next finds it
		}
	}
}

func (s *scanner) refuse(f Fault) event {
	s.fault = f
	return atFault
}

// next goes on to the next start or end of an element (cycle).
func (s *scanner) next(text []byte) event {
	if s.closed {
		s.closed = false
		s.inner, s.mixed = Span{}, false
		return s.pop()
	}
	for {
		if f := s.characters(text); f != Good {
			return s.refuse(f)
		}
		switch rest := behind(text, s.at); {
		case len(rest) == 0:
			return atEnd
		case begins(rest, "<!"):
			if f := s.comment(text); f != Good {
				return s.refuse(f)
			}
			s.mix()
		case begins(rest, "</"):
			return s.endTag(text)
		default:
			return s.startTag(text)
		}
	}
}

// mix notes that the innermost element has more than text.
func (s *scanner) mix() {
	if i := s.depth - 1; uint(i) < deepest {
		s.open[i].mixed = true
	}
}

// characters goes to the next < or to the end. Outside of the root there are blanks only, and behind it what controllers written
// in C leave at the end of a text.
func (s *scanner) characters(text []byte) Fault {
	i := s.at
	for ; uint(i) < uint(len(text)); i++ {
		c := text[i]
		switch {
		case c == '<':
			s.at = i
			return Good
		case s.depth == 0:
			if !blank(c) && (c != 0 || !s.rooted) {
				return NotXML
			}
		case c == '&':
			n := entity(behind(text, i))
			if n == 0 {
				return NotXML
			}
			i += n - 1
		case c == '>' && i >= 2 && text[i-1] == ']' && text[i-2] == ']':
			return NotXML
		case !plain(c):
			return NotXML
		}
	}
	s.at = i
	return Good
}

// comment skips one. Whatever else begins like that is refused.
func (s *scanner) comment(text []byte) Fault {
	const begin = "<!--"
	rest := behind(text, s.at)
	if !begins(rest, begin) {
		return NotXML
	}
	for i, c := range rest {
		switch {
		case i < len(begin):
		case c == '-' && begins(behind(rest, i), "-->"):
			s.at += i + len("-->")
			return Good
		case c == '-' && begins(behind(rest, i), "--") || !plain(c):
			return NotXML
		}
	}
	return NotXML
}

func (s *scanner) startTag(text []byte) event {
	name, ok := nameAt(text, s.at+1)
	switch {
	case !ok || s.depth == 0 && s.rooted:
		return s.refuse(NotXML)
	case s.depth >= deepest:
		return s.refuse(TooDeep)
	}
	s.mix()
	s.name, s.at, s.rooted, s.tag = name, name.To, true, true
	if i := s.depth; uint(i) < deepest {
		s.open[i] = opened{name: name}
	}
	s.depth++
	return atStart
}

// attribute goes on to the next one of a start tag, or to its end (cycle).
func (s *scanner) attribute(text []byte) (found bool, f Fault) {
	if !s.tag {
		return false, Good
	}
	s.blanks(text)
	if uint(s.at) >= uint(len(text)) {
		return false, NotXML
	}
	switch text[s.at] {
	case '>':
		s.at++
		s.tag = false
		if i := s.depth - 1; uint(i) < deepest {
			s.open[i].text = s.at
		}
		return false, Good
	case '/':
		if s.at+1 >= len(text) || text[s.at+1] != '>' {
			return false, NotXML
		}
		s.at += 2
		s.tag, s.closed = false, true
		return false, Good
	}
	var ok bool
	if s.attr, ok = nameAt(text, s.at); !ok {
		return false, NotXML
	}
	s.at = s.attr.To
	s.blanks(text)
	if uint(s.at) >= uint(len(text)) || text[s.at] != '=' {
		return false, NotXML
	}
	s.at++
	s.blanks(text)
	return true, s.quoted(text)
}

func (s *scanner) quoted(text []byte) Fault {
	if uint(s.at) >= uint(len(text)) || text[s.at] != '"' && text[s.at] != '\'' {
		return NotXML
	}
	quote := text[s.at]
	for i := s.at + 1; uint(i) < uint(len(text)); i++ {
		c := text[i]
		switch {
		case c == quote:
			s.value = Span{s.at + 1, i}
			s.at = i + 1
			return Good
		case c == '&':
			n := entity(behind(text, i))
			if n == 0 {
				return NotXML
			}
			i += n - 1
		case c == '<' || !plain(c):
			return NotXML
		}
	}
	return NotXML
}

func (s *scanner) endTag(text []byte) event {
	i := s.depth - 1
	name, ok := nameAt(text, s.at+2)
	if !ok || uint(i) >= deepest {
		return s.refuse(NotXML)
	}
	is := &s.open[i]
	if !same(name.Of(text), is.name.Of(text)) {
		return s.refuse(NotXML)
	}
	s.inner, s.mixed = Span{is.text, s.at}, is.mixed
	s.at = name.To
	s.blanks(text)
	if uint(s.at) >= uint(len(text)) || text[s.at] != '>' {
		return s.refuse(NotXML)
	}
	s.at++
	return s.pop()
}

func (s *scanner) pop() event {
	s.depth--
	if i := s.depth; uint(i) < deepest {
		s.name = s.open[i].name
	}
	return atClose
}

func (s *scanner) blanks(text []byte) {
	for uint(s.at) < uint(len(text)) && blank(text[s.at]) {
		s.at++
	}
}

// nameAt returns the name that begins at a place.
func nameAt(text []byte, at int) (Span, bool) {
	if at < 0 || at >= len(text) || !beginsName(text[at]) {
		return Span{}, false
	}
	to := at + 1
	for to < len(text) && inName(text[to]) {
		to++
	}
	return Span{at, to}, true
}

// Classes of characters. Names are in ASCII, what is beyond it may stand in values only.
func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func plain(c byte) bool { return c >= ' ' || blank(c) }

func beginsName(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func inName(c byte) bool { return beginsName(c) || c >= '0' && c <= '9' || c == '-' || c == '.' }

// entities are those that XML has by itself.
var entities = [...]string{"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"}

// entity returns how long the one is that a text begins with, 0 if it is none of those.
func entity(text []byte) int {
	for i := range entities {
		if e := entities[i]; begins(text, e) {
			return len(e)
		}
	}
	return 0
}
