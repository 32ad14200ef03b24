package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var top = filepath.Join("..", "..")

// TestPage: docs/performance.md is as figures writes it, with a row for each figure.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPage(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if p.text() != string(text) {
		t.Error("the table is not as figures writes it")
	}
	for _, f := range list {
		r, ok := p.rows[f.key()]
		if !ok {
			t.Errorf("no row for %s", f.key())
		} else if r.figure == "" || r.machine == "" || r.load == "" || r.date == "" {
			t.Errorf("%s: no figure, machine, load or date", f.key())
		}
	}
	if len(p.rows) != len(list) {
		t.Errorf("%d rows for %d figures", len(p.rows), len(list))
	}
}

// TestBenchmarks: the benchmarks of the list are in their packages.
func TestBenchmarks(t *testing.T) {
	for _, f := range list {
		function, _, _ := strings.Cut(f.name, "/")
		files, err := filepath.Glob(filepath.Join(top, f.pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(text), "\nfunc "+function+"(b *testing.B)")
		}) {
			t.Errorf("%s has no %s", f.pkg, function)
		}
	}
}

const output = `goos: linux
BenchmarkCycle/flat/warm-2         	      20	         0 guards	         1.158 ns/primitive	         2.635 reference-ns/primitive
BenchmarkParseNet/hand-written-2   	       5	  13313478 ns/op	  18.18 MB/s
BenchmarkParseNet/generated-2      	       5	2235663301 ns/op	   0.11 MB/s
PASS
`

func TestRow(t *testing.T) {
	tests := []struct {
		f    figure
		want row
		err  string
	}{
		{figure{name: "BenchmarkCycle/flat/warm", unit: "ns/primitive", refUnit: "reference-ns/primitive"}, row{figure: "1.16 ns", reference: "2.63 ns"}, ""},
		{figure{name: "BenchmarkParseNet/hand-written", unit: "ns/op", reference: "BenchmarkParseNet/generated"}, row{figure: "13.3 ms", reference: "2.24 s"}, ""},

		{figure{name: "BenchmarkParseNet/hand", unit: "ns/op"}, row{}, "has not been run"},
		{figure{name: "BenchmarkParseNet/generated", unit: "ns/port"}, row{}, "reports nothing in ns/port"},
	}
	for _, tt := range tests {
		got, err := tt.f.row(output)
		switch {
		case tt.err == "" && (err != nil || got != tt.want):
			t.Errorf("%s: %v, %v", tt.f.name, got, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, not %s", tt.f.name, err, tt.err)
		}
	}
}

// TestKeeps: rows that are not measured stay as they are, and the text around the table does.
func TestKeeps(t *testing.T) {
	old := row{figure: "1 ns", reference: "2 ns", machine: "A", load: "3", date: "2026-01-02"}
	p := page{before: "above\n", after: "below\n", rows: map[string]row{list[0].key(): old, list[1].key(): old}}
	again, err := readPage(p.text())
	if err != nil {
		t.Fatal(err)
	}
	again.rows[list[1].key()] = row{figure: "5 ns", machine: "B", load: "0", date: "2026-03-04"}
	last, err := readPage(again.text())
	if err != nil {
		t.Fatal(err)
	}
	if last.rows[list[0].key()] != old || last.rows[list[1].key()].figure != "5 ns" || last.before != "above\n" || last.after != "below\n" {
		t.Errorf("%+v", last)
	}
	for _, bad := range []string{"no table", tableBegins + "| a |\n" + tableEnds, tableBegins + columns + "| a |\n" + tableEnds} {
		if _, err := readPage(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
