package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRaced: make race runs all tests of all packages, except in folders where nothing starts a goroutine.
func TestRaced(t *testing.T) {
	top := os.DirFS(filepath.Join("..", ".."))
	text, err := fs.ReadFile(top, "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	unraced := regexp.MustCompile(`(?m)^UNRACED := (.*)$`).FindSubmatch(text)
	recipe := regexp.MustCompile(`(?m)^race:\n(\t.*\n)+`).Find(text)
	if unraced == nil || recipe == nil {
		t.Fatal("Makefile has no UNRACED or no race")
	}
	for _, flag := range []string{"-run", "-skip", "-short"} {
		if strings.Contains(string(recipe), flag) {
			t.Errorf("make race chooses tests by %s, which can forget one", flag)
		}
	}
	found, err := goroutinesIn(top, strings.Split(string(unraced[1]), "|")...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("%s starts a goroutine, and make race leaves it out", f)
	}
}

// goroutinesIn returns the files of folders that start goroutines; generated parsers have none of their own.
func goroutinesIn(files fs.FS, folders ...string) (found []string, err error) {
	for _, folder := range folders {
		err := fs.WalkDir(files, folder, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && ignored(entry.Name()):
				return fs.SkipDir
			case entry.IsDir() || path.Ext(name) != ".go":
				return nil
			}
			source, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if startsGoroutine(file) {
				found = append(found, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func startsGoroutine(file *ast.File) (starts bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.SelectorExpr:
			of, named := n.X.(*ast.Ident)
			starts = starts || n.Sel.Name == "Go" || n.Sel.Name == "AfterFunc" || n.Sel.Name == "In" && named && of.Name == "guard"
		}
		return true
	})
	return starts
}

func TestGoroutinesIn(t *testing.T) {
	files := fstest.MapFS{
		"a/go.go":           {Data: []byte("package a\nfunc f() { go f() }")},
		"a/group_test.go":   {Data: []byte("package a\nimport \"sync\"\nfunc f(g *sync.WaitGroup) { g.Go(nil) }")},
		"a/guard.go":        {Data: []byte("package a\nfunc f() { guard.In(nil, \"f\", f) }")},
		"a/timer.go":        {Data: []byte("package a\nimport \"time\"\nfunc f() { time.AfterFunc(0, f) }")},
		"a/none.go":         {Data: []byte("package a\nfunc f() { f(); x.In() }")},
		"a/testdata/go.go":  {Data: []byte("package a\nfunc f() { go f() }")},
		"b/elsewhere.go":    {Data: []byte("package b\nfunc f() { go f() }")},
		"a/below/go.go":     {Data: []byte("package below\nfunc f() { go f() }")},
		"a/below/README.md": {Data: []byte("go f()")},
	}
	found, err := goroutinesIn(files, "a")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a/below/go.go", "a/go.go", "a/group_test.go", "a/guard.go", "a/timer.go"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, not %q", found, want)
	}
}
