package xmlread

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// class is what a byte may be part of.
type class uint8

const (
	blank class = 1 << iota
	inName
	nameStart
	plain // in character data and values: stands for itself and ends nothing
)

var classes = func() (table [256]class) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = inName
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':':
			table[c] = inName | nameStart | plain
		case '0' <= c && c <= '9', c == '-', c == '.':
			table[c] = inName | plain
		case c == ' ', c == '\t', c == '\n':
			table[c] = blank | plain
		case c == '\r':
			table[c] = blank
		case c > ' ' && !strings.ContainsRune(`<&"']`, rune(c)):
			table[c] = plain
		}
	}
	return table
}()

// name reads a name with at most one prefix, full as it is written. Whoever calls says what was expected.
func (r *Reader) name(what string) (name Name, full string, err error) {
	if full, err = r.fullName(what); err != nil {
		return Name{}, "", err
	}
	colon := strings.IndexByte(full, ':')
	switch {
	case colon != strings.LastIndexByte(full, ':'):
		return Name{}, "", r.malformed("expected %s", what)
	case colon <= 0 || colon == len(full)-1:
		return Name{Local: full}, full, nil
	}
	return Name{Local: full[colon+1:], Prefix: full[:colon]}, full, nil
}

func (r *Reader) fullName(what string) (string, error) {
	at, all := r.off, classes[':']
	if r.off < len(r.source) && classes[r.source[r.off]]&inName == 0 {
		return "", r.malformed("expected %s", what)
	}
	for r.off < len(r.source) && classes[r.source[r.off]]&inName != 0 {
		all &= classes[r.source[r.off]]
		r.off++
	}
	if r.off == len(r.source) {
		return "", r.cutOff()
	}
	name := r.source[at:r.off]
	if classes[name[0]]&nameStart == 0 || all&plain == 0 { // which what is not ASCII is not
		if !isName(name) {
			return "", r.malformed("invalid XML name: %s", name)
		}
	}
	return name, nil
}

// value reads the value of an attribute to its closing quote.
func (r *Reader) value(quote byte, attr int, name string) (string, error) {
	at := r.off
	for r.off < len(r.source) {
		switch c := r.source[r.off]; {
		case classes[c]&plain != 0, c == ']':
		case c == quote:
			r.off++
			return r.source[at : r.off-1], nil
		case c != '"' && c != '\'':
			r.off = at
			return r.rewritten(run{quote: quote, from: attr, what: "attribute " + name})
		}
		r.off++
	}
	return "", r.cutOff()
}

// text reads character data to the next tag.
func (r *Reader) text() (Kind, error) {
	at := r.off
	for r.off < len(r.source) && classes[r.source[r.off]]&plain != 0 {
		r.off++
	}
	if r.off == len(r.source) || r.source[r.off] == '<' {
		r.Data = r.source[at:r.off]
		return Text, nil
	}
	r.off = at
	return r.data(run{from: at, what: "text"})
}

func (r *Reader) cdata() (Kind, error) {
	return r.data(run{from: r.Offset, what: "text", cdata: true})
}

func (r *Reader) data(of run) (_ Kind, err error) {
	r.Data, err = r.rewritten(of)
	return Text, err
}

// run is character data that needs a look at every character.
type run struct {
	quote byte // that ends it, 0 for none
	cdata bool // it ends with ]]>, and everything stands for itself
	from  int  // for errors about all of it
	what  string
}

