package sim

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The rack of the guide can be built, and the guide names every key that a rack can have.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ethercat.md"))
	if err != nil {
		t.Fatal(err)
	}
	racks := regexp.MustCompile("(?s)```yaml rack\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(racks) == 0 {
		t.Fatal("the guide shows no rack")
	}
	for _, text := range racks {
		r, err := ParseRack([]byte(text[1]))
		if err == nil {
			_, err = NewChain(r, nil, 0)
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, text[1])
		}
	}
	source, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range source {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range regexp.MustCompile("yaml:\"(\\w+)\"`").FindAllStringSubmatch(string(text), -1) {
			if !regexp.MustCompile(`\b` + key[1] + `\b`).Match(page) {
				t.Errorf("%s: the guide does not name %s", file, key[1])
			}
		}
	}
	for f := range siiFaults {
		if !strings.Contains(string(page), "`"+string(f)+"`") {
			t.Errorf("the guide does not name the SII fault %s", f)
		}
	}
}
