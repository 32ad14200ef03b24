package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A kind says how a text reaches its reader.
type kind int

const (
	errorText kind = iota // an argument of errors.New, fmt.Errorf or a function that formats an error
	logText
	docText // doc tags: parameters, ports, options
	otherText
)

var kindNames = [...]string{errorText: "errors", logText: "log", docText: "documentation", otherText: "other texts"}

// text is what one place of the source says. Parts that are known at run time only are {}.
type text struct {
	kind kind
	pos  token.Position
	said string
}

// roots are the programs, and the libraries that programs of users import. What they need, directly or not, can speak to a user;
// test support and tools cannot.
var roots = []string{"cmd", "robotics", "directio/client"}

// catalogue holds the texts of packages, by folder.
type catalogue map[string][]text

// collect reads all packages that the roots need.
func collect(top fs.FS) (catalogue, error) {
	files := token.NewFileSet()
	packages := map[string][]*ast.File{}
	err := walk(top, ".go", func(name string, source []byte) error {
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
		packages[path.Dir(name)] = append(packages[path.Dir(name)], file)
		return err
	})
	if err != nil {
		return nil, err
	}
	formatting := formatters(packages)
	all := catalogue{}
	for folder := range needed(packages) {
		for _, file := range packages[folder] {
			found := all[folder]
			ast.Walk(&reader{files: files, formatting: formatting, found: &found}, file)
			all[folder] = found
		}
	}
	return all, nil
}

// needed returns the folders of the packages that the roots import, and the roots.
func needed(packages map[string][]*ast.File) map[string]bool {
	found := map[string]bool{}
	var add func(folder string)
	add = func(folder string) {
		if found[folder] || packages[folder] == nil {
			return
		}
		found[folder] = true
		for _, file := range packages[folder] {
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				if inside, ok := strings.CutPrefix(imported, module+"/"); ok {
					add(inside)
				}
			}
		}
	}
	for folder := range packages {
		for _, root := range roots {
			if folder == root || strings.HasPrefix(folder, root+"/") {
				add(folder)
			}
		}
	}
	return found
}

// formatters returns the names of functions and methods that make an error of a format and its arguments, as fmt.Errorf does.
func formatters(packages map[string][]*ast.File) map[string]bool {
	found := map[string]bool{}
	for _, files := range packages {
		for _, file := range files {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && formatsErrors(f.Type) {
					found[f.Name.Name] = true
				}
			}
		}
	}
	return found
}

func formatsErrors(f *ast.FuncType) bool {
	params := f.Params.List
	if len(params) < 2 || f.Results == nil {
		return false
	}
	_, variadic := params[len(params)-1].Type.(*ast.Ellipsis)
	format, named := params[len(params)-2].Type.(*ast.Ident)
	result, is := f.Results.List[len(f.Results.List)-1].Type.(*ast.Ident)
	return variadic && named && format.Name == "string" && is && result.Name == "error"
}

// reader walks a file and finds its texts.
type reader struct {
	files      *token.FileSet
	formatting map[string]bool
	kind       *kind // that of the call whose arguments are read
	found      *[]text
}

// Visit implements [ast.Visitor].
func (r *reader) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.Field:
		r.tag(n)
		if n.Tag != nil {
			ast.Walk(r, n.Type)
			return nil
		}
	case *ast.CallExpr:
		if k, ok := r.kindOf(n); ok {
			within := *r
			within.kind = &k
			return &within
		}
		return r.unknown()
	case *ast.FuncLit: // its statements are not arguments of the call
		return r.unknown()
	case *ast.BinaryExpr:
		if n.Op == token.ADD && literal(n) {
			r.add(n.Pos(), joined(n))
			return nil
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			r.add(n.Pos(), joined(n))
		}
	}
	return r
}

// unknown returns a reader of what is not an argument of the call itself.
func (r *reader) unknown() *reader {
	within := *r
	within.kind = nil
	return &within
}

