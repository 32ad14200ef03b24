package cli

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTable: a table is as wide as its terminal at most, loses nothing, and has each row in one line where nobody looks.
func TestTable(t *testing.T) {
	rows := [][]string{
		{"DEVICE", "TYPE", "INTERFACES", "WHAT IT IS"},
		{"arm", "kuka_lwr_sim", "multijoint robotarm armkinematics lwr forces script", "a lightweight robot in one word: " + strings.Repeat("ü", 50)},
		{"io", "io_sim", "-", "-"},
	}
	for _, width := range []int{0, 40, 60, 80, 200, 1} {
		var out strings.Builder
		if err := Table(&out, rows, width); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); width >= 40 && n > width {
				t.Errorf("width %d: %d characters\n%s", width, n, out.String())
			}
		}
		if width == 0 && len(lines) != len(rows) || width == 40 && len(lines) < 6 {
			t.Errorf("width %d: %d lines\n%s", width, len(lines), out.String())
		}
		for _, row := range rows {
			for _, text := range row {
				for word := range strings.FieldsSeq(text) {
					if width >= 60 && len(word) < 16 && !strings.Contains(out.String(), word) {
						t.Errorf("width %d: %s is missing in\n%s", width, word, out.String())
					}
				}
			}
		}
		if got := strings.Count(out.String(), "ü"); got != 50 {
			t.Errorf("width %d: %d of 50 characters", width, got)
		}
	}
	if got := Width(new(strings.Builder)); got != 0 {
		t.Errorf("what is no file has width %d", got)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	t.Setenv("COLUMNS", "20")
	if got := Width(w); got != 0 {
		t.Errorf("a pipe has width %d", got)
	}
}
