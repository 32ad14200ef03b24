package telegram

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// Writer writes telegrams with one root element. It belongs to one thread.
type Writer struct {
	parts    []part // in their order; the last one is IPOC
	decimals int
	texts    [][]byte
}

// part is what stands before a value, and the value.
type part struct {
	before []byte
	kind   Kind
	field  int // -1: IPOC
}

// MostDecimals is the largest number of digits behind the point.
const MostDecimals = 9

// NewWriter makes a writer of fields in the order in which they are given, those of one element that follow each other in one
// element. Values of kind STRING are chosen among texts (load).
func NewWriter(root, typeAttr string, fields []Field, decimals int, texts ...string) (*Writer, error) {
	if !named(root) {
		return nil, fmt.Errorf("%q cannot be a root element", root)
	}
	if decimals < 0 || decimals > MostDecimals {
		return nil, fmt.Errorf("%d digits after the decimal point; 0 to %d are possible", decimals, MostDecimals)
	}
	if err := checkFields(fields); err != nil {
		return nil, err
	}
	w := &Writer{decimals: decimals}
	for _, t := range texts {
		w.texts = append(w.texts, []byte(Escape(t)))
	}
	before := fmt.Sprintf(`<%s Type="%s">`, root, Escape(typeAttr))
	for i, f := range fields {
		first := i == 0 || fields[i-1].Attr == "" || fields[i-1].Element != f.Element
		last := i+1 == len(fields) || fields[i+1].Attr == "" || fields[i+1].Element != f.Element
		after := `"`
		switch {
		case f.Attr == "":
			before, after = before+"<"+f.Element+">", "</"+f.Element+">"
		case first:
			before += "<" + f.Element
			fallthrough
		default:
			before += " " + f.Attr + `="`
			if last {
				after += "/>"
			}
		}
		w.parts = append(w.parts, part{before: []byte(before), kind: f.Kind, field: i})
		before = after
	}
	w.parts = append(w.parts,
		part{before: []byte(before + "<" + ipoc + ">"), field: -1},
		part{before: []byte("</" + ipoc + "></" + root + ">"), field: -2})
	return w, nil
}

// Write writes a telegram with a time stamp and values, and returns its length; 0 when there is no room or a value cannot be
// written (cycle). A value of kind STRING is the number of a text.
func (w *Writer) Write(into, ipoc []byte, values []float64) int {
	n := 0
	parts := w.parts
	for i := range parts {
		p := &parts[i]
		if copy(behind(into, n), p.before) != len(p.before) {
			return 0
		}
		n += len(p.before)
		rest := behind(into, n)
		switch p.field {
		case -2:
			return n
		case -1:
			if len(ipoc) == 0 || copy(rest, ipoc) != len(ipoc) {
				return 0
			}
			n += len(ipoc)
			continue
		}
		if uint(p.field) >= uint(len(values)) {
			return 0
		}
		m := w.value(rest, p.kind, values[p.field])
		if m < 0 {
			return 0
		}
		n += m
	}
	return 0
}

// value writes one; less than 0 is that it cannot be written.
func (w *Writer) value(into []byte, k Kind, v float64) int {
	n := 0
	switch k {
	case Double:
		n = fixed(into, v, w.decimals)
	case Long:
		n = fixed(into, v, 0)
	case Bool:
		bit := 0.0
		if v != 0 {
			bit = 1
		}
		n = fixed(into, bit, 0)
	case String:
		texts := w.texts
		if i := int(v); v == v && uint(i) < uint(len(texts)) {
			if t := texts[i]; copy(into, t) == len(t) {
				return len(t)
			}
			return -1
		}
		return 0
	}
	if n == 0 {
		return -1
	}
	return n
}

// Escape returns a text in the form that a telegram needs (any).
func Escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)))
	return strings.NewReplacer("&#34;", "&quot;", "&#39;", "&apos;").Replace(b.String())
}

// Unescape returns the text that a telegram contains (any).
func Unescape(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&apos;", "'").Replace(text)
}
