package xmlread_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/internal/xmlread"
)

const depth = 100

// read lists the pieces of a document.
func read(text string) (pieces []string, err error) {
	r, err := xmlread.New(text, depth)
	if err != nil {
		return nil, err
	}
	for {
		kind, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return pieces, nil
		case err != nil:
			return pieces, err
		case kind == xmlread.Start:
			piece := fmt.Sprintf("<%s|%s", r.Name.Space, r.Name.Local)
			for i := range r.Attrs {
				piece += fmt.Sprintf(" %s|%s=%q", r.Attrs[i].Space, r.Attrs[i].Local, r.Attrs[i].Value)
			}
			pieces = append(pieces, piece)
		case kind == xmlread.End:
			pieces = append(pieces, fmt.Sprintf("</%s|%s", r.Name.Space, r.Name.Local))
		case r.Data != "":
			pieces = append(pieces, fmt.Sprintf("%q", r.Data))
		}
	}
}

// oracle is the same with encoding/xml.
func oracle(text string) (pieces []string, err error) {
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\uFEFF")))
	d.CharsetReader = func(label string, rest io.Reader) (io.Reader, error) {
		switch strings.ToLower(label) {
		case "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252":
			return rest, nil
		}
		return nil, errors.New("encoding")
	}
	for {
		token, err := d.Token()
		switch token := token.(type) {
		case xml.StartElement:
			piece := fmt.Sprintf("<%s|%s", token.Name.Space, token.Name.Local)
			for _, a := range token.Attr {
				if a.Name.Space != "xmlns" && (a.Name.Space != "" || a.Name.Local != "xmlns") {
					piece += fmt.Sprintf(" %s|%s=%q", a.Name.Space, a.Name.Local, a.Value)
				}
			}
			pieces = append(pieces, piece)
		case xml.EndElement:
			pieces = append(pieces, fmt.Sprintf("</%s|%s", token.Name.Space, token.Name.Local))
		case xml.CharData:
			if len(token) > 0 {
				pieces = append(pieces, fmt.Sprintf("%q", string(token)))
			}
		}
		if errors.Is(err, io.EOF) {
			return pieces, nil
		}
		if err != nil {
			return pieces, err
		}
	}
}

// stricter are the errors of documents that encoding/xml takes.
var stricter = []string{
	"document type declaration", "XML declaration", "half a character", "not UTF-8", "UTF-16", "not ASCII", "attributes", "nested",
}

// compare looks that both take a document, as the same pieces, or neither.
func compare(t testing.TB, text string) (taken bool) {
	t.Helper()
	want, refused := oracle(text)
	got, err := read(text)
	beyond := func(c rune) bool { return c >= 0x80 }
	switch {
	case err != nil && !strings.HasPrefix(err.Error(), "line "):
		t.Errorf("%q: error without place: %v", text, err)
	case err != nil && refused == nil:
		if !slices.ContainsFunc(stricter, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%q is refused: %v", text, err)
		}
	case err == nil && refused != nil:
		if !strings.Contains(refused.Error(), "invalid XML name") || !strings.ContainsFunc(text, beyond) {
			t.Errorf("%q is taken, and encoding/xml says: %v", text, refused)
		}
	case err == nil && !slices.Equal(got, want) && !strings.Contains(text, "<xmlns"): // to which encoding/xml does not apply a namespace
		t.Errorf("%q is\n%q, and for encoding/xml\n%q", text, got, want)
	}
	return err == nil
}

// parts are what documents of the tests are made of, with all that has a meaning somewhere.
var parts = []string{
	"<a>", "</a>", "<b:a>", "</b:a>", "<a ", "<b", "<c/>", "<b:c/>", "</", "/>", ">", "<", "/", "=", " ", "\n", "\r\n", "\r", "\t",
	`a="1"`, `b:a='2'`, ` x="&lt;"`, ` y='"'`, ` xmlns="u"`, ` xmlns:b="v"`, ` xmlns:b=""`, ` xmlns=''`, ` xml:lang="en"`, ` a = "1"`, `"`, "'",
	"&amp;", "&#65;", "&#x41;", "&#0;", "&#xD800;", "&#x110000;", "&x;", "&;", "&", "#", ";", "&#x", "&apos", "text", "é", "\uFFFF", "\x01", "]]>", "]]", ">",
	"<!--", "-->", "--", "-", "<!-- b -->", "<![CDATA[", "<![CDATA[<&>]]>", "<![CDATA", "<!DOCTYPE a>", "<!", "[", "]", "<?", "?>", "<?p q?>", "?",
	`<?xml version="1.0"?>`, `<?xml version='1.1'?>`, `<?xml version="1.0" encoding="latin"?>`, `<?xml encoding='us-ascii'?>`,
	":", "a:", ":a", "a:b:c", "-a", "1", ".", "é:ü", "·", "<é/>", "\uFEFF", "\x80",
}

