package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var top = filepath.Join("..", "..")

// TestCurrent: the picture in README is that of the net beside it; make pictures draws it.
func TestCurrent(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := shown(string(page), "wave.dio")
	if err != nil {
		t.Fatal(err)
	}
	want, err := draw(text)
	if err != nil {
		t.Fatal(err)
	}
	const name = "docs/pictures/wave.svg"
	got, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not current: make pictures", name)
	}
	if !strings.Contains(string(page), "]("+name+")") {
		t.Errorf("README does not show %s", name)
	}
}

// TestDraw: every primitive, port and parameter is in the picture, and links lead from left to right.
func TestDraw(t *testing.T) {
	const net = `{a=Core::Clock(),b=Core::DoubleMultiply(inFirst=a.outValue,Second='<2>'),c=Core::DoubleNetcommOut(inValue=b.outValue,Key='k'),outTerminate=Cancel().outCancel}`
	picture, err := draw(net)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">a<", ">Core::Clock<", ">inFirst<", ">Second = &lt;2&gt;<", ">Key = k<", ">Cancel<", ">outTerminate<", ">net<"} {
		if !strings.Contains(picture, want) {
			t.Errorf("nothing shows %s", want)
		}
	}
	if n := strings.Count(picture, "<path "); n != 3 {
		t.Errorf("%d links, not 3", n)
	}
}

func TestRefused(t *testing.T) {
	for net, want := range map[string]string{
		`{a=Core::Clock(`:               "expected",
		`{f={a=Core::Clock()}()}`:       "f is a fragment",
		`{outTerminate=lost.outCancel}`: `no primitive "lost"`,
	} {
		if _, err := draw(net); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", net, err, want)
		}
	}
	if _, err := shown("text", "wave.dio"); err == nil {
		t.Error("a page without the file is accepted")
	}
}
