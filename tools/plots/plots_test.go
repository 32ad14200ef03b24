package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var docs = filepath.Join("..", "..", "docs")

// TestCurrent: the pictures are those of the present code; make plots draws them.
func TestCurrent(t *testing.T) {
	drawn := map[string]bool{}
	for _, f := range figures() {
		name := f.Name + ".svg"
		if drawn[name] {
			t.Errorf("%s is there twice", name)
		}
		drawn[name] = true
		text, err := os.ReadFile(filepath.Join(docs, "plots", name))
		if err != nil {
			t.Error(err)
		} else if string(text) != f.Draw() {
			t.Errorf("%s is not current: make plots", name)
		}
	}
	files, err := os.ReadDir(filepath.Join(docs, "plots"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.IsDir() && !drawn[f.Name()] { // folders are those of examples
			t.Errorf("nobody draws %s", f.Name())
		}
	}
}

// TestShown: the page shows every picture.
func TestShown(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(docs, "motion.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures() {
		if !strings.Contains(string(page), "](plots/"+f.Name+".svg)") {
			t.Errorf("docs/motion.md does not show %s", f.Name)
		}
	}
}
