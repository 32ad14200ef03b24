package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/rcc"
	"github.com/softrobot-rcc/rccd/rcc/extension"
)

// extended returns a cell with a folder in which there is an extension with pages.
func extended(t *testing.T) (c *cell, own string) {
	t.Helper()
	folder := t.TempDir()
	own = filepath.Join(folder, "mine")
	writePages(t, own, map[string]string{
		extension.Manifest:  "version: '1'\ndoc: shows <something>\ndevices: [{name: own, type: test}]\n",
		"secret.txt":        "secret",
		"pages/view.html":   "<!DOCTYPE html><title>view</title><script src=view.js></script>",
		"pages/view.js":     "'use strict';",
		"pages/look.css":    "p{}",
		"pages/a-b_c.1.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"pages/x.png":       "\x89PNG",
		"pages/x.json":      "{}",
		"pages/x.txt":       "x",
		"pages/.x.txt.swp":  "x",
	})
	opened, err := extension.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	return newCell(t, Options{}, func(cfg *rcc.Config) { cfg.Folder = opened }), own
}

func writePages(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPagesOfExtensions: files are served as what they are, and no others, until the extension goes.
func TestPagesOfExtensions(t *testing.T) {
	c, own := extended(t)
	const at = "/extensions/mine/"
	post := func(action string) response {
		return c.answer(request("POST", "/extensions/", "extension=mine&action="+action, "Content-Type", "application/x-www-form-urlencoded"))
	}
	if a := c.answer(request("GET", at+"view.html", "")); a.StatusCode != 404 {
		t.Errorf("a page of an extension that is not loaded: %s", a.Status)
	}
	if a := post("load"); a.StatusCode != 303 || a.Header.Get("Location") != at {
		t.Fatal(a.text)
	}
	for name, media := range map[string]string{
		"view.html": "text/html; charset=utf-8", "view.js": "text/javascript; charset=utf-8", "look.css": "text/css; charset=utf-8",
		"a-b_c.1.svg": "image/svg+xml", "x.png": "image/png", "x.json": "application/json", "x.txt": "text/plain; charset=utf-8",
	} {
		a := c.answer(request("GET", at+name, "", "Accept", browser))
		if a.StatusCode != 200 || a.Header.Get("Content-Type") != media || a.text == "" {
			t.Errorf("%s: %s %s", name, a.Status, a.Header.Get("Content-Type"))
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'; script-src 'self'") ||
			a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: it may do more than other pages: %s", name, policy)
		}
		again := c.answer(request("GET", at+name, "", "If-None-Match", a.Header.Get("ETag")))
		if again.StatusCode != 304 || again.text != "" {
			t.Errorf("%s is sent again: %s", name, again.Status)
		}
	}
	for _, name := range []string{
		"secret.txt", "extension.yaml", "..%2Fsecret.txt", "%2e%2e%2fsecret.txt", "pages%2Fview.html", "pages/view.html", "../mine/secret.txt",
		"View.html", ".x.txt.swp", "x.txt%00", "view.html/", "..%5csecret.txt",
	} {
		if a := c.answer(request("GET", at+name, "")); a.StatusCode != 404 {
			t.Errorf("%s: %s %s", name, a.Status, a.text)
		}
	}
	inAllForms(t, c, at)
	inAllForms(t, c, at+"none.html")

	writePages(t, own, map[string]string{"pages/view.html": "other"})
	if a := post("replace"); a.StatusCode != 303 {
		t.Fatal(a.text)
	}
	if a := c.answer(request("GET", at+"view.html", "")); a.text != "other" {
		t.Errorf("after it was replaced: %s", a.text)
	}
	writePages(t, own, map[string]string{"pages/run.sh": "#!/bin/sh"})
	checkGolden(t, "post_extension_wrong", post("replace"))
	for name, accept := range allForms {
		checkGolden(t, "extension_wrong."+name, c.answer(request("GET", at, "", "Accept", accept)))
	}
	if a := post("unload"); a.StatusCode != 303 {
		t.Fatal(a.text)
	}
	if a := c.answer(request("GET", at+"view.html", "")); a.StatusCode != 404 {
		t.Errorf("after it was unloaded: %s", a.Status)
	}
}
