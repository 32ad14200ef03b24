package web

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestPrideModules runs the tests of the application, where its packages are.
func TestPrideModules(t *testing.T) {
	if _, err := os.Stat("pride/node_modules/.bin/vitest"); err != nil {
		t.Skip("skip: no packages of web/pride: the tests of the application do not run: make pride")
	}
	cmd := exec.CommandContext(t.Context(), "npm", "--prefix", "pride", "test", "--silent")
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// mostOfFirstView is what browsers load at most before they show the first view of the application, compressed.
const mostOfFirstView = 350_000

// TestPrideBuilt looks at the application as it is embedded: how large its first view is, and that it refers to no other host.
func TestPrideBuilt(t *testing.T) {
	page, err := fs.ReadFile(Pride, "pride/dist/app/index.html")
	if err != nil {
		t.Skip("skip: the application is not in this build: make pride")
	}
	first := len(page)
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllSubmatch(page, -1) {
		address := string(m[1])
		name, own := strings.CutPrefix(address, "/pride/")
		if !own {
			if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
				t.Errorf("the page asks another host: %s", address)
			}
			continue
		}
		body, err := fs.ReadFile(Pride, path.Join("pride/dist/app", name))
		if err != nil {
			t.Error(err)
		}
		first += packed(t, body)
	}
	if first > mostOfFirstView {
		t.Errorf("the first view takes %d bytes, of %d", first, mostOfFirstView)
	}
	if strings.Contains(string(page), "<script>") || strings.Contains(string(page), "style=") {
		t.Errorf("the page has scripts or styles in it, which its policy forbids: %s", page)
	}
}

func packed(t *testing.T, body []byte) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
