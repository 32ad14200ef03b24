package xmlread

import (
	"fmt"
	"io"
	"strings"
)

// Kind is what a piece of a document is.
type Kind uint8

// The kinds of pieces. An element without content, <a/>, is a Start and an End.
const (
	Start Kind = iota + 1
	End
	Text
)

// Name is the name of an element or attribute.
type Name struct {
	Space  string // its namespace, or the prefix itself if Unbound; empty for none
	Local  string
	Prefix string

	Unbound bool // the prefix is declared nowhere around it
}

// Attr is an attribute. Declarations of namespaces are none.
type Attr struct {
	Name
	Value  string
	Offset int // where it begins
}

// MostAttributes bounds those of an element, declarations of namespaces included.
const MostAttributes = 1000

// Reader reads one document. Offsets are those of Source. It is for one goroutine.
type Reader struct {
	// Of the piece that Next has read.
	Offset int
	Name   Name   // of an element
	Attrs  []Attr // of a Start, until the next one
	Data   string // of a Text, with references replaced and line breaks as \n

	source string
	off    int // behind the piece
	depth  int
	closes bool // the piece is <a/>, whose end comes next
	open   []element
	spaces namespaces
	place  place
}

// element is one whose end has not been read.
type element struct {
	name  string // as it is written
	undo  int    // declarations of namespaces before it
	ended Name
}

// New begins to read a document in which elements are nested at most depth deep. Errors are of type *Error, here and later.
func New(text string, depth int) (*Reader, error) {
	r := &Reader{source: strings.TrimPrefix(text, byteOrderMark), depth: depth, place: beginning}
	return r, r.readable()
}

// Source is the document without a byte order mark.
func (r *Reader) Source() string { return r.source }

// Behind is where the piece ends that has been read, or, after an error, how far Next got.
func (r *Reader) Behind() int { return r.off }

// Next reads the next piece. After the last one the error is io.EOF.
func (r *Reader) Next() (Kind, error) {
	if r.closes {
		r.closes, r.Offset = false, r.off
		return r.end(r.open[len(r.open)-1].name)
	}
	for {
		r.Offset = r.off
		switch {
		case r.off == len(r.source) && len(r.open) > 0:
			return 0, r.cutOff()
		case r.off == len(r.source):
			return 0, io.EOF
		case r.source[r.off] != '<':
			return r.text()
		case r.off+1 == len(r.source):
			r.off++
			return 0, r.cutOff()
		}
		r.off += 2
		switch r.source[r.off-1] {
		case '/':
			return r.endTag()
		case '?':
			if err := r.instruction(); err != nil {
				return 0, err
			}
		case '!':
			if r.follows("[CDATA[") {
				return r.cdata()
			}
			if err := r.comment(); err != nil {
				return 0, err
			}
		default:
			r.off--
			return r.startTag()
		}
	}
}

func (r *Reader) startTag() (Kind, error) {
	name, full, err := r.name("element name after <")
	if err != nil {
		return 0, err
	}
	r.Attrs = r.Attrs[:0]
	undo := len(r.spaces.list)
	for count := 0; ; count++ {
		more, err := r.moreAttributes()
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		if count == MostAttributes {
			return 0, r.refuse(r.Offset, "more than %d attributes", MostAttributes)
		}
		if err := r.attribute(); err != nil {
			return 0, err
		}
	}
	r.Name = r.spaces.resolve(name, true)
	for i := range r.Attrs {
		if a := &r.Attrs[i]; a.Prefix != "" {
			a.Name = r.spaces.resolve(a.Name, false)
		}
	}
	if len(r.open) == r.depth {
		return 0, r.refuse(r.Offset, "nested more than %d deep", r.depth)
	}
	r.open = append(r.open, element{name: full, undo: undo, ended: r.Name})
	return Start, nil
}

// moreAttributes goes to the next attribute, or past the end of the tag.
func (r *Reader) moreAttributes() (bool, error) {
	r.blanks()
	switch {
	case r.off == len(r.source):
		return false, r.cutOff()
	case r.source[r.off] == '>':
		r.off++
		return false, nil
	case r.source[r.off] != '/':
		return true, nil
	case r.off+1 == len(r.source):
		r.off++
		return false, r.cutOff()
	}
	r.off += 2
	if r.source[r.off-1] != '>' {
		return false, r.malformed("expected /> in element")
	}
	r.closes = true
	return false, nil
}

