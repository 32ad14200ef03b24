package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var docs = filepath.Join("..", "..", "docs")

// TestCurrent: the pictures are those of the present code; make plots draws them anew.
func TestCurrent(t *testing.T) {
	drawn := map[string]bool{}
	for _, f := range figures() {
		name := f.name + ".svg"
		if drawn[name] {
			t.Errorf("%s is there twice", name)
		}
		drawn[name] = true
		text, err := os.ReadFile(filepath.Join(docs, "plots", name))
		if err != nil {
			t.Error(err)
		} else if string(text) != f.draw() {
			t.Errorf("%s is not current: make plots", name)
		}
	}
	files, err := os.ReadDir(filepath.Join(docs, "plots"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !drawn[f.Name()] {
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
		if !strings.Contains(string(page), "](plots/"+f.name+".svg)") {
			t.Errorf("docs/motion.md does not show %s", f.name)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale
		want string
	}{
		{scale{low: 0, high: 1}, "0 0.2 0.4 0.6 0.8 1"},
		{scale{low: -1, high: 1}, "-1 -0.5 0 0.5 1"},
		{scale{low: 0.1, high: 0.35}, "0.1 0.15 0.2 0.25 0.3 0.35"},
		{scale{low: -8.6, high: 8.6}, "-5 0 5"},
	} {
		var got []string
		for _, v := range c.ticks(5) {
			got = append(got, number(v))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("from %g to %g: %s, not %s", c.low, c.high, text, c.want)
		}
	}
}
