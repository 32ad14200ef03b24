package xmlnet

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// reader gives the elements of a document one by one and refuses what has no place there. Offsets are those of text.
type reader struct {
	*xml.Decoder
	text  string
	start int // of the token
	here  place
	lim   grammar.Limits

	depth, nodes, ports int
	declared            map[string]bool // namespaces, anywhere in the document
}

const (
	byteOrderMark = "\uFEFF"
	xmlNamespace  = "http://www.w3.org/XML/1998/namespace" // of the prefix xml, which needs no declaration
	xmlns         = "xmlns"
)

func newReader(text string, lim grammar.Limits) (*reader, error) {
	most := cmp.Or(lim.Bytes, grammar.DefaultLimits.Bytes)
	if len(text) > most {
		return nil, &grammar.Error{Message: fmt.Sprintf("%d bytes, limit %d", len(text), most)}
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	r := &reader{
		Decoder: xml.NewDecoder(strings.NewReader(text)), text: text, here: beginning,
		lim: grammar.Limits{
			Depth:      cmp.Or(lim.Depth, grammar.DefaultLimits.Depth),
			Primitives: cmp.Or(lim.Primitives, grammar.DefaultLimits.Primitives),
			Ports:      cmp.Or(lim.Ports, grammar.DefaultLimits.Ports),
		},
		declared: map[string]bool{xmlNamespace: true},
	}
	r.CharsetReader = r.charset
	for _, sign := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00", "\x00\x00"} {
		if strings.HasPrefix(text, sign) {
			return nil, r.refuse(0, "found UTF-16 or UTF-32, expected UTF-8")
		}
	}
	if !utf8.ValidString(text) {
		return nil, r.refuse(firstInvalid(text), "not UTF-8")
	}
	if at := crowded(text); at >= 0 {
		return nil, r.refuse(at, "more than %d attributes", mostAttributes)
	}
	return r, nil
}

// mostAttributes bounds those of an element, of which the decoder makes a list before it shows them. Nets have five.
const mostAttributes = 1000

// crowded finds an element with too many attributes, or something that is refused anyway; without any it is -1.
func crowded(text string) int {
	start, count, quote, inTag := 0, 0, byte(0), false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<':
			start, count, quote, inTag = i, 0, 0, true
		case !inTag:
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '>', c == '!', c == '?': // the end, or a comment or instruction
			inTag = false
		case c == '=':
			if count++; count > mostAttributes {
				return start
			}
		}
	}
	return -1
}

// charset is asked about encodings that a document declares, other than UTF-8. Those that begin with ASCII make no
// difference as long as the text has nothing else; libraries declare them without being told.
func (r *reader) charset(label string, rest io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252":
	default:
		return nil, r.refuse(0, "found encoding %s, expected UTF-8", quote(label))
	}
	if i := strings.IndexFunc(r.text, func(c rune) bool { return c >= utf8.RuneSelf }); i >= 0 {
		return nil, r.refuse(i, "declared to be %s and not ASCII, expected UTF-8", label)
	}
	return rest, nil
}

func firstInvalid(text string) int {
	for i, c := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && size == 1 {
			return i
		}
	}
	return len(text)
}

// next is the next start or end of an element, or io.EOF.
func (r *reader) next() (xml.Token, error) {
	for {
		r.start = int(r.InputOffset())
		tok, err := r.Token()
		if err != nil {
			return nil, err
		}
		switch tok := tok.(type) {
		case xml.StartElement, xml.EndElement:
			return tok, nil
		case xml.Directive:
			return nil, r.refuse(r.start, "found a document type declaration, expected none")
		case xml.ProcInst:
			if strings.EqualFold(tok.Target, "xml") && r.start != 0 {
				return nil, r.refuse(r.start, "found an XML declaration, expected it at the beginning only")
			}
		case xml.CharData:
			if text := bytes.Trim(tok, blanks); len(text) > 0 {
				return nil, r.refuse(r.start+blanksOf(r.text[r.start:]), "found text %s, expected elements only", quote(string(text)))
			}
		}
	}
}