func (r *Reader) attribute() error {
	at := r.off
	name, _, err := r.name("attribute name in element")
	if err != nil {
		return err
	}
	r.blanks()
	if r.off == len(r.source) {
		return r.cutOff()
	}
	if r.off++; r.source[r.off-1] != '=' {
		return r.malformed("attribute name without = in element")
	}
	r.blanks()
	if r.off == len(r.source) {
		return r.cutOff()
	}
	quote := r.source[r.off]
	if r.off++; quote != '"' && quote != '\'' {
		return r.malformed("unquoted or missing attribute value in element")
	}
	value, err := r.value(quote, at, name.Local)
	switch {
	case err != nil:
		return err
	case name.Prefix == xmlns:
		r.spaces.declare(name.Local, value)
	case name.Prefix == "" && name.Local == xmlns:
		r.spaces.declare("", value)
	default:
		r.Attrs = append(r.Attrs, Attr{Name: name, Value: value, Offset: at})
	}
	return nil
}

func (r *Reader) endTag() (Kind, error) {
	name, full, err := r.name("element name after </")
	if err != nil {
		return 0, err
	}
	r.blanks()
	if r.off == len(r.source) {
		return 0, r.cutOff()
	}
	if r.off++; r.source[r.off-1] != '>' {
		return 0, r.malformed("invalid characters between </%s and >", name.Local)
	}
	return r.end(full)
}

func (r *Reader) end(name string) (Kind, error) {
	last := len(r.open) - 1
	switch {
	case last < 0:
		return 0, r.malformed("unexpected end element </%s>", name)
	case r.open[last].name != name:
		return 0, r.malformed("element <%s> closed by </%s>", r.open[last].name, name)
	}
	r.Name = r.open[last].ended
	r.spaces.undo(r.open[last].undo)
	r.open = r.open[:last]
	return End, nil
}

// instruction passes over a processing instruction, and reads what is asked about the document by an XML declaration.
func (r *Reader) instruction() error {
	target, err := r.fullName("target name after <?")
	if err != nil {
		return err
	}
	r.blanks()
	n := strings.Index(r.source[r.off:], "?>")
	if n < 0 {
		r.off = len(r.source)
		return r.cutOff()
	}
	content := r.source[r.off : r.off+n]
	r.off += n + len("?>")
	switch {
	case !strings.EqualFold(target, "xml"):
		return nil
	case r.Offset != 0:
		return r.refuse(r.Offset, "found an XML declaration, expected it at the beginning only")
	case target != "xml":
		return nil
	}
	return r.declaration(content)
}

// comment passes over a comment.
func (r *Reader) comment() error {
	if !r.follows("--") {
		return r.notComment()
	}
	n := strings.Index(r.source[r.off:], "--")
	if n < 0 || r.off+n+2 == len(r.source) {
		r.off = len(r.source)
		return r.cutOff()
	}
	r.off += n + len("-->")
	if r.source[r.off-1] != '>' {
		return r.malformed(`invalid sequence "--" not allowed in comments`)
	}
	return nil
}

// notComment refuses what looks like a comment or character data at first, and declarations of document types.
func (r *Reader) notComment() error {
	rest := r.source[r.off:]
	switch {
	case rest == "", strings.HasPrefix("--", rest), strings.HasPrefix("[CDATA[", rest):
		r.off = len(r.source)
		return r.cutOff()
	case rest[0] == '-':
		r.off += len("--")
		return r.malformed("invalid sequence <!- not part of <!--")
	case rest[0] == '[':
		for i := 0; rest[i] == "[CDATA["[i]; i++ {
			r.off++
		}
		r.off++
		return r.malformed("invalid <![ sequence")
	}
	return r.refuse(r.Offset, "found a document type declaration, expected none")
}

// follows goes past a text that stands here.
func (r *Reader) follows(text string) bool {
	if !strings.HasPrefix(r.source[r.off:], text) {
		return false
	}
	r.off += len(text)
	return true
}

func (r *Reader) blanks() {
	for r.off < len(r.source) && classes[r.source[r.off]]&blank != 0 {
		r.off++
	}
}

// Error is why a document was refused, in one line without the place.
type Error struct {
	Line, Column int // from 1; a column is one character
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

func (r *Reader) refuse(at int, format string, args ...any) *Error {
	p := beginning
	p.move(r.source, at)
	return &Error{Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

// malformed refuses what is not XML, where reading has got to.
func (r *Reader) malformed(format string, args ...any) *Error {
	return r.refuse(r.off, "not well-formed: %s", short(fmt.Sprintf(format, args...)))
}

func (r *Reader) cutOff() *Error {
	return r.refuse(r.off, "found end of text, expected the ends of all elements")
}

const mostRepeated = 100

// short bounds what is repeated of a document.
func short(text string) string { return cut(text, mostRepeated) }

func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i] + "…"
		}
		characters--
	}
	return text
}
