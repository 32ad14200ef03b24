package arch

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// mostFiles is how many files of Go, besides tests, a folder may have: one that needs more has two ideas.
const mostFiles = 28

func TestFolders(t *testing.T) {
	files := map[string]int{}
	err := fs.WalkDir(os.DirFS(filepath.Join("..", "..")), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files[path.Dir(name)]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d folders have been found", len(files))
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, %d are allowed: split it by idea", folder, n, mostFiles)
		}
	}
}
