package doctor

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Columns of a terminal, and what a cell of the table may take of them. Commands are never broken: they are copied.
const (
	columns    = 100
	foundWidth = 38
	wantWidth  = 36
)

// WriteText writes a report for people: a table of all points, then for each that is not ok why it matters and what to do.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	if len(r.CPUs) > 0 {
		fmt.Fprintf(&b, "for executors on CPU %v\n\n", r.CPUs)
	}
	r.table(&b)
	for _, f := range r.Facts {
		wrap(&b, "", f.String())
	}
	if d := r.Daemon; d != nil {
		fmt.Fprintf(&b, "\nthe daemon at %s is %s\n", d.URL, d.State)
		for _, f := range d.Facts {
			wrap(&b, "  ", f.String())
		}
	}
	for v := Needed; v > OK; v-- {
		r.advice(&b, v)
	}
	if r.Boot != "" {
		fmt.Fprintf(&b, "\non the command line of the kernel, from the next start on\n    %s\n    %s\n", r.Boot, r.BootCommand)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) table(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CHECK\tVERDICT\tFOUND\tWANTED")
	count := map[Verdict]int{}
	for _, f := range r.Findings {
		count[f.Verdict]++
		fmt.Fprintf(t, "%s\t%v\t%s\t%s\n", f.Name, f.Verdict, cut(f.Found, foundWidth), cut(f.Wanted, wantWidth))
	}
	_ = t.Flush() // to memory
	fmt.Fprintf(b, "\n%d needed, %d better, %d unknown, %d ok\n", count[Needed], count[Better], count[Unknown], count[OK])
}

// advice is on all findings of a verdict. The command line of the kernel is given once for all.
func (r Report) advice(b *strings.Builder, v Verdict) {
	heading := fmt.Sprintf("\n%v\n", v)
	for _, f := range r.Findings {
		if f.Verdict != v {
			continue
		}
		b.WriteString(heading)
		heading = ""
		text := fmt.Sprintf("%s: %s", f.Name, f.Why)
		if cut(f.Found, foundWidth) != f.Found {
			text += " Found: " + f.Found + "."
		}
		wrap(b, "  ", text)
		switch {
		case f.Boot != "":
			fmt.Fprintf(b, "    kernel command line: %s\n", f.Boot)
		case f.Command != "":
			fmt.Fprintf(b, "    %s\n", f.Command)
		}
	}
}

// cut shortens a text that does not fit.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:width-3])) + "..."
}

// wrap writes a text in lines of the width of a terminal.
func wrap(b *strings.Builder, indent, text string) {
	used := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
			b.WriteString(indent)
			used = len(indent)
		case used+1+n > columns:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}
