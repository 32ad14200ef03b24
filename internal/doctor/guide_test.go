package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGuide: the guide says what the report on the machine of the guide says, and no more.
func TestGuide(t *testing.T) {
	r := Examine(record(t, "fresh"), Options{CPUs: CPUs{2, 3}})
	said := []string{r.Boot, r.BootCommand, GrantPriority("rccd").Unit, GrantMemory("rccd").Unit}
	for _, f := range r.Findings {
		said = append(said, f.Command)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide-real-time.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := blocks(string(text))
	for _, command := range told["sh doctor"] {
		if !slices.Contains(said, command) {
			t.Errorf("no such command in the report: %s", command)
		}
	}
	for _, s := range told["sysctl"] {
		if !slices.ContainsFunc(said, func(c string) bool { return strings.HasPrefix(c, "sudo sysctl ") && strings.Contains(c+" ", " "+s+" ") }) {
			t.Errorf("no such setting in the report: %s", s)
		}
	}
	for _, s := range told["tmpfiles"] {
		words := strings.Fields(s) // w /file - - - - value
		if len(words) != 7 || !slices.ContainsFunc(said, func(c string) bool {
			return strings.HasPrefix(c, "echo "+words[6]+" |") && strings.Contains(c+" ", " "+words[1]+" ")
		}) {
			t.Errorf("no such file in the report: %s", s)
		}
	}
	// The other way round: nothing of the report is forgotten.
	all := strings.Join(slices.Concat(told["sysctl"], told["tmpfiles"], told["sh doctor"]), "\n")
	for _, f := range r.Findings {
		for word := range strings.FieldsSeq(f.Command) {
			setting := strings.HasPrefix(word, "/sys/") || strings.HasPrefix(f.Command, "sudo sysctl ") && strings.Contains(word, "=")
			if f.Boot == "" && setting && !strings.Contains(all, word) {
				t.Errorf("the guide forgets %s: %s", f.Name, word)
			}
		}
	}
	for _, s := range said[2:4] {
		if !slices.Contains(told["ini"], s) {
			t.Errorf("the unit lacks %s", s)
		}
	}
	if !slices.Contains(told["text"], r.Boot) {
		t.Errorf("the guide lacks %s", r.Boot)
	}
	rowsOf(t, r, told["text"])
}

// rowsOf compares the part of the report that the guide shows.
func rowsOf(t *testing.T, r Report, lines []string) {
	t.Helper()
	rows := 0
	for _, line := range lines {
		for _, f := range r.Findings {
			if words := strings.Fields(line); words[0] == f.Name {
				rows++
				if got := strings.Join(words, " "); got != f.Name+" "+f.Verdict.String()+" "+f.Found+" "+f.Wanted {
					t.Errorf("the report says %+v instead of %s", f, line)
				}
			}
		}
	}
	if rows == 0 {
		t.Error("the guide shows no row")
	}
}

// blocks returns the lines of the fenced blocks of a page, by what stands behind the fence.
func blocks(page string) map[string][]string {
	found := map[string][]string{}
	kind, inside := "", false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		switch rest, fence := strings.CutPrefix(line, "```"); {
		case fence:
			kind, inside = rest, !inside
		case inside && line != "":
			found[kind] = append(found[kind], line)
		}
	}
	return found
}