const blanks = " \t\r\n"

// blanksOf counts the blanks at the beginning.
func blanksOf(text string) int { return len(text) - len(strings.TrimLeft(text, blanks)) }

// child is the next element inside of another one; there are no more at the end of that.
func (r *reader) child(within element) (start xml.StartElement, more bool, err error) {
	for {
		tok, err := r.next()
		if err != nil {
			return start, false, err
		}
		start, more = tok.(xml.StartElement)
		if !more {
			return start, false, nil
		}
		ours, err := r.ours(start)
		if err == nil && ours {
			return start, true, r.knows(start.Name.Local, within)
		}
		if err == nil {
			err = r.pass()
		}
		if err != nil {
			return start, false, err
		}
	}
}

// ours tells elements of nets from those of others.
func (r *reader) ours(start xml.StartElement) (bool, error) {
	r.declare(start)
	switch space := start.Name.Space; {
	case space == "" || space == Namespace:
		return true, nil
	case !r.declared[space]:
		return false, r.refuse(r.start, "element %s has a prefix without a namespace", quote(start.Name.Local))
	}
	return false, nil
}

// declare keeps the namespaces that an element declares: the decoder puts prefixes that have none in their place.
func (r *reader) declare(start xml.StartElement) {
	for _, a := range start.Attr {
		if a.Name.Space == xmlns || a.Name.Space == "" && a.Name.Local == xmlns {
			r.declared[a.Value] = true
		}
	}
}

// pass reads to the end of an element of others.
func (r *reader) pass() error {
	outside := r.depth
	err := r.enter()
	for err == nil && r.depth > outside {
		var tok xml.Token
		r.start = int(r.InputOffset())
		tok, err = r.Token()
		switch tok := tok.(type) {
		case xml.StartElement:
			r.declare(tok)
			err = r.enter()
		case xml.EndElement:
			r.depth--
		}
	}
	return err
}

// knows refuses an element that has no place within another one.
func (r *reader) knows(name string, within element) error {
	is := elementOf(name)
	if slices.Contains(inside[within], is) {
		return nil
	}
	names := spellings(within)
	text := "found element " + quote(name)
	if within != document {
		text += " in " + within.String()
	}
	text += ", expected " + either(names)
	if is == unknown {
		text += suggest.DidYouMean(name, slices.Values(names))
	}
	return r.refuse(r.start, "%s", text)
}

// attributes reads those of an element; what others have added to it is passed over.
func (r *reader) attributes(start xml.StartElement, is element) (values [places]string, err error) {
	var given [places]bool
	known := attributes[is]
	for i, a := range start.Attr {
		if a.Name.Space == xmlns || a.Name.Local == xmlns || a.Name.Space != Namespace && r.declared[a.Name.Space] {
			continue
		}
		k := slices.IndexFunc(known, func(k attribute) bool { return k.name == a.Name.Local && a.Name.Space == "" })
		switch {
		case a.Name.Space != "":
			err = r.refuse(r.attribute(i), "attribute %s has a prefix, expected none", quote(a.Name.Local))
		case k < 0:
			names := namesOf(known)
			err = r.refuse(r.attribute(i), "found attribute %s of %s, expected %s%s", quote(a.Name.Local), is, either(names),
				suggest.DidYouMean(a.Name.Local, slices.Values(names)))
		case given[known[k].place]:
			err = r.refuse(r.attribute(i), "attribute %s gives again what is given before", a.Name.Local)
		case strings.ContainsRune(a.Value, utf8.RuneError) && hasSurrogate(r.text[r.attribute(i):r.InputOffset()]):
			err = r.refuse(r.attribute(i), "attribute %s has the number of half a character", a.Name.Local)
		case !known[k].form.fits(a.Value):
			err = r.refuse(r.attribute(i), "attribute %s is %s, expected %s", a.Name.Local, quote(a.Value), known[k].form)
		default:
			given[known[k].place], values[known[k].place] = true, a.Value
		}
		if err != nil {
			return values, err
		}
	}
	for _, a := range known {
		if !a.optional && !given[a.place] {
			return values, r.refuse(r.start, "%s without attribute %s", is, either(namesOf(sameAs(a, known))))
		}
	}
	return values, nil
}

