package extension_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/softrobot-rcc/rccd/internal/testkit/testdevice"
	"github.com/softrobot-rcc/rccd/primitives"
	"github.com/softrobot-rcc/rccd/rcc/device"
	"github.com/softrobot-rcc/rccd/rcc/extension"
	"github.com/softrobot-rcc/rccd/rcc/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestWrong compares what is said about wrong extensions with testdata/wrong.txtar: of each there, the files below its
// name, and what is said in NAME/want.
func TestWrong(t *testing.T) {
	const name = "testdata/wrong.txtar"
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := spec.NewCatalogue(primitives.All())
	if err != nil {
		t.Fatal(err)
	}
	files, order := map[string]fstest.MapFS{}, []string{}
	for _, f := range archive.Files {
		id, path, _ := strings.Cut(f.Name, "/")
		if files[id] == nil {
			files[id] = fstest.MapFS{}
			order = append(order, id)
		}
		files[id][path] = &fstest.MapFile{Data: f.Data}
	}
	said := map[string]string{}
	for _, id := range order {
		e, err := extension.Read(files[id], id)
		if err == nil {
			_, err = extension.Declare(catalogue, []*extension.Extension{e})
		}
		if err == nil {
			_, err = extension.DeclareDevices(map[string]device.Type{"test": testdevice.Type}, []*extension.Extension{e})
		}
		if err == nil {
			t.Errorf("%s is accepted", id)
			continue
		}
		said[id] = err.Error() + "\n"
	}
	for i := range archive.Files {
		f := &archive.Files[i]
		if id, isWant := strings.CutSuffix(f.Name, "/want"); isWant {
			if diff := cmp.Diff(string(f.Data), said[id]); diff != "" && !*update {
				t.Errorf("%s: %s", id, diff)
			}
			f.Data = []byte(said[id])
		}
	}
	if *update {
		if err := os.WriteFile(name, bytes.TrimRight(txtar.Format(archive), ""), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const good = `version: "1"
doc: good
primitives: [{type: My::One, doc: one, net: one.net, out: [{name: outOne, type: double, doc: one}]}]
`

// hostile makes a folder of extensions in which one is put together by make, and reads that.
func hostile(t *testing.T, make func(own, outside string)) (*extension.Extension, error) {
	t.Helper()
	top := t.TempDir()
	outside, folder := filepath.Join(top, "outside"), filepath.Join(top, "extensions")
	own := filepath.Join(folder, "mine")
	for _, dir := range []string{outside, own} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		filepath.Join(own, extension.Manifest):   good,
		filepath.Join(own, "one.net"):            "{one=Core::DoubleValue(Value='1'),outOne=one.outValue}",
		filepath.Join(outside, "extension.yaml"): good,
		filepath.Join(outside, "one.net"):        "{one=Core::DoubleValue(Value='1'),outOne=one.outValue}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	make(own, outside)
	f, err := extension.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.Read("mine")
}

func TestHostileFolders(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, want string
		make       func(own, outside string)
	}{
		{"nothing wrong", "", func(string, string) {}},
		{"a link to a file outside", "mine/extension.yaml:3: primitives[0].net: one.net is not a file in or below the folder of the extension", func(own, outside string) {
			must(os.Remove(filepath.Join(own, "one.net")))
			must(os.Symlink(filepath.Join(outside, "one.net"), filepath.Join(own, "one.net")))
		}},
		{"a link upwards", "mine/extension.yaml:3: primitives[0].net: one.net is not a file in or below the folder of the extension", func(own, _ string) {
			must(os.Remove(filepath.Join(own, "one.net")))
			must(os.Symlink("../../outside/one.net", filepath.Join(own, "one.net")))
		}},
		{"a manifest outside", "mine/extension.yaml: extension.yaml is not a file in or below the folder of the extension", func(own, outside string) {
			must(os.Remove(filepath.Join(own, extension.Manifest)))
			must(os.Symlink(filepath.Join(outside, extension.Manifest), filepath.Join(own, extension.Manifest)))
		}},
		{"the folder is a link", "there is no folder mine", func(own, outside string) {
			must(os.RemoveAll(own))
			must(os.Symlink(outside, own))
		}},
		{"no file", "mine/extension.yaml:3: primitives[0].net: one.net is not a file in or below the folder of the extension", func(own, _ string) {
			must(os.Remove(filepath.Join(own, "one.net")))
			must(os.Mkdir(filepath.Join(own, "one.net"), 0o755))
		}},
		{"a page outside", "mine/extension.yaml: pages/a.html is not a file in or below the folder of the extension", func(own, outside string) {
			must(os.Mkdir(filepath.Join(own, "pages"), 0o755))
			must(os.Symlink(filepath.Join(outside, "one.net"), filepath.Join(own, "pages", "a.html")))
		}},
		{"pages outside", "mine/extension.yaml: pages is not a folder below that of the extension", func(own, outside string) {
			must(os.Symlink(outside, filepath.Join(own, "pages")))
		}},
		{"pages are a file", "mine/extension.yaml: pages is not a folder below that of the extension", func(own, _ string) {
			must(os.WriteFile(filepath.Join(own, "pages"), nil, 0o644))
		}},
		{"no pages", "", func(own, _ string) { must(os.Mkdir(filepath.Join(own, "pages"), 0o755)) }},
		{"many pages", "mine/extension.yaml: folder pages: more than 1000 files", func(own, _ string) {
			must(os.Mkdir(filepath.Join(own, "pages"), 0o755))
			for i := range 1001 {
				must(os.WriteFile(filepath.Join(own, "pages", fmt.Sprint(i, ".txt")), nil, 0o644))
			}
		}},
		{"a large page", "mine/extension.yaml: pages/a.txt has 8388609 bytes, limit 8388608", func(own, _ string) {
			must(os.Mkdir(filepath.Join(own, "pages"), 0o755))
			must(os.WriteFile(filepath.Join(own, "pages", "a.txt"), make([]byte, 8<<20+1), 0o644))
		}},
		{"large pages", "mine/extension.yaml: the extension has more than 33554432 bytes in 1000 files", func(own, _ string) {
			must(os.Mkdir(filepath.Join(own, "pages"), 0o755))
			for i := range 5 {
				must(os.WriteFile(filepath.Join(own, "pages", fmt.Sprint(i, ".txt")), make([]byte, 8<<20), 0o644))
			}
		}},
		{"a large manifest", "mine/extension.yaml: extension.yaml has 1048577 bytes, limit 1048576", func(own, _ string) {
			must(os.WriteFile(filepath.Join(own, extension.Manifest), bytes.Repeat([]byte{'#'}, 1<<20+1), 0o644))
		}},
		{"many types", "mine/extension.yaml: there are 1001 types, limit 1000", func(own, _ string) {
			text := "version: '1'\ndoc: many\ndevice-types:\n" + strings.Repeat("  - {type: a, doc: a, of: a}\n", 1001)
			must(os.WriteFile(filepath.Join(own, extension.Manifest), []byte(text), 0o644))
		}},
		{"a large file", "mine/extension.yaml:3: primitives[0].net: one.net has 8388609 bytes, limit 8388608", func(own, _ string) {
			must(os.WriteFile(filepath.Join(own, "one.net"), make([]byte, 8<<20+1), 0o644))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := hostile(t, tt.make)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || err.Error() != tt.want):
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestIDs(t *testing.T) {
	f, err := extension.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a b", "ä", "a\x00"} {
		if _, err := f.Read(id); err == nil || !strings.Contains(err.Error(), "is not an id") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestLongChain: types that are made of each other, as many as there may be, are no burden.
func TestLongChain(t *testing.T) {
	var text strings.Builder
	text.WriteString("version: '1'\ndoc: a chain\ndevice-types:\n")
	const length = 1000
	for i := range length {
		of := fmt.Sprint("t", i+1)
		if i == length-1 {
			of = "test"
		}
		fmt.Fprintf(&text, "  - {type: t%d, doc: a link, of: %s, set: {channels: $channels}, parameters: [{name: channels, doc: how many}]}\n", i, of)
	}
	e, err := extension.Read(fstest.MapFS{extension.Manifest: {Data: []byte(text.String())}}, "mine")
	if err != nil {
		t.Fatal(err)
	}
	types, err := extension.DeclareDevices(map[string]device.Type{"test": testdevice.Type}, []*extension.Extension{e})
	if err != nil {
		t.Fatal(err)
	}
	last := types["t0"]
	if of, params := last.Resolve(map[string]string{"channels": "3"}); of != "test" || params["channels"] != "3" {
		t.Errorf("it is %s %v", of, params)
	}
	if wrong := last.Check(map[string]string{"channels": "0"}); len(wrong) != 1 || wrong[0].Name != "channels" {
		t.Errorf("wrong is %v", wrong)
	}
}

// TestStamps: what is part of an extension changes its stamp, what editors leave does not.
func TestStamps(t *testing.T) {
	top := t.TempDir()
	f, err := extension.OpenFolder(top)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Stamp("mine") != extension.NoFiles || f.Stamp("../mine") != extension.NoFiles {
		t.Error("a stamp of nothing")
	}
	last := extension.NoFiles
	for _, tt := range []struct {
		name, text string
		changes    bool
	}{
		{extension.Manifest, "a", true},
		{extension.Manifest, "ab", true},
		{"pages/a.txt", "a", true},
		{".git/index", "a", false},
		{"pages/.a.txt.swp", "a", false},
		{"one.net~", "a", false},
		{"one.net", "a", true},
	} {
		name := filepath.Join(top, "mine", tt.name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(tt.text), 0o644)); err != nil {
			t.Fatal(err)
		}
		now := f.Stamp("mine")
		if (now != last) != tt.changes || now != f.Stamp("mine") {
			t.Errorf("after %s the stamp has changed: %t", tt.name, now != last)
		}
		last = now
	}
}
