package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var top = os.DirFS(filepath.Join("..", ".."))

func TestCurrent(t *testing.T) {
	want, err := collect(top)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join("..", "..", collected))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(string(have), "\n")); diff != "" {
		t.Errorf("%s is out of date; run make texts and read what changed:\n%s", collected, diff)
	}
}

func TestForm(t *testing.T) {
	all, err := collect(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all.misformed() {
		t.Error(f)
	}
}

func TestWords(t *testing.T) {
	found, err := words(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// TestCollect reads a small repository.
func TestCollect(t *testing.T) {
	files := fstest.MapFS{
		"cmd/p/main.go": {Data: []byte(`package main
import (
	"errors"
	"fmt"
	_ "` + module + `/lib"
)
type options struct {
	Port int ` + "`rcc:\"port\" doc:\"UDP port\"`" + `
}
var one = errors.New("disk full: remove " + name + " first")
func two() { fmt.Errorf("%s: %w", a, b); fmt.Errorf("%s: closed", a) }
func three() { s.log.Warn("late", zap.Int("count", 1)) }
var four = table{"of words", "oneword"}
var five = errors.New("disk full: remove " + name + " first")
`)},
		"lib/lib.go": {Data: []byte(`package lib
func (w *where) fail(format string, args ...any) error { return nil }
func f() error { return w.fail("line %d", 3) }
func g() { guard.Go("bus", func() { call("no text") ; call("some text") }) }
`)},
		"lib/lib_test.go": {Data: []byte("package lib\nvar _ = errors.New(\"of a test\")\n")},
		"kit/kit.go":      {Data: []byte("package kit\nvar _ = errors.New(\"of test support\")\n")},
	}
	got, err := collect(files)
	if err != nil {
		t.Fatal(err)
	}
	want := `Texts that users can see, by package. make texts writes this file.

cmd/p
=====

errors
	disk full: remove {} first
	%s: closed

log
	late

documentation
	UDP port

other texts
	of words

lib
===

errors
	line %d

other texts
	no text
	some text
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMisformed(t *testing.T) {
	for text, want := range map[string]string{
		"closed":                      "",
		"%w: see …":                   "",
		"closed.":                     "ends with a full stop",
		"closed!":                     "ends with a full stop",
		"one line\nand another":       "has more than one line",
		"closed ":                     "begins or ends with white space",
		"closed  by":                  "has two blanks in a row",
		"closed: please try again":    "says nothing that helps",
		"an unexpected error happens": "says nothing that helps",
	} {
		found := strings.Join(catalogue{"": {{kind: errorText, said: text}}}.misformed(), "\n")
		if !strings.HasSuffix(found, want) || (want == "") != (found == "") {
			t.Errorf("%q: %q, want %q", text, found, want)
		}
	}
	if found := (catalogue{"": {{kind: docText, said: "A sentence."}}}).misformed(); found != nil {
		t.Errorf("documentation: %q", found)
	}
}

// TestRefused plants phrases in comments, strings and pages.
func TestRefused(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"comment", "a.go", "package a\n// f tells whether\n", `a.go:2: "tells whether": write reports whether`},
		{"across lines", "a.go", "package a\n// f tells\n// whether\n", `a.go:2: "tells whether": write reports whether`},
		{"second line", "a.go", "package a\n// f is\n// good anew\n", `a.go:3: "anew": write again`},
		{"paragraphs", "a.go", "package a\n// f tells\n//\n// whether\n", ""},
		{"block", "a.go", "package a\n/* f\nshall */\n", `a.go:3: "shall": write must, will, or the plain present`},
		{"string", "a.go", "package a\nvar s = \"open anew\"\n", `a.go:2: "anew": write again`},
		{"raw string", "a.go", "package a\nvar s = `open\nanew`\n", `a.go:3: "anew": write again`},
		{"tells", "a.go", "package a\n// f tells how.\nvar s = \"how it tells how\"\n", `a.go:2: "f tells how": write reports, returns, shows`},
		{"looks", "a.md", "It looked whether.\n", `a.md:1: "looked whether": write checks whether`},
		{"is told", "a.go", "package a\n// f is told of it.\n", `a.go:2: "f is told": write is called when, takes, is returned when`},
		{"is that", "a.go", "package a\n// f is that it rests.\n", `a.go:2: "f is that it": write is called when, takes, is returned when`},
		{"is that of", "a.go", "package a\n// f is that of g, and that error is that error.\n", ""},
		{"identifier", "a.go", "package a\nvar anew = shall\n", ""},
		{"error", "a.go", "package a\n// ErrGone is that it has gone.\n", `a.go:2: "ErrGone is that": write is returned when`},
		{"error type", "a.go", "package a\n// A GoneError is that it has gone.\n", `a.go:2: "GoneError is that": write is returned when`},
		{"fault", "a.go", "package a\n// FaultGone is that it has gone.\n", `a.go:2: "FaultGone is that": write means that`},
		{"blend", "a.md", "One goes over\ninto the next.\n", `a.md:1: "goes over into": write blends into, or becomes`},
		{"as ever", "a.md", "It runs as ever.\n", `a.md:1: "as ever": write as before`},
		{"article", "a.go", "package a\n// an int is no float\n", `a.go:2: "int is no float": write is not a`},
		{"no longer", "a.go", "package a\n// an int is no longer there, and there is no float, which is no more\n", ""},
		{"without a subject", "a.go", "package a\n// Who waits is asked.\n", `a.go:2: "Who waits is asked.": write a sentence with a subject: the one that …, an X that …`},
		{"method", "a.go", "package a\n// What returns the reason.\n", ""},
		{"question", "a.go", "package a\n// What is it? Who waits?\n", ""},
		{"page", "a.md", "# A\nIt waits\nmeanwhile.\n", `a.md:3: "meanwhile": write while, or in the meantime`},
		{"cell", "a.md", "| a | shall |\n", `a.md:1: "shall": write must, will, or the plain present`},
		{"code", "a.md", "Not `anew`.\n```\nshall\n```\n", ""},
		{"after code", "a.md", "```\nx\n```\nshall\n", `a.md:4: "shall": write must, will, or the plain present`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := words(fstest.MapFS{tt.file: {Data: []byte(tt.text)}, "testdata/a.go": {Data: []byte("package a // shall")}})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, "\n"); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}