// rewritten reads a run in which something may stand for something else.
func (r *Reader) rewritten(of run) (string, error) {
	var made []byte                // what was replaced, and what stands before it
	kept, wrong := r.off, rune(-1) // where made ends; the first character that XML does not have
	replace := func(from int, by string) {
		made = append(append(made, r.source[kept:from]...), by...)
		kept = r.off
	}
	end := -1
	for end < 0 {
		if r.off == len(r.source) {
			if of.cdata || of.quote != 0 {
				return "", r.cutOff()
			}
			end = r.off
			break
		}
		at, c := r.off, r.source[r.off]
		r.off++
		switch {
		case c == '>' && of.quote == 0 && strings.HasSuffix(r.source[kept:r.off], "]]>"):
			if !of.cdata {
				return "", r.malformed("unescaped ]]> not in CDATA section")
			}
			end = r.off - len("]]>")
		case c == '\r':
			if r.off < len(r.source) && r.source[r.off] == '\n' {
				r.off++
			}
			replace(at, "\n")
		case of.cdata:
			wrong = r.look(at, wrong)
		case c == '<' && of.quote != 0:
			return "", r.malformed("unescaped < inside quoted string")
		case c == '<':
			r.off--
			end = r.off
		case c == of.quote && c != 0:
			end = at
		case c == '&':
			char, err := r.reference()
			if err != nil {
				return "", err
			}
			if wrong < 0 && !allowed(char) {
				wrong = char
			}
			replace(at, string(char))
		default:
			wrong = r.look(at, wrong)
		}
	}
	switch {
	case isSurrogate(wrong):
		return "", r.refuse(of.from, "%s has the number of half a character", short(of.what))
	case wrong >= 0:
		return "", r.malformed("illegal character code %U", wrong)
	case made == nil:
		return r.source[kept:end], nil
	}
	return string(append(made, r.source[kept:end]...)), nil
}

// look goes past the character at an offset, and keeps the first one that XML does not have.
func (r *Reader) look(at int, wrong rune) rune {
	if c := r.source[at]; classes[c]&plain != 0 {
		return wrong
	}
	c, size := utf8.DecodeRuneInString(r.source[at:])
	r.off = at + size
	if wrong < 0 && !allowed(c) {
		return c
	}
	return wrong
}

// allowed reports whether XML has a character (production 2).
func allowed(c rune) bool {
	return c >= ' ' && c != 0xFFFE && c != 0xFFFF && !isSurrogate(c) || c == '\t' || c == '\n' || c == '\r'
}

func isSurrogate(c rune) bool { return 0xD800 <= c && c <= 0xDFFF }

// reference reads what stands behind an ampersand: the name or number of a character.
func (r *Reader) reference() (rune, error) {
	at := r.off
	number, base := r.follows("#"), 10
	if number && r.follows("x") {
		base = 16
	}
	digits := r.off
	for r.off < len(r.source) {
		c := r.source[r.off]
		if number && !isDigit(c, base) || !number && classes[c]&inName == 0 {
			break
		}
		r.off++
	}
	if r.off == len(r.source) {
		return 0, r.cutOff()
	}
	body := r.source[digits:r.off]
	if !r.follows(";") {
		return 0, r.unknown(r.source[at-1:r.off] + " (no semicolon)")
	}
	if !number {
		if char, known := entities[body]; known {
			return char, nil
		}
	} else if char, err := strconv.ParseUint(body, base, 32); err == nil && char <= utf8.MaxRune {
		return rune(char), nil
	}
	return 0, r.unknown(r.source[at-1 : r.off])
}

func (r *Reader) unknown(reference string) error {
	return r.refuse(r.off, "%s, expected &lt; &gt; &amp; &quot; &apos; or the number of a character", short("invalid character entity "+reference))
}

var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

func isDigit(c byte, base int) bool {
	return '0' <= c && c <= '9' || base == 16 && ('a' <= c && c <= 'f' || 'A' <= c && c <= 'F')
}

// isName reports whether a text is a name (productions 4 and 5 of the fifth edition).
func isName(text string) bool {
	for i, c := range text {
		if !in(c, startRanges) && (i == 0 || !in(c, moreRanges)) {
			return false
		}
	}
	return true
}

func in(c rune, ranges [][2]rune) bool {
	for _, r := range ranges {
		if r[0] <= c && c <= r[1] {
			return true
		}
	}
	return false
}

var startRanges = [][2]rune{
	{':', ':'},
	{'A', 'Z'},
	{'_', '_'},
	{'a', 'z'},
	{0xC0, 0xD6},
	{0xD8, 0xF6},
	{0xF8, 0x2FF},
	{0x370, 0x37D},
	{0x37F, 0x1FFF},
	{0x200C, 0x200D},
	{0x2070, 0x218F},
	{0x2C00, 0x2FEF},
	{0x3001, 0xD7FF},
	{0xF900, 0xFDCF},
	{0xFDF0, 0xFFFD},
	{0x10000, 0xEFFFF},
}

var moreRanges = [][2]rune{{'-', '.'}, {'0', '9'}, {0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
