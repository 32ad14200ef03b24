package xmlread

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// readable refuses other encodings, which would be odd UTF-8.
func (r *Reader) readable() error {
	for _, sign := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00", "\x00\x00"} {
		if strings.HasPrefix(r.source, sign) {
			return r.refuse(0, "found UTF-16 or UTF-32, expected UTF-8")
		}
	}
	if !utf8.ValidString(r.source) {
		return r.refuse(firstInvalid(r.source), "not UTF-8")
	}
	return nil
}

func firstInvalid(text string) int {
	for i, c := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && size == 1 {
			return i
		}
	}
	return len(text)
}

// declaration reads what an XML declaration says about version and encoding. Those encodings that begin with ASCII make no
// difference as long as the text has nothing else; libraries declare them without being told.
func (r *Reader) declaration(content string) error {
	if version := declares(content, "version"); version != "" && version != "1.0" {
		return r.refuse(r.off, "%s", short("unsupported version "+strconv.Quote(version)+"; only version 1.0 is supported"))
	}
	encoding := declares(content, "encoding")
	switch strings.ToLower(encoding) {
	case "", "utf-8":
		return nil
	case "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252":
	default:
		return r.refuse(0, "found encoding %s, expected UTF-8", Quote(encoding))
	}
	if i := strings.IndexFunc(r.source, func(c rune) bool { return c >= utf8.RuneSelf }); i >= 0 {
		return r.refuse(i, "declared to be %s and not ASCII, expected UTF-8", encoding)
	}
	return nil
}

// declares finds what a declaration says about something, empty for nothing.
func declares(content, what string) string {
	for rest := content; ; {
		_, behind, found := strings.Cut(rest, what+"=")
		if !found || behind == "" {
			return ""
		}
		if quote := behind[0]; quote == '"' || quote == '\'' {
			said, _, closed := strings.Cut(behind[1:], string(quote))
			if !closed {
				return ""
			}
			return said
		}
		rest = behind[1:]
	}
}

// Quote repeats what was found; an error must not be as long as a hostile text.
func Quote(text string) string { return strconv.Quote(cut(text, 30)) }