// TestReadsAsEncodingXML reads many documents, most of them broken somewhere, as encoding/xml does.
func TestReadsAsEncodingXML(t *testing.T) {
	taken := 0
	for _, text := range seeds(t) {
		if compare(t, text) {
			taken++
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var text strings.Builder
		if random.IntN(2) == 0 {
			text.WriteString("<a>")
		}
		for range random.IntN(8) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		if random.IntN(2) == 0 {
			text.WriteString("</a>")
		}
		if compare(t, text.String()) {
			taken++
		}
		if t.Failed() {
			return
		}
	}
	if taken < 1000 {
		t.Errorf("only %d documents are well-formed", taken)
	}
}

// seeds are the documents of the tests of nets, whole and cut off.
func seeds(t testing.TB) (texts []string) {
	t.Helper()
	for _, file := range []string{"ok", "err"} {
		corpus, err := txtar.ParseFile("../../grammar/xmlnet/testdata/" + file + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range corpus.Files {
			text := string(f.Data)
			texts = append(texts, text)
			for end := range len(text) {
				if len(text) < 500 || end%7 == 0 {
					texts = append(texts, text[:end])
				}
			}
		}
	}
	return texts
}

// FuzzRead compares any document with what encoding/xml makes of it.
func FuzzRead(f *testing.F) {
	for _, text := range parts {
		f.Add("<a>" + text + "</a>")
		f.Add("<a b=\"" + text + "\"/>")
	}
	f.Fuzz(func(t *testing.T, text string) { compare(t, text) })
}

// TestStricter has what encoding/xml takes.
func TestStricter(t *testing.T) {
	repeat := strings.Repeat
	tests := []struct{ text, want string }{
		{"<a>\n <!DOCTYPE b></a>", "line 2, column 2: found a document type declaration, expected none"},
		{"<!DOCTYPE b [" + repeat("<", 1<<20), "line 1, column 1: found a document type declaration, expected none"},
		{`<a/><?xml version="1.0"?>`, "line 1, column 5: found an XML declaration, expected it at the beginning only"},
		{`<a b="é" cé="&#xDFFF;"/>`, "line 1, column 10: attribute cé has the number of half a character"},
		{`<a>b&#55296;</a>`, "line 1, column 4: text has the number of half a character"},
		{"<a><!-- \xFF --></a>", "line 1, column 9: not UTF-8"},
		{`<?xml encoding="Windows-1252"?><a>é</a>`, "line 1, column 35: declared to be Windows-1252 and not ASCII, expected UTF-8"},
		{"<a" + repeat(` b=""`, xmlread.MostAttributes+1) + "/>", "line 1, column 1: more than 1000 attributes"},
		{"<a" + repeat(` xmlns:b=""`, xmlread.MostAttributes+1) + "/>", "line 1, column 1: more than 1000 attributes"},
		{repeat("<a>", depth+1), "line 1, column 301: nested more than 100 deep"},
	}
	for _, tt := range tests {
		if _, err := read(tt.text); err == nil || err.Error() != tt.want {
			t.Errorf("%.40q\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
		compare(t, tt.text)
	}
	for _, text := range []string{
		"<a" + repeat(` b=""`, xmlread.MostAttributes) + "/>", repeat("<a>", depth) + repeat("</a>", depth),
	} {
		if _, err := read(text); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// TestPlaces has pieces with their places, attributes too.
func TestPlaces(t *testing.T) {
	r, err := xmlread.New("\uFEFF<a>é\r\n<b c='1'\n  dé = '&lt;'/></a>", depth)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	place := func(what string, offset int) {
		line, column := r.Place(offset)
		got = append(got, fmt.Sprintf("%s %d:%d", what, line, column))
	}
	for {
		kind, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		place(fmt.Sprint(kind), r.Offset)
		for i := range r.Attrs {
			if kind == xmlread.Start {
				place(r.Attrs[i].Local, r.Attrs[i].Offset)
			}
		}
	}
	place("back", 0)
	want := []string{"1 1:1", "3 1:4", "1 2:1", "c 2:4", "dé 3:3", "2 3:16", "2 3:16", "back 1:1"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestNoCopies reads what needs no change without an allocation for each piece.
func TestNoCopies(t *testing.T) {
	text := "<a>" + strings.Repeat("<b c='1' d='some text'>and more\n</b>", 1000) + "</a>"
	allocs := testing.AllocsPerRun(5, func() {
		r, err := xmlread.New(text, depth)
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
	if allocs > 10 {
		t.Errorf("%v allocations for 3,000 pieces", allocs)
	}
}