// attribute is the offset of an attribute of the element that has been read last. The decoder does not tell it.
func (r *reader) attribute(index int) int {
	tag := r.text[r.start:r.InputOffset()]
	i := strings.IndexAny(tag, blanks)
	for ; ; index-- {
		i += blanksOf(tag[i:])
		if index == 0 {
			return r.start + i
		}
		i += strings.IndexAny(tag[i:], `"'`)
		i += 2 + strings.IndexByte(tag[i+1:], tag[i])
	}
}

// surrogate is the number of half a character, as UTF-16 has it: the decoder makes a replacement character of it.
var surrogate = regexp.MustCompile(`&#(x0*[dD][89a-fA-F][0-9a-fA-F]{2}|0*5[5-7][0-9]{3});`)

// hasSurrogate looks for numbers from D800 to DFFF.
func hasSurrogate(raw string) bool {
	for _, found := range surrogate.FindAllStringSubmatch(raw, -1) {
		number, err := strconv.ParseUint("0"+found[1], 0, 32)
		if err == nil && utf16.IsSurrogate(rune(number)) {
			return true
		}
	}
	return false
}

func (r *reader) enter() error { return r.count(&r.depth, r.lim.Depth, "") }

// count counts something that has a limit.
func (r *reader) count(n *int, limit int, what string) error {
	*n++
	switch {
	case *n <= limit:
		return nil
	case n == &r.depth:
		return r.refuse(r.start, "nested more than %d deep", limit)
	}
	return r.refuse(r.start, "more than %d %s", limit, what)
}

// refusal says any error in the words of package grammar.
func (r *reader) refusal(err error) *grammar.Error {
	var refused *grammar.Error
	if errors.As(err, &refused) {
		return refused
	}
	at := min(int(r.InputOffset()), len(r.text))
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "unexpected EOF"):
		return r.refuse(at, "found end of text, expected the ends of all elements")
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "invalid character entity"):
		return r.refuse(at, "%s, expected &lt; &gt; &amp; &quot; &apos; or the number of a character", short(syntax.Msg))
	case errors.As(err, &syntax):
		return r.refuse(at, "not well-formed: %s", short(syntax.Msg))
	}
	return r.refuse(at, "%s", short(strings.TrimPrefix(err.Error(), "xml: ")))
}

func (r *reader) refuse(at int, format string, args ...any) *grammar.Error {
	p := beginning
	p.move(r.text, at)
	return &grammar.Error{Pos: p.Pos, Message: fmt.Sprintf(format, args...)}
}

// pos is where the token begins.
func (r *reader) pos() grammar.Pos {
	r.here.move(r.text, r.start)
	return r.here.Pos
}

// place is an offset that knows its line and column.
type place struct {
	grammar.Pos
	offset int
}

var beginning = place{Pos: grammar.Pos{Line: 1, Column: 1}}

// move goes on to an offset.
func (p *place) move(text string, to int) {
	for ; p.offset < to; p.offset++ {
		switch c := text[p.offset]; {
		case c == '\n':
			p.Line, p.Column = p.Line+1, 1
		case utf8.RuneStart(c):
			p.Column++
		}
	}
}

// quote repeats what was found; an error must not be as long as a hostile text.
func quote(text string) string { return strconv.Quote(cut(text, 30)) }

func short(text string) string { return cut(text, 100) }

func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i] + "…"
		}
		characters--
	}
	return text
}
