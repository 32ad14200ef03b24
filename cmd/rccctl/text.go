package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/internal/cli"
	"github.com/softrobot-rcc/rccd/internal/rt"
)

// No text of a daemon is a command for the terminal: not in tables, not in errors, not in JSON.

// table writes rows in columns, no wider than the terminal. An empty cell gets a sign, so that columns can be counted.
func table(out io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i, text := range row {
			row[i] = cmp.Or(printable(text), "-")
		}
	}
	return cli.Table(out, rows, cli.Width(out))
}

// printable keeps what others have written in its cell: on one line, and without commands for the terminal.
func printable(text string) string { return harmless(strings.Join(strings.Fields(text), " ")) }

// harmless shows that there are characters which are not to be seen.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, text)
}

// harmlessJSON writes such characters as escapes, which mean the same. Outside of strings JSON has none but line breaks,
// which are those of its indentation.
func harmlessJSON(text []byte) []byte {
	b := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n' || unicode.IsPrint(r) && r != utf8.RuneError:
			b = append(b, text[:n]...)
		case r > 0xFFFF:
			b = append(b, "\\ufffd"...) // nothing that is not printable up there means anything
		default:
			b = fmt.Appendf(b, "\\u%04x", r)
		}
		text = text[n:]
	}
	return b
}

// verbatim writes a text as it is for a file or program, and harmless for a terminal.
func verbatim(out io.Writer, text string) error {
	if _, is := terminal(out); is {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			lines[i] = harmless(strings.ReplaceAll(line, "\t", "  "))
		}
		text = strings.Join(lines, "\n")
	}
	_, err := io.WriteString(out, text)
	return err
}

// terminal reports whether a stream is one.
func terminal(stream any) (f *os.File, is bool) {
	f, is = stream.(*os.File)
	if is {
		_, _, is = rt.TerminalSize(f)
	}
	return f, is
}
