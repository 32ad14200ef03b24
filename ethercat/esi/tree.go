package esi

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Error is a mistake in a file.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Bounds of what is read. Files of makers with hundreds of devices have some 20 MB; nothing in them is deep.
const (
	mostBytes = 64 << 20
	mostDepth = 64
	mostNodes = 2_000_000 // of one device
)

var (
	errLong = fmt.Errorf("the file is longer than %d bytes", mostBytes)
	errDeep = fmt.Errorf("elements are nested more than %d deep", mostDepth)
	errMany = fmt.Errorf("an element has more than %d others", mostNodes)
)

// node is an element with all that is in it.
type node struct {
	name  string
	line  int
	attrs []xml.Attr
	text  string
	nodes []*node
}

// reader walks through a file.
type reader struct {
	file  string
	bytes *io.LimitedReader
	*xml.Decoder
	nodes int
	found *Dictionary // in the newest tree
}

func newReader(r io.Reader, file string) *reader {
	limited := &io.LimitedReader{R: r, N: mostBytes}
	d := xml.NewDecoder(limited)
	d.CharsetReader = charset
	return &reader{file: file, bytes: limited, Decoder: d}
}

// charset reads the encodings that occur: makers write ISO-8859-1 more often than UTF-8.
func charset(name string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "us-ascii":
		return &latin{in: in}, nil
	}
	return nil, fmt.Errorf("unknown encoding %q; save the file as UTF-8", name)
}

// latin makes UTF-8 of ISO 8859-1.
type latin struct {
	in   io.Reader
	raw  [2048]byte
	left []byte
	made [4096]byte
}

func (l *latin) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		n, err := l.in.Read(l.raw[:])
		if n == 0 {
			return 0, err
		}
		l.left = l.made[:0]
		for _, b := range l.raw[:n] {
			l.left = append(l.left, string(rune(b))...)
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// fail returns an error at the place where the reader is.
func (r *reader) fail(err error) error {
	line, _ := r.InputPos()
	var syntax *xml.SyntaxError
	switch {
	case r.bytes.N <= 0:
		err = errLong
	case errors.As(err, &syntax):
		line, err = syntax.Line, errors.New(syntax.Msg)
	case errors.Is(err, io.EOF):
		err = errors.New("unexpected end of the file")
	}
	return &Error{r.file, line, err}
}

// wrong returns an error at an element.
func (r *reader) wrong(n *node, format string, args ...any) error {
	return &Error{r.file, n.line, fmt.Errorf("%s: %w", n.name, fmt.Errorf(format, args...))}
}

// skipped are elements that are not needed and may be long.
var skipped = map[string]bool{
	"Image16x14": true, "ImageFile16x14": true, "ImageData16x14": true, "Eeprom": true, "DiagMessages": true, "Image": true,
}

// tree reads an element that has begun.
func (r *reader) tree(start xml.StartElement) (*node, error) {
	r.nodes, r.found = 0, nil
	return r.element(start, 0)
}

func (r *reader) element(start xml.StartElement, depth int) (*node, error) {
	line, _ := r.InputPos()
	n := &node{name: start.Name.Local, line: line, attrs: start.Copy().Attr}
	if r.nodes++; r.nodes > mostNodes {
		return nil, r.fail(errMany)
	}
	if depth > mostDepth {
		return nil, r.fail(errDeep)
	}
	var text strings.Builder
	for {
		t, err := r.Token()
		if err != nil {
			return nil, r.fail(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "Dictionary" {
				if err := r.dictionary(); err != nil {
					return nil, err
				}
				continue
			}
			if skipped[t.Name.Local] {
				if err := r.skip(); err != nil {
					return nil, err
				}
				continue
			}
			inner, err := r.element(t, depth+1)
			if err != nil {
				return nil, err
			}
			n.nodes = append(n.nodes, inner)
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			n.text = strings.TrimSpace(text.String())
			return n, nil
		}
	}
}

// skip leaves out the element that has begun.
func (r *reader) skip() error {
	for depth := 1; depth > 0; {
		t, err := r.Token()
		if err != nil {
			return r.fail(err)
		}
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > mostDepth {
				return r.fail(errDeep)
			}
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// attr returns the value of an attribute, empty without it.
func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// flag reports whether an attribute says yes.
func (n *node) flag(name string) bool {
	v := n.attr(name)
	return v == "1" || v == "true"
}

// all returns the elements of a name in it.
func (n *node) all(name string) (list []*node) {
	for _, c := range n.nodes {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// first returns the first element of a name in it, or nil.
func (n *node) first(name string) *node {
	for _, c := range n.nodes {
		if c.name == name {
			return c
		}
	}
	return nil
}

// below returns the elements of a name at any depth.
func (n *node) below(name string) (list []*node) {
	for _, c := range n.nodes {
		if c.name == name {
			list = append(list, c)
		}
		list = append(list, c.below(name)...)
	}
	return list
}

// called returns its text in English, where there are several languages (LcId), otherwise in the first one.
func (n *node) called(name string) string {
	const english = "1033"
	list := n.all(name)
	for _, c := range list {
		if c.attr("LcId") == english {
			return c.text
		}
	}
	if len(list) > 0 {
		return list[0].text
	}
	return ""
}
