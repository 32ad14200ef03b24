package xmlnet_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/grammar"
	"github.com/softrobot-rcc/rccd/grammar/xmlnet"
)

// TestEncodings has bytes that a corpus cannot hold.
func TestEncodings(t *testing.T) {
	const fine = `<rpinet id="é"/>`
	utf16le := "\xFF\xFE<\x00r\x00p\x00"
	tests := []struct{ name, text, want string }{
		{"byte order mark", "\uFEFF" + fine, ""},
		{"byte order mark and declaration", "\uFEFF<?xml version='1.0' encoding='UTF-8'?>" + fine, ""},
		{"two byte order marks", "\uFEFF\uFEFF" + fine, `line 1, column 1: found text "\ufeff", expected elements only`},
		{"UTF-16, small end first", utf16le, "line 1, column 1: found UTF-16 or UTF-32, expected UTF-8"},
		{"UTF-16, large end first", "\xFE\xFF\x00<", "line 1, column 1: found UTF-16 or UTF-32, expected UTF-8"},
		{"UTF-16 without mark", "\x00<\x00r", "line 1, column 1: found UTF-16 or UTF-32, expected UTF-8"},
		{"UTF-16 without mark, small end first", "<\x00r\x00", "line 1, column 1: found UTF-16 or UTF-32, expected UTF-8"},
		{"UTF-32", "\x00\x00\x00<", "line 1, column 1: found UTF-16 or UTF-32, expected UTF-8"},
		{"Latin-1", "<rpinet\nid=\"\xe9\"/>", "line 2, column 5: not UTF-8"},
		{"declared Latin-1", "<?xml version='1.0' encoding='iso-8859-1'?><rpinet id='\xe9'/>", "line 1, column 56: not UTF-8"},
		{"half of a pair", "<rpinet id='\xed\xa0\x80'/>", "line 1, column 13: not UTF-8"},
		{"more bytes than needed", "<rpinet id='\xc0\xbc'/>", "line 1, column 13: not UTF-8"},
		{"character 0", "<rpinet id='a\x00b'/>", "line 1, column 17: not well-formed: illegal character code U+0000"},
		{"escape character", "<rpinet>\x1b[2J</rpinet>", "line 1, column 13: not well-formed: illegal character code U+001B"},
		{"no character", "<rpinet id='\uFFFF'/>", "line 1, column 15: not well-formed: illegal character code U+FFFF"},
		{"carriage returns", "<rpinet>\r\n\r\n<x/>", `line 3, column 1: found element "x" in rpinet, expected fragment, primitive, module, outport or outPort`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := xmlnet.Parse(tt.text, grammar.Limits{})
			if got := message(err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const mega = 1 << 20

// Input that is far too large must be refused at once, whatever it is: anything quadratic does not end before the tests are
// given up. Nor may it take much more memory than it is long.
func TestHostile(t *testing.T) {
	repeat := strings.Repeat
	tests := []struct{ name, text, want string }{
		{"9 MB of blanks", repeat(" ", 9*mega), "9437184 bytes, limit 8388608"},
		{"8 MB of blanks", repeat(" ", 8*mega), "line 1, column 8388609: found end of text, expected element rpinet"},
		{"8 MB of fragments in fragments", "<rpinet>" + repeat(`<fragment id="a">`, 8*mega/17-1), "line 1, column 16992: nested more than 1000 deep"},
		{"8 MB of elements of others", "<rpinet>" + repeat(`<a xmlns="b">`, 8*mega/13-1), "line 1, column 12996: nested more than 1000 deep"},
		{"8 MB of short elements", repeat("<a>", 8*mega/3), `line 1, column 1: found element "a", expected rpinet`},
		{"primitives", "<rpinet>" + repeat(`<module id="a" type="b"/>`, 200_000), "line 1, column 2499984: more than 100000 primitives and fragments"},
		{"fragments", "<rpinet>" + repeat(`<fragment id="a"/>`, 200_000), "line 1, column 1799991: more than 100000 primitives and fragments"},
		{"8 MB of name", "<" + repeat("x", 8*mega-1), "line 1, column 8388609: found end of text, expected the ends of all elements"},
		{"8 MB of id", `<rpinet><fragment id="` + repeat("x", 8*mega-30) + `?"/>`, `line 1, column 19: attribute id is "` + repeat("x", 30) + `…", expected a name of letters, digits, : and _`},
		{"8 MB of value", `<rpinet id="` + repeat("x", 8*mega-12), "line 1, column 8388609: found end of text, expected the ends of all elements"},
		{"8 MB of entity", `<rpinet id="&` + repeat("x", 8*mega-15) + `;"`, "line 1, column 8388608: invalid character entity &" + repeat("x", 74) + "…, expected &lt; &gt; &amp; &quot; &apos; or the number of a character"},
		{"8 MB of number", `<rpinet id="&#` + repeat("1", 8*mega-16) + `;"`, "line 1, column 8388608: invalid character entity &#" + repeat("1", 73) + "…, expected &lt; &gt; &amp; &quot; &apos; or the number of a character"},
		{"8 MB of known entities", `<rpinet id="` + repeat("&#x10FFFF;", 8*mega/10-2) + `">`, "line 1, column 8388595: found end of text, expected the ends of all elements"},
		{"8 MB of comments", "<rpinet>" + repeat("<!---->", 8*mega/7-2), "line 1, column 8388599: found end of text, expected the ends of all elements"},
		{"8 MB of document type", "<!DOCTYPE [" + repeat("<!ENTITY a 'b'>", 8*mega/15-1), "line 1, column 1: found a document type declaration, expected none"},
		{"brackets of a document type", "<!DOCTYPE a [" + repeat("<", 8*mega-13), "line 1, column 1: found a document type declaration, expected none"},
		{"attributes", "<rpinet" + repeat(` a=""`, 8*mega/5-2), "line 1, column 1: more than 1000 attributes"},
		{"attributes of others", "<rpinet xmlns:b='c'" + repeat(` b:a=""`, 8*mega/7-10) + "/>", "line 1, column 1: more than 1000 attributes"},
		{"namespaces", "<rpinet" + repeat(` xmlns:b=""`, 8*mega/11-2) + "/>", "line 1, column 1: more than 1000 attributes"},
		{"instructions", repeat("<?a?>", 8*mega/5), "line 1, column 8388606: found end of text, expected element rpinet"},
		{"8 MB of text", "<rpinet>" + repeat("x", 8*mega-8), `line 1, column 9: found text "` + repeat("x", 30) + `…", expected elements only`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := xmlnet.Parse(tt.text, grammar.Limits{})
			runtime.ReadMemStats(&after)
			if got := message(err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) / mega; took > 100 {
				t.Errorf("%d MB of memory", took)
			}
		})
	}
}

// TestLimits lets through what is just as large as a limit, as the text form does it with the same net.
func TestLimits(t *testing.T) {
	tests := []struct {
		name        string
		lim         grammar.Limits
		fits, large string
	}{
		{"bytes", grammar.Limits{Bytes: 10}, "<rpinet />", "<rpinet  />"},
		{"fragments", grammar.Limits{Depth: 2}, `<rpinet><fragment id="a"/></rpinet>`, `<rpinet><fragment id="a"><fragment id="b"/></fragment></rpinet>`},
		{
			"arguments",
			grammar.Limits{Depth: 2},
			`<rpinet><module id="a" type="X"><parameter name="P" value=""/></module></rpinet>`,
			`<rpinet><fragment id="f"><module id="a" type="X"><parameter name="P" value=""/></module></fragment></rpinet>`,
		},
		{"others", grammar.Limits{Depth: 2}, `<rpinet xmlns:e="e"><e:e/><e:e/></rpinet>`, `<rpinet xmlns:e="e"><e:e><e:e/></e:e></rpinet>`},
		{
			"primitives",
			grammar.Limits{Primitives: 3},
			`<rpinet><fragment id="a"/><module id="b" type="X"/></rpinet>`,
			`<rpinet><fragment id="a"/><module id="b" type="X"/><fragment id="c"/></rpinet>`,
		},
		{
			"ports",
			grammar.Limits{Ports: 2},
			`<rpinet><module id="a" type="X"><parameter name="P" value=""/></module><outport name="o" frommodule="a" fromport="o"/></rpinet>`,
			`<rpinet><module id="a" type="X"><parameter name="P" value=""/><port name="i" frommodule="a" fromport="o"/></module><outport name="o" frommodule="a" fromport="o"/></rpinet>`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, err := xmlnet.Parse(tt.fits, tt.lim)
			if err != nil {
				t.Fatalf("%s: %v", tt.fits, err)
			}
			if _, err := grammar.ParseNet(root.String(), tt.lim); err != nil {
				t.Errorf("%s: %v", root, err)
			}
			var refused *grammar.Error
			if _, err := xmlnet.Parse(tt.large, tt.lim); !errors.As(err, &refused) {
				t.Errorf("%s: %v", tt.large, err)
			}
		})
	}
}

// TestDeepNetIsNotLong writes a net that is nested as deep as it may be, with much inside.
func TestDeepNetIsNotLong(t *testing.T) {
	depth := grammar.DefaultLimits.Depth - 2
	text := strings.Repeat("{a=", depth) + "{" + strings.Repeat("p=X,", 50_000) + "q=X}" + strings.Repeat("()}", depth)
	root, err := grammar.ParseNet(text, grammar.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := xmlnet.Append(nil, root)
	if err != nil {
		t.Fatal(err)
	}
	if len(document) > 30*len(text) {
		t.Errorf("%d bytes of text become %d", len(text), len(document))
	}
	if _, err := xmlnet.Parse(string(document), grammar.Limits{}); err != nil {
		t.Error(err)
	}
}
