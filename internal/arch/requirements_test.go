package arch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A requirement is an entry of docs/requirements.md:
//
//   - **R1** a sentence, which may be longer
//     than a line
//   - `folder`: TestOne TestTwo
//   - `path/of/a/file.txtar`
type requirement struct {
	id       string
	evidence []string // as folder.TestOne, or the path of a file
}

var (
	begins   = regexp.MustCompile(`^- \*\*([A-Z]\d+[a-z]?)\*\* \S`)
	evidence = regexp.MustCompile("^  - `([\\w/.-]+)`(: [\\w ]+)?$")
	goesOn   = regexp.MustCompile(`^(  |    )\S`)
)

// parseRequirements returns the requirements of a page and what is wrong with its form.
func parseRequirements(page string) (all []requirement, wrong []string) {
	place := ""
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		names := ""
		switch {
		case begins.MatchString(line):
			all = append(all, requirement{id: begins.FindStringSubmatch(line)[1]})
			place = ""
		case evidence.MatchString(line) && all != nil:
			found := evidence.FindStringSubmatch(line)
			place, names = found[1], strings.TrimPrefix(found[2], ":")
			if names == "" {
				all[len(all)-1].evidence = append(all[len(all)-1].evidence, place)
			}
		case strings.HasPrefix(line, "    ") && place != "":
			names = line
		case strings.HasPrefix(line, "|") || strings.HasPrefix(line, "-") || strings.HasPrefix(strings.TrimSpace(line), "- "):
			wrong = append(wrong, line)
		case place != "" && goesOn.MatchString(line):
			wrong = append(wrong, line)
		}
		for name := range strings.FieldsSeq(names) {
			all[len(all)-1].evidence = append(all[len(all)-1].evidence, place+"."+name)
		}
	}
	return all, wrong
}

// TestRequirements checks that the evidence that docs/requirements.md names exists.
func TestRequirements(t *testing.T) {
	top := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(top, "docs", "requirements.md"))
	if err != nil {
		t.Fatal(err)
	}
	all, wrong := parseRequirements(string(page))
	for _, line := range wrong {
		t.Errorf("neither a requirement nor its evidence: %s", line)
	}
	seen := map[string]bool{}
	for _, r := range all {
		if seen[r.id] {
			t.Errorf("%s: used twice", r.id)
		}
		seen[r.id] = true
		if len(r.evidence) == 0 {
			t.Errorf("%s: no evidence", r.id)
		}
		for _, e := range r.evidence {
			if !exists(top, e) {
				t.Errorf("%s: %s does not exist", r.id, e)
			}
		}
	}
	if len(all) == 0 {
		t.Error("no requirements found")
	}
}

func TestParseRequirements(t *testing.T) {
	got, wrong := parseRequirements("# Page\nSome text.\n\n## Part\n- **R1** imports go\n  down\n  - `a/b`: TestOne\n    FuzzTwo\n  - `c.txtar`\n" +
		"- **L2a** is read\n\n| R3 | a row of a table | `a.TestOne` |\n- R4 without stars\n- **R5** no names\n  - `a`: `TestOne`\n")
	want := []requirement{{"R1", []string{"a/b.TestOne", "a/b.FuzzTwo", "c.txtar"}}, {id: "L2a"}, {id: "R5"}}
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Error(diff)
	}
	if want := []string{"| R3 | a row of a table | `a.TestOne` |", "- R4 without stars", "  - `a`: `TestOne`"}; !slices.Equal(want, wrong) {
		t.Errorf("wrong: %q, want %q", wrong, want)
	}
}

var ofPackage = regexp.MustCompile(`^(.+)\.((?:Test|Fuzz|Benchmark|Example)\w*)$`)

func exists(top, evidence string) bool {
	found := ofPackage.FindStringSubmatch(evidence)
	if found == nil {
		_, err := os.Stat(filepath.Join(top, evidence))
		return err == nil
	}
	files, _ := filepath.Glob(filepath.Join(top, found[1], "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+found[2]+"(")
	})
}
