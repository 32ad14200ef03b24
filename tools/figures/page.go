package main

import (
	"fmt"
	"strings"
)

// row is what is known of a figure.
type row struct {
	figure, reference   string
	machine, load, date string
}

// page is docs/performance.md, with its table by benchmarks.
type page struct {
	before, after string
	rows          map[string]row
}

// The table stands between these lines.
const (
	tableBegins = "<!-- figures: make figures -->\n"
	tableEnds   = "<!-- end of figures -->\n"
	columns     = "| what | figure | reference | of the reference | benchmark | machine | load | date |\n|---|---|---|---|---|---|---|---|\n"
)

func readPage(text string) (page, error) {
	before, rest, begins := strings.Cut(text, tableBegins)
	table, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return page{}, fmt.Errorf("no place for the table")
	}
	p := page{before: before, after: after, rows: map[string]row{}}
	lines, ok := strings.CutPrefix(table, columns)
	if !ok && table != "" {
		return page{}, fmt.Errorf("the table has other columns than\n%s", columns)
	}
	for line := range strings.Lines(lines) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 8 {
			return page{}, fmt.Errorf("a row with %d columns: %s", len(cells), line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		p.rows[strings.Trim(cells[4], "`")] = row{figure: cells[1], reference: cells[2], machine: cells[5], load: cells[6], date: cells[7]}
	}
	return p, nil
}

// table prints the rows that are known, in the order of the list.
func (p page) table() string {
	var b strings.Builder
	b.WriteString(columns)
	for _, f := range list {
		if r, ok := p.rows[f.key()]; ok {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | `%s` | %s | %s | %s |\n", f.what, r.figure, r.reference, f.refWhat, f.key(), r.machine, r.load, r.date)
		}
	}
	return b.String()
}

func (p page) text() string { return p.before + tableBegins + p.table() + tableEnds + p.after }
