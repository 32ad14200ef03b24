package xmlnet

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	return r, r.readable()
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
	switch {
	case start.Name.Space == "" || start.Name.Space == Namespace:
		return true, nil
	case r.ofOthers(start.Name):
		return false, nil
	}
	return false, r.refuse(r.start, "element %s has a prefix without a namespace", quote(start.Name.Local))
}

// ofOthers tells names of other namespaces. The decoder puts a prefix that is not declared in the place of one.
func (r *reader) ofOthers(name xml.Name) bool {
	return name.Space != "" && name.Space != Namespace && r.declared[name.Space]
}

// declare keeps the namespaces that an element declares.
func (r *reader) declare(start xml.StartElement) {
	for _, a := range start.Attr {
		if isDeclaration(a) {
			r.declared[a.Value] = true
		}
	}
}

// isDeclaration tells the attributes that declare namespaces.
func isDeclaration(a xml.Attr) bool {
	return a.Name.Space == xmlns || a.Name.Space == "" && a.Name.Local == xmlns
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
		if isDeclaration(a) || r.ofOthers(a.Name) {
			continue
		}
		k := slices.IndexFunc(known, func(k attribute) bool { return k.name == a.Name.Local && a.Name.Space == "" })
		switch {
		case a.Name.Space != "":
			err = r.refuse(r.attribute(i), "attribute %s has a prefix, expected none", quote(a.Name.Local))
		case k < 0:
			names := namesOf(known)
			err = r.refuse(r.attribute(i), "found attribute %s of %s, expected %s%s", quote(a.Name.Local), start.Name.Local, either(names),
				suggest.DidYouMean(a.Name.Local, slices.Values(names)))
		case given[known[k].place]:
			err = r.refuse(r.attribute(i), "attribute %s gives again what is given before", a.Name.Local)
		case strings.ContainsRune(a.Value, utf8.RuneError) && hasSurrogate(r.text[r.attribute(i):r.attribute(i+1)]):
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
			return values, r.refuse(r.start, "%s without attribute %s", start.Name.Local, either(namesOf(sameAs(a, known))))
		}
	}
	return values, nil
}

// attribute is the offset of an attribute of the element that has been read last, or of what follows them. The decoder
// does not tell it.
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

// enter goes into an element.
func (r *reader) enter() error {
	if r.depth++; r.depth > r.lim.Depth {
		return r.refuse(r.start, "nested more than %d deep", r.lim.Depth)
	}
	return nil
}

// count counts something that has a limit.
func (r *reader) count(n *int, limit int, what string) error {
	if *n++; *n > limit {
		return r.refuse(r.start, "more than %d %s", limit, what)
	}
	return nil
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
