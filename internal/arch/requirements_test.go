package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// evidence is a test, written as folder.Name, or a file.
var evidence = regexp.MustCompile("`([a-z0-9_/-]+)\\.((?:Test|Fuzz|Benchmark)\\w*|sh|txtar)`")

// TestRequirements looks whether what docs/requirements.md names as evidence exists.
func TestRequirements(t *testing.T) {
	top := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(top, "docs", "requirements.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !regexp.MustCompile(`^ [A-Z]\d+ $`).MatchString(cells[1]) {
			continue
		}
		rows++
		found := evidence.FindAllStringSubmatch(cells[3], -1)
		if len(found) == 0 {
			t.Errorf("%s: nothing shows it", strings.TrimSpace(cells[1]))
		}
		for _, e := range found {
			if !exists(top, e[1], e[2]) {
				t.Errorf("%s: there is no %s.%s", strings.TrimSpace(cells[1]), e[1], e[2])
			}
		}
	}
	if rows == 0 {
		t.Error("no requirements found")
	}
}

func exists(top, place, name string) bool {
	if name == "sh" || name == "txtar" {
		_, err := os.Stat(filepath.Join(top, place+"."+name))
		return err == nil
	}
	files, _ := filepath.Glob(filepath.Join(top, place, "*_test.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
