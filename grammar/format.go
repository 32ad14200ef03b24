package grammar

import (
	"strings"
	"unicode/utf8"
)

// FormatNet lays out the text of a net for people: each node on a line of its own, its arguments behind it where they fit,
// comments where they stood. The tree stays the same, and a text that is laid out does not change.
func FormatNet(text string, lim Limits) (string, error) {
	if _, err := ParseNet(text, lim); err != nil {
		return "", err
	}
	r := layoutReader{lexemes: lexemes(text)}
	net := r.member("")
	net.beside = append(net.beside, r.takeBeside()...)
	var w layoutWriter
	w.member(&net, 0, "")
	w.comments(r.take(), 0)
	return strings.TrimLeft(w.String(), "\n") + "\n", nil
}

// lexeme is a token as written, with the comments before it.
type lexeme struct {
	text     string
	comments []layoutComment
	blank    bool // the line before it is empty
}

// layoutComment is a comment in front of a token. It may begin in the line in which the token or comment before it ended.
type layoutComment struct {
	text          string
	beside, blank bool
}

// lexemes cuts a net that has been parsed into its tokens. Comments before a comma go behind it.
func lexemes(text string) (list []lexeme) {
	s := scanner{lang: netLanguage, src: text, line: 1, ascii: isASCII(text), keep: true}
	var held []layoutComment
	for end := 0; ; {
		s.comments = s.comments[:0]
		s.next()
		for _, c := range s.comments {
			held = append(held, layoutComment{text: c.text, beside: c.pos.Line == end, blank: c.pos.Line > end+1})
			end = c.pos.Line + strings.Count(c.text, "\n")
		}
		l := lexeme{text: text[s.from:s.off], blank: s.pos.Line > end+1}
		if s.kind != ',' {
			l.comments, held = held, nil
		}
		list = append(list, l)
		if s.kind == kindEnd {
			return list
		}
		end = s.line
	}
}

// layout is a member of a list, or the net itself.
type layout struct {
	above  []layoutComment
	blank  bool // the line between it and what is above is empty
	parts  []layoutPart
	beside []layoutComment // behind it
}

// layoutPart is a token, or a list in brackets.
type layoutPart struct {
	text    string
	closing string // of a list, else empty
	members []layout
	below   []layoutComment // the last member
	flat    int             // characters on one line, or tooLong
}

// tooLong is the length of what takes several lines: nodes of a fragment, and what has comments.
const tooLong = 1 << 20

// layoutReader makes lists of tokens.
type layoutReader struct {
	lexemes []lexeme
}

func (r *layoutReader) at(text string) bool { return r.lexemes[0].text == text }

// take takes the comments before the next token.
func (r *layoutReader) take() (all []layoutComment) {
	all, r.lexemes[0].comments = r.lexemes[0].comments, nil
	return all
}

// takeBeside takes those of them that stand beside the token before.
func (r *layoutReader) takeBeside() []layoutComment {
	all := r.lexemes[0].comments
	n := 0
	for n < len(all) && all[n].beside {
		n++
	}
	r.lexemes[0].comments = all[n:]
	return all[:n:n]
}

// part reads a token or a list.
func (r *layoutReader) part() layoutPart {
	p := layoutPart{text: r.lexemes[0].text}
	p.flat = utf8.RuneCountInString(p.text)
	r.lexemes = r.lexemes[1:]
	switch p.text {
	case "{":
		p.closing = "}"
	case "(":
		p.closing = ")"
	default:
		return p
	}
	for more := !r.at(p.closing); more; {
		m := r.member(p.closing)
		if more = r.at(","); more {
			m.parts = append(m.parts, layoutPart{text: ",", flat: 1})
			r.lexemes = r.lexemes[1:]
		}
		m.beside = append(m.beside, r.takeBeside()...)
		p.members = append(p.members, m)
		p.flat = min(p.flat+m.flat()+1, tooLong)
	}
	p.below = r.take()
	p.flat++
	if len(p.below) > 0 || p.text == "{" && len(p.members) > 0 {
		p.flat = tooLong
	}
	r.lexemes = r.lexemes[1:]
	return p
}

