package urdf

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of what is read, far above what robots need.
const (
	mostBytes      = 4 << 20
	mostElements   = 50_000
	mostDepth      = 100
	mostAttributes = 1000
)

// element is an element of XML with where it stands. Names of other namespaces keep their prefix.
type element struct {
	name   string
	at     int // offset in the text
	attrs  []attribute
	inside []*element
	text   int // offset of text directly inside, 0 if there is none but blanks
}

type attribute struct {
	name, value string
	at          int
}

// reader makes a tree of elements of a text.
type reader struct {
	*xml.Decoder
	text  string
	root  *element
	open  []*element
	count int
	found findings
}

// read gives nothing if the text is not well-formed or too large; then the reader has found why.
func (r *reader) read() *element {
	if len(r.text) > mostBytes {
		r.found.add(0, "%d bytes, limit %d", len(r.text), mostBytes)
		return nil
	}
	if at := crowded(r.text); at >= 0 {
		r.found.add(at, "more than %d attributes", mostAttributes)
		return nil
	}
	r.Decoder = xml.NewDecoder(strings.NewReader(r.text))
	r.CharsetReader = r.charset
	for len(r.found.list) == 0 {
		at := int(r.InputOffset())
		tok, err := r.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.broken(err)
			break
		}
		r.take(at, tok)
	}
	if len(r.found.list) > 0 {
		return nil
	}
	if r.root == nil {
		r.found.add(len(r.text), "found end of text, expected element robot")
	}
	return r.root
}

// take takes a token up that begins at an offset.
func (r *reader) take(at int, tok xml.Token) {
	switch tok := tok.(type) {
	case xml.StartElement:
		r.enter(r.element(at, tok))
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		blank := len(tok) - len(strings.TrimLeft(string(tok), blanks))
		switch {
		case blank == len(tok):
		case r.root == nil:
			r.found.add(at+blank, "found text %s, expected element robot", quote(string(tok[blank:])))
		case len(r.open) == 0:
			r.found.add(at+blank, "found text %s, expected end of text", quote(string(tok[blank:])))
		case r.inside().text == 0:
			r.inside().text = at + blank
		}
	case xml.Directive:
		r.found.add(at, "found a document type declaration, expected none")
	}
}

const blanks = " \t\r\n"

// inside returns the element that is open.
func (r *reader) inside() *element { return r.open[len(r.open)-1] }

func (r *reader) enter(e *element) {
	r.count++
	switch {
	case r.count > mostElements:
		r.found.add(e.at, "more than %d elements", mostElements)
	case len(r.open) >= mostDepth:
		r.found.add(e.at, "nested more than %d deep", mostDepth)
	case len(r.open) > 0:
		r.inside().inside = append(r.inside().inside, e)
	case r.root == nil:
		r.root = e
	default:
		r.found.add(e.at, "found element %s, expected end of text", quote(e.name))
	}
	r.open = append(r.open, e)
}

func (r *reader) element(at int, start xml.StartElement) *element {
	tag := r.text[at:r.InputOffset()]
	e := &element{name: start.Name.Local, at: at}
	if i := strings.IndexAny(tag, blanks+"/>"); i > 0 && strings.Contains(tag[:i], ":") {
		e.name = tag[1:i]
	}
	places := places(tag, len(start.Attr))
	e.attrs = make([]attribute, 0, len(start.Attr))
	for i, a := range start.Attr {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			e.attrs = append(e.attrs, attribute{a.Name.Local, a.Value, at + places[i]})
		}
	}
	return e
}

// places finds where the attributes of a tag begin, which the decoder does not report.
func places(tag string, n int) []int {
	found := make([]int, n)
	i := max(strings.IndexAny(tag, blanks), 0)
	for k := range found {
		i += len(tag[i:]) - len(strings.TrimLeft(tag[i:], blanks))
		found[k] = i
		quote := strings.IndexAny(tag[i:], `"'`)
		if quote < 0 {
			break
		}
		i += quote
		i += 2 + strings.IndexByte(tag[i+1:], tag[i])
	}
	return found
}

// broken says what the decoder does not like.
func (r *reader) broken(err error) {
	at := int(r.InputOffset())
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "unexpected EOF"):
		message := "found end of text, expected the ends of all elements"
		if len(r.open) > 0 {
			message = "found end of text, expected the end of element " + quote(r.inside().name)
		}
		r.found.add(len(r.text), "%s", message)
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "invalid character entity"):
		r.found.add(at, "%s, expected &lt; &gt; &amp; &quot; &apos; or the number of a character", cut(syntax.Msg, 80))
	case errors.As(err, &syntax):
		r.found.add(at, "not well-formed: %s", cut(syntax.Msg, 80))
	case errors.Unwrap(err) != nil: // from charset
		r.found.add(at, "%v", errors.Unwrap(err))
	default:
		r.found.add(at, "%s", cut(strings.TrimPrefix(err.Error(), "xml: "), 80))
	}
}

// charset is asked about encodings that a text declares, other than UTF-8. Those that begin with ASCII make no
// difference as long as the text has nothing else.
func (r *reader) charset(label string, rest io.Reader) (io.Reader, error) {
	known := []string{"us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252"}
	if !slices.Contains(known, strings.ToLower(label)) {
		return nil, errors.New("found encoding " + quote(label) + ", expected UTF-8")
	}
	if strings.IndexFunc(r.text, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
		return nil, errors.New("found encoding " + label + " and a text that is not ASCII, expected UTF-8")
	}
	return rest, nil
}

// crowded finds a tag with too many attributes, or -1. It is asked first, because the decoder makes a list of all
// attributes before it shows any.
func crowded(text string) int {
	start, count, quote := -1, 0, byte(0) // start of the tag that is open
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '<':
			start, count = i, 0
		case start < 0:
		case c == '"', c == '\'':
			quote = c
		case c == '>', c == '!', c == '?': // the end, or a comment or instruction
			start = -1
		case c == '=':
			if count++; count > mostAttributes {
				return start
			}
		}
	}
	return -1
}