func (r *reader) tag(field *ast.Field) {
	if field.Tag == nil {
		return
	}
	tag, _ := strconv.Unquote(field.Tag.Value)
	if doc := reflect.StructTag(tag).Get("doc"); doc != "" {
		*r.found = append(*r.found, text{docText, r.files.Position(field.Tag.Pos()), doc})
	}
}

// kindOf returns the kind of the texts among the arguments of a call, if the call says it.
func (r *reader) kindOf(call *ast.CallExpr) (kind, bool) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return errorText, r.formatting[f.Name]
	case *ast.SelectorExpr:
		of := ""
		switch x := f.X.(type) {
		case *ast.Ident:
			of = x.Name
		case *ast.SelectorExpr:
			of = x.Sel.Name
		}
		switch {
		case of == "errors" && f.Sel.Name == "New", of == "fmt" && f.Sel.Name == "Errorf":
			return errorText, true
		case strings.EqualFold(of, "log"):
			return logText, true
		case of == "fmt":
			return otherText, false
		}
		return errorText, r.formatting[f.Sel.Name]
	}
	return otherText, false
}

// add keeps a text if it has words. Without a call that says that it is read by a user, it must have two in a row: one word may be
// a name.
func (r *reader) add(pos token.Pos, said string) {
	k := otherText
	if r.kind != nil {
		k = *r.kind
	}
	if k == otherText && !twoWords.MatchString(said) || !word.MatchString(verbs.ReplaceAllString(said, "")) {
		return
	}
	*r.found = append(*r.found, text{k, r.files.Position(pos), said})
}

var (
	word     = regexp.MustCompile(`\pL{2}`)
	twoWords = regexp.MustCompile(`\pL{2,}[,;:]? \pL{2,}`)
	verbs    = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)
)

// literal reports whether a sum has a string literal among its summands.
func literal(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (literal(e.X) || literal(e.Y))
	}
	return false
}

// joined returns what a sum of literals and other values says.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if said, err := strconv.Unquote(e.Value); err == nil {
			return said
		}
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return "{}"
}

// String returns the texts as they are stored: packages by name, kinds in their order, texts in the order of the source. A text that
// a package says twice is there once.
func (c catalogue) String() string {
	var b strings.Builder
	b.WriteString("Texts that users can see, by package. make texts writes this file.\n")
	for _, folder := range slices.Sorted(maps.Keys(c)) {
		if len(c[folder]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n%s\n", folder, strings.Repeat("=", len(folder)))
		texts := slices.Clone(c[folder])
		slices.SortFunc(texts, func(x, y text) int {
			return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.pos.Filename, y.pos.Filename), cmp.Compare(x.pos.Offset, y.pos.Offset))
		})
		seen := map[string]bool{}
		last := kind(-1)
		for _, t := range texts {
			if t.kind != last {
				fmt.Fprintf(&b, "\n%s\n", kindNames[t.kind])
				last, seen = t.kind, map[string]bool{}
			}
			if !seen[t.said] {
				seen[t.said] = true
				b.WriteString("\t" + strings.ReplaceAll(strings.TrimRight(t.said, "\n"), "\n", "\n\t| ") + "\n")
			}
		}
	}
	return b.String()
}

// misformed returns the error texts that have the wrong form: an error is one line that can stand within another line.
func (c catalogue) misformed() (found []string) {
	for _, texts := range c {
		for _, t := range texts {
			if t.kind != errorText {
				continue
			}
			for _, f := range forms {
				if f.wrong.MatchString(t.said) {
					found = append(found, fmt.Sprintf("%s: error text %q %s", t.pos, t.said, f.why))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

var forms = []struct {
	wrong *regexp.Regexp
	why   string
}{
	{regexp.MustCompile(`\n`), "has more than one line"},
	{regexp.MustCompile(`[^.…][.!]\s*$`), "ends with a full stop"},
	{regexp.MustCompile(`^\s|\s$`), "begins or ends with white space"},
	{regexp.MustCompile(`  `), "has two blanks in a row"},
	{regexp.MustCompile(`(?i)\b(sorry|oops|please|an error (has )?occurred|unexpected error)\b`), "says nothing that helps"},
}