// member reads up to a comma or the end of the list. Comments within a member go above it, or beside it when they stand
// behind its lists; those between the lists of a fragment go into the first one.
func (r *layoutReader) member(closing string) layout {
	m := layout{blank: r.lexemes[0].blank, above: r.take()}
	var list *layoutPart // the last one
	for !r.at(",") && !r.at(closing) {
		switch stray := r.take(); {
		case len(stray) == 0:
		case list == nil:
			m.above = append(m.above, stray...)
		case r.at("("):
			list.below, list.flat = append(list.below, stray...), tooLong
		default:
			m.beside = append(m.beside, stray...)
		}
		m.parts = append(m.parts, r.part())
		if last := &m.parts[len(m.parts)-1]; last.closing != "" {
			list = last
		}
	}
	return m
}

func (m *layout) flat() (n int) {
	if len(m.above) > 0 || len(m.beside) > 0 {
		return tooLong
	}
	for i := range m.parts {
		n += m.parts[i].flat
	}
	return n
}

// layoutWidth is how long a line may get before arguments have lines of their own, layoutDepth how far lines are indented.
const (
	layoutWidth = 100
	layoutDepth = 40
)

type layoutWriter struct {
	strings.Builder
	line int // where the current line begins
}

func (w *layoutWriter) newline(depth int) {
	w.WriteByte('\n')
	w.line = w.Len()
	w.WriteString(strings.Repeat("  ", min(depth, layoutDepth)))
}

// begin begins a line, behind an empty one if blank.
func (w *layoutWriter) begin(depth int, blank bool) {
	if blank {
		w.WriteByte('\n')
	}
	w.newline(depth)
}

// comments writes comments on lines of their own.
func (w *layoutWriter) comments(list []layoutComment, depth int) {
	for _, c := range list {
		w.begin(depth, c.blank)
		w.WriteString(c.text)
	}
}

// beside writes comments behind what has been written, up to one that ends the line. The others get lines of their own.
func (w *layoutWriter) beside(list []layoutComment, depth int) {
	for i, c := range list {
		w.WriteByte(' ')
		w.WriteString(c.text)
		if strings.HasPrefix(c.text, "//") {
			w.comments(list[i+1:], depth)
			return
		}
	}
}

// member writes a member with its comments, on lines of its own.
func (w *layoutWriter) member(m *layout, depth int, equals string) {
	w.comments(m.above, depth)
	w.begin(depth, m.blank)
	w.parts(m.parts, depth, equals)
	w.beside(m.beside, depth)
}

func (w *layoutWriter) parts(parts []layoutPart, depth int, equals string) {
	for i := range parts {
		p := &parts[i]
		column := utf8.RuneCountInString(w.String()[w.line:])
		switch {
		case p.text == "=":
			w.WriteString(equals)
		case p.closing == "":
			w.WriteString(p.text)
		case column+p.flat <= layoutWidth || len(p.members)+len(p.below) == 0:
			w.flat(p)
		default:
			w.list(p, depth)
		}
	}
}

// flat writes a list on one line.
func (w *layoutWriter) flat(p *layoutPart) {
	w.WriteString(p.text)
	for i := range p.members {
		if i > 0 {
			w.WriteByte(' ')
		}
		for j := range p.members[i].parts {
			w.flat(&p.members[i].parts[j])
		}
	}
	w.WriteString(p.closing)
}

// list writes a list with a line for each of its members.
func (w *layoutWriter) list(p *layoutPart, depth int) {
	equals := "="
	if p.text == "{" {
		equals = " = "
	}
	w.WriteString(p.text)
	for i := range p.members {
		m := &p.members[i]
		if i == 0 {
			m.tighten()
		}
		w.member(m, depth+1, equals)
	}
	w.comments(p.below, depth+1)
	w.newline(depth)
	w.WriteString(p.closing)
}

// tighten drops the empty line before the first member of a list.
func (m *layout) tighten() {
	if len(m.above) > 0 {
		m.above[0].blank = false
	} else {
		m.blank = false
	}
}
