package doctor

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded is a machine of testdata, with what its user may not read.
type recorded struct {
	fstest.MapFS
	denied []string
}

func (r recorded) Open(name string) (fs.File, error) {
	for _, d := range r.denied {
		if name == d || strings.HasPrefix(name, d+"/") {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
	}
	return r.MapFS.Open(name)
}

// Stat and the others of MapFS go around Open.
func (r recorded) Stat(name string) (fs.FileInfo, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

func (r recorded) ReadFile(name string) ([]byte, error) {
	return fs.ReadFile(struct{ fs.FS }{r}, name)
}

func (r recorded) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(struct{ fs.FS }{r}, name)
}

func (r recorded) Glob(pattern string) ([]string, error) {
	return fs.Glob(struct{ fs.FS }{r}, pattern)
}

// record reads a machine: names that end with / are folders, those marked as denied cannot be read.
func record(t *testing.T, name string) recorded {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "machines", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	r := recorded{MapFS: fstest.MapFS{}}
	for _, f := range archive.Files {
		if place, ok := strings.CutSuffix(f.Name, " (denied)"); ok {
			r.denied = append(r.denied, place)
		} else if place, ok := strings.CutSuffix(f.Name, "/"); ok {
			r.MapFS[place] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			r.MapFS[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return r
}

func machines(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "machines", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no machines", err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	return names
}

func TestGolden(t *testing.T) {
	for _, name := range machines(t) {
		t.Run(name, func(t *testing.T) {
			r := Examine(record(t, name), Options{})
			var text, data bytes.Buffer
			if err := r.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			e := json.NewEncoder(&data)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(r); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", text.Bytes())
			golden(t, name+".json", data.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// TestReady: only the machine that was set up has all that is needed, and nothing is left to do there.
func TestReady(t *testing.T) {
	for _, name := range machines(t) {
		r := Examine(record(t, name), Options{})
		if r.Ready() != (name == "controller") {
			t.Errorf("%s: ready is %v", name, r.Ready())
		}
		for _, f := range r.Findings {
			if name == "controller" && f.Verdict != OK {
				t.Errorf("%s: %s is %v", name, f.Name, f.Verdict)
			}
		}
	}
}

// TestQuick: facts are the same without the points that take long.
func TestQuick(t *testing.T) {
	for _, name := range machines(t) {
		all, quick := Examine(record(t, name), Options{}), Examine(record(t, name), Options{Quick: true})
		if diff := cmp.Diff(all.Facts, quick.Facts); diff != "" || len(quick.Findings) >= len(all.Findings) {
			t.Errorf("%s: %d of %d points: %s", name, len(quick.Findings), len(all.Findings), diff)
		}
	}
}

// TestAdvice: a finding that something is missing says what to do, where something can be done.
func TestAdvice(t *testing.T) {
	hopeless := []string{"virtual-machine"}
	for _, name := range machines(t) {
		for _, f := range Examine(record(t, name), Options{}).Findings {
			if f.Why == "" || f.Found == "" || f.Wanted == "" {
				t.Errorf("%s: %s does not say everything: %+v", name, f.Name, f)
			}
			if f.Verdict > Unknown && f.Command == "" && !slices.Contains(hopeless, f.Name) {
				t.Errorf("%s: %s: no command", name, f.Name)
			}
			if f.Verdict == OK && f.Command+f.Boot != "" {
				t.Errorf("%s: %s is ok and wants more: %+v", name, f.Name, f)
			}
		}
	}
}

// TestWidth: all but commands, which are copied, fits a terminal.
func TestWidth(t *testing.T) {
	for _, name := range machines(t) {
		var text strings.Builder
		if err := Examine(record(t, name), Options{}).WriteText(&text); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > columns && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// TestNothing: where nothing can be read, nothing is ok and nothing breaks.
func TestNothing(t *testing.T) {
	denied := recorded{MapFS: fstest.MapFS{}, denied: []string{"proc", "sys", "etc", "dev", "run"}}
	ok := []string{"container"} // it has a mark, which is not there
	r := Examine(denied, Options{CPUs: CPUs{1}})
	if r.Ready() || r.Machine().OK {
		t.Error("a machine is fit of which nothing is known")
	}
	for _, f := range r.Findings {
		if f.Verdict != Unknown && !slices.Contains(ok, f.Name) {
			t.Errorf("%s: %v, found %s", f.Name, f.Verdict, f.Found)
		}
	}
	for _, f := range Examine(fstest.MapFS{}, Options{}).Findings {
		if f.Name == "kernel" && f.Verdict != Needed {
			t.Errorf("without /proc the kernel is %v", f.Verdict)
		}
	}
}
