package main

import (
	"io/fs"
	"path"
	"strings"
)

// module is the path of this module; imports below it are packages of the repository.
const module = "github.com/softrobot-rcc/rccd"

// walk calls visit for every file with the extension. It leaves out the folders that the go command ignores, the modules of other
// languages, and the parser that ANTLR generates.
func walk(top fs.FS, extension string, visit func(name string, text []byte) error) error {
	return fs.WalkDir(top, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (ignored(entry.Name()) || name == "grammar/internal/antlr"):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != extension:
			return nil
		}
		text, err := fs.ReadFile(top, name)
		if err != nil {
			return err
		}
		return visit(name, text)
	})
}

func ignored(folder string) bool {
	return folder == "testdata" || folder == "node_modules" || len(folder) > 1 && strings.ContainsAny(folder[:1], "._")
}
