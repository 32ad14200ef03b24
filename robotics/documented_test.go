package robotics_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
)

// TestErrorsAreDocumented: every error and every fault that applications can meet is in the tables of docs/programming.md, and in a
// test; nothing else is in the tables.
func TestErrorsAreDocumented(t *testing.T) {
	race.Skip(t, "reads the source of the module")
	page, err := os.ReadFile(filepath.Join("..", "docs", "programming.md"))
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, quoted := range regexp.MustCompile("`[a-z]*\\.?[A-Z]\\w+`").FindAllString(string(page), -1) {
		documented = append(documented, strings.Trim(quoted, "`"))
	}
	all := map[string]bool{}
	for _, dir := range []string{".", "mapping", "world", "graph", "activity", "actuator", "motions"} {
		names, tests := errorsOf(t, dir)
		for _, name := range names {
			full := name
			if dir != "." {
				full = dir + "." + name
			}
			all[full] = true
			switch again := dir == "mapping" && slices.Contains(documented, name); { // package robotics has it too
			case !slices.Contains(documented, full) && !again:
				t.Errorf("%s is in no table of docs/programming.md", full)
			case !regexp.MustCompile(`\b` + name + `\b`).MatchString(tests):
				t.Errorf("%s is in no test", full)
			}
		}
	}
	for _, name := range documented {
		if isError := regexp.MustCompile(`^([a-z]+\.)?(Err[A-Z]|Fault[A-Z]|\w+Error$)`); isError.MatchString(name) && !strings.HasPrefix(name, "client.") && !all[name] {
			t.Errorf("docs/programming.md has %s, which there is not", name)
		}
	}
}

// errorsOf returns the exported errors and faults of a package, and the text of its tests and those of package robotics, which are about all.
func errorsOf(t *testing.T, dir string) (names []string, tests string) {
	t.Helper()
	mine, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	whole, _ := filepath.Glob("*_test.go")
	for _, file := range append(mine, whole...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) != "documented_test.go" {
			tests += string(text)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if list, is := d.(*ast.GenDecl); is {
				names = append(names, errorsIn(list)...)
			}
		}
	}
	return names, tests
}

func errorsIn(list *ast.GenDecl) (names []string) {
	for _, s := range list.Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if regexp.MustCompile(`^(Err|Fault)[A-Z]`).MatchString(n.Name) {
					names = append(names, n.Name)
				}
			}
		case *ast.TypeSpec:
			if regexp.MustCompile(`^[A-Z]\w*Error$`).MatchString(s.Name.Name) {
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}
