// Package golden keeps the answers that tests expect in archives of txtar, many in a file, each beside what it answers:
//
//	-- NAME? --
//	the question
//	-- NAME --
//	the answer, and one line feed more than it has
package golden

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// asked follows the name of an answer in the name of its question.
const asked = "?"

// files are written by one test at a time: subtests of several run in parallel.
var files sync.Mutex

// Check compares a question and its answer with those that a file has under a name. With update it writes them there.
func Check(t testing.TB, update bool, file, name, question, answer string) {
	t.Helper()
	files.Lock()
	defer files.Unlock()
	a, err := txtar.ParseFile(file)
	switch {
	case update && os.IsNotExist(err):
		a = new(txtar.Archive)
	case err != nil:
		t.Fatal(err)
	}
	if update {
		put(a, name+asked, question)
		put(a, name, answer)
		slices.SortStableFunc(a.Files, inOrder)
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		if a, err = txtar.ParseFile(file); err != nil { // a text may contain what looks like the beginning of the next one
			t.Fatal(err)
		}
	}
	for _, part := range []struct{ name, got string }{{name + asked, question}, {name, answer}} {
		want, ok := get(a, part.name)
		switch {
		case !ok:
			t.Errorf("%s has no %s: run the test with -update, and look at what it writes", file, part.name)
		case want != part.got:
			t.Errorf("%s: %s (-want +got):\n%s", file, part.name, cmp.Diff(want, part.got))
		}
	}
}

func put(a *txtar.Archive, name, text string) {
	data := []byte(text + "\n")
	if i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name }); i >= 0 {
		a.Files[i].Data = data
	} else {
		a.Files = append(a.Files, txtar.File{Name: name, Data: data})
	}
}

func get(a *txtar.Archive, name string) (text string, ok bool) {
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return "", false
	}
	return strings.CutSuffix(string(a.Files[i].Data), "\n")
}

// inOrder puts a question before its answer, and both in the order of names.
func inOrder(a, b txtar.File) int {
	nameA, askedA := strings.CutSuffix(a.Name, asked)
	nameB, askedB := strings.CutSuffix(b.Name, asked)
	if nameA != nameB {
		return strings.Compare(nameA, nameB)
	}
	if askedA && !askedB {
		return -1
	}
	return 1
}
