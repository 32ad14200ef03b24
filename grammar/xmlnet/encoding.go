package xmlnet

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// readable refuses what the decoder should not see: other encodings, which it would take for odd UTF-8, and lists of
// attributes without end.
func (r *reader) readable() error {
	for _, sign := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00", "\x00\x00"} {
		if strings.HasPrefix(r.text, sign) {
			return r.refuse(0, "found UTF-16 or UTF-32, expected UTF-8")
		}
	}
	if !utf8.ValidString(r.text) {
		return r.refuse(firstInvalid(r.text), "not UTF-8")
	}
	if at := crowded(r.text); at >= 0 {
		return r.refuse(at, "more than %d attributes", mostAttributes)
	}
	return nil
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

// surrogate is the number of half a character, as UTF-16 has it: the decoder makes a replacement character of it.
var surrogate = regexp.MustCompile(`&#(x0*[dD][89a-fA-F][0-9a-fA-F]{2}|0*5[5-7][0-9]{3});`)

// hasSurrogate looks for numbers from D800 to DFFF.
func hasSurrogate(raw string) bool {
	for _, found := range surrogate.FindAllStringSubmatch(raw, -1) {
		digits, base := found[1], 10
		if digits[0] == 'x' {
			digits, base = digits[1:], 16
		}
		if number, err := strconv.ParseUint(digits, base, 32); err == nil && utf16.IsSurrogate(rune(number)) {
			return true
		}
	}
	return false
}
