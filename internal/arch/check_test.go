package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// check reads all Go files of a module and returns what is against the tables, one line each.
func check(module string, files fs.FS) ([]string, error) {
	c := checker{module: module}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && ignored(entry.Name()):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		case path.Ext(name) == ".s":
			c.assembly(name)
		case path.Ext(name) == ".go":
			return c.file(files, name)
		}
		return nil
	})
	slices.Sort(c.found)
	return slices.Compact(c.found), err
}

// ignored are the folders that the go command ignores too, and the tools of other languages.
func ignored(folder string) bool {
	return folder == "testdata" || folder == "node_modules" || len(folder) > 1 && strings.ContainsAny(folder[:1], "._")
}

type checker struct {
	module string
	found  []string
}

func (c *checker) refuse(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func (c *checker) assembly(name string) {
	if pkg := path.Dir(name); pkg != "internal/rt" {
		c.refuse("%s: assembly is reserved for internal/rt", pkg)
	}
}

func (c *checker) file(files fs.FS, name string) error {
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg, test := path.Dir(name), strings.HasSuffix(name, "_test.go")
	if test {
		c.sleeps(pkg, file)
		return nil
	}
	c.imports(pkg, file)
	c.clocks(pkg, file)
	c.inits(pkg, file)
	c.goroutines(pkg, file)
	return nil
}

func (c *checker) imports(pkg string, file *ast.File) {
	place := layerOf(pkg)
	if place == nil {
		c.refuse("%s: has no place in the layers", pkg)
		return
	}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if inside, ok := strings.CutPrefix(imported, c.module+"/"); ok {
			if !matchAny(place.may, inside) && !own(place.of, pkg, inside) {
				c.refuse("%s: may not import %s", pkg, inside)
			}
			continue
		}
		for _, r := range reserves {
			if match(r.what, imported) && !matchAny(r.only, pkg) {
				c.refuse("%s: may not import %s: %s", pkg, imported, r.why)
			}
		}
	}
}

// clocks finds the clocks that a package reads although it is not a timekeeper.
func (c *checker) clocks(pkg string, file *ast.File) {
	for _, t := range timekeepers {
		if matchAny(t.only, pkg) {
			return
		}
	}
	for _, f := range functionsOf(file, "time") {
		if clocks[f] {
			c.refuse("%s: may not use time.%s: clocks are read in internal/rt", pkg, f)
		}
	}
	if slices.Contains(functionsOf(file, c.module+"/internal/guard"), "After") {
		c.refuse("%s: may not use guard.After: clocks are read in internal/rt", pkg)
	}
}

// goroutines finds those that are started past package guard: by a go statement, by the method Go of a group, or by a timer or a context.
func (c *checker) goroutines(pkg string, file *ast.File) {
	for _, s := range starters {
		if matchAny(s.only, pkg) {
			return
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			c.refuse("%s: starts a goroutine: use guard.Go, so that its panic ends nothing in motion", pkg)
		case *ast.SelectorExpr:
			of, is := n.X.(*ast.Ident)
			switch {
			case is && of.Name == "guard":
			case n.Sel.Name == "Go":
				c.refuse("%s: starts a goroutine: use guard.In, so that its panic ends nothing in motion", pkg)
			case n.Sel.Name == "AfterFunc":
				c.refuse("%s: lets a goroutine be started: use guard.After or guard.AfterDone, so that its panic ends nothing in motion", pkg)
			}
		}
		return true
	})
}

// sleeps finds tests that wait for time to pass: they are slow on good days and fail on bad ones.
func (c *checker) sleeps(pkg string, file *ast.File) {
	if slices.Contains(functionsOf(file, "time"), "Sleep") {
		c.refuse("%s: a test sleeps", pkg)
	}
}

func (c *checker) inits(pkg string, file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			c.refuse("%s: has an init function: lists are values", pkg)
		}
	}
}

// functionsOf returns the names that a file uses of a package.
func functionsOf(file *ast.File, pkg string) (names []string) {
	local := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == strconv.Quote(pkg) {
			local = path.Base(pkg)
			if spec.Name != nil {
				local = spec.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
				names = append(names, sel.Sel.Name)
			}
		}
		return true
	})
	return names
}

func layerOf(pkg string) *layer {
	var best *layer
	for i := range layers {
		if l := &layers[i]; match(l.of, pkg) && (best == nil || reach(l.of) > reach(best.of)) {
			best = l
		}
	}
	return best
}

// reach returns how precise a pattern is: names before patterns, then what is longer.
func reach(pattern string) int {
	base := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "*")
	if base == pattern {
		return 1000
	}
	return len(base)
}

// own reports whether a package imports one below the same plug-in, for example devices/x its devices/x/wire.
func own(of, pkg, imported string) bool {
	base, ok := strings.CutSuffix(of, "/*")
	if !ok {
		return false
	}
	plugin := func(p string) string {
		first, _, _ := strings.Cut(strings.TrimPrefix(p, base+"/"), "/")
		return first
	}
	return strings.HasPrefix(imported, base+"/") && plugin(imported) == plugin(pkg)
}

func matchAny(patterns, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool { return match(p, pkg) })
}

// match knows names, a/... for a and all below it, and a/* for all below a.
func match(pattern, pkg string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	if base, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(pkg, base+"/")
	}
	return pattern == pkg
}
