package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/softrobot-rcc/rccd/internal/rt"
)

// Width returns how many columns a terminal has: what it says itself, else what $COLUMNS says, else the usual 80. It is 0 of what is no
// terminal: a program that reads a table wants each row in one line.
func Width(out io.Writer) int {
	f, is := out.(*os.File)
	if !is {
		return 0
	}
	columns, _, is := rt.TerminalSize(f)
	if !is {
		return 0
	}
	if columns <= 0 {
		columns, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if columns <= 0 {
		return usualWidth
	}
	return columns
}

const (
	usualWidth = 80
	gap        = 2 // between two columns
	narrowest  = 8 // that a column is made
)

// Table writes rows in columns. With a width, what is too long goes on in the next line of its column.
func Table(out io.Writer, rows [][]string, width int) error {
	w := tabwriter.NewWriter(out, 0, 0, gap, ' ', 0)
	room := share(rows, width)
	for _, row := range rows {
		for _, line := range wrapped(row, room) {
			fmt.Fprintln(w, strings.Join(line, "\t"))
		}
	}
	return w.Flush()
}

// share returns how wide each column may be, nil when all may be as wide as they are. The narrow ones stay as they are, the others share
// what is left.
func share(rows [][]string, width int) []int {
	var widths []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	left := width - gap*(len(widths)-1)
	total := 0
	for _, w := range widths {
		total += w
	}
	if width <= 0 || total <= left {
		return nil
	}
	order := make([]int, len(widths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return widths[a] - widths[b] })
	for k, i := range order {
		widths[i] = min(widths[i], max(left/(len(order)-k), narrowest))
		left -= widths[i]
	}
	return widths
}

// wrapped returns the lines of a row. Each has all columns, as columns end where a line has not so many.
func wrapped(row []string, room []int) (lines [][]string) {
	if room == nil {
		return [][]string{row}
	}
	for i, text := range row {
		for k, piece := range wrap(text, room[i]) {
			if k == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[k][i] = piece
		}
	}
	return lines
}

// wrap cuts a text at its blanks into pieces, words only where they are longer than a piece.
func wrap(text string, width int) (pieces []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			pieces = append(pieces, line)
		}
		for utf8.RuneCountInString(word) > width {
			runes := []rune(word)
			pieces, word = append(pieces, string(runes[:width])), string(runes[width:])
		}
		line = word
	}
	return append(pieces, line)
}
