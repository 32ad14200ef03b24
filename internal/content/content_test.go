package content

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOf tells files of every kind apart, also where they begin alike.
func TestOf(t *testing.T) {
	for text, want := range map[string]Kind{
		"{outTerminate=Cancel().outCancel}":                   Net,
		"\uFEFF \r\n{}":                                       Net,
		"// what it is for: {\n/* devices:\n x */ {a=B::C()}": Net,
		"{ Core::Clock() }":                                   Net,
		"{\n  turn Core::DoubleSin()\n}":                      Net,
		"<?xml version=\"1.0\"?>\n<rpinet/>":                  XML,
		"devices: []\n":                                       Configuration,
		"# nothing yet\n":                                     Configuration,
		"":                                                    Configuration,
		"serverr:\n  listen: x\n":                             Configuration,
		`{"devices": []}`:                                     Configuration,
		"{devices: []}":                                       Configuration,
		"version: '1'\ndoc: own types\ndevices: []\n":         Extension,
		"# mine\nprimitives:\n  - {type: \"mine::x\"}\n":      Extension,
		"package main\n":                                      Unknown,
		"\x7fELF":                                             Unknown,
	} {
		if got := Of(text); got != want {
			t.Errorf("%q is %v, not %v", text, got, want)
		}
	}
}

// TestOfFiles: all cells of the repository are known as such.
func TestOfFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "configs", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := Of(string(text)); got != Configuration {
			t.Errorf("%s is %v", name, got)
		}
	}
}
